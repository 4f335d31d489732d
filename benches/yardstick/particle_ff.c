/* Yardstick: the charged particle, forward over forward, differentiated by
 * hand.
 *
 *   gcc -O3 -ffp-contract=off -o particle_ff particle_ff.c -lm
 *   ./particle_ff SOLVES          the control w, then the time
 *   ./particle_ff SOLVES count    evaluations per solve; needs -DCOUNT as well
 *
 * A particle moves in the plane under the potential
 *   p(x; w) = 1/|x - (10, 10-w)| + 1/|x - (10, 0)|,     x'' = -grad p,
 * followed by naive Euler steps until it would cross the axis; E(w) is the
 * square of the place where it crosses, and w is sought that minimises E. This
 * is the code a source-transforming tool would leave behind once everything is
 * specialised and unboxed: no tags, no heap, no indirect calls, one copy of
 * the Euler loop for each level at which it runs.
 *
 * A suffix names the tangents that a variable or a function carries: _i with
 * respect to the position x (inside grad p), _o with respect to w, _io both.
 *
 * A gradient is one forward pass for each basis vector, each with its own
 * primal, and nothing is carried from a gradient to the value of its function.
 * An inner pass is specialised to its basis vector, so the products with the
 * vector's zero are gone from it.
 */

#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef COUNT
static struct {
    unsigned long rounds, values, passes;
    unsigned long steps, steps_o;
    unsigned long potential_i, potential_io;
} counts;
#define TALLY(what) (counts.what++)
#else
#define TALLY(what) ((void)0)
#endif

/* The library's sqrt may set errno, which keeps gcc from seeing that the two
 * passes of a gradient take the same roots. Nothing here reads errno. Without
 * this line every root and reciprocal is computed twice. */
double sqrt(double) __attribute__((const));

static const double tolerance = 1e-5;
static const double first_eta = 1e-5;
static const int patience = 10;
static const double delta_t = 1e-1;

typedef struct { double x, y; } point;
typedef struct { double x, y, x_o, y_o; } point_o;
typedef struct { double v, v_i; } real_i;
typedef struct { double v, v_o; } real_o;
typedef struct { double v, v_o, v_i, v_io; } real_io;

/* The basis vector an inner pass follows. */
typedef enum { ALONG_X, ALONG_Y } direction;

/* One charge's share of the potential, v = 1/|d| with d = at - charge. The
 * charges are constants of the inner differentiation. With s = d.d the tangent
 * is v' = -v^3 s'/2, and s'/2 is the component of d along a basis vector. */

static inline real_i share_i(point at, point charge, direction along)
{
    double dx = at.x - charge.x;
    double dy = at.y - charge.y;
    double v = 1 / sqrt(dx * dx + dy * dy);
    double half_s_i = along == ALONG_X ? dx : dy;
    double v_i = -(v * v * v) * half_s_i;
    return (real_i){v, v_i};
}

static inline real_io share_io(point_o at, point_o charge, direction along)
{
    double dx = at.x - charge.x;
    double dx_o = at.x_o - charge.x_o;
    double dy = at.y - charge.y;
    double dy_o = at.y_o - charge.y_o;
    double v = 1 / sqrt(dx * dx + dy * dy);
    double half_s_o = dx * dx_o + dy * dy_o;
    double half_s_i = along == ALONG_X ? dx : dy;
    double half_s_io = along == ALONG_X ? dx_o : dy_o;
    double cube = v * v * v;
    double v_o = -cube * half_s_o;
    double cube_o = 3 * (v * v) * v_o;
    double v_i = -cube * half_s_i;
    double v_io = -(cube_o * half_s_i + cube * half_s_io);
    return (real_io){v, v_o, v_i, v_io};
}

static inline real_i potential_i(point at, double w, direction along)
{
    TALLY(potential_i);
    real_i a = share_i(at, (point){10, 10 - w}, along);
    real_i b = share_i(at, (point){10, 0}, along);
    return (real_i){a.v + b.v, a.v_i + b.v_i};
}

static inline real_io potential_io(point_o at, double w, double w_o,
                                   direction along)
{
    TALLY(potential_io);
    real_io a = share_io(at, (point_o){10, 10 - w, 0, -w_o}, along);
    real_io b = share_io(at, (point_o){10, 0, 0, 0}, along);
    return (real_io){a.v + b.v, a.v_o + b.v_o, a.v_i + b.v_i, a.v_io + b.v_io};
}

