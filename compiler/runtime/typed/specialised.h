/* The execution of specialised code (first_order.h). */
#ifndef VLAD_SPECIALISED_H
#define VLAD_SPECIALISED_H

#include "exits.h"
#include "first_order.h"

/* A part of a stack of records. */
struct vlad_record_part {
    struct vlad_record_part *below;
    union vlad_bits *top_below; /* the top of the part below */
    size_t words;
    union vlad_bits contents[];
};

/* Executes the code of an item, or of a procedure with its operands. If it finishes, the machine has its result, and
 * m->first_order.steps are its steps. It bails out after more than `most_turns` turns; then
 * everything is as before. */
enum vlad_status vlad_attempt(struct machine *machine, const struct vlad_specialised *code, const vlad_value *operands,
                              int64_t most_turns);

/* The services for specialised code. */
_Noreturn void vlad_specialised_gives_up(struct vlad_machine *m);
int64_t vlad_specialised_polls(struct vlad_machine *m);
void vlad_specialised_entered(struct vlad_machine *m, uintptr_t address, uint64_t depth);
union vlad_bits *vlad_more_records(struct vlad_machine *m, struct vlad_records *records, uint32_t count);
union vlad_bits *vlad_fewer_records(struct vlad_machine *m, struct vlad_records *records);
double vlad_specialised_reads(struct vlad_machine *m);
void vlad_specialised_begins_reads(struct vlad_machine *m);
double vlad_specialised_reads_so_far(struct vlad_machine *m);
void vlad_specialised_reads_again(struct vlad_machine *m, double reads);
void vlad_specialised_ends_reads(struct vlad_machine *m);
void vlad_specialised_writes(struct vlad_machine *m, uint32_t layout, const struct vlad_template *template,
                             const vlad_value *leaves);

#endif
