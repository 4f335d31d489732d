/* The operators: (j* f x x') is the pair of the value of f at x and its directional derivative along x' (forward mode);
 * (*j f x y') is the pair of the value and the cotangent of x for the cotangent y' of the value (reverse mode). Also
 * `zero` and `plus`, the operations of the tangent space of a value that a program needs as primitives.
 *
 * Enter: the positions of x become numbers of a new level. Then a frame is pushed and f is called. The frame's function
 * leaves: the result is split, in reverse mode after the sweep. The counterpart of forward.rs, reverse.rs and
 * tangent_space.rs in shared/ad/src.
 */
#include "operators.h"
#include "accumulators.h"
#include "arithmetic.h"
#include "computation.h"
#include "exits.h"
#include "levels.h"
#include "number.h"
#include "procedures.h"
#include "rules.h"
#include "stack.h"
#include "sweep.h"
#include "tape.h"
#include "traps.h"
#include "vector.h"

static uint32_t level_of(void *context) { return *(const uint32_t *)context; }

/* The operand of j* at a position. */
static vlad_value dual(struct vlad_machine *m, void *context, vlad_value primal, vlad_value tangent) {
    vlad_value owned = vlad_share(primal);
    return vlad_lift(m, level_of(context), owned, vlad_share(tangent));
}
static struct vlad_vector *duals(struct vlad_machine *m, void *context, struct vlad_vector *primals,
                                 struct vlad_vector *tangents) {
    struct vlad_vector *owned = vlad_vector_share(primals);
    return vlad_vector_of_duals(m, level_of(context), owned, vlad_vector_share(tangents));
}
static const struct vlad_making making_duals = {dual, duals};

vlad_value vlad_with_tangent(struct vlad_machine *m, uint32_t level, vlad_value x, vlad_value tangent, uint32_t role) {
    return vlad_rebuild_with(m, x, tangent, role, VLAD_SHARING_KEPT, VLAD_PRIMALS_SAME, &making_duals, &level);
}

vlad_value vlad_forward_enter(struct vlad_machine *m, vlad_value x, vlad_value tangent, uint32_t *level) {
    *level = vlad_level_begin(m, VLAD_MODE_FORWARD);
    if (m->fault.kind) return vlad_nil();
    return vlad_with_tangent(m, *level, x, tangent, VLAD_TANGENT);
}

static vlad_value primal_of(struct vlad_machine *m, void *context, vlad_value number, vlad_value none) {
    (void)m, (void)none;
    if (vlad_is_of_level(number, level_of(context))) number = vlad_as_lifted(number)->primal;
    return vlad_share(number);
}
/* There is no newer level. A vector that is constant at the level is among the primals unchanged. */
static struct vlad_vector *primals_of(struct vlad_machine *m, void *context, struct vlad_vector *reals,
                                      struct vlad_vector *none) {
    (void)m, (void)none;
    return vlad_vector_share(vlad_is_vector_of_level(reals, level_of(context)) ? reals->elements.primals : reals);
}
static const struct vlad_making making_primals = {primal_of, primals_of};

static vlad_value tangent_of(struct vlad_machine *m, void *context, vlad_value number, vlad_value none) {
    (void)none;
    if (!vlad_is_of_level(number, level_of(context))) return vlad_real(0.0);
    return vlad_given_back(m, vlad_as_lifted(number)->part);
}
static struct vlad_vector *zeros(struct vlad_machine *m, void *context, struct vlad_vector *reals,
                                 struct vlad_vector *none) {
    (void)context, (void)none;
    struct vlad_vector *made = vlad_vector_of_reals(m, reals->length);
    for (uint64_t index = 0; index < reals->length; index++) made->elements.reals[index] = 0.0;
    return made;
}
static struct vlad_vector *tangents_of(struct vlad_machine *m, void *context, struct vlad_vector *reals,
                                       struct vlad_vector *none) {
    if (!vlad_is_vector_of_level(reals, level_of(context))) return zeros(m, context, reals, none);
    const struct vlad_vector *tangents = reals->parts.tangents;
    if (!vlad_is_plain_vector(tangents)) return 0;
    struct vlad_vector *made = vlad_vector_of_reals(m, tangents->length);
    for (uint64_t index = 0; index < tangents->length; index++) {
        double tangent = tangents->elements.reals[index];
        int is_zero = tangent == 0.0 || vlad_real(tangent).word == VLAD_NO_TANGENT;
        made->elements.reals[index] = is_zero ? 0.0 : tangent;
    }
    return made;
}
static const struct vlad_making making_tangents = {tangent_of, tangents_of};

