/* Operands and results of exported code. Operands are leaves. Array results are made in the memory of the caller or
 * copied there. */

/* A leaf that the code reads. */
static inline double vlad_input_real(struct vlad_machine *m, uint32_t leaf) { return m->first_order.inputs[leaf].real; }
static inline int vlad_input_boolean(struct vlad_machine *m, uint32_t leaf) { return m->first_order.inputs[leaf].boolean; }
static inline struct vlad_array vlad_input_array(struct vlad_machine *m, uint32_t leaf) {
    return m->first_order.inputs[leaf].array;
}

/* Operands as leaves. Code never changes an array, so operands are not copied. */
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
/* An operand of several dimensions as an array of its parts: the rows of a matrix, the matrices of an array of three
 * dimensions. */
static struct vlad_array vlad_parts_of(struct vlad_machine *m, const double *elements, const size_t *sizes, uint32_t rank) {
    /* The size of so many parts would overflow. */
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

/* A new array, or a new row, in the memory of a result. If it does not fit, it is allocated elsewhere. */
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

/* Sets a new row of a matrix with `rows` rows to 0. If the row is in the memory of a result, all later rows are set as
 * well: one long fill is faster than many short ones. Rows are made in order, so later rows are not made yet. */
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

/* True if there is memory for an array with `length` items of a size. A fast path is left otherwise. */
static inline int vlad_has_room(struct vlad_machine *m, uint64_t length, uint32_t size) {
    uint64_t room = (uint64_t)(m->first_order.arrays_end - m->first_order.arrays_top);
    return length < SIZE_MAX / 64 && vlad_array_bytes(length, size) <= room;
}
/* True if there is memory for the arrays of the parts of an operand. */
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
/* True if a vector, or a row of a matrix, fits in the memory of a result. */
static inline int vlad_fits(struct vlad_machine *m, uint32_t result, uint64_t length) {
    return length <= m->places[result].capacity;
}
static inline int vlad_fits_in_row(struct vlad_machine *m, uint32_t result, uint64_t row, uint64_t length) {
    const struct vlad_place *place = &m->places[result];
    return (row == 0 || place->width == VLAD_NO_ROW || length == place->width) && (row + 1) * length <= place->capacity;
}
/* True if a matrix with rows of one length fits in the memory of a result. Its first row, and any row. */
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
/* A matrix with all rows in the memory of a result. It has no list of its rows. */
static inline struct vlad_array vlad_rows_in_place(uint64_t length) { return (struct vlad_array){0, length}; }
/* The buffer, of two, that does not hold an array. */
static inline struct vlad_array vlad_other_buffer(struct vlad_array first, struct vlad_array second, struct vlad_array array) {
    return array.items == first.items ? second : first;
}

/* Copies a vector to the caller's memory, unless it was made there. Without a pointer for its length, the length must
 * be the capacity. */
static int vlad_give_vector(struct vlad_array array, double *elements, size_t capacity, size_t *length) {
    if (length) *length = array.length;
    else if (VLAD_UNLIKELY(array.length != capacity)) return EXPORTS_LENGTH;
    if (VLAD_UNLIKELY(array.length > capacity)) return EXPORTS_TOO_SMALL;
    if (array.length && array.items != elements) memcpy(elements, array.items, array.length * sizeof *elements);
    return EXPORTS_OK;
}
/* The greatest number of dimensions of an array. */
enum { VLAD_MOST_RANK = @MOST_RANK@ };
/* True if all parts of an array have the given sizes, from the second size on. */
static int vlad_have_sizes(struct vlad_array array, const size_t *sizes, uint32_t rank) {
    for (uint64_t index = 0; index < array.length; index++) {
        struct vlad_array part = vlad_array_at(array, index);
        if (part.length != sizes[1] || (rank > 2 && !vlad_have_sizes(part, sizes + 1, rank - 1))) return 0;
    }
    return 1;
}
/* True if all rows of a matrix are in place in the caller's memory. */
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
/* Copies the elements of an array that are not in place. Returns the end of the copy. */
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
/* Hands an array of several dimensions to the caller. If a size is 0, all later sizes are 0. */
static VLAD_INLINE int vlad_give_parts(struct vlad_array array, uint32_t rank, double *elements, size_t capacity, size_t *const *told) {
    size_t sizes[VLAD_MOST_RANK], count = array.length;
    int are_told = told[0] != 0;
    struct vlad_array part = array;
    sizes[0] = array.length;
    for (uint32_t dimension = 1; dimension < rank; dimension++) {
        part = part.length ? vlad_array_at(part, 0) : (struct vlad_array){0, 0};
        sizes[dimension] = part.length;
        /* Parts may share one array, so the number of elements may exceed SIZE_MAX. */
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

/* Sets the sizes of a matrix with all rows in place. */
static inline int vlad_give_in_place(struct vlad_array array, const struct vlad_place *place, size_t capacity, size_t *rows,
                                     size_t *columns) {
    uint64_t width = array.length ? place->width : 0;
    if (rows) *rows = array.length;
    if (columns) *columns = width;
    return (rows && columns) || array.length * width == capacity ? EXPORTS_OK : EXPORTS_LENGTH;
}
