/* The tape of a reverse level: the records of its operations, in order of execution, and their encoding (rule 5a;
 * report, part 9).
 *
 * Records are as short as their content, since the cost of long tapes is the cost of their memory. A record is written
 * forwards and read backwards: the values read by the coefficients (of first operand, second operand, result, in that
 * order), the active operands, first to last, and one byte for the operation and the set of active operands. An operand
 * is encoded as its distance: the number of the operation's node minus the number of its own node. Short distances take
 * one byte, all others four and a byte 0 after them.
 */
#ifndef VLAD_TAPE_H
#define VLAD_TAPE_H

#include <string.h>

#include "differentiation.h"
#include "machine.h"
#include "rules.h"

/* Parts of records are unaligned. The flags of the runtime turn plain memcpy calls into real calls. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define VLAD_COPY(to, from, size) __builtin_memcpy(to, from, size)
#else
#define VLAD_COPY(to, from, size) memcpy(to, from, size)
#endif

/* The places of nodes on a tape are less than this. The place of an operand from before the tape, an outside one, is this
 * less one and less its index among the outside operands. */
#define VLAD_NO_PLACE UINT32_MAX

/* The maximal and the minimal size of a record in bytes. */
#define VLAD_MOST_OF_RECORD (3 * sizeof(vlad_value) + 2 * 5 + 1)
#define VLAD_LEAST_OF_RECORD 2

/* Distances of less than this are short. */
#define VLAD_NEAR 256

enum { VLAD_READS_FIRST = 1, VLAD_READS_SECOND = 2, VLAD_READS_RESULT = 4 };
enum { VLAD_FIRST_ACTIVE = 1, VLAD_SECOND_ACTIVE = 2 };

/* The number of independent nodes on a tape that records; and the number of its operations. */
static inline size_t vlad_tape_independents(const struct vlad_tape *tape) {
    return (size_t)(tape->recorded_from - tape->base);
}
static inline size_t vlad_tape_operations(const struct vlad_tape *tape) {
    return (size_t)(tape->next - tape->recorded_from);
}

/* The number of places for the nodes of a tape: the last places, downwards, belong to its outside operands. */
static inline uint64_t vlad_tape_places(const struct vlad_tape *tape) {
    return VLAD_NO_PLACE - (uint64_t)tape->outside.count;
}

/* Recomputes the bound up to which recording needs no check, after a change of the fields it depends on. */
static inline void vlad_tape_set_quick(struct vlad_tape *tape) {
    tape->quick = 0;
    if (!tape->records || tape->replaying || tape->capacity < VLAD_MOST_OF_RECORD) return;
    size_t room = tape->capacity - VLAD_MOST_OF_RECORD + 1;
    uint64_t most = tape->base + vlad_tape_places(tape), nodes = tape->next < most ? most - tape->next : 0;
    tape->quick = tape->used < room && nodes < (room - tape->used + 1) / VLAD_LEAST_OF_RECORD
                      ? tape->used + (size_t)nodes * VLAD_LEAST_OF_RECORD
                      : room;
}

/* Make a level record the nodes from a number on, which is that of the next node made; or make it only count. */
static inline void vlad_tape_records(struct vlad_tape *tape, uint64_t base) {
    tape->records = 1;
    tape->base = base;
    tape->recorded_from = base;
    tape->next = base;
    tape->used = 0;
    vlad_tape_set_quick(tape);
}
static inline void vlad_tape_counts(struct vlad_tape *tape) {
    tape->records = 0;
    tape->quick = 0;
}

/* Write a part of a record at a position, and return its end. */
static VLAD_INLINE uint8_t *vlad_put_real(uint8_t *at, double real) {
    VLAD_COPY(at, &real, sizeof real);
    return at + sizeof real;
}
static VLAD_INLINE uint8_t *vlad_put_far(uint8_t *at, uint32_t distance) {
    VLAD_COPY(at, &distance, sizeof distance);
    at[4] = 0;
    return at + 5;
}
static VLAD_INLINE uint8_t *vlad_put_distance(uint8_t *at, uint64_t distance) {
    if (VLAD_UNLIKELY(distance >= VLAD_NEAR)) return vlad_put_far(at, (uint32_t)distance);
    *at = (uint8_t)distance;
    return at + 1;
}
static VLAD_INLINE uint8_t *vlad_put_operation(uint8_t *at, uint32_t operation, uint32_t active) {
    *at = (uint8_t)(operation << 2 | active);
    return at + 1;
}

