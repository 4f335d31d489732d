/* The journals of effects (shared/runtime/src/effects.rs), which the host keeps.
 *
 * An application of a reversed procedure has a journal, and hardly any reads. So a journal is reported to the host only
 * when it is read from or queried; one that ends before that is never reported. Only the newest ones can be unreported.
 */
#include "journal.h"
#include "exits.h"

/* Reports all journals to the host. */
static void tell(struct machine *machine) {
    for (; machine->journals > 0; machine->journals--)
        vlad_answered(machine, machine->calls.journal_begin(machine->host));
}

void vlad_journal_replay(struct machine *machine, const double *reads, uint64_t count) {
    tell(machine);
    vlad_answered(machine, machine->calls.journal_replay(machine->host, reads, count));
}

uint64_t vlad_journal_end(struct machine *machine) {
    uint64_t count = 0;
    if (machine->journals > 0)
        machine->journals--;
    else
        vlad_answered(machine, machine->calls.journal_end(machine->host, &count));
    return count;
}

uint64_t vlad_journal_mark(struct machine *machine) {
    tell(machine);
    uint64_t mark = 0;
    vlad_answered(machine, machine->calls.journal_mark(machine->host, &mark));
    return mark;
}

void vlad_journal_rewind(struct machine *machine, uint64_t mark) {
    tell(machine);
    vlad_answered(machine, machine->calls.journal_rewind(machine->host, mark));
}

void vlad_journal_settle(struct machine *machine) {
    tell(machine);
    vlad_answered(machine, machine->calls.journal_settle(machine->host));
}

int vlad_journal_read_real(struct machine *machine, double *out) {
    tell(machine);
    return vlad_answered(machine, machine->calls.read_real(machine->host, out));
}

int vlad_journal_is_input_over(struct machine *machine, int32_t *out) {
    tell(machine);
    return vlad_answered(machine, machine->calls.is_input_over(machine->host, out));
}
