/* The machine of the native engine: the interface between generated code and the runtime.
 *
 * A program after CPS conversion (report, part 13) is compiled block by block. A block with an entry from outside its C function -
 * an entry of a procedure or item, or the continuation of a call - is one C function, a vlad_block. Transfers between such functions
 * are calls in tail position, which C compilers make jumps; no invariant may depend on that, so they return to the driver regularly.
 *
 * The state of the equations: k, the continuation, is the stack below `top`; n, the step count, and l, the limit, are
 * combined in `fuel`, the steps that are left before control must return to the driver; `slots` are the captured slots
 * of the entered procedure (owned by the callee); `x` is the argument or the awaited value (owned by the callee).
 *
 * The stack grows upwards in segments. A frame is the values that its block takes over, and above them the link: its tag
 * is the function of the block, its word the vlad_frame. VLAD_RETURN passes a value x to k.
 */
#ifndef VLAD_MACHINE_H
#define VLAD_MACHINE_H

#include "mathematics.h"
#include "rounding.h"
#include "value.h"

#if defined(__GNUC__) && !defined(__TINYC__)
#define VLAD_LIKELY(test) __builtin_expect(!!(test), 1)
#define VLAD_UNLIKELY(test) __builtin_expect(!!(test), 0)
#define VLAD_COLD __attribute__((cold, noinline))
/* Cold functions of generated code: their callers keep live values in registers, except around these calls. */
#define VLAD_RARE static __attribute__((cold, noinline, unused))
#define VLAD_EXPORT __attribute__((visibility("default")))
/* Slow paths are separate functions, so that the fast paths need few registers. */
#define VLAD_APART __attribute__((noinline))
/* The operation is often known at the call, so inlining removes the choice. */
#define VLAD_INLINE inline __attribute__((always_inline))
#else
#define VLAD_LIKELY(test) (test)
#define VLAD_UNLIKELY(test) (test)
#define VLAD_COLD
#define VLAD_RARE static inline
#define VLAD_EXPORT
#define VLAD_APART
#define VLAD_INLINE inline
#endif

struct vlad_machine;
struct vlad_template;
struct vlad_late_cell;
struct vlad_specialised;
struct vlad_specialised_procedure;

/* The calls that may have specialised code: an application, j* on a point and a tangent, and *j on a point and a cotangent. */
enum vlad_specialised_call { VLAD_CALL_PLAIN, VLAD_CALL_FORWARD, VLAD_CALL_REVERSE };

/* The layouts of a line of output: a value, the items of a list with blanks between them, or texts with values between
 * them. */
enum {
    VLAD_LAYOUT_DATUM = 0,
    VLAD_LAYOUT_ROW = 1,
    VLAD_LAYOUT_TEXT = 2
};

/* The C function of a block. The result is unused: the outcome is recorded in the machine. */
typedef int vlad_block(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x);

struct vlad_frame;
struct vlad_segment;

/* The stepwise form of a block, which can stop and resume at each of its nodes: it takes its steps one by one, and its
 * variables are in m->places, by number. At the beginning of the block the arguments are its registers, and `point` is 0.
 * At a point the variables are in their places again, `slots` are present if the point has them, `x` is the call site
 * (RAW) if the point has one, and the fuel includes as much as the block takes back for the steps of the point's row
 * before it. */
typedef int vlad_stepwise(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                          vlad_value x, const struct vlad_frame *point);

/* The liveness of a variable over rows of steps: its place, the first row where it is alive, and the end of those rows
 * (exclusive). */
struct vlad_alive {
    uint32_t place;
    uint32_t from;
    uint32_t to;
};

/* A block of a stoppable program in its two forms. */
struct vlad_entry {
    vlad_block *block;        /* takes the fuel for all of its steps at once */
    vlad_stepwise *stepwise;
    int64_t most_steps;       /* the maximum over the paths through it */
    const struct vlad_alive *alive; /* the variables of its points, by place; of all chunks if the block is cut */
    uint32_t alive_count;
    uint32_t lambda;          /* the lambda whose slots its points keep */
};

