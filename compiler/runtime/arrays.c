/* The arrays of specialised code: their memory, which has neither counts nor a free list, and vectors made of them.
 *
 * Arrays are allocated one behind another in a region. Code that ends - a call, an iteration - moves the arrays that it
 * returns to where the first array was that it has allocated, and all other memory from there on is free. An array
 * refers to arrays that are older than itself, or were made as its elements, so nothing outside refers to what is freed.
 *
 * Cells are in the same region. They are never moved; code that returns cells, or a loop with cells in its state, frees nothing.
 *
 * Invariant: a header of VLAD_ARRAY_HEADER bytes is before the items of each array of the region. It is zero but while
 * arrays are moved: then it is the address to which the items go.
 */
#include "arrays.h"

#include "first_order.h"
#include "state.h"
#include "vector.h"

/* The memory between two checks of the limits. */
#define UNCHECKED ((size_t)4 << 20)
/* The memory from which on there are no more cells. */
#define MOST_WITH_CELLS ((size_t)1 << 30)
/* The memory that is not given back to the system, since most items need no more. */
#define KEPT ((size_t)256 << 10)

static struct vlad_region *region_of(struct vlad_machine *m) { return &vlad_private(m)->arrays; }

void vlad_arrays_begin(struct vlad_machine *m) {
    struct vlad_region *region = region_of(m);
    /* Without it there is no memory for any array. */
    if (!region->begin) vlad_region_allocate(region);
    m->first_order.arrays_top = m->first_order.arrays_end = region->begin;
}

void vlad_arrays_end(struct vlad_machine *m) {
    struct vlad_region *region = region_of(m);
    size_t used = (size_t)(m->first_order.arrays_end - region->begin);
    if (used > KEPT) vlad_region_give_back(region, KEPT, used);
    m->first_order.arrays_top = m->first_order.arrays_end = region->begin;
}

void vlad_more_arrays(struct vlad_machine *m, uint64_t bytes) {
    struct vlad_region *region = region_of(m);
    if (!region->begin) vlad_bail_out(m);
    size_t left = (size_t)(region->begin + region->bytes - m->first_order.arrays_end);
    size_t checked = bytes < UNCHECKED ? UNCHECKED : (bytes + UNCHECKED - 1) & ~(UNCHECKED - 1);
    if (checked > left) vlad_bail_out(m);
    m->first_order.arrays_end += checked;
    m->services->poll(m);
}

void vlad_more_cells(struct vlad_machine *m, uint64_t bytes) {
    if ((size_t)(m->first_order.arrays_end - region_of(m)->begin) >= MOST_WITH_CELLS) vlad_bail_out(m);
    vlad_more_arrays(m, bytes);
}

/* The size of an element of an array of a kind. */
static uint32_t size_of(uint32_t kind) {
    if ((kind & VLAD_RANK) > 1) return sizeof(struct vlad_array);
    return kind & VLAD_TRUTHS ? 1 : sizeof(double);
}

struct vlad_array vlad_zeros(struct vlad_machine *m, struct vlad_array like, uint32_t kind) {
    struct vlad_array zeros = {vlad_array_items(m, like.length, size_of(kind)), like.length};
    if ((kind & VLAD_RANK) == 1) {
        memset(zeros.items, 0, like.length * size_of(kind));
        return zeros;
    }
    for (uint64_t index = 0; index < like.length; index++)
        vlad_set_array(zeros, index, vlad_zeros(m, vlad_array_at(like, index), kind - 1));
    return zeros;
}

int vlad_same_lengths(struct vlad_array a, struct vlad_array b, uint32_t kind) {
    if (a.length != b.length) return 0;
    if ((kind & VLAD_RANK) == 1) return 1;
    for (uint64_t index = 0; index < a.length; index++)
        if (!vlad_same_lengths(vlad_array_at(a, index), vlad_array_at(b, index), kind - 1)) return 0;
    return 1;
}

