//! The operations on plain reals as C functions: a header that all generated programs include.
//!
//! What an operation is in C is said by [`crate::rules::evaluation`]; here it only gets a name.

use crate::c::{Expression, Head, Item, Statement, print};
use crate::rules::evaluation;
use crate::rules::names::operation_constant;
use vlad_shared::table::operations::OPERATIONS;
use vlad_shared::table::{Arity, Operation};

/// The C function of an operation: of the machine and one or two doubles.
pub fn operation_function(operation: Operation) -> String {
    operation_constant(operation).to_lowercase()
}

/// The text of `operations.h`.
pub fn header() -> String {
    let functions = OPERATIONS.iter().map(|row| {
        let mut parameters = vec![("struct vlad_machine *", "m"), ("double", "a")];
        match row.operation.arity() {
            Arity::One => {}
            Arity::Two => parameters.push(("double", "b")),
        }
        let head =
            Head { storage: "static inline ", result: "double", name: operation_function(row.operation), parameters };
        let unused = Statement::Evaluate(Expression::name("m").prefix("(void)"));
        let value = Statement::Return(Expression::Formula(evaluation(row.operation)));
        Item::Function { head, body: vec![unused, value] }
    });
    let mut items = vec![Item::Include("machine.h")];
    items.extend(functions);
    let comment = "The operations of the table on plain reals.".to_owned();
    print([Item::Comment(comment), Item::Once { guard: "VLAD_OPERATIONS_H", items }])
}
