/* The operators j* and *j, their halves and parts, and the operations of the tangent space of a value. */
#ifndef VLAD_OPERATORS_H
#define VLAD_OPERATORS_H

#include "differentiation.h"
#include "walk.h"

/* The zero of the tangent space of a value, and the sum of two values of one tangent space. If
 * m->fault.kind is set afterwards there is no result. */
vlad_value vlad_zero(struct vlad_machine *m, vlad_value value);
vlad_value vlad_plus(struct vlad_machine *m, vlad_value first, vlad_value second);
/* A value with each number of the level replaced by its primal. */
vlad_value vlad_primal_at(struct vlad_machine *m, uint32_t level, vlad_value y);
/* x with each position lifted to a number of a reverse level, with the next node. */
vlad_value vlad_number_positions(struct vlad_machine *m, uint32_t level, vlad_value x, enum vlad_sharing sharing);
/* (j* f x x') and (*j f x y') at m->call_node and m->site; they take their operands, push their frame and apply f. */
int vlad_forward(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x, vlad_value tangent);
int vlad_reverse(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x,
                 vlad_value cotangent);
/* The two halves of each, without the frame: the lifted argument of f, and the result made from its value y. `enter`
 * returns the level through its last operand. */
vlad_value vlad_forward_enter(struct vlad_machine *m, vlad_value x, vlad_value tangent, uint32_t *level);
vlad_value vlad_forward_leave(struct vlad_machine *m, uint32_t level, vlad_value y);
/* Their parts: a value lifted to numbers of a forward level; and the end of that level, with the tangent of y, or the
 * primal and the tangent of y, unless a fault is recorded. */
vlad_value vlad_with_tangent(struct vlad_machine *m, uint32_t level, vlad_value x, vlad_value tangent, uint32_t role);
vlad_value vlad_forward_tangent(struct vlad_machine *m, uint32_t level, vlad_value y);
void vlad_forward_split(struct vlad_machine *m, uint32_t level, vlad_value y, vlad_value *primal, vlad_value *tangent);
vlad_value vlad_reverse_enter(struct vlad_machine *m, vlad_value x, uint32_t *level);
vlad_value vlad_reverse_leave(struct vlad_machine *m, uint32_t level, vlad_value x, vlad_value y, vlad_value cotangent);
/* The reverse sweep after the end of a reverse level: the cotangent of x for the cotangent of y, with its role. The tape
 * is consumed. */
vlad_value vlad_reverse_sweep(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape, vlad_value x,
                              vlad_value y, vlad_value cotangent, uint32_t role);

/* A reverse level that has ended, with accumulators in the form of `accumulators_level`. */
struct vlad_reversal {
    uint32_t level;
    uint32_t accumulators_level;
    struct vlad_accumulators *accumulators;
    uint32_t position; /* the next position, in `vlad_gather` */
};
/* Adds the cotangent of y to the accumulators of its nodes, left to right; and returns the accumulated cotangent of x,
 * from the next positions. */
void vlad_seed(struct vlad_machine *m, struct vlad_reversal *reversal, vlad_value y, vlad_value cotangent,
               uint32_t role);
vlad_value vlad_gather(struct vlad_machine *m, struct vlad_reversal *reversal, vlad_value x);

#endif
