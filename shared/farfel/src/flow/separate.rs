//! Separation of shared variables that nobody shares.
//!
//! An implicit variable belongs to the outermost subprogram, so every nested subprogram that uses a name for what it
//! just computed shares it with all others. If each of them assigns the variable before it reads it, and none of its
//! calls may assign it while its value is still needed, no program can tell whether they share it. Then each gets a
//! variable of its own, and the value need not be passed around.

use crate::check::Checked;
use crate::check::entities::{Meaning, Origin, Var, VarId, VarKind};
use crate::flow::effects::{self, Effects, Occurrences};
use crate::flow::liveness::{self, CallFacts, Live, Question};
use crate::program::units::{Program, UnitId};
use crate::syntax::tree::{ExprId, Tree};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Gives subprograms variables of their own in place of shared ones, where that makes no difference.
pub fn separate(
    tree: &Tree,
    program: &Program,
    checked: &mut Checked,
    occurrences: &[Occurrences],
    effects: &[Effects],
) {
    let mut users: BTreeMap<VarId, Vec<UnitId>> = BTreeMap::new();
    for (unit, own) in program.unit_ids().zip(occurrences) {
        for var in &own.vars {
            users.entry(*var).or_default().push(unit);
        }
    }
    let written: BTreeSet<VarId> = effects.iter().flat_map(|effects| effects.may_write.iter().copied()).collect();
    users.retain(|var, units| {
        let about = checked.entities.var(*var);
        // The caller gets the final values of parameters and results.
        let is_free = matches!(about.origin, Origin::Declared | Origin::Implicit);
        is_free
            && matches!(about.kind, VarKind::Scalar(_))
            && written.contains(var)
            && units.iter().any(|unit| *unit != about.owner)
    });
    let concerned: BTreeSet<UnitId> = users.values().flatten().copied().collect();
    if concerned.is_empty() {
        return;
    }
    let calls = calls(tree, checked, effects);
    let live: FxHashMap<UnitId, Live> =
        concerned.into_iter().map(|unit| (unit, live(tree, program, checked, effects, &calls, unit))).collect();
    for (var, units) in users {
        if units.iter().all(|unit| keeps_apart(checked, effects, occurrences, live.get(unit), *unit, var)) {
            for unit in units {
                if unit != checked.entities.var(var).owner {
                    give_own(tree, program, checked, unit, var);
                }
            }
        }
    }
}

/// Returns true if a subprogram assigns a variable before it reads it, and no call may assign it as long as its value is
/// needed.
fn keeps_apart(
    checked: &Checked,
    effects: &[Effects],
    occurrences: &[Occurrences],
    live: Option<&Live>,
    unit: UnitId,
    var: VarId,
) -> bool {
    let (Some(live), Some(own)) = (live, occurrences.get(unit.0 as usize)) else { return false };
    if unit != checked.entities.var(var).owner && live.entry.contains(&var) {
        return false;
    }
    own.sites.iter().filter_map(|site| checked.sites.get(*site)).all(|site| {
        let is_needed = live.after.get(&site.call).is_some_and(|after| after.contains(&var));
        let targets = checked.entities.targets(site.callee);
        let may_write =
            |unit: &UnitId| effects.get(unit.0 as usize).is_some_and(|effects| effects.may_write.contains(&var));
        !is_needed || !targets.iter().any(may_write)
    })
}

/// The calls as far as they assign their arguments.
fn calls(tree: &Tree, checked: &Checked, effects: &[Effects]) -> FxHashMap<ExprId, CallFacts> {
    let mut calls = FxHashMap::default();
    for site in &checked.sites {
        let mut facts = CallFacts::default();
        for target in checked.entities.targets(site.callee) {
            let Some(effects) = effects.get(target.0 as usize) else { continue };
            let parameters = &checked.entities.scope(target).parameters;
            for (argument, parameter) in effects::arguments(tree, site.call).iter().zip(parameters) {
                if let (Meaning::Variable(var), true) =
                    (checked.entities.meaning(*argument), effects.parameters.contains(parameter))
                {
                    facts.defines.push(var);
                }
            }
        }
        calls.insert(site.call, facts);
    }
    calls
}

fn live(
    tree: &Tree,
    program: &Program,
    checked: &Checked,
    effects: &[Effects],
    calls: &FxHashMap<ExprId, CallFacts>,
    unit: UnitId,
) -> Live {
    let is_variable = |var: VarId| checked.entities.var(var).origin != Origin::Hidden;
    let mut exit: Vec<VarId> = checked.entities.scope(unit).result.into_iter().collect();
    exit.extend(effects.get(unit.0 as usize).into_iter().flat_map(|effects| effects.parameters.iter().copied()));
    let question = Question {
        tree,
        program,
        entities: &checked.entities,
        targets: &checked.targets,
        calls,
        exit: &exit,
        is_variable: &is_variable,
    };
    liveness::live(&question, unit)
}

/// Gives a subprogram a variable of its own.
fn give_own(tree: &Tree, program: &Program, checked: &mut Checked, unit: UnitId, var: VarId) {
    let about = checked.entities.var(var).clone();
    let own = checked.entities.add(Var { owner: unit, origin: Origin::Declared, ..about });
    let mut occurrences: Vec<ExprId> = vec![];
    program.visit(program.unit(unit).body, &mut |item| {
        item.node.roots(&mut |root| occurrences.extend(tree.range(root)));
    });
    for id in occurrences {
        if checked.entities.meaning(id) == Meaning::Variable(var) {
            checked.entities.set_meaning(id, Meaning::Variable(own));
        }
    }
}
