//! Partition of the blocks of a program into C functions.
//!
//! A block with an outside entry (the entry of an activation, or the continuation of a call) is the head of a function.
//! Any other block joins the function of its predecessors if that is the same for all. Else it is a head as well, and
//! its free variables are *spilled*: passed in the memory above the top of the stack. A block that would make a function too long
//! also becomes a head, since C compilers take more than linear time for one function. A block that is too long by
//! itself is cut into chunks. The machine stores the variables that chunks share.
//!
//! Postcondition: each block is in one function, whole or in chunks, after all its predecessors. The length of each
//! function is bounded, unless a single instruction exceeds the bound. `check` checks this in tests.

use super::escapes::Escapes;
use crate::tagged::steps::steps;
use crate::tagged::unit::Unit;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use vlad_core::{LambdaId, Program};
use vlad_cps::liveness::{alive_at_start, atoms, bound, branches, continuation, given_up};
use vlad_cps::{ActivationId, Atom, Block, BlockId, Converted, End, Instruction, Variable};
use vlad_table::internal_bug;

/// The maximal weight of a function that takes in blocks, and of a chunk. About the number of C statements.
pub const HEAVY: usize = 300;

/// The maximal weight of a block that a function takes in even if it is full (see [`is_leaf`]).
const LIGHT: usize = 16;

/// The way in which a function is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// At the beginning of an expression at top level.
    Item,
    /// At the beginning of a procedure, with its argument in `x`, the parameter of the C function.
    Argument,
    /// At the beginning of a procedure, with the parts of its argument in the machine.
    Arguments,
    /// As the continuation of a call: its frame is given a value.
    Frame,
    /// From a preceding block, with its free variables in the memory above the top of the stack.
    Spill,
    /// At the chunk of that number, counted from 1, of a block that was cut.
    Chunk(usize),
}

/// A block, or a chunk of one.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The block.
    pub block: BlockId,
    /// The range of its instructions.
    pub instructions: Range<usize>,
    /// The function of the next chunk; none if the piece includes the end of the block.
    pub next_chunk: Option<usize>,
}

/// A C function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The way in which it is entered.
    pub entering: EntryKind,
    /// The activation that it belongs to.
    pub activation: ActivationId,
    /// Its blocks or its chunk, the head first.
    pub pieces: Vec<Piece>,
    /// The largest number of steps on a path through it.
    pub most_steps: u64,
    /// The smallest number of steps on a path through it.
    pub least_steps: u64,
    weight: usize,
}

impl Function {
    /// The block that it begins with.
    pub fn head(&self) -> BlockId {
        match self.pieces.first() {
            Some(piece) => piece.block,
            None => internal_bug!("a function has a head"),
        }
    }
}

/// The variables that the chunks of a block pass to each other, in the variable storage of the machine (`places`).
#[derive(Clone, Debug, Default)]
pub struct ChunkTransfers {
    /// For each chunk, the variables that it stores for later ones.
    pub stored: Vec<BTreeSet<Variable>>,
    /// For each chunk, the variables that it loads from earlier ones.
    pub loaded: Vec<BTreeSet<Variable>>,
}

/// The functions of a program.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// All functions, in the order of their heads.
    pub functions: Vec<Function>,
    /// For each block, the function that it is the head of.
    heads: Vec<Option<usize>>,
    /// The variables that chunks pass to each other, for each block that is cut.
    pub crossings: BTreeMap<BlockId, ChunkTransfers>,
}

impl Regions {
    /// Returns the function that a block is the head of; none if the block is inside another function.
    pub fn head(&self, block: BlockId) -> Option<usize> {
        self.heads.get(block.0 as usize).copied().flatten()
    }

    /// Returns the function of that number.
    pub fn function(&self, number: usize) -> &Function {
        match self.functions.get(number) {
            Some(function) => function,
            None => internal_bug!("function {number} is there"),
        }
    }

    /// Returns the function of the first chunk of the block that a function begins with: the function itself unless the
    /// block is cut.
    pub fn first_chunk(&self, number: usize) -> usize {
        match self.function(number).entering {
            EntryKind::Chunk(chunk) => number - chunk,
            EntryKind::Item | EntryKind::Argument | EntryKind::Arguments | EntryKind::Frame | EntryKind::Spill => {
                number
            }
        }
    }
}

/// The functions that contain the predecessors of a block in its activation, joined over those seen so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Predecessors {
    Nobody,
    One(usize),
    Several,
}

