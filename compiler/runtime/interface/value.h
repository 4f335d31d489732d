/* Values of the native engine: 16 bytes, a tag and a word, with reference counts on the objects of the heap.
 *
 * Invariants. Data is immutable and acyclic, so reference counting frees every object exactly when it dies. A value
 * passed to a function is *borrowed* unless the function's comment says that it takes (consumes) it; a value returned by
 * a function is *owned* by its caller. Freeing never recurses: dead objects go to a worklist (release.c). A count has 32
 * bits: it could only overflow with 64 GB of references to one object.
 *
 * This is the lowest layer of the runtime; driver.h, the highest, lists all.
 */
#ifndef VLAD_VALUE_H
#define VLAD_VALUE_H

#include <stdint.h>
#include <string.h>

/* The kind of a value: the low byte of its tag. Values of kinds from VLAD_LIFTED on are in the heap. */
enum {
    VLAD_NIL = 0,       /* the empty list; word 0 */
    VLAD_BOOLEAN = 1,   /* word 0 or 1 */
    VLAD_REAL = 2,      /* word: the bits of the double */
    VLAD_PRIMITIVE = 3, /* word: the primitive's number in the table */
    VLAD_PLAIN = 4,     /* a procedure without captured slots; the lambda's number in the upper half of the tag, word 0 */
    VLAD_RAW = 5,       /* not a value of the language: data of the machine among values, such as a call site or a node */
    VLAD_HOLE = 6,      /* in a skeleton: one of the reals of the capsule; word: its index */
    VLAD_LIFTED = 7,    /* word: struct vlad_lifted * */
    VLAD_VECTOR = 8,    /* word: struct vlad_vector * */
    VLAD_PAIR = 9,      /* word: struct vlad_pair * */
    /* Kinds from here on are represented by slots. */
    VLAD_PROCEDURE = 10, /* a procedure with captured slots; the lambda's number in the upper half, word: struct vlad_slots * */
    VLAD_CAPSULE = 11,   /* a suspended computation: slots with its skeleton, then its reals */
    VLAD_SKELETON = 12,  /* of a capsule: slots with the frames of the computation, with holes for reals (capsule.c) */
    /* Kinds from here on are the tagged values of the reflective basis (tagged.h). */
    VLAD_PERTURBATION = 13,
    VLAD_SENSITIVITY = 14,
    VLAD_REVERSED = 15,
    VLAD_CONSTANT = 16,      /* a bundle whose tangent is the zero of its one slot, the primal */
    VLAD_BUNDLE = 17,        /* primal and tangent */
    VLAD_MARKED_BUNDLE = 18, /* the same; the tangent was given as a perturbation, and is returned as one */
    VLAD_BACKPROPAGATOR = 19
};

typedef struct vlad_value {
    uint64_t tag;
    uint64_t word;
} vlad_value;

/* The header of every object of the heap. */
struct vlad_header {
    uint32_t count;  /* references */
    uint32_t extent; /* of slots: the number of values; of a lifted real: its level; of a vector: its form; of a pair: 0 */
};

struct vlad_pair {
    struct vlad_header header;
    vlad_value first;
    vlad_value second;
};

/* A real at a level. The primal and the tangent are REAL or LIFTED values of older levels; in reverse mode the part is
 * RAW, and its word is the number of the tape node. Of the same size as a pair, so that both use one free list of cells. */
struct vlad_lifted {
    struct vlad_header header;
    vlad_value primal;
    vlad_value part;
};

struct vlad_slots {
    struct vlad_header header;
    vlad_value values[];
};

/* A vector, as in shared/values: plain doubles; any values; or reals of a level, which consist of their primals, a
 * vector, and the part that the level adds: tangents, a vector, or the numbers of tape nodes. A real that is constant at
 * the level has VLAD_NO_TANGENT or VLAD_NO_NUMBER there. The extent is the form; for reals of a level, plus
 * VLAD_FORM_LEVEL times the level; for values, plus VLAD_FORM_LEVEL if there may be reals of levels among them. Of the
 * size of a pair; the elements are in arrays of their own (vector.c). Only a vector with a single reference is ever
 * changed. */
struct vlad_vector {
    struct vlad_header header;
    union {
        struct {
            union {
                uint64_t *nodes;
                struct vlad_vector *tangents;
            } parts;
            uint64_t capacity; /* the number of elements that fit into the array; 0 if there is no array */
        };
        vlad_value link; /* of a dead vector of values: the link of the worklist */
    };
    uint64_t length;
    union {
        double *reals;
        vlad_value *values;
        struct vlad_vector *primals;
    } elements;
};
enum { VLAD_FORM_PLAIN = 0, VLAD_FORM_VALUES = 1, VLAD_FORM_TANGENTS = 2, VLAD_FORM_NODES = 3, VLAD_FORM_LEVEL = 4 };
#define VLAD_NO_NUMBER UINT64_MAX
/* The bits of a NaN that no operation produces, since none operates on it. */
#define VLAD_NO_TANGENT UINT64_C(0x7ff80000766c6164)

