/* The callbacks of the host, and the data of checkpoint schedules that they exchange.
 */
#ifndef VLAD_HOST_CALLS_H
#define VLAD_HOST_CALLS_H

#include "value.h"

/* The results of a call of the host. A call that fails has recorded the reason. Any call can break down, which is
 * final. */
enum {
    VLAD_HOST_BROKE_DOWN = -1,
    VLAD_HOST_FAILED = 0,
    VLAD_HOST_DONE = 1
};

/* The checkpoint options of a `checkpoint-*j`: the numbers that its primitive takes. */
#define VLAD_NOT_GIVEN UINT64_MAX
struct vlad_checkpoint_options {
    uint64_t numbers[3];
};

/* The next action of `checkpoint-*j`, from a state that is `from` steps after the beginning. */
struct vlad_action {
    uint32_t kind; /* one of the enum below */
    uint64_t from;
    uint64_t steps;
};
enum {
    VLAD_ACTION_ADVANCE = 0, /* run from the latest state, and keep the state that is reached */
    VLAD_ACTION_REVERSE = 1  /* remove the latest state, run from it, and sweep back over the recorded part */
};

/* The callbacks of the host. All of them return one of the enum above, for vlad_answered (exits.h). */
struct vlad_host_calls {
    /* Checks the clock, cancellation and the memory. */
    int (*look)(void *host);
    /* Checks that the memory limit leaves room for bytes that are about to be filled. */
    int (*room)(void *host, uint64_t bytes);
    /* Reads the next number of the input. */
    int (*read_real)(void *host, double *out);
    /* Tests whether the input has no more words. */
    int (*is_input_over)(void *host, int32_t *out);
    /* Writes a value, which is borrowed, in a layout (machine.h), and a line end; fails if it has no such layout. */
    int (*write)(void *host, uint32_t layout, vlad_value value);
    /* The journals of effects for re-executions (shared/runtime/src/effects.rs); all operate on the newest. */
    int (*journal_begin)(void *host);
    /* Begins a journal that replays earlier reads. */
    int (*journal_replay)(void *host, const double *reads, uint64_t count);
    /* Ends a journal and returns the number of its reads; then returns the reads. */
    int (*journal_end)(void *host, uint64_t *count);
    int (*journal_read)(void *host, double *reads);
    int (*journal_mark)(void *host, uint64_t *mark);
    int (*journal_rewind)(void *host, uint64_t mark);
    int (*journal_settle)(void *host);
    /* Begins the schedule of a `checkpoint-*j` (shared/ad/src/checkpointing) inside the active ones. The execution has
     * `steps` steps, and the nodes from `begin` to before `end`. */
    int (*schedule_begin)(void *host, uint32_t primitive, const struct vlad_checkpoint_options *options, uint64_t steps,
                          uint64_t begin, uint64_t end);
    /* The next action of the newest schedule. `snapshots` states are kept, and `node` is the number of the next node in
     * the latest. `executed` is the number of steps of the previous action, or negative. It fails at the end of the
     * schedule. */
    int (*schedule_next)(void *host, struct vlad_action *action, uint64_t snapshots, uint64_t node, int64_t executed);
    /* Reports the beginning of an operator, at a node, and the end of the newest operator, after `steps` steps. */
    int (*operator_begun)(void *host, uint32_t primitive, uint32_t node);
    int (*operator_ended)(void *host, uint64_t steps);
};

#endif
