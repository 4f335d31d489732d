//! The names of the language: one row each, with the behaviour of a primitive on its one argument.
//!
//! Several operands are a tuple, `(cons a (cons b c))`, so one rule covers n-ary primitives: the operands of a fold are
//! the firsts of the pairs, and then the last value that is not a pair.

mod rows;

use crate::operations::Operation;
pub use rows::{PRIMITIVES, Primitive};

/// The tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// `perturbation`.
    Perturbation,
    /// `sensitivity`.
    Sensitivity,
    /// `reverse`.
    Reverse,
    /// `forward`.
    Bundle,
    /// The tag of a backpropagator, which is not shown.
    Backpropagator,
}

/// The value of a fold of one operand.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// Returns true if the comparison of a with b holds.
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

/// A predicate on any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// True of the empty list.
    Null,
    /// True of a boolean.
    Boolean,
    /// True of a real.
    Real,
    /// True of a pair.
    Pair,
    /// True of a procedure, primitive or not.
    Procedure,
    /// True of a suspended computation.
    Capsule,
    /// True of `#f`.
    False,
    /// True of a value with that tag.
    Tagged(Tag),
    /// True of a vector.
    Vector,
}

/// The work of a primitive on a vector (report, part 18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnVector {
    /// The number of its elements.
    Length,
    /// `(get v i)`: an element.
    Element,
    /// `(vector-set v i x)`: a vector with one element replaced.
    Replace,
    /// `(vector-push v x)`: a vector with one more element.
    Append,
    /// The list of its elements.
    ToList,
    /// The vector of the elements of a list.
    FromList,
    /// The size of the vector that `build` is to make, as a plain real.
    Size,
    /// The number of iterations of `ifold`, as a plain real.
    Iterations,
    /// `(of-length v n)`: the vector itself, which must have n elements.
    OfLength,
}

/// A primitive that the engine executes, because it calls procedures of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// `(if-procedure c f g)` calls f if c is not `#f`, else g, without operands.
    IfProcedure,
    /// `(j* f x x')`: forward mode, `(cons y y')`.
    Forward,
    /// `(*j f x y')`: reverse mode, `(cons y x')`.
    Reverse,
    /// `(primops f x)`: the number of steps that `(f x)` takes.
    CountSteps,
    /// `(interrupt f x l)`: the computation of `(f x)` suspended after l steps, as a capsule.
    Interrupt,
    /// `(resume z)`: continues the computation suspended in the capsule z.
    Resume,
    /// `(checkpoint-*j f x y')`: as `*j`, with the execution split into intervals that are executed again.
    Checkpoint(CheckpointForm),
}

/// The source of the checkpoint options of a form of `checkpoint-*j`, which decide where the execution is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointForm {
    /// The options of the run.
    OfRun,
    /// Two further operands: `d` and `n` of bisection.
    Bisection,
    /// Three further operands: `d`, `t` and `n` of binomial checkpointing.
    Binomial,
}

/// A tag that a single value can carry (a bundle, in contrast, tags two values).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueTag {
    /// The tag made by `perturb`.
    Perturbation,
    /// The tag made by `sensitize`.
    Sensitivity,
    /// The tag made by the transformation `*j`.
    Reverse,
}

/// The behaviour of a primitive on its argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Left fold of a binary operation over any number of reals.
    Fold {
        /// The operation.
        operation: Operation,
        /// The value without operands; none if a call without operands is an error.
        empty: Option<f64>,
        /// The value with one operand.
        single: Single,
    },
    /// An operation on one real.
    Unary(Operation),
    /// An operation on two reals.
    Binary(Operation),
    /// An operation on one real, or another one on two.
    UnaryOrBinary(Operation, Operation),
    /// A comparison between each of one or more reals and the next.
    Chain(Comparison),
    /// A comparison of a real with zero.
    AgainstZero(Comparison),
    /// A predicate on any value.
    Ask(Predicate),
    /// The first part of a pair.
    First,
    /// The second part of a pair.
    Second,
    /// The pair that is its argument: the meaning of `(cons a b)` when `cons` is a value.
    Pair,
    /// The comparison of two values with `equal?`.
    SameValue,
    /// A real, unchanged.
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
    /// Any value, tagged.
    Mark(ValueTag),
    /// The content of a value with the tag; other values are returned unchanged.
    Unmark(ValueTag),
    /// The content of a value with the tag; other values are an error.
    Invert(ValueTag),
    /// An operation on a vector.
    OnVector(OnVector),
    /// Reads one real from the input.
    ReadReal,
    /// Writes a real and a line end; returns the real.
    WriteReal,
    /// Writes any value and a line end; returns the value.
    Write,
    /// Writes the items of a list on one line; returns the list.
    WriteRow,
    /// Tests whether the input has no more words.
    EndOfInput,
    /// Writes a tuple of values in a template of texts on one line; returns the tuple.
    WriteText,
    /// Fails; the message is the argument.
    Error,
    /// Fails; the message is a tuple of values in a template of texts.
    ErrorText,
    /// A primitive executed by the engine.
    Control(Control),
}

impl Form {
    /// The operations on reals that a primitive of this form applies by itself.
    pub fn operations(self) -> Vec<Operation> {
        match self {
            Form::Fold { operation, single, .. } => match single {
                Single::Itself | Single::From(_) => vec![operation],
                Single::Unary(own) => vec![operation, own],
            },
            Form::Unary(operation) | Form::Binary(operation) => vec![operation],
            Form::UnaryOrBinary(unary, binary) => vec![unary, binary],
            Form::Plus => vec![Operation::Add],
            Form::Chain(_)
            | Form::AgainstZero(_)
            | Form::Ask(_)
            | Form::First
            | Form::Second
            | Form::Pair
            | Form::SameValue
            | Form::Real
            | Form::Zero
            | Form::TransformForward
            | Form::Bundle
            | Form::PrimalOf
            | Form::TangentOf
            | Form::Mark(_)
            | Form::Unmark(_)
            | Form::Invert(_)
            | Form::OnVector(_)
            | Form::ReadReal
            | Form::WriteReal
            | Form::Write
            | Form::WriteRow
            | Form::EndOfInput
            | Form::WriteText
            | Form::Error
            | Form::ErrorText
            | Form::Control(_) => Vec::new(),
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct PrimitiveRow {
    /// The primitive; its number is the number of the row.
    pub primitive: Primitive,
    /// The name that programs use.
    pub name: &'static str,
    /// Its behaviour.
    pub form: Form,
}

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

    /// The primitive of that name.
    pub fn named(name: &str) -> Option<Primitive> {
        PRIMITIVES.iter().find(|row| row.name == name).map(|row| row.primitive)
    }

    /// The primitive that applies an operation to reals; none for the copy, which primitives on vectors make.
    pub fn applying(operation: Operation) -> Option<Primitive> {
        PRIMITIVES.iter().find(|row| row.form.operations().contains(&operation)).map(|row| row.primitive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::OPERATIONS;

    #[test]
    fn rows_stand_at_the_number_of_their_primitive() {
        for (number, row) in PRIMITIVES.iter().enumerate() {
            assert_eq!(row.primitive as usize, number, "row of {}", row.name);
            assert_eq!(Primitive::named(row.name), Some(row.primitive));
        }
    }

    #[test]
    fn each_operation_but_the_copy_is_applied() {
        for row in &OPERATIONS {
            let is_applied = Primitive::applying(row.operation).is_some();
            assert_eq!(is_applied, row.operation != Operation::Copy, "a row of primitives/rows.rs for {}", row.name);
        }
    }
}
