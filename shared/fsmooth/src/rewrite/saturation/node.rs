//! Terms as nodes of an equality graph, and back.
//!
//! A node is a prototype with parts; a prototype is a head with its type. Every
//! local is bound at one place, so terms with free locals can be shared. An iteration `ifold (fun s i -> s + e) z n` is a node of its own,
//! the sum over i, for which there are rules.

use crate::builtins::Builtin;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Head, Ifold, LocalId, Program, TypeId, Types};
use egg::{FromOp, FromOpError, Id, Language, RecExpr};
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
const NAMED: [(&str, Head); 7] = [
    ("+", operation(Operation::Add)),
    ("-", operation(Operation::Subtract)),
    ("*", operation(Operation::Multiply)),
    ("negate", operation(Operation::Negate)),
    ("0.0", Head::Number(0.0_f64.to_bits())),
    ("1.0", Head::Number(1.0_f64.to_bits())),
    ("2.0", Head::Number(2.0_f64.to_bits())),
];

const fn operation(operation: Operation) -> Head {
    Head::Call(Builtin::Operation(operation))
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

/// A head with all that an expression of it needs but parts.
#[derive(Clone, Copy, Debug)]
pub struct Prototype {
    /// The head.
    pub head: Head,
    /// Its type.
    pub type_id: TypeId,
    span: Span,
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
        let of = |(_, head)| Prototype { head, type_id: Types::DOUBLE, span, is_fallible: false };
        Prototypes { all: NAMED.map(of).to_vec(), sums: BTreeSet::new() }
    }

    /// The prototype of that number.
    pub fn get(&self, number: u32) -> &Prototype {
        let Some(found) = self.all.get(number as usize) else { internal_bug!("prototype {number} exists") };
        found
    }

    /// Returns the number of a prototype, new or old.
    fn add(&mut self, new: Prototype) -> u32 {
        let is_it =
            |old: &Prototype| (old.head, old.type_id, old.is_fallible) == (new.head, new.type_id, new.is_fallible);
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
        let (head, parts) = program.apart(id);
        let is_fallible = may_fail(expression) && !context.is_total(program, id);
        let parts: Vec<Id> = parts.into_iter().map(|part| self.nodes(program, context, part, out)).collect();
        let (type_id, span) = (program.type_of(id), program.span(id));
        let number = self.add(Prototype { head, type_id, span, is_fallible });
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
        let Prototype { head, type_id, span, .. } = *self.get(number);
        let expression = program.together(head, parts);
        program.add(expression, type_id, span)
    }
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
