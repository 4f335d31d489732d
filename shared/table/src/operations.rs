//! The operations on reals: evaluation and linearisation (report, part 9.4).
//!
//! A row gives, for each operand, the coefficient of the linearisation as a [`Term`]: an expression of the operands and
//! the result, made of operations of this same table. Evaluated on plain reals it is the partial derivative; evaluated
//! on lifted reals it is differentiated in turn. The choice of formula fixes bits, so it is part of the language.
//! Coefficients never fail: outside the domain they are what IEEE arithmetic makes of them.

mod rows;

pub use rows::{OPERATIONS, Operation};

use crate::math::NAMES_IN_FORTRAN;

/// The greatest depth of nested differentiations.
pub const MOST_LEVELS: usize = 512;

/// The evaluation of an operation on plain reals.
#[derive(Clone, Copy, Debug)]
pub enum Evaluation {
    /// A function of one operand.
    Unary(fn(f64) -> f64),
    /// A function of two operands.
    Binary(fn(f64, f64) -> f64),
}

/// An operation on plain reals in C. Its bits are those of the evaluation: each operator of C rounds once, and nothing is contracted.
#[derive(Clone, Copy, Debug)]
pub enum InC {
    /// An exact operation, or one that is rounded as IEEE 754 requires: an expression of the machine `m` and the operands `a` and `b`.
    Formula(&'static str),
    /// A function of the module [`math`](crate::math) that is rounded once, by its name in C.
    Function(&'static str),
    /// A function of the module [`math`](crate::math) that is not rounded once: its operations define it.
    Defined(Definition),
}

/// The definition of a function.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Its name in C.
    pub name: &'static str,
    /// Its text in C.
    pub text: &'static str,
    /// The functions that it calls.
    pub calls: &'static [Operation],
}

/// An operation on plain reals in Fortran.
#[derive(Clone, Copy, Debug)]
pub enum InFortran {
    /// The operator between the operands.
    Infix(&'static str),
    /// The operator before the operand.
    Prefix(&'static str),
    /// A function of Fortran 77 on doubles, a generic one of Fortran 2008, or one of the text that goes with programs.
    Call(&'static str),
    /// The operand itself.
    Operand,
}

/// The number of operands of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// One operand.
    One,
    /// Two operands.
    Two,
}

/// An expression of the operands and the result of an operation.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// The first operand, x or a.
    First,
    /// The second operand, b.
    Second,
    /// The result, r.
    Result,
    /// A constant.
    Constant(f64),
    /// An operation on one term.
    Unary(Operation, &'static Term),
    /// An operation on two terms.
    Binary(Operation, &'static Term, &'static Term),
    /// The first term if the test holds, else the second; only the one taken is evaluated.
    Select(Test, &'static Term, &'static Term),
}

/// A condition on the primals of terms.
#[derive(Clone, Copy, Debug)]
pub enum Test {
    /// The term is zero, of either sign.
    Zero(&'static Term),
    /// The first term is less than the second.
    Less(&'static Term, &'static Term),
    /// The first term is nearer to zero than the second.
    Nearer(&'static Term, &'static Term),
    /// Both hold.
    Both(&'static Test, &'static Test),
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OperationRow {
    /// The operation; its number is the number of the row.
    pub operation: Operation,
    /// The name in the printed forms of intermediate representations.
    pub name: &'static str,
    /// The facts that compilers use.
    pub facts: Facts,
    /// Its value on plain reals.
    pub evaluation: Evaluation,
    /// The same in C.
    pub in_c: InC,
    /// The same in Fortran; of the module [`math`](crate::math) the functions of the Fortran compiler, if it has them.
    pub in_fortran: Option<InFortran>,
    /// The coefficient of each operand.
    pub coefficients: &'static [Term],
}

impl Operation {
    /// The row of the operation.
    #[inline]
    pub fn row(self) -> &'static OperationRow {
        match OPERATIONS.get(self as usize) {
            Some(row) => row,
            None => crate::internal_bug!("every operation has a row"),
        }
    }

    /// Returns the number of operands.
    pub fn arity(self) -> Arity {
        match self.row().evaluation {
            Evaluation::Unary(_) => Arity::One,
            Evaluation::Binary(_) => Arity::Two,
        }
    }

    /// The name in C of the function of the module [`math`](crate::math) that it is; none if it is exact, or rounded as IEEE 754 requires.
    pub fn function_in_c(self) -> Option<&'static str> {
        match self.row().in_c {
            InC::Formula(_) => None,
            InC::Function(name) | InC::Defined(Definition { name, .. }) => Some(name),
        }
    }

    /// The name for Fortran of that function in the archive.
    pub fn function_in_fortran(self) -> Option<&'static str> {
        let function = self.function_in_c()?;
        NAMES_IN_FORTRAN.iter().find(|(name, _)| *name == function).map(|(_, name)| *name)
    }

    /// Returns true if the operation has derivatives by the operand of that number; it has none by an operand for whose whole values alone
    /// it is defined.
    pub fn varies_with(self, operand: usize) -> bool {
        let coefficient = self.row().coefficients.get(operand);
        coefficient.is_some_and(|coefficient| !matches!(coefficient, Term::Constant(constant) if constant.is_nan()))
    }

    /// The time that the operation takes, roughly.
    pub fn effort(self) -> Effort {
        self.row().facts.effort
    }

    /// Returns true if it is an instruction of common processors, or a few short ones.
    pub fn is_instruction(self) -> bool {
        self.row().facts.code == MachineCode::Instructions
    }

    /// Returns true if it is a packed instruction of common processors, or a few of them.
    pub fn is_packed(self) -> bool {
        self.row().facts.code != MachineCode::Call
    }
}

/// The facts about an operation that compilers use.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The time that it takes, roughly.
    pub effort: Effort,
    /// Its machine code.
    pub code: MachineCode,
    /// For each operand, the influence of the sign of a zero.
    pub zeros: &'static [Zero],
    /// True if the result is NaN wherever an operand is.
    pub keeps_nan: bool,
    /// True if finite operands have a finite result.
    pub keeps_finite: bool,
}

/// The influence of the sign of a zero operand on the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    /// None: the results are the same to the bit.
    Same,
    /// The results are the same, or zeros of different signs.
    Alike,
    /// The same, and to the bit where the other operand is not zero, as in sums.
    Added,
    /// The results may be different numbers.
    Distinct,
}

