/* The execution of specialised code: values in and out by templates, polls, effects, the stacks of records, and bail-outs.
 *
 * Invariants. Between two services specialised code owns nothing but memory of the machine's list, its leaves and its
 * records, and its arrays: all are freed when the item is finished or given up. If the machine stops instead, all memory is freed
 * with it. Each way out is a longjmp on the stack that the attempt runs on.
 */
#include "specialised.h"
#include "arrays.h"
#include "computation.h"
#include "journal.h"
#include "memory.h"
#include "vector.h"

/* The turns between two checks of the clock. */
#define TURNS ((int64_t)1 << 14)
/* Parts of a stack of records grow between these sizes, in words. */
#define SMALLEST_PART ((size_t)1 << 13)
#define LARGEST_PART ((size_t)1 << 20)

static void *taken(struct vlad_machine *m, size_t bytes) {
    void *block = vlad_block_take(&vlad_private(m)->memory, bytes);
    if (!block) vlad_out_of_memory(m);
    return block;
}

void vlad_specialised_gives_up(struct vlad_machine *m) { longjmp(vlad_private(m)->way_out, VLAD_OUT_TO_RESTART); }

/* A point at which tests make specialised code give up. */
static void may_give_up(struct vlad_machine *m) {
    struct machine *machine = vlad_private(m);
    if (machine->gives_up_after >= 0 && machine->gives_up_after-- == 0) vlad_specialised_gives_up(m);
}

/* Checks the limits. A limit ends the run at once, at the item: another execution would only meet it again. */
static void look(struct vlad_machine *m) {
    vlad_look(m);
    if (m->fault.kind) vlad_host_broke_down(m);
}

/* The number of turns until the next poll; tests want one at every turn. */
static int64_t turns(const struct machine *machine) { return machine->gives_up_after >= 0 ? 0 : TURNS; }

int64_t vlad_specialised_polls(struct vlad_machine *m) {
    may_give_up(m);
    look(m);
    return turns(vlad_private(m));
}

void vlad_specialised_entered(struct vlad_machine *m, uintptr_t address) {
    if (address < m->first_order.stack_end) vlad_specialised_gives_up(m);
    m->first_order.turns = vlad_specialised_polls(m);
}

/* Makes a part of a stack the current one. */
static void enter_part(struct vlad_records *records, struct vlad_record_part *part, union vlad_bits *top) {
    records->part = part;
    records->base = part ? part->contents : NULL;
    records->end = part ? part->contents + part->words : NULL;
    records->top = top;
}

union vlad_bits *vlad_more_records(struct vlad_machine *m, struct vlad_records *records, uint32_t count) {
    struct vlad_record_part *below = records->part, *part = records->spare;
    if (part && part->words >= count) {
        records->spare = NULL;
    } else {
        size_t words = below ? 2 * below->words : SMALLEST_PART;
        if (words > LARGEST_PART) words = LARGEST_PART;
        if (words < count) words = count;
        part = taken(m, sizeof *part + words * sizeof part->contents[0]);
        part->words = words;
        if (words >= LARGEST_PART) vlad_region_prefers_large_pages(part, words * sizeof part->contents[0]);
    }
    part->below = below;
    if (below) records->words_below += below->words;
    part->top_below = records->top;
    enter_part(records, part, part->contents);
    look(m);
    return records->top;
}

union vlad_bits *vlad_fewer_records(struct vlad_machine *m, struct vlad_records *records) {
    struct vlad_record_part *part = records->part;
    vlad_block_give(&vlad_private(m)->memory, records->spare);
    records->spare = part;
    if (part->below) records->words_below -= part->below->words;
    enter_part(records, part->below, part->top_below);
    return records->top;
}

union vlad_bits *vlad_lower_records(struct vlad_machine *m, struct vlad_records *records) {
    (void)m;
    struct vlad_record_part *part = records->part;
    enter_part(records, part->below, part->top_below);
    return records->top;
}

/* Frees the records and the tape. */
static void free_records(struct vlad_machine *m) {
    struct machine *machine = vlad_private(m);
    vlad_block_give(&machine->memory, machine->numbered_tape.nodes);
    machine->numbered_tape = (struct vlad_numbered_tape){NULL, 0, 0};
    for (int stack = 0; stack < VLAD_STACKS_OF_RECORDS; stack++) {
        struct vlad_records *records = &m->first_order.records[stack];
        while (records->part) vlad_fewer_records(m, records);
        vlad_block_give(&machine->memory, records->spare);
        records->spare = NULL;
    }
}

