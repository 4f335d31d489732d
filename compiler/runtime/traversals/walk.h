/* Traversals that rebuild data, leaf by leaf. */
#ifndef VLAD_WALK_H
#define VLAD_WALK_H

#include "machine.h"

/* The treatment of shared parts: each is visited once and stays shared, or each position is visited separately. */
enum vlad_sharing { VLAD_SHARING_KEPT = 0, VLAD_SHARING_UNDONE = 1 };
/* Says if the result has the primals of its source, as it has when reals are lifted or a level ends; or may have others. */
enum vlad_primals { VLAD_PRIMALS_SAME = 0, VLAD_PRIMALS_OTHER = 1 };
/* Maps the number of a position to the result; the companion is the real at the same position, if there is one. And maps
 * a vector of reals as a whole, if the result does not need each real as a number; else returns 0. The second function is
 * optional. */
typedef vlad_value vlad_leaf(struct vlad_machine *m, void *context, vlad_value number, vlad_value companion);
typedef struct vlad_vector *vlad_leaves(struct vlad_machine *m, void *context, struct vlad_vector *reals,
                                        struct vlad_vector *companion);
struct vlad_making {
    vlad_leaf *number;
    vlad_leaves *vector;
};
/* Rebuilds a value with each real replaced, left to right. */
vlad_value vlad_rebuild(struct vlad_machine *m, vlad_value value, enum vlad_sharing sharing, enum vlad_primals primals,
                        const struct vlad_making *making, void *context);
/* Rebuilds a value from each real and the real at the same position of a companion, which must conform: same shape, same
 * code, equal discrete parts. If it does not, the fault is recorded. */
vlad_value vlad_rebuild_with(struct vlad_machine *m, vlad_value value, vlad_value companion, uint32_t role,
                             enum vlad_sharing sharing, enum vlad_primals primals,
                             const struct vlad_making *making, void *context);

#endif
