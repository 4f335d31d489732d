/* Calls of tagged procedures (shared's differentiation::transformed): a level of its own, on which one layer of tags of
 * procedure and operand is opened; then the untagged procedure is applied, and its value closed.
 *
 *   procedure                      operand              value
 *   bundle of f and f'             bundle of x and x'   bundle of y and its tangent
 *   reversed f                     reversed x           pair of reversed y and a backpropagator
 *   backpropagator                 cotangent of y       pair of the cotangents of f and x
 *   perturbation or sensitivity f  the same of x        the same of (f x)
 *
 * A procedure may have any number of tags: their calls take frames, but no host's stack, since they count as transfers.
 */
#include "machine_private.h"
#include "reflection.h"

/* What is rarely done stands apart, so that what is done often needs few registers. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define VLAD_APART __attribute__((noinline))
#else
#define VLAD_APART
#endif

/* The frames: after their own values come node and site. */
enum { TAG_KIND, TAG_NODE, TAG_SITE, TAG_VALUES };
enum { BUNDLE_LEVEL, BUNDLE_KIND, BUNDLE_NODE, BUNDLE_SITE, BUNDLE_VALUES };
enum { REVERSED_F, REVERSED_X, REVERSED_LEVEL, REVERSED_NUMBERED, REVERSED_NODE, REVERSED_SITE, REVERSED_VALUES };
enum { AGAIN_PARTS, AGAIN_COTANGENT, AGAIN_LEVEL, AGAIN_EXECUTION, AGAIN_NODE, AGAIN_SITE, AGAIN_VALUES };
static const struct vlad_frame tag_frame = {.kind = VLAD_FRAME_OPERATOR, .values = TAG_VALUES};
static const struct vlad_frame bundle_frame = {.kind = VLAD_FRAME_OPERATOR, .values = BUNDLE_VALUES};
static const struct vlad_frame reversed_frame = {.kind = VLAD_FRAME_OPERATOR, .values = REVERSED_VALUES};
static const struct vlad_frame again_frame = {.kind = VLAD_FRAME_OPERATOR, .values = AGAIN_VALUES};

static int enter(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand);

/* A fault of the call. */
static int stop_here(struct vlad_machine *m, vlad_value *top, int64_t fuel) {
    return vlad_stop_at_call(m, top, fuel, m->call_node, vlad_site(m));
}

/* A fault of leaving: of the call whose frame, of which the values are told, has been taken away. */
static int stop_left(struct vlad_machine *m, vlad_value *values, int64_t fuel, const struct vlad_frame *frame) {
    const vlad_value *end = values + frame->values;
    return vlad_stop_at_call(m, values, fuel, (uint32_t)end[-2].word, (uint32_t)end[-1].word);
}

/* Enters the call of a tagged procedure with an operand, which are the halves of x. */
static int enter_paused(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x) {
    vlad_value operator, operand;
    (void)slots;
    vlad_unpair(m, x, &operator, &operand);
    return enter(m, top, fuel, operator, operand);
}

/* Applies what is tagged itself; whether there is a procedure inside the tags shows when it is applied. Takes both. */
static VLAD_APART int apply_tagged(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator,
                                   vlad_value operand) {
    if (VLAD_LIKELY(--m->transfers >= 0)) return enter(m, top, fuel, operator, operand);
    m->paused_node = m->call_node;
    m->paused_site = vlad_site(m);
    return vlad_pause(m, top, fuel, NULL, vlad_pair(m, operator, operand), enter_paused);
}

/* Applies what may be. It is a jump where the C compiler makes one of a call in tail position. */
static inline int apply_inside(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator,
                               vlad_value operand) {
    if (VLAD_LIKELY(!vlad_is_tagged(operator))) return vlad_call(m, top, fuel, operator, operand);
    return apply_tagged(m, top, fuel, operator, operand);
}

/* The content of something tagged, which it takes. */
static vlad_value take_content(struct vlad_machine *m, vlad_value tagged) {
    vlad_value content = vlad_share(vlad_content(tagged));
    vlad_drop(m, tagged);
    return content;
}

