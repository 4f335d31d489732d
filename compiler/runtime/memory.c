/* The memory of a machine: blocks from the system, objects cut from them, and freeing without recursion.
 *
 * Where memory is checked (VLAD_SANITIZED) each object is a block of its own, and goes back to the system when it dies, so
 * that whoever uses it afterwards, or reads beyond it, is found out.
 *
 * Invariants. A cell serves pairs, lifted reals, vectors and slots of two values. Free objects of a size stand in a list
 * through their first word, and are used again before anything new is cut. What dies is taken apart by a list of dead objects
 * that runs through the objects themselves, so freeing takes no memory and no stack, however deep the data are.
 */
#include "machine_private.h"
#include "reflection.h"
#include "vector.h"

#include <stdlib.h>

/* Chunks grow between these sizes, so small programs stay small. */
#define SMALLEST_CHUNK ((size_t)64 << 10)
#define LARGEST_CHUNK ((size_t)1 << 20)
/* Cells are cut in batches of this many at most. */
#define CELLS_IN_BATCH 64

_Static_assert(sizeof(struct vlad_pair) == sizeof(struct vlad_lifted), "pairs and lifted reals share cells");
_Static_assert(sizeof(struct vlad_pair) == sizeof(struct vlad_vector), "and vectors");
_Static_assert(sizeof(struct vlad_pair) == sizeof(struct vlad_slots) + 2 * sizeof(vlad_value), "and slots of two values");

void vlad_memory_init(struct vlad_memory *memory) {
    memset(memory, 0, sizeof *memory);
    memory->blocks.previous = memory->blocks.next = &memory->blocks;
    memory->next_chunk = SMALLEST_CHUNK;
}

void vlad_memory_free(struct vlad_memory *memory) {
    struct vlad_memory_block *block = memory->blocks.next;
    while (block != &memory->blocks) {
        struct vlad_memory_block *next = block->next;
        free(block);
        block = next;
    }
    vlad_memory_init(memory);
}

static void *enter_in_ring(struct vlad_memory *memory, struct vlad_memory_block *block) {
    block->previous = &memory->blocks;
    block->next = memory->blocks.next;
    block->next->previous = block;
    memory->blocks.next = block;
    return block + 1;
}

void *vlad_block_take(struct vlad_memory *memory, size_t bytes) {
    if (bytes > SIZE_MAX - sizeof(struct vlad_memory_block)) return NULL;
    struct vlad_memory_block *block = malloc(sizeof *block + bytes);
    return block ? enter_in_ring(memory, block) : NULL;
}

void *vlad_block_resize(struct vlad_memory *memory, void *old, size_t bytes) {
    if (!old) return vlad_block_take(memory, bytes);
    if (bytes > SIZE_MAX - sizeof(struct vlad_memory_block)) return NULL;
    struct vlad_memory_block *block = realloc((struct vlad_memory_block *)old - 1, sizeof *block + bytes);
    if (!block) return NULL;
    /* It may have moved: its neighbours learn where it is. */
    block->previous->next = block;
    block->next->previous = block;
    return block + 1;
}

void vlad_block_give(struct vlad_memory *memory, void *given) {
    (void)memory;
    if (!given) return;
    struct vlad_memory_block *block = (struct vlad_memory_block *)given - 1;
    block->previous->next = block->next;
    block->next->previous = block->previous;
    free(block);
}

static size_t size_of_slots(size_t values) { return sizeof(struct vlad_slots) + values * sizeof(vlad_value); }

#ifdef VLAD_SANITIZED
/* Room for one object in a block of its own. */
static void *object_alone(struct vlad_memory *memory, size_t size) {
    void *object = vlad_block_take(memory, size);
    if (object) memory->large++;
    return object;
}

void *vlad_cell_or_none(struct machine *machine) { return object_alone(&machine->memory, sizeof(struct vlad_pair)); }

