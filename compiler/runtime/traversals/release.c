/* The release of dead objects, without recursion.
 *
 * Dead objects are in a worklist linked through the objects themselves, so freeing takes no memory and no stack, however
 * deep the data are.
 */
#include "release.h"
#include "memory.h"
#include "record.h"
#include "vector.h"

/* The first value of an object: in a dead one the link of the worklist. */
static vlad_value *first_value(vlad_value object) {
    if (vlad_is_vector(object)) return &vlad_as_vector(object)->link;
    return vlad_has_slots(object) ? vlad_as_slots(object)->values : &vlad_as_pair(object)->first;
}

static int dies(vlad_value v) { return vlad_in_heap(v) && --vlad_header_of(v)->count == 0; }

/* Pushes a dead object on the worklist, and returns the list. The link replaces the object's first value; if that dies,
 * too, it is pushed in the same way. A vector of reals is freed at once. */
static VLAD_INLINE vlad_value add_dead(struct vlad_machine *m, vlad_value list, vlad_value dead) {
    for (;;) {
        if (vlad_is_vector(dead)) {
            struct vlad_vector *vector = vlad_as_vector(dead);
            if (vlad_has_reals(vector)) {
                vlad_reals_die(m, vector);
                return list;
            }
            vector->link = list;
            return dead;
        }
        vlad_value *place = first_value(dead);
        vlad_value displaced = *place;
        *place = list;
        list = dead;
        if (!dies(displaced)) return list;
        dead = displaced;
    }
}

static VLAD_INLINE int is_cell(vlad_value object) { return !vlad_has_slots(object) && !vlad_is_vector(object); }

/* True if it is a cell with no half in the heap. */
static VLAD_INLINE int is_leaf(vlad_value object) {
    const struct vlad_pair *cell = vlad_as_pair(object);
    return is_cell(object) && !vlad_in_heap(cell->first) && !vlad_in_heap(cell->second);
}

/* Frees as much as possible of a dead object without a worklist: most dead objects are pairs and lifted reals, of which
 * at most one half has parts. The remaining object is dead in turn; returns 0 if there is none. */
static VLAD_INLINE int destroy_cells(struct vlad_machine *m, vlad_value *dead) {
    while (is_cell(*dead)) {
        struct vlad_pair *cell = vlad_as_pair(*dead);
        vlad_value first = cell->first, second = cell->second;
        int goes_on = dies(first);
        if (goes_on && is_leaf(first)) {
            vlad_free_cell(m, vlad_as_pair(first));
            goes_on = 0;
        }
        if (!goes_on) {
            vlad_free_cell(m, cell);
            if (!dies(second)) return 0;
            *dead = second;
            continue;
        }
        if (dies(second)) {
            if (!is_leaf(second)) {
                vlad_header_of(first)->count = 1;
                vlad_header_of(second)->count = 1;
                return 1;
            }
            vlad_free_cell(m, vlad_as_pair(second));
        }
        vlad_free_cell(m, cell);
        *dead = first;
    }
    return 1;
}

/* Frees a dead object, and pushes the objects that die with it on the worklist; skips the values before `from`. */
static VLAD_INLINE vlad_value destroy_one(struct vlad_machine *m, vlad_value list, vlad_value object, uint32_t from) {
    if (vlad_is_vector(object)) {
        struct vlad_vector *vector = vlad_as_vector(object);
        if (vlad_has_reals(vector)) {
            vlad_reals_die(m, vector);
            return list;
        }
        for (uint64_t index = 0; index < vector->length; index++)
            if (dies(vector->elements.values[index])) list = add_dead(m, list, vector->elements.values[index]);
        vlad_array_give(m, vector->elements.values);
        vlad_free_cell(m, vector);
    } else if (vlad_has_slots(object)) {
        struct vlad_slots *slots = vlad_as_slots(object);
        /* The numbers saved on its tape refer only to numbers of older levels, of which there are few. */
        if (vlad_kind(object) == VLAD_BACKPROPAGATOR) vlad_backpropagator_dies(m, slots);
        for (uint32_t value = from; value < slots->header.extent; value++)
            if (dies(slots->values[value])) list = add_dead(m, list, slots->values[value]);
        vlad_slots_give(vlad_private(m), slots);
    } else {
        vlad_value first = vlad_as_pair(object)->first, second = vlad_as_pair(object)->second;
        vlad_free_cell(m, vlad_as_pair(object));
        if (from == 0 && dies(first)) list = add_dead(m, list, first);
        if (dies(second)) list = add_dead(m, list, second);
    }
    return list;
}

/* The worklist ends in a value that is not of the heap; the first value of an object in it is already handled. All dead
 * objects are freed without a clock and cancellation check: that takes less time than building them, some 10 ns an
 * object, and a run could not stop in between without losing the count of live objects. */
void vlad_destroy(struct vlad_machine *m, vlad_value dead) {
    if (!destroy_cells(m, &dead)) return;
    vlad_value list = destroy_one(m, vlad_nil(), dead, 0);
    while (vlad_in_heap(list)) {
        vlad_value object = list;
        list = destroy_one(m, *first_value(object), object, 1);
    }
}
