/* Yardstick: the charged particle, an optimisation through an integration, each step of which takes a gradient.
 *
 * A particle flies in the plane under the potential  p(x; w) = 1/|x - (10, 10-w)| + 1/|x - (10, 0)|,  x'' = -grad p,
 * by Euler steps until it would cross the axis; E(w) is the square of the place where it crosses, and w is sought that
 * minimises E. Reads the number of solves, the start of w in the first one, and what each further solve adds to it;
 * prints the sum of the w.
 *
 * With d = x - charge, s = d.d, r = sqrt s and v = 1/r, the coefficients of the table are h = 0.5 (1/r) of the root and
 * k = -(v (1/r)) of the reciprocal. The gradient of a share v of the potential is k (h (d + d)) by forward mode, and m
 * + m with m = d (h k) by reverse mode. The suffix _o marks the tangent with respect to w, the suffix _b the cotangent.
 */

#include "yardstick.h"

static const double dt = 0.1;

typedef struct { double x, y; } point;

/* The mode of the inner gradient. */
typedef enum { FORWARD, REVERSE } mode;

/* The gradient of a share at a distance d from its charge. */
typedef struct { point d; double v, h, k; } share;

INLINE share share_from(point d, double v) { return (share){d, v, 0.5 * v, -(v * v)}; }

INLINE share share_at(double dx, double dy)
{
    return share_from((point){dx, dy}, 1 / sqrt(dx * dx + dy * dy));
}

INLINE double twice(double x) { return x + x; }

INLINE point field_of_share(share a, mode inner)
{
    double reverse = a.h * a.k;
    return inner == FORWARD ? (point){a.k * (a.h * twice(a.d.x)), a.k * (a.h * twice(a.d.y))}
                            : (point){twice(a.d.x * reverse), twice(a.d.y * reverse)};
}

/* E(w), plain. */
INLINE double miss(double w, mode inner)
{
    double charge = 10 - w;
    point at = {0, 8}, speed = {0.75, 0};
    for (;;) {
        point next = {at.x + dt * speed.x, at.y + dt * speed.y};
        if (!(next.y > 0))
            break;
        point a = field_of_share(share_at(at.x - 10, at.y - charge), inner);
        point b = field_of_share(share_at(at.x - 10, at.y - 0), inner);
        speed.x = speed.x - dt * (a.x + b.x);
        speed.y = speed.y - dt * (a.y + b.y);
        at = next;
    }
    double where = at.x + -(at.y / speed.y) * speed.x;
    return where * where;
}

/* The outer gradient by forward mode: along w, where w_o = 1. */

INLINE point field_of_share_o(share a, point d_o, mode inner)
{
    double r_o = a.h * (twice(a.d.x * d_o.x) + twice(a.d.y * d_o.y));
    double v_o = a.k * r_o;
    double h_o = 0.5 * v_o;
    double k_o = -twice(a.v * v_o);
    if (inner == FORWARD) {
        double x = a.h * twice(a.d.x), x_o = twice(a.d.x) * h_o + a.h * twice(d_o.x);
        double y = a.h * twice(a.d.y), y_o = twice(a.d.y) * h_o + a.h * twice(d_o.y);
        return (point){x * k_o + a.k * x_o, y * k_o + a.k * y_o};
    }
    double s_b = a.h * a.k, s_b_o = a.k * h_o + a.h * k_o;
    return (point){twice(s_b * d_o.x + a.d.x * s_b_o), twice(s_b * d_o.y + a.d.y * s_b_o)};
}

