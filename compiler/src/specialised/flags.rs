//! Records that are a few booleans, as bytes.
//!
//! A row ([`super::recorded`]) of records that have up to eight booleans, and nothing else, takes a byte for each of them, and
//! a word behind them for the number of records in a part of the loop. What a part of a loop has pushed, a part of the loop
//! that sweeps over it pops: both have the same iterations. A unit has such rows for a number of booleans if all its records
//! of so many booleans on the stack of sweeps are in rows, and none of them is read twice.

use super::function::{Body, operand};
use super::recorded::Row;
use super::scope::Scope;
use crate::c::{Expression as C, Infix};
use crate::first_order::{Block, Kind, Operand, Stack, Statement, Variable};
use std::collections::HashSet;

/// The greatest number of booleans in a byte.
pub const MOST_FLAGS: usize = 8;

/// For each number of booleans, true if records of so many are bytes.
pub type Packed = [bool; MOST_FLAGS + 1];

/// The records of a unit that are bytes.
pub fn packed(scope: &Scope<'_>) -> Packed {
    let mut packed = [false; MOST_FLAGS + 1];
    let mut excluded = packed;
    for id in scope.calls.reached() {
        let body = Body::of(scope, id);
        let mut in_rows: HashSet<*const Statement> = HashSet::new();
        body.function.body.each_statement(&mut |statement| {
            let Statement::Loop { body: inner, .. } = statement else { return };
            in_rows.extend(body.counted(inner).and_then(|counted| body.row_of(&counted)).map(Row::place));
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

/// True for the kinds of a record that a byte has room for.
pub fn is_packed(kinds: &[Kind]) -> bool {
    (1..=MOST_FLAGS).contains(&kinds.len()) && kinds.iter().all(|kind| *kind == Kind::Boolean)
}

/// True if the iterations of a block push or pop something else.
pub fn may_record(block: &Block) -> bool {
    let mut found = false;
    block.each_statement(&mut |statement| {
        found |= matches!(statement, Statement::Call { .. } | Statement::Tape { .. });
    });
    found
}

/// The byte of some booleans.
pub fn byte(values: &[Operand]) -> C {
    let flags = values.iter().zip(0..).map(|(value, bit)| C::call("vlad_flag", [operand(*value), C::Number(bit)]));
    flags.reduce(|all, flag| all.infix(Infix::Add, flag)).unwrap_or(C::Number(0))
}

/// The booleans of a byte.
pub fn flags<'row>(row: &'row str, targets: &'row [Variable]) -> impl Iterator<Item = (Variable, C)> + 'row {
    let flag = move |bit| C::call("vlad_flag_of", [C::name(row).at(0), C::Number(bit)]);
    targets.iter().zip(0..).map(move |(target, bit)| (*target, flag(bit)))
}
