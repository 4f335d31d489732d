/* Computations: what runs on its own continuation with its own count (report, part 5), and what is left of one that was
 * interrupted.
 *
 * The item at top level is a computation; operators begin others above their own frame. Computations nest: the innermost
 * is the one that runs, and an outer one's own count stands still meanwhile. Fuel is taken from what the computation that
 * runs has left of its own limit, and from what is left of the total limit unless it is a re-execution; so both hold at
 * every step, exactly. If both are reached at one step the own limit is.
 *
 * A state is the frames of an interrupted computation: the innermost is a point (VLAD_FRAME_POINT), which goes on at the
 * entry of a node; the others are continuations of the program. Taking a state copies nothing: the segments of the stack
 * become *frozen*, and whoever goes on from it does so in a segment of its own, into which frames are copied when values
 * return to them. A frozen segment that nobody else has becomes part of the stack again.
 *
 * A program stops at nodes only if it was compiled so (VLAD_STOPPABLE); in another no computation may have a limit.
 */
#ifndef VLAD_COMPUTATION_H
#define VLAD_COMPUTATION_H

#include <stddef.h>

#include "machine.h"

/* The limit of a computation that has none. */
#define VLAD_NO_LIMIT INT64_MAX

/* Whether steps count for the total of the run. Inside a re-execution none do. */
enum vlad_execution { VLAD_FIRST_EXECUTION = 0, VLAD_AGAIN = 1 };

/* Whether whoever begins a computation wants to know its count. */
enum vlad_measuring { VLAD_UNMEASURED = 0, VLAD_MEASURED = 1 };

/* A state, what is left of an interrupted computation: its innermost segment, which is frozen. It owns its values, with
 * whoever shares its segments. */
struct vlad_segment;

/* Begins a computation that has no limit of its own, on the stack as it is: the frame of the operator stands below top, and
 * what runs next runs in the computation. Fuel is the register, which may change. It ends when the operator calls
 * vlad_end, in the function of its frame. The steps count for the total unless those around do not. Costs next to nothing
 * where no count is asked for. */
void vlad_begin_here(struct vlad_machine *m, int64_t *fuel, enum vlad_measuring measuring);

/* Begins a computation with a stack of its own above the operator's frame, which stands below top; gives the new top. Only
 * such a computation may have a limit (at least 0; VLAD_NO_LIMIT for none) or go on from a state. If a value returns
 * from it, it goes to the function of the operator's frame, which calls vlad_end. If it has taken `limit` steps and comes
 * to another node, `interrupted` of the operator's frame is called instead, and it has ended. */
vlad_value *vlad_begin(struct vlad_machine *m, vlad_value *top, int64_t *fuel, int64_t limit,
                       enum vlad_execution execution);

/* Ends the innermost computation, of either kind, and gives how many steps it took; that is only exact if it was measured or
 * has a stack of its own. To be called by the function of the operator's frame before anything else runs. */
int64_t vlad_end(struct vlad_machine *m, int64_t *fuel);

/* Goes on from a state, of which it takes one reference, in a computation that vlad_begin has just begun; top is what it
 * gave. The last reference lets the segments become part of the stack again. */
int vlad_go_on(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_segment *state);

/* One more reference to a state, and one less. */
struct vlad_segment *vlad_state_share(struct vlad_segment *state);
void vlad_state_drop(struct vlad_machine *m, struct vlad_segment *state);

/* A state as a flat row of values, and back. Frames stand in the row as on the stack, the outermost first: the values of a
 * frame, then its mark, which is RAW and says its descriptor. Among the values of a frame there may be one RAW, the site:
 * it is no value of the language, no part of what two states have in common or not, and is kept as it is. */
size_t vlad_state_length(const struct vlad_segment *state);
/* Fills a row of that length with values that are shared, not taken. */
void vlad_state_row(const struct vlad_segment *state, vlad_value *row);
/* Puts the frames of a row on the stack that top is the top of, and gives the new top; takes the values of the row, not the
 * memory that they stand in. The innermost is a point: VLAD_RETURN(m, top, fuel, vlad_nil()) goes on. */
vlad_value *vlad_push_row(struct vlad_machine *m, vlad_value *top, const vlad_value *row, size_t length);

/* The mark of a frame in a row. */
#define VLAD_MARK (VLAD_RAW | UINT64_C(1) << 32)
static inline vlad_value vlad_mark(const struct vlad_frame *frame) {
    return vlad_make(VLAD_MARK, (uint64_t)(uintptr_t)frame);
}
static inline int vlad_is_mark(vlad_value v) { return v.tag == VLAD_MARK; }
static inline const struct vlad_frame *vlad_marked(vlad_value v) { return (const struct vlad_frame *)(uintptr_t)v.word; }
/* Whether two frames of a program are at the same place of equal code. */
static inline int vlad_same_place(const struct vlad_frame *one, const struct vlad_frame *other) {
    return one->kind == other->kind && one->place_class == other->place_class;
}

/* The frame of a node's entry, and that of the continuation that a block is, in a stoppable program; 0 if there is none. */
const struct vlad_frame *vlad_point_of(struct vlad_machine *m, uint32_t node);
const struct vlad_frame *vlad_frame_of(struct vlad_machine *m, uint32_t block);

#endif