/// Classes of operations by the time that they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// One instruction or two.
    Arithmetic,
    /// A rounding to whole numbers, or a product that is chosen by a test.
    Choice,
    /// A division or a square root.
    Division,
    /// A function of the module [`math`].
    Function,
    /// One that takes as long as several of these.
    Series,
}

/// The machine code of operations on common processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineCode {
    /// A few short instructions, packed or not.
    Instructions,
    /// A packed instruction where several are executed at once, else a call of a function.
    PackedOrCall,
    /// A call of a function.
    Call,
}

/// The values that coefficients read, and therefore the values that a tape record must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reads {
    /// The first operand.
    pub first: bool,
    /// The second operand.
    pub second: bool,
    /// The result.
    pub result: bool,
}

impl Reads {
    /// Nothing is read.
    pub const NOTHING: Reads = Reads { first: false, second: false, result: false };

    /// Returns the union of two sets of reads.
    #[must_use]
    pub const fn and(self, other: Reads) -> Reads {
        Reads {
            first: self.first || other.first,
            second: self.second || other.second,
            result: self.result || other.result,
        }
    }
}

impl Term {
    /// Returns the values that the term reads.
    pub const fn reads(&self) -> Reads {
        match self {
            Term::First => Reads { first: true, ..Reads::NOTHING },
            Term::Second => Reads { second: true, ..Reads::NOTHING },
            Term::Result => Reads { result: true, ..Reads::NOTHING },
            Term::Constant(_) => Reads::NOTHING,
            Term::Unary(_, term) => term.reads(),
            Term::Binary(_, left, right) => left.reads().and(right.reads()),
            Term::Select(test, yes, no) => test.reads().and(yes.reads()).and(no.reads()),
        }
    }
}

impl Test {
    const fn reads(&self) -> Reads {
        match self {
            Test::Zero(term) => term.reads(),
            Test::Less(left, right) | Test::Nearer(left, right) => left.reads().and(right.reads()),
            Test::Both(left, right) => left.reads().and(right.reads()),
        }
    }
}

/// The values that each coefficient reads, by operation and operand.
const READS: [[Reads; 2]; OPERATIONS.len()] = tabulate_reads();

