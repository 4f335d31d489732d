/* The machine of the native engine: what generated code and the runtime know of each other.
 *
 * A program after CPS conversion (report, part 13) is compiled block by block. A block that something other than the
 * code before it in the same function can go on to - an entry, or the continuation of a call - is one C function, a
 * vlad_block. All transfers between such functions are calls in tail position, which the C compiler turns into jumps; as
 * nothing may depend on that, the functions return to the driver (driver.c) every so often.
 *
 * The state of the equations: k is the stack below `top`; n and l are in `fuel`, the steps that may still be taken before
 * the driver has to be asked; `slots` are those of the procedure that is entered (owned by it); `x` is the argument or
 * the value that is awaited (owned by it).
 *
 * The stack grows upwards in segments. A frame is the values that its block takes over, and above them the link: in the
 * tag the function of the block, in the word its vlad_frame. To give a value x to k is VLAD_RETURN.
 */
#ifndef VLAD_MACHINE_H
#define VLAD_MACHINE_H

#include "value.h"

#if defined(__GNUC__) && !defined(__TINYC__)
#define VLAD_LIKELY(test) __builtin_expect(!!(test), 1)
#define VLAD_UNLIKELY(test) __builtin_expect(!!(test), 0)
#define VLAD_COLD __attribute__((cold, noinline))
#define VLAD_EXPORT __attribute__((visibility("default")))
#else
#define VLAD_LIKELY(test) (test)
#define VLAD_UNLIKELY(test) (test)
#define VLAD_COLD
#define VLAD_EXPORT
#endif

struct vlad_machine;

/* The result says nothing: what happened stands in the machine. */
typedef int vlad_block(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x);

struct vlad_frame;
struct vlad_segment;

/* A block that can stop, and go on, at each of its nodes: it takes its steps one by one, and its variables are in m->places,
 * by number. At its beginning the registers are those of the block. Else it goes on from a point: its variables are in
 * their places again, `slots` are there if the point has them, `x` is the site (RAW) if it has that, and there is as much
 * more fuel as the block takes back for the steps of the point's row before it. */
typedef int vlad_stepwise(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                          vlad_value x, const struct vlad_frame *point);

/* A variable that is alive at rows of steps: its place, the first of those rows, and the first behind them. */
struct vlad_alive {
    uint32_t place;
    uint32_t from;
    uint32_t to;
};

/* A block of a stoppable program in its two forms. */
struct vlad_entry {
    vlad_block *block;        /* takes the fuel for all of its steps at once */
    vlad_stepwise *stepwise;
    int64_t most_steps;       /* on any path through it */
    const struct vlad_alive *alive; /* what its points keep, by place: of the rows of all chunks if the block is cut */
    uint32_t alive_count;
    uint32_t lambda;          /* whose slots its points keep */
};

/* What a frame is. The two nodes are those of `Awaiting`, for the pending calls of an error. */
struct vlad_frame {
    uint32_t kind;        /* one of the enum below */
    uint32_t values;      /* how many values stand below the link */
    uint32_t node;        /* the outermost node of the activation that waits; of a point, the node that is entered next */
    uint32_t awaited;     /* the node whose value is awaited */
    /* Of the operators of the runtime: what is done when the computation above the frame has come to its own limit. The
     * computation has ended then, and top is above the frame again. Takes the state. */
    int (*interrupted)(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_segment *state);
    /* The rest is set in stoppable programs only. */
    vlad_block *function;     /* of a continuation: the function of the link */
    const struct vlad_entry *entry; /* of a point: the block that it stands in */
    uint32_t place_class;     /* frames of one kind have equal classes if they are at the same place of equal code */
    uint32_t block;           /* the number of the block, or of the block that the point stands in */
    uint32_t instruction;     /* of a point: its place in the block */
    uint32_t label;           /* of a point: which row of steps of the function it stands in */
    uint32_t offset;          /* of a point: how many steps of the row are before it */
    uint32_t has_slots;       /* of a point: whether the last of its values, but for the site, is a procedure with the slots */
    /* The next three are set of all continuations. */
    uint32_t has_site;        /* whether the last of its values is the site (RAW) */
    uint32_t wants;           /* of a continuation: what it does with its value (enum vlad_wants) */
    uint32_t iteration;       /* of a call that a frame machine makes in each iteration: 1 + the place of its number */
};
/* What a continuation does with its value, if that is known (compiler/src/emit/fused.rs). It takes a part first of all, and
 * the value has no other use: then whoever has a value of the kind that has the part may give that alone, with a note. */
