/* Calls of exported code, and the allocators of contexts. Each call has a machine of its own, and is repeated if the
 * memory of arrays is too small. A fast path needs hardly any preparation of the machine. */

/* The code of an export: it computes leaves of results from leaves of operands. */
typedef void vlad_code(struct vlad_machine *m, const union vlad_leaf *operands, union vlad_leaf *results);

/* The end of the memory of arrays, if there is any. */
static inline unsigned char *vlad_end_of_arrays(const struct exports_context *context) {
    unsigned char *begin = context->blocks[VLAD_BLOCK_ARRAYS].memory;
    return begin ? begin + context->blocks[VLAD_BLOCK_ARRAYS].bytes : 0;
}

static void vlad_prepare(struct vlad_machine *m, struct exports_context *context) {
    m->services = &vlad_services;
    m->context = context;
    m->first_order.turns = 0;
    for (int stack = 0; stack < VLAD_STACKS_OF_RECORDS; stack++) {
        struct vlad_records *records = &m->first_order.records[stack];
        records->base = records->top = context->blocks[VLAD_BLOCK_RECORDS + stack].memory;
        records->end = records->base + context->blocks[VLAD_BLOCK_RECORDS + stack].bytes / sizeof *records->base;
    }
    m->first_order.arrays_top = context->blocks[VLAD_BLOCK_ARRAYS].memory;
    m->first_order.arrays_end = vlad_end_of_arrays(context);
    m->tape.nodes = context->blocks[VLAD_BLOCK_TAPE].memory;
    m->tape.length = 0;
    m->tape.room = context->blocks[VLAD_BLOCK_TAPE].bytes / sizeof *m->tape.nodes;
    uintptr_t here = VLAD_HERE();
    m->first_order.stack_end = here > context->stack_bytes ? here - context->stack_bytes : 0;
}

static int vlad_try(struct vlad_machine *m, vlad_code *code, const union vlad_leaf *operands, union vlad_leaf *results) {
    if (setjmp(m->exit)) return m->status;
    code(m, operands, results);
    return EXPORTS_OK;
}

/* Executes code that may be left early. */
static int vlad_run(struct exports_context *context, vlad_code *code, const union vlad_leaf *operands,
                    union vlad_leaf *results, struct vlad_place *places) {
    struct vlad_machine machine;
    machine.places = places;
    for (;;) {
        vlad_prepare(&machine, context);
        int status = vlad_try(&machine, code, operands, results);
        if (status == VLAD_AGAIN) {
            if (vlad_enlarge_arrays(context, machine.needed)) continue;
            status = EXPORTS_OUT_OF_MEMORY;
        }
        /* In the next call another block may need this memory. */
        if (status == EXPORTS_OUT_OF_MEMORY) vlad_release(context);
        return status;
    }
}
/* The code of a fast path. It returns true if the call must begin again without it. */
typedef int vlad_fast_code(struct vlad_machine *m, const union vlad_leaf *operands, union vlad_leaf *results);
/* Executes a fast path. VLAD_WITHOUT_FAST_PATHS disables them all, so that tests can compare both codes. */
static VLAD_INLINE int vlad_run_fast(struct exports_context *context, vlad_fast_code *code, const union vlad_leaf *operands,
                                     union vlad_leaf *results, struct vlad_place *places) {
    struct vlad_machine machine;
    machine.services = &vlad_services;
    machine.context = context;
    machine.places = places;
    machine.status = EXPORTS_OK;
    machine.first_order.turns = 0;
    machine.first_order.arrays_top = context->blocks[VLAD_BLOCK_ARRAYS].memory;
    machine.first_order.arrays_end = vlad_end_of_arrays(context);
#ifdef VLAD_WITHOUT_FAST_PATHS
    return 1;
#endif
    return code(&machine, operands, results);
}
/* The same for a fast path that makes arrays. It requires a context with memory for arrays. */
static VLAD_INLINE int vlad_run_fast_in_memory(struct exports_context *context, vlad_fast_code *code,
                                               const union vlad_leaf *operands, union vlad_leaf *results,
                                               struct vlad_place *places) {
    return !context->blocks[VLAD_BLOCK_ARRAYS].bytes || vlad_run_fast(context, code, operands, results, places);
}
/* Executes code that is never left early and needs no memory. */
#define VLAD_RUN_ALWAYS(code, operands, results, memories) \
    do { \
        struct vlad_machine machine; \
        machine.places = (memories); \
        machine.first_order.turns = 0; \
        code(&machine, operands, results); \
    } while (0)

static void *vlad_malloc(void *user, void *block, size_t bytes_before, size_t bytes) {
    (void)user;
    (void)bytes_before;
    if (bytes) return realloc(block, bytes);
    free(block);
    return 0;
}

/* Allocates blocks from the memory of the caller, one after another. Only the last block grows in place. Freeing a
 * single block has no effect. */
static void *vlad_take(void *user, void *block, size_t bytes_before, size_t bytes) {
    struct exports_context *context = user;
    size_t rounded = (bytes + 15) & ~(size_t)15, before = (bytes_before + 15) & ~(size_t)15;
    unsigned char *top = context->memory_top;
    if (!bytes || rounded < bytes) return 0;
    int is_last = block && (unsigned char *)block + before == top;
    if (is_last) top = block;
    if ((size_t)(context->memory_end - top) < rounded) return 0;
    context->memory_top = top + rounded;
    if (block && !is_last) memcpy(top, block, bytes_before < bytes ? bytes_before : bytes);
    return top;
}

void exports_begin_with(
    struct exports_context *context, void *(*resize)(void *user, void *block, size_t bytes_before, size_t bytes), void *user) {
    memset(context, 0, sizeof *context);
    context->resize = resize;
    context->user = user;
    context->stack_bytes = EXPORTS_STACK_BYTES;
}
void exports_begin(struct exports_context *context) { exports_begin_with(context, vlad_malloc, 0); }
void exports_begin_in(struct exports_context *context, void *memory, size_t bytes) {
    exports_begin_with(context, vlad_take, context);
    size_t off = (size_t)(-(uintptr_t)memory & 15);
    if (off > bytes) off = bytes;
    context->memory_begin = context->memory_top = (unsigned char *)memory + off;
    context->memory_end = (unsigned char *)memory + bytes;
}
void exports_end(struct exports_context *context) { vlad_release(context); }
size_t exports_context_bytes(void) { return sizeof(struct exports_context); }
const char *exports_status_text(int status) {
    switch (status) {
    case EXPORTS_OK: return "success";
    case EXPORTS_FAILED: return "the procedure fails for these operands";
    case EXPORTS_LENGTH: return "a result has another length than expected";
    case EXPORTS_TOO_SMALL: return "a result is longer than the memory for it";
    case EXPORTS_RAGGED: return "parts of a result, such as the rows of a matrix, have different sizes";
    case EXPORTS_OUT_OF_MEMORY: return "there is not enough memory";
    case EXPORTS_TOO_DEEP: return "recursion is too deep for the host's stack";
    default: return "an unknown status";
    }
}
