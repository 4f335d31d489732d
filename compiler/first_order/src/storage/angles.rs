//! Sines and cosines of one angle: one call computes both, and reduces the angle once.
//!
//! ```text
//! r2 = sin r0              r2 r4 = sine-and-cosine r0
//! r3 = * r2 r1       ~>    r3 = * r2 r1
//! r4 = cos r0
//! ```
//!
//! It takes storage code, where derivatives have left many such pairs: the derivative of either function is the other one. The two
//! stand in one sequence of statements, so wherever one is computed the other one is as well. The pair stands in place of the first.
//! The call has the bits of the two functions (`vlad_table::math`), and their steps are counted by statements of their own.

use crate::{Block, Operand, Statement, Storage, Unit, Variable};
use std::collections::HashMap;
use vlad_table::{Operation, internal_bug};

/// Computes the sine and the cosine of an angle together.
pub fn compute_together(unit: &mut Unit) {
    unit.functions.iter_mut().for_each(|function| in_block(&mut function.body));
}

fn in_block(block: &mut Block) {
    // For each angle the place of the one function of it, and its target.
    let mut alone: HashMap<Operand, (usize, Operation, Variable)> = HashMap::new();
    for mut statement in std::mem::take(&mut block.statements) {
        statement.block_mut().into_iter().for_each(in_block);
        if let Statement::Operation { target, operation, first: angle, .. } = statement
            && matches!(operation, Operation::Sine | Operation::Cosine)
        {
            match alone.remove(&angle) {
                Some((place, other, earlier)) if other != operation => {
                    let targets = if operation == Operation::Cosine { [earlier, target] } else { [target, earlier] };
                    let Some(place) = block.statements.get_mut(place) else {
                        internal_bug!("statements stay where they have been noted")
                    };
                    *place = Storage::SineAndCosine { targets, angle }.into();
                    continue;
                }
                Some(_) | None => {
                    alone.insert(angle, (block.statements.len(), operation, target));
                }
            }
        }
        block.statements.push(statement);
    }
    block.end.blocks_mut().into_iter().flatten().for_each(in_block);
}
