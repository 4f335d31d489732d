/* Yardstick: the cost of bundle adjustment, and its gradient by cameras and points.
 *
 * Modes: bundle-adjustment, and the same with -gradient. What a mode reads and prints stands in the file of
 * benches/programs/arrays that has its name. As in arrays.c a gradient computes the primal first and then sweeps back
 * over it, last operation first; copies and additions of 0 are left out; the suffix _b marks cotangents. An argument
 * that takes records is NULL where no gradient is wanted.
 */

#include "arrays.h"

enum { CAMERA = 9, POINT = 3, PICTURE = 2 };

/* What a projection has computed, for the sweep over it. */
typedef struct {
    double angle, cosine, sine, reciprocal, u, v, w, inner, along, e, f, g, depth, i, j, k, p, q, squared, distorted, scale;
} projection;

typedef struct { size_t cameras, points, pictures; const double *seen; } bundle;

INLINE projection project(const double *camera, const double *point)
{
    projection r;
    double a = camera[0], b = camera[1], c = camera[2], x = point[0], y = point[1], z = point[2];
    r.angle = sqrt(a * a + b * b + c * c);
    r.cosine = cos(r.angle);
    r.sine = sin(r.angle);
    r.reciprocal = 1 / r.angle;
    r.u = a * r.reciprocal;
    r.v = b * r.reciprocal;
    r.w = c * r.reciprocal;
    r.inner = r.u * x + r.v * y + r.w * z;
    r.along = r.inner * (1 - r.cosine);
    r.e = r.v * z - r.w * y;
    r.f = r.w * x - r.u * z;
    r.g = r.u * y - r.v * x;
    r.i = x * r.cosine + r.e * r.sine + r.u * r.along + camera[3];
    r.j = y * r.cosine + r.f * r.sine + r.v * r.along + camera[4];
    r.k = z * r.cosine + r.g * r.sine + r.w * r.along + camera[5];
    r.depth = -1 / r.k;
    r.p = r.i * r.depth;
    r.q = r.j * r.depth;
    r.squared = r.p * r.p + r.q * r.q;
    r.distorted = 1 + camera[7] * r.squared + camera[8] * (r.squared * r.squared);
    r.scale = camera[6] * r.distorted;
    return r;
}

/* The sweep over a projection from the cotangents of both coordinates. */
INLINE void project_b(
    const double *camera, const double *point, const projection *r, double p_b, double q_b, double *camera_b,
    double *point_b)
{
    double a = camera[0], b = camera[1], c = camera[2], x = point[0], y = point[1], z = point[2];
    double scale_b = r->q * q_b, q_b2 = r->scale * q_b;
    scale_b += r->p * p_b;
    double p_b2 = r->scale * p_b;
    camera_b[6] += r->distorted * scale_b;
    double distorted_b = camera[6] * scale_b;
    camera_b[8] += r->squared * r->squared * distorted_b;
    double fourth_b = camera[8] * distorted_b, squared_b = r->squared * fourth_b;
    squared_b += r->squared * fourth_b;
    camera_b[7] += r->squared * distorted_b;
    squared_b += camera[7] * distorted_b;
    double twice_q = r->q * squared_b, twice_p = r->p * squared_b;
    q_b2 += twice_q;
    q_b2 += twice_q;
    p_b2 += twice_p;
    p_b2 += twice_p;
    double j_b = r->depth * q_b2, depth_b = r->j * q_b2, i_b = r->depth * p_b2;
    depth_b += r->i * p_b2;
    double k_b = -(r->depth * (1 / r->k)) * depth_b;

    camera_b[5] += k_b;
    double w_b = r->along * k_b, along_b = r->w * k_b, g_b = r->sine * k_b, sine_b = r->g * k_b;
    double v_b = -(x * g_b), x_b = -(r->v * g_b), u_b = y * g_b, y_b = r->u * g_b;
    double z_b = r->cosine * k_b, cosine_b = z * k_b;
    camera_b[4] += j_b;
    v_b += r->along * j_b;
    along_b += r->v * j_b;
    double f_b = r->sine * j_b;
    sine_b += r->f * j_b;
    u_b -= z * f_b;
    z_b -= r->u * f_b;
    w_b += x * f_b;
    x_b += r->w * f_b;
    y_b += r->cosine * j_b;
    cosine_b += y * j_b;
    camera_b[3] += i_b;
    u_b += r->along * i_b;
    along_b += r->u * i_b;
    double e_b = r->sine * i_b;
    sine_b += r->e * i_b;
    w_b -= y * e_b;
    y_b -= r->w * e_b;
    v_b += z * e_b;
    z_b += r->v * e_b;
    x_b += r->cosine * i_b;
    cosine_b += x * i_b;

    double inner_b = (1 - r->cosine) * along_b;
    cosine_b -= r->inner * along_b;
    w_b += z * inner_b;
    z_b += r->w * inner_b;
    v_b += y * inner_b;
    y_b += r->v * inner_b;
    u_b += x * inner_b;
    x_b += r->u * inner_b;
    point_b[2] += z_b;
    point_b[1] += y_b;
    point_b[0] += x_b;
    double c_b = r->reciprocal * w_b, reciprocal_b = c * w_b, b_b = r->reciprocal * v_b;
    reciprocal_b += b * v_b;
    double a_b = r->reciprocal * u_b;
    reciprocal_b += a * u_b;
    double angle_b = -(r->reciprocal * r->reciprocal) * reciprocal_b;
    angle_b += r->cosine * sine_b;
    angle_b += -r->sine * cosine_b;
    double s_b = 0.5 * r->reciprocal * angle_b, of_c = c * s_b, of_b = b * s_b, of_a = a * s_b;
    c_b += of_c;
    c_b += of_c;
    b_b += of_b;
    b_b += of_b;
    a_b += of_a;
    a_b += of_a;
    camera_b[2] += c_b;
    camera_b[1] += b_b;
    camera_b[0] += a_b;
}

