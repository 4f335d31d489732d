/* The representation of vectors: growable arrays, reals of levels as parallel arrays, and accesses to elements
 * (shared/values/src/vector.rs and reals.rs).
 *
 * An array is an object of slots, with 16 bytes for each value. Small arrays come from the lists of free slots. Large
 * ones are blocks, which the system may extend in place. Each array belongs to one vector; vectors of primals and of
 * tangents may be shared. Recursion from a level to lower ones is bounded by VLAD_MOST_LEVELS.
 */
#include "vector.h"
#include "exits.h"
#include "memory.h"
#include "number.h"

/* An array of more elements than this grows by half; smaller ones double. */
#define LARGE UINT64_C(4096)

static struct vlad_slots *slots_of(void *array) {
    return (struct vlad_slots *)((char *)array - offsetof(struct vlad_slots, values));
}

/* The number of slots that a number of elements of a size need. */
static uint32_t slots_for(struct vlad_machine *m, uint64_t elements, size_t size) {
    uint64_t slots = elements / 2 + elements % 2;
    if (size == sizeof(vlad_value)) slots = elements;
    if (slots > UINT32_MAX) vlad_out_of_memory(m);
    return (uint32_t)slots;
}

void vlad_array_give(struct vlad_machine *m, void *array) {
    if (array) vlad_slots_give(vlad_private(m), slots_of(array));
}

/* Grows an array for at least one more element; sets the capacity. */
static VLAD_COLD void *grown(struct vlad_machine *m, void *array, uint64_t *capacity, size_t size) {
    uint64_t wanted = *capacity > LARGE ? *capacity + *capacity / 2 : *capacity * 2;
    if (wanted < 4) wanted = 4;
    uint32_t count = slots_for(m, wanted, size);
    struct vlad_slots *slots = array ? vlad_slots_resize(vlad_private(m), slots_of(array), count)
                                     : vlad_slots_or_none(vlad_private(m), count);
    if (!slots) vlad_out_of_memory(m);
    *capacity = (uint64_t)count * (sizeof(vlad_value) / size);
    return slots->values;
}

static void set_header(struct vlad_vector *v, uint32_t extent, uint64_t length) {
    v->header.count = 1;
    v->header.extent = extent;
    v->parts.nodes = 0;
    v->capacity = 0;
    v->length = length;
    v->elements.reals = 0;
}

static struct vlad_vector *new_header(struct vlad_machine *m, uint32_t extent, uint64_t length) {
    struct vlad_vector *v = vlad_new_cell(m);
    set_header(v, extent, length);
    return v;
}

struct vlad_vector *vlad_vector_or_none(struct vlad_machine *m, uint32_t form, uint64_t length) {
    uint64_t slots = form == VLAD_FORM_PLAIN ? length / 2 + length % 2 : length;
    struct vlad_slots *array = 0;
    if (slots > UINT32_MAX) return 0;
    if (length > 0) array = vlad_slots_or_none(vlad_private(m), (uint32_t)slots);
    struct vlad_vector *v = length > 0 && !array ? 0 : vlad_cell_or_none(vlad_private(m));
    if (!v) return 0;
    set_header(v, form, length);
    v->capacity = length;
    v->elements.values = array ? array->values : 0;
    return v;
}

static struct vlad_vector *new_vector(struct vlad_machine *m, uint32_t form, uint64_t length) {
    struct vlad_vector *v = vlad_vector_or_none(m, form, length);
    if (!v) vlad_out_of_memory(m);
    return v;
}

struct vlad_vector *vlad_vector_of_reals(struct vlad_machine *m, uint64_t length) {
    return new_vector(m, VLAD_FORM_PLAIN, length);
}

struct vlad_vector *vlad_vector_of_values(struct vlad_machine *m, uint64_t length) {
    return new_vector(m, VLAD_FORM_VALUES, length);
}

struct vlad_vector *vlad_vector_new(struct vlad_machine *m, uint64_t capacity) {
    struct vlad_vector *v = vlad_vector_of_reals(m, capacity);
    v->length = 0;
    return v;
}

struct vlad_vector *vlad_vector_of_duals(struct vlad_machine *m, uint32_t level, struct vlad_vector *primals,
                                         struct vlad_vector *tangents) {
    struct vlad_vector *v = new_header(m, level * VLAD_FORM_LEVEL + VLAD_FORM_TANGENTS, primals->length);
    v->elements.primals = primals;
    v->parts.tangents = tangents;
    return v;
}

struct vlad_vector *vlad_vector_of_nodes(struct vlad_machine *m, uint32_t level, struct vlad_vector *primals) {
    uint64_t *nodes = 0;
    if (primals->length > 0)
        nodes = (uint64_t *)vlad_make_slots(m, slots_for(m, primals->length, sizeof *nodes))->values;
    struct vlad_vector *v = new_header(m, level * VLAD_FORM_LEVEL + VLAD_FORM_NODES, primals->length);
    v->elements.primals = primals;
    v->parts.nodes = nodes;
    v->capacity = primals->length;
    return v;
}

