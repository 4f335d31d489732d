/* Operations on reals at any levels: rules 5a (nodes) and 5b (zeros go by value: guarded products) of the report, part 9.
 *
 * An operation acts at the newest level among its operands. There it works on the operands' primals, which are numbers of
 * older levels, so the same function applies to them: recursion descends one level at a time and is bounded by
 * VLAD_MOST_LEVELS. If the primals are plain, the usual case, there is no recursion.
 *
 * The counterpart of shared/ad/src/arithmetic.rs. The fast paths are added here; bits and work are the same. In runs with
 * traps none of them is taken.
 */
#include "arithmetic.h"
#include "exits.h"
#include "number.h"
#include "rules.h"
#include "tape.h"
#include "traps.h"

static enum vlad_products_with_one products_with_one(struct vlad_machine *m) {
    return vlad_levels_of(m)->reverse == 0 ? VLAD_ONES_LEFT_OUT : VLAD_ONES_MULTIPLIED;
}

static VLAD_INLINE vlad_value guarded_product(struct vlad_machine *m, uint32_t operation, uint32_t operand,
                                              vlad_value first, vlad_value second, vlad_value result, vlad_value part) {
    uint32_t of = vlad_coefficient_of[operation][operand];
    if (of == VLAD_READS_FIRST) return vlad_binary(m, VLAD_OPERATION_GUARDED_MULTIPLY, first, part);
    if (of == VLAD_READS_SECOND) return vlad_binary(m, VLAD_OPERATION_GUARDED_MULTIPLY, second, part);
    if (of == VLAD_READS_RESULT) return vlad_binary(m, VLAD_OPERATION_GUARDED_MULTIPLY, result, part);
    vlad_value coefficient = vlad_coefficient(m, operation, operand, first, second, result);
    vlad_value product = vlad_binary(m, VLAD_OPERATION_GUARDED_MULTIPLY, coefficient, part);
    vlad_drop(m, coefficient);
    return product;
}

/* The product in a run with traps. */
static VLAD_APART vlad_value product_with_traps(struct vlad_machine *m, uint32_t operation, uint32_t operand,
                                                vlad_value first, vlad_value second, vlad_value result,
                                                vlad_value part) {
    uint32_t before = vlad_derivative_begin(m);
    vlad_value product = guarded_product(m, operation, operand, first, second, result, part);
    vlad_derivative_end(m, before);
    return product;
}

/* Omits a coefficient of 1 if no reverse level could see its node: the value is the same but for the sign of a zero,
 * which rule 5b makes unobservable. */
vlad_value vlad_product(struct vlad_machine *m, uint32_t operation, uint32_t operand, vlad_value first,
                        vlad_value second, vlad_value result, vlad_value part) {
    if ((vlad_ones[operation] >> operand & 1) && vlad_levels_of(m)->reverse == 0) return vlad_share(part);
    if (VLAD_UNLIKELY(vlad_has_traps(m)))
        return product_with_traps(m, operation, operand, first, second, result, part);
    return guarded_product(m, operation, operand, first, second, result, part);
}

vlad_value vlad_sum_of_parts(struct vlad_machine *m, vlad_value first, vlad_value second) {
    if (VLAD_LIKELY(!vlad_has_traps(m))) return vlad_binary(m, VLAD_OPERATION_ADD, first, second);
    uint32_t before = vlad_derivative_begin(m);
    vlad_value sum = vlad_binary(m, VLAD_OPERATION_ADD, first, second);
    vlad_derivative_end(m, before);
    return sum;
}

/* True if an operand is from before the tape; `part` is its part at the level, if it is of the level. */
static VLAD_INLINE int is_outside(const struct vlad_tape *tape, vlad_value part) {
    return part.tag == VLAD_RAW && part.word < tape->base;
}

/* The node of an operation whose operands and result are plain. Fast on the outermost level, whose tape nearly always has
 * capacity. */
static VLAD_INLINE uint64_t record_plain(struct vlad_machine *m, uint32_t level, uint32_t operation,
                                         vlad_value first_part, vlad_value second_part, double a, double b, double r) {
    struct vlad_tape *tape = &vlad_levels_of(m)->levels[level].tape;
    uint64_t number = tape->next;
    if (VLAD_UNLIKELY(level != 0 || tape->used >= tape->quick || is_outside(tape, first_part) ||
                      is_outside(tape, second_part))) {
        if (!tape->records || tape->replaying) return tape->next++;
        return vlad_record(m, level, operation, first_part, second_part, vlad_real(a), vlad_real(b), vlad_real(r));
    }
    uint32_t active = (first_part.tag == VLAD_RAW ? VLAD_FIRST_ACTIVE : 0u) |
                      (second_part.tag == VLAD_RAW ? VLAD_SECOND_ACTIVE : 0u);
    uint32_t reads = vlad_reads[operation][active];
    uint8_t *end = tape->bytes + tape->used;
    if (reads & VLAD_READS_FIRST) end = vlad_put_real(end, a);
    if (reads & VLAD_READS_SECOND) end = vlad_put_real(end, b);
    if (reads & VLAD_READS_RESULT) end = vlad_put_real(end, r);
    if (active & VLAD_FIRST_ACTIVE) end = vlad_put_distance(end, number - first_part.word);
    if (active & VLAD_SECOND_ACTIVE) end = vlad_put_distance(end, number - second_part.word);
    end = vlad_put_operation(end, operation, active);
    tape->used = (size_t)(end - tape->bytes);
    tape->next = number + 1;
    return number;
}

