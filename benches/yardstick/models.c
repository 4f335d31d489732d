/* Yardstick: models over arrays - clusters, a mixture, a network with memory - and their gradients.
 *
 * Modes: k-means, mixture, lstm, and each of them with -gradient. What a mode reads and prints stands in the file of
 * benches/programs/arrays that has its name. As in arrays.c a gradient computes the primal first and then sweeps back
 * over it, last operation first; copies and additions of 0 are left out; the suffix _b marks cotangents. An argument
 * that takes records is NULL where no gradient is wanted.
 */

#include "arrays.h"

/* The square of the distance of two vectors. */
INLINE double squared_distance(const double *u, const double *v, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        double d = u[i] - v[i];
        total += d * d;
    }
    return total;
}

/* Clusters: points, and centres near them. */

typedef struct { size_t count, clusters, columns; const double *points; } clusters;

/* The record of a point is its nearest centre, the first of equal ones. */
INLINE double k_means(const clusters *c, const double *centres, size_t *nearest)
{
    double total = 0;
    for (size_t i = 0; i < c->count; i++) {
        double least = INFINITY;
        size_t at = 0;
        for (size_t k = 0; k < c->clusters; k++) {
            double distance = squared_distance(c->points + i * c->columns, centres + k * c->columns, c->columns);
            if (distance < least) {
                least = distance;
                at = k;
            }
        }
        if (nearest)
            nearest[i] = at;
        total += least;
    }
    return total;
}

INLINE void k_means_b(const clusters *c, const double *centres, const size_t *nearest, double *centres_b)
{
    size_t n = c->columns;
    clear(centres_b, c->clusters * n);
    for (size_t i = c->count; i-- > 0;) {
        const double *point = c->points + i * n, *centre = centres + nearest[i] * n;
        double *centre_b = centres_b + nearest[i] * n;
        for (size_t j = n; j-- > 0;) {
            double d = point[j] - centre[j];
            centre_b[j] -= d + d;
        }
    }
}

static void work_on_clusters(int is_gradient)
{
    size_t count = read_size(), k = read_size(), columns = read_size(), rounds = read_size();
    double seed = read_real(), rate = read_real(), total = 0;
    clusters c = {count, k, columns, sine_rows(seed, count, columns)};
    double *centres = sine_rows(2 * seed, k, columns), *centres_b = allocate(k * columns);
    size_t *nearest = (size_t *)allocate(count);
    double begin = seconds_now();
    for (size_t round = 0; round < rounds; round++)
        if (is_gradient) {
            total += k_means(&c, centres, nearest);
            k_means_b(&c, centres, nearest, centres_b);
            for (size_t i = 0; i < k * columns; i++)
                centres[i] = centres[i] - rate * centres_b[i];
        } else {
            double cost = k_means(&c, centres, NULL);
            total += cost;
            for (size_t i = 0; i < k * columns; i++)
                centres[i] = centres[i] + rate * cost;
        }
    report((double[]){total, centres[0], centres[k * columns - 1]}, is_gradient ? 3 : 1, seconds_now() - begin);
}

/* A mixture of Gaussian distributions. */

typedef struct {
    size_t count, components, columns;
    const double *points, *reciprocals, *scales;
} mixture;

/* A logarithm of a sum of exponentials, as it is recorded; the exponentials are recorded beside it. */
typedef struct { double total; size_t largest; } exponential_sum;

INLINE double logsumexp(const double *v, size_t n, double *exponentials, exponential_sum *record)
{
    size_t largest = 0;
    double total = 0;
    for (size_t i = 0; i < n; i++)
        largest = v[largest] < v[i] ? i : largest;
    for (size_t i = 0; i < n; i++) {
        double exponential = exp(v[i] - v[largest]);
        total += exponential;
        if (exponentials)
            exponentials[i] = exponential;
    }
    if (record)
        *record = (exponential_sum){total, largest};
    return v[largest] + log(total);
}

INLINE void logsumexp_b(const double *exponentials, exponential_sum record, size_t n, double y_b, double *v_b)
{
    double shift_b = y_b, total_b = 1 / record.total * y_b;
    for (size_t i = n; i-- > 0;) {
        double difference_b = exponentials[i] * total_b;
        v_b[i] += difference_b;
        shift_b -= difference_b;
    }
    v_b[record.largest] += shift_b;
}

