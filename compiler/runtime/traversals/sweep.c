/* The reverse sweep over a tape: from the accumulators of the outputs to those of the independent operand.
 *
 * Rule 5a: nodes are visited in exact reverse of their execution; for each operand, first to last, the coefficient is
 * computed, multiplied and added to the accumulator. The sweep is itself a sequence of operations at the levels that
 * enclose this one; if there are none it is plain arithmetic. An accumulator that is a plain zero is skipped: all its
 * contributions are zero at every level. Runs with traps do not skip it, since they must test its coefficients.
 */
#include "sweep.h"
#include "accumulators.h"
#include "arithmetic.h"
#include "exits.h"
#include "levels.h"
#include "nodes.h"
#include "rules.h"
#include "tape.h"
#include "traps.h"

/* The number of any level that is not the outermost. */
#define ABOVE_PLAIN 1u

static VLAD_INLINE void add(struct vlad_machine *m, struct vlad_accumulators *accumulators, double *window, int is_near,
                            size_t place, double contribution) {
    if (!window)
        accumulators->sums.reals[place] += contribution;
    else if (is_near)
        window[place % VLAD_NEAR] += contribution;
    else
        *vlad_sum(m, accumulators, place) += contribution;
}

/* The sweep of the outermost level: no level encloses it, so products with 1 are omitted. The window, if any, holds the
 * accumulators of the nodes near the current one, exactly those that short distances refer to: contributions to an
 * accumulator are added in their order, in place until the window reaches it, and in the window from then on. */
static VLAD_INLINE void sweep_over(struct vlad_machine *m, const struct vlad_tape *tape,
                                   struct vlad_accumulators *accumulators, double *window) {
    struct vlad_reader reader = vlad_reader_of(tape);
    size_t independents = vlad_tape_independents(tape);
    for (size_t near = 1; window && near <= VLAD_NEAR && near <= reader.place; near++)
        window[(reader.place - near) % VLAD_NEAR] = vlad_sum_at(accumulators, reader.place - near);
    while (reader.place > independents) {
        if (!vlad_work(m)) return;
        struct vlad_read record = vlad_read_record(&reader);
        double r = record.reads & VLAD_READS_RESULT ? vlad_read_saved_real(&reader) : 0.0;
        double b = record.reads & VLAD_READS_SECOND ? vlad_read_saved_real(&reader) : 0.0;
        double a = record.reads & VLAD_READS_FIRST ? vlad_read_saved_real(&reader) : 0.0;
        double cotangent = window ? window[reader.place % VLAD_NEAR] : accumulators->sums.reals[reader.place];
        if (cotangent != 0.0) {
            struct vlad_products products = vlad_products_of(m, record.operation, VLAD_ONES_LEFT_OUT, record.active, a, b,
                                                             r, cotangent, cotangent);
            if (record.active & VLAD_FIRST_ACTIVE)
                add(m, accumulators, window, record.first_is_near, record.first, products.first);
            if (record.active & VLAD_SECOND_ACTIVE)
                add(m, accumulators, window, record.second_is_near, record.second, products.second);
        }
        if (window && reader.place >= VLAD_NEAR)
            window[reader.place % VLAD_NEAR] = vlad_sum_at(accumulators, reader.place - VLAD_NEAR);
    }
    for (size_t near = 1; window && near <= VLAD_NEAR && near <= reader.place; near++)
        *vlad_sum(m, accumulators, reader.place - near) = window[(reader.place - near) % VLAD_NEAR];
}

/* A saved number, if it was saved; borrowed from the tape, which may be one of the outermost level. */
static vlad_value saved(struct vlad_reader *reader, uint32_t level, uint32_t was_saved) {
    if (!was_saved) return vlad_real(0.0);
    return level == 0 ? vlad_real(vlad_read_saved_real(reader)) : vlad_read_saved(reader);
}

