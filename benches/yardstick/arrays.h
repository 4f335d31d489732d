/* What the yardsticks on arrays share: storage, and the data of benches/programs/arrays/data.vlad.
 *
 * A matrix is an array of its rows, one after another. The clock runs from the data to the printing: the data are no
 * part of the work.
 */

#ifndef ARRAYS_H
#define ARRAYS_H

#include "yardstick.h"

static double *allocate(size_t count)
{
    double *elements = malloc(count * sizeof *elements + 1);
    if (!elements)
        exit(1);
    return elements;
}

static void clear(double *elements, size_t count)
{
    memset(elements, 0, count * sizeof *elements);
}

static size_t read_size(void) { return (size_t)read_real(); }

static void fill_sines(double *elements, double seed, size_t count)
{
    for (size_t i = 0; i < count; i++)
        elements[i] = sin(seed * (double)(i + 1));
}

static inline double *sines(double seed, size_t count)
{
    double *elements = allocate(count);
    fill_sines(elements, seed, count);
    return elements;
}

static double *sine_rows(double seed, size_t rows, size_t columns)
{
    double *elements = allocate(rows * columns);
    for (size_t i = 0; i < rows; i++)
        fill_sines(elements + i * columns, seed + (double)i, columns);
    return elements;
}

/* An index below a count that depends on a real. */
INLINE size_t place(double s, size_t count) { return (size_t)floor(1000 * fabs(s)) % count; }

#endif
