/* Maps from node numbers to values, for the few nodes that are not on a tape. */
#ifndef VLAD_NODES_H
#define VLAD_NODES_H

#include "differentiation.h"
#include "machine.h"

struct vlad_node_entry {
    uint64_t key; /* the number of the node plus 1; 0 if the entry is free */
    vlad_value value;
};

/* A pointer to the value of a node; 0 if there is none. */
vlad_value *vlad_nodes_find(const struct vlad_table *nodes, uint64_t node);
/* The same; inserts +0 if there is none. Values of nodes from `end` on are no longer needed. */
vlad_value *vlad_nodes_place(struct vlad_machine *m, struct vlad_table *nodes, uint64_t node, uint64_t end);
/* The entry at a place below the capacity; 0 if it is free. */
static inline struct vlad_node_entry *vlad_nodes_at(const struct vlad_table *nodes, size_t place) {
    struct vlad_node_entry *entry = (struct vlad_node_entry *)(void *)nodes->entries + place;
    return entry->key ? entry : 0;
}
/* Drops the values, which may or may not be of the heap, and frees the table if it is large. */
void vlad_nodes_clear(struct vlad_machine *m, struct vlad_table *nodes);

#endif
