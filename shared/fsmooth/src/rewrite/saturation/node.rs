//! Terms as nodes of an equality graph, and back.
//!
//! A node is a prototype with parts; a prototype is an expression without its parts, with its type and the local that it binds. Every
//! local is bound at one place, so terms with free locals can be shared. An iteration `ifold (fun s i -> s + e) z n` is a node of its own,
//! the sum over i, for which there are rules.

use crate::rewrite::facts::totality::Context;
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Ifold, LocalId, Program, TypeId, Types};
use egg::{FromOp, FromOpError, Id, Language, RecExpr};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt;
use vlad_core::source::Span;
use vlad_table::internal_bug;
use vlad_table::operations::Operation;

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// Its operator.
    pub operator: Operator,
    /// Its parts.
    pub parts: Vec<Id>,
}

/// The operator of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// The expression of a prototype.
    Prototype(u32),
    /// The sum over an index: its parts are the summand, the start and the number of summands.
    Sum(u32),
}

/// The operators that rules name, in the order of their prototypes.
const NAMED: [(&str, Named); 7] = [
    ("+", Named::Binary(Operation::Add)),
    ("-", Named::Binary(Operation::Subtract)),
    ("*", Named::Binary(Operation::Multiply)),
    ("negate", Named::Unary(Operation::Negate)),
    ("0.0", Named::Number(0.0)),
    ("1.0", Named::Number(1.0)),
    ("2.0", Named::Number(2.0)),
];

/// An operator on Doubles that rules name.
#[derive(Clone, Copy)]
enum Named {
    Binary(Operation),
    Unary(Operation),
    Number(f64),
}

/// The name of the sum over a local in the texts of rules.
pub fn sum_name(index: u32) -> String {
    format!("sum{index}")
}

impl Language for Node {
    type Discriminant = (Operator, usize);

    fn discriminant(&self) -> (Operator, usize) {
        (self.operator, self.parts.len())
    }

    fn matches(&self, other: &Node) -> bool {
        self.discriminant() == other.discriminant()
    }

    fn children(&self) -> &[Id] {
        &self.parts
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.parts
    }
}

impl FromOp for Node {
    type Error = FromOpError;

    fn from_op(op: &str, parts: Vec<Id>) -> Result<Node, FromOpError> {
        if let Some(number) = NAMED.iter().position(|(name, _)| *name == op) {
            return Ok(Node { operator: Operator::Prototype(number as u32), parts });
        }
        match op.strip_prefix("sum").and_then(|index| index.parse().ok()) {
            Some(index) => Ok(Node { operator: Operator::Sum(index), parts }),
            None => Err(FromOpError::new(op, parts)),
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.operator {
            Operator::Prototype(number) => write!(out, "p{number}"),
            Operator::Sum(index) => out.write_str(&sum_name(index)),
        }
    }
}

/// An expression without its parts.
#[derive(Clone, Debug)]
pub struct Prototype {
    /// The expression; its parts mean nothing.
    pub expression: Expression,
    /// Its type.
    pub type_id: TypeId,
    span: Span,
    /// The local that it binds.
    pub bound: Option<LocalId>,
    /// True if it may fail by itself.
    pub is_fallible: bool,
}

/// The prototypes of a term.
#[derive(Clone, Debug, Default)]
pub struct Prototypes {
    /// The prototypes; those of rules come first.
    pub all: Vec<Prototype>,
    /// The indices of sums.
    pub sums: BTreeSet<u32>,
}

impl Prototypes {
    /// The prototypes that rules name.
    pub fn new(span: Span) -> Prototypes {
        let none = ExpressionId(0);
        let all = NAMED.iter().map(|(_, named)| {
            let expression = match named {
                Named::Binary(operation) => Expression::Binary(*operation, none, none),
                Named::Unary(operation) => Expression::Unary(*operation, none),
                Named::Number(number) => Expression::Number(*number),
            };
            Prototype { expression, type_id: Types::DOUBLE, span, bound: None, is_fallible: false }
        });
        Prototypes { all: all.collect(), sums: BTreeSet::new() }
    }

    /// The prototype of that number.
    pub fn get(&self, number: u32) -> &Prototype {
        let Some(found) = self.all.get(number as usize) else { internal_bug!("prototype {number} exists") };
        found
    }

