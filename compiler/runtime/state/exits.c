/* The exits of a run: by saving the registers, or by longjmp without them; and the recording of faults.
 */
#include "exits.h"

/* The bytes that can be filled between two periodic checks of the memory; `allocation::LARGE` in shared/values is the same. */
#define LARGE ((uint64_t)4 << 20)

int vlad_pause(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
               vlad_block *next) {
    struct machine *machine = vlad_private(m);
    machine->pausing = VLAD_PAUSED;
    machine->next = next;
    machine->top = top;
    machine->fuel = fuel;
    machine->slots = slots;
    machine->x = x;
    return 0;
}

int vlad_run_short(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
                   const struct vlad_entry *entry) {
    vlad_pause(m, top, fuel, slots, x, entry->block);
    vlad_private(m)->pausing = VLAD_SHORT;
    vlad_private(m)->entry = entry;
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

int vlad_too_deep(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site) {
    m->fault.kind = VLAD_FAULT_DEPTH;
    return vlad_stop_at_call(m, top, fuel, node, site);
}

/* Aborts the item. The fault is at the item, as no better place is certain: a failed allocation has no node, and the
 * frames are lost with the registers. */
static _Noreturn void give_up(struct vlad_machine *m, uint32_t kind) {
    m->fault.kind = kind;
    m->fault.node = vlad_private(m)->item_node;
    m->fault.site = m->fault.node;
    m->fault.position = VLAD_AT_CALL;
    longjmp(vlad_private(m)->way_out, VLAD_OUT);
}

void vlad_give_up_for(struct vlad_machine *m, enum vlad_status status) {
    longjmp(vlad_private(m)->way_out, (int)status);
}

void vlad_out_of_memory(struct vlad_machine *m) { give_up(m, VLAD_FAULT_MEMORY); }

void vlad_host_broke_down(struct vlad_machine *m) { give_up(m, VLAD_FAULT_HOST); }

void vlad_look(struct vlad_machine *m) {
    struct machine *machine = vlad_private(m);
    if (!vlad_answered(machine, machine->calls.look(machine->host)) && !m->fault.kind) m->fault.kind = VLAD_FAULT_HOST;
}

void vlad_check_room(struct vlad_machine *m, uint64_t bytes) {
    struct machine *machine = vlad_private(m);
    if (bytes >= LARGE && !vlad_answered(machine, machine->calls.room(machine->host, bytes))) give_up(m, VLAD_FAULT_HOST);
}

vlad_value vlad_not_expected(struct vlad_machine *m, uint32_t primitive, vlad_value argument) {
    if (!m->fault.kind) {
        m->fault.kind = VLAD_FAULT_PRIMITIVE;
        m->fault.detail = primitive;
        /* It must outlive the caller's reference. */
        m->fault.first = vlad_share(argument);
    }
    return vlad_nil();
}
