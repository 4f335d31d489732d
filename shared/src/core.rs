//! Core: the seven constructs on which steps are counted, with names resolved to slots.
//!
//! Core is the narrow waist of the system: every front end ends here and every engine starts here. A program is a set of
//! arenas; nodes name each other by number, so neither walking nor dropping a program needs the host's stack.
//!
//! The grammar (report, part 3), e for expressions and p for patterns:
//!
//! ```text
//! e ::= c | x | (lambda p e) | (e e) | (cons e e) | (if e e e) | (letrec ((x (lambda p e)) ...) e)
//! p ::= c | x | (cons p p)
//! ```
//!
//! **Environments.** The body of a procedure runs in an *activation*: its captured *slots*, fixed when the procedure was
//! made, and its *locals*, a sequence that patterns and `letrec` extend at the end. The number of a local is the number
//! of locals bound around it within the activation, so two branches of an expression may use one number for two names.
//!
//! **Let.** An application whose operator is written as a lambda, `((lambda p b) e)`, is what `let` means. Its lambda can
//! never escape, so its body belongs to the activation around it: [`Expression::Let`]. It is still two nodes, application
//! and lambda, and counts as two steps; `operator` is the number of the lambda's node, an [`Expression::Lambda`].

use crate::internal_bug;
use crate::source::{SourceMap, Span};
use crate::table::Primitive;
use crate::value::Value;
use std::iter;

/// The number of an expression node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpressionId(pub u32);

/// The number of a lambda.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LambdaId(pub u32);

/// The number of a `letrec` group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

/// The number of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternId(pub u32);

/// The number of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstantId(pub u32);

/// The number of a top-level definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(pub u32);

/// An expression node. Its span stands in [`Program::span`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A constant: a boolean, a real, the empty list, or quoted data made of them.
    Constant(ConstantId),
    /// A variable.
    Variable(Reference),
    /// `(lambda p e)`; never a member of a group (those stand in [`Group::members`]).
    Lambda(LambdaId),
    /// `(e e)`.
    Application {
        /// The node of the operator.
        operator: ExpressionId,
        /// The node of the operand.
        operand: ExpressionId,
    },
    /// `((lambda p e) e)`: an application whose lambda runs in the activation around it.
    Let {
        /// The node of the lambda.
        operator: ExpressionId,
        /// The lambda of that node; it captures nothing.
        lambda: LambdaId,
        /// The node of the operand.
        operand: ExpressionId,
    },
    /// `(cons e e)`.
    Cons {
        /// The first operand.
        first: ExpressionId,
        /// The second operand.
        second: ExpressionId,
    },
    /// `(if e e e)`.
    If {
        /// The condition; only `#f` is false.
        test: ExpressionId,
        /// Taken unless the condition is `#f`.
        consequent: ExpressionId,
        /// Taken if the condition is `#f`.
        alternative: ExpressionId,
    },
    /// `(letrec ((x (lambda p e)) ...) e)`: the members become locals, in order, of the body.
    Letrec {
        /// The procedures.
        group: GroupId,
        /// The body.
        body: ExpressionId,
    },
}

/// Where the value of a variable is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reference {
    /// A local of the activation.
    Local(u32),
    /// A captured slot of the running procedure.
    Slot(u32),
    /// A member (by its place) of the group that the running procedure is a member of: same slots, other code.
    Sibling(u32),
    /// A definition at top level.
    Global(GlobalId),
    /// A primitive.
    Primitive(Primitive),
}

/// A procedure's code.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The name that `define`, `let`, `letrec` gave it, for diagnostics and printing of core.
    pub name: Option<String>,
    /// What it takes apart its argument with.
    pub pattern: PatternId,
    /// Its body.
    pub body: ExpressionId,
    /// What its slots are filled with when it is made, in order of first free occurrence: [`Reference::Local`],
    /// [`Reference::Slot`] or [`Reference::Sibling`] of the activation around it. Empty for members of a group, whose
    /// captures stand in the group, and for the lambda of a [`Expression::Let`].
    pub captures: Vec<Reference>,
    /// The group that it belongs to, and its place there.
    pub group: Option<(GroupId, u32)>,
    /// The number of locals around it: those of the activation for the lambda of a [`Expression::Let`], else 0.
    pub depth: u32,
    /// The node that makes it; for a member of a group the `letrec`'s.
    pub node: ExpressionId,
    /// Where the whole lambda stands.
    pub span: Span,
}

