/* Calls of tagged procedures. */
#ifndef VLAD_TRANSFORMED_H
#define VLAD_TRANSFORMED_H

#include "machine.h"

/* The call of a tagged value, at m->call_node and m->site. Takes both. */
int vlad_transformed(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand);
/* The services of the same names. */
int vlad_call_bundled(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x);
int vlad_call_reversed(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x);
vlad_value vlad_open(struct vlad_machine *m, vlad_value x, vlad_value tangent, int is_perturbed);

#endif
