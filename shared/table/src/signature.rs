//! The signatures of primitives: static facts about operands and result, one row for each form.
//!
//! Passes that reason about a call without executing it ask the signature: warnings about operands, the analysis of
//! shapes, source transformation, and the code generator, which skips tests of values that are booleans.
//!
//! At run time the operands are the parts of the tuple that is the argument, and the last one may itself be a tuple. So
//! numbers of operands are given only where a call beyond them fails, or takes two or more written operands for one
//! value.

use crate::internal_bug;
use crate::primitives::{CheckpointForm, Control, Form, OnVector, Primitive};

/// The static facts about a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The number of operands.
    pub operands: OperandCount,
    /// The use of the argument.
    pub access: ArgumentUse,
    /// The kind of the result.
    pub result: ResultKind,
}

/// The number of operands written in a sensible call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandCount {
    /// The lower bound: with fewer operands the call fails, unless the last one is a tuple.
    pub least: usize,
    /// The upper bound, if there is one.
    pub most: Option<usize>,
}

/// The use that a primitive makes of its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentUse {
    /// It takes no operands.
    Nothing,
    /// All operands must be reals.
    Reals,
    /// It asks for the kind of a value, or for the length of a vector.
    Kind,
    /// It selects a part of a pair.
    Part,
    /// It returns the tuple of its operands: `cons` as a value.
    Tuple,
    /// It makes a vector or selects elements of one.
    Elements,
    /// It calls a procedure and passes nothing to it: `if-procedure`.
    Callee,
    /// It takes any value as a whole, also a procedure.
    Whole,
}

/// The kind of the result of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// A real.
    Real,
    /// A boolean.
    Boolean,
    /// A pair.
    Pair,
    /// A vector.
    Vector,
    /// A suspended computation.
    Capsule,
    /// Not always the same kind.
    Any,
}

const fn row(least: usize, most: usize, access: ArgumentUse, result: ResultKind) -> Signature {
    Signature { operands: OperandCount { least, most: Some(most) }, access, result }
}

const fn row_from(least: usize, access: ArgumentUse, result: ResultKind) -> Signature {
    Signature { operands: OperandCount { least, most: None }, access, result }
}

use ArgumentUse as A;
use ResultKind as R;

impl Form {
    /// Returns the signature of the primitives of a form.
    pub const fn signature(self) -> Signature {
        match self {
            Form::Fold { empty, .. } => row_from(if empty.is_none() { 1 } else { 0 }, A::Reals, R::Real),
            Form::Unary(_) => row(1, 1, A::Reals, R::Real),
            Form::Binary(_) => row(2, 2, A::Reals, R::Real),
            Form::UnaryOrBinary(..) => row(1, 2, A::Reals, R::Real),
            Form::Chain(_) => row_from(1, A::Reals, R::Boolean),
            Form::AgainstZero(_) => row(1, 1, A::Reals, R::Boolean),
            // Any value is a valid operand here, also a tuple or the empty list of a call without operands.
            Form::Ask(_) => row_from(0, A::Kind, R::Boolean),
            // A tuple is a pair.
            Form::First | Form::Second => row_from(1, A::Part, R::Any),
            Form::Pair => row_from(1, A::Tuple, R::Pair),
            Form::SameValue => row(2, 2, A::Whole, R::Boolean),
            Form::Real => row(1, 1, A::Reals, R::Real),
            Form::Zero
            | Form::TransformForward
            | Form::PrimalOf
            | Form::TangentOf
            | Form::Mark(_)
            | Form::Unmark(_)
            | Form::Invert(_)
            | Form::Write
            | Form::Error => row_from(0, A::Whole, R::Any),
            Form::WriteRow => row(1, 1, A::Whole, R::Any),
            // The last of the values may be a tuple.
            Form::WriteText | Form::ErrorText => row_from(2, A::Whole, R::Any),
            Form::Plus | Form::Bundle => row(2, 2, A::Whole, R::Any),
            Form::ReadReal => row(0, 0, A::Nothing, R::Real),
            Form::EndOfInput => row(0, 0, A::Nothing, R::Boolean),
            Form::WriteReal => row(1, 1, A::Reals, R::Real),
            Form::OnVector(on_vector) => match on_vector {
                OnVector::Length => row(1, 1, A::Kind, R::Real),
                OnVector::Element => row(2, 2, A::Elements, R::Any),
                OnVector::Replace => row(3, 3, A::Elements, R::Vector),
                OnVector::Append | OnVector::OfLength => row(2, 2, A::Elements, R::Vector),
                OnVector::ToList => row(1, 1, A::Elements, R::Any),
                // A tuple may be a list.
                OnVector::FromList => row_from(0, A::Elements, R::Vector),
                OnVector::Size | OnVector::Iterations => row(1, 1, A::Reals, R::Real),
            },
            Form::Control(control) => match control {
                Control::IfProcedure => row(3, 3, A::Callee, R::Any),
                Control::Forward | Control::Reverse => row(3, 3, A::Whole, R::Pair),
                // The procedure may take a tuple.
                Control::CountSteps => row_from(2, A::Whole, R::Real),
                Control::Interrupt => row(3, 3, A::Whole, R::Capsule),
                Control::Resume => row(1, 1, A::Whole, R::Any),
                Control::Checkpoint(CheckpointForm::OfRun) => row(3, 3, A::Whole, R::Pair),
                Control::Checkpoint(CheckpointForm::Bisection) => row(5, 5, A::Whole, R::Pair),
                Control::Checkpoint(CheckpointForm::Binomial) => row(6, 6, A::Whole, R::Pair),
            },
        }
    }
}

/// Returns a number of operands in words, and placeholder names for them.
pub fn named(count: usize) -> (&'static str, &'static str) {
    match count {
        2 => ("two", "a b"),
        3 => ("three", "a b c"),
        5 => ("five", "a b c d e"),
        6 => ("six", "a b c d e f"),
        other => internal_bug!("no primitive that calls a procedure has {other} operands"),
    }
}

/// Returns a description of the operands that an operator of differentiation takes, for hints.
pub fn taken_by(operator: Primitive) -> String {
    let names = match operator.row().form {
        Form::Bundle => "v v'",
        Form::Control(Control::Forward) => "f x x'",
        Form::Control(Control::Checkpoint(CheckpointForm::Bisection)) => "f x y' d n",
        Form::Control(Control::Checkpoint(CheckpointForm::Binomial)) => "f x y' d t n",
        _ => "f x y'",
    };
    let count = names.split(' ').count();
    format!("{}: ({} {names})", named(count).0, operator.name())
}