enum vlad_wants {
    VLAD_WANTS_WHOLE = 0,
    VLAD_WANTS_TANGENT = 1,       /* (tangent x) */
    VLAD_WANTS_PLAIN_TANGENT = 2, /* (unperturb (tangent x)) */
    VLAD_WANTS_SECOND = 3,        /* (cdr x), or the same by a pattern */
    VLAD_WANTS_PLAIN_SECOND = 4,  /* (cdr (unsensitize x)) */
    /* (cdr x), which is called later in the same block, by a call whose continuation wants no more than the second part of
     * a pair. */
    VLAD_WANTS_PULL = 5,
    /* No part first of all; but its second half has no use but to be called in this way. */
    VLAD_WANTS_OPERAND = 6
};
/* What a program writes between the braces of one: a continuation if it is stoppable and if it is not, and a point. */
#define VLAD_STOPPABLE_CONTINUATION(values, node, awaited, function, place_class, block, has_site, wants, iteration) \
    VLAD_FRAME_BLOCK, values, node, awaited, 0, function, 0, place_class, block, 0, 0, 0, 0, has_site, wants, iteration
#define VLAD_CONTINUATION(values, node, awaited, has_site, wants, iteration) \
    VLAD_STOPPABLE_CONTINUATION(values, node, awaited, 0, 0, 0, has_site, wants, iteration)
#define VLAD_POINT(values, node, entry, place_class, block, instruction, label, offset, has_slots, has_site) \
    VLAD_FRAME_POINT, values, node, node, 0, 0, entry, place_class, block, instruction, label, offset, has_slots, has_site, 0, 0
enum {
    VLAD_FRAME_BLOCK = 0,    /* a continuation of the program */
    VLAD_FRAME_OPERATOR = 1, /* the end of an operator: its last two values are node and site (RAW) of the application */
    VLAD_FRAME_SEGMENT = 2,  /* the bottom of a segment: goes on in the one below */
    VLAD_FRAME_BOTTOM = 3,   /* the bottom of a computation's own stack: goes on in the one around it */
    VLAD_FRAME_BASE = 4,     /* the bottom of the stack: ends the evaluation */
    VLAD_FRAME_POINT = 5     /* goes on at the entry of a node */
};

/* Why a run stops. */
enum {
    VLAD_FAULT_NONE = 0,
    VLAD_FAULT_STEPS,          /* the limit of steps is reached at `node` */
    VLAD_FAULT_UNBOUND,        /* detail: the global */
    VLAD_FAULT_PRIMITIVE,      /* detail: the primitive; first: its whole argument, which is not what it expects */
    VLAD_FAULT_MISMATCH,       /* detail: the lambda; binder; first: the argument */
    VLAD_FAULT_NOT_APPLICABLE, /* first: the operator */
    VLAD_FAULT_CONFORMANCE,    /* detail: a vlad_companion; first, second: the parts that do not conform; index */
    VLAD_FAULT_LEVELS,         /* derivatives nested too deep */
    VLAD_FAULT_TAPE,           /* a tape of too many nodes */
    VLAD_FAULT_MEMORY,         /* the system gives no more memory */
    VLAD_FAULT_TOO_LATE,       /* a computation ended before it could be interrupted; first, second: RAW, limit and steps */
    VLAD_FAULT_HOST,           /* input, output, clock or memory: the host has noted what */
    VLAD_FAULT_FORGED,         /* a procedure is called that no run of the program can call there */
    VLAD_FAULT_WITHOUT_TAG     /* a tagged procedure is applied to what has not its tag; first: operator, second: operand */
};
/* What the companion of a value is: a tangent given to j*, or to bundle; what is added; what a backpropagator is applied
 * to; a cotangent, which is given to an operator, whose number as a primitive is added. */
