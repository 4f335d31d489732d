/* Yardstick: work on arrays, and its gradients, differentiated by hand.
 *
 *   gcc -O3 -ffp-contract=off -o vectors vectors.c -lm
 *   ./vectors WORK TIMES     the sum of the results, then the seconds for one repetition
 *
 * The order of operations is that of the VLAD programs in benches/src/bin/vectors.rs, whose results are the same to the bit: a
 * gradient first computes the primal, which is part of the result of an operator, and then sweeps back over it, last operation
 * first. Values that can be read from the arguments are not saved; the exponentials are saved.
 */

#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LONG 10000000
#define MIDDLE 1000000
#define SIDE 512

static double u[LONG], v[LONG], du[LONG], dv[LONG];
static double a[SIDE][SIDE], b[SIDE][SIDE], bt[SIDE][SIDE], c[SIDE][SIDE], da[SIDE][SIDE], dbt[SIDE][SIDE];
static double exponentials[MIDDLE];

static void set_up(void) {
    for (int i = 0; i < LONG; i++) {
        u[i] = (i % 1000) / 1000.0;
        v[i] = (i % 997) / 997.0;
    }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            a[i][j] = ((3 * i + j) % 101) / 101.0;
            b[i][j] = ((i + 7 * j) % 103) / 103.0;
        }
}

static double sum(const double *x, int n) {
    double s = 0.0;
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}

static double dot(void) {
    double s = 0.0;
    for (int i = 0; i < LONG; i++) s += u[i] * v[i];
    return s;
}

static double dot_gradient(void) {
    double s = dot();
    memset(du, 0, sizeof du);
    memset(dv, 0, sizeof dv);
    for (int i = LONG - 1; i >= 0; i--) {
        dv[i] += u[i];
        du[i] += v[i];
    }
    return s + du[5] + dv[5];
}

static double multiply(int side) {
    for (int j = 0; j < side; j++)
        for (int k = 0; k < side; k++) bt[j][k] = b[k][j];
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            double s = 0.0;
            for (int k = 0; k < side; k++) s += a[i][k] * bt[j][k];
            c[i][j] = s;
        }
    return c[3][4];
}

/* The cotangent of the product is 1 everywhere. */
static double multiply_gradient(int side) {
    double s = multiply(side);
    memset(da, 0, sizeof da);
    memset(dbt, 0, sizeof dbt);
    for (int i = side - 1; i >= 0; i--)
        for (int j = side - 1; j >= 0; j--)
            for (int k = side - 1; k >= 0; k--) {
                dbt[j][k] += a[i][k];
                da[i][k] += bt[j][k];
            }
    return s + da[3][4] + dbt[4][3];
}

static double logsumexp(void) {
    double m = v[0], s = 0.0;
    for (int i = 0; i < MIDDLE; i++) m = m < v[i] ? v[i] : m;
    for (int i = 0; i < MIDDLE; i++) {
        exponentials[i] = exp(v[i] - m);
        s += exponentials[i];
    }
    return m + log(s);
}

static double logsumexp_gradient(void) {
    double m = v[0], s = 0.0, dm = 1.0;
    int greatest = 0; /* the first of equal ones */
    for (int i = 0; i < MIDDLE; i++)
        if (m < v[i]) {
            m = v[i];
            greatest = i;
        }
    for (int i = 0; i < MIDDLE; i++) {
        exponentials[i] = exp(v[i] - m);
        s += exponentials[i];
    }
    double y = m + log(s), ds = 1.0 / s;
    memset(du, 0, MIDDLE * sizeof *du);
    for (int i = MIDDLE - 1; i >= 0; i--) {
        double d = exponentials[i] * ds;
        du[i] += d;
        dm -= d;
    }
    du[greatest] += dm;
    return y + du[5];
}

static double work(const char *name) {
    if (!strcmp(name, "sum")) return sum(v, LONG);
    if (!strcmp(name, "dot")) return dot();
    if (!strcmp(name, "dot-gradient")) return dot_gradient();
    if (!strcmp(name, "multiply")) return multiply(SIDE);
    if (!strcmp(name, "multiply-gradient")) return multiply_gradient(SIDE);
    if (!strcmp(name, "logsumexp")) return logsumexp();
    if (!strcmp(name, "logsumexp-gradient")) return logsumexp_gradient();
    fprintf(stderr, "no such work: %s\n", name);
    exit(2);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    int times = atoi(arguments[2]);
    set_up();
    double total = work(arguments[1]); /* touches all memory */
    double start = now();
    for (int time = 0; time < times; time++) total += work(arguments[1]);
    double seconds = (now() - start) / times;
    printf("%.17g\n%.17g\nseconds-per-unit: %.9f\n", work(arguments[1]), total, seconds);
    return 0;
}
