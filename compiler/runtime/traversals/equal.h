/* Comparisons of values. */
#ifndef VLAD_EQUAL_H
#define VLAD_EQUAL_H

#include "machine.h"

/* True if two values are equal?. If m->fault.kind is set afterwards the result is meaningless. */
int vlad_same_value(struct vlad_machine *m, vlad_value first, vlad_value second);
/* True if two skeletons are equal: then their capsules can differ in their reals alone. */
int vlad_same_skeleton(struct vlad_machine *m, vlad_value first, vlad_value second);

#endif
