/* fenv.h: the floating-point environment as the functions of CORE-MATH see it here. Rounding is to nearest, and nobody reads the
 * exception flags, so what saves, raises and clears these is left out: results do not depend on it. */
#ifndef VLAD_FENV_H
#define VLAD_FENV_H

typedef int fenv_t;
typedef unsigned fexcept_t;

#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61

#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00

#define fegetround() FE_TONEAREST
#define feraiseexcept(flags) ((void)(flags))
#define feclearexcept(flags) ((void)(flags))
#define fetestexcept(flags) ((void)(flags), 0)
#define feholdexcept(environment) ((void)(*(environment) = 0))
#define feupdateenv(environment) ((void)(environment))
#define fegetexceptflag(flag, flags) ((void)(*(flag) = 0))
#define fesetexceptflag(flag, flags) ((void)(flag))

#endif
