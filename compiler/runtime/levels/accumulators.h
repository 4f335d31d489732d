/* The accumulators of a reverse sweep. */
#ifndef VLAD_ACCUMULATORS_H
#define VLAD_ACCUMULATORS_H

#include "differentiation.h"
#include "machine.h"

/* Allocates `count` accumulators, all +0, for a level. */
void vlad_accumulators_make(struct vlad_machine *m, uint32_t level, struct vlad_accumulators *accumulators, size_t count);
/* Adds a contribution to the accumulator of a place; and returns the cotangent accumulated there, a zero as +0. */
void vlad_accumulators_add(struct vlad_machine *m, uint32_t level, struct vlad_accumulators *accumulators, size_t place,
                           vlad_value contribution);
vlad_value vlad_accumulated(struct vlad_machine *m, uint32_t level, const struct vlad_accumulators *accumulators,
                            size_t place);
/* Allocates a block. */
double *vlad_accumulators_block(struct vlad_machine *m, struct vlad_accumulators *accumulators, size_t block);
/* The accumulator of a place, to be added to, if accumulators are doubles; and its value. */
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
/* Stores a value, which it takes, in an accumulator that is +0; or moves the value out of an accumulator. */
void vlad_accumulators_put(struct vlad_machine *m, uint32_t level, struct vlad_accumulators *accumulators, size_t place,
                           vlad_value value);
vlad_value vlad_accumulators_take(uint32_t level, const struct vlad_accumulators *accumulators, size_t place);
/* Frees the memory; or only as much as exceeds the amount that is kept for the next level. */
void vlad_accumulators_free(struct vlad_accumulators *accumulators);
void vlad_accumulators_trim(struct vlad_accumulators *accumulators);

#endif
