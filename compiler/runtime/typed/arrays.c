/* The arrays of specialised code: their memory, without reference counts and free lists, and their conversion to
 * vectors.
 *
 * Arrays are allocated one behind another in a region. At the end of a call or an iteration, the returned arrays are
 * moved to the place of the first array that was allocated in it, and all memory behind them is freed. An array refers
 * only to older arrays and to its elements, so nothing outside refers to freed memory.
 *
 * Cells are in the same region. Code that returns cells frees nothing. A loop with cells in its state moves them if
 * they have headers (first_order_paths.h).
 *
 * Invariant: a header of VLAD_ARRAY_HEADER bytes precedes the items of each array of the region. It is zero, or during
 * a move the destination of the items.
 */
#include "arrays.h"

#include "array_operations.h"
#include "exits.h"
#include "first_order.h"
#include "state.h"
#include "vector.h"

/* The memory that is not given back to the system, since most items need no more. */
#define KEPT ((size_t)256 << 10)
/* The memory between two checks of the limits, and that before the first one. */
#define UNCHECKED ((size_t)4 << 20)
#define FIRST_UNCHECKED KEPT
/* The memory from which on more is taken in large pages, of which a part remains unused. */
#define LARGE ((size_t)8 << 20)
/* Cells, with the records of a sweep that is to come, take a part of the memory that the process may take, 1 / PART_OF_LIMIT at most.
 * Then the item is given up, and blocks execute it again, which free each cell as soon as it is not used any more. So
 * no limit is passed that blocks would keep to; and what was done before took less time than blocks take for it. */
#define PART_OF_LIMIT 4

static struct vlad_region *region_of(struct vlad_machine *m) { return &vlad_private(m)->arrays; }

void vlad_arrays_begin(struct vlad_machine *m) {
    struct vlad_region *region = region_of(m);
    /* Without it there is no memory for any array. */
    if (!region->begin) vlad_region_allocate(region);
    m->first_order.arrays_top = m->first_order.arrays_end = region->begin;
    region->for_cells = 0;
}

void vlad_arrays_end(struct vlad_machine *m) {
    struct vlad_region *region = region_of(m);
    size_t used = (size_t)(m->first_order.arrays_end - region->begin);
    if (used > KEPT) vlad_region_give_back(region, KEPT, used);
    m->first_order.arrays_top = m->first_order.arrays_end = region->begin;
}

void vlad_more_arrays(struct vlad_machine *m, uint64_t bytes) {
    struct vlad_region *region = region_of(m);
    if (!region->begin) vlad_give_up_for(m, VLAD_GIVEN_UP_FOR_MEMORY);
    unsigned char *end = m->first_order.arrays_end;
    size_t used = (size_t)(end - region->begin), part = used ? UNCHECKED : FIRST_UNCHECKED;
    /* A loop that fills an array need not poll. */
    vlad_check_room(m, bytes - (uint64_t)(end - m->first_order.arrays_top));
    size_t checked = bytes < part ? part : (bytes + part - 1) & ~(part - 1);
    if (checked > region->bytes - used) vlad_give_up_for(m, VLAD_GIVEN_UP_FOR_MEMORY);
    if (used + bytes >= LARGE) vlad_region_prefers_large_pages(end, checked);
    /* Whenever it has doubled, since some of the code has come back. */
    if (used + checked > FIRST_UNCHECKED && used >= region->alone) {
        vlad_code_give_back();
        region->alone = 2 * (used + checked);
    }
    m->first_order.arrays_end += checked;
    m->services->poll(m);
}

/* The bytes of the records of sweeps. */
static size_t recorded(const struct vlad_machine *m) {
    const struct vlad_records *records = &m->first_order.records[VLAD_SWEEPS];
    return ((size_t)(records->top - records->base) + records->words_below) * sizeof *records->top;
}

void vlad_more_cells(struct vlad_machine *m, uint64_t bytes) {
    struct vlad_region *region = region_of(m);
    const unsigned char *end = m->first_order.arrays_end;
    if (region->for_cells + recorded(m) >= vlad_private(m)->most_memory / PART_OF_LIMIT)
        vlad_give_up_for(m, VLAD_GIVEN_UP_FOR_MEMORY);
    vlad_more_arrays(m, bytes);
    region->for_cells += (size_t)(m->first_order.arrays_end - end);
}

double vlad_size(struct vlad_machine *m) {
    return (double)(recorded(m) + (size_t)(m->first_order.arrays_top - region_of(m)->begin));
}

vlad_value vlad_vector_of_array(struct vlad_machine *m, struct vlad_array array, uint32_t kind) {
    if (!array.length) return vlad_vector_value(vlad_vector_new(m, 0));
    struct vlad_vector *vector;
    if (kind == 1) {
        vlad_check_room(m, array.length * sizeof(double));
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
    array->items = vlad_array_items(m, vector->length, vlad_element_size(kind));
    for (uint64_t index = 0; index < vector->length; index++)
        if (!take_element(m, vector->elements.values[index], kind, *array, index)) return 0;
    return 1;
}
