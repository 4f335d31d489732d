/* The fast paths of first-order code on records, arrays, cells and whole numbers. Engine and exports (compiler/export)
 * share them.
 *
 * A machine provides `first_order`, with the stacks of records and the memory of arrays, and `services`, with the slow
 * paths.
 */
#ifndef VLAD_FIRST_ORDER_PATHS_H
#define VLAD_FIRST_ORDER_PATHS_H

#include "machine.h"

/* The most iterations that take their turns together. */
#ifndef VLAD_PART
#define VLAD_PART 4096
#endif

/* Precedes a short loop: unrolls it, in order, so that several turns share a test and a jump. */
#if defined(__clang__)
#define VLAD_UNROLLED _Pragma("clang loop unroll_count(4)")
#elif defined(__GNUC__) && !defined(__TINYC__)
#define VLAD_UNROLLED _Pragma("GCC unroll 4")
#else
#define VLAD_UNROLLED
#endif

/* Precedes a loop with independent iterations, which may be vectorised. The pragma is one of OpenMP; the flag
 * -fopenmp-simd enables only such pragmas, and VLAD_PACKED_LOOPS is defined together with it. In the second form all
 * iterations add to one real. */
#if defined(VLAD_PACKED_LOOPS)
#define VLAD_PRAGMA(text) _Pragma(#text)
#define VLAD_ELEMENTWISE _Pragma("omp simd")
#define VLAD_ELEMENTWISE_SUM(sum) VLAD_PRAGMA(omp simd reduction(+ : sum))
#else
#define VLAD_ELEMENTWISE VLAD_UNROLLED
#define VLAD_ELEMENTWISE_SUM(sum) VLAD_UNROLLED
#endif

/* The slow paths of records and of memory. */
VLAD_RARE union vlad_bits *vlad_rarely_more_records(struct vlad_machine *m, struct vlad_records *records, uint32_t count) {
    return m->services->more_records(m, records, count);
}
VLAD_RARE union vlad_bits *vlad_rarely_fewer_records(struct vlad_machine *m, struct vlad_records *records) {
    return m->services->fewer_records(m, records);
}
VLAD_RARE void vlad_rarely_more_arrays(struct vlad_machine *m, uint64_t bytes) { m->services->more_arrays(m, bytes); }
VLAD_RARE void vlad_rarely_more_cells(struct vlad_machine *m, uint64_t bytes) { m->services->more_cells(m, bytes); }

/* Push a record of `count` words on a stack, and pop one. Both return its first word. */
static inline union vlad_bits *vlad_push_record(struct vlad_machine *m, enum vlad_stack_of_records stack, uint32_t count) {
    struct vlad_records *records = &m->first_order.records[stack];
    union vlad_bits *top = records->top;
    if (VLAD_UNLIKELY(records->end - top < (int64_t)count)) top = vlad_rarely_more_records(m, records, count);
    records->top = top + count;
    return top;
}
static inline union vlad_bits *vlad_pop_record(struct vlad_machine *m, enum vlad_stack_of_records stack, uint32_t count) {
    struct vlad_records *records = &m->first_order.records[stack];
    union vlad_bits *top = records->top;
    if (VLAD_UNLIKELY(top == records->base)) top = vlad_rarely_fewer_records(m, records);
    return records->top = top - count;
}
/* An array as two words of a record. */
static inline void vlad_record_array(union vlad_bits *record, struct vlad_array array) {
    record[0].word = (uint64_t)(uintptr_t)array.items;
    record[1].word = array.length;
}
static inline struct vlad_array vlad_recorded_array(const union vlad_bits *record) {
    return (struct vlad_array){(void *)(uintptr_t)record[0].word, record[1].word};
}

/* A boolean as a bit of a word, and a bit of a word as a boolean. */
static inline uint64_t vlad_flag(int boolean, uint32_t bit) { return (uint64_t)(boolean != 0) << bit; }
static inline int vlad_flag_of(uint64_t word, uint32_t bit) { return (int)(word >> bit & 1); }

/* The encoding of a kind of arrays: the rank, and a bit for truth values as scalars. */
#define VLAD_RANK 0x7fu
#define VLAD_TRUTHS 0x80u
/* The bytes before the items of an array. */
#define VLAD_ARRAY_HEADER 8

