//! Named core: core before its names are resolved, in arenas.
//!
//! Invariant: every number is in range, the nodes form trees, and neither a pattern nor a group binds a name twice
//! ([`super::named_check`]).

use crate::internal_bug;
use crate::source::Span;
use crate::syntax::names::NameId;
use crate::value::Value;
use std::collections::{HashMap, HashSet};

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

/// The number of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedConstantId(pub u32);

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A constant.
    Constant(NamedConstantId),
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
    Constant(NamedConstantId),
    /// `(cons p p)`.
    Pair(NamedPatternId, NamedPatternId),
}

/// A procedure.
#[derive(Clone, Copy, Debug)]
pub struct NamedLambda {
    /// What it is called, if a binding form called it something.
    pub name: Option<NameId>,
    /// What it takes its argument apart with.
    pub pattern: NamedPatternId,
    /// Its body.
    pub body: NodeId,
    /// Where it stands.
    pub span: Span,
}

/// One thing that a program does.
#[derive(Clone, Copy, Debug)]
pub enum NamedItem {
    /// A definition: the name, where the name stands, the value.
    Define(NameId, Span, NodeId),
    /// An expression.
    Expression(NodeId),
}

/// The arenas.
#[derive(Debug, Default)]
pub struct Named {
    nodes: Vec<Node>,
    spans: Vec<Span>,
    lambdas: Vec<NamedLambda>,
    groups: Vec<Vec<(NameId, NamedLambdaId)>>,
    patterns: Vec<NamedPattern>,
    pattern_spans: Vec<Span>,
    constants: Vec<Value>,
    lost: HashSet<NameId>,
    /// How many operands are written beside an operator, where that may matter.
    operands: HashMap<u32, usize>,
}

impl Named {
    /// The constant `()`, which also stands where a node or pattern is still to be filled in.
    pub const NIL: NamedConstantId = NamedConstantId(0);
    /// The constant `#f`.
    pub const FALSE: NamedConstantId = NamedConstantId(1);
    /// The constant `#t`.
    pub const TRUE: NamedConstantId = NamedConstantId(2);

    /// Empty arenas but for three constants.
    pub fn new() -> Named {
        Named { constants: vec![Value::Nil, Value::Boolean(false), Value::Boolean(true)], ..Named::default() }
    }

    /// Makes a node that is `()` until it is set.
    pub fn reserve(&mut self, span: Span) -> NodeId {
        self.nodes.push(Node::Constant(Named::NIL));
        self.spans.push(span);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Makes a node what it is to be.
    pub fn set(&mut self, id: NodeId, node: Node) {
        match self.nodes.get_mut(id.0 as usize) {
            Some(place) => *place = node,
            None => internal_bug!("node {} is in the arena", id.0),
        }
    }

    /// Gives a node another place.
    pub fn set_span(&mut self, id: NodeId, span: Span) {
        match self.spans.get_mut(id.0 as usize) {
            Some(place) => *place = span,
            None => internal_bug!("node {} is in the arena", id.0),
        }
    }

    /// Makes a node.
    pub fn add(&mut self, node: Node, span: Span) -> NodeId {
        let id = self.reserve(span);
        self.set(id, node);
        id
    }

    /// Notes a name whose definition has been refused: that it is unbound is no news.
    pub fn lose(&mut self, name: NameId) {
        self.lost.insert(name);
    }

    /// Whether the definition of a name has been refused.
    pub fn is_lost(&self, name: NameId) -> bool {
        self.lost.contains(&name)
    }

    /// Notes how many operands are written beside an operator.
    pub fn note_operands(&mut self, operator: NodeId, count: usize) {
        self.operands.insert(operator.0, count);
    }

    /// How many operands are written beside an operator, if that was noted.
    pub fn operands_of(&self, operator: NodeId) -> Option<usize> {
        self.operands.get(&operator.0).copied()
    }

    /// Takes in a constant.
    pub fn add_constant(&mut self, value: Value) -> NamedConstantId {
        match value {
            Value::Nil => Named::NIL,
            Value::Boolean(false) => Named::FALSE,
            Value::Boolean(true) => Named::TRUE,
            value => {
                self.constants.push(value);
                NamedConstantId(self.constants.len() as u32 - 1)
            }
        }
    }

    /// Takes in a lambda.
    pub fn add_lambda(&mut self, lambda: NamedLambda) -> NamedLambdaId {
        self.lambdas.push(lambda);
        NamedLambdaId(self.lambdas.len() as u32 - 1)
    }

    /// Takes in a group.
    pub fn add_group(&mut self, members: Vec<(NameId, NamedLambdaId)>) -> NamedGroupId {
        self.groups.push(members);
        NamedGroupId(self.groups.len() as u32 - 1)
    }

    /// Makes a pattern.
    pub fn add_pattern(&mut self, pattern: NamedPattern, span: Span) -> NamedPatternId {
        self.patterns.push(pattern);
        self.pattern_spans.push(span);
        NamedPatternId(self.patterns.len() as u32 - 1)
    }

    /// Makes a pattern that is `()` until it is set.
    pub fn reserve_pattern(&mut self, span: Span) -> NamedPatternId {
        self.add_pattern(NamedPattern::Constant(Named::NIL), span)
    }

    /// Makes a pattern what it is to be.
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

    /// Where a node stands.
    pub fn span(&self, id: NodeId) -> Span {
        match self.spans.get(id.0 as usize) {
            Some(span) => *span,
            None => internal_bug!("node {} has a span", id.0),
        }
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// How many lambdas there are.
    pub fn lambda_count(&self) -> usize {
        self.lambdas.len()
    }

    /// How many patterns there are.
    pub fn pattern_count(&self) -> usize {
        self.patterns.len()
    }

    /// How many constants there are.
    pub fn constant_count(&self) -> usize {
        self.constants.len()
    }

    /// How many groups there are.
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

    /// Where a pattern stands.
    pub fn pattern_span(&self, id: NamedPatternId) -> Span {
        match self.pattern_spans.get(id.0 as usize) {
            Some(span) => *span,
            None => internal_bug!("pattern {} has a span", id.0),
        }
    }

    /// A constant.
    pub fn constant(&self, id: NamedConstantId) -> &Value {
        match self.constants.get(id.0 as usize) {
            Some(constant) => constant,
            None => internal_bug!("constant {} is in the arena", id.0),
        }
    }
}
