/* The tape of a reverse level: the nodes of its operations in order of execution.
 *
 * Rule 5a: the nodes of the independent operand come first, one a position; then one for each execution of an operation
 * with an operand of the level. Tapes stand in memory of their own, which grows without being copied where the C
 * library can move pages; what is not too much stays for the next level of the same place. Follows shared's
 * differentiation::tape, whose second half is sweep.c.
 */
#include "machine_private.h"
#include "reflection.h"
#include <stdlib.h>

/* The most bytes of each part of a tape that are kept for the next. */
#define MOST_BYTES_KEPT ((size_t)1 << 18)

void vlad_levels_init(struct vlad_levels *levels) { memset(levels, 0, sizeof *levels); }

void vlad_levels_allocate(struct vlad_machine *m) {
    struct vlad_levels *levels = vlad_levels_of(m);
    levels->levels = calloc(VLAD_MOST_LEVELS, sizeof *levels->levels);
    if (!levels->levels) vlad_out_of_memory(m);
}

static void free_records(struct vlad_record *record) {
    while (record) {
        struct vlad_record *next = record->next;
        free(record->tape.nodes);
        free(record->tape.saved.reals);
        free(record);
        record = next;
    }
}

void vlad_levels_free(struct vlad_levels *levels) {
    for (uint32_t place = 0; levels->levels && place < VLAD_MOST_LEVELS; place++) {
        struct vlad_tape *tape = &levels->levels[place].tape;
        free(tape->nodes);
        free(tape->saved.reals);
        free(tape->accumulators.reals);
        free(tape->outside.entries);
        free(levels->levels[place].carry.entries);
    }
    free_records(levels->records);
    free_records(levels->dead_records);
    free(levels->spare.nodes);
    free(levels->spare.saved.reals);
    free(levels->spare.accumulators.reals);
    free(levels->levels);
    free(levels->walk.tasks);
    free(levels->walk.made);
    vlad_levels_init(levels);
}

void *vlad_grown(struct vlad_machine *m, void *memory, size_t *capacity, size_t least, size_t size) {
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < 64) wanted = 64;
    if (wanted < least) wanted = least;
    void *grown = wanted <= SIZE_MAX / size ? realloc(memory, wanted * size) : 0;
    if (!grown) vlad_out_of_memory(m);
    *capacity = wanted;
    return grown;
}

uint64_t vlad_tape_independent(struct vlad_tape *tape) {
    if (tape->records) tape->recorded_from++;
    return tape->next++;
}

int vlad_tape_has_room(struct vlad_machine *m, const struct vlad_tape *tape) {
    if (!tape->records || VLAD_LIKELY(tape->next - tape->base < vlad_tape_places(tape))) return 1;
    m->fault.kind = VLAD_FAULT_TAPE;
    return 0;
}

void vlad_tape_save(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape, vlad_value number) {
    if (VLAD_UNLIKELY(tape->saved_count == tape->saved_capacity)) {
        size_t size = level == 0 ? sizeof *tape->saved.reals : sizeof *tape->saved.numbers;
        tape->saved.reals = vlad_grown(m, tape->saved.reals, &tape->saved_capacity, 0, size);
    }
    if (level == 0)
        tape->saved.reals[tape->saved_count++] = vlad_double(number);
    else
        tape->saved.numbers[tape->saved_count++] = vlad_share(number);
}

vlad_value vlad_tape_restore(uint32_t level, struct vlad_tape *tape) {
    size_t last = --tape->saved_count;
    return level == 0 ? vlad_real(tape->saved.reals[last]) : tape->saved.numbers[last];
}