static vlad_value unary_lifted(struct vlad_machine *m, uint32_t operation, struct vlad_lifted *operand) {
    if (!vlad_work(m)) return vlad_real(0.0);
    uint32_t level = operand->header.extent;
    vlad_value x = operand->primal, part = operand->part;
    if (VLAD_LIKELY(vlad_is_real(x) && part.tag != VLAD_LIFTED && !vlad_has_traps(m))) {
        double a = vlad_double(x), r = vlad_evaluate_unary(m, operation, a);
        if (part.tag == VLAD_RAW) {
            uint64_t node = record_plain(m, level, operation, part, vlad_nil(), a, a, r);
            return vlad_lift(m, level, vlad_real(r), vlad_raw(node));
        }
        enum vlad_products_with_one ones = products_with_one(m);
        struct vlad_products products =
            vlad_products_of(m, operation, ones, VLAD_FIRST_ACTIVE, a, a, r, vlad_double(part), 0.0);
        return vlad_lift(m, level, vlad_real(r), vlad_real(products.first));
    }
    vlad_value result = vlad_unary(m, operation, x);
    if (part.tag == VLAD_RAW) {
        uint64_t node = vlad_record(m, level, operation, part, vlad_nil(), x, x, result);
        return vlad_lift(m, level, result, vlad_raw(node));
    }
    return vlad_lift(m, level, result, vlad_product(m, operation, 0, x, x, result, part));
}

vlad_value vlad_unary(struct vlad_machine *m, uint32_t operation, vlad_value operand) {
    if (vlad_is_real(operand)) {
        double x = vlad_double(operand), r = vlad_evaluate_unary(m, operation, x);
        return vlad_real(VLAD_UNLIKELY(vlad_has_traps(m)) ? vlad_tested(m, operation, x, x, r) : r);
    }
    return unary_lifted(m, operation, vlad_as_lifted(operand));
}

/* An operand at the level of an operation: its primal, and the part that the level adds if the operand is of the level. */
struct operand {
    vlad_value primal;
    vlad_value part; /* nil if it is not of the level */
};

static inline struct operand at_level(vlad_value number, uint32_t level) {
    struct operand operand = {number, vlad_nil()};
    if (vlad_is_of_level(number, level)) {
        operand.primal = vlad_as_lifted(number)->primal;
        operand.part = vlad_as_lifted(number)->part;
    }
    return operand;
}

/* The tangent of the result of an operation with one or two operands of a forward level. */
static vlad_value tangent_of(struct vlad_machine *m, uint32_t operation, const struct operand *first,
                             const struct operand *second, vlad_value result) {
    vlad_value a = first->primal, b = second->primal;
    if (second->part.tag == VLAD_NIL) return vlad_product(m, operation, 0, a, b, result, first->part);
    if (first->part.tag == VLAD_NIL) return vlad_product(m, operation, 1, a, b, result, second->part);
    vlad_value left = vlad_product(m, operation, 0, a, b, result, first->part);
    vlad_value right = vlad_product(m, operation, 1, a, b, result, second->part);
    vlad_value sum = vlad_sum_of_parts(m, left, right);
    vlad_drop(m, left);
    vlad_drop(m, right);
    return sum;
}

/* An operation whose operands' primals are plain, as are the tangents of a forward level. */
static VLAD_INLINE vlad_value binary_over_plain(struct vlad_machine *m, uint32_t operation, uint32_t level,
                                                const struct operand *first, const struct operand *second) {
    double a = vlad_double(first->primal), b = vlad_double(second->primal);
    double r = vlad_evaluate_binary(m, operation, a, b);
    vlad_value part;
    if (first->part.tag == VLAD_RAW || second->part.tag == VLAD_RAW) {
        part = vlad_raw(record_plain(m, level, operation, first->part, second->part, a, b, r));
    } else {
        double u = vlad_double(first->part), v = vlad_double(second->part);
        enum vlad_products_with_one ones = products_with_one(m);
        double tangent;
        if (second->part.tag == VLAD_NIL) {
            tangent = vlad_products_of(m, operation, ones, VLAD_FIRST_ACTIVE, a, b, r, u, v).first;
        } else if (first->part.tag == VLAD_NIL) {
            tangent = vlad_products_of(m, operation, ones, VLAD_SECOND_ACTIVE, a, b, r, u, v).second;
        } else {
            struct vlad_products products =
                vlad_products_of(m, operation, ones, VLAD_FIRST_ACTIVE | VLAD_SECOND_ACTIVE, a, b, r, u, v);
            tangent = products.first + products.second;
        }
        part = vlad_real(tangent);
    }
    return vlad_lift(m, level, vlad_real(r), part);
}

