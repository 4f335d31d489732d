//! The conventions of calls: which parameters come back, and who takes the state.
//!
//! A call of a subprogram by its name follows what that one does. Subprograms that may be given for one parameter have
//! one convention together, a *class*: a parameter comes back if any of them assigns it, and they take the state if any
//! of them needs it.

use crate::check::Checked;
use crate::check::entities::{Callee, VarId, VarKind};
use crate::flow::effects::{Effects, Occurrences};
use crate::program::units::{Program, UnitId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A convention.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Convention {
    /// For each parameter, true if its final value is a result.
    pub assigned: Vec<bool>,
    /// True if the state is the last operand and the last result.
    pub takes_state: bool,
}

/// The conventions of a program.
#[derive(Clone, Debug, Default)]
pub struct Conventions {
    /// The convention of each subprogram that is called by name.
    units: Vec<Convention>,
    /// The class of each subprogram that is passed.
    class_of_unit: FxHashMap<UnitId, usize>,
    /// The class of each parameter that is a procedure.
    class_of_parameter: FxHashMap<VarId, usize>,
    classes: Vec<Convention>,
    /// The convention of parameters that nothing is given for.
    unused: Convention,
}

impl Conventions {
    /// Finds the conventions of a program.
    pub fn find(program: &Program, checked: &Checked, occurrences: &[Occurrences], effects: &[Effects]) -> Conventions {
        let mut found = Conventions::default();
        found.find_classes(checked, occurrences);
        let assigned = |unit: UnitId| -> Vec<bool> {
            let own = effects.get(unit.0 as usize);
            let parameters = checked.entities.scope(unit).parameters.iter();
            parameters.map(|var| own.is_some_and(|own| own.parameters.contains(var))).collect()
        };
        found.units =
            program.unit_ids().map(|unit| Convention { assigned: assigned(unit), takes_state: false }).collect();
        for (unit, class) in &found.class_of_unit {
            let own = found.units.get(unit.0 as usize).map(|own| own.assigned.clone()).unwrap_or_default();
            if let Some(class) = found.classes.get_mut(*class) {
                class.assigned.resize(class.assigned.len().max(own.len()), false);
                class.assigned.iter_mut().zip(own).for_each(|(joined, own)| *joined |= own);
            }
        }
        let mut changes = true;
        while changes {
            changes = false;
            for unit in program.unit_ids() {
                if !found.needs_state(unit) && found.finds_state(checked, occurrences, effects, unit) {
                    changes = true;
                    if let Some(own) = found.units.get_mut(unit.0 as usize) {
                        own.takes_state = true;
                    }
                    let class = found.class_of_unit.get(&unit).copied();
                    if let Some(class) = class.and_then(|class| found.classes.get_mut(class)) {
                        class.takes_state = true;
                    }
                }
            }
        }
        found
    }

    /// Joins the subprograms that may be given for one parameter.
    fn find_classes(&mut self, checked: &Checked, occurrences: &[Occurrences]) {
        let passed: BTreeSet<UnitId> = occurrences.iter().flat_map(|own| own.passed.iter().copied()).collect();
        let mut leaders: FxHashMap<UnitId, UnitId> = passed.iter().map(|unit| (*unit, *unit)).collect();
        let leader = |leaders: &FxHashMap<UnitId, UnitId>, unit: UnitId| {
            let mut unit = unit;
            while let Some(next) = leaders.get(&unit).filter(|next| **next != unit) {
                unit = *next;
            }
            unit
        };
        let mut parameters: Vec<(VarId, &BTreeSet<UnitId>)> =
            checked.entities.flows.iter().map(|(var, units)| (*var, units)).collect();
        parameters.sort_unstable_by_key(|(var, _)| *var);
        for (_, units) in &parameters {
            let mut first = None;
            for unit in *units {
                let own = leader(&leaders, *unit);
                let joined = *first.get_or_insert(own);
                let joined = leader(&leaders, joined);
                leaders.insert(own.max(joined), own.min(joined));
            }
        }
        let mut numbers: FxHashMap<UnitId, usize> = FxHashMap::default();
        for unit in passed {
            let own = leader(&leaders, unit);
            let next = numbers.len();
            let class = *numbers.entry(own).or_insert(next);
            self.class_of_unit.insert(unit, class);
        }
        self.classes = vec![Convention::default(); numbers.len()];
        for (var, units) in parameters {
            if let Some(class) = units.first().and_then(|unit| self.class_of_unit.get(unit)) {
                self.class_of_parameter.insert(var, *class);
            }
        }
    }

    /// Returns true if a subprogram uses a frame around it, or a procedure that takes the state.
    fn finds_state(&self, checked: &Checked, occurrences: &[Occurrences], effects: &[Effects], unit: UnitId) -> bool {
        let Some(own) = occurrences.get(unit.0 as usize) else { return false };
        let reads =
            |unit: &UnitId| effects.get(unit.0 as usize).into_iter().flat_map(|effects| effects.reads.iter().copied());
        // Subprograms inside may use a parameter of this one.
        let called = own.sites.iter().filter_map(|site| match checked.sites.get(*site)?.callee {
            Callee::Unit(unit) => Some(unit),
            Callee::Parameter(_) => None,
        });
        let inside: Vec<UnitId> = called.chain(own.passed.iter().copied()).collect();
        let mut vars = own.vars.iter().copied().chain(reads(&unit)).chain(inside.iter().flat_map(reads));
        vars.any(|var| match checked.entities.var(var).kind {
            VarKind::Depth => checked.entities.var(var).owner != unit,
            VarKind::Procedure(_) => self.of(Callee::Parameter(var)).takes_state,
            VarKind::Scalar(_) | VarKind::Array(..) | VarKind::State => false,
        })
    }

    /// Returns the convention of calls of a procedure.
    pub fn of(&self, callee: Callee) -> &Convention {
        match callee {
            Callee::Unit(unit) => self.units.get(unit.0 as usize).unwrap_or(&self.unused),
            Callee::Parameter(var) => {
                self.class_of_parameter.get(&var).and_then(|class| self.classes.get(*class)).unwrap_or(&self.unused)
            }
        }
    }

    /// Returns the convention of a subprogram that is passed.
    pub fn of_value(&self, unit: UnitId) -> &Convention {
        self.class_of_unit.get(&unit).and_then(|class| self.classes.get(*class)).unwrap_or(&self.unused)
    }

    /// Returns true if a subprogram takes and returns the state.
    pub fn needs_state(&self, unit: UnitId) -> bool {
        self.of(Callee::Unit(unit)).takes_state
    }
}
