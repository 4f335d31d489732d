//! The emission of statements, one after another, at the end of a block of a function.
//!
//! All passes of [`super`] write code with an [`Emitter`]. It makes the variables, and evaluates constant operations: an
//! operation on constants alone makes no node at any level, and a guarded product with a constant zero is the constant
//! +0, whatever the other factor is (report, 9.3).

use crate::{Block, End, Function, Kind, Operand, Statement, Variable};
use vlad_ad::plain::{evaluate_binary, evaluate_unary};
use vlad_table::{Comparison, Operation};

/// The constant +0.
pub const ZERO: Operand = Operand::Real(crate::Bits(0));

/// Returns true for the constants +0 and -0.
pub fn is_constant_zero(operand: Operand) -> bool {
    matches!(operand, Operand::Real(bits) if bits.real() == 0.0)
}

/// The place where statements are emitted: the end of a list, in a function that gets their variables.
#[derive(Debug)]
pub struct Emitter<'code> {
    /// The function.
    pub function: &'code mut Function,
    /// The statements of the block so far.
    pub statements: &'code mut Vec<Statement>,
}

impl Emitter<'_> {
    /// Appends a statement with one target, and returns that.
    pub fn assign(&mut self, kind: Kind, statement: impl FnOnce(Variable) -> Statement) -> Operand {
        let target = self.function.fresh(kind);
        self.statements.push(statement(target));
        Operand::Variable(target)
    }

    /// An operation on one real.
    pub fn unary(&mut self, operation: Operation, first: Operand) -> Operand {
        match first {
            Operand::Real(bits) => Operand::real(evaluate_unary(operation, bits.real())),
            Operand::Variable(_) | Operand::Boolean(_) => self.operation(operation, first, None),
        }
    }

    /// An operation on two reals.
    pub fn binary(&mut self, operation: Operation, first: Operand, second: Operand) -> Operand {
        match (operation, first, second) {
            (_, Operand::Real(a), Operand::Real(b)) => Operand::real(evaluate_binary(operation, a.real(), b.real())),
            (Operation::GuardedMultiply, a, b) if is_constant_zero(a) || is_constant_zero(b) => ZERO,
            _ => self.operation(operation, first, Some(second)),
        }
    }

    fn operation(&mut self, operation: Operation, first: Operand, second: Option<Operand>) -> Operand {
        self.assign(Kind::Real, |target| Statement::Operation { target, operation, first, second })
    }

    /// A comparison of two reals.
    pub fn compare(&mut self, comparison: Comparison, first: Operand, second: Operand) -> Operand {
        self.assign(Kind::Boolean, |target| Statement::Compare { target, comparison, first, second })
    }

    /// The length of an array.
    pub fn length(&mut self, array: Operand) -> Operand {
        self.assign(Kind::Real, |target| Statement::Length { target, array })
    }

    /// An element of an array, of its kind.
    pub fn element(&mut self, kind: Kind, array: Operand, index: Operand) -> Operand {
        self.assign(kind, |target| Statement::Element { target, array, index })
    }

    /// The present value of a real in an array that changes.
    pub fn load(&mut self, array: Operand, index: Operand) -> Operand {
        self.assign(Kind::Real, |target| Statement::Load { target, array, index })
    }

    /// Adds a real to one in an array that changes.
    pub fn add_at(&mut self, (array, index): (Operand, Operand), added: Operand) {
        let old = self.load(array, index);
        let value = self.binary(Operation::Add, old, added);
        self.statements.push(Statement::Store { array, index, value });
    }

    /// Emits a block apart, given the function that writes its statements and returns its end.
    pub fn block(&mut self, write: impl FnOnce(&mut Emitter<'_>) -> End) -> Block {
        let mut statements = Vec::new();
        let end = write(&mut Emitter { function: self.function, statements: &mut statements });
        Block { statements, end }
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
        self.assign(kind, |target| choice(vec![target], test, consequent, alternative))
    }
}

/// A block that only yields.
pub fn yielding(operands: Vec<Operand>) -> Block {
    Block { statements: Vec::new(), end: End::Yield(operands) }
}

/// A block that only branches.
pub fn branching(test: Operand, consequent: Block, alternative: Block) -> Block {
    Block { statements: Vec::new(), end: branch(test, consequent, alternative) }
}

/// The end of a block that branches.
pub fn branch(test: Operand, consequent: Block, alternative: Block) -> End {
    End::Branch { test, consequent: Box::new(consequent), alternative: Box::new(alternative) }
}

/// A statement that executes one of two blocks, which yield the values of its targets.
pub fn choice(targets: Vec<Variable>, test: Operand, consequent: Block, alternative: Block) -> Statement {
    Statement::Bind { targets, block: branching(test, consequent, alternative) }
}

/// A statement that assigns known operands.
pub fn assignment(targets: Vec<Variable>, operands: Vec<Operand>) -> Statement {
    Statement::Bind { targets, block: yielding(operands) }
}

/// Variables as operands.
pub fn operands(variables: &[Variable]) -> Vec<Operand> {
    variables.iter().copied().map(Operand::Variable).collect()
}
