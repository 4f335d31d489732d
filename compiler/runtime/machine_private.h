/* The machine as the runtime knows it: the part that generated code sees, and behind it the memory, the stack, the saved
 * registers, the host and the levels of differentiation.
 *
 * Invariants. All memory of a run is in blocks that the machine lists, so it can be given back in one go whatever
 * happened; only the memory of the levels is its own (differentiation.h). The registers are saved exactly while no block
 * of the program runs: between `pause` or `stop` and the driver's next call. Nothing here is shared between machines.
 */
#ifndef VLAD_MACHINE_PRIVATE_H
#define VLAD_MACHINE_PRIVATE_H

#include <setjmp.h>
#include <stddef.h>

#include "computation.h"
#include "differentiation.h"
#include "rules.h"

struct vlad_action;

/* The answers of the host to a call: some calls can fail, and have noted why, and each can break down. */
enum {
    VLAD_HOST_BROKE_DOWN = -1,
    VLAD_HOST_FAILED = 0,
    VLAD_HOST_DONE = 1
};

/* The calls of the host. All of them give one of the enum above, for vlad_answered below. */
struct vlad_host_calls {
    /* Looks at the clock and the memory. */
    int (*look)(void *host);
    /* Reads the next number of the input. */
    int (*read_real)(void *host, double *out);
    /* Writes a value, which is borrowed, and a line end. */
    int (*write)(void *host, vlad_value value);
    /* The journals of effects that are executed again (shared's `effects`), of which the newest is meant. */
    int (*journal_begin)(void *host);
    /* Begins one that answers with what was read before. */
    int (*journal_replay)(void *host, const double *reads, uint64_t count);
    /* Ends one, and gives how much it has read; then tells what that is. */
    int (*journal_end)(void *host, uint64_t *count);
    int (*journal_read)(void *host, double *reads);
    int (*journal_mark)(void *host, uint64_t *mark);
    int (*journal_rewind)(void *host, uint64_t mark);
    int (*journal_settle)(void *host);
    /* Begins the schedule of a `checkpoint-*j` of so many steps, inside those under way (shared's `checkpointing`). */
    int (*schedule_begin)(void *host, uint32_t primitive, const struct vlad_division *division, uint64_t steps);
    /* The next action of the newest schedule, with so many states kept; it fails if there is none, and the schedule has ended.
     * The action before took so many steps; negative if there was none. */
    int (*schedule_next)(void *host, struct vlad_action *action, uint64_t snapshots, int64_t executed);
    /* Is told that an operator begins, at a node, and that the newest has ended, after so many steps. */
    int (*operator_begun)(void *host, uint32_t primitive, uint32_t node);
    int (*operator_ended)(void *host, uint64_t steps);
};

/* What `checkpoint-*j` does next, from a state that stands so many steps from the beginning. */
struct vlad_action {
    uint32_t kind; /* one of the enum below */
    uint64_t from;
    uint64_t steps;
};
enum {
    VLAD_ACTION_ADVANCE = 0, /* run from the latest state, and keep the state that is reached */
    VLAD_ACTION_REVERSE = 1  /* take the latest state away, run from it, and sweep back over what was recorded */
};

/* A block of memory from the system; what is handed out follows it. */
struct vlad_memory_block {
    struct vlad_memory_block *previous;
    struct vlad_memory_block *next;
};

/* Slots of up to so many values have lists of free ones by length; those of two values are cells. */
#define VLAD_LISTED_SLOTS 16

struct vlad_memory {
    struct vlad_memory_block blocks; /* the ring of all blocks; this one is empty */
    char *chunk;                     /* what is left of the chunk that objects are cut from */
    size_t chunk_left;
    size_t next_chunk;               /* the size of the next chunk */
    void *free_slots[VLAD_LISTED_SLOTS + 1]; /* by number of values; linked through the first word */
    uint64_t cut[VLAD_LISTED_SLOTS + 1];     /* objects ever cut from chunks, by number of values; cells are at 2 */
    uint64_t large;                          /* slots that are alive and in a block of their own */
};

/* A segment of the stack, in a block of its own. One with references is frozen: nobody writes it, and it owns the values of
 * its frames. */
struct vlad_segment {
    struct vlad_segment *below; /* 0 at the bottom of a computation's own stack, whatever the link; frozen if this is */
    vlad_value *top_below; /* where the segment below ended when this one was begun, or has been returned into so far */
    vlad_value *top;       /* of a frozen one: where its frames end */
    size_t references;     /* the states and the segments above that lead to a frozen one; 0 if it is none */
    size_t values;
    vlad_value contents[];
};

