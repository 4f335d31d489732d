/* The interface between specialised code (compiler/src/specialised) and the runtime: the descriptors of items, the
 * templates of values, pairs of functions, and the fast paths of polls. The fast paths of records and arrays are in
 * first_order_paths.h.
 *
 * Specialised code computes on doubles, truth values, arrays of them, and cells. It owns no object of the heap, so
 * longjmp can leave an item at any point (a bail-out). The memory of the attempt is then freed, and the blocks of the
 * item evaluate it.
 *
 * Each iteration of a loop and each call of a recursive function takes a turn. When no turns are left, a poll checks
 * the clock, cancellation and the memory.
 */
#ifndef VLAD_FIRST_ORDER_H
#define VLAD_FIRST_ORDER_H

#include "first_order_paths.h"
#include "machine.h"

/* The sine and the cosine of one angle. */
struct vlad_sine_and_cosine {
    double sine, cosine;
};
static inline struct vlad_sine_and_cosine vlad_sine_and_cosine(struct vlad_machine *m, double x) {
    struct vlad_sine_and_cosine both;
    m->mathematics->sincos(x, &both.sine, &both.cosine);
    return both;
}

/* A step of a template: a program in prefix order, for values and their leaves. */
struct vlad_template_step {
    uint32_t kind;    /* one of the enum below */
    uint32_t count;   /* the number of slots, elements or steps, or of a cell */
    vlad_value value; /* a known value; of a leaf or of slots only its tag counts */
};
enum {
    VLAD_STEP_VALUE = 0,  /* a known value, which is not in the heap */
    VLAD_STEP_LEAF = 1,   /* the next leaf, whose kind is that of the known value */
    VLAD_STEP_PAIR = 2,   /* a pair; its parts follow */
    VLAD_STEP_SLOTS = 3,  /* the procedure or tagged value of a tag; its slots, at least one, follow */
    VLAD_STEP_VECTOR = 4, /* a vector; its elements follow */
    VLAD_STEP_ARRAY = 5,  /* the vector of the next leaf, an array whose kind is the count */
    VLAD_STEP_EITHER = 6, /* the value that follows if the next leaf is true; else `count` steps are skipped */
    VLAD_STEP_SKIP = 7,   /* the end of such a value: `count` steps are skipped */
    VLAD_STEP_LAST = 8,   /* the last alternative: the next leaf, which is true, and the value that follows */
    VLAD_STEP_CELL = 9    /* the next leaf, a cell of the shape of that number */
};
struct vlad_template {
    const struct vlad_template_step *steps;
    uint32_t length;
    uint32_t leaves;
    uint32_t height; /* a sufficient height of the stack for it and its cells */
    uint32_t words;  /* of the shape of a cell: the number of words; the first has its flags */
    const struct vlad_template *cells; /* the shapes of the cells in it, by number */
};

/* A value that becomes a cell when its parts are read. Its address has the bit VLAD_IS_LATE, which no address of a cell
 * has. */
struct vlad_late_cell {
    vlad_value value;
    const struct vlad_template *shape;
    const union vlad_bits *forced; /* the cell; 0 before */
};
#define VLAD_IS_LATE ((uintptr_t)1)
static inline struct vlad_late_cell *vlad_late_cell_of(const union vlad_bits *cell) {
    uintptr_t address = (uintptr_t)cell;
    return address & VLAD_IS_LATE ? (struct vlad_late_cell *)(address - VLAD_IS_LATE) : (struct vlad_late_cell *)0;
}
/* The words of a cell. */
static inline const union vlad_bits *vlad_parts(struct vlad_machine *m, const union vlad_bits *cell) {
    struct vlad_late_cell *late = vlad_late_cell_of(cell);
    if (VLAD_LIKELY(!late)) return vlad_words_of(cell);
    return late->forced ? late->forced : m->services->forced_cell(m, late);
}

/* A definition that an item reads, or an operand of a procedure, as its number with the flag VLAD_OPERAND. */
#define VLAD_OPERAND (UINT32_C(1) << 31)
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
    uint32_t nesting;      /* the nested calls of the program, at most, for each level of recursion that is counted */
};

/* The specialised code of a call. */
struct vlad_specialised_procedure {
    const struct vlad_specialised *code;
    uint32_t call;     /* one of the enum in machine.h */
    uint32_t lambda;   /* the procedure, which has no slots */
    uint32_t operands;
    uint32_t steps;    /* the steps that the code counts for the call itself */
    uint32_t nests;    /* not 0 if it may begin computations; its code counts their steps as well */
};

/* Bails out of the item; does not return. */
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

/* The difference of two numbers of steps, possibly negative. It bails out from 2^53 on, where reals are not exact. No
 * execution takes so many steps, but repeated counting may reach them. */
static inline uint64_t vlad_steps_between(struct vlad_machine *m, double before, double after) {
    if (VLAD_UNLIKELY(before >= 9007199254740992.0 || after >= 9007199254740992.0)) vlad_bail_out(m);
    return (uint64_t)(int64_t)(after - before);
}
VLAD_RARE int64_t vlad_rarely_poll(struct vlad_machine *m) { return m->services->poll(m); }
/* Takes a turn of a loop. `turns` is the function's copy of the number of turns. */
#define VLAD_TURN(m, turns) ((turns) = VLAD_LIKELY((turns) > 0) ? (turns) - 1 : vlad_rarely_poll(m))
/* Enters a recursive function at a depth of its recursion. */
static inline void vlad_enter(struct vlad_machine *m, uintptr_t here, uint64_t depth) {
    if (VLAD_UNLIKELY(here < m->first_order.stack_end || depth > m->first_order.most_depth || --m->first_order.turns < 0))
        m->services->entered(m, here, depth);
}
#define VLAD_ENTER(m, depth) vlad_enter((m), VLAD_HERE(), (depth))

/* An array as a leaf of the item's value. */
static inline vlad_value vlad_array_leaf(struct vlad_machine *m, struct vlad_array array) {
    struct vlad_array *leaf = vlad_array_items(m, 1, sizeof array);
    *leaf = array;
    return vlad_make(VLAD_RAW, (uint64_t)(uintptr_t)leaf);
}
/* A cell as a leaf. */
static inline vlad_value vlad_cell_leaf(const union vlad_bits *cell) {
    return vlad_make(VLAD_RAW, vlad_word_of(cell));
}
/* Takes `count` turns at once: for the elements of a build, or the iterations of a part of a loop. */
#define VLAD_TURNS(m, turns, count) \
    ((turns) = VLAD_LIKELY((turns) > (int64_t)(count)) ? (turns) - (int64_t)(count) : vlad_rarely_poll(m))

/* A leaf of a definition: a real, a truth value, an array, and a cell. */
static inline double vlad_input_real(struct vlad_machine *m, uint32_t leaf) {
    return vlad_double(m->first_order.inputs[leaf]);
}
static inline int vlad_input_boolean(struct vlad_machine *m, uint32_t leaf) {
    return m->first_order.inputs[leaf].word != 0;
}
static inline struct vlad_array vlad_input_array(struct vlad_machine *m, uint32_t leaf) {
    return *(const struct vlad_array *)(uintptr_t)m->first_order.inputs[leaf].word;
}
static inline const union vlad_bits *vlad_input_cell(struct vlad_machine *m, uint32_t leaf) {
    return vlad_cell_of(m->first_order.inputs[leaf].word);
}

#endif
