/* Suspended computations: (primops f x) is the number of steps of (f x). (interrupt f x l) is the rest of the
 * computation after l steps, as a capsule, and (resume z) continues it. The counterpart of shared/ad/src/capsules.rs
 * and of shared/runtime/src/operators/application.rs.
 *
 * A capsule is a skeleton and reals. The skeleton is the row of a state (computation.h), whose values are those that
 * the rest of the computation needs, with a hole for each real that depends on f or x. To find these reals, f and x are
 * numbers of a separate level while the computation runs. This level only counts nodes. All copies of a real that was
 * produced once have one node, and so one hole (rule 5a). Holes are in the order of their nodes. Unlike the order of
 * frames, it is the same in all engines, and so is the order of sums in traversals of capsules.
 */
#include "capsule.h"
#include "computation.h"
#include "exits.h"
#include "levels.h"
#include "memory.h"
#include "nodes.h"
#include "number.h"
#include "operators.h"
#include "rules.h"
#include "stack.h"
#include "tape.h"
#include "vector.h"
#include "walk.h"
#include <stdlib.h>

/* The frames of the operators: their own values are followed by node and site. */
enum { COUNT_NODE, COUNT_SITE, COUNT_VALUES };
enum { INTERRUPT_LEVEL, INTERRUPT_LIMIT, INTERRUPT_NODE, INTERRUPT_SITE, INTERRUPT_VALUES };
static const struct vlad_frame count_frame = {.kind = VLAD_FRAME_OPERATOR, .values = COUNT_VALUES};

static int leave_count_steps(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                             vlad_value y) {
    (void)slots;
    int64_t steps = vlad_operator_end(m, &fuel);
    vlad_drop(m, y);
    return vlad_operator_return(m, vlad_operator_values(top, &count_frame), fuel, vlad_real((double)steps));
}

int vlad_count_steps(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x) {
    top = vlad_push_operator(m, top, leave_count_steps, &count_frame);
    vlad_operator_begin(m, &fuel, VLAD_PRIMITIVE_COUNT_STEPS, VLAD_MEASURED);
    return vlad_call(m, top, fuel, f, x);
}

/* The representation of a number in a skeleton: a hole if it is of the level; its primal, which fills the hole, is saved
 * on the tape. */
static vlad_value hole_of(struct vlad_machine *m, void *context, vlad_value number, vlad_value none) {
    (void)none;
    uint32_t level = *(const uint32_t *)context;
    if (!vlad_is_of_level(number, level)) return vlad_share(number);
    struct vlad_level *place = &vlad_levels_of(m)->levels[level];
    size_t known = place->carry.count;
    vlad_value *hole = vlad_nodes_place(m, &place->carry, vlad_as_lifted(number)->part.word, UINT64_MAX);
    if (place->carry.count != known) {
        *hole = vlad_make(VLAD_HOLE, known);
        vlad_tape_save(m, level, &place->tape, vlad_as_lifted(number)->primal);
    }
    return *hole;
}
/* Reals that are not of the level are kept. */
static struct vlad_vector *holes_of(struct vlad_machine *m, void *context, struct vlad_vector *reals,
                                    struct vlad_vector *none) {
    (void)m, (void)none;
    return vlad_is_vector_of_level(reals, *(const uint32_t *)context) ? 0 : vlad_vector_share(reals);
}
static const struct vlad_making making_holes = {hole_of, holes_of};

/* In a skeleton unboxed reals contain no holes. */
static struct vlad_vector *without_holes(struct vlad_machine *m, void *context, struct vlad_vector *reals,
                                         struct vlad_vector *none) {
    (void)m, (void)context, (void)none;
    return vlad_vector_share(reals);
}

/* Allocates slots for a number of values; ends the run if the number does not fit. */
static struct vlad_slots *new_slots(struct vlad_machine *m, size_t values) {
    if (values > UINT32_MAX) vlad_out_of_memory(m);
    return vlad_make_slots(m, (uint32_t)values);
}

static vlad_value slots_value(uint64_t tag, struct vlad_slots *slots) {
    return vlad_make(tag, (uint64_t)(uintptr_t)slots);
}

