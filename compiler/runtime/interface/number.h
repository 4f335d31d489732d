/* Numbers: plain reals and reals of levels, and reads of their parts. */
#ifndef VLAD_NUMBER_H
#define VLAD_NUMBER_H

#include "machine.h"

/* The way in which the reals of a value are read: as they are, or as +0, if the value represents the zero of its tangent
 * space. */
enum vlad_reading { VLAD_AS_IS = 0, VLAD_AS_ZERO = 1 };

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

/* True if a value is a number of that level. */
static inline int vlad_is_of_level(vlad_value v, uint32_t level) {
    return v.tag == VLAD_LIFTED && vlad_as_lifted(v)->header.extent == level;
}

/* A number, or a hole, as it is read. */
static inline vlad_value vlad_read_number(vlad_value number, enum vlad_reading reading) {
    return reading == VLAD_AS_ZERO ? vlad_real(0.0) : number;
}

#endif
