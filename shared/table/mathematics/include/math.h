/* math.h: the constants that CORE-MATH uses, and a variable for the sign of the gamma function, which is discarded. */
#ifndef VLAD_MATH_H
#define VLAD_MATH_H

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define signgam (*(int[1]){0})

#endif