/* A node of which there is a real in the state, and the rank of its first occurrence. */
struct occurrence {
    uint64_t key;
    uint64_t place;
};

static int compare_occurrences(const void *one, const void *other) {
    uint64_t a = ((const struct occurrence *)one)->key, b = ((const struct occurrence *)other)->key;
    return a < b ? -1 : a > b;
}

/* Maps each hole, numbered by first occurrence, to its rank in the order in which the nodes were made; in a block. */
static uint64_t *order_of_nodes(struct vlad_machine *m, const struct vlad_table *holes) {
    struct vlad_memory *memory = &vlad_private(m)->memory;
    struct occurrence *order = vlad_block_take(memory, (holes->count + 1) * sizeof *order);
    uint64_t *numbers = vlad_block_take(memory, (holes->count + 1) * sizeof *numbers);
    if (!order || !numbers) vlad_out_of_memory(m);
    size_t count = 0;
    for (size_t place = 0; place < holes->capacity; place++) {
        const struct vlad_node_entry *hole = vlad_nodes_at(holes, place);
        if (hole) order[count++] = (struct occurrence){hole->key, hole->value.word};
    }
    qsort(order, count, sizeof *order, compare_occurrences);
    for (size_t number = 0; number < count; number++) numbers[order[number].place] = number;
    vlad_block_give(memory, order);
    return numbers;
}

static int is_in_order(const uint64_t *numbers, size_t count) {
    for (size_t hole = 0; hole < count; hole++)
        if (numbers[hole] != hole) return 0;
    return 1;
}

static vlad_value renumbered(struct vlad_machine *m, void *context, vlad_value number, vlad_value none) {
    (void)m, (void)none;
    const uint64_t *numbers = context;
    return vlad_kind(number) == VLAD_HOLE ? vlad_make(VLAD_HOLE, numbers[number.word]) : vlad_share(number);
}
static const struct vlad_making making_renumbered = {renumbered, without_holes};

/* The capsule of a state, which it takes; its reals have nodes of the newest level, which ends. */
static vlad_value close(struct vlad_machine *m, uint32_t level, struct vlad_segment *state) {
    struct vlad_slots *row = new_slots(m, vlad_state_length(state));
    vlad_state_row(state, row->values);
    vlad_state_drop(m, state);
    vlad_value frames = slots_value(VLAD_SKELETON, row);
    vlad_value skeleton = vlad_rebuild(m, frames, VLAD_SHARING_KEPT, VLAD_PRIMALS_SAME, &making_holes, &level);
    if (m->fault.kind) return vlad_nil();
    vlad_drop(m, frames);
    struct vlad_level *place = &vlad_levels_of(m)->levels[level];
    struct vlad_slots *capsule = new_slots(m, place->carry.count + 1);
    uint64_t *numbers = order_of_nodes(m, &place->carry);
    for (uint32_t hole = capsule->header.extent - 1; hole-- > 0;)
        capsule->values[1 + numbers[hole]] = vlad_tape_restore(level, &place->tape);
    capsule->values[0] = skeleton;
    if (!is_in_order(numbers, place->carry.count)) {
        capsule->values[0] = vlad_rebuild(m, skeleton, VLAD_SHARING_KEPT, VLAD_PRIMALS_SAME, &making_renumbered, numbers);
        if (m->fault.kind) return vlad_nil();
        vlad_drop(m, skeleton);
    }
    vlad_block_give(&vlad_private(m)->memory, numbers);
    vlad_nodes_clear(m, &place->carry);
    vlad_tape_clear(m, level, &place->tape);
    vlad_level_end(m);
    return slots_value(VLAD_CAPSULE, capsule);
}

static int interrupted(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_segment *state);
static const struct vlad_frame interrupt_frame = {
    .kind = VLAD_FRAME_OPERATOR, .values = INTERRUPT_VALUES, .interrupted = interrupted};

