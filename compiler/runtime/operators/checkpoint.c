/* (checkpoint-*j f x y'), the operator *j with checkpointing: a tape of one interval of the execution at a time. The
 * counterpart of shared/runtime/src/operators/checkpoint.rs.
 *
 * f is executed once to count its steps. Then intervals are re-executed as the schedule of the host determines, and
 * reversed from the last to the first. In each execution, even the first, x is lifted to numbers of the level. A nested
 * sweep skips plain zeros, so this is necessary for the same operations at the enclosing levels. The level numbers its
 * nodes even if nothing is recorded, so every number in a state has its node. Cotangents that a sweep leaves for nodes
 * of earlier intervals are carried over to the sweeps of those intervals. So the sums are those of *j, term by term
 * (rule 5a). During a re-execution the enclosing levels replay: they assign the numbers of the first execution and
 * record nothing.
 *
 * The operator has one frame on the stack for all executions; its own data are in a separate block.
 */
#include "checkpoint.h"
#include "computation.h"
#include "exits.h"
#include "journal.h"
#include "levels.h"
#include "memory.h"
#include "nodes.h"
#include "number.h"
#include "operators.h"
#include "stack.h"
#include "sweep.h"
#include "tape.h"
#include "vector.h"
#include "walk.h"

/* A snapshot: a state that is kept, with the positions of effects and levels in it. */
struct snapshot {
    struct snapshot *below;
    struct vlad_segment *state; /* 0 is the beginning: f is applied to lifted x */
    uint64_t journal;
    uint64_t next[]; /* the numbers of the next nodes of the levels up to the operator's */
};

/* The position of an enclosing level before a re-execution. */
struct progress {
    uint64_t next;
    uint8_t replaying;
};

/* An application under way. */
struct checkpoint {
    uint32_t primitive;
    uint32_t level;
    vlad_value f;
    vlad_value x;
    vlad_value lifted; /* x lifted to numbers of the level */
    vlad_value cotangent;
    struct vlad_checkpoint_options options;
    int is_measured;
    vlad_value y;
    uint64_t steps;
    struct snapshot *snapshots; /* the latest first */
    uint64_t snapshot_count;
    struct vlad_action action; /* the action that is executed */
    int64_t executed; /* the steps of the last action; negative if there has been none */
    struct progress frontier[];
};

enum { CHECKPOINT, CHECKPOINT_NODE, CHECKPOINT_SITE, CHECKPOINT_VALUES };
static int interrupted(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_segment *state);
static const struct vlad_frame checkpoint_frame = {
    .kind = VLAD_FRAME_OPERATOR, .values = CHECKPOINT_VALUES, .interrupted = interrupted};

static void *room(struct vlad_machine *m, size_t bytes) {
    void *block = vlad_block_take(&vlad_private(m)->memory, bytes);
    if (!block) vlad_out_of_memory(m);
    return block;
}

static struct vlad_level *level_of(struct vlad_machine *m, uint32_t level) { return &vlad_levels_of(m)->levels[level]; }

/* Keeps a state, which it takes, with the current positions of levels and effects. */
static void keep(struct vlad_machine *m, struct checkpoint *c, struct vlad_segment *state) {
    struct snapshot *snapshot = room(m, sizeof *snapshot + (c->level + 1) * sizeof snapshot->next[0]);
    snapshot->below = c->snapshots;
    snapshot->state = state;
    snapshot->journal = vlad_journal_mark(vlad_private(m));
    for (uint32_t level = 0; level <= c->level; level++) snapshot->next[level] = level_of(m, level)->tape.next;
    c->snapshots = snapshot;
    c->snapshot_count++;
}

/* Sets the position of an enclosing level. */
static void set_progress(struct vlad_level *level, struct progress progress) {
    if (level->mode == VLAD_MODE_FORWARD) return;
    level->tape.next = progress.next;
    level->tape.replaying = progress.replaying;
    vlad_tape_set_quick(&level->tape);
}

/* Resets levels and effects to their positions in a snapshot. */
static void rewind_to(struct vlad_machine *m, struct checkpoint *c, const struct snapshot *snapshot) {
    for (uint32_t level = 0; level < c->level; level++) {
        const struct vlad_tape *tape = &level_of(m, level)->tape;
        c->frontier[level] = (struct progress){tape->next, tape->replaying};
        set_progress(level_of(m, level), (struct progress){snapshot->next[level], 1});
    }
    struct vlad_tape *own = &level_of(m, c->level)->tape;
    vlad_tape_records(own, snapshot->next[c->level]);
    if (c->action.kind == VLAD_ACTION_ADVANCE) vlad_tape_counts(own);
    vlad_journal_rewind(vlad_private(m), snapshot->journal);
}