/* The bytes of an array with its header. */
static inline uint64_t vlad_array_bytes(uint64_t length, uint32_t size) {
    return (length * size + VLAD_ARRAY_HEADER + 7) & ~(uint64_t)7;
}
/* Allocates an array behind the last one, and returns its items. */
static inline void *vlad_array_items(struct vlad_machine *m, uint64_t length, uint32_t size) {
    struct vlad_first_order *state = &m->first_order;
    uint64_t bytes = vlad_array_bytes(length, size);
    if (VLAD_UNLIKELY((uint64_t)(state->arrays_end - state->arrays_top) < bytes)) vlad_rarely_more_arrays(m, bytes);
    unsigned char *header = state->arrays_top;
    state->arrays_top = header + bytes;
    *(uint64_t *)(void *)header = 0;
    return header + VLAD_ARRAY_HEADER;
}
/* A new cell of `words` words, not yet set, behind the last array. If cells need too much memory, the item bails out to
 * the tagged code, which frees unused cells. */
static inline union vlad_bits *vlad_new_typed_cell(struct vlad_machine *m, uint32_t words) {
    struct vlad_first_order *state = &m->first_order;
    uint64_t bytes = words * sizeof(union vlad_bits);
    if (VLAD_UNLIKELY((uint64_t)(state->arrays_end - state->arrays_top) < bytes)) vlad_rarely_more_cells(m, bytes);
    unsigned char *cell = state->arrays_top;
    state->arrays_top = cell + bytes;
    return (union vlad_bits *)(void *)cell;
}
/* A new cell that may be moved. The word before it is its header. During a move it is the even address of the
 * destination. At other times it has, from the lowest bit on: 1; the number of words in 7 bits; a bit for each word
 * that is a cell; and a bit for an accumulator. */
#define VLAD_STAYS UINT64_C(1)
#define VLAD_WORDS_OF(header) ((header) >> 1 & 0x7f)
#define VLAD_CELLS_OF(header) ((header) >> 8 & (UINT64_MAX >> 9))
#define VLAD_IS_SUM (UINT64_C(1) << 63)
static inline union vlad_bits *vlad_new_movable_cell(struct vlad_machine *m, uint32_t words, uint64_t header) {
    union vlad_bits *cell = vlad_new_typed_cell(m, words + 1);
    cell->word = header;
    return cell + 1;
}
/* The words of a cell. An absent cell (0) has words that are 0. */
#define VLAD_MOST_WORDS 64
static inline const union vlad_bits *vlad_words_of(const union vlad_bits *cell) {
    static const union vlad_bits absent[VLAD_MOST_WORDS];
    return cell ? cell : absent;
}
/* A cell as a word, and a word as a cell. */
static inline uint64_t vlad_word_of(const union vlad_bits *cell) { return (uint64_t)(uintptr_t)cell; }
static inline const union vlad_bits *vlad_cell_of(uint64_t word) { return (const union vlad_bits *)(uintptr_t)word; }
/* The accumulator of a node: a new one, which is +0, an addition, and the sum. A node may have none (0). */
static inline const union vlad_bits *vlad_new_accumulator(struct vlad_machine *m) {
    union vlad_bits *accumulator = vlad_new_typed_cell(m, 1);
    accumulator->real = 0.0;
    return accumulator;
}
static inline const union vlad_bits *vlad_new_movable_sum(struct vlad_machine *m) {
    union vlad_bits *accumulator = vlad_new_movable_cell(m, 1, VLAD_STAYS | 1 << 1 | VLAD_IS_SUM);
    accumulator->real = 0.0;
    return accumulator;
}
static inline void vlad_add_to_sum(const union vlad_bits *accumulator, double contribution) {
    if (accumulator) ((union vlad_bits *)(uintptr_t)accumulator)->real += contribution;
}
static inline double vlad_sum_of(const union vlad_bits *accumulator) { return accumulator ? accumulator->real : 0.0; }
/* New arrays; the elements are not yet set. */
static inline struct vlad_array vlad_new_reals(struct vlad_machine *m, uint64_t length) {
    return (struct vlad_array){vlad_array_items(m, length, sizeof(double)), length};
}
static inline struct vlad_array vlad_new_truths(struct vlad_machine *m, uint64_t length) {
    return (struct vlad_array){vlad_array_items(m, length, 1), length};
}
static inline struct vlad_array vlad_new_arrays(struct vlad_machine *m, uint64_t length) {
    return (struct vlad_array){vlad_array_items(m, length, sizeof(struct vlad_array)), length};
}
/* A new array of +0. For few elements stores are faster than a call. */
static inline struct vlad_array vlad_new_zeros(struct vlad_machine *m, uint64_t length) {
    struct vlad_array zeros = vlad_new_reals(m, length);
    if (length > 16) memset(zeros.items, 0, length * sizeof(double));
    else
        for (uint64_t index = 0; index < length; index++) ((double *)zeros.items)[index] = 0.0;
    return zeros;
}
/* An element of an array of accumulators, as an accumulator. It has no header and is never moved: the array is older
 * than every loop that refers to it. */
