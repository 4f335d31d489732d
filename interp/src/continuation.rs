//! Continuations as data: k in the equations is a stack of frames, each the continuation of one construct.

use crate::environment::Environment;
use std::rc::Rc;
use vlad_core::{Awaiting, ExpressionId, Program};
use vlad_runtime::frames::PendingFrame;
use vlad_runtime::operands::whole;
use vlad_runtime::segments::Segments;
use vlad_table::internal_bug;
use vlad_values::Value;

/// The continuation of a construct that awaits the value of a part.
#[derive(Clone, Debug)]
pub enum Frame {
    /// λx₁. of `(e₁ e₂)`: evaluates the operand next.
    Operator {
        /// The application.
        node: ExpressionId,
        /// Its environment.
        environment: Rc<Environment>,
    },
    /// λx₂. of `(e₁ e₂)`: applies the operator next.
    Operand {
        /// The value of the operator.
        operator: Value,
        /// The application.
        node: ExpressionId,
        /// The call site, at which faults of library code are reported.
        site: ExpressionId,
    },
    /// The operand of `((lambda p e) e₂)`: evaluates the body next.
    Let {
        /// The application.
        node: ExpressionId,
        /// Its environment.
        environment: Rc<Environment>,
    },
    /// λx₁. of `(cons e₁ e₂)`: evaluates the second half next.
    First {
        /// The `cons`.
        node: ExpressionId,
        /// Its environment.
        environment: Rc<Environment>,
    },
    /// λx₂. of `(cons e₁ e₂)`: makes the pair next.
    Second {
        /// The `cons`.
        node: ExpressionId,
        /// The value of the first half.
        first: Value,
    },
    /// λx₁. of `(if e₁ e₂ e₃)`: evaluates a branch next.
    Test {
        /// The `if`.
        node: ExpressionId,
        /// Its environment.
        environment: Rc<Environment>,
    },
}

impl Frame {
    /// The expression node of the construct.
    pub fn node(&self) -> ExpressionId {
        match self {
            Frame::Operator { node, .. }
            | Frame::Operand { node, .. }
            | Frame::Let { node, .. }
            | Frame::First { node, .. }
            | Frame::Second { node, .. }
            | Frame::Test { node, .. } => *node,
        }
    }

    /// The environment in which the construct continues, if it needs one.
    fn environment(&self) -> Option<&Environment> {
        match self {
            Frame::Operator { environment, .. }
            | Frame::Let { environment, .. }
            | Frame::First { environment, .. }
            | Frame::Test { environment, .. } => Some(environment),
            Frame::Operand { .. } | Frame::Second { .. } => None,
        }
    }

    /// The frame as errors report it.
    pub fn pending(&self, program: &Program) -> PendingFrame {
        let awaiting = self.awaiting(program);
        let environment = self.environment();
        let iteration = program.iteration_local(awaiting.awaited).zip(environment);
        PendingFrame {
            awaiting,
            site: environment.map(|environment| environment.site),
            iteration: iteration.and_then(|(local, environment)| whole(environment.local(local))),
        }
    }

    /// The expression node whose value the frame awaits.
    fn awaiting(&self, program: &Program) -> Awaiting {
        use vlad_core::Expression as E;
        let node = self.node();
        let awaited = match (self, program.expression(node)) {
            (Frame::Operator { .. }, E::Application { operator, .. }) => operator,
            (Frame::Operand { .. }, E::Application { operand, .. }) | (Frame::Let { .. }, E::Let { operand, .. }) => {
                operand
            }
            (Frame::First { .. }, E::Cons { first, .. }) => first,
            (Frame::Second { .. }, E::Cons { second, .. }) => second,
            (Frame::Test { .. }, E::If { test, .. }) => test,
            (
                Frame::Operator { .. }
                | Frame::Operand { .. }
                | Frame::Let { .. }
                | Frame::First { .. }
                | Frame::Second { .. }
                | Frame::Test { .. },
                _,
            ) => internal_bug!("a frame is of the construct of its node"),
        };
        Awaiting { node, awaited }
    }
}

/// The frames of a continuation, innermost last.
pub type Continuation = Segments<Frame>;
