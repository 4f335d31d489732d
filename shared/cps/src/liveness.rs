//! Liveness: the free variables of each block, and the last use of each variable.
//!
//! Postcondition: [`Block::free`], [`Block::needs_slots`] and [`Block::needs_site`] are set; the last use of a variable
//! on each path is [`Atom::Moved`]. A variable that is unused on a path is dropped where that becomes known: right
//! after it is bound, or at the beginning of the branch. So every path releases each variable exactly once.
//!
//! This is the liveness of converted code, which all queries here read off; that of core, another IR, is
//! [`vlad_core::liveness`].
//!
//! The blocks of an activation form no cycle and are in an order of execution, so one backward pass is
//! enough, without a fixed point.

use crate::tree::{Activation, Atom, Block, BlockId, CallContinuation, Converted, End, Instruction, Role, Variable};
use std::collections::BTreeSet;
use std::mem;
use vlad_table::{Primitive, internal_bug};

/// The argument for a parameter that nothing reads.
const UNUSED: Primitive = Primitive::Add;

/// The variables that are live at a point of the backward traversal.
type Live = BTreeSet<Variable>;

/// Computes the free variables and the last uses in all blocks.
pub fn analyse(converted: &mut Converted) {
    for number in (0..converted.blocks.len() as u32).rev() {
        let Converted { blocks, activations, .. } = converted;
        let (before, after) = blocks.split_at_mut(number as usize + 1);
        let Some(block) = before.last_mut() else { internal_bug!("block {number} is in the arena") };
        let Some(activation) = activations.get(block.activation.0 as usize) else {
            internal_bug!("every block belongs to an activation");
        };
        analyse_block(block, &mut LaterBlocks { blocks: after, first: number + 1 }, activation);
    }
}

/// The blocks after the current one, which are analysed already.
struct LaterBlocks<'blocks> {
    blocks: &'blocks mut [Block],
    first: u32,
}

impl LaterBlocks<'_> {
    fn get(&mut self, id: BlockId) -> &mut Block {
        match id.0.checked_sub(self.first).and_then(|place| self.blocks.get_mut(place as usize)) {
            Some(block) => block,
            None => internal_bug!("a block stands before those that it goes on to"),
        }
    }
}

fn analyse_block(block: &mut Block, later: &mut LaterBlocks<'_>, activation: &Activation) {
    let mut live = live_at_the_end(block, later);
    let (mut needs_slots, mut needs_site) = needs_at_the_end(block, later);
    match &mut block.end {
        End::Return(value) => mark_last_use(value, &mut live),
        End::Jump { block, arguments } => {
            give_up_unused(arguments, later.get(*block));
            mark_last_uses(arguments, &mut live);
        }
        End::Branch { test, .. } => mark_last_use(test, &mut live),
        End::Call { operator, operands, .. } | End::Enter { operator, arguments: operands, .. } => {
            mark_last_uses(operands, &mut live);
            mark_last_use(operator, &mut live);
        }
    }
    let mut instructions = Vec::with_capacity(block.instructions.len());
    for mut instruction in mem::take(&mut block.instructions).into_iter().rev() {
        // A variable that is bound and not live afterwards is dropped at once.
        for variable in bound(&instruction) {
            if !live.remove(variable) {
                instructions.push(Instruction::Drop(*variable));
            }
        }
        mark_last_uses_of(&mut instruction, &mut live);
        needs_slots |= atoms(&instruction).iter().any(is_of_slots);
        needs_site |= can_fail(&instruction);
        instructions.push(instruction);
    }
    for parameter in &block.parameters {
        if !live.remove(parameter) {
            instructions.push(Instruction::Drop(*parameter));
        }
    }
    instructions.reverse();
    block.instructions = instructions;
    block.free = live.into_iter().collect();
    block.needs_slots = needs_slots;
    block.needs_site = (needs_site || is_frame(block)) && activation.is_shipped;
}

/// Returns true for a block that receives a value, and can be that of a frame: errors of library code are reported by the sites of
/// pending frames.
pub(crate) fn is_frame(block: &Block) -> bool {
    matches!(block.role, Role::Continuation { .. })
}

