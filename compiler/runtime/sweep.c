/* The sweep back over a tape: from the accumulators of the outputs to those of the independent operand.
 *
 * Rule 5a: nodes are visited in exact reverse of their execution; for each operand, first to last, the coefficient is
 * computed, multiplied and added to the accumulator. The sweep is itself a sequence of operations at the levels that
 * enclose this one; where there are none it is plain arithmetic. An accumulator that is a plain zero is passed over:
 * all that it would contribute is zero at every level.
 */
#include "machine_private.h"
#include <stdlib.h>

/* After so many operations what has been swept is given back. */
#define OPERATIONS_AT_A_TIME ((size_t)1 << 21)

void vlad_accumulators_make(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape) {
    size_t count = (size_t)(tape->next - tape->base) + tape->outside.count;
    if (level == 0 && count > tape->accumulator_capacity) {
        /* What the system gives is zero, and is not touched before it is needed. */
        free(tape->accumulators.reals);
        tape->accumulators.reals = calloc(count, sizeof *tape->accumulators.reals);
        tape->accumulator_capacity = tape->accumulators.reals ? count : 0;
        if (!tape->accumulators.reals) vlad_out_of_memory(m);
        return;
    }
    if (count > tape->accumulator_capacity)
        tape->accumulators.numbers = vlad_grown(m, tape->accumulators.numbers, &tape->accumulator_capacity, count,
                                                sizeof *tape->accumulators.numbers);
    if (level == 0)
        for (size_t node = 0; node < count; node++) tape->accumulators.reals[node] = 0.0;
    else
        for (size_t node = 0; node < count; node++) tape->accumulators.numbers[node] = vlad_real(0.0);
}

static void add_number(struct vlad_machine *m, struct vlad_tape *tape, uint32_t node, vlad_value contribution) {
    vlad_value *accumulator = &tape->accumulators.numbers[node];
    vlad_value sum = vlad_binary(m, VLAD_OPERATION_ADD, *accumulator, contribution);
    vlad_drop(m, *accumulator);
    *accumulator = sum;
}

void vlad_accumulators_add(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape, uint32_t node,
                           vlad_value contribution) {
    if (level == 0)
        tape->accumulators.reals[node] += vlad_double(contribution);
    else
        add_number(m, tape, node, contribution);
}

/* The sweep of the outermost level: no level encloses it, so products with 1 are left out. Goes over the operations from
 * `end` back to `begin`; says how much is left of what was saved, of which so much is left before them. */
static size_t sweep_reals(struct vlad_machine *m, const struct vlad_tape *tape, double *accumulators, size_t begin,
                          size_t end, size_t saved_count) {
    const double *saved = tape->saved.reals + saved_count;
    for (size_t number = end; number-- > begin;) {
        if (!vlad_work(m)) return 0;
        const struct vlad_node *node = &tape->nodes[number];
        uint32_t reads = vlad_reads_of(node);
        double r = reads & VLAD_READS_RESULT ? *--saved : 0.0;
        double b = reads & VLAD_READS_SECOND ? *--saved : 0.0;
        double a = reads & VLAD_READS_FIRST ? *--saved : 0.0;
        double cotangent = accumulators[number + vlad_tape_independents(tape)];
        if (cotangent == 0.0) continue;
        uint32_t active = vlad_active_of(node);
        struct vlad_products products =
            vlad_products_of(m, node->operation, VLAD_ONES_LEFT_OUT, active, a, b, r, cotangent, cotangent);
        if (node->first != VLAD_NO_NODE) accumulators[node->first] += products.first;
        if (node->second != VLAD_NO_NODE) accumulators[node->second] += products.second;
    }
    return (size_t)(saved - tape->saved.reals);
}

/* Makes an array shorter, if the system does. */
static void *shortened(void *array, size_t *capacity, size_t count, size_t size) {
    if (count == 0 || count >= *capacity) return array;
    void *shorter = realloc(array, count * size);
    if (!shorter) return array;
    *capacity = count;
    return shorter;
}

/* The same over a tape that is not needed any more. A long one is given back on the way, so that the memory of what has been
 * swept serves the accumulators of what is left: faults of pages take as long as the sweep. */
static void sweep_giving_back(struct vlad_machine *m, struct vlad_tape *tape) {
    size_t end = vlad_tape_operations(tape);
    while (end > 0 && !m->fault.kind) {
        size_t begin = end > OPERATIONS_AT_A_TIME ? end - OPERATIONS_AT_A_TIME : 0;
        tape->saved_count = sweep_reals(m, tape, tape->accumulators.reals, begin, end, tape->saved_count);
        end = begin;
        if (end == 0) break;
        tape->nodes = shortened(tape->nodes, &tape->node_capacity, end, sizeof *tape->nodes);
        tape->saved.reals =
            shortened(tape->saved.reals, &tape->saved_capacity, tape->saved_count, sizeof *tape->saved.reals);
        /* Behind them stand those of outside nodes. */
        if (tape->outside.count == 0)
            tape->accumulators.reals = shortened(tape->accumulators.reals, &tape->accumulator_capacity,
                                                 vlad_tape_independents(tape) + end, sizeof *tape->accumulators.reals);
    }
}

