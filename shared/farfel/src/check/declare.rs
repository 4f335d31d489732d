//! The declarations: which names each subprogram declares, and as what.
//!
//! Postcondition: every subprogram has a scope with its parameters, its result, its declared variables and the
//! subprograms in it. Bounds and constants are still expressions without meanings.

use crate::check::Checker;
use crate::check::entities::{Dimension, Entity, Extent, Origin, Scope, Var, VarId, VarKind};
use crate::check::intrinsics;
use crate::program::units::{UnitId, UnitKind};
use crate::syntax::tree::{Bound, Declarator, Expr, ExprId, LetterTypes, Occurrence, Statement, Type, Unary};
use std::collections::HashSet;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_language::names::NameId;

/// The most dimensions of an array.
const MOST_DIMENSIONS: usize = 7;

impl Checker<'_> {
    /// Declares the names of all subprograms.
    pub(super) fn declare(&mut self) {
        let applied = self.applied_names();
        for unit in self.program.unit_ids() {
            self.entities.scopes.push(Scope::default());
            if self.program.unit(unit).parent.is_none() {
                self.declare_top(unit);
            }
        }
        for (unit, applied) in self.program.unit_ids().zip(&applied) {
            self.declare_unit(unit, applied);
        }
    }

    fn declare_top(&mut self, unit: UnitId) {
        let Occurrence { name, span } = self.program.unit(unit).name;
        if self.program.unit(unit).kind == UnitKind::Program {
            match self.main {
                Some(first) => {
                    let first = self.program.unit(first).span;
                    self.duplicate(span, "there are two main programs", first);
                }
                None => self.main = Some(unit),
            }
        }
        if let Some(first) = self.top.insert(name, unit) {
            let first = self.program.unit(first).name.span;
            self.duplicate(span, &format!("there are two subprograms {}", self.names.text(name)), first);
        }
    }

    fn duplicate(&mut self, span: Span, message: &str, first: Span) {
        self.report.push(Diagnostic::new(Kind::Duplicate, span, message).with_label(first, "the first one"));
    }

    /// Returns the names with lists behind them in each subprogram and those inside it.
    fn applied_names(&self) -> Vec<HashSet<NameId>> {
        let mut applied: Vec<HashSet<NameId>> = self.program.unit_ids().map(|_| HashSet::new()).collect();
        for unit in self.program.unit_ids().collect::<Vec<_>>().into_iter().rev() {
            let mut own = applied.get_mut(unit.0 as usize).map(std::mem::take).unwrap_or_default();
            self.program.visit(self.program.unit(unit).body, &mut |item| {
                item.node.roots(&mut |root| {
                    for id in self.tree.range(root) {
                        if let Expr::Apply(name, _) = self.tree.expr(id) {
                            own.insert(name);
                        }
                    }
                });
            });
            let parent = self.program.unit(unit).parent;
            if let Some(around) = parent.and_then(|parent| applied.get_mut(parent.0 as usize)) {
                around.extend(own.iter().copied());
            }
            if let Some(place) = applied.get_mut(unit.0 as usize) {
                *place = own;
            }
        }
        applied
    }

    fn declare_unit(&mut self, unit: UnitId, applied: &HashSet<NameId>) {
        let parent = self.program.unit(unit).parent;
        let letters = match parent {
            Some(parent) => self.entities.scope(parent).letters,
            None => Some(std::array::from_fn(|letter| {
                Some(if (8..=13).contains(&letter) { Type::Integer } else { Type::Real })
            })),
        };
        self.entities.scope_mut(unit).letters = letters;
        let program = self.program;
        let about = program.unit(unit);
        for placed in &about.specifications {
            if let Statement::Implicit(ranges) = &placed.statement {
                self.implicit(unit, ranges.as_deref());
            }
        }
        for nested in &about.nested {
            let Occurrence { name, span } = program.unit(*nested).name;
            self.declare_name(unit, name, span, Entity::Unit(*nested));
        }
        for (place, parameter) in about.parameters.iter().enumerate() {
            let var = self.add_scalar(unit, *parameter, Origin::Parameter(place));
            self.entities.scope_mut(unit).parameters.push(var);
            self.declare_name(unit, parameter.name, parameter.span, Entity::Variable(var));
        }
        if let UnitKind::Function(kind) = about.kind {
            let var = self.add_scalar(unit, about.name, Origin::Result);
            if let Some(kind) = kind {
                self.set_kind(var, VarKind::Scalar(kind));
            }
            self.entities.scope_mut(unit).result = Some(var);
            self.declare_name(unit, about.name.name, about.name.span, Entity::Variable(var));
        }
        for placed in &about.specifications {
            match &placed.statement {
                Statement::Declare(kind, declarators) => {
                    for declarator in declarators {
                        self.declarator(unit, *kind, declarator, applied);
                    }
                }
                Statement::Parameter(constants) => {
                    for (name, value) in constants {
                        self.constant(unit, *name, *value);
                    }
                }
                Statement::Intrinsic(names) => names.iter().for_each(|name| self.intrinsic(unit, *name)),
                _ => {}
            }
        }
        // EXTERNAL may stand before the types of its names and behind them.
        for placed in &about.specifications {
            if let Statement::External(names) = &placed.statement {
                names.iter().for_each(|name| self.external(unit, *name));
            }
        }
        for row in &about.rows {
            let kind = VarKind::Scalar(Type::Real);
            let Occurrence { name, span } = *row;
            let var = self.entities.add(Var { name, owner: unit, kind, origin: Origin::Declared, span });
            self.declare_name(unit, name, span, Entity::Variable(var));
        }
    }

    fn implicit(&mut self, unit: UnitId, ranges: Option<&[LetterTypes]>) {
        let Some(ranges) = ranges else {
            self.entities.scope_mut(unit).letters = None;
            return;
        };
        let mut letters = self.entities.scope(unit).letters.unwrap_or([None; 26]);
        for (kind, ranges) in ranges {
            for (from, to) in ranges {
                let letter = |name: &Occurrence| match self.names.text(name.name).as_bytes() {
                    [letter @ b'A'..=b'Z'] => Some(usize::from(letter - b'A')),
                    _ => None,
                };
                match (letter(from), letter(to)) {
                    (Some(from), Some(to)) if from <= to => {
                        letters.iter_mut().take(to + 1).skip(from).for_each(|letter| *letter = Some(*kind));
                    }
                    _ => self.error(Kind::Syntax, from.span.to(to.span), "expected a letter, or two in order: A-H"),
                }
            }
        }
        self.entities.scope_mut(unit).letters = Some(letters);
    }

    /// Returns the type that a name has without a declaration.
    pub(super) fn implicit_type(&self, unit: UnitId, name: NameId) -> Option<Type> {
        let letter = self.names.text(name).as_bytes().first().map(|letter| usize::from(letter.wrapping_sub(b'A')));
        let letters = self.entities.scope(unit).letters?;
        letters.get(letter?).copied().flatten()
    }

    fn add_scalar(&mut self, owner: UnitId, occurrence: Occurrence, origin: Origin) -> VarId {
        let kind = VarKind::Scalar(self.implicit_type(owner, occurrence.name).unwrap_or(Type::Real));
        self.entities.add(Var { name: occurrence.name, owner, kind, origin, span: occurrence.span })
    }

    pub(super) fn set_kind(&mut self, var: VarId, kind: VarKind) {
        if let Some(var) = self.entities.vars.get_mut(var.0 as usize) {
            var.kind = kind;
        }
    }

    fn declare_name(&mut self, unit: UnitId, name: NameId, span: Span, entity: Entity) {
        if let Some(first) = self.entities.scope(unit).names.get(&name).copied() {
            let first = match first {
                Entity::Variable(var) => self.entities.var(var).span,
                Entity::Unit(unit) => self.program.unit(unit).name.span,
                Entity::Intrinsic(_) => span,
            };
            self.duplicate(span, &format!("{} is declared twice here", self.names.text(name)), first);
            return;
        }
        self.entities.scope_mut(unit).names.insert(name, entity);
    }

    fn declarator(&mut self, unit: UnitId, kind: Option<Type>, declarator: &Declarator, applied: &HashSet<NameId>) {
        let Occurrence { name, span } = declarator.name;
        let known = self.entities.scope(unit).names.get(&name).copied();
        if let Some(kind) = kind {
            let typed = &mut self.entities.scope_mut(unit).typed;
            if let Some((_, first)) = typed.insert(name, (kind, span)) {
                self.duplicate(span, &format!("the type of {} is declared twice", self.names.text(name)), first);
                return;
            }
        }
        let is_procedure = declarator.bounds.is_empty() && applied.contains(&name);
        let var = match known {
            Some(Entity::Variable(var)) => var,
            Some(Entity::Unit(nested)) if declarator.bounds.is_empty() => {
                return self.repeated_type(nested, kind, span);
            }
            Some(Entity::Unit(_)) => {
                let message = format!("{} is a subprogram here", self.names.text(name));
                return self.error(Kind::Duplicate, span, message);
            }
            Some(Entity::Intrinsic(_)) => return,
            None if is_procedure => match self.lookup_unit(unit, name) {
                Some(callee) => return self.repeated_type(callee, kind, span),
                None if intrinsics::named(self.names.text(name)).is_some() => return,
                None => self.declared(unit, declarator.name),
            },
            None => self.declared(unit, declarator.name),
        };
        let own = match (kind, &self.entities.var(var).kind) {
            (Some(kind), _) => kind,
            (None, VarKind::Scalar(kind) | VarKind::Array(kind, _) | VarKind::Procedure(kind)) => *kind,
            (None, VarKind::State | VarKind::Depth) => Type::Real,
        };
        if let (UnitKind::Function(Some(_)), Some(_), Origin::Result) =
            (self.program.unit(unit).kind, kind, self.entities.var(var).origin)
        {
            self.error(Kind::Duplicate, span, "the type of this function stands before the word FUNCTION already");
        }
        if let VarKind::Array(_, dimensions) = &self.entities.var(var).kind {
            let dimensions = dimensions.clone();
            if !declarator.bounds.is_empty() {
                self.error(
                    Kind::Duplicate,
                    span,
                    format!("the bounds of {} are declared twice", self.names.text(name)),
                );
            }
            return self.set_kind(var, VarKind::Array(own, dimensions));
        }
        if declarator.bounds.is_empty() {
            return self.set_kind(var, VarKind::Scalar(own));
        }
        if self.entities.var(var).origin == Origin::Result {
            return self.error(Kind::Syntax, span, "the result of a function is no array");
        }
        let dimensions = self.dimensions(unit, declarator, var);
        self.set_kind(var, VarKind::Array(own, dimensions));
    }

    fn declared(&mut self, unit: UnitId, occurrence: Occurrence) -> VarId {
        let var = self.add_scalar(unit, occurrence, Origin::Declared);
        self.declare_name(unit, occurrence.name, occurrence.span, Entity::Variable(var));
        var
    }

    /// Checks a declaration that repeats the type of a function's result; the types may not be known yet.
    fn repeated_type(&mut self, callee: UnitId, kind: Option<Type>, span: Span) {
        if let Some(kind) = kind {
            self.repeated.push((callee, kind, span));
        }
    }

    /// Returns the subprogram that a name means around a subprogram, if it means one there.
    fn lookup_unit(&self, unit: UnitId, name: NameId) -> Option<UnitId> {
        let mut around = self.program.unit(unit).parent;
        while let Some(unit) = around {
            match self.entities.scope(unit).names.get(&name) {
                Some(Entity::Unit(unit)) => return Some(*unit),
                Some(_) => return None,
                None => around = self.program.unit(unit).parent,
            }
        }
        self.top.get(&name).copied()
    }

    fn dimensions(&mut self, unit: UnitId, declarator: &Declarator, var: VarId) -> Vec<Dimension> {
        let last = declarator.bounds.len().saturating_sub(1);
        let is_parameter = matches!(self.entities.var(var).origin, Origin::Parameter(_));
        if declarator.bounds.len() > MOST_DIMENSIONS {
            let message = format!("an array has at most {MOST_DIMENSIONS} dimensions");
            self.error(Kind::Syntax, declarator.name.span, message);
        }
        let mut dimensions = vec![];
        for (place, bound) in declarator.bounds.iter().enumerate() {
            let (lower, upper) = match *bound {
                Bound::Range(lower, upper) => (lower, Some(upper)),
                Bound::Assumed(lower) => (lower, None),
            };
            if upper.is_none() && (!is_parameter || place != last) {
                let message = "* stands only for the last bound of a parameter";
                self.error(Kind::Syntax, declarator.name.span, message);
            }
            let lower = lower.map_or(Extent::Known(1.0), |lower| self.bound(unit, lower));
            let upper = upper.map_or(Extent::Assumed, |upper| self.bound(unit, upper));
            dimensions.push(Dimension { lower, upper });
        }
        dimensions
    }

    fn bound(&mut self, unit: UnitId, bound: ExprId) -> Extent {
        match self.literal(unit, bound) {
            Some(value) => Extent::Known(value),
            None => {
                let name = self.names.hidden("bound");
                let span = self.tree.span(bound);
                let kind = VarKind::Scalar(Type::Integer);
                let var = self.entities.add(Var { name, owner: unit, kind, origin: Origin::Hidden, span });
                self.bounds.push((unit, bound));
                Extent::Computed(var, bound)
            }
        }
    }

    /// Returns the value of a literal, or of a constant that is one.
    pub(super) fn literal(&self, unit: UnitId, id: ExprId) -> Option<f64> {
        let (mut id, mut sign) = (id, 1.0);
        loop {
            match self.tree.expr(id) {
                Expr::Integer(value) => return Some(sign * value + 0.0),
                Expr::Unary(Unary::Minus, inner) => (id, sign) = (inner, -sign),
                Expr::Unary(Unary::Group | Unary::Plus, inner) => id = inner,
                Expr::Name(name) => match self.entities.scope(unit).names.get(&name) {
                    Some(Entity::Variable(var)) => {
                        match (self.entities.var(*var).origin, &self.entities.var(*var).kind) {
                            (Origin::Constant(value), VarKind::Scalar(Type::Integer)) if value < id => id = value,
                            _ => return None,
                        }
                    }
                    _ => return None,
                },
                Expr::Real(_) | Expr::Logical(_) | Expr::Apply(..) | Expr::Unary(Unary::Not, _) | Expr::Binary(..) => {
                    return None;
                }
            }
        }
    }

    fn constant(&mut self, unit: UnitId, name: Occurrence, value: ExprId) {
        let var = match self.entities.scope(unit).names.get(&name.name).copied() {
            Some(Entity::Variable(var))
                if self.entities.var(var).origin == Origin::Declared && !self.entities.is_array(var) =>
            {
                var
            }
            Some(_) => {
                let message = format!("{} is declared as something else already", self.names.text(name.name));
                return self.error(Kind::Duplicate, name.span, message);
            }
            None => self.declared(unit, name),
        };
        if let Some(var) = self.entities.vars.get_mut(var.0 as usize) {
            var.origin = Origin::Constant(value);
        }
    }

    fn external(&mut self, unit: UnitId, name: Occurrence) {
        match self.entities.scope(unit).names.get(&name.name).copied() {
            Some(Entity::Variable(var)) if matches!(self.entities.var(var).origin, Origin::Parameter(_)) => {
                let kind = self.entities.element_type(var);
                if self.entities.is_array(var) {
                    self.error(Kind::Type, name.span, "an array is no procedure");
                } else {
                    self.set_kind(var, VarKind::Procedure(kind));
                }
            }
            Some(Entity::Unit(_)) => {}
            Some(Entity::Variable(var))
                if self.entities.var(var).origin == Origin::Declared && !self.entities.is_array(var) =>
            {
                // The type alone was declared, before it was known that this is a procedure.
                let kind = self.entities.element_type(var);
                match self.lookup_unit(unit, name.name) {
                    Some(callee) => {
                        self.entities.scope_mut(unit).names.remove(&name.name);
                        self.repeated.push((callee, kind, name.span));
                    }
                    None => self.no_subprogram(name),
                }
            }
            Some(_) => {
                let message = format!("{} is no procedure here", self.names.text(name.name));
                self.error(Kind::Type, name.span, message);
            }
            None if self.lookup_unit(unit, name.name).is_some() => {}
            None => self.no_subprogram(name),
        }
    }

    fn no_subprogram(&mut self, name: Occurrence) {
        let message = format!("there is no subprogram {}", self.names.text(name.name));
        self.error(Kind::Unbound, name.span, message);
    }

    fn intrinsic(&mut self, unit: UnitId, name: Occurrence) {
        match intrinsics::named(self.names.text(name.name)) {
            Some(intrinsic) => self.declare_name(unit, name.name, name.span, Entity::Intrinsic(intrinsic)),
            None => {
                let message = format!("there is no intrinsic function {}", self.names.text(name.name));
                self.error(Kind::Unbound, name.span, message);
            }
        }
    }
}
