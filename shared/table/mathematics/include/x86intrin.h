/* x86intrin.h: the vector instructions of every x86-64, and no access to the register of modes and flags (fenv.h). */
#ifndef VLAD_X86INTRIN_H
#define VLAD_X86INTRIN_H

/* The header below would declare an allocator. */
#define _MM_MALLOC_H_INCLUDED
#define __MM_MALLOC_H
#include <emmintrin.h>

#define _mm_getcsr() 0x1f80u
#define _mm_setcsr(flags) ((void)(flags))

#endif
