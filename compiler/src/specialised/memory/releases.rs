//! The release of memory at the ends of calls and of iterations, and before that the move of what is kept ([`vlad_first_order::storage::memory`]).
//!
//! The state of a loop may have cells. Nothing else refers to the cells that an iteration has made when it ends, unless records
//! do, so a loop that leaves no such records moves the cells of its new state as well, with all that they refer to; cells that
//! are older stay where they are. A unit has such loops only if each of its cells can have a header, which describes it, and
//! then all of them have one.

use crate::c::{Expression as C, Statement as S};
use crate::specialised::function::{Body, name, operand};
use crate::specialised::scope::{CELL, Scope, mark, mark_name};
use std::collections::HashSet;
use vlad_first_order::storage::layout::{Place, places};
use vlad_first_order::storage::memory::{iterations_release, records_arrays};
use vlad_first_order::{AccumulatorAction, Action, Block, Kind, MemoryAction, Operand, Statement, Unit, Variable};

/// The bit of a header for the first word of a cell, and the number of words that have one (`first_order_paths.h`).
const FIRST_WORD: u64 = 8;
const MOST_DESCRIBED: u64 = 55;
/// The greatest number of words that a header can say.
const MOST_WORDS: u64 = 127;

/// The bytes that have to be allocated before results are moved.
const LEAST_RELEASED: u64 = 1 << 16;

/// The header of a cell with parts of these kinds; none if it cannot be described.
pub fn header(kinds: &[Kind]) -> Option<u64> {
    let (places, words) = places(kinds);
    if words > MOST_WORDS {
        return None;
    }
    let mut header = 1 | words << 1;
    for place in places {
        match place {
            Place::Real(_) | Place::Flag(..) => {}
            Place::Cell(word) if word < MOST_DESCRIBED => header |= 1 << (FIRST_WORD + word),
            Place::Cell(_) | Place::Array(_) => return None,
        }
    }
    Some(header)
}

/// Returns true if loops of a unit move cells, all of which have headers then.
pub fn moves_cells(unit: &Unit, allocating: &[bool], leaving_cells: &[bool]) -> bool {
    let (mut are_described, mut moves) = (true, false);
    for function in &unit.functions {
        function.body.each_statement(&mut |statement| match statement {
            Statement::Cell { parts, .. } => {
                let kinds: Vec<Kind> = parts.iter().map(|part| function.kind(*part)).collect();
                are_described &= header(&kinds).is_some();
            }
            Statement::Act {
                action: Action::Memory(MemoryAction::Keep) | Action::Accumulator(AccumulatorAction::HandOver),
                ..
            } => moves = true,
            Statement::Loop { state, body, .. } => {
                moves |= state.iter().any(|variable| function.kind((*variable).into()) == Kind::Cell)
                    && iterations_release(function, (state, body), (allocating, leaving_cells, true));
            }
            _ => {}
        });
    }
    are_described && moves
}

impl<'unit> Body<'unit> {
    /// Frees what has been allocated since a mark, but for the arrays among some values; returns the values.
    pub fn keep(&self, mark: &C, limit: Option<&str>, values: &[Operand], prefix: &str, out: &mut Vec<S>) -> Vec<C> {
        let Some((count, kinds)) = self.arrays_of(values, prefix, out) else {
            out.push(S::Assign(C::machine("first_order").dot("arrays_top"), mark.clone()));
            return values.iter().copied().map(operand).collect();
        };
        let limit_now = limit.map_or(C::Number(LEAST_RELEASED), C::name);
        let call = C::call("vlad_keep_arrays", [C::name("m"), mark.clone(), limit_now, C::name(prefix), kinds, count]);
        out.push(match limit {
            Some(limit) => S::Assign(C::name(limit), call),
            None => S::Evaluate(call),
        });
        let mut places = 0..;
        let kept = |value: &Operand| match self.function.kind(*value).is_array() {
            true => C::name(prefix).at(places.next().unwrap_or_default()),
            false => operand(*value),
        };
        values.iter().map(kept).collect()
    }

    /// An array of the arrays among some values: its length, and the kinds; none if there is no array.
    fn arrays_of(&self, values: &[Operand], name: &str, out: &mut Vec<S>) -> Option<(C, C)> {
        let is_array = |value: &Operand| self.function.kind(*value).is_array();
        let arrays: Vec<Operand> = values.iter().copied().filter(is_array).collect();
        if arrays.is_empty() {
            return None;
        }
        let kinds = arrays.iter().map(|array| C::Number(self.code(*array).into())).collect();
        let roots = arrays.iter().copied().map(operand).collect();
        let ctype = "struct vlad_array".into();
        out.push(S::Define { ctype, name: format!("{name}[{}]", arrays.len()), value: C::Braces(roots) });
        Some((C::Number(arrays.len() as u64), C::Literal("const unsigned char", kinds)))
    }

