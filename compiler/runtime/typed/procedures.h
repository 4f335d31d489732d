/* Calls of procedures with specialised code (compiler/src/procedures).
 */
#ifndef VLAD_PROCEDURES_H
#define VLAD_PROCEDURES_H

#include "state.h"

/* Prepares the attempts to use specialised code; 0 if the allocation fails. */
int vlad_procedures_init(struct machine *machine);
/* The service of that name. */
int64_t vlad_apply_specialised(struct vlad_machine *m, uint32_t procedure, int64_t fuel);
/* The same for an operator (enum vlad_specialised_call of machine.h), of a procedure without slots, if it has specialised code. */
int64_t vlad_operator_specialised(struct vlad_machine *m, uint32_t call, vlad_value f, vlad_value x, vlad_value companion,
                                  int64_t fuel);

#endif
