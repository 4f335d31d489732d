/* Calls of tagged procedures (shared/runtime/src/operators/transformed.rs). One layer of tags of procedure and operand
 * is opened, for bundles and reversed values at a new level; then the untagged procedure is applied, and its value closed.
 *
 *   procedure                      operand              value
 *   bundle of f and f'             bundle of x and x'   bundle of y and its tangent
 *   reversed f                     reversed x           pair of reversed y and a backpropagator
 *   backpropagator                 cotangent of y       pair of the cotangents of f and x
 *   perturbation or sensitivity f  the same of x        the same of (f x)
 *
 * A procedure may have any number of tags: their calls take frames, but no host stack, since they count as transfers.
 */
#include "transformed.h"
#include "backpropagator.h"
#include "computation.h"
#include "exits.h"
#include "journal.h"
#include "levels.h"
#include "operators.h"
#include "pull.h"
#include "record.h"
#include "reflection.h"
#include "rules.h"
#include "stack.h"
#include "tagged.h"
#include "tape.h"
#include "walk.h"

/* The frames: their own values are followed by node and site. */
enum { TAG_KIND, TAG_NODE, TAG_SITE, TAG_VALUES };
enum { BUNDLE_LEVEL, BUNDLE_KIND, BUNDLE_NODE, BUNDLE_SITE, BUNDLE_VALUES };
enum { REVERSED_F, REVERSED_X, REVERSED_LEVEL, REVERSED_NUMBERED, REVERSED_NODE, REVERSED_SITE, REVERSED_VALUES };
enum { AGAIN_PARTS, AGAIN_COTANGENT, AGAIN_LEVEL, AGAIN_EXECUTION, AGAIN_NODE, AGAIN_SITE, AGAIN_VALUES };
static const struct vlad_frame tag_frame = {.kind = VLAD_FRAME_OPERATOR, .values = TAG_VALUES};
static const struct vlad_frame bundle_frame = {.kind = VLAD_FRAME_OPERATOR, .values = BUNDLE_VALUES};
static const struct vlad_frame reversed_frame = {.kind = VLAD_FRAME_OPERATOR, .values = REVERSED_VALUES};
static const struct vlad_frame again_frame = {.kind = VLAD_FRAME_OPERATOR, .values = AGAIN_VALUES};

static int enter(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand);

/* Stops with a fault of the call. */
static int stop_here(struct vlad_machine *m, vlad_value *top, int64_t fuel) {
    return vlad_stop_at_call(m, top, fuel, m->call_node, vlad_site(m));
}

/* Stops with a fault at the exit of a call whose frame has been popped; `values` are the values of that frame. */
static int stop_left(struct vlad_machine *m, vlad_value *values, int64_t fuel, const struct vlad_frame *frame) {
    const vlad_value *end = values + frame->values;
    return vlad_stop_at_call(m, values, fuel, (uint32_t)end[-2].word, (uint32_t)end[-1].word);
}

/* Enters the call of a tagged procedure with an operand, the halves of x. */
static int enter_paused(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x) {
    vlad_value operator, operand;
    (void)slots;
    vlad_unpair(m, x, &operator, &operand);
    return enter(m, top, fuel, operator, operand);
}

/* Applies a tagged operator; a missing procedure inside the tags is detected when it is applied. Takes both. */
static VLAD_APART int apply_tagged(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator,
                                   vlad_value operand) {
    if (VLAD_LIKELY(--m->transfers >= 0)) return enter(m, top, fuel, operator, operand);
    m->paused_node = m->call_node;
    m->paused_site = vlad_site(m);
    return vlad_pause(m, top, fuel, NULL, vlad_pair(m, operator, operand), enter_paused);
}

/* Applies an operator that may be tagged. A jump if the C compiler optimises calls in tail position. */
static inline int apply_inside(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator,
                               vlad_value operand) {
    if (VLAD_LIKELY(!vlad_is_tagged(operator))) return vlad_call(m, top, fuel, operator, operand);
    return apply_tagged(m, top, fuel, operator, operand);
}

