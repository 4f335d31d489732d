/* ((*j f) (*j x)) is the pair of the reversed value y of f at x and a backpropagator, which maps a cotangent of y to the
 * cotangents of f and x (shared's differentiation::backpropagator). The call of f is in transformed.c.
 *
 * A backpropagator keeps the tape of the application as its record, which sweeps leave as it is, so nothing is executed
 * again. The level of the record has ended; of those older than it none ends before it dies, since what leaves a level is
 * walked, and what is made of a backpropagator by a walk has no record. Later levels may have its number: numbers of the
 * record's level are in y alone, and what is saved on its tape is of older ones.
 *
 * Cotangents may be numbers of any level that is under way. So accumulators are doubles only while there is none; they
 * stand in memory of their own, which all records use by turns: sweeps never nest.
 */
#include "machine_private.h"
#include "reflection.h"
#include <stdlib.h>

/* An array of which less than one in so many places is used is not taken over, but copied. */
#define MOST_ROOM 4

static struct vlad_record *record_of(const struct vlad_slots *backpropagator) {
    return (struct vlad_record *)(uintptr_t)backpropagator->values[VLAD_BACK_RECORD].word;
}

/* Takes an array of a tape over, or a copy of what is in it; says what room it has. */
static void *taken_over(struct vlad_machine *m, void **memory, size_t *capacity, size_t used, size_t size, size_t *room) {
    void *taken = *memory;
    *room = 0;
    if (used == 0) return 0;
    if (used < *capacity / MOST_ROOM) {
        taken = malloc(used * size);
        if (!taken) vlad_out_of_memory(m);
        memcpy(taken, *memory, used * size);
        *room = used;
        return taken;
    }
    *room = *capacity;
    *memory = 0;
    *capacity = 0;
    return taken;
}

/* The record of a level that has ended. Its tape keeps what is too much room, but nothing else. */
static struct vlad_record *new_record(struct vlad_machine *m, uint32_t level) {
    struct vlad_levels *levels = vlad_levels_of(m);
    struct vlad_tape *tape = &levels->levels[level].tape;
    struct vlad_record *record = calloc(1, sizeof *record);
    if (!record) vlad_out_of_memory(m);
    record->level = level;
    record->next = levels->records;
    if (record->next) record->next->previous = record;
    levels->records = record;
    size_t size = level == 0 ? sizeof *tape->saved.reals : sizeof *tape->saved.numbers;
    void *nodes = tape->nodes, *saved = tape->saved.reals;
    struct vlad_tape *kept = &record->tape;
    kept->nodes = taken_over(m, &nodes, &tape->node_capacity, vlad_tape_operations(tape), sizeof *tape->nodes,
                             &kept->node_capacity);
    tape->nodes = nodes;
    kept->saved.reals = taken_over(m, &saved, &tape->saved_capacity, tape->saved_count, size, &kept->saved_capacity);
    tape->saved.reals = saved;
    kept->saved_count = tape->saved_count;
    kept->next = tape->next;
    kept->recorded_from = tape->recorded_from;
    tape->saved_count = 0;
    vlad_tape_trim(level, tape);
    return record;
}

static void free_record(struct vlad_machine *m, struct vlad_record *record) {
    struct vlad_levels *levels = vlad_levels_of(m);
    struct vlad_tape *tape = &record->tape;
    if (record->previous)
        record->previous->next = record->next;
    else
        levels->records = record->next;
    if (record->next) record->next->previous = record->previous;
    if (record->level == 0)
        vlad_tape_spare(levels, tape);
    else
        for (size_t number = 0; number < tape->saved_count; number++) vlad_drop(m, tape->saved.numbers[number]);
    free(tape->nodes);
    free(tape->saved.reals);
    free(record);
}

struct vlad_reads *vlad_reads_or_none(struct vlad_machine *m, uint64_t count) {
    if (count > (SIZE_MAX - sizeof(struct vlad_reads)) / sizeof(double)) return 0;
    struct vlad_reads *reads =
        vlad_block_take(&vlad_private(m)->memory, sizeof *reads + (size_t)count * sizeof reads->reals[0]);
    if (!reads) return 0;
    reads->references = 1;
    reads->count = count;
    return reads;
}

struct vlad_reads *vlad_reads_end(struct vlad_machine *m) {
    struct machine *machine = vlad_private(m);
    uint64_t count = machine->calls.journal_end(machine->host);
    if (count == 0) return 0;
    struct vlad_reads *reads = vlad_reads_or_none(m, count);
    if (!reads) vlad_out_of_memory(m);
    machine->calls.journal_read(machine->host, reads->reals);
    return reads;
}

