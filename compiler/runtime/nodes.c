/* Values by the numbers of nodes: what is known of nodes that are not on a tape, of which there are few.
 *
 * A table with open addressing, half free at least. Nothing is ever taken out of it; but a table that is widened leaves
 * behind what is no longer needed, so that its size is that of what is.
 */
#include "machine_private.h"
#include <stdlib.h>

#define SMALLEST_TABLE ((size_t)64)

/* The place of a key: taken by it, or free. */
static struct vlad_node_entry *entry_of(const struct vlad_nodes *nodes, uint64_t key) {
    uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);
    size_t place = (size_t)(mixed >> 20) & (nodes->capacity - 1);
    while (nodes->entries[place].key && nodes->entries[place].key != key) place = (place + 1) & (nodes->capacity - 1);
    return &nodes->entries[place];
}

vlad_value *vlad_nodes_find(const struct vlad_nodes *nodes, uint64_t node) {
    if (nodes->count == 0) return 0;
    struct vlad_node_entry *entry = entry_of(nodes, node + 1);
    return entry->key ? &entry->value : 0;
}

/* Room for as much again as is needed of what there is. */
static void widen(struct vlad_machine *m, struct vlad_nodes *nodes, uint64_t end) {
    size_t needed = 0;
    for (size_t place = 0; place < nodes->capacity; place++)
        needed += nodes->entries[place].key && nodes->entries[place].key - 1 < end;
    struct vlad_nodes wider = {0, needed, SMALLEST_TABLE};
    while (wider.capacity / 4 < needed + 1) wider.capacity *= 2;
    wider.entries = calloc(wider.capacity, sizeof *wider.entries);
    if (!wider.entries) vlad_out_of_memory(m);
    for (size_t place = 0; place < nodes->capacity; place++) {
        const struct vlad_node_entry *entry = &nodes->entries[place];
        if (!entry->key) continue;
        if (entry->key - 1 < end)
            *entry_of(&wider, entry->key) = *entry;
        else
            vlad_drop(m, entry->value);
    }
    free(nodes->entries);
    *nodes = wider;
}

vlad_value *vlad_nodes_place(struct vlad_machine *m, struct vlad_nodes *nodes, uint64_t node, uint64_t end) {
    if (nodes->count >= nodes->capacity / 2) {
        vlad_value *known = vlad_nodes_find(nodes, node);
        if (known) return known;
        widen(m, nodes, end);
    }
    struct vlad_node_entry *entry = entry_of(nodes, node + 1);
    if (!entry->key) {
        entry->key = node + 1;
        entry->value = vlad_real(0.0);
        nodes->count++;
    }
    return &entry->value;
}

void vlad_nodes_clear(struct vlad_machine *m, struct vlad_nodes *nodes) {
    if (nodes->count == 0) return;
    int is_large = nodes->capacity > SMALLEST_TABLE;
    for (size_t place = 0; place < nodes->capacity; place++) {
        vlad_drop(m, nodes->entries[place].value);
        nodes->entries[place].key = 0;
        nodes->entries[place].value = vlad_nil();
    }
    nodes->count = 0;
    if (!is_large) return;
    free(nodes->entries);
    *nodes = (struct vlad_nodes){0, 0, 0};
}