/* A computation under way. */
struct vlad_computation {
    int64_t left;  /* of its own limit, without what was given as fuel */
    int64_t taken; /* what was given as fuel: with the fuel taken away its own count */
    uint64_t inside; /* the computations inside it that have no place of their own, since nobody asks for their counts */
    struct vlad_segment *segment; /* where the operator's frame stands, if it has a stack of its own; else 0 */
    vlad_value *top;
    int is_measured; /* whether its own count matters */
    int is_again;    /* whether its steps are left out of the total */
};

/* The computations under way, the item's first. */
struct vlad_computations {
    struct vlad_computation *rows;
    size_t count;
    size_t capacity;
    int64_t total_left;  /* of the total limit, without what was given as fuel */
    int64_t total_taken; /* what was given as fuel, re-executions aside */
    int64_t suspension;  /* the total after which the run is to be suspended; VLAD_NO_LIMIT if it is not */
};

/* What has become of the item that runs. */
enum vlad_status {
    VLAD_RUNNING = 0,
    VLAD_FINISHED = 1,
    VLAD_STOPPED = 2,
    VLAD_STANDING = 3 /* at the point below top, where the run is to be suspended */
};

/* Why no block runs. */
enum vlad_pausing {
    VLAD_PAUSED = 0,      /* want of transfers, or of fuel in a program that counts by block: goes on with `next` */
    VLAD_SHORT = 1,       /* too little fuel for all steps of `entry` */
    VLAD_SUSPENDED = 2,   /* no fuel at the point on top of the stack: goes on with `next` */
    VLAD_INTERRUPTED = 3  /* its own limit: `state` is what is left of the computation above the frame on top */
};

/* A reversed application whose level has ended: of f at x, with value y, and what it has read. */
struct vlad_application {
    vlad_value f;
    vlad_value x;
    vlad_value y;
    uint32_t level;
    struct vlad_reads *reads;
};

struct machine {
    struct vlad_machine public; /* must be the first */
    const struct vlad_program *program;
    uint32_t shipped_nodes;
    enum vlad_status status;
    /* The registers, while no block runs. */
    enum vlad_pausing pausing;
    vlad_block *next;
    const struct vlad_entry *entry;
    struct vlad_segment *state;
    int64_t interrupted_after; /* the steps that the computation of `state` had taken */
    vlad_value *top;
    int64_t fuel;
    struct vlad_slots *slots;
    vlad_value x;
    struct vlad_computations computations;
    uint32_t pauses; /* since the host looked last */
    uint32_t item_node; /* the outermost node of the item that runs */
    vlad_value result;
    vlad_value *constants;
    uint32_t constant_count;
    uint32_t global_count;
    jmp_buf way_out; /* where to go on if the item cannot: no more memory, or no more host; set while an item runs */
    struct vlad_segment *segment;
    struct vlad_segment *spare;
    struct vlad_memory memory;
    struct vlad_levels levels;
    struct vlad_host_calls calls;
    void *host;
    uint32_t is_observed; /* whether the host is told what operators do */
    uint64_t journals; /* the newest ones that the host has not been told of: nothing was read since they began */
    struct vlad_application pull; /* whose backpropagator is called next (pull.c) */
};

static inline struct machine *vlad_private(struct vlad_machine *m) { return (struct machine *)m; }
static inline struct vlad_levels *vlad_levels_of(struct vlad_machine *m) { return &vlad_private(m)->levels; }

/* The system gives no more memory: ends the item that runs. Not to be called while none runs. */
_Noreturn void vlad_out_of_memory(struct vlad_machine *m);
/* The host has broken down: likewise. */
_Noreturn void vlad_host_broke_down(struct vlad_machine *m);

/* True if the call of the host that gave this answer has done its work; there is no way back to a host that has broken
 * down. */
static inline int vlad_answered(struct machine *machine, int answer) {
    if (VLAD_UNLIKELY(answer == VLAD_HOST_BROKE_DOWN)) vlad_host_broke_down(&machine->public);
    return answer == VLAD_HOST_DONE;
}

