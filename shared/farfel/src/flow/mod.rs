//! The plan of the functional form: what each subprogram takes and returns beside its parameters, which variables live
//! in frames, and what each construct passes on.
//!
//! Subprograms become procedures of the top level. A variable around a subprogram that it needs is an operand, and one
//! that it assigns is a result, too. That does not reach a subprogram that is passed and called elsewhere: a variable
//! that such a one assigns lives in a *frame*, on a stack that all such calls are given and return, the *state*. A value
//! of such a subprogram holds the *depth* of the frame: the number of frames below it.

pub mod alias;
pub mod bits;
pub mod conventions;
pub mod definite;
pub mod effects;
mod foreign;
pub mod indices;
pub mod liveness;
pub mod separate;
pub mod unreached;

use crate::check::Checked;
use crate::check::entities::{Callee, Meaning, Origin, Var, VarId, VarKind};
use crate::program::units::{Program, UnitId};
use crate::syntax::tree::{ExprId, Tree};
use conventions::{Convention, Conventions};
use effects::{Effects, Occurrences};
use liveness::{CallFacts, Live, Question};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use vlad_core::diagnostic::Report;
use vlad_language::names::Names;

/// The variables of a frame, and the variable that holds its depth.
pub type Frame = (Vec<VarId>, VarId);

/// The plan of a program.
#[derive(Debug)]
pub struct Plan {
    /// The occurrences in each subprogram.
    pub occurrences: Vec<Occurrences>,
    /// The effects of each subprogram.
    pub effects: Vec<Effects>,
    /// The variables of each frame, by the subprogram that it belongs to, and the variable of its depth.
    pub frames: FxHashMap<UnitId, Frame>,
    /// The ways of calling.
    pub conventions: Conventions,
    /// The variable of the state in each subprogram that has one.
    pub states: Vec<Option<VarId>>,
    /// The calls with their effects.
    pub calls: FxHashMap<ExprId, CallFacts>,
    /// The liveness of each subprogram.
    pub live: Vec<Live>,
}

impl Plan {
    /// Returns the effects of a subprogram.
    pub fn effects(&self, unit: UnitId) -> &Effects {
        static NONE: std::sync::LazyLock<Effects> = std::sync::LazyLock::new(Effects::default);
        self.effects.get(unit.0 as usize).unwrap_or(&NONE)
    }

    /// Returns the variable of the state in a subprogram.
    pub fn state(&self, unit: UnitId) -> Option<VarId> {
        self.states.get(unit.0 as usize).copied().flatten()
    }

    /// Returns the parameters of a subprogram that it assigns.
    pub fn assigned_parameters(&self, checked: &Checked, unit: UnitId) -> Vec<VarId> {
        let effects = self.effects(unit);
        checked.entities.scope(unit).parameters.iter().copied().filter(|var| effects.parameters.contains(var)).collect()
    }

    /// Returns the variables of the frames around that a subprogram uses, with their depths.
    pub fn frames_around(&self, checked: &Checked, unit: UnitId) -> Vec<(UnitId, VarId)> {
        let depths = self.effects(unit).reads.iter().filter(|var| checked.entities.var(**var).kind == VarKind::Depth);
        depths.map(|depth| (checked.entities.var(*depth).owner, *depth)).collect()
    }
}

/// Makes the plan of a program without errors; errors that only flow shows are reported.
pub fn plan(tree: &Tree, program: &Program, checked: &mut Checked, names: &mut Names, report: &mut Report) -> Plan {
    let first = effects::occurrences(tree, program, checked);
    let known = effects::effects(tree, program, checked, &first, &FxHashMap::default());
    alias::check(tree, checked, &known, names, report);
    definite::check(tree, program, checked, &known, names, report);
    separate::separate(tree, program, checked, &first, &known);
    let occurrences = effects::occurrences(tree, program, checked);
    let known = effects::effects(tree, program, checked, &occurrences, &FxHashMap::default());
    indices::check(tree, program, checked, &known, names, report);
    let shared = shared(tree, checked, &occurrences, &known);
    let (frames, depth_of) = frames(checked, shared, names);
    let effects = effects::effects(tree, program, checked, &occurrences, &depth_of);
    let conventions = Conventions::find(program, checked, &occurrences, &effects);
    foreign::check(program, checked, &conventions, names, report);
    let mut plan =
        Plan { occurrences, effects, frames, conventions, states: vec![], calls: FxHashMap::default(), live: vec![] };
    plan.states = program.unit_ids().map(|unit| state(program, checked, &plan, unit, names)).collect();
    plan.calls = calls(tree, checked, &plan);
    plan.live = program.unit_ids().map(|unit| live(tree, program, checked, &plan, unit)).collect();
    plan
}

/// Finds the variables of frames: those that a subprogram which is passed assigns, and those that it reads where it is
/// given to one that assigns them.
fn shared(tree: &Tree, checked: &Checked, occurrences: &[Occurrences], effects: &[Effects]) -> BTreeSet<VarId> {
    let passed: BTreeSet<UnitId> = occurrences.iter().flat_map(|own| own.passed.iter().copied()).collect();
    let of = |unit: UnitId| effects.get(unit.0 as usize);
    let mut shared: BTreeSet<VarId> =
        passed.iter().filter_map(|unit| of(*unit)).flat_map(|effects| effects.writes.iter().copied()).collect();
    for site in &checked.sites {
        for argument in effects::arguments(tree, site.call) {
            let Meaning::Procedure(given) = checked.entities.meaning(*argument) else { continue };
            for target in checked.entities.targets(site.callee) {
                let Some(target) = of(target).filter(|target| !target.may_write.is_empty()) else { continue };
                for given in checked.entities.targets(given) {
                    shared.extend(of(given).into_iter().flat_map(|given| given.reads.intersection(&target.may_write)));
                }
            }
        }
    }
    shared.retain(|var| matches!(checked.entities.var(*var).kind, VarKind::Scalar(_) | VarKind::Array(..)));
    shared
}

