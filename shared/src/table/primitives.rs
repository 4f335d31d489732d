//! The names of the language: one row each, saying what a primitive does with its one argument.
//!
//! Several operands are a tuple, `(cons a (cons b c))`; so one rule covers n-ary primitives: the operands of a fold are
//! the firsts of the pairs, and then what is not a pair.

use super::operations::Operation;
use crate::tagged::Tag;

/// A primitive procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // their rows say what they are
pub enum Primitive {
    Add,
    Subtract,
    Multiply,
    Divide,
    Maximum,
    Minimum,
    SquareRoot,
    Exponential,
    Logarithm,
    Sine,
    Cosine,
    Tangent,
    ArcSine,
    ArcCosine,
    ArcTangent,
    HyperbolicSine,
    HyperbolicCosine,
    HyperbolicTangent,
    Power,
    Absolute,
    Floor,
    Ceiling,
    Round,
    Truncate,
    Modulo,
    Equal,
    Less,
    Greater,
    NotGreater,
    NotLess,
    IsZero,
    IsPositive,
    IsNegative,
    IsNull,
    IsBoolean,
    IsReal,
    IsPair,
    IsProcedure,
    Not,
    First,
    Second,
    Cons,
    SameValue,
    Real,
    Zero,
    Plus,
    ReadReal,
    WriteReal,
    Write,
    IfProcedure,
    Forward,
    Reverse,
    CountSteps,
    Interrupt,
    Resume,
    Checkpoint,
    CheckpointBisection,
    CheckpointBinomial,
    IsCapsule,
    TransformForward,
    TransformReverse,
    Bundle,
    PrimalOf,
    TangentOf,
    Perturb,
    Unperturb,
    Sensitize,
    Unsensitize,
    InvertReverse,
    IsPerturbation,
    IsForward,
    IsSensitivity,
    IsReverse,
    IsVector,
    VectorLength,
    Get,
    VectorSet,
    VectorPush,
    VectorToList,
    ListToVector,
    BuildSize,
    FoldSize,
    OfLength,
}

/// What a fold makes of one operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Single {
    /// The operand itself.
    Itself,
    /// An operation on it.
    Unary(Operation),
    /// The fold's operation on a constant and the operand.
    From(f64),
}

/// A comparison of reals; false if either is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`.
    Equal,
    /// `<`.
    Less,
    /// `>`.
    Greater,
    /// `<=`.
    NotGreater,
    /// `>=`.
    NotLess,
}

impl Comparison {
    /// Whether it holds.
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::Less => a < b,
            Comparison::Greater => a > b,
            Comparison::NotGreater => a <= b,
            Comparison::NotLess => a >= b,
        }
    }
}

/// A question that can be asked of any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// Is it the empty list?
    Null,
    /// Is it a boolean?
    Boolean,
    /// Is it a real?
    Real,
    /// Is it a pair?
    Pair,
    /// Is it a procedure, primitive or not?
    Procedure,
    /// Is it a suspended computation?
    Capsule,
    /// Is it `#f`?
    False,
    /// Has it that tag?
    Tagged(Tag),
    /// Is it a vector?
    Vector,
}

/// What a primitive does with a vector (report, part 18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnVector {
    /// How many elements it has.
    Length,
    /// `(get v i)`: an element.
    Element,
    /// `(vector-set v i x)`: the vector with another element.
    Replace,
    /// `(vector-push v x)`: the vector with an element more.
    Append,
    /// The list of its elements.
    ToList,
    /// The vector of the elements of a list.
    FromList,
    /// The size of one that `build` is to make, as a plain real.
    Size,
    /// How often `ifold` is to iterate, as a plain real.
    Iterations,
    /// `(of-length v n)`: the vector itself, which has to have so many elements.
    OfLength,
}

