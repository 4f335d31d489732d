//! The operations that derivatives consist of, as statements: coefficients, guarded products and sums (report, part 9).
//!
//! A coefficient is a [`Term`] of the table. Its operations become statements, from the left and from the inside; a
//! choice becomes a `bind` whose branches execute only what is chosen, and its tests compare primals.
//!
//! What is constant is computed here: an operation on constants alone makes no node at any level, and a guarded product
//! with a constant zero is the constant +0, whatever the other factor is (9.3).

use crate::first_order::{Block, End, Function, Kind, Operand, Statement, Variable};
use vlad_ad::plain::{evaluate_binary, evaluate_unary};
use vlad_table::{Comparison, Operation, Term, Test, internal_bug};

/// The constant +0.
pub const ZERO: Operand = Operand::Real(crate::first_order::Bits(0));

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

/// The place where statements are emitted: the end of a list, in a function that gets their variables.
#[derive(Debug)]
pub struct Emitter<'code> {
    /// The function.
    pub function: &'code mut Function,
    /// The statements of the block so far.
    pub statements: &'code mut Vec<Statement>,
}

/// Returns true for the constants +0 and -0.
pub fn is_constant_zero(operand: Operand) -> bool {
    matches!(operand, Operand::Real(bits) if bits.real() == 0.0)
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

    /// An operation on one real.
    pub fn unary(&mut self, operation: Operation, first: Operand) -> Operand {
        match first {
            Operand::Real(bits) => Operand::real(evaluate_unary(operation, bits.real())),
            Operand::Variable(_) | Operand::Boolean(_) => self.emit(operation, first, None),
        }
    }

    /// An operation on two reals.
    pub fn binary(&mut self, operation: Operation, first: Operand, second: Operand) -> Operand {
        match (operation, first, second) {
            (_, Operand::Real(a), Operand::Real(b)) => Operand::real(evaluate_binary(operation, a.real(), b.real())),
            (Operation::GuardedMultiply, a, b) if is_constant_zero(a) || is_constant_zero(b) => ZERO,
            _ => self.emit(operation, first, Some(second)),
        }
    }

    fn emit(&mut self, operation: Operation, first: Operand, second: Option<Operand>) -> Operand {
        self.assign(Kind::Real, |target| Statement::Operation { target, operation, first, second })
    }

    /// Appends a statement with one target, and returns that.
    pub fn assign(&mut self, kind: Kind, statement: impl FnOnce(Variable) -> Statement) -> Operand {
        let target = self.function.fresh(kind);
        self.statements.push(statement(target));
        Operand::Variable(target)
    }

    /// Emits a block apart, given the function that writes its statements and returns its end.
    pub fn block(&mut self, write: impl FnOnce(&mut Emitter<'_>) -> End) -> Block {
        let mut statements = Vec::new();
        let end = write(&mut Emitter { function: self.function, statements: &mut statements });
        Block { statements, end }
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
            Test::Zero(term) => self.compare(Comparison::Equal, term, &Term::Constant(0.0), primals),
            Test::Less(left, right) => self.compare(Comparison::Less, left, right, primals),
            Test::Nearer(left, right) => {
                let size = |term| Term::Unary(Operation::Absolute, term);
                self.compare(Comparison::Less, &size(left), &size(right), primals)
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

    fn compare(&mut self, comparison: Comparison, left: &Term, right: &Term, primals: &Primals) -> Operand {
        match (self.term(left, primals), self.term(right, primals)) {
            (Operand::Real(a), Operand::Real(b)) => Operand::Boolean(comparison.holds(a.real(), b.real())),
            (first, second) => {
                self.assign(Kind::Boolean, |target| Statement::Compare { target, comparison, first, second })
            }
        }
    }

    /// Binds one of two operands, of which only the chosen one is computed.
    pub fn choose(
        &mut self,
        kind: Kind,
        test: Operand,
        consequent: impl FnOnce(&mut Emitter<'_>) -> Operand,
        alternative: impl FnOnce(&mut Emitter<'_>) -> Operand,
    ) -> Operand {
        let consequent = self.block(|code| End::Yield(vec![consequent(code)]));
        let alternative = self.block(|code| End::Yield(vec![alternative(code)]));
        let (consequent, alternative) = (Box::new(consequent), Box::new(alternative));
        let block = Block { statements: Vec::new(), end: End::Branch { test, consequent, alternative } };
        self.assign(kind, |target| Statement::Bind { targets: vec![target], block })
    }
}
