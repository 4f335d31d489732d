//! Continuations as data: k in the equations is a stack of frames, each the rest of one construct.
//!
//! The stack stands in segments of equal length, so it grows without being copied and takes memory by need.

use crate::environment::Environment;
use std::mem;
use vlad_shared::core::{ExpressionId, Program};
use vlad_shared::internal_bug;
use vlad_shared::pending::Awaiting;
use vlad_shared::value::{Level, Value};

/// What remains to be done with the value of a subexpression.
#[derive(Debug)]
pub enum Frame {
    /// λx₁. of `(e₁ e₂)`: then the operand.
    Operator {
        /// The application.
        node: ExpressionId,
        /// Its environment.
        environment: Box<Environment>,
    },
    /// λx₂. of `(e₁ e₂)`: then the application.
    Operand {
        /// The value of the operator.
        operator: Value,
        /// The application.
        node: ExpressionId,
        /// Where faults of the prelude are shown.
        site: ExpressionId,
    },
    /// The operand of `((lambda p e) e₂)`: then the body.
    Let {
        /// The application.
        node: ExpressionId,
        /// Its environment.
        environment: Box<Environment>,
    },
    /// λx₁. of `(cons e₁ e₂)`: then the second half.
    First {
        /// The `cons`.
        node: ExpressionId,
        /// Its environment.
        environment: Box<Environment>,
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
        environment: Box<Environment>,
    },
    /// The application inside `(j* f x x')`: then the split into primal and tangent.
    LeaveForward {
        /// The level to end.
        level: Level,
        /// The application of the operator.
        node: ExpressionId,
        /// Where faults of the prelude are shown.
        site: ExpressionId,
    },
    /// The application inside `(*j f x y')`: then the sweep.
    LeaveReverse {
        /// The level to end.
        level: Level,
        /// x and y', as given.
        operands: Box<(Value, Value)>,
        /// The application of the operator.
        node: ExpressionId,
        /// Where faults of the prelude are shown.
        site: ExpressionId,
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
            | Frame::Test { node, .. }
            | Frame::LeaveForward { node, .. }
            | Frame::LeaveReverse { node, .. } => *node,
        }
    }

    /// The node whose value the frame awaits.
    pub fn awaiting(&self, program: &Program) -> Awaiting {
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
            (Frame::LeaveForward { .. } | Frame::LeaveReverse { .. }, _) => node,
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
#[derive(Debug, Default)]
pub struct Continuation {
    /// The innermost frames.
    top: Vec<Frame>,
    /// Full segments, outermost first.
    below: Vec<Vec<Frame>>,
    /// An empty segment kept for the next time that `top` is full.
    spare: Option<Vec<Frame>>,
}

/// The frames in a segment.
const SEGMENT: usize = 1024;

impl Continuation {
    /// Adds the innermost frame.
    #[inline]
    pub fn push(&mut self, frame: Frame) {
        if self.top.len() == self.top.capacity() {
            self.extend();
        }
        self.top.push(frame);
    }

    #[cold]
    fn extend(&mut self) {
        let segment = self.spare.take().unwrap_or_else(|| Vec::with_capacity(SEGMENT));
        let full = mem::replace(&mut self.top, segment);
        if !full.is_empty() {
            self.below.push(full);
        }
    }

    /// Takes the innermost frame.
    #[inline]
    pub fn pop(&mut self) -> Option<Frame> {
        match self.top.pop() {
            Some(frame) => Some(frame),
            None => self.pop_below(),
        }
    }

    #[cold]
    fn pop_below(&mut self) -> Option<Frame> {
        let segment = self.below.pop()?;
        self.spare = Some(mem::replace(&mut self.top, segment));
        self.top.pop()
    }

    /// The frames, innermost first.
    pub fn iter(&self) -> impl Iterator<Item = &Frame> {
        self.top.iter().rev().chain(self.below.iter().rev().flat_map(|segment| segment.iter().rev()))
    }
}
