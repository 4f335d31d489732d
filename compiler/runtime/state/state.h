/* The whole machine: the part that generated code sees, followed by the memory, the stack, the saved
 * registers, the host and the levels of differentiation.
 *
 * Invariants. All memory of a run is in blocks that the machine lists, so it can be freed at once in any state of the
 * run; only the memory of the levels is separate (differentiation.h). The registers are saved exactly while no block of
 * the program runs: between `pause` or `stop` and the driver's next call. No data here is shared between machines.
 */
#ifndef VLAD_STATE_H
#define VLAD_STATE_H

#include <setjmp.h>
#include <stddef.h>

#include "differentiation.h"
#include "host_calls.h"
#include "machine.h"
#include "own_stack.h"
#include "region.h"

/* The header of a block of memory from the system; the usable memory follows it. */
struct vlad_memory_block {
    struct vlad_memory_block *previous;
    struct vlad_memory_block *next;
};

/* The maximal length of slots that have a free list by length; slots of two values are cells. */
#define VLAD_LISTED_SLOTS 16

/* The rest of a chunk that objects are cut from, and the size of the next chunk. */
struct vlad_chunk {
    char *rest;
    size_t left;
    size_t next;
};

struct vlad_memory {
    struct vlad_memory_block blocks; /* the ring of all blocks; this one is empty */
    struct vlad_chunk for_pages, for_slots;
    struct vlad_page *pages;                 /* all pages of cells, */
    struct vlad_page *free_pages;            /* and those with free cells, but for the one that cells are taken from */
    struct vlad_page none;                   /* a page without cells, from which a machine begins */
    void *free_slots[VLAD_LISTED_SLOTS + 1]; /* by number of values; linked through the first word */
    uint64_t cut[VLAD_LISTED_SLOTS + 1];     /* objects ever cut from chunks, by number of values; cells are at 2 */
    uint64_t large;                          /* slots that are alive and in a block of their own */
};

/* A segment of the stack, in a block of its own. A segment with references is frozen: it is read-only, and owns the
 * values of its frames. */
struct vlad_segment {
    struct vlad_segment *below; /* 0 at the bottom of a computation's own stack, independently of the link; frozen if this is */
    vlad_value *top_below; /* the top of the segment below when this one was begun, or after the frames returned into so far */
    vlad_value *top;       /* of a frozen segment: the end of its frames */
    size_t references;     /* of a frozen segment: the states and the segments above that refer to it; 0 if it is not frozen */
    size_t values;
    uint64_t depth;        /* of a frozen segment that is a state: the nested calls of that */
    vlad_value contents[];
};

/* An active computation. */
struct vlad_computation {
    int64_t left;  /* the rest of its own limit, without the fuel given */
    int64_t taken; /* the fuel given; less the fuel in the register, its own count */
    uint64_t inside; /* the computations inside it without a row of their own, since their counts are not requested */
    struct vlad_segment *segment; /* the segment of the operator's frame, if it has a stack of its own; else 0 */
    vlad_value *top;
    uint64_t depth;  /* the nested calls around it */
    int is_measured; /* true if its own count is needed */
    int is_again;    /* true if its steps are excluded from the total */
};

/* The active computations, beginning with that of the item. */
struct vlad_computations {
    struct vlad_computation *rows;
    size_t count;
    size_t capacity;
    int64_t total_left;  /* the rest of the total limit, without the fuel given */
    int64_t total_taken; /* the fuel given, re-executions excluded */
    int64_t suspension;  /* the total after which the run is to be suspended; VLAD_NO_LIMIT if never */
};

/* The status of the current item. */
enum vlad_status {
    VLAD_RUNNING = 0,
    VLAD_FINISHED = 1,
    VLAD_STOPPED = 2,
    VLAD_AT_POINT = 3, /* at the point below top, where the run is to be suspended */
    /* Given up by its specialised code: at a value or an error that it does not expect, or for want of memory or of depth. */
    VLAD_GIVEN_UP = 4,
    VLAD_GIVEN_UP_FOR_MEMORY = 5,
    VLAD_GIVEN_UP_FOR_DEPTH = 6
};

