/* Rounding without a call: compilers keep in registers, and do not read again, what a call of the C library might change; and
 * exported code needs no library. Each function is exact, with the zeros of C. */
#ifndef VLAD_ROUNDING_H
#define VLAD_ROUNDING_H

#include <stdint.h>

/* The greatest whole number that is not above a real, as the C library's `floor` has it to the bit: from 2^52 on all reals
 * are whole, and so are infinities and what is no number; below it they fit into integers, of which zeros have no sign. */
static inline double vlad_floor(double real) {
    if (!(real > -4503599627370496.0 && real < 4503599627370496.0)) return real;
    double whole = (double)(int64_t)real;
    if (whole == real) return real;
    return whole > real ? whole - 1 : whole;
}

/* The least whole number that is not below a real. */
static inline double vlad_ceiling(double real) { return -vlad_floor(-real); }

/* The whole number between a real and zero that is nearest to the real. */
static inline double vlad_truncate(double real) { return real < 0 ? -vlad_floor(-real) : vlad_floor(real); }

/* The nearest whole number, of two the even one. The distance from the whole number below is exact. */
static inline double vlad_round_magnitude(double real) {
    double below = vlad_floor(real), rest = real - below;
    if (rest == 0.5) return below + (below - 2 * vlad_floor(below * 0.5));
    return rest > 0.5 ? below + 1 : below;
}
static inline double vlad_round(double real) {
    return real < 0 ? -vlad_round_magnitude(-real) : vlad_round_magnitude(real);
}

/* a - b floor(a / b), rounded once, for all reals: multiples of b that halve are taken away, which is exact. */
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

/* The same. By a whole b below 2^31 the product is exact for an a below 2^52; the quotient can have been rounded to the next whole
 * number, which the sign of the difference shows. */
static inline double vlad_modulo(double a, double b) {
    if (a > -4503599627370496.0 && a < 4503599627370496.0 && b > 0 && b < 2147483648.0 && (double)(int32_t)b == b) {
        double rest = a - b * vlad_floor(a / b);
        if (rest >= 0) return rest;
    }
    return vlad_modulo_by_halves(a, b);
}

#endif