/// A primitive whose work is the engine's: it calls procedures of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// `(if-procedure c f g)` calls f if c is not `#f`, else g, without operands.
    IfProcedure,
    /// `(j* f x x')`: forward mode, `(cons y y')`.
    Forward,
    /// `(*j f x y')`: reverse mode, `(cons y x')`.
    Reverse,
    /// `(primops f x)`: how many steps `(f x)` takes.
    CountSteps,
    /// `(interrupt f x l)`: the computation of `(f x)` after l steps, a capsule.
    Interrupt,
    /// `(resume z)`: the rest of the computation that a capsule is.
    Resume,
    /// `(checkpoint-*j f x y')`: as `*j`, in pieces that are executed again.
    Checkpoint(Division),
}

/// How a form of `checkpoint-*j` is told how to divide the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// As the run is told.
    OfRun,
    /// By two operands more: `d` and `n` of bisection.
    Bisection,
    /// By three operands more: `d`, `t` and `n` of binomial checkpointing.
    Binomial,
}

/// The tags that one value alone can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// That of `perturb`.
    Perturbation,
    /// That of `sensitize`.
    Sensitivity,
    /// That of the transformation `*j`.
    Reverse,
}

/// What a primitive does with its argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Left fold of a binary operation over any number of reals.
    Fold {
        /// The operation.
        operation: Operation,
        /// The value of no operands; none if that is an error.
        empty: Option<f64>,
        /// The value of one operand.
        single: Single,
    },
    /// An operation on one real.
    Unary(Operation),
    /// An operation on two reals.
    Binary(Operation),
    /// One operation on one real, another on two.
    UnaryOrBinary(Operation, Operation),
    /// A comparison between each of one or more reals and the next.
    Chain(Comparison),
    /// A comparison of a real with zero.
    AgainstZero(Comparison),
    /// A question about any value.
    Ask(Predicate),
    /// The first part of a pair.
    First,
    /// The second part of a pair.
    Second,
    /// A pair, itself: what `(cons a b)` means when `cons` is a value.
    Pair,
    /// Whether two values are `equal?`.
    SameValue,
    /// A real, itself.
    Real,
    /// The zero of the tangent space of any value.
    Zero,
    /// The sum of two tangents of one space.
    Plus,
    /// The bundle of any value and its zero: the transformation `j*`.
    TransformForward,
    /// The bundle of any value and a tangent of it.
    Bundle,
    /// The value in a bundle.
    PrimalOf,
    /// The tangent in a bundle.
    TangentOf,
    /// Any value, with a tag.
    Mark(Mark),
    /// What has a tag, without it; other values are given as they are.
    Unmark(Mark),
    /// What has a tag, without it; other values are an error.
    Invert(Mark),
    /// Something with a vector.
    OnVector(OnVector),
    /// Reads one real from the input.
    ReadReal,
    /// Writes a real and a line end; gives the real.
    WriteReal,
    /// Writes any value and a line end; gives the value.
    Write,
    /// Work for the engine.
    Control(Control),
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct PrimitiveRow {
    /// Which primitive; its number is the number of the row.
    pub primitive: Primitive,
    /// The name that programs use.
    pub name: &'static str,
    /// What it does.
    pub form: Form,
}

const fn row(primitive: Primitive, name: &'static str, form: Form) -> PrimitiveRow {
    PrimitiveRow { primitive, name, form }
}

const fn fold(
    primitive: Primitive,
    name: &'static str,
    operation: Operation,
    empty: Option<f64>,
    single: Single,
) -> PrimitiveRow {
    row(primitive, name, Form::Fold { operation, empty, single })
}

use Operation as O;
use Primitive as P;