/* memory.c: prepares the memory of a new machine. */
void vlad_memory_init(struct vlad_memory *memory);
/* Gives all blocks back to the system. */
void vlad_memory_free(struct vlad_memory *memory);
/* How many objects of the heap are alive. */
uint64_t vlad_memory_live(const struct machine *machine);
/* A block of so many bytes, aligned for values; 0 if the system gives no more. */
void *vlad_block_take(struct vlad_memory *memory, size_t bytes);
/* The same block with another size, perhaps in another place; 0, and the block as it was, if the system gives no more. */
void *vlad_block_resize(struct vlad_memory *memory, void *block, size_t bytes);
/* Gives a block back; 0 is none. */
void vlad_block_give(struct vlad_memory *memory, void *block);
/* A free cell, or 0 if the system gives no more memory. */
void *vlad_cell_or_none(struct machine *machine);
/* Slots for so many values, count 1, values not yet set; or 0. */
struct vlad_slots *vlad_slots_or_none(struct machine *machine, uint32_t values);
/* The same with another number of values, of slots that hold no counted values; 0, and as they were, if there is no memory. */
struct vlad_slots *vlad_slots_resize(struct machine *machine, struct vlad_slots *slots, uint32_t values);
/* Gives slots back whose values are given up, and a cell. */
void vlad_slots_give(struct machine *machine, struct vlad_slots *slots);
void vlad_cell_give(struct machine *machine, void *cell);
/* The services of memory. */
void vlad_destroy(struct vlad_machine *m, vlad_value dead);
#ifdef VLAD_SANITIZED
void vlad_cell_dies(struct vlad_machine *m, void *cell);
#endif
void *vlad_refill_cells(struct vlad_machine *m);
struct vlad_slots *vlad_make_slots(struct vlad_machine *m, uint32_t values);

/* stack.c: the first segment, with the base frame in it; 0 if the system gives no memory. */
int vlad_stack_init(struct machine *machine);
/* The top of a stack that holds the base frame alone. */
vlad_value *vlad_stack_base(struct machine *machine);
vlad_value *vlad_more_stack(struct vlad_machine *m, vlad_value *top, uint32_t values);
/* Begins a stack of its own for a computation and gives its top; leaves it, for good, and gives that of the stack around. */
vlad_value *vlad_stack_begin(struct machine *machine, struct vlad_computation *computation, vlad_value *top);
vlad_value *vlad_stack_end(struct machine *machine, const struct vlad_computation *computation);
/* Freezes the stack of a computation, whose top is a point's frame, and gives one reference to the segment of that. */
struct vlad_segment *vlad_stack_freeze(struct machine *machine);
/* Puts frozen frames, with one reference to their segment, under the stack of a computation that has just begun. */
void vlad_stack_put_under(struct machine *machine, struct vlad_segment *segment);
/* Gives up a reference to a frozen segment. */
void vlad_segment_drop(struct machine *machine, struct vlad_segment *segment);
/* The descriptor of the frame below top. */
static inline const struct vlad_frame *vlad_frame_below(const vlad_value *top) {
    return (const struct vlad_frame *)(uintptr_t)top[-1].word;
}

/* computation.c: the item's computation, of a run that has taken so many steps already; 0 if the system gives no memory. */
int vlad_computations_init(struct machine *machine, int64_t total_limit, int64_t taken, int64_t suspension);
/* The computation that runs. */
static inline struct vlad_computation *vlad_innermost(struct machine *machine) {
    return &machine->computations.rows[machine->computations.count - 1];
}
/* Gives fuel from what is left of the limits, as much as is wanted if there is; takes unused fuel back. */
int64_t vlad_fuel_give(struct machine *machine, int64_t wanted);
void vlad_fuel_take_back(struct machine *machine, int64_t fuel);
/* Ends the innermost computation, which has come to its own limit at the point below top, and gives its state. */
struct vlad_segment *vlad_interrupt_innermost(struct machine *machine);
/* The item that stands at a point, as a row (computation.h): its length, and its values, which are taken from the stack. */
size_t vlad_standing_length(const struct machine *machine);
void vlad_take_standing(struct machine *machine, vlad_value *row);
/* The function of the links of points. */
vlad_block vlad_point;
/* Pushes the frame of a point, as the service `suspend` is given it, and gives the new top. */
vlad_value *vlad_push_point(struct vlad_machine *m, vlad_value *top, struct vlad_slots *slots, uint32_t site,
                            const struct vlad_frame *point);

/* services.c */
extern const struct vlad_services vlad_services;

/* driver.c: the services of the same names. */
int vlad_pause(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
               vlad_block *next);
int vlad_run_short(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
                   const struct vlad_entry *entry);
int vlad_suspend(struct vlad_machine *m, vlad_value *top, struct vlad_slots *slots, uint32_t site,
                 const struct vlad_frame *point);
int vlad_stop(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site);
/* The same for a fault of a call: the frame of the call, if it has one, is on the stack. */
int vlad_stop_at_call(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site);

