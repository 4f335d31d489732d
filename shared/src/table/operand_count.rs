//! How many operands a primitive takes, for warnings about calls.
//!
//! At run time operands are what the argument is taken apart into, and the last one may be a tuple. A bound stands here only
//! where a call beyond it fails, or takes for one value what is written as two or more.

use super::primitives::{Control, Division, Form, OnVector};

/// How many operands are written in a sensible call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandCount {
    /// At least so many: with fewer the call fails, unless the last one is a tuple.
    pub least: usize,
    /// At most so many, if there is a bound.
    pub most: Option<usize>,
}

impl Form {
    /// How many operands are written in a sensible call of a primitive of this form.
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
            // Any value may be asked about, marked or written: a tuple, or no operand.
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
