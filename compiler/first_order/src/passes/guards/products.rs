//! Guarded products that a program tests for by itself, as F-smooth does for products of derivatives, become operations.
//!
//! ```text
//! p = a * b                                                   g = a (x) b
//! r = if p = 0 then p + 0                              ~>     r = positive-zero g
//!     else if p = p then p
//!     else if a = 0 or b = 0 then positive-zero (a (x) b) else p
//! ```
//!
//! Both are +0 where a or b is zero, +0 where the product is zero, and else the product. The passes on guarded products then
//! find them. If steps are counted, each path has a count of its own, and the tests stay.

use crate::{Block, End, Function, Kind, Operand, Statement, Unit, Variable};
use std::collections::HashMap;
use vlad_table::Operation;
use vlad_table::primitives::Comparison;

/// The deepest nest of tests that is looked at.
const DEEPEST: usize = 8;

/// Finds guarded products, in every function.
pub fn find_products(unit: &mut Unit) {
    for function in &mut unit.functions {
        let known = Known::of(function);
        let mut body = std::mem::replace(&mut function.body, Block { statements: vec![], end: End::Yield(vec![]) });
        find(&mut body, &known, function);
        function.body = body;
    }
}

/// The definitions of the variables of a function, each of which is assigned at one place.
struct Known {
    products: HashMap<Variable, [Operand; 2]>,
    /// The equalities.
    equalities: HashMap<Variable, [Operand; 2]>,
}

impl Known {
    fn of(function: &Function) -> Known {
        let mut known = Known { products: HashMap::new(), equalities: HashMap::new() };
        function.body.each_statement(&mut |statement| match statement {
            Statement::Operation { target, operation: Operation::Multiply, first, second: Some(second) } => {
                known.products.insert(*target, [*first, *second]);
            }
            Statement::Compare { target, comparison: Comparison::Equal, first, second } => {
                known.equalities.insert(*target, [*first, *second]);
            }
            _ => {}
        });
        known
    }

    /// The operand whose equality with zero a test is.
    fn zero_test(&self, test: Operand) -> Option<Operand> {
        let Operand::Variable(test) = test else { return None };
        let [first, second] = *self.equalities.get(&test)?;
        if is_zero(second) { Some(first) } else { is_zero(first).then_some(second) }
    }

    /// The operand whose equality with itself a test is.
    fn number_test(&self, test: Operand) -> Option<Operand> {
        let Operand::Variable(test) = test else { return None };
        let [first, second] = *self.equalities.get(&test)?;
        (first == second).then_some(first)
    }

    /// The factors of the product that the tests at the end of a block guard, and the place of the result among what is yielded.
    fn guarded(&self, end: &End) -> Option<([Operand; 2], Yielded)> {
        let End::Branch { test, consequent, alternative } = end else { return None };
        let product = self.zero_test(*test)?;
        let Operand::Variable(variable) = product else { return None };
        let factors = *self.products.get(&variable)?;
        let End::Branch { test, consequent: same, alternative: other } = &alternative.end else { return None };
        let result = Yielded::of(consequent, product)?;
        let is_fast = has_tests_only(alternative)
            && self.number_test(*test) == Some(product)
            && same.statements.is_empty()
            && result.is(same, product);
        (is_fast && self.is_slow_path(other, (product, &result), factors, (&[], DEEPEST))).then_some((factors, result))
    }

    /// Returns true if a block computes the guarded product of two factors, whose product is no number; some are known not to
    /// be zero.
    fn is_slow_path(
        &self,
        block: &Block,
        (product, result): (Operand, &Yielded),
        factors: [Operand; 2],
        (tested, depth): (&[Operand], usize),
    ) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if let End::Branch { test, consequent, alternative } = &block.end {
            let Some(factor) = self.zero_test(*test).filter(|factor| factors.contains(factor)) else { return false };
            let known: Vec<Operand> = tested.iter().copied().chain([factor]).collect();
            return has_tests_only(block)
                && self.is_slow_path(consequent, (product, result), factors, (tested, depth))
                && self.is_slow_path(alternative, (product, result), factors, (&known, depth));
        }
        let is_nonzero =
            |factor: &Operand| tested.contains(factor) || matches!(factor, Operand::Real(bits) if bits.real() != 0.0);
        if block.statements.is_empty() && result.is(block, product) {
            return factors.iter().all(is_nonzero);
        }
        let [Statement::Operation { target, operation: Operation::GuardedMultiply, first, second: Some(second) }, rest] =
            block.statements.as_slice()
        else {
            return false;
        };
        let is_same = [*first, *second] == factors || [*second, *first] == factors;
        is_same && positive_zero(rest, Operand::Variable(*target)).is_some_and(|zero| result.is(block, zero))
    }
}

/// The operands that a block yields: a result, and others that are known before the tests.
struct Yielded {
    values: Vec<Operand>,
    place: usize,
}

impl Yielded {
    /// The result of a block that only makes +0 of a zero.
    fn of(block: &Block, zero: Operand) -> Option<Yielded> {
        let ([statement], End::Yield(values)) = (block.statements.as_slice(), &block.end) else { return None };
        let made = positive_zero(statement, zero)?;
        let place = values.iter().position(|value| *value == made)?;
        let is_once = values.iter().filter(|value| **value == made).count() == 1;
        is_once.then(|| Yielded { values: values.clone(), place })
    }

    /// Returns true if a block yields an operand as the result, and the same others.
    fn is(&self, block: &Block, operand: Operand) -> bool {
        matches!(&block.end, End::Yield(values) if *values == self.with(operand))
    }

