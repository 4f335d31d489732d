/* Reversed applications whose backpropagator is needed for one thing alone: (cdr ((cdr ((*j f) (*j x))) y')), the cotangent of
 * x. It is what the operator *j gives, and costs what that costs.
 *
 * The continuation of the application says what it does with the value (enum vlad_wants). If nobody looks at the
 * cotangents of f, its positions are not numbered, as long as that makes no difference to x's: not where numbering makes f's
 * backpropagators and capsules anew, since those of a level go other ways. If the backpropagator is called before
 * anything else begins a level it need not be made: the tape of the level stays where it is until then, and what stands
 * for it is a noted value. Whoever stops on the way has it made (`keep`).
 *
 * Invariants. Whether f is numbered depends on what every execution of the application has in common: the code of the
 * continuation, wherever its frame stands, and f as it is. So the nodes of older levels are the same ones each time. How the
 * value is given may differ, since that makes no nodes.
 */
#include "machine_private.h"
#include "reflection.h"
#include "vector.h"

/* What is looked at of f before it is numbered after all. */
#define MOST_VALUES 16384
#define MOST_PENDING 64

/* Whether a part may be of other sorts than reals and discrete values. */
static int is_to_be_seen(vlad_value part) { return vlad_kind(part) > VLAD_LIFTED; }

/* Whether the value is made of pairs, procedures, vectors of reals, reals and discrete values alone; also no if it is large. */
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

/* What the continuation whose frame stands below top wants, whichever segment it stands in. */
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