static inline uint32_t vlad_kind(vlad_value v) { return (uint32_t)(v.tag & 0xff); }
static inline int vlad_has_slots(vlad_value v) { return (v.tag & 0xff) >= VLAD_PROCEDURE; }
static inline int vlad_in_heap(vlad_value v) { return (v.tag & 0xff) >= VLAD_LIFTED; }
static inline struct vlad_header *vlad_header_of(vlad_value v) { return (struct vlad_header *)(uintptr_t)v.word; }
static inline struct vlad_pair *vlad_as_pair(vlad_value v) { return (struct vlad_pair *)(uintptr_t)v.word; }
static inline struct vlad_lifted *vlad_as_lifted(vlad_value v) { return (struct vlad_lifted *)(uintptr_t)v.word; }
static inline struct vlad_slots *vlad_as_slots(vlad_value v) { return (struct vlad_slots *)(uintptr_t)v.word; }
static inline struct vlad_vector *vlad_as_vector(vlad_value v) { return (struct vlad_vector *)(uintptr_t)v.word; }
static inline uint32_t vlad_lambda_of(vlad_value v) { return (uint32_t)(v.tag >> 32); }

static inline vlad_value vlad_make(uint64_t tag, uint64_t word) {
    vlad_value v = {tag, word};
    return v;
}
static inline vlad_value vlad_nil(void) { return vlad_make(VLAD_NIL, 0); }
static inline vlad_value vlad_boolean(int truth) { return vlad_make(VLAD_BOOLEAN, truth != 0); }
static inline vlad_value vlad_raw(uint64_t word) { return vlad_make(VLAD_RAW, word); }
static inline vlad_value vlad_primitive(uint32_t number) { return vlad_make(VLAD_PRIMITIVE, number); }
/* The bits of a double. A union, since a compiler without knowledge of the C library compiles memcpy as a function call. */
union vlad_bits {
    double real;
    uint64_t word;
};
static inline vlad_value vlad_real(double x) {
    union vlad_bits bits = {x};
    return vlad_make(VLAD_REAL, bits.word);
}
static inline double vlad_double(vlad_value v) {
    union vlad_bits bits;
    bits.word = v.word;
    return bits.real;
}
static inline int vlad_is_real(vlad_value v) { return v.tag == VLAD_REAL; }
static inline int vlad_is_number(vlad_value v) { return v.tag == VLAD_REAL || v.tag == VLAD_LIFTED; }
static inline int vlad_is_pair(vlad_value v) { return v.tag == VLAD_PAIR; }
static inline int vlad_is_vector(vlad_value v) { return v.tag == VLAD_VECTOR; }
static inline int vlad_is_tagged(vlad_value v) { return vlad_kind(v) >= VLAD_PERTURBATION; }
/* True if a value can be applied; tags are looked through. */
static inline int vlad_is_procedure(vlad_value v) {
    for (;;) {
        uint32_t kind = vlad_kind(v);
        if (kind == VLAD_PROCEDURE || kind == VLAD_PLAIN || kind == VLAD_PRIMITIVE || kind == VLAD_BACKPROPAGATOR) return 1;
        if (kind < VLAD_PERTURBATION) return 0;
        v = vlad_as_slots(v)->values[0];
    }
}
/* Only #f is false. */
static inline int vlad_is_true(vlad_value v) { return v.tag != VLAD_BOOLEAN || v.word != 0; }
/* The procedure of a lambda with captured slots, which it takes; they may be 0. */
static inline vlad_value vlad_procedure(uint32_t lambda, struct vlad_slots *slots) {
    return vlad_make((uint64_t)lambda << 32 | (slots ? VLAD_PROCEDURE : VLAD_PLAIN), (uint64_t)(uintptr_t)slots);
}

/* True if a value is a closure of a lambda. */
static inline int vlad_has_code(vlad_value v) { return vlad_kind(v) == VLAD_PROCEDURE || vlad_kind(v) == VLAD_PLAIN; }
/* Records that the reals of a capsule differ from the primals of its computation: a bit in the upper half of the tag of
 * its skeleton. */
static inline void vlad_capsule_has_others(vlad_value capsule) {
    vlad_as_slots(capsule)->values[0].tag |= (uint64_t)1 << 32;
}

/* A private flag on a value that is passed between two parts of the machine: both agree on its meaning, and the receiver
 * clears it. No other code sees it. */
#define VLAD_NOTE (UINT64_C(1) << 8)
static inline vlad_value vlad_noted(vlad_value v) { return vlad_make(v.tag | VLAD_NOTE, v.word); }
static inline vlad_value vlad_without_note(vlad_value v) { return vlad_make(v.tag & ~VLAD_NOTE, v.word); }
static inline int vlad_is_noted(vlad_value v) { return (v.tag & VLAD_NOTE) != 0; }

/* Adds a reference to a value. */
static inline vlad_value vlad_share(vlad_value v) {
    if (vlad_in_heap(v)) vlad_header_of(v)->count++;
    return v;
}
static inline struct vlad_slots *vlad_share_slots(struct vlad_slots *slots) {
    if (slots) slots->header.count++;
    return slots;
}

#endif
