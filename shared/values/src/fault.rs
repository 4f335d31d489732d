//! Faults: run-time errors before an engine knows the place.

use crate::value::Value;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_core::{Binder, LambdaId};

/// A run-time fault without a place: the error of a primitive or an operator, before an engine adds its source
/// position.
#[derive(Clone, Debug)]
pub struct RuntimeError {
    /// The kind of error.
    pub kind: Kind,
    /// The message: expectation and finding.
    pub message: String,
    /// A suggestion to the user.
    pub hint: Option<String>,
    /// The values about which the message gives details if the application is known (`vlad_runtime::diagnosis::explain`).
    pub cause: Option<Box<Cause>>,
}

/// The values that an application did not accept.
#[derive(Clone, Debug)]
pub enum Cause {
    /// An operand of a primitive on reals is not a real.
    NoReal {
        /// The primitive.
        name: String,
        /// The argument of the primitive.
        argument: Value,
        /// The number of operands before the one in question.
        place: usize,
        /// The operand.
        operand: Value,
    },
    /// This real is no index of an element of the vector.
    Index(f64),
    /// `car` or `cdr` was applied to this value, which is not a pair.
    NoPair(Value),
    /// A value that is no procedure was applied.
    NoProcedure,
    /// A tangent or cotangent does not conform to this value.
    Nonconforming(Value),
    /// The pattern of a lambda does not match a value.
    Mismatch {
        /// The lambda.
        lambda: LambdaId,
        /// The construct to which the pattern belongs.
        binder: Binder,
        /// The value.
        argument: Value,
    },
}

impl RuntimeError {
    /// A fault without a hint.
    pub fn new(kind: Kind, message: impl Into<String>) -> RuntimeError {
        RuntimeError { kind, message: message.into(), hint: None, cause: None }
    }

    /// Adds a hint.
    pub fn with_hint(mut self, hint: impl Into<String>) -> RuntimeError {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the values that the fault is about.
    pub fn with_cause(mut self, cause: Cause) -> RuntimeError {
        self.cause = Some(Box::new(cause));
        self
    }

    /// Makes the diagnostic of the fault at a source position.
    pub fn at(self, span: impl Into<Option<Span>>) -> Diagnostic {
        Diagnostic { hint: self.hint, ..Diagnostic::new(self.kind, span, self.message) }
    }
}

/// The fault of passing the memory limit.
pub fn memory_limit_reached(limit: u64) -> RuntimeError {
    RuntimeError::new(Kind::Memory, format!("the memory limit of {limit} bytes is reached"))
        .with_hint("`--max-memory SIZE` sets another limit")
}

/// The fault of memory that the system refuses.
pub fn no_memory() -> RuntimeError {
    RuntimeError::new(Kind::Memory, "the system gives no more memory")
}
