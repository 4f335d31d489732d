/* The frame of a yardstick: numbers in, numbers out, and the clock.
 *
 * A yardstick is a program of benches/programs, written by hand in C: specialised, unboxed, differentiated by hand. It
 * is called
 *
 *   NAME MODE VERSION
 *
 * and reads from its standard input the numbers that the program reads with `read-real`, in the same order, so that
 * nothing is computed at compile time. It prints the program's numbers, one a line, then the seconds of the work
 * between the reading and the printing, then its peak memory in bytes. `table` is the version that executes the
 * operations of the VLAD program, with the formulas and in the order of additions that the report fixes (part 9): its
 * numbers are the program's to the last bit. `best` is the fastest by hand.
 *
 * A mode names how derivatives are taken: f forward, r reverse; of two letters the first is that of the outer one. What
 * a person would share is shared: one primal for all directions of a gradient.
 *
 *   gcc -std=gnu11 -O2 -ffp-contract=off -fno-math-errno -o NAME NAME.c -lm
 */

#ifndef YARDSTICK_H
#define YARDSTICK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Specialises a higher-order procedure to the operands of each call. */
#define INLINE static inline __attribute__((always_inline))

/* Keeps a procedure in one copy, as code that is called from several places. */
#define NOINLINE static __attribute__((noinline))

static double read_real(void)
{
    double x;
    if (scanf("%lf", &x) != 1) {
        fprintf(stderr, "a number is missing\n");
        exit(2);
    }
    return x;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* True if the words of the command line are these; "*" stands for any word. */
static int is_selected(char **arguments, const char *mode, const char *version)
{
    return (!strcmp(mode, "*") || !strcmp(mode, arguments[1])) &&
           (!strcmp(version, "*") || !strcmp(version, arguments[2]));
}

static void check_arguments(int count)
{
    if (count != 3) {
        fprintf(stderr, "a mode and a version are expected\n");
        exit(2);
    }
}

static void reject(char **arguments)
{
    fprintf(stderr, "no such mode and version: %s %s\n", arguments[1], arguments[2]);
    exit(2);
}

static void report(const double *numbers, int count, double seconds)
{
    for (int i = 0; i < count; i++)
        printf("%.17g\n", numbers[i]);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("seconds: %.9g\npeak-memory: %ld\n", seconds, usage.ru_maxrss * 1024L);
}

#endif
