/* Yardstick: a network that learns the exclusive or by plain gradient descent.
 *
 * Two inputs, two sigmoid units a and b, one sigmoid unit c, each with its bias; the error is half the squared
 * difference summed over the four cases. Reads the number of steps and the nine weights; prints the error and the
 * weights after the steps.
 *
 * With e = exp(-z) and y = 1/(1+e), the coefficient of the reciprocal is k = -(y (1/(1+e))). Mode f carries nine
 * tangents through one pass; mode r sweeps back over the four cases, last one first. The suffix _b marks the cotangent
 * of a variable.
 */

#include "yardstick.h"

enum { CASES = 4, WEIGHTS = 9 };

static const double rate = 0.3;

static const struct { double x0, x1, wanted; } cases[CASES] = {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}};

/* A unit at work: e and y. */
typedef struct { double e, y; } unit;

INLINE unit unit_at(const double *w, double x0, double x1)
{
    double e = exp(-(w[0] + (w[1] * x0 + w[2] * x1)));
    return (unit){e, 1 / (1 + e)};
}

INLINE double along(unit u, double z_tangent) { return -(u.y * u.y) * (u.e * -z_tangent); }
INLINE double back(unit u, double y_b) { return -(u.e * (-(u.y * u.y) * y_b)); }
INLINE double back_best(unit u, double y_b) { return u.y * (1 - u.y) * y_b; }

typedef struct { unit a, b, c; double off; } run;

INLINE run run_case(const double *w, int k)
{
    unit a = unit_at(w, cases[k].x0, cases[k].x1), b = unit_at(w + 3, cases[k].x0, cases[k].x1);
    unit c = unit_at(w + 6, a.y, b.y);
    return (run){a, b, c, c.y - cases[k].wanted};
}

static double error(const double *w)
{
    double total = 0;
    for (int k = 0; k < CASES; k++) {
        double off = run_case(w, k).off;
        total = total + 0.5 * (off * off);
    }
    return total;
}

INLINE void gradient_forward(const double *w, double *slope)
{
    for (int k = 0; k < CASES; k++) {
        run r = run_case(w, k);
        double inputs[3] = {1, cases[k].x0, cases[k].x1}, hidden[3] = {1, r.a.y, r.b.y};
        for (int i = 0; i < 3; i++) {
            slope[i] += r.off * along(r.c, w[7] * along(r.a, inputs[i]));
            slope[3 + i] += r.off * along(r.c, w[8] * along(r.b, inputs[i]));
            slope[6 + i] += r.off * along(r.c, hidden[i]);
        }
    }
}

INLINE void gradient_reverse(const double *w, double *slope, double (*back)(unit, double))
{
    run runs[CASES];
    for (int k = 0; k < CASES; k++)
        runs[k] = run_case(w, k);
    for (int k = CASES - 1; k >= 0; k--) {
        run r = runs[k];
        double c_b = back(r.c, r.off);
        slope[6] += c_b;
        slope[8] += r.b.y * c_b;
        slope[7] += r.a.y * c_b;
        double a_b = back(r.a, w[7] * c_b), b_b = back(r.b, w[8] * c_b);
        slope[3] += b_b;
        slope[5] += cases[k].x1 * b_b;
        slope[4] += cases[k].x0 * b_b;
        slope[0] += a_b;
        slope[2] += cases[k].x1 * a_b;
        slope[1] += cases[k].x0 * a_b;
    }
}

INLINE void gradient_table(const double *w, double *slope) { gradient_reverse(w, slope, back); }
INLINE void gradient_best(const double *w, double *slope) { gradient_reverse(w, slope, back_best); }

INLINE void train(double *weights, double steps, void (*gradient)(const double *, double *))
{
    double w[WEIGHTS];
    memcpy(w, weights, sizeof w);
    for (; steps > 0; steps--) {
        double slope[WEIGHTS] = {0};
        gradient(w, slope);
        for (int i = 0; i < WEIGHTS; i++)
            w[i] = w[i] - rate * slope[i];
    }
    memcpy(weights, w, sizeof w);
}

int main(int count, char **arguments)
{
    check_arguments(count);
    double steps = read_real(), numbers[1 + WEIGHTS], *weights = numbers + 1;
    for (int i = 0; i < WEIGHTS; i++)
        weights[i] = read_real();
    double begin = seconds_now();
    if (is_selected(arguments, "f", "table"))
        train(weights, steps, gradient_forward);
    else if (is_selected(arguments, "r", "table"))
        train(weights, steps, gradient_table);
    else if (is_selected(arguments, "r", "best"))
        train(weights, steps, gradient_best);
    else
        reject(arguments);
    numbers[0] = error(weights);
    report(numbers, 1 + WEIGHTS, seconds_now() - begin);
    return 0;
}
