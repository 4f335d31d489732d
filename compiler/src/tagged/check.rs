//! Checker of the postconditions of three [`super::analyses`]. It runs after them, in tests.
//!
//! - `regions`: each reachable block is in one function, whole or in chunks, after all its predecessors. The length of
//!   each function is bounded, unless a single instruction exceeds the bound. A chunk receives the variables of earlier
//!   chunks that it needs.
//! - `elision`: a variable whose value is elided has one use, in the same block.
//! - `rows`: each step is in a row, at which exactly the variables that liveness computes are alive.

use super::analyses::elision::Demand;
use super::analyses::regions::{EntryKind, Function, HEAVY, Piece, has_no_function, is_leaf, weight};
use super::analyses::rows::StepRow;
use super::context::Context;
use super::steps::step;
use std::collections::BTreeMap;
use vlad_cps::liveness::{
    atoms, branches, continuation, end_atoms, given_up, live_before, needs_slots_from, next_blocks,
};
use vlad_cps::{Atom, Block, BlockId, End, Variable};

/// The location of each block: the function that contains its end, and the index of its piece there.
type Representatives = BTreeMap<BlockId, (usize, usize)>;

/// Checks the partition of the blocks of a program into functions.
///
/// # Errors
/// A description of the first postcondition that is violated, and its location.
pub fn check(context: &Context<'_>) -> Result<(), String> {
    let places = check_pieces(context)?;
    for (id, block) in blocks(context) {
        if has_no_function(context.unit, &context.escapes, id, block) {
            continue;
        }
        let own = places.get(&id).ok_or_else(|| format!("block {} stands in no function", id.0))?;
        for next in branches(&block.end) {
            check_transfer(context, &places, *own, next).map_err(|message| format!("block {}: {message}", id.0))?;
        }
        if let Some(next) = continuation(&block.end)
            && entering(context, next) != Some(EntryKind::Frame)
        {
            return Err(format!("block {} continues a call and is not entered by a frame", next.0));
        }
    }
    for (id, block) in blocks(context) {
        check_elisions(context, id, block).map_err(|message| format!("block {}: {message}", id.0))?;
    }
    for (number, function) in context.regions.functions.iter().enumerate() {
        check_length(context, function)
            .and_then(|()| check_crossings(context, function))
            .and_then(|()| check_rows(context, number, function))
            .map_err(|message| format!("function {number}: {message}"))?;
    }
    Ok(())
}

fn blocks<'c>(context: &'c Context<'_>) -> impl Iterator<Item = (BlockId, &'c Block)> {
    context.unit.converted.blocks.iter().enumerate().map(|(number, block)| (BlockId(number as u32), block))
}

fn entering(context: &Context<'_>, block: BlockId) -> Option<EntryKind> {
    context.regions.head(block).map(|function| context.regions.function(function).entering)
}

/// Checks that the pieces of each block are all of its instructions, in order, and that each chunk but the last leads
/// to the next.
fn check_pieces(context: &Context<'_>) -> Result<Representatives, String> {
    let mut places = Representatives::new();
    // For each block that is incomplete so far, the start and the function of its next chunk.
    let mut cut: BTreeMap<BlockId, (usize, usize)> = BTreeMap::new();
    for (number, function) in context.regions.functions.iter().enumerate() {
        for (place, piece) in function.pieces.iter().enumerate() {
            let fail = |message: &str| Err(format!("block {} in function {number} {message}", piece.block.0));
            let block = context.unit.converted.block(piece.block);
            let chunk = cut.remove(&piece.block);
            if places.contains_key(&piece.block) || has_no_function(context.unit, &context.escapes, piece.block, block)
            {
                return fail("stands there once too often");
            }
            if function.activation != block.activation {
                return fail("is of another activation");
            }
            let is_chunk = matches!(function.entering, EntryKind::Chunk(_)) && place == 0;
            if is_chunk != chunk.is_some() || chunk.unwrap_or((0, number)) != (piece.instructions.start, number) {
                return fail("does not go on where it was cut");
            }
            let is_head = !is_chunk && place == 0;
            if is_head != (context.regions.head(piece.block) == Some(number)) {
                return fail("is head without being first, or first without being head");
            }
            match piece.next_chunk {
                Some(next) if place + 1 == function.pieces.len() => {
                    cut.insert(piece.block, (piece.instructions.end, next));
                }
                None if piece.instructions.end == block.instructions.len() => {
                    places.insert(piece.block, (number, place));
                }
                Some(_) | None => return fail("is not whole"),
            }
        }
    }
    match cut.keys().next() {
        Some(block) => Err(format!("block {} lacks its last chunk", block.0)),
        None => Ok(places),
    }
}

/// Checks that a successor of a block is a head that may be entered so, or comes later in the same function.
fn check_transfer(
    context: &Context<'_>,
    places: &Representatives,
    (function, place): (usize, usize),
    next: BlockId,
) -> Result<(), String> {
    let is_behind = match entering(context, next) {
        Some(EntryKind::Arguments | EntryKind::Frame | EntryKind::Spill) => {
            context.regions.head(next).is_some_and(|head| head > function)
        }
        Some(EntryKind::Item | EntryKind::Argument | EntryKind::Chunk(_)) => false,
        None => places.get(&next).is_some_and(|found| found.0 == function && found.1 > place),
    };
    if is_behind { Ok(()) } else { Err(format!("goes on to block {}, which does not stand behind it", next.0)) }
}