/// Makes frames of variables, with the variables of their depths.
fn frames(
    checked: &mut Checked,
    shared: BTreeSet<VarId>,
    names: &mut Names,
) -> (FxHashMap<UnitId, Frame>, FxHashMap<VarId, VarId>) {
    let mut frames: FxHashMap<UnitId, Frame> = FxHashMap::default();
    let mut depth_of = FxHashMap::default();
    for var in shared {
        let about = checked.entities.var(var);
        let (owner, span) = (about.owner, about.span);
        let depth = match frames.get_mut(&owner) {
            Some((vars, depth)) => {
                vars.push(var);
                *depth
            }
            None => {
                let name = names.hidden("depth");
                let depth =
                    checked.entities.add(Var { name, owner, kind: VarKind::Depth, origin: Origin::Hidden, span });
                frames.insert(owner, (vec![var], depth));
                depth
            }
        };
        depth_of.insert(var, depth);
    }
    (frames, depth_of)
}

/// Makes the variable of the state in a subprogram that has one.
fn state(program: &Program, checked: &mut Checked, plan: &Plan, unit: UnitId, names: &mut Names) -> Option<VarId> {
    let sites = plan.occurrences.get(unit.0 as usize).map(|own| own.sites.as_slice()).unwrap_or_default();
    let calls_with_state = sites
        .iter()
        .filter_map(|site| checked.sites.get(*site))
        .any(|site| plan.conventions.of(site.callee).takes_state);
    if !plan.conventions.needs_state(unit) && !plan.frames.contains_key(&unit) && !calls_with_state {
        return None;
    }
    let name = names.hidden("state");
    let span = program.unit(unit).span;
    Some(checked.entities.add(Var { name, owner: unit, kind: VarKind::State, origin: Origin::Hidden, span }))
}

/// Finds the variables that each call uses and binds again.
fn calls(tree: &Tree, checked: &Checked, plan: &Plan) -> FxHashMap<ExprId, CallFacts> {
    let mut calls = FxHashMap::default();
    for site in &checked.sites {
        let convention: &Convention = plan.conventions.of(site.callee);
        let mut facts = CallFacts::default();
        let arguments = effects::arguments(tree, site.call);
        for (argument, is_assigned) in arguments.iter().zip(&convention.assigned) {
            if let (Meaning::Variable(var) | Meaning::Element(var), true) =
                (checked.entities.meaning(*argument), *is_assigned)
            {
                facts.defines.push(var);
            }
        }
        if let Callee::Unit(unit) = site.callee {
            facts.uses.extend(&plan.effects(unit).reads);
            facts.defines.extend(&plan.effects(unit).writes);
        }
        for argument in arguments {
            if let Meaning::Procedure(Callee::Unit(passed)) = checked.entities.meaning(*argument) {
                facts.uses.extend(&plan.effects(passed).reads);
            }
        }
        if let (true, Some(state)) = (convention.takes_state, plan.state(site.unit)) {
            facts.uses.push(state);
            facts.defines.push(state);
            for (frame, is_written) in frame_vars(checked, plan, site.unit) {
                if is_written {
                    facts.uses.push(frame);
                }
                facts.defines.push(frame);
            }
        }
        calls.insert(site.call, facts);
    }
    calls
}

/// Returns the variables of the frames that a subprogram uses, and for each if the subprogram assigns some of its frame.
pub fn frame_vars(checked: &Checked, plan: &Plan, unit: UnitId) -> Vec<(VarId, bool)> {
    let Some(own) = plan.occurrences.get(unit.0 as usize) else { return vec![] };
    let mut vars = vec![];
    let around = plan.frames_around(checked, unit).into_iter().map(|(owner, _)| owner);
    for owner in around.chain([unit]) {
        let Some((frame, _)) = plan.frames.get(&owner) else { continue };
        if owner == unit || frame.iter().any(|var| own.vars.contains(var)) {
            let is_bound = owner == unit || frame.iter().any(|var| plan.binds(unit, *var));
            vars.extend(frame.iter().map(|var| (*var, is_bound)));
        }
    }
    vars
}

impl Plan {
    /// Returns true if the statements of a subprogram assign a variable, themselves or as an argument, or give it derivatives.
    pub fn binds(&self, unit: UnitId, var: VarId) -> bool {
        let Some(own) = self.occurrences.get(unit.0 as usize) else { return false };
        [&own.assigned, &own.given, &own.differentiated].iter().any(|vars| vars.contains(&var))
    }
}

fn live(tree: &Tree, program: &Program, checked: &Checked, plan: &Plan, unit: UnitId) -> Live {
    let is_variable = |var: VarId| !matches!(checked.entities.var(var).origin, Origin::Hidden | Origin::Constant(_));
    let mut exit: Vec<VarId> = checked.entities.scope(unit).result.into_iter().collect();
    exit.extend(plan.assigned_parameters(checked, unit));
    exit.extend(&plan.effects(unit).writes);
    if plan.conventions.needs_state(unit) {
        exit.extend(plan.state(unit));
        let around = frame_vars(checked, plan, unit).into_iter();
        exit.extend(
            around.filter(|(var, is_bound)| *is_bound && checked.entities.var(*var).owner != unit).map(|(var, _)| var),
        );
    }
    let question = Question {
        tree,
        program,
        entities: &checked.entities,
        targets: &checked.targets,
        calls: &plan.calls,
        exit: &exit,
        is_variable: &is_variable,
    };
    liveness::live(&question, unit)
}
