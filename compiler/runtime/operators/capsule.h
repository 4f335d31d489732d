/* The operators on suspended computations. */
#ifndef VLAD_CAPSULE_H
#define VLAD_CAPSULE_H

#include "machine.h"

/* (primops f x), (interrupt f x l) and (resume z) at m->call_node and m->site; they take their operands. */
int vlad_count_steps(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x);
int vlad_interrupt(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x, int64_t limit);
int vlad_resume(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value capsule);

#endif
