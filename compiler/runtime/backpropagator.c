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

/* Bytes of which less than one in so many is used are not taken over, but copied. */
#define MOST_ROOM 4
/* Records that have died are kept for the next ones: so many, of so many bytes. */
#define MOST_DEAD_RECORDS 16
#define MOST_BYTES_KEPT ((size_t)1 << 14)

static struct vlad_record *record_of(const struct vlad_slots *backpropagator) {
    return (struct vlad_record *)(uintptr_t)backpropagator->values[VLAD_BACK_RECORD].word;
}

/* Takes the bytes of a tape over, or a copy of what is in them: into those that there are, if there is room. */
static void take_over(struct vlad_machine *m, struct vlad_tape *tape, struct vlad_tape *kept) {
    kept->used = tape->used;
    if (tape->used > kept->capacity) {
        free(kept->bytes);
        kept->bytes = 0;
        kept->capacity = 0;
        if (tape->used >= tape->capacity / MOST_ROOM) {
            kept->bytes = tape->bytes;
            kept->capacity = tape->capacity;
            tape->bytes = 0;
            tape->capacity = 0;
            return;
        }
        kept->bytes = malloc(tape->used);
        if (!kept->bytes) vlad_out_of_memory(m);
        kept->capacity = tape->used;
    }
    if (tape->used > 0) memcpy(kept->bytes, tape->bytes, tape->used);
}

/* A record that has died, with its bytes, or a new one. */
static struct vlad_record *some_record(struct vlad_machine *m) {
    struct vlad_levels *levels = vlad_levels_of(m);
    struct vlad_record *record = levels->dead_records;
    if (!record) {
        record = calloc(1, sizeof *record);
        if (!record) vlad_out_of_memory(m);
        return record;
    }
    levels->dead_records = record->next;
    levels->dead_record_count--;
    return record;
}

/* The record of a level that has ended. Its tape keeps what is too much room, but nothing else. */
static struct vlad_record *new_record(struct vlad_machine *m, uint32_t level, enum vlad_numbered numbered) {
    struct vlad_levels *levels = vlad_levels_of(m);
    struct vlad_tape *tape = &levels->levels[level].tape;
    struct vlad_record *record = some_record(m);
    record->level = level;
    record->numbered = numbered;
    record->previous = 0;
    record->next = levels->records;
    if (record->next) record->next->previous = record;
    levels->records = record;
    take_over(m, tape, &record->tape);
    record->tape.next = tape->next;
    record->tape.recorded_from = tape->recorded_from;
    tape->used = 0;
    vlad_tape_trim(tape);
    return record;
}

/* Whether a record that has died is kept for the next: there are not many, and it is small. */
static int is_kept(const struct vlad_levels *levels, const struct vlad_record *record) {
    const struct vlad_tape *tape = &record->tape;
    return record->level == 0 && levels->dead_record_count < MOST_DEAD_RECORDS &&
           tape->capacity <= MOST_BYTES_KEPT;
}

static void free_record(struct vlad_machine *m, struct vlad_record *record) {
    struct vlad_levels *levels = vlad_levels_of(m);
    struct vlad_tape *tape = &record->tape;
    if (record->previous)
        record->previous->next = record->next;
    else
        levels->records = record->next;
    if (record->next) record->next->previous = record->previous;
    if (is_kept(levels, record)) {
        record->next = levels->dead_records;
        levels->dead_records = record;
        levels->dead_record_count++;
        return;
    }
    if (record->level == 0)
        vlad_tape_spare(levels, tape);
    else
        vlad_tape_drop_saved(m, tape);
    free(tape->bytes);
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
    if (VLAD_LIKELY(machine->journals > 0)) {
        machine->journals--;
        return 0;
    }
    uint64_t count = vlad_journal_end(machine);
    if (count == 0) return 0;
    struct vlad_reads *reads = vlad_reads_or_none(m, count);
    if (!reads) vlad_out_of_memory(m);
    vlad_answered(machine, machine->calls.journal_read(machine->host, reads->reals));
    return reads;
}

void vlad_reads_drop(struct vlad_machine *m, struct vlad_reads *reads) {
    if (reads && --reads->references == 0) vlad_block_give(&vlad_private(m)->memory, reads);
}

void vlad_backpropagator_dies(struct vlad_machine *m, struct vlad_slots *slots) {
    struct vlad_record *record = record_of(slots);
    if (record) free_record(m, record);
    vlad_reads_drop(m, vlad_reads_in(slots));
}

vlad_value vlad_backpropagator(struct vlad_machine *m, uint32_t level, enum vlad_numbered numbered, vlad_value f,
                               vlad_value x, vlad_value y, struct vlad_reads *reads) {
    struct vlad_slots *slots = m->services->new_slots(m, VLAD_BACK_SLOTS);
    slots->values[VLAD_BACK_OPERATOR] = f;
    slots->values[VLAD_BACK_OPERAND] = x;
    slots->values[VLAD_BACK_Y] = y;
    slots->values[VLAD_BACK_RECORD] = vlad_raw((uint64_t)(uintptr_t)new_record(m, level, numbered));
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

void vlad_backpropagate(struct vlad_machine *m, vlad_value backpropagator, vlad_value cotangent, int *is_marked,
                        vlad_value *of_f, vlad_value *of_x) {
    const struct vlad_slots *slots = vlad_as_slots(backpropagator);
    const struct vlad_record *record = record_of(slots);
    vlad_value f = slots->values[VLAD_BACK_OPERATOR], x = slots->values[VLAD_BACK_OPERAND];
    cotangent = vlad_as_given(VLAD_SENSITIVITY, cotangent, slots->values[VLAD_BACK_Y], is_marked);
    /* While no level is under way, records are of the outermost one. */
    uint32_t form = vlad_levels_of(m)->count == 0 ? 0 : 1;
    struct vlad_accumulators *accumulators = &vlad_levels_of(m)->spare.accumulators;
    vlad_accumulators_make(m, form, accumulators, (size_t)record->tape.next);
    struct vlad_reversal reversal = {record->level, form, accumulators, 0};
    vlad_seed(m, &reversal, slots->values[VLAD_BACK_Y], cotangent, VLAD_COMPANION_SENSITIVITY);
    vlad_sweep_kept(m, record->level, &record->tape, form, accumulators);
    if (m->fault.kind) return;
    *of_f = record->numbered == VLAD_BOTH_NUMBERED ? vlad_gather(m, &reversal, f) : vlad_share(f);
    *of_x = vlad_gather(m, &reversal, x);
    if (m->fault.kind) return;
    for (size_t node = 0; form != 0 && node < vlad_tape_independents(&record->tape); node++)
        vlad_drop(m, accumulators->sums.numbers[node]);
    vlad_accumulators_trim(accumulators);
}
