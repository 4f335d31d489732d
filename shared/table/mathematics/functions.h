/* functions.h: the mathematical functions of the language, correctly rounded, with the special cases of C (Annex F). They
 * write no memory of the caller but their results; the only state is the kind of the processor, which is asked once. */
#ifndef VLAD_FUNCTIONS_H
#define VLAD_FUNCTIONS_H

/* Each function of CORE-MATH with its name for Fortran (fortran.c), which has at most six letters and digits. The build script reads these
 * lists: they say what is compiled, and the lists in Rust and in the C runtime are made of them. */
#define VLAD_UNARY_FUNCTIONS(each) \
    each(exp, vlexp) each(log, vllog) each(sin, vlsin) each(cos, vlcos) each(tan, vltan) each(asin, vlasin) \
    each(acos, vlacos) each(atan, vlatan) each(sinh, vlsinh) each(cosh, vlcosh) each(tanh, vltanh) each(erf, vlerf) \
    each(erfc, vlerfc) each(log1p, vllg1p) each(expm1, vlexm1) each(lgamma, vllgam) each(asinh, vlasnh) \
    each(acosh, vlacsh) each(atanh, vlatnh) each(cbrt, vlcbrt) each(log2, vllog2) each(log10, vllg10) \
    each(exp2, vlexp2) each(tgamma, vlgam)
#define VLAD_BINARY_FUNCTIONS(each) \
    each(atan2, vlatn2) each(hypot, vlhypt) each(pow, vlpow)
/* The polygamma functions, which are defined by the order of their operations (polygamma.h). */
#define VLAD_DEFINED_FUNCTIONS(each) each(polygamma, vlpgam)

#define VLAD_UNARY_PROTOTYPE(name, fortran) double vlad_math_##name(double x);
#define VLAD_BINARY_PROTOTYPE(name, fortran) double vlad_math_##name(double x, double y);
VLAD_UNARY_FUNCTIONS(VLAD_UNARY_PROTOTYPE)
VLAD_BINARY_FUNCTIONS(VLAD_BINARY_PROTOTYPE)
VLAD_DEFINED_FUNCTIONS(VLAD_BINARY_PROTOTYPE)

/* Pointers to the functions. */
struct vlad_functions {
#define VLAD_UNARY_POINTER(name, fortran) double (*name)(double x);
#define VLAD_BINARY_POINTER(name, fortran) double (*name)(double x, double y);
    VLAD_UNARY_FUNCTIONS(VLAD_UNARY_POINTER)
    VLAD_BINARY_FUNCTIONS(VLAD_BINARY_POINTER)
    void (*sincos)(double x, double *sine, double *cosine);
};

/* Writes pointers to the functions for this processor, so that calls through them do not ask for its kind. */
void vlad_math_functions(struct vlad_functions *functions);

/* The sine and the cosine of x, with the bits of the two functions. */
void vlad_math_sincos(double x, double *sine, double *cosine);

#endif
