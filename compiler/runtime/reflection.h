/* The reflective basis: tagged values, calls of tagged procedures, and backpropagators (report, part 17). Follows shared's
 * `tagged`, and differentiation::{reflection, transformed, backpropagator}: reflection.c, transformed.c, backpropagator.c;
 * pull.c is what needs no backpropagator.
 *
 * A tag stands at the root of a value; what has the tag stands in its slots. The three kinds of bundles are one tag. The
 * tangent of a constant is not made before somebody looks: who walks values reads the primal a second time, *as zero*.
 */
#ifndef VLAD_REFLECTION_H
#define VLAD_REFLECTION_H

#include "differentiation.h"

/* The slots of a bundle; that of any other tagged value but a backpropagator is the first. */
enum { VLAD_PRIMAL = 0, VLAD_TANGENT_SLOT = 1 };

/* The slots of the backpropagator of f at x. */
enum {
    VLAD_BACK_OPERATOR = 0, /* f */
    VLAD_BACK_OPERAND = 1,  /* x */
    VLAD_BACK_Y = 2,        /* the value of f at x, whose numbers of the record's level carry nodes; nil if there is no record */
    VLAD_BACK_RECORD = 3,   /* RAW: struct vlad_record *; 0 if f has to be executed */
    VLAD_BACK_READS = 4,    /* RAW: struct vlad_reads *: what the application has read; 0 if that is nothing; nil if f and x
                             * have other primals than it had */
    VLAD_BACK_SLOTS = 5
};

/* Whose positions a reverse level numbers: those of procedure and operand, or of the operand alone, as where nobody looks at
 * the cotangents of the procedure. */
enum vlad_numbered { VLAD_BOTH_NUMBERED = 0, VLAD_OPERAND_NUMBERED = 1 };

/* The record of an application: the tape of a level that has ended. In a list, and in memory of its own. */
struct vlad_record {
    struct vlad_record *previous;
    struct vlad_record *next;
    uint32_t level;
    enum vlad_numbered numbered;
    struct vlad_tape tape;
};

/* What an application has read from the input; in a block of the machine's, shared by reference. */
struct vlad_reads {
    size_t references;
    uint64_t count;
    double reals[];
};

/* The tag of a tagged value: its kind, but for bundles. */
static inline uint32_t vlad_tag_of(vlad_value tagged) {
    uint32_t kind = vlad_kind(tagged);
    return kind == VLAD_CONSTANT || kind == VLAD_MARKED_BUNDLE ? (uint32_t)VLAD_BUNDLE : kind;
}
static inline int vlad_have_same_tag(vlad_value one, vlad_value other) {
    return vlad_is_tagged(one) && vlad_is_tagged(other) && vlad_tag_of(one) == vlad_tag_of(other);
}
/* What a tagged value of one slot has in it; of a bundle the primal. */
static inline vlad_value vlad_content(vlad_value tagged) { return vlad_as_slots(tagged)->values[VLAD_PRIMAL]; }

/* A value, and how it is read. */
struct vlad_seen {
    vlad_value value;
    enum vlad_reading reading;
};

/* A number, or a hole, as it is read. */
static inline vlad_value vlad_read_number(vlad_value number, enum vlad_reading reading) {
    return reading == VLAD_AS_ZERO ? vlad_real(0.0) : number;
}

/* Whether a tagged value that is walked has two parts, and the second of them; the first is its content. */
static inline int vlad_has_second_part(vlad_value tagged) { return vlad_kind(tagged) >= VLAD_CONSTANT; }
static inline struct vlad_seen vlad_second_part(vlad_value tagged, enum vlad_reading reading) {
    struct vlad_seen second = {vlad_content(tagged), VLAD_AS_ZERO};
    if (vlad_kind(tagged) == VLAD_CONSTANT) return second;
    second.value = vlad_as_slots(tagged)->values[VLAD_TANGENT_SLOT];
    second.reading = reading;
    return second;
}

/* reflection.c: a value with a tag; takes the content. */
vlad_value vlad_tagged(struct vlad_machine *m, uint32_t kind, vlad_value content);
/* The bundle of a primal and a tangent, of either kind, which it takes. */
vlad_value vlad_make_bundle(struct vlad_machine *m, uint32_t kind, vlad_value primal, vlad_value tangent);
/* A tangent, or cotangent, of a value without the tag that marks it as one, if it has it: that of a perturbation is a
 * perturbation itself, and one more tag marks it, and so for sensitivities. Borrowed. */
