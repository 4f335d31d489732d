/* The tape of a reverse level of specialised code with node numbers at run time. Such a level is outermost, so there is
 * one tape at a time. Nodes are numbered from 1 on. A value that is no node has the number 0. */
#ifndef VLAD_NUMBERED_TAPE_H
#define VLAD_NUMBERED_TAPE_H

#include "machine.h"

/* Empties the tape. */
void vlad_numbered_begin(struct vlad_machine *m);
/* Adds a node of the independent variables, or of an operation with the numbers and the coefficients of its operands. An
 * operation without a node among its operands is none. Both return the number. */
double vlad_numbered_independent(struct vlad_machine *m);
double vlad_numbered_node(struct vlad_machine *m, double first, double coefficient, double second, double of_second);
/* Adds a cotangent to the accumulator of a node. */
void vlad_numbered_seed(struct vlad_machine *m, double number, double cotangent);
/* Sweeps over all nodes, from the last to the first. */
void vlad_numbered_sweep(struct vlad_machine *m);
/* The accumulator of a node. */
double vlad_numbered_accumulator(struct vlad_machine *m, double number);

#endif
