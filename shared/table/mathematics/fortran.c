/* fortran.c: the functions for Fortran, which passes operands by reference. A name in the text of a program is in capitals and without
 * the underscore: the sine is VLSIN. gfortran and most other compilers name it `vlsin_`.
 */
#include "functions.h"

#define UNARY(name, fortran) \
    double fortran##_(const double *x); \
    double fortran##_(const double *x) { return vlad_math_##name(*x); }
#define BINARY(name, fortran) \
    double fortran##_(const double *x, const double *y); \
    double fortran##_(const double *x, const double *y) { return vlad_math_##name(*x, *y); }

VLAD_UNARY_FUNCTIONS(UNARY)
VLAD_BINARY_FUNCTIONS(BINARY)
VLAD_DEFINED_FUNCTIONS(BINARY)