/* The content of a tagged value, which it takes. */
static vlad_value take_content(struct vlad_machine *m, vlad_value tagged) {
    vlad_value content = vlad_share(vlad_content(tagged));
    vlad_drop(m, tagged);
    return content;
}

/* Perturbations and sensitivities; and constants, since the value of a constant procedure at a constant operand is
 * constant, whatever the content. */

static int leave_tag(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value y) {
    (void)slots;
    vlad_operator_end(m, &fuel);
    top = vlad_operator_values(top, &tag_frame);
    vlad_value tagged = vlad_tagged(m, (uint32_t)top[TAG_KIND].word, y);
    return vlad_operator_return(m, top, fuel, tagged);
}

static int enter_tag(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand) {
    uint32_t kind = vlad_kind(operator);
    vlad_value f = take_content(m, operator), x = take_content(m, operand);
    top = vlad_push_operator(m, top, leave_tag, &tag_frame);
    vlad_operator_values(top, &tag_frame)[TAG_KIND] = vlad_raw(kind);
    uint32_t shown_as = kind == VLAD_PERTURBATION   ? VLAD_PRIMITIVE_PERTURB
                        : kind == VLAD_SENSITIVITY ? VLAD_PRIMITIVE_SENSITIZE
                                                   : VLAD_PRIMITIVE_FORWARD;
    vlad_operator_begin(m, &fuel, shown_as, VLAD_UNMEASURED);
    return apply_inside(m, top, fuel, f, x);
}

/* Bundles. */

/* A bundle lifted to a level: a zero tangent and none are the same to the bit (rule 5b). */
static vlad_value opened(struct vlad_machine *m, uint32_t level, vlad_value bundle) {
    const vlad_value *slots = vlad_as_slots(bundle)->values;
    if (vlad_kind(bundle) == VLAD_CONSTANT) return vlad_share(slots[VLAD_PRIMAL]);
    return vlad_with_tangent(m, level, slots[VLAD_PRIMAL], slots[VLAD_TANGENT_SLOT], VLAD_TANGENT_OF_BUNDLE);
}

/* The use that the continuation whose frame is right below top makes of its value; the whole value if unknown. */
static uint32_t wanted(const vlad_value *top) { return vlad_frame_below(top)->wants; }

/* True if a continuation uses only the tangent of a bundle of that kind, in the form in which it is given. */
static int takes_tangent(uint32_t wants, uint32_t kind) {
    return wants == VLAD_WANTS_PLAIN_TANGENT || (wants == VLAD_WANTS_TANGENT && kind == VLAD_BUNDLE);
}

/* Returns the tangent alone to a continuation that uses no other part. */
static int give_tangent(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t kind, vlad_value y) {
    uint32_t level = (uint32_t)top[BUNDLE_LEVEL].word;
    vlad_value tangent = vlad_forward_tangent(m, level, y);
    if (VLAD_UNLIKELY(m->fault.kind)) return stop_left(m, top, fuel, &bundle_frame);
    vlad_drop(m, y);
    if (kind == VLAD_BUNDLE && wanted(top) == VLAD_WANTS_PLAIN_TANGENT && vlad_kind(tangent) == VLAD_PERTURBATION)
        tangent = take_content(m, tangent);
    return vlad_operator_return(m, top, fuel, vlad_noted(tangent));
}

/* Returns the whole bundle. */
static VLAD_APART int give_bundle(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t kind, vlad_value y) {
    vlad_value primal, tangent;
    vlad_forward_split(m, (uint32_t)top[BUNDLE_LEVEL].word, y, &primal, &tangent);
    if (VLAD_UNLIKELY(m->fault.kind)) return stop_left(m, top, fuel, &bundle_frame);
    vlad_drop(m, y);
    return vlad_operator_return(m, top, fuel, vlad_make_bundle(m, kind, primal, tangent));
}

static int leave_bundle(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                        vlad_value y) {
    (void)slots;
    fuel = vlad_operator_left(m, fuel);
    top = vlad_operator_values(top, &bundle_frame);
    uint32_t kind = (uint32_t)top[BUNDLE_KIND].word;
    if (takes_tangent(wanted(top), kind)) return give_tangent(m, top, fuel, kind, y);
    return give_bundle(m, top, fuel, kind, y);
}