/// The table, in the order of [`Primitive`].
pub const PRIMITIVES: [PrimitiveRow; 83] = [
    fold(P::Add, "+", O::Add, Some(0.0), Single::Itself),
    fold(P::Subtract, "-", O::Subtract, None, Single::Unary(O::Negate)),
    fold(P::Multiply, "*", O::Multiply, Some(1.0), Single::Itself),
    fold(P::Divide, "/", O::Divide, None, Single::From(1.0)),
    fold(P::Maximum, "max", O::Maximum, None, Single::Itself),
    fold(P::Minimum, "min", O::Minimum, None, Single::Itself),
    row(P::SquareRoot, "sqrt", Form::Unary(O::SquareRoot)),
    row(P::Exponential, "exp", Form::Unary(O::Exponential)),
    row(P::Logarithm, "log", Form::Unary(O::Logarithm)),
    row(P::Sine, "sin", Form::Unary(O::Sine)),
    row(P::Cosine, "cos", Form::Unary(O::Cosine)),
    row(P::Tangent, "tan", Form::Unary(O::Tangent)),
    row(P::ArcSine, "asin", Form::Unary(O::ArcSine)),
    row(P::ArcCosine, "acos", Form::Unary(O::ArcCosine)),
    row(P::ArcTangent, "atan", Form::UnaryOrBinary(O::ArcTangent, O::ArcTangent2)),
    row(P::HyperbolicSine, "sinh", Form::Unary(O::HyperbolicSine)),
    row(P::HyperbolicCosine, "cosh", Form::Unary(O::HyperbolicCosine)),
    row(P::HyperbolicTangent, "tanh", Form::Unary(O::HyperbolicTangent)),
    row(P::Power, "expt", Form::Binary(O::Power)),
    row(P::Absolute, "abs", Form::Unary(O::Absolute)),
    row(P::Floor, "floor", Form::Unary(O::Floor)),
    row(P::Ceiling, "ceiling", Form::Unary(O::Ceiling)),
    row(P::Round, "round", Form::Unary(O::Round)),
    row(P::Truncate, "truncate", Form::Unary(O::Truncate)),
    row(P::Modulo, "modulo", Form::Binary(O::Modulo)),
    row(P::Equal, "=", Form::Chain(Comparison::Equal)),
    row(P::Less, "<", Form::Chain(Comparison::Less)),
    row(P::Greater, ">", Form::Chain(Comparison::Greater)),
    row(P::NotGreater, "<=", Form::Chain(Comparison::NotGreater)),
    row(P::NotLess, ">=", Form::Chain(Comparison::NotLess)),
    row(P::IsZero, "zero?", Form::AgainstZero(Comparison::Equal)),
    row(P::IsPositive, "positive?", Form::AgainstZero(Comparison::Greater)),
    row(P::IsNegative, "negative?", Form::AgainstZero(Comparison::Less)),
    row(P::IsNull, "null?", Form::Ask(Predicate::Null)),
    row(P::IsBoolean, "boolean?", Form::Ask(Predicate::Boolean)),
    row(P::IsReal, "real?", Form::Ask(Predicate::Real)),
    row(P::IsPair, "pair?", Form::Ask(Predicate::Pair)),
    row(P::IsProcedure, "procedure?", Form::Ask(Predicate::Procedure)),
    row(P::Not, "not", Form::Ask(Predicate::False)),
    row(P::First, "car", Form::First),
    row(P::Second, "cdr", Form::Second),
    row(P::Cons, "cons", Form::Pair),
    row(P::SameValue, "equal?", Form::SameValue),
    row(P::Real, "real", Form::Real),
    row(P::Zero, "zero", Form::Zero),
    row(P::Plus, "plus", Form::Plus),
    row(P::ReadReal, "read-real", Form::ReadReal),
    row(P::WriteReal, "write-real", Form::WriteReal),
    row(P::Write, "write", Form::Write),
    row(P::IfProcedure, "if-procedure", Form::Control(Control::IfProcedure)),
    row(P::Forward, "j*", Form::Control(Control::Forward)),
    row(P::Reverse, "*j", Form::Control(Control::Reverse)),
    row(P::CountSteps, "primops", Form::Control(Control::CountSteps)),
    row(P::Interrupt, "interrupt", Form::Control(Control::Interrupt)),
    row(P::Resume, "resume", Form::Control(Control::Resume)),
    row(P::Checkpoint, "checkpoint-*j", Form::Control(Control::Checkpoint(Division::OfRun))),
    row(P::CheckpointBisection, "checkpoint-*j-bisection", Form::Control(Control::Checkpoint(Division::Bisection))),
    row(P::CheckpointBinomial, "checkpoint-*j-binomial", Form::Control(Control::Checkpoint(Division::Binomial))),
    row(P::IsCapsule, "capsule?", Form::Ask(Predicate::Capsule)),
    row(P::TransformForward, "j*-transform", Form::TransformForward),
    row(P::TransformReverse, "*j-transform", Form::Mark(Mark::Reverse)),
    row(P::Bundle, "bundle", Form::Bundle),
    row(P::PrimalOf, "primal", Form::PrimalOf),
    row(P::TangentOf, "tangent", Form::TangentOf),
    row(P::Perturb, "perturb", Form::Mark(Mark::Perturbation)),
    row(P::Unperturb, "unperturb", Form::Unmark(Mark::Perturbation)),
    row(P::Sensitize, "sensitize", Form::Mark(Mark::Sensitivity)),
    row(P::Unsensitize, "unsensitize", Form::Unmark(Mark::Sensitivity)),
    row(P::InvertReverse, "*j-inverse", Form::Invert(Mark::Reverse)),
    row(P::IsPerturbation, "perturbation?", Form::Ask(Predicate::Tagged(Tag::Perturbation))),
    row(P::IsForward, "forward?", Form::Ask(Predicate::Tagged(Tag::Bundle))),
    row(P::IsSensitivity, "sensitivity?", Form::Ask(Predicate::Tagged(Tag::Sensitivity))),
    row(P::IsReverse, "reverse?", Form::Ask(Predicate::Tagged(Tag::Reverse))),
    row(P::IsVector, "vector?", Form::Ask(Predicate::Vector)),
    row(P::VectorLength, "vector-length", Form::OnVector(OnVector::Length)),
    row(P::Get, "get", Form::OnVector(OnVector::Element)),
    row(P::VectorSet, "vector-set", Form::OnVector(OnVector::Replace)),
    row(P::VectorPush, "vector-push", Form::OnVector(OnVector::Append)),
    row(P::VectorToList, "vector->list", Form::OnVector(OnVector::ToList)),
    row(P::ListToVector, "list->vector", Form::OnVector(OnVector::FromList)),
    row(P::BuildSize, "build-size", Form::OnVector(OnVector::Size)),
    row(P::FoldSize, "ifold-size", Form::OnVector(OnVector::Iterations)),
    row(P::OfLength, "of-length", Form::OnVector(OnVector::OfLength)),
];

