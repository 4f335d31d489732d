/* The machine of exported code: the state that its functions share during a call. It replaces
 * compiler/runtime/interface/machine.h, and has the same names for the parts that first-order code uses.
 *
 * The machine is a variable on the host's stack, and refers to the memory of the caller's context. Only this memory
 * outlives a call, so longjmp can leave the code at any point.
 */
#if defined(__GNUC__) && !defined(__TINYC__)
#define VLAD_LIKELY(test) __builtin_expect(!!(test), 1)
#define VLAD_UNLIKELY(test) __builtin_expect(!!(test), 0)
#define VLAD_RARE static __attribute__((cold, noinline, unused))
#define VLAD_APART __attribute__((noinline))
#define VLAD_INLINE inline __attribute__((always_inline))
#define VLAD_HERE() ((uintptr_t)__builtin_frame_address(0))
#else
#define VLAD_LIKELY(test) (test)
#define VLAD_UNLIKELY(test) (test)
#define VLAD_RARE static inline
#define VLAD_APART
#define VLAD_INLINE inline
#define VLAD_HERE() ((uintptr_t)&(char){0})
#endif

/* Calls are not interrupted, so turns are not counted. */
#define VLAD_PART UINT64_MAX
#define VLAD_TURN(m, turns) ((void)(turns))
#define VLAD_TURNS(m, turns, count) ((void)(turns))

union vlad_bits {
    double real;
    uint64_t word;
};

/* An array: its elements (doubles, truth values as unsigned char, or arrays) and their number. */
struct vlad_array {
    void *items;
    uint64_t length;
};

/* A leaf of an operand, of a definition, or of a result. */
union vlad_leaf {
    double real;
    int boolean;
    struct vlad_array array;
    struct { const double *elements; const size_t *sizes; } given; /* an operand of more than one dimension */
};

/* A stack of records, in one block. */
struct vlad_records {
    union vlad_bits *top;
    union vlad_bits *base;
    union vlad_bits *end;
};
enum vlad_stack_of_records { VLAD_SWEEPS, VLAD_CALLS, VLAD_STACKS_OF_RECORDS };

/* The blocks of a context. */
enum { VLAD_BLOCK_ARRAYS, VLAD_BLOCK_RECORDS, VLAD_BLOCK_TAPE = VLAD_BLOCK_RECORDS + VLAD_STACKS_OF_RECORDS };

/* The caller's memory for a result: a vector, or a matrix row by row. */
struct vlad_place {
    double *elements;
    size_t capacity;
    uint64_t width; /* the length of the first row that was made there */
    uint64_t zeros; /* below this index, elements of rows that are not made yet are 0 */
};
#define VLAD_NO_ROW UINT64_MAX

struct vlad_numbered_node;
struct vlad_machine;

/* The slow paths. */
struct vlad_services {
    union vlad_bits *(*more_records)(struct vlad_machine *m, struct vlad_records *records, uint32_t count);
    union vlad_bits *(*fewer_records)(struct vlad_machine *m, struct vlad_records *records);
    void (*more_arrays)(struct vlad_machine *m, uint64_t bytes);
    void (*more_cells)(struct vlad_machine *m, uint64_t bytes);
    struct vlad_array (*zeros)(struct vlad_machine *m, struct vlad_array like, uint32_t kind);
    int (*same_lengths)(struct vlad_array a, struct vlad_array b, uint32_t kind);
    int (*same_elements)(struct vlad_array a, struct vlad_array b, uint32_t kind);
    void (*move_arrays)(struct vlad_machine *m, unsigned char *mark, struct vlad_array *arrays,
                        const unsigned char *kinds, uint32_t count);
    void (*move_state)(struct vlad_machine *m, unsigned char *mark, struct vlad_array *arrays, const unsigned char *kinds,
                       uint32_t array_count, const union vlad_bits **cells, uint32_t cell_count);
    void (*hand_over)(struct vlad_machine *m, const union vlad_bits *from, const union vlad_bits *to);
    double (*size)(struct vlad_machine *m);
    void (*tape_begin)(struct vlad_machine *m);
    double (*tape_independent)(struct vlad_machine *m);
    double (*tape_node)(struct vlad_machine *m, double first, double coefficient, double second, double of_second);
    void (*tape_seed)(struct vlad_machine *m, double number, double cotangent);
    void (*tape_sweep)(struct vlad_machine *m);
    double (*tape_accumulator)(struct vlad_machine *m, double number);
};

/* The state of first-order code. */
struct vlad_first_order {
    int64_t turns; /* not used */
    struct vlad_records records[VLAD_STACKS_OF_RECORDS];
    const union vlad_leaf *inputs; /* leaves of operands and definitions, which the code reads */
    unsigned char *arrays_top, *arrays_end;
    uint64_t settled; /* the end of the memory in use after the last move of a call's results */
    uintptr_t stack_end; /* a recursive function may be entered above this address of the host's stack */
};

struct vlad_machine {
    const struct vlad_services *services;
    struct vlad_first_order first_order;
    struct exports_context *context;
    struct vlad_place *places; /* for array results */
    struct { struct vlad_numbered_node *nodes; size_t length, room; } tape;
    uint64_t needed; /* the bytes that arrays lack */
    int status;      /* the reason for leaving the code */
    jmp_buf exit;
};
