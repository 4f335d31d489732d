//! Expressions and calls, with the names of a context.

use super::closures::{Closure, Key};
use super::context::Context;
use super::{Lifting, Refused};
use crate::check::entities::{Callee, Meaning, VarId};
use crate::flow::effects;
use crate::syntax::tree::{Expr, ExprId, Unary};
use rustc_hash::FxHashMap;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_table::number;

/// A pending part of the text of an expression.
enum Task {
    Expression(ExprId),
    Text(String),
}

impl Lifting<'_> {
    /// Returns the text of an expression. Parentheses of the program are part of its tree, so precedence needs no others.
    pub(super) fn expression(&mut self, context: &mut Context, root: ExprId) -> Result<String, Refused> {
        let (mut out, mut tasks) = (String::new(), vec![Task::Expression(root)]);
        while let Some(task) = tasks.pop() {
            let id = match task {
                Task::Text(text) => {
                    out.push_str(&text);
                    continue;
                }
                Task::Expression(id) => id,
            };
            match self.tree.expr(id) {
                Expr::Integer(value) => out.push_str(&number::format(value)),
                Expr::Real(value) => out.push_str(&real(value)),
                Expr::Logical(value) => out.push_str(if value { ".TRUE." } else { ".FALSE." }),
                Expr::Unary(operation, operand) => {
                    let (before, after) = match operation {
                        Unary::Group => ("(", ")"),
                        Unary::Plus => ("+", ""),
                        Unary::Minus => ("-", ""),
                        Unary::Not => (".NOT. ", ""),
                    };
                    out.push_str(before);
                    tasks.extend([Task::Text(after.to_owned()), Task::Expression(operand)]);
                }
                Expr::Binary(operation, first, second) => {
                    let operator = Task::Text(format!(" {} ", operation.text()));
                    tasks.extend([Task::Expression(second), operator, Task::Expression(first)]);
                }
                Expr::Name(_) | Expr::Apply(..) => self.named(context, id, &mut tasks)?,
            }
        }
        Ok(out)
    }

    /// Adds the parts of the text of a name, alone or with a list.
    fn named(&mut self, context: &mut Context, id: ExprId, tasks: &mut Vec<Task>) -> Result<(), Refused> {
        let arguments = effects::arguments(self.tree, id);
        let (name, arguments, more) = match self.checked.entities.meaning(id) {
            Meaning::Variable(var) => {
                tasks.push(Task::Text(self.variable(context, var, self.tree.span(id))?));
                return Ok(());
            }
            Meaning::Element(var) => (self.variable(context, var, self.tree.span(id))?, arguments.to_vec(), vec![]),
            Meaning::Intrinsic(intrinsic) => (intrinsic.name.to_owned(), arguments.to_vec(), vec![]),
            Meaning::Call(callee) => self.call(context, callee, arguments, self.tree.span(id))?,
            Meaning::None | Meaning::Procedure(_) => {
                let message = "a procedure stands where it has no lifted form";
                return Err(Box::new(Diagnostic::new(Kind::Limit, self.tree.span(id), message)));
            }
        };
        let mut parts = vec![Task::Text(format!("{name}("))];
        let arguments = arguments.into_iter().map(Task::Expression).chain(more.into_iter().map(Task::Text));
        for (place, argument) in arguments.enumerate() {
            if place > 0 {
                parts.push(Task::Text(", ".to_owned()));
            }
            parts.push(argument);
        }
        parts.push(Task::Text(")".to_owned()));
        tasks.extend(parts.into_iter().rev());
        Ok(())
    }

    /// Returns the version that a call calls, its arguments that are no procedures, and the additional ones.
    fn call(
        &mut self,
        context: &mut Context,
        callee: Callee,
        arguments: &[ExprId],
        span: Span,
    ) -> Result<(String, Vec<ExprId>, Vec<String>), Refused> {
        let closure = self.closure(context, callee, span)?;
        let parameters = self.checked.entities.scope(closure.unit).parameters.clone();
        let (mut given, mut others) = (vec![], vec![]);
        for (argument, parameter) in arguments.iter().zip(parameters) {
            match self.checked.entities.meaning(*argument) {
                Meaning::Procedure(callee) if self.checked.entities.is_procedure(parameter) => {
                    given.push(self.closure(context, callee, span)?);
                }
                _ => others.push(*argument),
            }
        }
        let mut locations = vec![];
        closure.add_locations(&mut locations);
        given.iter().for_each(|closure: &Closure| closure.add_locations(&mut locations));
        let to: FxHashMap<usize, usize> = locations.iter().copied().zip(0..).collect();
        let moved = |closure: &Closure| {
            closure.moved(&to).ok_or_else(|| Box::new(Diagnostic::new(Kind::Limit, span, "a variable has no place")))
        };
        let given = given.iter().map(moved).collect::<Result<Vec<_>, _>>()?;
        let found: Vec<_> = locations.iter().filter_map(|place| context.locations.get(*place).cloned()).collect();
        context.used.extend(&locations);
        let added = found.iter().map(|location| location.var).collect();
        let more = found.into_iter().map(|location| location.name).collect();
        let name = self.version(Key { callee: moved(&closure)?, given, added }, span)?;
        Ok((name, others, more))
    }

    /// Returns the name of a variable.
    pub(super) fn variable(&mut self, context: &mut Context, var: VarId, span: Span) -> Result<String, Refused> {
        if let Some(name) = context.indices.get(&var) {
            return Ok(name.clone());
        }
        let literal = effects::literal(self.tree, &self.checked.entities, var);
        if literal.is_some() {
            context.constants.insert(var);
            return Ok(self.constant_name(var));
        }
        let location = context.of.get(&var).copied();
        let name = location.and_then(|location| context.locations.get(location)).map(|found| found.name.clone());
        context.used.extend(location);
        name.ok_or_else(|| {
            Box::new(Diagnostic::new(Kind::Limit, span, "this variable has no place in the lifted form"))
        })
    }

    /// Returns the name of a constant, which is its own.
    pub(super) fn constant_name(&self, var: VarId) -> String {
        self.names.text(self.checked.entities.var(var).name).to_owned()
    }
}

/// Returns the text of a real constant.
fn real(value: f64) -> String {
    let text = format!("{value:?}");
    if text.contains('e') { text.replace('e', "D") } else { text + "D0" }
}