impl Primitive {
    /// The row of the primitive.
    pub fn row(self) -> &'static PrimitiveRow {
        match PRIMITIVES.get(self as usize) {
            Some(row) => row,
            None => crate::internal_bug!("every primitive has a row"),
        }
    }

    /// The name that programs use.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether it depends on the operands that are written which primitive its name means as an operator.
    pub fn minds_operands(self) -> bool {
        matches!(self, Primitive::Forward | Primitive::Reverse | Primitive::Checkpoint)
    }

    /// The primitive that its name means as an operator where so many operands are written.
    #[must_use]
    pub fn with_operands(self, written: usize) -> Primitive {
        match (self, written) {
            (Primitive::Forward, 1) => Primitive::TransformForward,
            (Primitive::Reverse, 1) => Primitive::TransformReverse,
            (Primitive::Checkpoint, 5) => Primitive::CheckpointBisection,
            (Primitive::Checkpoint, 6) => Primitive::CheckpointBinomial,
            (_, _) => self,
        }
    }

    /// The primitive of that name.
    pub fn named(name: &str) -> Option<Primitive> {
        PRIMITIVES.iter().find(|row| row.name == name).map(|row| row.primitive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_the_number_of_their_primitive() {
        for (number, row) in PRIMITIVES.iter().enumerate() {
            assert_eq!(row.primitive as usize, number, "row of {}", row.name);
            assert_eq!(Primitive::named(row.name), Some(row.primitive));
        }
    }
}
