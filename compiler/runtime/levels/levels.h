/* The beginning and the end of levels of differentiation, and their memory. */
#ifndef VLAD_LEVELS_H
#define VLAD_LEVELS_H

#include "differentiation.h"
#include "machine.h"

/* Initialise and free the levels of a machine; also after a fault. */
void vlad_levels_init(struct vlad_levels *levels);
void vlad_levels_free(struct vlad_levels *levels);

/* Begins a level and returns it; records the fault if there are too many. */
uint32_t vlad_level_begin(struct vlad_machine *m, enum vlad_mode mode);
/* Ends the newest level; returns its tape, if it is reverse, which stays in place until another level begins. */
struct vlad_tape *vlad_level_end(struct vlad_machine *m);
/* Drops the values that the tape still owns, and frees memory that is too large to keep for the next level. */
void vlad_tape_clear(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape);

#endif
