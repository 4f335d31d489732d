//! The operations on plain reals as C functions, in a header that all generated programs include.

use super::evaluation::function;
use super::names::program_function;
use crate::c::{Item, print};
use vlad_table::operations::OPERATIONS;

/// Returns the text of `operations.h`.
pub fn header() -> String {
    let functions = OPERATIONS.iter().map(|row| function(row.operation, program_function(row.operation)));
    let mut items = vec![Item::Include("machine.h")];
    items.extend(functions);
    print([
        Item::comment("The operations of the table on plain reals."),
        Item::Once { guard: "VLAD_OPERATIONS_H", items },
    ])
}
