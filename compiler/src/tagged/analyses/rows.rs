//! Rows of steps of a stoppable program, with the variables that are live there. Functions stop and resume at rows.
//!
//! A row is a maximal sequence of steps of a piece without other instructions between them. The rows of a function are
//! numbered in the order of its text; the numbering of a cut block runs through all of its chunks. So one table gives
//! the interval of rows in which each variable is live. Its length is proportional to the code, independent of the
//! number of live variables.
//!
//! The table is another layout of liveness, not another analysis. Equation: the variables live at a row are those of
//! [`vlad_cps::liveness::live_before`]. `check` compares both in tests. One walk of each block finds them for all its
//! rows.

use super::regions::{Piece, Regions};
use crate::foreign::Counting;
use crate::tagged::steps::step;
use crate::tagged::unit::Unit;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use vlad_core::ExpressionId;
use vlad_cps::liveness::{alive_at_start, bound, given_up, needs_slots_until};
use vlad_cps::{BlockId, Instruction, Variable};

/// A row of steps.
#[derive(Clone, Debug)]
pub struct StepRow {
    /// Its number in the function, or in all chunks of the cut block.
    pub label: u64,
    /// The block that contains it.
    pub block: BlockId,
    /// The index of its first step among the instructions of the block.
    pub place: usize,
    /// The nodes that its steps enter.
    pub nodes: Vec<ExpressionId>,
    /// The number of variables that are alive at it.
    pub variables: u64,
    /// True if the captured slots are needed from it on.
    pub has_slots: bool,
    /// True if the function keeps the call site.
    pub has_site: bool,
}

impl StepRow {
    /// The number of values in the frame of a stop point of the row.
    pub fn values(&self) -> u64 {
        self.variables + u64::from(self.has_slots) + u64::from(self.has_site)
    }
}

/// The interval of rows at which a variable is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LiveInterval {
    /// The variable.
    pub variable: Variable,
    /// The first row.
    pub from: u64,
    /// The first row after the interval.
    pub to: u64,
}

/// The rows of all functions of a program; empty if the program is not stoppable.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// For each function, its rows.
    pub of_functions: Vec<Vec<StepRow>>,
    /// For each function except later chunks, the variables alive at its rows, in ascending order.
    pub alive: BTreeMap<usize, Vec<LiveInterval>>,
}

/// Computes the rows of a program and their live variables.
pub fn rows(unit: Unit<'_>, regions: &Regions) -> Rows {
    let mut rows = Rows::default();
    if unit.counting == Counting::ByBlock {
        return rows;
    }
    let mut walk = Walk::new(unit);
    for (number, function) in regions.functions.iter().enumerate() {
        let has_site = unit.has_site(function.head());
        rows.of_functions.push(function.pieces.iter().flat_map(|piece| walk.piece(piece, has_site)).collect());
        if function.pieces.iter().all(|piece| piece.next_chunk.is_none()) {
            let ended = mem::replace(&mut walk, Walk::new(unit));
            rows.alive.insert(regions.first_chunk(number), ended.end());
        }
    }
    rows
}

impl Rows {
    /// The rows of a function.
    pub fn of_function(&self, number: usize) -> &[StepRow] {
        self.of_functions.get(number).map_or(&[], Vec::as_slice)
    }

    /// The live variables of the rows of a function, or of all chunks of a cut block.
    pub fn alive(&self, first_chunk: usize) -> &[LiveInterval] {
        self.alive.get(&first_chunk).map_or(&[], Vec::as_slice)
    }
}

/// A traversal of the pieces of a function, or of all chunks of a cut block.
struct Walk<'program> {
    unit: Unit<'program>,
    /// The current block, and the index of the first instruction from which on it does not need the captured slots.
    block: Option<(BlockId, usize)>,
    /// The number of rows so far.
    label: u64,
    /// The variables that are alive, each with the first row at which it is.
    open: BTreeMap<Variable, u64>,
    /// The intervals of variables that are no longer alive.
    closed: Vec<LiveInterval>,
}

impl<'program> Walk<'program> {
    fn new(unit: Unit<'program>) -> Self {
        Walk { unit, block: None, label: 0, open: BTreeMap::new(), closed: Vec::new() }
    }

    /// Returns the rows of a piece. `has_site` is true if its function keeps the call site.
    fn piece(&mut self, piece: &Piece, has_site: bool) -> Vec<StepRow> {
        let block = self.unit.converted.block(piece.block);
        let slots_until = match self.block {
            Some((id, until)) if id == piece.block => until,
            Some(_) | None => self.begin(piece.block),
        };
        let keeps_slots = self.unit.keeps_slots(piece.block);
        let row = |walk: &mut Self, end: usize, nodes: Vec<ExpressionId>| {
            let place = end - nodes.len();
            if nodes.is_empty() {
                return None;
            }
            walk.label += 1;
            Some(StepRow {
                label: walk.label - 1,
                block: piece.block,
                place,
                nodes,
                variables: walk.open.len() as u64,
                has_slots: keeps_slots && place < slots_until,
                has_site,
            })
        };
        let (mut rows, mut nodes) = (Vec::new(), Vec::new());
        let instructions = block.instructions.get(piece.instructions.clone()).unwrap_or_default();
        for (place, instruction) in piece.instructions.clone().zip(instructions) {
            match step(instruction) {
                Some(node) => nodes.push(node),
                None => {
                    rows.extend(row(self, place, mem::take(&mut nodes)));
                    self.pass(instruction);
                }
            }
        }
        rows.extend(row(self, piece.instructions.end, nodes));
        rows
    }

    /// Begins a block. Returns the index of the instruction from which on it does not need the captured slots.
    fn begin(&mut self, id: BlockId) -> usize {
        let block = self.unit.converted.block(id);
        let alive: BTreeSet<Variable> = alive_at_start(block).collect();
        let dead: Vec<Variable> = self.open.keys().filter(|variable| !alive.contains(variable)).copied().collect();
        dead.into_iter().for_each(|variable| self.close(variable));
        alive.into_iter().for_each(|variable| self.open(variable));
        let slots_until = needs_slots_until(self.unit.converted, block);
        self.block = Some((id, slots_until));
        slots_until
    }

    fn pass(&mut self, instruction: &Instruction) {
        given_up(instruction).for_each(|variable| self.close(variable));
        bound(instruction).iter().for_each(|variable| self.open(*variable));
    }

    fn open(&mut self, variable: Variable) {
        self.open.entry(variable).or_insert(self.label);
    }

    fn close(&mut self, variable: Variable) {
        if let Some(from) = self.open.remove(&variable).filter(|from| *from < self.label) {
            self.closed.push(LiveInterval { variable, from, to: self.label });
        }
    }

    /// Returns the intervals of all variables, in ascending order.
    fn end(mut self) -> Vec<LiveInterval> {
        let open: Vec<Variable> = self.open.keys().copied().collect();
        open.into_iter().for_each(|variable| self.close(variable));
        self.closed.sort_unstable();
        self.closed
    }
}