int vlad_same_elements(struct vlad_array a, struct vlad_array b, uint32_t kind) {
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
struct move {
    struct vlad_machine *m;
    unsigned char *begin, *end;
};

/* An array where it will be after the move. An array that is reached twice is moved once. */
static struct vlad_array moved(struct move *move, struct vlad_array array, uint32_t kind) {
    unsigned char *items = array.items;
    if (items < move->begin || items >= move->end) return array;
    uint64_t *header = (uint64_t *)(void *)(items - VLAD_ARRAY_HEADER);
    if (!*header) {
        struct vlad_array copy = {vlad_array_items(move->m, array.length, size_of(kind)), array.length};
        memcpy(copy.items, array.items, array.length * size_of(kind));
        *header = (uint64_t)(uintptr_t)((unsigned char *)copy.items - (move->end - move->begin));
        for (uint64_t index = 0; (kind & VLAD_RANK) > 1 && index < array.length; index++)
            vlad_set_array(copy, index, moved(move, vlad_array_at(copy, index), kind - 1));
    }
    array.items = (void *)(uintptr_t)*header;
    return array;
}

void vlad_move_arrays(struct vlad_machine *m, unsigned char *mark, struct vlad_array *arrays, const unsigned char *kinds,
                      uint32_t count) {
    struct move move = {m, mark, m->first_order.arrays_top};
    for (uint32_t place = 0; place < count; place++) arrays[place] = moved(&move, arrays[place], kinds[place]);
    size_t bytes = (size_t)(m->first_order.arrays_top - move.end);
    memmove(mark, move.end, bytes);
    m->first_order.arrays_top = mark + bytes;
}

vlad_value vlad_vector_of_array(struct vlad_machine *m, struct vlad_array array, uint32_t kind) {
    if (!array.length) return vlad_vector_value(vlad_vector_new(m, 0));
    struct vlad_vector *vector;
    if (kind == 1) {
        vector = vlad_vector_of_reals(m, array.length);
        memcpy(vector->elements.reals, array.items, array.length * sizeof(double));
        return vlad_vector_value(vector);
    }
    vector = vlad_vector_of_values(m, array.length);
    for (uint64_t index = 0; index < array.length; index++)
        vector->elements.values[index] = (kind & VLAD_RANK) > 1
                                             ? vlad_vector_of_array(m, vlad_array_at(array, index), kind - 1)
                                             : vlad_boolean(vlad_truth_at(array, index));
    return vlad_vector_value(vector);
}

/* The element of a vector as that of an array; returns 0 if it is of another kind. */
static int take_element(struct vlad_machine *m, vlad_value element, uint32_t kind, struct vlad_array array,
                        uint64_t index) {
    if ((kind & VLAD_RANK) > 1) {
        struct vlad_array inner;
        if (!vlad_array_of_vector(m, element, kind - 1, &inner)) return 0;
        vlad_set_array(array, index, inner);
        return 1;
    }
    if (element.tag != (kind & VLAD_TRUTHS ? VLAD_BOOLEAN : VLAD_REAL)) return 0;
    if (kind & VLAD_TRUTHS) vlad_set_truth(array, index, element.word != 0);
    else vlad_set_real(array, index, vlad_double(element));
    return 1;
}

int vlad_array_of_vector(struct vlad_machine *m, vlad_value value, uint32_t kind, struct vlad_array *array) {
    if (value.tag != VLAD_VECTOR) return 0;
    const struct vlad_vector *vector = vlad_as_vector(value);
    array->length = vector->length;
    array->items = NULL;
    if (!vector->length) return 1;
    if (vlad_has_reals(vector)) {
        /* The definition keeps its vector as long as the item runs. */
        array->items = vector->elements.reals;
        return kind == 1 && vlad_is_plain_vector(vector);
    }
    array->items = vlad_array_items(m, vector->length, size_of(kind));
    for (uint64_t index = 0; index < vector->length; index++)
        if (!take_element(m, vector->elements.values[index], kind, *array, index)) return 0;
    return 1;
}