/* The descriptor of a frame. The two nodes are those of `Awaiting`, for the pending calls of an error. */
struct vlad_frame {
    uint32_t kind;        /* one of the enum below */
    uint32_t values;      /* the number of values below the link */
    uint32_t node;        /* the outermost node of the activation that waits; of a point, the node that is entered next */
    uint32_t awaited;     /* the node whose value is awaited */
    /* Of the operators of the runtime: the handler for a computation above the frame that has reached its own limit. That
     * computation has ended, and top is above the frame again. Takes the state. */
    int (*interrupted)(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_segment *state);
    /* The rest is set in stoppable programs only. */
    vlad_block *function;     /* of a continuation: the function of the link */
    const struct vlad_entry *entry; /* of a point: the block that contains it */
    uint32_t place_class;     /* frames of one kind have equal classes if they are at the same place of equal code */
    uint32_t block;           /* the number of the block, or of the block that contains the point */
    uint32_t instruction;     /* of a point: its place in the block */
    uint32_t label;           /* of a point: its row of steps in the function */
    uint32_t offset;          /* of a point: the number of steps of the row before it */
    uint32_t has_slots;       /* of a point: true if the last of its values, but for the site, is a procedure with the slots */
    /* The next three are set of all continuations. */
    uint32_t has_site;        /* true if the last of its values is the site (RAW) */
    uint32_t wants;           /* of a continuation: its use of its value (enum vlad_wants) */
    uint32_t iteration;       /* of a call in each iteration of a loop procedure of the prelude: 1 + the place of its number */
};
/* The use that a continuation makes of its value, if known (compiler/src/tagged/analyses/elision.rs), for the elision of bundles and
 * backpropagators. If the continuation first takes a part and has no other use of the value, the producer of a value of
 * the kind that has this part may return the part alone, flagged with VLAD_NOTE. */
enum vlad_wants {
    VLAD_WANTS_WHOLE = 0,
    VLAD_WANTS_TANGENT = 1,       /* (tangent x) */
    VLAD_WANTS_PLAIN_TANGENT = 2, /* (unperturb (tangent x)) */
    VLAD_WANTS_SECOND = 3,        /* (cdr x), or the same by a pattern */
    VLAD_WANTS_PLAIN_SECOND = 4,  /* (cdr (unsensitize x)) */
    /* (cdr x), and later in the block its call, with a continuation that uses only the second part of a pair. */
    VLAD_WANTS_PULL = 5,
    /* No part first; but the only use of the second half of the value is such a call. */
    VLAD_WANTS_OPERAND = 6
};
/* Initialisers of a frame descriptor in generated programs: a continuation of a stoppable and of another program, and a
 * point. */
#define VLAD_STOPPABLE_CONTINUATION(values, node, awaited, function, place_class, block, has_site, wants, iteration) \
    VLAD_FRAME_BLOCK, values, node, awaited, 0, function, 0, place_class, block, 0, 0, 0, 0, has_site, wants, iteration
#define VLAD_CONTINUATION(values, node, awaited, has_site, wants, iteration) \
    VLAD_STOPPABLE_CONTINUATION(values, node, awaited, 0, 0, 0, has_site, wants, iteration)
#define VLAD_POINT(values, node, entry, place_class, block, instruction, label, offset, has_slots, has_site) \
    VLAD_FRAME_POINT, values, node, node, 0, 0, entry, place_class, block, instruction, label, offset, has_slots, has_site, 0, 0
enum {
    VLAD_FRAME_BLOCK = 0,    /* a continuation of the program */
    VLAD_FRAME_OPERATOR = 1, /* the exit of an operator: its last two values are node and site (RAW) of the application */
    VLAD_FRAME_SEGMENT = 2,  /* the bottom of a segment: continues in the segment below */
    VLAD_FRAME_BOTTOM = 3,   /* the bottom of a computation's own stack: continues in the enclosing one */
    VLAD_FRAME_BASE = 4,     /* the bottom of the stack: ends the evaluation */
    VLAD_FRAME_POINT = 5     /* resumes at the entry of a node */
};

