//! Inlining of functions that differentiate a parameter, so that D sees the function that is passed.
//!
//! In `let slope f x = snd (diff f x)` the function f is unknown. So uses of `slope` are replaced by its definition:
//!
//! ```text
//! slope g e   becomes   let f = g in let x = e in snd (diff f x)
//! ```
//!
//! There is no recursion, so this ends. If a program would become too large, or the function is not applied, the operator
//! becomes `jvp`.

use crate::builder::Binding;
use crate::builtins::Builtin;
use crate::differentiation::Differentiation;
use crate::differentiation::transparency::MOST_EXPRESSIONS;
use crate::typed::{Expression, ExpressionId, GlobalId, Head};

impl Differentiation<'_> {
    /// Replaces the uses of functions that differentiate their parameters in an expression.
    pub(super) fn expose(&mut self, root: ExpressionId) {
        if self.templates.is_empty() {
            return;
        }
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            let spine = self.spine(id);
            let Some((head, applications)) = spine.split_last() else { continue };
            if let Expression::Global(global) = self.program.expression(*head)
                && let Some(template) = self.templates.get(&global).copied()
                && !applications.is_empty()
                && self.program.count() < MOST_EXPRESSIONS / 4
            {
                let copy = self.program.copy(template);
                let copy = self.program.expression(copy);
                self.program.set(*head, copy);
                applications.iter().rev().for_each(|application| self.reduce(*application));
                pending.push(id);
                continue;
            }
            for application in applications {
                if let Expression::Application { argument, .. } = self.program.expression(*application) {
                    pending.push(argument);
                }
            }
            pending.extend(self.program.parts(*head));
        }
    }

    /// The applications in operator position, from the outside, and the operator of the innermost.
    fn spine(&self, id: ExpressionId) -> Vec<ExpressionId> {
        let mut spine = vec![id];
        let mut last = id;
        while let Expression::Application { function, .. } = self.program.expression(last) {
            spine.push(function);
            last = function;
        }
        spine
    }

    /// `(let ... in fun x -> body) e` becomes `let ... in let x = e in body`.
    fn reduce(&mut self, application: ExpressionId) {
        let Expression::Application { function, argument } = self.program.expression(application) else { return };
        let mut bindings = vec![];
        let mut last = function;
        while let Expression::Let { local, value, body } = self.program.expression(last) {
            bindings.push(Binding { local, value });
            last = body;
        }
        let Expression::Lambda { parameter, body } = self.program.expression(last) else { return };
        bindings.push(Binding { local: parameter, value: argument });
        let span = self.program.span(application);
        let reduced = self.program.at(span).bind(bindings, body);
        let reduced = self.program.expression(reduced);
        self.program.set(application, reduced);
    }

    /// Returns a copy of the definition of a function that has operators of differentiation, as it is before they are replaced.
    pub(super) fn template(&mut self, global: GlobalId) -> Option<ExpressionId> {
        let data = self.program.global(global).clone();
        if !self.is_function_over_doubles(data.type_id) {
            return None;
        }
        let is_operator = |head| matches!(head, Head::Deriv(_) | Head::Call(Builtin::Derivative(_)));
        self.program.any(data.value, is_operator).then(|| self.program.copy(data.value))
    }
}
