/* The stack of continuation frames, in segments. */
#ifndef VLAD_STACK_H
#define VLAD_STACK_H

#include "state.h"

/* Creates the first segment, with the base frame in it; 0 if the allocation fails. */
int vlad_stack_init(struct machine *machine);
/* The top of a stack with the base frame only. */
vlad_value *vlad_stack_base(struct machine *machine);
vlad_value *vlad_more_stack(struct vlad_machine *m, vlad_value *top, uint32_t values);
/* Begins a separate stack for a computation and returns its top; leaves it for good, and returns the top of the enclosing
 * stack. */
vlad_value *vlad_stack_begin(struct machine *machine, struct vlad_computation *computation, vlad_value *top);
vlad_value *vlad_stack_end(struct machine *machine, const struct vlad_computation *computation);
/* Freezes the stack of a computation with a point as its topmost frame. Returns one reference to the topmost
 * segment. */
struct vlad_segment *vlad_stack_freeze(struct machine *machine);
/* Puts frozen frames, with one reference to their segment, under the stack of a computation that has just begun. */
void vlad_stack_put_under(struct machine *machine, struct vlad_segment *segment);
/* Drops a reference to a frozen segment. */
void vlad_segment_drop(struct machine *machine, struct vlad_segment *segment);
/* The descriptor of the frame below top. */
static inline const struct vlad_frame *vlad_frame_below(const vlad_value *top) {
    return (const struct vlad_frame *)(uintptr_t)top[-1].word;
}

/* Pushes the frame of an operator, which is at m->call_node and m->site, above top and returns the new top. Its own
 * values come first, and are still unset; its function is `leave`. */
vlad_value *vlad_push_operator(struct vlad_machine *m, vlad_value *top, vlad_block *leave,
                               const struct vlad_frame *frame);
/* The values of the frame of an operator right below top. */
static inline vlad_value *vlad_operator_values(vlad_value *top, const struct vlad_frame *frame) {
    return top - 1 - frame->values;
}

#endif