enum vlad_companion {
    VLAD_TANGENT = 0,
    VLAD_SUMMAND = 1,
    VLAD_TANGENT_OF_BUNDLE = 2,
    VLAD_COMPANION_SENSITIVITY = 3,
    VLAD_COTANGENT = 4
};
enum { VLAD_BINDER_PROCEDURE = 0, VLAD_BINDER_LET = 1 };
#define VLAD_NO_INDEX UINT64_MAX

/* The values in it are not counted: whoever made them keeps them until the run ends. */
struct vlad_fault {
    uint32_t kind;
    uint32_t detail;
    uint32_t binder;
    uint32_t node; /* where it arose */
    uint32_t site; /* the user's application to show if the node is of shipped code: of the prelude or a library */
    uint32_t position; /* what of the node's activation the stack tells: one of the enum below */
    uint64_t index; /* of parts that do not conform: where they stand in vectors; VLAD_NO_INDEX if they are no elements */
    vlad_value first;
    vlad_value second;
};
/* A fault within an activation, whose frames do not stand on the stack; or of a call, whose frame does if it has one. The
 * runtime sets it: `stop` knows calls by a mismatch of a procedure's parameters. */
enum { VLAD_WITHIN = 0, VLAD_AT_CALL = 1 };

/* Functions of the C library whose bits all engines share, in the order of shared's `math`; then the exact ones. */
struct vlad_mathematics {
    double (*exp)(double);
    double (*log)(double);
    double (*sin)(double);
    double (*cos)(double);
    double (*tan)(double);
    double (*asin)(double);
    double (*acos)(double);
    double (*atan)(double);
    double (*atan2)(double, double);
    double (*sinh)(double);
    double (*cosh)(double);
    double (*tanh)(double);
    double (*pow)(double, double);
    double (*sqrt)(double);
    double (*fabs)(double);
    double (*floor)(double);
    double (*ceil)(double);
    double (*rint)(double);
    double (*trunc)(double);
};

