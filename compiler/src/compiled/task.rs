//! Programs to be compiled, and the way in which each has to count its steps.

use crate::foreign::Counting;
use vlad_ad::checkpointing::Strategy;
use vlad_ad::traps::Traps;
use vlad_core::{Expression, Program, Reference};
use vlad_runtime::run::Limits;
use vlad_runtime::suspended::Scope;
use vlad_table::{CheckpointForm, Control, Form};

/// A program to be compiled, with the way in which it counts its steps.
#[derive(Clone, Copy, Debug)]
pub struct Task<'program> {
    /// The program.
    pub program: &'program Program,
    /// The way of counting. The program must be stoppable if it is run with a limit of steps or in parts, or if it
    /// interrupts computations.
    pub counting: Counting,
    /// The first item that is not specialised, nor any after it; none if every item may be.
    pub tagged_from: Option<usize>,
    /// The reaction to operations that make a NaN or an infinity. A program with traps has no item that is specialised.
    pub traps: Traps,
}

impl<'program> Task<'program> {
    /// A task for a whole run with limits.
    pub fn with_limits(program: &'program Program, limits: &Limits) -> Task<'program> {
        let tagged_from = (!can_be_specialised(program, limits)).then_some(0);
        Task { program, counting: counting_for(program, limits), tagged_from, traps: limits.traps }
    }

    /// A task for a run of some scope with limits.
    pub fn with_scope(scope: Scope, program: &'program Program, limits: &Limits) -> Task<'program> {
        match scope {
            Scope::Whole | Scope::Items => Task::with_limits(program, limits),
            Scope::Part => Task { program, counting: Counting::Stoppable, tagged_from: Some(0), traps: limits.traps },
        }
    }
}

/// Returns the way in which a program has to count its steps under limits.
pub fn counting_for(program: &Program, limits: &Limits) -> Counting {
    if limits.steps.is_some() || stops_computations(program) { Counting::Stoppable } else { Counting::ByBlock }
}

/// Returns true if a whole run with limits may have specialised code, which does not stop at nodes, does not divide
/// executions as the options of the run ask, and does not execute each operation, or not in its place.
pub fn can_be_specialised(program: &Program, limits: &Limits) -> bool {
    let is_divided = |control| control == Control::Checkpoint(CheckpointForm::OfRun);
    let is_whole = limits.steps.is_none() && limits.traps == Traps::Off;
    is_whole && (limits.strategy == Strategy::default() || !refers_to(program, is_divided))
}

/// Returns true if a program may stop computations at nodes.
fn stops_computations(program: &Program) -> bool {
    refers_to(program, |control| matches!(control, Control::Interrupt | Control::Checkpoint(_)))
}

/// Returns true if a program refers to a primitive that calls a procedure in some way.
fn refers_to(program: &Program, is_such: impl Fn(Control) -> bool) -> bool {
    program.expressions.iter().any(|expression| match expression {
        Expression::Variable(Reference::Primitive(primitive)) => match primitive.row().form {
            Form::Control(control) => is_such(control),
            _ => false,
        },
        Expression::Variable(_)
        | Expression::Constant(_)
        | Expression::Lambda(_)
        | Expression::Application { .. }
        | Expression::Let { .. }
        | Expression::Cons { .. }
        | Expression::If { .. }
        | Expression::Letrec { .. } => false,
    })
}
