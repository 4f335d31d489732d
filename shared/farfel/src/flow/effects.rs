//! The effects of subprograms on variables around them, and on their parameters: a fixed point over calls.
//!
//! For each subprogram: the variables around it that it needs, directly, through the subprograms that it calls and
//! through those that it passes (*reads*); those that it assigns, directly or through the subprograms that it calls by
//! name (*writes*), or through any call (*may write*); and which of its parameters it assigns.

use crate::check::Checked;
use crate::check::Site;
use crate::check::entities::{Callee, Entities, Extent, Meaning, Origin, VarId, VarKind};
use crate::program::targets::{assigned_targets, differentiated};
use crate::program::units::{Node, Program, UnitId};
use crate::syntax::tree::{Expr, ExprId, Mode, Statement, Tree, Unary};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The effects of a subprogram.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// The variables around it that it needs.
    pub reads: BTreeSet<VarId>,
    /// The variables around it that it assigns, without calls of parameters.
    pub writes: BTreeSet<VarId>,
    /// The variables around it that it may assign.
    pub may_write: BTreeSet<VarId>,
    /// The parameters that it may assign.
    pub parameters: BTreeSet<VarId>,
}

/// The occurrences in one subprogram.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    /// The variables that occur.
    pub vars: BTreeSet<VarId>,
    /// The variables that its own statements assign.
    pub assigned: BTreeSet<VarId>,
    /// The variables that are arguments of its calls, themselves or by an element.
    pub given: BTreeSet<VarId>,
    /// The variables by which its blocks differentiate: they have derivatives in the blocks.
    pub differentiated: BTreeSet<VarId>,
    /// The subprograms that it passes.
    pub passed: BTreeSet<UnitId>,
    /// Its calls, as indices of the list of all calls.
    pub sites: Vec<usize>,
}

/// A constant with the value of a literal, which stands for the name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// A number.
    Number(f64),
    /// A truth value.
    Logical(bool),
}

/// Returns the value of a variable that is a constant with a literal.
pub fn literal(tree: &Tree, entities: &Entities, var: VarId) -> Option<Literal> {
    let Origin::Constant(mut id) = entities.var(var).origin else { return None };
    let mut sign = 1.0;
    loop {
        match tree.expr(id) {
            Expr::Integer(value) | Expr::Real(value) => {
                let is_whole = entities.var(var).kind == VarKind::Scalar(crate::syntax::tree::Type::Integer);
                let value = sign * value;
                return Some(Literal::Number(if is_whole { value.trunc() + 0.0 } else { value }));
            }
            Expr::Logical(value) => return Some(Literal::Logical(value)),
            Expr::Unary(Unary::Minus, inner) => (id, sign) = (inner, -sign),
            Expr::Unary(Unary::Plus | Unary::Group, inner) => id = inner,
            Expr::Unary(Unary::Not, _) | Expr::Binary(..) | Expr::Name(_) | Expr::Apply(..) => return None,
        }
    }
}

/// Returns the hidden variables of an array's bounds.
pub fn bounds(entities: &Entities, var: VarId) -> Vec<VarId> {
    let VarKind::Array(_, dimensions) = &entities.var(var).kind else { return vec![] };
    let extents = dimensions.iter().flat_map(|dimension| [dimension.lower, dimension.upper]);
    extents
        .filter_map(|extent| match extent {
            Extent::Computed(var, _) => Some(var),
            Extent::Known(_) | Extent::Assumed => None,
        })
        .collect()
}

/// Finds what occurs in each subprogram.
pub fn occurrences(tree: &Tree, program: &Program, checked: &Checked) -> Vec<Occurrences> {
    let entities = &checked.entities;
    let mut all: Vec<Occurrences> = program.unit_ids().map(|_| Occurrences::default()).collect();
    for (index, Site { unit, .. }) in checked.sites.iter().enumerate() {
        if let Some(occurrences) = all.get_mut(unit.0 as usize) {
            occurrences.sites.push(index);
        }
    }
    let mut bounds_of: FxHashMap<UnitId, Vec<ExprId>> = FxHashMap::default();
    for (unit, bound) in &checked.bounds {
        bounds_of.entry(*unit).or_default().push(*bound);
    }
    for (unit, own) in program.unit_ids().zip(&mut all) {
        for site in own.sites.iter().filter_map(|site| checked.sites.get(*site)) {
            let given = arguments(tree, site.call).iter().filter_map(|argument| match entities.meaning(*argument) {
                Meaning::Variable(var) | Meaning::Element(var) => Some(var),
                Meaning::None | Meaning::Call(_) | Meaning::Procedure(_) | Meaning::Intrinsic(_) => None,
            });
            own.given.extend(given);
        }
        let root = |own: &mut Occurrences, root: ExprId| {
            for id in tree.range(root) {
                match entities.meaning(id) {
                    Meaning::Variable(var)
                    | Meaning::Element(var)
                    | Meaning::Call(Callee::Parameter(var))
                    | Meaning::Procedure(Callee::Parameter(var)) => {
                        if literal(tree, entities, var).is_none() {
                            own.vars.insert(var);
                            own.vars.extend(bounds(entities, var));
                        }
                    }
                    Meaning::Procedure(Callee::Unit(unit)) => {
                        own.passed.insert(unit);
                    }
                    Meaning::None | Meaning::Call(Callee::Unit(_)) | Meaning::Intrinsic(_) => {}
                }
            }
        };
        for placed in &program.unit(unit).specifications {
            if let Statement::Parameter(constants) = &placed.statement {
                constants.iter().for_each(|(_, value)| root(own, *value));
            }
        }
        for bound in bounds_of.get(&unit).into_iter().flatten() {
            root(own, *bound);
        }
        program.visit(program.unit(unit).body, &mut |item| {
            item.node.roots(&mut |id| root(own, id));
            if let Node::Ad(mode, opens, closes, _) = &item.node {
                let list = match mode {
                    Mode::Forward => opens,
                    Mode::Reverse => closes,
                };
                differentiated(list, &mut |id| {
                    if let Meaning::Variable(var) | Meaning::Element(var) = entities.meaning(id) {
                        own.differentiated.insert(var);
                    }
                });
            }
            assigned_targets(&item.node, &mut |target| {
                if let Meaning::Variable(var) | Meaning::Element(var) = entities.meaning(target) {
                    own.assigned.insert(var);
                }
            });
        });
    }
    all
}