/* Applies f at a forward level that has begun. Takes both. */
static int run_at_level(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t level, int is_marked, vlad_value f,
                        vlad_value x) {
    top = vlad_push_operator(m, top, leave_bundle, &bundle_frame);
    vlad_value *values = vlad_operator_values(top, &bundle_frame);
    values[BUNDLE_LEVEL] = vlad_raw(level);
    values[BUNDLE_KIND] = vlad_raw(is_marked ? VLAD_MARKED_BUNDLE : VLAD_BUNDLE);
    fuel = vlad_operator_begun(m, fuel, VLAD_PRIMITIVE_FORWARD);
    return apply_inside(m, top, fuel, f, x);
}

static int enter_bundle(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator,
                        vlad_value operand) {
    vlad_value f = vlad_nil(), x = vlad_nil();
    int is_marked = vlad_kind(operator) == VLAD_MARKED_BUNDLE || vlad_kind(operand) == VLAD_MARKED_BUNDLE;
    uint32_t level = vlad_level_begin(m, VLAD_MODE_FORWARD);
    if (!m->fault.kind) f = opened(m, level, operator);
    if (!m->fault.kind) x = opened(m, level, operand);
    if (VLAD_UNLIKELY(m->fault.kind)) return stop_here(m, top, fuel);
    vlad_drop(m, operator);
    vlad_drop(m, operand);
    return run_at_level(m, top, fuel, level, is_marked, f, x);
}

vlad_value vlad_open(struct vlad_machine *m, vlad_value x, vlad_value tangent, int is_perturbed) {
    /* The level begins with the call. */
    uint32_t level = vlad_levels_of(m)->count;
    int is_marked = is_perturbed && vlad_kind(x) != VLAD_PERTURBATION;
    vlad_value made = vlad_nil();
    if (is_perturbed && !is_marked) tangent = made = vlad_tagged(m, VLAD_PERTURBATION, vlad_share(tangent));
    if (!is_marked) tangent = vlad_as_given(VLAD_PERTURBATION, tangent, x, &is_marked);
    vlad_value opened = vlad_with_tangent(m, level, x, tangent, VLAD_TANGENT_OF_BUNDLE);
    if (m->fault.kind) return vlad_nil();
    vlad_drop(m, made);
    return is_marked ? vlad_noted(opened) : opened;
}

int vlad_call_bundled(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x) {
    uint32_t level = vlad_level_begin(m, VLAD_MODE_FORWARD);
    if (VLAD_UNLIKELY(m->fault.kind)) return stop_here(m, top, fuel);
    return run_at_level(m, top, fuel, level, vlad_is_noted(x), f, vlad_without_note(x));
}

/* Reversed procedures. */

/* Begins a reverse level and lifts f and x, each position separately, those of f first. Returns 0 if there is a fault. */
static int lift_both(struct vlad_machine *m, vlad_value f, vlad_value x, uint32_t *level, vlad_value *lifted_f,
                     vlad_value *lifted_x) {
    *level = vlad_level_begin(m, VLAD_MODE_REVERSE);
    if (!m->fault.kind) *lifted_f = vlad_number_positions(m, *level, f, VLAD_SHARING_UNDONE);
    if (!m->fault.kind) *lifted_x = vlad_number_positions(m, *level, x, VLAD_SHARING_UNDONE);
    return !m->fault.kind && vlad_tape_numbered(m, &vlad_levels_of(m)->levels[*level].tape);
}

/* Returns the pair of the reversed value and the backpropagator, if the backpropagator is needed as a value. */
static VLAD_APART int give_reversed(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_reads *reads,
                                    vlad_value y) {
    uint32_t level = (uint32_t)top[REVERSED_LEVEL].word;
    enum vlad_numbered numbered = (enum vlad_numbered)top[REVERSED_NUMBERED].word;
    vlad_value primal = vlad_primal_at(m, level, y);
    if (VLAD_UNLIKELY(m->fault.kind)) return stop_left(m, top, fuel, &reversed_frame);
    vlad_value backpropagator = vlad_backpropagator(m, level, numbered, top[REVERSED_F], top[REVERSED_X], y, reads);
    vlad_value reversed = vlad_tagged(m, VLAD_REVERSED, primal);
    return vlad_operator_return(m, top, fuel, vlad_pair(m, reversed, backpropagator));
}

