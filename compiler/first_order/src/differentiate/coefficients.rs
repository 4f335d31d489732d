//! The operations that derivatives consist of, as statements: coefficients, guarded products and sums (report, part 9).
//!
//! A coefficient is a [`Term`] of the table. Its operations become statements, from the left and from the inside; a
//! choice becomes a `bind` whose branches execute only what is chosen, and its tests compare primals.

use super::emitter::{Emitter, ZERO, is_constant_zero};
use crate::{Kind, Operand};
use vlad_table::{Comparison, Operation, Term, Test, internal_bug};

/// The primals of an operation that is differentiated.
#[derive(Clone, Copy, Debug)]
pub struct Primals {
    /// The first operand.
    pub first: Operand,
    /// The second operand of a binary operation.
    pub second: Option<Operand>,
    /// The result.
    pub result: Operand,
}

impl Emitter<'_> {
    /// The product of an operand's coefficient and a tangent or cotangent.
    pub fn contribution(&mut self, operation: Operation, operand: usize, primals: &Primals, part: Operand) -> Operand {
        if is_constant_zero(part) {
            return ZERO;
        }
        let before = self.statements.len();
        let coefficient = self.coefficient(operation, operand, primals);
        if is_constant_zero(coefficient) {
            self.statements.truncate(before);
            return ZERO;
        }
        self.binary(Operation::GuardedMultiply, coefficient, part)
    }

    /// The coefficient of an operand of an operation.
    pub fn coefficient(&mut self, operation: Operation, operand: usize, primals: &Primals) -> Operand {
        self.term(vlad_ad::arithmetic::coefficient(operation, operand), primals)
    }

    fn term(&mut self, term: &Term, primals: &Primals) -> Operand {
        match term {
            Term::First => primals.first,
            Term::Second => match primals.second {
                Some(second) => second,
                None => internal_bug!("a coefficient reads the second of two operands"),
            },
            Term::Result => primals.result,
            Term::Constant(constant) => Operand::real(*constant),
            Term::Unary(operation, inner) => {
                let inner = self.term(inner, primals);
                self.unary(*operation, inner)
            }
            Term::Binary(operation, left, right) => {
                let left = self.term(left, primals);
                let right = self.term(right, primals);
                self.binary(*operation, left, right)
            }
            Term::Select(test, yes, no) => match self.test(test, primals) {
                Operand::Boolean(chosen) => self.term(if chosen { yes } else { no }, primals),
                test @ (Operand::Variable(_) | Operand::Real(_)) => {
                    self.choose(Kind::Real, test, |code| code.term(yes, primals), |code| code.term(no, primals))
                }
            },
        }
    }

    /// A condition on primals: a variable, or a constant where it is known.
    fn test(&mut self, test: &Test, primals: &Primals) -> Operand {
        match test {
            Test::Zero(term) => self.compared(Comparison::Equal, term, &Term::Constant(0.0), primals),
            Test::Less(left, right) => self.compared(Comparison::Less, left, right, primals),
            Test::Nearer(left, right) => {
                let size = |term| Term::Unary(Operation::Absolute, term);
                self.compared(Comparison::Less, &size(left), &size(right), primals)
            }
            Test::Both(left, right) => match self.test(left, primals) {
                Operand::Boolean(true) => self.test(right, primals),
                Operand::Boolean(false) => Operand::Boolean(false),
                left @ (Operand::Variable(_) | Operand::Real(_)) => {
                    let before = self.statements.len();
                    match self.test(right, primals) {
                        Operand::Boolean(true) => left,
                        Operand::Boolean(false) => Operand::Boolean(false),
                        Operand::Variable(_) | Operand::Real(_) => {
                            self.statements.truncate(before);
                            self.choose(
                                Kind::Boolean,
                                left,
                                |code| code.test(right, primals),
                                |_| Operand::Boolean(false),
                            )
                        }
                    }
                }
            },
        }
    }

    fn compared(&mut self, comparison: Comparison, left: &Term, right: &Term, primals: &Primals) -> Operand {
        match (self.term(left, primals), self.term(right, primals)) {
            (Operand::Real(a), Operand::Real(b)) => Operand::Boolean(comparison.holds(a.real(), b.real())),
            (first, second) => self.compare(comparison, first, second),
        }
    }
}
