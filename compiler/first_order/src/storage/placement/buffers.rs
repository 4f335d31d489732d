//! Loops that replace an array of their state in each turn, in two buffers (Shaikhha et al. 2018, section 4.2).
//!
//! ```text
//! loop s = s0:  ...;  b = build n (fun j -> ... s[j] ...);  ...;  repeat b
//! ```
//!
//! A turn reads the array of the turn before it, and nobody reads older ones. So each turn makes its array in place of that of the last
//! turn but one: nothing is allocated, released or moved in the loop. The array with which the loop begins stays as it is. Fast paths
//! have such loops ([`crate::storage::fast_path`]). The usual code releases that array, and takes less memory.

use super::known_length::{KnownLength, Lengths};
use crate::storage::escapes::are_read_alone;
use crate::storage::memory::allocates_in;
use crate::{Block, End, Function, Kind, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};

/// The arrays of a function that are made in buffers.
#[derive(Default)]
pub struct Buffers {
    /// By the first variable of a loop's state, its buffers.
    loops: HashMap<Variable, Vec<Buffered>>,
}

/// An array that a loop makes in two buffers.
#[derive(Clone, Copy)]
pub struct Buffered {
    /// The array.
    pub array: Variable,
    /// The variable of the state that it replaces.
    pub state: Variable,
    /// Its length.
    pub length: KnownLength,
}

impl Buffers {
    /// Finds the buffers of a function.
    pub fn find(function: &Function) -> Buffers {
        let is_length = |statement: &&Statement| matches!(statement, Statement::Length { .. });
        let lengths = function.body.all_statements().filter(is_length).flat_map(Statement::targets).copied().collect();
        let mut buffers = Buffers::default();
        for statement in function.body.all_statements() {
            let Statement::Loop { state, initial, body, .. } = statement else { continue };
            let found =
                Search { function, state, initial, body, lengths: &lengths, known: Lengths::of(body, state) }.buffers();
            let is_buffered = |array: Variable| found.iter().any(|buffer| buffer.array == array);
            let allocates_more = allocates_in(body, &|_| false, &is_buffered);
            if let Some(first) = state.first().filter(|_| !found.is_empty() && !allocates_more) {
                buffers.loops.insert(*first, found);
            }
        }
        buffers
    }

    /// Returns true if the loop whose state begins with a variable has buffers. It allocates nothing else.
    pub fn are_of(&self, first: Variable) -> bool {
        self.loops.contains_key(&first)
    }

    /// Returns true for an array that is made in a buffer.
    pub fn include(&self, array: Variable) -> bool {
        self.of(array).is_some()
    }

    /// The buffers of the loop whose state begins with a variable.
    pub fn of_loop(&self, first: Variable) -> &[Buffered] {
        self.loops.get(&first).map_or(&[], Vec::as_slice)
    }

    /// The buffer of an array.
    pub fn of(&self, array: Variable) -> Option<&Buffered> {
        self.loops.values().flatten().find(|buffer| buffer.array == array)
    }
}

struct Search<'unit> {
    function: &'unit Function,
    state: &'unit [Variable],
    initial: &'unit [Operand],
    body: &'unit Block,
    /// The variables of the function that are lengths of arrays.
    lengths: &'unit HashSet<Variable>,
    known: Lengths,
}

impl Search<'_> {
    fn buffers(&self) -> Vec<Buffered> {
        self.state.iter().enumerate().filter_map(|(place, state)| self.buffer(place, *state)).collect()
    }

    /// The buffer of a variable of the state.
    fn buffer(&self, place: usize, state: Variable) -> Option<Buffered> {
        let is_vector = matches!(self.function.kind(state.into()), Kind::Array(elements) if elements.rank == 1);
        let array = self.replacement(place, state).filter(|_| is_vector)?;
        let first = *self.initial.get(place)?;
        let length = self.made(self.body, array, (state, first))?;
        let may_be_value = |end: &End, at: usize| matches!(end, End::Yield(_)) || at == place;
        are_read_alone(self.body, &[state, array], self.body, may_be_value).then_some(Buffered { array, state, length })
    }

    /// The one array that replaces a variable of the state.
    fn replacement(&self, place: usize, state: Variable) -> Option<Variable> {
        let (mut found, mut is_one) = (None, true);
        for leaf in self.body.leaves() {
            let End::Repeat(values) = &leaf.end else { continue };
            match values.get(place) {
                Some(Operand::Variable(value)) if *value == state => {}
                Some(Operand::Variable(value)) => {
                    is_one &= found.is_none_or(|found| found == *value);
                    found = Some(*value);
                }
                Some(Operand::Real(_) | Operand::Boolean(_)) | None => is_one = false,
            }
        }
        found.filter(|_| is_one)
    }

    /// The length of an array if it is made in the loop itself, not in one within it. If it is that of the array which it replaces, all of
    /// them have the length of the first one.
    fn made(&self, block: &Block, array: Variable, replaced: (Variable, Operand)) -> Option<KnownLength> {
        for statement in &block.statements {
            match statement {
                Statement::Build { targets, length, .. } if targets.contains(&array) => {
                    let (state, first) = replaced;
                    return match self.known.array_of(*length) {
                        Some(array) if array == state.into() => Some(KnownLength::OfArray(first)),
                        _ => self.known.known(*length).filter(|length| self.is_valid(*length)),
                    };
                }
                Statement::Array { target, elements } if *target == array => {
                    return Some(KnownLength::Elements(elements.len()));
                }
                _ => {}
            }
        }
        block.end.blocks().into_iter().flatten().find_map(|inner| self.made(inner, array, replaced))
    }

    /// Returns true for a length that cannot be wrong: one that a turn tests is not known to be right before it.
    fn is_valid(&self, length: KnownLength) -> bool {
        match length {
            KnownLength::OfArray(_) | KnownLength::Elements(_) | KnownLength::Whole(Operand::Real(_)) => true,
            KnownLength::Whole(Operand::Variable(variable)) => self.lengths.contains(&variable),
            KnownLength::Whole(Operand::Boolean(_)) => false,
        }
    }
}