/* Restores their positions from before the re-execution. */
static void settle(struct vlad_machine *m, struct checkpoint *c) {
    for (uint32_t level = 0; level < c->level; level++) set_progress(level_of(m, level), c->frontier[level]);
    vlad_journal_settle(vlad_private(m));
}

/* Adds the cotangent of a position of y to the accumulator of its node. */
static vlad_value seed(struct vlad_machine *m, void *context, vlad_value number, vlad_value cotangent) {
    uint32_t level = *(const uint32_t *)context;
    if (vlad_is_of_level(number, level))
        vlad_carry_add(m, level_of(m, level), vlad_as_lifted(number)->part.word, cotangent);
    return vlad_real(0.0);
}
static const struct vlad_making making_seeds = {seed, 0};

static vlad_value itself(struct vlad_machine *m, void *context, vlad_value number, vlad_value companion) {
    (void)m, (void)context, (void)number;
    return vlad_share(companion);
}
static struct vlad_vector *themselves(struct vlad_machine *m, void *context, struct vlad_vector *reals,
                                      struct vlad_vector *companion) {
    (void)m, (void)context, (void)reals;
    return vlad_vector_share(companion);
}
static const struct vlad_making making_themselves = {itself, themselves};

/* Traverses y in parallel with its cotangent. */
static void walk_beside(struct vlad_machine *m, struct checkpoint *c, vlad_value y, enum vlad_sharing sharing,
                        const struct vlad_making *making) {
    uint32_t role = VLAD_COTANGENT + c->primitive;
    vlad_value rebuilt = vlad_rebuild_with(m, y, c->cotangent, role, sharing, VLAD_PRIMALS_OTHER, making, &c->level);
    if (!m->fault.kind) vlad_drop(m, rebuilt);
}

/* Sweeps back over the recorded interval. The level counts as ended meanwhile, so that it is not one that could see a
 * node of a coefficient of 1. The sweep of the first reversal, which has y, begins with the cotangent of y. */
static void sweep(struct vlad_machine *m, struct checkpoint *c, const vlad_value *y) {
    struct vlad_levels *levels = vlad_levels_of(m);
    levels->reverse--;
    if (y) walk_beside(m, c, *y, VLAD_SHARING_UNDONE, &making_seeds);
    if (!m->fault.kind) vlad_sweep_part(m, c->level);
    levels->reverse++;
    vlad_tape_counts(&level_of(m, c->level)->tape);
}

static vlad_value cotangent_of(struct vlad_machine *m, void *context, vlad_value number, vlad_value none) {
    (void)number, (void)none;
    uint64_t *position = context;
    return vlad_carried(m, level_of(m, vlad_levels_of(m)->count - 1), (*position)++);
}
static const struct vlad_making making_cotangents = {cotangent_of, 0};

/* Ends the operator after the last reversal: returns y and the cotangent of x, and frees all else. */
static vlad_value finish(struct vlad_machine *m, struct checkpoint *c) {
    uint64_t position = 0;
    vlad_value gathered = vlad_rebuild(m, c->x, VLAD_SHARING_UNDONE, VLAD_PRIMALS_OTHER, &making_cotangents, &position);
    if (m->fault.kind) return vlad_nil();
    vlad_journal_end(vlad_private(m));
    struct vlad_level *level = level_of(m, c->level);
    vlad_nodes_clear(m, &level->carry);
    vlad_tape_clear(m, c->level, &level->tape);
    vlad_level_end(m);
    vlad_drop(m, c->f);
    vlad_drop(m, c->x);
    vlad_drop(m, c->lifted);
    vlad_drop(m, c->cotangent);
    vlad_value both = vlad_pair(m, c->y, gathered);
    vlad_block_give(&vlad_private(m)->memory, c);
    return both;
}

static int stop_here(struct vlad_machine *m, vlad_value *top, int64_t fuel) {
    const vlad_value *values = vlad_operator_values(top, &checkpoint_frame);
    uint32_t node = (uint32_t)values[CHECKPOINT_NODE].word, site = (uint32_t)values[CHECKPOINT_SITE].word;
    return vlad_stop_at_call(m, top - 1 - CHECKPOINT_VALUES, fuel, node, site);
}

static struct checkpoint *of_frame(vlad_value *top) {
    return (struct checkpoint *)(uintptr_t)vlad_operator_values(top, &checkpoint_frame)[CHECKPOINT].word;
}

/* The state of the latest snapshot, owned; 0 if that is the beginning. A snapshot that is reversed from is removed. */
static struct vlad_segment *state_to_run_from(struct vlad_machine *m, struct checkpoint *c) {
    struct snapshot *latest = c->snapshots;
    struct vlad_segment *state = latest->state;
    if (c->action.kind == VLAD_ACTION_ADVANCE) return state ? vlad_state_share(state) : NULL;
    c->snapshots = latest->below;
    c->snapshot_count--;
    vlad_block_give(&vlad_private(m)->memory, latest);
    return state;
}

