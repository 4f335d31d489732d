/* The interface between specialised code and the runtime (compiler/src/specialised): the descriptors of items and of the
 * templates of values, and the fast paths of polls and of the stacks of records.
 *
 * Specialised code computes on doubles and truth values alone. It owns no object of the heap, so an item can be given up
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
    VLAD_STEP_VECTOR = 4    /* replaces the elements on top by their vector */
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

/* A boolean as a bit of a word, and the boolean that it is. */
static inline uint64_t vlad_flag(int boolean, uint32_t bit) { return (uint64_t)(boolean != 0) << bit; }
static inline int vlad_flag_of(uint64_t word, uint32_t bit) { return (int)(word >> bit & 1); }

/* A leaf of a definition: a real, and a truth value. */
static inline double vlad_input_real(struct vlad_machine *m, uint32_t leaf) {
    return vlad_double(m->first_order.inputs[leaf]);
}
static inline int vlad_input_boolean(struct vlad_machine *m, uint32_t leaf) {
    return m->first_order.inputs[leaf].word != 0;
}
/* The real with those bits. */
static inline double vlad_with_bits(uint64_t word) {
    union vlad_bits bits;
    bits.word = word;
    return bits.real;
}

#endif
