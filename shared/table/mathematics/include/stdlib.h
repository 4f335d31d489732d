/* stdlib.h: CORE-MATH gives up where more than 200 bits of a power would not tell how it is rounded. No such power is known, and
 * by chance one among all pairs of doubles has a probability below 2^-60. */
#ifndef VLAD_STDLIB_H
#define VLAD_STDLIB_H

#define exit(status) __builtin_trap()

#endif
