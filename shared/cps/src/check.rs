//! The checker of converted programs, run after the passes in tests.

use crate::liveness::{atoms, bound, can_fail, end_atoms, is_frame, is_of_slots, next_blocks};
use crate::tree::{Atom, Block, BlockId, CallContinuation, Converted, End, Instruction, Role, Variable};
use std::collections::{BTreeSet, HashSet};
use vlad_core::{Expression, ExpressionId, Program};

/// Checks the invariants of a converted program (see [`crate`]).
///
/// # Errors
/// Returns a description of the first violation and its place.
pub fn check(program: &Program, converted: &Converted) -> Result<(), String> {
    check_activations(program, converted)?;
    for (number, block) in converted.blocks.iter().enumerate() {
        let id = BlockId(number as u32);
        check_ownership(block).map_err(|message| format!("block {number}: {message}"))?;
        check_end(program, converted, id, block).map_err(|message| format!("block {number}: {message}"))?;
        check_needs(converted, block).map_err(|message| format!("block {number}: {message}"))?;
    }
    check_steps(program, converted)
}

fn check_activations(program: &Program, converted: &Converted) -> Result<(), String> {
    if converted.items.len() != program.items.len() || converted.procedures.len() != program.lambdas.len() {
        return Err("each item and each lambda has its place".to_owned());
    }
    for (number, activation) in converted.activations.iter().enumerate() {
        for block in [Some(activation.entry), activation.direct].into_iter().flatten() {
            let block = converted.block(block);
            if block.activation.0 as usize != number || block.role != Role::Entry || !block.free.is_empty() {
                return Err(format!("activation {number} has entries of its own"));
            }
        }
        let parameters = converted.block(activation.entry).parameters.len();
        if parameters != usize::from(activation.lambda.is_some()) {
            return Err(format!("the entry of activation {number} has {parameters} parameters"));
        }
        if activation.names.len() != activation.variables as usize {
            return Err(format!("activation {number} does not name its variables"));
        }
    }
    Ok(())
}

/// Checks that every variable is owned at each use and released exactly once, and that nothing is owned after a return.
fn check_ownership(block: &Block) -> Result<(), String> {
    let mut owned: BTreeSet<Variable> = block.free.iter().copied().collect();
    if owned.len() != block.free.len() || !block.free.is_sorted() {
        return Err("its free variables are not in order".to_owned());
    }
    let bind = |owned: &mut BTreeSet<Variable>, variable: &Variable| match owned.insert(*variable) {
        true => Ok(()),
        false => Err(format!("x{} is bound twice", variable.0)),
    };
    block.parameters.iter().try_for_each(|parameter| bind(&mut owned, parameter))?;
    for instruction in &block.instructions {
        if let Instruction::Drop(variable) = instruction {
            use_atom(&mut owned, Atom::Moved(*variable))?;
        }
        atoms(instruction).into_iter().try_for_each(|atom| use_atom(&mut owned, atom))?;
        bound(instruction).iter().try_for_each(|variable| bind(&mut owned, variable))?;
    }
    end_atoms(&block.end).into_iter().try_for_each(|atom| use_atom(&mut owned, atom))?;
    // `check_end` compares the remaining variables with those that the successors take over.
    let left: Vec<Variable> = owned.into_iter().collect();
    match &block.end {
        End::Return(_) if !left.is_empty() => Err("something is left at a return".to_owned()),
        End::Return(_) | End::Jump { .. } | End::Branch { .. } | End::Call { .. } | End::Enter { .. } => Ok(()),
    }
}

fn use_atom(owned: &mut BTreeSet<Variable>, atom: Atom) -> Result<(), String> {
    let there = match atom {
        Atom::Variable(variable) => owned.contains(&variable),
        Atom::Moved(variable) => owned.remove(&variable),
        Atom::Constant(_) | Atom::Global(_) | Atom::Primitive(_) | Atom::Slot(_) | Atom::Sibling(_) => true,
    };
    if there { Ok(()) } else { Err(format!("{atom:?} is used but not owned")) }
}