/* What the runtime does for generated code; operands are borrowed, results owned, unless it says otherwise. */
struct vlad_services {
    /* Gives an object back whose count has come to 0, and all that dies with it. The value is of the heap. */
    void (*destroy)(struct vlad_machine *m, vlad_value dead);
    /* A cell for a pair or a lifted real when the list of free ones is empty. */
    void *(*new_cell)(struct vlad_machine *m);
    /* Slots for so many values, count 1, values not yet set. */
    struct vlad_slots *(*new_slots)(struct vlad_machine *m, uint32_t values);
    /* Makes room for so many values above top, and returns the new top. */
    vlad_value *(*more_stack)(struct vlad_machine *m, vlad_value *top, uint32_t values);
    /* Saves the registers and returns to the driver, which goes on with `next`. m->paused_node and m->paused_site are set
     * before: a run may end there, at its limit of time or memory. */
    int (*pause)(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
                 vlad_block *next);
    /* The same of a block of a stoppable program that has less fuel than it takes steps. */
    int (*run_short)(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
                     const struct vlad_entry *entry);
    /* Returns to the driver for want of fuel at a point, whose frame it makes of the variables in their places, of the slots,
     * and of the site. Takes the slots; they are 0 if the block has given them up. All fuel is used. */
    int (*suspend)(struct vlad_machine *m, vlad_value *top, struct vlad_slots *slots, uint32_t site,
                   const struct vlad_frame *point);
    /* Saves the registers and returns to the driver for good: m->fault says why; node and site are noted in it. */
    int (*stop)(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site);
    /* x1 k n l x2 for an operator that is no procedure of the program. Takes the operator and the operand. m->call_node and
     * m->site are those of the application. */
    int (*call)(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand);
    /* The control primitives with three operands, which they take: if-procedure, j*, *j. */
    int (*control)(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value first,
                   vlad_value second, vlad_value third);
    /* ((j* f) (bundle x x')) and ((*j f) (*j x)), of which they take f and x; in the first x is what `open` has given. */
    int (*call_bundled)(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x);
    int (*call_reversed)(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x);
    /* What (bundle x x') is to a procedure that is called next, if x' conforms to x; else the fault is noted. If
     * `is_perturbed`, x' is (perturb x'). */
    vlad_value (*open)(struct vlad_machine *m, vlad_value x, vlad_value tangent, int is_perturbed);
    /* The call of a backpropagator that stands for itself (pull.c) with a cotangent, which it takes: y', or (sensitize y'). */
    int (*pull)(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value cotangent, int is_sensitized);
    /* A part that a continuation is given with a note, as a value of the language, of its own. Takes it. */
    vlad_value (*keep)(struct vlad_machine *m, vlad_value part);
    /* A primitive that calls no procedure. If m->fault.kind is set afterwards there is no result. */
    vlad_value (*apply)(struct vlad_machine *m, uint32_t primitive, vlad_value argument);
    /* The same on the tuple of two, or of more, operands, which need not be built. */
    vlad_value (*apply_two)(struct vlad_machine *m, uint32_t primitive, vlad_value first, vlad_value second);
    vlad_value (*apply_many)(struct vlad_machine *m, uint32_t primitive, uint32_t count, const vlad_value *operands);
    /* (vector-set v i x) and (vector-push v x), which take v and x, unless there is a fault. */
    vlad_value (*vector_set)(struct vlad_machine *m, vlad_value vector, vlad_value index, vlad_value value);
    vlad_value (*vector_push)(struct vlad_machine *m, vlad_value vector, vlad_value value);
    /* Whether a value is equal? to a constant of a pattern. */
    int (*matches)(struct vlad_machine *m, vlad_value constant, vlad_value value);
#ifdef VLAD_SANITIZED
    void (*free_cell)(struct vlad_machine *m, void *cell);
#endif
};

/* The most arguments that a procedure is entered with directly. */
#define VLAD_MOST_ARGUMENTS 32

struct vlad_machine {
    /* What generated code touches all the time comes first. */
    void *free_cells;           /* a list of free cells, linked through their first word */
    vlad_value *stack_end;      /* the end of the stack's segment */
    const struct vlad_services *services;
    const struct vlad_mathematics *mathematics;
    vlad_value *globals;        /* the values of the definitions; VLAD_RAW as long as one has not run */
    const vlad_value *constants; /* those that stand in the heap, by number: built before the program runs, never freed */
    vlad_value *places;         /* by number: the variables of a block that takes its steps one by one, or that is cut */
    vlad_block *const *entries; /* for each lambda the block that takes its argument; 0 if none can be called so */
    uint32_t call_node;         /* the application that called last */
    uint32_t site;              /* its site, if its node is of shipped code */
    int64_t transfers;          /* before the driver has to be asked: counted in blocks without a step */
    uint32_t paused_node;       /* where a block that pauses stands: a node of its activation */
    uint32_t paused_site;       /* its site, if that node is of shipped code; the node itself if the block knows of none */
    struct vlad_fault fault;
    vlad_value arguments[VLAD_MOST_ARGUMENTS]; /* of a procedure that is entered directly with two or more */
    /* The rest is the runtime's: see machine_private.h. */
};

/* How a program counts. */
enum {
    VLAD_BY_BLOCK = 0, /* a block takes the fuel for all of its steps at once: only for runs that never stop at a node */
    VLAD_STOPPABLE = 1 /* the same as long as there is fuel for that; each block can take its steps one by one, too */
};

