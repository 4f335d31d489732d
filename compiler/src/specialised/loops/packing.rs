//! The records of a unit that are bytes ([`super::flags`]): those of a number of booleans of which all on the stack of sweeps
//! are in rows, and none is read twice.

use super::flags::{MOST_FLAGS, Packed, is_packed};
use super::recorded::Row;
use crate::specialised::function::Body;
use crate::specialised::scope::Scope;
use std::collections::HashSet;
use vlad_first_order::counted_loops::Counted;
use vlad_first_order::{Kind, Operand, Stack, Statement};

/// The records of a unit that are bytes.
pub fn packed(scope: &Scope<'_>) -> Packed {
    let mut packed = [false; MOST_FLAGS + 1];
    let mut excluded = packed;
    for id in scope.calls.reached() {
        let body = Body::of(scope, id);
        let mut in_rows: HashSet<*const Statement> = HashSet::new();
        body.function.body.each_statement(&mut |statement| {
            let counted = Counted::of(statement, &body.integers);
            in_rows.extend(counted.and_then(|counted| body.row_of(&counted)).map(Row::place));
        });
        body.function.body.each_statement(&mut |statement| {
            let (stack, kinds): (Stack, Vec<Kind>) = match statement {
                Statement::Push { stack, values } => (*stack, body.kinds(values.iter().copied())),
                Statement::Pop { stack, targets } => {
                    (*stack, body.kinds(targets.iter().copied().map(Operand::Variable)))
                }
                _ => return,
            };
            let count = kinds.len();
            if stack == Stack::Calls || !is_packed(&kinds) {
                return;
            }
            if let (Some(packed), Some(excluded)) = (packed.get_mut(count), excluded.get_mut(count)) {
                *packed = true;
                *excluded |= stack == Stack::Again || !in_rows.contains(&std::ptr::from_ref(statement));
            }
        });
    }
    packed.iter_mut().zip(excluded).for_each(|(packed, excluded)| *packed &= !excluded);
    packed
}