static inline const union vlad_bits *vlad_sum_at(struct vlad_array array, uint64_t index) {
    return (const union vlad_bits *)array.items + index;
}
/* Reads and writes of elements. */
static inline double vlad_real_at(struct vlad_array array, uint64_t index) { return ((const double *)array.items)[index]; }
static inline int vlad_truth_at(struct vlad_array array, uint64_t index) {
    return ((const unsigned char *)array.items)[index];
}
static inline struct vlad_array vlad_array_at(struct vlad_array array, uint64_t index) {
    return ((const struct vlad_array *)array.items)[index];
}
static inline void vlad_set_real(struct vlad_array array, uint64_t index, double value) {
    ((double *)array.items)[index] = value;
}
static inline void vlad_set_zeros(struct vlad_array array) {
    if (array.length) memset(array.items, 0, array.length * sizeof(double));
}
static inline void vlad_set_truth(struct vlad_array array, uint64_t index, int value) {
    ((unsigned char *)array.items)[index] = value != 0;
}
static inline void vlad_set_array(struct vlad_array array, uint64_t index, struct vlad_array value) {
    ((struct vlad_array *)array.items)[index] = value;
}
static inline double vlad_array_length(struct vlad_array array) { return (double)array.length; }
/* The real with these bits. */
static inline double vlad_with_bits(uint64_t word) {
    union vlad_bits bits;
    bits.word = word;
    return bits.real;
}
/* The bits of a real. */
static inline uint64_t vlad_bits_of(double real) {
    union vlad_bits bits;
    bits.real = real;
    return bits.word;
}
/* The number of whole periods among the remaining turns, given the steps of a period and the steps so far. It is 0 if
 * the sum of all these steps would not be exact. */
static inline uint64_t vlad_periods(uint64_t left, uint64_t period, uint64_t steps, uint64_t before) {
    const uint64_t most = UINT64_C(9007199254740992);
    uint64_t periods = left / period;
    if (VLAD_UNLIKELY(before > most || steps > most)) return 0;
    return steps && periods > (most - before) / steps ? 0 : periods;
}
/* A real that is a whole number as an integer, and an integer as a real. */
static inline uint64_t vlad_whole(double real) { return (uint64_t)(int64_t)real; }
static inline double vlad_real_of(uint64_t whole) { return (double)(int64_t)whole; }
/* The index with index * factor = product, for a product of moderate size. The factor is odd part * 2^twos, and
 * `inverse` is the inverse of the odd part modulo 2^64. If there is no such index, the result is above all indices.
 * Results below 2^33 are exact. */
static inline uint64_t vlad_solved(int64_t product, uint64_t inverse, unsigned twos) {
    uint64_t index = (uint64_t)product * inverse;
    return twos ? index >> twos | index << (64 - twos) : index;
}
/* True for a whole number of moderate size, below 2^40: sums of few small multiples of such numbers are exact. */
static inline int vlad_is_moderate(double real) {
    return real > -1099511627776.0 && real < 1099511627776.0 && vlad_real_of(vlad_whole(real)) == real;
}
/* A whole number of moderate size as an integer; 0 for any other number. */
static inline int64_t vlad_moderate_whole(int64_t whole) {
    return whole > -INT64_C(1099511627776) && whole < INT64_C(1099511627776) ? whole : 0;
}
static inline int64_t vlad_moderate(double real) { return vlad_is_moderate(real) ? (int64_t)real : 0; }
/* The number of whole numbers from 0 below a real, at most 2^53. */
static inline uint64_t vlad_bound(double real) {
    if (!(real > 0)) return 0;
    if (real >= 9007199254740992.0) return UINT64_C(9007199254740992);
    uint64_t whole = vlad_whole(real);
    return whole + (vlad_real_of(whole) < real);
}
/* Conversions between signed and unsigned integers, and the number of whole numbers from 0 below a signed one. */
static inline int64_t vlad_signed(uint64_t whole) { return (int64_t)whole; }
static inline uint64_t vlad_unsigned(int64_t whole) { return (uint64_t)whole; }
static inline uint64_t vlad_whole_bound(int64_t whole) { return whole > 0 ? (uint64_t)whole : 0; }
/* The non-negative remainder of a division by a size, or UINT64_MAX if the size is 0, and its real, a NaN for
 * UINT64_MAX. */