/* An operation whose operands' primals are of older levels in turn, or any numbers: the equation. */
static VLAD_APART vlad_value binary_over_lifted(struct vlad_machine *m, uint32_t operation, uint32_t level,
                                                const struct operand *first, const struct operand *second) {
    vlad_value result = vlad_binary(m, operation, first->primal, second->primal);
    if (first->part.tag != VLAD_RAW && second->part.tag != VLAD_RAW)
        return vlad_lift(m, level, result, tangent_of(m, operation, first, second, result));
    uint64_t node =
        vlad_record(m, level, operation, first->part, second->part, first->primal, second->primal, result);
    return vlad_lift(m, level, result, vlad_raw(node));
}

static int is_lifted(vlad_value part) { return part.tag == VLAD_LIFTED; }

static VLAD_INLINE vlad_value binary_lifted(struct vlad_machine *m, uint32_t operation, vlad_value a, vlad_value b) {
    uint32_t level = 0;
    if (a.tag == VLAD_LIFTED) level = vlad_as_lifted(a)->header.extent;
    if (b.tag == VLAD_LIFTED && vlad_as_lifted(b)->header.extent > level) level = vlad_as_lifted(b)->header.extent;
    if (VLAD_UNLIKELY(!vlad_work(m))) return vlad_real(0.0);
    struct operand first = at_level(a, level), second = at_level(b, level);
    if (VLAD_UNLIKELY(is_lifted(first.primal) || is_lifted(second.primal) || is_lifted(first.part) ||
                      is_lifted(second.part) || vlad_has_traps(m)))
        return binary_over_lifted(m, operation, level, &first, &second);
    return binary_over_plain(m, operation, level, &first, &second);
}

static VLAD_APART vlad_value add_lifted(struct vlad_machine *m, vlad_value a, vlad_value b) {
    return binary_lifted(m, VLAD_OPERATION_ADD, a, b);
}
static VLAD_APART vlad_value subtract_lifted(struct vlad_machine *m, vlad_value a, vlad_value b) {
    return binary_lifted(m, VLAD_OPERATION_SUBTRACT, a, b);
}
static VLAD_APART vlad_value multiply_lifted(struct vlad_machine *m, vlad_value a, vlad_value b) {
    return binary_lifted(m, VLAD_OPERATION_MULTIPLY, a, b);
}
static VLAD_APART vlad_value divide_lifted(struct vlad_machine *m, vlad_value a, vlad_value b) {
    return binary_lifted(m, VLAD_OPERATION_DIVIDE, a, b);
}
static VLAD_APART vlad_value guarded_multiply_lifted(struct vlad_machine *m, vlad_value a, vlad_value b) {
    return binary_lifted(m, VLAD_OPERATION_GUARDED_MULTIPLY, a, b);
}
static VLAD_APART vlad_value any_lifted(struct vlad_machine *m, uint32_t operation, vlad_value a, vlad_value b) {
    return binary_lifted(m, operation, a, b);
}

/* The most frequent operations have specialised code, for speed; it is the same code. */
vlad_value vlad_binary(struct vlad_machine *m, uint32_t operation, vlad_value first, vlad_value second) {
    int plain = vlad_is_real(first) && vlad_is_real(second);
    double a = vlad_double(first), b = vlad_double(second);
    if (VLAD_UNLIKELY(plain && vlad_has_traps(m)))
        return vlad_real(vlad_tested(m, operation, a, b, vlad_evaluate_binary(m, operation, a, b)));
    switch (operation) {
    case VLAD_OPERATION_ADD:
        return plain ? vlad_real(vlad_real_add(m, a, b)) : add_lifted(m, first, second);
    case VLAD_OPERATION_SUBTRACT:
        return plain ? vlad_real(vlad_real_subtract(m, a, b)) : subtract_lifted(m, first, second);
    case VLAD_OPERATION_MULTIPLY:
        return plain ? vlad_real(vlad_real_multiply(m, a, b)) : multiply_lifted(m, first, second);
    case VLAD_OPERATION_DIVIDE:
        return plain ? vlad_real(vlad_real_divide(m, a, b)) : divide_lifted(m, first, second);
    case VLAD_OPERATION_GUARDED_MULTIPLY:
        return plain ? vlad_real(vlad_real_guarded_multiply(m, a, b)) : guarded_multiply_lifted(m, first, second);
    default:
        return plain ? vlad_real(vlad_evaluate_binary(m, operation, a, b)) : any_lifted(m, operation, first, second);
    }
}

/* The same number with +0 as its plain real. */
static vlad_value with_zero(struct vlad_machine *m, vlad_value number) {
    if (vlad_is_real(number)) return vlad_real(0.0);
    struct vlad_lifted *lifted = vlad_as_lifted(number);
    vlad_value primal = with_zero(m, lifted->primal);
    return vlad_lift(m, lifted->header.extent, primal, vlad_share(lifted->part));
}

/* Rule 5b: a zero tangent or cotangent is returned as +0. No node is made. */
vlad_value vlad_given_back(struct vlad_machine *m, vlad_value number) {
    double base = vlad_base(number);
    return base == 0.0 && signbit(base) ? with_zero(m, number) : vlad_share(number);
}
