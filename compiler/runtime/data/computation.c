/* Computations (computation.h): the accounting of fuel and limits, and states.
 *
 * Invariants. All fuel in the register was taken from the rest of the innermost computation, and from the total unless
 * that is a re-execution; code that begins or ends a computation first returns it and takes fuel anew. So the steps of
 * a computation are the fuel it took less the fuel it returned.
 *
 * In a run that is to be suspended, the limit of the item's computation is the step of the suspension. A run is not
 * suspended inside an operator, so the rest is computed again when an operator ends. Each operator has a computation of
 * its own then.
 */
#include "computation.h"
#include "exits.h"
#include "memory.h"
#include "stack.h"

#include <string.h>

/* The initial capacity for computations. */
#define FIRST_PLACES 8

static struct vlad_computations *computations_of(struct machine *machine) { return &machine->computations; }

/* Limits the item's computation to the steps before the suspension; to 0 if it has passed. Only called while no fuel is
 * in the register. */
static void mind_suspension(struct vlad_computations *all) {
    if (all->count > 1 || all->suspension == VLAD_NO_LIMIT) return;
    all->rows[0].left = all->total_taken < all->suspension ? all->suspension - all->total_taken : 0;
}

int vlad_computations_init(struct machine *machine, int64_t total_limit, int64_t taken, int64_t suspension) {
    struct vlad_computations *all = computations_of(machine);
    all->rows = vlad_block_take(&machine->memory, FIRST_PLACES * sizeof *all->rows);
    if (!all->rows) return 0;
    memset(&all->rows[0], 0, sizeof all->rows[0]);
    all->rows[0].left = VLAD_NO_LIMIT;
    all->count = 1;
    all->capacity = FIRST_PLACES;
    /* A limit that is already exceeded is reached at once. */
    all->total_left = taken < total_limit ? total_limit - taken : 0;
    all->total_taken = taken;
    all->suspension = suspension;
    all->rows[0].is_measured = suspension != VLAD_NO_LIMIT;
    mind_suspension(all);
    return 1;
}

int64_t vlad_fuel_give(struct machine *machine, int64_t wanted) {
    struct vlad_computation *innermost = vlad_innermost(machine);
    struct vlad_computations *all = computations_of(machine);
    if (wanted > innermost->left) wanted = innermost->left;
    if (!innermost->is_again) {
        if (wanted > all->total_left) wanted = all->total_left;
        all->total_left -= wanted;
        all->total_taken += wanted;
    }
    innermost->left -= wanted;
    innermost->taken += wanted;
    return wanted;
}

void vlad_fuel_take_back(struct machine *machine, int64_t fuel) {
    struct vlad_computation *innermost = vlad_innermost(machine);
    struct vlad_computations *all = computations_of(machine);
    if (!innermost->is_again) {
        all->total_left += fuel;
        all->total_taken -= fuel;
    }
    innermost->left += fuel;
    innermost->taken -= fuel;
}

int64_t vlad_left_inside(struct machine *machine) {
    return vlad_innermost(machine)->is_again ? VLAD_NO_LIMIT : computations_of(machine)->total_left;
}

void vlad_count_inside(struct machine *machine, int64_t steps) {
    struct vlad_computations *all = computations_of(machine);
    if (!vlad_innermost(machine)->is_again) {
        all->total_left -= steps;
        all->total_taken += steps;
    }
    mind_suspension(all);
}

/* Begins a computation, which gets the fuel of the enclosing one, as far as its limits allow. */
static struct vlad_computation *begin(struct vlad_machine *m, int64_t *fuel, int64_t limit, int is_again) {
    struct machine *machine = vlad_private(m);
    struct vlad_computations *all = computations_of(machine);
    vlad_fuel_take_back(machine, *fuel);
    if (all->count == all->capacity) {
        void *wider = vlad_block_resize(&machine->memory, all->rows, 2 * all->capacity * sizeof *all->rows);
        if (!wider) vlad_out_of_memory(m);
        all->rows = wider;
        all->capacity *= 2;
    }
    int around_is_again = vlad_innermost(machine)->is_again;
    struct vlad_computation *begun = &all->rows[all->count++];
    memset(begun, 0, sizeof *begun);
    begun->left = limit;
    begun->depth = m->depth;
    begun->is_again = around_is_again || is_again;
    *fuel = vlad_fuel_give(machine, *fuel);
    return begun;
}

