/* operations.h: operations that a C compiler would otherwise take from the C library. It is included before each file of
 * CORE-MATH, so that these files need no library.
 *
 * Each of them is exact, or is the real result rounded once, as the instruction of a processor that has one. With VLAD_FUSED
 * the processor is known to have the fused multiply-add and the other roundings.
 */
#ifndef VLAD_OPERATIONS_H
#define VLAD_OPERATIONS_H

#include <stdint.h>

#define VLAD_OPERATION static inline __attribute__((unused))

union vlad_double_bits {
    double real;
    uint64_t word;
};

/* The greater and the lesser of two numbers. */
VLAD_OPERATION double vlad_greater(double a, double b) { return a > b ? a : b; }
VLAD_OPERATION double vlad_lesser(double a, double b) { return a < b ? a : b; }

/* 2^exponent, for the exponents of normal numbers. */
VLAD_OPERATION double vlad_power_of_two(int exponent) {
    union vlad_double_bits bits = {.word = (uint64_t)(exponent + 1023) << 52};
    return bits.real;
}

/* x 2^exponent: only the last product is rounded, since its first factor is a normal number. */
VLAD_OPERATION double vlad_scaled(double x, int exponent) {
    union vlad_double_bits bits = {.real = x};
    if (x == 0 || (~bits.word & UINT64_C(0x7ff0000000000000)) == 0) return x;
    if ((bits.word & UINT64_C(0x7ff0000000000000)) == 0) {
        bits.real = x * 0x1p54;
        exponent -= 54;
    }
    exponent += (int)(bits.word >> 52 & 0x7ff) - 1023;
    bits.word = (bits.word & UINT64_C(0x800fffffffffffff)) | UINT64_C(1023) << 52;
    if (exponent > 1023) return bits.real * 0x1p1023 * 2;
    if (exponent >= -1022) return bits.real * vlad_power_of_two(exponent);
    if (exponent < -1076) exponent = -1076;
    return bits.real * 0x1p-60 * vlad_power_of_two(exponent + 60);
}

/* The nearest whole number, halves to the even one. */
VLAD_OPERATION double vlad_round_to_even(double x) {
    const double large = 0x1p52;
    double magnitude = __builtin_fabs(x);
    if (!(magnitude < large)) return x;
    return __builtin_copysign(magnitude + large - large, x);
}

/* The nearest whole number, halves away from zero. */
VLAD_OPERATION double vlad_round_away(double x) {
    double magnitude = __builtin_fabs(x), even = __builtin_fabs(vlad_round_to_even(x));
    return __builtin_copysign(magnitude - even == 0.5 ? even + 1 : even, x);
}

#define __builtin_fmax vlad_greater
#define __builtin_fmin vlad_lesser
#define __builtin_ldexp vlad_scaled
#define __builtin_round vlad_round_away

#ifndef VLAD_FUSED

/* The greatest whole number that is not above. */
VLAD_OPERATION double vlad_round_down(double x) {
    double even = vlad_round_to_even(x);
    return even > x ? even - 1 : even;
}

/* a b + c in integers, for finite operands other than zeros. Product and term stand with their first bit at bit 125 of 128; the
 * lesser one is moved to its place, and its last bit is set if a bit is lost. */