/* Executes the next action of the schedule, or ends. */
static int go_on(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct checkpoint *c) {
    if (m->fault.kind) return stop_here(m, top, fuel);
    vlad_value *values = vlad_operator_values(top, &checkpoint_frame);
    struct machine *machine = vlad_private(m);
    uint64_t node = c->snapshots ? c->snapshots->next[c->level] : 0;
    int next = machine->calls.schedule_next(machine->host, &c->action, c->snapshot_count, node, c->executed);
    if (!vlad_answered(machine, next)) {
        uint64_t steps = c->steps;
        vlad_value both = finish(m, c);
        if (m->fault.kind) return stop_here(m, top, fuel);
        vlad_tell_ended(m, steps);
        return vlad_operator_return(m, values, fuel, both);
    }
    int is_last = c->action.kind == VLAD_ACTION_REVERSE && c->action.from + c->action.steps == c->steps;
    rewind_to(m, c, c->snapshots);
    struct vlad_segment *state = state_to_run_from(m, c);
    m->call_node = (uint32_t)values[CHECKPOINT_NODE].word;
    m->site = (uint32_t)values[CHECKPOINT_SITE].word;
    top = vlad_begin(m, top, &fuel, is_last ? VLAD_NO_LIMIT : (int64_t)c->action.steps, VLAD_AGAIN);
    if (state) return vlad_go_on(m, top, fuel, state);
    return vlad_call(m, top, fuel, vlad_share(c->f), vlad_share(c->lifted));
}

/* Handles the end of the first execution, whose value y it takes. */
static void measure(struct vlad_machine *m, struct checkpoint *c, vlad_value y, int64_t steps) {
    struct machine *machine = vlad_private(m);
    c->is_measured = 1;
    c->y = vlad_primal_at(m, c->level, y);
    c->steps = (uint64_t)steps;
    if (!m->fault.kind) walk_beside(m, c, c->y, VLAD_SHARING_KEPT, &making_themselves);
    if (m->fault.kind) return;
    vlad_drop(m, y);
    uint64_t begin = c->snapshots->next[c->level], end = level_of(m, c->level)->tape.next;
    int begun = machine->calls.schedule_begin(machine->host, c->primitive, &c->options, c->steps, begin, end);
    if (!vlad_answered(machine, begun)) m->fault.kind = VLAD_FAULT_HOST;
}

/* Handles an execution of f that has returned its value: the first one, or that of the first reversal. */
static int leave_checkpoint(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots,
                            vlad_value y) {
    (void)slots;
    int64_t steps = vlad_end(m, &fuel);
    struct checkpoint *c = of_frame(top);
    if (c->is_measured) {
        c->executed = steps;
        settle(m, c);
        sweep(m, c, &y);
        if (!m->fault.kind) vlad_drop(m, y);
    } else {
        measure(m, c, y, steps);
    }
    return go_on(m, top, fuel, c);
}

/* Handles the end of an interval. */
static int interrupted(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_segment *state) {
    struct checkpoint *c = of_frame(top);
    c->executed = vlad_private(m)->interrupted_after;
    if (c->action.kind == VLAD_ACTION_ADVANCE) {
        keep(m, c, state);
        settle(m, c);
    } else {
        settle(m, c);
        vlad_state_drop(m, state);
        sweep(m, c, NULL);
    }
    return go_on(m, top, fuel, c);
}

int vlad_checkpoint(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value f,
                    vlad_value x, vlad_value cotangent, const struct vlad_checkpoint_options *options) {
    vlad_value lifted = vlad_nil();
    uint32_t level = vlad_level_begin(m, VLAD_MODE_COUNTING);
    if (!m->fault.kind) lifted = vlad_number_positions(m, level, x, VLAD_SHARING_UNDONE);
    if (VLAD_UNLIKELY(m->fault.kind)) return vlad_stop_at_call(m, top, fuel, m->call_node, vlad_site(m));
    struct checkpoint *c = room(m, sizeof *c + level * sizeof c->frontier[0]);
    *c = (struct checkpoint){.primitive = primitive, .level = level, .f = f, .x = x, .lifted = lifted,
                             .cotangent = cotangent, .options = *options, .y = vlad_nil(), .executed = -1};
    vlad_journal_begin(vlad_private(m));
    keep(m, c, NULL);
    top = vlad_push_operator(m, top, leave_checkpoint, &checkpoint_frame);
    vlad_operator_values(top, &checkpoint_frame)[CHECKPOINT] = vlad_raw((uint64_t)(uintptr_t)c);
    vlad_tell_begun(m, primitive);
    vlad_begin_here(m, &fuel, VLAD_MEASURED);
    return vlad_call(m, top, fuel, vlad_share(f), vlad_share(lifted));
}
