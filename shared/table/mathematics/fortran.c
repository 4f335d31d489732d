/* fortran.c: the functions for Fortran, which passes operands by reference. A name in the text of a program is in capitals and without
 * the underscore: the sine is VLSIN. gfortran and most other compilers name it `vlsin_`.
 *
 * compiler/src/plain_fortran/operations.rs has the names.
 */
#include "functions.h"

#define UNARY(name, function) \
    double name##_(const double *x); \
    double name##_(const double *x) { return vlad_math_##function(*x); }
#define BINARY(name, function) \
    double name##_(const double *x, const double *y); \
    double name##_(const double *x, const double *y) { return vlad_math_##function(*x, *y); }

UNARY(vlexp, exp)
UNARY(vllog, log)
UNARY(vlsin, sin)
UNARY(vlcos, cos)
UNARY(vltan, tan)
UNARY(vlasin, asin)
UNARY(vlacos, acos)
UNARY(vlatan, atan)
BINARY(vlatn2, atan2)
UNARY(vlsinh, sinh)
UNARY(vlcosh, cosh)
UNARY(vltanh, tanh)
UNARY(vlasnh, asinh)
UNARY(vlacsh, acosh)
UNARY(vlatnh, atanh)
BINARY(vlpow, pow)
BINARY(vlhypt, hypot)
UNARY(vlcbrt, cbrt)
UNARY(vlexp2, exp2)
UNARY(vllog2, log2)
UNARY(vllg10, log10)
UNARY(vllg1p, log1p)
UNARY(vlexm1, expm1)
UNARY(vlerf, erf)
UNARY(vlerfc, erfc)
UNARY(vllgam, lgamma)
UNARY(vlgam, tgamma)
BINARY(vlpgam, polygamma)