/* The records are those of each point, then that of the weights. */
INLINE double log_likelihood(
    const mixture *m, const double *weights, const double *means, double *logs, double *exponentials,
    exponential_sum *records)
{
    double total = 0;
    for (size_t i = 0; i < m->count; i++) {
        const double *point = m->points + i * m->columns;
        for (size_t k = 0; k < m->components; k++) {
            const double *mean = means + k * m->columns, *reciprocals = m->reciprocals + k * m->columns;
            double deviation = 0;
            for (size_t j = 0; j < m->columns; j++) {
                double z = (point[j] - mean[j]) * reciprocals[j];
                deviation += z * z;
            }
            logs[k] = weights[k] + m->scales[k] - 0.5 * deviation;
        }
        total += records ? logsumexp(logs, m->components, exponentials + i * m->components, records + i)
                         : logsumexp(logs, m->components, NULL, NULL);
    }
    double normaliser =
        records ? logsumexp(weights, m->components, exponentials + m->count * m->components, records + m->count)
                : logsumexp(weights, m->components, NULL, NULL);
    return total - (double)m->count * normaliser;
}

INLINE void log_likelihood_b(
    const mixture *m, const double *means, const double *exponentials, const exponential_sum *records, double *logs_b,
    double *weights_b, double *means_b)
{
    size_t n = m->components;
    clear(weights_b, n);
    clear(means_b, n * m->columns);
    logsumexp_b(exponentials + m->count * n, records[m->count], n, -(double)m->count, weights_b);
    for (size_t i = m->count; i-- > 0;) {
        const double *point = m->points + i * m->columns;
        clear(logs_b, n);
        logsumexp_b(exponentials + i * n, records[i], n, 1, logs_b);
        for (size_t k = n; k-- > 0;) {
            const double *mean = means + k * m->columns, *reciprocals = m->reciprocals + k * m->columns;
            double deviation_b = 0.5 * -logs_b[k];
            for (size_t j = m->columns; j-- > 0;) {
                double z = (point[j] - mean[j]) * reciprocals[j], product = z * deviation_b;
                means_b[k * m->columns + j] -= reciprocals[j] * (product + product);
            }
            weights_b[k] += logs_b[k];
        }
    }
}

static void work_on_mixture(int is_gradient)
{
    size_t count = read_size(), n = read_size(), columns = read_size(), rounds = read_size();
    double seed = read_real(), rate = read_real(), total = 0;
    double *points = sine_rows(seed, count, columns), *reciprocals = sine_rows(3 * seed, n, columns);
    double *scales = allocate(n), *logs = allocate(n), *exponentials = allocate((count + 1) * n);
    exponential_sum *records = (exponential_sum *)allocate(2 * (count + 1));
    for (size_t k = 0; k < n; k++) {
        scales[k] = 0;
        for (size_t j = 0; j < columns; j++) {
            reciprocals[k * columns + j] = 1 + 0.5 * reciprocals[k * columns + j];
            scales[k] += log(reciprocals[k * columns + j]);
        }
    }
    mixture m = {count, n, columns, points, reciprocals, scales};
    double *weights = sines(seed, n), *weights_b = allocate(n);
    double *means = sine_rows(2 * seed, n, columns), *means_b = allocate(n * columns);
    double begin = seconds_now();
    for (size_t round = 0; round < rounds; round++)
        if (is_gradient) {
            total += log_likelihood(&m, weights, means, logs, exponentials, records);
            log_likelihood_b(&m, means, exponentials, records, logs, weights_b, means_b);
            for (size_t k = 0; k < n; k++)
                weights[k] = weights[k] + rate * weights_b[k];
            for (size_t i = 0; i < n * columns; i++)
                means[i] = means[i] + rate * means_b[i];
        } else {
            double value = log_likelihood(&m, weights, means, logs, NULL, NULL);
            total += value;
            for (size_t k = 0; k < n; k++)
                weights[k] = weights[k] + rate * value * (double)k;
            for (size_t i = 0; i < n * columns; i++)
                means[i] = means[i] + rate * value;
        }
    double numbers[] = {total, weights[0], weights[n - 1], means[0], means[n * columns - 1]};
    report(numbers, is_gradient ? 5 : 1, seconds_now() - begin);
}

