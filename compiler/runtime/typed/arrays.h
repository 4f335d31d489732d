/* The arrays of specialised code (first_order.h): their memory, and their conversion to vectors. */
#ifndef VLAD_ARRAYS_H
#define VLAD_ARRAYS_H

#include "machine.h"

/* Begins an item, without arrays; and frees all arrays at its end. */
void vlad_arrays_begin(struct vlad_machine *m);
void vlad_arrays_end(struct vlad_machine *m);

/* The vector that an array of a kind is; and the array that a vector is, or 0 if it is of another kind. */
vlad_value vlad_vector_of_array(struct vlad_machine *m, struct vlad_array array, uint32_t kind);
int vlad_array_of_vector(struct vlad_machine *m, vlad_value vector, uint32_t kind, struct vlad_array *array);

/* The service for more memory. */
void vlad_more_arrays(struct vlad_machine *m, uint64_t bytes);
/* The same for cells: where there is too much memory already, the item is given up. */
void vlad_more_cells(struct vlad_machine *m, uint64_t bytes);
/* The service for the bytes of arrays, cells and records of sweeps. */
double vlad_size(struct vlad_machine *m);

#endif
