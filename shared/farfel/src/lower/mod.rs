//! Lowering: a checked program to named core, in functional form.
//!
//! | Fortran | core |
//! |---|---|
//! | a subprogram | a procedure of the top level; operands: variables around it, parameters, the state; results: the function's, parameters and variables around that it assigns, the state |
//! | an assignment | `let` |
//! | `IF`, `DO`, `DO WHILE` without jumps out | `if`, `ifold`, `letrec`, that yield the variables assigned in them |
//! | other control flow | `letrec` of labels, in tail position |
//! | an array | a flat vector, by columns |
//! | `ADF`, `ADR` | `j*`, `*j` or `checkpoint-*j` |

mod arrays;
mod build;
mod calls;
mod control;
mod differentiation;
mod escapes;
mod expressions;
mod foreign;
mod frames;
mod implied;
mod intrinsics;
mod loops;
mod names;
mod parts;
mod statements;

use crate::check::Checked;
use crate::check::entities::{Extent, Origin, VarId, VarKind};
use crate::flow::{Plan, effects, unreached};
use crate::program::units::{ItemId, Program, UnitId, UnitKind};
use crate::syntax::tree::{ExprId, Tree, Type};
use parts::{End, Helpers};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, HashSet};
use vlad_core::source::{FileId, Span};
use vlad_language::ReverseOperator;
use vlad_language::named::{Named, NamedItem, Node, NodeId};
use vlad_language::names::{NameId, Names};
use vlad_table::Primitive;

/// The state of lowering.
struct Lowering<'loading> {
    tree: &'loading Tree,
    program: &'loading Program,
    checked: &'loading Checked,
    plan: &'loading Plan,
    reverse_operator: ReverseOperator,
    named: &'loading mut Named,
    names: &'loading mut Names,
    unit_names: Vec<NameId>,
    var_names: Vec<NameId>,
    helpers: Option<Helpers>,
    /// The names of temporary values, which subprograms share.
    fresh_names: Vec<NameId>,
    next_fresh: usize,
    /// The subprogram that is lowered.
    unit: UnitId,
    /// The node to be filled in next.
    hole: NodeId,
    /// False behind a jump.
    is_reached: bool,
    /// The procedures of the labels in scope.
    labels: FxHashMap<ItemId, NameId>,
    /// The statements that control may leave other than at their ends.
    escapes: HashSet<ItemId>,
    /// The places of elements that calls assign.
    places: FxHashMap<ExprId, NameId>,
    /// The variables of the subprogram that begin without a value.
    unassigned: HashSet<VarId>,
    /// The variables that occur anywhere.
    used: HashSet<VarId>,
    /// The arrays that notes are about, with their numbers.
    noted: FxHashMap<VarId, u32>,
}

/// Lowers a program to definitions; the main program is the last.
pub fn lower(
    tree: &Tree,
    program: &Program,
    checked: &Checked,
    plan: &Plan,
    reverse_operator: ReverseOperator,
    named: &mut Named,
    names: &mut Names,
) -> Vec<NamedItem> {
    let unit_names = names::unit_names(program, names);
    let var_names = names::var_names(program, checked, &unit_names, names);
    let Some(first) = program.units.first() else { return vec![] };
    let span = first.span;
    let used = plan.occurrences.iter().flat_map(|own| own.vars.iter().chain(&own.assigned).copied()).collect();
    // The hole of a subprogram is made when it is begun.
    let hole = NodeId(0);
    let mut lowering = Lowering {
        tree,
        program,
        checked,
        plan,
        reverse_operator,
        named,
        names,
        unit_names,
        var_names,
        helpers: None,
        fresh_names: vec![],
        next_fresh: 0,
        unit: UnitId(0),
        hole,
        is_reached: true,
        labels: FxHashMap::default(),
        escapes: HashSet::new(),
        places: FxHashMap::default(),
        unassigned: HashSet::new(),
        used,
        noted: FxHashMap::default(),
    };
    let files: BTreeSet<FileId> = program.units.iter().map(|unit| unit.span.file).collect();
    files.into_iter().for_each(|file| lowering.named.notes.add_file(file));
    let mut items = vec![];
    if plan.states.iter().any(Option::is_some) {
        items.extend(lowering.define_helpers(span));
    }
    let units: Vec<UnitId> = program.unit_ids().filter(|unit| Some(*unit) != checked.main).collect();
    for unit in units.into_iter().chain(checked.main) {
        items.push(lowering.subprogram(unit));
    }
    items
}

