/* Conversion of values to leaves of specialised code and back, by templates (first_order.h).
 *
 * A structure of unbounded size is converted to cells on demand, some at a time. Until it is read, a *late cell* keeps
 * the value. So the time for a value is proportional to the part that is read, and a part that is never read is
 * returned as the same value.
 */
#ifndef VLAD_TEMPLATE_H
#define VLAD_TEMPLATE_H

#include "first_order.h"
#include "state.h"

/* The state of the cells of a value after it is made: unchanged, or not read any more. */
enum vlad_use_of_cells { VLAD_STILL_USED, VLAD_USED_LAST };

/* A block of memory that lives as long as the running item. Without memory, the item ends. */
void *vlad_taken(struct vlad_machine *m, size_t bytes);
/* The value of a template and its leaves, owned. */
vlad_value vlad_assembled(struct vlad_machine *m, const struct vlad_template *template, const vlad_value *leaves,
                          enum vlad_use_of_cells use);
/* Stores the leaves of a value; bails out if the value is not of the template. The value must exist as long as the item
 * runs. */
void vlad_take_apart(struct vlad_machine *m, const struct vlad_template *template, vlad_value value, vlad_value *leaves);
/* Frees the cells that were made of values. */
void vlad_give_forced_cells(struct vlad_machine *m);
/* The service for the parts of a late cell. */
const union vlad_bits *vlad_forced_cell(struct vlad_machine *m, struct vlad_late_cell *late);

#endif
