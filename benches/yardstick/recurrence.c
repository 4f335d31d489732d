/* Yardstick: the gradient of a long recurrence, by reverse mode.
 *
 * A step of the recurrence moves an oscillator with the force -(x + x^2):  v := v - h (x + x^2), then  x := x + h v.
 * Reads the number of steps, h, and x and v at the start; prints the value and its derivatives by x and v. h is
 * constant.
 *
 * Modes: `tail`, where the value is x after the steps; `non-tail`, where a call that is no tail call adds v^2 of each
 * step, the last one first. For `tail` there is one program: a person would not do otherwise. For `non-tail` it is
 * `table` that has the loops and arrays in place of recursion, in the order of the operations; `recursion` calls as the
 * program does, on a stack of its own, and `best` adds the squares in the loop of the sweep. The record of a step is
 * what the sweep reads and cannot compute from the rest: x, and v for `non-tail`. The suffix _b marks cotangents.
 */

#include "yardstick.h"
#include <pthread.h>

typedef struct { double value, x_b, v_b; } gradient;

/* What all modes read. */
static double h;

INLINE void *allocate(size_t count, size_t size)
{
    void *records = malloc(count * size + 1);
    if (!records)
        exit(1);
    return records;
}

INLINE double next_v(double x, double v) { return v - h * (x + x * x); }

/* The sweep of a step: in, the cotangents after it; out, those before it. v_b has what was added to it already. */
INLINE void step_b(double x, double *x_b, double *v_b)
{
    *v_b += h * *x_b;
    double force_b = h * -*v_b, product = x * force_b;
    *x_b = *x_b + force_b + product + product;
}

static gradient tail(double x, double v, size_t steps)
{
    double *records = allocate(steps, sizeof *records);
    for (size_t k = 0; k < steps; k++) {
        records[k] = x;
        v = next_v(x, v);
        x = x + h * v;
    }
    double x_b = 1, v_b = 0;
    for (size_t k = steps; k-- > 0;)
        step_b(records[k], &x_b, &v_b);
    free(records);
    return (gradient){x, x_b, v_b};
}

typedef struct { double x, v; } record;

/* The record of a step has x before it and v after it. */
INLINE gradient non_tail_loops(double x, double v, size_t steps, int best)
{
    record *records = allocate(steps, sizeof *records);
    for (size_t k = 0; k < steps; k++) {
        v = next_v(x, v);
        records[k] = (record){x, v};
        x = x + h * v;
    }
    double value = x, x_b = 1, v_b = 0;
    if (!best)
        for (size_t k = steps; k-- > 0;)
            value = records[k].v * records[k].v + value;
    for (size_t k = steps; k-- > 0;) {
        record r = records[k];
        if (best)
            value = r.v * r.v + value;
        v_b = v_b + r.v + r.v;
        step_b(r.x, &x_b, &v_b);
    }
    free(records);
    return (gradient){value, x_b, v_b};
}

NOINLINE double call(double x, double v, size_t steps, record *records)
{
    if (steps == 0)
        return x;
    v = next_v(x, v);
    *records = (record){x, v};
    double square = v * v;
    return square + call(x + h * v, v, steps - 1, records + 1);
}

NOINLINE void call_b(record *records, size_t steps, double value_b, double *x_b, double *v_b)
{
    if (steps == 0) {
        *x_b = value_b;
        return;
    }
    call_b(records + 1, steps - 1, value_b, x_b, v_b);
    double product = records->v * value_b;
    *v_b = *v_b + product + product;
    step_b(records->x, x_b, v_b);
}

static gradient non_tail_recursion(double x, double v, size_t steps)
{
    record *records = allocate(steps, sizeof *records);
    gradient result = {call(x, v, steps, records), 0, 0};
    call_b(records, steps, 1, &result.x_b, &result.v_b);
    free(records);
    return result;
}

static char **arguments;
static gradient result;
static double seconds;

/* The work, on a stack that is large enough for the recursion. */
static void *work(void *none)
{
    double steps = read_real();
    h = read_real();
    double x = read_real(), v = read_real(), begin = seconds_now();
    if (is_selected(arguments, "tail", "table") || is_selected(arguments, "tail", "best"))
        result = tail(x, v, (size_t)steps);
    else if (is_selected(arguments, "non-tail", "table"))
        result = non_tail_loops(x, v, (size_t)steps, 0);
    else if (is_selected(arguments, "non-tail", "best"))
        result = non_tail_loops(x, v, (size_t)steps, 1);
    else if (is_selected(arguments, "non-tail", "recursion"))
        result = non_tail_recursion(x, v, (size_t)steps);
    else
        reject(arguments);
    seconds = seconds_now() - begin;
    return none;
}

int main(int count, char **given)
{
    check_arguments(count);
    arguments = given;
    pthread_t thread;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, (size_t)4 << 30) ||
        pthread_create(&thread, &attributes, work, NULL) || pthread_join(thread, NULL))
        return 1;
    report((double[]){result.value, result.x_b, result.v_b}, 3, seconds);
    return 0;
}
