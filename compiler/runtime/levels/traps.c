/* Tests of the results of operations, in runs with traps.
 */
#include "traps.h"
#include "exits.h"
#include "rules.h"

/* Records the fault of an operation, or of the constant that is VLAD_OPERATIONS. */
static void record(struct vlad_machine *m, uint32_t operation, double first, double second, double result) {
    struct vlad_fault *fault = &m->fault;
    fault->kind = VLAD_FAULT_NONFINITE;
    fault->detail = operation;
    fault->binder = vlad_levels_of(m)->in_derivative;
    fault->first = vlad_real(first);
    fault->second = vlad_real(second);
    fault->index = vlad_real(result).word;
}

double vlad_tested(struct vlad_machine *m, uint32_t operation, double first, double second, double result) {
    if (m->fault.kind) return result;
    int are_finite = isfinite(first) && isfinite(second);
    int is_guard = operation == VLAD_OPERATION_GUARDED_MULTIPLY && (first == 0.0 || second == 0.0) && !are_finite;
    int makes_nan = isnan(result) && !isnan(first) && !isnan(second);
    int makes_infinity = isinf(result) && are_finite;
    if (is_guard || makes_nan || makes_infinity) record(m, operation, first, second, result);
    return result;
}

vlad_value vlad_constant_coefficient(struct vlad_machine *m, double constant) {
    if (vlad_has_traps(m) && !m->fault.kind && !isfinite(constant))
        record(m, VLAD_OPERATIONS, constant, constant, constant);
    return vlad_real(constant);
}
