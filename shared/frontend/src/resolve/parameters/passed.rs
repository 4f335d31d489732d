//! Warnings about procedures of one parameter that others call with several operands, as `rk4` calls its first operand in
//! `(rk4 (lambda (y) (- y)) 0 1 1 10)`: the parameter is the tuple of these, which a primitive takes for its own operands, so nothing
//! fails.

use super::{Callee, Checker};
use crate::resolve::scope::Variable;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_language::named::{NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId};

impl Checker<'_> {
    /// Notes the call of a parameter, and the parameters that an application passes on.
    pub(super) fn note_calls(&mut self, node: NodeId) {
        let named = self.unresolved.named;
        let Node::Application(operator, operand) = named.node(node) else { return };
        if let Some(Variable::Pattern(parameter)) = self.scopes.variable(operator) {
            let written = self.written_operands(node, operand);
            let least = self.calls.least.entry(parameter).or_insert(written);
            *least = written.min(*least);
        }
        if let Some(Callee::Lambda(lambda)) = self.callee(operator) {
            for (parameter, operand) in self.paired(lambda, operand) {
                if let Some(Variable::Pattern(passed)) = self.scopes.variable(operand) {
                    self.calls.passed.entry(passed).or_default().push(parameter);
                }
            }
        }
    }

    /// The operands of a call that stand for single parameters, with these.
    fn paired(&self, lambda: NamedLambdaId, operand: NodeId) -> Vec<(NamedPatternId, NodeId)> {
        let named = self.unresolved.named;
        let (mut pattern, mut rest, mut pairs) = (named.lambda(lambda).pattern, operand, vec![]);
        while let (NamedPattern::Pair(first, parameters), Node::Cons(operand, operands)) =
            (named.pattern(pattern), named.node(rest))
        {
            pairs.push((first, operand));
            (pattern, rest) = (parameters, operands);
        }
        pairs.push((pattern, rest));
        pairs
    }

    /// Returns the warning about a procedure that a call passes.
    pub(super) fn passed(&mut self, operator: NodeId, lambda: NamedLambdaId, operand: NodeId) -> Option<Diagnostic> {
        let named = self.unresolved.named;
        // A call of `map` with several lists is one of another procedure.
        let written = self.unresolved.sources.text(named.span(operator));
        let own = named.lambda(lambda).name.map(|name| self.unresolved.names.text(name))?;
        let name = if written.starts_with('(') { own } else { written };
        for (parameter, operand) in self.paired(lambda, operand) {
            let Some(Callee::Lambda(passed)) = self.simple_callee(operand) else { continue };
            let pattern = named.lambda(passed).pattern;
            let is_single = matches!(named.pattern(pattern), NamedPattern::Variable(_));
            let Some(count) = self.calls.least(parameter).filter(|count| is_single && *count > 1) else { continue };
            if self.uses.are_of_reals(passed, pattern) {
                let message = format!("`{name}` calls this procedure with {count} operands, and it has one parameter");
                let diagnostic = Diagnostic::new(Kind::Operands, named.span(operand), message);
                let diagnostic = diagnostic.with_label(named.pattern_span(pattern), "the parameter");
                return Some(
                    diagnostic.with_hint("one parameter is the tuple of all operands; write a parameter for each"),
                );
            }
        }
        None
    }
}
