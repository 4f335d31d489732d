/* The access of the host to a machine between two runs. Together with driver.h, and vlad_reads_or_none of record.h, it
 * is the interface of the runtime.
 */
#ifndef VLAD_INSPECT_H
#define VLAD_INSPECT_H

#include "state.h"

/* The value of the item that has just run, owned by the caller. */
vlad_value vlad_take_result(struct vlad_machine *m);
/* The steps taken so far. */
uint64_t vlad_steps_taken(const struct vlad_machine *m);
/* The fault that stopped the run. */
const struct vlad_fault *vlad_fault_of(const struct vlad_machine *m);
/* The length of the row of the item that waits where the run is to be suspended, and the row: its values pass to the
 * caller, and no item can run any more. */
uint64_t vlad_row_length(const struct vlad_machine *m);
void vlad_take_row(struct vlad_machine *m, vlad_value *row);
/* The value of a global, borrowed; RAW if there is none yet. */
vlad_value vlad_global(const struct vlad_machine *m, uint32_t global);
/* Set a global, or a constant, to a value, which they take. */
void vlad_set_global(struct vlad_machine *m, uint32_t global, vlad_value value);
void vlad_set_constant(struct vlad_machine *m, uint32_t constant, vlad_value value);
/* The pair of two values, which it takes; NIL if the allocation fails. */
vlad_value vlad_pair_or_nil(struct vlad_machine *m, vlad_value first, vlad_value second);
/* The value with that tag and these values, at least one, as its slots; takes them; NIL if the allocation fails. */
vlad_value vlad_slots_or_nil(struct vlad_machine *m, uint64_t tag, const vlad_value *values, uint32_t count);
/* The vector of some values, which it takes, or of some plain reals; NIL if the allocation fails. */
vlad_value vlad_vector_or_nil(struct vlad_machine *m, const vlad_value *values, uint64_t count);
vlad_value vlad_reals_or_nil(struct vlad_machine *m, const double *reals, uint64_t count);
/* Drops a value. */
void vlad_give_up(struct vlad_machine *m, vlad_value value);
/* Drops all globals and constants, after which no item may run, and returns the number of live objects of the heap. */
uint64_t vlad_live_at_end(struct vlad_machine *m);

/* A cursor over the frames of a stopped machine. */
struct vlad_frame_walk {
    const struct vlad_machine *machine;
    const vlad_value *top;
    const struct vlad_segment *segment;
    size_t computations; /* those that have not been left */
};
/* The data of one pending call, for error messages. */
struct vlad_pending_frame {
    uint32_t node;     /* the outermost node of the activation that waits */
    uint32_t awaited;  /* the node whose value is awaited */
    uint32_t site;     /* the site of the activation */
    uint32_t has_site; /* true if the frame has the site */
    double iteration;  /* the number of the iteration; negative if the frame is not of an iteration of a loop procedure */
};
void vlad_frames_begin(const struct vlad_machine *m, struct vlad_frame_walk *walk);
/* Moves to the next frame, innermost first; 0 if there are no more. */
int vlad_frames_next(struct vlad_frame_walk *walk, struct vlad_pending_frame *pending);

#endif
