/* Conversion of values to leaves of specialised code and back (template.h).
 *
 * A template is a program in prefix order: a value comes before its parts. Both directions execute it with an explicit
 * stack: of destinations to be written, or of values to be taken apart. Cells are postponed as tasks on a list, so the
 * depth of data does not use the host's stack.
 *
 * A shared cell becomes one shared object. A cell that is already converted has its value in place of its words, with a
 * bit that no cell has.
 */
#include "template.h"
#include "arrays.h"
#include "exits.h"
#include "memory.h"
#include "vector.h"

/* The cells that a late cell becomes at once. */
#define CELLS_AT_ONCE 64
/* The values that may wait to become cells, apart from those of one more cell. */
#define MOST_OWED 192
/* The bytes from which on the item is given up for its forced cells. */
#define MOST_FORCED ((size_t)64 << 20)
/* The blocks that forced cells are in grow between these sizes. */
#define SMALLEST_BLOCK ((size_t)1 << 12)
#define LARGEST_BLOCK ((size_t)1 << 20)
/* The cells between two checks of the clock. */
#define CELLS_BETWEEN_LOOKS (1u << 14)
/* In the word of a cell's flags, the first one: the words are the value that the cell has become. Cells have less than 63 flags. */
#define IS_FORWARDED (UINT64_C(1) << 63)
/* In the place of a value that is another one of those that it can be, or is not made yet. */
#define ABSENT vlad_raw(0)

struct vlad_forced_block {
    struct vlad_forced_block *below;
    size_t bytes;
    union vlad_bits contents[];
};

/* A cell that is to become a value at a place. */
struct owed {
    vlad_value *place;
    const union vlad_bits *cell;
    const struct vlad_template *shape;
};

/* The words of a cell before it was forwarded. */
struct forwarded {
    union vlad_bits *cell;
    union vlad_bits words[2];
};

/* The making of a value. */
struct making {
    struct vlad_machine *m;
    vlad_value **places; /* the places of the values that follow, the next one last */
    struct owed *owed;
    size_t count, capacity;
    struct forwarded *forwarded; /* to be undone; 0 if nobody reads the cells any more */
    size_t forwarded_count, forwarded_capacity;
    enum vlad_use_of_cells use;
};

void *vlad_taken(struct vlad_machine *m, size_t bytes) {
    void *block = vlad_block_take(&vlad_private(m)->memory, bytes);
    if (!block) vlad_out_of_memory(m);
    return block;
}

/* Grows an array of the item for one more element. */
static void *grown(struct vlad_machine *m, void *block, size_t *capacity, size_t size) {
    size_t wanted = *capacity ? 2 * *capacity : 64;
    void *larger = vlad_block_resize(&vlad_private(m)->memory, block, wanted * size);
    if (!larger) vlad_out_of_memory(m);
    *capacity = wanted;
    return larger;
}

/* Checks the limits, which end the run at once. */
static void look(struct vlad_machine *m) {
    vlad_look(m);
    if (m->fault.kind) vlad_host_broke_down(m);
}

static int is_absent(vlad_value part) { return part.tag == VLAD_RAW && part.word == 0; }

/* True if a step has a leaf. */
static int has_leaf(const struct vlad_template_step *step) {
    switch (step->kind) {
    case VLAD_STEP_LEAF:
    case VLAD_STEP_ARRAY:
    case VLAD_STEP_CELL:
    case VLAD_STEP_EITHER:
    case VLAD_STEP_LAST:
        return 1;
    default:
        return 0;
    }
}

/* True if the leaf of a step is a flag in the words of a cell. */
static int is_flag(const struct vlad_template_step *step) {
    return step->kind == VLAD_STEP_EITHER || step->kind == VLAD_STEP_LAST ||
           (step->kind == VLAD_STEP_LEAF && step->value.tag == VLAD_BOOLEAN);
}

