/* Calls of exported gradients (benches/src/bin/exports.rs), and of functions written by hand that compute the same: prints
 * for each a name, the nanoseconds of a call, and those of a call by hand. The least of several rounds counts. */
#define _POSIX_C_SOURCE 200809L
#include "model.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 9, CALLS = 1000000, LENGTH = 100 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* In another translation unit for all that the compiler knows. */
__attribute__((noinline)) static int slope(double x, double *r) {
    *r = 3 * x * x + 2;
    return 0;
}
__attribute__((noinline)) static int gradient_of_product(double x, double y, double *dx, double *dy) {
    *dx = y * y;
    *dy = 2 * x * y;
    return 0;
}
__attribute__((noinline)) static int gradient_of_squares(const double *v, size_t n, double *r) {
    for (size_t i = 0; i < n; i++) r[i] = 2 * v[i];
    return 0;
}

#define MEASURE(call) \
    do { \
        double best = 1e9; \
        for (int round = 0; round < ROUNDS; round++) { \
            double begun = seconds(); \
            for (int i = 0; i < CALLS; i++) { \
                failed |= (call); \
                kept += r[0]; \
                v[0] = (double)(i & 7); \
            } \
            double taken = (seconds() - begun) / CALLS; \
            if (taken < best) best = taken; \
        } \
        printf(" %.2f", 1e9 * best); \
    } while (0)

int main(void) {
    struct model_context context;
    double v[LENGTH], r[LENGTH];
    volatile double kept = 0;
    int failed = 0;
    for (int i = 0; i < LENGTH; i++) v[i] = i;
    model_begin(&context);
    printf("derivative,_forward");
    MEASURE(model_slope(&context, v[0], r));
    MEASURE(slope(v[0], r));
    printf("\ngradient_by_two_reals,_reverse");
    MEASURE(model_product(&context, v[0], v[1], &r[0], &r[1]));
    MEASURE(gradient_of_product(v[0], v[1], &r[0], &r[1]));
    printf("\ngradient_by_a_vector_of_1");
    MEASURE(model_squares(&context, v, 1, r, 1, 0));
    MEASURE(gradient_of_squares(v, 1, r));
    printf("\ngradient_by_a_vector_of_100");
    MEASURE(model_squares(&context, v, LENGTH, r, LENGTH, 0));
    MEASURE(gradient_of_squares(v, LENGTH, r));
    printf("\n");
    model_end(&context);
    return failed;
}
