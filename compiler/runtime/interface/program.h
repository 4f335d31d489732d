/* Small operations on values, shared by all generated programs to keep their text short.
 *
 * A function with a name vlad_slow_... handles operands that the inline fast path leaves to it. It is a separate
 * function to keep hot code small. A function with `take` in its name consumes its operands, unless there is a fault.
 * Other operands are borrowed.
 */
#ifndef VLAD_PROGRAM_H
#define VLAD_PROGRAM_H

#include "machine.h"

#if defined(__GNUC__) && !defined(__TINYC__)
#define VLAD_SLOW static __attribute__((cold, noinline, unused))
#else
#define VLAD_SLOW static
#endif

VLAD_SLOW vlad_value vlad_slow_one(struct vlad_machine *m, uint32_t primitive, vlad_value a) {
    return m->services->apply(m, primitive, a);
}
VLAD_SLOW vlad_value vlad_slow_one_take(struct vlad_machine *m, uint32_t primitive, vlad_value a) {
    vlad_value result = m->services->apply(m, primitive, a);
    if (!m->fault.kind) vlad_drop(m, a);
    return result;
}
VLAD_SLOW vlad_value vlad_slow_two(struct vlad_machine *m, uint32_t primitive, vlad_value a, vlad_value b) {
    return m->services->apply_two(m, primitive, a, b);
}
VLAD_SLOW vlad_value vlad_slow_two_take_first(struct vlad_machine *m, uint32_t primitive, vlad_value a, vlad_value b) {
    vlad_value result = m->services->apply_two(m, primitive, a, b);
    if (!m->fault.kind) vlad_drop(m, a);
    return result;
}
VLAD_SLOW vlad_value vlad_slow_two_take_second(struct vlad_machine *m, uint32_t primitive, vlad_value a, vlad_value b) {
    vlad_value result = m->services->apply_two(m, primitive, a, b);
    if (!m->fault.kind) vlad_drop(m, b);
    return result;
}
VLAD_SLOW vlad_value vlad_slow_two_take_both(struct vlad_machine *m, uint32_t primitive, vlad_value a, vlad_value b) {
    vlad_value result = m->services->apply_two(m, primitive, a, b);
    if (!m->fault.kind) {
        vlad_drop(m, a);
        vlad_drop(m, b);
    }
    return result;
}
VLAD_SLOW vlad_value vlad_slow_many(struct vlad_machine *m, uint32_t primitive, uint32_t count, const vlad_value *operands) {
    return m->services->apply_many(m, primitive, count, operands);
}

static inline vlad_value vlad_first(vlad_value pair) { return vlad_as_pair(pair)->first; }
static inline vlad_value vlad_second(vlad_value pair) { return vlad_as_pair(pair)->second; }

/* One half of a pair; takes the pair. */
static inline vlad_value vlad_take_half(struct vlad_machine *m, struct vlad_pair *pair, vlad_value half, vlad_value other) {
    if (pair->header.count == 1) {
        vlad_drop(m, other);
        vlad_free_cell(m, pair);
        return half;
    }
    pair->header.count--;
    return vlad_share(half);
}
static inline vlad_value vlad_take_first(struct vlad_machine *m, vlad_value v) {
    struct vlad_pair *pair = vlad_as_pair(v);
    return vlad_take_half(m, pair, pair->first, pair->second);
}
static inline vlad_value vlad_take_second(struct vlad_machine *m, vlad_value v) {
    struct vlad_pair *pair = vlad_as_pair(v);
    return vlad_take_half(m, pair, pair->second, pair->first);
}

/* True if an index is a place below a length; and that place, which is arbitrary otherwise. Reals from 2^32 on are no
 * places. */
static inline uint64_t vlad_place(vlad_value index) { return (uint64_t)(int64_t)vlad_double(index); }
static inline int vlad_is_place(vlad_value index, uint64_t length) {
    if (index.tag != VLAD_REAL) return 0;
    double real = vlad_double(index);
    if (!(real >= 0.0 && real < 4294967296.0)) return 0;
    return (double)(int64_t)real == real && vlad_place(index) < length;
}
/* True if (get v i) is a plain real of a vector of plain reals; and that real. */
static inline int vlad_has_plain(vlad_value vector, vlad_value index) {
    return vector.tag == VLAD_VECTOR && vlad_header_of(vector)->extent == VLAD_FORM_PLAIN &&
           vlad_is_place(index, vlad_as_vector(vector)->length);
}
static inline vlad_value vlad_plain_at(vlad_value vector, vlad_value index) {
    return vlad_real(vlad_as_vector(vector)->elements.reals[vlad_place(index)]);
}
static inline vlad_value vlad_length(vlad_value vector) { return vlad_real((double)vlad_as_vector(vector)->length); }
/* True if a vector of plain reals with a single reference can be updated in place: a plain real stored at an index, or
 * appended. */