#[allow(clippy::indexing_slicing)] // evaluated at compile time: an index out of range does not compile
const fn tabulate_reads() -> [[Reads; 2]; OPERATIONS.len()] {
    let mut reads = [[Reads::NOTHING; 2]; OPERATIONS.len()];
    let mut row = 0;
    while row < OPERATIONS.len() {
        let coefficients = OPERATIONS[row].coefficients;
        let mut operand = 0;
        while operand < coefficients.len() {
            reads[row][operand] = coefficients[operand].reads();
            operand += 1;
        }
        row += 1;
    }
    reads
}

impl Operation {
    /// Returns the values read by the coefficients of those operands that are active.
    #[inline]
    pub fn reads(self, first_active: bool, second_active: bool) -> Reads {
        let Some([first, second]) = READS.get(self as usize) else {
            crate::internal_bug!("every operation has a row");
        };
        match (first_active, second_active) {
            (true, true) => first.and(*second),
            (true, false) => *first,
            (false, true) => *second,
            (false, false) => Reads::NOTHING,
        }
    }
}

/// The facts of most operations with these zeros.
const fn facts(effort: Effort, zeros: &'static [Zero]) -> Facts {
    let code = match effort {
        Effort::Arithmetic => MachineCode::Instructions,
        Effort::Choice | Effort::Division | Effort::Function | Effort::Series => MachineCode::Call,
    };
    Facts { effort, code, zeros, keeps_nan: true, keeps_finite: false }
}

impl Facts {
    const fn executed_by(self, code: MachineCode) -> Facts {
        Facts { code, ..self }
    }

    const fn may_lose_nan(self) -> Facts {
        Facts { keeps_nan: false, ..self }
    }

    const fn keeping_finite(self) -> Facts {
        Facts { keeps_finite: true, ..self }
    }
}

impl OperationRow {
    /// The row of an operation that is an expression in C, not a function of the operation's name.
    const fn formula(self, text: &'static str) -> OperationRow {
        OperationRow { in_c: InC::Formula(text), ..self }
    }

    /// The row of an operation that is a function of another name in C.
    const fn function(self, name: &'static str) -> OperationRow {
        OperationRow { in_c: InC::Function(name), ..self }
    }

    /// The row of an operation that is a function of the operation's name in C, defined by a text.
    const fn defined(self, text: &'static str, calls: &'static [Operation]) -> OperationRow {
        OperationRow { in_c: InC::Defined(Definition { name: self.name, text, calls }), ..self }
    }

    /// The row of an operation that Fortran has.
    const fn fortran(self, expression: InFortran) -> OperationRow {
        OperationRow { in_fortran: Some(expression), ..self }
    }
}

/// The row of an operation on one real.
const fn unary(
    operation: Operation,
    name: &'static str,
    facts: Facts,
    evaluate: fn(f64) -> f64,
    coefficients: &'static [Term; 1],
) -> OperationRow {
    let evaluation = Evaluation::Unary(evaluate);
    OperationRow { operation, name, facts, evaluation, in_c: InC::Function(name), in_fortran: None, coefficients }
}

/// The row of an operation on two reals.
const fn binary(
    operation: Operation,
    name: &'static str,
    facts: Facts,
    evaluate: fn(f64, f64) -> f64,
    coefficients: &'static [Term; 2],
) -> OperationRow {
    let evaluation = Evaluation::Binary(evaluate);
    OperationRow { operation, name, facts, evaluation, in_c: InC::Function(name), in_fortran: None, coefficients }
}

/// Terms of which several coefficients are made.
mod terms {
    use super::Operation as O;
    use super::Term::{self, Constant, First, Result, Second, Select};
    use super::Test;

