/* The runtime of exported code: exits, memory, the slow paths, and calls from outside.
 *
 * The memory of arrays is one block, since code frees arrays by addresses. Where it is too small the call is given up and
 * begins again with a larger block: what is exported has no effects. Records and tapes are in blocks that grow in place of that.
 */

/* Gives the call up. */
static _Noreturn void vlad_leave(struct vlad_machine *m, int status) {
    m->status = status;
    longjmp(m->exit, 1);
}

/* The status of a call that begins again with more memory for arrays. */
enum { VLAD_AGAIN = -1 };

/* The procedure fails, at a place in its source. */
static _Noreturn void vlad_fail(struct vlad_machine *m, const char *place) {
    m->context->place = place;
    vlad_leave(m, EXPORTS_FAILED);
}

/* Enters a recursive function. */
static inline void vlad_enter(struct vlad_machine *m, uintptr_t here) {
    if (VLAD_UNLIKELY(here < m->first_order.stack_end)) vlad_leave(m, EXPORTS_TOO_DEEP);
}
#define VLAD_ENTER(m) vlad_enter((m), VLAD_HERE())

/* Resizes a block of the context; returns 0 if there is no memory. */
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
    struct vlad_records *again = &m->first_order.again;
    size_t unread = (size_t)(again->top - again->base);
    int block = VLAD_BLOCK_RECORDS + (int)(records - m->first_order.records);
    if (words > SIZE_MAX / sizeof *records->base || !vlad_resize(m->context, block, words * sizeof *records->base))
        vlad_leave(m, EXPORTS_OUT_OF_MEMORY);
    records->base = m->context->blocks[block].memory;
    records->end = records->base + words;
    if (records == &m->first_order.records[VLAD_SWEEPS])
        *again = (struct vlad_records){records->base + unread, records->base, records->end};
    return records->top = records->base + used;
}

