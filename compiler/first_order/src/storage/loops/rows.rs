//! Rows of records.
//!
//! A counted loop ([`super::counted`]) has its records in *rows* if every iteration pushes one record, or pops one, and enters no other
//! code that may have records. Before a part of the loop begins, there is room for the records of its iterations, or they are in one
//! piece. So no call for records stands within a part.
//!
//! Records of up to eight booleans, and nothing else, take a byte each, and the bytes of a part have a word for their number behind them.
//! This holds for a number of booleans if all records of so many on the stack of sweeps are in rows, and none is read twice. The
//! records that a part of a loop has pushed are popped by a part of the loop that sweeps over it: both have the same iterations.

use super::lowering::{Lowering, MOST_FLAGS, Packed};
use crate::counted_loops::{Counted, counters};
use crate::passes::Pass;
use crate::storage::words::places;
use crate::{Block, Function, Kind, Operand, Row, Stack, Statement, Storage, Unit};
use std::collections::HashSet;

/// The records of a unit that are bytes.
pub fn packed(unit: &Unit) -> Packed {
    let mut packed = [false; MOST_FLAGS + 1];
    let mut excluded = packed;
    for function in &unit.functions {
        let counters = counters(function);
        let of_row = |statement| Counted::of(statement, &counters).and_then(|counted| record_of(counted.iteration));
        let in_rows: HashSet<*const Statement> =
            function.body.all_statements().filter_map(of_row).map(std::ptr::from_ref).collect();
        for statement in function.body.all_statements() {
            let Some((stack, kinds)) = record(function, statement) else { continue };
            if stack == Stack::Calls || !is_packed(&kinds) {
                continue;
            }
            if let (Some(packed), Some(excluded)) = (packed.get_mut(kinds.len()), excluded.get_mut(kinds.len())) {
                *packed = true;
                *excluded |= stack == Stack::Again || !in_rows.contains(&std::ptr::from_ref(statement));
            }
        }
    }
    packed.iter_mut().zip(excluded).for_each(|(packed, excluded)| *packed &= !excluded);
    packed
}

/// The stack and the kinds of what a statement pushes or pops.
fn record(function: &Function, statement: &Statement) -> Option<(Stack, Vec<Kind>)> {
    match statement {
        Statement::Push { stack, values } => Some((*stack, values.iter().map(|value| function.kind(*value)).collect())),
        Statement::Pop { stack, targets } => {
            Some((*stack, targets.iter().map(|target| function.kind((*target).into())).collect()))
        }
        _ => None,
    }
}

/// True for the kinds of a record that a byte has room for.
fn is_packed(kinds: &[Kind]) -> bool {
    (1..=MOST_FLAGS).contains(&kinds.len()) && kinds.iter().all(|kind| *kind == Kind::Boolean)
}

/// The one statement of an iteration that pushes or pops, if nothing else in it may.
fn record_of(iteration: &Block) -> Option<&Statement> {
    let is_record = |statement: &&Statement| matches!(statement, Statement::Push { .. } | Statement::Pop { .. });
    let may_record = |statement: &Statement| matches!(statement, Statement::Call { .. } | Statement::Act { .. });
    let is_one =
        iteration.all_statements().filter(is_record).count() == 1 && !iteration.all_statements().any(may_record);
    iteration.statements.iter().find(is_record).filter(|_| is_one)
}

impl<'unit> Lowering<'_, 'unit> {
    /// The row of the records of a counted loop.
    pub(super) fn row(&self, counted: &Counted<'unit>) -> Option<Row> {
        let statement = record_of(counted.iteration).filter(|_| self.passes.contains(Pass::Rows))?;
        let (stack, kinds) = record(self.function, statement)?;
        let (_, words) = places(&kinds);
        let is_packed = stack == Stack::Sweeps && is_packed(&kinds) && self.packed.get(kinds.len()) == Some(&true);
        let pushes = matches!(statement, Statement::Push { .. });
        (words > 0 && stack != Stack::Again).then_some(Row { stack, pushes, is_packed, words })
    }

    /// Notes the row of a loop, whose records begin at an address.
    pub(super) fn note_row(&mut self, counted: &Counted<'unit>, row: Row, address: Operand) {
        let statement = record_of(counted.iteration).map(std::ptr::from_ref);
        self.rows.extend(statement.map(|statement| (statement, (row, address))));
    }

    /// Pushes or pops a record of a row.
    pub(super) fn in_row(&mut self, statement: &Statement, row: Row, address: Operand) {
        let statement = match statement {
            Statement::Push { values, .. } => Storage::PushInRow { address, row, values: self.operands(values) },
            Statement::Pop { targets, .. } => Storage::PopInRow { targets: targets.clone(), address, row },
            _ => return,
        };
        self.code.push(statement.into());
    }
}