/// Partitions the blocks of a program into functions, in one pass over the blocks: predecessors come first.
pub fn divide(unit: Unit<'_>, escapes: &Escapes) -> Regions {
    let Unit { program, converted, .. } = unit;
    let mut regions = Regions { heads: vec![None; converted.blocks.len()], ..Regions::default() };
    let continued = converted.blocks.iter().filter_map(|block| continuation(&block.end)).collect();
    let mut before = vec![Predecessors::Nobody; converted.blocks.len()];
    for (number, block) in converted.blocks.iter().enumerate() {
        let id = BlockId(number as u32);
        if has_no_function(unit, escapes, id, block) {
            continue;
        }
        let weight = block.instructions.iter().map(|instruction| weight(program, instruction)).sum();
        let head = entering(converted, id, block, &continued);
        let last = match (head, before.get(number)) {
            (None, Some(Predecessors::One(function)))
                if regions.has_room(*function, weight) || is_leaf(block, weight) =>
            {
                regions.extend(*function, id, block, weight);
                *function
            }
            _ => regions.begin(program, id, block, head.unwrap_or(EntryKind::Spill)),
        };
        for next in branches(&block.end) {
            if let Some(before) = before.get_mut(next.0 as usize) {
                *before = match *before {
                    Predecessors::Nobody => Predecessors::One(last),
                    Predecessors::One(other) if other == last => *before,
                    Predecessors::One(_) | Predecessors::Several => Predecessors::Several,
                };
            }
        }
    }
    regions.count_steps(converted);
    regions
}

/// Returns true if a block is short and ends its function's path. Such a block is taken in even if the function is
/// full: its branches bound their number (two arms and a join each), and the branches count towards its weight.
pub fn is_leaf(block: &Block, weight: usize) -> bool {
    weight <= LIGHT && !matches!(block.end, End::Branch { .. })
}

/// Returns true if no C function is made for a block: it is the entry of a procedure that is only called with its
/// arguments apart, or of a definition (all definitions share one function, see `tagged::definitions`).
pub fn has_no_function(unit: Unit<'_>, escapes: &Escapes, id: BlockId, block: &Block) -> bool {
    let activation = unit.converted.activation(block.activation);
    if activation.entry != id {
        return false;
    }
    match activation.lambda {
        Some(lambda) => activation.direct.is_some_and(|direct| direct != id) && !escapes.escapes(lambda),
        None => unit.definition(block.activation).is_some(),
    }
}

fn entering(converted: &Converted, id: BlockId, block: &Block, continued: &BTreeSet<BlockId>) -> Option<EntryKind> {
    let activation = converted.activation(block.activation);
    if activation.entry == id {
        let entering = |_: LambdaId| EntryKind::Argument;
        return Some(activation.lambda.map_or(EntryKind::Item, entering));
    }
    if activation.direct == Some(id) {
        return Some(EntryKind::Arguments);
    }
    continued.contains(&id).then_some(EntryKind::Frame)
}

/// Returns about the number of C statements of an instruction.
pub fn weight(program: &Program, instruction: &Instruction) -> usize {
    match instruction {
        Instruction::Step(_) | Instruction::Drop(_) | Instruction::Defined { .. } => 1,
        Instruction::Pair { .. } => 3,
        Instruction::Close { captures, .. } => 2 + captures.len(),
        Instruction::Tie { variables, captures, .. } => 2 + variables.len() + captures.len(),
        Instruction::Apply { operands, .. } => 4 + operands.len(),
        Instruction::Match { lambda, .. } => 4 + 3 * program.patterns_within(program.lambda(*lambda).pattern).count(),
    }
}

impl Regions {
    fn has_room(&self, function: usize, weight: usize) -> bool {
        self.function(function).weight + weight <= HEAVY
    }

    fn extend(&mut self, function: usize, id: BlockId, block: &Block, weight: usize) {
        let Some(function) = self.functions.get_mut(function) else {
            internal_bug!("function {function} is there");
        };
        function.pieces.push(Piece { block: id, instructions: 0..block.instructions.len(), next_chunk: None });
        // The end of a block weighs 2.
        function.weight += weight + 2;
    }