static inline uint64_t vlad_remainder(int64_t whole, int64_t size) {
    if (VLAD_UNLIKELY(size <= 0)) return UINT64_MAX;
    if (VLAD_LIKELY(whole >= 0)) return (uint64_t)whole % (uint64_t)size;
    int64_t remainder = whole % size;
    return (uint64_t)(remainder < 0 ? remainder + size : remainder);
}
static inline double vlad_real_of_remainder(uint64_t remainder) {
    return VLAD_UNLIKELY(remainder == UINT64_MAX) ? vlad_with_bits(UINT64_C(0x7ff8000000000000)) : vlad_real_of(remainder);
}
/* A copy of a real in a register of its own. C compilers do not see that it is a copy. */
#if defined(__GNUC__) && !defined(__TINYC__) && defined(__x86_64__)
static inline double vlad_apart(double real) {
    double apart;
    __asm__("" : "=x"(apart) : "0"(real));
    return apart;
}
#else
static inline double vlad_apart(double real) { return real; }
#endif
/* The end of the next part of a loop with a counter and a bound. */
static inline uint64_t vlad_part(uint64_t counter, uint64_t bound) {
    if (counter >= bound) return counter;
    return bound - counter < VLAD_PART ? bound : counter + VLAD_PART;
}
/* True for a whole number from 0 up to, and without, the length. */
static inline int vlad_is_index(struct vlad_array array, double real) {
    return real >= 0 && real < vlad_real_of(array.length) && (double)(int64_t)real == real;
}
/* A mark: the end of the memory in use for arrays and cells. Releasing a mark frees all later allocations. */
static inline uint64_t vlad_arrays_mark(const struct vlad_machine *m) { return (uint64_t)(uintptr_t)m->first_order.arrays_top; }
static inline void vlad_release_arrays(struct vlad_machine *m, uint64_t mark) {
    m->first_order.arrays_top = (unsigned char *)(uintptr_t)mark;
}
/* The next limit for the allocations since a mark: twice the bytes that were kept. */
static inline uint64_t vlad_next_limit(const struct vlad_machine *m, uint64_t mark, uint64_t limit) {
    uint64_t kept = vlad_arrays_mark(m) - mark;
    return 2 * kept < limit ? limit : 2 * kept;
}
/* If the allocations since a mark exceed a limit, moves some arrays to the mark and frees the rest. Returns the next
 * limit for the same code. */
static inline uint64_t vlad_keep_arrays(struct vlad_machine *m, uint64_t mark, uint64_t limit, struct vlad_array *arrays,
                                        const unsigned char *kinds, uint32_t count) {
    if (VLAD_LIKELY(vlad_arrays_mark(m) - mark <= limit)) return limit;
    m->services->move_arrays(m, (unsigned char *)(uintptr_t)mark, arrays, kinds, count);
    return vlad_next_limit(m, mark, limit);
}
/* A mark as a real with the bits of its address, and such a real as a mark. */
static inline double vlad_memory_mark(const struct vlad_machine *m) {
    union vlad_bits bits;
    bits.word = vlad_arrays_mark(m);
    return bits.real;
}
static inline unsigned char *vlad_mark_of(double mark) {
    union vlad_bits bits;
    bits.real = mark;
    return (unsigned char *)(uintptr_t)bits.word;
}
/* True if the allocations since a mark exceed a limit. */
static inline int vlad_exceeds(const struct vlad_machine *m, uint64_t mark, uint64_t limit) {
    return VLAD_UNLIKELY(vlad_arrays_mark(m) - mark > limit);
}
/* Moves some arrays and cells to a mark and frees the rest. Returns the next limit for the same code. */
static inline uint64_t vlad_keep_state(struct vlad_machine *m, uint64_t mark, uint64_t limit, struct vlad_array *arrays,
                                       const unsigned char *kinds, uint32_t array_count, const union vlad_bits **cells,
                                       uint32_t cell_count) {
    m->services->move_state(m, (unsigned char *)(uintptr_t)mark, arrays, kinds, array_count, cells, cell_count);
    return vlad_next_limit(m, mark, limit);
}
/* Moves the arrays and cells that a call returns to its mark and frees the rest, unless less was allocated since the last such move
 * than a quarter of what there was from the mark to the end of that move: so moves take time in proportion to what is allocated,
 * also by calls within one another that return the same structure. */
static inline void vlad_keep_results(struct vlad_machine *m, uint64_t mark, struct vlad_array *arrays,
                                     const unsigned char *kinds, uint32_t array_count, const union vlad_bits **cells,
                                     uint32_t cell_count) {
    uint64_t settled = m->first_order.settled;
    if (settled > mark && vlad_arrays_mark(m) - settled < (settled - mark) / 4) return;
    m->services->move_state(m, (unsigned char *)(uintptr_t)mark, arrays, kinds, array_count, cells, cell_count);
    m->first_order.settled = vlad_arrays_mark(m);
}
#endif