/* Takes back what was saved last, if it was saved. */
static vlad_value restore(struct vlad_tape *tape, uint32_t was_saved) {
    return was_saved ? tape->saved.numbers[--tape->saved_count] : vlad_real(0.0);
}

static void contribute(struct vlad_machine *m, struct vlad_tape *accumulators, const struct vlad_node *node,
                       uint32_t operand, const vlad_value *operands, vlad_value cotangent) {
    uint32_t target = operand == 0 ? node->first : node->second;
    if (target == VLAD_NO_NODE) return;
    vlad_value product =
        vlad_product(m, node->operation, operand, operands[0], operands[1], operands[2], cotangent);
    add_number(m, accumulators, target, product);
    vlad_drop(m, product);
}

/* Visits a node, whose accumulator, at a place, is not needed any more. */
static inline void visit(struct vlad_machine *m, struct vlad_tape *accumulators, const struct vlad_node *node,
                         size_t place, const vlad_value *operands) {
    vlad_value cotangent = accumulators->accumulators.numbers[place];
    if (!vlad_is_real(cotangent) || vlad_double(cotangent) != 0.0) {
        contribute(m, accumulators, node, 0, operands, cotangent);
        contribute(m, accumulators, node, 1, operands, cotangent);
    }
    vlad_drop(m, cotangent);
}

static void sweep_numbers(struct vlad_machine *m, struct vlad_tape *tape) {
    for (size_t number = vlad_tape_operations(tape); number-- > 0;) {
        if (!vlad_work(m)) return;
        struct vlad_node node = tape->nodes[number];
        uint32_t reads = vlad_reads_of(&node);
        vlad_value operands[3];
        operands[2] = restore(tape, reads & VLAD_READS_RESULT);
        operands[1] = restore(tape, reads & VLAD_READS_SECOND);
        operands[0] = restore(tape, reads & VLAD_READS_FIRST);
        visit(m, tape, &node, number + vlad_tape_independents(tape), operands);
        for (int operand = 0; operand < 3; operand++) vlad_drop(m, operands[operand]);
    }
}

/* What was saved before a place, if it was saved; borrowed. */
static vlad_value saved_before(uint32_t level, const struct vlad_tape *tape, size_t *place, uint32_t was_saved) {
    if (!was_saved) return vlad_real(0.0);
    --*place;
    return level == 0 ? vlad_real(tape->saved.reals[*place]) : tape->saved.numbers[*place];
}

/* The same as sweep_numbers over a tape of either form that stays as it is. */
static void sweep_kept_numbers(struct vlad_machine *m, uint32_t level, const struct vlad_tape *tape,
                               struct vlad_tape *accumulators) {
    size_t place = tape->saved_count;
    for (size_t number = vlad_tape_operations(tape); number-- > 0;) {
        if (!vlad_work(m)) return;
        const struct vlad_node *node = &tape->nodes[number];
        uint32_t reads = vlad_reads_of(node);
        vlad_value operands[3];
        operands[2] = saved_before(level, tape, &place, reads & VLAD_READS_RESULT);
        operands[1] = saved_before(level, tape, &place, reads & VLAD_READS_SECOND);
        operands[0] = saved_before(level, tape, &place, reads & VLAD_READS_FIRST);
        visit(m, accumulators, node, number + vlad_tape_independents(tape), operands);
    }
}

void vlad_sweep_kept(struct vlad_machine *m, uint32_t level, const struct vlad_tape *tape, uint32_t accumulators_level,
                     struct vlad_tape *accumulators) {
    if (m->fault.kind) return;
    if (accumulators_level == 0)
        sweep_reals(m, tape, accumulators->accumulators.reals, 0, vlad_tape_operations(tape), tape->saved_count);
    else
        sweep_kept_numbers(m, level, tape, accumulators);
}

void vlad_sweep(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape) {
    if (m->fault.kind) return;
    if (level == 0)
        sweep_giving_back(m, tape);
    else
        sweep_numbers(m, tape);
}

vlad_value vlad_accumulated(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape, uint32_t node) {
    if (level > 0) return vlad_given_back(m, tape->accumulators.numbers[node]);
    double accumulated = tape->accumulators.reals[node];
    return vlad_real(accumulated == 0.0 ? 0.0 : accumulated);
}