/* The place of an operand, of which the part of the level is given if it is of the level. */
static uint32_t place_of(struct vlad_machine *m, struct vlad_tape *tape, vlad_value part) {
    if (part.tag != VLAD_RAW) return VLAD_NO_NODE;
    if (VLAD_LIKELY(part.word >= tape->base)) return (uint32_t)(part.word - tape->base);
    size_t known = tape->outside.count;
    vlad_value *index = vlad_nodes_place(m, &tape->outside, part.word, UINT64_MAX);
    if (tape->outside.count != known) *index = vlad_raw(known);
    return VLAD_NO_NODE - 1 - (uint32_t)index->word;
}

uint64_t vlad_record(struct vlad_machine *m, uint32_t level, uint32_t operation, vlad_value first_part,
                     vlad_value second_part, vlad_value first, vlad_value second, vlad_value result) {
    struct vlad_tape *tape = &vlad_levels_of(m)->levels[level].tape;
    if (!tape->records || tape->replaying) return tape->next++;
    struct vlad_node node = {operation, place_of(m, tape, first_part), place_of(m, tape, second_part)};
    if (!vlad_tape_has_room(m, tape)) return 0;
    size_t place = vlad_tape_operations(tape);
    if (VLAD_UNLIKELY(place == tape->node_capacity))
        tape->nodes = vlad_grown(m, tape->nodes, &tape->node_capacity, 0, sizeof *tape->nodes);
    tape->nodes[place] = node;
    uint32_t reads = vlad_reads_of(&node);
    if (reads & VLAD_READS_FIRST) vlad_tape_save(m, level, tape, first);
    if (reads & VLAD_READS_SECOND) vlad_tape_save(m, level, tape, second);
    if (reads & VLAD_READS_RESULT) vlad_tape_save(m, level, tape, result);
    vlad_tape_set_quick(tape);
    return tape->next++;
}

void vlad_tape_trim(uint32_t level, struct vlad_tape *tape) {
    size_t size = level == 0 ? sizeof(double) : sizeof(vlad_value);
    if (tape->node_capacity > MOST_BYTES_KEPT / sizeof *tape->nodes) {
        free(tape->nodes);
        tape->nodes = 0;
        tape->node_capacity = 0;
    }
    if (tape->saved_capacity > MOST_BYTES_KEPT / size) {
        free(tape->saved.reals);
        tape->saved.reals = 0;
        tape->saved_capacity = 0;
    }
    if (tape->accumulator_capacity > MOST_BYTES_KEPT / size) {
        free(tape->accumulators.reals);
        tape->accumulators.reals = 0;
        tape->accumulator_capacity = 0;
    }
}

/* Moves an array from a tape to another that has none. */
static void move(void **from, size_t *from_capacity, void **to, size_t *to_capacity) {
    if (*to || !*from) return;
    *to = *from;
    *to_capacity = *from_capacity;
    *from = 0;
    *from_capacity = 0;
}

static void move_arrays(struct vlad_tape *from, struct vlad_tape *to) {
    void *from_nodes = from->nodes, *to_nodes = to->nodes;
    void *from_saved = from->saved.reals, *to_saved = to->saved.reals;
    move(&from_nodes, &from->node_capacity, &to_nodes, &to->node_capacity);
    move(&from_saved, &from->saved_capacity, &to_saved, &to->saved_capacity);
    from->nodes = from_nodes;
    to->nodes = to_nodes;
    from->saved.reals = from_saved;
    to->saved.reals = to_saved;
}

void vlad_tape_spare(struct vlad_levels *levels, struct vlad_tape *tape) {
    vlad_tape_trim(0, tape);
    move_arrays(tape, &levels->spare);
}

void vlad_tape_use_spare(struct vlad_levels *levels, struct vlad_tape *tape) { move_arrays(&levels->spare, tape); }

void vlad_tape_clear(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape) {
    if (level > 0)
        for (size_t node = 0; node < vlad_tape_independents(tape); node++) vlad_drop(m, tape->accumulators.numbers[node]);
    vlad_tape_trim(level, tape);
    tape->saved_count = 0;
    vlad_nodes_clear(m, &tape->outside);
}
