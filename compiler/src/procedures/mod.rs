//! Procedures with specialised code for calls from code that is not specialised.
//!
//! Where an item cannot be specialised as a whole, the procedures of definitions that its code reaches may have
//! specialised code of their own, and so may their derivatives: for operands of a shape that is guessed (`shapes`). Their
//! blocks, and the operators, begin with an attempt to use it (`emit/prologue.rs`, `runtime/procedures.c`): if the operands
//! have the shape, and nothing fails, the call has its result, and its steps are counted; else the blocks run as if nothing
//! had been. So such code has no effects.
//!
//! The analysis sees items alone. So the program gets some more, which are never run: for each procedure definitions of
//! operands, of which the shape alone is known, and the application to them (`extension`).

mod extension;

mod shapes;
#[cfg(test)]
mod tests;

use crate::analysis::{Analysis, Assumed, Weighing};
use crate::first_order::Unit;
use crate::first_order::passes::Passes;
use crate::pipeline::lowered;
use crate::reached::reached_definitions;
use extension::Extension;
use vlad_core::{LambdaId, Program};

/// In the place of the global of an input: the operand of that number.
pub const OPERAND: u32 = 1 << 31;

/// The specialised code of a program.
#[derive(Debug, Default)]
pub struct Specialised {
    /// The code of its items; none, or nothing at all, for those that are not specialised.
    pub items: Vec<Option<Unit>>,
    /// The procedures that have code for calls from the others.
    pub procedures: Vec<Procedure>,
}

/// A call that has specialised code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// The application of the procedure.
    Plain,
    /// `j*` of the procedure. The operands are the point and its tangent.
    Forward,
    /// `*j` of the procedure. The operands are the point and the cotangent of the value.
    Reverse,
}

/// A procedure with specialised code.
#[derive(Debug)]
pub struct Procedure {
    /// The lambda, which captures nothing.
    pub lambda: LambdaId,
    /// The call.
    pub call: Call,
    /// The shapes of the operands that the call takes separately: of one if those of a procedure are one value.
    pub operands: Vec<Assumed>,
    /// The code of the call. Its inputs are definitions and, from [`OPERAND`] on, operands.
    pub unit: Unit,
    /// The number of steps that the code counts, but that the body of the procedure has not: those of the call itself.
    pub call_steps: u64,
}

impl Specialised {
    /// No specialised code.
    pub const NOTHING: &'static Specialised = &Specialised { items: Vec::new(), procedures: Vec::new() };

    /// The specialised code of the items of a program before one, and that of procedures for the others.
    pub fn of(program: &Program, passes: Passes, weighing: Weighing, tagged_from: usize) -> Specialised {
        let extension = Extension::of(program);
        let mut analysis = Analysis::new(&extension.program, weighing);
        let items = program.items.iter().enumerate().map_while(|(item, _)| {
            let outcome = analysis.next_item(|_, unit| lowered(unit, passes))?;
            Some(outcome.ok().filter(|_| item < tagged_from))
        });
        let items: Vec<Option<Unit>> = items.collect();
        let procedures = extension.procedures(&mut analysis, &reached_definitions(program, &items), passes);
        Specialised { items, procedures }
    }

    /// The code of the application of a lambda, with its number.
    pub fn procedure(&self, lambda: LambdaId) -> Option<(usize, &Procedure)> {
        let mut all = self.procedures.iter().enumerate();
        all.find(|(_, procedure)| procedure.call == Call::Plain && procedure.lambda == lambda)
    }
}
