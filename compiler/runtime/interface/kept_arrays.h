/* Compaction of arrays (Lisp 2 style): moves the arrays that stay to the beginning of a piece of memory, and frees the
 * rest. Each array is moved once, towards lower addresses, and no other memory is needed.
 *
 * During a move the headers of these arrays form a list in the order of addresses. A header then has, from the lowest
 * bit on: 1; 1 if the items are arrays; in 31 bits the size of the array, replaced later by its destination; in 31 bits
 * the place of the next header plus 1, or 0. Sizes and places are in words; places count from the beginning. So the
 * piece has at most VLAD_MOST_LISTED bytes.
 */
#ifndef VLAD_KEPT_ARRAYS_H
#define VLAD_KEPT_ARRAYS_H

#include "first_order_paths.h"

/* The size of an element of an array of a kind. */
static inline uint32_t vlad_element_size(uint32_t kind) {
    if ((kind & VLAD_RANK) > 1) return sizeof(struct vlad_array);
    return kind & VLAD_TRUTHS ? 1 : sizeof(double);
}

/* Bits of a header in the list: the first is always set, the second if the items are arrays. */
#define VLAD_IS_KEPT UINT64_C(1)
#define VLAD_HAS_ARRAYS UINT64_C(2)
/* The fields of a header in the list. */
#define VLAD_WORDS_SHIFT 2
#define VLAD_NEXT_SHIFT 33
#define VLAD_MOST_WORDS_LISTED ((UINT64_C(1) << 31) - 1)
#define VLAD_MOST_LISTED (VLAD_MOST_WORDS_LISTED * sizeof(uint64_t))

/* The list of the arrays between two addresses that stay. */
struct vlad_kept {
    unsigned char *begin, *end;
    uint64_t *first, *last;
    uint64_t bytes;
    int is_in_order;
};

static inline uint64_t *vlad_array_header_of(struct vlad_array array) {
    return (uint64_t *)(void *)((unsigned char *)array.items - VLAD_ARRAY_HEADER);
}
static inline uint64_t *vlad_next_header(const struct vlad_kept *kept, const uint64_t *header) {
    uint64_t place = *header >> VLAD_NEXT_SHIFT;
    return place ? (uint64_t *)(void *)kept->begin + (place - 1) : 0;
}
static inline void vlad_set_next_header(const struct vlad_kept *kept, uint64_t *header, const uint64_t *next) {
    uint64_t place = next ? (uint64_t)(next - (const uint64_t *)(const void *)kept->begin) + 1 : 0;
    *header = (*header & ((UINT64_C(1) << VLAD_NEXT_SHIFT) - 1)) | place << VLAD_NEXT_SHIFT;
}
/* The size of an array in the list, or later its destination, both in bytes; the destination counts from the
 * beginning. */
static inline uint64_t vlad_listed_size(const uint64_t *header) {
    return (*header >> VLAD_WORDS_SHIFT & VLAD_MOST_WORDS_LISTED) * sizeof *header;
}
static inline void vlad_set_listed_size(uint64_t *header, uint64_t bytes) {
    *header = (*header & ~(VLAD_MOST_WORDS_LISTED << VLAD_WORDS_SHIFT)) | bytes / sizeof *header << VLAD_WORDS_SHIFT;
}

/* True if an array is in the piece. The address of an empty array may be that of the next array, and tells nothing. */
static inline int vlad_may_move(const struct vlad_kept *kept, struct vlad_array array) {
    const unsigned char *items = array.items;
    return array.length && items >= kept->begin && items < kept->end;
}

/* Adds an array and the arrays in it to the list, unless they are listed already. */
static inline void vlad_list_array(struct vlad_kept *kept, struct vlad_array array, uint32_t kind) {
    if (!vlad_may_move(kept, array)) return;
    uint64_t *header = vlad_array_header_of(array);
    if (*header) return;
    uint64_t bytes = vlad_array_bytes(array.length, vlad_element_size(kind));
    int has_arrays = (kind & VLAD_RANK) > 1;
    *header = VLAD_IS_KEPT | (has_arrays ? VLAD_HAS_ARRAYS : 0);
    vlad_set_listed_size(header, bytes);
    if (!kept->last) kept->first = header;
    else {
        vlad_set_next_header(kept, kept->last, header);
        if (header < kept->last) kept->is_in_order = 0;
    }
    kept->last = header;
    kept->bytes += bytes;
    for (uint64_t index = 0; has_arrays && index < array.length; index++)
        vlad_list_array(kept, vlad_array_at(array, index), kind - 1);
}

/* Cuts a list after its longest ordered beginning. Returns the rest. */
static inline uint64_t *vlad_take_run(const struct vlad_kept *kept, uint64_t *list) {
    while (list && vlad_next_header(kept, list) > list) list = vlad_next_header(kept, list);
    if (!list) return 0;
    uint64_t *others = vlad_next_header(kept, list);
    vlad_set_next_header(kept, list, 0);
    return others;
}

