/* power.c: x to the power y, with short ways to the powers that people write most. Their results are the same: they are rounded
 * once as well. */
#include "operations.h"

double vlad_any_pow(double x, double y);
double vlad_pow(double x, double y);

/* The cube of x. If the error bound leaves two possible roundings, any_pow decides. The product is p + e with an error below 2^-104 |p|:
 * two products are exact as pairs, and what is rounded is of the order of the lower parts, below 2^-52 |p|. */
static double cube(double x) {
    double square = x * x, size = __builtin_fabs(x);
    if (size > 0x1p-250 && size < 0x1p250) {
        double square_low = __builtin_fma(x, x, -square), product = square * x;
        double low = __builtin_fma(square_low, x, __builtin_fma(square, x, -product));
        double error = __builtin_fabs(product) * 0x1p-102;
        double least = product + (low - error);
        if (least == product + (low + error)) return least;
    }
    return vlad_any_pow(x, 3);
}

double vlad_pow(double x, double y) {
    if (y == 2) return x * x;
    if (y == -1) return 1 / x;
    if (y == 0.5) {
        /* C has +inf for -inf, and +0 for -0. */
        if (__builtin_expect(x == -__builtin_inf(), 0)) return -x;
        return __builtin_sqrt(x) + 0.0;
    }
    if (y == 3) return cube(x);
    /* One whatever the other operand is, also if it is no number. */
    if (y == 0 || x == 1) return 1;
    return vlad_any_pow(x, y);
}