/* The number of leaves of some steps. */
static uint32_t leaves_of(const struct vlad_template_step *steps, uint32_t count) {
    uint32_t leaves = 0;
    for (uint32_t place = 0; place < count; place++) leaves += (uint32_t)has_leaf(&steps[place]);
    return leaves;
}

/* A new vector, whose elements follow, at a place: of plain reals if they are reals, which are set. Returns the number of
 * steps and of leaves that it has taken. */
static uint32_t make_vector(struct making *making, const struct vlad_template_step *step, uint32_t left,
                            const vlad_value **leaves, vlad_value *place, vlad_value ***top) {
    uint32_t count = step->count, reals = 0;
    while (reals < count && reals < left && step[1 + reals].kind <= VLAD_STEP_LEAF && step[1 + reals].value.tag == VLAD_REAL)
        reals++;
    if (reals == count) {
        struct vlad_vector *vector = vlad_vector_of_reals(making->m, count);
        for (uint32_t index = 0; index < count; index++) {
            const struct vlad_template_step *element = &step[1 + index];
            vector->elements.reals[index] = vlad_double(element->kind == VLAD_STEP_LEAF ? *(*leaves)++ : element->value);
        }
        *place = vlad_vector_value(vector);
        return count;
    }
    struct vlad_vector *vector = vlad_vector_of_values(making->m, count);
    for (uint32_t index = count; index-- > 0;) *(*top)++ = &vector->elements.values[index];
    *place = vlad_vector_value(vector);
    return 0;
}

static void owe(struct making *making, vlad_value *place, vlad_value leaf, const struct vlad_template *shape) {
    if (making->count == making->capacity)
        making->owed = grown(making->m, making->owed, &making->capacity, sizeof *making->owed);
    *place = ABSENT;
    making->owed[making->count++] = (struct owed){place, vlad_cell_of(leaf.word), shape};
}

/* Makes the value of a template at a place, but for its cells, which are owed. */
static void make(struct making *making, const struct vlad_template *template, const vlad_value *leaves, vlad_value *place) {
    struct vlad_machine *m = making->m;
    vlad_value **top = making->places;
    *top++ = place;
    for (uint32_t number = 0; number < template->length; number++) {
        const struct vlad_template_step *step = &template->steps[number];
        switch (step->kind) {
        case VLAD_STEP_VALUE:
            **--top = step->value;
            break;
        case VLAD_STEP_LEAF:
            **--top = *leaves++;
            break;
        case VLAD_STEP_ARRAY:
            **--top = vlad_vector_of_array(m, *(const struct vlad_array *)(uintptr_t)leaves++->word, step->count);
            break;
        case VLAD_STEP_CELL:
            owe(making, *--top, *leaves++, &template->cells[step->count]);
            break;
        case VLAD_STEP_PAIR: {
            vlad_value pair = vlad_pair(m, ABSENT, ABSENT);
            **--top = pair;
            *top++ = &vlad_as_pair(pair)->second;
            *top++ = &vlad_as_pair(pair)->first;
            break;
        }
        case VLAD_STEP_SLOTS: {
            struct vlad_slots *slots = vlad_make_slots(m, step->count);
            **--top = vlad_make(step->value.tag, (uint64_t)(uintptr_t)slots);
            for (uint32_t slot = step->count; slot-- > 0;) *top++ = &slots->values[slot];
            break;
        }
        case VLAD_STEP_VECTOR:
            --top;
            number += make_vector(making, step, template->length - number - 1, &leaves, *top, &top);
            break;
        case VLAD_STEP_EITHER:
            if (leaves++->word == 0) {
                leaves += leaves_of(step + 1, step->count);
                number += step->count;
            }
            break;
        case VLAD_STEP_LAST:
            leaves++;
            break;
        case VLAD_STEP_SKIP:
            leaves += leaves_of(step + 1, step->count);
            number += step->count;
            break;
        }
    }
}

