/* Differentiation in the runtime of the native engine: the levels under way, operations on lifted reals, the tape,
 * walks over data, and the operators, capsules and checkpoints among them (report, parts 8, 9 and 15).
 *
 * The invariant is that of the whole engine: bits, faults and their order are those of shared's `differentiation`,
 * whose modules these files follow one by one: arithmetic.c, tape.c and sweep.c (with tape.h, accumulators.c and
 * nodes.c), walk.c, operators.c, checkpoint.c, those of reflection.h, and capsule.c and operands.c, which follow modules
 * next to it. Derivatives stand in no file here: rules.h and rules.c are generated from the table of primitives.
 *
 * A number is a value that is a REAL or LIFTED. Numbers and values are borrowed and results owned unless a comment says
 * otherwise. Once a fault is noted in m->fault.kind operations on lifted reals give zeros, and walks end at once.
 *
 * Where this departs from shared: all work is counted in one place; the outermost level, under which every real is plain,
 * has a tape and a sweep of plain doubles; and *j needs nothing that is carried from one sweep to the next.
 */
#ifndef VLAD_DIFFERENTIATION_H
#define VLAD_DIFFERENTIATION_H

#include "computation.h"
#include "machine.h"
#include "rules.h"
#include "tape.h"

/* How many units of work (operations at a level, positions of a datum walked) pass between two looks at the watch. */
#define VLAD_WORK_BETWEEN_LOOKS (1u << 13)

/* A reverse level records from its first node on, or it only counts until it is told to record. */
enum vlad_mode { VLAD_MODE_FORWARD = 0, VLAD_MODE_REVERSE = 1, VLAD_MODE_COUNTING = 2 };

/* A level that is under way, or the memory that the last one of that place has left for the next. */
struct vlad_level {
    enum vlad_mode mode;
    struct vlad_tape tape;
    /* What has been accumulated for nodes from before the parts of the tape that were swept; none is +0. */
    struct vlad_nodes carry;
};

/* How the reals of a value are read: as they are, or as +0, when the value stands for the zero of its tangent space. */
enum vlad_reading { VLAD_AS_IS = 0, VLAD_AS_ZERO = 1 };

/* A part of a datum that is still to be walked, its companion, how both are read, and where what is made of them
 * belongs; or so many elements at the end of a vector, and the place of the first of them. */
struct vlad_walk_task {
    vlad_value value;
    vlad_value companion;
    vlad_value *place;
    enum vlad_reading reading;
    enum vlad_reading companion_reading;
    uint64_t elements; /* 0 if it is a part */
};

/* A part that may occur again, and how it is read: its address plus the reading. */
typedef uintptr_t vlad_part;
static inline vlad_part vlad_part_of(const struct vlad_header *part, enum vlad_reading reading) {
    return (uintptr_t)part | (uintptr_t)reading;
}
/* Whether it may: one that is shared, or that stands for its zero beside itself. */
static inline int vlad_may_occur_again(const struct vlad_header *part, enum vlad_reading reading) {
    return part->count > 1 || reading == VLAD_AS_ZERO;
}

/* What has been made of a shared part, and its companion, already. */
struct vlad_walk_made {
    vlad_part part;
    vlad_part companion;
    void *made;
};

/* The memory of walks: it stands here so that no fault can lose it. Walks never nest. */
struct vlad_walk_memory {
    struct vlad_walk_task *tasks;
    size_t task_count;
    size_t task_capacity;
    /* A table with open addressing, its capacity a power of two or 0. Free places have the part 0. */
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
    struct vlad_record *records; /* of all backpropagators that are alive (reflection.h) */
    struct vlad_record *dead_records; /* that are kept for the next ones, of the outermost level */
    size_t dead_record_count;
    struct vlad_tape spare; /* the bytes of a record that has died, for the next tape of the outermost level; and accumulators
                             * for sweeps over records, of either form */
};