struct vlad_vector *vlad_vector_alone(struct vlad_machine *m, struct vlad_vector *v) {
    if (v->header.count == 1) return v;
    struct vlad_vector *copy;
    switch (vlad_form(v)) {
    case VLAD_FORM_PLAIN:
        copy = vlad_vector_of_reals(m, v->length);
        if (v->length) memcpy(copy->elements.reals, v->elements.reals, v->length * sizeof(double));
        break;
    case VLAD_FORM_VALUES:
        copy = vlad_vector_of_values(m, v->length);
        copy->header.extent = v->header.extent;
        for (uint64_t index = 0; index < v->length; index++)
            copy->elements.values[index] = vlad_share(v->elements.values[index]);
        break;
    case VLAD_FORM_TANGENTS:
        copy = vlad_vector_of_duals(m, vlad_vector_level(v), vlad_vector_share(v->elements.primals),
                                    vlad_vector_share(v->parts.tangents));
        break;
    default: /* VLAD_FORM_NODES */
        copy = vlad_vector_of_nodes(m, vlad_vector_level(v), vlad_vector_share(v->elements.primals));
        if (v->length) memcpy(copy->parts.nodes, v->parts.nodes, v->length * sizeof(uint64_t));
    }
    v->header.count--;
    /* Many steps can copy much before the driver looks at the memory. */
    vlad_works(m, v->length);
    return copy;
}

double vlad_vector_base(const struct vlad_vector *v, uint64_t index) {
    while (!vlad_is_plain_vector(v)) v = v->elements.primals;
    return v->elements.reals[index];
}

/* The bits of the plain real under a tangent. */
static uint64_t base_bits(const struct vlad_vector *v, uint64_t index) {
    return vlad_real(vlad_vector_base(v, index)).word;
}

vlad_value vlad_vector_element(struct vlad_machine *m, const struct vlad_vector *v, uint64_t index) {
    switch (vlad_form(v)) {
    case VLAD_FORM_PLAIN:
        return vlad_real(v->elements.reals[index]);
    case VLAD_FORM_VALUES:
        return vlad_share(v->elements.values[index]);
    case VLAD_FORM_TANGENTS: {
        vlad_value primal = vlad_vector_element(m, v->elements.primals, index);
        if (base_bits(v->parts.tangents, index) == VLAD_NO_TANGENT) return primal;
        return vlad_lift(m, vlad_vector_level(v), primal, vlad_vector_element(m, v->parts.tangents, index));
    }
    default: { /* VLAD_FORM_NODES */
        vlad_value primal = vlad_vector_element(m, v->elements.primals, index);
        uint64_t node = v->parts.nodes[index];
        return node == VLAD_NO_NUMBER ? primal : vlad_lift(m, vlad_vector_level(v), primal, vlad_raw(node));
    }
    }
}

/* Converts a vector of reals to a vector of values, in place. */
static void make_values(struct vlad_machine *m, struct vlad_vector *v) {
    struct vlad_vector *values = vlad_vector_of_values(m, v->length);
    if (vlad_may_be_lifted(v)) vlad_note_lifted(values);
    for (uint64_t index = 0; index < v->length; index++)
        values->elements.values[index] = vlad_vector_element(m, v, index);
    /* The contents are swapped: the old ones die with `values`. */
    struct vlad_vector old = *v;
    *v = *values;
    v->header.count = old.header.count;
    *values = old;
    values->header.count = 1;
    vlad_vector_drop(m, values);
}

/* Converts reals to reals of a newer level, constant at that level, in place. */
static void raise(struct vlad_machine *m, struct vlad_vector *v, uint32_t level, vlad_value like) {
    struct vlad_vector *primals = new_header(m, v->header.extent, v->length), *raised;
    *primals = *v;
    primals->header.count = 1;
    if (like.tag == VLAD_RAW) {
        raised = vlad_vector_of_nodes(m, level, primals);
        for (uint64_t index = 0; index < v->length; index++) raised->parts.nodes[index] = VLAD_NO_NUMBER;
    } else {
        struct vlad_vector *tangents = vlad_vector_of_reals(m, v->length);
        double none = vlad_double(vlad_make(VLAD_REAL, VLAD_NO_TANGENT));
        for (uint64_t index = 0; index < v->length; index++) tangents->elements.reals[index] = none;
        raised = vlad_vector_of_duals(m, level, primals, tangents);
    }
    raised->header.count = v->header.count;
    *v = *raised;
    vlad_cell_give(vlad_private(m), raised);
}

/* A real split at the level of a vector. */
struct split {
    vlad_value primal;
    vlad_value part; /* nil if it is constant at the level */
};

