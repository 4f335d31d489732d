/* The driver: runs an item block by block, counts, looks at the watch, and stops.
 *
 * Invariants. The host stack is bounded whatever the C compiler makes of calls in tail position (some make jumps of
 * none): after the steps or transfers of a stride the program's functions return to the loop in `run`. The steps taken
 * are the fuel granted less the fuel left, at every stop, exactly. When the system gives no more memory the loop is left
 * by longjmp, over frames of C functions only; what they were about is lost, so the frames of the stack are, too, and
 * nothing can be done with the machine but free it.
 */
#include "host_interface.h"

#include <stdlib.h>

/* The pauses between two looks. */
#define PAUSES_BETWEEN_LOOKS 32

/* The sizes that the host asserts of its namesakes (compiler/src/foreign/interface.rs). */
_Static_assert(sizeof(vlad_value) == 16 && sizeof(struct vlad_pair) == 40 && sizeof(struct vlad_slots) == 8, "values");
_Static_assert(sizeof(struct vlad_fault) == 56 && sizeof(struct vlad_program) == 48, "programs");
_Static_assert(sizeof(struct vlad_mathematics) == 19 * 8 && sizeof(struct vlad_setup) == 72, "machines");
_Static_assert(sizeof(struct vlad_frame_walk) == 16, "frames");

int vlad_pause(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
               vlad_block *next) {
    struct machine *machine = vlad_private(m);
    machine->next = next;
    machine->top = top;
    machine->fuel = fuel;
    machine->slots = slots;
    machine->x = x;
    return 0;
}

static int stop_in(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site,
                   uint32_t position) {
    struct machine *machine = vlad_private(m);
    machine->top = top;
    machine->fuel = fuel;
    machine->status = VLAD_STOPPED;
    m->fault.node = node;
    m->fault.site = site;
    m->fault.position = position;
    return 0;
}

int vlad_stop(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site) {
    int is_call = m->fault.kind == VLAD_FAULT_MISMATCH && m->fault.binder == VLAD_BINDER_PROCEDURE;
    return stop_in(m, top, fuel, node, site, is_call ? VLAD_AT_CALL : VLAD_WITHIN);
}

int vlad_stop_at_call(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site) {
    return stop_in(m, top, fuel, node, site, VLAD_AT_CALL);
}

/* Stops a run that has paused, for trouble that the host found when it looked: at the place that the block gave, which is
 * in code that runs. A block of the prelude that needs no site knows of none; then it is the call that awaits its value,
 * the innermost one of the user's. */
static void stop_paused(struct machine *machine) {
    struct vlad_machine *m = &machine->public;
    uint32_t node = m->paused_node, site = m->paused_site;
    /* The continuation of a call pauses before it takes its frame: what runs is the frame's own activation. */
    vlad_value link = machine->top[-1];
    const struct vlad_frame *frame = (const struct vlad_frame *)(uintptr_t)link.word;
    if (frame->kind == VLAD_FRAME_BLOCK && (vlad_block *)(uintptr_t)link.tag == machine->next)
        machine->top -= frame->values + 1;
    vlad_stop(m, machine->top, machine->fuel, node, site);
    if (!vlad_is_prelude(m, node) || !vlad_is_prelude(m, site)) return;
    struct vlad_frame_walk walk;
    uint32_t frame_node, awaited;
    m->fault.site = machine->item_node;
    vlad_frames_begin(m, &walk);
    while (vlad_frames_next(&walk, &frame_node, &awaited)) {
        if (vlad_is_prelude(m, awaited)) continue;
        m->fault.site = awaited;
        break;
    }
}

/* What happens between two calls of the driver. A pause was for want of transfers if those are used up, else for want of
 * fuel; a block that needs more fuel than is granted asks again. */
static void serve_pause(struct machine *machine) {
    struct vlad_machine *m = &machine->public;
    if (m->transfers < 0) {
        m->transfers = machine->program->stride / 2;
    } else if (machine->program->counting == VLAD_BY_BLOCK) {
        machine->fuel += machine->program->stride;
        machine->granted += machine->program->stride;
    }
    if (++machine->pauses < PAUSES_BETWEEN_LOOKS) return;
    machine->pauses = 0;
    vlad_look(m);
    if (m->fault.kind) stop_paused(machine);
}

static void run(struct machine *machine) {
    for (;;) {
        vlad_block *next = machine->next;
        next(&machine->public, machine->top, machine->fuel, machine->slots, machine->x);
        if (machine->status != VLAD_RUNNING) return;
        serve_pause(machine);
        if (machine->status != VLAD_RUNNING) return;
    }
}

int vlad_run_item(struct vlad_machine *m, uint32_t item, uint32_t node) {
    struct machine *machine = vlad_private(m);
    m->call_node = node;
    m->site = node;
    m->paused_node = node;
    m->paused_site = node;
    machine->item_node = node;
    m->transfers = machine->program->stride / 2;
    vlad_pause(m, vlad_stack_base(machine), machine->fuel, NULL, vlad_raw(item), machine->program->item_blocks[item]);
    machine->status = VLAD_RUNNING;
    if (setjmp(machine->out_of_memory)) {
        /* The host needs memory to say that there is none: it gets all that the run had. */
        vlad_levels_free(&machine->levels);
        vlad_memory_free(&machine->memory);
        machine->top = NULL;
        machine->status = VLAD_STOPPED;
    } else {
        run(machine);
    }
    return machine->status == VLAD_FINISHED;
}

/* The item is all that is sure to run still: whoever asked for memory knows no node, and with the registers the frames are
 * lost. */
void vlad_out_of_memory(struct vlad_machine *m) {
    m->fault.kind = VLAD_FAULT_MEMORY;
    m->fault.node = vlad_private(m)->item_node;
    m->fault.site = m->fault.node;
    m->fault.position = VLAD_AT_CALL;
    longjmp(vlad_private(m)->out_of_memory, 1);
}

void vlad_look(struct vlad_machine *m) {
    struct machine *machine = vlad_private(m);
    if (!machine->calls.look(machine->host) && !m->fault.kind) m->fault.kind = VLAD_FAULT_HOST;
}

uint32_t vlad_code_class(struct vlad_machine *m, uint32_t lambda) {
    return vlad_private(m)->program->code_class[lambda];
}

int vlad_is_prelude(struct vlad_machine *m, uint32_t node) { return node < vlad_private(m)->prelude_nodes; }

/* Values of which none is there yet; 0 if the system gives no memory. */
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
    vlad_levels_init(&machine->levels);
    m->services = &vlad_services;
    m->mathematics = setup->mathematics;
    m->entries = setup->program->entries;
    machine->program = setup->program;
    machine->prelude_nodes = setup->prelude_nodes;
    machine->calls = setup->calls;
    machine->host = setup->host;
    machine->global_count = setup->globals;
    machine->constant_count = setup->constants;
    machine->fuel = setup->program->counting == VLAD_BY_NODE ? setup->steps : 0;
    machine->granted = (uint64_t)machine->fuel;
    m->globals = room_for_values(machine, setup->globals);
    machine->constants = room_for_values(machine, setup->constants);
    m->constants = machine->constants;
    if (!m->globals || !m->constants || !vlad_stack_init(machine)) {
        vlad_machine_free(m);
        return NULL;
    }
    return m;
}

void vlad_machine_free(struct vlad_machine *m) {
    struct machine *machine = vlad_private(m);
    vlad_levels_free(&machine->levels);
    vlad_memory_free(&machine->memory);
    free(machine);
}
