/* Computations: nested runs, each on its own continuation with its own step count (report, part 5), and the states of
 * interrupted computations.
 *
 * The item at top level is a computation; operators begin others above their own frame. Computations nest: the
 * innermost one runs, and the counts of the enclosing ones do not change meanwhile. Fuel is taken from the rest of the
 * running computation's own limit. Unless it is a re-execution, it is taken from the rest of the total limit as well.
 * So both limits hold exactly, at every step. If both are reached at one step, the own limit takes precedence.
 *
 * A state is the frames of an interrupted computation: the innermost is a point (VLAD_FRAME_POINT), which resumes at
 * the entry of a node; the others are continuations of the program. Capturing a state copies nothing: the segments of
 * the stack become *frozen*, and each resumption runs in a segment of its own, into which frames are copied when values
 * return to them. A frozen segment with no other reference becomes part of the stack again.
 *
 * A program stops at nodes only if it was compiled so (VLAD_STOPPABLE); in any other program no computation may have a
 * limit.
 */
#ifndef VLAD_COMPUTATION_H
#define VLAD_COMPUTATION_H

#include <stddef.h>

#include "exits.h"
#include "machine.h"
#include "state.h"

/* The limit of a computation without a limit. */
#define VLAD_NO_LIMIT INT64_MAX

/* Distinguishes first executions, whose steps count for the total of the run, from re-executions, inside which none do. */
enum vlad_execution { VLAD_FIRST_EXECUTION = 0, VLAD_AGAIN = 1 };

/* Says if the operator that begins a computation needs its step count. */
enum vlad_measuring { VLAD_UNMEASURED = 0, VLAD_MEASURED = 1 };

/* Begins a computation without a limit of its own, on the current stack: the frame of the operator is below top, and the
 * code that runs next runs in the computation. Fuel is the register, which may change. The computation ends when the
 * operator calls vlad_end, in the function of its frame. Its steps count for the total unless it is inside a
 * re-execution. Costs almost nothing if no count is requested. */
void vlad_begin_here(struct vlad_machine *m, int64_t *fuel, enum vlad_measuring measuring);

/* Begins a computation with a stack of its own above the operator's frame, which is below top; returns the new top. Only
 * such a computation may have a limit (at least 0; VLAD_NO_LIMIT for none) or resume a state. If it returns a value, the
 * value goes to the function of the operator's frame, which calls vlad_end. If it has taken `limit` steps and comes to
 * another node, `interrupted` of the operator's frame is called instead, and the computation has ended. */
vlad_value *vlad_begin(struct vlad_machine *m, vlad_value *top, int64_t *fuel, int64_t limit,
                       enum vlad_execution execution);

/* Ends the innermost computation, of either kind, and returns the number of its steps; exact only if it was measured or
 * has a stack of its own. The function of the operator's frame calls it before any other code runs. */
int64_t vlad_end(struct vlad_machine *m, int64_t *fuel);

/* Resumes a state in a computation that vlad_begin has just begun; top is the result of vlad_begin. Takes one reference
 * to the state. If it is the last one, the segments become part of the stack again. */
int vlad_go_on(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_segment *state);

/* Adds a reference to a state, its innermost segment, which is frozen; drops one. A state owns its values, jointly with the
 * other states that share its segments. */
struct vlad_segment *vlad_state_share(struct vlad_segment *state);
void vlad_state_drop(struct vlad_machine *m, struct vlad_segment *state);

/* A state as a flat row of values, and back. Frames are in the row as on the stack, the outermost first: the values of a
 * frame, then its mark, which is RAW and holds its descriptor. One of the values of a frame may be RAW, the call site: it
 * is not a value of the language, is ignored when two states are compared, and is kept unchanged. */
size_t vlad_state_length(const struct vlad_segment *state);
/* Fills a row of that length with values that are shared, not taken. */
void vlad_state_row(const struct vlad_segment *state, vlad_value *row);
/* Pushes the frames of a row on the stack with the given top, and returns the new top; takes the values of the row, not
 * the memory of the row. The innermost frame is a point: VLAD_RETURN(m, top, fuel, vlad_nil()) resumes it. */