vlad_value vlad_primal_at(struct vlad_machine *m, uint32_t level, vlad_value y) {
    return vlad_rebuild(m, y, VLAD_SHARING_KEPT, VLAD_PRIMALS_SAME, &making_primals, &level);
}

vlad_value vlad_forward_tangent(struct vlad_machine *m, uint32_t level, vlad_value y) {
    vlad_level_end(m);
    return vlad_rebuild(m, y, VLAD_SHARING_KEPT, VLAD_PRIMALS_OTHER, &making_tangents, &level);
}

void vlad_forward_split(struct vlad_machine *m, uint32_t level, vlad_value y, vlad_value *primal, vlad_value *tangent) {
    vlad_level_end(m);
    *primal = vlad_primal_at(m, level, y);
    if (!m->fault.kind) *tangent = vlad_rebuild(m, y, VLAD_SHARING_KEPT, VLAD_PRIMALS_OTHER, &making_tangents, &level);
}

vlad_value vlad_forward_leave(struct vlad_machine *m, uint32_t level, vlad_value y) {
    vlad_value primal, tangent;
    vlad_forward_split(m, level, y, &primal, &tangent);
    return m->fault.kind ? vlad_nil() : vlad_pair(m, primal, tangent);
}

static vlad_value independent(struct vlad_machine *m, void *context, vlad_value primal, vlad_value none) {
    (void)none;
    uint32_t level = level_of(context);
    uint64_t node = vlad_tape_independent(&vlad_levels_of(m)->levels[level].tape);
    return vlad_lift(m, level, vlad_share(primal), vlad_raw(node));
}
static struct vlad_vector *independents(struct vlad_machine *m, void *context, struct vlad_vector *primals,
                                        struct vlad_vector *none) {
    (void)none;
    uint32_t level = level_of(context);
    struct vlad_tape *tape = &vlad_levels_of(m)->levels[level].tape;
    struct vlad_vector *made = vlad_vector_of_nodes(m, level, vlad_vector_share(primals));
    for (uint64_t index = 0; index < made->length; index++) made->parts.nodes[index] = vlad_tape_independent(tape);
    return made;
}
static const struct vlad_making making_independents = {independent, independents};

vlad_value vlad_number_positions(struct vlad_machine *m, uint32_t level, vlad_value x, enum vlad_sharing sharing) {
    return vlad_rebuild(m, x, sharing, VLAD_PRIMALS_SAME, &making_independents, &level);
}

vlad_value vlad_reverse_enter(struct vlad_machine *m, vlad_value x, uint32_t *level) {
    *level = vlad_level_begin(m, VLAD_MODE_REVERSE);
    if (m->fault.kind) return vlad_nil();
    vlad_value lifted = vlad_number_positions(m, *level, x, VLAD_SHARING_UNDONE);
    if (m->fault.kind || !vlad_tape_numbered(m, &vlad_levels_of(m)->levels[*level].tape)) return vlad_nil();
    return lifted;
}

/* Adds the cotangent of a position of y to the accumulator of its node. */
static vlad_value output(struct vlad_machine *m, void *context, vlad_value number, vlad_value cotangent) {
    struct vlad_reversal *reversal = context;
    if (vlad_is_of_level(number, reversal->level)) {
        size_t node = (size_t)vlad_as_lifted(number)->part.word;
        vlad_accumulators_add(m, reversal->accumulators_level, reversal->accumulators, node, cotangent);
    }
    return vlad_real(0.0);
}
/* The rebuilt value is discarded: any vector will do. */
static struct vlad_vector *outputs(struct vlad_machine *m, void *context, struct vlad_vector *reals,
                                   struct vlad_vector *cotangents) {
    struct vlad_reversal *reversal = context;
    if (!vlad_is_vector_of_level(reals, reversal->level)) return vlad_vector_share(reals);
    if (reversal->accumulators_level > 0 || !vlad_is_plain_vector(cotangents) || vlad_has_traps(m)) return 0;
    for (uint64_t index = 0; index < reals->length; index++) {
        uint64_t node = reals->parts.nodes[index];
        if (node != VLAD_NO_NUMBER)
            *vlad_sum(m, reversal->accumulators, (size_t)node) += cotangents->elements.reals[index];
    }
    return vlad_vector_share(reals);
}
static const struct vlad_making making_outputs = {output, outputs};