/// Finds the effects of all subprograms. Variables of frames, given with the variables that hold the depths of their
/// frames, are neither read nor written: who uses them reads the depth.
pub fn effects(
    tree: &Tree,
    program: &Program,
    checked: &Checked,
    occurrences: &[Occurrences],
    frames: &FxHashMap<VarId, VarId>,
) -> Vec<Effects> {
    let entities = &checked.entities;
    let mut all: Vec<Effects> = program.unit_ids().map(|_| Effects::default()).collect();
    let mut users: Vec<BTreeSet<usize>> = program.unit_ids().map(|_| BTreeSet::new()).collect();
    for (unit, own) in occurrences.iter().enumerate() {
        let called = own.sites.iter().filter_map(|site| checked.sites.get(*site));
        let called = called.flat_map(|site| entities.targets(site.callee));
        for used in called.chain(own.passed.iter().copied()) {
            if let Some(users) = users.get_mut(used.0 as usize) {
                users.insert(unit);
            }
        }
    }
    let mut pending: Vec<usize> = (0..occurrences.len()).collect();
    let mut is_pending = vec![true; occurrences.len()];
    while let Some(unit) = pending.pop() {
        if let Some(mark) = is_pending.get_mut(unit) {
            *mark = false;
        }
        let Some(own) = occurrences.get(unit) else { continue };
        let found = effects_of(tree, checked, own, UnitId(unit as u32), &all, frames);
        if all.get(unit) == Some(&found) {
            continue;
        }
        if let Some(place) = all.get_mut(unit) {
            *place = found;
        }
        for user in users.get(unit).into_iter().flatten() {
            if let Some(mark) = is_pending.get_mut(*user)
                && !*mark
            {
                *mark = true;
                pending.push(*user);
            }
        }
    }
    all
}

fn effects_of(
    tree: &Tree,
    checked: &Checked,
    own: &Occurrences,
    unit: UnitId,
    all: &[Effects],
    frames: &FxHashMap<VarId, VarId>,
) -> Effects {
    let entities = &checked.entities;
    let is_around = |var: &VarId| entities.var(*var).owner != unit;
    let mut found = Effects::default();
    let read = |found: &mut Effects, var: VarId| {
        let var = frames.get(&var).copied().unwrap_or(var);
        if is_around(&var) {
            found.reads.insert(var);
        }
    };
    own.vars.iter().for_each(|var| read(&mut found, *var));
    let mut assigned = own.assigned.clone();
    let mut may_write = BTreeSet::new();
    for site in own.sites.iter().filter_map(|site| checked.sites.get(*site)) {
        let arguments = arguments(tree, site.call);
        for target in entities.targets(site.callee) {
            let Some(effects) = all.get(target.0 as usize) else { continue };
            if let Callee::Unit(_) = site.callee {
                effects.reads.iter().for_each(|var| read(&mut found, *var));
                assigned.extend(&effects.writes);
            }
            may_write.extend(effects.may_write.iter().copied());
            for (argument, parameter) in arguments.iter().zip(&entities.scope(target).parameters) {
                if let (Meaning::Variable(var) | Meaning::Element(var), true) =
                    (entities.meaning(*argument), effects.parameters.contains(parameter))
                {
                    assigned.insert(var);
                }
            }
        }
    }
    for passed in &own.passed {
        let Some(effects) = all.get(passed.0 as usize) else { continue };
        effects.reads.iter().for_each(|var| read(&mut found, *var));
        // It may be called wherever it is passed to.
        may_write.extend(effects.may_write.iter().copied());
    }
    may_write.extend(assigned.iter().copied());
    let is_parameter = |var: &VarId| matches!(entities.var(*var).origin, Origin::Parameter(_));
    found.parameters = may_write.iter().copied().filter(|var| !is_around(var) && is_parameter(var)).collect();
    found.may_write = may_write.into_iter().filter(is_around).collect();
    found.writes = assigned.into_iter().filter(|var| is_around(var) && !frames.contains_key(var)).collect();
    found.reads.extend(found.writes.iter().copied());
    found
}

/// Returns the arguments of a call.
pub fn arguments(tree: &Tree, call: ExprId) -> &[ExprId] {
    match tree.expr(call) {
        Expr::Apply(_, parts) => tree.parts(parts),
        Expr::Integer(_) | Expr::Real(_) | Expr::Logical(_) | Expr::Name(_) | Expr::Unary(..) | Expr::Binary(..) => &[],
    }
}
