/* The driver: runs an item block by block, gives fuel, checks the clock and cancellation, and stops.
 *
 * A stoppable program runs block by block until a block has less fuel than its steps and no more fuel is available:
 * then that block continues step by step, to the exact node where a limit is reached (see computation.h).
 *
 * Invariants. The host stack is bounded even if the C compiler turns no calls in tail position into jumps (some never
 * do): after the steps or transfers of a stride the program's functions return to the loop in `run`. The steps taken
 * are exactly the fuel given less the fuel left, at every stop. If an allocation or the host fails, longjmp leaves the
 * loop, over frames of C functions only. Their state is lost, and with it the frames of the stack, so the machine can
 * only be freed.
 */
#include "driver.h"
#include "computation.h"
#include "exits.h"
#include "inspect.h"
#include "levels.h"
#include "memory.h"
#include "own_stack.h"
#include "procedures.h"
#include "services.h"
#include "specialised.h"
#include "stack.h"

#include <stdlib.h>

/* The pauses between two clock and cancellation checks. */
#define PAUSES_BETWEEN_LOOKS 32

/* The sizes that the host asserts for its mirror types (compiler/src/foreign/interface.rs). */
_Static_assert(sizeof(vlad_value) == 16 && sizeof(struct vlad_pair) == 40 && sizeof(struct vlad_slots) == 8, "values");
_Static_assert(sizeof(struct vlad_vector) == 40, "vectors");
_Static_assert(sizeof(struct vlad_fault) == 64 && sizeof(struct vlad_program) == 104, "programs");
_Static_assert(sizeof(struct vlad_checkpoint_options) == 24 && sizeof(struct vlad_action) == 24, "schedules");
_Static_assert(sizeof(struct vlad_setup) == 216, "machines");
_Static_assert(sizeof(struct vlad_frame_walk) == 32 && sizeof(struct vlad_frame) == 80, "frames");

/* Stops a paused run for a fault that the host found in its check: at the node that the block gave, which is in the
 * running code. A block of library code that needs no site does not know one; then the fault is at the innermost pending
 * call of the user's code. */
static void stop_paused(struct machine *machine) {
    struct vlad_machine *m = &machine->public;
    uint32_t node = m->paused_node, site = m->paused_site;
    /* The continuation of a call pauses before it takes its frame, which belongs to the running activation and is not
     * pending. The same holds for the frame of a point. */
    const struct vlad_frame *frame = vlad_frame_below(machine->top);
    int goes_on = (vlad_block *)(uintptr_t)machine->top[-1].tag == machine->next;
    if (goes_on && (frame->kind == VLAD_FRAME_BLOCK || frame->kind == VLAD_FRAME_POINT))
        machine->top -= frame->values + 1;
    vlad_stop(m, machine->top, machine->fuel, node, site);
    if (!vlad_is_shipped(m, node) || !vlad_is_shipped(m, site)) return;
    struct vlad_frame_walk walk;
    struct vlad_pending_frame pending;
    m->fault.site = machine->item_node;
    vlad_frames_begin(m, &walk);
    while (vlad_frames_next(&walk, &pending)) {
        if (vlad_is_shipped(m, pending.awaited)) continue;
        m->fault.site = pending.awaited;
        break;
    }
}

/* Handles a limit that is reached at the point below top, with no more fuel. The own limit takes precedence over the
 * total one; the own limit of an item is where the run is to be suspended. */
static void reach_limit(struct machine *machine) {
    struct vlad_machine *m = &machine->public;
    if (vlad_innermost(machine)->left == 0) {
        if (machine->computations.count == 1) {
            machine->status = VLAD_AT_POINT;
            return;
        }
        machine->state = vlad_interrupt_innermost(machine);
        machine->pausing = VLAD_INTERRUPTED;
        return;
    }
    const struct vlad_frame *point = vlad_frame_below(machine->top);
    machine->top -= point->values + 1;
    m->fault.kind = VLAD_FAULT_STEPS;
    vlad_stop(m, machine->top, 0, point->node, point->has_site ? m->paused_site : m->site);
}