void vlad_seed(struct vlad_machine *m, struct vlad_reversal *reversal, vlad_value y, vlad_value cotangent,
               uint32_t role) {
    /* The parallel traversal accumulates as it goes; the value that it rebuilds is discarded. */
    vlad_value rebuilt = vlad_rebuild_with(m, y, cotangent, role, VLAD_SHARING_UNDONE, VLAD_PRIMALS_OTHER, &making_outputs, reversal);
    if (!m->fault.kind) vlad_drop(m, rebuilt);
}

static vlad_value cotangent_of(struct vlad_machine *m, void *context, vlad_value number, vlad_value none) {
    (void)number, (void)none;
    struct vlad_reversal *reversal = context;
    return vlad_accumulated(m, reversal->accumulators_level, reversal->accumulators, reversal->position++);
}
static struct vlad_vector *cotangents_of(struct vlad_machine *m, void *context, struct vlad_vector *reals,
                                         struct vlad_vector *none) {
    (void)none;
    struct vlad_reversal *reversal = context;
    if (reversal->accumulators_level > 0) return 0;
    struct vlad_vector *made = vlad_vector_of_reals(m, reals->length);
    for (uint64_t index = 0; index < reals->length; index++)
        made->elements.reals[index] = vlad_double(cotangent_of(m, context, vlad_nil(), vlad_nil()));
    return made;
}
static const struct vlad_making making_cotangents = {cotangent_of, cotangents_of};

vlad_value vlad_gather(struct vlad_machine *m, struct vlad_reversal *reversal, vlad_value x) {
    if (m->fault.kind) return vlad_nil();
    return vlad_rebuild(m, x, VLAD_SHARING_UNDONE, VLAD_PRIMALS_OTHER, &making_cotangents, reversal);
}

vlad_value vlad_reverse_sweep(struct vlad_machine *m, uint32_t level, struct vlad_tape *tape, vlad_value x,
                              vlad_value y, vlad_value cotangent, uint32_t role) {
    struct vlad_reversal reversal = {level, level, &tape->accumulators, 0};
    vlad_accumulators_make(m, level, &tape->accumulators, (size_t)tape->next);
    vlad_seed(m, &reversal, y, cotangent, role);
    vlad_sweep(m, level, tape);
    if (m->fault.kind) return vlad_nil();
    vlad_value gathered = vlad_gather(m, &reversal, x);
    if (m->fault.kind) return vlad_nil();
    vlad_tape_clear(m, level, tape);
    return gathered;
}

vlad_value vlad_reverse_leave(struct vlad_machine *m, uint32_t level, vlad_value x, vlad_value y,
                              vlad_value cotangent) {
    struct vlad_tape *tape = vlad_level_end(m);
    vlad_value primal = vlad_primal_at(m, level, y);
    if (m->fault.kind) return vlad_nil();
    uint32_t role = VLAD_COTANGENT + VLAD_PRIMITIVE_REVERSE;
    vlad_value gathered = vlad_reverse_sweep(m, level, tape, x, y, cotangent, role);
    return m->fault.kind ? vlad_nil() : vlad_pair(m, primal, gathered);
}

static vlad_value zero(struct vlad_machine *m, void *context, vlad_value number, vlad_value none) {
    (void)m, (void)context, (void)number, (void)none;
    return vlad_real(0.0);
}
static const struct vlad_making making_zeros = {zero, zeros};

vlad_value vlad_zero(struct vlad_machine *m, vlad_value value) {
    return vlad_rebuild(m, value, VLAD_SHARING_KEPT, VLAD_PRIMALS_OTHER, &making_zeros, 0);
}

static vlad_value sum(struct vlad_machine *m, void *context, vlad_value first, vlad_value second) {
    (void)context;
    return vlad_binary(m, VLAD_OPERATION_ADD, first, second);
}
static struct vlad_vector *sums(struct vlad_machine *m, void *context, struct vlad_vector *first,
                                struct vlad_vector *second) {
    (void)context;
    if (!vlad_is_plain_vector(first) || !vlad_is_plain_vector(second) || vlad_has_traps(m)) return 0;
    struct vlad_vector *made = vlad_vector_of_reals(m, first->length);
    for (uint64_t index = 0; index < made->length; index++)
        made->elements.reals[index] = vlad_real_add(m, first->elements.reals[index], second->elements.reals[index]);
    return made;
}
static const struct vlad_making making_sums = {sum, sums};

vlad_value vlad_plus(struct vlad_machine *m, vlad_value first, vlad_value second) {
    return vlad_rebuild_with(m, first, second, VLAD_SUMMAND, VLAD_SHARING_UNDONE, VLAD_PRIMALS_OTHER, &making_sums, 0);
}

