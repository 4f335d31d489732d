/* Calls of procedures with specialised code (procedures.h).
 *
 * An attempt to execute specialised code ends in one of three ways:
 *   - It yields a value within the limits of steps: the call returns.
 *   - It bails out, or exceeds a limit of steps: everything is as before, and the blocks of the procedure run up to the
 *     node of the fault or limit.
 *   - It exceeds a limit of time or memory: the item ends.
 *
 * Attempts have costs, since operands are converted. So no more attempts are made for a procedure if its calls take few
 * steps, or if failed attempts have taken many.
 */
#include "procedures.h"

#include "computation.h"
#include "memory.h"
#include "specialised.h"

#include <string.h>

/* The attempts after which a procedure is judged. */
#define FIRST_ATTEMPTS 32
/* There are no more attempts after so many turns in vain more than steps saved. */
#define MOST_IN_VAIN 1e6
/* The steps that an attempt has to save on the average: for itself, and for each double of its operands. */
#define STEPS_OF_ATTEMPT 1024.0
#define STEPS_OF_DOUBLE 4.0

/* Levels within code that is specialised do not count towards the most levels that may be nested; far fewer than these and
 * those around it are as many. */
#define MOST_LEVELS_AROUND 8

/* The attempts for a procedure, with the steps that they have saved and those that they had to save. */
struct vlad_attempts {
    uint64_t count;
    double saved, cost;
    double in_vain; /* the turns of those that were given up */
};

int vlad_procedures_init(struct machine *machine) {
    size_t count = (size_t)machine->program->procedure_count;
    if (!count) return 1;
    machine->attempts = vlad_block_take(&machine->memory, count * sizeof *machine->attempts);
    machine->public.is_attempted = vlad_block_take(&machine->memory, count);
    if (!machine->attempts || !machine->public.is_attempted) return 0;
    memset(machine->attempts, 0, count * sizeof *machine->attempts);
    /* Specialised code does not report operators. */
    memset(machine->public.is_attempted, !machine->is_observed, count);
    return 1;
}

/* The doubles of operands that are vectors of plain reals, or of those. */
static double doubles_of(const vlad_value *operands, uint32_t count) {
    double doubles = 0;
    for (uint32_t place = 0; place < count; place++) {
        if (operands[place].tag != VLAD_VECTOR) continue;
        const struct vlad_vector *vector = vlad_as_vector(operands[place]);
        doubles += (double)vector->length;
        int has_rows = vlad_header_of(operands[place])->extent == VLAD_FORM_VALUES && vector->length;
        if (has_rows && vector->elements.values[0].tag == VLAD_VECTOR)
            doubles += (double)vector->length * (double)vlad_as_vector(vector->elements.values[0])->length;
    }
    return doubles;
}

/* Notes an attempt; there are no more if they have not been worth it. */
static void note(struct vlad_machine *m, uint32_t procedure, double saved, double doubles) {
    struct vlad_attempts *attempts = &vlad_private(m)->attempts[procedure];
    attempts->count++;
    attempts->saved += saved;
    attempts->cost += STEPS_OF_ATTEMPT + STEPS_OF_DOUBLE * doubles;
    if (attempts->count >= FIRST_ATTEMPTS && attempts->saved < attempts->cost) m->is_attempted[procedure] = 0;
}

/* The steps that the innermost computation may take. Only called while no fuel is in the register. */
static int64_t steps_left(struct machine *machine) {
    const struct vlad_computation *innermost = vlad_innermost(machine);
    int64_t left = innermost->left, total = machine->computations.total_left;
    return innermost->is_again || left < total ? left : total;
}

int64_t vlad_operator_specialised(struct vlad_machine *m, uint32_t call, vlad_value f, vlad_value x, vlad_value companion,
                                  int64_t fuel) {
    const struct vlad_program *program = vlad_private(m)->program;
    for (uint32_t procedure = 0; procedure < program->procedure_count; procedure++) {
        const struct vlad_specialised_procedure *of = &program->procedures[procedure];
        if (of->call != call || !m->is_attempted[procedure] || f.tag != vlad_procedure(of->lambda, NULL).tag) continue;
        m->arguments[0] = x;
        m->arguments[1] = companion;
        return vlad_apply_specialised(m, procedure, fuel);
    }
    return -1;
}

int64_t vlad_apply_specialised(struct vlad_machine *m, uint32_t procedure, int64_t fuel) {
    struct machine *machine = vlad_private(m);
    if (vlad_levels_of(m)->count > MOST_LEVELS_AROUND) return -1;
    const struct vlad_specialised_procedure *of = &machine->program->procedures[procedure];
    /* An operator is a computation of its own. Of a procedure that begins others, the own steps are not known. */
    int is_inside = of->call != VLAD_CALL_PLAIN;
    if (!is_inside && of->nests && vlad_innermost(machine)->is_measured) return -1;
    double doubles = doubles_of(m->arguments, of->operands);
    jmp_buf way_out;
    memcpy(&way_out, &machine->way_out, sizeof way_out);
    vlad_fuel_take_back(machine, fuel);
    int64_t left = is_inside ? vlad_left_inside(machine) : steps_left(machine);
    enum vlad_status status = vlad_attempt(machine, of->code, m->arguments, left);
    memcpy(&machine->way_out, &way_out, sizeof way_out);
    if (status == VLAD_STOPPED) longjmp(machine->way_out, VLAD_OUT);
    if (status == VLAD_FINISHED) {
        int64_t steps = (int64_t)m->first_order.steps - of->steps;
        if (steps <= left) {
            if (is_inside) vlad_count_inside(machine, steps);
            else vlad_fuel_give(machine, steps);
            for (uint32_t place = 0; place < of->operands; place++) vlad_drop(m, m->arguments[place]);
            m->arguments[0] = machine->result;
            note(m, procedure, (double)steps, doubles);
            return vlad_fuel_give(machine, machine->program->stride);
        }
        vlad_drop(m, machine->result);
    }
    note(m, procedure, 0, doubles);
    struct vlad_attempts *attempts = &machine->attempts[procedure];
    attempts->in_vain += (double)machine->turns_taken;
    if (attempts->in_vain > MOST_IN_VAIN + attempts->saved) m->is_attempted[procedure] = 0;
    vlad_fuel_give(machine, fuel);
    return -1;
}
