/* The records of applications, with the input that they read. A record is made when a level ends, and freed with the
 * backpropagator.
 *
 * A small dead record is kept for reuse with its bytes.
 */
#include "record.h"
#include "exits.h"
#include "journal.h"
#include "memory.h"
#include "tape.h"

#include <stdlib.h>

/* The bytes of a tape are moved if at least one in this many is used, and copied otherwise. */
#define MOST_ROOM 4
/* The maximal number, and size in bytes, of the dead records that are kept for reuse. */
#define MOST_DEAD_RECORDS 16
#define MOST_BYTES_KEPT ((size_t)1 << 14)

/* Moves the bytes of a tape to a record, or copies the used ones: into the bytes of the record if they suffice. */
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

/* A dead record, with its bytes, for reuse, or a new one. */
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

struct vlad_record *vlad_record_make(struct vlad_machine *m, uint32_t level, enum vlad_numbered numbered) {
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

/* True if a dead record is kept for reuse: if there are few, and it is small. */
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
    struct vlad_record *record = vlad_record_of(slots);
    if (record) free_record(m, record);
    vlad_reads_drop(m, vlad_reads_in(slots));
}