/* Gives fuel, as far as the limits allow. */
static void give_fuel(struct machine *machine) {
    int64_t stride = machine->program->stride, wanted = stride;
    switch (machine->pausing) {
    case VLAD_PAUSED: /* because no transfers are left, if they are used up */
        if (machine->public.transfers < 0)
            machine->public.transfers = stride / 2;
        else
            machine->fuel += vlad_fuel_give(machine, stride);
        break;
    case VLAD_SHORT:
        if (wanted < machine->entry->most_steps) wanted = machine->entry->most_steps;
        machine->fuel += vlad_fuel_give(machine, wanted);
        break;
    case VLAD_SUSPENDED:
        machine->fuel = vlad_fuel_give(machine, stride);
        if (machine->fuel == 0) reach_limit(machine);
        break;
    case VLAD_INTERRUPTED:
        break;
    }
}

/* Serves a pause, between two calls of blocks. */
static void serve_pause(struct machine *machine) {
    if (++machine->pauses >= PAUSES_BETWEEN_LOOKS) {
        machine->pauses = 0;
        vlad_look(&machine->public);
        if (machine->public.fault.kind) return stop_paused(machine);
    }
    give_fuel(machine);
}

/* Runs blocks until they return. */
static void run_on(struct machine *machine) {
    struct vlad_machine *m = &machine->public;
    vlad_value *top = machine->top;
    int64_t fuel = machine->fuel;
    switch (machine->pausing) {
    case VLAD_PAUSED:
    case VLAD_SUSPENDED:
        machine->next(m, top, fuel, machine->slots, machine->x);
        break;
    case VLAD_SHORT:
        if (fuel < machine->entry->most_steps)
            machine->entry->stepwise(m, top, fuel, machine->slots, machine->x, NULL);
        else
            machine->next(m, top, fuel, machine->slots, machine->x);
        break;
    case VLAD_INTERRUPTED:
        vlad_frame_below(top)->interrupted(m, top, fuel, machine->state);
        break;
    }
}

static void run(struct machine *machine) {
    for (;;) {
        run_on(machine);
        if (machine->status != VLAD_RUNNING) return;
        serve_pause(machine);
        if (machine->status != VLAD_RUNNING) return;
    }
}

/* Prepares the machine for an item. */
static void begin_item(struct machine *machine, uint32_t node) {
    struct vlad_machine *m = &machine->public;
    m->call_node = node;
    m->site = node;
    m->paused_node = node;
    m->paused_site = node;
    machine->item_node = node;
    m->transfers = machine->program->stride / 2;
    machine->status = VLAD_RUNNING;
}

/* Frees the memory after the item was aborted. If an allocation failed, the host needs memory to report it: it gets all
 * memory of the run. */
static void give_memory_back(struct machine *machine) {
    if (vlad_innermost(machine)->is_again) machine->fuel = 0;
    machine->computations.count = 0;
    vlad_levels_free(&machine->levels);
    vlad_memory_free(&machine->memory);
    machine->top = NULL;
    machine->status = VLAD_STOPPED;
}

uint32_t vlad_run_item(struct vlad_machine *m, uint32_t item, uint32_t node) {
    struct machine *machine = vlad_private(m);
    begin_item(machine, node);
    vlad_pause(m, vlad_stack_base(machine), machine->fuel, NULL, vlad_raw(item), machine->program->item_blocks[item]);
    if (setjmp(machine->way_out))
        give_memory_back(machine);
    else
        run(machine);
    return machine->status;
}

