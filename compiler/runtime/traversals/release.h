/* The release of dead objects of every kind, with all objects that die with them. */
#ifndef VLAD_RELEASE_H
#define VLAD_RELEASE_H

#include "machine.h"

/* The service of the same name: vlad_drop (machine.h) calls it through the table of services, so the release knows all
 * kinds of objects, and modules below it know nothing of it. */
void vlad_destroy(struct vlad_machine *m, vlad_value dead);

#endif
