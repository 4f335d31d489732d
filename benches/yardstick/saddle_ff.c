/* Yardstick: the saddle point, forward over forward, differentiated by hand.
 *
 *   gcc -O3 -ffp-contract=off -o saddle_ff saddle_ff.c
 *   ./saddle_ff SOLVES          the four coordinates x1 y1 x2 y2, then the time
 *   ./saddle_ff SOLVES count    evaluations per solve; needs -DCOUNT as well
 *
 * Solves  min over (x1,y1)  max over (x2,y2)  of (x1^2+y1^2) - (x2^2+y2^2),
 * every search starting from (1,1). This is the code a source-transforming
 * tool would leave behind once everything is specialised and unboxed: no tags,
 * no heap, no indirect calls, one copy of the optimiser for each level at
 * which it runs.
 *
 * A suffix names the tangents that a variable or a function carries: _i with
 * respect to the inner pair (x2,y2), _o with respect to the outer pair
 * (x1,y1). x1 and y1 are constants of the inner differentiation and so have no
 * _i part. The gradient that the inner search follows does not depend on x1
 * and y1, and comparisons use primals, so the search has no _o parts, as an
 * activity analysis finds.
 *
 * A gradient is one forward pass for each basis vector, each with its own
 * primal, and nothing is carried from a gradient to the value of its function.
 * An inner pass is specialised to its basis vector, so the products with the
 * vector's zero are gone from it.
 */

#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef COUNT
static struct {
    unsigned long outer_rounds, outer_values, outer_passes;
    unsigned long inner_rounds;
    unsigned long payoff, payoff_i, payoff_o;
} counts;
#define TALLY(what) (counts.what++)
#else
#define TALLY(what) ((void)0)
#endif

static const double tolerance = 1e-5;
static const double first_eta = 1e-5;
static const int patience = 10;

typedef struct { double x, y; } point;
typedef struct { double v, v_i; } real_i;
typedef struct { double v, v_o; } real_o;

/* True if a vector is no longer than the tolerance; its square is compared, so
 * that no root is taken. */
static inline int is_short(double x, double y)
{
    return x * x + y * y <= tolerance * tolerance;
}

/* The basis vector an inner pass follows. */
typedef enum { ALONG_X, ALONG_Y } direction;

/* The payoff, plain and with each set of tangents. */

static inline double payoff(double x1, double y1, double x2, double y2)
{
    TALLY(payoff);
    return (x1 * x1 + y1 * y1) - (x2 * x2 + y2 * y2);
}

static inline real_i payoff_i(double x1, double y1, double x2, double y2,
                              direction along)
{
    TALLY(payoff_i);
    double v = (x1 * x1 + y1 * y1) - (x2 * x2 + y2 * y2);
    double v_i = along == ALONG_X ? -(2 * x2) : -(2 * y2);
    return (real_i){v, v_i};
}

static inline real_o payoff_o(double x1, double x1_o, double y1, double y1_o,
                              double x2, double y2)
{
    TALLY(payoff_o);
    double v = (x1 * x1 + y1 * y1) - (x2 * x2 + y2 * y2);
    double v_o = 2 * x1 * x1_o + 2 * y1 * y1_o;
    return (real_o){v, v_o};
}

/* The inner search: the argmax over (x2,y2) is the argmin of -payoff. */

static inline point descent_i(double x1, double y1, point at)
{
    real_i along_x = payoff_i(x1, y1, at.x, at.y, ALONG_X);
    real_i along_y = payoff_i(x1, y1, at.x, at.y, ALONG_Y);
    return (point){-along_x.v_i, -along_y.v_i};
}

static point argmax(double x1, double y1, point start)
{
    point at = start;
    double value = -payoff(x1, y1, at.x, at.y);
    point slope = descent_i(x1, y1, at);
    double eta = first_eta;
    int i = 0;
    for (;;) {
        TALLY(inner_rounds);
        if (is_short(slope.x, slope.y))
            return at;
        if (i == patience) {
            eta = 2 * eta;
            i = 0;
            continue;
        }
        point next = {at.x - eta * slope.x, at.y - eta * slope.y};
        if (is_short(at.x - next.x, at.y - next.y))
            return at;
        double next_value = -payoff(x1, y1, next.x, next.y);
        if (next_value < value) {
            at = next;
            value = next_value;
            slope = descent_i(x1, y1, at);
            i = i + 1;
        } else {
            eta = eta / 2;
            i = 0;
        }
    }
}

/* The outer search: its function is the maximum over (x2,y2), which evaluates
 * the payoff once more where the inner search ended. */

static double worst(point at, point start)
{
    TALLY(outer_values);
    point best = argmax(at.x, at.y, start);
    return payoff(at.x, at.y, best.x, best.y);
}

static real_o worst_o(double x1, double x1_o, double y1, double y1_o,
                      point start)
{
    TALLY(outer_passes);
    point best = argmax(x1, y1, start);
    return payoff_o(x1, x1_o, y1, y1_o, best.x, best.y);
}

static point gradient_o(point at, point start)
{
    real_o along_x = worst_o(at.x, 1, at.y, 0, start);
    real_o along_y = worst_o(at.x, 0, at.y, 1, start);
    return (point){along_x.v_o, along_y.v_o};
}

static point argmin(point start)
{
    point at = start;
    double value = worst(at, start);
    point slope = gradient_o(at, start);
    double eta = first_eta;
    int i = 0;
    for (;;) {
        TALLY(outer_rounds);
        if (is_short(slope.x, slope.y))
            return at;
        if (i == patience) {
            eta = 2 * eta;
            i = 0;
            continue;
        }
        point next = {at.x - eta * slope.x, at.y - eta * slope.y};
        if (is_short(at.x - next.x, at.y - next.y))
            return at;
        double next_value = worst(next, start);
        if (next_value < value) {
            at = next;
            value = next_value;
            slope = gradient_o(at, start);
            i = i + 1;
        } else {
            eta = eta / 2;
            i = 0;
        }
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    long solves = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    int wants_counts = argc > 2 && strcmp(argv[2], "count") == 0;
    if (solves < 1) {
        fprintf(stderr, "usage: saddle_ff SOLVES [count]\n");
        return 2;
    }
    /* Volatile, so that no solve can be moved out of the loop or folded. */
    volatile double one = 1;
    point outer = {0, 0}, inner = {0, 0};
    double begin = now();
    for (long n = 0; n < solves; n++) {
        point start = {one, one};
        outer = argmin(start);
        inner = argmax(outer.x, outer.y, start);
    }
    double seconds = now() - begin;
    printf("%.17g\n%.17g\n%.17g\n%.17g\n", outer.x, outer.y, inner.x, inner.y);
    if (wants_counts) {
#ifdef COUNT
        unsigned long each = (unsigned long)solves;
        printf("outer-rounds: %lu\n", counts.outer_rounds / each);
        printf("outer-values: %lu\n", counts.outer_values / each);
        printf("outer-passes: %lu\n", counts.outer_passes / each);
        printf("inner-rounds: %lu\n", counts.inner_rounds / each);
        printf("payoff: %lu\n", counts.payoff / each);
        printf("payoff-i: %lu\n", counts.payoff_i / each);
        printf("payoff-o: %lu\n", counts.payoff_o / each);
#else
        fprintf(stderr, "saddle_ff: to count, compile with -DCOUNT\n");
        return 2;
#endif
    }
    printf("seconds-per-unit: %.6g\n", seconds / (double)solves);
    return 0;
}