/* Of perturbations and sensitivities; and of constants, since what is constant in procedure and operand is constant in the
 * value, whatever is inside. */

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

/* Of bundles. */

/* What a bundle is at a level: a zero tangent and none are the same to the bit (rule 5b). */
static vlad_value opened(struct vlad_machine *m, uint32_t level, vlad_value bundle) {
    const vlad_value *slots = vlad_as_slots(bundle)->values;
    if (vlad_kind(bundle) == VLAD_CONSTANT) return vlad_share(slots[VLAD_PRIMAL]);
    return vlad_with_tangent(m, level, slots[VLAD_PRIMAL], slots[VLAD_TANGENT_SLOT], VLAD_TANGENT_OF_BUNDLE);
}

/* What the continuation whose frame stands right below top wants; nothing but the whole value if there is none. */
static uint32_t wanted(const vlad_value *top) { return vlad_frame_below(top)->wants; }

/* Whether a continuation takes the tangent of a bundle of that kind as it is given. */
static int takes_tangent(uint32_t wants, uint32_t kind) {
    return wants == VLAD_WANTS_PLAIN_TANGENT || (wants == VLAD_WANTS_TANGENT && kind == VLAD_BUNDLE);
}

/* The tangent alone goes to who takes that. */
static int give_tangent(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t kind, vlad_value y) {
    uint32_t level = (uint32_t)top[BUNDLE_LEVEL].word;
    vlad_value tangent = vlad_forward_tangent(m, level, y);
    if (VLAD_UNLIKELY(m->fault.kind)) return stop_left(m, top, fuel, &bundle_frame);
    vlad_drop(m, y);
    if (kind == VLAD_BUNDLE && wanted(top) == VLAD_WANTS_PLAIN_TANGENT && vlad_kind(tangent) == VLAD_PERTURBATION)
        tangent = take_content(m, tangent);
    return vlad_operator_return(m, top, fuel, vlad_noted(tangent));
}

/* The whole bundle goes to everybody else. */
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

/* Of reversed procedures. */

/* Begins a reverse level and gives f and x lifted, each position by itself, those of f first. 0 if there is a fault. */
static int lift_both(struct vlad_machine *m, vlad_value f, vlad_value x, uint32_t *level, vlad_value *lifted_f,
                     vlad_value *lifted_x) {
    *level = vlad_level_begin(m, VLAD_MODE_REVERSE);
    if (!m->fault.kind) *lifted_f = vlad_number_positions(m, *level, f, VLAD_SHARING_UNDONE);
    if (!m->fault.kind) *lifted_x = vlad_number_positions(m, *level, x, VLAD_SHARING_UNDONE);
    return !m->fault.kind && vlad_tape_numbered(m, &vlad_levels_of(m)->levels[*level].tape);
}

/* What is given to who wants to see the backpropagator. */
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

/* Applies f at a reverse level that has begun, both of which have been lifted. Takes all. */
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

/* The call where both are numbered. */
static VLAD_APART int call_numbered(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value f, vlad_value x) {
    uint32_t level;
    vlad_value lifted_f, lifted_x;
    if (VLAD_UNLIKELY(!lift_both(m, f, x, &level, &lifted_f, &lifted_x))) return stop_here(m, top, fuel);
    return run_reversed(m, top, fuel, VLAD_BOTH_NUMBERED, f, x, lifted_f, lifted_x);
}

/* The operand of a reverse level that begins. */
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

/* Of backpropagators. */

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

/* Executes f, for a cotangent, which it takes as it does the backpropagator. */
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

int vlad_give_cotangents(struct vlad_machine *m, vlad_value *top, int64_t fuel, int is_marked, vlad_value of_f,
                         vlad_value of_x) {
    if (vlad_takes_second(top, is_marked)) {
        vlad_drop(m, of_f);
        return vlad_operator_return(m, top, fuel, vlad_noted(of_x));
    }
    vlad_value both = vlad_pair(m, of_f, of_x);
    return vlad_operator_return(m, top, fuel, vlad_cotangents_given_back(m, is_marked, both));
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