/* The reasons for a run to stop. */
enum {
    VLAD_FAULT_NONE = 0,
    VLAD_FAULT_STEPS,          /* the limit of steps is reached at `node` */
    VLAD_FAULT_UNBOUND,        /* detail: the global */
    VLAD_FAULT_PRIMITIVE,      /* detail: the primitive; first: its whole argument, which is not what it expects */
    VLAD_FAULT_MISMATCH,       /* detail: the lambda; binder; first: the argument */
    VLAD_FAULT_NOT_APPLICABLE, /* first: the operator */
    VLAD_FAULT_CONFORMANCE,    /* detail: a vlad_companion; first, second: the parts that do not conform; index */
    VLAD_FAULT_LEVELS,         /* too many nested levels of differentiation */
    VLAD_FAULT_TAPE,           /* a tape of too many nodes */
    VLAD_FAULT_MEMORY,         /* an allocation has failed */
    VLAD_FAULT_TOO_LATE,       /* a computation ended before it could be interrupted; first, second: RAW, limit and steps */
    VLAD_FAULT_HOST,           /* input, output, clock or memory: the host has recorded the details */
    VLAD_FAULT_FORGED,         /* a call of a procedure that no run of the program can call there */
    VLAD_FAULT_WITHOUT_TAG,    /* a tagged procedure is applied to an operand without its tag; first: operator, second: operand */
    VLAD_FAULT_NONFINITE,      /* an operation made a NaN or an infinity; detail: the operation, or VLAD_OPERATIONS if it is a
                                * constant; binder: true within a derivative; first, second: the operands; index: the result */
    VLAD_FAULT_DEPTH           /* a call is nested too deep */
};
/* The role of the companion of a value: a tangent for j* or bundle; a summand; the sensitivity for a backpropagator; a
 * cotangent for an operator, plus the number of its primitive. */
enum vlad_companion {
    VLAD_TANGENT = 0,
    VLAD_SUMMAND = 1,
    VLAD_TANGENT_OF_BUNDLE = 2,
    VLAD_COMPANION_SENSITIVITY = 3,
    VLAD_COTANGENT = 4
};
enum { VLAD_BINDER_PROCEDURE = 0, VLAD_BINDER_LET = 1 };
#define VLAD_NO_INDEX UINT64_MAX

/* The reason and the place of a stop. Its values are not counted: their makers keep them until the run ends. */
struct vlad_fault {
    uint32_t kind;
    uint32_t detail;
    uint32_t binder;
    uint32_t node; /* the node where it arose */
    uint32_t site; /* the user's application to show if the node is of library code (prelude or libraries) */
    uint32_t position; /* the position relative to the frames of the stack: one of the enum below */
    /* For parts that do not conform: their index in vectors, or VLAD_NO_INDEX; for a trap: the bits of the result. */
    uint64_t index;
    vlad_value first;
    vlad_value second;
};
/* A fault within an activation, which has no frame on the stack yet; or a fault of a call, whose frame, if any, is on the
 * stack. The runtime sets it: `stop` recognises a fault of a call by a mismatch of a procedure's parameters. */
enum { VLAD_WITHIN = 0, VLAD_AT_CALL = 1 };

/* A stack of records, in parts. */
struct vlad_records {
    union vlad_bits *top;
    union vlad_bits *base;           /* the bottom of the current part */
    union vlad_bits *end;            /* the end of that part */
    struct vlad_record_part *part;   /* that part; 0 if there is none */
    struct vlad_record_part *spare;  /* a free one above it */
    size_t words_below;              /* the words of the parts below */
};

/* The stacks of records. */
enum vlad_stack_of_records {
    VLAD_SWEEPS, /* the values that reverse sweeps read */
    VLAD_CALLS,  /* the values that recursive calls, as loops, keep for what follows them */
    VLAD_STACKS_OF_RECORDS
};

/* An array of specialised code: its elements - doubles, truth values as unsigned char, or arrays - and their number. */
struct vlad_array {
    void *items;
    uint64_t length;
};

/* A page of cells, at an address that is a multiple of its size. Each page has a list of its free cells, so that cells that are
 * taken one after another are near one another, in whatever order they were freed. */
