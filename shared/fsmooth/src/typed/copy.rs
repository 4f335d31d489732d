//! Copies of typed expressions, with locals of their own.

use super::{Expression, ExpressionId, LocalId, Program, Variable};
use rustc_hash::FxHashMap;
use vlad_core::source::Span;
use vlad_table::internal_bug;

/// The expressions that stand in a copy in place of free locals.
pub type Substitution = FxHashMap<LocalId, ExpressionId>;

impl Program {
    /// Copies an expression. Locals that it binds are bound anew.
    pub fn copy(&mut self, root: ExpressionId) -> ExpressionId {
        self.copied(root, &Substitution::default(), None)
    }

    /// Copies an expression with a copy of another one in the place of each use of a free local.
    pub fn copy_replacing(&mut self, root: ExpressionId, local: LocalId, value: ExpressionId) -> ExpressionId {
        self.copied(root, &Substitution::from_iter([(local, value)]), None)
    }

    /// Copies an expression with copies of others in the places of free locals. A variable of `deriv` is replaced by a variable.
    pub fn copy_with(&mut self, root: ExpressionId, replaced: &Substitution) -> ExpressionId {
        self.copied(root, replaced, None)
    }

    /// Copies an expression into another text: the copy and its parts have a span there.
    pub fn copy_to(&mut self, span: Span, root: ExpressionId) -> ExpressionId {
        self.copied(root, &Substitution::default(), Some(span))
    }

    fn copied(&mut self, root: ExpressionId, replaced: &Substitution, span: Option<Span>) -> ExpressionId {
        let mut copying = Copying { program: self, span, renamed: FxHashMap::default(), copied: vec![] };
        copying.run(root, replaced);
        let Some(copy) = copying.copied.pop() else { internal_bug!("a copy has a root") };
        copy
    }
}

enum Step {
    /// Copies an expression; replaces its free locals or, inside a replacement, leaves them.
    Visit(ExpressionId, Replace),
    /// Makes an expression of the copies of its parts, which are the last ones.
    Make(ExpressionId, Expression),
}

/// The treatment of free locals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replace {
    Free,
    Nothing,
}

struct Copying<'program> {
    program: &'program mut Program,
    /// The span of all that is copied; none if it stays.
    span: Option<Span>,
    renamed: FxHashMap<LocalId, LocalId>,
    copied: Vec<ExpressionId>,
}

impl Copying<'_> {
    fn run(&mut self, root: ExpressionId, replaced: &Substitution) {
        let mut steps = vec![Step::Visit(root, Replace::Free)];
        let mut parts = vec![];
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(id, replace) => {
                    let expression = self.program.expression(id);
                    if let (Expression::Local(local), Replace::Free) = (expression, replace)
                        && let Some(replacement) = replaced.get(&local)
                    {
                        steps.push(Step::Visit(*replacement, Replace::Nothing));
                        continue;
                    }
                    let expression = self.renamed_expression(expression, replace, replaced);
                    steps.push(Step::Make(id, expression));
                    self.program.parts(id, &mut parts);
                    steps.extend(parts.drain(..).rev().map(|part| Step::Visit(part, replace)));
                }
                Step::Make(id, expression) => self.make(id, expression, &mut parts),
            }
        }
    }

    /// Returns an expression with new locals in place of those that it binds, and those in place of old ones.
    fn renamed_expression(&mut self, expression: Expression, replace: Replace, replaced: &Substitution) -> Expression {
        if let Expression::Lambda { parameter, body } = expression {
            return Expression::Lambda { parameter: self.rebind(parameter), body };
        }
        if let Expression::Let { local, value, body } = expression {
            return Expression::Let { local: self.rebind(local), value, body };
        }
        if let Expression::Local(local) = expression {
            return Expression::Local(self.renamed(local));
        }
        if let Expression::Deriv { body, variable } = expression {
            return Expression::Deriv { body, variable: self.renamed_variable(variable, replace, replaced) };
        }
        expression
    }

    fn renamed(&self, local: LocalId) -> LocalId {
        self.renamed.get(&local).copied().unwrap_or(local)
    }

    fn renamed_variable(&self, variable: Variable, replace: Replace, replaced: &Substitution) -> Variable {
        let Variable::Local(local) = variable else { return variable };
        let replacement = match replace {
            Replace::Free => replaced.get(&local),
            Replace::Nothing => None,
        };
        let Some(replacement) = replacement else { return Variable::Local(self.renamed(local)) };
        let Some(variable) = self.program.as_variable(*replacement) else {
            internal_bug!("a variable of `deriv` is replaced by a variable")
        };
        variable
    }

    fn rebind(&mut self, local: LocalId) -> LocalId {
        let new = self.program.add_local_like(local);
        self.renamed.insert(local, new);
        new
    }

    fn make(&mut self, id: ExpressionId, expression: Expression, parts: &mut Vec<ExpressionId>) {
        self.program.parts(id, parts);
        let from = self.copied.len().saturating_sub(parts.len());
        parts.clear();
        let copies = self.copied.split_off(from);
        let copy = self.program.with_parts(expression, &copies);
        let (type_id, span) = (self.program.type_of(id), self.span.unwrap_or(self.program.span(id)));
        let copy = self.program.add(copy, type_id, span);
        self.copied.push(copy);
    }
}