impl Lowering<'_> {
    fn subprogram(&mut self, unit: UnitId) -> NamedItem {
        let about = self.program.unit(unit);
        let span = about.span;
        self.unit = unit;
        self.next_fresh = 0;
        self.is_reached = true;
        self.labels.clear();
        self.places.clear();
        self.unassigned.clear();
        self.escapes = escapes::escapes(self.program, self.checked, about.body);
        let name = self.unit_names.get(unit.0 as usize).copied().unwrap_or(about.name.name);
        let body = self.named.reserve(span);
        self.hole = body;
        self.enter(span);
        self.block(about.body, &End::Return, span);
        let value = match about.kind {
            UnitKind::Program => body,
            UnitKind::Function(_) | UnitKind::Subroutine => {
                let operands = self.operands(unit);
                let pattern = self.parameters_pattern(&operands, span);
                let lambda = self.lambda(Some(name), pattern, body, span);
                self.lambda_node(lambda, span)
            }
        };
        NamedItem::Define(name, about.name.span, value)
    }

    /// Returns the names of the operands of a subprogram with their places: variables around it, parameters, the state.
    fn operands(&self, unit: UnitId) -> Vec<(NameId, Span)> {
        let around = self.plan.effects(unit).reads.iter().copied();
        let parameters = self.checked.entities.scope(unit).parameters.iter().copied();
        let state = self.plan.state(unit).filter(|_| self.plan.conventions.needs_state(unit));
        let all = around.chain(parameters).chain(state);
        all.map(|var| (self.name_of(var), self.checked.entities.var(var).span)).collect()
    }

    /// Returns the names of the results of a subprogram, in order.
    fn results(&self, unit: UnitId) -> Vec<NameId> {
        let result = self.checked.entities.scope(unit).result;
        let parameters = self.plan.assigned_parameters(self.checked, unit);
        let around = self.plan.effects(unit).writes.iter().copied();
        let state = self.plan.state(unit).filter(|_| self.plan.conventions.needs_state(unit));
        result.into_iter().chain(parameters).chain(around).chain(state).map(|var| self.name_of(var)).collect()
    }

    /// Binds what a subprogram needs at its beginning: bounds, constants, arrays, variables without a value, frames.
    fn enter(&mut self, span: Span) {
        let unit = self.unit;
        let own = self.checked.entities.scope(unit).own.clone();
        let live: HashSet<VarId> =
            self.plan.live.get(unit.0 as usize).map(|live| live.entry.iter().copied().collect()).unwrap_or_default();
        for var in &own {
            let about = self.checked.entities.var(*var);
            if let Origin::Constant(value) = about.origin
                && effects::literal(self.tree, &self.checked.entities, *var).is_none()
            {
                let (kind, span) = (self.checked.entities.element_type(*var), about.span);
                let value = self.converted(value, kind);
                self.bind_var(*var, value, span);
            }
        }
        for var in &own {
            let is_parameter = matches!(self.checked.entities.var(*var).origin, Origin::Parameter(_));
            if is_parameter || self.used.contains(var) {
                self.enter_array(*var);
            }
        }
        let in_frame: HashSet<VarId> =
            self.plan.frames.get(&unit).map(|(vars, _)| vars.iter().copied().collect()).unwrap_or_default();
        let body = self.program.unit(unit).body;
        let unreached = unreached::variables((self.tree, self.program), self.checked, self.plan, body);
        for var in &own {
            let about = self.checked.entities.var(*var);
            let is_scalar = matches!(about.kind, VarKind::Scalar(_));
            let has_value = matches!(about.origin, Origin::Parameter(_) | Origin::Constant(_) | Origin::Hidden);
            if is_scalar && !has_value && [&live, &in_frame, &unreached].iter().any(|vars| vars.contains(var)) {
                let value = self.nil(span);
                self.bind_var(*var, value, span);
                self.unassigned.insert(*var);
            }
        }
        self.enter_frames(span);
    }

    /// Binds the bounds of an array that are computed, and makes the array if it is no parameter.
    fn enter_array(&mut self, var: VarId) {
        let about = self.checked.entities.var(var);
        let VarKind::Array(kind, dimensions) = &about.kind else { return };
        let (kind, span, origin) = (*kind, about.span, about.origin);
        for extent in dimensions.iter().flat_map(|dimension| [dimension.lower, dimension.upper]) {
            if let Extent::Computed(bound, value) = extent {
                let value = self.expression(value);
                self.bind_var(bound, value, span);
            }
        }
        if let Origin::Parameter(_) = origin {
            return self.check_size(var, span);
        }
        let size = self.size(var, span);
        let zero = match kind {
            Type::Real | Type::Integer => self.real(0.0, span),
            Type::Logical => self.boolean(false, span),
        };
        let index = self.fresh();
        let pattern = self.name_pattern(index, span);
        let lambda = self.lambda(None, pattern, zero, span);
        let lambda = self.lambda_node(lambda, span);
        let array = self.apply_named("build", vec![size, lambda], span);
        self.bind_var(var, array, span);
    }

    /// Fills the hole with the results of the subprogram.
    fn leave(&mut self, span: Span) {
        self.leave_frames(span);
        let results = self.results(self.unit);
        match self.program.unit(self.unit).kind {
            UnitKind::Program => self.fill(Node::Constant(Named::NIL), span),
            UnitKind::Function(_) | UnitKind::Subroutine => self.fill_tuple(&results, span),
        }
    }

    /// Returns an expression converted to the type of the variable that it is assigned to.
    fn converted(&mut self, value: ExprId, kind: Type) -> NodeId {
        let node = self.expression(value);
        self.convert(node, self.checked.entities.type_of(value), kind, self.tree.span(value))
    }

    /// Converts a value of one type to another: reals become integers by truncation.
    fn convert(&mut self, node: NodeId, from: Option<Type>, to: Type, span: Span) -> NodeId {
        match (from, to) {
            (Some(Type::Real), Type::Integer) => {
                let whole = self.apply(Primitive::Truncate, vec![node], span);
                self.without_sign_of_zero(whole, span)
            }
            _ => node,
        }
    }

    /// Makes the zero of an integer positive: 0 + x.
    fn without_sign_of_zero(&mut self, node: NodeId, span: Span) -> NodeId {
        let zero = self.real(0.0, span);
        self.apply(Primitive::Add, vec![zero, node], span)
    }
}