/* Reads the saved numbers of a record: those of the operands, and of the result. */
static void read_saved(struct vlad_reader *reader, uint32_t level, uint32_t reads, vlad_value *operands) {
    operands[2] = saved(reader, level, reads & VLAD_READS_RESULT);
    operands[1] = saved(reader, level, reads & VLAD_READS_SECOND);
    operands[0] = saved(reader, level, reads & VLAD_READS_FIRST);
}

/* Adds the contributions of a node to accumulators, which are doubles if the level is the outermost one. */
static void contribute(struct vlad_machine *m, uint32_t level, struct vlad_accumulators *accumulators,
                       const struct vlad_read *record, const vlad_value *operands, vlad_value cotangent) {
    for (uint32_t operand = 0; operand < 2; operand++) {
        if (!(record->active >> operand & 1)) continue;
        size_t place = operand == 0 ? record->first : record->second;
        vlad_value product =
            vlad_product(m, record->operation, operand, operands[0], operands[1], operands[2], cotangent);
        vlad_accumulators_add(m, level, accumulators, place, product);
        vlad_drop(m, product);
    }
}

/* The same sweep in a run with traps. */
static VLAD_APART void sweep_with_traps(struct vlad_machine *m, const struct vlad_tape *tape,
                                        struct vlad_accumulators *accumulators) {
    struct vlad_reader reader = vlad_reader_of(tape);
    size_t independents = vlad_tape_independents(tape);
    while (reader.place > independents) {
        if (!vlad_work(m)) return;
        struct vlad_read record = vlad_read_record(&reader);
        vlad_value operands[3];
        read_saved(&reader, 0, record.reads, operands);
        contribute(m, 0, accumulators, &record, operands, vlad_real(vlad_sum_at(accumulators, reader.place)));
    }
}

static void sweep_reals(struct vlad_machine *m, const struct vlad_tape *tape, struct vlad_accumulators *accumulators) {
    double window[VLAD_NEAR];
    if (VLAD_UNLIKELY(vlad_has_traps(m)))
        sweep_with_traps(m, tape, accumulators);
    else if (accumulators->slabs)
        sweep_over(m, tape, accumulators, window);
    else
        sweep_over(m, tape, accumulators, 0);
}

/* The state of a tape after a sweep. */
enum use { USED_UP, KEPT };

/* The sweep of a level whose cotangents are numbers. Saved numbers are dropped if the tape, which owns them, is used up. */
static void sweep_numbers(struct vlad_machine *m, uint32_t level, const struct vlad_tape *tape, enum use use,
                          struct vlad_accumulators *accumulators) {
    struct vlad_reader reader = vlad_reader_of(tape);
    size_t independents = vlad_tape_independents(tape);
    while (reader.place > independents) {
        if (!vlad_work(m)) return;
        struct vlad_read record = vlad_read_record(&reader);
        vlad_value operands[3];
        read_saved(&reader, level, record.reads, operands);
        vlad_value cotangent = accumulators->sums.numbers[reader.place];
        if (!vlad_is_real(cotangent) || vlad_double(cotangent) != 0.0 || vlad_has_traps(m))
            contribute(m, ABOVE_PLAIN, accumulators, &record, operands, cotangent);
        vlad_drop(m, cotangent);
        for (int operand = 0; use == USED_UP && operand < 3; operand++) vlad_drop(m, operands[operand]);
    }
}

void vlad_sweep_kept(struct vlad_machine *m, uint32_t level, const struct vlad_tape *tape, uint32_t accumulators_level,
                     struct vlad_accumulators *accumulators) {
    if (m->fault.kind) return;
    if (accumulators_level == 0)
        sweep_reals(m, tape, accumulators);
    else
        sweep_numbers(m, level, tape, KEPT, accumulators);
}

void vlad_sweep(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape) {
    if (m->fault.kind) return;
    if (level == 0)
        sweep_reals(m, tape, &tape->accumulators);
    else
        sweep_numbers(m, level, tape, USED_UP, &tape->accumulators);
    vlad_tape_trim(tape);
}

