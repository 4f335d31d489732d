//! The rows of steps of a stoppable program, and what is alive at them: where its functions stop and go on.
//!
//! A row is the steps of a piece between which nothing happens. The rows of a function are numbered in the order of its
//! text, those of a block that is cut through all of its chunks, so that one table says of each variable at which of them it
//! is alive: its length is in proportion to the code, however many variables are alive at once.
//!
//! Equation: the variables alive at a row are those of [`vlad_shared::cps::liveness::alive_before`], which `check` compares
//! in tests; here one walk of each block finds them for all of its rows.

use super::context::Context;
use super::regions::{Piece, step};
use crate::foreign::Counting;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use vlad_shared::core::ExpressionId;
use vlad_shared::cps::liveness::{alive_at_start, bound, given_up, needs_slots_until};
use vlad_shared::cps::{BlockId, Instruction, Variable};

/// A row of steps.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its number among those of the function, or of all chunks of the block that is cut.
    pub label: u64,
    /// The block that it stands in.
    pub block: BlockId,
    /// The place of its first step there.
    pub place: usize,
    /// The nodes that its steps enter.
    pub nodes: Vec<ExpressionId>,
    /// The number of variables that are alive.
    pub variables: u64,
    /// True if the slots are needed from it on.
    pub has_slots: bool,
    /// True if the site is known.
    pub has_site: bool,
}

impl Row {
    /// The number of values that the frame of a point of the row has.
    pub fn values(&self) -> u64 {
        self.variables + u64::from(self.has_slots) + u64::from(self.has_site)
    }
}

/// The rows from the first to the one before the second at which a variable is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alive {
    /// The variable.
    pub variable: Variable,
    /// The first row.
    pub from: u64,
    /// The first row behind them.
    pub to: u64,
}

/// The rows of the functions of a program; none if it is not stoppable.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// For each function its rows.
    pub of_functions: Vec<Vec<Row>>,
    /// For each function, but for later chunks, what is alive at its rows, in the order of the variables.
    pub alive: BTreeMap<usize, Vec<Alive>>,
}

impl Rows {
    /// Finds them.
    pub fn of(context: &Context<'_>) -> Rows {
        let mut rows = Rows::default();
        if context.counting == Counting::ByBlock {
            return rows;
        }
        let mut walk = Walk::new(context);
        for (number, function) in context.regions.functions.iter().enumerate() {
            let has_site = context.has_site(function.head());
            rows.of_functions.push(function.pieces.iter().flat_map(|piece| walk.piece(piece, has_site)).collect());
            if function.pieces.iter().all(|piece| piece.next_chunk.is_none()) {
                let ended = mem::replace(&mut walk, Walk::new(context));
                rows.alive.insert(context.first_chunk(number), ended.end());
            }
        }
        rows
    }

    /// The rows of a function.
    pub fn of_function(&self, number: usize) -> &[Row] {
        self.of_functions.get(number).map_or(&[], Vec::as_slice)
    }

    /// The table of what is alive at them, which a function has with all chunks of the block that it begins with.
    pub fn alive(&self, first_chunk: usize) -> &[Alive] {
        self.alive.get(&first_chunk).map_or(&[], Vec::as_slice)
    }
}

/// A walk through the pieces of a function, or of all functions of a block that is cut.
struct Walk<'c, 'program> {
    context: &'c Context<'program>,
    /// The block at hand, and the place in it from which on the slots are not needed.
    block: Option<(BlockId, usize)>,
    /// The number of rows so far.
    label: u64,
    /// The variables that are alive, each with the row since which it is.
    open: BTreeMap<Variable, u64>,
    /// The variables that were alive before.
    closed: Vec<Alive>,
}

impl<'c, 'program> Walk<'c, 'program> {
    fn new(context: &'c Context<'program>) -> Self {
        Walk { context, block: None, label: 0, open: BTreeMap::new(), closed: Vec::new() }
    }

    /// The rows of a piece, of a function that knows the site or does not.
    fn piece(&mut self, piece: &Piece, has_site: bool) -> Vec<Row> {
        let block = self.context.converted.block(piece.block);
        let slots_until = match self.block {
            Some((id, until)) if id == piece.block => until,
            Some(_) | None => self.begin(piece.block),
        };
        let keeps_slots = self.context.keeps_slots(piece.block);
        let row = |walk: &mut Self, end: usize, nodes: Vec<ExpressionId>| {
            let place = end - nodes.len();
            if nodes.is_empty() {
                return None;
            }
            walk.label += 1;
            Some(Row {
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

    /// Begins a block; gives the place from which on it does not need the slots.
    fn begin(&mut self, id: BlockId) -> usize {
        let block = self.context.converted.block(id);
        let alive: BTreeSet<Variable> = alive_at_start(block).collect();
        let dead: Vec<Variable> = self.open.keys().filter(|variable| !alive.contains(variable)).copied().collect();
        dead.into_iter().for_each(|variable| self.close(variable));
        alive.into_iter().for_each(|variable| self.open(variable));
        let slots_until = needs_slots_until(self.context.converted, block);
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
            self.closed.push(Alive { variable, from, to: self.label });
        }
    }

    /// The variables with the rows at which they were alive, in their order.
    fn end(mut self) -> Vec<Alive> {
        let open: Vec<Variable> = self.open.keys().copied().collect();
        open.into_iter().for_each(|variable| self.close(variable));
        self.closed.sort_unstable();
        self.closed
    }
}