/// The variables that are live after the end of a block. Both targets of a branch begin with the same variables: each
/// drops those that it does not use.
fn live_at_the_end(block: &Block, later: &mut LaterBlocks<'_>) -> Live {
    match &block.end {
        End::Return(_) => Live::new(),
        End::Jump { block, .. } => later.get(*block).free.iter().copied().collect(),
        End::Branch { consequent, alternative, .. } => {
            let mut live: Live = later.get(*consequent).free.iter().copied().collect();
            live.extend(&later.get(*alternative).free);
            for branch in [*consequent, *alternative] {
                drop_all_but_free(later.get(branch), &live);
            }
            live
        }
        End::Call { .. } | End::Enter { .. } => match continuation(&block.end) {
            Some(next) => later.get(next).free.iter().copied().collect(),
            None => Live::new(),
        },
    }
}

/// Replaces the arguments that a block drops as soon as it begins: a variable that is given for one has no use there.
fn give_up_unused(arguments: &mut [Atom], target: &Block) {
    let is_dropped = |parameter: &Variable| {
        let drops = target.instructions.iter().map_while(|instruction| match instruction {
            Instruction::Drop(variable) => Some(variable),
            _ => None,
        });
        drops.into_iter().any(|dropped| dropped == parameter)
    };
    for (argument, parameter) in arguments.iter_mut().zip(&target.parameters) {
        if is_dropped(parameter) {
            *argument = Atom::Primitive(UNUSED);
        }
    }
}

fn drop_all_but_free(branch: &mut Block, live: &Live) {
    if branch.free.len() == live.len() {
        return;
    }
    let unused = live.iter().filter(|variable| branch.free.binary_search(variable).is_err());
    let drops: Vec<Instruction> = unused.map(|variable| Instruction::Drop(*variable)).collect();
    branch.instructions.splice(..0, drops);
    branch.free = live.iter().copied().collect();
}

/// The needs of the end of a block and of its successors: the first is for the slots, the second for the call site.
fn needs_at_the_end(block: &Block, later: &mut LaterBlocks<'_>) -> (bool, bool) {
    let mut needs = match &block.end {
        End::Return(_) | End::Jump { .. } | End::Branch { .. } => (false, false),
        End::Call { .. } | End::Enter { .. } => (false, true),
    };
    needs.0 |= end_atoms(&block.end).iter().any(is_of_slots);
    for id in next_blocks(&block.end) {
        let next = later.get(id);
        needs = (needs.0 | next.needs_slots, needs.1 | next.needs_site);
    }
    needs
}

/// The variables that are live before an instruction of an analysed block, in ascending order. They are exactly those
/// that the rest of the block needs, since all others have been released. If `instruction` is the number of
/// instructions, the result is for the end of the block.
pub fn live_before(block: &Block, instruction: usize) -> Vec<Variable> {
    let mut alive: Live = alive_at_start(block).collect();
    for instruction in block.instructions.iter().take(instruction) {
        for variable in given_up(instruction) {
            alive.remove(&variable);
        }
        alive.extend(bound(instruction));
    }
    alive.into_iter().collect()
}

/// The variables that are live at the beginning of an analysed block.
pub fn alive_at_start(block: &Block) -> impl Iterator<Item = Variable> {
    block.free.iter().chain(&block.parameters).copied()
}

/// The variables that an instruction of an analysed block releases.
pub fn given_up(instruction: &Instruction) -> impl Iterator<Item = Variable> {
    let dropped = match instruction {
        Instruction::Drop(variable) => Some(*variable),
        Instruction::Step(_)
        | Instruction::Defined { .. }
        | Instruction::Pair { .. }
        | Instruction::Close { .. }
        | Instruction::Tie { .. }
        | Instruction::Apply { .. }
        | Instruction::Match { .. } => None,
    };
    dropped.into_iter().chain(atoms(instruction).into_iter().filter_map(Atom::moved))
}

/// Returns true if an instruction of a block, or anything after it, needs the slots.
pub fn needs_slots_from(converted: &Converted, block: &Block, instruction: usize) -> bool {
    instruction < needs_slots_until(converted, block)
}

/// The first index in a block from which on the slots are not needed; one past the end of the block if the end or a
/// successor needs them.
pub fn needs_slots_until(converted: &Converted, block: &Block) -> usize {
    let end_needs_slots = end_atoms(&block.end).iter().any(is_of_slots)
        || next_blocks(&block.end).any(|next| converted.block(next).needs_slots);
    if end_needs_slots {
        return block.instructions.len() + 1;
    }
    let last = block.instructions.iter().rposition(|instruction| atoms(instruction).iter().any(is_of_slots));
    last.map_or(0, |last| last + 1)
}

