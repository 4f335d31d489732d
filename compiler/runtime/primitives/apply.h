/* The primitives that call no procedure, on their arguments. */
#ifndef VLAD_APPLY_H
#define VLAD_APPLY_H

#include "machine.h"

/* The services of the same names. */
vlad_value vlad_apply(struct vlad_machine *m, uint32_t primitive, vlad_value argument);
vlad_value vlad_apply_two(struct vlad_machine *m, uint32_t primitive, vlad_value first, vlad_value second);
vlad_value vlad_apply_many(struct vlad_machine *m, uint32_t primitive, uint32_t count, const vlad_value *operands);

#endif