void vlad_carry_add(struct vlad_machine *m, struct vlad_level *level, uint64_t node, vlad_value contribution) {
    vlad_value *accumulator = vlad_nodes_place(m, &level->carry, node, UINT64_MAX);
    vlad_value sum = vlad_binary(m, VLAD_OPERATION_ADD, *accumulator, contribution);
    vlad_drop(m, *accumulator);
    *accumulator = sum;
}

vlad_value vlad_carried(struct vlad_machine *m, const struct vlad_level *level, uint64_t node) {
    const vlad_value *accumulator = vlad_nodes_find(&level->carry, node);
    return accumulator ? vlad_given_back(m, *accumulator) : vlad_real(0.0);
}

/* Puts a value, which it takes, into the accumulator at a place, where +0 stands; or takes what stands there. */
static void put(uint32_t level, struct vlad_tape *tape, size_t place, vlad_value value) {
    if (level == 0)
        tape->accumulators.reals[place] = vlad_double(value);
    else
        tape->accumulators.numbers[place] = value;
}
static vlad_value take(uint32_t level, struct vlad_tape *tape, size_t place) {
    return level == 0 ? vlad_real(tape->accumulators.reals[place]) : tape->accumulators.numbers[place];
}

/* Moves what has been carried for the nodes of the tape to their accumulators: the fewer decide what is gone through, the
 * nodes of the tape or those that are carried. */
static void take_carried(uint32_t number, struct vlad_level *level) {
    struct vlad_tape *tape = &level->tape;
    size_t operations = vlad_tape_operations(tape), candidates = level->carry.capacity;
    for (size_t candidate = 0; candidate < operations && candidates > operations; candidate++) {
        vlad_value *carried = vlad_nodes_find(&level->carry, tape->base + candidate);
        if (!carried) continue;
        put(number, tape, candidate, *carried);
        *carried = vlad_real(0.0);
    }
    for (size_t candidate = 0; candidate < candidates && candidates <= operations; candidate++) {
        struct vlad_node_entry *entry = &level->carry.entries[candidate];
        /* Nodes behind the tape have been swept. */
        if (!entry->key || entry->key - 1 < tape->base || entry->key - 1 - tape->base >= operations) continue;
        put(number, tape, (size_t)(entry->key - 1 - tape->base), entry->value);
        entry->value = vlad_real(0.0);
    }
}

/* Outside operands become places behind those of the tape, in the order of their indices. */
static void redirect(struct vlad_tape *tape) {
    size_t operations = vlad_tape_operations(tape);
    uint32_t least = VLAD_NO_NODE - (uint32_t)tape->outside.count, last = VLAD_NO_NODE - 1;
    uint32_t behind = (uint32_t)operations;
    for (size_t place = 0; place < operations; place++) {
        struct vlad_node *node = &tape->nodes[place];
        if (node->first >= least && node->first <= last) node->first = behind + (last - node->first);
        if (node->second >= least && node->second <= last) node->second = behind + (last - node->second);
    }
}

/* Moves what is carried for outside nodes to their accumulators; and back, with what the sweep has added. */
static void load_outside(uint32_t number, struct vlad_level *level) {
    struct vlad_tape *tape = &level->tape;
    for (size_t place = 0; place < tape->outside.capacity; place++) {
        const struct vlad_node_entry *outside = &tape->outside.entries[place];
        vlad_value *carried = outside->key ? vlad_nodes_find(&level->carry, outside->key - 1) : 0;
        if (!carried) continue;
        put(number, tape, vlad_tape_operations(tape) + (size_t)outside->value.word, *carried);
        *carried = vlad_real(0.0);
    }
}
static void store_outside(struct vlad_machine *m, uint32_t number, struct vlad_level *level) {
    struct vlad_tape *tape = &level->tape;
    for (size_t place = 0; place < tape->outside.capacity; place++) {
        const struct vlad_node_entry *outside = &tape->outside.entries[place];
        if (!outside->key) continue;
        vlad_value sum = take(number, tape, vlad_tape_operations(tape) + (size_t)outside->value.word);
        if (vlad_is_real(sum) && vlad_double(sum) == 0.0) continue;
        *vlad_nodes_place(m, &level->carry, outside->key - 1, tape->base) = sum;
    }
}

void vlad_sweep_part(struct vlad_machine *m, uint32_t number) {
    struct vlad_level *level = &vlad_levels_of(m)->levels[number];
    vlad_accumulators_make(m, number, &level->tape);
    take_carried(number, level);
    load_outside(number, level);
    if (level->tape.outside.count > 0) redirect(&level->tape);
    vlad_sweep(m, number, &level->tape);
    if (m->fault.kind) return;
    store_outside(m, number, level);
    vlad_tape_clear(m, number, &level->tape);
}