void vlad_cell_dies(struct vlad_machine *m, void *cell) {
    struct vlad_memory *memory = &vlad_private(m)->memory;
    memory->large--;
    vlad_block_give(memory, cell);
}

static struct vlad_slots *room_for_slots(struct machine *machine, uint32_t values) {
    return object_alone(&machine->memory, size_of_slots(values));
}

static void free_slots(struct vlad_machine *m, struct vlad_slots *slots) { vlad_cell_dies(m, slots); }

uint64_t vlad_memory_live(const struct machine *machine) { return machine->memory.large; }
#else
/* Room for objects of a size, at most so many of them; gives how many. What is left of a chunk that is too small for one
 * is lost. */
static size_t cut(struct vlad_memory *memory, size_t size, size_t most, char **place) {
    if (memory->chunk_left < size) {
        char *chunk = vlad_block_take(memory, memory->next_chunk);
        if (!chunk) return 0;
        memory->chunk = chunk;
        memory->chunk_left = memory->next_chunk;
        if (memory->next_chunk < LARGEST_CHUNK) memory->next_chunk *= 2;
    }
    size_t room = memory->chunk_left / size;
    size_t count = room < most ? room : most;
    *place = memory->chunk;
    memory->chunk += count * size;
    memory->chunk_left -= count * size;
    return count;
}

void *vlad_cell_or_none(struct machine *machine) {
    struct vlad_machine *m = &machine->public;
    if (!m->free_cells) {
        char *cells;
        size_t count = cut(&machine->memory, sizeof(struct vlad_pair), CELLS_IN_BATCH, &cells);
        machine->memory.cut[2] += count;
        /* Last to first, so that they are used in the order in which they stand. */
        while (count-- > 0) {
            void *cell = cells + count * sizeof(struct vlad_pair);
            *(void **)cell = m->free_cells;
            m->free_cells = cell;
        }
    }
    void *cell = m->free_cells;
    if (cell) m->free_cells = *(void **)cell;
    return cell;
}

/* Room for slots, whose header is not yet set. */
static struct vlad_slots *room_for_slots(struct machine *machine, uint32_t values) {
    struct vlad_memory *memory = &machine->memory;
    if (values == 2) return vlad_cell_or_none(machine);
    if (values > VLAD_LISTED_SLOTS) {
        struct vlad_slots *large = vlad_block_take(memory, size_of_slots(values));
        if (large) memory->large++;
        return large;
    }
    void *slots = memory->free_slots[values];
    if (slots) {
        memory->free_slots[values] = *(void **)slots;
        return slots;
    }
    char *place;
    if (cut(memory, size_of_slots(values), 1, &place) == 0) return NULL;
    memory->cut[values]++;
    return (struct vlad_slots *)place;
}

static void free_slots(struct vlad_machine *m, struct vlad_slots *slots) {
    struct vlad_memory *memory = &vlad_private(m)->memory;
    uint32_t values = slots->header.extent;
    if (values == 2) {
        vlad_free_cell(m, slots);
    } else if (values > VLAD_LISTED_SLOTS) {
        memory->large--;
        vlad_block_give(memory, slots);
    } else {
        *(void **)slots = memory->free_slots[values];
        memory->free_slots[values] = slots;
    }
}

static uint64_t length(const void *list) {
    uint64_t count = 0;
    for (; list; list = *(void *const *)list) count++;
    return count;
}

uint64_t vlad_memory_live(const struct machine *machine) {
    const struct vlad_memory *memory = &machine->memory;
    uint64_t live = memory->large + memory->cut[2] - length(machine->public.free_cells);
    for (int values = 0; values <= VLAD_LISTED_SLOTS; values++)
        if (values != 2) live += memory->cut[values] - length(memory->free_slots[values]);
    return live;
}
#endif

void *vlad_refill_cells(struct vlad_machine *m) {
    void *cell = vlad_cell_or_none(vlad_private(m));
    if (!cell) vlad_out_of_memory(m);
    return cell;
}

