/* The exits of a run, and the recording of faults. Pauses and stops return to the driver (driver.c). An item also ends
 * if its memory or its host fails.
 */
#ifndef VLAD_EXITS_H
#define VLAD_EXITS_H

#include "state.h"

/* The units of work (operations at a level, positions of a datum visited) between two clock and cancellation checks. */
#define VLAD_WORK_BETWEEN_LOOKS (1u << 13)

/* The value of a longjmp out of an item that stops. Specialised code that bails out gives the status of the attempt. */
enum { VLAD_OUT = VLAD_STOPPED };
/* An allocation has failed: ends the item that runs. Only to be called while an item runs. */
_Noreturn void vlad_out_of_memory(struct vlad_machine *m);
/* Ends an attempt of specialised code with one of the statuses of those that are given up. */
_Noreturn void vlad_give_up_for(struct vlad_machine *m, enum vlad_status status);
/* The host has failed for good: ends the item that runs. */
_Noreturn void vlad_host_broke_down(struct vlad_machine *m);

/* True if the call of the host with this result has succeeded; does not return if the host has broken down. */
static inline int vlad_answered(struct machine *machine, int answer) {
    if (VLAD_UNLIKELY(answer == VLAD_HOST_BROKE_DOWN)) vlad_host_broke_down(&machine->public);
    return answer == VLAD_HOST_DONE;
}

/* Checks the clock and cancellation; records the fault if a limit is exceeded. */
void vlad_look(struct vlad_machine *m);
/* Checks the memory limit before many bytes are filled; few bytes are left to the periodic check. Ends the item that
 * runs if the limit leaves no room. */
void vlad_check_room(struct vlad_machine *m, uint64_t bytes);
/* Counts units of work; returns 0 once a fault is recorded. */
static inline int vlad_works(struct vlad_machine *m, uint64_t units) {
    struct vlad_levels *levels = vlad_levels_of(m);
    if (VLAD_UNLIKELY(units >= VLAD_WORK_BETWEEN_LOOKS - levels->work)) {
        levels->work = 0;
        vlad_look(m);
    } else {
        levels->work += (uint32_t)units;
    }
    return m->fault.kind == VLAD_FAULT_NONE;
}
static inline int vlad_work(struct vlad_machine *m) { return vlad_works(m, 1); }

/* The services of the same names. */
int vlad_pause(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
               vlad_block *next);
int vlad_run_short(struct vlad_machine *m, vlad_value *top, int64_t fuel, struct vlad_slots *slots, vlad_value x,
                   const struct vlad_entry *entry);
int vlad_stop(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site);
/* Stops for a fault of a call. The frame of the call, if it has one, is on the stack. */
int vlad_stop_at_call(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site);
/* The service of the same name. */
int vlad_too_deep(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t node, uint32_t site);
/* The application shown for a fault of the most recent application. */
static inline uint32_t vlad_site(struct vlad_machine *m) {
    return vlad_is_shipped(m, m->call_node) ? m->site : m->call_node;
}

/* Records the fault that an argument is not of the kind that a primitive expects; returns nil. */
vlad_value vlad_not_expected(struct vlad_machine *m, uint32_t primitive, vlad_value argument);

#endif
