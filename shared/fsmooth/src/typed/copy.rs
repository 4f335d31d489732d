//! Copies of typed expressions, with locals of their own.

use super::{ExpressionId, Head, LocalId, Program};
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
    /// Makes an expression of a head and of so many parts, whose copies are the last ones.
    Make(ExpressionId, Head, usize),
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
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(id, replace) => {
                    let (head, parts) = self.program.apart(id);
                    let replacement =
                        head.used().filter(|_| replace == Replace::Free).and_then(|local| replaced.get(&local));
                    match (head, replacement) {
                        (Head::Local(_), Some(replacement)) => steps.push(Step::Visit(*replacement, Replace::Nothing)),
                        (head, replacement) => {
                            steps.push(Step::Make(id, self.renamed(head, replacement.copied()), parts.len()));
                            steps.extend(parts.into_iter().rev().map(|part| Step::Visit(part, replace)));
                        }
                    }
                }
                Step::Make(id, head, count) => {
                    let parts = self.copied.split_off(self.copied.len().saturating_sub(count));
                    let copy = self.program.together(head, &parts);
                    let (type_id, span) = (self.program.type_of(id), self.span.unwrap_or(self.program.span(id)));
                    let copy = self.program.add(copy, type_id, span);
                    self.copied.push(copy);
                }
            }
        }
    }

    /// Returns a head with a new local in place of one that it binds, and that in place of an old one; the variable of a `deriv` may be
    /// replaced.
    fn renamed(&mut self, head: Head, replacement: Option<ExpressionId>) -> Head {
        if let Some(local) = head.bound() {
            let new = self.program.add_local_like(local);
            self.renamed.insert(local, new);
        } else if let Some(replacement) = replacement {
            let Some(variable) = self.program.as_variable(replacement) else {
                internal_bug!("a variable of `deriv` is replaced by a variable")
            };
            return Head::Deriv(variable);
        }
        head.with_local(|local| self.renamed.get(&local).copied().unwrap_or(local))
    }
}
