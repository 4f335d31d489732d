/* The journals of effects, for the runtime. A journal without reads costs no call of the host. */
#ifndef VLAD_JOURNAL_H
#define VLAD_JOURNAL_H

#include "state.h"

static inline void vlad_journal_begin(struct machine *machine) { machine->journals++; }
void vlad_journal_replay(struct machine *machine, const double *reads, uint64_t count);
uint64_t vlad_journal_end(struct machine *machine);
uint64_t vlad_journal_mark(struct machine *machine);
void vlad_journal_rewind(struct machine *machine, uint64_t mark);
void vlad_journal_settle(struct machine *machine);
int vlad_journal_read_real(struct machine *machine, double *out);
int vlad_journal_is_input_over(struct machine *machine, int32_t *out);

#endif
