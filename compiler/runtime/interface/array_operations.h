/* Operations on whole arrays of first-order code, on any machine (first_order_paths.h): zeros and comparisons; and moves of
 * cells, with arrays beside them. Arrays without cells are moved by kept_arrays.h, unless they
 * are more than it lists.
 *
 * A header of VLAD_ARRAY_HEADER bytes is before the items of each array in the memory of arrays. It is zero but while
 * arrays are moved: then it is the address to which the items go.
 */
#ifndef VLAD_ARRAY_OPERATIONS_H
#define VLAD_ARRAY_OPERATIONS_H

#include "first_order_paths.h"
#include "kept_arrays.h"

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

static inline void vlad_finish_move(struct vlad_move *move) {
    unsigned char **top = &move->m->first_order.arrays_top;
    size_t bytes = (size_t)(*top - move->end);
    memmove(move->begin, move->end, bytes);
    *top = move->begin + bytes;
}

/* A cell where it will be after the move, if it has a header. Absent cells, and those that values become, are elsewhere. */
static inline const union vlad_bits *vlad_moved_cell(struct vlad_move *move, const union vlad_bits *cell) {
    const unsigned char *address = (const unsigned char *)cell;
    if (address < move->begin || address >= move->end) return cell;
    union vlad_bits *header = (union vlad_bits *)(uintptr_t)(cell - 1);
    if (header->word & VLAD_STAYS) {
        uint32_t words = (uint32_t)VLAD_WORDS_OF(header->word);
        unsigned char *top = move->m->first_order.arrays_top;
        size_t bytes = (words + 1) * sizeof *cell;
        if (VLAD_UNLIKELY((size_t)(move->m->first_order.arrays_end - top) < bytes)) move->m->services->more_arrays(move->m, bytes);
        memcpy(top, header, bytes);
        move->m->first_order.arrays_top = top + bytes;
        header->word = (uint64_t)(uintptr_t)(top + sizeof *cell - (move->end - move->begin));
    }
    return vlad_cell_of(header->word);
}

/* Arrays do not have cells as elements, and cells with a header have no arrays as parts. What cells that have been copied refer
 * to follows them, in the order in which it is found. */
static inline void vlad_move_state(struct vlad_machine *m, unsigned char *mark, struct vlad_array *arrays,
                                   const unsigned char *kinds, uint32_t array_count, const union vlad_bits **cells,
                                   uint32_t cell_count) {
    struct vlad_move move = {m, mark, m->first_order.arrays_top};
    for (uint32_t place = 0; place < array_count; place++) arrays[place] = vlad_moved(&move, arrays[place], kinds[place]);
    unsigned char *copied = m->first_order.arrays_top;
    for (uint32_t place = 0; place < cell_count; place++) cells[place] = vlad_moved_cell(&move, cells[place]);
    while (copied != m->first_order.arrays_top) {
        union vlad_bits *word = (union vlad_bits *)(void *)copied;
        uint64_t header = word++->word;
        copied += (VLAD_WORDS_OF(header) + 1) * sizeof *word;
        for (uint64_t parts = VLAD_CELLS_OF(header); parts; parts >>= 1, word++)
            if (parts & 1) word->word = vlad_word_of(vlad_moved_cell(&move, vlad_cell_of(word->word)));
    }
    vlad_finish_move(&move);
}

/* Frees what is behind an address but for some arrays. */
static inline void vlad_move_arrays(struct vlad_machine *m, unsigned char *mark, struct vlad_array *arrays,
                                    const unsigned char *kinds, uint32_t count) {
    if ((uint64_t)(m->first_order.arrays_top - mark) <= VLAD_MOST_LISTED) vlad_move_kept(m, mark, arrays, kinds, count);
    else vlad_move_state(m, mark, arrays, kinds, count, 0, 0);
}

/* A cell of which all accumulators that it leads to are handed over, with the header that it had. */
struct vlad_handed_over {
    union vlad_bits *from;
    const union vlad_bits *to;
    uint64_t header;
};

/* Notes two cells, behind the last cell, unless they are one, or have been noted. */
static inline void vlad_note_pair(struct vlad_machine *m, const union vlad_bits *from, const union vlad_bits *to) {
    struct vlad_first_order *state = &m->first_order;
    struct vlad_handed_over pair = {(union vlad_bits *)(uintptr_t)from, to, 0};
    if (from == to || !(pair.from[-1].word & VLAD_STAYS)) return;
    if (VLAD_UNLIKELY((size_t)(state->arrays_end - state->arrays_top) < sizeof pair)) m->services->more_arrays(m, sizeof pair);
    pair.header = pair.from[-1].word;
    pair.from[-1].word = 0;
    memcpy(state->arrays_top, &pair, sizeof pair);
    state->arrays_top += sizeof pair;
}

/* The second cell is what the first was, executed again: they are alike, but for the cells that were made since, which may be
 * other ones. An accumulator that both lead to is that of an older node; else each has its own, with a header. */
static inline void vlad_hand_over(struct vlad_machine *m, const union vlad_bits *from, const union vlad_bits *to) {
    unsigned char *begin = m->first_order.arrays_top, *next = begin;
    vlad_note_pair(m, from, to);
    for (struct vlad_handed_over pair; next != m->first_order.arrays_top; next += sizeof pair) {
        memcpy(&pair, next, sizeof pair);
        if (pair.header & VLAD_IS_SUM) ((union vlad_bits *)(uintptr_t)pair.to)->real = pair.from->real;
        uint64_t parts = VLAD_CELLS_OF(pair.header);
        for (uint32_t word = 0; parts; parts >>= 1, word++)
            if (parts & 1) vlad_note_pair(m, vlad_cell_of(pair.from[word].word), vlad_cell_of(pair.to[word].word));
    }
    while (next != begin) {
        struct vlad_handed_over pair;
        next -= sizeof pair;
        memcpy(&pair, next, sizeof pair);
        pair.from[-1].word = pair.header;
    }
    m->first_order.arrays_top = begin;
}

#endif
