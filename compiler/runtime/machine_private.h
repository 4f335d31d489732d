/* The machine as the runtime knows it: the part that generated code sees, and behind it the memory, the stack, the saved
 * registers, the host and the levels of differentiation.
 *
 * Invariants. All memory of a run is in blocks that the machine lists, so it can be given back in one go whatever
 * happened; only the memory of the levels is its own (differentiation.h). The registers are saved exactly while no block
 * of the program runs: between `pause` or `stop` and the driver's next call. Nothing here is shared between machines.
 */
#ifndef VLAD_MACHINE_PRIVATE_H
#define VLAD_MACHINE_PRIVATE_H

#include <setjmp.h>
#include <stddef.h>

#include "differentiation.h"
#include "rules.h"

/* What the host does for the machine; 0 if it failed and has noted why. */
struct vlad_host_calls {
    /* Looks at the clock and the memory. */
    int (*look)(void *host);
    /* Reads the next number of the input. */
    int (*read_real)(void *host, double *out);
    /* Writes a value, which is borrowed, and a line end. */
    int (*write)(void *host, vlad_value value);
};

/* A block of memory from the system; what is handed out follows it. */
struct vlad_memory_block {
    struct vlad_memory_block *previous;
    struct vlad_memory_block *next;
};

/* Slots of up to so many values have lists of free ones by length; those of two values are cells. */
#define VLAD_LISTED_SLOTS 16

struct vlad_memory {
    struct vlad_memory_block blocks; /* the ring of all blocks; this one is empty */
    char *chunk;                     /* what is left of the chunk that objects are cut from */
    size_t chunk_left;
    size_t next_chunk;               /* the size of the next chunk */
    void *free_slots[VLAD_LISTED_SLOTS + 1]; /* by number of values; linked through the first word */
    uint64_t cut[VLAD_LISTED_SLOTS + 1];     /* objects ever cut from chunks, by number of values; cells are at 2 */
    uint64_t large;                          /* slots that are alive and in a block of their own */
};

/* A segment of the stack, in a block of its own. */
struct vlad_segment {
    struct vlad_segment *below;
    vlad_value *top_below; /* where the segment below ended when this one was begun */
    size_t values;
    vlad_value contents[];
};

/* What has become of the item that runs. */
enum vlad_status { VLAD_RUNNING = 0, VLAD_FINISHED = 1, VLAD_STOPPED = 2 };

struct machine {
    struct vlad_machine public; /* must be the first */
    const struct vlad_program *program;
    uint32_t prelude_nodes;
    enum vlad_status status;
    /* The registers, while no block runs. */
    vlad_block *next;
    vlad_value *top;
    int64_t fuel;
    struct vlad_slots *slots;
    vlad_value x;
    /* All fuel that has been given out: the steps taken are that less `fuel`. */
    uint64_t granted;
    uint32_t pauses; /* since the host looked last */
    uint32_t item_node; /* the outermost node of the item that runs */
    vlad_value result;
    vlad_value *constants;
    uint32_t constant_count;
    uint32_t global_count;
    jmp_buf out_of_memory; /* where to go on if the system gives no more memory; set while an item runs */
    struct vlad_segment *segment;
    struct vlad_segment *spare;
    struct vlad_memory memory;
    struct vlad_levels levels;
    struct vlad_host_calls calls;
    void *host;
};

static inline struct machine *vlad_private(struct vlad_machine *m) { return (struct machine *)m; }
static inline struct vlad_levels *vlad_levels_of(struct vlad_machine *m) { return &vlad_private(m)->levels; }

/* The system gives no more memory: ends the item that runs. Not to be called while none runs. */
_Noreturn void vlad_out_of_memory(struct vlad_machine *m);

/* memory.c: prepares the memory of a new machine. */
void vlad_memory_init(struct vlad_memory *memory);
/* Gives all blocks back to the system. */
void vlad_memory_free(struct vlad_memory *memory);
/* How many objects of the heap are alive. */
uint64_t vlad_memory_live(const struct machine *machine);
/* A block of so many bytes, aligned for values; 0 if the system gives no more. */
void *vlad_block_take(struct vlad_memory *memory, size_t bytes);
/* The same block with another size, perhaps in another place; 0, and the block as it was, if the system gives no more. */
void *vlad_block_resize(struct vlad_memory *memory, void *block, size_t bytes);
/* Gives a block back; 0 is none. */
void vlad_block_give(struct vlad_memory *memory, void *block);
/* A free cell, or 0 if the system gives no more memory. */
void *vlad_cell_or_none(struct machine *machine);
/* The services of memory. */
void vlad_destroy(struct vlad_machine *m, vlad_value dead);
void *vlad_refill_cells(struct vlad_machine *m);
struct vlad_slots *vlad_make_slots(struct vlad_machine *m, uint32_t values);

/* stack.c: the first segment, with the base frame in it; 0 if the system gives no memory. */
int vlad_stack_init(struct machine *machine);
/* The top of a stack that holds the base frame alone. */
vlad_value *vlad_stack_base(struct machine *machine);
vlad_value *vlad_more_stack(struct vlad_machine *m, vlad_value *top, uint32_t values);

/* services.c */
extern const struct vlad_services vlad_services;

/* driver.c: the services of the same names. */
int vlad_pause(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
               vlad_block *next);
int vlad_stop(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site);
/* The same for a fault of a call: the frame of the call, if it has one, is on the stack. */
int vlad_stop_at_call(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site);

/* apply.c: the services of the same names. */
vlad_value vlad_apply(struct vlad_machine *m, uint32_t primitive, vlad_value argument);
vlad_value vlad_apply_two(struct vlad_machine *m, uint32_t primitive, vlad_value first, vlad_value second);
vlad_value vlad_apply_many(struct vlad_machine *m, uint32_t primitive, uint32_t count, const vlad_value *operands);
/* Notes that an argument is not what a primitive expects. */
vlad_value vlad_not_expected(struct vlad_machine *m, uint32_t primitive, vlad_value argument);

/* call.c: the services of the same names. */
int vlad_call_any(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand);
int vlad_control(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value first,
                 vlad_value second, vlad_value third);

/* equal.c: whether two values are equal?. If m->fault.kind is set afterwards the answer means nothing. */
int vlad_same_value(struct vlad_machine *m, vlad_value first, vlad_value second);

#endif