/* What a compiled program exports under its name. */
struct vlad_program {
    uint32_t version;           /* VLAD_VERSION */
    uint32_t counting;
    uint32_t items;
    uint32_t lambdas;
    vlad_block *const *item_blocks; /* their x is RAW, the number of the item; several may have one block */
    vlad_block *const *entries;
    const uint32_t *code_class; /* lambdas of equal code have equal classes */
    uint32_t stride;            /* VLAD_STRIDE */
    uint32_t places;            /* how many variables a procedure or an item has at most */
    /* The rest is of stoppable programs. */
    const struct vlad_frame *points;        /* by node; of kind VLAD_FRAME_BLOCK where there is none */
    const struct vlad_frame *const *frames; /* by block; 0 where there is none */
    uint32_t nodes;                         /* how many places there are in the table of points */
    uint32_t blocks;                        /* how many places there are in the table of frames */
};
#define VLAD_VERSION 5u
/* The rest of one that is not stoppable. */
#define VLAD_NO_POINTS 0, 0, 0, 0

/* The steps that a program takes, and twice the transfers that it makes, before it returns to the driver. Without
 * optimisation each transfer takes a frame of the host's stack, and frames are large. */
#ifdef __OPTIMIZE__
#define VLAD_STRIDE (1u << 10)
#else
#define VLAD_STRIDE (1u << 8)
#endif

/* Gives a value up. */
static inline void vlad_drop(struct vlad_machine *m, vlad_value v) {
    if (vlad_in_heap(v) && --vlad_header_of(v)->count == 0) m->services->destroy(m, v);
}
static inline void vlad_drop_slots(struct vlad_machine *m, struct vlad_slots *slots) {
    if (slots && --slots->header.count == 0) m->services->destroy(m, vlad_procedure(0, slots));
}

static inline void *vlad_new_cell(struct vlad_machine *m) {
    void *cell = m->free_cells;
    if (VLAD_UNLIKELY(!cell)) return m->services->new_cell(m);
    m->free_cells = *(void **)cell;
    return cell;
}

/* Gives a cell back. Where memory is checked each goes back to the system, which tells if it is used again. */
static inline void vlad_free_cell(struct vlad_machine *m, void *cell) {
#ifdef VLAD_SANITIZED
    m->services->free_cell(m, cell);
#else
    *(void **)cell = m->free_cells;
    m->free_cells = cell;
#endif
}

/* The pair of two values, which it takes. */
static inline vlad_value vlad_pair(struct vlad_machine *m, vlad_value first, vlad_value second) {
    struct vlad_pair *pair = vlad_new_cell(m);
    pair->header.count = 1;
    pair->header.extent = 0;
    pair->first = first;
    pair->second = second;
    return vlad_make(VLAD_PAIR, (uint64_t)(uintptr_t)pair);
}

/* Takes a pair apart: gives its halves, owned, and gives the pair up, which it takes. */
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

/* The link of a frame: the function that goes on, and what the frame is. */
static inline vlad_value vlad_link(vlad_block *block, const struct vlad_frame *frame) {
    return vlad_make((uint64_t)(uintptr_t)block, (uint64_t)(uintptr_t)frame);
}

/* Gives x, which it takes, to the frame below top. */
#define VLAD_RETURN(m, top, fuel, x) return ((vlad_block *)(uintptr_t)(top)[-1].tag)((m), (top), (fuel), 0, (x))

/* x1 k n l x2: takes the operator and the operand. m->call_node (and, in shipped code, m->site) are set before. */
static inline int vlad_call(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator,
                            vlad_value operand) {
    uint32_t kind = vlad_kind(operator);
    if (VLAD_LIKELY(kind == VLAD_PROCEDURE || kind == VLAD_PLAIN))
        return m->entries[vlad_lambda_of(operator)](m, top, fuel, vlad_as_slots(operator), operand);
    return m->services->call(m, top, fuel, operator, operand);
}

/* Exact operations: inline where the compiler knows them. */
static inline double vlad_square_root(struct vlad_machine *m, double x) {
#if defined(__GNUC__) && !defined(__TINYC__)
    (void)m;
    return __builtin_sqrt(x);
#else
    return m->mathematics->sqrt(x);
#endif
}
static inline double vlad_absolute(struct vlad_machine *m, double x) {
#if defined(__GNUC__) && !defined(__TINYC__)
    (void)m;
    return __builtin_fabs(x);
#else
    return m->mathematics->fabs(x);
#endif
}

#endif
