//! Cells, and records on the stacks of the machine, as C.
//!
//! Both have the words of [`places`].

use crate::c::{Expression as C, Infix, Statement as S};
use crate::specialised::function::{Body, operand};
use crate::specialised::scope::{CELL, RECORD};
use std::collections::BTreeMap;
use vlad_first_order::storage::words::{Place, header, places};
use vlad_first_order::{AccumulatorAction, Kind, MemoryAction, Operand, Stack, Variable};
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

    /// Pushes a record.
    pub fn push(&self, stack: Stack, values: &[Operand], out: &mut Vec<S>) {
        if values.is_empty() {
            return;
        }
        let (places, words) = self.places_of(values.iter().copied());
        let record = C::call("vlad_push_record", [C::name("m"), name_of(stack), C::Number(words)]);
        let mut inside = vec![S::Define { ctype: RECORD.into(), name: "record".to_owned(), value: record }];
        self.store("record", values, &places, &mut inside);
        out.push(S::Scope(inside));
    }

    /// Pops a record.
    pub fn pop(&self, stack: Stack, targets: &[Variable], out: &mut Vec<S>) {
        let Some(first) = targets.first() else { return };
        let (places, words) = self.places_of(targets.iter().copied().map(Operand::Variable));
        let value = C::call("vlad_pop_record", [C::name("m"), name_of(stack), C::Number(words)]);
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
}

/// The address of a word.
fn address(words: &str, word: u64) -> C {
    C::name(words).infix(Infix::Add, C::Number(word))
}

/// The name of a stack of records (first_order.h).
fn name_of(stack: Stack) -> C {
    C::name(match stack {
        Stack::Sweeps => "VLAD_SWEEPS",
        Stack::Calls => "VLAD_CALLS",
    })
}
