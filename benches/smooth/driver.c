/* Calls of gradients (benches/src/bin/smooth): those of by_hand.c, and those that `vlad emit` has written, in variants that
 * variants.h lists.
 *
 *     driver SIZE VARIANT ...
 *
 * prints for each variant its name and the seconds of a call, the least of several rounds, or why there is no time. Each
 * round calls all variants, since processors change their clocks. All of them have to compute what the first one does.
 * Those in the memory of the caller are called with one context in a round, and one memory for the result; those with an
 * allocator get both from malloc in each call, and give them back.
 *
 * PROBLEM is the number of the problem that is compiled.
 */
#define _POSIX_C_SOURCE 200809L
#include "by_hand.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 25 };
/* The seconds of a variant's calls in a round, those after which it takes part in no more rounds, and the tolerance of
 * results. */
static const double ROUND = 0.01, LIMIT = 0.5, TOLERANCE = 1e-9;

/* The operands: two vectors, and a matrix or a longer vector. */
static size_t n, count;
static double *v, *w, *a;
/* The memory of results, and that of contexts. */
static double *memory;
static void *block;
static const size_t block_bytes = (size_t)1 << 29;

#if PROBLEM == 0
#define CALL(set, r) set##_f(context, v, n, w, n, r, count, 0)
#define BEST(r) dot_best(v, w, n, r)
#define CHECKED(r) dot_checked(v, n, w, n, r, count, 0)
#define FORWARD(r) dot_forward(v, w, n, r)
#define COUNT n
#elif PROBLEM == 1
#define CALL(set, r) set##_f(context, v, n, r, count, 0)
#define BEST(r) maximum_best(v, n, r)
#define CHECKED(r) maximum_checked(v, n, r, count, 0)
#define FORWARD(r) maximum_forward(v, n, r)
#define COUNT n
#elif PROBLEM == 2
#define CALL(set, r) set##_f(context, v, n, w, n, r, count, 0, 0)
#define BEST(r) addition_best(v, w, n, r)
#define CHECKED(r) addition_checked(v, n, w, n, r, count, 0, 0)
#define FORWARD(r) addition_forward(v, w, n, r)
#define COUNT (n * n)
#elif PROBLEM == 3
#define CALL(set, r) set##_f(context, v, n, 1.5, r, count, 0)
#define BEST(r) scale_best(v, 1.5, n, r)
#define CHECKED(r) scale_checked(v, n, 1.5, r, count, 0)
#define FORWARD(r) scale_forward(v, 1.5, n, r)
#define COUNT n
#elif PROBLEM == 4
#define CALL(set, r) set##_f(context, v, n, w, n, a, n, n, r, count, 0)
#define BEST(r) factorisation_best(v, n, w, n, a, r)
#define FORWARD(r) factorisation_forward(v, n, w, n, a, r)
#define COUNT n
#elif PROBLEM == 5
#define CALL(set, r) set##_f(context, v, n, r, count, 0)
#define BEST(r) logsumexp_best(v, n, r)
#define FORWARD(r) logsumexp_forward(v, n, r)
#define COUNT n
#else
#define CALL(set, r) set##_f(context, (double)n, a, CAMERA + POINT * n, r, count, 0, 0)
#define BEST(r) projection_best(a, a + CAMERA, n, r)
#define FORWARD(r) projection_forward(a, a + CAMERA, n, r)
#define COUNT ((CAMERA + POINT * n) * PICTURE * n)
#endif

/* A variant: it returns its result, which is to be freed if it is not `memory`; 0 if it fails, with the status in `failed`. */
static int failed;
enum { NO_MEMORY = 5 };

static double *best(void) {
    BEST(memory);
    return memory;
}
#ifdef CHECKED
static double *checked(void) {
    failed = CHECKED(memory);
    return failed ? 0 : memory;
}
#endif
static double *forward(void) {
    FORWARD(memory);
    return memory;
}

#define VARIANT(set) \
    static struct set##_context set##_in_block; \
    static void set##_prepare(void) { set##_begin_in(&set##_in_block, block, block_bytes); } \
    static double *set##_placed(void) { \
        struct set##_context *context = &set##_in_block; \
        int status = CALL(set, memory); \
        if (!status) return memory; \
        failed = status; \
        return 0; \
    } \
    static double *set##_allocated(void) { \
        struct set##_context owned, *context = &owned; \
        double *result = malloc((count + !count) * sizeof *result); \
        failed = NO_MEMORY; \
        if (!result) return 0; \
        set##_begin(context); \
        failed = CALL(set, result); \
        set##_end(context); \
        if (!failed) return result; \
        free(result); \
        return 0; \
    }
#include "variants.h"
VARIANTS(VARIANT)
#undef VARIANT

