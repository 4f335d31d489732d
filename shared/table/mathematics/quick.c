/* quick.c: quick phases of the exponential function, sine, cosine, tangent and hyperbolic tangent before CORE-MATH's functions, for
 * processors with a fused multiply-add.
 *
 * Ziv's strategy (Fast evaluation of elementary mathematical functions with correctly rounded last bit, 1991): a quick phase gives the
 * value as h + l with a bound of its error. If the sum is rounded to the same double whether the error is added or taken away, that is
 * the result; else, for some 4 of 1000 operands, CORE-MATH computes again from the start. So the bounds below are all that results rest on.
 *
 * An operation that is rounded errs by at most 2^(n-54) where its result is below 2^n in size, for normal numbers.
 */
#include "operations.h"
#include "quick_tables.h"

double vlad_any_exp(double x);
double vlad_any_sin(double x);
double vlad_any_cos(double x);
double vlad_any_tan(double x);
double vlad_any_tanh(double x);
void vlad_any_sincos(double x, double *sine, double *cosine);

#define LIKELY(condition) __builtin_expect(condition, 1)

/* The value h + l. */
struct sum {
    double h, l;
};

/* Added to a number that is below 2^51 in size, it rounds that to a whole number, which is in the lowest bits then. */
static const double rounder = 0x1.8p52;

/* A number in a register of its own. Where a fused multiply-add overwrites it, none of the operands on which results wait has to be
 * copied before. */
static inline double apart(double x) {
#ifdef __x86_64__
    __asm__("" : "+x"(x));
#endif
    return x;
}

/* True if a sum with an error of at most e has one rounding. */
static inline int is_decided(struct sum v, double e) { return LIKELY(v.h + (v.l - e) == v.h + (v.l + e)); }

/* e^x as scale (1 + m). */
struct exponential {
    double scale, m;
};

/* e^x for x below 708 in size.
 *
 * x = k log(2)/256 + u + d, where u is exact: it is x if k is 0; else it is below 2^-9.5 in size, and x and the product are multiples of
 * 2^-62. d is k times what the constant lacks, below 2^-45 in size. With 2^(k/256) = scale (1 + t) by the table, e^x = scale (1 + m), where
 *
 *     m = u + (t + d)(1 + u) + u^2 (1/2 + u/6 + u^2/24 + u^3/120).
 *
 * The terms that m leaves out are below 2^-65.3 (d u^2/2) and 2^-66.6 (u^6/720). The additions whose results have the size of u err by
 * 2^-63 each: the sum of the first and the last term, and that with the other one. All else is below 2^-71. So the error of m is below
 * 1.16 * 2^-62. */
static inline struct exponential exponential(double x) {
    union vlad_double_bits shifted = {.real = __builtin_fma(x, apart(0x1.71547652b82fep+8), rounder)};
    double k = shifted.real - rounder;
    const double *entry = powers[shifted.word & 255];
    union vlad_double_bits scale = {.real = entry[0]};
    scale.word += shifted.word >> 8 << 52;
    double u = __builtin_fma(-k, apart(0x1.62e42fefa39efp-9), x), square = u * u;
    double lower = __builtin_fma(-k, 0x1.abc9e3b39803fp-64, entry[1]);
    double first = __builtin_fma(u, 0x1.5555555555555p-3, 0.5);
    double second = __builtin_fma(u, 0x1.1111111111111p-7, 0x1.5555555555555p-5);
    double m = __builtin_fma(square, __builtin_fma(square, second, first), u) + __builtin_fma(lower, u, lower);
    struct exponential result = {scale.real, m};
    return result;
}

/* Adding the error to m errs by 2^-63 more, so that it is below 1.66 * 2^-62. */
double vlad_exp(double x) {
    if (LIKELY(__builtin_fabs(x) < 708)) {
        struct exponential p = exponential(x);
        const double error = 0x1.bp-62;
        double least = __builtin_fma(p.scale, p.m - error, p.scale);
        if (LIKELY(least == __builtin_fma(p.scale, p.m + error, p.scale))) return __builtin_fma(p.scale, p.m, apart(p.scale));
    }
    return vlad_any_exp(x);
}

/* 1 - q, where q = 2/(1 + e^(2 x)), for x that are not near 0. The power is a sum of two doubles with
 * the error of m and one below 2^-104, relative to scale. So the error of q is these times scale q/(1 + e^(2 x)), where scale/(1 + e^(2 x))
 * is below 1.01 (1 - q/2). Where h is near 1, l is up to 2^-54 in size: its last subtraction, and adding the error to it, err by less than
 * 2^-106 together. */
double vlad_tanh(double x) {
    double size = __builtin_fabs(x);
    if (LIKELY(size > 0.25 && size < 20)) {
        struct exponential p = exponential(2 * size);
        double product = p.scale * p.m, e = p.scale + product;
        double e_low = product - (e - p.scale) + __builtin_fma(p.scale, p.m, -product);
        double d = e + 1, d_low = 1 - (d - e) + e_low;
        double inverse = 1 / d, q = 2 * inverse;
        double q_low = __builtin_fma(-q, d_low, __builtin_fma(-q, d, 2)) * inverse;
        struct sum v = {.h = 1 - q};
        v.l = 1 - v.h - q - q_low;
        if (is_decided(v, __builtin_fma(q * (1 - q / 2), 0x1.3p-62, 0x1p-106))) return __builtin_copysign(v.h + v.l, x);
    }
    return vlad_any_tanh(x);
}

/* x = k pi/128 + r, where r = h + l is at most pi/256 in size. */
struct reduced {
    double h, l;
    uint64_t k;
};