void vlad_begin_here(struct vlad_machine *m, int64_t *fuel, enum vlad_measuring measuring) {
    struct vlad_computation *around = vlad_innermost(vlad_private(m));
    if (measuring == VLAD_UNMEASURED && !around->is_measured) {
        around->inside++;
        return;
    }
    begin(m, fuel, VLAD_NO_LIMIT, 0)->is_measured = measuring == VLAD_MEASURED;
}

vlad_value *vlad_begin(struct vlad_machine *m, vlad_value *top, int64_t *fuel, int64_t limit,
                       enum vlad_execution execution) {
    struct vlad_computation *begun = begin(m, fuel, limit, execution == VLAD_AGAIN);
    begun->is_measured = 1;
    return vlad_stack_begin(vlad_private(m), begun, top);
}

int64_t vlad_end(struct vlad_machine *m, int64_t *fuel) {
    struct machine *machine = vlad_private(m);
    struct vlad_computation *innermost = vlad_innermost(machine);
    if (innermost->inside > 0) {
        innermost->inside--;
        return 0;
    }
    vlad_fuel_take_back(machine, *fuel);
    int64_t steps = innermost->taken;
    computations_of(machine)->count--;
    mind_suspension(computations_of(machine));
    *fuel = vlad_fuel_give(machine, *fuel);
    return steps;
}

static int is_alive_at(const struct vlad_alive *variable, const struct vlad_frame *point) {
    return variable->from <= point->label && point->label < variable->to;
}

vlad_value *vlad_push_point(struct vlad_machine *m, vlad_value *top, struct vlad_slots *slots, uint32_t site,
                            const struct vlad_frame *point) {
    const struct vlad_entry *entry = point->entry;
    const struct vlad_alive *variable = entry->alive, *end = variable + entry->alive_count;
    if (m->stack_end - top < (ptrdiff_t)point->values + 1) top = vlad_more_stack(m, top, point->values + 1);
    for (; variable < end; variable++)
        if (is_alive_at(variable, point)) *top++ = m->places[variable->place];
    if (point->has_slots)
        *top++ = vlad_procedure(entry->lambda, slots);
    else
        vlad_drop_slots(m, slots);
    if (point->has_site) *top++ = vlad_raw(site);
    *top++ = vlad_link(vlad_point, point);
    return top;
}

int vlad_suspend(struct vlad_machine *m, vlad_value *top, struct vlad_slots *slots, uint32_t site,
                 const struct vlad_frame *point) {
    top = vlad_push_point(m, top, slots, site, point);
    m->paused_node = point->node;
    m->paused_site = point->has_site ? site : point->node;
    vlad_pause(m, top, 0, NULL, vlad_nil(), vlad_point);
    vlad_private(m)->pausing = VLAD_SUSPENDED;
    return 0;
}

/* Resumes the point below top. */
int vlad_point(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x) {
    const struct vlad_frame *point = vlad_frame_below(top);
    const struct vlad_entry *entry = point->entry;
    const struct vlad_alive *variable = entry->alive, *end = variable + entry->alive_count;
    top -= point->values + 1;
    const vlad_value *value = top;
    for (; variable < end; variable++)
        if (is_alive_at(variable, point)) m->places[variable->place] = *value++;
    slots = point->has_slots ? vlad_as_slots(*value++) : 0;
    x = point->has_site ? *value : vlad_nil();
    return entry->stepwise(m, top, fuel + point->offset, slots, x, point);
}

struct vlad_segment *vlad_interrupt_innermost(struct machine *machine) {
    struct vlad_segment *state = vlad_stack_freeze(machine);
    struct vlad_computations *all = computations_of(machine);
    const struct vlad_computation *ended = vlad_innermost(machine);
    machine->interrupted_after = ended->taken;
    state->depth = machine->public.depth - ended->depth;
    machine->public.depth = ended->depth;
    machine->segment = NULL;
    machine->top = vlad_stack_end(machine, ended);
    all->count--;
    mind_suspension(all);
    machine->fuel = vlad_fuel_give(machine, machine->program->stride);
    return state;
}

int vlad_go_on(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_segment *state) {
    m->depth += state->depth;
    vlad_stack_put_under(vlad_private(m), state);
    VLAD_RETURN(m, top, fuel, vlad_nil());
}