static int leave_reversed(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                          vlad_value y) {
    (void)slots;
    fuel = vlad_operator_left(m, fuel);
    top = vlad_operator_values(top, &reversed_frame);
    struct vlad_reads *reads = vlad_reads_end(m);
    vlad_level_end(m);
    int is_numbered = top[REVERSED_NUMBERED].word == VLAD_BOTH_NUMBERED;
    if (is_numbered || wanted(top) != VLAD_WANTS_PULL) return give_reversed(m, top, fuel, reads, y);
    struct vlad_application *put_by = &vlad_private(m)->pull;
    put_by->f = top[REVERSED_F];
    put_by->x = top[REVERSED_X];
    put_by->y = y;
    put_by->level = (uint32_t)top[REVERSED_LEVEL].word;
    put_by->reads = reads;
    return vlad_operator_return(m, top, fuel, vlad_noted(vlad_raw(0)));
}

/* Applies f at a reverse level that has begun, with f and x already lifted. Takes all. */
static inline int run_reversed(struct vlad_machine *m, vlad_value *top, int64_t fuel, enum vlad_numbered numbered,
                               vlad_value f, vlad_value x, vlad_value lifted_f, vlad_value lifted_x) {
    vlad_journal_begin(vlad_private(m));
    top = vlad_push_operator(m, top, leave_reversed, &reversed_frame);
    vlad_value *values = vlad_operator_values(top, &reversed_frame);
    values[REVERSED_F] = f;
    values[REVERSED_X] = x;
    values[REVERSED_LEVEL] = vlad_raw(vlad_levels_of(m)->count - 1);
    values[REVERSED_NUMBERED] = vlad_raw(numbered);
    fuel = vlad_operator_begun(m, fuel, VLAD_PRIMITIVE_REVERSE);
    return apply_inside(m, top, fuel, lifted_f, lifted_x);
}

/* The call if the positions of both are numbered. */
static VLAD_APART int call_numbered(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x) {
    uint32_t level;
    vlad_value lifted_f, lifted_x;
    if (VLAD_UNLIKELY(!lift_both(m, f, x, &level, &lifted_f, &lifted_x))) return stop_here(m, top, fuel);
    return run_reversed(m, top, fuel, VLAD_BOTH_NUMBERED, f, x, lifted_f, lifted_x);
}

/* Begins a reverse level and lifts the operand. */
static inline vlad_value lifted_operand(struct vlad_machine *m, vlad_value x) {
    uint32_t level;
    return vlad_reverse_enter(m, x, &level);
}

/* The call of reversed f with reversed x. Takes both, without the tags. */
int vlad_call_reversed(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x) {
    if (vlad_positions_to_number(m, top, f) == VLAD_BOTH_NUMBERED) return call_numbered(m, top, fuel, f, x);
    vlad_value lifted = lifted_operand(m, x);
    if (VLAD_UNLIKELY(m->fault.kind)) return stop_here(m, top, fuel);
    return run_reversed(m, top, fuel, VLAD_OPERAND_NUMBERED, f, x, vlad_share(f), lifted);
}

static int enter_reversed(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator,
                          vlad_value operand) {
    vlad_value f = take_content(m, operator);
    return vlad_call_reversed(m, top, fuel, f, take_content(m, operand));
}

/* Backpropagators. */