/* A cursor that reads a tape backwards: the end of the remaining records, and the place of the last node that was read. */
struct vlad_reader {
    const uint8_t *end;
    size_t place;
    uint32_t outside; /* the least place of an outside operand; and the index of the first outside accumulator */
    size_t behind;
};

/* A record that has been read, except for the saved values. */
struct vlad_read {
    uint32_t operation;
    uint32_t active;
    uint32_t reads;
    size_t first; /* of active operands: the indices of the accumulators; and flags for short distances */
    size_t second;
    int first_is_near;
    int second_is_near;
};

static inline struct vlad_reader vlad_reader_of(const struct vlad_tape *tape) {
    size_t places = (size_t)(tape->next - tape->base);
    uint32_t outside = VLAD_NO_PLACE - (uint32_t)tape->outside.count;
    struct vlad_reader reader = {tape->used ? tape->bytes + tape->used : tape->bytes, places, outside, places};
    return reader;
}

static VLAD_INLINE size_t vlad_read_distance(struct vlad_reader *reader, int *is_near) {
    uint32_t distance = *--reader->end;
    *is_near = distance != 0;
    if (VLAD_LIKELY(distance != 0)) return reader->place - distance;
    reader->end -= sizeof distance;
    VLAD_COPY(&distance, reader->end, sizeof distance);
    uint32_t place = (uint32_t)reader->place - distance;
    return place < reader->outside ? place : reader->behind + (VLAD_NO_PLACE - 1 - place);
}

/* Reads the last remaining record, except for the saved values. */
static VLAD_INLINE struct vlad_read vlad_read_record(struct vlad_reader *reader) {
    struct vlad_read record = {0};
    uint32_t head = *--reader->end;
    reader->place--;
    record.operation = head >> 2;
    record.active = head & 3;
    record.reads = vlad_reads[record.operation][record.active];
    if (record.active & VLAD_SECOND_ACTIVE) record.second = vlad_read_distance(reader, &record.second_is_near);
    if (record.active & VLAD_FIRST_ACTIVE) record.first = vlad_read_distance(reader, &record.first_is_near);
    return record;
}
static VLAD_INLINE double vlad_read_saved_real(struct vlad_reader *reader) {
    double real;
    reader->end -= sizeof real;
    VLAD_COPY(&real, reader->end, sizeof real);
    return real;
}
static inline vlad_value vlad_read_saved(struct vlad_reader *reader) {
    vlad_value number;
    reader->end -= sizeof number;
    VLAD_COPY(&number, reader->end, sizeof number);
    return number;
}

/* Assigns the number of the next position of the independent operand; only before any operation is recorded. */
uint64_t vlad_tape_independent(struct vlad_tape *tape);
/* Record the fault if the tape has no place for another node, and return 0 then. The second is called once the positions
 * have their numbers. */
int vlad_tape_has_room(struct vlad_machine *m, const struct vlad_tape *tape);
int vlad_tape_numbered(struct vlad_machine *m, struct vlad_tape *tape);
/* The number of the tape node of an operation at a reverse level. The parts of the operands are RAW nodes if the operands
 * are of the level. The operation is recorded or only counted, depending on the level. */
uint64_t vlad_record(struct vlad_machine *m, uint32_t level, uint32_t operation, vlad_value first_part,
                     vlad_value second_part, vlad_value first, vlad_value second, vlad_value result);
/* Saves a number on the tape of a counting level; and removes, and returns owned, the number saved last. */
void vlad_tape_save(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape, vlad_value number);
vlad_value vlad_tape_restore(uint32_t level, struct vlad_tape *tape);
/* Drops the numbers saved on a tape of a level that is not the outermost. */
void vlad_tape_drop_saved(struct vlad_machine *m, const struct vlad_tape *tape);
/* Of tapes of the outermost level: moves the bytes, if not too large, to the spare tape if that has none; and moves the
 * spare bytes to a tape that has none. */
void vlad_tape_spare(struct vlad_levels *levels, struct vlad_tape *tape);
void vlad_tape_use_spare(struct vlad_levels *levels, struct vlad_tape *tape);
/* Frees bytes that are too large to keep for the next level. */
void vlad_tape_trim(struct vlad_tape *tape);

#endif
