//! Cells, and records on the stacks of the machine, as C.
//!
//! Both have the words of [`places`]. If each iteration of a loop has one, the records of a part of the loop are a *row*
//! ([`Row`]): an address moves along them, and the top of the stack is set at the end of the row. [`super::storage`] prints the
//! statements on rows with this module.

use crate::c::{Expression as C, Infix, Statement as S};
use crate::specialised::function::{Body, operand};
use crate::specialised::scope::{CELL, RECORD};
use std::collections::BTreeMap;
use vlad_first_order::storage::words::{Place, header, places};
use vlad_first_order::{AccumulatorAction, Kind, MemoryAction, Operand, Row, Stack, Variable};
use vlad_table::internal_bug;

impl<'unit> Body<'unit> {
    /// A new cell; an absent one is a null pointer.
    pub fn cell(&self, target: Variable, parts: &[Operand], out: &mut Vec<S>) {
        if parts.is_empty() {
            return self.define(target, C::Number(0), out);
        }
        let kinds: Vec<Kind> = parts.iter().map(|part| self.function.kind(*part)).collect();
        let (places, words) = places(&kinds);
        let name = format!("cell{}", target.0);
        let value = match header(&kinds).filter(|_| self.scope.moves_cells) {
            Some(header) => C::call("vlad_new_movable_cell", [C::name("m"), C::Number(words), C::Number(header)]),
            None => C::call("vlad_new_typed_cell", [C::name("m"), C::Number(words)]),
        };
        out.push(S::Define { ctype: RECORD.into(), name: name.clone(), value });
        self.store(&name, parts, &places, out);
        self.define(target, C::Name(name), out);
    }

    pub fn parts(&self, targets: &[Variable], cell: Operand, out: &mut Vec<S>) {
        let Some(first) = targets.first() else { return };
        let kinds: Vec<Kind> = targets.iter().map(|target| self.kind(*target)).collect();
        let (places, _) = places(&kinds);
        let name = format!("parts{}", first.0);
        out.push(S::Define {
            ctype: CELL.into(),
            name: name.clone(),
            value: C::call("vlad_parts", [C::name("m"), operand(cell)]),
        });
        self.load(&name, targets, &places, out);
    }

    /// The call of an action on accumulators in memory.
    pub fn on_accumulator(&self, action: AccumulatorAction, operands: &[Operand]) -> C {
        let all = || operands.iter().copied().map(operand).collect::<Vec<_>>();
        match (action, operands) {
            (AccumulatorAction::Allocate, _) if self.scope.moves_cells => {
                C::call("vlad_new_movable_sum", [C::name("m")])
            }
            (AccumulatorAction::Allocate, _) => C::call("vlad_new_accumulator", [C::name("m")]),
            (AccumulatorAction::Refer, [array, index]) => {
                C::call("vlad_sum_at", [operand(*array), self.integer(*index)])
            }
            (AccumulatorAction::Refer, _) => internal_bug!("a reference is one to an element of an array"),
            (AccumulatorAction::Sum, _) => C::call("vlad_sum_of", all()),
            (AccumulatorAction::Add, _) => C::call("vlad_add_to_sum", all()),
            (AccumulatorAction::HandOver, _) => C::service("hand_over", all()),
        }
    }

    /// An action on the memory of arrays and cells.
    pub fn on_memory(&self, targets: &[Variable], action: MemoryAction, operands: &[Operand], out: &mut Vec<S>) {
        let operands: Vec<C> = operands.iter().copied().map(operand).collect();
        match (action, targets) {
            (MemoryAction::Mark, [target]) => {
                self.define(*target, C::call("vlad_memory_mark", [C::name("m")]), out);
            }
            (MemoryAction::Size, [target]) => self.define(*target, C::service("size", []), out),
            (MemoryAction::Mark | MemoryAction::Size, _) => internal_bug!("marks and sizes are results"),
            (MemoryAction::Release, _) => {
                let mark = C::call("vlad_mark_of", operands);
                out.push(S::Assign(C::machine("first_order").dot("arrays_top"), mark));
            }
            (MemoryAction::Keep, _) => self.keep_cells_alone(targets, operands, out),
        }
    }

    /// Frees what has been allocated since a mark, the first operand, but for cells.
    fn keep_cells_alone(&self, targets: &[Variable], operands: Vec<C>, out: &mut Vec<S>) {
        let Some(first) = targets.first() else { return };
        let mut operands = operands.into_iter();
        let mark = C::call("vlad_mark_of", operands.by_ref().take(1).collect::<Vec<_>>());
        let name = format!("moved{}", first.0);
        let (ctype, value) = (CELL.into(), C::Braces(operands.collect()));
        out.push(S::Define { ctype, name: format!("{name}[{}]", targets.len()), value });
        let (nothing, count) = (|| C::Number(0), C::Number(targets.len() as u64));
        let operands = [mark, nothing(), nothing(), nothing(), C::name(&name), count];
        out.push(S::Evaluate(C::service("move_state", operands)));
        for (target, place) in targets.iter().zip(0..) {
            self.define(*target, C::name(&name).at(place), out);
        }
    }

    /// Loads variables from words.
    pub fn load(&self, words: &str, targets: &[Variable], places: &[Place], out: &mut Vec<S>) {
        for (target, place) in targets.iter().zip(places) {
            let word = |word: &u64| C::name(words).at(*word);
            let value = match place {
                Place::Real(place) => word(place).dot("real"),
                Place::Cell(place) => C::call("vlad_cell_of", [word(place).dot("word")]),
                Place::Array(place) => C::call("vlad_recorded_array", [address(words, *place)]),
                Place::Flag(place, bit) => C::call("vlad_flag_of", [word(place).dot("word"), C::Number(*bit)]),
            };
            self.define(*target, value, out);
        }
    }

    /// Stores values in words.
    pub fn store(&self, words: &str, values: &[Operand], places: &[Place], out: &mut Vec<S>) {
        let mut flags: BTreeMap<u64, C> = BTreeMap::new();
        let word = |word: u64| C::name(words).at(word);
        for (value, place) in values.iter().zip(places) {
            match *place {
                Place::Real(place) => out.push(S::Assign(word(place).dot("real"), operand(*value))),
                Place::Cell(place) => {
                    out.push(S::Assign(word(place).dot("word"), C::call("vlad_word_of", [operand(*value)])));
                }
                Place::Array(place) => {
                    out.push(S::Evaluate(C::call("vlad_record_array", [address(words, place), operand(*value)])));
                }
                Place::Flag(place, bit) => {
                    let flag = C::call("vlad_flag", [operand(*value), C::Number(bit)]);
                    let all = match flags.remove(&place) {
                        Some(others) => others.infix(Infix::Add, flag),
                        None => flag,
                    };
                    flags.insert(place, all);
                }
            }
        }
        out.extend(flags.into_iter().map(|(place, flags)| S::Assign(word(place).dot("word"), flags)));
    }

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

/// The address of a word.
fn address(words: &str, word: u64) -> C {
    C::name(words).infix(Infix::Add, C::Number(word))
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