/* The acceleration is minus the gradient of the potential. */

static inline point acceleration(point at, double w)
{
    real_i along_x = potential_i(at, w, ALONG_X);
    real_i along_y = potential_i(at, w, ALONG_Y);
    return (point){-along_x.v_i, -along_y.v_i};
}

static inline point_o acceleration_o(point_o at, double w, double w_o)
{
    real_io along_x = potential_io(at, w, w_o, ALONG_X);
    real_io along_y = potential_io(at, w, w_o, ALONG_Y);
    return (point_o){-along_x.v_i, -along_y.v_i, -along_x.v_io, -along_y.v_io};
}

/* E(w): the Euler loop, plain and with the tangent of w. */

static double miss(double w)
{
    TALLY(values);
    point at = {0, 8};
    point speed = {0.75, 0};
    for (;;) {
        TALLY(steps);
        point pull = acceleration(at, w);
        point next = {at.x + delta_t * speed.x, at.y + delta_t * speed.y};
        if (!(next.y > 0))
            break;
        speed.x = speed.x + delta_t * pull.x;
        speed.y = speed.y + delta_t * pull.y;
        at = next;
    }
    double rest = -at.y / speed.y;
    double where = at.x + rest * speed.x;
    return where * where;
}

static real_o miss_o(double w, double w_o)
{
    TALLY(passes);
    point_o at = {0, 8, 0, 0};
    point_o speed = {0.75, 0, 0, 0};
    for (;;) {
        TALLY(steps_o);
        point_o pull = acceleration_o(at, w, w_o);
        point_o next = {at.x + delta_t * speed.x,
                        at.y + delta_t * speed.y,
                        at.x_o + delta_t * speed.x_o,
                        at.y_o + delta_t * speed.y_o};
        if (!(next.y > 0))
            break;
        speed.x = speed.x + delta_t * pull.x;
        speed.y = speed.y + delta_t * pull.y;
        speed.x_o = speed.x_o + delta_t * pull.x_o;
        speed.y_o = speed.y_o + delta_t * pull.y_o;
        at = next;
    }
    double rest = -at.y / speed.y;
    double rest_o = -at.y_o / speed.y - rest / speed.y * speed.y_o;
    double where = at.x + rest * speed.x;
    double where_o = at.x_o + (rest_o * speed.x + rest * speed.x_o);
    return (real_o){where * where, 2 * where * where_o};
}

static inline double magnitude(double x)
{
    return sqrt(x * x);
}

static double argmin(double start)
{
    double at = start;
    double value = miss(at);
    double slope = miss_o(at, 1).v_o;
    double eta = first_eta;
    int i = 0;
    for (;;) {
        TALLY(rounds);
        if (magnitude(slope) <= tolerance)
            return at;
        if (i == patience) {
            eta = 2 * eta;
            i = 0;
            continue;
        }
        double next = at - eta * slope;
        if (magnitude(at - next) <= tolerance)
            return at;
        double next_value = miss(next);
        if (next_value < value) {
            at = next;
            value = next_value;
            slope = miss_o(at, 1).v_o;
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
        fprintf(stderr, "usage: particle_ff SOLVES [count]\n");
        return 2;
    }
    /* Volatile, so that no solve can be moved out of the loop or folded. */
    volatile double start = 0;
    double w = 0;
    double begin = now();
    for (long n = 0; n < solves; n++)
        w = argmin(start);
    double seconds = now() - begin;
    printf("%.17g\n", w);
    if (wants_counts) {
#ifdef COUNT
        unsigned long each = (unsigned long)solves;
        printf("rounds: %lu\n", counts.rounds / each);
        printf("values: %lu\n", counts.values / each);
        printf("passes: %lu\n", counts.passes / each);
        printf("steps: %lu\n", counts.steps / each);
        printf("steps-o: %lu\n", counts.steps_o / each);
        printf("potential-i: %lu\n", counts.potential_i / each);
        printf("potential-io: %lu\n", counts.potential_io / each);
#else
        fprintf(stderr, "particle_ff: to count, compile with -DCOUNT\n");
        return 2;
#endif
    }
    printf("seconds-per-unit: %.6g\n", seconds / (double)solves);
    return 0;
}
