/* The access of the host to a machine between two runs: values in and out, counts, and the frames of a stopped stack.
 */
#include "inspect.h"
#include "computation.h"
#include "memory.h"
#include "stack.h"
#include "vector.h"

vlad_value vlad_take_result(struct vlad_machine *m) {
    vlad_value result = vlad_private(m)->result;
    vlad_private(m)->result = vlad_nil();
    return result;
}

uint64_t vlad_steps_taken(const struct vlad_machine *m) {
    const struct machine *machine = (const struct machine *)m;
    const struct vlad_computations *computations = &machine->computations;
    int is_again = computations->count > 0 && computations->rows[computations->count - 1].is_again;
    return (uint64_t)(computations->total_taken - (is_again ? 0 : machine->fuel));
}

const struct vlad_fault *vlad_fault_of(const struct vlad_machine *m) { return &m->fault; }

uint64_t vlad_row_length(const struct vlad_machine *m) { return vlad_point_length((const struct machine *)m); }

void vlad_take_row(struct vlad_machine *m, vlad_value *row) { vlad_take_point(vlad_private(m), row); }

vlad_value vlad_global(const struct vlad_machine *m, uint32_t global) { return m->globals[global]; }

void vlad_set_global(struct vlad_machine *m, uint32_t global, vlad_value value) {
    vlad_drop(m, m->globals[global]);
    m->globals[global] = value;
}

void vlad_set_constant(struct vlad_machine *m, uint32_t constant, vlad_value value) {
    vlad_private(m)->constants[constant] = value;
}

vlad_value vlad_pair_or_nil(struct vlad_machine *m, vlad_value first, vlad_value second) {
    struct vlad_pair *pair = vlad_cell_or_none(vlad_private(m));
    if (!pair) return vlad_nil();
    pair->header.count = 1;
    pair->header.extent = 0;
    pair->first = first;
    pair->second = second;
    return vlad_make(VLAD_PAIR, (uint64_t)(uintptr_t)pair);
}

vlad_value vlad_slots_or_nil(struct vlad_machine *m, uint64_t tag, const vlad_value *values, uint32_t count) {
    struct vlad_slots *slots = vlad_slots_or_none(vlad_private(m), count);
    if (!slots) return vlad_nil();
    memcpy(slots->values, values, count * sizeof *values);
    return vlad_make(tag, (uint64_t)(uintptr_t)slots);
}

vlad_value vlad_vector_or_nil(struct vlad_machine *m, const vlad_value *values, uint64_t count) {
    struct vlad_vector *vector = vlad_vector_or_none(m, VLAD_FORM_VALUES, count);
    if (!vector) return vlad_nil();
    if (count > 0) memcpy(vector->elements.values, values, count * sizeof *values);
    return vlad_vector_value(vector);
}

vlad_value vlad_reals_or_nil(struct vlad_machine *m, const double *reals, uint64_t count) {
    struct vlad_vector *vector = vlad_vector_or_none(m, VLAD_FORM_PLAIN, count);
    if (!vector) return vlad_nil();
    if (count > 0) memcpy(vector->elements.reals, reals, count * sizeof *reals);
    return vlad_vector_value(vector);
}

void vlad_give_up(struct vlad_machine *m, vlad_value value) { vlad_drop(m, value); }

static void give_up_all(struct vlad_machine *m, vlad_value *values, uint32_t count) {
    for (uint32_t value = 0; value < count; value++) {
        vlad_drop(m, values[value]);
        values[value] = vlad_raw(0);
    }
}

uint64_t vlad_live_at_end(struct vlad_machine *m) {
    struct machine *machine = vlad_private(m);
    give_up_all(m, m->globals, machine->global_count);
    give_up_all(m, machine->constants, machine->constant_count);
    uint64_t records = 0;
    for (const struct vlad_record *record = machine->levels.records; record; record = record->next) records++;
    return vlad_memory_live(machine) + records;
}

void vlad_frames_begin(const struct vlad_machine *m, struct vlad_frame_walk *walk) {
    const struct machine *machine = (const struct machine *)m;
    walk->machine = m;
    walk->top = machine->top;
    walk->segment = machine->segment;
    walk->computations = machine->computations.count;
}

/* Continues below the bottom of a computation's own stack. */
static void leave_computation(struct vlad_frame_walk *walk) {
    const struct vlad_computation *rows = ((const struct machine *)walk->machine)->computations.rows;
    while (walk->computations > 0) {
        const struct vlad_computation *left = &rows[--walk->computations];
        if (!left->segment) continue;
        walk->top = left->top;
        walk->segment = left->segment;
        return;
    }
    walk->top = 0;
}

static void leave_segment(struct vlad_frame_walk *walk) {
    if (!walk->segment->below) return leave_computation(walk);
    walk->top = walk->segment->top_below;
    walk->segment = walk->segment->below;
}

/* The number of the iteration of a frame whose values begin at `values`. */
static double iteration_of(const struct vlad_frame *frame, const vlad_value *values) {
    if (!frame->iteration) return -1;
    vlad_value number = values[frame->iteration - 1];
    return vlad_kind(number) == VLAD_REAL ? vlad_double(number) : -1;
}

int vlad_frames_next(struct vlad_frame_walk *walk, struct vlad_pending_frame *pending) {
    while (walk->top) {
        const vlad_value *top = walk->top;
        const struct vlad_frame *frame = vlad_frame_below(top);
        walk->top -= frame->values + 1;
        switch (frame->kind) {
        case VLAD_FRAME_BLOCK:
            pending->node = frame->node;
            pending->awaited = frame->awaited;
            pending->has_site = frame->has_site;
            pending->site = frame->has_site ? (uint32_t)top[-2].word : 0;
            pending->iteration = iteration_of(frame, walk->top);
            return 1;
        case VLAD_FRAME_OPERATOR:
            /* Below the link is the site, and below that the node. */
            *pending = (struct vlad_pending_frame){.iteration = -1};
            pending->node = pending->awaited = (uint32_t)top[-3].word;
            return 1;
        case VLAD_FRAME_SEGMENT:
        case VLAD_FRAME_BOTTOM:
            leave_segment(walk);
            break;
        default: /* the base */
            return 0;
        }
    }
    return 0;
}