INLINE double cost(const bundle *s, const double *cameras, const double *points, projection *records)
{
    double total = 0;
    for (size_t i = 0; i < s->pictures; i++) {
        projection r = project(cameras + i % s->cameras * CAMERA, points + i % s->points * POINT);
        double d = r.scale * r.p - s->seen[i * PICTURE], e = r.scale * r.q - s->seen[i * PICTURE + 1];
        total += d * d + e * e;
        if (records)
            records[i] = r;
    }
    return total;
}

INLINE void cost_b(
    const bundle *s, const double *cameras, const double *points, const projection *records, double *cameras_b,
    double *points_b)
{
    clear(cameras_b, s->cameras * CAMERA);
    clear(points_b, s->points * POINT);
    for (size_t i = s->pictures; i-- > 0;) {
        const projection *r = &records[i];
        double d = r->scale * r->p - s->seen[i * PICTURE], e = r->scale * r->q - s->seen[i * PICTURE + 1];
        size_t camera = i % s->cameras * CAMERA, point = i % s->points * POINT;
        project_b(cameras + camera, points + point, r, d + d, e + e, cameras_b + camera, points_b + point);
    }
}

int main(int count, char **arguments)
{
    check_arguments(count);
    int is_gradient = is_selected(arguments, "bundle-adjustment-gradient", "table");
    if (!is_gradient && !is_selected(arguments, "bundle-adjustment", "table"))
        reject(arguments);
    bundle s = {.cameras = read_size()};
    s.points = read_size();
    s.pictures = read_size();
    size_t rounds = read_size(), of_cameras = s.cameras * CAMERA, of_points = s.points * POINT;
    double seed = read_real(), rate = read_real(), total = 0;
    s.seen = sine_rows(3 * seed, s.pictures, PICTURE);
    double *cameras = sine_rows(seed, s.cameras, CAMERA), *points = sine_rows(2 * seed, s.points, POINT);
    for (size_t i = 0; i < of_cameras; i++)
        cameras[i] = 0.1 * cameras[i] + (i % CAMERA == 5 ? -4 : i % CAMERA == 6 ? 1 : 0);
    double *cameras_b = allocate(of_cameras), *points_b = allocate(of_points);
    projection *records = malloc((s.pictures + 1) * sizeof *records);
    if (!records)
        return 1;
    double begin = seconds_now();
    for (size_t round = 0; round < rounds; round++)
        if (is_gradient) {
            total += cost(&s, cameras, points, records);
            cost_b(&s, cameras, points, records, cameras_b, points_b);
            for (size_t i = 0; i < of_cameras; i++)
                cameras[i] = cameras[i] - rate * cameras_b[i];
            for (size_t i = 0; i < of_points; i++)
                points[i] = points[i] - rate * points_b[i];
        } else {
            double value = cost(&s, cameras, points, NULL);
            total += value;
            for (size_t i = 0; i < of_points; i++)
                points[i] = points[i] + rate * value;
        }
    double seconds = seconds_now() - begin, numbers[1 + CAMERA + POINT] = {total};
    memcpy(numbers + 1, cameras, CAMERA * sizeof *cameras);
    memcpy(numbers + 1 + CAMERA, points, POINT * sizeof *points);
    report(numbers, is_gradient ? 1 + CAMERA + POINT : 1, seconds);
    return 0;
}
