/* The reflective basis: tagged values (report, part 17). The tags and slots are those of tagged.h. */
#ifndef VLAD_REFLECTION_H
#define VLAD_REFLECTION_H

#include "machine.h"

/* A value with one more tag; takes the content. */
vlad_value vlad_tagged(struct vlad_machine *m, uint32_t kind, vlad_value content);
/* The bundle, of either kind, of a primal and a tangent; takes both. */
vlad_value vlad_make_bundle(struct vlad_machine *m, uint32_t kind, vlad_value primal, vlad_value tangent);
/* Strips the tag that marks a tangent or cotangent of a value, if it has this tag. The tangent of a perturbation is a
 * perturbation itself, so the mark is one more tag; likewise for sensitivities. The result is borrowed. */
vlad_value vlad_as_given(uint32_t kind, vlad_value tangent, vlad_value of, int *is_marked);
/* (bundle v v'). If m->fault.kind is set afterwards there is no result, as for the next. */
vlad_value vlad_bundle(struct vlad_machine *m, vlad_value primal, vlad_value tangent);
/* The other primitives that make tagged values or take them apart, on their argument. */
vlad_value vlad_reflect(struct vlad_machine *m, uint32_t primitive, vlad_value argument);

#endif