uint32_t vlad_run_specialised(struct vlad_machine *m, uint32_t item, uint32_t node) {
    struct machine *machine = vlad_private(m);
    begin_item(machine, node);
    machine->status = vlad_attempt(machine, machine->program->specialised[item], NULL, VLAD_NO_LIMIT);
    if (machine->status == VLAD_FINISHED) vlad_add_steps(machine, m->first_order.steps);
    if (machine->status == VLAD_STOPPED) give_memory_back(machine);
    return machine->status;
}

/* The entry of procedures all of whose calls are known calls. The program never passes them to unknown call sites; but
 * the content of a capsule file may be forged. */
static int no_entry(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x) {
    (void)slots, (void)x;
    m->fault.kind = VLAD_FAULT_FORGED;
    return vlad_stop_at_call(m, top, fuel, m->call_node, m->site);
}

/* Fills the table of entries for all procedures. */
static void complete_entries(struct machine *machine) {
    const struct vlad_program *program = machine->program;
    vlad_block **entries = vlad_block_take(&machine->memory, program->lambdas * sizeof *entries);
    if (!entries) vlad_out_of_memory(&machine->public);
    for (uint32_t lambda = 0; lambda < program->lambdas; lambda++)
        entries[lambda] = program->entries[lambda] ? program->entries[lambda] : no_entry;
    machine->public.entries = entries;
}

uint32_t vlad_go_on_with_item(struct vlad_machine *m, uint32_t node, const vlad_value *row, uint64_t length) {
    struct machine *machine = vlad_private(m);
    begin_item(machine, node);
    if (setjmp(machine->way_out)) {
        give_memory_back(machine);
    } else {
        complete_entries(machine);
        vlad_value *top = vlad_push_row(m, vlad_stack_base(machine), row, (size_t)length);
        vlad_pause(m, top, machine->fuel, NULL, vlad_nil(), vlad_point);
        run(machine);
    }
    return machine->status;
}

/* Allocates values, all RAW (not yet set); 0 if the allocation fails. */
static vlad_value *room_for_values(struct machine *machine, uint32_t count) {
    vlad_value *values = vlad_block_take(&machine->memory, (size_t)count * sizeof(vlad_value));
    for (uint32_t value = 0; values && value < count; value++) values[value] = vlad_raw(0);
    return values;
}

struct vlad_machine *vlad_machine_new(const struct vlad_setup *setup) {
    struct machine *machine = calloc(1, sizeof *machine);
    if (!machine) return NULL;
    struct vlad_machine *m = &machine->public;
    vlad_memory_init(&machine->memory);
    m->page = &machine->memory.none;
    vlad_levels_init(&machine->levels);
    machine->levels.traps = setup->program->traps;
    m->services = &vlad_services;
    m->mathematics = setup->mathematics;
    m->entries = setup->program->entries;
    machine->program = setup->program;
    machine->shipped_nodes = setup->shipped_nodes;
    machine->calls = setup->calls;
    machine->host = setup->host;
    machine->is_observed = setup->is_observed;
    machine->most_memory = setup->memory;
    m->most_depth = setup->most_depth;
    machine->gives_up_after = setup->gives_up_after;
    machine->global_count = setup->globals;
    machine->constant_count = setup->constants;
    m->globals = room_for_values(machine, setup->globals);
    machine->constants = room_for_values(machine, setup->constants);
    m->places = room_for_values(machine, setup->program->places);
    m->constants = machine->constants;
    int is_ready = vlad_procedures_init(machine) && vlad_stack_init(machine) && vlad_computations_init(machine, setup->steps, setup->taken, setup->suspension);
    if (!m->globals || !m->constants || !m->places || !is_ready) {
        vlad_machine_free(m);
        return NULL;
    }
    return m;
}

void vlad_machine_free(struct vlad_machine *m) {
    struct machine *machine = vlad_private(m);
    vlad_levels_free(&machine->levels);
    vlad_memory_free(&machine->memory);
    vlad_own_stack_free(&machine->own_stack);
    vlad_region_free(&machine->arrays);
    free(machine);
}