/* The operands at levels that begin: these are the newest levels. They are separate functions so that no variable is left
 * for which a C compiler would keep a frame; then calls in tail position can be jumps. */
static inline vlad_value lifted_along(struct vlad_machine *m, vlad_value x, vlad_value tangent) {
    uint32_t level;
    return vlad_forward_enter(m, x, tangent, &level);
}
static inline vlad_value lifted_operand(struct vlad_machine *m, vlad_value x) {
    uint32_t level;
    return vlad_reverse_enter(m, x, &level);
}

/* The frames of the operators: their own values are followed by node and site. */
enum { FORWARD_LEVEL, FORWARD_NODE, FORWARD_SITE, FORWARD_VALUES };
enum { REVERSE_X, REVERSE_COTANGENT, REVERSE_LEVEL, REVERSE_NODE, REVERSE_SITE, REVERSE_VALUES };
static const struct vlad_frame forward_frame = {.kind = VLAD_FRAME_OPERATOR, .values = FORWARD_VALUES};
static const struct vlad_frame reverse_frame = {.kind = VLAD_FRAME_OPERATOR, .values = REVERSE_VALUES};

static int leave_forward(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                         vlad_value y) {
    (void)slots;
    fuel = vlad_operator_left(m, fuel);
    top = vlad_operator_values(top, &forward_frame);
    uint32_t node = (uint32_t)top[FORWARD_NODE].word, site = (uint32_t)top[FORWARD_SITE].word;
    vlad_value both = vlad_forward_leave(m, (uint32_t)top[FORWARD_LEVEL].word, y);
    if (VLAD_UNLIKELY(m->fault.kind)) return vlad_stop_at_call(m, top, fuel, node, site);
    vlad_drop(m, y);
    return vlad_operator_return(m, top, fuel, both);
}

int vlad_forward(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x,
                 vlad_value tangent) {
    int64_t left = vlad_operator_specialised(m, VLAD_CALL_FORWARD, f, x, tangent, fuel);
    if (left >= 0) return vlad_operator_return(m, top, left, m->arguments[0]);
    vlad_value lifted = lifted_along(m, x, tangent);
    if (VLAD_UNLIKELY(m->fault.kind)) return vlad_stop_at_call(m, top, fuel, m->call_node, vlad_site(m));
    vlad_drop(m, x);
    vlad_drop(m, tangent);
    top = vlad_push_operator(m, top, leave_forward, &forward_frame);
    vlad_operator_values(top, &forward_frame)[FORWARD_LEVEL] = vlad_raw(vlad_levels_of(m)->count - 1);
    fuel = vlad_operator_begun(m, fuel, VLAD_PRIMITIVE_FORWARD);
    return vlad_call(m, top, fuel, f, lifted);
}

static int leave_reverse(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                         vlad_value y) {
    (void)slots;
    fuel = vlad_operator_left(m, fuel);
    top = vlad_operator_values(top, &reverse_frame);
    uint32_t level = (uint32_t)top[REVERSE_LEVEL].word;
    uint32_t node = (uint32_t)top[REVERSE_NODE].word, site = (uint32_t)top[REVERSE_SITE].word;
    vlad_value x = top[REVERSE_X], cotangent = top[REVERSE_COTANGENT];
    vlad_value both = vlad_reverse_leave(m, level, x, y, cotangent);
    if (VLAD_UNLIKELY(m->fault.kind)) return vlad_stop_at_call(m, top, fuel, node, site);
    vlad_drop(m, x);
    vlad_drop(m, y);
    vlad_drop(m, cotangent);
    return vlad_operator_return(m, top, fuel, both);
}

int vlad_reverse(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x,
                 vlad_value cotangent) {
    int64_t left = vlad_operator_specialised(m, VLAD_CALL_REVERSE, f, x, cotangent, fuel);
    if (left >= 0) return vlad_operator_return(m, top, left, m->arguments[0]);
    vlad_value lifted = lifted_operand(m, x);
    if (VLAD_UNLIKELY(m->fault.kind)) return vlad_stop_at_call(m, top, fuel, m->call_node, vlad_site(m));
    top = vlad_push_operator(m, top, leave_reverse, &reverse_frame);
    vlad_value *values = vlad_operator_values(top, &reverse_frame);
    values[REVERSE_X] = x;
    values[REVERSE_COTANGENT] = cotangent;
    values[REVERSE_LEVEL] = vlad_raw(vlad_levels_of(m)->count - 1);
    fuel = vlad_operator_begun(m, fuel, VLAD_PRIMITIVE_REVERSE);
    return vlad_call(m, top, fuel, f, lifted);
}
