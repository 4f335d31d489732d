//! Programs to be compiled, and the way in which each has to count its steps.

use crate::foreign::Counting;
use vlad_core::{Expression, ExpressionId, Program, Reference};
use vlad_runtime::run::Limits;
use vlad_runtime::suspended::Scope;
use vlad_table::{Control, Form, Primitive};

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
}

impl<'program> Task<'program> {
    /// A task for a whole run with limits.
    pub fn with_limits(program: &'program Program, limits: &Limits) -> Task<'program> {
        Task { program, counting: counting_for(program, limits), tagged_from: None }
    }

    /// A task for a run of some scope with limits.
    pub fn with_scope(scope: Scope, program: &'program Program, limits: &Limits) -> Task<'program> {
        match scope {
            Scope::Whole => Task::with_limits(program, limits),
            Scope::Part => Task { counting: Counting::Stoppable, ..Task::with_limits(program, limits) },
        }
    }
}

/// Returns the way in which a program has to count its steps under limits.
pub fn counting_for(program: &Program, limits: &Limits) -> Counting {
    if limits.steps.is_some() || stopping_node(program).is_some() { Counting::Stoppable } else { Counting::ByBlock }
}

/// The first reference of a program to a primitive that stops computations at nodes.
pub fn stopping_node(program: &Program) -> Option<ExpressionId> {
    let is_such = |primitive: Primitive| {
        matches!(primitive.row().form, Form::Control(Control::Interrupt | Control::Checkpoint(_)))
    };
    let stops = |expression: &Expression| match expression {
        Expression::Variable(Reference::Primitive(primitive)) => is_such(*primitive),
        Expression::Variable(_)
        | Expression::Constant(_)
        | Expression::Lambda(_)
        | Expression::Application { .. }
        | Expression::Let { .. }
        | Expression::Cons { .. }
        | Expression::If { .. }
        | Expression::Letrec { .. } => false,
    };
    program.expressions.iter().position(stops).map(|number| ExpressionId(number as u32))
}
