/* The functions of by_hand.h. No product and no sum are contracted: -ffp-contract=off. */

#include "by_hand.h"
#include <math.h>
#include <string.h>

/* A number with its tangent. */
typedef struct { double value, tangent; } dual;

static inline dual constant(double value) { return (dual){value, 0}; }
static inline dual add(dual a, dual b) { return (dual){a.value + b.value, a.tangent + b.tangent}; }
static inline dual subtract(dual a, dual b) { return (dual){a.value - b.value, a.tangent - b.tangent}; }
static inline dual multiply(dual a, dual b)
{
    return (dual){a.value * b.value, b.value * a.tangent + a.value * b.tangent};
}
static inline dual divide(dual a, dual b)
{
    double reciprocal = 1 / b.value, quotient = a.value / b.value;
    return (dual){quotient, reciprocal * a.tangent - quotient * reciprocal * b.tangent};
}
static inline dual logarithm(dual a) { return (dual){log(a.value), a.tangent / a.value}; }
static inline dual exponential(dual a)
{
    double e = exp(a.value);
    return (dual){e, e * a.tangent};
}
static inline dual root(dual a)
{
    double r = sqrt(a.value);
    return (dual){r, 0.5 / r * a.tangent};
}

/* Element i of v in the pass for input `hot`. */
static inline dual element(const double *v, size_t i, size_t hot) { return (dual){v[i], i == hot}; }

void dot_best(const double *v, const double *w, size_t n, double *r)
{
    (void)v;
    memcpy(r, w, n * sizeof *r);
}

void dot_forward(const double *v, const double *w, size_t n, double *r)
{
    for (size_t hot = 0; hot < n; hot++) {
        dual total = constant(0);
        for (size_t i = 0; i < n; i++)
            total = add(total, multiply(element(v, i, hot), constant(w[i])));
        r[hot] = total.tangent;
    }
}

void maximum_best(const double *v, size_t n, double *r)
{
    size_t largest = 0;
    for (size_t i = 1; i < n; i++)
        largest = v[largest] < v[i] ? i : largest;
    memset(r, 0, n * sizeof *r);
    r[largest] = 1;
}

void maximum_forward(const double *v, size_t n, double *r)
{
    for (size_t hot = 0; hot < n; hot++) {
        dual largest = element(v, 0, hot);
        for (size_t i = 1; i < n; i++)
            largest = largest.value < v[i] ? element(v, i, hot) : largest;
        r[hot] = largest.tangent;
    }
}

void addition_best(const double *v, const double *w, size_t n, double *r)
{
    (void)v, (void)w;
    memset(r, 0, n * n * sizeof *r);
    for (size_t i = 0; i < n; i++)
        r[i * n + i] = 1;
}

void addition_forward(const double *v, const double *w, size_t n, double *r)
{
    for (size_t hot = 0; hot < n; hot++)
        for (size_t i = 0; i < n; i++)
            r[hot * n + i] = add(element(v, i, hot), constant(w[i])).tangent;
}

void scale_best(const double *v, double s, size_t n, double *r)
{
    (void)s;
    memcpy(r, v, n * sizeof *r);
}

void scale_forward(const double *v, double s, size_t n, double *r)
{
    for (size_t i = 0; i < n; i++)
        r[i] = multiply(constant(v[i]), (dual){s, 1}).tangent;
}

void factorisation_best(const double *u, size_t m, const double *v, size_t n, const double *a, double *r)
{
    for (size_t j = 0; j < n; j++)
        r[j] = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double reciprocal = 1 / (u[i] * v[j]);
            r[j] += u[i] * (reciprocal - a[i * n + j] * (reciprocal * reciprocal));
        }
}

void factorisation_forward(const double *u, size_t m, const double *v, size_t n, const double *a, double *r)
{
    for (size_t hot = 0; hot < n; hot++) {
        dual total = constant(0);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                dual product = multiply(constant(u[i]), element(v, j, hot));
                total = add(total, add(logarithm(product), divide(constant(a[i * n + j]), product)));
            }
        r[hot] = total.tangent;
    }
}