/* What the machine provides (machine_private.h, which whoever includes this file includes). */
static inline struct vlad_levels *vlad_levels_of(struct vlad_machine *m);
/* Looks at the watch; notes the fault if a limit is passed. */
void vlad_look(struct vlad_machine *m);
/* The system gives no more memory: ends the run, and does not return. */
void vlad_out_of_memory(struct vlad_machine *m);
/* Lambdas of equal code have equal classes. */
uint32_t vlad_code_class(struct vlad_machine *m, uint32_t lambda);
/* Whether a node is of shipped code: of the prelude or of a library. */
int vlad_is_shipped(struct vlad_machine *m, uint32_t node);

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

/* tape.c: the number of the next position of the independent operand; before any operation is recorded. */
uint64_t vlad_tape_independent(struct vlad_tape *tape);
/* Notes the fault if there are as many nodes as can be told apart; 0 then. The second once the positions have their
 * numbers. */
int vlad_tape_has_room(struct vlad_machine *m, const struct vlad_tape *tape);
int vlad_tape_numbered(struct vlad_machine *m, struct vlad_tape *tape);
/* The node of an operation at a reverse level: its number. The parts of the operands are RAW nodes, if they are of the
 * level. Recorded or only counted, as the level does. */
uint64_t vlad_record(struct vlad_machine *m, uint32_t level, uint32_t operation, vlad_value first_part,
                     vlad_value second_part, vlad_value first, vlad_value second, vlad_value result);
/* Saves a number on a tape of a level that only counts; and takes back, owned, what was saved last. */
void vlad_tape_save(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape, vlad_value number);
vlad_value vlad_tape_restore(uint32_t level, struct vlad_tape *tape);
/* Drops the numbers that a tape of a level that is not the outermost has saved. */
void vlad_tape_drop_saved(struct vlad_machine *m, const struct vlad_tape *tape);
/* accumulators.c: makes so many, at +0, for a level. */
void vlad_accumulators_make(struct vlad_machine *m, uint32_t level, struct vlad_accumulators *accumulators, size_t count);
/* Adds to that of a place; and what has been accumulated for it, as it is given back. */
void vlad_accumulators_add(struct vlad_machine *m, uint32_t level, struct vlad_accumulators *accumulators, size_t place,
                           vlad_value contribution);
vlad_value vlad_accumulated(struct vlad_machine *m, uint32_t level, const struct vlad_accumulators *accumulators,
                            size_t place);
/* Makes a block. */
double *vlad_accumulators_block(struct vlad_machine *m, struct vlad_accumulators *accumulators, size_t block);
/* The sum of a place, to be added to, where sums are doubles; and what it is. */
static inline double *vlad_sum(struct vlad_machine *m, struct vlad_accumulators *accumulators, size_t place) {
    if (!accumulators->slabs) return &accumulators->sums.reals[place];
    double *block = accumulators->sums.blocks[place / VLAD_SUMS_OF_BLOCK];
    if (VLAD_UNLIKELY(!block)) block = vlad_accumulators_block(m, accumulators, place / VLAD_SUMS_OF_BLOCK);
    return &block[place % VLAD_SUMS_OF_BLOCK];
}
static inline double vlad_sum_at(const struct vlad_accumulators *accumulators, size_t place) {
    if (!accumulators->slabs) return accumulators->sums.reals[place];
    const double *block = accumulators->sums.blocks[place / VLAD_SUMS_OF_BLOCK];
    return block ? block[place % VLAD_SUMS_OF_BLOCK] : 0.0;
}
/* Puts a value, which it takes, where +0 stands; or takes what stands there. */
void vlad_accumulators_put(struct vlad_machine *m, uint32_t level, struct vlad_accumulators *accumulators, size_t place,
                           vlad_value value);
vlad_value vlad_accumulators_take(uint32_t level, const struct vlad_accumulators *accumulators, size_t place);
/* Gives the memory up; or that alone which is too much to keep for the next. */
void vlad_accumulators_free(struct vlad_accumulators *accumulators);
void vlad_accumulators_trim(struct vlad_accumulators *accumulators);
/* sweep.c: sweeps back over the nodes of a level that has ended, from the accumulators of the outputs to those of the
 * independent operand. What was recorded is given up. */