struct vlad_page {
    void *free;              /* the list, linked through the first words of the cells */
    uint64_t freed;          /* the cells freed since it was used up; if it has not been, more than VLAD_FREED_AGAIN */
    struct vlad_page *next;  /* in the list of pages with free cells */
    struct vlad_page *other; /* in the list of all pages */
};
#define VLAD_PAGE ((size_t)16 << 10)
/* The cells that are freed of a page before it is used again. */
#define VLAD_FREED_AGAIN 32

/* The functions of the runtime for generated code; operands are borrowed, results owned, unless a comment says otherwise. */
struct vlad_services {
    /* Frees an object of the heap with a count of 0, and all objects that die with it. */
    void (*destroy)(struct vlad_machine *m, vlad_value dead);
    /* Allocates a cell for a pair or a lifted real if the page has no free one. */
    void *(*new_cell)(struct vlad_machine *m);
    /* Enters a page that is used up into the list of those with free cells. */
    void (*page_again)(struct vlad_machine *m, struct vlad_page *page);
    /* Allocates slots for `values` values, with count 1 and the values unset. */
    struct vlad_slots *(*new_slots)(struct vlad_machine *m, uint32_t values);
    /* Grows the stack for `values` values above top, and returns the new top. */
    vlad_value *(*more_stack)(struct vlad_machine *m, vlad_value *top, uint32_t values);
    /* Saves the registers and returns to the driver, which continues with `next`. m->paused_node and m->paused_site are
     * set before: a run may end there, at its limit of time or memory. */
    int (*pause)(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
                 vlad_block *next);
    /* The same for a block of a stoppable program with less fuel than its steps. */
    int (*run_short)(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
                     const struct vlad_entry *entry);
    /* Returns to the driver at a point without fuel, and pushes the frame of the point, made of the variables in their
     * places, of the slots, and of the site. Takes the slots; they are 0 if the block has dropped them. All fuel is
     * used. */
    int (*suspend)(struct vlad_machine *m, vlad_value *top, struct vlad_slots *slots, uint32_t site,
                   const struct vlad_frame *point);
    /* Saves the registers and returns to the driver for good: m->fault holds the reason; node and site are recorded in it. */
    int (*stop)(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site);
    /* Stops at a call that is nested too deep. Its frame is on the stack. */
    int (*too_deep)(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site);
    /* x1 k n l x2 (the application of x1 to x2) for an operator that is not a closure of the program, or one that is nested too
     * deep. Takes the operator and the operand. m->call_node and m->site are those of the application. */
    int (*call)(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand);
    /* The control primitives with three operands, which they take: if-procedure, j*, *j. */
    int (*control)(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value first,
                   vlad_value second, vlad_value third);
    /* ((j* f) (bundle x x')) and ((*j f) (*j x)). They take f and x; in the first, x is the result of `open`. */
    int (*call_bundled)(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x);
    int (*call_reversed)(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x);
    /* The elided (bundle x x') for the procedure that is called next, if x' conforms to x; else the fault is recorded. If
     * `is_perturbed`, x' is (perturb x'). */
    vlad_value (*open)(struct vlad_machine *m, vlad_value x, vlad_value tangent, int is_perturbed);
    /* The call of an elided backpropagator (pull.c) with a cotangent, which it takes: y', or (sensitize y'). */
    int (*pull)(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value cotangent, int is_sensitized);
    /* A part that a continuation received flagged, as an ordinary value of the language. Takes it. */
    vlad_value (*keep)(struct vlad_machine *m, vlad_value part);
    /* A primitive that calls no procedure. If m->fault.kind is set afterwards there is no result. */
    vlad_value (*apply)(struct vlad_machine *m, uint32_t primitive, vlad_value argument);
    /* The same on the tuple of two, or of more, operands, without building the tuple. */
    vlad_value (*apply_two)(struct vlad_machine *m, uint32_t primitive, vlad_value first, vlad_value second);
    vlad_value (*apply_many)(struct vlad_machine *m, uint32_t primitive, uint32_t count, const vlad_value *operands);
    /* (vector-set v i x) and (vector-push v x), which take v and x, unless there is a fault. */
    vlad_value (*vector_set)(struct vlad_machine *m, vlad_value vector, vlad_value index, vlad_value value);
    vlad_value (*vector_push)(struct vlad_machine *m, vlad_value vector, vlad_value value);
    /* True if a value is equal? to a constant of a pattern. */
    int (*matches)(struct vlad_machine *m, vlad_value constant, vlad_value value);
    /* Applies a specialised procedure to the operands in m->arguments (procedures.c). Returns the fuel left, with the
     * operands taken and the value as the first argument; or a negative number if there is no value. */
    int64_t (*apply_specialised)(struct vlad_machine *m, uint32_t procedure, int64_t fuel);
    /* For specialised code (first_order.h). Bails out of the item; does not return. */
    void (*bail_out)(struct vlad_machine *m);
    /* Checks the clock, cancellation and the memory; returns the turns until the next check. */
    int64_t (*poll)(struct vlad_machine *m);
    /* The same on entry to a recursive function, at some depth. It also checks the host's stack, at the address. */
    void (*entered)(struct vlad_machine *m, uintptr_t address, uint64_t depth);
    /* Grow a stack of records; go to its lower part. Return the new top. */
    union vlad_bits *(*more_records)(struct vlad_machine *m, struct vlad_records *records, uint32_t count);
    union vlad_bits *(*fewer_records)(struct vlad_machine *m, struct vlad_records *records);
    /* On arrays (first_order.h): memory for more bytes behind the last array; zeros with the lengths of an array; tests
     * for equal lengths and for equal elements; and the move of arrays, or of arrays and cells, down to a mark. */
    void (*more_arrays)(struct vlad_machine *m, uint64_t bytes);
    void (*more_cells)(struct vlad_machine *m, uint64_t bytes);
    /* The cell of a value that is read for the first time. */
    const union vlad_bits *(*forced_cell)(struct vlad_machine *m, struct vlad_late_cell *late);
    struct vlad_array (*zeros)(struct vlad_machine *m, struct vlad_array like, uint32_t kind);
    int (*same_lengths)(struct vlad_array a, struct vlad_array b, uint32_t kind);
    int (*same_elements)(struct vlad_array a, struct vlad_array b, uint32_t kind);
    void (*move_arrays)(struct vlad_machine *m, unsigned char *mark, struct vlad_array *arrays,
                        const unsigned char *kinds, uint32_t count);
    void (*move_state)(struct vlad_machine *m, unsigned char *mark, struct vlad_array *arrays, const unsigned char *kinds,
                       uint32_t array_count, const union vlad_bits **cells, uint32_t cell_count);
    /* Copies the sums of the accumulators below one cell to those below another; and the bytes of records, arrays and
     * cells. */
    void (*hand_over)(struct vlad_machine *m, const union vlad_bits *from, const union vlad_bits *to);
    double (*size)(struct vlad_machine *m);
    /* The journal of reads of an operator with repeated executions: its beginning; the number of reads; the return to
     * an earlier number, from which reads are replayed; and its end. */
    void (*begin_reads)(struct vlad_machine *m);
    double (*reads)(struct vlad_machine *m);
    void (*read_again)(struct vlad_machine *m, double reads);
    void (*end_reads)(struct vlad_machine *m);
    /* The next number of the input; and the write of a value in a layout, of a template and its leaves. */
    double (*read_number)(struct vlad_machine *m);
    void (*write_leaves)(struct vlad_machine *m, uint32_t layout, const struct vlad_template *template,
                         const vlad_value *leaves);
    /* The tape of numbered nodes (numbered_tape.h). */
    void (*tape_begin)(struct vlad_machine *m);
    double (*tape_independent)(struct vlad_machine *m);
    double (*tape_node)(struct vlad_machine *m, double first, double coefficient, double second, double of_second);
    void (*tape_seed)(struct vlad_machine *m, double number, double cotangent);
    void (*tape_sweep)(struct vlad_machine *m);
    double (*tape_accumulator)(struct vlad_machine *m, double number);
#ifdef VLAD_SANITIZED
    void (*free_cell)(struct vlad_machine *m, void *cell);
#endif
};