/* The leaves in the words of a cell. */
static void load(const struct vlad_template *shape, const union vlad_bits *words, vlad_value *leaves) {
    uint64_t flags = words++->word;
    for (uint32_t place = 0; place < shape->length; place++) {
        const struct vlad_template_step *step = &shape->steps[place];
        if (!has_leaf(step)) continue;
        if (is_flag(step)) {
            *leaves++ = vlad_boolean((int)(flags & 1));
            flags >>= 1;
        } else {
            *leaves++ = vlad_make(step->kind == VLAD_STEP_LEAF ? VLAD_REAL : VLAD_RAW, words++->word);
        }
    }
}

/* Notes the value that a cell has become, in its flags and the word after them. Each cell has two words: a part is a cell. */
static void forward(struct making *making, const struct owed *owed, vlad_value value) {
    union vlad_bits *cell = (union vlad_bits *)owed->cell;
    if (making->use == VLAD_STILL_USED) {
        if (making->forwarded_count == making->forwarded_capacity)
            making->forwarded =
                grown(making->m, making->forwarded, &making->forwarded_capacity, sizeof *making->forwarded);
        making->forwarded[making->forwarded_count++] =
            (struct forwarded){cell, {cell[0], cell[1]}};
    }
    cell[0].word = value.tag | IS_FORWARDED;
    cell[1].word = value.word;
}

/* Makes the value of a cell. */
static void pay(struct making *making, const struct owed *owed) {
    const union vlad_bits *cell = owed->cell;
    if (!cell) {
        *owed->place = vlad_nil(); /* nothing looks at it */
        return;
    }
    const struct vlad_late_cell *late = vlad_late_cell_of(cell);
    if (late) {
        *owed->place = vlad_share(late->value);
        return;
    }
    uint64_t flags = cell[0].word;
    if (flags & IS_FORWARDED) {
        *owed->place = vlad_share(vlad_make(flags & ~IS_FORWARDED, cell[1].word));
        return;
    }
    vlad_value leaves[VLAD_MOST_WORDS];
    load(owed->shape, cell, leaves);
    make(making, owed->shape, leaves, owed->place);
    if (!is_absent(*owed->place)) forward(making, owed, *owed->place);
}

vlad_value vlad_assembled(struct vlad_machine *m, const struct vlad_template *template, const vlad_value *leaves,
                          enum vlad_use_of_cells use) {
    struct vlad_memory *memory = &vlad_private(m)->memory;
    struct making making = {.m = m, .use = use};
    making.places = vlad_taken(m, template->height * sizeof *making.places);
    vlad_value value = ABSENT;
    make(&making, template, leaves, &value);
    for (uint32_t cells = 1; making.count > 0; cells++) {
        struct owed owed = making.owed[--making.count];
        pay(&making, &owed);
        if (cells % CELLS_BETWEEN_LOOKS == 0) look(m);
    }
    while (making.forwarded_count > 0) {
        const struct forwarded *forwarded = &making.forwarded[--making.forwarded_count];
        memcpy(forwarded->cell, forwarded->words, sizeof forwarded->words);
    }
    vlad_block_give(memory, making.forwarded);
    vlad_block_give(memory, making.owed);
    vlad_block_give(memory, making.places);
    return value;
}

/* True if a value can be what a step makes, the parts apart. A cell is one of its alternatives. */
static int can_be_of(const struct vlad_template *template, const struct vlad_template_step *step, vlad_value part) {
    switch (step->kind) {
    case VLAD_STEP_VALUE:
        return part.tag == step->value.tag && part.word == step->value.word;
    case VLAD_STEP_LEAF:
        return part.tag == step->value.tag;
    case VLAD_STEP_PAIR:
        return vlad_is_pair(part);
    case VLAD_STEP_SLOTS:
        return part.tag == step->value.tag && vlad_as_slots(part)->header.extent == step->count;
    case VLAD_STEP_VECTOR:
        return part.tag == VLAD_VECTOR && vlad_as_vector(part)->length == step->count;
    case VLAD_STEP_CELL: {
        /* Alternatives of cells are no cells. */
        const struct vlad_template *shape = &template->cells[step->count];
        const struct vlad_template_step *alternative = shape->steps;
        for (;; alternative += 1 + alternative->count) {
            if (can_be_of(shape, alternative + 1, part)) return 1;
            if (alternative->kind != VLAD_STEP_EITHER) return 0;
        }
    }
    default:
        return 1; /* what follows decides */
    }
}

