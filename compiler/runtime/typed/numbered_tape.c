/* The tape of specialised code (numbered_tape.h): a growing block of memory, which is freed when the item ends. */
#include "numbered_tape.h"
#include "exits.h"
#include "memory.h"
#include "numbered_nodes.h"

#define SMALLEST_TAPE ((size_t)1 << 10)
/* The most nodes of a tape in an item with arrays. */
#define MOST_NODES_BESIDE_ARRAYS ((size_t)1 << 23)
/* The nodes between two checks of the clock. */
#define NODES_AT_ONCE ((size_t)1 << 16)

static struct vlad_numbered_tape *tape_of(struct vlad_machine *m) { return &vlad_private(m)->numbered_tape; }

/* Checks the limits, which end the run at once. */
static void look(struct vlad_machine *m) {
    vlad_look(m);
    if (m->fault.kind) vlad_host_broke_down(m);
}

static void grow(struct vlad_machine *m, struct vlad_numbered_tape *tape) {
    size_t room = tape->room ? 2 * tape->room : SMALLEST_TAPE;
    /* Tagged code tapes loops over vectors in less memory: it takes over what is long. */
    if (room > MOST_NODES_BESIDE_ARRAYS && m->first_order.arrays_end > vlad_private(m)->arrays.begin)
        vlad_give_up_for(m, VLAD_GIVEN_UP_FOR_MEMORY);
    struct vlad_numbered_node *nodes = NULL;
    if (room <= UINT32_MAX) nodes = vlad_block_resize(&vlad_private(m)->memory, tape->nodes, room * sizeof *nodes);
    if (!nodes) vlad_out_of_memory(m);
    tape->nodes = nodes;
    tape->room = room;
    look(m);
}

static double added(struct vlad_machine *m, struct vlad_numbered_node node) {
    struct vlad_numbered_tape *tape = tape_of(m);
    if (VLAD_UNLIKELY(tape->length == tape->room)) grow(m, tape);
    tape->nodes[tape->length] = node;
    return (double)tape->length++;
}

void vlad_numbered_begin(struct vlad_machine *m) {
    tape_of(m)->length = 0;
    added(m, (struct vlad_numbered_node){{0, 0}, 0, {0, 0}});
}

double vlad_numbered_independent(struct vlad_machine *m) {
    return added(m, (struct vlad_numbered_node){{0, 0}, 0, {0, 0}});
}

double vlad_numbered_node(struct vlad_machine *m, double first, double coefficient, double second, double of_second) {
    if (first == 0 && second == 0) return 0;
    return added(m, (struct vlad_numbered_node){{coefficient, of_second}, 0, {(uint32_t)first, (uint32_t)second}});
}

/* What is added to node 0 is never read. */
void vlad_numbered_seed(struct vlad_machine *m, double number, double cotangent) {
    tape_of(m)->nodes[(uint32_t)number].accumulator += cotangent;
}

void vlad_numbered_sweep(struct vlad_machine *m) {
    struct vlad_numbered_tape *tape = tape_of(m);
    for (size_t above = tape->length; above > 1;) {
        size_t from = above > NODES_AT_ONCE ? above - NODES_AT_ONCE : 1;
        vlad_sweep_nodes(tape->nodes, from, above);
        above = from;
        if (above > 1) look(m);
    }
}

double vlad_numbered_accumulator(struct vlad_machine *m, double number) {
    return tape_of(m)->nodes[(uint32_t)number].accumulator;
}
