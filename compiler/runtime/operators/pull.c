/* Elision of backpropagators: reversed applications of which only the cotangent of x is needed, as in
 * (cdr ((cdr ((*j f) (*j x))) y')). The result is that of the operator *j, and so is the cost.
 *
 * The continuation of the application declares its use of the value (enum vlad_wants). If the cotangents of f have no
 * use, the positions of f are not numbered, provided that this does not affect the cotangent of x: numbering rebuilds the
 * backpropagators and capsules in f, and those of a level are evaluated differently, so such f is numbered. If the
 * backpropagator is called before any other level begins, it is not made: the tape of the level stays in place until
 * then, and a flagged value represents the backpropagator. Code that stops before the call makes the backpropagator
 * (`keep`).
 *
 * Invariants. The decision to number f depends only on data common to all executions of the application: the code of the
 * continuation, in any segment, and f itself. So the nodes of older levels are the same in each execution. The form in
 * which the value is returned may differ, since it makes no nodes.
 */
#include "pull.h"
#include "backpropagator.h"
#include "computation.h"
#include "exits.h"
#include "operators.h"
#include "record.h"
#include "reflection.h"
#include "stack.h"
#include "vector.h"

/* The bounds of the inspection of f; a larger f is numbered. */
#define MOST_VALUES 16384
#define MOST_PENDING 64

/* True if a part may be anything but a real or a discrete value. */
static int is_to_be_seen(vlad_value part) { return vlad_kind(part) > VLAD_LIFTED; }

/* True if the value consists of pairs, procedures, vectors of reals, reals and discrete values only; false also if it is
 * large. */
static int is_simple(vlad_value value) {
    vlad_value pending[MOST_PENDING];
    uint32_t count = 0;
    for (uint32_t seen = 0; seen < MOST_VALUES; seen++) {
        vlad_value next = vlad_nil();
        if (vlad_kind(value) == VLAD_PAIR) {
            vlad_value first = vlad_as_pair(value)->first;
            next = vlad_as_pair(value)->second;
            if (is_to_be_seen(first)) {
                if (count == MOST_PENDING) return 0;
                pending[count++] = first;
            }
        } else if (vlad_kind(value) == VLAD_PROCEDURE) {
            const struct vlad_slots *slots = vlad_as_slots(value);
            seen += slots->header.extent;
            for (uint32_t slot = 0; slot < slots->header.extent; slot++) {
                if (!is_to_be_seen(slots->values[slot])) continue;
                if (count == MOST_PENDING) return 0;
                pending[count++] = slots->values[slot];
            }
        } else if (is_to_be_seen(value) && !(vlad_kind(value) == VLAD_VECTOR && vlad_has_reals(vlad_as_vector(value)))) {
            return 0;
        }
        if (!is_to_be_seen(next)) {
            if (count == 0) return 1;
            next = pending[--count];
        }
        value = next;
    }
    return 0;
}

/* The use of the continuation whose frame is below top, in any segment. */
static uint32_t wanted_below(struct machine *machine, const vlad_value *top) {
    const struct vlad_segment *segment = machine->segment;
    const struct vlad_frame *frame = vlad_frame_below(top);
    while (frame->kind == VLAD_FRAME_SEGMENT && segment->below) {
        frame = vlad_frame_below(segment->top_below);
        segment = segment->below;
    }
    return frame->wants;
}

enum vlad_numbered vlad_positions_to_number(struct vlad_machine *m, vlad_value *top, vlad_value f) {
    uint32_t wants = wanted_below(vlad_private(m), top);
    if (wants != VLAD_WANTS_PULL && wants != VLAD_WANTS_OPERAND) return VLAD_BOTH_NUMBERED;
    return !is_to_be_seen(f) || is_simple(f) ? VLAD_OPERAND_NUMBERED : VLAD_BOTH_NUMBERED;
}

vlad_value vlad_keep(struct vlad_machine *m, vlad_value part) {
    const struct vlad_application *put_by = &vlad_private(m)->pull;
    if (vlad_kind(part) != VLAD_RAW) return vlad_without_note(part);
    return vlad_backpropagator(m, put_by->level, VLAD_OPERAND_NUMBERED, put_by->f, put_by->x, put_by->y, put_by->reads);
}

int vlad_pull(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value cotangent, int is_sensitized) {
    const struct vlad_application *put_by = &vlad_private(m)->pull;
    uint32_t level = put_by->level;
    vlad_value x = put_by->x, y = put_by->y, given = cotangent;
    int is_marked = is_sensitized && vlad_kind(y) != VLAD_SENSITIVITY;
    if (is_sensitized && !is_marked) given = cotangent = vlad_tagged(m, VLAD_SENSITIVITY, cotangent);
    if (!is_marked && vlad_kind(cotangent) == VLAD_SENSITIVITY) {
        int is_marked_here;
        given = vlad_as_given(VLAD_SENSITIVITY, cotangent, y, &is_marked_here);
        is_marked = is_marked_here;
    }
    vlad_value gathered = vlad_reverse_sweep(m, level, &vlad_levels_of(m)->levels[level].tape, x, y, given,
                                             VLAD_COMPANION_SENSITIVITY);
    if (VLAD_UNLIKELY(m->fault.kind)) return vlad_stop_at_call(m, top, fuel, m->call_node, vlad_site(m));
    vlad_drop(m, x);
    vlad_drop(m, y);
    vlad_drop(m, cotangent);
    if (VLAD_UNLIKELY(put_by->reads)) vlad_reads_drop(m, put_by->reads);
    if (VLAD_LIKELY(vlad_takes_second(top, is_marked))) {
        vlad_drop(m, put_by->f);
        return vlad_operator_return(m, top, fuel, vlad_noted(gathered));
    }
    return vlad_give_cotangents(m, top, fuel, is_marked, put_by->f, gathered);
}
