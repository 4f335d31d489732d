/* What the host, which is written in Rust, calls (compiler/src/foreign/interface.rs says the same in Rust).
 *
 * No function here may be called from within another on the same machine, but for the calls of the host that the driver
 * makes, which must not touch the machine.
 */
#ifndef VLAD_HOST_INTERFACE_H
#define VLAD_HOST_INTERFACE_H

#include "machine_private.h"

/* What a machine is made of; what the pointers lead to must outlive it. */
struct vlad_setup {
    const struct vlad_program *program;
    const struct vlad_mathematics *mathematics;
    struct vlad_host_calls calls;
    void *host;
    int64_t steps; /* the limit, if the program is stoppable; else VLAD_NO_LIMIT */
    uint32_t globals;
    uint32_t constants;
    uint32_t shipped_nodes;
    uint32_t is_observed; /* whether the host wants to be told what operators do */
    int64_t taken;        /* the steps that the run has taken already */
    int64_t suspension;   /* the steps after which the run is to be suspended, if the program is stoppable; else VLAD_NO_LIMIT */
};

/* driver.c: a machine, or 0 if the system gives no memory. */
struct vlad_machine *vlad_machine_new(const struct vlad_setup *setup);
/* Gives the machine back with all its memory, whatever state it is in. */
void vlad_machine_free(struct vlad_machine *m);
/* Runs an item, whose outermost node is told. Gives what has become of it, a vlad_status: it has a value, or m->fault says
 * why not, or it stands where the run is to be suspended. */
uint32_t vlad_run_item(struct vlad_machine *m, uint32_t item, uint32_t node);
/* The same of an item that was suspended, from the row of its computation (computation.h), whose values it takes. */
uint32_t vlad_go_on_with_item(struct vlad_machine *m, uint32_t node, const vlad_value *row, uint64_t length);

/* inspect.c: the value of the item that has just run, which is owned by the caller. */
vlad_value vlad_take_result(struct vlad_machine *m);
/* The steps taken so far. */
uint64_t vlad_steps_taken(const struct vlad_machine *m);
/* Why the run has stopped. */
const struct vlad_fault *vlad_fault_of(const struct vlad_machine *m);
/* The length of the row of the item that stands where the run is to be suspended, and the row: its values go over to the
 * caller, and nothing can be run any more. */
uint64_t vlad_row_length(const struct vlad_machine *m);
void vlad_take_row(struct vlad_machine *m, vlad_value *row);
/* The value of a global, borrowed; RAW if there is none yet. */
vlad_value vlad_global(const struct vlad_machine *m, uint32_t global);
/* Sets a global, or a constant, to a value, which they take. */
void vlad_set_global(struct vlad_machine *m, uint32_t global, vlad_value value);
void vlad_set_constant(struct vlad_machine *m, uint32_t constant, vlad_value value);
/* The pair of two values, which it takes; NIL if the system gives no memory. */
vlad_value vlad_pair_or_nil(struct vlad_machine *m, vlad_value first, vlad_value second);
/* The value with a tag whose slots are some values, at least one, which it takes; NIL if the system gives no memory. */
vlad_value vlad_slots_or_nil(struct vlad_machine *m, uint64_t tag, const vlad_value *values, uint32_t count);
/* The vector of some values, which it takes, or of some plain reals; NIL if the system gives no memory. */
vlad_value vlad_vector_or_nil(struct vlad_machine *m, const vlad_value *values, uint64_t count);
vlad_value vlad_reals_or_nil(struct vlad_machine *m, const double *reals, uint64_t count);
/* Gives a value up. */
void vlad_give_up(struct vlad_machine *m, vlad_value value);
/* What an application has read, for a backpropagator: room for so many reals, and their place; 0 if the system gives no
 * memory. */
struct vlad_reads *vlad_reads_or_none(struct vlad_machine *m, uint64_t count);
/* Gives all globals and constants up, after which no item may run, and tells how many objects of the heap are alive. */
uint64_t vlad_live_at_end(struct vlad_machine *m);

/* Where a walk down the frames of a machine that has stopped is. */
struct vlad_frame_walk {
    const struct vlad_machine *machine;
    const vlad_value *top;
    const struct vlad_segment *segment;
    size_t computations; /* those that have not been left */
};
/* What errors tell of a frame. */
struct vlad_pending_frame {
    uint32_t node;     /* the outermost node of the activation that waits */
    uint32_t awaited;  /* the node whose value is awaited */
    uint32_t site;     /* the site of the activation */
    uint32_t has_site; /* whether the frame has it */
    double iteration;  /* the number of the iteration; negative if the frame is not that of one */
};
void vlad_frames_begin(const struct vlad_machine *m, struct vlad_frame_walk *walk);
/* The next frame, innermost first; 0 if there are no more. */
int vlad_frames_next(struct vlad_frame_walk *walk, struct vlad_pending_frame *pending);

#endif
