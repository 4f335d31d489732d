/* functions.h: the mathematical functions of the language in place of those of the C library, so that results can be compared to the
 * bit. It is included before everything else. */
#include <math.h>

#include "../../shared/table/mathematics/functions.h"

#define exp vlad_math_exp
#define log vlad_math_log
#define sin vlad_math_sin
#define cos vlad_math_cos
#define pow vlad_math_pow
#define tanh vlad_math_tanh
