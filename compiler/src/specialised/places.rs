//! Builds with few elements that are not 0: rows of sparse matrices, as Jacobians by forward mode are.
//!
//! ```text
//! build n (fun i -> if 2 + 3 i = j then a else if 4 + i = k then b else 0)
//!   ~>  all elements 0, then those at (j - 2) / 3 and at k - 4, as far as these are indices
//! ```
//!
//! Every element that is not 0 lies behind an equality of the index, times a number and plus what is known outside, and something that
//! is known outside. Solved for the index, each equality names one element at most. If what is known outside is whole and of moderate
//! size, all of the arithmetic is exact, also in integers, so no element is missed; if not, every element is made in turn, by the same code. What is not
//! executed for elements that are 0 are operations on numbers alone: they cannot fail, and change nothing.

use super::function::{Body, Tail, operand};
use super::hot::is_simple;
use super::wholes::integer_name;
use crate::c::{Expression as C, Infix, Statement as S};
use crate::first_order::{Block, End, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::Comparison;
use vlad_table::internal_bug;
use vlad_table::operations::Operation;

/// The most equalities of the index.
const MOST_PLACES: usize = 16;

/// The most operands from outside in one side of an equality.
const MOST_OUTSIDE: usize = 4;

/// The greatest factor of the index, and of operands from outside.
const GREATEST_FACTOR: i64 = 1 << 10;

/// The greatest constant.
const GREATEST_CONSTANT: i64 = 1 << 40;

/// The index times a number, plus a number, plus operands from outside times numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Affine {
    pub factor: i64,
    pub constant: i64,
    pub outside: Vec<(Operand, i64)>,
}

impl Affine {
    fn plus(&self, other: &Affine, times: i64) -> Option<Affine> {
        let mut sum = self.clone();
        sum.factor = sum.factor.checked_add(other.factor.checked_mul(times)?)?;
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (operand, factor) in &other.outside {
            sum.outside.push((*operand, factor.checked_mul(times)?));
        }
        sum.is_moderate().then_some(sum)
    }

    fn is_moderate(&self) -> bool {
        let is_factor = |factor: &i64| factor.abs() <= GREATEST_FACTOR;
        is_factor(&self.factor)
            && self.constant.abs() <= GREATEST_CONSTANT
            && self.outside.len() <= MOST_OUTSIDE
            && self.outside.iter().all(|(_, factor)| is_factor(factor))
    }

    fn as_number(&self) -> Option<i64> {
        (self.factor == 0 && self.outside.is_empty()).then_some(self.constant)
    }

    /// The C of it without the index, given the operands whose integers are defined for a build ([`Body::moderate_outside`]).
    pub fn outside_of(&self, outside: &[Operand], index: Variable) -> C {
        self.outside.iter().fold(signed(self.constant), |sum, (one, factor)| {
            let Some(number) = outside.iter().position(|other| other == one) else {
                internal_bug!("what an equality mentions is outside")
            };
            sum.infix(Infix::Add, signed(*factor).infix(Infix::Multiply, C::Name(outside_name(index, number))))
        })
    }
}

/// The places of a build's elements that may not be 0, as equalities `index * factor = constant + outside`.
pub struct Places {
    equalities: Vec<Affine>,
    /// All equalities of the index that tests are.
    tests: HashMap<Variable, Affine>,
}

impl Places {
    /// The places of a body with an index; none if it is no such body.
    pub fn of(body: &Block, index: Variable) -> Option<Places> {
        let mut inside: HashSet<Variable> = HashSet::from([index]);
        body.each_statement(&mut |statement| inside.extend(statement.targets()));
        let own = Affine { factor: 1, ..Affine::default() };
        let mut search = Search { inside, known: HashMap::from([(index, own)]), tests: HashMap::new(), found: vec![] };
        search.block(body)?;
        let equalities = search.found;
        (1..=MOST_PLACES).contains(&equalities.len()).then_some(Places { equalities, tests: search.tests })
    }

    /// The equality of the index that a test is.
    pub(super) fn equality(&self, test: Variable) -> Option<&Affine> {
        self.tests.get(&test)
    }

    /// The operands that are known outside, each once.
    fn outside(&self) -> Vec<Operand> {
        let mut outside: Vec<Operand> = Vec::new();
        for (operand, _) in self.equalities.iter().flat_map(|equality| &equality.outside) {
            if !outside.contains(operand) {
                outside.push(*operand);
            }
        }
        outside
    }
}

struct Search {
    /// The variables that the body defines.
    inside: HashSet<Variable>,
    /// The reals of which the value is known.
    known: HashMap<Variable, Affine>,
    /// The equalities of the index that tests are.
    tests: HashMap<Variable, Affine>,
    found: Vec<Affine>,
}

