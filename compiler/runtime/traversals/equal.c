/* `equal?`, as in shared/values/src/equality.rs: reals by = on their primals, data by parts, tagged values by tag and
 * parts, procedures by code and captured slots, capsules by code and the values that the rest of their computations needs.
 *
 * Pending comparisons are on an explicit stack, so the depth of data does not use the host's stack. A pair of shared
 * parts that has already been met is not compared again: that would find nothing new, and data with much sharing would
 * take exponential time.
 */
#include "equal.h"
#include "computation.h"
#include "exits.h"
#include "memory.h"
#include "number.h"
#include "record.h"
#include "table.h"
#include "tagged.h"
#include "vector.h"

/* The comparison of two reals. */
enum reals {
    PRIMALS,  /* by = on their primals */
    CONSTANTS /* those of two skeletons: holes by index, constants by their value, with NaN equal to NaN */
};

struct pending {
    vlad_value first;
    vlad_value second;
    enum reals reals;
    enum vlad_reading first_reading;
    enum vlad_reading second_reading;
};

/* The shape of the table of pairs that have been compared: an entry is a key, of two objects with their readings. The
 * comparison of reals is not part of the key: no object is both in a skeleton and outside. */
static const struct vlad_shape of_met = {2 * sizeof(vlad_part), 2};

/* The memory of one comparison. */
struct comparison {
    struct vlad_machine *m;
    struct vlad_memory *memory;
    struct pending *pending;
    size_t count;
    size_t capacity;
    struct vlad_table met;
};

/* Grows an array for one more element. A comparison that is aborted leaves its blocks to the machine. */
static void *grown(struct comparison *c, void *block, size_t *capacity, size_t size) {
    size_t wanted = *capacity ? *capacity * 2 : 64;
    void *larger = vlad_block_resize(c->memory, block, wanted * size);
    if (!larger) vlad_out_of_memory(c->m);
    *capacity = wanted;
    return larger;
}

static void owe(struct comparison *c, struct pending pending) {
    if (c->count == c->capacity) c->pending = grown(c, c->pending, &c->capacity, sizeof *c->pending);
    c->pending[c->count++] = pending;
}

/* Pushes parts of the compared values, to be compared in the same way. */
static void owe_parts(struct comparison *c, const struct pending *whole, vlad_value first, vlad_value second) {
    struct pending parts = *whole;
    parts.first = first;
    parts.second = second;
    owe(c, parts);
}

/* True if two objects are compared for the first time; always true if the pair is not recorded, since one of them occurs
 * once. */
static int is_new(struct comparison *c, const struct pending *p) {
    const struct vlad_header *first = vlad_header_of(p->first), *second = vlad_header_of(p->second);
    if (!vlad_may_occur_again(first, p->first_reading) || !vlad_may_occur_again(second, p->second_reading)) return 1;
    size_t count = c->met.count;
    vlad_part one = vlad_part_of(first, p->first_reading), other = vlad_part_of(second, p->second_reading);
    vlad_table_enter(c->m, &c->met, of_met, one, other);
    return c->met.count != count;
}

static int match_pairs(struct comparison *c, const struct pending *p) {
    if (is_new(c, p)) {
        owe_parts(c, p, vlad_as_pair(p->first)->second, vlad_as_pair(p->second)->second);
        owe_parts(c, p, vlad_as_pair(p->first)->first, vlad_as_pair(p->second)->first);
    }
    return 1;
}

static int match_procedures(struct comparison *c, const struct pending *p) {
    if (vlad_code_class(c->m, vlad_lambda_of(p->first)) != vlad_code_class(c->m, vlad_lambda_of(p->second))) return 0;
    struct vlad_slots *first = vlad_as_slots(p->first);
    struct vlad_slots *second = vlad_as_slots(p->second);
    if (!first || !second) return first == second;
    if (first->header.extent != second->header.extent) return 0;
    if (is_new(c, p))
        for (uint32_t value = first->header.extent; value-- > 0;)
            owe_parts(c, p, first->values[value], second->values[value]);
    return 1;
}

/* The reads that a backpropagator replays when it executes its procedure again; 0 if there are none, or no replay. */
static const struct vlad_reads *reads_of(vlad_value tagged, enum vlad_reading reading) {
    if (vlad_kind(tagged) != VLAD_BACKPROPAGATOR || reading == VLAD_AS_ZERO) return 0;
    return vlad_reads_in(vlad_as_slots(tagged));
}

static int match_reads(const struct pending *p) {
    const struct vlad_reads *first = reads_of(p->first, p->first_reading), *second = reads_of(p->second, p->second_reading);
    if ((first ? first->count : 0) != (second ? second->count : 0)) return 0;
    for (uint64_t real = 0; first && real < first->count; real++)
        if (!(first->reals[real] == second->reals[real])) return 0;
    return 1;
}

static int match_tagged(struct comparison *c, const struct pending *p) {
    if (!vlad_have_same_tag(p->first, p->second) || !match_reads(p)) return 0;
    if (!is_new(c, p)) return 1;
    if (vlad_has_second_part(p->first)) {
        struct vlad_seen first = vlad_second_part(p->first, p->first_reading);
        struct vlad_seen second = vlad_second_part(p->second, p->second_reading);
        owe(c, (struct pending){first.value, second.value, p->reals, first.reading, second.reading});
    }
    owe_parts(c, p, vlad_content(p->first), vlad_content(p->second));
    return 1;
}