/// The procedures of one `letrec`.
#[derive(Clone, Debug)]
pub struct Group {
    /// The members, in the order written.
    pub members: Vec<LambdaId>,
    /// What the slots, which all members share, are filled with: the group's free variables without its own names, in
    /// order of first free occurrence across the members in order.
    pub captures: Vec<Reference>,
}

/// A pattern. Variables bind locals in the order in which they stand, left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Matches anything; the value becomes the next local.
    Variable,
    /// Matches what is `equal?` to the constant.
    Constant(ConstantId),
    /// Matches a pair whose parts match.
    Pair(PatternId, PatternId),
}

/// A definition at top level.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// Where the name stands in its definition.
    pub span: Span,
}

/// One thing that a program does, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Evaluate and give the global its value.
    Define(GlobalId, ExpressionId),
    /// Evaluate and print the value.
    Expression(ExpressionId),
}

/// A whole program in core.
///
/// Invariant (checked by [`crate::core_check::check`]): every number in it is in range, every local that is referred
/// to is bound at that place, captures only refer to the activation around, and nodes below
/// `prelude_nodes` are exactly those of the prelude, nodes from there to `shipped_nodes` those of libraries.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The expression nodes.
    pub expressions: Vec<Expression>,
    /// Their spans, one a node.
    pub spans: Vec<Span>,
    /// The lambdas.
    pub lambdas: Vec<Lambda>,
    /// The groups.
    pub groups: Vec<Group>,
    /// The patterns.
    pub patterns: Vec<Pattern>,
    /// The spans of the patterns, one a pattern.
    pub pattern_spans: Vec<Span>,
    /// The names of [`Pattern::Variable`]s, empty for other patterns: for printing only.
    pub pattern_names: Vec<String>,
    /// The constants.
    pub constants: Vec<Value>,
    /// The definitions: those of the prelude first, then the program's.
    pub globals: Vec<Global>,
    /// The procedures of the prelude that the program uses, directly or through others. They capture nothing and have
    /// their value before the program starts, without a step.
    pub prelude: Vec<(GlobalId, LambdaId)>,
    /// What the program does.
    pub items: Vec<Item>,
    /// How many expression nodes, from number 0 on, belong to the prelude.
    pub prelude_nodes: u32,
    /// How many expression nodes, from number 0 on, belong to *shipped code*, the prelude and libraries that come with vlad: its
    /// faults are shown at the program's own application through which it was entered, the *site*.
    pub shipped_nodes: u32,
    /// How many nodes of the prelude, from number 0 on, are nodes of frame machines ([`crate::prelude::FRAME_MACHINES`]), of which
    /// iterations alone count as steps.
    pub machine_nodes: u32,
    /// The texts that the spans refer to.
    pub sources: SourceMap,
}

impl Program {
    /// The expression of a node.
    #[inline]
    pub fn expression(&self, id: ExpressionId) -> Expression {
        match self.expressions.get(id.0 as usize) {
            Some(expression) => *expression,
            None => internal_bug!("expression {} is in the arena", id.0),
        }
    }

    /// Where a node stands.
    #[inline]
    pub fn span(&self, id: ExpressionId) -> Span {
        match self.spans.get(id.0 as usize) {
            Some(span) => *span,
            None => internal_bug!("expression {} has a span", id.0),
        }
    }

    /// A procedure's code.
    #[inline]
    pub fn lambda(&self, id: LambdaId) -> &Lambda {
        match self.lambdas.get(id.0 as usize) {
            Some(lambda) => lambda,
            None => internal_bug!("lambda {} is in the arena", id.0),
        }
    }

    /// The procedures of a `letrec`.
    #[inline]
    pub fn group(&self, id: GroupId) -> &Group {
        match self.groups.get(id.0 as usize) {
            Some(group) => group,
            None => internal_bug!("group {} is in the arena", id.0),
        }
    }

    /// A pattern.
    #[inline]
    pub fn pattern(&self, id: PatternId) -> Pattern {
        match self.patterns.get(id.0 as usize) {
            Some(pattern) => *pattern,
            None => internal_bug!("pattern {} is in the arena", id.0),
        }
    }

