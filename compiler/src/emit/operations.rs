//! The operations on plain reals as C functions: a header that all generated programs include.
//!
//! [`crate::rules::evaluation`] defines the C formula of each operation; this module gives it a name.

use crate::c::{Expression, Head, Item, Statement, print};
use crate::rules::evaluation;
use crate::rules::names::operation_constant;
use vlad_table::operations::OPERATIONS;
use vlad_table::{Arity, Operation};

/// The name of the C function of an operation, which takes the machine and one or two doubles.
pub fn operation_function(operation: Operation) -> String {
    operation_constant(operation).to_lowercase()
}

/// Returns the text of `operations.h`.
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