/* The leaves of alternatives that a value is not are 0 and false. */
static void leave_out(const struct vlad_template_step *steps, uint32_t count, vlad_value **leaf) {
    for (uint32_t place = 0; place < count; place++) {
        const struct vlad_template_step *step = &steps[place];
        if (!has_leaf(step)) continue;
        *(*leaf)++ = is_flag(step) ? vlad_boolean(0) : step->kind == VLAD_STEP_LEAF ? vlad_make(step->value.tag, 0) : ABSENT;
    }
}

/* Pushes the parts of a value that a step makes, the first one last. */
static vlad_value *push_parts(const struct vlad_template_step *step, vlad_value whole, vlad_value *top) {
    switch (step->kind) {
    case VLAD_STEP_PAIR:
        *top++ = vlad_as_pair(whole)->second;
        *top++ = vlad_as_pair(whole)->first;
        break;
    case VLAD_STEP_SLOTS:
        for (uint32_t slot = step->count; slot-- > 0;) *top++ = vlad_as_slots(whole)->values[slot];
        break;
    case VLAD_STEP_VECTOR: {
        const struct vlad_vector *vector = vlad_as_vector(whole);
        /* Definitions have no levels. */
        for (uint32_t index = step->count; index-- > 0;)
            *top++ = vlad_has_reals(vector) ? vlad_real(vector->elements.reals[index]) : vector->elements.values[index];
        break;
    }
    default:
        break;
    }
    return top;
}

/* Takes the leaves out of a value, given a stack. Those that are cells are the values that become cells. */
static void take(struct vlad_machine *m, const struct vlad_template *template, vlad_value value, vlad_value *stack,
                 vlad_value *leaf) {
    vlad_value *top = stack;
    *top++ = value;
    for (uint32_t place = 0; place < template->length; place++) {
        const struct vlad_template_step *step = &template->steps[place];
        switch (step->kind) {
        case VLAD_STEP_EITHER: {
            int is_first = can_be_of(template, step + 1, top[-1]);
            *leaf++ = vlad_boolean(is_first);
            if (!is_first) {
                leave_out(step + 1, step->count, &leaf);
                place += step->count;
            }
            break;
        }
        case VLAD_STEP_LAST:
            *leaf++ = vlad_boolean(1);
            break;
        case VLAD_STEP_SKIP:
            leave_out(step + 1, step->count, &leaf);
            place += step->count;
            break;
        case VLAD_STEP_ARRAY: {
            struct vlad_array array = {NULL, 0};
            if (!vlad_array_of_vector(m, *--top, step->count, &array)) vlad_bail_out(m);
            *leaf++ = vlad_array_leaf(m, array);
            break;
        }
        default: {
            vlad_value part = *--top;
            if (!can_be_of(template, step, part)) vlad_bail_out(m);
            if (step->kind == VLAD_STEP_LEAF || step->kind == VLAD_STEP_CELL) *leaf++ = part;
            top = push_parts(step, part, top);
        }
        }
    }
}

/* Memory for cells that values become. */
static void *force_into(struct vlad_machine *m, size_t bytes) {
    struct vlad_forced_cells *forced = &vlad_private(m)->forced_cells;
    bytes = (bytes + 15) & ~(size_t)15;
    if ((size_t)(forced->end - forced->top) < bytes) {
        if (forced->bytes > MOST_FORCED) vlad_give_up_for(m, VLAD_GIVEN_UP_FOR_MEMORY);
        size_t size = forced->blocks ? 2 * forced->blocks->bytes : SMALLEST_BLOCK;
        if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
        if (size < bytes) size = bytes;
        struct vlad_forced_block *block = vlad_taken(m, sizeof *block + size);
        block->below = forced->blocks;
        block->bytes = size;
        forced->blocks = block;
        forced->bytes += size;
        forced->top = (unsigned char *)block->contents;
        forced->end = forced->top + size;
        look(m);
    }
    void *memory = forced->top;
    forced->top += bytes;
    return memory;
}

