//! The uses of a procedure's single parameter in its body, as far as warnings depend on them.

use crate::resolve::scope::{Scopes, Variable};
use std::collections::HashMap;
use vlad_language::named::{Named, NamedLambdaId, NamedPatternId, Node, NodeId};
use vlad_table::{ArgumentUse, Signature};

/// The number of nodes inspected for all procedures of a program together; nested procedures have nodes in common.
const MOST_LOOKED_AT: usize = 1 << 22;

/// The analysis with its results so far.
pub(super) struct Uses<'loading> {
    named: &'loading Named,
    scopes: &'loading Scopes,
    known: HashMap<u32, ParameterUses>,
    /// The number of nodes that may still be inspected.
    left: usize,
}

/// The uses of a parameter found so far.
#[derive(Clone, Copy, Default)]
struct ParameterUses {
    /// It has to be a real.
    as_real: bool,
    /// It is the last operand of a primitive on reals, or the only one: a real, or a tuple of reals.
    as_last: bool,
    /// It may be anything.
    as_whole: bool,
}

impl<'loading> Uses<'loading> {
    pub(super) fn new(named: &'loading Named, scopes: &'loading Scopes) -> Uses<'loading> {
        Uses { named, scopes, known: HashMap::new(), left: MOST_LOOKED_AT }
    }

    /// Returns true if a parameter is used where anything but a real is an error, and nowhere where a tuple or no
    /// operand is allowed: as the single operand of a call, or as the last operand of a primitive that takes any number
    /// of them.
    pub(super) fn need_a_real(&mut self, lambda: NamedLambdaId, parameter: NamedPatternId) -> bool {
        let ParameterUses { as_real, as_last, as_whole } = self.of(lambda, parameter);
        as_real && !as_last && !as_whole
    }

    /// Returns true if a parameter is used as an operand of primitives on reals alone, so that it is hardly meant as a tuple.
    pub(super) fn are_of_reals(&mut self, lambda: NamedLambdaId, parameter: NamedPatternId) -> bool {
        let ParameterUses { as_real, as_last, as_whole } = self.of(lambda, parameter);
        (as_real || as_last) && !as_whole
    }

    fn of(&mut self, lambda: NamedLambdaId, parameter: NamedPatternId) -> ParameterUses {
        if let Some(known) = self.known.get(&lambda.0) {
            return *known;
        }
        let seen = self.look(self.named.lambda(lambda).body, parameter);
        self.known.insert(lambda.0, seen);
        seen
    }

    fn look(&mut self, body: NodeId, parameter: NamedPatternId) -> ParameterUses {
        let mut seen = ParameterUses::default();
        let mut pending = vec![body];
        while let Some(node) = pending.pop() {
            let Some(left) = self.left.checked_sub(1) else { return ParameterUses::default() };
            self.left = left;
            match self.named.node(node) {
                Node::Constant(_) | Node::Variable(_) => {}
                Node::Lambda(lambda) => pending.push(self.named.lambda(lambda).body),
                Node::Application(operator, operand) => {
                    self.application(operator, operand, parameter, &mut seen);
                    pending.extend([operator, operand]);
                }
                Node::Cons(first, second) => pending.extend([first, second]),
                Node::If(test, consequent, alternative) => pending.extend([test, consequent, alternative]),
                Node::Letrec(group, body) => {
                    pending.extend(self.named.group(group).iter().map(|(_, lambda)| self.named.lambda(*lambda).body));
                    pending.push(body);
                }
            }
        }
        seen
    }

    fn is_parameter(&self, node: NodeId, parameter: NamedPatternId) -> bool {
        self.scopes.variable(node) == Some(Variable::Pattern(parameter))
    }

    fn application(&self, operator: NodeId, operand: NodeId, parameter: NamedPatternId, seen: &mut ParameterUses) {
        let signature = match self.scopes.variable(operator) {
            Some(Variable::Primitive(primitive)) => Some(primitive.row().form.signature()),
            _ => None,
        };
        let Some(Signature { operands, access: ArgumentUse::Reals, .. }) = signature else {
            seen.as_whole |= self.is_parameter(operand, parameter);
            return;
        };
        // Where the number of operands is not fixed, the last one may be a tuple of more.
        let last_is_real = operands.most == Some(operands.least);
        let mut rest = operand;
        let mut is_real = false;
        while let Node::Cons(first, others) = self.named.node(rest) {
            is_real |= self.is_parameter(first, parameter);
            rest = others;
        }
        if self.is_parameter(rest, parameter) {
            match last_is_real {
                true => is_real = true,
                // In (* x x), for example, the last operand is a variable that must be a real already.
                false => seen.as_last |= !is_real,
            }
        }
        seen.as_real |= is_real;
    }
}