/* A stack in one block is never left for a part below. */
static union vlad_bits *vlad_fewer_records(struct vlad_machine *m, struct vlad_records *records) {
    vlad_fail(m, "an internal error: a stack of records is empty");
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

/* The bytes to which the most that can be had is found. */
enum { VLAD_BISECTED = 64 };

/* Enlarges the memory of arrays for a call that begins again: to four times what it was. If so much cannot be had, to what
 * is needed now and seven eighths of what there is beyond that, found by bisection: so the calls that begin again are few
 * where memory ends, and records find some, too. */
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
    /* An allocator that cannot take a part back leaves the whole. */
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
/* What is added to node 0 is never read. */
static void vlad_tape_seed(struct vlad_machine *m, double number, double cotangent) {
    m->tape.nodes[(uint32_t)number].accumulator += cotangent;
}
static void vlad_tape_sweep(struct vlad_machine *m) { vlad_sweep_nodes(m->tape.nodes, 1, m->tape.length); }
static double vlad_tape_accumulator(struct vlad_machine *m, double number) {
    return m->tape.nodes[(uint32_t)number].accumulator;
}

static const struct vlad_services vlad_services = {
    vlad_more_records,  vlad_fewer_records, vlad_fewer_records, vlad_more_arrays, vlad_more_arrays, vlad_zeros, vlad_same_lengths,
    vlad_same_elements, vlad_move_arrays,   vlad_move_state,  vlad_hand_over,        vlad_size,
    vlad_tape_begin,    vlad_tape_independent, vlad_tape_node, vlad_tape_seed,      vlad_tape_sweep,
    vlad_tape_accumulator,
};

/* The words of a cell. No operand is one. */
static inline const union vlad_bits *vlad_parts(struct vlad_machine *m, const union vlad_bits *cell) {
    (void)m;
    return vlad_words_of(cell);
}

/* A leaf that code reads. */
static inline double vlad_input_real(struct vlad_machine *m, uint32_t leaf) { return m->first_order.inputs[leaf].real; }
static inline int vlad_input_boolean(struct vlad_machine *m, uint32_t leaf) { return m->first_order.inputs[leaf].boolean; }
static inline struct vlad_array vlad_input_array(struct vlad_machine *m, uint32_t leaf) {
    return m->first_order.inputs[leaf].array;
}

/* Operands as leaves. Arrays are never changed, so those of operands are read where they are. */
static inline union vlad_leaf vlad_leaf_of_real(double real) {
    union vlad_leaf leaf;
    leaf.real = real;
    return leaf;
}
static inline union vlad_leaf vlad_leaf_of_boolean(int boolean) {
    union vlad_leaf leaf;
    leaf.boolean = boolean != 0;
    return leaf;
}
static inline union vlad_leaf vlad_leaf_of_array(struct vlad_array array) {
    union vlad_leaf leaf;
    leaf.array = array;
    return leaf;
}
static inline union vlad_leaf vlad_leaf_of_vector(const double *elements, size_t length) {
    union vlad_leaf leaf;
    leaf.array.items = (void *)(uintptr_t)elements;
    leaf.array.length = length;
    return leaf;
}
static inline union vlad_leaf vlad_leaf_of_given(const double *elements, const size_t *sizes) {
    union vlad_leaf leaf;
    leaf.given.elements = elements;
    leaf.given.sizes = sizes;
    return leaf;
}
/* The array of the parts of an operand of more than one dimension: the rows of a matrix, the matrices of what has three. */
static struct vlad_array vlad_parts_of(struct vlad_machine *m, const double *elements, const size_t *sizes, uint32_t rank) {
    /* There is no memory for so many parts, whose size has no number. */
    if (sizes[0] > SIZE_MAX / 64) vlad_leave(m, EXPORTS_OUT_OF_MEMORY);
    struct vlad_array parts = vlad_new_arrays(m, sizes[0]);
    size_t length = parts.length, each = sizes[1];
    if (rank == 2) {
        for (uint64_t row = 0; row < length; row++)
            vlad_set_array(parts, row, vlad_leaf_of_vector(elements ? elements + row * each : 0, each).array);
        return parts;
    }
    for (uint32_t dimension = 2; dimension < rank; dimension++) each *= sizes[dimension];
    for (uint64_t part = 0; part < length; part++)
        vlad_set_array(parts, part, vlad_parts_of(m, elements ? elements + part * each : 0, sizes + 1, rank - 1));
    return parts;
}
static inline union vlad_leaf vlad_leaf_of_parts(struct vlad_machine *m, union vlad_leaf leaf, uint32_t rank) {
    return vlad_leaf_of_array(vlad_parts_of(m, leaf.given.elements, leaf.given.sizes, rank));
}

/* A new array in the memory for a result: the whole of it, or a row. What does not fit is elsewhere. */
static inline struct vlad_array vlad_placed_reals(struct vlad_machine *m, uint32_t result, uint64_t length) {
    const struct vlad_place *place = &m->places[result];
    if (VLAD_UNLIKELY(length > place->capacity)) return vlad_new_reals(m, length);
    return (struct vlad_array){place->elements, length};
}
static inline struct vlad_array vlad_placed_row(struct vlad_machine *m, uint32_t result, uint64_t row, uint64_t length) {
    struct vlad_place *place = &m->places[result];
    if (row == 0 || place->width == VLAD_NO_ROW) {
        place->width = length;
        place->zeros = 0;
    }
    if (VLAD_UNLIKELY(length != place->width || (row + 1) * length > place->capacity)) return vlad_new_reals(m, length);
    return (struct vlad_array){place->elements + row * length, length};
}

/* Sets all elements of a new row to 0, of so many rows. If it is in the memory for a result, those of the rows behind it are set with
 * it: one fill takes less time than many. Rows are made one after another, so nothing is there yet. */
static inline void vlad_set_zeros_from(struct vlad_machine *m, uint32_t result, uint64_t row, uint64_t rows,
                                       struct vlad_array array) {
    struct vlad_place *place = &m->places[result];
    uint64_t begin = row * array.length, end = begin + array.length;
    if (VLAD_UNLIKELY(!array.length || end > place->capacity || array.items != place->elements + begin)) {
        vlad_set_zeros(array);
    } else if (end > place->zeros) {
        if (rows <= place->capacity / array.length) end = rows * array.length;
        memset(place->elements + begin, 0, (end - begin) * sizeof *place->elements);
        place->zeros = end;
    }
}

/* A new row of zeros of a matrix with so many rows. Rows that have been set to 0 with an earlier one are there already. */
static inline struct vlad_array vlad_zero_row(struct vlad_machine *m, uint32_t result, uint64_t row, uint64_t rows,
                                              uint64_t length) {
    const struct vlad_place *place = &m->places[result];
    if (VLAD_LIKELY(row && length == place->width && (row + 1) * length <= place->zeros))
        return (struct vlad_array){place->elements + row * length, length};
    struct vlad_array array = vlad_placed_row(m, result, row, length);
    vlad_set_zeros_from(m, result, row, rows, array);
    return array;
}

/* Makes all rows of a matrix from one on rows of zeros, of one length. Those that have been set to 0 with the row before them are there. */
static inline void vlad_zero_rows(struct vlad_machine *m, uint32_t result, struct vlad_array matrix, uint64_t from,
                                  uint64_t length) {
    const struct vlad_place *place = &m->places[result];
    for (uint64_t row = from; row < matrix.length;) {
        struct vlad_array zeros = vlad_zero_row(m, result, row, matrix.length, length);
        vlad_set_array(matrix, row++, zeros);
        uint64_t end = row * length;
        if (VLAD_UNLIKELY(end > place->capacity || zeros.items != place->elements + (end - length))) continue;
        for (end += length; row < matrix.length && end <= place->zeros; end += length) {
            zeros.items = (double *)zeros.items + length;
            vlad_set_array(matrix, row++, zeros);
        }
    }
}

/* True on a fast path if there is memory: for an array of so many items of a size, for a vector, and for a row of a matrix. */
static inline int vlad_has_room(struct vlad_machine *m, uint64_t length, uint32_t size) {
    uint64_t room = (uint64_t)(m->first_order.arrays_end - m->first_order.arrays_top);
    return length < SIZE_MAX / 64 && vlad_array_bytes(length, size) <= room;
}
/* The same for the arrays of the parts of an operand. */
static inline int vlad_has_room_for_parts(struct vlad_machine *m, union vlad_leaf leaf, uint32_t rank) {
    uint64_t room = (uint64_t)(m->first_order.arrays_end - m->first_order.arrays_top), arrays = 1;
    for (uint32_t dimension = 0; arrays && dimension + 1 < rank; dimension++) {
        uint64_t length = leaf.given.sizes[dimension];
        if (length >= SIZE_MAX / 64) return 0;
        uint64_t bytes = vlad_array_bytes(length, sizeof(struct vlad_array));
        if (bytes > room / arrays) return 0;
        room -= arrays * bytes;
        arrays *= length;
    }
    return 1;
}
static inline int vlad_fits(struct vlad_machine *m, uint32_t result, uint64_t length) {
    return length <= m->places[result].capacity;
}
static inline int vlad_fits_in_row(struct vlad_machine *m, uint32_t result, uint64_t row, uint64_t length) {
    const struct vlad_place *place = &m->places[result];
    return (row == 0 || place->width == VLAD_NO_ROW || length == place->width) && (row + 1) * length <= place->capacity;
}
/* The same for a matrix with rows of one length; the first row of it, and any. */
static inline int vlad_fits_as_rows(struct vlad_machine *m, uint32_t result, uint64_t rows, uint64_t length) {
    return rows <= UINT32_MAX && length <= UINT32_MAX && rows * length <= m->places[result].capacity;
}
static inline double *vlad_first_row(struct vlad_machine *m, uint32_t result, uint64_t length) {
    m->places[result].width = length;
    return m->places[result].elements;
}
static inline struct vlad_array vlad_row(double *rows, uint64_t row, uint64_t length) {
    return (struct vlad_array){length ? rows + row * length : rows, length};
}
static inline void vlad_set_rows_zero(double *rows, uint64_t count, uint64_t length) {
    if (count && length) memset(rows, 0, count * length * sizeof *rows);
}
/* A matrix of which all rows are in the memory for it: it has no items. */
static inline struct vlad_array vlad_rows_in_place(uint64_t length) { return (struct vlad_array){0, length}; }
/* That of two buffers which an array is not in. */
static inline struct vlad_array vlad_other_buffer(struct vlad_array first, struct vlad_array second, struct vlad_array array) {
    return array.items == first.items ? second : first;
}

/* Copies a result to the caller's memory, unless it has been made there. Without a place for its length, it is that of the memory. */
static int vlad_give_vector(struct vlad_array array, double *elements, size_t capacity, size_t *length) {
    if (length) *length = array.length;
    else if (array.length != capacity) return EXPORTS_LENGTH;
    if (array.length > capacity) return EXPORTS_TOO_SMALL;
    if (array.length && array.items != elements) memcpy(elements, array.items, array.length * sizeof *elements);
    return EXPORTS_OK;
}
/* The greatest number of dimensions of an array. */
enum { VLAD_MOST_RANK = @MOST_RANK@ };
/* True if the parts of an array have sizes, from the second one on. */
static int vlad_have_sizes(struct vlad_array array, const size_t *sizes, uint32_t rank) {
    for (uint64_t index = 0; index < array.length; index++) {
        struct vlad_array part = vlad_array_at(array, index);
        if (part.length != sizes[1] || (rank > 2 && !vlad_have_sizes(part, sizes + 1, rank - 1))) return 0;
    }
    return 1;
}
/* True if the rows of a matrix are all in one memory, one behind the other. */
static int vlad_are_in_place(struct vlad_array matrix, const double *elements, uint64_t width) {
    uint64_t differences = 0;
    uintptr_t place = (uintptr_t)elements;
    for (uint64_t index = 0; index < matrix.length; index++) {
        struct vlad_array row = vlad_array_at(matrix, index);
        differences |= ((uintptr_t)row.items ^ place) | (row.length ^ width);
        place += width * sizeof *elements;
    }
    return !differences;
}
/* Copies the elements of an array, unless they are there; returns the end of the copy. */
static double *vlad_copy_parts(struct vlad_array array, double *elements, uint32_t rank) {
    for (uint64_t index = 0; index < array.length; index++) {
        struct vlad_array part = vlad_array_at(array, index);
        if (rank > 2) {
            elements = vlad_copy_parts(part, elements, rank - 1);
        } else if (part.length) {
            if (part.items != elements) memcpy(elements, part.items, part.length * sizeof *elements);
            elements += part.length;
        }
    }
    return elements;
}
/* Gives an array of more than one dimension to the caller. All sizes behind one that is 0 are 0, since nothing has them. */
static VLAD_INLINE int vlad_give_parts(struct vlad_array array, uint32_t rank, double *elements, size_t capacity, size_t *const *told) {
    size_t sizes[VLAD_MOST_RANK], count = array.length;
    int are_told = told[0] != 0;
    struct vlad_array part = array;
    sizes[0] = array.length;
    for (uint32_t dimension = 1; dimension < rank; dimension++) {
        part = part.length ? vlad_array_at(part, 0) : (struct vlad_array){0, 0};
        sizes[dimension] = part.length;
        /* Parts may be one array many times, so there may be more elements than numbers for them. */
        count = part.length && count > SIZE_MAX / part.length ? SIZE_MAX : count * part.length;
        are_told &= told[dimension] != 0;
    }
    int are_in_place = rank == 2 && vlad_are_in_place(array, elements, sizes[1]);
    if (!are_in_place && !vlad_have_sizes(array, sizes, rank)) return EXPORTS_RAGGED;
    for (uint32_t dimension = 0; dimension < rank; dimension++)
        if (told[dimension]) *told[dimension] = sizes[dimension];
    if (count > capacity) return are_told ? EXPORTS_TOO_SMALL : EXPORTS_LENGTH;
    if (!are_told && count != capacity) return EXPORTS_LENGTH;
    if (!are_in_place) vlad_copy_parts(array, elements, rank);
    return EXPORTS_OK;
}

/* Tells the caller the lengths of a matrix whose rows are all in its memory. */
static inline int vlad_give_in_place(struct vlad_array array, const struct vlad_place *place, size_t capacity, size_t *rows,
                                     size_t *columns) {
    uint64_t width = array.length ? place->width : 0;
    if (rows) *rows = array.length;
    if (columns) *columns = width;
    return (rows && columns) || array.length * width == capacity ? EXPORTS_OK : EXPORTS_LENGTH;
}

/* The code of an export: it computes the leaves of results from those of operands. */
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
    m->first_order.again = m->first_order.records[VLAD_SWEEPS];
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

/* Executes code that may be given up. */
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
        /* What one block has taken may be what another one needs in the next call. */
        if (status == EXPORTS_OUT_OF_MEMORY) vlad_release(context);
        return status;
    }
}
/* The code of a fast path, which returns true if the call has to begin again without it. */
typedef int vlad_fast_code(struct vlad_machine *m, const union vlad_leaf *operands, union vlad_leaf *results);
/* Executes a fast path. With VLAD_WITHOUT_FAST_PATHS, all calls are those of the usual code: so both can be compared. */
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
/* The same for one that makes arrays, where the context has memory for any. */
static VLAD_INLINE int vlad_run_fast_in_memory(struct exports_context *context, vlad_fast_code *code,
                                               const union vlad_leaf *operands, union vlad_leaf *results,
                                               struct vlad_place *places) {
    return !context->blocks[VLAD_BLOCK_ARRAYS].bytes || vlad_run_fast(context, code, operands, results, places);
}
/* Executes code that is never given up and needs no memory. */
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

/* Takes blocks from the memory of the caller, one behind another. Only the last one grows in its place; the others are
 * free when all are. */
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
