/* polygamma.h: the polygamma functions, which C does not have: the same operations in the same order as in
 * shared/table/src/math/polygamma.rs, which explains them.
 *
 * `polygamma.c` compiles it for the archive; compiled libraries that take the functions of their system have it in their own text.
 * It calls `log`, `tan`, `floor` and `rint`, and expects `isnan` and `NAN`: those of <math.h>, or macros.
 */

static double polygamma_power(double x, uint32_t exponent) {
    double product = 1.0;
    for (uint32_t turn = 0; turn < exponent; turn++) product *= x;
    return product;
}

static const double polygamma_bernoulli[12] = {
    1.0 / 6.0,         -1.0 / 30.0,   1.0 / 42.0,        -1.0 / 30.0,
    5.0 / 66.0,        -691.0 / 2730.0, 7.0 / 6.0,       -3617.0 / 510.0,
    43867.0 / 798.0,   -174611.0 / 330.0, 854513.0 / 138.0, -236364091.0 / 2730.0,
};

static double polygamma_series(uint32_t n, double x, double factorial) {
    double square = x * x, index = 2.0;
    if (n == 0) {
        double sum = log(x) - 0.5 / x, divisor = square;
        for (int k = 0; k < 12; k++) {
            sum -= polygamma_bernoulli[k] / (index * divisor);
            divisor *= square;
            index += 2.0;
        }
        return sum;
    }
    double order = (double)n, scale = polygamma_power(x, n);
    double sum = factorial / order / scale + 0.5 * factorial / (scale * x);
    double ratio = factorial * (order + 1.0) / 2.0, divisor = scale * square;
    for (int k = 0; k < 12; k++) {
        sum += polygamma_bernoulli[k] * ratio / divisor;
        ratio = ratio * ((index + order) / (index + 1.0)) * ((index + order + 1.0) / (index + 2.0));
        divisor *= square;
        index += 2.0;
    }
    return sum;
}

static double polygamma_above_zero(uint32_t n, double x) {
    double factorial = n % 2 == 0 ? -1.0 : 1.0, near = 0.0, far = x, enough = 15.0 + (double)n;
    for (uint32_t factor = 1; factor <= n; factor++) factorial *= (double)factor;
    while (far < enough) {
        near += factorial / polygamma_power(far, n + 1);
        far += 1.0;
    }
    return near + polygamma_series(n, far, factorial);
}

enum { POLYGAMMA_MOST = 160 };

static double polygamma_cotangent(uint32_t n, double x) {
    const double pi = 3.14159265358979323846;
    double fraction = x - rint(x), cotangent = 1.0 / tan(pi * fraction), scale = pi, value = 0.0;
    double polynomial[POLYGAMMA_MOST + 2];
    polynomial[0] = 0.0;
    polynomial[1] = 1.0;
    for (uint32_t order = 0; order < n; order++) {
        /* In place, and without a loop that compilers make a call of `memset`: each coefficient becomes the negated sum of what the
         * powers below and above it give, in this order. */
        double below = 0.0;
        for (uint32_t place = 0; place <= order + 2; place++) {
            double own = place > 0 && place <= order + 1 ? polynomial[place] * (double)place : 0.0;
            double above = place <= order ? polynomial[place + 1] * (double)(place + 1) : 0.0;
            polynomial[place] = 0.0 - below - above;
            below = own;
        }
        scale *= pi;
    }
    for (uint32_t place = n + 2; place-- > 0;) value = value * cotangent + polynomial[place];
    return scale * value;
}

static double polygamma(double order, double x) {
    if (!(order >= 0.0 && order <= (double)POLYGAMMA_MOST) || floor(order) != order || isnan(x) ||
        (x < 0.0 && x == floor(x)))
        return NAN;
    uint32_t n = (uint32_t)order;
    if (x >= 0.0) return polygamma_above_zero(n, x);
    double mirrored = polygamma_above_zero(n, 1.0 - x);
    return (n % 2 == 0 ? mirrored : -mirrored) - polygamma_cotangent(n, x);
}