/* The maximal number of arguments of a procedure that is entered directly. */
#define VLAD_MOST_ARGUMENTS 32

/* The state of specialised code that its functions share (first_order.h). */
struct vlad_first_order {
    int64_t turns;              /* the iterations and calls until the next check of the clock */
    uint64_t steps;             /* the steps taken */
    struct vlad_records records[VLAD_STACKS_OF_RECORDS];
    const vlad_value *inputs;   /* the leaves of the definitions that the item reads */
    unsigned char *arrays_top;  /* the end of the last array, */
    unsigned char *arrays_end;  /* and of the memory that arrays may take before the limits are checked */
    uint64_t settled;           /* the end of the memory in use after the last move of a call's results */
    uintptr_t stack_end;        /* the lowest address of the host stack at which a recursive function may be entered */
    uint64_t most_depth;        /* the limit on the depth of recursive functions, and on the words of the records of calls */
};

struct vlad_machine {
    /* The fields that generated code accesses most come first. */
    struct vlad_page *page;     /* the page that cells are taken from */
    vlad_value *stack_end;      /* the end of the stack's segment */
    const struct vlad_services *services;
    const struct vlad_mathematics *mathematics;
    vlad_value *globals;        /* the values of the definitions; VLAD_RAW until the definition has run */
    const vlad_value *constants; /* those in the heap, by number: built before the program runs, never freed */
    vlad_value *places;         /* by number: the variables of a block that takes its steps one by one, or is split into chunks */
    vlad_block *const *entries; /* for each lambda the block that takes its argument; 0 if no unknown call reaches it */
    uint32_t call_node;         /* the node of the most recent application */
    uint32_t site;              /* its call site, if its node is of library code */
    uint64_t depth;             /* the nested calls: the frames of kind VLAD_FRAME_BLOCK of all computations, */
    uint64_t most_depth;        /* and their limit */
    int64_t transfers;          /* the remaining transfers until the driver has to be asked: counted in blocks without a step */
    uint32_t paused_node;       /* the position of a block that pauses: a node of its activation */
    uint32_t paused_site;       /* its site, if that node is of library code; the node itself if the block has no site */
    struct vlad_fault fault;
    vlad_value arguments[VLAD_MOST_ARGUMENTS]; /* of a procedure that is entered directly with two or more */
    struct vlad_first_order first_order;
    unsigned char *is_attempted; /* for each specialised procedure: true as long as calls attempt to use its code */
    /* The other fields are private to the runtime: see state.h. */
};