void vlad_sweep(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape);
/* Adds to what has been accumulated for a node that may be from before the tape. */
void vlad_carry_add(struct vlad_machine *m, struct vlad_level *level, uint64_t node, vlad_value contribution);
/* What has been accumulated for it, as it is given back. */
vlad_value vlad_carried(struct vlad_machine *m, const struct vlad_level *level, uint64_t node);
/* Sweeps back over the part of a level's nodes that is on its tape: from the accumulators in `carry` of those nodes to
 * those of the nodes before. */
void vlad_sweep_part(struct vlad_machine *m, uint32_t level);
/* The same over a tape that is kept, with accumulators that stand elsewhere: of a level's number as for them. */
void vlad_sweep_kept(struct vlad_machine *m, uint32_t level, const struct vlad_tape *tape, uint32_t accumulators_level,
                     struct vlad_accumulators *accumulators);
/* Gives up what the tape still owns, and memory that is too much to keep for the next level. */
void vlad_tape_clear(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape);
/* Of tapes of the outermost level: puts bytes that are not too many by, if none are put by; and gives a tape that has none
 * those. */
void vlad_tape_spare(struct vlad_levels *levels, struct vlad_tape *tape);
void vlad_tape_use_spare(struct vlad_levels *levels, struct vlad_tape *tape);
/* Gives bytes up that are too many to keep for the next level. */
void vlad_tape_trim(struct vlad_tape *tape);

/* nodes.c: the value of a node, where it stands; 0 if there is none. */
vlad_value *vlad_nodes_find(const struct vlad_nodes *nodes, uint64_t node);
/* The same; +0 is put there if there is none. Values of nodes from `end` on are no longer needed. */
vlad_value *vlad_nodes_place(struct vlad_machine *m, struct vlad_nodes *nodes, uint64_t node, uint64_t end);
/* Gives the values and the room up, for values of the heap or others. */
void vlad_nodes_clear(struct vlad_machine *m, struct vlad_nodes *nodes);

/* walk.c: whether parts that are shared may be walked once and stay shared, or each position is walked by itself. */
enum vlad_sharing { VLAD_SHARING_KEPT = 0, VLAD_SHARING_UNDONE = 1 };
/* Whether what is made has the primals of what it is made of, as where reals are lifted or a level ends; it need not. */
enum vlad_primals { VLAD_PRIMALS_SAME = 0, VLAD_PRIMALS_OTHER = 1 };
/* What is made of the number of a position; the companion is the real at the same position, if there is one. And what is made of
 * a vector of reals, where that can be said without looking at each as a number; else 0. There may be no such function. */
typedef vlad_value vlad_leaf(struct vlad_machine *m, void *context, vlad_value number, vlad_value companion);
typedef struct vlad_vector *vlad_leaves(struct vlad_machine *m, void *context, struct vlad_vector *reals,
                                        struct vlad_vector *companion);
struct vlad_making {
    vlad_leaf *number;
    vlad_leaves *vector;
};
/* Rebuilds a value with each real replaced, left to right. */
vlad_value vlad_rebuild(struct vlad_machine *m, vlad_value value, enum vlad_sharing sharing, enum vlad_primals primals,
                        const struct vlad_making *making, void *context);
/* Rebuilds a value from each real and the real at the same position of a companion, which must conform: same shape,
 * same code, equal discrete parts. If it does not the fault is noted. */
vlad_value vlad_rebuild_with(struct vlad_machine *m, vlad_value value, vlad_value companion, uint32_t role,
                             enum vlad_sharing sharing, enum vlad_primals primals,
                             const struct vlad_making *making, void *context);

/* operators.c: the zero of the tangent space of a value, and the sum of two values of one tangent space. If
 * m->fault.kind is set afterwards there is no result. */
vlad_value vlad_zero(struct vlad_machine *m, vlad_value value);
vlad_value vlad_plus(struct vlad_machine *m, vlad_value first, vlad_value second);
/* Puts the frame of an operator, which is at m->call_node and m->site, above top and gives the new top. Its own values
 * stand first, and are still to be set; its function is `leave`. */
vlad_value *vlad_push_operator(struct vlad_machine *m, vlad_value *top, vlad_block *leave,
                               const struct vlad_frame *frame);
