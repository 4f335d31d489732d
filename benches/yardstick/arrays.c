/* Yardstick: loops over vectors and matrices, and their gradients.
 *
 * Modes: sum, inner-product, matrix-product, logsumexp, least-squares, and each of them with -gradient. What a mode
 * reads and prints stands in the file of benches/programs/arrays that has its name. A gradient computes the primal
 * first, which is part of the result, and then sweeps back over it, last operation first. What can be read from the
 * operands is not recorded. Copies, and additions of 0, are left out: they change no accumulator. The suffix _b marks
 * cotangents.
 *
 * `best` exists for the matrix products: its inner loops go along rows, and give each element its additions in the same
 * order.
 */

#include "arrays.h"

/* How the loops of a matrix product are nested. */
typedef enum { BY_ELEMENT, ALONG_ROWS } nesting;

NOINLINE double sum(const double *v, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += v[i];
    return total;
}

NOINLINE double sum_gradient(const double *v, size_t n, double y_b, double *v_b)
{
    double y = sum(v, n);
    clear(v_b, n);
    for (size_t i = n; i-- > 0;)
        v_b[i] += y_b;
    return y;
}

INLINE double dot(const double *u, const double *v, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += u[i] * v[i];
    return total;
}

NOINLINE double inner_product(const double *u, const double *v, size_t n) { return dot(u, v, n); }

NOINLINE double inner_product_gradient(const double *u, const double *v, size_t n, double y_b, double *u_b, double *v_b)
{
    double y = dot(u, v, n);
    clear(u_b, n);
    clear(v_b, n);
    for (size_t i = n; i-- > 0;) {
        u_b[i] += v[i] * y_b;
        v_b[i] += u[i] * y_b;
    }
    return y;
}

NOINLINE double logsumexp(const double *v, size_t n)
{
    double shift = v[0], total = 0;
    for (size_t i = 0; i < n; i++)
        shift = shift < v[i] ? v[i] : shift;
    for (size_t i = 0; i < n; i++)
        total += exp(v[i] - shift);
    return shift + log(total);
}

/* The exponentials are recorded, and the place of the largest element, the first of equal ones. */
NOINLINE double logsumexp_gradient(const double *v, size_t n, double y_b, double *v_b, double *exponentials)
{
    size_t largest = 0;
    double total = 0;
    for (size_t i = 0; i < n; i++)
        largest = v[largest] < v[i] ? i : largest;
    double shift = v[largest];
    for (size_t i = 0; i < n; i++)
        total += exponentials[i] = exp(v[i] - shift);
    double shift_b = y_b, total_b = 1 / total * y_b;
    clear(v_b, n);
    for (size_t i = n; i-- > 0;) {
        double difference_b = exponentials[i] * total_b;
        v_b[i] += difference_b;
        shift_b -= difference_b;
    }
    v_b[largest] += shift_b;
    return shift + log(total);
}

/* c = a b, of n rows each. */
INLINE void multiply(const double *a, const double *b, double *c, size_t n, nesting nesting)
{
    if (nesting == BY_ELEMENT) {
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double total = 0;
                for (size_t k = 0; k < n; k++)
                    total += a[i * n + k] * b[k * n + j];
                c[i * n + j] = total;
            }
    } else {
        clear(c, n * n);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++)
                for (size_t j = 0; j < n; j++)
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}

/* The sweep of c = a b. */
INLINE void multiply_b(
    const double *a, const double *b, const double *c_b, double *a_b, double *b_b, size_t n, nesting nesting)
{
    clear(a_b, n * n);
    clear(b_b, n * n);
    if (nesting == BY_ELEMENT) {
        for (size_t i = n; i-- > 0;)
            for (size_t j = n; j-- > 0;)
                for (size_t k = n; k-- > 0;) {
                    a_b[i * n + k] += b[k * n + j] * c_b[i * n + j];
                    b_b[k * n + j] += a[i * n + k] * c_b[i * n + j];
                }
    } else {
        for (size_t i = n; i-- > 0;)
            for (size_t k = 0; k < n; k++) {
                double total = 0;
                for (size_t j = n; j-- > 0;) {
                    total += b[k * n + j] * c_b[i * n + j];
                    b_b[k * n + j] += a[i * n + k] * c_b[i * n + j];
                }
                a_b[i * n + k] = total;
            }
    }
}

INLINE void move(double *to, double rate, const double *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = to[i] + rate * from[i];
}

/* |A x - b|^2; the residuals are recorded. */
INLINE double squared_error(
    const double *a, const double *b, const double *x, size_t rows, size_t columns, double *residuals)
{
    double total = 0;
    for (size_t i = 0; i < rows; i++) {
        double residual = dot(a + i * columns, x, columns) - b[i];
        residuals[i] = residual;
        total += residual * residual;
    }
    return total;
}

INLINE void squared_error_b(const double *a, const double *residuals, size_t rows, size_t columns, double *x_b)
{
    clear(x_b, columns);
    for (size_t i = rows; i-- > 0;) {
        double residual_b = residuals[i] + residuals[i];
        for (size_t j = columns; j-- > 0;)
            x_b[j] += a[i * columns + j] * residual_b;
    }
}

