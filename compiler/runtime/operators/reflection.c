/* The data of the reflective basis: bundles and tags, their construction and access. The
 * counterpart of shared/ad/src/reflection.rs.
 *
 * (primal (bundle v v')) is v and (tangent (bundle v v')) is v'; (j* v) is (bundle v (zero v)). A tangent that is given
 * as a perturbation is returned as one.
 */
#include "reflection.h"
#include "exits.h"
#include "memory.h"
#include "operators.h"
#include "rules.h"
#include "tagged.h"
#include "vector.h"
#include "walk.h"

vlad_value vlad_tagged(struct vlad_machine *m, uint32_t kind, vlad_value content) {
    struct vlad_slots *slots = vlad_make_slots(m, 1);
    slots->values[0] = content;
    return vlad_make(kind, (uint64_t)(uintptr_t)slots);
}

vlad_value vlad_make_bundle(struct vlad_machine *m, uint32_t kind, vlad_value primal, vlad_value tangent) {
    struct vlad_slots *slots = vlad_make_slots(m, 2);
    slots->values[VLAD_PRIMAL] = primal;
    slots->values[VLAD_TANGENT_SLOT] = tangent;
    return vlad_make(kind, (uint64_t)(uintptr_t)slots);
}

vlad_value vlad_as_given(uint32_t kind, vlad_value tangent, vlad_value of, int *is_marked) {
    vlad_value rest = tangent;
    *is_marked = 0;
    for (; vlad_kind(rest) == kind; rest = vlad_content(rest)) {
        if (vlad_kind(of) != kind) {
            *is_marked = 1;
            return vlad_content(tangent);
        }
        of = vlad_content(of);
    }
    return tangent;
}

static vlad_value companion(struct vlad_machine *m, void *context, vlad_value value, vlad_value beside) {
    (void)m, (void)context, (void)value;
    return vlad_share(beside);
}
static struct vlad_vector *companions(struct vlad_machine *m, void *context, struct vlad_vector *reals,
                                      struct vlad_vector *beside) {
    (void)m, (void)context, (void)reals;
    return vlad_vector_share(beside);
}
static const struct vlad_making making_companions = {companion, companions};

/* Records the fault if a tangent does not conform to its primal. The rebuilt value of the parallel traversal is discarded. */
static int conforms(struct vlad_machine *m, vlad_value primal, vlad_value tangent) {
    if (vlad_is_number(primal) && vlad_is_number(tangent)) return 1;
    vlad_value rebuilt =
        vlad_rebuild_with(m, primal, tangent, VLAD_TANGENT_OF_BUNDLE, VLAD_SHARING_KEPT, VLAD_PRIMALS_OTHER,
                          &making_companions, 0);
    if (m->fault.kind) return 0;
    vlad_drop(m, rebuilt);
    return 1;
}

vlad_value vlad_bundle(struct vlad_machine *m, vlad_value primal, vlad_value tangent) {
    int is_marked;
    tangent = vlad_as_given(VLAD_PERTURBATION, tangent, primal, &is_marked);
    if (!conforms(m, primal, tangent)) return vlad_nil();
    vlad_value shared = vlad_share(primal);
    return vlad_make_bundle(m, is_marked ? VLAD_MARKED_BUNDLE : VLAD_BUNDLE, shared, vlad_share(tangent));
}

/* (tangent b) of a bundle. */
static vlad_value tangent_of(struct vlad_machine *m, vlad_value bundle) {
    if (vlad_kind(bundle) == VLAD_CONSTANT) return vlad_zero(m, vlad_content(bundle));
    vlad_value tangent = vlad_share(vlad_as_slots(bundle)->values[VLAD_TANGENT_SLOT]);
    return vlad_kind(bundle) == VLAD_MARKED_BUNDLE ? vlad_tagged(m, VLAD_PERTURBATION, tangent) : tangent;
}

/* The kind of values with a tag of the table. */
static uint32_t kind_of(uint32_t mark) {
    switch (mark) {
    case VLAD_MARK_PERTURBATION:
        return VLAD_PERTURBATION;
    case VLAD_MARK_SENSITIVITY:
        return VLAD_SENSITIVITY;
    default: /* VLAD_MARK_REVERSE */
        return VLAD_REVERSED;
    }
}

vlad_value vlad_reflect(struct vlad_machine *m, uint32_t primitive, vlad_value argument) {
    const struct vlad_primitive_row *row = &vlad_primitive_rows[primitive];
    int is_bundle = vlad_is_tagged(argument) && vlad_tag_of(argument) == VLAD_BUNDLE;
    switch (row->form) {
    case VLAD_FORM_TRANSFORM_FORWARD:
        return vlad_tagged(m, VLAD_CONSTANT, vlad_share(argument));
    case VLAD_FORM_BUNDLE:
        if (!vlad_is_pair(argument)) break;
        return vlad_bundle(m, vlad_as_pair(argument)->first, vlad_as_pair(argument)->second);
    case VLAD_FORM_PRIMAL_OF:
        if (!is_bundle) break;
        return vlad_share(vlad_content(argument));
    case VLAD_FORM_TANGENT_OF:
        if (!is_bundle) break;
        return tangent_of(m, argument);
    case VLAD_FORM_MARK:
        return vlad_tagged(m, kind_of(row->detail), vlad_share(argument));
    case VLAD_FORM_UNMARK:
        return vlad_share(vlad_kind(argument) == kind_of(row->detail) ? vlad_content(argument) : argument);
    default: /* VLAD_FORM_INVERT */
        if (vlad_kind(argument) == kind_of(row->detail)) return vlad_share(vlad_content(argument));
    }
    return vlad_not_expected(m, primitive, argument);
}
