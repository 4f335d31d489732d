//! Procedures with specialised code for calls from code that is not specialised.
//!
//! Where an item cannot be specialised as a whole, the procedures of definitions that its code reaches may have
//! specialised code of their own, and so may their derivatives: for operands of a shape that is guessed (`shapes`). Their
//! blocks, and the operators, begin with an attempt to use it (`tagged/body/prologue.rs`, `runtime/typed/procedures.c`): if the operands
//! have the shape, and nothing fails, the call has its result, and its steps are counted; else the blocks run as if nothing
//! had been. So such code has no effects.
//!
//! The analysis sees items alone. So the program gets some more, which are never run: for each procedure definitions of
//! operands, of which the shape alone is known, and the application to them (`extension`).

mod extension;
mod procedure;
mod shapes;
#[cfg(test)]
mod tests;

use crate::analysis::{Analysis, Weighing};
use crate::pipeline::lowered;
use crate::reached::reached_definitions;
use extension::Extension;
pub use procedure::{Call, OPERAND, Procedure};
use vlad_core::{Item, LambdaId, Program};
use vlad_first_order::Unit;
use vlad_first_order::passes::Passes;

/// The specialised code of a program.
#[derive(Debug, Default)]
pub struct Specialised {
    /// The code of its items; none, or nothing at all, for those that are not specialised.
    pub items: Vec<Option<Unit>>,
    /// The procedures that have code for calls from the others.
    pub procedures: Vec<Procedure>,
    /// The passes with which C is made of them.
    pub passes: Passes,
    /// True if elements of data are in it.
    pub depends_on_data: bool,
}

impl Specialised {
    /// No specialised code.
    pub const NOTHING: &'static Specialised =
        &Specialised { items: Vec::new(), procedures: Vec::new(), passes: Passes::ALL, depends_on_data: false };

    /// The specialised code of the items of a program before one, and that of procedures for the others.
    pub fn of(program: &Program, passes: Passes, weighing: Weighing, tagged_from: usize) -> Specialised {
        let extension = Extension::of(program);
        let mut analysis = Analysis::new(&extension.program, weighing);
        let items = program.items.iter().enumerate().map_while(|(number, item)| {
            let outcome = analysis.next_item(|_, unit| lowered(unit, passes, weighing))?;
            let is_data = matches!(item, Item::Define(global, _) if analysis.is_data(*global));
            Some(outcome.ok().filter(|_| number < tagged_from && !is_data))
        });
        let items: Vec<Option<Unit>> = items.collect();
        let procedures = extension.procedures(&mut analysis, &reached_definitions(program, &items), (passes, weighing));
        Specialised { items, procedures, passes, depends_on_data: analysis.depends_on_data() }
    }

    /// The code of the application of a lambda, with its number.
    pub fn procedure(&self, lambda: LambdaId) -> Option<(usize, &Procedure)> {
        let mut all = self.procedures.iter().enumerate();
        all.find(|(_, procedure)| procedure.call == Call::Plain && procedure.lambda == lambda)
    }
}
