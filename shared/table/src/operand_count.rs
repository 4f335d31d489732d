//! The number of operands a primitive takes, for warnings about calls.
//!
//! At run time the operands are the parts of the tuple that is the argument, and the last one may itself be a tuple. So a
//! bound is given only where a call beyond it fails, or takes two or more written operands for one value.

use crate::internal_bug;
use crate::primitives::{Control, Division, Form, OnVector, Primitive};

/// The number of operands written in a sensible call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandCount {
    /// The lower bound: with fewer operands the call fails, unless the last one is a tuple.
    pub least: usize,
    /// The upper bound, if there is one.
    pub most: Option<usize>,
}

impl Form {
    /// Returns the number of operands written in a sensible call of a primitive of this form.
    pub fn operand_count(self) -> OperandCount {
        let exactly = |count| OperandCount { least: count, most: Some(count) };
        let at_least = |count| OperandCount { least: count, most: None };
        match self {
            Form::Fold { empty, .. } => at_least(usize::from(empty.is_none())),
            Form::Chain(_) => at_least(1),
            Form::UnaryOrBinary(..) => OperandCount { least: 1, most: Some(2) },
            Form::Unary(_) | Form::AgainstZero(_) | Form::Real | Form::WriteReal => exactly(1),
            Form::Binary(_) | Form::SameValue | Form::Plus | Form::Bundle => exactly(2),
            // A tuple is a pair.
            Form::First | Form::Second | Form::Pair => at_least(1),
            Form::ReadReal => exactly(0),
            // Any value is a valid operand here, also a tuple or the empty list of a call without operands.
            Form::Ask(_)
            | Form::Zero
            | Form::TransformForward
            | Form::PrimalOf
            | Form::TangentOf
            | Form::Mark(_)
            | Form::Unmark(_)
            | Form::Invert(_)
            | Form::Write => at_least(0),
            Form::OnVector(on_vector) => match on_vector {
                OnVector::Length | OnVector::ToList | OnVector::Size | OnVector::Iterations => exactly(1),
                OnVector::Element | OnVector::Append | OnVector::OfLength => exactly(2),
                OnVector::Replace => exactly(3),
                // A tuple may be a list.
                OnVector::FromList => at_least(0),
            },
            Form::Control(control) => match control {
                Control::IfProcedure | Control::Interrupt | Control::Forward | Control::Reverse => exactly(3),
                // The procedure may take a tuple.
                Control::CountSteps => at_least(2),
                Control::Resume => exactly(1),
                Control::Checkpoint(Division::OfRun) => exactly(3),
                Control::Checkpoint(Division::Bisection) => exactly(5),
                Control::Checkpoint(Division::Binomial) => exactly(6),
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
    let (count, names) = match operator.row().form {
        Form::Bundle => (2, "v v'"),
        Form::Control(Control::Forward) => (3, "f x x'"),
        Form::Control(Control::Checkpoint(Division::Bisection)) => (5, "f x y' d n"),
        Form::Control(Control::Checkpoint(Division::Binomial)) => (6, "f x y' d t n"),
        _ => (3, "f x y'"),
    };
    format!("{}: ({} {names})", named(count).0, operator.name())
}
