/* The primitives on their arguments: the counterpart of shared/runtime/src/primitives/apply.rs, case by case and in its order,
 * except for the control primitives (call.c). The properties of each primitive come from the table (rules.h).
 *
 * Several operands are a tuple: while the argument is a pair, its first is the next operand, and the first part that is
 * no pair is the last operand. If two or more operands are given separately, the common cases need no tuple; the others
 * build it.
 */
#include "apply.h"
#include "arithmetic.h"
#include "equal.h"
#include "exits.h"
#include "journal.h"
#include "number.h"
#include "on_vector.h"
#include "operators.h"
#include "reflection.h"
#include "rules.h"
#include "tagged.h"

/* True if a value is a pair, and then its halves, borrowed. */
static int halves(vlad_value v, vlad_value *first, vlad_value *second) {
    if (!vlad_is_pair(v)) return 0;
    *first = vlad_as_pair(v)->first;
    *second = vlad_as_pair(v)->second;
    return 1;
}

/* A fold of one operand, or none. */
static vlad_value fold_one(struct vlad_machine *m, uint32_t primitive, vlad_value operand) {
    const struct vlad_primitive_row *row = &vlad_primitive_rows[primitive];
    if (operand.tag == VLAD_NIL && row->has_empty) return vlad_real(row->empty);
    if (!vlad_is_number(operand)) return vlad_not_expected(m, primitive, operand);
    switch (row->single) {
    case VLAD_SINGLE_UNARY:
        return vlad_unary(m, row->other, operand);
    case VLAD_SINGLE_FROM:
        return vlad_binary(m, row->operation, vlad_real(row->from), operand);
    default: /* VLAD_SINGLE_ITSELF */
        return vlad_share(operand);
    }
}

/* One more operand of a fold; takes the result so far. */
static vlad_value fold_next(struct vlad_machine *m, uint32_t operation, vlad_value folded, vlad_value operand) {
    vlad_value result = vlad_binary(m, operation, folded, operand);
    vlad_drop(m, folded);
    return result;
}

static vlad_value fold(struct vlad_machine *m, uint32_t primitive, vlad_value argument) {
    uint32_t operation = vlad_primitive_rows[primitive].operation;
    vlad_value first, rest;
    if (!halves(argument, &first, &rest)) return fold_one(m, primitive, argument);
    if (!vlad_is_number(first)) return vlad_not_expected(m, primitive, argument);
    vlad_value folded = vlad_share(first);
    vlad_value next;
    while (halves(rest, &next, &rest)) {
        if (!vlad_work(m)) return folded;
        if (!vlad_is_number(next)) return vlad_not_expected(m, primitive, argument);
        folded = fold_next(m, operation, folded, next);
    }
    if (!vlad_is_number(rest)) return vlad_not_expected(m, primitive, argument);
    return fold_next(m, operation, folded, rest);
}

/* A comparison of each operand with the next; all must be reals even if one comparison fails. */
static vlad_value chain(struct vlad_machine *m, uint32_t primitive, vlad_value argument) {
    uint32_t comparison = vlad_primitive_rows[primitive].detail;
    int result = 1;
    int has_previous = 0;
    double previous = 0.0;
    for (vlad_value rest = argument;;) {
        vlad_value operand = rest;
        int goes_on = halves(rest, &operand, &rest);
        if (!vlad_is_number(operand)) return vlad_not_expected(m, primitive, argument);
        double current = vlad_base(operand);
        if (has_previous) result &= vlad_comparison_holds(comparison, previous, current);
        if (!goes_on) return vlad_boolean(result);
        has_previous = 1;
        previous = current;
        if (!vlad_work(m)) return vlad_nil();
    }
}

static int ask(uint32_t predicate, vlad_value v) {
    switch (predicate) {
    case VLAD_PREDICATE_NULL:
        return v.tag == VLAD_NIL;
    case VLAD_PREDICATE_BOOLEAN:
        return v.tag == VLAD_BOOLEAN;
    case VLAD_PREDICATE_REAL:
        return vlad_is_number(v);
    case VLAD_PREDICATE_PAIR:
        return vlad_is_pair(v);
    case VLAD_PREDICATE_PROCEDURE:
        return vlad_is_procedure(v);
    case VLAD_PREDICATE_CAPSULE:
        return vlad_kind(v) == VLAD_CAPSULE;
    case VLAD_PREDICATE_PERTURBATION:
        return vlad_kind(v) == VLAD_PERTURBATION;
    case VLAD_PREDICATE_SENSITIVITY:
        return vlad_kind(v) == VLAD_SENSITIVITY;
    case VLAD_PREDICATE_REVERSE:
        return vlad_kind(v) == VLAD_REVERSED;
    case VLAD_PREDICATE_BUNDLE:
        return vlad_is_tagged(v) && vlad_tag_of(v) == VLAD_BUNDLE;
    case VLAD_PREDICATE_VECTOR:
        return vlad_is_vector(v);
    default: /* VLAD_PREDICATE_FALSE */
        return !vlad_is_true(v);
    }
}

