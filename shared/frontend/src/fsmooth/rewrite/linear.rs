//! Indices and sizes as sums of atoms with whole coefficients, and proofs that such a sum is not negative.

use super::facts::{self, Facts, Instances};
use super::terms;
use crate::fsmooth::typed::{Expression, ExpressionId, Program};
use vlad_table::operations::Operation;

/// The deepest expression that is taken apart; deeper parts are atoms.
const DEEPEST: usize = 32;

/// The number of facts that a proof combines at most.
const MOST_FACTS: usize = 3;

/// Constant + coefficient * atom + ...
#[derive(Clone, Debug, Default)]
pub struct Linear {
    /// The constant.
    pub constant: i64,
    /// The atoms, no two of them equal, with coefficients that are not zero.
    pub terms: Vec<(ExpressionId, i64)>,
}

impl Linear {
    /// The linear form of an expression of kind I; none if numbers are too large.
    pub fn of(program: &Program, facts: &Facts, id: ExpressionId) -> Option<Linear> {
        let mut sum = Linear::default();
        sum.add_expression(program, facts, id, 1, DEEPEST)?;
        Some(sum)
    }

    /// This sum plus a multiple of another one; none if numbers are too large.
    pub fn plus(&self, program: &Program, other: &Linear, factor: i64) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (atom, coefficient) in &other.terms {
            sum.add_atom(program, *atom, coefficient.checked_mul(factor)?)?;
        }
        Some(sum)
    }

    /// Recursion is bounded by the depth.
    fn add_expression(
        &mut self,
        program: &Program,
        facts: &Facts,
        id: ExpressionId,
        factor: i64,
        depth: usize,
    ) -> Option<()> {
        let id = facts.resolved(program, id);
        if depth == 0 {
            return self.add_atom(program, id, factor);
        }
        let expression = program.expression(id);
        if let Some(number) = whole(expression) {
            self.constant = self.constant.checked_add(number.checked_mul(factor)?)?;
            return Some(());
        }
        if let Expression::Binary(Operation::Add, first, second) = expression {
            self.add_expression(program, facts, first, factor, depth - 1)?;
            return self.add_expression(program, facts, second, factor, depth - 1);
        }
        if let Expression::Binary(Operation::Subtract, first, second) = expression {
            self.add_expression(program, facts, first, factor, depth - 1)?;
            return self.add_expression(program, facts, second, factor.checked_neg()?, depth - 1);
        }
        if let Expression::Binary(Operation::Multiply, first, second) = expression {
            for (number, other) in [(first, second), (second, first)] {
                if let Some(number) = whole(program.expression(number)) {
                    return self.add_expression(program, facts, other, factor.checked_mul(number)?, depth - 1);
                }
            }
        }
        if let Expression::Length(array) = expression {
            let array = facts.resolved(program, array);
            if let Expression::Build { size, .. } = program.expression(array) {
                return self.add_expression(program, facts, size, factor, depth - 1);
            }
            if let Expression::OfLength { length, .. } = program.expression(array) {
                return self.add_expression(program, facts, length, factor, depth - 1);
            }
            if let Expression::Array(elements) = program.expression(array) {
                let count = program.elements(elements).len() as i64;
                self.constant = self.constant.checked_add(count.checked_mul(factor)?)?;
                return Some(());
            }
        }
        self.add_atom(program, id, factor)
    }

    fn add_atom(&mut self, program: &Program, atom: ExpressionId, factor: i64) -> Option<()> {
        match self.terms.iter().position(|(other, _)| terms::same(program, *other, atom)) {
            Some(place) => {
                if let Some((_, coefficient)) = self.terms.get_mut(place) {
                    *coefficient = coefficient.checked_add(factor)?;
                }
                self.terms.retain(|(_, coefficient)| *coefficient != 0);
            }
            None if factor != 0 => self.terms.push((atom, factor)),
            None => {}
        }
        Some(())
    }

    /// The coefficient of an atom.
    fn coefficient(&self, program: &Program, atom: ExpressionId) -> i64 {
        self.terms.iter().find(|(other, _)| terms::same(program, *other, atom)).map_or(0, |(_, number)| *number)
    }

    /// Returns true if the sum is proved to be at least 0.
    pub fn is_not_negative(&self, program: &Program, facts: &Facts) -> bool {
        self.prove(program, facts, MOST_FACTS, Instances::OfProvedRanges)
    }

    /// Returns true if the sum is proved to be at least 0 by one fact, whose indices have the ranges that it names.
    pub fn is_plainly_not_negative(&self, program: &Program, facts: &Facts) -> bool {
        self.prove(program, facts, 1, Instances::OfEqualRanges)
    }

    /// Recursion is bounded by the number of facts, and by that of enclosing loops.
    fn prove(&self, program: &Program, facts: &Facts, fuel: usize, instances: Instances) -> bool {
        let is_plain =
            |(atom, coefficient): &(ExpressionId, i64)| *coefficient > 0 && is_natural(program, facts, *atom);
        if self.constant >= 0 && self.terms.iter().all(is_plain) {
            return true;
        }
        if fuel > 0 && self.follows(program, facts, fuel, instances) {
            return true;
        }
        // An index that counts against the sum is at most the size of its loop less 1.
        for (atom, coefficient) in &self.terms {
            if *coefficient < 0
                && let Some(count) = self.bound(program, facts, *atom, fuel, instances)
            {
                let bounded = Linear::of(program, facts, count).and_then(|count| {
                    let gap = count.plus(program, &Linear { constant: 1, terms: vec![(*atom, 1)] }, -1)?;
                    self.plus(program, &gap, *coefficient)
                });
                // The coefficient is negative: adding it times (count - 1 - index), which is not negative, makes the
                // sum smaller.
                return bounded.is_some_and(|bounded| bounded.prove(program, facts, fuel, instances));
            }
        }
        false
    }

    /// Returns the size that an atom is proved to be below.
    fn bound(
        &self,
        program: &Program,
        facts: &Facts,
        atom: ExpressionId,
        fuel: usize,
        instances: Instances,
    ) -> Option<ExpressionId> {
        let expression = program.expression(atom);
        if let Expression::Local(local) = expression {
            return facts.range(local);
        }
        let (_, count) = facts::index_state(program, expression)?;
        let iterations =
            Linear::of(program, facts, count)?.plus(program, &Linear { constant: 1, terms: vec![] }, -1)?;
        iterations.prove(program, facts, fuel, instances).then_some(count)
    }

    /// Returns true if the sum is a fact plus something that is not negative.
    fn follows(&self, program: &Program, facts: &Facts, fuel: usize, instances: Instances) -> bool {
        facts.known(program, self, instances).iter().any(|fact| {
            let is_useful =
                fact.terms.iter().any(|(atom, number)| self.coefficient(program, *atom).signum() == number.signum());
            // The fact counts as often as it fits in the sum, once at least.
            let fits = fact.terms.iter().map(|(atom, number)| self.coefficient(program, *atom) / number);
            let times = fits.min().unwrap_or(1).max(1);
            is_useful
                && self.plus(program, fact, -times).is_some_and(|rest| rest.prove(program, facts, fuel - 1, instances))
        })
    }
}

