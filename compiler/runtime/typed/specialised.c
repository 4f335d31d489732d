/* The execution of specialised code: polls, effects, the stacks of records, and bail-outs.
 *
 * Invariants. Between two calls of the runtime, specialised code owns only memory that the machine lists: its leaves,
 * records and arrays. They are freed when the item ends or bails out, or with the machine if it stops. Each early exit
 * is a longjmp within the stack of the attempt.
 */
#include "specialised.h"
#include "arrays.h"
#include "computation.h"
#include "journal.h"
#include "memory.h"
#include "template.h"

/* The turns between two checks of the clock. */
#define TURNS ((int64_t)1 << 14)
/* The nested calls that code without recursion has at most. */
#define WITHOUT_RECURSION ((uint64_t)1 << 17)
/* Parts of a stack of records grow between these sizes, in words. */
#define SMALLEST_PART ((size_t)1 << 13)
#define LARGEST_PART ((size_t)1 << 20)

void vlad_specialised_gives_up(struct vlad_machine *m) { vlad_give_up_for(m, VLAD_GIVEN_UP); }

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
    struct machine *machine = vlad_private(m);
    /* A turn takes a step at least. */
    machine->turns_taken += turns(machine);
    if (VLAD_UNLIKELY(machine->turns_taken > machine->most_turns)) vlad_specialised_gives_up(m);
    return turns(machine);
}

void vlad_specialised_entered(struct vlad_machine *m, uintptr_t address, uint64_t depth) {
    if (address < m->first_order.stack_end || depth > m->first_order.most_depth)
        vlad_give_up_for(m, VLAD_GIVEN_UP_FOR_DEPTH);
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
    /* The record of a call is a word at least: so there are no more calls than the limit. */
    size_t room = SIZE_MAX;
    if (records == &m->first_order.records[VLAD_CALLS]) {
        uint64_t used = below ? records->words_below + below->words : 0;
        if (used + count > m->first_order.most_depth) vlad_give_up_for(m, VLAD_GIVEN_UP_FOR_DEPTH);
        room = (size_t)(m->first_order.most_depth - used);
    }
    if (part && part->words >= count && part->words <= room) {
        records->spare = NULL;
    } else {
        size_t words = below ? 2 * below->words : SMALLEST_PART;
        if (words > LARGEST_PART) words = LARGEST_PART;
        if (words > room) words = room;
        if (words < count) words = count;
        part = vlad_taken(m, sizeof *part + words * sizeof part->contents[0]);
        part->words = words;
        if (words >= LARGEST_PART) {
            if (!below || below->words < LARGEST_PART) vlad_code_give_back();
            else vlad_region_prefers_large_pages(part, words * sizeof part->contents[0]);
        }
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

double vlad_specialised_reads(struct vlad_machine *m) {
    may_give_up(m);
    double real;
    if (!vlad_journal_read_real(vlad_private(m), &real)) vlad_specialised_gives_up(m);
    return real;
}

void vlad_specialised_begins_reads(struct vlad_machine *m) { vlad_journal_begin(vlad_private(m)); }

double vlad_specialised_reads_so_far(struct vlad_machine *m) { return (double)vlad_journal_mark(vlad_private(m)); }

void vlad_specialised_reads_again(struct vlad_machine *m, double reads) {
    vlad_journal_rewind(vlad_private(m), (uint64_t)reads);
}

void vlad_specialised_ends_reads(struct vlad_machine *m) {
    vlad_journal_settle(vlad_private(m));
    vlad_journal_end(vlad_private(m));
}

void vlad_specialised_writes(struct vlad_machine *m, uint32_t layout, const struct vlad_template *template,
                             const vlad_value *leaves) {
    may_give_up(m);
    struct machine *machine = vlad_private(m);
    vlad_value value = vlad_assembled(m, template, leaves, VLAD_STILL_USED);
    int is_written = vlad_answered(machine, machine->calls.write(machine->host, layout, value));
    vlad_drop(m, value);
    if (!is_written) vlad_specialised_gives_up(m);
}

/* An attempt under way. Its outcome is in memory, since longjmp does not preserve local variables. */
struct attempt {
    struct machine *machine;
    const struct vlad_specialised *code;
    const vlad_value *operands;
    vlad_value *leaves; /* of the inputs, then of the result; 0 if they are not allocated */
    enum vlad_status outcome;
};

static void execute(struct attempt *attempt) {
    struct vlad_machine *m = &attempt->machine->public;
    const struct vlad_specialised *code = attempt->code;
    attempt->leaves = vlad_taken(m, ((size_t)code->input_leaves + code->result->leaves) * sizeof *attempt->leaves);
    vlad_value *leaves = attempt->leaves;
    for (uint32_t number = 0; number < code->input_count; number++) {
        const struct vlad_input *input = &code->inputs[number];
        uint32_t global = input->global;
        vlad_value value = global & VLAD_OPERAND ? attempt->operands[global & ~VLAD_OPERAND] : m->globals[global];
        vlad_take_apart(m, input->template, value, leaves);
        leaves += input->template->leaves;
    }
    m->first_order.inputs = attempt->leaves;
    code->run(m, leaves);
    attempt->machine->result = vlad_assembled(m, code->result, leaves, VLAD_USED_LAST);
}

static void try(void *argument) {
    struct attempt *attempt = argument;
    switch (setjmp(attempt->machine->way_out)) {
    case 0:
        execute(attempt);
        attempt->outcome = VLAD_FINISHED;
        break;
    case VLAD_GIVEN_UP:
        attempt->outcome = VLAD_GIVEN_UP;
        break;
    case VLAD_GIVEN_UP_FOR_MEMORY:
        attempt->outcome = VLAD_GIVEN_UP_FOR_MEMORY;
        break;
    case VLAD_GIVEN_UP_FOR_DEPTH:
        attempt->outcome = VLAD_GIVEN_UP_FOR_DEPTH;
        break;
    default:
        attempt->outcome = VLAD_STOPPED;
        break;
    }
}

enum vlad_status vlad_attempt(struct machine *machine, const struct vlad_specialised *code, const vlad_value *operands,
                              int64_t most_turns) {
    struct vlad_machine *m = &machine->public;
    if (m->depth + WITHOUT_RECURSION >= m->most_depth) return VLAD_GIVEN_UP_FOR_DEPTH;
    struct attempt attempt = {machine, code, operands, NULL, VLAD_STOPPED};
    uint64_t most_depth = (m->most_depth - m->depth - WITHOUT_RECURSION) / code->nesting;
    m->first_order = (struct vlad_first_order){.turns = turns(machine), .most_depth = most_depth};
    machine->most_turns = most_turns;
    machine->turns_taken = 0;
    vlad_arrays_begin(m);
    vlad_own_stack_call(&machine->own_stack, &m->first_order.stack_end, try, &attempt);
    if (attempt.outcome == VLAD_STOPPED) {
        /* The memory is freed with all other memory of the machine. */
        memset(m->first_order.records, 0, sizeof m->first_order.records);
        vlad_arrays_end(m);
        machine->forced_cells = (struct vlad_forced_cells){0};
        machine->numbered_tape = (struct vlad_numbered_tape){NULL, 0, 0};
        return VLAD_STOPPED;
    }
    free_records(m);
    vlad_arrays_end(m);
    vlad_give_forced_cells(m);
    vlad_block_give(&machine->memory, attempt.leaves);
    return attempt.outcome;
}