void vlad_carry_add(struct vlad_machine *m, struct vlad_level *level, uint64_t node, vlad_value contribution) {
    vlad_value *accumulator = vlad_nodes_place(m, &level->carry, node, UINT64_MAX);
    vlad_value sum = vlad_sum_of_parts(m, *accumulator, contribution);
    vlad_drop(m, *accumulator);
    *accumulator = sum;
}

vlad_value vlad_carried(struct vlad_machine *m, const struct vlad_level *level, uint64_t node) {
    const vlad_value *accumulator = vlad_nodes_find(&level->carry, node);
    return accumulator ? vlad_given_back(m, *accumulator) : vlad_real(0.0);
}

/* Moves the carried cotangents of the tape's nodes to their accumulators: iterates over the smaller set, the nodes of the
 * tape or the table of carried cotangents. */
static void take_carried(struct vlad_machine *m, uint32_t number, struct vlad_level *level) {
    struct vlad_tape *tape = &level->tape;
    size_t operations = vlad_tape_operations(tape), candidates = level->carry.capacity;
    for (size_t candidate = 0; candidate < operations && candidates > operations; candidate++) {
        vlad_value *carried = vlad_nodes_find(&level->carry, tape->base + candidate);
        if (!carried) continue;
        vlad_accumulators_put(m, number, &tape->accumulators, candidate, *carried);
        *carried = vlad_real(0.0);
    }
    for (size_t candidate = 0; candidate < candidates && candidates <= operations; candidate++) {
        struct vlad_node_entry *entry = vlad_nodes_at(&level->carry, candidate);
        /* Nodes behind the tape have been swept. */
        if (!entry || entry->key - 1 < tape->base || entry->key - 1 - tape->base >= operations) continue;
        vlad_accumulators_put(m, number, &tape->accumulators, (size_t)(entry->key - 1 - tape->base), entry->value);
        entry->value = vlad_real(0.0);
    }
}

/* The index of the accumulator of an outside node: after those of the tape. */
static size_t place_of_outside(const struct vlad_tape *tape, const struct vlad_node_entry *outside) {
    return vlad_tape_operations(tape) + (size_t)outside->value.word;
}

/* Move the carried cotangents of outside nodes to their accumulators; and back, with the contributions of the sweep. */
static void load_outside(struct vlad_machine *m, uint32_t number, struct vlad_level *level) {
    struct vlad_tape *tape = &level->tape;
    for (size_t place = 0; place < tape->outside.capacity; place++) {
        const struct vlad_node_entry *outside = vlad_nodes_at(&tape->outside, place);
        vlad_value *carried = outside ? vlad_nodes_find(&level->carry, outside->key - 1) : 0;
        if (!carried) continue;
        vlad_accumulators_put(m, number, &tape->accumulators, place_of_outside(tape, outside), *carried);
        *carried = vlad_real(0.0);
    }
}
static void store_outside(struct vlad_machine *m, uint32_t number, struct vlad_level *level) {
    struct vlad_tape *tape = &level->tape;
    for (size_t place = 0; place < tape->outside.capacity; place++) {
        const struct vlad_node_entry *outside = vlad_nodes_at(&tape->outside, place);
        if (!outside) continue;
        vlad_value sum = vlad_accumulators_take(number, &tape->accumulators, place_of_outside(tape, outside));
        if (vlad_is_real(sum) && vlad_double(sum) == 0.0) continue;
        *vlad_nodes_place(m, &level->carry, outside->key - 1, tape->base) = sum;
    }
}

void vlad_sweep_part(struct vlad_machine *m, uint32_t number) {
    struct vlad_level *level = &vlad_levels_of(m)->levels[number];
    struct vlad_tape *tape = &level->tape;
    vlad_accumulators_make(m, number, &tape->accumulators, vlad_tape_operations(tape) + tape->outside.count);
    take_carried(m, number, level);
    load_outside(m, number, level);
    vlad_sweep(m, number, tape);
    if (m->fault.kind) return;
    store_outside(m, number, level);
    vlad_tape_clear(m, number, tape);
}
