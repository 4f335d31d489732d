/* Recording on the tape of a reverse level (encoding: tape.h), and the bytes of tapes.
 *
 * Rule 5a: the nodes of the independent operand come first, one for each position; then one for each execution of an
 * operation with an operand of the level. Tapes are in memory of their own, which grows without being copied if the C
 * library can move pages; up to a bound it is kept for the next level with the same index. The
 * counterpart of shared/ad/src/tape.rs; the sweep is in sweep.c.
 */
#include "tape.h"
#include "memory.h"
#include "nodes.h"
#include <stdlib.h>

/* The maximal size in bytes of a tape that is kept for the next, and the minimal allocation. */
#define MOST_BYTES_KEPT ((size_t)1 << 18)
#define FEWEST_BYTES ((size_t)1 << 10)

uint64_t vlad_tape_independent(struct vlad_tape *tape) {
    if (tape->records) tape->recorded_from++;
    return tape->next++;
}

int vlad_tape_numbered(struct vlad_machine *m, struct vlad_tape *tape) {
    vlad_tape_set_quick(tape);
    return vlad_tape_has_room(m, tape);
}

int vlad_tape_has_room(struct vlad_machine *m, const struct vlad_tape *tape) {
    if (!tape->records || VLAD_LIKELY(tape->next - tape->base < vlad_tape_places(tape))) return 1;
    m->fault.kind = VLAD_FAULT_TAPE;
    return 0;
}

/* Reserves space for one more record, and returns its position. */
static uint8_t *room_for_record(struct vlad_machine *m, struct vlad_tape *tape) {
    if (tape->capacity < tape->used + VLAD_MOST_OF_RECORD) {
        size_t least = tape->used + VLAD_MOST_OF_RECORD;
        tape->bytes = vlad_grown(m, tape->bytes, &tape->capacity, least < FEWEST_BYTES ? FEWEST_BYTES : least, 1);
    }
    return tape->bytes + tape->used;
}

/* Writes a number on a tape, as a double if the tape is of the outermost level. */
static uint8_t *put_number(uint8_t *at, uint32_t level, vlad_value number) {
    if (level == 0) return vlad_put_real(at, vlad_double(number));
    number = vlad_share(number);
    VLAD_COPY(at, &number, sizeof number);
    return at + sizeof number;
}

/* Reads a number backwards. */
static vlad_value number_before(uint32_t level, struct vlad_reader *reader) {
    return level == 0 ? vlad_real(vlad_read_saved_real(reader)) : vlad_read_saved(reader);
}

void vlad_tape_save(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape, vlad_value number) {
    uint8_t *end = put_number(room_for_record(m, tape), level, number);
    tape->used = (size_t)(end - tape->bytes);
}

vlad_value vlad_tape_restore(uint32_t level, struct vlad_tape *tape) {
    struct vlad_reader reader = vlad_reader_of(tape);
    vlad_value number = number_before(level, &reader);
    tape->used = (size_t)(reader.end - tape->bytes);
    return number;
}

void vlad_tape_drop_saved(struct vlad_machine *m, const struct vlad_tape *tape) {
    struct vlad_reader reader = vlad_reader_of(tape);
    while (reader.place > vlad_tape_independents(tape)) {
        struct vlad_read record = vlad_read_record(&reader);
        for (uint32_t reads = record.reads; reads; reads &= reads - 1) vlad_drop(m, vlad_read_saved(&reader));
    }
}

/* Writes an active operand of the next node; `part` is its part at the level. */
static uint8_t *put_operand(struct vlad_machine *m, struct vlad_tape *tape, uint8_t *at, vlad_value part) {
    if (VLAD_LIKELY(part.word >= tape->base)) return vlad_put_distance(at, tape->next - part.word);
    size_t known = tape->outside.count;
    vlad_value *index = vlad_nodes_place(m, &tape->outside, part.word, UINT64_MAX);
    if (tape->outside.count != known) *index = vlad_raw(known);
    return vlad_put_far(at, (uint32_t)(tape->next - tape->base) - (VLAD_NO_PLACE - 1 - (uint32_t)index->word));
}

uint64_t vlad_record(struct vlad_machine *m, uint32_t level, uint32_t operation, vlad_value first_part,
                     vlad_value second_part, vlad_value first, vlad_value second, vlad_value result) {
    struct vlad_tape *tape = &vlad_levels_of(m)->levels[level].tape;
    if (!tape->records || tape->replaying) return tape->next++;
    uint32_t active = (first_part.tag == VLAD_RAW ? VLAD_FIRST_ACTIVE : 0u) |
                      (second_part.tag == VLAD_RAW ? VLAD_SECOND_ACTIVE : 0u);
    uint32_t reads = vlad_reads[operation][active];
    uint8_t *end = room_for_record(m, tape);
    if (reads & VLAD_READS_FIRST) end = put_number(end, level, first);
    if (reads & VLAD_READS_SECOND) end = put_number(end, level, second);
    if (reads & VLAD_READS_RESULT) end = put_number(end, level, result);
    if (active & VLAD_FIRST_ACTIVE) end = put_operand(m, tape, end, first_part);
    if (active & VLAD_SECOND_ACTIVE) end = put_operand(m, tape, end, second_part);
    end = vlad_put_operation(end, operation, active);
    if (!vlad_tape_has_room(m, tape)) return 0;
    tape->used = (size_t)(end - tape->bytes);
    tape->next++;
    vlad_tape_set_quick(tape);
    return tape->next - 1;
}

void vlad_tape_trim(struct vlad_tape *tape) {
    if (tape->capacity <= MOST_BYTES_KEPT) return;
    free(tape->bytes);
    tape->bytes = 0;
    tape->capacity = 0;
}

/* Moves the bytes of a tape to another, if that has none. */
static void move_bytes(struct vlad_tape *from, struct vlad_tape *to) {
    if (to->bytes) return;
    to->bytes = from->bytes;
    to->capacity = from->capacity;
    from->bytes = 0;
    from->capacity = 0;
}

void vlad_tape_spare(struct vlad_levels *levels, struct vlad_tape *tape) {
    vlad_tape_trim(tape);
    move_bytes(tape, &levels->spare);
}

void vlad_tape_use_spare(struct vlad_levels *levels, struct vlad_tape *tape) { move_bytes(&levels->spare, tape); }
