//! Continuations as data: k in the equations is a stack of frames, each the rest of one construct.

use crate::environment::Environment;
use std::rc::Rc;
use vlad_shared::core::{ExpressionId, Program};
use vlad_shared::internal_bug;
use vlad_shared::operands::whole;
use vlad_shared::pending::{Awaiting, PendingFrame};
use vlad_shared::segments::Segments;
use vlad_shared::value::Value;

/// What remains to be done with the value of a subexpression.
#[derive(Clone, Debug)]
pub enum Frame {
    /// λx₁. of `(e₁ e₂)`: then the operand.
    Operator {
        /// The application.
        node: ExpressionId,
        /// Its environment.
        environment: Rc<Environment>,
    },
    /// λx₂. of `(e₁ e₂)`: then the application.
    Operand {
        /// The value of the operator.
        operator: Value,
        /// The application.
        node: ExpressionId,
        /// Where faults of shipped code are shown.
        site: ExpressionId,
    },
    /// The operand of `((lambda p e) e₂)`: then the body.
    Let {
        /// The application.
        node: ExpressionId,
        /// Its environment.
        environment: Rc<Environment>,
    },
    /// λx₁. of `(cons e₁ e₂)`: then the second half.
    First {
        /// The `cons`.
        node: ExpressionId,
        /// Its environment.
        environment: Rc<Environment>,
    },
    /// λx₂. of `(cons e₁ e₂)`: then the pair.
    Second {
        /// The `cons`.
        node: ExpressionId,
        /// The value of the first half.
        first: Value,
    },
    /// λx₁. of `(if e₁ e₂ e₃)`: then a branch.
    Test {
        /// The `if`.
        node: ExpressionId,
        /// Its environment.
        environment: Rc<Environment>,
    },
}

impl Frame {
    /// The node whose rest this is.
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

    /// The environment of the rest, if it needs one.
    fn environment(&self) -> Option<&Environment> {
        match self {
            Frame::Operator { environment, .. }
            | Frame::Let { environment, .. }
            | Frame::First { environment, .. }
            | Frame::Test { environment, .. } => Some(environment),
            Frame::Operand { .. } | Frame::Second { .. } => None,
        }
    }

    /// What errors tell of the frame.
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

    /// The node whose value the frame awaits.
    fn awaiting(&self, program: &Program) -> Awaiting {
        use vlad_shared::core::Expression as E;
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