struct vlad_segment *vlad_state_share(struct vlad_segment *state) {
    state->references++;
    return state;
}

void vlad_state_drop(struct vlad_machine *m, struct vlad_segment *state) {
    vlad_segment_drop(vlad_private(m), state);
}

/* A cursor over the frames of a state: the current part of a segment. */
struct part {
    const struct vlad_segment *segment;
    const vlad_value *bottom; /* right above the link of the segment */
    const vlad_value *top;
};

static struct part part_of(const struct vlad_segment *segment, const vlad_value *top) {
    struct part part = {segment, segment ? segment->contents + 1 : NULL, top};
    return part;
}

/* The part below; its segment is 0 if there is none. */
static struct part below(struct part part) { return part_of(part.segment->below, part.segment->top_below); }

/* The length of the row of the frames of a segment up to top, and of all below. */
static size_t length_of_row(const struct vlad_segment *segment, const vlad_value *top) {
    size_t length = 0;
    for (struct part part = part_of(segment, top); part.segment; part = below(part))
        length += (size_t)(part.top - part.bottom);
    return length;
}

/* Fills that row, with values that are borrowed; returns its length. */
static size_t fill_row(const struct vlad_segment *segment, const vlad_value *top, vlad_value *row) {
    size_t length = length_of_row(segment, top);
    vlad_value *place = row + length;
    for (struct part part = part_of(segment, top); part.segment; part = below(part)) {
        while (part.top > part.bottom) {
            const struct vlad_frame *frame = vlad_frame_below(part.top);
            *--place = vlad_mark(frame);
            part.top--;
            for (uint32_t value = 0; value < frame->values; value++) *--place = *--part.top;
        }
    }
    return length;
}

size_t vlad_state_length(const struct vlad_segment *state) { return length_of_row(state, state->top); }

void vlad_state_row(const struct vlad_segment *state, vlad_value *row) {
    size_t length = fill_row(state, state->top, row);
    for (size_t place = 0; place < length; place++) vlad_share(row[place]);
}

size_t vlad_point_length(const struct machine *machine) { return length_of_row(machine->segment, machine->top); }

void vlad_take_point(struct machine *machine, vlad_value *row) { fill_row(machine->segment, machine->top, row); }

uint64_t vlad_calls_of_row(const vlad_value *row, size_t length) {
    uint64_t calls = 0;
    for (size_t place = 0; place < length; place++)
        calls += vlad_is_mark(row[place]) && vlad_marked(row[place])->kind == VLAD_FRAME_BLOCK;
    return calls;
}

vlad_value *vlad_push_row(struct vlad_machine *m, vlad_value *top, const vlad_value *row, size_t length) {
    if ((size_t)(m->stack_end - top) < length) {
        if (length > UINT32_MAX) vlad_out_of_memory(m);
        top = vlad_more_stack(m, top, (uint32_t)length);
    }
    for (size_t place = 0; place < length; place++) {
        const struct vlad_frame *frame = vlad_is_mark(row[place]) ? vlad_marked(row[place]) : NULL;
        if (!frame)
            *top++ = row[place];
        else
            *top++ = vlad_link(frame->kind == VLAD_FRAME_POINT ? vlad_point : frame->function, frame);
    }
    m->depth += vlad_calls_of_row(row, length);
    return top;
}

const struct vlad_frame *vlad_point_of(struct vlad_machine *m, uint32_t node) {
    const struct vlad_program *program = vlad_private(m)->program;
    if (program->counting != VLAD_STOPPABLE || node >= program->nodes) return NULL;
    const struct vlad_frame *point = &program->points[node];
    return point->kind == VLAD_FRAME_POINT ? point : NULL;
}

const struct vlad_frame *vlad_frame_of(struct vlad_machine *m, uint32_t block) {
    const struct vlad_program *program = vlad_private(m)->program;
    if (program->counting != VLAD_STOPPABLE || block >= program->blocks) return NULL;
    return program->frames[block];
}

/* Returns x to the frame below top. */
static int give(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x) {
    (void)slots;
    VLAD_RETURN(m, top, fuel, x);
}

int vlad_operator_pause(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value x) {
    m->paused_node = m->call_node;
    m->paused_site = vlad_site(m);
    return vlad_pause(m, top, fuel, NULL, x, give);
}
