/* Rounding without calls of the C library, which compilers would assume to change memory. So exported code needs no
 * library either. Each function is exact, and zeros have the signs of the C library's. */
#ifndef VLAD_ROUNDING_H
#define VLAD_ROUNDING_H

#include <stdint.h>

/* The greatest whole number that is not above a real, with the bits of the C library's `floor`. From 2^52 on all reals
 * are whole; infinities and NaN are returned as they are. Smaller reals fit into integers. A real that is whole is
 * returned itself, with the sign of zero. */
static inline double vlad_floor(double real) {
    if (!(real > -4503599627370496.0 && real < 4503599627370496.0)) return real;
    double whole = (double)(int64_t)real;
    if (whole == real) return real;
    return whole > real ? whole - 1 : whole;
}

/* The least whole number that is not below a real. */
static inline double vlad_ceiling(double real) { return -vlad_floor(-real); }

/* The nearest whole number between a real and zero. */
static inline double vlad_truncate(double real) { return real < 0 ? -vlad_floor(-real) : vlad_floor(real); }

/* The nearest whole number; ties go to the even one. The distance to the whole number below is exact. */
static inline double vlad_round_magnitude(double real) {
    double below = vlad_floor(real), rest = real - below;
    if (rest == 0.5) return below + (below - 2 * vlad_floor(below * 0.5));
    return rest > 0.5 ? below + 1 : below;
}
static inline double vlad_round(double real) {
    return real < 0 ? -vlad_round_magnitude(-real) : vlad_round_magnitude(real);
}

/* a - b floor(a / b), rounded once, for all reals. It subtracts b 2^k for descending k, which is exact. */
static double vlad_modulo_by_halves(double a, double b) {
    double size = b < 0 ? -b : b, rest = a < 0 ? -a : a, part = size;
    if (!(rest <= 1.7976931348623157e308) || !(size > 0)) return a * b / (a * b);
    while (part <= rest * 0.5) part += part;
    for (; part > size; part *= 0.5)
        if (part <= rest) rest -= part;
    if (size <= rest) rest -= size;
    if (a < 0) rest = -rest;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest + 0.0;
}

/* The same, with a fast path for a whole b below 2^31 and an a below 2^52. Then the product is exact. If the quotient
 * was rounded up to the next whole number, the difference is negative. */
static inline double vlad_modulo(double a, double b) {
    if (a > -4503599627370496.0 && a < 4503599627370496.0 && b > 0 && b < 2147483648.0 && (double)(int32_t)b == b) {
        double rest = a - b * vlad_floor(a / b);
        if (rest >= 0) return rest;
    }
    return vlad_modulo_by_halves(a, b);
}

#endif
