/* Values in and out of specialised code, by templates (first_order.h).
 *
 * Values become leaves, and leaves values. A structure of any size becomes cells when it is read, some at a time: until then a
 * *late cell* stands for it, which keeps the value. So code takes as much time for the value of a definition as it reads of it,
 * and what it hands on unread is the same value afterwards.
 */
#ifndef VLAD_TEMPLATE_H
#define VLAD_TEMPLATE_H

#include "first_order.h"
#include "state.h"

/* The use of the cells of a value after it has been made: they are as before, or nobody reads them. */
enum vlad_use_of_cells { VLAD_STILL_USED, VLAD_USED_LAST };

/* A block of memory of the item that runs; without memory, the item ends. */
void *vlad_taken(struct vlad_machine *m, size_t bytes);
/* The value of a template and its leaves, owned. */
vlad_value vlad_assembled(struct vlad_machine *m, const struct vlad_template *template, const vlad_value *leaves,
                          enum vlad_use_of_cells use);
/* Takes the leaves out of a value; gives the item up if it is not of the template. The value has to exist as long as the item
 * runs. */
void vlad_take_apart(struct vlad_machine *m, const struct vlad_template *template, vlad_value value, vlad_value *leaves);
/* Frees the cells that values have become. */
void vlad_give_forced_cells(struct vlad_machine *m);
/* The service for the parts of a late cell. */
const union vlad_bits *vlad_forced_cell(struct vlad_machine *m, struct vlad_late_cell *late);

#endif
