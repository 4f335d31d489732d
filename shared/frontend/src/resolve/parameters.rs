//! Warnings about calls of known procedures with operands that their parameters cannot take or do not destructure, about
//! squares of norms ([`norms`]), about calls that succeed with something else than was meant ([`surprises`]), and about procedures that
//! others call with more operands than they have parameters ([`passed`]).
//!
//! A call of several operands passes their tuple (report, 3.1), so `(f 1 2 3)` matches the parameters `(x y)`, with
//! `(2 . 3)` for y, and is no error of the language. It is hardly ever meant. The warnings are:
//!
//! - *A mismatch*: the shape of the operands, as far as it is written, cannot match the parameters, whatever the values
//!   are.
//! - *A surplus*: more operands are written than there are parameters, of which there are two or more, and the last
//!   parameter is a name. An intended surplus is written as a pair: `(f 1 (cons 2 3))`.
//! - A surplus, or no operand at all, for a single name: only if the body needs a real in its place and never uses it
//!   as a whole, since a single name is how a procedure takes any number of operands.
//! - The same for primitives, by the number of their operands.
//!
//! A procedure is known if the operator is a lambda, or a name that is bound to one by a definition, a `let` or a
//! `letrec`, or an application of a known procedure whose body is a lambda. An expression written as one operand has
//! one span, and a tuple of operands begins where its first operand does: this distinguishes `(f 1 2)` from `(f (cons 1
//! 2))`.
//!
//! Invariant: a warning changes nothing; the whole check takes time proportional to the size of the program.

mod norms;
mod parameter_calls;
mod passed;
mod surprises;

use super::unresolved::Unresolved;
use crate::resolve::scope::{Scopes, Variable};
use crate::resolve::shape::{Shape, shape};
use crate::resolve::uses::Uses;
use parameter_calls::ParameterCalls;
use rustc_hash::FxHashMap;
use vlad_core::Constant;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_language::named::{Named, NamedItem, NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId};
use vlad_table::{OperandCount, Primitive};

/// The greatest number of nested applications that are looked through to find the lambda of an operator.
const MOST_CURRIED: usize = 16;

/// The greatest number of aliases that are looked through.
const MOST_ALIASES: usize = 16;

/// The hint for surplus operands.
const SURPLUS: &str =
    "the last one that it takes is the tuple of those that are left; if that is meant, write it: (cons a b)";

/// The fault of a call.
enum CallFault {
    Mismatch,
    Surplus,
}

/// The statically known callee of an application.
#[derive(Clone, Copy)]
enum Callee {
    Lambda(NamedLambdaId),
    Primitive(Primitive),
}

/// Returns the warnings of a program without errors.
pub fn check(unresolved: Unresolved<'_>, scopes: &Scopes) -> Vec<Diagnostic> {
    let bodies = |items: &[NamedItem]| {
        let defined = items.iter().filter_map(|item| match *item {
            NamedItem::Define(_, _, node) => Some(node),
            NamedItem::Expression(_) => None,
        });
        defined.collect()
    };
    let mut checker = Checker {
        unresolved,
        scopes,
        program: bodies(unresolved.items),
        prelude: bodies(unresolved.prelude),
        bound: FxHashMap::default(),
        uses: Uses::new(unresolved.named, scopes),
        calls: ParameterCalls::default(),
    };
    let nodes = || (0..unresolved.named.count() as u32).map(NodeId);
    nodes().for_each(|node| checker.note_bindings(node));
    nodes().for_each(|node| checker.note_calls(node));
    nodes().filter_map(|node| checker.application(node)).collect()
}

struct Checker<'loading> {
    unresolved: Unresolved<'loading>,
    scopes: &'loading Scopes,
    /// The right-hand sides of the definitions of the program and of the prelude.
    program: Vec<NodeId>,
    prelude: Vec<NodeId>,
    /// The values bound to variables of patterns whose lambda is applied where it is written, as in `let`.
    bound: FxHashMap<NamedPatternId, NodeId>,
    uses: Uses<'loading>,
    calls: ParameterCalls,
}

