/* Hash tables with open addressing, at most half full. An entry begins with its key of one or two words; the first word
 * is not 0. The rest of a new entry is 0. Entries are only removed all together. The memory is a block of the machine,
 * so no fault can leak it.
 */
#ifndef VLAD_TABLE_H
#define VLAD_TABLE_H

#include "differentiation.h"
#include "machine.h"

/* The capacity of the smallest table. */
#define VLAD_SMALLEST_TABLE ((size_t)64)

/* The shape of the entries of a table: their size in bytes, all of it words of 64 bits, and the words of their keys. Callers
 * pass a constant, for which the inline functions are specialised. */
struct vlad_shape {
    size_t size;
    size_t words;
};

/* The entry of a key in a table that has one free at least: its own, or a free one. */
static VLAD_INLINE void *vlad_table_find(const struct vlad_table *table, struct vlad_shape shape, uint64_t first,
                                         uint64_t second) {
    uint64_t mixed = (first * 31 + second) * UINT64_C(0x9e3779b97f4a7c15);
    size_t place = (size_t)(mixed >> 20) & (table->capacity - 1);
    for (;; place = (place + 1) & (table->capacity - 1)) {
        uint64_t *entry = (uint64_t *)(void *)(table->entries + place * shape.size);
        if (!entry[0] || (entry[0] == first && (shape.words == 1 || entry[1] == second))) return entry;
    }
}

/* Moves the entries to a table that is at most a third full, with one more. Entries with a first word of 0 are left
 * out. */
void vlad_table_widen(struct vlad_machine *m, struct vlad_table *table, struct vlad_shape shape);

/* The entry of a key; makes one if there is none, which shows in the count. */
static VLAD_INLINE void *vlad_table_enter(struct vlad_machine *m, struct vlad_table *table, struct vlad_shape shape,
                                          uint64_t first, uint64_t second) {
    if (table->count >= table->capacity / 2) vlad_table_widen(m, table, shape);
    uint64_t *entry = vlad_table_find(table, shape, first, second);
    if (!entry[0]) {
        entry[0] = first;
        if (shape.words == 2) entry[1] = second;
        table->count++;
    }
    return entry;
}

/* Removes all entries, in time proportional to their number; frees a table that is large, or too large for so few. */
void vlad_table_clear(struct vlad_machine *m, struct vlad_table *table, struct vlad_shape shape);
/* Frees the memory. */
void vlad_table_free(struct vlad_machine *m, struct vlad_table *table);

#endif
