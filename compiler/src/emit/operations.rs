//! The operations on plain reals as C functions: a header that all generated programs include.
//!
//! [`crate::rules`] defines the C function of each operation; this module gives it a name.

use crate::c::{Item, print};
use crate::rules::function;
use crate::rules::names::operation_constant;
use vlad_table::Operation;
use vlad_table::operations::OPERATIONS;

/// The name of the C function of an operation, which takes the machine and one or two doubles.
pub fn operation_function(operation: Operation) -> String {
    operation_constant(operation).to_lowercase()
}

/// Returns the text of `operations.h`.
pub fn header() -> String {
    let functions = OPERATIONS.iter().map(|row| function(row.operation, operation_function(row.operation)));
    let mut items = vec![Item::Include("machine.h")];
    items.extend(functions);
    print([
        Item::comment("The operations of the table on plain reals."),
        Item::Once { guard: "VLAD_OPERATIONS_H", items },
    ])
}
