/* Vectors in the runtime: their representation and constructors, as in shared/values (Vector, Reals). The primitives on
 * vectors are in on_vector.c, traversals over vectors in walk.c.
 *
 * A vector that is *owned alone* has one reference, held by the caller; only such a vector is changed.
 */
#ifndef VLAD_VECTOR_H
#define VLAD_VECTOR_H

#include "machine.h"

/* The maximal length of a vector, and the maximal number of iterations of an `ifold`. */
#define VLAD_MOST_ELEMENTS (UINT64_C(1) << 32)
#define VLAD_MOST_ITERATIONS (UINT64_C(1) << 53)

static inline uint32_t vlad_form(const struct vlad_vector *v) { return v->header.extent % VLAD_FORM_LEVEL; }
static inline uint32_t vlad_vector_level(const struct vlad_vector *v) { return v->header.extent / VLAD_FORM_LEVEL; }
static inline int vlad_is_plain_vector(const struct vlad_vector *v) { return v->header.extent == VLAD_FORM_PLAIN; }
/* True if all elements are reals, unboxed. */
static inline int vlad_has_reals(const struct vlad_vector *v) { return vlad_form(v) != VLAD_FORM_VALUES; }
/* True if there may be reals of levels among its elements. */
static inline int vlad_may_be_lifted(const struct vlad_vector *v) { return v->header.extent > VLAD_FORM_VALUES; }
static inline void vlad_note_lifted(struct vlad_vector *v) { v->header.extent |= VLAD_FORM_LEVEL; }
/* True if it is a vector of reals of that level. */
static inline int vlad_is_vector_of_level(const struct vlad_vector *v, uint32_t level) {
    return vlad_form(v) >= VLAD_FORM_TANGENTS && vlad_vector_level(v) == level;
}
static inline vlad_value vlad_vector_value(struct vlad_vector *v) {
    return vlad_make(VLAD_VECTOR, (uint64_t)(uintptr_t)v);
}
static inline struct vlad_vector *vlad_vector_share(struct vlad_vector *v) {
    v->header.count++;
    return v;
}
static inline void vlad_vector_drop(struct vlad_machine *m, struct vlad_vector *v) { vlad_drop(m, vlad_vector_value(v)); }

/* An empty vector of reals, with capacity for `capacity` plain reals. */
struct vlad_vector *vlad_vector_new(struct vlad_machine *m, uint64_t capacity);
/* Vectors of `length` plain reals, or values, which the caller sets. */
struct vlad_vector *vlad_vector_of_reals(struct vlad_machine *m, uint64_t length);
struct vlad_vector *vlad_vector_of_values(struct vlad_machine *m, uint64_t length);
/* The same of either form; 0 if the allocation fails. */
struct vlad_vector *vlad_vector_or_none(struct vlad_machine *m, uint32_t form, uint64_t length);
/* Reals of a level, made of primals and tangents, or of primals and nodes, which the caller sets; takes the vectors. */
struct vlad_vector *vlad_vector_of_duals(struct vlad_machine *m, uint32_t level, struct vlad_vector *primals,
                                         struct vlad_vector *tangents);
struct vlad_vector *vlad_vector_of_nodes(struct vlad_machine *m, uint32_t level, struct vlad_vector *primals);
/* The same vector, owned alone: a copy if there are other references. Takes it. */
struct vlad_vector *vlad_vector_alone(struct vlad_machine *m, struct vlad_vector *v);
/* The element at a valid index, owned; and the plain real under a real. */
vlad_value vlad_vector_element(struct vlad_machine *m, const struct vlad_vector *v, uint64_t index);
double vlad_vector_base(const struct vlad_vector *v, uint64_t index);
/* Appends an element, or replaces an existing one, of a vector that is owned alone. Takes the element. */
void vlad_vector_append(struct vlad_machine *m, struct vlad_vector *v, vlad_value element);
void vlad_vector_replace(struct vlad_machine *m, struct vlad_vector *v, uint64_t index, vlad_value element);
/* Frees a dead vector without values. */
void vlad_reals_die(struct vlad_machine *m, struct vlad_vector *v);
/* Frees an array; 0 is allowed. */
void vlad_array_give(struct vlad_machine *m, void *array);

#endif
