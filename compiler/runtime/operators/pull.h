/* The elision of backpropagators: cotangents without a backpropagator. */
#ifndef VLAD_PULL_H
#define VLAD_PULL_H

#include "differentiation.h"
#include "machine.h"

/* The positions to number. They are only those of the operand if the consumer of the value, with its frame below top,
 * uses only the cotangent of x, and the cotangent of f does not affect the result. */
enum vlad_numbered vlad_positions_to_number(struct vlad_machine *m, vlad_value *top, vlad_value f);
/* The services of the same names. */
int vlad_pull(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value cotangent, int is_sensitized);
vlad_value vlad_keep(struct vlad_machine *m, vlad_value part);

#endif
