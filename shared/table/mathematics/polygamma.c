/* polygamma.c: the polygamma functions, with the logarithm and the tangent of the archive. */
#include "functions.h"
#include "operations.h"

#include <math.h>

#define log vlad_math_log
#define tan vlad_math_tan
#define floor vlad_round_down
#define rint vlad_round_to_even
#define isnan(x) ((x) != (x))
#include "polygamma.h"

double vlad_math_polygamma(double order, double x) { return polygamma(order, x); }
