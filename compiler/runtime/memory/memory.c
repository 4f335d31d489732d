/* The memory of a machine: blocks from the system, and objects cut from them.
 *
 * In builds with memory checks (VLAD_SANITIZED) each object is a block of its own, and goes back to the system when it
 * dies, so that a use after free, or an access beyond its end, is detected.
 *
 * Invariants. A cell holds a pair, a lifted real, a vector or slots of two values. It is in a page, which has a list of its free
 * cells. A page is that from which cells are taken, or in the list of pages with free cells, or fewer than VLAD_FREED_AGAIN of its
 * cells are free. Other free objects are in a list for their size. The lists are linked through the first words, and what is in them is
 * reused before new objects are cut.
 */
#include "memory.h"
#include "exits.h"

#include <stdlib.h>

/* Chunks grow between these sizes, so small programs stay small. */
#define SMALLEST_CHUNK ((size_t)64 << 10)
#define LARGEST_CHUNK ((size_t)1 << 20)
/* The value of `freed` of pages that have free cells: frees do not count up to VLAD_FREED_AGAIN from there. */
#define HAS_FREE (VLAD_FREED_AGAIN + 1u)
#define CELLS_OF_PAGE ((VLAD_PAGE - sizeof(struct vlad_page)) / sizeof(struct vlad_pair))

_Static_assert(sizeof(struct vlad_pair) == sizeof(struct vlad_lifted), "pairs and lifted reals share cells");
_Static_assert(sizeof(struct vlad_pair) == sizeof(struct vlad_vector), "and vectors");
_Static_assert(sizeof(struct vlad_pair) == sizeof(struct vlad_slots) + 2 * sizeof(vlad_value), "and slots of two values");

void vlad_memory_init(struct vlad_memory *memory) {
    memset(memory, 0, sizeof *memory);
    memory->blocks.previous = memory->blocks.next = &memory->blocks;
    memory->for_pages.next = memory->for_slots.next = SMALLEST_CHUNK;
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
/* Cuts space for an object of a size, at an address that is a multiple of `alignment`, from a chunk; returns 0 if the
 * allocation of another chunk fails. What remains before the object, or is too small for one, is lost. */
static void *cut(struct vlad_memory *memory, struct vlad_chunk *chunk, size_t size, size_t alignment) {
    size_t before = -(uintptr_t)chunk->rest & (alignment - 1);
    if (chunk->left < before + size) {
        char *begin = vlad_block_take(memory, chunk->next);
        if (!begin) return NULL;
        chunk->rest = begin;
        chunk->left = chunk->next;
        if (chunk->next < LARGEST_CHUNK) chunk->next *= 2;
        before = -(uintptr_t)begin & (alignment - 1);
    }
    void *object = chunk->rest + before;
    chunk->rest += before + size;
    chunk->left -= before + size;
    return object;
}

/* Returns a new page, all of whose cells are free; 0 if the allocation fails. */
static struct vlad_page *new_page(struct vlad_memory *memory) {
    struct vlad_page *page = cut(memory, &memory->for_pages, VLAD_PAGE, VLAD_PAGE);
    if (!page) return NULL;
    *page = (struct vlad_page){NULL, HAS_FREE, NULL, memory->pages};
    memory->pages = page;
    memory->cut[2] += CELLS_OF_PAGE;
    /* From the last to the first, so that they are used in the order of their addresses. */
    struct vlad_pair *cells = (struct vlad_pair *)(page + 1);
    for (size_t number = CELLS_OF_PAGE; number-- > 0;) {
        *(void **)(cells + number) = page->free;
        page->free = cells + number;
    }
    return page;
}

void *vlad_cell_or_none(struct machine *machine) {
    struct vlad_memory *memory = &machine->memory;
    struct vlad_page *page = machine->public.page;
    if (!page->free) {
        struct vlad_page *used_up = page;
        page = memory->free_pages;
        if (page) memory->free_pages = page->next;
        else page = new_page(memory);
        if (!page) return NULL;
        used_up->freed = 0;
        machine->public.page = page;
    }
    void *cell = page->free;
    page->free = *(void **)cell;
    return cell;
}

void vlad_page_again(struct vlad_machine *m, struct vlad_page *page) {
    struct vlad_memory *memory = &vlad_private(m)->memory;
    page->freed = HAS_FREE;
    page->next = memory->free_pages;
    memory->free_pages = page;
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
    slots = cut(memory, &memory->for_slots, size_of_slots(values), sizeof(uint64_t));
    if (slots) memory->cut[values]++;
    return slots;
}

static uint64_t length(const void *list) {
    uint64_t count = 0;
    for (; list; list = *(void *const *)list) count++;
    return count;
}

uint64_t vlad_memory_live(const struct machine *machine) {
    const struct vlad_memory *memory = &machine->memory;
    uint64_t live = memory->large + memory->cut[2];
    for (const struct vlad_page *page = memory->pages; page; page = page->other) live -= length(page->free);
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