struct vlad_slots *vlad_slots_or_none(struct machine *machine, uint32_t values) {
    struct vlad_slots *slots = room_for_slots(machine, values);
    if (!slots) return NULL;
    slots->header.count = 1;
    slots->header.extent = values;
    return slots;
}

struct vlad_slots *vlad_make_slots(struct vlad_machine *m, uint32_t values) {
    struct vlad_slots *slots = vlad_slots_or_none(vlad_private(m), values);
    if (!slots) vlad_out_of_memory(m);
    return slots;
}

void vlad_cell_give(struct machine *machine, void *cell) { vlad_free_cell(&machine->public, cell); }

void vlad_slots_give(struct machine *machine, struct vlad_slots *slots) { free_slots(&machine->public, slots); }

struct vlad_slots *vlad_slots_resize(struct machine *machine, struct vlad_slots *slots, uint32_t values) {
    uint32_t old = slots->header.extent;
    if (old > VLAD_LISTED_SLOTS && values > VLAD_LISTED_SLOTS) {
        struct vlad_slots *resized = vlad_block_resize(&machine->memory, slots, size_of_slots(values));
        if (resized) resized->header.extent = values;
        return resized;
    }
    struct vlad_slots *other = vlad_slots_or_none(machine, values);
    if (!other) return NULL;
    memcpy(other->values, slots->values, (old < values ? old : values) * sizeof(vlad_value));
    free_slots(&machine->public, slots);
    return other;
}

/* The first value of an object: where a dead one keeps the link of the list. */
static vlad_value *first_value(vlad_value object) {
    if (vlad_is_vector(object)) return &vlad_as_vector(object)->link;
    return vlad_has_slots(object) ? vlad_as_slots(object)->values : &vlad_as_pair(object)->first;
}

static int dies(vlad_value v) { return vlad_in_heap(v) && --vlad_header_of(v)->count == 0; }

/* Puts a dead object before a list of dead objects, and gives the list. The link takes the place of the object's first
 * value; if that dies with it, it comes before the object in the same way. A vector of reals is freed at once. */
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

/* Whether it is a cell of which no half is in the heap. */
static VLAD_INLINE int is_leaf(vlad_value object) {
    const struct vlad_pair *cell = vlad_as_pair(object);
    return is_cell(object) && !vlad_in_heap(cell->first) && !vlad_in_heap(cell->second);
}

/* Frees what it can of a dead object without a list: most of what dies are pairs and lifted reals, of which one half at
 * most has parts. What is left is dead in its turn; 0 if there is nothing. */
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

/* Frees a dead object, and puts what dies with it before a list of dead objects, but for values before the one given. */
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
        /* The numbers on its tape have no parts but numbers of older levels, of which there are few. */
        if (vlad_kind(object) == VLAD_BACKPROPAGATOR) vlad_backpropagator_dies(m, slots);
        for (uint32_t value = from; value < slots->header.extent; value++)
            if (dies(slots->values[value])) list = add_dead(m, list, slots->values[value]);
        free_slots(m, slots);
    } else {
        vlad_value first = vlad_as_pair(object)->first, second = vlad_as_pair(object)->second;
        vlad_free_cell(m, vlad_as_pair(object));
        if (from == 0 && dies(first)) list = add_dead(m, list, first);
        if (dies(second)) list = add_dead(m, list, second);
    }
    return list;
}

/* The list ends in a value that is not of the heap; the first value of an object in it is done. The whole of what dies is
 * freed without a look at the watch: that takes less time than it took to build, some 10 ns an object, and a run could not
 * stop half way without losing count of what is still alive. */
void vlad_destroy(struct vlad_machine *m, vlad_value dead) {
    if (!destroy_cells(m, &dead)) return;
    vlad_value list = destroy_one(m, vlad_nil(), dead, 0);
    while (vlad_in_heap(list)) {
        vlad_value object = list;
        list = destroy_one(m, *first_value(object), object, 1);
    }
}
