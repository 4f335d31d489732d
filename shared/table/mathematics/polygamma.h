/* polygamma.h: the digamma function, which is the derivative of the logarithm of the gamma function, and its derivatives.
 *
 * With n the order, these equations are used (Abramowitz and Stegun, 6.4):
 *
 * - far from zero, the asymptotic series of 6.4.11, with the Bernoulli numbers of the even indices from 2;
 * - nearer to it, the recurrence psi_n(x) = psi_n(x + 1) - (-1)^n n! / x^(n+1), until the series is exact enough;
 * - below zero, the reflection psi_n(x) = (-1)^n psi_n(1 - x) - pi d^n/dx^n cot(pi x). With c the cotangent, the last term is
 *   pi^(n+1) P_n(c), where P_0 = c and P_k+1 is -(1 + c^2) times the derivative of P_k.
 *
 * The greatest order is 160: the factorials of greater ones are no doubles. Results have some 14 digits, apart from cancellation
 * near zeros of the function. The order of the operations here is the definition of its bits (report, part 10.2).
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

/* The asymptotic series; `factorial` is n! with the sign of -(-1)^n. */
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
    /* (2k + n - 1)! / (2k)! with the sign, from 2k = 2 on: (n + 1)! / 2. */
    double ratio = factorial * (order + 1.0) / 2.0, divisor = scale * square;
    for (int k = 0; k < 12; k++) {
        sum += polygamma_bernoulli[k] * ratio / divisor;
        ratio = ratio * ((index + order) / (index + 1.0)) * ((index + order + 1.0) / (index + 2.0));
        divisor *= square;
        index += 2.0;
    }
    return sum;
}

/* The function at a point that is not negative: at a zero an infinity. */
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

/* The derivative of order n of pi cot(pi x); `polynomial` has the coefficients of P by powers of c. */
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
