//! Which blocks become which C functions.
//!
//! A block that is reached from outside of the code before it - the entry of an activation, the continuation of a call -
//! is the head of a function. Any other block belongs to the function that goes on to it, if that is one function alone;
//! else it is a head, too, and what it takes over is *spilled*: handed over in the free part of the stack. So is a block
//! that would make a function long, since C compilers take more than linear time for one function; and a block that is
//! long by itself is cut into chunks, whose common variables stand in the places of the machine between them.
//!
//! Postcondition: each block stands in one function, whole or in chunks, behind all blocks that go on to it; each function
//! has a bounded length, but for single instructions. `check` checks it, in tests.

use super::context::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use vlad_shared::core::{ExpressionId, LambdaId, Program};
use vlad_shared::cps::liveness::{alive_at_start, atoms, bound, given_up};
use vlad_shared::cps::{ActivationId, Atom, Block, BlockId, Converted, End, Instruction, Then, Variable};
use vlad_shared::internal_bug;

/// The weight over which a function takes in no more blocks, and a block is cut. About the number of C statements.
pub const HEAVY: usize = 300;

/// The weight up to which a block is no burden to a function.
const LIGHT: usize = 16;

/// How a function is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entering {
    /// An expression at top level begins.
    Item,
    /// A procedure begins, with its argument.
    Argument,
    /// A procedure begins, with the parts of its argument in the machine.
    Arguments,
    /// A frame is given a value.
    Frame,
    /// The block before goes on, with what is taken over in the free part of the stack.
    Spill,
    /// The chunk of that number, from 1, of a block that was cut.
    Chunk(usize),
}

/// A block, or a chunk of one.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The block.
    pub block: BlockId,
    /// Which of its instructions.
    pub instructions: Range<usize>,
    /// The function of the next chunk; none if the end of the block belongs to the piece.
    pub next_chunk: Option<usize>,
}

/// A C function.
#[derive(Clone, Debug)]
pub struct Function {
    /// How it is entered.
    pub entering: Entering,
    /// Its activation.
    pub activation: ActivationId,
    /// What is in it, the head first.
    pub pieces: Vec<Piece>,
    /// The most steps on any path through it.
    pub most_steps: u64,
    /// The fewest steps on any path through it.
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

/// The variables that the chunks of a block hand over to each other, in the places of the machine.
#[derive(Clone, Debug, Default)]
pub struct Crossings {
    /// For each chunk the variables that it stores for later ones.
    pub stored: Vec<BTreeSet<Variable>>,
    /// For each chunk the variables that it needs of earlier ones.
    pub loaded: Vec<BTreeSet<Variable>>,
}

/// The functions of a program.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// The functions.
    pub functions: Vec<Function>,
    /// For each block the function that it is the head of.
    heads: Vec<Option<usize>>,
    /// The variables that go from chunk to chunk, of each block that is cut.
    pub crossings: BTreeMap<BlockId, Crossings>,
}

impl Regions {
    /// The function that a block is the head of; none if it stands within another one.
    pub fn head(&self, block: BlockId) -> Option<usize> {
        self.heads.get(block.0 as usize).copied().flatten()
    }

    /// A function.
    pub fn function(&self, number: usize) -> &Function {
        match self.functions.get(number) {
            Some(function) => function,
            None => internal_bug!("function {number} is there"),
        }
    }
}

/// Who goes on to a block within its activation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nobody,
    One(usize),
    Several,
}

/// Divides the blocks of a program among functions.
pub fn divide(context: &Context<'_>) -> Regions {
    let Context { program, converted, .. } = *context;
    let mut regions = Regions { heads: vec![None; converted.blocks.len()], ..Regions::default() };
    let continued = continued(converted);
    let mut before = vec![Before::Nobody; converted.blocks.len()];
    for (number, block) in converted.blocks.iter().enumerate() {
        let id = BlockId(number as u32);
        if is_never_run(context, id, block) {
            continue;
        }
        let weight = block.instructions.iter().map(|instruction| weight(program, instruction)).sum();
        let head = entering(converted, id, block, &continued);
        let last = match (head, before.get(number)) {
            (None, Some(Before::One(function))) if regions.has_room(*function, weight) || is_leaf(block, weight) => {
                regions.extend(*function, id, block, weight);
                *function
            }
            _ => regions.begin(program, id, block, head.unwrap_or(Entering::Spill)),
        };
        for next in going_on(&block.end) {
            if let Some(before) = before.get_mut(next.0 as usize) {
                *before = match *before {
                    Before::Nobody => Before::One(last),
                    Before::One(other) if other == last => *before,
                    Before::One(_) | Before::Several => Before::Several,
                };
            }
        }
    }
    regions.count_steps(converted);
    regions
}

