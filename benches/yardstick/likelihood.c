/* Yardstick: the most likely parameters of a probabilistic program, by gradient ascent.
 *
 * The programs are interpreters of a probabilistic Prolog and of a probabilistic lambda calculus; by hand nothing is
 * left of them but the likelihood of four observations,  p0 (1-p0)^3 p1 (1-p1)^2,  as the product of the likelihoods 0,
 * 1, 2, 2. Reads the number of steps, p0 and p1; prints p0 and p1 after the steps.
 *
 * Modes: prolog-f, prolog-r, lambda-f, lambda-r. Prolog computes the likelihood 2 twice, the lambda calculus the
 * distribution once: their sums of mode r have different orders. The suffix _b marks cotangents, of c0 = 1 - p0, of the
 * likelihoods l0 ..., and of the products t1 = l0, t2 = l0 l1, t3 = l0 l1 l2.
 */

#include "yardstick.h"

static const double eta = 0.1;

typedef struct { double p0, p1; } point;

INLINE point gradient_forward(point p)
{
    double c0 = 1 - p.p0, c1 = 1 - p.p1, l1 = c0 * p.p1, l2 = c0 * c1, t2 = p.p0 * l1, t3 = t2 * l2;
    /* Along p0: the tangents of l0, l1, l2 are 1, -p1, -c1; along p1: 0, c0, -c0. */
    double t2_0 = l1 - p.p0 * p.p1, t3_0 = l2 * t2_0 - t2 * c1;
    double t2_1 = p.p0 * c0, t3_1 = l2 * t2_1 - t2 * c0;
    return (point){l2 * t3_0 - t3 * c1, l2 * t3_1 - t3 * c0};
}

INLINE point gradient_prolog(point p)
{
    double c0 = 1 - p.p0, c1 = 1 - p.p1, l1 = c0 * p.p1, l2 = c0 * c1, t2 = p.p0 * l1, t3 = t2 * l2;
    double t3_b = l2, l2_b = t3, c0_b = c1 * l2_b, c1_b = c0 * l2_b;
    double t2_b = l2 * t3_b;
    l2_b = t2 * t3_b;
    c0_b += c1 * l2_b;
    c1_b += c0 * l2_b;
    double t1_b = l1 * t2_b, l1_b = p.p0 * t2_b;
    c0_b += p.p1 * l1_b;
    return (point){t1_b - c0_b, c0 * l1_b - c1_b};
}

INLINE point gradient_lambda(point p)
{
    double c0 = 1 - p.p0, c1 = 1 - p.p1, l1 = c0 * p.p1, l2 = c0 * c1, t2 = p.p0 * l1, t3 = t2 * l2;
    double t3_b = l2, l2_b = t3 + t2 * t3_b, t2_b = l2 * t3_b;
    double t1_b = l1 * t2_b, l1_b = p.p0 * t2_b;
    return (point){t1_b - (p.p1 * l1_b + c1 * l2_b), c0 * l1_b - c0 * l2_b};
}

INLINE point gradient_best(point p)
{
    double c0 = 1 - p.p0, c1 = 1 - p.p1, square = c0 * c0;
    return (point){square * (c0 - 3 * p.p0) * (p.p1 * (c1 * c1)), c1 * (c1 - 2 * p.p1) * (p.p0 * (c0 * square))};
}

INLINE point ascend(point p, double steps, point (*gradient)(point))
{
    for (; steps > 0; steps--) {
        point slope = gradient(p);
        p = (point){p.p0 + eta * slope.p0, p.p1 + eta * slope.p1};
    }
    return p;
}

int main(int count, char **arguments)
{
    check_arguments(count);
    double steps = read_real(), p0 = read_real(), p1 = read_real();
    point p = {p0, p1};
    double begin = seconds_now();
    if (is_selected(arguments, "prolog-f", "table") || is_selected(arguments, "lambda-f", "table"))
        p = ascend(p, steps, gradient_forward);
    else if (is_selected(arguments, "prolog-r", "table"))
        p = ascend(p, steps, gradient_prolog);
    else if (is_selected(arguments, "lambda-r", "table"))
        p = ascend(p, steps, gradient_lambda);
    else if (is_selected(arguments, "*", "best"))
        p = ascend(p, steps, gradient_best);
    else
        reject(arguments);
    report((double[]){p.p0, p.p1}, 2, seconds_now() - begin);
    return 0;
}