/// Checks that a variable whose value is elided, or of which a continuation gets a part alone ([`Demand`]), has one use, in the
/// block itself.
fn check_elisions(context: &Context<'_>, id: BlockId, block: &Block) -> Result<(), String> {
    let uses = |variable: Variable| {
        let atoms = block.instructions.iter().flat_map(atoms).chain(end_atoms(&block.end));
        atoms.filter(|atom| *atom == Atom::Moved(variable) || *atom == Atom::Variable(variable)).count()
    };
    let outlives = |variable: Variable| {
        next_blocks(&block.end).any(|next| context.unit.converted.block(next).free.contains(&variable))
    };
    let has_one_use = |variable| uses(variable) == 1 && !outlives(variable);
    let mut taken = context.elisions.elided(id).collect::<Vec<_>>();
    if context.elisions.demand(id) != Demand::Whole {
        taken.extend(&block.parameters);
    }
    if !taken.is_empty() && context.regions.crossings.contains_key(&id) {
        return Err("is cut, and something in it is not made".to_owned());
    }
    match taken.iter().find(|variable| !has_one_use(**variable)) {
        Some(variable) => Err(format!("variable {} is not made, and has not one use", variable.0)),
        None => Ok(()),
    }
}

/// Checks that the weight of a function, with the ends of its blocks, does not exceed the bound. A single instruction
/// may exceed it, and short blocks that end a path do not count; a function has a few of these for each of its
/// branches.
fn check_length(context: &Context<'_>, function: &Function) -> Result<(), String> {
    let weight_of = |piece: &Piece| -> usize {
        let block = context.unit.converted.block(piece.block);
        let instructions = block.instructions.get(piece.instructions.clone()).unwrap_or_default();
        instructions.iter().map(|instruction| weight(context.unit.program, instruction)).sum()
    };
    let Some((head, rest)) = function.pieces.split_first() else { return Err("has no head".to_owned()) };
    let is_single = head.instructions.len() == 1;
    let mut sum = if is_single { 0 } else { weight_of(head) };
    let (mut leaves, mut branches) = (0, 0);
    for piece in function.pieces.iter() {
        let is_branch = matches!(context.unit.converted.block(piece.block).end, End::Branch { .. });
        branches += usize::from(is_branch && piece.next_chunk.is_none());
    }
    for piece in rest {
        let weight = weight_of(piece);
        if is_leaf(context.unit.converted.block(piece.block), weight) {
            leaves += 1;
        } else {
            sum += weight + 2;
        }
    }
    // Two arms, and their join.
    if leaves > 3 * branches + 1 {
        return Err(format!("has {leaves} short blocks for {branches} branches"));
    }
    if sum > HEAVY + 2 { Err(format!("weighs {sum}")) } else { Ok(()) }
}

/// Checks that a chunk loads the variables that it needs from earlier ones, which store them; the last chunk also needs
/// those alive after the block.
fn check_crossings(context: &Context<'_>, function: &Function) -> Result<(), String> {
    let (EntryKind::Chunk(chunk), Some(piece)) = (function.entering, function.pieces.first()) else { return Ok(()) };
    let block = context.unit.converted.block(piece.block);
    let Some(crossings) = context.regions.crossings.get(&piece.block) else {
        return Err("is a chunk of a block that is not cut".to_owned());
    };
    let instructions = block.instructions.get(piece.instructions.clone()).unwrap_or_default();
    let is_used = |variable: &Variable| {
        let is_read = |atom: Atom| atom == Atom::Variable(*variable) || atom == Atom::Moved(*variable);
        piece.next_chunk.is_none()
            || instructions
                .iter()
                .any(|one| given_up(one).any(|gone| gone == *variable) || atoms(one).into_iter().any(is_read))
    };
    let is_loaded = |variable: &Variable| {
        crossings.loaded.get(chunk).is_some_and(|loaded| loaded.contains(variable))
            && crossings.stored.iter().take(chunk).any(|stored| stored.contains(variable))
    };
    let alive = live_before(block, piece.instructions.start);
    match alive.iter().find(|variable| is_used(variable) && !is_loaded(variable)) {
        Some(variable) => Err(format!("variable {} is not handed over to chunk {chunk}", variable.0)),
        None => Ok(()),
    }
}

/// Checks that the steps of the pieces of a function are its rows, in order, each with the right live variables.
fn check_rows(context: &Context<'_>, number: usize, function: &Function) -> Result<(), String> {
    let mut rows = context.rows.of_function(number).iter();
    for piece in &function.pieces {
        let block = context.unit.converted.block(piece.block);
        let nodes: Vec<_> = block.instructions.iter().map(step).collect();
        let mut place = piece.instructions.start;
        while place < piece.instructions.end {
            let row: Vec<_> = nodes.iter().take(piece.instructions.end).skip(place).map_while(|node| *node).collect();
            if row.is_empty() {
                place += 1;
                continue;
            }
            let found =
                rows.next().filter(|found| found.block == piece.block && found.place == place && found.nodes == row);
            check_row(
                context,
                context.regions.first_chunk(number),
                found.ok_or_else(|| format!("block {} lacks a row", piece.block.0))?,
            )?;
            place += row.len();
        }
    }
    if rows.next().is_some() { Err("has a row too many".to_owned()) } else { Ok(()) }
}

/// Checks the live variables of a row against liveness analysis.
fn check_row(context: &Context<'_>, first_chunk: usize, row: &StepRow) -> Result<(), String> {
    let block = context.unit.converted.block(row.block);
    let at_row = context.rows.alive(first_chunk).iter().filter(|alive| alive.from <= row.label && row.label < alive.to);
    let alive: Vec<Variable> = at_row.map(|alive| alive.variable).collect();
    let has_slots = context.unit.keeps_slots(row.block) && needs_slots_from(context.unit.converted, block, row.place);
    if alive != live_before(block, row.place) || alive.len() as u64 != row.variables || has_slots != row.has_slots {
        return Err(format!("row {} keeps what is not alive, or does not keep what is", row.label));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