/* The value of a template and its leaves, owned. */
static vlad_value assembled(struct vlad_machine *m, const struct vlad_template *template, const vlad_value *leaves) {
    vlad_value *stack = taken(m, template->height * sizeof *stack), *top = stack;
    for (uint32_t place = 0; place < template->length; place++) {
        const struct vlad_template_step *step = &template->steps[place];
        switch (step->kind) {
        case VLAD_STEP_VALUE:
            *top++ = step->value;
            break;
        case VLAD_STEP_LEAF:
            *top++ = *leaves++;
            break;
        case VLAD_STEP_ARRAY:
            *top++ = vlad_vector_of_array(m, *(const struct vlad_array *)(uintptr_t)leaves++->word, step->count);
            break;
        case VLAD_STEP_PAIR:
            top -= 2;
            *top = vlad_pair(m, top[0], top[1]);
            top++;
            break;
        case VLAD_STEP_SLOTS: {
            struct vlad_slots *slots = vlad_make_slots(m, step->count);
            top -= step->count;
            memcpy(slots->values, top, step->count * sizeof *top);
            *top++ = vlad_make(step->value.tag, (uint64_t)(uintptr_t)slots);
            break;
        }
        case VLAD_STEP_VECTOR: {
            struct vlad_vector *vector = vlad_vector_new(m, step->count);
            top -= step->count;
            for (uint32_t index = 0; index < step->count; index++) vlad_vector_append(m, vector, top[index]);
            *top++ = vlad_vector_value(vector);
            break;
        }
        case VLAD_STEP_EITHER: {
            top -= 3;
            int is_first = top[0].word != 0;
            vlad_drop(m, top[is_first ? 2 : 1]);
            *top = top[is_first ? 1 : 2];
            top++;
            break;
        }
        case VLAD_STEP_LAST:
            top--;
            top[-1] = top[0];
            break;
        }
    }
    vlad_value value = stack[0];
    vlad_block_give(&vlad_private(m)->memory, stack);
    return value;
}

/* In the place of a value that is another one of those that it can be. */
#define ABSENT vlad_raw(0)

static int is_absent(vlad_value part) { return part.tag == VLAD_RAW && part.word == 0; }

/* True if a value can be what a step has made, the parts apart. */
static int can_be_of(const struct vlad_template_step *step, vlad_value part) {
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
    default:
        return 1; /* what follows decides */
    }
}

/* The number of parts that a step takes from the stack. */
static uint32_t parts_of(const struct vlad_template_step *step) {
    switch (step->kind) {
    case VLAD_STEP_PAIR:
    case VLAD_STEP_LAST:
        return 2;
    case VLAD_STEP_EITHER:
        return 3;
    case VLAD_STEP_SLOTS:
    case VLAD_STEP_VECTOR:
        return step->count;
    default:
        return 0;
    }
}

/* Takes the leaves out of a value; returns 0 if it is not of the template. The steps are undone from the last to the
 * first. Leaves of absent parts are 0 and false. */
