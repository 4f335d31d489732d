/* The levels of differentiation: their beginning and end, and the memory that is kept for the next level.
 */
#include "levels.h"
#include "accumulators.h"
#include "exits.h"
#include "nodes.h"
#include "rules.h"
#include "tape.h"

#include <stdlib.h>

void vlad_levels_init(struct vlad_levels *levels) { memset(levels, 0, sizeof *levels); }

/* Allocates the levels, before the first begins. */
static void allocate_levels(struct vlad_machine *m) {
    struct vlad_levels *levels = vlad_levels_of(m);
    levels->levels = calloc(VLAD_MOST_LEVELS, sizeof *levels->levels);
    if (!levels->levels) vlad_out_of_memory(m);
}

static void free_records(struct vlad_record *record) {
    while (record) {
        struct vlad_record *next = record->next;
        free(record->tape.bytes);
        free(record);
        record = next;
    }
}

void vlad_levels_free(struct vlad_levels *levels) {
    for (uint32_t place = 0; levels->levels && place < VLAD_MOST_LEVELS; place++) {
        struct vlad_tape *tape = &levels->levels[place].tape;
        free(tape->bytes);
        vlad_accumulators_free(&tape->accumulators);
    }
    free_records(levels->records);
    free_records(levels->dead_records);
    free(levels->spare.bytes);
    vlad_accumulators_free(&levels->spare.accumulators);
    free(levels->levels);
    free(levels->walk.tasks);
    vlad_levels_init(levels);
}

uint32_t vlad_level_begin(struct vlad_machine *m, enum vlad_mode mode) {
    struct vlad_levels *levels = vlad_levels_of(m);
    if (levels->count >= VLAD_MOST_LEVELS) {
        m->fault.kind = VLAD_FAULT_LEVELS;
        return 0;
    }
    if (!levels->levels) allocate_levels(m);
    struct vlad_level *level = &levels->levels[levels->count];
    level->mode = mode;
    if (mode != VLAD_MODE_FORWARD) {
        level->tape.replaying = 0;
        if (levels->count == 0) vlad_tape_use_spare(levels, &level->tape);
        vlad_tape_records(&level->tape, 0);
        if (mode == VLAD_MODE_COUNTING) vlad_tape_counts(&level->tape);
        levels->reverse++;
    }
    return levels->count++;
}

struct vlad_tape *vlad_level_end(struct vlad_machine *m) {
    struct vlad_levels *levels = vlad_levels_of(m);
    struct vlad_level *level = &levels->levels[--levels->count];
    if (level->mode == VLAD_MODE_FORWARD) return 0;
    levels->reverse--;
    return &level->tape;
}

void vlad_tape_clear(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape) {
    if (level > 0)
        for (size_t node = 0; node < vlad_tape_independents(tape); node++)
            vlad_drop(m, tape->accumulators.sums.numbers[node]);
    vlad_tape_trim(tape);
    vlad_accumulators_trim(&tape->accumulators);
    tape->used = 0;
    vlad_nodes_clear(m, &tape->outside);
}