/* Merges two ordered lists. `last` becomes the last header. */
static inline uint64_t *vlad_merged_lists(const struct vlad_kept *kept, uint64_t *one, uint64_t *other, uint64_t **last) {
    uint64_t *first = 0, *end = 0;
    while (one || other) {
        uint64_t **least = !other || (one && one < other) ? &one : &other, *header = *least;
        *least = vlad_next_header(kept, header);
        if (end) vlad_set_next_header(kept, end, header);
        else first = header;
        end = header;
    }
    *last = end;
    return first;
}

/* Sorts a list by merging neighbouring runs. There are few, one for each root. */
static inline uint64_t *vlad_ordered_list(const struct vlad_kept *kept, uint64_t *list) {
    for (;;) {
        uint64_t *first = 0, *last = 0, *rest = list;
        uint32_t merges = 0;
        while (rest) {
            uint64_t *one = rest, *other = vlad_take_run(kept, one), *end;
            rest = vlad_take_run(kept, other);
            uint64_t *merged = vlad_merged_lists(kept, one, other, &end);
            if (last) vlad_set_next_header(kept, last, merged);
            else first = merged;
            last = end;
            merges++;
        }
        list = first;
        if (merges <= 1) return list;
    }
}

static inline unsigned char *vlad_destination(const struct vlad_kept *kept, const uint64_t *header) {
    return kept->begin + vlad_listed_size(header);
}
/* An array at its destination. */
static inline struct vlad_array vlad_array_moved(const struct vlad_kept *kept, struct vlad_array array) {
    if (vlad_may_move(kept, array)) array.items = vlad_destination(kept, vlad_array_header_of(array)) + VLAD_ARRAY_HEADER;
    return array;
}
/* The size of an array in a list with destinations. `end` is the end of the last array's destination. */
static inline uint64_t vlad_listed_bytes(const struct vlad_kept *kept, const uint64_t *header, const unsigned char *end) {
    const uint64_t *next = vlad_next_header(kept, header);
    return (uint64_t)((next ? vlad_destination(kept, next) : end) - vlad_destination(kept, header));
}

/* Moves the arrays of an ordered list to the beginning. Returns the end of the last one. */
static inline unsigned char *vlad_move_listed(struct vlad_kept *kept, struct vlad_array *roots, uint32_t count) {
    unsigned char *end = kept->begin;
    for (uint64_t *header = kept->first; header; header = vlad_next_header(kept, header)) {
        uint64_t bytes = vlad_listed_size(header);
        vlad_set_listed_size(header, (uint64_t)(end - kept->begin));
        end += bytes;
    }
    for (uint64_t *header = kept->first; header; header = vlad_next_header(kept, header)) {
        if (!(*header & VLAD_HAS_ARRAYS)) continue;
        uint64_t length = (vlad_listed_bytes(kept, header, end) - VLAD_ARRAY_HEADER) / sizeof(struct vlad_array);
        struct vlad_array array = {(unsigned char *)header + VLAD_ARRAY_HEADER, length};
        for (uint64_t index = 0; index < length; index++)
            vlad_set_array(array, index, vlad_array_moved(kept, vlad_array_at(array, index)));
    }
    for (uint32_t place = 0; place < count; place++) roots[place] = vlad_array_moved(kept, roots[place]);
    for (uint64_t *header = kept->first; header;) {
        uint64_t *next = vlad_next_header(kept, header);
        unsigned char *destination = vlad_destination(kept, header);
        uint64_t bytes = vlad_listed_bytes(kept, header, end);
        *header = 0;
        if ((unsigned char *)header != destination) memmove(destination, header, bytes);
        header = next;
    }
    return end;
}

/* Gives up the list, and leaves its arrays where they are. */
static inline void vlad_leave_listed(struct vlad_kept *kept) {
    for (uint64_t *header = kept->first; header;) {
        uint64_t *next = vlad_next_header(kept, header);
        *header = 0;
        header = next;
    }
}

/* Frees the memory behind a mark, at most VLAD_MOST_LISTED bytes, except some arrays and the arrays in them. It does
 * nothing if less than an eighth of the memory would be freed. */
static inline void vlad_move_kept(struct vlad_machine *m, unsigned char *mark, struct vlad_array *arrays,
                                  const unsigned char *kinds, uint32_t count) {
    struct vlad_kept kept = {.begin = mark, .end = m->first_order.arrays_top, .is_in_order = 1};
    for (uint32_t place = 0; place < count; place++) vlad_list_array(&kept, arrays[place], kinds[place]);
    uint64_t used = (uint64_t)(kept.end - mark);
    if (kept.bytes > used - used / 8) {
        vlad_leave_listed(&kept);
        return;
    }
    if (!kept.is_in_order) kept.first = vlad_ordered_list(&kept, kept.first);
    m->first_order.arrays_top = vlad_move_listed(&kept, arrays, count);
}

#endif