static int take_apart(struct vlad_machine *m, const struct vlad_template *template, vlad_value value,
                      vlad_value *leaves) {
    vlad_value *stack = taken(m, template->height * sizeof *stack), *top = stack;
    vlad_value *leaf = leaves + template->leaves;
    int fits = 1;
    *top++ = value;
    for (uint32_t place = template->length; fits && place-- > 0;) {
        const struct vlad_template_step *step = &template->steps[place];
        vlad_value part = *--top;
        if (is_absent(part)) {
            if (step->kind == VLAD_STEP_LEAF) *--leaf = vlad_make(step->value.tag, 0);
            for (uint32_t parts = parts_of(step); parts > 0; parts--) *top++ = ABSENT;
            continue;
        }
        fits = can_be_of(step, part);
        if (!fits) break;
        switch (step->kind) {
        case VLAD_STEP_LEAF:
            *--leaf = part;
            break;
        case VLAD_STEP_ARRAY: {
            struct vlad_array array = {NULL, 0};
            fits = vlad_array_of_vector(m, part, step->count, &array);
            *--leaf = vlad_array_leaf(m, array);
            break;
        }
        case VLAD_STEP_PAIR:
            *top++ = vlad_as_pair(part)->first;
            *top++ = vlad_as_pair(part)->second;
            break;
        case VLAD_STEP_SLOTS:
            memcpy(top, vlad_as_slots(part)->values, step->count * sizeof *top);
            top += step->count;
            break;
        case VLAD_STEP_VECTOR: {
            const struct vlad_vector *vector = vlad_as_vector(part);
            /* Definitions have no levels. */
            for (uint32_t index = 0; index < step->count; index++)
                *top++ = vlad_has_reals(vector) ? vlad_real(vector->elements.reals[index])
                                                : vector->elements.values[index];
            break;
        }
        case VLAD_STEP_EITHER: {
            int is_first = can_be_of(step - 1 - step->count, part);
            *top++ = vlad_make(VLAD_BOOLEAN, (uint64_t)is_first);
            *top++ = is_first ? part : ABSENT;
            *top++ = is_first ? ABSENT : part;
            break;
        }
        case VLAD_STEP_LAST:
            *top++ = vlad_make(VLAD_BOOLEAN, 1);
            *top++ = part;
            break;
        }
    }
    vlad_block_give(&vlad_private(m)->memory, stack);
    return fits;
}

double vlad_specialised_reads(struct vlad_machine *m) {
    may_give_up(m);
    double real;
    if (!vlad_journal_read_real(vlad_private(m), &real)) vlad_specialised_gives_up(m);
    return real;
}

void vlad_specialised_writes(struct vlad_machine *m, const struct vlad_template *template, const vlad_value *leaves) {
    may_give_up(m);
    struct machine *machine = vlad_private(m);
    vlad_value value = assembled(m, template, leaves);
    int is_written = vlad_answered(machine, machine->calls.write(machine->host, value));
    vlad_drop(m, value);
    if (!is_written) vlad_specialised_gives_up(m);
}

/* An attempt under way. Its outcome is in memory, since longjmp does not preserve local variables. */
struct attempt {
    struct machine *machine;
    const struct vlad_specialised *code;
    vlad_value *leaves; /* of the inputs, then of the result; 0 if they are not allocated */
    enum vlad_status outcome;
};

static void execute(struct attempt *attempt) {
    struct vlad_machine *m = &attempt->machine->public;
    const struct vlad_specialised *code = attempt->code;
    attempt->leaves = taken(m, ((size_t)code->input_leaves + code->result->leaves) * sizeof *attempt->leaves);
    vlad_value *leaves = attempt->leaves;
    for (uint32_t number = 0; number < code->input_count; number++) {
        const struct vlad_input *input = &code->inputs[number];
        if (!take_apart(m, input->template, m->globals[input->global], leaves)) vlad_specialised_gives_up(m);
        leaves += input->template->leaves;
    }
    m->first_order.inputs = attempt->leaves;
    code->run(m, leaves);
    attempt->machine->result = assembled(m, code->result, leaves);
    vlad_add_steps(attempt->machine, m->first_order.steps);
}

static void try(void *argument) {
    struct attempt *attempt = argument;
    switch (setjmp(attempt->machine->way_out)) {
    case 0:
        execute(attempt);
        attempt->outcome = VLAD_FINISHED;
        break;
    case VLAD_OUT_TO_RESTART:
        attempt->outcome = VLAD_GIVEN_UP;
        break;
    default:
        attempt->outcome = VLAD_STOPPED;
        break;
    }
}

enum vlad_status vlad_attempt(struct machine *machine, const struct vlad_specialised *code) {
    struct vlad_machine *m = &machine->public;
    struct attempt attempt = {machine, code, NULL, VLAD_STOPPED};
    m->first_order = (struct vlad_first_order){.turns = turns(machine)};
    vlad_arrays_begin(m);
    vlad_own_stack_call(&machine->own_stack, &m->first_order.stack_end, try, &attempt);
    if (attempt.outcome == VLAD_STOPPED) {
        /* The memory is freed with all other memory of the machine. */
        memset(m->first_order.records, 0, sizeof m->first_order.records);
        vlad_arrays_end(m);
        machine->numbered_tape = (struct vlad_numbered_tape){NULL, 0, 0};
        return VLAD_STOPPED;
    }
    free_records(m);
    vlad_arrays_end(m);
    vlad_block_give(&machine->memory, attempt.leaves);
    return attempt.outcome;
}