void vlad_give_forced_cells(struct vlad_machine *m) {
    struct vlad_forced_cells *forced = &vlad_private(m)->forced_cells;
    while (forced->blocks) {
        struct vlad_forced_block *block = forced->blocks;
        forced->blocks = block->below;
        vlad_block_give(&vlad_private(m)->memory, block);
    }
    *forced = (struct vlad_forced_cells){0};
}

/* A late cell of a value, as a word. */
static uint64_t late_cell(struct vlad_machine *m, vlad_value value, const struct vlad_template *shape) {
    struct vlad_late_cell *late = force_into(m, sizeof *late);
    *late = (struct vlad_late_cell){value, shape, NULL};
    return (uint64_t)(uintptr_t)late | VLAD_IS_LATE;
}

/* A value that is to become a cell, of which a word is the address. */
struct value_owed {
    union vlad_bits *word;
    vlad_value value;
    const struct vlad_template *shape;
};

/* The cell of a value; its parts that are cells are owed. */
static union vlad_bits *cell_of_value(struct vlad_machine *m, const struct vlad_template *shape, vlad_value value,
                                      vlad_value *stack, struct value_owed **owed) {
    vlad_value leaves[VLAD_MOST_WORDS], *leaf = leaves;
    take(m, shape, value, stack, leaves);
    union vlad_bits *cell = force_into(m, shape->words * sizeof *cell), *word = cell + 1;
    uint64_t flags = 0;
    uint32_t flag = 0;
    for (uint32_t place = 0; place < shape->length; place++) {
        const struct vlad_template_step *step = &shape->steps[place];
        if (!has_leaf(step)) continue;
        if (is_flag(step)) {
            flags |= (uint64_t)(leaf->word != 0) << flag++;
        } else if (step->kind == VLAD_STEP_CELL && !is_absent(*leaf)) {
            *(*owed)++ = (struct value_owed){word++, *leaf, &shape->cells[step->count]};
        } else {
            word++->word = leaf->word;
        }
        leaf++;
    }
    cell->word = flags;
    return cell;
}

const union vlad_bits *vlad_forced_cell(struct vlad_machine *m, struct vlad_late_cell *late) {
    vlad_value *stack = vlad_taken(m, late->shape->height * sizeof *stack);
    union vlad_bits first;
    struct value_owed owed[MOST_OWED + VLAD_MOST_WORDS], *top = owed;
    *top++ = (struct value_owed){&first, late->value, late->shape};
    for (int cells = 0; cells < CELLS_AT_ONCE && top > owed && top <= owed + MOST_OWED; cells++) {
        struct value_owed next = *--top;
        next.word->word = vlad_word_of(cell_of_value(m, next.shape, next.value, stack, &top));
    }
    while (top > owed) {
        --top;
        top->word->word = late_cell(m, top->value, top->shape);
    }
    vlad_block_give(&vlad_private(m)->memory, stack);
    late->forced = vlad_cell_of(first.word);
    return late->forced;
}

void vlad_take_apart(struct vlad_machine *m, const struct vlad_template *template, vlad_value value, vlad_value *leaves) {
    vlad_value *stack = vlad_taken(m, template->height * sizeof *stack);
    take(m, template, value, stack, leaves);
    vlad_block_give(&vlad_private(m)->memory, stack);
    for (uint32_t place = 0; place < template->length; place++) {
        const struct vlad_template_step *step = &template->steps[place];
        if (step->kind == VLAD_STEP_CELL && !is_absent(*leaves))
            *leaves = vlad_raw(late_cell(m, *leaves, &template->cells[step->count]));
        leaves += has_leaf(step);
    }
}
