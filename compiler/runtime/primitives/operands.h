/* The operands of the primitives that call procedures. */
#ifndef VLAD_OPERANDS_H
#define VLAD_OPERANDS_H

#include "machine.h"

/* Calls a control primitive other than if-procedure, j* and *j, on its whole argument, which it takes. */
int vlad_operator(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value argument);

#endif
