/* Applications of operators that are not closures of the program. */
#ifndef VLAD_CALL_H
#define VLAD_CALL_H

#include "machine.h"

/* The services of the same names. */
int vlad_call_any(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand);
int vlad_control(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value first,
                 vlad_value second, vlad_value third);

#endif
