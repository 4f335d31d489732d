/* math.h: what the functions of CORE-MATH take of the header: constants, and a place for the sign of the gamma function, which
 * nobody reads. */
#ifndef VLAD_MATH_H
#define VLAD_MATH_H

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define signgam (*(int[1]){0})

#endif