    /// The span of a pattern.
    #[inline]
    pub fn pattern_span(&self, id: PatternId) -> Span {
        match self.pattern_spans.get(id.0 as usize) {
            Some(span) => *span,
            None => internal_bug!("every pattern has a span"),
        }
    }

    /// The name of a [`Pattern::Variable`].
    pub fn pattern_name(&self, id: PatternId) -> &str {
        match self.pattern_names.get(id.0 as usize) {
            Some(name) => name,
            None => internal_bug!("pattern {} is in the arena", id.0),
        }
    }

    /// A pattern and the patterns within it, from the outside in and from left to right.
    pub fn patterns_within(&self, pattern: PatternId) -> impl Iterator<Item = PatternId> {
        let mut pending = vec![pattern];
        iter::from_fn(move || {
            let next = pending.pop()?;
            match self.pattern(next) {
                Pattern::Variable | Pattern::Constant(_) => {}
                Pattern::Pair(first, second) => pending.extend([second, first]),
            }
            Some(next)
        })
    }

    /// A constant.
    #[inline]
    pub fn constant(&self, id: ConstantId) -> &Value {
        match self.constants.get(id.0 as usize) {
            Some(constant) => constant,
            None => internal_bug!("constant {} is in the arena", id.0),
        }
    }

    /// A definition at top level.
    #[inline]
    pub fn global(&self, id: GlobalId) -> &Global {
        match self.globals.get(id.0 as usize) {
            Some(global) => global,
            None => internal_bug!("global {} is in the arena", id.0),
        }
    }

    /// The code of an expression that is written as a procedure.
    pub fn procedure_at(&self, node: ExpressionId) -> Option<LambdaId> {
        match self.expression(node) {
            Expression::Lambda(lambda) => Some(lambda),
            Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::Application { .. }
            | Expression::Let { .. }
            | Expression::Cons { .. }
            | Expression::If { .. }
            | Expression::Letrec { .. } => None,
        }
    }

    /// For each top-level definition, by its number, the code of what it is defined as: if it belongs to the prelude, or
    /// is written as a procedure. Then its value, once it has one, is a procedure of that code, without slots, in every
    /// run. None for a definition that takes a computation, and for those of the prelude that the program does not use.
    pub fn definition_codes(&self) -> Vec<Option<LambdaId>> {
        let of_prelude = self.prelude.iter().copied();
        let of_items = self.items.iter().filter_map(|item| match *item {
            Item::Define(global, node) => Some((global, self.procedure_at(node)?)),
            Item::Expression(_) => None,
        });
        let mut codes = vec![None; self.globals.len()];
        for (global, lambda) in of_prelude.chain(of_items) {
            match codes.get_mut(global.0 as usize) {
                Some(code) => *code = Some(lambda),
                None => internal_bug!("global {} is in the arena", global.0),
            }
        }
        codes
    }

    /// Whether entering a node is a step: it is, but in frame machines, where only the calls of the procedure that is given
    /// are steps, one an iteration.
    #[inline]
    pub fn counts(&self, id: ExpressionId) -> bool {
        id.0 >= self.machine_nodes || self.is_iteration(id)
    }

    fn is_iteration(&self, id: ExpressionId) -> bool {
        let Expression::Application { operator, .. } = self.expression(id) else { return false };
        matches!(self.expression(operator), Expression::Variable(Reference::Local(_) | Reference::Slot(_)))
    }

    /// The local that has the number of the iteration, if a node is the call that a frame machine makes in each.
    pub fn iteration_local(&self, id: ExpressionId) -> Option<u32> {
        let Expression::Application { operand, .. } = self.expression(id) else { return None };
        if id.0 >= self.machine_nodes || !self.is_iteration(id) {
            return None;
        }
        let mut last = operand;
        while let Expression::Cons { second, .. } = self.expression(last) {
            last = second;
        }
        let Expression::Variable(Reference::Local(local)) = self.expression(last) else {
            internal_bug!("the last operand of an iteration is its number")
        };
        Some(local)
    }

    /// Whether a node belongs to the prelude.
    pub fn is_prelude(&self, id: ExpressionId) -> bool {
        id.0 < self.prelude_nodes
    }

    /// Whether a node belongs to the prelude or to a library that comes with vlad.
    #[inline]
    pub fn is_shipped(&self, id: ExpressionId) -> bool {
        id.0 < self.shipped_nodes
    }
}