void logsumexp_best(const double *v, size_t n, double *r)
{
    double largest = v[0], total = 0;
    for (size_t i = 1; i < n; i++)
        largest = largest < v[i] ? v[i] : largest;
    for (size_t i = 0; i < n; i++)
        total += r[i] = exp(v[i] - largest);
    double reciprocal = 1 / total;
    for (size_t i = 0; i < n; i++)
        r[i] *= reciprocal;
}

void logsumexp_forward(const double *v, size_t n, double *r)
{
    for (size_t hot = 0; hot < n; hot++) {
        dual largest = element(v, 0, hot), total = constant(0);
        for (size_t i = 1; i < n; i++)
            largest = largest.value < v[i] ? element(v, i, hot) : largest;
        for (size_t i = 0; i < n; i++)
            total = add(total, exponential(subtract(element(v, i, hot), largest)));
        r[hot] = add(largest, logarithm(total)).tangent;
    }
}

/* The cross product of two vectors. */
static inline void cross(const double *a, const double *b, double *r)
{
    r[0] = a[1] * b[2] - a[2] * b[1];
    r[1] = a[2] * b[0] - a[0] * b[2];
    r[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double inner(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* What depends on the camera alone is computed before the loop over points: the rotation, and the derivatives of its
 * axis and angle. All else of the matrix is 0. */
void projection_best(const double *camera, const double *points, size_t n, double *r)
{
    const double *rotation = camera, *centre = camera + 3, *distortion = camera + 9;
    double f = camera[6], angle = sqrt(inner(rotation, rotation)), cosine = cos(angle), sine = sin(angle);
    double axis[3], axis_by[3][3], turned_by[3][3];
    for (int k = 0; k < 3; k++)
        axis[k] = rotation[k] / angle;
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            axis_by[k][c] = ((c == k) - axis[c] * axis[k]) / angle;
    for (int k = 0; k < 3; k++) {
        double unit[3] = {k == 0, k == 1, k == 2}, crossed[3];
        cross(axis, unit, crossed);
        for (int c = 0; c < 3; c++)
            turned_by[k][c] = unit[c] * cosine + crossed[c] * sine + axis[c] * axis[k] * (1 - cosine);
    }
    size_t columns = PICTURE * n;
    memset(r, 0, (CAMERA + POINT * n) * columns * sizeof *r);
    for (size_t i = 0; i < n; i++) {
        double y[3], crossed[3], turned[3], along;
        for (int c = 0; c < 3; c++)
            y[c] = points[POINT * i + c] - centre[c];
        cross(axis, y, crossed);
        along = inner(axis, y);
        for (int c = 0; c < 3; c++)
            turned[c] = y[c] * cosine + crossed[c] * sine + axis[c] * along * (1 - cosine);
        double e[2] = {turned[0] / turned[2], turned[1] / turned[2]}, q = e[0] * e[0] + e[1] * e[1];
        double distorted = 1 + distortion[0] * q + distortion[1] * q * q, by_q = distortion[0] + 2 * distortion[1] * q;
        double *at = r + i;
        double by[3][3];
        for (int k = 0; k < 3; k++) {
            double axis_crossed[3], axis_along = inner(axis_by[k], y);
            cross(axis_by[k], y, axis_crossed);
            for (int c = 0; c < 3; c++)
                by[k][c] = (crossed[c] * cosine - y[c] * sine + axis[c] * along * sine) * axis[k] +
                           axis_crossed[c] * sine + (axis_by[k][c] * along + axis[c] * axis_along) * (1 - cosine);
        }
        for (int k = 0; k < 6; k++) {
            const double *turn = k < 3 ? by[k] : turned_by[k - 3];
            double e_by[2] = {(turn[0] - e[0] * turn[2]) / turned[2], (turn[1] - e[1] * turn[2]) / turned[2]};
            double q_by = 2 * (e[0] * e_by[0] + e[1] * e_by[1]);
            double of[2] = {
                f * (e_by[0] * distorted + e[0] * by_q * q_by), f * (e_by[1] * distorted + e[1] * by_q * q_by)};
            for (size_t c = 0; c < 2; c++)
                if (k < 3) {
                    at[(size_t)k * columns + c * n] = of[c];
                } else {
                    at[(size_t)k * columns + c * n] = -of[c];
                    at[(CAMERA + POINT * i + (size_t)(k - 3)) * columns + c * n] = of[c];
                }
        }
        for (size_t c = 0; c < 2; c++) {
            at[6 * columns + c * n] = e[c] * distorted;
            at[(7 + c) * columns + c * n] = 1;
            at[9 * columns + c * n] = f * e[c] * q;
            at[10 * columns + c * n] = f * e[c] * q * q;
        }
    }
}

static inline void project(const dual *camera, const dual *point, dual *picture)
{
    dual y[3], axis[3], turned[3], squared = constant(0), along = constant(0), one = constant(1);
    for (int c = 0; c < 3; c++) {
        y[c] = subtract(point[c], camera[3 + c]);
        squared = add(squared, multiply(camera[c], camera[c]));
    }
    dual angle = root(squared);
    dual cosine = {cos(angle.value), -sin(angle.value) * angle.tangent};
    dual sine = {sin(angle.value), cos(angle.value) * angle.tangent};
    for (int c = 0; c < 3; c++) {
        axis[c] = divide(camera[c], angle);
        along = add(along, multiply(axis[c], y[c]));
    }
    for (int c = 0; c < 3; c++) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        dual crossed = subtract(multiply(axis[d], y[e]), multiply(axis[e], y[d]));
        dual rest = multiply(multiply(axis[c], along), subtract(one, cosine));
        turned[c] = add(add(multiply(y[c], cosine), multiply(crossed, sine)), rest);
    }
    dual e[2] = {divide(turned[0], turned[2]), divide(turned[1], turned[2])};
    dual q = add(multiply(e[0], e[0]), multiply(e[1], e[1]));
    dual distorted = add(add(one, multiply(camera[9], q)), multiply(camera[10], multiply(q, q)));
    for (size_t c = 0; c < 2; c++)
        picture[c] = add(multiply(multiply(e[c], distorted), camera[6]), camera[7 + c]);
}

void projection_forward(const double *camera, const double *points, size_t n, double *r)
{
    size_t columns = PICTURE * n;
    for (size_t hot = 0; hot < CAMERA + POINT * n; hot++) {
        dual of_camera[CAMERA];
        for (size_t k = 0; k < CAMERA; k++)
            of_camera[k] = element(camera, k, hot);
        for (size_t i = 0; i < n; i++) {
            dual point[3], picture[2];
            for (size_t k = 0; k < POINT; k++)
                point[k] = (dual){points[POINT * i + k], CAMERA + POINT * i + k == hot};
            project(of_camera, point, picture);
            r[hot * columns + i] = picture[0].tangent;
            r[hot * columns + n + i] = picture[1].tangent;
        }
    }
}

/* Statuses of calls. */
enum { DONE, FAILED, LENGTH, TOO_SMALL };

/* Tells the length of a result, and tests its memory. */
static inline int give(size_t count, size_t capacity, size_t *length)
{
    if (length)
        *length = count;
    else if (count != capacity)
        return LENGTH;
    return count > capacity ? TOO_SMALL : DONE;
}

int dot_checked(const double *v, size_t v_length, const double *w, size_t w_length, double *r, size_t capacity, size_t *length)
{
    if (v_length != w_length)
        return FAILED;
    int status = give(v_length, capacity, length);
    if (!status)
        dot_best(v, w, v_length, r);
    return status;
}

int maximum_checked(const double *v, size_t v_length, double *r, size_t capacity, size_t *length)
{
    if (v_length == 0)
        return FAILED;
    int status = give(v_length, capacity, length);
    if (!status)
        maximum_best(v, v_length, r);
    return status;
}

int addition_checked(
    const double *v, size_t v_length, const double *w, size_t w_length, double *r, size_t capacity, size_t *rows, size_t *columns)
{
    if (v_length != w_length)
        return FAILED;
    int status = give(v_length * v_length, capacity, rows);
    if (rows)
        *rows = v_length;
    if (columns)
        *columns = v_length;
    if (!status)
        addition_best(v, w, v_length, r);
    return status;
}

int scale_checked(const double *v, size_t v_length, double s, double *r, size_t capacity, size_t *length)
{
    int status = give(v_length, capacity, length);
    if (!status)
        scale_best(v, s, v_length, r);
    return status;
}