/* The reason why no block runs. */
enum vlad_pausing {
    VLAD_PAUSED = 0,      /* no transfers left, or no fuel in a program that counts by block: continues with `next` */
    VLAD_SHORT = 1,       /* too little fuel for all steps of `entry` */
    VLAD_SUSPENDED = 2,   /* no fuel at the point on top of the stack: continues with `next` */
    VLAD_INTERRUPTED = 3  /* its own limit is reached: `state` is the rest of the computation above the frame on top */
};

struct vlad_reads;
struct vlad_attempts;

/* A reversed application of f at x with value y, after the end of its level, and the input that it read. */
struct vlad_application {
    vlad_value f;
    vlad_value x;
    vlad_value y;
    uint32_t level;
    struct vlad_reads *reads;
};

/* The memory of cells that values have become (template.h). */
struct vlad_forced_block;
struct vlad_forced_cells {
    struct vlad_forced_block *blocks;
    unsigned char *top, *end;
    size_t bytes;
};

/* The tape of specialised code (numbered_tape.h). */
struct vlad_numbered_node;
struct vlad_numbered_tape {
    struct vlad_numbered_node *nodes;
    size_t length, room;
};

struct machine {
    struct vlad_machine public; /* must be the first */
    const struct vlad_program *program;
    uint32_t shipped_nodes;
    enum vlad_status status;
    /* The registers, while no block runs. */
    enum vlad_pausing pausing;
    vlad_block *next;
    const struct vlad_entry *entry;
    struct vlad_segment *state;
    int64_t interrupted_after; /* the steps that the computation of `state` had taken */
    vlad_value *top;
    int64_t fuel;
    struct vlad_slots *slots;
    vlad_value x;
    struct vlad_computations computations;
    uint32_t pauses; /* since the host's last check */
    uint32_t item_node; /* the outermost node of the item that runs */
    vlad_value result;
    vlad_value *constants;
    uint32_t constant_count;
    uint32_t global_count;
    jmp_buf way_out; /* the continuation after a failed allocation or a broken host; set while an item runs */
    struct vlad_segment *segment;
    struct vlad_segment *spare;
    struct vlad_memory memory;
    struct vlad_levels levels;
    struct vlad_host_calls calls;
    void *host;
    uint32_t is_observed; /* true if the host is notified of operators */
    uint64_t journals; /* the newest journals, not yet reported to the host: nothing was read since they began */
    struct vlad_application pull; /* the application whose backpropagator is called next (pull.c) */
    /* Of specialised code: its tape, its host stack, its arrays, the cells of its inputs, and the number of polls and effects after which it is made to give
     * up, in tests; negative if never. */
    struct vlad_numbered_tape numbered_tape;
    struct vlad_own_stack own_stack;
    struct vlad_region arrays;
    struct vlad_forced_cells forced_cells;
    uint64_t most_memory;
    int64_t gives_up_after;
    int64_t turns_taken, most_turns; /* of the attempt; after the most turns it is given up */
    struct vlad_attempts *attempts;  /* by specialised procedure (procedures.h) */
};

static inline struct machine *vlad_private(struct vlad_machine *m) { return (struct machine *)m; }
static inline struct vlad_levels *vlad_levels_of(struct vlad_machine *m) { return &vlad_private(m)->levels; }

/* The innermost computation, which runs. */
static inline struct vlad_computation *vlad_innermost(struct machine *machine) {
    return &machine->computations.rows[machine->computations.count - 1];
}
/* Lambdas of equal code have equal classes. */
static inline uint32_t vlad_code_class(struct vlad_machine *m, uint32_t lambda) {
    return vlad_private(m)->program->code_class[lambda];
}
/* True if a node is of library code: of the prelude or of a library. */
static inline int vlad_is_shipped(struct vlad_machine *m, uint32_t node) {
    return node < vlad_private(m)->shipped_nodes;
}

#endif
