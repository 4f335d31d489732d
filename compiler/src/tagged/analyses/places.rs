//! Representatives of places at the same position of equal code. Comparisons of capsules use them.

use crate::foreign::Counting;
use crate::tagged::steps::step;
use crate::tagged::unit::Unit;
use std::collections::HashMap;
use vlad_core::ExpressionId;
use vlad_core::equality::code_classes;
use vlad_cps::{ActivationId, BlockId, Converted};
use vlad_table::internal_bug;

/// Representatives of the places in the blocks of a program: places at the same position of equal code have the same
/// one. Capsules are compared by them. Of the activations of procedures with equal code the first is the
/// representative.
#[derive(Clone, Debug, Default)]
pub struct Representatives {
    /// For each activation its first block, and the first block of its representative.
    firsts: Vec<(u32, u32)>,
}

/// Computes the representatives for a program; none if it is not stoppable, so that no capsule is made of it.
pub fn places(unit: Unit<'_>) -> Representatives {
    let Unit { program, converted, counting, .. } = unit;
    if counting == Counting::ByBlock {
        return Representatives::default();
    }
    let mut firsts = vec![(u32::MAX, u32::MAX); converted.activations.len()];
    for (number, block) in converted.blocks.iter().enumerate().rev() {
        if let Some(first) = firsts.get_mut(block.activation.0 as usize) {
            *first = (number as u32, number as u32);
        }
    }
    let classes = code_classes(program);
    let mut of_class: HashMap<u32, u32> = HashMap::new();
    for (lambda, activation) in converted.procedures.iter().enumerate() {
        let (Some(ActivationId(activation)), Some(class)) = (activation, classes.get(lambda)) else { continue };
        if let Some(first) = firsts.get_mut(*activation as usize) {
            first.1 = *of_class.entry(*class).or_insert(first.0);
        }
    }
    Representatives { firsts }
}

impl Representatives {
    /// Returns the representative of a block.
    pub fn block(&self, converted: &Converted, id: BlockId) -> BlockId {
        match self.firsts.get(converted.block(id).activation.0 as usize) {
            Some((own, other)) => BlockId(id.0 - own + other),
            None => internal_bug!("block {} belongs to an activation", id.0),
        }
    }

    /// Returns the representative of the node that an instruction of a block enters; none if equal code was converted
    /// differently.
    pub fn node(&self, converted: &Converted, id: BlockId, instruction: usize) -> Option<ExpressionId> {
        let block = converted.blocks.get(self.block(converted, id).0 as usize)?;
        block.instructions.get(instruction).and_then(step)
    }

    /// Checks that equal code is converted alike: that each node that is entered has a representative.
    pub fn check(&self, converted: &Converted) -> Result<(), String> {
        for (number, block) in converted.blocks.iter().enumerate() {
            let id = BlockId(number as u32);
            for (place, instruction) in block.instructions.iter().enumerate() {
                if step(instruction).is_some() && self.node(converted, id, place).is_none() {
                    return Err(format!("block {number} is not converted as the code that it equals"));
                }
            }
        }
        Ok(())
    }
}
