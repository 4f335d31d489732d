//! The operations on reals: evaluation and linearisation (report, part 9.4).
//!
//! A row gives, for each operand, the coefficient of the linearisation as a [`Term`]: an expression of the operands and
//! the result, made of operations of this same table. Evaluated on plain reals it is the partial derivative; evaluated
//! on lifted reals it is differentiated in turn. The choice of formula fixes bits, so it is part of the language.
//! Coefficients never fail: outside the domain they are what IEEE arithmetic makes of them.

mod rows;

pub use rows::OPERATIONS;

/// The greatest depth of nested differentiations.
pub const MOST_LEVELS: usize = 512;

/// An operation on one or two reals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Operation {
    /// a + b.
    Add,
    /// a - b.
    Subtract,
    /// a * b.
    Multiply,
    /// a / b.
    Divide,
    /// The sign flip.
    Negate,
    /// The square root.
    SquareRoot,
    /// e to the power of the operand.
    Exponential,
    /// The natural logarithm.
    Logarithm,
    /// The sine, of radians.
    Sine,
    /// The cosine, of radians.
    Cosine,
    /// The tangent, of radians.
    Tangent,
    /// The arc sine.
    ArcSine,
    /// The arc cosine.
    ArcCosine,
    /// The arc tangent.
    ArcTangent,
    /// The angle of the point (b, a).
    ArcTangent2,
    /// The hyperbolic sine.
    HyperbolicSine,
    /// The hyperbolic cosine.
    HyperbolicCosine,
    /// The hyperbolic tangent.
    HyperbolicTangent,
    /// a to the power b.
    Power,
    /// The absolute value.
    Absolute,
    /// `(if (< a b) b a)`.
    Maximum,
    /// `(if (< b a) b a)`.
    Minimum,
    /// The greatest integer not above.
    Floor,
    /// The least integer not below.
    Ceiling,
    /// The nearest integer, halves to even.
    Round,
    /// The integer part.
    Truncate,
    /// a - b * floor(a / b), each operation rounded.
    Modulo,
    /// The guarded product: +0 if either operand is zero, whatever the other, else a * b, which is never -0 (rule 5b).
    GuardedMultiply,
    /// The operand itself, as an element of a vector (rule 5c).
    Copy,
    /// The error function.
    ErrorFunction,
    /// Its complement: 1 - erf(x), without cancellation.
    ComplementaryErrorFunction,
    /// The logarithm of the absolute value of the gamma function.
    LogGamma,
    /// The derivative of that order, the first operand, of the digamma function at the second.
    Polygamma,
    /// log(1 + x), exact near 0.
    LogarithmOfOnePlus,
    /// e^x - 1, exact near 0.
    ExponentialMinusOne,
    /// The inverse of the hyperbolic sine.
    InverseHyperbolicSine,
    /// The inverse of the hyperbolic cosine that is not negative.
    InverseHyperbolicCosine,
    /// The inverse of the hyperbolic tangent.
    InverseHyperbolicTangent,
    /// The distance of the point (a, b) from the origin.
    Hypotenuse,
    /// The cube root.
    CubeRoot,
    /// 2 to the power of the operand.
    BinaryExponential,
    /// The logarithm of base 2.
    BinaryLogarithm,
    /// The logarithm of base 10.
    DecimalLogarithm,
    /// The gamma function.
    Gamma,
}

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
    /// A function of the module [`math`](crate::math), by its name in C.
    Function(&'static str),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The facts of each row, where its operands are zeros, NaN, and some other numbers.
    #[test]
    fn facts_hold_at_samples() {
        const SAMPLES: [f64; 11] =
            [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 40.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        for OperationRow { name, facts, evaluation, .. } in OPERATIONS {
            let (places, evaluate): (usize, &dyn Fn(f64, f64) -> f64) = match &evaluation {
                Evaluation::Unary(function) => (1, &move |x, _| function(x)),
                Evaluation::Binary(function) => (2, function),
            };
            assert_eq!(facts.zeros.len(), places, "{name}");
            for (place, zero) in facts.zeros.iter().enumerate() {
                for other in SAMPLES {
                    let at = |x| if place == 0 { evaluate(x, other) } else { evaluate(other, x) };
                    let (positive, negative) = (at(0.0), at(-0.0));
                    let is_same = positive.to_bits() == negative.to_bits() || positive.is_nan() && negative.is_nan();
                    let is_alike = is_same || positive == 0.0 && negative == 0.0;
                    let holds = match zero {
                        Zero::Same => is_same,
                        Zero::Alike => is_alike,
                        Zero::Added => is_alike && (is_same || other == 0.0),
                        Zero::Distinct => true,
                    };
                    assert!(holds, "{name} of {other} and zeros in place {place}: {positive}, {negative}");
                    assert!(!facts.keeps_nan || at(f64::NAN).is_nan(), "{name} of {other} and NaN in place {place}");
                    let is_finite = |x: &f64| !x.is_finite() || !other.is_finite() || at(*x).is_finite();
                    let samples = [f64::MAX, f64::MIN_POSITIVE].iter().chain(&SAMPLES);
                    assert!(!facts.keeps_finite || samples.clone().all(is_finite), "{name} of {other}");
                }
            }
        }
    }

    #[test]
    fn rows_stand_at_the_number_of_their_operation() {
        for (number, row) in OPERATIONS.iter().enumerate() {
            assert_eq!(row.operation as usize, number, "row of {}", row.name);
            let arity = match row.evaluation {
                Evaluation::Unary(_) => 1,
                Evaluation::Binary(_) => 2,
            };
            assert_eq!(row.coefficients.len(), arity, "coefficients of {}", row.name);
        }
    }

    #[test]
    fn linear_operations_read_nothing() {
        for operation in [Operation::Add, Operation::Subtract, Operation::Negate, Operation::Floor, Operation::Copy] {
            assert_eq!(operation.reads(true, true), Reads::NOTHING);
        }
        assert_eq!(Operation::Exponential.reads(true, false), Reads { result: true, ..Reads::NOTHING });
        assert_eq!(Operation::Multiply.reads(true, false), Reads { second: true, ..Reads::NOTHING });
    }
}
