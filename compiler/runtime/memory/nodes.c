/* A map from node numbers to values: a hash table (table.h). When it grows, entries that are no longer needed are left
 * out, so that its size is proportional to the entries in use.
 */
#include "nodes.h"
#include "table.h"

static const struct vlad_shape of_nodes = {sizeof(struct vlad_node_entry), 1};

vlad_value *vlad_nodes_find(const struct vlad_table *nodes, uint64_t node) {
    if (nodes->count == 0) return 0;
    struct vlad_node_entry *entry = vlad_table_find(nodes, of_nodes, node + 1, 0);
    return entry->key ? &entry->value : 0;
}

/* Widens a table, and leaves out the nodes from `end` on. */
static void widen(struct vlad_machine *m, struct vlad_table *nodes, uint64_t end) {
    for (size_t place = 0; place < nodes->capacity; place++) {
        struct vlad_node_entry *entry = vlad_nodes_at(nodes, place);
        if (!entry || entry->key - 1 < end) continue;
        vlad_drop(m, entry->value);
        entry->key = 0;
        nodes->count--;
    }
    vlad_table_widen(m, nodes, of_nodes);
}

vlad_value *vlad_nodes_place(struct vlad_machine *m, struct vlad_table *nodes, uint64_t node, uint64_t end) {
    if (nodes->count >= nodes->capacity / 2) {
        vlad_value *known = vlad_nodes_find(nodes, node);
        if (known) return known;
        widen(m, nodes, end);
    }
    size_t count = nodes->count;
    struct vlad_node_entry *entry = vlad_table_enter(m, nodes, of_nodes, node + 1, 0);
    if (nodes->count != count) entry->value = vlad_real(0.0);
    return &entry->value;
}

void vlad_nodes_clear(struct vlad_machine *m, struct vlad_table *nodes) {
    if (nodes->count == 0) return;
    for (size_t place = 0; place < nodes->capacity; place++) {
        const struct vlad_node_entry *entry = vlad_nodes_at(nodes, place);
        if (entry) vlad_drop(m, entry->value);
    }
    if (nodes->capacity > VLAD_SMALLEST_TABLE)
        vlad_table_free(m, nodes);
    else
        vlad_table_clear(m, nodes, of_nodes);
}
