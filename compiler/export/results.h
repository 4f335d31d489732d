/* Operands and results of exported code: leaves that it reads, and arrays that it makes in the memory of the caller, or that are
 * copied there. */

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
    else if (VLAD_UNLIKELY(array.length != capacity)) return EXPORTS_LENGTH;
    if (VLAD_UNLIKELY(array.length > capacity)) return EXPORTS_TOO_SMALL;
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
