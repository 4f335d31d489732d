/* Differentiation in the runtime of the native engine: the levels under way, operations on lifted reals, the tape,
 * walks over data, and the two operators (report, parts 8 and 9).
 *
 * The invariant is that of the whole engine: bits, faults and their order are those of shared's `differentiation`,
 * whose modules these files follow one by one: arithmetic.c, tape.c and sweep.c, walk.c, operators.c. Derivatives stand
 * in no file here: rules.h and rules.c are generated from the table of primitives.
 *
 * A number is a value that is a REAL or LIFTED. Numbers and values are borrowed and results owned unless a comment says
 * otherwise. Once a fault is noted in m->fault.kind operations on lifted reals give zeros, and walks end at once.
 *
 * Where this departs from shared: all work is counted in one place, and the outermost level, under which every real is
 * plain, has a tape and a sweep of plain doubles.
 */
#ifndef VLAD_DIFFERENTIATION_H
#define VLAD_DIFFERENTIATION_H

#include "machine.h"
#include "rules.h"

/* How many units of work (operations at a level, positions of a datum walked) pass between two looks at the watch. */
#define VLAD_WORK_BETWEEN_LOOKS (1u << 13)

/* Marks an operand that is not of the level of its node. */
#define VLAD_NO_NODE UINT32_MAX

/* The record of one operation. */
struct vlad_node {
    uint32_t operation;
    uint32_t first;
    uint32_t second;
};

/* The record of a reverse level: the nodes of the positions of the independent operand come first and stand nowhere;
 * then those of the operations, in order. Of what the operations worked on only that is saved which coefficients read:
 * of first operand, second operand, result, in that order; as doubles if the tape is of the outermost level, else as
 * numbers that the tape owns. */
struct vlad_tape {
    struct vlad_node *nodes;
    size_t node_count;
    size_t node_capacity;
    union {
        double *reals;
        vlad_value *numbers;
    } saved;
    size_t saved_count;
    size_t saved_capacity;
    /* One for each node, while the level is swept; of the same two forms. */
    union {
        double *reals;
        vlad_value *numbers;
    } accumulators;
    size_t accumulator_capacity;
    uint32_t independents;
};

/* Which operands of a node are of the level, and what their coefficients read, as in the tables of rules.h. */
static inline uint32_t vlad_active_of(const struct vlad_node *node) {
    return (uint32_t)(node->first != VLAD_NO_NODE) | (uint32_t)(node->second != VLAD_NO_NODE) << 1;
}
static inline uint32_t vlad_reads_of(const struct vlad_node *node) {
    return vlad_reads[node->operation][vlad_active_of(node)];
}
enum { VLAD_READS_FIRST = 1, VLAD_READS_SECOND = 2, VLAD_READS_RESULT = 4 };

enum vlad_mode { VLAD_MODE_FORWARD = 0, VLAD_MODE_REVERSE = 1 };

/* A level that is under way, or the memory that the last one of that place has left for the next. */
struct vlad_level {
    enum vlad_mode mode;
    struct vlad_tape tape;
};

/* A part of a datum that is still to be walked, its companion, and where what is made of them belongs. */
struct vlad_walk_task {
    vlad_value value;
    vlad_value companion;
    vlad_value *place;
};

/* What has been made of a shared part, and its companion, already. */
struct vlad_walk_made {
    const void *part;
    const void *companion;
    void *made;
};

/* The memory of walks: it stands here so that no fault can lose it. Walks never nest. */
struct vlad_walk_memory {
    struct vlad_walk_task *tasks;
    size_t task_count;
    size_t task_capacity;
    /* A table with open addressing, its capacity a power of two or 0. Free places have part 0. */
    struct vlad_walk_made *made;
    size_t made_count;
    size_t made_capacity;
};

/* The differentiations under way, oldest first: the level of each is its place. */
struct vlad_levels {
    uint32_t count;
    uint32_t reverse; /* how many of them are reverse */
    uint32_t work;    /* since the last look */
    struct vlad_level *levels; /* VLAD_MOST_LEVELS places, once one has begun */
    struct vlad_walk_memory walk;
};

/* What the machine provides (machine_private.h, which whoever includes this file includes). */
static inline struct vlad_levels *vlad_levels_of(struct vlad_machine *m);
/* Looks at the watch; notes the fault if a limit is passed. */
void vlad_look(struct vlad_machine *m);
/* The system gives no more memory: ends the run, and does not return. */
void vlad_out_of_memory(struct vlad_machine *m);
/* Lambdas of equal code have equal classes. */
uint32_t vlad_code_class(struct vlad_machine *m, uint32_t lambda);
/* Whether a node is of the prelude. */
int vlad_is_prelude(struct vlad_machine *m, uint32_t node);

/* The levels of a machine at its start, and at its end, be it after a fault. */
void vlad_levels_init(struct vlad_levels *levels);
void vlad_levels_free(struct vlad_levels *levels);

/* Memory for more parts of a size than there is room for, at least so many in all, with what stood there; sets the new
 * capacity. */
void *vlad_grown(struct vlad_machine *m, void *memory, size_t *capacity, size_t least, size_t size);
/* The places of levels, before the first begins. */
void vlad_levels_allocate(struct vlad_machine *m);

/* Notes a unit of work; 0 once a fault is noted. */
static inline int vlad_work(struct vlad_machine *m) {
    struct vlad_levels *levels = vlad_levels_of(m);
    if (VLAD_UNLIKELY(++levels->work >= VLAD_WORK_BETWEEN_LOOKS)) {
        levels->work = 0;
        vlad_look(m);
    }
    return m->fault.kind == VLAD_FAULT_NONE;
}

