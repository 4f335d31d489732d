//! Functions of one statement: `x(x,..) = e` before the first statement, where x is no array.

use crate::program::nesting::{Nester, OpenUnit};
use crate::program::units::{Node, UnitKind};
use crate::syntax::tree::{Action, Expr, Occurrence, Placed, Statement};
use vlad_core::source::Span;
use vlad_language::names::NameId;

impl Nester<'_> {
    /// Adds `x(..) = e` as a nested function of one statement, or as the first statement.
    pub(super) fn assignment_or_function(&mut self, placed: Placed) {
        let Statement::Action(Action::Assign(variable, value)) = placed.statement else { return };
        let Expr::Apply(name, parts) = self.tree.expr(variable) else { return };
        let Some(unit) = self.open.last() else { return };
        let is_array = self.program.unit(unit.id).specifications.iter().any(|placed| match &placed.statement {
            Statement::Declare(_, declarators) => {
                declarators.iter().any(|declared| declared.name.name == name && !declared.bounds.is_empty())
            }
            _ => false,
        }) || self.is_array_around(name);
        if is_array {
            if let Some(unit) = self.open.last_mut() {
                unit.in_statements = true;
            }
            return self.executed(placed);
        }
        let whole = self.tree.span(variable);
        let length = self.names.text(name).len() as u32;
        let occurrence = Occurrence { name, span: Span::new(whole.file, whole.start, whole.start + length) };
        let mut parameters = vec![];
        for part in self.tree.parts(parts).to_vec() {
            match self.tree.expr(part) {
                Expr::Name(name) => parameters.push(Occurrence { name, span: self.tree.span(part) }),
                _ => {
                    let message = format!(
                        "{} is no array, and a function of one statement has names as parameters",
                        self.names.text(name)
                    );
                    return self.error(whole, message);
                }
            }
        }
        self.begin_unit(UnitKind::Function(None), occurrence, parameters, placed.span);
        // Inside the function its name alone is its result.
        if let Some(OpenUnit { in_statements, .. }) = self.open.last_mut() {
            *in_statements = true;
        }
        let result = self.tree.add(Expr::Name(name), occurrence.span);
        self.add(Node::Action(Action::Assign(result, value)), placed.label, placed.span);
        self.end_unit(None, placed.span);
    }

    /// Returns true if a name is declared as an array in a subprogram around the innermost one.
    fn is_array_around(&self, name: NameId) -> bool {
        self.open.iter().rev().skip(1).any(|unit| {
            self.program.unit(unit.id).specifications.iter().any(|placed| match &placed.statement {
                Statement::Declare(_, declarators) => {
                    declarators.iter().any(|declared| declared.name.name == name && !declared.bounds.is_empty())
                }
                _ => false,
            })
        })
    }
}