    /// Begins a function, or several if the block is long. Returns the last one, which has the block's end.
    fn begin(&mut self, program: &Program, id: BlockId, block: &Block, entering: EntryKind) -> usize {
        if let Some(head) = self.heads.get_mut(id.0 as usize) {
            *head = Some(self.functions.len());
        }
        let chunks = chunks(program, block);
        let last = chunks.len() - 1;
        for (place, (instructions, weight)) in chunks.iter().enumerate() {
            let next_chunk = (place < last).then_some(self.functions.len() + 1);
            self.functions.push(Function {
                entering: if place == 0 { entering } else { EntryKind::Chunk(place) },
                activation: block.activation,
                pieces: vec![Piece { block: id, instructions: instructions.clone(), next_chunk }],
                most_steps: 0,
                least_steps: 0,
                weight: *weight,
            });
        }
        if last > 0 {
            let ranges: Vec<Range<usize>> = chunks.into_iter().map(|(range, _)| range).collect();
            self.crossings.insert(id, crossings(block, &ranges));
        }
        self.functions.len() - 1
    }

    /// Computes the largest and the smallest number of steps on the paths through each function, backwards over its
    /// pieces.
    fn count_steps(&mut self, converted: &Converted) {
        let mut paths: BTreeMap<BlockId, (u64, u64)> = BTreeMap::new();
        for function in &mut self.functions {
            paths.clear();
            for piece in function.pieces.iter().rev() {
                let block = converted.block(piece.block);
                let mut inner = branches(&block.end).map(|next| paths.get(&next).copied().unwrap_or((0, 0)));
                let after = match (piece.next_chunk, inner.next()) {
                    (None, Some(first)) => inner.fold(first, |all, next| (all.0.max(next.0), all.1.min(next.1))),
                    (Some(_), _) | (None, None) => (0, 0),
                };
                let own = steps(block.instructions.get(piece.instructions.clone()).unwrap_or_default());
                (function.most_steps, function.least_steps) = (own + after.0, own + after.1);
                paths.insert(piece.block, (function.most_steps, function.least_steps));
            }
        }
    }
}

/// Splits the instructions of a block into chunks of bounded weight, at least one, each with its weight.
fn chunks(program: &Program, block: &Block) -> Vec<(Range<usize>, usize)> {
    let mut chunks = Vec::new();
    let (mut start, mut sum) = (0, 0);
    for (place, instruction) in block.instructions.iter().enumerate() {
        let own = weight(program, instruction);
        if sum > 0 && sum + own > HEAVY {
            chunks.push((start..place, sum));
            (start, sum) = (place, 0);
        }
        sum += own;
    }
    chunks.push((start..block.instructions.len(), sum));
    chunks
}

/// Finds the variables that are bound in one chunk and used in a later one. A variable that is still owned at the end
/// of the block counts as used there: successors of the block may be in the function of the last chunk.
fn crossings(block: &Block, chunks: &[Range<usize>]) -> ChunkTransfers {
    let mut crossings =
        ChunkTransfers { stored: vec![BTreeSet::new(); chunks.len()], loaded: vec![BTreeSet::new(); chunks.len()] };
    let mut bound_in: BTreeMap<Variable, usize> = alive_at_start(block).map(|variable| (variable, 0)).collect();
    let mut owned: BTreeSet<Variable> = alive_at_start(block).collect();
    for (chunk, range) in chunks.iter().enumerate() {
        for instruction in block.instructions.get(range.clone()).unwrap_or_default() {
            for variable in given_up(instruction) {
                crossings.used(variable, chunk, &bound_in);
                owned.remove(&variable);
            }
            for atom in atoms(instruction) {
                crossings.used_atom(atom, chunk, &bound_in);
            }
            for variable in bound(instruction) {
                bound_in.insert(*variable, chunk);
                owned.insert(*variable);
            }
        }
    }
    let last = chunks.len() - 1;
    owned.iter().for_each(|variable| crossings.used(*variable, last, &bound_in));
    crossings
}

impl ChunkTransfers {
    fn used_atom(&mut self, atom: Atom, chunk: usize, bound_in: &BTreeMap<Variable, usize>) {
        match atom {
            Atom::Variable(variable) | Atom::Moved(variable) => self.used(variable, chunk, bound_in),
            Atom::Constant(_) | Atom::Global(_) | Atom::Primitive(_) | Atom::Slot(_) | Atom::Sibling(_) => {}
        }
    }

    fn used(&mut self, variable: Variable, chunk: usize, bound_in: &BTreeMap<Variable, usize>) {
        let Some(origin) = bound_in.get(&variable).copied().filter(|origin| *origin < chunk) else {
            return;
        };
        if let (Some(stored), Some(loaded)) = (self.stored.get_mut(origin), self.loaded.get_mut(chunk)) {
            stored.insert(variable);
            loaded.insert(variable);
        }
    }
}