INLINE double slope_forward(double w, mode inner)
{
    double charge = 10 - w;
    point at = {0, 8}, speed = {0.75, 0}, at_o = {0, 0}, speed_o = {0, 0};
    for (;;) {
        point next = {at.x + dt * speed.x, at.y + dt * speed.y};
        point next_o = {at_o.x + dt * speed_o.x, at_o.y + dt * speed_o.y};
        if (!(next.y > 0))
            break;
        share share_a = share_at(at.x - 10, at.y - charge), share_b = share_at(at.x - 10, at.y - 0);
        point a = field_of_share(share_a, inner), b = field_of_share(share_b, inner);
        point a_o = field_of_share_o(share_a, (point){at_o.x, at_o.y + 1}, inner);
        point b_o = field_of_share_o(share_b, at_o, inner);
        speed.x = speed.x - dt * (a.x + b.x);
        speed.y = speed.y - dt * (a.y + b.y);
        speed_o.x = speed_o.x - dt * (a_o.x + b_o.x);
        speed_o.y = speed_o.y - dt * (a_o.y + b_o.y);
        at = next;
        at_o = next_o;
    }
    double reciprocal = 1 / speed.y, quotient = at.y / speed.y, rest = -quotient;
    double rest_o = -(reciprocal * at_o.y + -(quotient * reciprocal) * speed_o.y);
    double where = at.x + rest * speed.x;
    double where_o = at_o.x + (speed.x * rest_o + rest * speed_o.x);
    return twice(where * where_o);
}

/* The outer gradient by reverse mode: records of the steps, each of which the sweep reads backwards. */

typedef struct { point at; double v_a, v_b; } record;

static record *records;
static size_t room;

INLINE void reserve(size_t count)
{
    if (__builtin_expect(count < room, 1))
        return;
    room = room ? 2 * room : 256;
    records = realloc(records, room * sizeof *records);
    if (!records)
        exit(1);
}

/* The cotangents of d, through r of the root and through what is added before. */
INLINE point through_root(share a, point d_b, double r_b)
{
    double s_b = a.h * r_b, x = a.d.x * s_b, y = a.d.y * s_b;
    return (point){d_b.x + x + x, d_b.y + y + y};
}

/* One pass of the inner forward mode, backwards, in the order of the report: g is the cotangent of its result, along
 * the basis vector that `along_x` names. */
INLINE point pass_b(share a, double g, int along_x)
{
    double r_tangent = a.h * twice(along_x ? a.d.x : a.d.y);
    double k_b = r_tangent * g, r_tangent_b = a.k * g;
    double product_b = -k_b;
    double v_b = a.v * product_b;
    double r_b = a.k * v_b;
    r_b = r_b + a.k * v_b;
    double h_b = twice(along_x ? a.d.x : a.d.y) * r_tangent_b, s_tangent_b = a.h * r_tangent_b;
    r_b = r_b + a.k * (0.5 * h_b);
    double d_b = twice(s_tangent_b);
    return through_root(a, along_x ? (point){d_b, 0} : (point){0, d_b}, r_b);
}

/* The operations of a share in the inner reverse mode, backwards: those of its sweep, then those of its primal. */
typedef struct { point d_b; double r_b, v_b; } pending;

INLINE pending sweep_b(share a, point g)
{
    double s = a.h * a.k;
    point d_b = {twice(s * g.x), twice(s * g.y)};
    double s_b = twice(a.d.y * g.y) + twice(a.d.x * g.x);
    double h_b = a.k * s_b, k_b = a.h * s_b;
    double r_b = a.k * (0.5 * h_b);
    double product_b = -k_b;
    double v_b = a.v * product_b;
    return (pending){d_b, r_b + a.k * v_b, v_b};
}

INLINE point primal_b(share a, pending p) { return through_root(a, p.d_b, p.r_b + a.k * p.v_b); }

/* The same by hand: the Hessian of a share times g. */
INLINE point share_b(share a, point g)
{
    double square = a.v * a.v, cube = square * a.v;
    double along = 3 * square * cube * (a.d.x * g.x + a.d.y * g.y);
    return (point){along * a.d.x - cube * g.x, along * a.d.y - cube * g.y};
}