static const struct variant {
    const char *name;
    double *(*compute)(void);
    void (*prepare)(void); /* before the calls of a round, or 0 */
} variants[] = {
    {"best", best, 0},
#ifdef CHECKED
    {"checked", checked, 0},
#endif
    {"forward", forward, 0},
#define VARIANT(set) {#set "_placed", set##_placed, set##_prepare}, {#set "_allocated", set##_allocated, 0},
    VARIANTS(VARIANT)
};

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The seconds of a call, the mean of as many as a round takes. */
static double round_of(const struct variant *variant, double once) {
    static volatile double kept;
    long calls = once > 0 && once < ROUND ? (long)(ROUND / once) + 1 : 1;
    double begun = seconds();
    for (long call = 0; call < calls; call++) {
        double *result = variant->compute();
        if (!result) exit(4); /* it did not fail before */
        kept += result[count - 1];
        if (result != memory) free(result);
    }
    return (seconds() - begun) / (double)calls;
}

/* The element of a result that corresponds to one of the first variant's: reverse mode makes the rows of projections in the
 * place of columns. */
static double element(const char *name, const double *result, size_t place) {
#if PROBLEM == 6
    size_t rows = CAMERA + POINT * n, columns = PICTURE * n;
    if (strstr(name, "reverse")) return result[place % columns * rows + place / columns];
#endif
    (void)name;
    return result[place];
}

/* A variant that is measured: the least seconds of a call, those of all of its calls, and its status if it fails. */
struct measured {
    const struct variant *variant;
    double least, spent;
    int failed;
};

/* Calls a variant once, and compares what it computes; 1 if that is something else than `expected`, which the first
 * variant fills. */
static int check(struct measured *of, int is_first, double *expected) {
    const struct variant *variant = of->variant;
    for (size_t place = 0; place < count; place++) memory[place] = NAN;
    if (variant->prepare) variant->prepare();
    double begun = seconds(), *result = variant->compute();
    of->least = of->spent = seconds() - begun;
    of->failed = result ? 0 : failed;
    if (!result) return 0;
    for (size_t place = 0; place < count; place++) {
        double found = element(variant->name, result, place);
        if (is_first) expected[place] = found;
        if (!(fabs(found - expected[place]) <= TOLERANCE * (1 + fabs(expected[place])))) {
            fprintf(stderr, "%s: element %zu is %.17g, not %.17g\n", variant->name, place, found, expected[place]);
            return 1;
        }
    }
    if (result != memory) free(result);
    return 0;
}

/* Measures a variant for one more round, unless it has taken its time. */
static void measure(struct measured *of) {
    if (of->failed || of->spent >= LIMIT) return;
    if (of->variant->prepare) of->variant->prepare();
    double begun = seconds(), taken = round_of(of->variant, of->least);
    of->spent += seconds() - begun;
    if (taken < of->least) of->least = taken;
}

int main(int argument_count, char **arguments) {
    if (argument_count < 2) return 2;
    n = strtoul(arguments[1], 0, 10);
    count = COUNT;
    size_t longest = n > 4 * n + 64 ? n : 4 * n + 64;
    if (PROBLEM == 4) longest = n * n > longest ? n * n : longest;
    v = malloc(longest * sizeof *v), w = malloc(longest * sizeof *w), a = malloc(longest * sizeof *a);
    memory = malloc((count + 1) * sizeof *memory), block = malloc(block_bytes);
    double *expected = malloc((count + 1) * sizeof *expected);
    if (!v || !w || !a || !memory || !block || !expected) return 3;
    /* Numbers between 1 and 2, without order. */
    for (size_t place = 0; place < longest; place++) {
        v[place] = 1 + (double)(place * 7919 % 1009) / 1009;
        w[place] = 1 + (double)(place * 104729 % 1013) / 1013;
        a[place] = 1 + (double)(place * 1299709 % 1019) / 1019;
    }
    if (PROBLEM == 6) {
        static const double camera[CAMERA] = {0.1, 0.2, 0.3, 0, 0, -3, 2, 1, 1, 0.1, 0.01};
        memcpy(a, camera, sizeof camera);
    }
    struct measured *measured = malloc((size_t)argument_count * sizeof *measured);
    if (!measured) return 3;
    int chosen = 0;
    for (int argument = 2; argument < argument_count; argument++)
        for (size_t place = 0; place < sizeof variants / sizeof *variants; place++)
            if (!strcmp(variants[place].name, arguments[argument])) measured[chosen++].variant = &variants[place];
    for (int place = 0; place < chosen; place++)
        if (check(&measured[place], place == 0, expected)) return 1;
    for (int round = 0; round < ROUNDS; round++)
        for (int place = 0; place < chosen; place++) measure(&measured[place]);
    for (int place = 0; place < chosen; place++) {
        if (measured[place].failed) printf("%s status-%d\n", measured[place].variant->name, measured[place].failed);
        else printf("%s %.9g\n", measured[place].variant->name, measured[place].least);
    }
    return 0;
}
