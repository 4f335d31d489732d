/* The interface of the runtime for its host, which is written in Rust. It is continued in inspect.h;
 * compiler/src/foreign/interface.rs mirrors both.
 *
 * Functions of this interface must not be nested on one machine. The driver calls back the host, and callbacks must not
 * access the machine.
 *
 * The layers of the runtime, bottom to top, each a folder. A module is a header and a source of its name, and uses only modules before it
 * in the list (conformance/tests/layers/runtime.rs):
 *
 *   interface   rounding, value, mathematics, machine, program, rules, number, tagged, first_order_paths, first_order, kept_arrays, array_operations
 *   state       own_stack, region, differentiation, host_calls, state, exits
 *   memory      memory, journal, table, nodes, stack
 *   data        vector, tape, computation
 *   levels      record, traps, arithmetic, accumulators, levels
 *   traversals  equal, walk, on_vector, release, sweep
 *   typed       numbered_nodes, numbered_tape, arrays, template, specialised, procedures
 *   operators   operators, reflection, capsule, checkpoint, backpropagator, pull, transformed
 *   primitives  apply, operands, call, services
 *   host        inspect, driver
 *
 * Calls upwards go through the table of services alone, in inline functions of machine.h: the release of a dead object
 * (vlad_drop), the application of a value (vlad_call), and cells when the free list is empty (vlad_new_cell) or memory is
 * checked (vlad_free_cell).
 */
#ifndef VLAD_DRIVER_H
#define VLAD_DRIVER_H

#include "host_calls.h"
#include "machine.h"

/* The parameters of a new machine; the targets of the pointers must outlive it. */
struct vlad_setup {
    const struct vlad_program *program;
    const struct vlad_mathematics *mathematics;
    struct vlad_host_calls calls;
    void *host;
    int64_t steps; /* the limit, if the program is stoppable; else VLAD_NO_LIMIT */
    uint32_t globals;
    uint32_t constants;
    uint32_t shipped_nodes;
    uint32_t is_observed; /* true if operators report their begin and end to the host */
    int64_t taken;        /* the steps that the run has already taken */
    uint64_t memory;      /* the limit of the memory of the process in bytes; the maximum if there is none */
    int64_t gives_up_after; /* in tests: the polls and effects after which specialised code gives an item up; else negative */
    uint64_t most_depth;  /* the limit on nested calls */
    int64_t suspension;   /* the steps after which the run is to be suspended, if the program is stoppable; else VLAD_NO_LIMIT */
};

/* Creates a machine; 0 if the allocation fails. */
struct vlad_machine *vlad_machine_new(const struct vlad_setup *setup);
/* Frees the machine with all its memory, in any state. */
void vlad_machine_free(struct vlad_machine *m);
/* Runs an item with the given outermost node. Returns a vlad_status: the item has a value, or m->fault gives the reason
 * for the stop, or the item is at the point where the run is to be suspended. */
uint32_t vlad_run_item(struct vlad_machine *m, uint32_t item, uint32_t node);
/* Runs the specialised code of an item, which must have some. The status may also be a VLAD_GIVEN_UP: then nothing has
 * happened to the machine, and vlad_run_item runs the item from its start. */
uint32_t vlad_run_specialised(struct vlad_machine *m, uint32_t item, uint32_t node);
/* The same as vlad_run_item of an item that was suspended, from the row of its computation (computation.h), whose values it takes. */
uint32_t vlad_go_on_with_item(struct vlad_machine *m, uint32_t node, const vlad_value *row, uint64_t length);

#endif
