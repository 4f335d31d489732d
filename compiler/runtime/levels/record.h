/* The data of a backpropagator besides its values: the record of its application, and the input that the application
 * read. The record is the tape of a level that has ended.
 */
#ifndef VLAD_RECORD_H
#define VLAD_RECORD_H

#include "differentiation.h"
#include "machine.h"

/* The slots of the backpropagator of f at x. */
enum {
    VLAD_BACK_OPERATOR = 0, /* f */
    VLAD_BACK_OPERAND = 1,  /* x */
    VLAD_BACK_Y = 2,        /* the value of f at x; its numbers of the record's level hold tape nodes; nil without a record */
    VLAD_BACK_RECORD = 3,   /* RAW: struct vlad_record *; 0 if f has to be executed again */
    VLAD_BACK_READS = 4,    /* RAW: struct vlad_reads *: the input that the application has read; 0 if none; nil if f and x
                             * have primals other than those of the application */
    VLAD_BACK_SLOTS = 5
};

/* The input that an application has read; in a block of the machine, reference-counted. */
struct vlad_reads {
    size_t references;
    uint64_t count;
    double reals[];
};

/* The record of a backpropagator; 0 if there is none. */
static inline struct vlad_record *vlad_record_of(const struct vlad_slots *backpropagator) {
    return (struct vlad_record *)(uintptr_t)backpropagator->values[VLAD_BACK_RECORD].word;
}
/* Makes the record of a level that has ended. Its tape may have excess capacity, but owns nothing else. */
struct vlad_record *vlad_record_make(struct vlad_machine *m, uint32_t level, enum vlad_numbered numbered);
/* Frees the parts of a dead backpropagator other than values. */
void vlad_backpropagator_dies(struct vlad_machine *m, struct vlad_slots *slots);

/* Ends the newest journal; returns its reads. */
struct vlad_reads *vlad_reads_end(struct vlad_machine *m);
/* Drops a reference; 0 is allowed. */
void vlad_reads_drop(struct vlad_machine *m, struct vlad_reads *reads);
/* Allocates space for `count` reals; 0 if the allocation fails. */
struct vlad_reads *vlad_reads_or_none(struct vlad_machine *m, uint64_t count);
/* The reads of a backpropagator; and the same with one more reference. 0 if there are none. */
static inline struct vlad_reads *vlad_reads_in(const struct vlad_slots *backpropagator) {
    return (struct vlad_reads *)(uintptr_t)backpropagator->values[VLAD_BACK_READS].word;
}
/* True if f and x have the primals of the application. */
static inline int vlad_is_of_application(vlad_value backpropagator) {
    return vlad_as_slots(backpropagator)->values[VLAD_BACK_READS].tag == VLAD_RAW;
}
static inline struct vlad_reads *vlad_reads_share(struct vlad_reads *reads) {
    if (reads) reads->references++;
    return reads;
}

#endif