void vlad_backpropagator_dies(struct vlad_machine *m, struct vlad_slots *slots) {
    struct vlad_record *record = record_of(slots);
    struct vlad_reads *reads = vlad_reads_in(slots);
    if (record) free_record(m, record);
    if (reads && --reads->references == 0) vlad_block_give(&vlad_private(m)->memory, reads);
}

vlad_value vlad_backpropagator(struct vlad_machine *m, uint32_t level, vlad_value f, vlad_value x, vlad_value y,
                               struct vlad_reads *reads) {
    struct vlad_slots *slots = m->services->new_slots(m, VLAD_BACK_SLOTS);
    slots->values[VLAD_BACK_OPERATOR] = f;
    slots->values[VLAD_BACK_OPERAND] = x;
    slots->values[VLAD_BACK_Y] = y;
    slots->values[VLAD_BACK_RECORD] = vlad_raw((uint64_t)(uintptr_t)new_record(m, level));
    slots->values[VLAD_BACK_READS] = vlad_raw((uint64_t)(uintptr_t)reads);
    return vlad_make(VLAD_BACKPROPAGATOR, (uint64_t)(uintptr_t)slots);
}

int vlad_has_record(vlad_value backpropagator) { return record_of(vlad_as_slots(backpropagator)) != 0; }

vlad_value vlad_backpropagator_parts(struct vlad_machine *m, vlad_value backpropagator) {
    const struct vlad_slots *slots = vlad_as_slots(backpropagator);
    vlad_value f = vlad_share(slots->values[VLAD_BACK_OPERATOR]);
    return vlad_pair(m, f, vlad_share(slots->values[VLAD_BACK_OPERAND]));
}

vlad_value vlad_cotangents_given_back(struct vlad_machine *m, int is_marked, vlad_value cotangents) {
    return is_marked ? vlad_tagged(m, VLAD_SENSITIVITY, cotangents) : cotangents;
}

/* A tape with accumulators, at +0, for a sweep over a record: doubles if the form is 0, else numbers. What is spare is
 * counted in doubles. */
static struct vlad_tape accumulators_for(struct vlad_machine *m, const struct vlad_tape *record, uint32_t form) {
    struct vlad_tape *spare = &vlad_levels_of(m)->spare;
    size_t doubles = form == 0 ? 1 : sizeof(vlad_value) / sizeof(double), count = (size_t)record->next * doubles;
    if (count > spare->accumulator_capacity)
        spare->accumulators.reals = vlad_grown(m, spare->accumulators.reals, &spare->accumulator_capacity, count,
                                               sizeof *spare->accumulators.reals);
    struct vlad_tape tape = {.next = record->next, .recorded_from = record->recorded_from};
    tape.accumulators = spare->accumulators;
    tape.accumulator_capacity = spare->accumulator_capacity / doubles;
    vlad_accumulators_make(m, form, &tape);
    return tape;
}

vlad_value vlad_backpropagate(struct vlad_machine *m, vlad_value backpropagator, vlad_value cotangent) {
    const struct vlad_slots *slots = vlad_as_slots(backpropagator);
    const struct vlad_record *record = record_of(slots);
    int is_marked;
    cotangent = vlad_as_given(VLAD_SENSITIVITY, cotangent, slots->values[VLAD_BACK_Y], &is_marked);
    /* While no level is under way, records are of the outermost one. */
    uint32_t form = vlad_levels_of(m)->count == 0 ? 0 : 1;
    struct vlad_tape accumulators = accumulators_for(m, &record->tape, form);
    struct vlad_reversal reversal = {record->level, form, &accumulators, 0};
    vlad_seed(m, &reversal, slots->values[VLAD_BACK_Y], cotangent, VLAD_COMPANION_SENSITIVITY);
    vlad_sweep_kept(m, record->level, &record->tape, form, &accumulators);
    if (m->fault.kind) return vlad_nil();
    vlad_value parts = vlad_backpropagator_parts(m, backpropagator);
    vlad_value gathered = vlad_gather(m, &reversal, parts);
    if (m->fault.kind) return vlad_nil();
    vlad_drop(m, parts);
    for (size_t node = 0; form != 0 && node < vlad_tape_independents(&record->tape); node++)
        vlad_drop(m, accumulators.accumulators.numbers[node]);
    vlad_tape_trim(0, &vlad_levels_of(m)->spare);
    return vlad_cotangents_given_back(m, is_marked, gathered);
}