    fn with(&self, operand: Operand) -> Vec<Operand> {
        let own = |(place, value): (usize, &Operand)| if place == self.place { operand } else { *value };
        self.values.iter().enumerate().map(own).collect()
    }
}

fn find(block: &mut Block, known: &Known, function: &mut Function) {
    let mut statements = Vec::with_capacity(block.statements.len());
    for mut statement in std::mem::take(&mut block.statements) {
        if let Statement::Bind { targets, block: tests } = &statement
            && let [target] = targets.as_slice()
            && has_tests_only(tests)
            && let Some((factors, _)) = known.guarded(&tests.end)
        {
            statements.extend(guarded(function, factors, *target));
            continue;
        }
        if let Some(inner) = statement.block_mut() {
            find(inner, known, function);
        }
        statements.push(statement);
    }
    block.statements = statements;
    if let Some((factors, result)) = known.guarded(&block.end) {
        let target = function.fresh(Kind::Real);
        block.statements.extend(guarded(function, factors, target));
        block.end = End::Yield(result.with(target.into()));
    }
    for inner in block.end.blocks_mut().into_iter().flatten() {
        find(inner, known, function);
    }
}

/// The guarded product of two factors, without the sign of a zero.
fn guarded(function: &mut Function, [first, second]: [Operand; 2], target: Variable) -> [Statement; 2] {
    let product = function.fresh(Kind::Real);
    [
        Statement::Operation { target: product, operation: Operation::GuardedMultiply, first, second: Some(second) },
        Statement::PositiveZero { target, operand: Operand::Variable(product) },
    ]
}

fn is_zero(operand: Operand) -> bool {
    matches!(operand, Operand::Real(bits) if bits.real() == 0.0)
}

fn has_tests_only(block: &Block) -> bool {
    block.statements.iter().all(|statement| matches!(statement, Statement::Compare { .. }))
}

/// The target of a statement that only makes +0 of a zero.
fn positive_zero(statement: &Statement, of: Operand) -> Option<Operand> {
    match statement {
        Statement::PositiveZero { target, operand } if *operand == of => Some(Operand::Variable(*target)),
        Statement::Operation { target, operation: Operation::Add, first, second: Some(Operand::Real(bits)) }
            if *first == of && bits.0 == 0 =>
        {
            Some(Operand::Variable(*target))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind::Real;
    use crate::build::{Building, Code};
    use crate::print::print;

    /// The tests, with what they do in the case that a factor is zero and the other one no number.
    fn tests(code: &mut Code<'_>, [a, b, p]: [Operand; 3], last: Operand) -> End {
        let zero = Operand::real(0.0);
        let is_zero = code.compare(Comparison::Equal, p, zero);
        let positive = move |code: &mut Code<'_>| {
            let product = code.binary(Operation::GuardedMultiply, a, b);
            End::Yield(vec![code.positive_zero(product)])
        };
        code.branch(
            is_zero,
            |code| End::Yield(vec![code.binary(Operation::Add, p, zero)]),
            |code| {
                let is_number = code.compare(Comparison::Equal, p, p);
                code.branch(
                    is_number,
                    |_| End::Yield(vec![p]),
                    |code| {
                        let first = code.compare(Comparison::Equal, a, zero);
                        code.branch(first, positive, |code| {
                            let second = code.compare(Comparison::Equal, b, zero);
                            code.branch(second, positive, |_| End::Yield(vec![last]))
                        })
                    },
                )
            },
        )
    }

    fn found(last: impl Fn([Operand; 3]) -> Operand) -> usize {
        let mut building = Building::default();
        building.entry(&[Real], |code| {
            let (a, b) = (code.read(), code.read());
            let p = code.binary(Operation::Multiply, a, b);
            let bound = code.bind(&[Real], |code| tests(code, [a, b, p], last([a, b, p])));
            let q = code.binary(Operation::Multiply, bound[0], b);
            tests(code, [bound[0], b, q], last([bound[0], b, q]))
        });
        let mut unit = building.finish();
        find_products(&mut unit);
        print(&unit, None).matches("= positive-zero ").count()
    }

    #[test]
    fn the_tests_of_guarded_products_become_operations() {
        // One statement for each.
        assert_eq!(found(|[_, _, p]| p), 2);
    }

    /// A product whose tests are at the end of a block that yields others as well, before and behind the result.
    #[test]
    fn what_is_yielded_beside_a_product_stays() {
        let of = |others: [usize; 2]| {
            let mut building = Building::default();
            building.entry(&[Real, Real, Real], |code| {
                let (a, b) = (code.read(), code.read());
                let p = code.binary(Operation::Multiply, a, b);
                let mut number = 0;
                let mut end = tests(code, [a, b, p], p);
                change_yields(&mut end, &mut |values| {
                    number += 1;
                    let other = [a, b][others[usize::from(number == 2)]];
                    *values = vec![a, values[0], other];
                });
                end
            });
            let mut unit = building.finish();
            find_products(&mut unit);
            print(&unit, None).matches("= positive-zero ").count()
        };
        assert_eq!(of([1, 1]), 1);
        // One leaf yields something else: the two products of the tests stay.
        assert_eq!(of([1, 0]), 2);
    }

    fn change_yields(end: &mut End, change: &mut impl FnMut(&mut Vec<Operand>)) {
        if let End::Yield(values) = end {
            change(values);
        }
        for block in end.blocks_mut().into_iter().flatten() {
            change_yields(&mut block.end, change);
        }
    }

    #[test]
    fn other_tests_stay() {
        // Each of the two has its two products.
        assert_eq!(found(|[a, ..]| a), 4);
    }
}