    /// Frees what an iteration has allocated if it is more than a limit, but for the new state, which has cells.
    fn keep_cells(&self, first: Variable, state: &[Variable], out: &mut Vec<S>) {
        let (limit, kept) = (C::Name(format!("limit{}", first.0)), format!("kept{}", first.0));
        let (mark, cells) = (C::Name(mark_name(first)), format!("cells{}", first.0));
        let values: Vec<Operand> = state.iter().copied().map(Operand::Variable).collect();
        let mut then = Vec::new();
        let arrays = self.arrays_of(&values, &kept, &mut then);
        let (array_count, kinds) = arrays.unwrap_or((C::Number(0), C::Number(0)));
        let of_arrays = if array_count == C::Number(0) { C::Number(0) } else { C::name(&kept) };
        let of_cells: Vec<Variable> =
            state.iter().copied().filter(|variable| self.kind(*variable) == Kind::Cell).collect();
        let (ctype, count) = (CELL.into(), of_cells.len() as u64);
        let roots = C::Braces(of_cells.iter().copied().map(name).collect());
        then.push(S::Define { ctype, name: format!("{cells}[{count}]"), value: roots });
        let operands = [mark.clone(), limit.clone(), of_arrays, kinds, array_count, C::name(&cells), C::Number(count)];
        let call = C::call("vlad_keep_state", [C::name("m")].into_iter().chain(operands).collect::<Vec<_>>());
        then.push(S::Assign(limit.clone(), call));
        let arrays = state.iter().filter(|variable| self.kind(**variable).is_array());
        then.extend(arrays.zip(0..).map(|(variable, place)| S::Assign(name(*variable), C::name(&kept).at(place))));
        then.extend(of_cells.iter().zip(0..).map(|(cell, place)| S::Assign(name(*cell), C::name(&cells).at(place))));
        let test = C::call("vlad_exceeds", [C::name("m"), mark, limit]);
        out.push(S::If { test, then, otherwise: Vec::new() });
    }

    /// Returns true if iterations of a loop free what they allocate. Those of fast paths have buffers.
    fn iterations_release(&self, state: &[Variable], body: &Block) -> bool {
        if self.scope.is_fast_path {
            return false;
        }
        let Scope { allocating, leaving_cells, moves_cells, .. } = self.scope;
        iterations_release(self.function, (state, body), (allocating, leaving_cells, *moves_cells))
    }

    /// Begins the releases of a loop that allocates arrays: its mark, and the bytes after which its state is moved.
    pub fn begin_releases(&self, state: &[Variable], body: &Block, out: &mut Vec<S>) {
        let Some(first) = state.first().filter(|_| self.iterations_release(state, body)) else { return };
        if !self.early_marks.includes(*first) {
            out.push(mark(mark_name(*first)));
        }
        let value = C::Number(if records_arrays(body, self.function) { 0 } else { LEAST_RELEASED });
        out.push(S::integer(format!("limit{}", first.0), value));
    }

    /// Keeps arrays that have been recorded: if an iteration has allocated one, what it has allocated so far is not freed
    /// at its end.
    pub fn keep_recorded(&self, recorded: &[Operand], out: &mut Vec<S>) {
        if !recorded.iter().any(|value| self.function.kind(*value).is_array()) {
            return;
        }
        let Some((state, body)) = loop_that_records(&self.function.body, recorded, None) else { return };
        let Some(first) = state.first().filter(|_| self.iterations_release(state, body)) else { return };
        let mut assigned: HashSet<&Variable> = HashSet::new();
        body.each_statement(&mut |statement| assigned.extend(statement.targets()));
        let is_new = |value: &Operand| {
            self.function.kind(*value).is_array()
                && matches!(value, Operand::Variable(variable) if assigned.contains(variable))
        };
        if recorded.iter().any(is_new) {
            out.push(S::Assign(C::Name(mark_name(*first)), C::machine("first_order").dot("arrays_top")));
        }
    }

    /// Frees what an iteration of a loop has allocated, but for the new state.
    pub fn release_state(&self, state: &[Variable], out: &mut Vec<S>) {
        let Some(first) = state.first().copied() else { return };
        let mut body = None;
        self.function.body.each_statement(&mut |statement| {
            if let Statement::Loop { state, body: found, .. } = statement
                && state.first() == Some(&first)
            {
                body = Some(found);
            }
        });
        let Some(body) = body.filter(|body| self.iterations_release(state, body)) else { return };
        if state.iter().any(|variable| self.kind(*variable) == Kind::Cell) {
            return self.keep_cells(first, state, out);
        }
        let values: Vec<Operand> = state.iter().copied().map(Operand::Variable).collect();
        let (name_of_mark, limit) = (C::Name(mark_name(first)), format!("limit{}", first.0));
        let mut inside = Vec::new();
        let kept = self.keep(&name_of_mark, Some(&limit), &values, &format!("kept{}", first.0), &mut inside);
        let moved = state.iter().zip(kept).filter(|(variable, _)| self.kind(**variable).is_array());
        inside.extend(moved.map(|(variable, kept)| S::Assign(name(*variable), kept)));
        if records_arrays(body, self.function) {
            inside.push(S::Assign(name_of_mark, C::machine("first_order").dot("arrays_top")));
        }
        out.push(S::Scope(inside));
    }
}

/// The state and the body of the innermost loop around the statement that records these operands, given those of the
/// loop around the block.
fn loop_that_records<'unit>(
    block: &'unit Block,
    recorded: &[Operand],
    around: Option<(&'unit [Variable], &'unit Block)>,
) -> Option<(&'unit [Variable], &'unit Block)> {
    for statement in &block.statements {
        let around = match statement {
            Statement::Push { values, .. } if std::ptr::eq(values.as_slice(), recorded) => return around,
            Statement::Loop { state, body, .. } => Some((state.as_slice(), body)),
            _ => around,
        };
        if let Some(found) = statement.block().and_then(|inner| loop_that_records(inner, recorded, around)) {
            return Some(found);
        }
    }
    block.end.blocks().into_iter().flatten().find_map(|inner| loop_that_records(inner, recorded, around))
}