static vlad_value read_real(struct vlad_machine *m, uint32_t primitive, vlad_value argument) {
    struct machine *machine = vlad_private(m);
    double real = 0.0;
    if (argument.tag != VLAD_NIL) return vlad_not_expected(m, primitive, argument);
    if (!vlad_journal_read_real(machine, &real)) m->fault.kind = VLAD_FAULT_HOST;
    return vlad_real(real);
}

static vlad_value is_input_over(struct vlad_machine *m, uint32_t primitive, vlad_value argument) {
    struct machine *machine = vlad_private(m);
    int32_t is_over = 0;
    if (argument.tag != VLAD_NIL) return vlad_not_expected(m, primitive, argument);
    if (!vlad_journal_is_input_over(machine, &is_over)) m->fault.kind = VLAD_FAULT_HOST;
    return vlad_boolean(is_over);
}

static vlad_value write_line(struct vlad_machine *m, uint32_t layout, vlad_value argument) {
    struct machine *machine = vlad_private(m);
    if (!vlad_answered(machine, machine->calls.write(machine->host, layout, argument))) m->fault.kind = VLAD_FAULT_HOST;
    return vlad_share(argument);
}

/* A primitive of two reals, whose argument must be a pair of them. */
static vlad_value binary(struct vlad_machine *m, uint32_t primitive, uint32_t operation, vlad_value argument) {
    vlad_value first, second;
    if (!halves(argument, &first, &second) || !vlad_is_number(first) || !vlad_is_number(second))
        return vlad_not_expected(m, primitive, argument);
    return vlad_binary(m, operation, first, second);
}

vlad_value vlad_apply(struct vlad_machine *m, uint32_t primitive, vlad_value argument) {
    const struct vlad_primitive_row *row = &vlad_primitive_rows[primitive];
    vlad_value first, second;
    switch (row->form) {
    case VLAD_FORM_FOLD:
        return fold(m, primitive, argument);
    case VLAD_FORM_UNARY:
        return vlad_is_number(argument) ? vlad_unary(m, row->operation, argument)
                                        : vlad_not_expected(m, primitive, argument);
    case VLAD_FORM_BINARY:
        return binary(m, primitive, row->operation, argument);
    case VLAD_FORM_UNARY_OR_BINARY:
        if (vlad_is_pair(argument)) return binary(m, primitive, row->other, argument);
        return vlad_is_number(argument) ? vlad_unary(m, row->operation, argument)
                                        : vlad_not_expected(m, primitive, argument);
    case VLAD_FORM_CHAIN:
        return chain(m, primitive, argument);
    case VLAD_FORM_AGAINST_ZERO:
        if (!vlad_is_number(argument)) return vlad_not_expected(m, primitive, argument);
        return vlad_boolean(vlad_comparison_holds(row->detail, vlad_base(argument), 0.0));
    case VLAD_FORM_ASK:
        return vlad_boolean(ask(row->detail, argument));
    case VLAD_FORM_FIRST:
        return halves(argument, &first, &second) ? vlad_share(first) : vlad_not_expected(m, primitive, argument);
    case VLAD_FORM_SECOND:
        return halves(argument, &first, &second) ? vlad_share(second) : vlad_not_expected(m, primitive, argument);
    case VLAD_FORM_PAIR:
        return vlad_is_pair(argument) ? vlad_share(argument) : vlad_not_expected(m, primitive, argument);
    case VLAD_FORM_SAME_VALUE:
        if (!halves(argument, &first, &second)) return vlad_not_expected(m, primitive, argument);
        return vlad_boolean(vlad_same_value(m, first, second));
    case VLAD_FORM_REAL:
        return vlad_is_number(argument) ? vlad_share(argument) : vlad_not_expected(m, primitive, argument);
    case VLAD_FORM_ZERO:
        return vlad_zero(m, argument);
    case VLAD_FORM_PLUS:
        if (!halves(argument, &first, &second)) return vlad_not_expected(m, primitive, argument);
        return vlad_plus(m, first, second);
    case VLAD_FORM_TRANSFORM_FORWARD:
    case VLAD_FORM_BUNDLE:
    case VLAD_FORM_PRIMAL_OF:
    case VLAD_FORM_TANGENT_OF:
    case VLAD_FORM_MARK:
    case VLAD_FORM_UNMARK:
    case VLAD_FORM_INVERT:
        return vlad_reflect(m, primitive, argument);
    case VLAD_FORM_ON_VECTOR:
        return vlad_on_vector(m, primitive, vlad_share(argument));
    case VLAD_FORM_READ_REAL:
        return read_real(m, primitive, argument);
    case VLAD_FORM_WRITE_REAL:
        return vlad_is_number(argument) ? write_line(m, VLAD_LAYOUT_DATUM, argument)
                                        : vlad_not_expected(m, primitive, argument);
    case VLAD_FORM_WRITE:
        return write_line(m, VLAD_LAYOUT_DATUM, argument);
    case VLAD_FORM_WRITE_ROW:
        return write_line(m, VLAD_LAYOUT_ROW, argument);
    case VLAD_FORM_WRITE_TEXT:
        if (!halves(argument, &first, &second)) return vlad_not_expected(m, primitive, argument);
        vlad_drop(m, write_line(m, VLAD_LAYOUT_TEXT, argument));
        return vlad_share(second);
    case VLAD_FORM_END_OF_INPUT:
        return is_input_over(m, primitive, argument);
    case VLAD_FORM_ERROR:
    case VLAD_FORM_ERROR_TEXT:
        return vlad_not_expected(m, primitive, argument);
    default: /* VLAD_FORM_CONTROL: not a primitive for `apply` */
        return vlad_not_expected(m, primitive, argument);
    }
}