impl Search {
    /// Searches a block that is executed for elements that are 0 as well. None if the elements are not as they have to be. Recursion is
    /// bounded by the depth of branches in code.
    fn block(&mut self, block: &Block) -> Option<()> {
        for statement in &block.statements {
            self.statement(statement)?;
        }
        match &block.end {
            End::Yield(values) => values.iter().all(|value| *value == Operand::real(0.0)).then_some(()),
            End::Branch { test, consequent, alternative } => {
                let equality = match test {
                    Operand::Variable(test) => self.tests.get(test).cloned(),
                    Operand::Real(_) | Operand::Boolean(_) => None,
                };
                match equality {
                    Some(equality) if may_be_left_out(consequent) => self.found.push(equality),
                    Some(_) | None => self.block(consequent)?,
                }
                self.block(alternative)
            }
            End::Repeat(_) | End::BailOut(_) => None,
        }
    }

    fn statement(&mut self, statement: &Statement) -> Option<()> {
        match statement {
            Statement::Operation { target, operation, first, second } => {
                let value = second.and_then(|second| self.value(*operation, *first, second));
                self.known.extend(value.map(|value| (*target, value)));
                Some(())
            }
            Statement::PositiveZero { .. } => Some(()),
            Statement::Compare { target, comparison: Comparison::Equal, first, second } => {
                let sides = (self.affine(*first), self.affine(*second));
                if let (Some(first), Some(second)) = sides
                    && let Some(difference) = first.plus(&second, -1)
                    && difference.factor != 0
                {
                    let rest = Affine { factor: 0, ..difference.clone() };
                    let solved = Affine { factor: difference.factor, ..Affine::default() }.plus(&rest, -1);
                    self.tests.extend(solved.map(|solved| (*target, solved)));
                }
                Some(())
            }
            Statement::Compare { .. } => Some(()),
            _ => None,
        }
    }

    fn value(&self, operation: Operation, first: Operand, second: Operand) -> Option<Affine> {
        let (first, second) = (self.affine(first)?, self.affine(second)?);
        match operation {
            Operation::Add => first.plus(&second, 1),
            Operation::Subtract => first.plus(&second, -1),
            Operation::Multiply => match (first.as_number(), second.as_number()) {
                (Some(number), _) => Affine::default().plus(&second, number),
                (None, Some(number)) => Affine::default().plus(&first, number),
                (None, None) => None,
            },
            _ => None,
        }
    }

    fn affine(&self, operand: Operand) -> Option<Affine> {
        match operand {
            Operand::Real(bits) => {
                let real = bits.real();
                let is_whole = real.fract() == 0.0 && real.abs() <= GREATEST_CONSTANT as f64;
                is_whole.then_some(Affine { constant: real as i64, ..Affine::default() })
            }
            Operand::Variable(variable) if !self.inside.contains(&variable) => {
                Some(Affine { outside: vec![(operand, 1)], ..Affine::default() })
            }
            Operand::Variable(variable) => self.known.get(&variable).cloned(),
            Operand::Boolean(_) => None,
        }
    }
}

/// Returns true if a block, which makes one element, has no effect but to leave the code.
pub(super) fn may_be_left_out(block: &Block) -> bool {
    let mut may = true;
    block.each_statement(&mut |statement| {
        may &= is_simple(statement) || matches!(statement, Statement::IsIndex { .. } | Statement::Bind { .. });
    });
    block.each_leaf(&mut |leaf| may &= matches!(leaf.end, End::Yield(_) | End::BailOut(_)));
    may
}

