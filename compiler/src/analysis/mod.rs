//! Specialisation of items: from core to first-order code.

use crate::first_order::Unit;
use vlad_core::{ExpressionId, Program};

/// A reason for which an item is not specialised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// A clause: "vectors are not specialised".
    pub message: String,
    /// The expression that it is about, if one is known.
    pub node: Option<ExpressionId>,
}

/// Returns for each item of a program its first-order code, or the reason why there is none.
pub fn specialise(program: &Program) -> Vec<Result<Unit, Reason>> {
    let reason = || Reason { message: "nothing is specialised yet".to_owned(), node: None };
    program.items.iter().map(|_| Err(reason())).collect()
}