/* The ways in which a program counts steps. */
enum {
    VLAD_BY_BLOCK = 0, /* a block takes the fuel for all of its steps at once: only for runs that never stop at a node */
    VLAD_STOPPABLE = 1 /* the same while there is enough fuel; each block can also take its steps one by one */
};

/* The reaction to operations that make a NaN or an infinity. */
enum {
    VLAD_TRAPS_OFF = 0,
    VLAD_TRAPS_NONFINITE = 1 /* the run stops; the code leaves all operations on reals to the runtime */
};

/* The descriptor that a compiled program exports under its name. */
struct vlad_program {
    uint32_t version;           /* VLAD_VERSION */
    uint32_t counting;
    uint32_t items;
    uint32_t lambdas;
    vlad_block *const *item_blocks; /* their x is RAW, the number of the item; several may have one block */
    vlad_block *const *entries;
    const uint32_t *code_class; /* lambdas of equal code have equal classes */
    uint32_t stride;            /* VLAD_STRIDE */
    uint32_t places;            /* the maximal number of variables of a procedure or an item */
    const struct vlad_specialised *const *specialised; /* by item; 0 for an item, or for all, that is not specialised */
    const struct vlad_specialised_procedure *procedures; /* for calls from what is not specialised; 0 if there are none */
    uint64_t procedure_count;
    /* The other fields are for stoppable programs. */
    const struct vlad_frame *points;        /* by node; of kind VLAD_FRAME_BLOCK where there is none */
    const struct vlad_frame *const *frames; /* by block; 0 where there is none */
    uint32_t nodes;                         /* the length of the table of points */
    uint32_t blocks;                        /* the length of the table of frames */
    uint32_t traps;                         /* of any program: the enum above */
};
#define VLAD_VERSION 12u
/* The fields of stoppable programs, for one that is not. */
#define VLAD_NO_POINTS 0, 0, 0, 0

/* The maximal number of steps, and twice the maximal number of transfers, between returns to the driver. Without
 * optimisation each transfer takes a frame of the host's stack, and frames are large. */
