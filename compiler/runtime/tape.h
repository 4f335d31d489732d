/* The tape of a reverse level: the records of its operations, in order of execution, and how a record is written and
 * read; and the accumulators that a sweep back over a tape adds to (rule 5a; report, part 9).
 *
 * Records are as short as what they say, since long tapes cost what their memory costs. One is written forwards and read
 * backwards: what the coefficients read (of first operand, second operand, result, in that order), the active operands,
 * first to last, and one byte for the operation and which operands are active. An operand is told by its distance: how many
 * nodes before that of the operation its own is. Short distances take one byte, all others four and a byte 0 behind them.
 */
#ifndef VLAD_TAPE_H
#define VLAD_TAPE_H

#include <string.h>

#include "machine.h"
#include "rules.h"

/* Parts of records stand at any bytes. The flags of the runtime make calls of plain calls. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define VLAD_COPY(to, from, size) __builtin_memcpy(to, from, size)
#else
#define VLAD_COPY(to, from, size) memcpy(to, from, size)
#endif

/* The places of nodes on a tape are less than this. An operand from before the tape, an outside one, has this less one and less
 * its index among those for its place. */
#define VLAD_NO_PLACE UINT32_MAX

/* The most bytes of a record, and the least. */
#define VLAD_MOST_OF_RECORD (3 * sizeof(vlad_value) + 2 * 5 + 1)
#define VLAD_LEAST_OF_RECORD 2

/* Distances of less than this are short. */
#define VLAD_NEAR 256

enum { VLAD_READS_FIRST = 1, VLAD_READS_SECOND = 2, VLAD_READS_RESULT = 4 };
enum { VLAD_FIRST_ACTIVE = 1, VLAD_SECOND_ACTIVE = 2 };

/* Values by the numbers of nodes (nodes.c): a table with open addressing, its capacity a power of two or 0. */
struct vlad_node_entry {
    uint64_t key; /* the number of the node plus 1; 0 if the place is free */
    vlad_value value;
};
struct vlad_nodes {
    struct vlad_node_entry *entries;
    size_t count;
    size_t capacity;
};

/* A sum for each node of a tape, then one for each outside one: doubles for a level under which every real is plain, else
 * numbers, owned. Where there are very many doubles they stand in blocks, of which those are made that are added to. */
struct vlad_accumulators {
    union {
        double *reals;
        vlad_value *numbers;
        double **blocks;
    } sums;
    size_t capacity; /* in bytes */
    struct vlad_slab *slabs; /* the memory of blocks; 0 where there are none */
};
#define VLAD_SUMS_OF_BLOCK 32

/* A level hands out numbers: first to the positions of the independent operand, then to the operations, in order. If it
 * records, those from `base` on are on its tape; if the independent operand's are among them, they come first and stand
 * nowhere. The place of a node is its number less the base. */
struct vlad_tape {
    uint8_t *bytes;
    size_t used;
    size_t capacity;
    size_t quick; /* as long as `used` is less there is room on the tape for one more operation; 0 if none is put there */
    struct vlad_accumulators accumulators;
    uint64_t next;  /* the number of the node that is made next */
    uint64_t base;  /* the number of the first node of the tape */
    uint64_t recorded_from; /* the number of the first operation of the tape */
    uint8_t records;   /* whether the level records, or only counts */
    uint8_t replaying; /* whether what is executed has been executed already: then nothing is recorded */
    struct vlad_nodes outside; /* of the operands from before the tape their indices, RAW */
};

/* How many operations are on a tape that records, and how many places of nodes are below them. */
static inline size_t vlad_tape_independents(const struct vlad_tape *tape) {
    return (size_t)(tape->recorded_from - tape->base);
}
static inline size_t vlad_tape_operations(const struct vlad_tape *tape) {
    return (size_t)(tape->next - tape->recorded_from);
}

/* So many places of a tape can be told apart: its nodes from the first place on, its outside ones from the last. */
static inline uint64_t vlad_tape_places(const struct vlad_tape *tape) {
    return VLAD_NO_PLACE - (uint64_t)tape->outside.count;
}

/* Says how far recording may go without a question, after what that depends on has changed. */
static inline void vlad_tape_set_quick(struct vlad_tape *tape) {
    tape->quick = 0;
    if (!tape->records || tape->replaying || tape->capacity < VLAD_MOST_OF_RECORD) return;
    size_t room = tape->capacity - VLAD_MOST_OF_RECORD + 1;
    uint64_t most = tape->base + vlad_tape_places(tape), nodes = tape->next < most ? most - tape->next : 0;
    tape->quick = tape->used < room && nodes < (room - tape->used + 1) / VLAD_LEAST_OF_RECORD
                      ? tape->used + (size_t)nodes * VLAD_LEAST_OF_RECORD
                      : room;
}

/* Has a level record the nodes from a number on, which is that of the next one made; or only count. */
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

/* Parts of a record, each written at a place, of which the end is given. */
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

/* What reads a tape backwards: where the records that are left end, and the place of the last node that was read. */
struct vlad_reader {
    const uint8_t *end;
    size_t place;
    uint32_t outside; /* the least place of an outside operand; and the sum of the first of them */
    size_t behind;
};

/* A record that has been read, but for what is before its operands. */
struct vlad_read {
    uint32_t operation;
    uint32_t active;
    uint32_t reads;
    size_t first; /* of active operands: the sums; and whether the distance was short */
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

/* Reads the last record that is left, but for what is before its operands. */
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

#endif
