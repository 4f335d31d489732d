/* The primitives on vectors. */
#ifndef VLAD_ON_VECTOR_H
#define VLAD_ON_VECTOR_H

#include "machine.h"

/* The services of the same names; and any vector primitive on its whole argument, which it takes, and
 * updates in place if there is no other reference. */
vlad_value vlad_vector_set(struct vlad_machine *m, vlad_value vector, vlad_value index, vlad_value value);
vlad_value vlad_vector_push(struct vlad_machine *m, vlad_value vector, vlad_value value);
vlad_value vlad_on_vector(struct vlad_machine *m, uint32_t primitive, vlad_value argument);
/* (get v i), if v is a vector with such an element; 0 if not. */
int vlad_vector_get(struct vlad_machine *m, vlad_value vector, vlad_value index, vlad_value *element);
/* True if a value is a vector of that length. */
int vlad_is_of_length(vlad_value vector, vlad_value length);

#endif