/* The rounds over vectors of one length, each chosen by the result before it. */
static void work_on_vectors(char **arguments)
{
    size_t n = read_size(), count = read_size(), rounds = read_size();
    double s = read_real(), *vectors = sine_rows(s, count, n);
    double *u_b = allocate(n), *v_b = allocate(n), *records = allocate(n);
    double begin = seconds_now();
    if (is_selected(arguments, "sum", "table")) {
        for (size_t k = 0; k < rounds; k++)
            s = 0.5 * s + sum(vectors + place(s, count) * n, n);
    } else if (is_selected(arguments, "sum-gradient", "table")) {
        for (size_t k = 0; k < rounds; k++) {
            double y = sum_gradient(vectors + place(s, count) * n, n, 1 + 0.001 * s, v_b);
            s = 0.5 * s + (y + v_b[place(s, n)]);
        }
    } else if (is_selected(arguments, "inner-product", "table")) {
        for (size_t k = 0; k < rounds; k++)
            s = 0.5 * s + inner_product(vectors + place(s, count) * n, vectors + place(3 * s, count) * n, n);
    } else if (is_selected(arguments, "inner-product-gradient", "table")) {
        for (size_t k = 0; k < rounds; k++) {
            const double *u = vectors + place(s, count) * n, *v = vectors + place(3 * s, count) * n;
            double y = inner_product_gradient(u, v, n, 1 + 0.001 * s, u_b, v_b);
            s = 0.5 * s + (y + u_b[place(s, n)] * v_b[place(3 * s, n)]);
        }
    } else if (is_selected(arguments, "logsumexp", "table")) {
        for (size_t k = 0; k < rounds; k++)
            s = 0.5 * s + logsumexp(vectors + place(s, count) * n, n);
    } else if (is_selected(arguments, "logsumexp-gradient", "table")) {
        for (size_t k = 0; k < rounds; k++) {
            double y = logsumexp_gradient(vectors + place(s, count) * n, n, 1 + 0.001 * s, v_b, records);
            s = 0.5 * s + (y + v_b[place(s, n)]);
        }
    } else {
        reject(arguments);
    }
    report(&s, 1, seconds_now() - begin);
}

INLINE void products(double *a, const double *b, double *c, double rate, size_t n, size_t rounds, nesting nesting)
{
    for (size_t k = 0; k < rounds; k++) {
        multiply(a, b, c, n, nesting);
        move(a, rate, c, n * n);
    }
}

static void work_on_products(char **arguments)
{
    size_t n = read_size(), rounds = read_size();
    double seed = read_real(), rate = read_real();
    double *a = sine_rows(seed, n, n), *b = sine_rows(seed + (double)n, n, n), *c = allocate(n * n);
    double begin = seconds_now();
    if (is_selected(arguments, "*", "table"))
        products(a, b, c, rate, n, rounds, BY_ELEMENT);
    else if (is_selected(arguments, "*", "best"))
        products(a, b, c, rate, n, rounds, ALONG_ROWS);
    else
        reject(arguments);
    report((double[]){a[0], a[n - 1], a[(n - 1) * n]}, 3, seconds_now() - begin);
}

INLINE void product_gradients(
    double *a, double *b, double *w, double rate, size_t n, size_t rounds, nesting nesting)
{
    double *c = allocate(n * n), *a_b = allocate(n * n), *b_b = allocate(n * n);
    for (size_t k = 0; k < rounds; k++) {
        multiply(a, b, c, n, nesting);
        multiply_b(a, b, w, a_b, b_b, n, nesting);
        move(a, rate, a_b, n * n);
        move(b, rate, b_b, n * n);
        move(w, rate, c, n * n);
    }
}

static void work_on_product_gradients(char **arguments)
{
    size_t n = read_size(), rounds = read_size();
    double seed = read_real(), rate = read_real();
    double *a = sine_rows(seed, n, n), *b = sine_rows(seed + (double)n, n, n);
    double *w = sine_rows(seed + 2 * (double)n, n, n), begin = seconds_now();
    if (is_selected(arguments, "*", "table"))
        product_gradients(a, b, w, rate, n, rounds, BY_ELEMENT);
    else if (is_selected(arguments, "*", "best"))
        product_gradients(a, b, w, rate, n, rounds, ALONG_ROWS);
    else
        reject(arguments);
    size_t right = n - 1, below = (n - 1) * n;
    report((double[]){a[right], a[below], b[right], b[below], w[right], w[below]}, 6, seconds_now() - begin);
}

static void work_on_least_squares(char **arguments)
{
    size_t rows = read_size(), columns = read_size(), rounds = read_size();
    double seed = read_real(), rate = read_real(), total = 0;
    double *a = sine_rows(seed, rows, columns), *b = sines(2 * seed, rows), *x = sines(3 * seed, columns);
    double *residuals = allocate(rows), *x_b = allocate(columns), begin = seconds_now();
    int is_gradient = is_selected(arguments, "least-squares-gradient", "table");
    if (is_gradient)
        for (size_t k = 0; k < rounds; k++) {
            total += squared_error(a, b, x, rows, columns, residuals);
            squared_error_b(a, residuals, rows, columns, x_b);
            for (size_t j = 0; j < columns; j++)
                x[j] = x[j] - rate * x_b[j];
        }
    else if (is_selected(arguments, "least-squares", "table"))
        for (size_t k = 0; k < rounds; k++) {
            double value = squared_error(a, b, x, rows, columns, residuals);
            total += value;
            for (size_t j = 0; j < columns; j++)
                x[j] = x[j] - rate * value;
        }
    else
        reject(arguments);
    report((double[]){total, x[0], x[columns - 1]}, is_gradient ? 3 : 1, seconds_now() - begin);
}

int main(int count, char **arguments)
{
    check_arguments(count);
    if (!strcmp(arguments[1], "matrix-product"))
        work_on_products(arguments);
    else if (!strcmp(arguments[1], "matrix-product-gradient"))
        work_on_product_gradients(arguments);
    else if (!strncmp(arguments[1], "least-squares", strlen("least-squares")))
        work_on_least_squares(arguments);
    else
        work_on_vectors(arguments);
    return 0;
}
