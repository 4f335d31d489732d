/* The gradients of the programs in benches/smooth, written by hand in C: as forward mode prints them, one pass for each
 * input, and the best that a person writes. Matrices are arrays of their rows, one after another; a Jacobian has a row
 * for each input. Nothing allocates.
 */

#ifndef BY_HAND_H
#define BY_HAND_H

#include <stddef.h>

/* The numbers of a camera: rotation 3, centre 3, focal length, principal point 2, radial distortion 2. */
enum { CAMERA = 11, POINT = 3, PICTURE = 2 };

/* d(v . w)/dv, of n numbers. */
void dot_best(const double *v, const double *w, size_t n, double *r);
void dot_forward(const double *v, const double *w, size_t n, double *r);

/* d(max v)/dv, of n numbers; n is at least 1, and the first of equal elements counts. */
void maximum_best(const double *v, size_t n, double *r);
void maximum_forward(const double *v, size_t n, double *r);

/* d(v + w)/dv, n by n. */
void addition_best(const double *v, const double *w, size_t n, double *r);
void addition_forward(const double *v, const double *w, size_t n, double *r);

/* d(v s)/ds, of n numbers. */
void scale_best(const double *v, double s, size_t n, double *r);
void scale_forward(const double *v, double s, size_t n, double *r);

/* The gradient by v of the sum over i, j of log P + A / P, where P = u_i v_j; A has m rows of n. */
void factorisation_best(const double *u, size_t m, const double *v, size_t n, const double *a, double *r);
void factorisation_forward(const double *u, size_t m, const double *v, size_t n, const double *a, double *r);

/* The gradient of the logarithm of a sum of exponentials, of n numbers; n is at least 1. */
void logsumexp_best(const double *v, size_t n, double *r);
void logsumexp_forward(const double *v, size_t n, double *r);

/* The Jacobian of the pictures of n points by one camera: 11 + 3 n rows, for the camera's numbers and then those of the
 * points, and 2 n columns, for n numbers of one direction and then n of the other. The rotation is not 0. */
void projection_best(const double *camera, const double *points, size_t n, double *r);
void projection_forward(const double *camera, const double *points, size_t n, double *r);

/* The best of the first four as functions that a library gives to others: they have the operands and duties of exported functions.
 * They test the lengths and the memory for the result, which they tell the caller, and return a status, which is 0. */
int dot_checked(const double *v, size_t v_length, const double *w, size_t w_length, double *r, size_t capacity, size_t *length);
int maximum_checked(const double *v, size_t v_length, double *r, size_t capacity, size_t *length);
int addition_checked(
    const double *v, size_t v_length, const double *w, size_t w_length, double *r, size_t capacity, size_t *rows, size_t *columns);
int scale_checked(const double *v, size_t v_length, double s, double *r, size_t capacity, size_t *length);

#endif
