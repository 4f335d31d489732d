/* stdlib.h: CORE-MATH gives up where more than 200 bits of a power would not tell how it is rounded. No such power is known. The
 * processor's trap would end the process; no wrong result is returned. */
#ifndef VLAD_STDLIB_H
#define VLAD_STDLIB_H

#define exit(status) __builtin_trap()

#endif