/* The tuple of some operands, which are borrowed. */
static vlad_value tuple(struct vlad_machine *m, uint32_t count, const vlad_value *operands) {
    if (count == 0) return vlad_nil();
    vlad_value made = vlad_share(operands[count - 1]);
    for (uint32_t operand = count - 1; operand-- > 0;) made = vlad_pair(m, vlad_share(operands[operand]), made);
    return made;
}

static vlad_value apply_to_tuple(struct vlad_machine *m, uint32_t primitive, uint32_t count,
                                 const vlad_value *operands) {
    vlad_value argument = tuple(m, count, operands);
    vlad_value result = vlad_apply(m, primitive, argument);
    /* A fault may refer to parts of it: then it is kept. */
    if (!m->fault.kind) vlad_drop(m, argument);
    return result;
}

static vlad_value apply_two_built(struct vlad_machine *m, uint32_t primitive, vlad_value first, vlad_value second) {
    vlad_value operands[2] = {first, second};
    return apply_to_tuple(m, primitive, 2, operands);
}

vlad_value vlad_apply_two(struct vlad_machine *m, uint32_t primitive, vlad_value first, vlad_value second) {
    const struct vlad_primitive_row *row = &vlad_primitive_rows[primitive];
    int are_numbers = vlad_is_number(first) && vlad_is_number(second);
    vlad_value element;
    switch (row->form) {
    case VLAD_FORM_FOLD:
    case VLAD_FORM_BINARY:
        if (are_numbers) return vlad_binary(m, row->operation, first, second);
        break;
    case VLAD_FORM_UNARY_OR_BINARY:
        if (are_numbers) return vlad_binary(m, row->other, first, second);
        break;
    case VLAD_FORM_CHAIN:
        if (are_numbers) return vlad_boolean(vlad_comparison_holds(row->detail, vlad_base(first), vlad_base(second)));
        break;
    case VLAD_FORM_FIRST:
        return vlad_share(first);
    case VLAD_FORM_SECOND:
        return vlad_share(second);
    case VLAD_FORM_SAME_VALUE:
        return vlad_boolean(vlad_same_value(m, first, second));
    case VLAD_FORM_PLUS:
        return vlad_plus(m, first, second);
    case VLAD_FORM_BUNDLE:
        return vlad_bundle(m, first, second);
    case VLAD_FORM_ON_VECTOR:
        if (row->detail == VLAD_ON_VECTOR_ELEMENT && vlad_vector_get(m, first, second, &element)) return element;
        if (row->detail == VLAD_ON_VECTOR_OF_LENGTH && vlad_is_of_length(first, second)) return vlad_share(first);
        break;
    default:
        break;
    }
    return apply_two_built(m, primitive, first, second);
}

/* A fold of two or more operands that are all numbers. */
static vlad_value fold_numbers(struct vlad_machine *m, uint32_t operation, uint32_t count,
                               const vlad_value *operands) {
    vlad_value folded = vlad_binary(m, operation, operands[0], operands[1]);
    for (uint32_t operand = 2; operand < count && vlad_work(m); operand++)
        folded = fold_next(m, operation, folded, operands[operand]);
    return folded;
}

vlad_value vlad_apply_many(struct vlad_machine *m, uint32_t primitive, uint32_t count, const vlad_value *operands) {
    const struct vlad_primitive_row *row = &vlad_primitive_rows[primitive];
    uint32_t numbers = 0;
    while (numbers < count && vlad_is_number(operands[numbers])) numbers++;
    if (numbers == count && count >= 2) {
        if (row->form == VLAD_FORM_FOLD) return fold_numbers(m, row->operation, count, operands);
        if (row->form == VLAD_FORM_CHAIN) {
            int result = 1;
            for (uint32_t operand = 1; operand < count; operand++)
                result &= vlad_comparison_holds(row->detail, vlad_base(operands[operand - 1]),
                                                vlad_base(operands[operand]));
            return vlad_boolean(result);
        }
    }
    return apply_to_tuple(m, primitive, count, operands);
}