static int interrupted(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_segment *state) {
    top = vlad_operator_values(top, &interrupt_frame);
    uint32_t node = (uint32_t)top[INTERRUPT_NODE].word, site = (uint32_t)top[INTERRUPT_SITE].word;
    vlad_value capsule = close(m, (uint32_t)top[INTERRUPT_LEVEL].word, state);
    if (VLAD_UNLIKELY(m->fault.kind)) return vlad_stop_at_call(m, top, fuel, node, site);
    vlad_tell_ended(m, top[INTERRUPT_LIMIT].word);
    return vlad_operator_return(m, top, fuel, capsule);
}

/* Handles a computation that has ended before its limit. */
static int leave_interrupt(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                           vlad_value y) {
    (void)slots, (void)y;
    int64_t steps = vlad_end(m, &fuel);
    top = vlad_operator_values(top, &interrupt_frame);
    uint32_t node = (uint32_t)top[INTERRUPT_NODE].word, site = (uint32_t)top[INTERRUPT_SITE].word;
    m->fault.kind = VLAD_FAULT_TOO_LATE;
    m->fault.first = top[INTERRUPT_LIMIT];
    m->fault.second = vlad_raw((uint64_t)steps);
    return vlad_stop_at_call(m, top, fuel, node, site);
}

int vlad_interrupt(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x, int64_t limit) {
    vlad_value operator = vlad_nil(), operand = vlad_nil();
    uint32_t level = vlad_level_begin(m, VLAD_MODE_COUNTING);
    if (!m->fault.kind) operator = vlad_number_positions(m, level, f, VLAD_SHARING_KEPT);
    if (!m->fault.kind) operand = vlad_number_positions(m, level, x, VLAD_SHARING_UNDONE);
    if (VLAD_UNLIKELY(m->fault.kind)) return vlad_stop_at_call(m, top, fuel, m->call_node, vlad_site(m));
    vlad_drop(m, f);
    vlad_drop(m, x);
    top = vlad_push_operator(m, top, leave_interrupt, &interrupt_frame);
    vlad_value *values = vlad_operator_values(top, &interrupt_frame);
    values[INTERRUPT_LEVEL] = vlad_raw(level);
    values[INTERRUPT_LIMIT] = vlad_raw((uint64_t)limit);
    vlad_tell_begun(m, VLAD_PRIMITIVE_INTERRUPT);
    top = vlad_begin(m, top, &fuel, limit, VLAD_FIRST_EXECUTION);
    return vlad_call(m, top, fuel, operator, operand);
}

/* The real that fills a hole; other numbers of a skeleton are kept. */
static vlad_value filling_of(struct vlad_machine *m, void *context, vlad_value number, vlad_value none) {
    (void)m, (void)none;
    const struct vlad_slots *capsule = context;
    return vlad_share(vlad_kind(number) == VLAD_HOLE ? capsule->values[1 + number.word] : number);
}
static const struct vlad_making making_fillings = {filling_of, without_holes};

/* Says if the reals of a capsule have the primals of its computation, as recorded in its skeleton. */
static enum vlad_primals primals_of(vlad_value capsule) {
    return vlad_as_slots(capsule)->values[0].tag >> 32 ? VLAD_PRIMALS_OTHER : VLAD_PRIMALS_SAME;
}

int vlad_resume(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value capsule) {
    struct vlad_slots *slots = vlad_as_slots(capsule);
    vlad_value frames = vlad_rebuild(m, slots->values[0], VLAD_SHARING_KEPT, primals_of(capsule), &making_fillings, slots);
    if (VLAD_UNLIKELY(m->fault.kind)) return vlad_stop_at_call(m, top, fuel, m->call_node, vlad_site(m));
    struct vlad_slots *row = vlad_as_slots(frames);
    if (VLAD_UNLIKELY(m->depth + vlad_calls_of_row(row->values, row->header.extent) > m->most_depth))
        return vlad_too_deep(m, top, fuel, m->call_node, m->site);
    top = vlad_push_row(m, top, row->values, row->header.extent);
    /* The stack owns the values now. */
    for (uint32_t value = 0; value < row->header.extent; value++) row->values[value] = vlad_nil();
    vlad_drop(m, frames);
    vlad_drop(m, capsule);
    VLAD_RETURN(m, top, fuel, vlad_nil());
}
