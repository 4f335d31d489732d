/* functions.h: the mathematical functions of the language, correctly rounded, with the special cases of C (Annex F). They
 * write no memory of the caller but their results; the only state is the kind of the processor, which is asked once. */
#ifndef VLAD_FUNCTIONS_H
#define VLAD_FUNCTIONS_H

#define VLAD_UNARY_FUNCTIONS(each) \
    each(exp) each(log) each(sin) each(cos) each(tan) each(asin) each(acos) each(atan) each(sinh) each(cosh) each(tanh) each(erf) \
    each(erfc) each(log1p) each(expm1) each(lgamma) each(asinh) each(acosh) each(atanh) each(cbrt) each(log2) each(log10) \
    each(exp2) each(tgamma)
#define VLAD_BINARY_FUNCTIONS(each) each(atan2) each(hypot) each(pow)

#define VLAD_UNARY_PROTOTYPE(name) double vlad_math_##name(double x);
#define VLAD_BINARY_PROTOTYPE(name) double vlad_math_##name(double x, double y);
VLAD_UNARY_FUNCTIONS(VLAD_UNARY_PROTOTYPE)
VLAD_BINARY_FUNCTIONS(VLAD_BINARY_PROTOTYPE)

/* Pointers to the functions. */
struct vlad_functions {
#define VLAD_UNARY_POINTER(name) double (*name)(double x);
#define VLAD_BINARY_POINTER(name) double (*name)(double x, double y);
    VLAD_UNARY_FUNCTIONS(VLAD_UNARY_POINTER)
    VLAD_BINARY_FUNCTIONS(VLAD_BINARY_POINTER)
    void (*sincos)(double x, double *sine, double *cosine);
};

/* Writes pointers to the functions for this processor, so that calls through them do not ask for its kind. */
void vlad_math_functions(struct vlad_functions *functions);

/* The polygamma functions, which are defined by the order of their operations (`polygamma.h`). */
double vlad_math_polygamma(double order, double x);

/* The sine and the cosine of x, with the bits of the two functions. */
void vlad_math_sincos(double x, double *sine, double *cosine);

#endif
