/* The memory of hash tables: growth, and reuse of the memory.
 */
#include "table.h"
#include "exits.h"
#include "memory.h"

/* The maximal size in bytes of a table that is kept for the next use. */
#define MOST_BYTES_KEPT ((size_t)1 << 18)
/* A table with more places than this for each entry is too large for such uses: clearing it would take longer than they
 * do. A table that has just grown has at most four, so uses of similar sizes share a table. */
#define MOST_PLACES_FOR_ENTRY ((size_t)16)

void vlad_table_widen(struct vlad_machine *m, struct vlad_table *table, struct vlad_shape shape) {
    struct vlad_memory *memory = &vlad_private(m)->memory;
    struct vlad_table wider = {0, table->count, VLAD_SMALLEST_TABLE};
    while (wider.capacity / 3 <= table->count) wider.capacity *= 2;
    wider.entries = vlad_block_take(memory, wider.capacity * shape.size);
    if (!wider.entries) vlad_out_of_memory(m);
    memset(wider.entries, 0, wider.capacity * shape.size);
    size_t words = shape.size / sizeof(uint64_t);
    const uint64_t *entry = (const uint64_t *)(const void *)table->entries;
    for (const uint64_t *end = entry + table->capacity * words; entry < end; entry += words) {
        if (!entry[0]) continue;
        uint64_t *moved = vlad_table_find(&wider, shape, entry[0], shape.words == 2 ? entry[1] : 0);
        for (size_t word = 0; word < words; word++) moved[word] = entry[word];
    }
    vlad_block_give(memory, table->entries);
    *table = wider;
}

void vlad_table_clear(struct vlad_machine *m, struct vlad_table *table, struct vlad_shape shape) {
    if (table->count == 0) return;
    int is_sparse = table->capacity > VLAD_SMALLEST_TABLE && table->capacity / MOST_PLACES_FOR_ENTRY > table->count;
    if (is_sparse || table->capacity > MOST_BYTES_KEPT / shape.size) {
        vlad_table_free(m, table);
        return;
    }
    memset(table->entries, 0, table->capacity * shape.size);
    table->count = 0;
}

void vlad_table_free(struct vlad_machine *m, struct vlad_table *table) {
    vlad_block_give(&vlad_private(m)->memory, table->entries);
    *table = (struct vlad_table){0, 0, 0};
}
