/* The interface between specialised code and the runtime (compiler/src/specialised): the descriptors of items and of the
 * templates of values, and the fast paths of polls, of the stacks of records and of arrays.
 *
 * Specialised code computes on doubles and truth values, on arrays of them and on cells. It owns no object of the heap, so an item can be given up
 * at any point by longjmp; the memory of the attempt is freed then, and the item is evaluated by its blocks.
 *
 * Every loop and every recursive function takes a turn each time; when no turns are left the clock, cancellation and the
 * memory are checked.
 */
#ifndef VLAD_FIRST_ORDER_H
#define VLAD_FIRST_ORDER_H

#include "machine.h"

/* A step of a template: a postfix program that makes a value of its leaves, on a stack. */
struct vlad_template_step {
    uint32_t kind;    /* one of the enum below */
    uint32_t count;   /* the number of slots or elements */
    vlad_value value; /* a known value; of a leaf or of slots only its tag counts */
};
enum {
    VLAD_STEP_VALUE = 0,    /* pushes a known value, which is not in the heap */
    VLAD_STEP_LEAF = 1,     /* pushes the next leaf, whose kind is that of the known value */
    VLAD_STEP_PAIR = 2,     /* replaces the two values on top by their pair */
    VLAD_STEP_SLOTS = 3,    /* replaces the slots on top, at least one, by the procedure or tagged value of a tag */
    VLAD_STEP_VECTOR = 4,   /* replaces the elements on top by their vector */
    VLAD_STEP_ARRAY = 5,    /* pushes the vector of the next leaf, an array whose kind is the count */
    VLAD_STEP_EITHER = 6,   /* replaces a truth value and two values by the first if it is true, else by the second,
                               which as many steps as the count have made */
    VLAD_STEP_LAST = 7      /* replaces a truth value and a value by the value */
};
struct vlad_template {
    const struct vlad_template_step *steps;
    uint32_t length;
    uint32_t leaves;
    uint32_t height; /* the maximal height of the stack */
};

/* A definition that an item reads. */
struct vlad_input {
    uint32_t global;
    const struct vlad_template *template;
};

/* The specialised code of an item. */
struct vlad_specialised {
    void (*run)(struct vlad_machine *m, vlad_value *leaves); /* sets the leaves of the item's value */
    const struct vlad_template *result;
    const struct vlad_input *inputs;
    uint32_t input_count;
    uint32_t input_leaves; /* of all inputs */
};

/* Gives the item up; does not return. */
#if defined(__GNUC__) && !defined(__TINYC__)
static VLAD_COLD __attribute__((noreturn, unused)) void vlad_bail_out(struct vlad_machine *m) {
    m->services->bail_out(m);
    __builtin_unreachable();
}
#define VLAD_HERE() ((uintptr_t)__builtin_frame_address(0))
#else
static inline void vlad_bail_out(struct vlad_machine *m) { m->services->bail_out(m); }
#define VLAD_HERE() ((uintptr_t)&(char){0})
#endif

/* The most iterations whose turns are taken at once. */
#define VLAD_PART 4096
/* Takes a turn of the loops of a function, which has copied the number of turns. */
#define VLAD_TURN(m, turns) ((turns) = VLAD_LIKELY((turns) > 0) ? (turns) - 1 : (m)->services->poll(m))
/* Enters a recursive function. */
static inline void vlad_enter(struct vlad_machine *m, uintptr_t here) {
    if (VLAD_UNLIKELY(here < m->first_order.stack_end || --m->first_order.turns < 0)) m->services->entered(m, here);
}
#define VLAD_ENTER(m) vlad_enter((m), VLAD_HERE())