/* Raises the vector to the level of a number if that is newer, one of the two being lifted; returns the number split at
 * the vector's level. Takes the number. */
static struct split raised_for(struct vlad_machine *m, struct vlad_vector *v, vlad_value number) {
    struct split split = {number, vlad_nil()};
    if (vlad_is_real(number)) return split;
    const struct vlad_lifted *lifted = vlad_as_lifted(number);
    uint32_t level = lifted->header.extent;
    if (!vlad_is_plain_vector(v) && vlad_vector_level(v) > level) return split;
    if (vlad_is_plain_vector(v) || vlad_vector_level(v) < level) raise(m, v, level, lifted->part);
    split.primal = vlad_share(lifted->primal);
    split.part = vlad_share(lifted->part);
    vlad_drop(m, number);
    return split;
}

static vlad_value tangent_or_none(vlad_value part) {
    return part.tag == VLAD_NIL ? vlad_make(VLAD_REAL, VLAD_NO_TANGENT) : part;
}
static uint64_t node_or_none(vlad_value part) { return part.tag == VLAD_RAW ? part.word : VLAD_NO_NUMBER; }

static void append_real(struct vlad_machine *m, struct vlad_vector *v, vlad_value number) {
    if (VLAD_LIKELY(vlad_is_plain_vector(v) && vlad_is_real(number))) {
        if (VLAD_UNLIKELY(v->length == v->capacity))
            v->elements.reals = grown(m, v->elements.reals, &v->capacity, sizeof(double));
        v->elements.reals[v->length++] = vlad_double(number);
        return;
    }
    struct split split = raised_for(m, v, number);
    v->elements.primals = vlad_vector_alone(m, v->elements.primals);
    append_real(m, v->elements.primals, split.primal);
    if (vlad_form(v) == VLAD_FORM_TANGENTS) {
        v->parts.tangents = vlad_vector_alone(m, v->parts.tangents);
        append_real(m, v->parts.tangents, tangent_or_none(split.part));
    } else {
        if (v->length == v->capacity) v->parts.nodes = grown(m, v->parts.nodes, &v->capacity, sizeof(uint64_t));
        v->parts.nodes[v->length] = node_or_none(split.part);
    }
    v->length++;
}

void vlad_vector_append(struct vlad_machine *m, struct vlad_vector *v, vlad_value element) {
    if (VLAD_LIKELY(vlad_has_reals(v))) {
        if (VLAD_LIKELY(vlad_is_number(element))) return append_real(m, v, element);
        make_values(m, v);
    }
    if (v->length == v->capacity)
        v->elements.values = grown(m, v->elements.values, &v->capacity, sizeof(vlad_value));
    if (element.tag == VLAD_LIFTED) vlad_note_lifted(v);
    v->elements.values[v->length++] = element;
}

static void replace_real(struct vlad_machine *m, struct vlad_vector *v, uint64_t index, vlad_value number) {
    if (vlad_is_plain_vector(v) && vlad_is_real(number)) {
        v->elements.reals[index] = vlad_double(number);
        return;
    }
    struct split split = raised_for(m, v, number);
    v->elements.primals = vlad_vector_alone(m, v->elements.primals);
    replace_real(m, v->elements.primals, index, split.primal);
    if (vlad_form(v) == VLAD_FORM_TANGENTS) {
        v->parts.tangents = vlad_vector_alone(m, v->parts.tangents);
        replace_real(m, v->parts.tangents, index, tangent_or_none(split.part));
    } else {
        v->parts.nodes[index] = node_or_none(split.part);
    }
}

void vlad_vector_replace(struct vlad_machine *m, struct vlad_vector *v, uint64_t index, vlad_value element) {
    if (vlad_has_reals(v)) {
        if (vlad_is_number(element)) return replace_real(m, v, index, element);
        make_values(m, v);
    }
    if (element.tag == VLAD_LIFTED) vlad_note_lifted(v);
    vlad_value old = v->elements.values[index];
    v->elements.values[index] = element;
    vlad_drop(m, old);
}

/* Drops a vector of primals or of tangents. */
static void give_up_reals(struct vlad_machine *m, struct vlad_vector *v) {
    if (--v->header.count == 0) vlad_reals_die(m, v);
}

void vlad_reals_die(struct vlad_machine *m, struct vlad_vector *v) {
    switch (vlad_form(v)) {
    case VLAD_FORM_PLAIN:
        vlad_array_give(m, v->elements.reals);
        break;
    case VLAD_FORM_TANGENTS:
        give_up_reals(m, v->elements.primals);
        give_up_reals(m, v->parts.tangents);
        break;
    default: /* VLAD_FORM_NODES */
        give_up_reals(m, v->elements.primals);
        vlad_array_give(m, v->parts.nodes);
    }
    vlad_cell_give(vlad_private(m), v);
}
