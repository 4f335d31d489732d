//! Named core: core before its names are resolved, in arenas.
//!
//! Invariant: every number is in range, the nodes form trees, and neither a pattern nor a group binds a name twice
//! ([`check`]).

pub mod check;
pub mod name_set;
pub mod print;

use crate::names::NameId;
use std::collections::{HashMap, HashSet};
use vlad_core::notes::Notes;
use vlad_core::source::Span;
use vlad_core::{Constant, ConstantId, Constants};
use vlad_table::internal_bug;

/// The number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(pub u32);

/// The number of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamedPatternId(pub u32);

/// The number of a lambda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedLambdaId(pub u32);

/// The number of a `letrec` group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamedGroupId(pub u32);

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A constant.
    Constant(ConstantId),
    /// A variable.
    Variable(NameId),
    /// `(lambda p e)`.
    Lambda(NamedLambdaId),
    /// `(e e)`.
    Application(NodeId, NodeId),
    /// `(cons e e)`.
    Cons(NodeId, NodeId),
    /// `(if e e e)`.
    If(NodeId, NodeId, NodeId),
    /// `(letrec ((x (lambda p e)) ...) e)`.
    Letrec(NamedGroupId, NodeId),
}

/// A pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedPattern {
    /// A variable.
    Variable(NameId),
    /// A constant.
    Constant(ConstantId),
    /// `(cons p p)`.
    Pair(NamedPatternId, NamedPatternId),
}

/// A procedure.
#[derive(Clone, Copy, Debug)]
pub struct NamedLambda {
    /// Its name, if a binding form named it.
    pub name: Option<NameId>,
    /// The pattern that destructures its argument.
    pub pattern: NamedPatternId,
    /// Its body.
    pub body: NodeId,
    /// Its span.
    pub span: Span,
}

/// A top-level item of a program.
#[derive(Clone, Copy, Debug)]
pub enum NamedItem {
    /// A definition: the name, the span of the name, the value.
    Define(NameId, Span, NodeId),
    /// An expression.
    Expression(NodeId),
}

impl NamedItem {
    /// The value of a definition; an expression.
    pub fn node(self) -> NodeId {
        let (NamedItem::Define(_, _, node) | NamedItem::Expression(node)) = self;
        node
    }
}

/// The arenas of named core.
#[derive(Clone, Debug, Default)]
pub struct Named {
    nodes: Vec<Node>,
    spans: Vec<Span>,
    lambdas: Vec<NamedLambda>,
    groups: Vec<Vec<(NameId, NamedLambdaId)>>,
    patterns: Vec<NamedPattern>,
    pattern_spans: Vec<Span>,
    constants: Constants,
    /// The names whose definitions have been refused.
    refused: HashSet<NameId>,
    /// The number of operands written beside an operator, where it may matter.
    operands: HashMap<u32, usize>,
    /// The name that was written for an operator with texts among its operands.
    of_texts: HashMap<u32, NameId>,
    /// The notes of front ends about places.
    pub notes: Notes,
}

impl Named {
    /// The constant `()`, which also stands where a node or pattern is still to be filled in.
    pub const NIL: ConstantId = ConstantId(0);
    /// The constant `#f`.
    pub const FALSE: ConstantId = ConstantId(1);
    /// The constant `#t`.
    pub const TRUE: ConstantId = ConstantId(2);

    /// Makes arenas that hold three constants and are empty otherwise.
    pub fn new() -> Named {
        let mut named = Named::default();
        for constant in [Constant::Nil, Constant::Boolean(false), Constant::Boolean(true)] {
            named.constants.add(constant);
        }
        named
    }

