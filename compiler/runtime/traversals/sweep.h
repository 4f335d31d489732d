/* Reverse sweeps over tapes. */
#ifndef VLAD_SWEEP_H
#define VLAD_SWEEP_H

#include "differentiation.h"
#include "machine.h"

/* The reverse sweep over the nodes of a level that has ended, from the accumulators of the outputs to those of
 * the independent operand. The recorded operations are discarded. */
void vlad_sweep(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape);
/* Adds to the cotangent carried for a node, which may be from before the tape. */
void vlad_carry_add(struct vlad_machine *m, struct vlad_level *level, uint64_t node, vlad_value contribution);
/* The cotangent carried for a node, a zero as +0. */
vlad_value vlad_carried(struct vlad_machine *m, const struct vlad_level *level, uint64_t node);
/* The reverse sweep over the part of a level's nodes that is on its tape: from the accumulators in `carry` of those nodes
 * to those of the nodes before. */
void vlad_sweep_part(struct vlad_machine *m, uint32_t level);
/* The same over a tape that is kept, with separate accumulators in the form of `accumulators_level`. */
void vlad_sweep_kept(struct vlad_machine *m, uint32_t level, const struct vlad_tape *tape, uint32_t accumulators_level,
                     struct vlad_accumulators *accumulators);

#endif
