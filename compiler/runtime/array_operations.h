/* Operations on whole arrays of first-order code, on any machine (first_order_paths.h): zeros, comparisons, and moves.
 *
 * A header of VLAD_ARRAY_HEADER bytes is before the items of each array in the memory of arrays. It is zero but while
 * arrays are moved: then it is the address to which the items go.
 */
#ifndef VLAD_ARRAY_OPERATIONS_H
#define VLAD_ARRAY_OPERATIONS_H

#include "first_order_paths.h"

/* The size of an element of an array of a kind. */
static inline uint32_t vlad_element_size(uint32_t kind) {
    if ((kind & VLAD_RANK) > 1) return sizeof(struct vlad_array);
    return kind & VLAD_TRUTHS ? 1 : sizeof(double);
}

static inline struct vlad_array vlad_zeros(struct vlad_machine *m, struct vlad_array like, uint32_t kind) {
    struct vlad_array zeros = {vlad_array_items(m, like.length, vlad_element_size(kind)), like.length};
    if ((kind & VLAD_RANK) == 1) {
        memset(zeros.items, 0, like.length * vlad_element_size(kind));
        return zeros;
    }
    for (uint64_t index = 0; index < like.length; index++)
        vlad_set_array(zeros, index, vlad_zeros(m, vlad_array_at(like, index), kind - 1));
    return zeros;
}

static inline int vlad_same_lengths(struct vlad_array a, struct vlad_array b, uint32_t kind) {
    if (a.length != b.length) return 0;
    if ((kind & VLAD_RANK) == 1) return 1;
    for (uint64_t index = 0; index < a.length; index++)
        if (!vlad_same_lengths(vlad_array_at(a, index), vlad_array_at(b, index), kind - 1)) return 0;
    return 1;
}

static inline int vlad_same_elements(struct vlad_array a, struct vlad_array b, uint32_t kind) {
    if (a.length != b.length) return 0;
    for (uint64_t index = 0; index < a.length; index++) {
        int is_same;
        if ((kind & VLAD_RANK) > 1) is_same = vlad_same_elements(vlad_array_at(a, index), vlad_array_at(b, index), kind - 1);
        else if (kind & VLAD_TRUTHS) is_same = vlad_truth_at(a, index) == vlad_truth_at(b, index);
        else is_same = vlad_real_at(a, index) == vlad_real_at(b, index);
        if (!is_same) return 0;
    }
    return 1;
}

/* A move of arrays from the memory between two addresses down to its begin: they are copied behind it first. */
struct vlad_move {
    struct vlad_machine *m;
    unsigned char *begin, *end;
};

/* An array where it will be after the move. An array that is reached twice is moved once. */
static inline struct vlad_array vlad_moved(struct vlad_move *move, struct vlad_array array, uint32_t kind) {
    unsigned char *items = array.items;
    /* The items of an empty array may be those of the next one, or the end: they say nothing of where it is. */
    if (!array.length || items < move->begin || items >= move->end) return array;
    uint64_t *header = (uint64_t *)(void *)(items - VLAD_ARRAY_HEADER);
    if (!*header) {
        struct vlad_array copy = {vlad_array_items(move->m, array.length, vlad_element_size(kind)), array.length};
        memcpy(copy.items, array.items, array.length * vlad_element_size(kind));
        *header = (uint64_t)(uintptr_t)((unsigned char *)copy.items - (move->end - move->begin));
        for (uint64_t index = 0; (kind & VLAD_RANK) > 1 && index < array.length; index++)
            vlad_set_array(copy, index, vlad_moved(move, vlad_array_at(copy, index), kind - 1));
    }
    array.items = (void *)(uintptr_t)*header;
    return array;
}

static inline void vlad_move_arrays(struct vlad_machine *m, unsigned char *mark, struct vlad_array *arrays,
                                    const unsigned char *kinds, uint32_t count) {
    struct vlad_move move = {m, mark, m->first_order.arrays_top};
    for (uint32_t place = 0; place < count; place++) arrays[place] = vlad_moved(&move, arrays[place], kinds[place]);
    size_t bytes = (size_t)(m->first_order.arrays_top - move.end);
    memmove(mark, move.end, bytes);
    m->first_order.arrays_top = mark + bytes;
}

#endif
