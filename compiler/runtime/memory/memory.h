/* The memory of a machine: blocks from the system, objects cut from them, and their free lists (release.h frees dead
 * objects with their parts).
 */
#ifndef VLAD_MEMORY_H
#define VLAD_MEMORY_H

#include "state.h"

/* Initialises the memory of a new machine. */
void vlad_memory_init(struct vlad_memory *memory);
/* Returns all blocks to the system. */
void vlad_memory_free(struct vlad_memory *memory);
/* The number of live objects of the heap. */
uint64_t vlad_memory_live(const struct machine *machine);
/* Allocates a block of `bytes` bytes, aligned for values; 0 if the allocation fails. */
void *vlad_block_take(struct vlad_memory *memory, size_t bytes);
/* Resizes a block, which may move; returns 0, and leaves the block unchanged, if the allocation fails. */
void *vlad_block_resize(struct vlad_memory *memory, void *block, size_t bytes);
/* Frees a block; 0 is allowed. */
void vlad_block_give(struct vlad_memory *memory, void *block);
/* Allocates a cell, or returns 0 if the allocation fails. */
void *vlad_cell_or_none(struct machine *machine);
/* Allocates slots for `values` values, with count 1 and the values unset; or returns 0. */
struct vlad_slots *vlad_slots_or_none(struct machine *machine, uint32_t values);
/* Resizes slots without counted values; returns 0, and leaves them unchanged, if the allocation fails. */
struct vlad_slots *vlad_slots_resize(struct machine *machine, struct vlad_slots *slots, uint32_t values);
/* Frees a cell. */
void vlad_cell_give(struct machine *machine, void *cell);
/* The services of memory. */
#ifdef VLAD_SANITIZED
void vlad_cell_dies(struct vlad_machine *m, void *cell);
#endif
void *vlad_refill_cells(struct vlad_machine *m);
#ifndef VLAD_SANITIZED
void vlad_page_again(struct vlad_machine *m, struct vlad_page *page);
#endif
struct vlad_slots *vlad_make_slots(struct vlad_machine *m, uint32_t values);

/* Frees slots after their values were dropped. */
static inline void vlad_slots_give(struct machine *machine, struct vlad_slots *slots) {
#ifdef VLAD_SANITIZED
    vlad_cell_dies(&machine->public, slots);
#else
    struct vlad_memory *memory = &machine->memory;
    uint32_t values = slots->header.extent;
    if (values == 2) {
        vlad_free_cell(&machine->public, slots);
    } else if (values > VLAD_LISTED_SLOTS) {
        memory->large--;
        vlad_block_give(memory, slots);
    } else {
        *(void **)slots = memory->free_slots[values];
        memory->free_slots[values] = slots;
    }
#endif
}

/* Grows an array of elements of a size, in memory of its own, to at least `least` elements, and keeps its contents; sets
 * the new capacity. */
void *vlad_grown(struct vlad_machine *m, void *memory, size_t *capacity, size_t least, size_t size);

#endif
