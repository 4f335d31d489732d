//! The operations on plain reals, in C.

use super::names::{operation_constant, operation_function};
use crate::c::{Expression as C, Head, Item, Statement, Word, named};
use vlad_table::operations::{Definition, InC, OPERATIONS};
use vlad_table::{Arity, Operation};

/// The C expression of an operation on plain reals, for [`super::evaluation`].
pub(super) fn expression(operation: Operation) -> Word {
    match operation.row().in_c {
        InC::Formula(text) => text.into(),
        InC::Function(name) | InC::Defined(Definition { name, .. }) => {
            let operands: Vec<&str> = doubles(operation.arity()).map(|(_, name)| name).collect();
            format!("VLAD_MATHEMATICS(m, {name})({})", operands.join(", ")).into()
        }
    }
}

/// The numbers of the operations, a function for each, and a function for all of each arity.
pub(super) fn header() -> Vec<Item> {
    let numbers = OPERATIONS.iter().map(|row| (operation_constant(row.operation), row.operation as u64));
    let numbers = numbers.chain([("VLAD_OPERATIONS".to_owned(), OPERATIONS.len() as u64)]);
    let mut items = vec![
        Item::comment("The operations on reals, by their number in the table."),
        Item::Enumeration("vlad_operation", numbers.collect()),
        Item::comment("The operations on plain reals."),
    ];
    items.extend(OPERATIONS.iter().map(|row| function(row.operation, operation_function(row.operation))));
    items.extend([any(Arity::One, "vlad_evaluate_unary"), any(Arity::Two, "vlad_evaluate_binary")]);
    items
}

/// The C function of a name that executes an operation on the machine and one or two doubles.
pub(crate) fn function(operation: Operation, name: String) -> Item {
    let parameters = named([("struct vlad_machine *", "m")].into_iter().chain(doubles(operation.arity())));
    let head = Head { storage: "static VLAD_INLINE ", result: "double".into(), name, parameters };
    let value = Statement::Return(C::Formula(expression(operation)));
    Item::Function { head, body: vec![Statement::Unused(&["m"]), value] }
}

/// A function that executes any operation of an arity, by its number. Another number, which would break an invariant,
/// gives 0.
fn any(arity: Arity, name: &str) -> Item {
    let cases = OPERATIONS.iter().filter(|row| row.operation.arity() == arity).map(|row| {
        let operands: Vec<C> = ["m"].into_iter().chain(doubles(arity).map(|(_, name)| name)).map(C::name).collect();
        let value = C::call(operation_function(row.operation), operands);
        (C::Name(operation_constant(row.operation)), vec![Statement::Return(value)])
    });
    let otherwise = vec![Statement::Return(C::Real(0.0))];
    let body = vec![Statement::Choose { value: C::name("operation"), cases: cases.collect(), otherwise }];
    let parameters = [("struct vlad_machine *", "m"), ("uint32_t", "operation")].into_iter().chain(doubles(arity));
    let head = Head {
        storage: "static VLAD_INLINE ",
        result: "double".into(),
        name: name.to_owned(),
        parameters: named(parameters),
    };
    Item::Function { head, body }
}

/// The parameters for the operands of an operation.
pub(crate) fn doubles(arity: Arity) -> impl Iterator<Item = (&'static str, &'static str)> {
    let count = match arity {
        Arity::One => 1,
        Arity::Two => 2,
    };
    [("double", "a"), ("double", "b")].into_iter().take(count)
}
