/* The operator *j with checkpointing. */
#ifndef VLAD_CHECKPOINT_H
#define VLAD_CHECKPOINT_H

#include "host_calls.h"
#include "machine.h"

/* (checkpoint-*j f x y') and its forms at m->call_node and m->site; takes its operands. */
int vlad_checkpoint(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value f,
                    vlad_value x, vlad_value cotangent, const struct vlad_checkpoint_options *options);

#endif
