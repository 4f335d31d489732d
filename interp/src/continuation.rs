//! Continuations as data: k in the equations is a stack of frames, each the continuation of one construct.

use crate::environment::Environment;
use std::rc::Rc;
use vlad_core::{Awaiting, ExpressionId, Program};
use vlad_runtime::diagnosis::frames::PendingFrame;
use vlad_runtime::primitives::operands::whole;
use vlad_runtime::segments::Segments;
use vlad_runtime::suspended::{Awaited, awaited_node};
use vlad_values::Value;

/// The continuation of a construct that awaits the value of a part.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The expression node of the construct.
    pub node: ExpressionId,
    /// True if the value is that of a call that has begun, which counts for the depth of nested calls.
    pub awaits_call: bool,
    /// The part that is awaited, with what is kept for the rest.
    pub awaited: Part,
}

/// The part of a construct whose value is awaited.
#[derive(Clone, Debug)]
pub enum Part {
    /// λx₁. of `(e₁ e₂)`: evaluates the operand next, in the environment.
    Operator(Rc<Environment>),
    /// λx₂. of `(e₁ e₂)`: applies the operator next.
    Operand {
        /// The value of the operator.
        operator: Value,
        /// The call site, at which faults of library code are reported.
        site: ExpressionId,
    },
    /// The operand of `((lambda p e) e₂)`: evaluates the body next.
    Let(Rc<Environment>),
    /// λx₁. of `(cons e₁ e₂)`: evaluates the second half next.
    First(Rc<Environment>),
    /// λx₂. of `(cons e₁ e₂)`: makes the pair next.
    Second {
        /// The value of the first half.
        first: Value,
        /// The call site.
        site: ExpressionId,
    },
    /// λx₁. of `(if e₁ e₂ e₃)`: evaluates a branch next.
    Test(Rc<Environment>),
}

impl Part {
    /// The part as points name it.
    pub fn name(&self) -> Awaited {
        match self {
            Part::Operator(_) => Awaited::Operator,
            Part::Operand { .. } => Awaited::Operand,
            Part::Let(_) => Awaited::Let,
            Part::First(_) => Awaited::First,
            Part::Second { .. } => Awaited::Second,
            Part::Test(_) => Awaited::Test,
        }
    }
}

impl Frame {
    /// The frame of a construct that awaits a part, of which no call has begun.
    pub fn of(node: ExpressionId, awaited: Part) -> Frame {
        Frame { node, awaits_call: false, awaited }
    }

    /// The environment in which the construct continues, if it needs one.
    fn environment(&self) -> Option<&Environment> {
        match &self.awaited {
            Part::Operator(environment)
            | Part::Let(environment)
            | Part::First(environment)
            | Part::Test(environment) => Some(environment),
            Part::Operand { .. } | Part::Second { .. } => None,
        }
    }

    /// The call site of the activation.
    fn site(&self) -> ExpressionId {
        match &self.awaited {
            Part::Operator(environment)
            | Part::Let(environment)
            | Part::First(environment)
            | Part::Test(environment) => environment.site,
            Part::Operand { site, .. } | Part::Second { site, .. } => *site,
        }
    }

    /// The frame as errors report it.
    pub fn pending(&self, program: &Program) -> PendingFrame {
        let awaiting = self.awaiting(program);
        let environment = self.environment();
        let iteration = program.iteration_local(awaiting.awaited).zip(environment);
        PendingFrame {
            awaiting,
            site: Some(self.site()),
            iteration: iteration.and_then(|(local, environment)| whole(environment.local(local))),
        }
    }

    /// The expression node whose value the frame awaits.
    pub fn awaiting(&self, program: &Program) -> Awaiting {
        Awaiting { node: self.node, awaited: awaited_node(program, self.awaited.name(), self.node) }
    }
}

/// The frames of a continuation, innermost last.
pub type Continuation = Segments<Frame>;