    /// Adds a node that is `()` until it is set.
    pub fn reserve(&mut self, span: Span) -> NodeId {
        self.nodes.push(Node::Constant(Named::NIL));
        self.spans.push(span);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Sets a reserved node.
    pub fn set(&mut self, id: NodeId, node: Node) {
        match self.nodes.get_mut(id.0 as usize) {
            Some(place) => *place = node,
            None => internal_bug!("node {} is in the arena", id.0),
        }
    }

    /// Sets the span of a node.
    pub fn set_span(&mut self, id: NodeId, span: Span) {
        match self.spans.get_mut(id.0 as usize) {
            Some(place) => *place = span,
            None => internal_bug!("node {} is in the arena", id.0),
        }
    }

    /// Adds a node.
    pub fn add(&mut self, node: Node, span: Span) -> NodeId {
        let id = self.reserve(span);
        self.set(id, node);
        id
    }

    /// Records a name whose definition has been refused, so that its uses are not reported as unbound.
    pub fn mark_refused(&mut self, name: NameId) {
        self.refused.insert(name);
    }

    /// Returns true if the definition of a name has been refused.
    pub fn is_refused(&self, name: NameId) -> bool {
        self.refused.contains(&name)
    }

    /// Records the number of operands written beside an operator.
    pub fn note_operands(&mut self, operator: NodeId, count: usize) {
        self.operands.insert(operator.0, count);
    }

    /// Returns the number of operands written beside an operator, if it was recorded.
    pub fn operands_of(&self, operator: NodeId) -> Option<usize> {
        self.operands.get(&operator.0).copied()
    }

    /// Records the name that was written for an operator with texts among its operands: it has to mean the primitive.
    pub fn note_texts(&mut self, operator: NodeId, written: NameId) {
        self.of_texts.insert(operator.0, written);
    }

    /// Returns the name that was written for an operator with texts among its operands, if it was recorded.
    pub fn written_for_texts(&self, operator: NodeId) -> Option<NameId> {
        self.of_texts.get(&operator.0).copied()
    }

    /// Adds a constant, whose parts are there.
    pub fn add_constant(&mut self, constant: Constant) -> ConstantId {
        match constant {
            Constant::Nil => Named::NIL,
            Constant::Boolean(false) => Named::FALSE,
            Constant::Boolean(true) => Named::TRUE,
            Constant::Real(_) | Constant::Pair(..) | Constant::Vector(_) => self.constants.add(constant),
        }
    }

    /// Adds a list of constants that ends in `rest`.
    pub fn add_constant_list(
        &mut self,
        elements: impl DoubleEndedIterator<Item = ConstantId>,
        rest: ConstantId,
    ) -> ConstantId {
        self.constants.add_list(elements, rest)
    }

    /// Takes in a lambda.
    pub fn add_lambda(&mut self, lambda: NamedLambda) -> NamedLambdaId {
        self.lambdas.push(lambda);
        NamedLambdaId(self.lambdas.len() as u32 - 1)
    }

    /// Adds a group.
    pub fn add_group(&mut self, members: Vec<(NameId, NamedLambdaId)>) -> NamedGroupId {
        self.groups.push(members);
        NamedGroupId(self.groups.len() as u32 - 1)
    }

    /// Adds a pattern.
    pub fn add_pattern(&mut self, pattern: NamedPattern, span: Span) -> NamedPatternId {
        self.patterns.push(pattern);
        self.pattern_spans.push(span);
        NamedPatternId(self.patterns.len() as u32 - 1)
    }

    /// Adds a pattern that is `()` until it is set.
    pub fn reserve_pattern(&mut self, span: Span) -> NamedPatternId {
        self.add_pattern(NamedPattern::Constant(Named::NIL), span)
    }

    /// Sets a reserved pattern.
    pub fn set_pattern(&mut self, id: NamedPatternId, pattern: NamedPattern) {
        match self.patterns.get_mut(id.0 as usize) {
            Some(place) => *place = pattern,
            None => internal_bug!("pattern {} is in the arena", id.0),
        }
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> Node {
        match self.nodes.get(id.0 as usize) {
            Some(node) => *node,
            None => internal_bug!("node {} is in the arena", id.0),
        }
    }

    /// Returns the span of a node.
    pub fn span(&self, id: NodeId) -> Span {
        match self.spans.get(id.0 as usize) {
            Some(span) => *span,
            None => internal_bug!("node {} has a span", id.0),
        }
    }

    /// Returns the number of nodes.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of lambdas.
    pub fn lambda_count(&self) -> usize {
        self.lambdas.len()
    }

    /// Returns the number of patterns.
    pub fn pattern_count(&self) -> usize {
        self.patterns.len()
    }

    /// The constants.
    pub fn constants(&self) -> &Constants {
        &self.constants
    }

    /// Returns the number of groups.
    pub fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// A lambda.
    pub fn lambda(&self, id: NamedLambdaId) -> NamedLambda {
        match self.lambdas.get(id.0 as usize) {
            Some(lambda) => *lambda,
            None => internal_bug!("lambda {} is in the arena", id.0),
        }
    }

    /// The members of a group and their names.
    pub fn group(&self, id: NamedGroupId) -> &[(NameId, NamedLambdaId)] {
        match self.groups.get(id.0 as usize) {
            Some(group) => group,
            None => internal_bug!("group {} is in the arena", id.0),
        }
    }

    /// A pattern.
    pub fn pattern(&self, id: NamedPatternId) -> NamedPattern {
        match self.patterns.get(id.0 as usize) {
            Some(pattern) => *pattern,
            None => internal_bug!("pattern {} is in the arena", id.0),
        }
    }

    /// Returns the span of a pattern.
    pub fn pattern_span(&self, id: NamedPatternId) -> Span {
        match self.pattern_spans.get(id.0 as usize) {
            Some(span) => *span,
            None => internal_bug!("pattern {} has a span", id.0),
        }
    }

    /// A constant.
    pub fn constant(&self, id: ConstantId) -> &Constant {
        self.constants.get(id)
    }
}