/* The values of the frame of an operator that stands below top. */
static inline vlad_value *vlad_operator_values(vlad_value *top, const struct vlad_frame *frame) {
    return top - 1 - frame->values;
}
/* A value as it is below a level: each number of the level is its primal. */
vlad_value vlad_primal_at(struct vlad_machine *m, uint32_t level, vlad_value y);
/* x with each position a number of a reverse level, of which it gets the next node. */
vlad_value vlad_number_positions(struct vlad_machine *m, uint32_t level, vlad_value x, enum vlad_sharing sharing);
/* (j* f x x') and (*j f x y') at m->call_node and m->site; they take their operands, push their frame and apply f. */
int vlad_forward(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x, vlad_value tangent);
int vlad_reverse(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x,
                 vlad_value cotangent);
/* The two halves of each, without the frame: what the argument of f becomes, and what its value y becomes. `enter`
 * gives the level through its last operand. */
vlad_value vlad_forward_enter(struct vlad_machine *m, vlad_value x, vlad_value tangent, uint32_t *level);
vlad_value vlad_forward_leave(struct vlad_machine *m, uint32_t level, vlad_value y);
/* Their parts. A value each of whose reals is a number of a forward level; and the end of that level: y gives its tangent,
 * or splits into its primal and its tangent, unless a fault is noted. */
vlad_value vlad_with_tangent(struct vlad_machine *m, uint32_t level, vlad_value x, vlad_value tangent, uint32_t role);
vlad_value vlad_forward_tangent(struct vlad_machine *m, uint32_t level, vlad_value y);
void vlad_forward_split(struct vlad_machine *m, uint32_t level, vlad_value y, vlad_value *primal, vlad_value *tangent);
vlad_value vlad_reverse_enter(struct vlad_machine *m, vlad_value x, uint32_t *level);
vlad_value vlad_reverse_leave(struct vlad_machine *m, uint32_t level, vlad_value x, vlad_value y, vlad_value cotangent);
/* What follows on the end of a reverse level: the cotangent of x for that of y, of which the role is told. The tape is used
 * up. */
vlad_value vlad_reverse_sweep(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape, vlad_value x,
                              vlad_value y, vlad_value cotangent, uint32_t role);

/* A reverse level that has ended, and accumulators for it, which are of the form of a level's. */
struct vlad_reversal {
    uint32_t level;
    uint32_t accumulators_level;
    struct vlad_accumulators *accumulators;
    uint32_t position; /* the next one, in `vlad_gather` */
};
/* Adds the cotangent of y to the accumulators of its nodes, left to right; gives what has been accumulated for x, whose
 * positions come next. */
void vlad_seed(struct vlad_machine *m, struct vlad_reversal *reversal, vlad_value y, vlad_value cotangent,
               uint32_t role);
vlad_value vlad_gather(struct vlad_machine *m, struct vlad_reversal *reversal, vlad_value x);

/* capsule.c: (primops f x), (interrupt f x l) and (resume z), in the same way; and whether two skeletons are the same, so
 * that their capsules differ in their reals alone, if at all (equal.c). */
int vlad_count_steps(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x);
int vlad_interrupt(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x, int64_t limit);
int vlad_resume(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value capsule);
int vlad_same_skeleton(struct vlad_machine *m, vlad_value first, vlad_value second);

/* How a `checkpoint-*j` is told to divide the computation: the numbers that its primitive takes. */
#define VLAD_NOT_GIVEN UINT64_MAX
struct vlad_division {
    uint64_t numbers[3];
};
/* checkpoint.c: (checkpoint-*j f x y') and its forms, in the same way. */
int vlad_checkpoint(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value f,
                    vlad_value x, vlad_value cotangent, const struct vlad_division *division);

/* operands.c: any other control primitive, on its whole argument, which it takes. */
int vlad_operator(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value argument);

/* The application that is shown for a fault of the application that called last. */
static inline uint32_t vlad_site(struct vlad_machine *m) {
    return vlad_is_shipped(m, m->call_node) ? m->site : m->call_node;
}

#endif