static __attribute__((noinline, unused)) double vlad_fused_in_integers(double a, double b, double c) {
    double operands[3] = {a, b, c};
    uint64_t digits[3];
    int exponents[3], negative[3];
    for (int i = 0; i < 3; i++) {
        union vlad_double_bits bits = {.real = operands[i]};
        negative[i] = (int)(bits.word >> 63);
        exponents[i] = (int)(bits.word >> 52 & 0x7ff);
        digits[i] = bits.word & UINT64_C(0xfffffffffffff);
        if (exponents[i]) digits[i] |= UINT64_C(1) << 52;
        else exponents[i] = 1;
        exponents[i] -= 1075;
    }
    /* Each number is digits 2^exponent. Both are moved left until bit 125 is set. */
    unsigned __int128 product = (unsigned __int128)digits[0] * digits[1], term = digits[2];
    int product_exponent = exponents[0] + exponents[1], term_exponent = exponents[2];
    int product_negative = negative[0] ^ negative[1], term_negative = negative[2];
    while (!(product >> 125)) product <<= 1, product_exponent--;
    while (!(term >> 125)) term <<= 1, term_exponent--;
    if (product_exponent < term_exponent || (product_exponent == term_exponent && product < term)) {
        unsigned __int128 digits_before = product;
        int exponent_before = product_exponent, negative_before = product_negative;
        product = term, product_exponent = term_exponent, product_negative = term_negative;
        term = digits_before, term_exponent = exponent_before, term_negative = negative_before;
    }
    int distance = product_exponent - term_exponent;
    if (distance > 127) term = 1;
    else if (distance) term = term >> distance | ((term & (((unsigned __int128)1 << distance) - 1)) != 0);
    unsigned __int128 sum = product_negative == term_negative ? product + term : product - term;
    if (sum == 0) return 0;
    /* The sum is rounded here, to as many bits as the double has; the scaling is exact. */
    while (!(sum >> 125)) sum <<= 1, product_exponent--;
    while (sum >> 126) sum = sum >> 1 | (sum & 1), product_exponent++;
    int exponent = product_exponent + 125;
    /* The number of bits that the double has: all 53, or fewer below the normal numbers. */
    int kept = exponent >= -1022 ? 53 : 53 + exponent + 1022;
    if (kept < 0) kept = 0;
    int dropped = 126 - kept;
    unsigned __int128 whole = sum >> dropped, rest = sum - (whole << dropped), half = (unsigned __int128)1 << (dropped - 1);
    if (rest > half || (rest == half && (whole & 1))) whole++;
    double magnitude = vlad_scaled((double)(uint64_t)whole, exponent - (kept - 1));
    return product_negative ? -magnitude : magnitude;
}

/* Returns true of the infinities and of what is no number. */
VLAD_OPERATION int vlad_is_special(double x) {
    union vlad_double_bits bits = {.real = x};
    return (~bits.word & UINT64_C(0x7ff0000000000000)) == 0;
}

/* a b + c, rounded once (Boldo and Melquiond, Emulation of FMA and correctly rounded sums, 2008): the exact product and the exact
 * sum as pairs, whose lower parts are added with rounding to odd. */
VLAD_OPERATION double vlad_fused(double a, double b, double c) {
    double product = a * b, size = __builtin_fabs(product), term = __builtin_fabs(c);
    /* Within these bounds no part below over- or underflows. */
    if (!(size > 0x1p-900 && size < 0x1p900 && __builtin_fabs(a) < 0x1p900 && __builtin_fabs(b) < 0x1p900 && term < 0x1p900
          && (term > 0x1p-900 || term == 0))) {
        /* A zero has an exact product and an exact sum; an infinity or no number goes through. */
        if (a == 0 || b == 0 || vlad_is_special(a) || vlad_is_special(b)) return product + c;
        if (vlad_is_special(c)) return c;
        if (c == 0) return product;
        return vlad_fused_in_integers(a, b, c);
    }
    double a_scaled = a * 0x1.0000002p27, a_high = a_scaled - (a_scaled - a), a_low = a - a_high;
    double b_scaled = b * 0x1.0000002p27, b_high = b_scaled - (b_scaled - b), b_low = b - b_high;
    double product_low = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    double lower = c + product_low, part = lower - c, lower_error = (c - (lower - part)) + (product_low - part);
    double upper = product + lower, share = upper - product, upper_error = (product - (upper - share)) + (lower - share);
    double rest = upper_error + lower_error, moved = rest - upper_error;
    double error = (upper_error - (rest - moved)) + (lower_error - moved);
    if (error != 0) {
        union vlad_double_bits odd = {.real = rest};
        /* Towards the error, unless the last bit is set already. */
        if (!(odd.word & 1)) odd.word += (error > 0) == (rest > 0) ? 1 : -1;
        rest = odd.real;
    }
    return upper + rest;
}

#define __builtin_roundeven vlad_round_to_even
#define __builtin_floor vlad_round_down
#define __builtin_fma vlad_fused

#endif

#endif