static int match_numbers(vlad_value a, vlad_value b, enum reals reals) {
    if (vlad_kind(a) == VLAD_HOLE || vlad_kind(b) == VLAD_HOLE) return a.tag == b.tag && a.word == b.word;
    double x = vlad_base(a), y = vlad_base(b);
    return x == y || (reals == CONSTANTS && x != x && y != y);
}

static int is_number_or_hole(vlad_value v) { return vlad_is_number(v) || vlad_kind(v) == VLAD_HOLE; }

/* Compares vectors of equal length, at least one of which has only reals, as a whole. */
static int match_reals(struct comparison *c, const struct pending *p) {
    const struct vlad_vector *first = vlad_as_vector(p->first), *second = vlad_as_vector(p->second);
    for (uint64_t index = 0; index < first->length; index++) {
        if (!vlad_work(c->m)) return 0;
        vlad_value a = vlad_has_reals(first) ? vlad_real(vlad_vector_base(first, index)) : first->elements.values[index];
        vlad_value b =
            vlad_has_reals(second) ? vlad_real(vlad_vector_base(second, index)) : second->elements.values[index];
        if (!is_number_or_hole(a) || !is_number_or_hole(b)) return 0;
        a = vlad_read_number(a, p->first_reading);
        if (!match_numbers(a, vlad_read_number(b, p->second_reading), p->reals)) return 0;
    }
    return 1;
}

static int match_vectors(struct comparison *c, const struct pending *p) {
    const struct vlad_vector *first = vlad_as_vector(p->first), *second = vlad_as_vector(p->second);
    if (first->length != second->length) return 0;
    if (!is_new(c, p)) return 1;
    if (vlad_has_reals(first) || vlad_has_reals(second)) return match_reals(c, p);
    for (uint64_t index = first->length; index-- > 0;)
        owe_parts(c, p, first->elements.values[index], second->elements.values[index]);
    return 1;
}

/* The number of values of a frame that are compared: not a call site, the last, which only serves error messages. */
static uint32_t values_of(const struct vlad_frame *frame) { return frame->values - (frame->has_site ? 1 : 0); }

/* Compares frame by frame, from the innermost: their places, and then their values. */
static int match_skeletons(struct comparison *c, vlad_value a, vlad_value b) {
    const struct vlad_slots *first = vlad_as_slots(a), *second = vlad_as_slots(b);
    if (first == second) return 1;
    const vlad_value *one = first->values + first->header.extent, *other = second->values + second->header.extent;
    while (one > first->values && other > second->values) {
        const struct vlad_frame *frame = vlad_marked(*--one), *beside = vlad_marked(*--other);
        if (!vlad_work(c->m) || !vlad_same_place(frame, beside) || values_of(frame) != values_of(beside)) return 0;
        one -= frame->values;
        other -= beside->values;
        for (uint32_t value = values_of(frame); value-- > 0;)
            owe(c, (struct pending){one[value], other[value], CONSTANTS, VLAD_AS_IS, VLAD_AS_IS});
    }
    return one == first->values && other == second->values;
}

static int match_capsules(struct comparison *c, const struct pending *p) {
    const struct vlad_slots *first = vlad_as_slots(p->first), *second = vlad_as_slots(p->second);
    if (!is_new(c, p)) return 1;
    if (first->header.extent != second->header.extent) return 0;
    for (uint32_t real = 1; real < first->header.extent; real++) {
        vlad_value a = vlad_read_number(first->values[real], p->first_reading);
        if (!match_numbers(a, vlad_read_number(second->values[real], p->second_reading), p->reals)) return 0;
    }
    return match_skeletons(c, first->values[0], second->values[0]);
}

static int match(struct comparison *c, const struct pending *p) {
    vlad_value a = p->first, b = p->second;
    if (is_number_or_hole(a))
        return is_number_or_hole(b) &&
               match_numbers(vlad_read_number(a, p->first_reading), vlad_read_number(b, p->second_reading), p->reals);
    if (vlad_is_pair(a)) return vlad_is_pair(b) && match_pairs(c, p);
    if (vlad_is_vector(a)) return vlad_is_vector(b) && match_vectors(c, p);
    if (vlad_has_code(a)) return vlad_has_code(b) && match_procedures(c, p);
    if (vlad_is_tagged(a)) return match_tagged(c, p);
    if (vlad_kind(a) == VLAD_CAPSULE) return vlad_kind(b) == VLAD_CAPSULE && match_capsules(c, p);
    return a.tag == b.tag && a.word == b.word;
}

/* True if all pending comparisons succeed. */
static int settle(struct comparison *c, int same) {
    while (same && c->count > 0) {
        struct pending next = c->pending[--c->count];
        same = vlad_work(c->m) && match(c, &next);
    }
    vlad_block_give(c->memory, c->pending);
    vlad_table_free(c->m, &c->met);
    return same;
}

int vlad_same_value(struct vlad_machine *m, vlad_value first, vlad_value second) {
    struct comparison c = {.m = m, .memory = &vlad_private(m)->memory};
    struct pending whole = {first, second, PRIMALS, VLAD_AS_IS, VLAD_AS_IS};
    int same = vlad_work(m) && match(&c, &whole);
    return settle(&c, same);
}

int vlad_same_skeleton(struct vlad_machine *m, vlad_value first, vlad_value second) {
    struct comparison c = {.m = m, .memory = &vlad_private(m)->memory};
    int same = match_skeletons(&c, first, second);
    return settle(&c, same);
}