static inline int vlad_can_set(vlad_value vector, vlad_value index, vlad_value value) {
    return value.tag == VLAD_REAL && vlad_has_plain(vector, index) && vlad_header_of(vector)->count == 1;
}
static inline vlad_value vlad_set(vlad_value vector, vlad_value index, vlad_value value) {
    vlad_as_vector(vector)->elements.reals[vlad_place(index)] = vlad_double(value);
    return vector;
}
static inline int vlad_can_push(vlad_value vector, vlad_value value) {
    return vector.tag == VLAD_VECTOR && value.tag == VLAD_REAL && vlad_header_of(vector)->extent == VLAD_FORM_PLAIN &&
           vlad_header_of(vector)->count == 1 && vlad_as_vector(vector)->length < vlad_as_vector(vector)->capacity;
}
static inline vlad_value vlad_push(vlad_value vector, vlad_value value) {
    struct vlad_vector *v = vlad_as_vector(vector);
    v->elements.reals[v->length++] = vlad_double(value);
    return vector;
}

/* Stops if a call is nested too deep; its frame is on the stack. */
#define VLAD_NEST(m, top, fuel, node, site) \
    if (VLAD_UNLIKELY((m)->depth > (m)->most_depth)) return (m)->services->too_deep((m), (top), (fuel), (node), (site))

/* A tagged value of one slot, or the bundle of a constant; takes the content. */
static inline vlad_value vlad_tag(struct vlad_machine *m, uint32_t kind, vlad_value content) {
    struct vlad_slots *slots = m->services->new_slots(m, 1);
    slots->values[0] = content;
    return vlad_make(kind, (uint64_t)(uintptr_t)slots);
}
/* Calls a backpropagator, which may be elided (RAW: the pending application of pull.c), with (sensitize y') or y'. */
static inline int vlad_call_back(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value back, vlad_value y,
                                 int is_sensitized) {
    if (VLAD_LIKELY(vlad_kind(back) == VLAD_RAW)) return m->services->pull(m, top, fuel, y, is_sensitized);
    return vlad_call(m, top, fuel, back, is_sensitized ? vlad_tag(m, VLAD_SENSITIVITY, y) : y);
}
/* The bundle of two numbers; takes both. */
static inline vlad_value vlad_bundle_of_numbers(struct vlad_machine *m, vlad_value primal, vlad_value tangent) {
    vlad_value pair = vlad_pair(m, primal, tangent);
    vlad_header_of(pair)->extent = 2;
    return vlad_make(VLAD_BUNDLE, pair.word);
}
static inline vlad_value vlad_slot(vlad_value v, uint32_t slot) { return vlad_as_slots(v)->values[slot]; }
static inline vlad_value vlad_take_slot(struct vlad_machine *m, vlad_value v, uint32_t slot) {
    vlad_value taken = vlad_share(vlad_slot(v, slot));
    vlad_drop(m, v);
    return taken;
}
/* A value without the given tag, if it has that tag; else the value itself. */
static inline vlad_value vlad_untag(vlad_value v, uint32_t kind) {
    return vlad_share(vlad_kind(v) == kind ? vlad_slot(v, 0) : v);
}
static inline vlad_value vlad_take_untagged(struct vlad_machine *m, vlad_value v, uint32_t kind) {
    return vlad_kind(v) == kind ? vlad_take_slot(m, v, 0) : v;
}

static inline int vlad_is_capsule(vlad_value v) { return vlad_kind(v) == VLAD_CAPSULE; }
static inline int vlad_is_perturbation(vlad_value v) { return vlad_kind(v) == VLAD_PERTURBATION; }
static inline int vlad_is_sensitivity(vlad_value v) { return vlad_kind(v) == VLAD_SENSITIVITY; }
static inline int vlad_is_reversed(vlad_value v) { return vlad_kind(v) == VLAD_REVERSED; }
static inline int vlad_is_bundle(vlad_value v) {
    return vlad_kind(v) >= VLAD_CONSTANT && vlad_kind(v) <= VLAD_MARKED_BUNDLE;
}
static inline int vlad_is_false(vlad_value v) { return !vlad_is_true(v); }
static inline int vlad_is_boolean(vlad_value v) { return v.tag == VLAD_BOOLEAN; }
static inline int vlad_is_nil(vlad_value v) { return v.tag == VLAD_NIL; }

#endif
