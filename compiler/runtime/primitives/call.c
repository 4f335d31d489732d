/* 𝓐 k n l f x, the application of f to x, for operators that are not closures of the program (shared and interp
 * `apply`): primitives as values, the primitives that call procedures, tagged procedures, values that cannot be
 * applied, and calls beyond the limit of depth.
 */
#include "call.h"
#include "apply.h"
#include "arithmetic.h"
#include "exits.h"
#include "on_vector.h"
#include "operands.h"
#include "operators.h"
#include "pull.h"
#include "rules.h"
#include "transformed.h"

/* Stops with a fault of the most recent application. */
static int stop_here(struct vlad_machine *m, vlad_value *top, int64_t fuel) {
    return vlad_stop_at_call(m, top, fuel, m->call_node, m->site);
}

int vlad_control(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value first,
                 vlad_value second, vlad_value third) {
    switch (vlad_primitive_rows[primitive].detail) {
    case VLAD_CONTROL_FORWARD:
        return vlad_forward(m, top, fuel, first, second, third);
    case VLAD_CONTROL_REVERSE:
        return vlad_reverse(m, top, fuel, first, second, third);
    case VLAD_CONTROL_IF_PROCEDURE: {
        int is_true = vlad_is_true(first);
        vlad_drop(m, first);
        vlad_drop(m, is_true ? third : second);
        return vlad_call(m, top, fuel, is_true ? second : third, vlad_nil());
    }
    default:
        return vlad_operator(m, top, fuel, primitive, vlad_pair(m, first, vlad_pair(m, second, third)));
    }
}

/* True if a control primitive has three operands of any kind. */
static int has_three_operands(uint32_t primitive) {
    uint32_t control = vlad_primitive_rows[primitive].detail;
    return control == VLAD_CONTROL_IF_PROCEDURE || control == VLAD_CONTROL_FORWARD || control == VLAD_CONTROL_REVERSE;
}

static int call_control(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive,
                        vlad_value operand) {
    if (!has_three_operands(primitive)) return vlad_operator(m, top, fuel, primitive, operand);
    if (!vlad_is_pair(operand) || !vlad_is_pair(vlad_as_pair(operand)->second)) {
        vlad_not_expected(m, primitive, operand);
        return stop_here(m, top, fuel);
    }
    vlad_value first, rest, second, third;
    vlad_unpair(m, operand, &first, &rest);
    vlad_unpair(m, rest, &second, &third);
    return vlad_control(m, top, fuel, primitive, first, second, third);
}

/* True if a primitive is a fold and its argument is two numbers: the most frequent call of a primitive passed as a
 * procedure. */
static int folds_two_numbers(uint32_t primitive, vlad_value argument) {
    return vlad_primitive_rows[primitive].form == VLAD_FORM_FOLD && vlad_is_pair(argument) &&
           vlad_is_number(vlad_as_pair(argument)->first) && vlad_is_number(vlad_as_pair(argument)->second);
}

/* True if a value is a primitive that calls no procedure: its application is no nested call. */
static int is_plain(vlad_value operator) {
    return vlad_kind(operator) == VLAD_PRIMITIVE && vlad_primitive_rows[operator.word].form != VLAD_FORM_CONTROL;
}

int vlad_call_any(struct vlad_machine *m, vlad_value *top, int64_t fuel, vlad_value operator, vlad_value operand) {
    if (VLAD_UNLIKELY(m->depth > m->most_depth) && !is_plain(operator))
        return vlad_too_deep(m, top, fuel, m->call_node, m->site);
    switch (vlad_kind(operator)) {
    case VLAD_PRIMITIVE: {
        uint32_t primitive = (uint32_t)operator.word;
        if (vlad_primitive_rows[primitive].form == VLAD_FORM_CONTROL)
            return call_control(m, top, fuel, primitive, operand);
        int is_taken = vlad_primitive_rows[primitive].form == VLAD_FORM_ON_VECTOR;
        vlad_value result;
        if (VLAD_LIKELY(folds_two_numbers(primitive, operand)))
            result = vlad_binary(m, vlad_primitive_rows[primitive].operation, vlad_as_pair(operand)->first,
                                 vlad_as_pair(operand)->second);
        else
            result = is_taken ? vlad_on_vector(m, primitive, operand) : vlad_apply(m, primitive, operand);
        if (m->fault.kind) return stop_here(m, top, fuel);
        if (!is_taken) vlad_drop(m, operand);
        VLAD_RETURN(m, top, fuel, result);
    }
    case VLAD_PERTURBATION:
    case VLAD_SENSITIVITY:
    case VLAD_REVERSED:
    case VLAD_CONSTANT:
    case VLAD_BUNDLE:
    case VLAD_MARKED_BUNDLE:
    case VLAD_BACKPROPAGATOR:
        return vlad_transformed(m, top, fuel, operator, operand);
    case VLAD_RAW:
        return vlad_pull(m, top, fuel, operand, 0);
    default: /* no procedure: vlad_call enters closures itself, if they are not nested too deep */
        m->fault.kind = VLAD_FAULT_NOT_APPLICABLE;
        m->fault.first = operator;
        return stop_here(m, top, fuel);
    }
}