/// Whether a block is short and ends what the function does: then it is taken in even if there is no room. A function has
/// at most two of them for each of its branches, which weigh something.
pub fn is_leaf(block: &Block, weight: usize) -> bool {
    weight <= LIGHT && !matches!(block.end, End::Branch { .. })
}

/// Whether a block is the entry of a procedure that is only called with its arguments apart, or of a definition, which all
/// have one function together.
pub fn is_never_run(context: &Context<'_>, id: BlockId, block: &Block) -> bool {
    let activation = context.converted.activation(block.activation);
    if activation.entry != id {
        return false;
    }
    match activation.lambda {
        Some(lambda) => activation.direct.is_some_and(|direct| direct != id) && !context.escapes(lambda),
        None => context.definition(block.activation).is_some(),
    }
}

/// The blocks that calls go on to.
fn continued(converted: &Converted) -> BTreeSet<BlockId> {
    let then = |block: &Block| match &block.end {
        End::Call { then: Then::Continue(next), .. } | End::Enter { then: Then::Continue(next), .. } => Some(*next),
        End::Call { .. } | End::Enter { .. } | End::Return(_) | End::Jump { .. } | End::Branch { .. } => None,
    };
    converted.blocks.iter().filter_map(then).collect()
}

fn entering(converted: &Converted, id: BlockId, block: &Block, continued: &BTreeSet<BlockId>) -> Option<Entering> {
    let activation = converted.activation(block.activation);
    if activation.entry == id {
        let entering = |_: LambdaId| Entering::Argument;
        return Some(activation.lambda.map_or(Entering::Item, entering));
    }
    if activation.direct == Some(id) {
        return Some(Entering::Arguments);
    }
    continued.contains(&id).then_some(Entering::Frame)
}

/// The blocks that the end of a block goes on to without a call.
pub fn going_on(end: &End) -> impl Iterator<Item = BlockId> {
    let (first, second) = match end {
        End::Jump { block, .. } => (Some(*block), None),
        End::Branch { consequent, alternative, .. } => (Some(*consequent), Some(*alternative)),
        End::Return(_) | End::Call { .. } | End::Enter { .. } => (None, None),
    };
    first.into_iter().chain(second)
}

/// About how many C statements an instruction becomes.
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
        // Each block has an end, too.
        function.weight += weight + 2;
    }

    /// Begins a function, and more if the block is long; gives the last, which has the block's end.
    fn begin(&mut self, program: &Program, id: BlockId, block: &Block, entering: Entering) -> usize {
        if let Some(head) = self.heads.get_mut(id.0 as usize) {
            *head = Some(self.functions.len());
        }
        let chunks = chunks(program, block);
        let last = chunks.len() - 1;
        for (place, (instructions, weight)) in chunks.iter().enumerate() {
            let next_chunk = (place < last).then_some(self.functions.len() + 1);
            self.functions.push(Function {
                entering: if place == 0 { entering } else { Entering::Chunk(place) },
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

    /// The most and the fewest steps on the paths through each function.
    fn count_steps(&mut self, converted: &Converted) {
        let mut paths: BTreeMap<BlockId, (u64, u64)> = BTreeMap::new();
        for function in &mut self.functions {
            paths.clear();
            for piece in function.pieces.iter().rev() {
                let block = converted.block(piece.block);
                let mut inner = going_on(&block.end).map(|next| paths.get(&next).copied().unwrap_or((0, 0)));
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

/// How many steps instructions take.
pub fn steps(instructions: &[Instruction]) -> u64 {
    instructions.iter().filter_map(step).count() as u64
}

/// The node that is entered, if the instruction is a step.
pub fn step(instruction: &Instruction) -> Option<ExpressionId> {
    match instruction {
        Instruction::Step(node) => Some(*node),
        Instruction::Defined { .. }
        | Instruction::Pair { .. }
        | Instruction::Close { .. }
        | Instruction::Tie { .. }
        | Instruction::Apply { .. }
        | Instruction::Match { .. }
        | Instruction::Drop(_) => None,
    }
}

/// The instructions of a block in chunks of bounded weight, at least one.
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

/// Finds the variables that are bound in one chunk and used in a later one. What is still owned at the end of the block is used
/// there: blocks after it may stand in the function of the last chunk.
fn crossings(block: &Block, chunks: &[Range<usize>]) -> Crossings {
    let mut crossings =
        Crossings { stored: vec![BTreeSet::new(); chunks.len()], loaded: vec![BTreeSet::new(); chunks.len()] };
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

impl Crossings {
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
