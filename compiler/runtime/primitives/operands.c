/* The operands of the primitives that call procedures, extracted from their argument and checked: the counterpart of
 * shared/runtime/src/primitives/operands.rs. Generated code passes the operands of if-procedure, j* and *j separately (call.c).
 */
#include "operands.h"
#include "capsule.h"
#include "checkpoint.h"
#include "exits.h"
#include "number.h"
#include "rules.h"

/* The greatest number up to which every whole number is a real: 2^53. */
#define GREATEST_WHOLE 9007199254740992.0

/* Extracts `count` operands of an argument, borrowed; the last is the whole rest. Returns 0 if there are fewer. */
static int operands_of(vlad_value argument, vlad_value *operands, uint32_t count) {
    for (uint32_t operand = 0; operand + 1 < count; operand++) {
        if (!vlad_is_pair(argument)) return 0;
        operands[operand] = vlad_as_pair(argument)->first;
        argument = vlad_as_pair(argument)->second;
    }
    operands[count - 1] = argument;
    return 1;
}

/* Converts a real to a whole number from `least` to 2^53; returns 0 if it is none. */
static int whole(vlad_value value, double least, uint64_t *number) {
    if (!vlad_is_number(value)) return 0;
    double real = vlad_base(value);
    if (!(real >= least && real <= GREATEST_WHOLE) || (double)(uint64_t)real != real) return 0;
    *number = (uint64_t)real;
    return 1;
}

/* The same, or #f. */
static int whole_or_false(vlad_value value, double least, uint64_t *number) {
    *number = VLAD_NOT_GIVEN;
    return !vlad_is_true(value) || whole(value, least, number);
}

static int refuse(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value argument) {
    vlad_not_expected(m, primitive, argument);
    return vlad_stop_at_call(m, top, fuel, m->call_node, m->site);
}

static int count_steps(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive,
                       vlad_value argument) {
    vlad_value f, x;
    if (!vlad_is_pair(argument)) return refuse(m, top, fuel, primitive, argument);
    vlad_unpair(m, argument, &f, &x);
    return vlad_count_steps(m, top, fuel, f, x);
}

static int interrupt(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value argument) {
    vlad_value operands[3];
    uint64_t limit;
    if (!operands_of(argument, operands, 3) || !whole(operands[2], 0.0, &limit))
        return refuse(m, top, fuel, primitive, argument);
    vlad_value f = vlad_share(operands[0]), x = vlad_share(operands[1]);
    vlad_drop(m, argument);
    return vlad_interrupt(m, top, fuel, f, x, (int64_t)limit);
}

static int resume(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value argument) {
    if (vlad_kind(argument) != VLAD_CAPSULE) return refuse(m, top, fuel, primitive, argument);
    return vlad_resume(m, top, fuel, argument);
}

/* A form of checkpoint-*j with `numbers` numbers after its three operands, the last of which is the base case. */
static int checkpoint(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value argument,
                      uint32_t numbers) {
    vlad_value operands[6];
    struct vlad_checkpoint_options options = {{VLAD_NOT_GIVEN, VLAD_NOT_GIVEN, VLAD_NOT_GIVEN}};
    if (!operands_of(argument, operands, 3 + numbers)) return refuse(m, top, fuel, primitive, argument);
    for (uint32_t number = 0; number < numbers; number++) {
        double least = number + 1 == numbers ? 1.0 : 0.0;
        if (!whole_or_false(operands[3 + number], least, &options.numbers[number]))
            return refuse(m, top, fuel, primitive, argument);
    }
    vlad_value f = vlad_share(operands[0]), x = vlad_share(operands[1]), cotangent = vlad_share(operands[2]);
    vlad_drop(m, argument);
    return vlad_checkpoint(m, top, fuel, primitive, f, x, cotangent, &options);
}

int vlad_operator(struct vlad_machine *m, vlad_value *top, int64_t fuel, uint32_t primitive, vlad_value argument) {
    switch (vlad_primitive_rows[primitive].detail) {
    case VLAD_CONTROL_COUNT_STEPS:
        return count_steps(m, top, fuel, primitive, argument);
    case VLAD_CONTROL_INTERRUPT:
        return interrupt(m, top, fuel, primitive, argument);
    case VLAD_CONTROL_RESUME:
        return resume(m, top, fuel, primitive, argument);
    case VLAD_CONTROL_CHECKPOINT_BISECTION:
        return checkpoint(m, top, fuel, primitive, argument, 2);
    case VLAD_CONTROL_CHECKPOINT_BINOMIAL:
        return checkpoint(m, top, fuel, primitive, argument, 3);
    default: /* VLAD_CONTROL_CHECKPOINT_OF_RUN */
        return checkpoint(m, top, fuel, primitive, argument, 0);
    }
}
