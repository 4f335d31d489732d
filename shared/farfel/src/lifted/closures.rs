//! Procedures as values of the lifting: a subprogram with what it captures.

use crate::check::entities::VarId;
use crate::program::units::UnitId;
use rustc_hash::FxHashMap;

/// A procedure: a subprogram, and what stands for each variable around it that it needs. Variables have *locations*, which
/// are numbers in the subprogram that holds the procedure: two procedures that capture one variable have one location.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Closure {
    /// The subprogram.
    pub unit: UnitId,
    /// The locations of variables.
    pub vars: Vec<(VarId, usize)>,
    /// The procedures that stand for parameters around it.
    pub procedures: Vec<(VarId, Closure)>,
}

impl Closure {
    /// Adds the locations in the procedure that are not among some.
    pub fn add_locations(&self, found: &mut Vec<usize>) {
        for (_, location) in &self.vars {
            if !found.contains(location) {
                found.push(*location);
            }
        }
        self.procedures.iter().for_each(|(_, procedure)| procedure.add_locations(found));
    }

    /// Returns the procedure with other locations; none if one has no other.
    pub fn moved(&self, to: &FxHashMap<usize, usize>) -> Option<Closure> {
        let vars = self.vars.iter().map(|(var, location)| Some((*var, *to.get(location)?))).collect::<Option<_>>()?;
        let procedures = self.procedures.iter().map(|(var, procedure)| Some((*var, procedure.moved(to)?)));
        Some(Closure { unit: self.unit, vars, procedures: procedures.collect::<Option<_>>()? })
    }

    /// The number of procedures in it, itself included.
    pub fn size(&self) -> usize {
        1 + self.procedures.iter().map(|(_, procedure)| procedure.size()).sum::<usize>()
    }
}

/// A version of a subprogram: what distinguishes it from others of the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The subprogram with what it captures.
    pub callee: Closure,
    /// The procedures that are given for its parameters.
    pub given: Vec<Closure>,
    /// The variables that the additional parameters stand for; locations number them.
    pub added: Vec<VarId>,
}