/// Checks that a block owns at its end exactly the variables that its successors take over.
fn check_end(program: &Program, converted: &Converted, id: BlockId, block: &Block) -> Result<(), String> {
    let mut left: BTreeSet<Variable> = block.free.iter().chain(&block.parameters).copied().collect();
    for instruction in &block.instructions {
        let moved = atoms(instruction).into_iter().filter_map(Atom::moved);
        let dropped = matches!(instruction, Instruction::Drop(_)).then_some(instruction);
        let dropped =
            dropped.and_then(|drop| if let Instruction::Drop(variable) = drop { Some(*variable) } else { None });
        moved.chain(dropped).for_each(|variable| {
            left.remove(&variable);
        });
        left.extend(bound(instruction));
    }
    end_atoms(&block.end).into_iter().filter_map(Atom::moved).for_each(|variable| {
        left.remove(&variable);
    });
    let left: Vec<Variable> = left.into_iter().collect();
    let goes_on = |next: BlockId, parameters: usize| -> Result<(), String> {
        let to = converted.block(next);
        if next <= id || to.activation != block.activation || to.parameters.len() != parameters {
            return Err(format!("it cannot go on to block {}", next.0));
        }
        if to.free != left {
            return Err(format!("block {} takes over {:?}, but there is {left:?}", next.0, to.free));
        }
        Ok(())
    };
    let then = |then: CallContinuation| match then {
        CallContinuation::Return if left.is_empty() => Ok(()),
        CallContinuation::Return => Err("something is left at a call in tail position".to_owned()),
        CallContinuation::Continue(next) if matches!(converted.block(next).role, Role::Continuation { .. }) => {
            goes_on(next, 1)
        }
        CallContinuation::Continue(next) => Err(format!("block {} cannot be a frame", next.0)),
    };
    match &block.end {
        End::Return(_) => Ok(()),
        End::Jump { block, arguments } => goes_on(*block, arguments.len()),
        End::Branch { consequent, alternative, .. } => {
            goes_on(*consequent, 0)?;
            goes_on(*alternative, 0)
        }
        End::Call { operands, then: k, .. } if !operands.is_empty() => then(*k),
        End::Call { .. } => Err("a call has an operand".to_owned()),
        End::Enter { lambda, arguments, then: k, .. } => {
            let direct = converted.activation(converted.procedure(*lambda)).direct;
            let parameters = direct.map(|direct| converted.block(direct).parameters.len());
            if parameters != Some(arguments.len()) {
                let name = program.lambda(*lambda).name.as_deref().unwrap_or("a procedure");
                return Err(format!("{name} is entered with {} arguments", arguments.len()));
            }
            then(*k)
        }
    }
}

/// Checks that a block needs exactly what it itself or a successor needs. Successors have greater numbers, so the check
/// of each block by itself covers everything after it.
fn check_needs(converted: &Converted, block: &Block) -> Result<(), String> {
    let next: Vec<&Block> = next_blocks(&block.end).map(|id| converted.block(id)).collect();
    let used = block.instructions.iter().flat_map(atoms).chain(end_atoms(&block.end));
    let slots = used.into_iter().any(|atom| is_of_slots(&atom)) || next.iter().any(|next| next.needs_slots);
    if block.needs_slots != slots {
        return Err(format!("it is wrong that its needing the slots is {}", block.needs_slots));
    }
    let calls = match block.end {
        End::Call { .. } | End::Enter { .. } => true,
        End::Return(_) | End::Jump { .. } | End::Branch { .. } => false,
    };
    let matters =
        calls || is_frame(block) || block.instructions.iter().any(can_fail) || next.iter().any(|next| next.needs_site);
    if block.needs_site != (matters && converted.activation(block.activation).is_shipped) {
        return Err(format!("it is wrong that its needing the site is {}", block.needs_site));
    }
    Ok(())
}

/// Checks that each node of core whose entry is a step is entered in exactly one place.
fn check_steps(program: &Program, converted: &Converted) -> Result<(), String> {
    let mut entered = HashSet::new();
    for instruction in converted.blocks.iter().flat_map(|block| &block.instructions) {
        if let Instruction::Step(node) = instruction
            && !entered.insert(*node)
        {
            return Err(format!("node {} is entered in two places", node.0));
        }
    }
    let expected: HashSet<ExpressionId> = nodes(program).into_iter().filter(|node| program.counts(*node)).collect();
    let missing = expected.difference(&entered).next().or_else(|| entered.difference(&expected).next());
    missing.map_or(Ok(()), |node| Err(format!("node {} is entered, or not entered, against core", node.0)))
}

/// The expression nodes of the program that can be entered.
fn nodes(program: &Program) -> HashSet<ExpressionId> {
    let mut found = HashSet::new();
    let mut pending: Vec<ExpressionId> = program.roots().map(|(_, body)| body).collect();
    while let Some(node) = pending.pop() {
        found.insert(node);
        if let Expression::Let { operator, .. } = program.expression(node) {
            found.insert(operator);
        }
        pending.extend(program.parts_and_bodies(node));
    }
    found
}
