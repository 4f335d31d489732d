//! Interfaces: the first lines and declarations of procedures in other languages.
//!
//! `INTERFACE .. END INTERFACE` stands before the statements of a subprogram, or between subprograms. An interface is a
//! subprogram like any other, with one statement, which calls the procedure. So all that is known of calls holds for it.

use crate::program::nesting::Nester;
use crate::program::units::{Node, UnitId, UnitKind};
use crate::syntax::tree::{Action, Expr, ExprId, Occurrence, Placed, Statement};
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_language::names::NameId;

/// The directions in which a parameter carries data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Intent {
    In,
    Out,
    Both,
}

impl Nester<'_> {
    /// Begins a block of interfaces.
    pub(super) fn begin_interfaces(&mut self, span: Span) {
        if self.open.last().is_some_and(|unit| unit.in_statements) {
            self.error(span, "interfaces stand before the statements of the subprogram around them");
        }
        self.interface = Some((span, self.open.len()));
    }

    /// Takes a statement that stands in a block of interfaces; returns false if none is open.
    pub(super) fn in_interface(&mut self, placed: &Placed) -> bool {
        let Some((begins, depth)) = self.interface else { return false };
        let span = placed.span;
        let is_between = self.open.len() <= depth;
        match &placed.statement {
            Statement::EndInterface => {
                if !is_between {
                    self.error(span, "END is missing before END INTERFACE");
                    self.open.truncate(depth);
                }
                self.interface = None;
            }
            Statement::Function(kind, name, parameters) if is_between => {
                self.begin_unit(UnitKind::Function(*kind), *name, parameters.clone(), span);
            }
            Statement::Subroutine(name, parameters) if is_between => {
                self.begin_unit(UnitKind::Subroutine, *name, parameters.clone(), span);
            }
            Statement::Declare(..)
            | Statement::Parameter(_)
            | Statement::External(_)
            | Statement::Intent(..)
            | Statement::Implicit(_)
                if !is_between =>
            {
                let unit = self.open.last().map(|unit| unit.id);
                if let Some(unit) = unit.and_then(|unit| self.program.units.get_mut(unit.0 as usize)) {
                    unit.specifications.push(placed.clone());
                }
            }
            Statement::End if !is_between => {
                if let Some(unit) = self.open.last().map(|unit| unit.id) {
                    self.call_of_interface(unit);
                }
                self.end_unit(placed.label, span);
            }
            _ => {
                let message = "an interface has the first line of a subprogram, its declarations and its END";
                let diagnostic = Diagnostic::new(Kind::Syntax, span, message);
                self.report.push(diagnostic.with_label(begins, "the interfaces begin here"));
            }
        }
        true
    }

    /// Reports a block of interfaces that is still open at the end of the text.
    pub(super) fn end_of_interfaces(&mut self) {
        if let Some((span, _)) = self.interface {
            self.error(span, "END INTERFACE is missing");
        }
    }

    /// Adds the statement of an interface. What its procedure returns is the value of a function, then what the
    /// parameters with the intent OUT get.
    fn call_of_interface(&mut self, unit: UnitId) {
        let about = self.program.unit(unit);
        let (name, span, body) = (about.name, about.span, about.body);
        let (kind, parameters) = (about.kind, about.parameters.clone());
        let intents = self.intents(unit);
        let intent = |name: NameId| intents.get(&name).copied().unwrap_or(Intent::In);
        let (mut operands, mut results) = (vec![], vec![]);
        if let UnitKind::Function(_) = kind {
            results.push(self.variable(name));
        }
        for parameter in parameters {
            if intent(parameter.name) != Intent::Out {
                operands.push(self.variable(parameter));
            }
            if intent(parameter.name) != Intent::In {
                results.push(self.variable(parameter));
            }
        }
        self.push(body, Node::Action(Action::Foreign { operands, results }), None, span);
    }

    fn variable(&mut self, occurrence: Occurrence) -> ExprId {
        self.tree.add(Expr::Name(occurrence.name), occurrence.span)
    }

    /// Returns the intents of the parameters of an interface, where it states them.
    fn intents(&mut self, unit: UnitId) -> FxHashMap<NameId, Intent> {
        let about = self.program.unit(unit);
        let parameters: HashSet<NameId> = about.parameters.iter().map(|parameter| parameter.name).collect();
        let stated = about.specifications.iter().filter_map(|placed| match &placed.statement {
            Statement::Intent(words, names) => Some((*words, names.clone())),
            _ => None,
        });
        let stated: Vec<([Option<Occurrence>; 2], Vec<Occurrence>)> = stated.collect();
        let mut intents = FxHashMap::default();
        for ([first, second], names) in stated {
            let written = |word: Option<Occurrence>| word.map(|word| self.names.text(word.name));
            let intent = match (written(first), written(second)) {
                (Some("IN"), None) => Some(Intent::In),
                (Some("OUT"), None) => Some(Intent::Out),
                (Some("INOUT"), None) | (Some("IN"), Some("OUT")) => Some(Intent::Both),
                _ => None,
            };
            let Some(intent) = intent else {
                if let Some(word) = first {
                    self.error(word.span, "an intent is IN, OUT or INOUT");
                }
                continue;
            };
            for name in names {
                if !parameters.contains(&name.name) {
                    let message = format!("{} is no parameter of this interface", self.names.text(name.name));
                    self.error(name.span, message);
                } else if intents.insert(name.name, intent).is_some() {
                    let message = format!("the intent of {} is stated twice", self.names.text(name.name));
                    self.report.push(Diagnostic::new(Kind::Duplicate, name.span, message));
                }
            }
        }
        intents
    }
}
