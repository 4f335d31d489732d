/* The memory of a machine: blocks from the system, and objects cut from them.
 *
 * In builds with memory checks (VLAD_SANITIZED) each object is a block of its own, and goes back to the system when it
 * dies, so that a use after free, or an access beyond its end, is detected.
 *
 * Invariants. A cell holds a pair, a lifted real, a vector or slots of two values. Free objects of a size are in a list
 * linked through their first word, and are reused before new ones are cut.
 */
#include "memory.h"
#include "exits.h"

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
    /* It may have moved: update its neighbours. */
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
/* Allocates one object in a block of its own. */
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

uint64_t vlad_memory_live(const struct machine *machine) { return machine->memory.large; }
#else
/* Cuts space for objects of a size from the chunk, `most` at most; returns their number. A remainder too small for one
 * object is lost. */
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
        /* From the last to the first, so that they are used in the order of their addresses. */
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

/* Allocates slots, whose header is still unset. */
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
    vlad_slots_give(machine, slots);
    return other;
}

void *vlad_grown(struct vlad_machine *m, void *memory, size_t *capacity, size_t least, size_t size) {
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < 64) wanted = 64;
    if (wanted < least) wanted = least;
    void *grown = wanted <= SIZE_MAX / size ? realloc(memory, wanted * size) : 0;
    if (!grown) vlad_out_of_memory(m);
    *capacity = wanted;
    return grown;
}
