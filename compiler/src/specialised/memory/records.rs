//! Pushes and pops of records on the stacks of the machine, as C.
//!
//! A record has the words of [`places`]. If each iteration of a loop has one, the records of a part of the loop are a *row*
//! ([`Row`]): an address moves along them, and the top of the stack is set at the end of the row. [`super::storage`] prints the
//! statements on rows with this module.

use crate::c::{Expression as C, Infix, Statement as S};
use crate::specialised::function::{Body, operand};
use crate::specialised::scope::RECORD;
use vlad_first_order::storage::words::{Place, places};
use vlad_first_order::{Kind, Operand, Row, Stack, Variable};
use vlad_table::internal_bug;

impl<'unit> Body<'unit> {
    /// Pushes a record; on [`Stack::Again`] begins to read the records of sweeps a second time.
    pub fn push(&self, stack: Stack, values: &[Operand], out: &mut Vec<S>) {
        if stack == Stack::Again {
            out.push(S::Evaluate(C::call("vlad_read_again", [C::name("m")])));
            return;
        }
        if values.is_empty() {
            return;
        }
        let (places, words) = self.places_of(values.iter().copied());
        let record = C::call("vlad_push_record", [C::name("m"), name_of(stack), C::Number(words)]);
        let mut inside = vec![S::Define { ctype: RECORD.into(), name: "record".to_owned(), value: record }];
        self.store("record", values, &places, &mut inside);
        out.push(S::Scope(inside));
    }

    /// Pops a record, or reads the next one a second time.
    pub fn pop(&self, stack: Stack, targets: &[Variable], out: &mut Vec<S>) {
        let Some(first) = targets.first() else { return };
        let (places, words) = self.places_of(targets.iter().copied().map(Operand::Variable));
        let value = match stack {
            Stack::Again => C::call("vlad_pop_again", [C::name("m"), C::Number(words)]),
            Stack::Sweeps | Stack::Calls => {
                C::call("vlad_pop_record", [C::name("m"), name_of(stack), C::Number(words)])
            }
        };
        let name = format!("record{}", first.0);
        out.push(S::Define { ctype: RECORD.into(), name: name.clone(), value });
        self.load(&name, targets, &places, out);
    }

    fn places_of(&self, values: impl Iterator<Item = Operand>) -> (Vec<Place>, u64) {
        places(&self.kinds(values))
    }

    /// The kinds of operands.
    pub fn kinds(&self, values: impl Iterator<Item = Operand>) -> Vec<Kind> {
        values.map(|value| self.function.kind(value)).collect()
    }

    /// The end of a part of a range: the iterations whose turns are taken at once, and whose records are in one piece of the stack.
    pub fn part(&self, range: [Operand; 2], row: Option<Row>) -> C {
        let range = range.map(|bound| self.integer(bound));
        match row {
            None => C::call("vlad_part", range),
            Some(Row { pushes: true, .. }) => C::call("vlad_pushing_part", range),
            Some(Row { stack, is_packed, words, .. }) => {
                let (function, words) =
                    if is_packed { ("vlad_flags_part", None) } else { ("vlad_popping_part", Some(C::Number(words))) };
                let operands = [C::name("m"), name_of(stack)].into_iter().chain(words).chain(range);
                C::call(function, operands.collect::<Vec<_>>())
            }
        }
    }

    /// Defines the address of the first record of a row with records of so many iterations.
    pub fn begin_row(&self, target: Variable, row: Row, count: Operand, out: &mut Vec<S>) {
        let Row { stack, pushes, is_packed, words } = row;
        let (machine, stack, count) = (C::name("m"), name_of(stack), self.integer(count));
        let (ctype, value) = match (is_packed, pushes) {
            (true, true) => ("unsigned char *", C::call("vlad_room_for_flags", [machine, stack, count])),
            (true, false) => ("unsigned char *", C::call("vlad_top_of_flags", [machine, stack, count])),
            (false, true) => (RECORD, C::call("vlad_room_for_records", [machine, stack, count, C::Number(words)])),
            (false, false) => (RECORD, C::call("vlad_top_of_records", [machine, stack])),
        };
        out.push(S::Define { ctype: ctype.into(), name: row_name(target.into()), value });
    }

