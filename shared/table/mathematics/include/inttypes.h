/* inttypes.h: the types alone. CORE-MATH prints nothing. */
#ifndef VLAD_INTTYPES_H
#define VLAD_INTTYPES_H

#include <stdint.h>

#endif
