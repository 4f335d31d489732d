/* The nodes of the tape of numbered nodes (numbered_tape.h), for engine and exports. */
#ifndef VLAD_NUMBERED_NODES_H
#define VLAD_NUMBERED_NODES_H

#include <stddef.h>
#include <stdint.h>

struct vlad_numbered_node {
    double coefficients[2];
    double accumulator;
    uint32_t operands[2];
};

/* Sweeps over the nodes from `above` - 1 down to `from`, which is at least 1. */
static inline void vlad_sweep_nodes(struct vlad_numbered_node *nodes, size_t from, size_t above) {
    for (size_t number = above; number-- > from;) {
        const struct vlad_numbered_node *node = &nodes[number];
        double accumulator = node->accumulator;
        /* A guarded product with a zero is +0. Adding it changes nothing observable. */
        if (accumulator == 0) continue;
        for (int operand = 0; operand < 2; operand++)
            if (node->coefficients[operand] != 0)
                nodes[node->operands[operand]].accumulator += node->coefficients[operand] * accumulator;
    }
}

#endif