/// Returns true if an atom is a number, not a NaN and not infinite: if it is natural, or the size of a loop around the place depends on
/// it.
pub fn is_number(program: &Program, facts: &Facts, atom: ExpressionId) -> bool {
    let counts = |index| facts.range(index).and_then(|count| Linear::of(program, facts, count));
    is_natural(program, facts, atom)
        || facts.indices.iter().any(|index| counts(*index).is_some_and(|count| count.coefficient(program, atom) != 0))
}

/// Returns true if an atom is never negative.
pub fn is_natural(program: &Program, facts: &Facts, atom: ExpressionId) -> bool {
    match program.expression(atom) {
        Expression::Length(_) => true,
        Expression::Local(local) => facts.range(local).is_some(),
        Expression::Ifold { .. } => facts::index_state(program, program.expression(atom)).is_some(),
        Expression::Number(_)
        | Expression::Boolean(_)
        | Expression::Global(_)
        | Expression::Lambda { .. }
        | Expression::Application { .. }
        | Expression::Let { .. }
        | Expression::If { .. }
        | Expression::Array(_)
        | Expression::Build { .. }
        | Expression::Get { .. }
        | Expression::Pair(..)
        | Expression::First(_)
        | Expression::Second(_)
        | Expression::Unary(..)
        | Expression::Binary(..)
        | Expression::Compare(..)
        | Expression::Not(_)
        | Expression::Widen(_)
        | Expression::Deriv { .. }
        | Expression::Derivative { .. }
        | Expression::OfLength { .. }
        | Expression::Forward { .. }
        | Expression::Reverse { .. } => false,
    }
}

/// Returns a number as a whole one of moderate size.
pub fn whole(expression: Expression) -> Option<i64> {
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    if let Expression::Number(number) = expression
        && number.fract() == 0.0
        && number.abs() < LARGEST
    {
        return Some(number as i64);
    }
    None
}
