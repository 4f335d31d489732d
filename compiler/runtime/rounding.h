/* Rounding without a call: compilers keep in registers, and do not read again, what a call of the C library might change. */
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

#endif