/* apply.c: the services of the same names. */
vlad_value vlad_apply(struct vlad_machine *m, uint32_t primitive, vlad_value argument);
vlad_value vlad_apply_two(struct vlad_machine *m, uint32_t primitive, vlad_value first, vlad_value second);
vlad_value vlad_apply_many(struct vlad_machine *m, uint32_t primitive, uint32_t count, const vlad_value *operands);
/* Notes that an argument is not what a primitive expects. */
vlad_value vlad_not_expected(struct vlad_machine *m, uint32_t primitive, vlad_value argument);

/* on_vector.c: the services of the same names; and any primitive that works with vectors on its whole argument, which it
 * takes, and which it uses up where nobody else has it. */
vlad_value vlad_vector_set(struct vlad_machine *m, vlad_value vector, vlad_value index, vlad_value value);
vlad_value vlad_vector_push(struct vlad_machine *m, vlad_value vector, vlad_value value);
vlad_value vlad_on_vector(struct vlad_machine *m, uint32_t primitive, vlad_value argument);
/* (get v i), if v is a vector with such an element; 0 if not. */
int vlad_vector_get(struct vlad_machine *m, vlad_value vector, vlad_value index, vlad_value *element);

/* Whether a value is a vector of a length. */
int vlad_is_of_length(vlad_value vector, vlad_value length);

/* call.c: the services of the same names. */
int vlad_call_any(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand);
int vlad_control(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value first,
                 vlad_value second, vlad_value third);

/* journal.c: the journals of effects, for the runtime. A journal that nothing is read in costs no call of the host. */
static inline void vlad_journal_begin(struct machine *machine) { machine->journals++; }
void vlad_journal_replay(struct machine *machine, const double *reads, uint64_t count);
uint64_t vlad_journal_end(struct machine *machine);
uint64_t vlad_journal_mark(struct machine *machine);
void vlad_journal_rewind(struct machine *machine, uint64_t mark);
void vlad_journal_settle(struct machine *machine);
int vlad_journal_read_real(struct machine *machine, double *out);

/* Tells the host, if it wants to know, that an operator begins, and that it has ended. */
static inline void vlad_tell_begun(struct vlad_machine *m, uint32_t primitive) {
    struct machine *machine = vlad_private(m);
    if (VLAD_UNLIKELY(machine->is_observed))
        vlad_answered(machine, machine->calls.operator_begun(machine->host, primitive, m->call_node));
}
static inline void vlad_tell_ended(struct vlad_machine *m, uint64_t steps) {
    struct machine *machine = vlad_private(m);
    if (VLAD_UNLIKELY(machine->is_observed))
        vlad_answered(machine, machine->calls.operator_ended(machine->host, steps));
}

/* Begins the computation that an operator runs above its frame, and ends it; gives its count if it was measured. The host
 * is told if it wants to be, and then all are measured. */
static inline void vlad_operator_begin(struct vlad_machine *m, int64_t *fuel, uint32_t primitive,
                                       enum vlad_measuring measuring) {
    vlad_tell_begun(m, primitive);
    vlad_begin_here(m, fuel, vlad_private(m)->is_observed ? VLAD_MEASURED : measuring);
}
static inline int64_t vlad_operator_end(struct vlad_machine *m, int64_t *fuel) {
    int64_t steps = vlad_end(m, fuel);
    vlad_tell_ended(m, (uint64_t)steps);
    return steps;
}

/* The same for who does not ask for the count: they give the fuel. */
static inline int64_t vlad_operator_begun(struct vlad_machine *m, int64_t fuel, uint32_t primitive) {
    vlad_operator_begin(m, &fuel, primitive, VLAD_UNMEASURED);
    return fuel;
}
static inline int64_t vlad_operator_left(struct vlad_machine *m, int64_t fuel) {
    vlad_operator_end(m, &fuel);
    return fuel;
}

/* Gives the value of an operator, which it takes, to the frame below top: no step comes between such returns, so they count
 * as transfers, after which the driver is asked. */
int vlad_operator_pause(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value x);
static inline int vlad_operator_return(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value x) {
    if (VLAD_LIKELY(--m->transfers >= 0)) VLAD_RETURN(m, top, fuel, x);
    return vlad_operator_pause(m, top, fuel, x);
}

/* equal.c: whether two values are equal?. If m->fault.kind is set afterwards the answer means nothing. */
int vlad_same_value(struct vlad_machine *m, vlad_value first, vlad_value second);

#endif