/* Begins a level and gives it; notes the fault if there are too many. */
uint32_t vlad_level_begin(struct vlad_machine *m, enum vlad_mode mode);
/* Ends the newest level; gives its tape, if it is reverse, which stays where it is until another level begins. */
struct vlad_tape *vlad_level_end(struct vlad_machine *m);

/* arithmetic.c: an operation of the table on one and on two numbers, at any levels. */
vlad_value vlad_unary(struct vlad_machine *m, uint32_t operation, vlad_value operand);
vlad_value vlad_binary(struct vlad_machine *m, uint32_t operation, vlad_value first, vlad_value second);
/* The guarded product of the coefficient of an operand (0 or 1) and a tangent or cotangent. */
vlad_value vlad_product(struct vlad_machine *m, uint32_t operation, uint32_t operand, vlad_value first,
                        vlad_value second, vlad_value result, vlad_value part);
/* A tangent or cotangent as it is given back: a zero as +0. */
vlad_value vlad_given_back(struct vlad_machine *m, vlad_value number);

/* The plain real under all levels. */
static inline double vlad_base(vlad_value number) {
    while (!vlad_is_real(number)) number = vlad_as_lifted(number)->primal;
    return vlad_double(number);
}

/* A number of a level; takes the primal and the part. */
static inline vlad_value vlad_lift(struct vlad_machine *m, uint32_t level, vlad_value primal, vlad_value part) {
    struct vlad_lifted *lifted = vlad_new_cell(m);
    lifted->header.count = 1;
    lifted->header.extent = level;
    lifted->primal = primal;
    lifted->part = part;
    return vlad_make(VLAD_LIFTED, (uint64_t)(uintptr_t)lifted);
}

/* Whether a value is a number of that level. */
static inline int vlad_is_of_level(vlad_value v, uint32_t level) {
    return v.tag == VLAD_LIFTED && vlad_as_lifted(v)->header.extent == level;
}

/* tape.c: the node of the next position of the independent operand; before any operation is recorded. */
uint32_t vlad_tape_independent(struct vlad_tape *tape);
/* Notes the fault if there are as many nodes as can be told apart; 0 then. */
int vlad_tape_has_room(struct vlad_machine *m, const struct vlad_tape *tape);
/* Records an operation at a reverse level and gives its node; first and second are the operands' nodes. */
uint32_t vlad_record(struct vlad_machine *m, uint32_t level, uint32_t operation, uint32_t first_node,
                     uint32_t second_node, vlad_value first, vlad_value second, vlad_value result);
/* sweep.c: makes the accumulators, at +0; then adds to that of a node. */
void vlad_accumulators_make(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape);
void vlad_accumulators_add(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape, uint32_t node,
                           vlad_value contribution);
/* Sweeps back over the nodes of a level that has ended, from the accumulators of the outputs to those of the
 * independent operand. */
void vlad_sweep(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape);
/* What has been accumulated for a node, as it is given back. */
vlad_value vlad_accumulated(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape, uint32_t node);
/* Gives up what the tape still owns, and memory that is too much to keep for the next level. */
void vlad_tape_clear(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape);

/* walk.c: whether parts that are shared may be walked once and stay shared, or each position is walked by itself. */
enum vlad_sharing { VLAD_SHARING_KEPT = 0, VLAD_SHARING_UNDONE = 1 };
/* What is made of the number of a position; the companion is the real at the same position, if there is one. */
typedef vlad_value vlad_leaf(struct vlad_machine *m, void *context, vlad_value number, vlad_value companion);
/* Rebuilds a value with each real replaced, left to right. */
vlad_value vlad_rebuild(struct vlad_machine *m, vlad_value value, enum vlad_sharing sharing, vlad_leaf *leaf,
                        void *context);
/* Rebuilds a value from each real and the real at the same position of a companion, which must conform: same shape,
 * same code, equal discrete parts. If it does not the fault is noted. */
vlad_value vlad_rebuild_with(struct vlad_machine *m, vlad_value value, vlad_value companion, enum vlad_companion role,
                             enum vlad_sharing sharing, vlad_leaf *leaf, void *context);

/* operators.c: the zero of the tangent space of a value, and the sum of two values of one tangent space. If
 * m->fault.kind is set afterwards there is no result. */
vlad_value vlad_zero(struct vlad_machine *m, vlad_value value);
vlad_value vlad_plus(struct vlad_machine *m, vlad_value first, vlad_value second);
/* (j* f x x') and (*j f x y') at m->call_node and m->site; they take their operands, push their frame and apply f. */
int vlad_forward(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x, vlad_value tangent);
int vlad_reverse(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x,
                 vlad_value cotangent);
/* The two halves of each, without the frame: what the argument of f becomes, and what its value y becomes. `enter`
 * gives the level through its last operand. */
vlad_value vlad_forward_enter(struct vlad_machine *m, vlad_value x, vlad_value tangent, uint32_t *level);
vlad_value vlad_forward_leave(struct vlad_machine *m, uint32_t level, vlad_value y);
vlad_value vlad_reverse_enter(struct vlad_machine *m, vlad_value x, uint32_t *level);
vlad_value vlad_reverse_leave(struct vlad_machine *m, uint32_t level, vlad_value x, vlad_value y, vlad_value cotangent);

/* The application that is shown for a fault of the application that called last. */
static inline uint32_t vlad_site(struct vlad_machine *m) {
    return vlad_is_prelude(m, m->call_node) ? m->site : m->call_node;
}

#endif
