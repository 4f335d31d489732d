//! Linear forms of indices and sizes: sums of atoms with whole coefficients, and proofs that such a sum is not negative.
//!
//! Comparisons of sizes ([`super::proofs`]), totality and rules rest on these proofs. A proof subtracts facts that hold at the place
//! from the sum until a constant and atoms remain that are not negative. It is sound and incomplete: if none is found, nothing is known.

use super::known::{self, Facts, Instances, Ranges};
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Program};
use rustc_hash::FxHashSet;
use std::rc::Rc;
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
    /// A number.
    pub fn constant(constant: i64) -> Linear {
        Linear { constant, terms: vec![] }
    }

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
        Proof::new(program, facts, Instances::OfProvedRanges).of(self, MOST_FACTS)
    }

    /// Returns true if one fact proves that the sum is at least 0. Ranges of indices are compared and not proved: the proof that an index
    /// is in a range asks this.
    pub fn is_plainly_not_negative(&self, program: &Program, facts: &Facts) -> bool {
        Proof::new(program, facts, Instances::OfEqualRanges).of(self, 1)
    }

    /// A number that is equal for equal sums.
    fn hash(&self, program: &Program) -> u64 {
        let of_atom = |(atom, number): &(ExpressionId, i64)| {
            terms::hash(program, *atom).wrapping_mul(number.cast_unsigned().wrapping_mul(2).wrapping_add(1))
        };
        self.terms.iter().map(of_atom).fold(self.constant.cast_unsigned(), u64::wrapping_add)
    }
}

/// The search for a proof that a sum is not negative.
struct Proof<'facts> {
    program: &'facts Program,
    facts: &'facts Facts,
    ranges: Ranges,
    /// The facts that are the same for all sums.
    known: Option<Rc<[Linear]>>,
    /// The sums that were not proved with so many facts.
    failed: FxHashSet<(u64, usize)>,
}

impl<'facts> Proof<'facts> {
    fn new(program: &'facts Program, facts: &'facts Facts, instances: Instances) -> Proof<'facts> {
        Proof { program, facts, ranges: Ranges::new(instances), known: None, failed: FxHashSet::default() }
    }

    /// Returns true if a sum is proved by at most so many facts. Recursion is bounded by their number, and by that of enclosing loops.
    fn of(&mut self, sum: &Linear, fuel: usize) -> bool {
        let is_plain =
            |(atom, coefficient): &(ExpressionId, i64)| *coefficient > 0 && is_natural(self.program, self.facts, *atom);
        if sum.constant >= 0 && sum.terms.iter().all(is_plain) {
            return true;
        }
        let key = (sum.hash(self.program), fuel);
        if self.failed.contains(&key) {
            return false;
        }
        let is_proved = fuel > 0 && self.follows(sum, fuel) || self.is_bounded(sum, fuel);
        if !is_proved {
            self.failed.insert(key);
        }
        is_proved
    }

    /// Returns true if a sum is proved since an index that counts against it is at most the size of its loop less 1.
    fn is_bounded(&mut self, sum: &Linear, fuel: usize) -> bool {
        for (atom, coefficient) in &sum.terms {
            if *coefficient < 0
                && let Some(count) = self.bound(*atom, fuel)
            {
                let bounded = Linear::of(self.program, self.facts, count).and_then(|count| {
                    let gap = count.plus(self.program, &Linear { constant: 1, terms: vec![(*atom, 1)] }, -1)?;
                    sum.plus(self.program, &gap, *coefficient)
                });
                // The coefficient is negative: adding it times (count - 1 - index), which is not negative, makes the
                // sum smaller.
                return bounded.is_some_and(|bounded| self.of(&bounded, fuel));
            }
        }
        false
    }

    /// Returns the size that an atom is proved to be below.
    fn bound(&mut self, atom: ExpressionId, fuel: usize) -> Option<ExpressionId> {
        if let Expression::Local(local) = self.program.expression(atom) {
            return self.facts.range(local);
        }
        let (_, count) = known::index_state(self.program, atom)?;
        let one = Linear::constant(1);
        let iterations = Linear::of(self.program, self.facts, count)?.plus(self.program, &one, -1)?;
        self.of(&iterations, fuel).then_some(count)
    }

    /// Returns true if a sum is a fact plus something that is not negative.
    fn follows(&mut self, sum: &Linear, fuel: usize) -> bool {
        let (program, facts) = (self.program, self.facts);
        let known = Rc::clone(self.known.get_or_insert_with(|| facts.known(program).into()));
        known.iter().any(|fact| self.follows_from(sum, fact, fuel))
            || facts.instances(program, sum, &mut self.ranges).iter().any(|fact| self.follows_from(sum, fact, fuel))
    }

    fn follows_from(&mut self, sum: &Linear, fact: &Linear, fuel: usize) -> bool {
        let coefficient = |atom| sum.coefficient(self.program, atom);
        let is_useful = fact.terms.iter().any(|(atom, number)| coefficient(*atom).signum() == number.signum());
        // The fact counts as often as it fits in the sum, once at least.
        let fits = fact.terms.iter().map(|(atom, number)| coefficient(*atom) / number);
        let times = fits.min().unwrap_or(1).max(1);
        is_useful && sum.plus(self.program, fact, -times).is_some_and(|rest| self.of(&rest, fuel - 1))
    }
}

/// Returns true if an atom is finite and not a NaN: it is natural, or the size of a loop around the place depends on it. A loop whose
/// size is no number has no iteration.
pub fn is_number(program: &Program, facts: &Facts, atom: ExpressionId) -> bool {
    let counts = |index| facts.range(index).and_then(|count| Linear::of(program, facts, count));
    is_natural(program, facts, atom)
        || facts.indices.iter().any(|index| counts(*index).is_some_and(|count| count.coefficient(program, atom) != 0))
}

/// Returns true if an atom is never negative.
pub fn is_natural(program: &Program, facts: &Facts, atom: ExpressionId) -> bool {
    let expression = program.expression(atom);
    if let Expression::Local(local) = expression {
        return facts.range(local).is_some();
    }
    matches!(expression, Expression::Length(_)) || known::index_state(program, atom).is_some()
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