INLINE double slope_reverse(double w, mode inner, int best)
{
    double charge = 10 - w;
    point at = {0, 8}, speed = {0.75, 0};
    size_t steps = 0;
    for (;;) {
        point next = {at.x + dt * speed.x, at.y + dt * speed.y};
        if (!(next.y > 0))
            break;
        share share_a = share_at(at.x - 10, at.y - charge), share_b = share_at(at.x - 10, at.y - 0);
        point a = field_of_share(share_a, inner), b = field_of_share(share_b, inner);
        reserve(steps);
        records[steps++] = (record){at, share_a.v, share_b.v};
        speed.x = speed.x - dt * (a.x + b.x);
        speed.y = speed.y - dt * (a.y + b.y);
        at = next;
    }
    double reciprocal = 1 / speed.y, quotient = at.y / speed.y, rest = -quotient;
    double where = at.x + rest * speed.x, where_b = where + where;
    double quotient_b = -(speed.x * where_b), charge_b = 0;
    point at_b = {where_b, reciprocal * quotient_b};
    point speed_b = {rest * where_b, -(quotient * reciprocal) * quotient_b};
    while (steps > 0) {
        record r = records[--steps];
        share a = share_from((point){r.at.x - 10, r.at.y - charge}, r.v_a);
        share b = share_from((point){r.at.x - 10, r.at.y - 0}, r.v_b);
        point g = {dt * -speed_b.x, dt * -speed_b.y}, sum = {0, 0};
        if (best) {
            point a_b = share_b(a, g), b_b = share_b(b, g);
            charge_b -= a_b.y;
            sum = (point){a_b.x + b_b.x, a_b.y + b_b.y};
        } else if (inner == FORWARD) {
            point b_y = pass_b(b, g.y, 0), a_y = pass_b(a, g.y, 0), b_x = pass_b(b, g.x, 1), a_x = pass_b(a, g.x, 1);
            charge_b = charge_b - a_y.y - a_x.y;
            sum = (point){b_y.x + a_y.x + b_x.x + a_x.x, b_y.y + a_y.y + b_x.y + a_x.y};
        } else {
            pending pending_a = sweep_b(a, g), pending_b = sweep_b(b, g);
            point b_b = primal_b(b, pending_b), a_b = primal_b(a, pending_a);
            charge_b = charge_b - a_b.y;
            sum = (point){b_b.x + a_b.x, b_b.y + a_b.y};
        }
        speed_b = (point){speed_b.x + dt * at_b.x, speed_b.y + dt * at_b.y};
        at_b = (point){sum.x + at_b.x, sum.y + at_b.y};
    }
    return -charge_b;
}

/* The optimiser, for lists of one number, and the solves. */

INLINE int is_short(double x) { return sqrt(x * x) <= 1e-5; }

INLINE double argmin(double start, double (*f)(double), double (*slope)(double))
{
    double at = start, value = f(at), direction = slope(at), eta = 1e-5;
    int taken = 0;
    for (;;) {
        if (taken == 10) {
            eta = 2 * eta;
            taken = 0;
        }
        if (is_short(direction))
            return at;
        double next = at - eta * direction;
        if (is_short(at - next))
            return at;
        double next_value = f(next);
        if (next_value < value) {
            at = next;
            value = next_value;
            direction = slope(at);
            taken++;
        } else {
            eta = eta / 2;
            taken = 0;
        }
    }
}

/* One copy of each integration for each mode, which the optimiser calls. */
NOINLINE double miss_f(double w) { return miss(w, FORWARD); }
NOINLINE double miss_r(double w) { return miss(w, REVERSE); }
NOINLINE double slope_ff(double w) { return slope_forward(w, FORWARD); }
NOINLINE double slope_fr(double w) { return slope_forward(w, REVERSE); }
NOINLINE double slope_rf(double w) { return slope_reverse(w, FORWARD, 0); }
NOINLINE double slope_rr(double w) { return slope_reverse(w, REVERSE, 0); }
NOINLINE double slope_rf_best(double w) { return slope_reverse(w, FORWARD, 1); }
NOINLINE double slope_rr_best(double w) { return slope_reverse(w, REVERSE, 1); }

static const struct { const char *mode, *version; double (*f)(double), (*slope)(double); } works[] = {
    {"ff", "table", miss_f, slope_ff},     {"fr", "table", miss_r, slope_fr},     {"rf", "table", miss_f, slope_rf},
    {"rr", "table", miss_r, slope_rr},     {"rf", "best", miss_f, slope_rf_best}, {"rr", "best", miss_r, slope_rr_best},
};

int main(int count, char **arguments)
{
    check_arguments(count);
    double solves = read_real(), start = read_real(), step = read_real();
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        if (is_selected(arguments, works[i].mode, works[i].version)) {
            double total = 0, begin = seconds_now();
            for (double k = 0; k < solves; k++)
                total += argmin(start + k * step, works[i].f, works[i].slope);
            report(&total, 1, seconds_now() - begin);
            return 0;
        }
    reject(arguments);
}
