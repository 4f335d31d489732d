/* Yardstick: backpropagation on XOR, reverse mode, differentiated by hand.
 *
 *   gcc -O3 -ffp-contract=off -o backprop_r backprop_r.c -lm
 *   ./backprop_r STEPS          the error after 1, 10, 100, ... steps and after
 *                               the last, then the time of one step
 *   ./backprop_r STEPS count    evaluations per step; needs -DCOUNT as well
 *
 * A network of two inputs, two sigmoid units and one sigmoid unit, each with a
 * bias, learns exclusive or by plain gradient descent. The error is half the
 * squared difference summed over the four cases. A step is one gradient of that
 * sum, the forward sweep over all four cases before the reverse sweep, and one
 * update of the nine weights. The saved values of the forward sweep are an
 * array of fixed size: no tape, no heap.
 *
 * The suffix _b marks the cotangent of a variable.
 */

#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef COUNT
static struct {
    unsigned long steps, errors, cases_forward, cases_reverse;
} counts;
#define TALLY(what) (counts.what++)
#else
#define TALLY(what) ((void)0)
#endif

enum { CASES = 4 };

static const double rate = 0.3;

/* The inputs and the answer wanted. */
static const struct { double x0, x1, wanted; } cases[CASES] = {
    {0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0},
};

/* Two hidden units a and b and the output unit c, the bias of each first. */
typedef struct {
    double a0, a1, a2;
    double b0, b1, b2;
    double c0, c1, c2;
} weights;

/* The values saved by the forward sweep for the reverse sweep. */
typedef struct { double a, b, c, off; } saved;

static inline double sigmoid(double x)
{
    return 1 / (exp(-x) + 1);
}

static inline saved run(const weights *w, double x0, double x1, double wanted)
{
    TALLY(cases_forward);
    saved s;
    s.a = sigmoid(w->a0 + w->a1 * x0 + w->a2 * x1);
    s.b = sigmoid(w->b0 + w->b1 * x0 + w->b2 * x1);
    s.c = sigmoid(w->c0 + w->c1 * s.a + w->c2 * s.b);
    s.off = s.c - wanted;
    return s;
}

static double error(const weights *w)
{
    TALLY(errors);
    double sum = 0;
    for (int k = 0; k < CASES; k++) {
        saved s = run(w, cases[k].x0, cases[k].x1, cases[k].wanted);
        sum = sum + 0.5 * (s.off * s.off);
    }
    return sum;
}

static inline void step(weights *w)
{
    TALLY(steps);
    saved s[CASES];
    for (int k = 0; k < CASES; k++)
        s[k] = run(w, cases[k].x0, cases[k].x1, cases[k].wanted);

    weights w_b = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int k = CASES - 1; k >= 0; k--) {
        TALLY(cases_reverse);
        double x0 = cases[k].x0;
        double x1 = cases[k].x1;
        /* At a sum z with sigmoid y, the cotangent is y_b y (1 - y). */
        double c_z = s[k].off * (s[k].c * (1 - s[k].c));
        w_b.c0 += c_z;
        w_b.c1 += c_z * s[k].a;
        w_b.c2 += c_z * s[k].b;
        double b_b = c_z * w->c2;
        double b_z = b_b * (s[k].b * (1 - s[k].b));
        w_b.b0 += b_z;
        w_b.b1 += b_z * x0;
        w_b.b2 += b_z * x1;
        double a_b = c_z * w->c1;
        double a_z = a_b * (s[k].a * (1 - s[k].a));
        w_b.a0 += a_z;
        w_b.a1 += a_z * x0;
        w_b.a2 += a_z * x1;
    }

    w->a0 -= rate * w_b.a0;
    w->a1 -= rate * w_b.a1;
    w->a2 -= rate * w_b.a2;
    w->b0 -= rate * w_b.b0;
    w->b1 -= rate * w_b.b1;
    w->b2 -= rate * w_b.b2;
    w->c0 -= rate * w_b.c0;
    w->c1 -= rate * w_b.c1;
    w->c2 -= rate * w_b.c2;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    long steps = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    int wants_counts = argc > 2 && strcmp(argv[2], "count") == 0;
    if (steps < 1) {
        fprintf(stderr, "usage: backprop_r STEPS [count]\n");
        return 2;
    }
    /* Volatile, so that the first steps cannot be folded; every later step
     * needs the one before it. */
    volatile double bias = 0;
    weights w = {bias, -0.284227, 1.16054, bias, 0.617194, 1.30467,
                 bias, -0.084395, 0.648461};
    double seconds = 0;
    long done = 0;
    /* Only the steps are timed, not the errors printed between them. */
    for (long stop = 1; done < steps; stop *= 10) {
        if (stop > steps || stop > 10000)
            stop = steps;
        double begin = now();
        for (; done < stop; done++)
            step(&w);
        seconds += now() - begin;
        printf("%.17g\n", error(&w));
    }
    if (wants_counts) {
#ifdef COUNT
        printf("cases-forward: %lu\n",
               (counts.cases_forward - CASES * counts.errors) / counts.steps);
        printf("cases-reverse: %lu\n", counts.cases_reverse / counts.steps);
#else
        fprintf(stderr, "backprop_r: to count, compile with -DCOUNT\n");
        return 2;
#endif
    }
    printf("seconds-per-unit: %.6g\n", seconds / (double)steps);
    return 0;
}
