//! The state of the conversion of a program: the converted activations so far, and the worklist of procedures.

use super::observation::Observation;
use crate::tree::{ActivationId, Converted};
use vlad_core::{LambdaId, Program};
use vlad_table::internal_bug;

/// A conversion in progress.
pub(super) struct Conversion<'program> {
    pub(super) program: &'program Program,
    pub(super) converted: Converted,
    /// Procedures that are referred to and not converted yet.
    pub(super) waiting: Vec<LambdaId>,
    /// The code of each definition that is a procedure of known code, see [`Program::known_definitions`].
    pub(super) known_definitions: Vec<Option<LambdaId>>,
    /// The request to observe the conversion, if it is a repeated one.
    pub(super) observation: Option<Observation>,
}

impl<'program> Conversion<'program> {
    /// A conversion that has not begun.
    pub(super) fn new(program: &'program Program, observation: Option<Observation>) -> Conversion<'program> {
        Conversion {
            program,
            converted: Converted { procedures: vec![None; program.lambdas.len()], ..Converted::default() },
            waiting: Vec::new(),
            known_definitions: program.known_definitions(),
            observation,
        }
    }

    /// Puts a procedure's code on the worklist, unless it is there.
    pub(super) fn need(&mut self, lambda: LambdaId) {
        let Some(place) = self.converted.procedures.get_mut(lambda.0 as usize) else {
            internal_bug!("lambda {} is in the arena", lambda.0);
        };
        if place.is_none() {
            // A placeholder: the number is known when the procedure has been converted.
            *place = Some(ActivationId(u32::MAX));
            self.waiting.push(lambda);
        }
    }
}