/* A network with long short-term memory. */

enum { FORGET, INPUT, CANDIDATE, OUTPUT, GATES };

typedef struct {
    size_t times, units, inputs, width; /* width = inputs + units + 1 */
    const double *x, *targets;
} network;

/* The records of a time: what the gates are multiplied with; for each gate, the exponential of each sigmoid and the
 * result of each unit; the hyperbolic tangents of the cells; the cells and the outputs. */
typedef struct { double *z, *exponentials[GATES], *gates[GATES], *tangents, *c, *h; } record;

static record make_record(const network *w)
{
    record r;
    r.z = allocate(w->width);
    for (int gate = 0; gate < GATES; gate++) {
        r.exponentials[gate] = allocate(w->units);
        r.gates[gate] = allocate(w->units);
    }
    r.tangents = allocate(w->units);
    r.c = allocate(w->units);
    r.h = allocate(w->units);
    return r;
}

/* The step from the outputs and cells h and c to those of r; -> the squared distance from the target. */
INLINE double lstm_step(
    const network *w, const double *gates, size_t time, const double *h, const double *c, record *r)
{
    memcpy(r->z, w->x + time * w->inputs, w->inputs * sizeof *r->z);
    memcpy(r->z + w->inputs, h, w->units * sizeof *r->z);
    r->z[w->width - 1] = 1;
    for (int gate = 0; gate < GATES; gate++)
        for (size_t i = 0; i < w->units; i++, gates += w->width) {
            double total = 0;
            for (size_t j = 0; j < w->width; j++)
                total += gates[j] * r->z[j];
            r->exponentials[gate][i] = gate == CANDIDATE ? 0 : exp(-total);
            r->gates[gate][i] = gate == CANDIDATE ? tanh(total) : 1 / (1 + r->exponentials[gate][i]);
        }
    for (size_t i = 0; i < w->units; i++)
        r->c[i] = r->gates[FORGET][i] * c[i] + r->gates[INPUT][i] * r->gates[CANDIDATE][i];
    for (size_t i = 0; i < w->units; i++) {
        r->tangents[i] = tanh(r->c[i]);
        r->h[i] = r->gates[OUTPUT][i] * r->tangents[i];
    }
    return squared_distance(r->h, w->targets + time * w->units, w->units);
}

/* Room for the cotangents of a step: of outputs and cells, of the results of gates, of z. */
typedef struct { double *h, *c, *gates[GATES], *z; } cotangents;

/* The sweep of a step: in, the cotangents of h and c after it; out, those before it. c is what it was before it. */
INLINE void lstm_step_b(
    const network *w, const double *gates, size_t time, const record *r, const double *c, cotangents *b,
    double *gates_b)
{
    for (size_t i = w->units; i-- > 0;) {
        double d = r->h[i] - w->targets[time * w->units + i];
        b->h[i] += d + d;
    }
    for (size_t i = w->units; i-- > 0;) {
        double tangent = r->tangents[i];
        b->gates[OUTPUT][i] = tangent * b->h[i];
        b->c[i] += (1 - tangent * tangent) * (r->gates[OUTPUT][i] * b->h[i]);
    }
    for (size_t i = w->units; i-- > 0;) {
        b->gates[INPUT][i] = r->gates[CANDIDATE][i] * b->c[i];
        b->gates[CANDIDATE][i] = r->gates[INPUT][i] * b->c[i];
        b->gates[FORGET][i] = c[i] * b->c[i];
        b->c[i] = r->gates[FORGET][i] * b->c[i];
    }
    clear(b->z, w->width);
    for (int gate = GATES; gate-- > 0;)
        for (size_t i = w->units; i-- > 0;) {
            double y = r->gates[gate][i], y_b = b->gates[gate][i];
            double total_b =
                gate == CANDIDATE ? (1 - y * y) * y_b : -(r->exponentials[gate][i] * (-(y * y) * y_b));
            size_t row = ((size_t)gate * w->units + i) * w->width;
            for (size_t j = w->width; j-- > 0;) {
                gates_b[row + j] += r->z[j] * total_b;
                b->z[j] += gates[row + j] * total_b;
            }
        }
    memcpy(b->h, b->z + w->inputs, w->units * sizeof *b->h);
}

