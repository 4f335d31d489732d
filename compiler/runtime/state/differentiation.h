/* The state of differentiation in a machine: the active levels with their tapes, and the records of applications
 * (report, parts 8, 9 and 15).
 *
 * The runtime of differentiation follows the crate vlad-ad (shared/ad) module by module. Invariant: bits, faults and
 * their order are the same. No file contains derivatives: rules.h, rules.c and coefficients.c are generated from the
 * table of primitives.
 *
 * A number is a value that is a REAL or LIFTED. Numbers and values are borrowed and results owned unless a comment says
 * otherwise. Once a fault is recorded in m->fault.kind, operations on lifted reals return zeros, and traversals end at
 * once.
 *
 * It departs from vlad-ad in three points: all work is counted in one place; the outermost level, under which every
 * real is plain, has a tape and a sweep of plain doubles; and *j carries no cotangents from one sweep to the next.
 */
#ifndef VLAD_DIFFERENTIATION_H
#define VLAD_DIFFERENTIATION_H

#include <stddef.h>

#include "value.h"

/* A hash table (table.h). */
struct vlad_table {
    unsigned char *entries;
    size_t count;
    size_t capacity; /* a power of two, or 0 */
};

/* The accumulators of a reverse sweep (accumulators.c): one for each node of a tape, then one for each outside node. They
 * are doubles for a level under which every real is plain, else numbers, owned. A very large array of doubles is split
 * into blocks, which are allocated when first added to. */
struct vlad_accumulators {
    union {
        double *reals;
        vlad_value *numbers;
        double **blocks;
    } sums;
    size_t capacity; /* in bytes */
    struct vlad_slab *slabs; /* the memory of the blocks; 0 if there are no blocks */
};
#define VLAD_SUMS_OF_BLOCK 32

/* A level assigns numbers: first to the positions of the independent operand, then to the operations, in order. If it
 * records, the nodes from `base` on are on its tape; if those of the independent operand are among them, they come first
 * and have no record. The place of a node is its number less the base. */
struct vlad_tape {
    uint8_t *bytes;
    size_t used;
    size_t capacity;
    size_t quick; /* while `used` is less, one more operation fits on the tape without a check; 0 if nothing is recorded */
    struct vlad_accumulators accumulators;
    uint64_t next;  /* the number of the next node */
    uint64_t base;  /* the number of the first node of the tape */
    uint64_t recorded_from; /* the number of the first operation of the tape */
    uint8_t records;   /* true if the level records; else it only counts */
    uint8_t replaying; /* true during a re-execution: then nothing is recorded */
    struct vlad_table outside; /* maps the operands from before the tape (nodes.h) to their indices, RAW */
};

/* A reverse level records from its first node on; a counting one only counts until it is switched to recording. */
enum vlad_mode { VLAD_MODE_FORWARD = 0, VLAD_MODE_REVERSE = 1, VLAD_MODE_COUNTING = 2 };

/* An active level, or the memory of the last level with this index, kept for the next. */
struct vlad_level {
    enum vlad_mode mode;
    struct vlad_tape tape;
    /* Maps nodes to values (nodes.h): the cotangents accumulated for nodes from before the swept parts of the tape; a
     * missing entry is +0. */
    struct vlad_table carry;
};

/* The positions that a reverse level numbers: those of procedure and operand, or of the operand alone, if the cotangents
 * of the procedure have no use. */
enum vlad_numbered { VLAD_BOTH_NUMBERED = 0, VLAD_OPERAND_NUMBERED = 1 };

/* The record of an application: the tape of a level that has ended. In a list, and in memory of its own. */
struct vlad_record {
    struct vlad_record *previous;
    struct vlad_record *next;
    uint32_t level;
    enum vlad_numbered numbered;
    struct vlad_tape tape;
};

struct vlad_walk_task;

/* The memory of traversals: here so that no fault can leak it. Traversals never nest. */
struct vlad_walk_memory {
    struct vlad_walk_task *tasks;
    size_t task_count;
    size_t task_capacity;
    struct vlad_table made; /* the results for shared parts */
};

/* The active differentiations, oldest first. The level of each is its index. */
struct vlad_levels {
    uint32_t count;
    uint32_t reverse; /* the number of reverse levels among them */
    uint32_t work;    /* units since the last check */
    uint32_t traps;   /* VLAD_TRAPS_OFF or another of that enum */
    uint32_t in_derivative; /* true while operations of a derivative are executed; with traps only */
    struct vlad_level *levels; /* VLAD_MOST_LEVELS entries, allocated when the first level begins */
    struct vlad_walk_memory walk;
    struct vlad_record *records; /* of all live backpropagators (record.h) */
    struct vlad_record *dead_records; /* kept for reuse by new records, of the outermost level */
    size_t dead_record_count;
    struct vlad_tape spare; /* the bytes of a dead record, for the next tape of the outermost level; and accumulators
                             * for sweeps over records, of either form */
};

#endif