static int leave_again(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value y) {
    struct machine *machine = vlad_private(m);
    (void)slots;
    int64_t steps = vlad_end(m, &fuel);
    top = vlad_operator_values(top, &again_frame);
    vlad_value parts = top[AGAIN_PARTS], cotangent = top[AGAIN_COTANGENT];
    int is_marked;
    if (top[AGAIN_EXECUTION].word == VLAD_AGAIN) vlad_journal_end(machine);
    vlad_value given = vlad_as_given(VLAD_SENSITIVITY, cotangent, y, &is_marked);
    vlad_value gathered = vlad_reverse_sweep(m, (uint32_t)top[AGAIN_LEVEL].word, vlad_level_end(m), parts, y, given,
                                             VLAD_COMPANION_SENSITIVITY);
    if (VLAD_UNLIKELY(m->fault.kind)) return stop_left(m, top, fuel, &again_frame);
    vlad_tell_ended(m, (uint64_t)steps);
    vlad_drop(m, parts);
    vlad_drop(m, cotangent);
    vlad_drop(m, y);
    return vlad_operator_return(m, top, fuel, vlad_cotangents_given_back(m, is_marked, gathered));
}

/* Executes f again for a cotangent, which it takes as it does the backpropagator. */
static int enter_again(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value backpropagator,
                       vlad_value cotangent) {
    struct machine *machine = vlad_private(m);
    const struct vlad_slots *slots = vlad_as_slots(backpropagator);
    uint32_t level;
    vlad_value f, x;
    if (VLAD_UNLIKELY(!lift_both(m, slots->values[VLAD_BACK_OPERATOR],
                                 slots->values[VLAD_BACK_OPERAND], &level, &f, &x)))
        return stop_here(m, top, fuel);
    const struct vlad_reads *reads = vlad_reads_in(slots);
    enum vlad_execution execution = vlad_is_of_application(backpropagator) ? VLAD_AGAIN : VLAD_FIRST_EXECUTION;
    if (execution == VLAD_AGAIN)
        vlad_journal_replay(machine, reads ? reads->reals : NULL, reads ? reads->count : 0);
    top = vlad_push_operator(m, top, leave_again, &again_frame);
    vlad_value *values = vlad_operator_values(top, &again_frame);
    values[AGAIN_PARTS] = vlad_backpropagator_parts(m, backpropagator);
    values[AGAIN_COTANGENT] = cotangent;
    values[AGAIN_LEVEL] = vlad_raw(level);
    values[AGAIN_EXECUTION] = vlad_raw(execution);
    vlad_drop(m, backpropagator);
    vlad_tell_begun(m, VLAD_PRIMITIVE_REVERSE);
    top = vlad_begin(m, top, &fuel, VLAD_NO_LIMIT, execution);
    return apply_inside(m, top, fuel, f, x);
}

static int go_back(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value backpropagator,
                   vlad_value cotangent) {
    if (!vlad_has_record(backpropagator)) return enter_again(m, top, fuel, backpropagator, cotangent);
    int is_marked;
    vlad_value of_f, of_x;
    vlad_backpropagate(m, backpropagator, cotangent, &is_marked, &of_f, &of_x);
    if (VLAD_UNLIKELY(m->fault.kind)) return stop_here(m, top, fuel);
    vlad_drop(m, backpropagator);
    vlad_drop(m, cotangent);
    return vlad_give_cotangents(m, top, fuel, is_marked, of_f, of_x);
}

/* Enters the call of a tagged procedure. Takes both. */
static int enter(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand) {
    if (vlad_kind(operator) == VLAD_BACKPROPAGATOR) return go_back(m, top, fuel, operator, operand);
    if (VLAD_UNLIKELY(!vlad_have_same_tag(operator, operand))) {
        m->fault.kind = VLAD_FAULT_WITHOUT_TAG;
        m->fault.first = operator;
        m->fault.second = operand;
        return stop_here(m, top, fuel);
    }
    switch (vlad_kind(operator)) {
    case VLAD_PERTURBATION:
    case VLAD_SENSITIVITY:
        return enter_tag(m, top, fuel, operator, operand);
    case VLAD_REVERSED:
        return enter_reversed(m, top, fuel, operator, operand);
    default: /* a bundle */
        if (vlad_kind(operator) == VLAD_CONSTANT && vlad_kind(operand) == VLAD_CONSTANT)
            return enter_tag(m, top, fuel, operator, operand);
        return enter_bundle(m, top, fuel, operator, operand);
    }
}

int vlad_transformed(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand) {
    return apply_inside(m, top, fuel, operator, operand);
}