vlad_value vlad_as_given(uint32_t kind, vlad_value tangent, vlad_value of, int *is_marked);
/* (bundle v v'). If m->fault.kind is set afterwards there is no result, as for the next. */
vlad_value vlad_bundle(struct vlad_machine *m, vlad_value primal, vlad_value tangent);
/* What the other primitives that make tagged values, or take them apart, do with their argument. */
vlad_value vlad_reflect(struct vlad_machine *m, uint32_t primitive, vlad_value argument);

/* transformed.c: a call of a tagged value, at m->call_node and m->site. Takes both. */
int vlad_transformed(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand);
/* The services of the same names. */
int vlad_call_bundled(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x);
int vlad_call_reversed(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x);
vlad_value vlad_open(struct vlad_machine *m, vlad_value x, vlad_value tangent, int is_perturbed);
/* Whether the continuation whose frame stands right below top takes the cotangent of x alone. */
static inline int vlad_takes_second(const vlad_value *top, int is_marked) {
    uint32_t wants = ((const struct vlad_frame *)(uintptr_t)top[-1].word)->wants;
    if (wants == VLAD_WANTS_PLAIN_SECOND) return 1;
    return !is_marked && (wants == VLAD_WANTS_SECOND || wants == VLAD_WANTS_PULL);
}
/* Gives cotangents of f and x, which it takes, to the frame below top. If `is_marked`, as a sensitivity. */
int vlad_give_cotangents(struct vlad_machine *m, vlad_value *top, int64_t fuel, int is_marked, vlad_value of_f,
                         vlad_value of_x);

/* pull.c: whether whoever gets the value of the application whose frame stands below top looks at the cotangent of x alone,
 * and that of f makes no difference to it. */
enum vlad_numbered vlad_positions_to_number(struct vlad_machine *m, vlad_value *top, vlad_value f);
/* The services of the same names. */
int vlad_pull(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value cotangent, int is_sensitized);
vlad_value vlad_keep(struct vlad_machine *m, vlad_value part);

/* backpropagator.c: the backpropagator of f at x, both of which it takes, as it takes y: of an application whose level is
 * the newest of all that are, and ends. The tape of the level goes over to it. */
vlad_value vlad_backpropagator(struct vlad_machine *m, uint32_t level, enum vlad_numbered numbered, vlad_value f,
                               vlad_value x, vlad_value y, struct vlad_reads *reads);
/* Whether one has a record, and then the cotangents of f and x for a cotangent of y, and whether that is marked as a
 * sensitivity. That of f is f itself if nobody looks at it. */
int vlad_has_record(vlad_value backpropagator);
void vlad_backpropagate(struct vlad_machine *m, vlad_value backpropagator, vlad_value cotangent, int *is_marked,
                        vlad_value *of_f, vlad_value *of_x);
/* Cotangents, which it takes, as they are given back; and the pair of f and x. */
vlad_value vlad_cotangents_given_back(struct vlad_machine *m, int is_marked, vlad_value cotangents);
vlad_value vlad_backpropagator_parts(struct vlad_machine *m, vlad_value backpropagator);
/* What a dead one has beside values. */
void vlad_backpropagator_dies(struct vlad_machine *m, struct vlad_slots *slots);
/* Ends the newest journal; gives what was read. */
struct vlad_reads *vlad_reads_end(struct vlad_machine *m);
/* One reference less to it; 0 is none. */
void vlad_reads_drop(struct vlad_machine *m, struct vlad_reads *reads);
/* Room for so many; 0 if the system gives no memory. */
struct vlad_reads *vlad_reads_or_none(struct vlad_machine *m, uint64_t count);
/* What one has, and one more reference to that; 0 is none. */
static inline struct vlad_reads *vlad_reads_in(const struct vlad_slots *backpropagator) {
    return (struct vlad_reads *)(uintptr_t)backpropagator->values[VLAD_BACK_READS].word;
}
/* Whether f and x have the primals of the application. */
static inline int vlad_is_of_application(vlad_value backpropagator) {
    return vlad_as_slots(backpropagator)->values[VLAD_BACK_READS].tag == VLAD_RAW;
}
static inline struct vlad_reads *vlad_reads_share(struct vlad_reads *reads) {
    if (reads) reads->references++;
    return reads;
}

#endif