    /// Pushes a record in a row.
    pub fn push_in_row(&self, address: Operand, row: Row, values: &[Operand], out: &mut Vec<S>) {
        let name = row_name(address);
        if row.is_packed {
            out.push(S::Assign(C::name(&name).at(0), byte(values)));
        } else {
            let (places, _) = self.places_of(values.iter().copied());
            self.store(&name, values, &places, out);
        }
        out.push(moved(address, row, Infix::Add));
    }

    /// Pops a record in a row.
    pub fn pop_in_row(&self, targets: &[Variable], address: Operand, row: Row, out: &mut Vec<S>) {
        out.push(moved(address, row, Infix::Subtract));
        let name = row_name(address);
        if row.is_packed {
            flags(&name, targets).for_each(|(target, value)| self.define(target, value, out));
        } else {
            let (places, _) = self.places_of(Operand::all(targets).into_iter());
            self.load(&name, targets, &places, out);
        }
    }

    /// Reads reals again from the record that has been popped in a row.
    pub fn reread_in_row(&self, targets: &[Variable], address: Operand, words: &[u64], out: &mut Vec<S>) {
        let Some(first) = targets.first() else { return };
        let name = format!("again{}", first.0);
        let value = C::call("vlad_record_apart", [C::Name(row_name(address))]);
        out.push(S::Define { ctype: RECORD.into(), name: name.clone(), value });
        let places: Vec<Place> = words.iter().copied().map(Place::Real).collect();
        self.load(&name, targets, &places, out);
    }
}

/// Sets the top of the stack at the end of a row.
pub fn end_row(address: Operand, Row { stack, pushes, is_packed, .. }: Row) -> S {
    let function = match (is_packed, pushes) {
        (false, _) => "vlad_set_top_of_records",
        (true, true) => "vlad_push_flags",
        (true, false) => "vlad_drop_flags",
    };
    S::Evaluate(C::call(function, [C::name("m"), name_of(stack), C::Name(row_name(address))]))
}

/// Moves the address of a row by a record.
fn moved(address: Operand, row: Row, direction: Infix) -> S {
    let (size, address) = (if row.is_packed { 1 } else { row.words }, C::Name(row_name(address)));
    S::Assign(address.clone(), address.infix(direction, C::Number(size)))
}

/// The name of the address of the next record of a row.
fn row_name(address: Operand) -> String {
    match address {
        Operand::Variable(variable) => format!("row{}", variable.0),
        Operand::Real(_) | Operand::Boolean(_) => internal_bug!("the address of a row is a variable"),
    }
}

/// The byte of some booleans.
fn byte(values: &[Operand]) -> C {
    let flags = values.iter().zip(0..).map(|(value, bit)| C::call("vlad_flag", [operand(*value), C::Number(bit)]));
    flags.reduce(|all, flag| all.infix(Infix::Add, flag)).unwrap_or(C::Number(0))
}

/// The booleans of a byte.
fn flags<'row>(row: &'row str, targets: &'row [Variable]) -> impl Iterator<Item = (Variable, C)> + 'row {
    let flag = move |bit| C::call("vlad_flag_of", [C::name(row).at(0), C::Number(bit)]);
    targets.iter().zip(0..).map(move |(target, bit)| (*target, flag(bit)))
}

/// The name of a stack of records (first_order.h).
fn name_of(stack: Stack) -> C {
    C::name(match stack {
        Stack::Sweeps => "VLAD_SWEEPS",
        Stack::Calls => "VLAD_CALLS",
        Stack::Again => internal_bug!("records that are read again are those of sweeps"),
    })
}