    /// Returns the number of a prototype, new or old.
    fn add(&mut self, new: Prototype) -> u32 {
        let is_it = |old: &Prototype| {
            let is_bound = old.bound == new.bound && old.is_fallible == new.is_fallible;
            old.type_id == new.type_id && is_bound && is_same_operator(old.expression, new.expression)
        };
        if let Some(place) = self.all.iter().position(is_it) {
            return place as u32;
        }
        self.all.push(new);
        self.all.len() as u32 - 1
    }

    /// Adds a term to an expression of nodes. Terms that come here are small, so this recurses.
    pub fn nodes(
        &mut self,
        program: &mut Program,
        context: &mut Context,
        id: ExpressionId,
        out: &mut RecExpr<Node>,
    ) -> Id {
        let expression = program.expression(id);
        if let Some((index, summand, start, count)) = as_sum(program, id) {
            let parts = [summand, start, count].map(|part| self.nodes(program, context, part, out)).to_vec();
            self.sums.insert(index.0);
            return out.add(Node { operator: Operator::Sum(index.0), parts });
        }
        let (mut parts, bound) = (vec![], terms::bound_at(expression));
        program.parts(id, &mut parts);
        let is_fallible = may_fail(expression) && !context.is_total(program, id);
        let parts: Vec<Id> = parts.into_iter().map(|part| self.nodes(program, context, part, out)).collect();
        let (type_id, span) = (program.type_of(id), program.span(id));
        let number = self.add(Prototype { expression, type_id, span, bound, is_fallible });
        out.add(Node { operator: Operator::Prototype(number), parts })
    }

    /// Returns the term of some nodes. Shared nodes become copies.
    pub fn term(&self, program: &mut Program, nodes: &RecExpr<Node>, span: Span) -> ExpressionId {
        let mut made: Vec<ExpressionId> = vec![];
        for node in nodes {
            let parts: Vec<ExpressionId> =
                node.parts.iter().filter_map(|id| made.get(usize::from(*id)).copied()).collect();
            made.push(self.expression(program, node.operator, &parts, span));
        }
        match made.last() {
            // A node may be a part of several ones, and a loop may have been taken apart into several over its index.
            Some(root) => program.copy(*root),
            None => internal_bug!("a term has nodes"),
        }
    }

    fn expression(
        &self,
        program: &mut Program,
        operator: Operator,
        parts: &[ExpressionId],
        span: Span,
    ) -> ExpressionId {
        let number = match operator {
            Operator::Sum(index) => return sum(program, LocalId(index), parts, span),
            Operator::Prototype(number) => number,
        };
        let Prototype { expression, type_id, span, .. } = self.get(number).clone();
        let expression = program.with_parts(expression, parts);
        program.add(expression, type_id, span)
    }
}

fn is_same_operator(one: Expression, other: Expression) -> bool {
    // Arrays differ in their number of elements.
    if let (Expression::Array(one), Expression::Array(other)) = (one, other) {
        return one == other;
    }
    terms::same_root(one, other, &FxHashMap::default())
}

fn may_fail(expression: Expression) -> bool {
    matches!(
        expression,
        Expression::Get { .. }
            | Expression::OfLength { .. }
            | Expression::Build { .. }
            | Expression::Ifold { .. }
            | Expression::Application { .. }
    )
}

/// Returns index, summand, start and number of summands of an iteration that is a sum of Doubles.
fn as_sum(program: &Program, id: ExpressionId) -> Option<(LocalId, ExpressionId, ExpressionId, ExpressionId)> {
    let Ifold { state, index, turn, start, count } = program.as_ifold(id)?;
    let Expression::Binary(Operation::Add, first, summand) = program.expression(turn) else { return None };
    let is_sum = program.type_of(id) == Types::DOUBLE && program.is_local(first, state);
    (is_sum && !terms::mentions(program, summand, &[state])).then_some((index, summand, start, count))
}

fn sum(program: &mut Program, index: LocalId, parts: &[ExpressionId], span: Span) -> ExpressionId {
    let [summand, start, count] = *parts else { internal_bug!("a sum has three parts") };
    let state = program.add_local("s", Types::DOUBLE, span);
    let first = terms::local(program, state, summand);
    let mut build = program.at(span);
    let turn = build.binary(Operation::Add, first, summand);
    build.ifold(Ifold { state, index, turn, start, count })
}