vlad_value *vlad_push_row(struct vlad_machine *m, vlad_value *top, const vlad_value *row, size_t length);

/* The calls that the frames of a row wait for. */
uint64_t vlad_calls_of_row(const vlad_value *row, size_t length);

/* The mark of a frame in a row. */
#define VLAD_MARK (VLAD_RAW | UINT64_C(1) << 32)
static inline vlad_value vlad_mark(const struct vlad_frame *frame) {
    return vlad_make(VLAD_MARK, (uint64_t)(uintptr_t)frame);
}
static inline int vlad_is_mark(vlad_value v) { return v.tag == VLAD_MARK; }
static inline const struct vlad_frame *vlad_marked(vlad_value v) { return (const struct vlad_frame *)(uintptr_t)v.word; }
/* True if two frames of a program are at the same place of equal code. */
static inline int vlad_same_place(const struct vlad_frame *one, const struct vlad_frame *other) {
    return one->kind == other->kind && one->place_class == other->place_class;
}

/* The frame of a node's entry, and that of a block that is a continuation, in a stoppable program; 0 if there is none. */
const struct vlad_frame *vlad_point_of(struct vlad_machine *m, uint32_t node);
const struct vlad_frame *vlad_frame_of(struct vlad_machine *m, uint32_t block);

/* Initialises the item's computation, of a run that has already taken `taken` steps; 0 if the allocation fails. */
int vlad_computations_init(struct machine *machine, int64_t total_limit, int64_t taken, int64_t suspension);
/* Takes fuel from the rest of the limits, up to the wanted amount; and returns unused fuel to them. */
int64_t vlad_fuel_give(struct machine *machine, int64_t wanted);
void vlad_fuel_take_back(struct machine *machine, int64_t fuel);
/* The steps that a computation inside the innermost one may take, and the accounting of steps that it took without
 * fuel. Only called while no fuel is in the register. */
int64_t vlad_left_inside(struct machine *machine);
void vlad_count_inside(struct machine *machine, int64_t steps);
/* Counts steps that were taken without fuel, of an item that has ended. */
static inline void vlad_add_steps(struct machine *machine, uint64_t steps) {
    machine->computations.total_taken += (int64_t)steps;
}
/* Ends the innermost computation, which has reached its own limit at the point below top, and returns its state. */
struct vlad_segment *vlad_interrupt_innermost(struct machine *machine);
/* The item that waits at a point, as a row: its length, and its values, which are moved from the stack. */
size_t vlad_point_length(const struct machine *machine);
void vlad_take_point(struct machine *machine, vlad_value *row);
/* The function of the links of points. */
vlad_block vlad_point;
/* Pushes the frame of a point, with the arguments of the service `suspend`, and returns the new top. */
vlad_value *vlad_push_point(struct vlad_machine *m, vlad_value *top, struct vlad_slots *slots, uint32_t site,
                            const struct vlad_frame *point);
/* The service of the same name: suspends the run at a point. */
int vlad_suspend(struct vlad_machine *m, vlad_value *top, struct vlad_slots *slots, uint32_t site,
                 const struct vlad_frame *point);

/* Notify the host, if it observes operators, of the begin and of the end of an operator. */
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

/* Begin and end the computation that an operator runs above its frame; the end returns its count if it was measured. An
 * observing host is notified, and then all computations are measured. */
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

/* The same for callers that need no count: they return the fuel. */
static inline int64_t vlad_operator_begun(struct vlad_machine *m, int64_t fuel, uint32_t primitive) {
    vlad_operator_begin(m, &fuel, primitive, VLAD_UNMEASURED);
    return fuel;
}
static inline int64_t vlad_operator_left(struct vlad_machine *m, int64_t fuel) {
    vlad_operator_end(m, &fuel);
    return fuel;
}

/* Returns the value of an operator, which it takes, to the frame below top. There is no step between such returns, so
 * they count as transfers, after which the driver is asked. */
int vlad_operator_pause(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value x);
static inline int vlad_operator_return(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value x) {
    if (VLAD_LIKELY(--m->transfers >= 0)) VLAD_RETURN(m, top, fuel, x);
    return vlad_operator_pause(m, top, fuel, x);
}

#endif
