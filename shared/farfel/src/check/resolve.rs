//! The meanings of names.
//!
//! Scopes are those of ALGOL: a name means what the innermost subprogram around it declares. A name that none declares
//! is a subprogram of the text, or else an implicit variable, which belongs to the outermost subprogram around it, so
//! that nested subprograms share it. A name that is assigned somewhere in the outermost subprogram is a variable.

use crate::check::entities::{Callee, Entity, Meaning, Origin, Var, VarId, VarKind};
use crate::check::{Checker, Site, intrinsics};
use crate::program::targets::closed_targets;
use crate::program::units::{Item, Node, UnitId};
use crate::syntax::tree::{Action, AdItem, Expr, ExprId, Statement, Type};
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use vlad_core::diagnostic::Kind;
use vlad_language::names::NameId;

/// The indices of lists around an expression, the innermost last.
type Implied = Vec<(NameId, VarId)>;

impl Checker<'_> {
    /// Gives each name a meaning, and lists the calls.
    pub(super) fn resolve(&mut self) {
        let program = self.program;
        let assigned = self.assigned_names();
        for unit in program.unit_ids() {
            let none = HashSet::new();
            let assigned = assigned.get(&program.outermost(unit)).unwrap_or(&none);
            for placed in &program.unit(unit).specifications {
                if let Statement::Parameter(constants) = &placed.statement {
                    constants.iter().for_each(|(_, value)| self.resolve_expression(unit, *value, &[], assigned, false));
                }
            }
            // Bounds are in the order of their subprograms.
            let from = self.bounds.partition_point(|(owner, _)| *owner < unit);
            let until = self.bounds.partition_point(|(owner, _)| *owner <= unit);
            for bound in from..until {
                if let Some((_, bound)) = self.bounds.get(bound).copied() {
                    self.resolve_expression(unit, bound, &[], assigned, false);
                }
            }
            program.visit(program.unit(unit).body, &mut |item| self.resolve_item(unit, item, assigned));
        }
    }

    /// Returns the names that are assigned in each outermost subprogram.
    fn assigned_names(&self) -> FxHashMap<UnitId, HashSet<NameId>> {
        let mut assigned: FxHashMap<UnitId, HashSet<NameId>> = FxHashMap::default();
        for unit in self.program.unit_ids() {
            let names = assigned.entry(self.program.outermost(unit)).or_default();
            self.program.visit(self.program.unit(unit).body, &mut |item| {
                let mut target = |id: &ExprId| {
                    if let Expr::Name(name) = self.tree.expr(*id) {
                        names.insert(name);
                    }
                };
                match &item.node {
                    Node::Action(Action::Assign(variable, _)) => target(variable),
                    Node::Action(Action::Read(variables)) => variables.iter().for_each(target),
                    Node::Do(index, ..) => target(index),
                    Node::Ad(_, _, closes, _) => closed_targets(closes, &mut |id| target(&id)),
                    Node::Action(_) | Node::If(..) | Node::While(..) => {}
                }
            });
        }
        assigned
    }

    fn resolve_item(&mut self, unit: UnitId, item: &Item, assigned: &HashSet<NameId>) {
        match &item.node {
            Node::Ad(_, opens, closes, _) => {
                let mut implied = vec![];
                self.resolve_ad(unit, opens, &mut implied, assigned);
                self.resolve_ad(unit, closes, &mut implied, assigned);
            }
            Node::Action(Action::Call(call)) => self.resolve_expression(unit, *call, &[], assigned, true),
            node => node.roots(&mut |root| self.resolve_expression(unit, root, &[], assigned, false)),
        }
    }

    fn resolve_ad(&mut self, unit: UnitId, items: &[AdItem], implied: &mut Implied, assigned: &HashSet<NameId>) {
        for item in items {
            match item {
                AdItem::Bare(variable) => self.resolve_expression(unit, *variable, implied, assigned, false),
                AdItem::Set { variable, other, .. } => {
                    self.resolve_expression(unit, *variable, implied, assigned, false);
                    self.resolve_expression(unit, *other, implied, assigned, false);
                }
                AdItem::Implied { items, index, range, .. } => {
                    for bound in range.iter().flatten() {
                        self.resolve_expression(unit, *bound, implied, assigned, false);
                    }
                    let span = self.tree.span(*index);
                    let Expr::Name(name) = self.tree.expr(*index) else {
                        self.error(Kind::Syntax, span, "the index of a list is a name");
                        continue;
                    };
                    let kind = self.implicit_type(unit, name).unwrap_or(Type::Integer);
                    if kind != Type::Integer {
                        self.error(Kind::Type, span, "the index of a list is INTEGER; its name begins with I to N");
                    }
                    let kind = VarKind::Scalar(kind);
                    let var = self.entities.add(Var { name, owner: unit, kind, origin: Origin::Hidden, span });
                    self.entities.set_meaning(*index, Meaning::Variable(var));
                    implied.push((name, var));
                    self.resolve_ad(unit, items, implied, assigned);
                    implied.pop();
                }
            }
        }
    }

    fn resolve_expression(
        &mut self,
        unit: UnitId,
        root: ExprId,
        implied: &[(NameId, VarId)],
        assigned: &HashSet<NameId>,
        is_statement: bool,
    ) {
        for id in self.tree.range(root) {
            let meaning = match self.tree.expr(id) {
                Expr::Name(name) => match implied.iter().rev().find(|(index, _)| *index == name) {
                    Some((_, var)) => Meaning::Variable(*var),
                    None => self.name(unit, name, id, assigned),
                },
                Expr::Apply(name, _) => self.applied(unit, name, id, assigned, is_statement && id == root),
                Expr::Integer(_) | Expr::Real(_) | Expr::Logical(_) | Expr::Unary(..) | Expr::Binary(..) => continue,
            };
            if let Meaning::Call(callee) = meaning {
                self.sites.push(Site { unit, call: id, callee, is_statement: is_statement && id == root });
            }
            self.entities.set_meaning(id, meaning);
        }
    }

    /// Returns the entity that a name means; none if it is neither declared nor a subprogram.
    fn lookup(&self, unit: UnitId, name: NameId, assigned: &HashSet<NameId>) -> Option<Entity> {
        let mut around = Some(unit);
        while let Some(unit) = around {
            if let Some(entity) = self.entities.scope(unit).names.get(&name) {
                return Some(*entity);
            }
            around = self.program.unit(unit).parent;
        }
        let is_variable = assigned.contains(&name);
        self.top.get(&name).filter(|_| !is_variable).map(|unit| Entity::Unit(*unit))
    }

    /// Returns the meaning of a name without a list.
    fn name(&mut self, unit: UnitId, name: NameId, id: ExprId, assigned: &HashSet<NameId>) -> Meaning {
        match self.lookup(unit, name, assigned) {
            Some(Entity::Variable(var)) => Meaning::Variable(var),
            Some(Entity::Unit(unit)) => Meaning::Procedure(Callee::Unit(unit)),
            Some(Entity::Intrinsic(_)) => {
                if let Some((_, function)) = self.program.intrinsics.iter().find(|(passed, _)| *passed == name) {
                    return Meaning::Procedure(Callee::Unit(*function));
                }
                let message = format!("the intrinsic function {} cannot be passed", self.shown(name));
                let hint =
                    "it has operands of several types, or any number: pass a function of the program that calls it";
                self.error_with_hint(Kind::Type, self.tree.span(id), message, hint);
                Meaning::None
            }
            None => {
                let outermost = self.program.outermost(unit);
                let span = self.tree.span(id);
                let Some(kind) = self.implicit_type(unit, name).and_then(|_| self.implicit_type(outermost, name))
                else {
                    let message = format!("{} is not declared", self.shown(name));
                    self.error(Kind::Unbound, span, message);
                    return Meaning::None;
                };
                let kind = VarKind::Scalar(kind);
                let var = self.entities.add(Var { name, owner: outermost, kind, origin: Origin::Implicit, span });
                self.entities.scope_mut(outermost).names.insert(name, Entity::Variable(var));
                Meaning::Variable(var)
            }
        }
    }

    /// Returns the meaning of a name with a list behind it.
    fn applied(
        &mut self,
        unit: UnitId,
        name: NameId,
        id: ExprId,
        assigned: &HashSet<NameId>,
        is_statement: bool,
    ) -> Meaning {
        let span = self.tree.span(id);
        match self.lookup(unit, name, assigned) {
            Some(Entity::Unit(callee)) => Meaning::Call(Callee::Unit(callee)),
            Some(Entity::Intrinsic(intrinsic)) if !is_statement => Meaning::Intrinsic(intrinsic),
            Some(Entity::Variable(var)) => {
                let about = self.entities.var(var);
                match (&about.kind, about.origin) {
                    (VarKind::Array(..), _) if is_statement => {
                        let message = format!("{} is an array and cannot be called", self.shown(name));
                        self.error(Kind::Type, span, message);
                        Meaning::None
                    }
                    (VarKind::Array(..), _) => Meaning::Element(var),
                    (VarKind::Procedure(_), _) => Meaning::Call(Callee::Parameter(var)),
                    (VarKind::Scalar(kind), Origin::Parameter(_)) => {
                        let kind = *kind;
                        self.set_kind(var, VarKind::Procedure(kind));
                        Meaning::Call(Callee::Parameter(var))
                    }
                    (_, Origin::Result) => Meaning::Call(Callee::Unit(about.owner)),
                    _ => {
                        let message = format!("{} is neither an array nor a function", self.shown(name));
                        self.error(Kind::Type, span, message);
                        Meaning::None
                    }
                }
            }
            Some(Entity::Intrinsic(_)) | None => {
                let intrinsic = intrinsics::named(self.names.text(name));
                if let (Some(intrinsic), false) = (intrinsic, is_statement) {
                    return Meaning::Intrinsic(intrinsic);
                }
                let what = if is_statement { "subroutine" } else { "function or array" };
                let message = format!("there is no {what} {}", self.shown(name));
                self.error(Kind::Unbound, span, message);
                Meaning::None
            }
        }
    }
}
