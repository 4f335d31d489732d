/* The accumulators of a sweep. A sweep (sweep.c) keeps the accumulators of nodes near the current one in a window. So
 * even a long tape uses few accumulators here, and their memory is allocated on first use. */
#include "accumulators.h"
#include "arithmetic.h"
#include "exits.h"
#include "memory.h"
#include "traps.h"
#include <stdlib.h>

/* The maximal size in bytes that is kept for the next sweep, and the maximal number of doubles in a single array. */
#define MOST_BYTES_KEPT ((size_t)1 << 18)
#define MOST_IN_ARRAY (MOST_BYTES_KEPT / sizeof(double))

/* Memory for BLOCKS_OF_SLAB blocks, of which `made` are in use. */
#define BLOCKS_OF_SLAB 256
struct vlad_slab {
    struct vlad_slab *next;
    size_t made;
    double sums[BLOCKS_OF_SLAB][VLAD_SUMS_OF_BLOCK];
};

/* Adds a slab, all +0. There is at least one if the accumulators are in blocks. */
static void add_slab(struct vlad_machine *m, struct vlad_accumulators *accumulators) {
    struct vlad_slab *slab = calloc(1, sizeof *slab);
    if (!slab) vlad_out_of_memory(m);
    slab->next = accumulators->slabs;
    accumulators->slabs = slab;
}

double *vlad_accumulators_block(struct vlad_machine *m, struct vlad_accumulators *accumulators, size_t block) {
    if (accumulators->slabs->made == BLOCKS_OF_SLAB) add_slab(m, accumulators);
    double *made = accumulators->slabs->sums[accumulators->slabs->made++];
    accumulators->sums.blocks[block] = made;
    return made;
}

void vlad_accumulators_free(struct vlad_accumulators *accumulators) {
    while (accumulators->slabs) {
        struct vlad_slab *next = accumulators->slabs->next;
        free(accumulators->slabs);
        accumulators->slabs = next;
    }
    free(accumulators->sums.reals);
    memset(accumulators, 0, sizeof *accumulators);
}

void vlad_accumulators_trim(struct vlad_accumulators *accumulators) {
    if (accumulators->slabs || accumulators->capacity > MOST_BYTES_KEPT) vlad_accumulators_free(accumulators);
}

void vlad_accumulators_make(struct vlad_machine *m, uint32_t level, struct vlad_accumulators *accumulators, size_t count) {
    vlad_accumulators_trim(accumulators);
    if (level == 0 && count > MOST_IN_ARRAY) {
        vlad_accumulators_free(accumulators);
        accumulators->sums.blocks = calloc(count / VLAD_SUMS_OF_BLOCK + 1, sizeof *accumulators->sums.blocks);
        if (!accumulators->sums.blocks) vlad_out_of_memory(m);
        add_slab(m, accumulators);
        return;
    }
    size_t size = level == 0 ? sizeof *accumulators->sums.reals : sizeof *accumulators->sums.numbers;
    if (count > accumulators->capacity / size)
        accumulators->sums.reals = vlad_grown(m, accumulators->sums.reals, &accumulators->capacity, count * size, 1);
    if (level == 0)
        for (size_t place = 0; place < count; place++) accumulators->sums.reals[place] = 0.0;
    else
        for (size_t place = 0; place < count; place++) accumulators->sums.numbers[place] = vlad_real(0.0);
}

void vlad_accumulators_add(struct vlad_machine *m, uint32_t level, struct vlad_accumulators *accumulators, size_t place,
                           vlad_value contribution) {
    if (level == 0) {
        double *accumulator = vlad_sum(m, accumulators, place);
        if (VLAD_UNLIKELY(vlad_has_traps(m)))
            *accumulator = vlad_double(vlad_sum_of_parts(m, vlad_real(*accumulator), contribution));
        else
            *accumulator += vlad_double(contribution);
        return;
    }
    vlad_value *accumulator = &accumulators->sums.numbers[place];
    vlad_value sum = vlad_sum_of_parts(m, *accumulator, contribution);
    vlad_drop(m, *accumulator);
    *accumulator = sum;
}

vlad_value vlad_accumulators_take(uint32_t level, const struct vlad_accumulators *accumulators, size_t place) {
    return level == 0 ? vlad_real(vlad_sum_at(accumulators, place)) : accumulators->sums.numbers[place];
}

void vlad_accumulators_put(struct vlad_machine *m, uint32_t level, struct vlad_accumulators *accumulators, size_t place,
                           vlad_value value) {
    if (level == 0)
        *vlad_sum(m, accumulators, place) = vlad_double(value);
    else
        accumulators->sums.numbers[place] = value;
}

vlad_value vlad_accumulated(struct vlad_machine *m, uint32_t level, const struct vlad_accumulators *accumulators,
                            size_t place) {
    if (level > 0) return vlad_given_back(m, accumulators->sums.numbers[place]);
    double accumulated = vlad_sum_at(accumulators, place);
    return vlad_real(accumulated == 0.0 ? 0.0 : accumulated);
}
