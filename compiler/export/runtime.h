/* The runtime of exported code: exits, memory, and the slow paths.
 *
 * Code frees arrays by resetting an address, so all arrays are in one block, which cannot move. If the block is too
 * small, the call begins again with a larger one. This is possible because exported code has no effects. The blocks of
 * records and of the tape grow during a call.
 */

/* Leaves the call. */
static _Noreturn void vlad_leave(struct vlad_machine *m, int status) {
    m->status = status;
    longjmp(m->exit, 1);
}

/* The status of a call that must begin again with more memory for arrays. */
enum { VLAD_AGAIN = -1 };

/* Ends the call with the place of the failure in the source, and the texts of `error` if the procedure applies it. */
static _Noreturn void vlad_fail(struct vlad_machine *m, const char *place, const char *message) {
    m->context->place = place;
    m->context->message = message;
    vlad_leave(m, EXPORTS_FAILED);
}

/* Checks the depth of the host's stack on entry to a recursive function. */
static inline void vlad_enter(struct vlad_machine *m, uintptr_t here) {
    if (VLAD_UNLIKELY(here < m->first_order.stack_end)) vlad_leave(m, EXPORTS_TOO_DEEP);
}
#define VLAD_ENTER(m, depth) ((void)(depth), vlad_enter((m), VLAD_HERE()))

/* Resizes a block of the context. Returns 0 if there is no memory. */
static int vlad_resize(struct exports_context *context, int block, size_t bytes) {
    void *memory = context->resize(context->user, context->blocks[block].memory, context->blocks[block].bytes, bytes);
    if (bytes && !memory) return 0;
    context->blocks[block].memory = memory;
    context->blocks[block].bytes = bytes;
    return 1;
}

static union vlad_bits *vlad_more_records(struct vlad_machine *m, struct vlad_records *records, uint32_t count) {
    size_t used = (size_t)(records->top - records->base), words = 2 * (size_t)(records->end - records->base);
    if (words < 512) words = 512;
    if (words - used < count) words = used + count;
    int block = VLAD_BLOCK_RECORDS + (int)(records - m->first_order.records);
    if (words > SIZE_MAX / sizeof *records->base || !vlad_resize(m->context, block, words * sizeof *records->base))
        vlad_leave(m, EXPORTS_OUT_OF_MEMORY);
    records->base = m->context->blocks[block].memory;
    records->end = records->base + words;
    return records->top = records->base + used;
}

/* A stack in one block has no lower part to return to. */
static union vlad_bits *vlad_fewer_records(struct vlad_machine *m, struct vlad_records *records) {
    vlad_fail(m, "an internal error: a stack of records is empty", 0);
    return records->top;
}

static void vlad_more_arrays(struct vlad_machine *m, uint64_t bytes) {
    m->needed = bytes;
    vlad_leave(m, VLAD_AGAIN);
}

/* Frees all blocks. */
static void vlad_release(struct exports_context *context) {
    for (int block = 0; block <= VLAD_BLOCK_TAPE; block++)
        if (context->blocks[block].memory) vlad_resize(context, block, 0);
    context->memory_top = context->memory_begin;
}

/* The precision, in bytes, of the search for the largest block. */
enum { VLAD_BISECTED = 64 };

/* Enlarges the memory of arrays to four times its size, for a call that begins again. If that fails, bisection finds
 * the largest possible block. The new size is then the needed size and seven eighths of the rest: few calls are
 * repeated near the limit, and some memory is left for records. */
static int vlad_enlarge_arrays(struct exports_context *context, uint64_t needed) {
    size_t bytes = context->blocks[VLAD_BLOCK_ARRAYS].bytes;
    if (needed > SIZE_MAX - bytes) return 0;
    size_t least = bytes + (size_t)needed, most = bytes > SIZE_MAX / 4 ? SIZE_MAX : 4 * bytes;
    if (most < 4096) most = 4096;
    if (most < least) most = least;
    vlad_release(context);
    if (vlad_resize(context, VLAD_BLOCK_ARRAYS, most)) return 1;
    if (!vlad_resize(context, VLAD_BLOCK_ARRAYS, least)) return 0;
    size_t had = least;
    while (most - had > VLAD_BISECTED) {
        size_t middle = had + (most - had) / 2;
        if (vlad_resize(context, VLAD_BLOCK_ARRAYS, middle)) had = middle;
        else most = middle;
    }
    /* An allocator that cannot shrink a block leaves it as it is. */
    (void)vlad_resize(context, VLAD_BLOCK_ARRAYS, least + (had - least) / 8 * 7);
    return 1;
}

static double vlad_size(struct vlad_machine *m) {
    const struct vlad_records *records = &m->first_order.records[VLAD_SWEEPS];
    size_t words = (size_t)(records->top - records->base);
    const unsigned char *begin = m->context->blocks[VLAD_BLOCK_ARRAYS].memory;
    return (double)(words * sizeof *records->base + (size_t)(m->first_order.arrays_top - begin));
}

static double vlad_tape_add(struct vlad_machine *m, struct vlad_numbered_node node) {
    if (VLAD_UNLIKELY(m->tape.length == m->tape.room)) {
        size_t room = m->tape.room ? 2 * m->tape.room : 64;
        if (room > UINT32_MAX || room > SIZE_MAX / sizeof node || !vlad_resize(m->context, VLAD_BLOCK_TAPE, room * sizeof node))
            vlad_leave(m, EXPORTS_OUT_OF_MEMORY);
        m->tape.nodes = m->context->blocks[VLAD_BLOCK_TAPE].memory;
        m->tape.room = room;
    }
    m->tape.nodes[m->tape.length] = node;
    return (double)m->tape.length++;
}
static double vlad_tape_independent(struct vlad_machine *m) {
    return vlad_tape_add(m, (struct vlad_numbered_node){{0, 0}, 0, {0, 0}});
}
static void vlad_tape_begin(struct vlad_machine *m) {
    m->tape.length = 0;
    vlad_tape_independent(m);
}
static double vlad_tape_node(struct vlad_machine *m, double first, double coefficient, double second, double of_second) {
    if (first == 0 && second == 0) return 0;
    return vlad_tape_add(
        m, (struct vlad_numbered_node){{coefficient, of_second}, 0, {(uint32_t)first, (uint32_t)second}});
}
/* The accumulator of node 0 is never read. */
static void vlad_tape_seed(struct vlad_machine *m, double number, double cotangent) {
    m->tape.nodes[(uint32_t)number].accumulator += cotangent;
}
static void vlad_tape_sweep(struct vlad_machine *m) { vlad_sweep_nodes(m->tape.nodes, 1, m->tape.length); }
static double vlad_tape_accumulator(struct vlad_machine *m, double number) {
    return m->tape.nodes[(uint32_t)number].accumulator;
}

static const struct vlad_services vlad_services = {
    vlad_more_records,  vlad_fewer_records, vlad_more_arrays, vlad_more_arrays,      vlad_zeros,     vlad_same_lengths,
    vlad_same_elements, vlad_move_arrays,   vlad_move_state,  vlad_hand_over,        vlad_size,
    vlad_tape_begin,    vlad_tape_independent, vlad_tape_node, vlad_tape_seed,      vlad_tape_sweep,
    vlad_tape_accumulator,
};

/* The words of a cell. Operands are never late cells. */
static inline const union vlad_bits *vlad_parts(struct vlad_machine *m, const union vlad_bits *cell) {
    (void)m;
    return vlad_words_of(cell);
}
