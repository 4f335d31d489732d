/* Operations on reals at any levels. An operation on a lifted real computes coefficients by operations on the primals.
 * The module consists of arithmetic.c and of coefficients.c, which is generated.
 */
#ifndef VLAD_ARITHMETIC_H
#define VLAD_ARITHMETIC_H

#include "machine.h"

/* An operation of the table on one and on two numbers, at any levels. */
vlad_value vlad_unary(struct vlad_machine *m, uint32_t operation, vlad_value operand);
vlad_value vlad_binary(struct vlad_machine *m, uint32_t operation, vlad_value first, vlad_value second);
/* The guarded product of the coefficient of an operand (0 or 1) and a tangent or cotangent. */
vlad_value vlad_product(struct vlad_machine *m, uint32_t operation, uint32_t operand, vlad_value first,
                        vlad_value second, vlad_value result, vlad_value part);
/* The sum of two contributions to a tangent or to an accumulator. */
vlad_value vlad_sum_of_parts(struct vlad_machine *m, vlad_value first, vlad_value second);
/* A tangent or cotangent in the form of a result: a zero as +0. */
vlad_value vlad_given_back(struct vlad_machine *m, vlad_value number);
/* The coefficient of an operand (0 or 1) on numbers of any levels, owned, if it is not just the value of an operand or of
 * the result (vlad_coefficient_of, rules.h); second is first for operations on one. */
vlad_value vlad_coefficient(struct vlad_machine *m, uint32_t operation, uint32_t operand, vlad_value first,
                            vlad_value second, vlad_value result);

#endif
