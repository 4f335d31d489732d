/* The primitives on vectors: the counterpart of shared/runtime/src/primitives/vectors.rs, case by case.
 *
 * Rule 5c: a real that becomes an element of a new vector, or is read from one, is copied, by an operation of the table;
 * a value that is no real is moved. A new vector's reals are copied in the order of their indices. A vector without other
 * references is updated in place.
 */
#include "on_vector.h"
#include "arithmetic.h"
#include "exits.h"
#include "number.h"
#include "rules.h"
#include "vector.h"

/* A value as an element, which it takes: a real is copied. */
static vlad_value copied(struct vlad_machine *m, vlad_value value) {
    if (value.tag != VLAD_LIFTED) return value;
    vlad_value copy = vlad_unary(m, VLAD_OPERATION_COPY, value);
    vlad_drop(m, value);
    return copy;
}

/* Converts a real, under its levels, to a whole number up to a greatest one, which is less than 2^63; returns 0 if it is
 * none. */
static int whole(vlad_value value, double greatest, uint64_t *number) {
    if (!vlad_is_number(value)) return 0;
    double real = vlad_base(value);
    if (!(real >= 0.0 && real <= greatest)) return 0;
    *number = (uint64_t)real;
    return (double)*number == real;
}

static int index_into(const struct vlad_vector *v, vlad_value value, uint64_t *index) {
    return whole(value, (double)VLAD_MOST_ELEMENTS, index) && *index < v->length;
}

/* The copy of an element. For an element of a level no intermediate number is made. */
static vlad_value copied_element(struct vlad_machine *m, const struct vlad_vector *v, uint64_t index) {
    switch (vlad_form(v)) {
    case VLAD_FORM_PLAIN:
        return vlad_real(v->elements.reals[index]);
    case VLAD_FORM_VALUES: {
        vlad_value element = v->elements.values[index];
        return element.tag == VLAD_LIFTED ? vlad_unary(m, VLAD_OPERATION_COPY, element) : vlad_share(element);
    }
    case VLAD_FORM_TANGENTS:
        return copied(m, vlad_vector_element(m, v, index));
    default: /* VLAD_FORM_NODES */
        break;
    }
    const struct vlad_vector *primals = v->elements.primals;
    uint64_t node = v->parts.nodes[index];
    vlad_value primal =
        vlad_is_plain_vector(primals) ? vlad_real(primals->elements.reals[index]) : vlad_vector_element(m, primals, index);
    if (node == VLAD_NO_NUMBER) return copied(m, primal);
    struct vlad_lifted element = {{1, vlad_vector_level(v)}, primal, vlad_raw(node)};
    vlad_value copy = vlad_unary(m, VLAD_OPERATION_COPY, vlad_make(VLAD_LIFTED, (uint64_t)(uintptr_t)&element));
    vlad_drop(m, primal);
    return copy;
}

int vlad_vector_get(struct vlad_machine *m, vlad_value vector, vlad_value index, vlad_value *element) {
    uint64_t place;
    if (!vlad_is_vector(vector) || !index_into(vlad_as_vector(vector), index, &place)) return 0;
    *element = copied_element(m, vlad_as_vector(vector), place);
    return 1;
}

int vlad_is_of_length(vlad_value vector, vlad_value length) {
    return vlad_is_vector(vector) && vlad_is_number(length) &&
           (double)vlad_as_vector(vector)->length == vlad_base(length);
}

/* Records a fault of operands, which become the tuple that is the argument. */
static VLAD_COLD vlad_value refuse(struct vlad_machine *m, uint32_t primitive, vlad_value first, vlad_value rest) {
    return vlad_not_expected(m, primitive, vlad_pair(m, first, rest));
}

vlad_value vlad_vector_set(struct vlad_machine *m, vlad_value vector, vlad_value index, vlad_value value) {
    uint64_t place;
    if (!vlad_is_vector(vector) || !index_into(vlad_as_vector(vector), index, &place))
        return refuse(m, VLAD_PRIMITIVE_VECTOR_SET, vector, vlad_pair(m, vlad_share(index), value));
    value = copied(m, value);
    struct vlad_vector *v = vlad_vector_alone(m, vlad_as_vector(vector));
    vlad_vector_replace(m, v, place, value);
    return vlad_vector_value(v);
}

