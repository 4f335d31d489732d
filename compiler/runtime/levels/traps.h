/* Traps: the fault of the first operation that makes a NaN or an infinity, in runs that ask for it (report, 12.21). The
 * counterpart of shared/ad/src/traps.rs.
 *
 * The code of such a run has been compiled for it: it leaves all arithmetic to the runtime, which executes each operation
 * by its equation, and tests the result. All fast paths of the runtime are off.
 */
#ifndef VLAD_TRAPS_H
#define VLAD_TRAPS_H

#include "state.h"

/* True if the results of operations are tested. */
static inline int vlad_has_traps(struct vlad_machine *m) { return vlad_levels_of(m)->traps != VLAD_TRAPS_OFF; }

/* Begins operations of a derivative. The result is to be passed to the end. */
static inline uint32_t vlad_derivative_begin(struct vlad_machine *m) {
    uint32_t before = vlad_levels_of(m)->in_derivative;
    vlad_levels_of(m)->in_derivative = 1;
    return before;
}
static inline void vlad_derivative_end(struct vlad_machine *m, uint32_t before) {
    vlad_levels_of(m)->in_derivative = before;
}

/* The result of an operation on plain reals, in a run with traps: records the fault if it traps, unless there is one
 * already. The second operand is the first for operations on one. */
double vlad_tested(struct vlad_machine *m, uint32_t operation, double first, double second, double result);
/* A coefficient that is a constant, in any run: records the fault if it traps. */
vlad_value vlad_constant_coefficient(struct vlad_machine *m, double constant);

#endif