INLINE double lstm(const network *w, const double *gates, const double *zeros, record *records)
{
    double total = 0;
    const double *h = zeros, *c = zeros;
    for (size_t time = 0; time < w->times; time++) {
        total += lstm_step(w, gates, time, h, c, &records[time]);
        h = records[time].h;
        c = records[time].c;
    }
    return total;
}

INLINE void lstm_b(
    const network *w, const double *gates, const double *zeros, const record *records, cotangents *b, double *gates_b)
{
    clear(gates_b, GATES * w->units * w->width);
    clear(b->h, w->units);
    clear(b->c, w->units);
    for (size_t time = w->times; time-- > 0;)
        lstm_step_b(w, gates, time, &records[time], time ? records[time - 1].c : zeros, b, gates_b);
}

/* The primal alone has two records in turn. */
static void runs(const network *w, const double *gates, const double *zeros, size_t rounds)
{
    record records[2] = {make_record(w), make_record(w)};
    memcpy(records[1].h, zeros, w->units * sizeof *zeros);
    memcpy(records[1].c, zeros, w->units * sizeof *zeros);
    double total = 0, begin = seconds_now();
    size_t next = 0;
    for (size_t round = 0; round < rounds; round++) {
        double error = 0;
        for (size_t time = 0; time < w->times; time++, next = 1 - next)
            error += lstm_step(w, gates, time, records[1 - next].h, records[1 - next].c, &records[next]);
        total += error;
    }
    const record *last = &records[1 - next];
    report((double[]){total, last->h[0], last->c[w->units - 1]}, 3, seconds_now() - begin);
}

static void descent(const network *w, double *gates, const double *zeros, size_t rounds, double rate)
{
    size_t all = GATES * w->units * w->width;
    record *records = malloc(w->times * sizeof *records + 1);
    if (!records)
        exit(1);
    for (size_t time = 0; time < w->times; time++)
        records[time] = make_record(w);
    cotangents b = {allocate(w->units), allocate(w->units), {NULL}, allocate(w->width)};
    for (int gate = 0; gate < GATES; gate++)
        b.gates[gate] = allocate(w->units);
    double *gates_b = allocate(all), total = 0, begin = seconds_now();
    for (size_t round = 0; round < rounds; round++) {
        total += lstm(w, gates, zeros, records);
        lstm_b(w, gates, zeros, records, &b, gates_b);
        for (size_t i = 0; i < all; i++)
            gates[i] = gates[i] - rate * gates_b[i];
    }
    double numbers[1 + GATES] = {total};
    for (size_t gate = 0; gate < GATES; gate++)
        numbers[1 + gate] = gates[gate * w->units * w->width + gate];
    report(numbers, 1 + GATES, seconds_now() - begin);
}

static void work_on_network(int is_gradient)
{
    size_t times = read_size(), units = read_size(), inputs = read_size(), rounds = read_size();
    double seed = read_real(), rate = is_gradient ? read_real() : 0;
    size_t width = inputs + units + 1, of_gate = units * width;
    network w = {times, units, inputs, width, sine_rows(seed, times, inputs), sine_rows(2 * seed, times, units)};
    double *gates = allocate(GATES * of_gate), *zeros = allocate(units);
    clear(zeros, units);
    for (size_t gate = 0; gate < GATES; gate++)
        for (size_t i = 0; i < units; i++)
            fill_sines(gates + gate * of_gate + i * width, 3 * seed + 10 * (double)gate + (double)i, width);
    for (size_t i = 0; i < GATES * of_gate; i++)
        gates[i] = 0.5 * gates[i];
    if (is_gradient)
        descent(&w, gates, zeros, rounds, rate);
    else
        runs(&w, gates, zeros, rounds);
}

int main(int count, char **arguments)
{
    check_arguments(count);
    if (is_selected(arguments, "k-means", "table"))
        work_on_clusters(0);
    else if (is_selected(arguments, "k-means-gradient", "table"))
        work_on_clusters(1);
    else if (is_selected(arguments, "mixture", "table"))
        work_on_mixture(0);
    else if (is_selected(arguments, "mixture-gradient", "table"))
        work_on_mixture(1);
    else if (is_selected(arguments, "lstm", "table"))
        work_on_network(0);
    else if (is_selected(arguments, "lstm-gradient", "table"))
        work_on_network(1);
    else
        reject(arguments);
    return 0;
}
