/* functions.c: the mathematical functions of the language, by their names in shared/table/src/math.rs.
 *
 * Each function is the real value rounded to nearest, so it has one result for every operand, whatever computes it. On x86-64
 * each of them is compiled twice: for processors with a fused multiply-add, on which it takes a third of the time and some have a quick
 * phase (quick.c), and for all others. Which of them a call takes is asked of the processor once. Other architectures have one of the two.
 */
#include "functions.h"

#define FUSED_UNARY(name, fortran) double vlad_fused_##name(double x);
#define FUSED_BINARY(name, fortran) double vlad_fused_##name(double x, double y);
VLAD_UNARY_FUNCTIONS(FUSED_UNARY)
VLAD_BINARY_FUNCTIONS(FUSED_BINARY)
void vlad_fused_sincos(double x, double *sine, double *cosine);

#define PLAIN_UNARY(name, fortran) double vlad_plain_##name(double x);
#define PLAIN_BINARY(name, fortran) double vlad_plain_##name(double x, double y);
VLAD_UNARY_FUNCTIONS(PLAIN_UNARY)
VLAD_BINARY_FUNCTIONS(PLAIN_BINARY)
void vlad_plain_sincos(double x, double *sine, double *cosine);

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdint.h>

enum { UNKNOWN, PLAIN, FUSED };

/* The processor's kind, once it is known. It does not change, so threads that find it at once write the same. */
static signed char processor;

/* Asks the processor, and the system whether it keeps the registers of 256 bits (Intel 64 and IA-32 Architectures Software
 * Developer's Manual, volume 1, chapter 14): all instructions that the flags of build.rs allow have to be there. */
static __attribute__((cold, noinline)) int ask(void) {
    unsigned a, b, c, d, low, high;
    int answer = PLAIN;
    const unsigned avx = 1u << 12 | 1u << 23 | 1u << 27 | 1u << 28, bits = 1u << 3 | 1u << 5 | 1u << 8, leading_zeros = 1u << 5;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c & avx) == avx) {
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        if ((low & 6) == 6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bits) == bits
            && __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & leading_zeros))
            answer = FUSED;
    }
    __atomic_store_n(&processor, answer, __ATOMIC_RELAXED);
    return answer;
}

static inline int is_fused(void) {
    int known = __atomic_load_n(&processor, __ATOMIC_RELAXED);
    return __builtin_expect(known == FUSED, 1) || (known == UNKNOWN && ask() == FUSED);
}

#define CHOSEN(name) (is_fused() ? vlad_fused_##name : vlad_plain_##name)

#elif defined(__aarch64__)

#define CHOSEN(name) vlad_fused_##name

#else

#define CHOSEN(name) vlad_plain_##name

#endif

#define UNARY(name, fortran) double vlad_math_##name(double x) { return CHOSEN(name)(x); }
#define BINARY(name, fortran) double vlad_math_##name(double x, double y) { return CHOSEN(name)(x, y); }
VLAD_UNARY_FUNCTIONS(UNARY)
VLAD_BINARY_FUNCTIONS(BINARY)

void vlad_math_sincos(double x, double *sine, double *cosine) { CHOSEN(sincos)(x, sine, cosine); }

void vlad_math_functions(struct vlad_functions *functions) {
#define POINTER(name, fortran) functions->name = CHOSEN(name);
    VLAD_UNARY_FUNCTIONS(POINTER)
    VLAD_BINARY_FUNCTIONS(POINTER)
    POINTER(sincos, )
}
