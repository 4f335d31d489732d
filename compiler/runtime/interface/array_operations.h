/* Operations on whole arrays of first-order code, for engine and exports: zeros, comparisons, and moves of cells with
 * arrays. Arrays without cells are moved by kept_arrays.h, unless they are too large for its list.
 *
 * A header of VLAD_ARRAY_HEADER bytes precedes the items of each array. It is zero, or during a move the destination of
 * the items.
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

/* A move of arrays to the beginning of the memory between two addresses. They are first copied behind it. */
struct vlad_move {
    struct vlad_machine *m;
    unsigned char *begin, *end;
};

/* An array at its destination. It is copied when it is reached first. */
static inline struct vlad_array vlad_moved(struct vlad_move *move, struct vlad_array array, uint32_t kind) {
    unsigned char *items = array.items;
    /* The address of an empty array may be that of the next array, and tells nothing. */
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

/* A cell at its destination. Cells outside the memory, like absent cells and cells made of values, are not moved. */
static inline const union vlad_bits *vlad_moved_cell(struct vlad_move *move, const union vlad_bits *cell) {
    const unsigned char *address = (const unsigned char *)cell;
    if (address < move->begin || address >= move->end) return cell;
    union vlad_bits *header = (union vlad_bits *)(uintptr_t)(cell - 1);
    if (header->word & VLAD_STAYS) {
        uint32_t words = (uint32_t)VLAD_WORDS_OF(header->word);
        unsigned char *top = move->m->first_order.arrays_top;
        size_t bytes = (words + 1) * sizeof *cell;
        if (VLAD_UNLIKELY((size_t)(move->m->first_order.arrays_end - top) < bytes)) move->m->services->more_cells(move->m, bytes);
        memcpy(top, header, bytes);
        move->m->first_order.arrays_top = top + bytes;
        header->word = (uint64_t)(uintptr_t)(top + sizeof *cell - (move->end - move->begin));
    }
    return vlad_cell_of(header->word);
}

/* Moves arrays and cells. Arrays have no cells as elements, and cells with a header have no arrays as parts. The parts
 * of copied cells are copied behind them in breadth-first order, as in Cheney's collector. */
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

/* Frees the memory behind a mark, except some arrays. */
static inline void vlad_move_arrays(struct vlad_machine *m, unsigned char *mark, struct vlad_array *arrays,
                                    const unsigned char *kinds, uint32_t count) {
    if ((uint64_t)(m->first_order.arrays_top - mark) <= VLAD_MOST_LISTED) vlad_move_kept(m, mark, arrays, kinds, count);
    else vlad_move_state(m, mark, arrays, kinds, count, 0, 0);
}

/* A pair of cells during vlad_hand_over, with the saved header of the first. */
struct vlad_handed_over {
    union vlad_bits *from;
    const union vlad_bits *to;
    uint64_t header;
};

/* Adds a pair to the worklist behind the last cell, unless both cells are the same or the first was visited. */
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

/* Copies the sums of accumulators from one structure to another. The second structure is made by repeating the
 * execution that made the first, so both have the same shape. A cell in both is older than the execution. Other
 * accumulators have a header, and are paired by their places. */
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
