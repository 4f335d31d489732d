/* Yardstick: the saddle point, an optimisation in the objective of another one.
 *
 * Solves  min over (x1,y1)  max over (x2,y2)  of (x1^2+y1^2) - (x2^2+y2^2)  by the optimiser of
 * examples/lib/optimize.vlad. Reads the number of solves, the start of the first one, which is that of all coordinates,
 * and what each further solve adds to it; prints the sums of x1, y1, x2, y2 over the solves.
 *
 * All four modes have the same bits, since the gradient along each coordinate x is x + x in both modes, and one program
 * is the yardstick of all. The gradient that the inner search follows does not depend on (x1,y1), and comparisons use
 * primals; so the inner search carries no outer derivatives. It is in the outer gradient all the same, as it is in the
 * program, once for both directions. `best` computes the inner optimum once for value and gradient, and compares
 * squares of lengths.
 */

#include "yardstick.h"

typedef struct { double x, y; } point;
typedef double (*objective)(point outer, point at, double start);
typedef int (*is_short)(double x, double y);

INLINE int is_short_by_length(double x, double y) { return sqrt(x * x + y * y) <= 1e-5; }
INLINE int is_short_by_square(double x, double y) { return x * x + y * y <= 1e-5 * 1e-5; }

INLINE double payoff(point outer, point inner)
{
    return (outer.x * outer.x + outer.y * outer.y) - (inner.x * inner.x + inner.y * inner.y);
}

INLINE point gradient(point at) { return (point){at.x + at.x, at.y + at.y}; }

/* Keeps a value, and all that it is computed from, in the program. */
INLINE void keep(double x) { __asm__ volatile("" : : "x"(x)); }

/* The optimiser, for a function f of a point. A function whose gradient computes f as well is computed again for it. */
INLINE point argmin(objective f, point outer, double start, is_short is_short, int gradient_computes_f)
{
    point at = {start, start};
    double value = f(outer, at, start);
    if (gradient_computes_f)
        keep(f(outer, at, start));
    point slope = gradient(at);
    double eta = 1e-5;
    int taken = 0;
    for (;;) {
        if (taken == 10) {
            eta = 2 * eta;
            taken = 0;
        }
        if (is_short(slope.x, slope.y))
            return at;
        point next = {at.x - eta * slope.x, at.y - eta * slope.y};
        if (is_short(at.x - next.x, at.y - next.y))
            return at;
        double next_value = f(outer, next, start);
        if (next_value < value) {
            at = next;
            value = next_value;
            if (gradient_computes_f)
                keep(f(outer, at, start));
            slope = gradient(at);
            taken++;
        } else {
            eta = eta / 2;
            taken = 0;
        }
    }
}

/* The inner search: the argmax over (x2,y2) is the argmin of -payoff. */
INLINE double inner_objective(point outer, point at, double start) { return (void)start, -payoff(outer, at); }

/* The outer objective is the maximum over (x2,y2). */

NOINLINE point argmax_table(point outer, double start)
{
    return argmin(inner_objective, outer, start, is_short_by_length, 0);
}

INLINE double worst_table(point none, point at, double start)
{
    return (void)none, payoff(at, argmax_table(at, start));
}

NOINLINE point argmin_table(double start)
{
    return argmin(worst_table, (point){0, 0}, start, is_short_by_length, 1);
}

NOINLINE point argmax_best(point outer, double start)
{
    return argmin(inner_objective, outer, start, is_short_by_square, 0);
}

INLINE double worst_best(point none, point at, double start)
{
    return (void)none, payoff(at, argmax_best(at, start));
}

NOINLINE point argmin_best(double start)
{
    return argmin(worst_best, (point){0, 0}, start, is_short_by_square, 0);
}

INLINE void solve_all(double solves, double start, double step, double *totals, point (*argmin)(double),
                      point (*argmax)(point, double))
{
    for (double k = 0; k < solves; k++) {
        double begin = start + k * step;
        point outer = argmin(begin), inner = argmax(outer, begin);
        totals[0] += outer.x;
        totals[1] += outer.y;
        totals[2] += inner.x;
        totals[3] += inner.y;
    }
}

int main(int count, char **arguments)
{
    check_arguments(count);
    double solves = read_real(), start = read_real(), step = read_real();
    double totals[4] = {0, 0, 0, 0}, begin = seconds_now();
    if (is_selected(arguments, "*", "table"))
        solve_all(solves, start, step, totals, argmin_table, argmax_table);
    else if (is_selected(arguments, "*", "best"))
        solve_all(solves, start, step, totals, argmin_best, argmax_best);
    else
        reject(arguments);
    report(totals, 4, seconds_now() - begin);
    return 0;
}