impl<'unit> Body<'unit> {
    /// The zeros of all elements, and the code for those at the places of equalities.
    pub fn sparse_build(
        &self,
        places: &Places,
        (targets, index): (&'unit [Variable], Variable),
        (body, count): (&'unit Block, &str),
        out: &mut Vec<S>,
    ) {
        let named = |name: &str| format!("{name}{}", index.0);
        let define = |ctype: &'static str, name: String, value| S::Define { ctype: ctype.into(), name, value };
        let (list, is_listed, most, turn) = (named("places"), named("listed"), named("most"), named("turn"));
        targets.iter().for_each(|target| self.set_zeros(*target, out));
        let outside = places.outside();
        let solved = places.equalities.iter().map(|equality| {
            let (inverse, twos) = inverse(equality.factor);
            let right_side = equality.outside_of(&outside, index);
            C::call("vlad_solved", [right_side, C::Bits(inverse), C::Number(twos.into())])
        });
        let number = C::Number(places.equalities.len() as u64);
        let mut inside = vec![];
        let are_exact = self.moderate_outside(&outside, index, &mut inside);
        inside.extend([
            define("int", is_listed.clone(), are_exact),
            define("uint64_t", format!("{list}[]"), C::Braces(solved.collect())),
            define("uint64_t", most.clone(), C::name(&is_listed).choice(number, C::name(count))),
            define("uint64_t", turn.clone(), C::Number(0)),
        ]);
        let listed = C::Index(Box::new(C::Name(list)), Box::new(C::name(&turn)));
        let place = C::Name(is_listed).choice(listed, C::name(&turn));
        let mut element = Vec::new();
        self.counters(&[index], &mut element);
        self.block(body, Tail::Build { targets, index }, &mut element);
        inside.push(S::Loop(vec![
            S::when(C::name(&turn).infix(Infix::Equal, C::Name(most)), vec![S::Break]),
            define("uint64_t", integer_name(index), place),
            S::when(C::Name(integer_name(index)).infix(Infix::Less, C::name(count)), element),
            S::Add(C::Name(turn), C::Number(1)),
        ]));
        out.push(S::Scope(inside));
    }

    /// Defines the integers of operands for the build with an index; returns the condition that all of them are whole numbers of moderate
    /// size.
    pub(super) fn moderate_outside(&self, outside: &[Operand], index: Variable, out: &mut Vec<S>) -> C {
        let mut are_exact = vec![];
        for (number, operand) in outside.iter().enumerate() {
            let (whole, is_exact) = self.moderate(*operand, C::Name(outside_name(index, number)));
            out.push(S::Define { ctype: "int64_t".into(), name: outside_name(index, number), value: whole });
            are_exact.push(is_exact);
        }
        are_exact.into_iter().reduce(|all, one| all.infix(Infix::And, one)).unwrap_or(C::Number(1))
    }

    /// An operand as a whole number of moderate size, and the condition that it is one, given the name of that number.
    fn moderate(&self, one: Operand, named: C) -> (C, C) {
        match self.whole_number(one) {
            Some(whole) => {
                let whole = C::call("vlad_signed", [whole]);
                (C::call("vlad_moderate_whole", [whole.clone()]), named.infix(Infix::Equal, whole))
            }
            None => {
                let real = C::call("vlad_real_of", [named]);
                (C::call("vlad_moderate", [operand(one)]), real.infix(Infix::Equal, operand(one)))
            }
        }
    }
}

/// The inverse of the odd part of a factor that is not 0, modulo 2^64, and the number of twos in it. The inverse modulo 8 is
/// the number itself; each step of Newton's iteration doubles the number of bits.
fn inverse(factor: i64) -> (u64, u32) {
    let twos = factor.trailing_zeros();
    let odd = (factor >> twos).cast_unsigned();
    let inverse = (0..5).fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))));
    (inverse, twos)
}

/// The name of the integer of an operand for the build with an index.
fn outside_name(index: Variable, number: usize) -> String {
    format!("outside{}_{number}", index.0)
}

/// The C of a number that may be negative.
pub(super) fn signed(number: i64) -> C {
    let absolute = C::Number(number.unsigned_abs());
    if number < 0 { absolute.prefix("-") } else { absolute }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn affine(factor: i64, constant: i64, outside: &[(u32, i64)]) -> Affine {
        let outside = outside.iter().map(|(variable, factor)| (Operand::Variable(Variable(*variable)), *factor));
        Affine { factor, constant, outside: outside.collect() }
    }

    #[test]
    fn factors_have_inverses() {
        for factor in (-1024_i64..=1024).filter(|factor| *factor != 0) {
            let (inverse, twos) = inverse(factor);
            // What the C computes: of a multiple the index, of other numbers none that is an index.
            let solved = |product: i64| product.cast_unsigned().wrapping_mul(inverse).rotate_right(twos);
            for index in [0, 1, 2, 1000, 1 << 32] {
                assert_eq!(solved(index * factor), index.cast_unsigned(), "{factor}");
                for product in [index * factor + 1, -index * factor - 1, index * factor - (1 << 52) - 1] {
                    assert_eq!(
                        solved(product) <= 1 << 33,
                        product % factor == 0 && product / factor >= 0 && product / factor <= 1 << 33,
                        "{product} by {factor}"
                    );
                }
            }
        }
    }

    #[test]
    fn sums_are_bounded() {
        let one = affine(3, 11, &[(7, -3)]);
        let sum = one.plus(&affine(0, 2, &[]), 1).map(|sum| (sum.factor, sum.constant, sum.outside.len()));
        assert_eq!(sum, Some((3, 13, 1)));
        assert!(one.plus(&one, 1 << 20).is_none());
        assert!(affine(0, 0, &[(1, 1), (2, 1), (3, 1)]).plus(&affine(0, 0, &[(4, 1), (5, 1)]), 1).is_none());
    }
}