impl Checker<'_> {
    /// Records the values bound to the variables of a `let`.
    fn note_bindings(&mut self, node: NodeId) {
        let named = self.unresolved.named;
        let Node::Application(operator, operand) = named.node(node) else { return };
        let Node::Lambda(lambda) = named.node(operator) else { return };
        let (mut pattern, mut value) = (named.lambda(lambda).pattern, operand);
        loop {
            match (named.pattern(pattern), named.node(value)) {
                (NamedPattern::Pair(first, rest), Node::Cons(one, others)) => {
                    if matches!(named.pattern(first), NamedPattern::Variable(_)) {
                        self.bound.insert(first, one);
                    }
                    (pattern, value) = (rest, others);
                }
                (NamedPattern::Variable(_), _) => {
                    self.bound.insert(pattern, value);
                    return;
                }
                (NamedPattern::Pair(..) | NamedPattern::Constant(_), _) => return,
            }
        }
    }

    /// Returns the callee of an operator, if it is statically known.
    fn callee(&self, operator: NodeId) -> Option<Callee> {
        let mut node = operator;
        let mut curried = 0;
        while let Node::Application(inner, _) = self.unresolved.named.node(node) {
            node = inner;
            curried += 1;
            if curried > MOST_CURRIED {
                return None;
            }
        }
        let mut callee = self.simple_callee(node)?;
        for _ in 0..curried {
            let Callee::Lambda(lambda) = callee else { return None };
            let body = self.unresolved.named.lambda(lambda).body;
            let Node::Lambda(inner) = self.unresolved.named.node(body) else { return None };
            callee = Callee::Lambda(inner);
        }
        Some(callee)
    }

    /// Returns the callee of an operator that is no application, if it is statically known.
    fn simple_callee(&self, mut node: NodeId) -> Option<Callee> {
        for _ in 0..MOST_ALIASES {
            let value = match self.unresolved.named.node(node) {
                Node::Lambda(lambda) => return Some(Callee::Lambda(lambda)),
                Node::Variable(_) => match self.scopes.variable(node)? {
                    Variable::Primitive(primitive) => return Some(Callee::Primitive(primitive)),
                    Variable::Member(group, place) => {
                        let (_, lambda) = self.unresolved.named.group(group).get(place as usize)?;
                        return Some(Callee::Lambda(*lambda));
                    }
                    Variable::Program(place) => self.program.get(place as usize).copied(),
                    Variable::Prelude(place) => self.prelude.get(place as usize).copied(),
                    Variable::Pattern(pattern) => self.bound.get(&pattern).copied(),
                },
                Node::Constant(_) | Node::Application(..) | Node::Cons(..) | Node::If(..) | Node::Letrec(..) => None,
            };
            node = value?;
        }
        None
    }

    /// Returns the warning about a node, if the node is an application with a fault.
    fn application(&mut self, node: NodeId) -> Option<Diagnostic> {
        let named = self.unresolved.named;
        let Node::Application(operator, operand) = named.node(node) else { return None };
        // The lambda of a `let` has the span of the form; bindings are no operands.
        if matches!(named.node(operator), Node::Lambda(_)) && named.span(operator) == named.span(node) {
            return None;
        }
        let written = self.written_operands(node, operand);
        let callee = self.callee(operator)?;
        let fault = match callee {
            Callee::Lambda(lambda) => self.of_lambda(node, lambda, operand, written),
            Callee::Primitive(primitive) => self.of_primitive(node, primitive, operand, written),
        };
        let fault = fault.or_else(|| self.surprise(node, callee, operand, written));
        let fault = match callee {
            Callee::Lambda(lambda) => fault.or_else(|| self.passed(operator, lambda, operand)),
            Callee::Primitive(_) => fault,
        };
        fault.or_else(|| self.square_of_norm(node, callee, operand))
    }

    /// Returns the number of operands written in an application.
    fn written_operands(&self, application: NodeId, operand: NodeId) -> usize {
        let named = self.unresolved.named;
        // Without operands, the empty list has the span of the application.
        if named.node(operand) == Node::Constant(Named::NIL) && named.span(operand) == named.span(application) {
            return 0;
        }
        let mut count = 1;
        let mut rest = operand;
        while let Node::Cons(first, others) = named.node(rest) {
            if named.span(rest).start != named.span(first).start {
                return count;
            }
            rest = others;
            count += 1;
        }
        count
    }

    fn of_lambda(
        &mut self,
        node: NodeId,
        lambda: NamedLambdaId,
        operand: NodeId,
        written: usize,
    ) -> Option<Diagnostic> {
        let named = self.unresolved.named;
        let pattern = named.lambda(lambda).pattern;
        let (parameters, _) = self.parameters(pattern);
        let is_single_name = matches!(named.pattern(pattern), NamedPattern::Variable(_));
        let trouble = match self.match_shapes(pattern, operand, written) {
            Some(CallFault::Surplus) if parameters < 2 && !is_single_name => None,
            None if is_single_name && written == 0 => Some(CallFault::Mismatch),
            trouble => trouble,
        }?;
        if is_single_name && !self.takes_no_tuple(lambda, pattern) && !self.uses.need_a_real(lambda, pattern) {
            return None;
        }
        let name = named.lambda(lambda).name.map(|name| self.unresolved.names.text(name));
        let callee = name.map_or_else(|| "this procedure".to_owned(), |name| format!("`{name}`"));
        let message = match parameters == written {
            true => format!("the operands cannot match the parameters of {callee}"),
            false => counted(&callee, &parameters.to_string(), parameters == 1, written),
        };
        let diagnostic = Diagnostic::new(Kind::Operands, named.span(node), message);
        let diagnostic = diagnostic.with_label(named.pattern_span(pattern), "the parameters");
        Some(match trouble {
            CallFault::Surplus if parameters > 1 => diagnostic.with_hint(SURPLUS),
            CallFault::Surplus | CallFault::Mismatch => diagnostic,
        })
    }

    /// Returns the number of parameters written in a pattern, and the last one: those of a tuple begin where their tuple does.
    fn parameters(&self, pattern: NamedPatternId) -> (usize, NamedPatternId) {
        let named = self.unresolved.named;
        let mut count = 1;
        let mut rest = pattern;
        while let NamedPattern::Pair(first, others) = named.pattern(rest) {
            if named.pattern_span(rest).start != named.pattern_span(first).start {
                return (count, rest);
            }
            rest = others;
            count += 1;
        }
        let is_empty = named.pattern(rest) == NamedPattern::Constant(Named::NIL);
        (if count == 1 && is_empty { 0 } else { count }, rest)
    }

    /// Compares a pattern with the operands of a call, along the tuple.
    fn match_shapes(&self, pattern: NamedPatternId, operand: NodeId, written: usize) -> Option<CallFault> {
        let named = self.unresolved.named;
        let (mut pattern, mut operand, mut left) = (pattern, operand, written);
        loop {
            match (named.pattern(pattern), named.node(operand)) {
                (NamedPattern::Pair(_, parameters), Node::Cons(_, operands)) => {
                    (pattern, operand, left) = (parameters, operands, left.saturating_sub(1));
                }
                (NamedPattern::Variable(_), _) => return (left > 1).then_some(CallFault::Surplus),
                (NamedPattern::Pair(..), _) => {
                    let shape = shape(named, self.scopes, operand);
                    return matches!(shape, Shape::Empty | Shape::Other).then_some(CallFault::Mismatch);
                }
                (NamedPattern::Constant(constant), _) => {
                    let shape = shape(named, self.scopes, operand);
                    let mismatch = match named.constant(constant) {
                        Constant::Nil => matches!(shape, Shape::Pair | Shape::Other),
                        Constant::Pair(..) => false,
                        Constant::Boolean(_) | Constant::Real(_) | Constant::Vector(_) => shape == Shape::Pair,
                    };
                    return mismatch.then_some(CallFault::Mismatch);
                }
            }
        }
    }

    fn of_primitive(&self, node: NodeId, primitive: Primitive, operand: NodeId, written: usize) -> Option<Diagnostic> {
        let named = self.unresolved.named;
        let OperandCount { least, most } = primitive.row().form.signature().operands;
        let mut last = operand;
        for _ in 1..written {
            let Node::Cons(_, rest) = named.node(last) else { return None };
            last = rest;
        }
        let is_no_tuple = matches!(shape(named, self.scopes, last), Shape::Empty | Shape::Other);
        let too_few = written < least && is_no_tuple;
        let too_many = most.is_some_and(|most| written > most);
        if !too_few && !too_many {
            return None;
        }
        let (number, is_one) = match (primitive, most) {
            // With another number of operands the name means another primitive.
            (Primitive::Forward | Primitive::Reverse, _) => ("1 or 3".to_owned(), false),
            (Primitive::Checkpoint, _) => ("3, 5 or 6".to_owned(), false),
            (_, Some(most)) if most == least => (least.to_string(), least == 1),
            (_, Some(most)) => (format!("{least} or {most}"), false),
            (_, None) => (format!("at least {least}"), least == 1),
        };
        let message = counted(&format!("`{}`", primitive.name()), &number, is_one, written);
        let diagnostic = Diagnostic::new(Kind::Operands, named.span(node), message);
        Some(if too_many && least > 1 { diagnostic.with_hint(SURPLUS) } else { diagnostic })
    }
}

/// Returns the message that a procedure takes one number of operands and is given another.
fn counted(callee: &str, number: &str, is_one: bool, written: usize) -> String {
    let number = if number == "0" { "no" } else { number };
    let operands = if is_one { "operand" } else { "operands" };
    let found = if written == 0 { "none".to_owned() } else { written.to_string() };
    format!("{callee} takes {number} {operands}, found {found}")
}