    pub const ONE: Term = Constant(1.0);
    pub const ZERO: Term = Constant(0.0);
    const FIRST_SQUARED: Term = Term::Binary(O::Multiply, &First, &First);
    pub const RESULT_SQUARED: Term = Term::Binary(O::Multiply, &Result, &Result);
    pub const FIRST_SIZE: Term = Term::Unary(O::Absolute, &First);
    /// 1 - x*x. The product has more digits near 1, the difference a derivative with more digits near 0.
    pub const ONE_MINUS_SQUARE: Term = Select(
        Test::Nearer(&First, &Constant(0.5)),
        &Term::Binary(O::Subtract, &ONE, &FIRST_SQUARED),
        &Term::Binary(O::Multiply, &Term::Binary(O::Subtract, &ONE, &First), &Term::Binary(O::Add, &ONE, &First)),
    );
    /// sqrt(1 - x*x).
    pub const COFUNCTION: Term = Term::Unary(O::SquareRoot, &ONE_MINUS_SQUARE);
    /// True where 1 + x*x is not x*x as a double.
    pub const IS_SQUARE_SMALL: Test = Test::Nearer(&First, &Constant(134_217_728.0));
    pub const ONE_PLUS_SQUARE: Term = Term::Binary(O::Add, &ONE, &FIRST_SQUARED);
    pub const RECIPROCAL: Term = Term::Binary(O::Divide, &ONE, &First);
    /// True where the angle of the point (x, y), whose operands are y and x, is nearer to a multiple of a half turn than of others.
    const IS_FLAT: Test = Test::Nearer(&First, &Second);
    /// y / x, and x + y * (y / x): the square of the radius divided by x, which over- and underflows where its reciprocal does.
    const SLOPE: Term = Term::Binary(O::Divide, &First, &Second);
    const RADIUS_BY_SECOND: Term = Term::Binary(O::Add, &Second, &Term::Binary(O::Multiply, &First, &SLOPE));
    /// x / y, and y + x * (x / y).
    const INVERSE_SLOPE: Term = Term::Binary(O::Divide, &Second, &First);
    /// sqrt(1 + t*t) for these quotients t, and 1 with the sign of an operand.
    const SECANT: Term =
        Term::Unary(O::SquareRoot, &Term::Binary(O::Add, &ONE, &Term::Binary(O::Multiply, &SLOPE, &SLOPE)));
    const COSECANT: Term = Term::Unary(
        O::SquareRoot,
        &Term::Binary(O::Add, &ONE, &Term::Binary(O::Multiply, &INVERSE_SLOPE, &INVERSE_SLOPE)),
    );
    const FIRST_SIGN: Term = Select(Test::Less(&First, &ZERO), &Constant(-1.0), &ONE);
    const SECOND_SIGN: Term = Select(Test::Less(&Second, &ZERO), &Constant(-1.0), &ONE);
    const RADIUS_BY_FIRST: Term = Term::Binary(O::Add, &First, &Term::Binary(O::Multiply, &Second, &INVERSE_SLOPE));
    /// 1 + abs(r).
    pub const ONE_AND_RESULT: Term = Term::Binary(O::Add, &ONE, &Term::Unary(O::Absolute, &Result));

    /// The derivative of the error function, 2/sqrt(pi) * exp(-(x*x)).
    pub const BELL: Term = Term::Binary(
        O::Multiply,
        &Constant(std::f64::consts::FRAC_2_SQRT_PI),
        &Term::Unary(O::Exponential, &Term::Unary(O::Negate, &FIRST_SQUARED)),
    );

    /// The coefficients of the angle of the point (x, y), whose operands are y and x.
    pub const ANGLE: [Term; 2] = [
        Select(
            IS_FLAT,
            &Term::Binary(O::Divide, &ONE, &RADIUS_BY_SECOND),
            &Term::Binary(O::Divide, &INVERSE_SLOPE, &RADIUS_BY_FIRST),
        ),
        Term::Unary(
            O::Negate,
            &Select(
                IS_FLAT,
                &Term::Binary(O::Divide, &SLOPE, &RADIUS_BY_SECOND),
                &Term::Binary(O::Divide, &ONE, &RADIUS_BY_FIRST),
            ),
        ),
    ];

    /// The coefficients of the hypotenuse. Of the longer side the quotient by the result has a derivative that cancels.
    pub const DIRECTION: [Term; 2] = [
        Select(
            Test::Zero(&Result),
            &ZERO,
            &Select(
                Test::Nearer(&First, &Second),
                &Term::Binary(O::Divide, &First, &Result),
                &Term::Binary(O::Divide, &FIRST_SIGN, &COSECANT),
            ),
        ),
        Select(
            Test::Zero(&Result),
            &ZERO,
            &Select(
                Test::Nearer(&Second, &First),
                &Term::Binary(O::Divide, &Second, &Result),
                &Term::Binary(O::Divide, &SECOND_SIGN, &SECANT),
            ),
        ),
    ];
}

#[cfg(test)]
mod tests;
