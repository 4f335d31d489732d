//! The input of the code generator: a program, and facts about its blocks that need no analysis.

use crate::foreign::Counting;
use crate::procedures::Specialised;
use vlad_ad::traps::Traps;
use vlad_core::{ExpressionId, Item, LambdaId, Program};
use vlad_cps::{Activation, ActivationId, BlockId, Converted};

/// A program that C is generated for: the input of all passes.
#[derive(Clone, Copy)]
pub struct Unit<'program> {
    /// The program.
    pub program: &'program Program,
    /// Its CPS conversion.
    pub converted: &'program Converted,
    /// The way in which its steps are counted.
    pub counting: Counting,
    /// The reaction to operations that make a NaN or an infinity. With traps all operations on reals are left to the
    /// runtime, and each operation that the language executes is executed, so no value is elided.
    pub traps: Traps,
    /// The first-order code of what is specialised.
    pub specialised: &'program Specialised,
    /// The prefix of the names of all its C objects.
    pub prefix: &'program str,
}

impl<'program> Unit<'program> {
    /// Returns the procedure, if an item does nothing but define one.
    pub fn definition(&self, activation: ActivationId) -> Option<LambdaId> {
        let place = self.converted.items.binary_search(&activation).ok()?;
        match self.program.items.get(place) {
            Some(Item::Define(_, node)) => self.program.procedure_at(*node),
            Some(Item::Expression(_)) | None => None,
        }
    }

    /// Returns true if procedures of that code have captured slots.
    pub fn has_slots(&self, lambda: LambdaId) -> bool {
        let lambda = self.program.lambda(lambda);
        let captures = lambda.group.map_or(&lambda.captures, |(group, _)| &self.program.group(group).captures);
        !captures.is_empty()
    }

    /// Returns true if the captured slots are available when a block begins.
    pub fn keeps_slots(&self, id: BlockId) -> bool {
        let has_slots = self.activation_of(id).lambda.is_some_and(|lambda| self.has_slots(lambda));
        has_slots && self.converted.block(id).needs_slots
    }

    /// Returns true if a function that begins with a block keeps the call site: the user's application through which
    /// library code was entered.
    pub fn has_site(&self, head: BlockId) -> bool {
        self.activation_of(head).is_shipped && self.converted.block(head).needs_site
    }

    /// Returns the number of values that the frame of a block holds below its link.
    pub fn frame_values(&self, id: BlockId) -> u64 {
        let block = self.converted.block(id);
        block.free.len() as u64 + u64::from(self.keeps_slots(id)) + u64::from(block.needs_site)
    }

    /// The maximal number of variables of an activation: the number of storage locations in the machine.
    pub fn places(&self) -> u64 {
        self.converted.activations.iter().map(|activation| u64::from(activation.variables)).max().unwrap_or_default()
    }

    /// The activation of a block.
    pub fn activation_of(&self, block: BlockId) -> &'program Activation {
        self.converted.activation(self.converted.block(block).activation)
    }

    /// The outermost node of an activation at top level.
    pub fn top_of(&self, activation: ActivationId) -> Option<ExpressionId> {
        let place = self.converted.items.binary_search(&activation).ok()?;
        self.program.items.get(place).map(|item| item.node())
    }
}