/// Returns true if an atom is read through the running procedure's slots.
pub fn is_of_slots(atom: &Atom) -> bool {
    match atom {
        Atom::Slot(_) | Atom::Sibling(_) => true,
        Atom::Variable(_) | Atom::Moved(_) | Atom::Constant(_) | Atom::Global(_) | Atom::Primitive(_) => false,
    }
}

/// Returns true if an instruction can fail and report the call site. Stopping at a limit, at any step, does so.
pub fn can_fail(instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Step(_) | Instruction::Defined { .. } | Instruction::Apply { .. } | Instruction::Match { .. } => {
            true
        }
        Instruction::Pair { .. } | Instruction::Close { .. } | Instruction::Tie { .. } | Instruction::Drop(_) => false,
    }
}

/// Marks the last uses among atoms. They are used from first to last: of several uses of one variable the last moves
/// it.
fn mark_last_uses(atoms: &mut [Atom], live: &mut Live) {
    atoms.iter_mut().rev().for_each(|atom| mark_last_use(atom, live));
}

fn mark_last_use(atom: &mut Atom, live: &mut Live) {
    match *atom {
        Atom::Variable(variable) | Atom::Moved(variable) => {
            *atom = if live.insert(variable) { Atom::Moved(variable) } else { Atom::Variable(variable) };
        }
        Atom::Constant(_) | Atom::Global(_) | Atom::Primitive(_) | Atom::Slot(_) | Atom::Sibling(_) => {}
    }
}

fn mark_last_uses_of(instruction: &mut Instruction, live: &mut Live) {
    match instruction {
        Instruction::Step(_) | Instruction::Defined { .. } | Instruction::Drop(_) => {}
        Instruction::Pair { first, second, .. } => {
            mark_last_use(second, live);
            mark_last_use(first, live);
        }
        Instruction::Close { captures, .. } | Instruction::Tie { captures, .. } => mark_last_uses(captures, live),
        Instruction::Apply { operands, .. } => mark_last_uses(operands, live),
        Instruction::Match { argument, .. } => mark_last_use(argument, live),
    }
}

/// The variables that an instruction binds.
pub fn bound(instruction: &Instruction) -> &[Variable] {
    match instruction {
        Instruction::Step(_) | Instruction::Defined { .. } | Instruction::Drop(_) => &[],
        Instruction::Pair { variable, .. }
        | Instruction::Close { variable, .. }
        | Instruction::Apply { variable, .. } => std::slice::from_ref(variable),
        Instruction::Tie { variables, .. } | Instruction::Match { variables, .. } => variables,
    }
}

/// The atoms that an instruction uses, in order.
pub fn atoms(instruction: &Instruction) -> Vec<Atom> {
    match instruction {
        Instruction::Step(_) | Instruction::Defined { .. } | Instruction::Drop(_) => Vec::new(),
        Instruction::Pair { first, second, .. } => vec![*first, *second],
        Instruction::Close { captures, .. } | Instruction::Tie { captures, .. } => captures.clone(),
        Instruction::Apply { operands, .. } => operands.clone(),
        Instruction::Match { argument, .. } => vec![*argument],
    }
}

/// The atoms that the end of a block uses, in order.
pub fn end_atoms(end: &End) -> Vec<Atom> {
    match end {
        End::Return(atom) | End::Branch { test: atom, .. } => vec![*atom],
        End::Jump { arguments, .. } => arguments.clone(),
        End::Call { operator, operands, .. } | End::Enter { operator, arguments: operands, .. } => {
            [*operator].into_iter().chain(operands.iter().copied()).collect()
        }
    }
}

/// The successors of a block within its activation, reached at once or after a call.
pub fn next_blocks(end: &End) -> impl Iterator<Item = BlockId> {
    branches(end).chain(continuation(end))
}

/// The successors of a block that it transfers to without a call.
pub fn branches(end: &End) -> impl Iterator<Item = BlockId> {
    let (first, second) = match end {
        End::Jump { block, .. } => (Some(*block), None),
        End::Branch { consequent, alternative, .. } => (Some(*consequent), Some(*alternative)),
        End::Return(_) | End::Call { .. } | End::Enter { .. } => (None, None),
    };
    first.into_iter().chain(second)
}

/// The continuation of the call at the end of a block, if it is in the same activation.
pub fn continuation(end: &End) -> Option<BlockId> {
    match end {
        End::Call { then: CallContinuation::Continue(next), .. }
        | End::Enter { then: CallContinuation::Continue(next), .. } => Some(*next),
        End::Call { .. } | End::Enter { .. } | End::Return(_) | End::Jump { .. } | End::Branch { .. } => None,
    }
}