/* Pushes a record of so many words on a stack, and pops one; both return its first word. */
static inline union vlad_bits *vlad_push_record(struct vlad_machine *m, enum vlad_stack_of_records stack, uint32_t count) {
    struct vlad_records *records = &m->first_order.records[stack];
    union vlad_bits *top = records->top;
    if (VLAD_UNLIKELY(records->end - top < (int64_t)count)) top = m->services->more_records(m, records, count);
    records->top = top + count;
    return top;
}
static inline union vlad_bits *vlad_pop_record(struct vlad_machine *m, enum vlad_stack_of_records stack, uint32_t count) {
    struct vlad_records *records = &m->first_order.records[stack];
    union vlad_bits *top = records->top;
    if (VLAD_UNLIKELY(top == records->base)) top = m->services->fewer_records(m, records);
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

/* A boolean as a bit of a word, and the boolean that it is. */
static inline uint64_t vlad_flag(int boolean, uint32_t bit) { return (uint64_t)(boolean != 0) << bit; }
static inline int vlad_flag_of(uint64_t word, uint32_t bit) { return (int)(word >> bit & 1); }

/* The number of a kind of arrays: the number of indices that lead to a scalar, and whether those are truth values. */
#define VLAD_RANK 0x7fu
#define VLAD_TRUTHS 0x80u
/* The bytes before the items of an array. */
#define VLAD_ARRAY_HEADER 16

/* Memory for items of a size behind the last array. */
static inline void *vlad_array_items(struct vlad_machine *m, uint64_t length, uint32_t size) {
    struct vlad_first_order *state = &m->first_order;
    uint64_t bytes = (length * size + VLAD_ARRAY_HEADER + 15) & ~(uint64_t)15;
    if (VLAD_UNLIKELY((uint64_t)(state->arrays_end - state->arrays_top) < bytes)) m->services->more_arrays(m, bytes);
    unsigned char *header = state->arrays_top;
    state->arrays_top = header + bytes;
    *(uint64_t *)(void *)header = 0;
    return header + VLAD_ARRAY_HEADER;
}
/* A new cell of so many words, whose parts are to be set. Cells are behind arrays, without headers; where they need too
 * much memory, the item is left to the blocks, which free cells that are not used any more. */
static inline union vlad_bits *vlad_new_typed_cell(struct vlad_machine *m, uint32_t words) {
    struct vlad_first_order *state = &m->first_order;
    uint64_t bytes = (words * sizeof(union vlad_bits) + 15) & ~(uint64_t)15;
    if (VLAD_UNLIKELY((uint64_t)(state->arrays_end - state->arrays_top) < bytes)) m->services->more_cells(m, bytes);
    unsigned char *cell = state->arrays_top;
    state->arrays_top = cell + bytes;
    return (union vlad_bits *)(void *)cell;
}
/* The words of a cell; those of an absent one are zero. */
#define VLAD_MOST_WORDS 64
static inline const union vlad_bits *vlad_parts(const union vlad_bits *cell) {
    static const union vlad_bits absent[VLAD_MOST_WORDS];
    return cell ? cell : absent;
}
/* A cell as a word, and the other way round. */
static inline uint64_t vlad_word_of(const union vlad_bits *cell) { return (uint64_t)(uintptr_t)cell; }
static inline const union vlad_bits *vlad_cell_of(uint64_t word) { return (const union vlad_bits *)(uintptr_t)word; }
/* New arrays, whose elements are to be set. */
static inline struct vlad_array vlad_new_reals(struct vlad_machine *m, uint64_t length) {
    return (struct vlad_array){vlad_array_items(m, length, sizeof(double)), length};
}
static inline struct vlad_array vlad_new_truths(struct vlad_machine *m, uint64_t length) {
    return (struct vlad_array){vlad_array_items(m, length, 1), length};
}
static inline struct vlad_array vlad_new_arrays(struct vlad_machine *m, uint64_t length) {
    return (struct vlad_array){vlad_array_items(m, length, sizeof(struct vlad_array)), length};
}
/* Elements, read and set. */
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
static inline void vlad_set_truth(struct vlad_array array, uint64_t index, int value) {
    ((unsigned char *)array.items)[index] = value != 0;
}
static inline void vlad_set_array(struct vlad_array array, uint64_t index, struct vlad_array value) {
    ((struct vlad_array *)array.items)[index] = value;
}
static inline double vlad_array_length(struct vlad_array array) { return (double)array.length; }
/* A real that is a whole number, as an integer, and the other way round. */
static inline uint64_t vlad_whole(double real) { return (uint64_t)real; }
static inline double vlad_real_of(uint64_t whole) { return (double)(int64_t)whole; }
/* The number of whole numbers from 0 below a real, as far as whole numbers are reals. */
static inline uint64_t vlad_bound(double real) {
    if (!(real > 0)) return 0;
    if (real >= 9007199254740992.0) return UINT64_C(9007199254740992);
    uint64_t whole = (uint64_t)real;
    return whole + ((double)whole < real);
}
/* A real, of which C compilers do not know that it is this one: it gets a register of its own. */
#if defined(__GNUC__) && !defined(__TINYC__) && defined(__x86_64__)
static inline double vlad_apart(double real) {
    double apart;
    __asm__("" : "=x"(apart) : "0"(real));
    return apart;
}
#else
static inline double vlad_apart(double real) { return real; }
#endif
/* Where a part of a loop ends whose counter goes to a bound. */
static inline uint64_t vlad_part(uint64_t counter, uint64_t bound) {
    if (counter >= bound) return counter;
    return bound - counter < VLAD_PART ? bound : counter + VLAD_PART;
}
/* True for a whole number from 0 below the length. */
static inline int vlad_is_index(struct vlad_array array, double real) {
    return real >= 0 && real < (double)array.length && (double)(int64_t)real == real;
}
/* Frees what has been allocated since a mark, but for some arrays, which are moved, if it is more than a limit. Returns
 * the next limit for the same code: twice what was kept. */
static inline uint64_t vlad_keep_arrays(struct vlad_machine *m, unsigned char *mark, uint64_t limit,
                                        struct vlad_array *arrays, const unsigned char *kinds, uint32_t count) {
    if (VLAD_LIKELY((uint64_t)(m->first_order.arrays_top - mark) <= limit)) return limit;
    m->services->move_arrays(m, mark, arrays, kinds, count);
    uint64_t kept = (uint64_t)(m->first_order.arrays_top - mark);
    return 2 * kept < limit ? limit : 2 * kept;
}
/* An array as a leaf of the item's value. */
static inline vlad_value vlad_array_leaf(struct vlad_machine *m, struct vlad_array array) {
    struct vlad_array *leaf = vlad_array_items(m, 1, sizeof array);
    *leaf = array;
    return vlad_make(VLAD_RAW, (uint64_t)(uintptr_t)leaf);
}
/* Takes as many turns as a build has elements, or a part of a loop iterations, once. */
#define VLAD_TURNS(m, turns, count) \
    ((turns) = VLAD_LIKELY((turns) > (int64_t)(count)) ? (turns) - (int64_t)(count) : (m)->services->poll(m))

/* A leaf of a definition: a real, a truth value, and an array. */
static inline double vlad_input_real(struct vlad_machine *m, uint32_t leaf) {
    return vlad_double(m->first_order.inputs[leaf]);
}
static inline int vlad_input_boolean(struct vlad_machine *m, uint32_t leaf) {
    return m->first_order.inputs[leaf].word != 0;
}
static inline struct vlad_array vlad_input_array(struct vlad_machine *m, uint32_t leaf) {
    return *(const struct vlad_array *)(uintptr_t)m->first_order.inputs[leaf].word;
}
/* The real with those bits. */
static inline double vlad_with_bits(uint64_t word) {
    union vlad_bits bits;
    bits.word = word;
    return bits.real;
}

#endif