/* The operands with a quick phase: below the least, the functions are x and 1 but for their last place. */
static inline int is_reducible(double x) {
    double size = __builtin_fabs(x);
    return LIKELY(size > 0x1p-26 && size < 0x1p14);
}

/* pi/128 is the sum of three parts of 53 bits and a rest below 2^-169. k is below 2^19.4, so the rest contributes less than 2^-149. u
 * is exact: it is x if k is 0, and else a multiple of 2^-59 below 2^-6.3 in size.
 * u - h is exact too, unless k times the second part, which is below 2^-40.5, is more than half of u; its error is below 2^-94
 * then. With the roundings of l the error of r is below 2^-93. */
static inline struct reduced reduce(double x) {
    union vlad_double_bits shifted = {.real = __builtin_fma(x, apart(0x1.45f306dc9c883p+5), rounder)};
    double k = shifted.real - rounder, u = __builtin_fma(-k, apart(0x1.921fb54442d18p-6), x);
    struct reduced r = {.k = shifted.word};
    r.h = __builtin_fma(-k, apart(0x1.1a62633145c07p-60), u);
    r.l = __builtin_fma(-k, 0x1.1a62633145c07p-60, u - r.h);
    r.l = __builtin_fma(-k, -0x1.f1976b7ed8fbcp-116, r.l);
    return r;
}

/* sin(k pi/128 + r) = S + C r + S (cos r - 1) + C (sin r - r), with S and C, the sine and cosine of k pi/128, as sums from the table.
 *
 * S + C r is exact as a sum for the upper parts: S is 0 or greater than C r in size. All other terms are below 2^-13.6 |S| + 2^-21.6 |C|.
 * The first part is that of (cos r - 1) S. Its computation, the additions, and that of the error to l err by at most ten times 2^-67 |S|.
 * The series leave out less than 2^-66 |S| and 2^-69 |r|, and the products of lower parts less than 2^-67 |S| and 2^-67 |r|.
 * As |S| <= 2 |h| for all k, and |h| > 2^-6.4 unless S is 0, where the terms are below 2^-15.3 |h|, the sum errs
 * by less than 2^-62 |h|, to which the error of r has to be added. */
static inline struct sum sine(struct reduced r, uint64_t k) {
    const double *s = sines[k & 255], *c = sines[(k + 64) & 255];
    double square = r.h * r.h;
    double in_cosine = __builtin_fma(square, -0x1.6c16c16c16c17p-10, 0x1.5555555555555p-5);
    in_cosine = __builtin_fma(square, __builtin_fma(square, in_cosine, -0.5), -r.h * r.l);
    double in_sine = __builtin_fma(square, -0x1.a01a01a01a01ap-13, 0x1.1111111111111p-7);
    in_sine = __builtin_fma(r.h * square, __builtin_fma(square, in_sine, -0x1.5555555555555p-3), r.l);
    double product = c[0] * r.h;
    struct sum v = {.h = s[0] + product};
    double low = __builtin_fma(c[0], r.h, -product) + __builtin_fma(c[1], r.h, s[1]) + (product - (v.h - s[0]));
    v.l = __builtin_fma(s[0], in_cosine, __builtin_fma(c[0], in_sine, low));
    return v;
}

static inline double error_of_sine(struct sum v) { return __builtin_fma(__builtin_fabs(v.h), 0x1p-62, 0x1p-92); }

double vlad_sin(double x) {
    if (is_reducible(x)) {
        struct reduced r = reduce(x);
        struct sum v = sine(r, r.k);
        if (is_decided(v, error_of_sine(v))) return v.h + v.l;
    }
    return vlad_any_sin(x);
}

double vlad_cos(double x) {
    if (is_reducible(x)) {
        struct reduced r = reduce(x);
        struct sum v = sine(r, r.k + 64);
        if (is_decided(v, error_of_sine(v))) return v.h + v.l;
    }
    return vlad_any_cos(x);
}

void vlad_sincos(double x, double *to_sine, double *to_cosine) {
    if (is_reducible(x)) {
        struct reduced r = reduce(x);
        struct sum s = sine(r, r.k), c = sine(r, r.k + 64);
        if (is_decided(s, error_of_sine(s)) && is_decided(c, error_of_sine(c))) {
            *to_sine = s.h + s.l;
            *to_cosine = c.h + c.l;
            return;
        }
    }
    vlad_any_sincos(x, to_sine, to_cosine);
}

/* v with the nearest double in h. */
static inline struct sum normalised(struct sum v) {
    double h = v.h + v.l;
    struct sum n = {h, v.l - (h - v.h)};
    return n;
}

/* The quotient of sine and cosine. Where both are above 2^-28 in size, each has a relative error below 1.25 * 2^-62, and the
 * division adds one below 2^-103. */
double vlad_tan(double x) {
    if (is_reducible(x)) {
        struct reduced r = reduce(x);
        struct sum s = normalised(sine(r, r.k)), c = normalised(sine(r, r.k + 64));
        if (LIKELY(__builtin_fabs(s.h) > 0x1p-28 && __builtin_fabs(c.h) > 0x1p-28)) {
            double inverse = 1 / c.h;
            struct sum v = {.h = s.h * inverse};
            v.l = (__builtin_fma(-v.h, c.h, s.h) + __builtin_fma(-v.h, c.l, s.l)) * inverse;
            if (is_decided(v, __builtin_fabs(v.h) * 0x1.5p-61)) return v.h + v.l;
        }
    }
    return vlad_any_tan(x);
}
