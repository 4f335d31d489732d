/* The parts of tagged values (reflection.h), and of shared data, for traversals.
 *
 * The tag is at the root of a value; the slots hold the tagged content. The three kinds of bundles are one tag. The
 * tangent of a constant is made on demand: a traversal reads the primal a second time, *as zero*.
 */
#ifndef VLAD_TAGGED_H
#define VLAD_TAGGED_H

#include "number.h"
#include "value.h"

/* The slots of a bundle; all other tagged values except backpropagators have only the first. */
enum { VLAD_PRIMAL = 0, VLAD_TANGENT_SLOT = 1 };

/* The tag of a tagged value: its kind, except for bundles. */
static inline uint32_t vlad_tag_of(vlad_value tagged) {
    uint32_t kind = vlad_kind(tagged);
    return kind == VLAD_CONSTANT || kind == VLAD_MARKED_BUNDLE ? (uint32_t)VLAD_BUNDLE : kind;
}
static inline int vlad_have_same_tag(vlad_value one, vlad_value other) {
    return vlad_is_tagged(one) && vlad_is_tagged(other) && vlad_tag_of(one) == vlad_tag_of(other);
}
/* The content of a tagged value of one slot; of a bundle the primal. */
static inline vlad_value vlad_content(vlad_value tagged) { return vlad_as_slots(tagged)->values[VLAD_PRIMAL]; }

/* A value, and the way in which it is read. */
struct vlad_seen {
    vlad_value value;
    enum vlad_reading reading;
};

/* True if a tagged value has two parts in a traversal; and the second of them. The first is its content. */
static inline int vlad_has_second_part(vlad_value tagged) { return vlad_kind(tagged) >= VLAD_CONSTANT; }
static inline struct vlad_seen vlad_second_part(vlad_value tagged, enum vlad_reading reading) {
    struct vlad_seen second = {vlad_content(tagged), VLAD_AS_ZERO};
    if (vlad_kind(tagged) == VLAD_CONSTANT) return second;
    second.value = vlad_as_slots(tagged)->values[VLAD_TANGENT_SLOT];
    second.reading = reading;
    return second;
}

/* A part that may occur again, with its reading: the sum of its address and the reading. */
typedef uint64_t vlad_part;
static inline vlad_part vlad_part_of(const struct vlad_header *part, enum vlad_reading reading) {
    return (uint64_t)(uintptr_t)part | (uint64_t)reading;
}
/* True if the part may occur again: if it is shared, or read as zero, since the same part may be read as it is, too. */
static inline int vlad_may_occur_again(const struct vlad_header *part, enum vlad_reading reading) {
    return part->count > 1 || reading == VLAD_AS_ZERO;
}

#endif