vlad_value vlad_vector_push(struct vlad_machine *m, vlad_value vector, vlad_value value) {
    if (!vlad_is_vector(vector) || vlad_as_vector(vector)->length >= VLAD_MOST_ELEMENTS)
        return refuse(m, VLAD_PRIMITIVE_VECTOR_PUSH, vector, value);
    value = copied(m, value);
    struct vlad_vector *v = vlad_vector_alone(m, vlad_as_vector(vector));
    vlad_vector_append(m, v, value);
    return vlad_vector_value(v);
}

/* The list of the elements, built from the last on. */
static vlad_value to_list(struct vlad_machine *m, const struct vlad_vector *v) {
    vlad_value list = vlad_nil();
    for (uint64_t index = v->length; index-- > 0 && vlad_work(m);)
        list = vlad_pair(m, vlad_vector_element(m, v, index), list);
    return list;
}

static vlad_value from_list(struct vlad_machine *m, uint32_t primitive, vlad_value list) {
    vlad_value rest = list;
    struct vlad_vector *v = vlad_vector_new(m, 0);
    for (; vlad_is_pair(rest); rest = vlad_as_pair(rest)->second) {
        if (!vlad_work(m)) return vlad_nil();
        vlad_vector_append(m, v, copied(m, vlad_share(vlad_as_pair(rest)->first)));
    }
    if (rest.tag != VLAD_NIL) return vlad_not_expected(m, primitive, list);
    return vlad_vector_value(v);
}

/* A size, or a number of iterations, as a plain real. */
static vlad_value number(struct vlad_machine *m, uint32_t primitive, vlad_value argument, uint64_t most) {
    uint64_t count;
    if (!whole(argument, (double)most, &count)) return vlad_not_expected(m, primitive, argument);
    return vlad_real((double)count);
}

/* (vector-set v i x) and (vector-push v x) on their argument, which they take: parts without other references are moved. */
static vlad_value changed(struct vlad_machine *m, uint32_t primitive, vlad_value argument) {
    vlad_value vector, value, index;
    int is_set = primitive == VLAD_PRIMITIVE_VECTOR_SET;
    if (!vlad_is_pair(argument) || (is_set && !vlad_is_pair(vlad_as_pair(argument)->second)))
        return vlad_not_expected(m, primitive, argument);
    vlad_unpair(m, argument, &vector, &value);
    if (!is_set) return vlad_vector_push(m, vector, value);
    vlad_unpair(m, value, &index, &value);
    vlad_value result = vlad_vector_set(m, vector, index, value);
    if (!m->fault.kind) vlad_drop(m, index);
    return result;
}

static vlad_value looked_at(struct vlad_machine *m, uint32_t primitive, vlad_value argument) {
    vlad_value element;
    switch (vlad_primitive_rows[primitive].detail) {
    case VLAD_ON_VECTOR_LENGTH:
        if (!vlad_is_vector(argument)) return vlad_not_expected(m, primitive, argument);
        return vlad_real((double)vlad_as_vector(argument)->length);
    case VLAD_ON_VECTOR_ELEMENT:
        if (!vlad_is_pair(argument) ||
            !vlad_vector_get(m, vlad_as_pair(argument)->first, vlad_as_pair(argument)->second, &element))
            return vlad_not_expected(m, primitive, argument);
        return element;
    case VLAD_ON_VECTOR_TO_LIST:
        if (!vlad_is_vector(argument)) return vlad_not_expected(m, primitive, argument);
        return to_list(m, vlad_as_vector(argument));
    case VLAD_ON_VECTOR_FROM_LIST:
        return from_list(m, primitive, argument);
    case VLAD_ON_VECTOR_OF_LENGTH:
        if (!vlad_is_pair(argument) || !vlad_is_of_length(vlad_as_pair(argument)->first, vlad_as_pair(argument)->second))
            return vlad_not_expected(m, primitive, argument);
        return vlad_share(vlad_as_pair(argument)->first);
    case VLAD_ON_VECTOR_SIZE:
        return number(m, primitive, argument, VLAD_MOST_ELEMENTS);
    default: /* VLAD_ON_VECTOR_ITERATIONS */
        return number(m, primitive, argument, VLAD_MOST_ITERATIONS);
    }
}

vlad_value vlad_on_vector(struct vlad_machine *m, uint32_t primitive, vlad_value argument) {
    uint32_t detail = vlad_primitive_rows[primitive].detail;
    if (detail == VLAD_ON_VECTOR_REPLACE || detail == VLAD_ON_VECTOR_APPEND) return changed(m, primitive, argument);
    vlad_value result = looked_at(m, primitive, argument);
    if (!m->fault.kind) vlad_drop(m, argument);
    return result;
}