#ifdef __OPTIMIZE__
#define VLAD_STRIDE (1u << 10)
#else
#define VLAD_STRIDE (1u << 8)
#endif

/* Drops a reference. */
static inline void vlad_drop(struct vlad_machine *m, vlad_value v) {
    if (vlad_in_heap(v) && --vlad_header_of(v)->count == 0) m->services->destroy(m, v);
}
static inline void vlad_drop_slots(struct vlad_machine *m, struct vlad_slots *slots) {
    if (slots && --slots->header.count == 0) m->services->destroy(m, vlad_procedure(0, slots));
}

static inline void *vlad_new_cell(struct vlad_machine *m) {
    struct vlad_page *page = m->page;
    void *cell = page->free;
    if (VLAD_UNLIKELY(!cell)) return m->services->new_cell(m);
    page->free = *(void **)cell;
    return cell;
}

/* Frees a cell. In builds with memory checks each cell goes back to the system, which detects a use after free. */
static inline void vlad_free_cell(struct vlad_machine *m, void *cell) {
#ifdef VLAD_SANITIZED
    m->services->free_cell(m, cell);
#else
    struct vlad_page *page = (struct vlad_page *)((uintptr_t)cell & ~(uintptr_t)(VLAD_PAGE - 1));
    *(void **)cell = page->free;
    page->free = cell;
    if (VLAD_UNLIKELY(++page->freed == VLAD_FREED_AGAIN)) m->services->page_again(m, page);
#endif
}

/* The pair of two values; takes both. */
static inline vlad_value vlad_pair(struct vlad_machine *m, vlad_value first, vlad_value second) {
    struct vlad_pair *pair = vlad_new_cell(m);
    pair->header.count = 1;
    pair->header.extent = 0;
    pair->first = first;
    pair->second = second;
    return vlad_make(VLAD_PAIR, (uint64_t)(uintptr_t)pair);
}

/* Deconstructs a pair, which it takes: returns its halves, owned. */
static inline void vlad_unpair(struct vlad_machine *m, vlad_value v, vlad_value *first, vlad_value *second) {
    struct vlad_pair *pair = vlad_as_pair(v);
    *first = pair->first;
    *second = pair->second;
    if (pair->header.count == 1) {
        vlad_free_cell(m, pair);
        return;
    }
    pair->header.count--;
    vlad_share(*first);
    vlad_share(*second);
}

/* The link of a frame: the function that continues, and the descriptor of the frame. */
static inline vlad_value vlad_link(vlad_block *block, const struct vlad_frame *frame) {
    return vlad_make((uint64_t)(uintptr_t)block, (uint64_t)(uintptr_t)frame);
}

/* Returns x, which it takes, to the frame below top. */
#define VLAD_RETURN(m, top, fuel, x) return ((vlad_block *)(uintptr_t)(top)[-1].tag)((m), (top), (fuel), 0, (x))

/* x1 k n l x2, the application: takes the operator and the operand. m->call_node (and, in library code, m->site) are set
 * before. */
static inline int vlad_call(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator,
                            vlad_value operand) {
    uint32_t kind = vlad_kind(operator);
    if (VLAD_LIKELY((kind == VLAD_PROCEDURE || kind == VLAD_PLAIN) && m->depth <= m->most_depth))
        return m->entries[vlad_lambda_of(operator)](m, top, fuel, vlad_as_slots(operator), operand);
    return m->services->call(m, top, fuel, operator, operand);
}

/* A mathematical function. Exported code calls it by its name (compiler/export). */
#define VLAD_MATHEMATICS(m, function) ((m)->mathematics->function)

/* Exact operations: inline with compilers that have builtins for them. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define VLAD_EXACT(m, function, x) ((void)(m), __builtin_##function(x))
#else
#define VLAD_EXACT(m, function, x) VLAD_MATHEMATICS(m, function)(x)
#endif
static inline double vlad_square_root(struct vlad_machine *m, double x) { return VLAD_EXACT(m, sqrt, x); }
static inline double vlad_absolute(struct vlad_machine *m, double x) { return VLAD_EXACT(m, fabs, x); }

#endif
