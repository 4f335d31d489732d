//! The names of variables and subprograms in core: those of the program, in upper case, which no name of VLAD is.
//!
//! A nested subprogram has those around it before its name, as in `EQLBRM.F`. A variable has the name of its subprogram
//! before its own if another variable of the same outermost subprogram, or a subprogram of the top level, has the same
//! name.

use crate::check::Checked;
use crate::check::entities::{Origin, VarId, VarKind};
use crate::program::units::{Program, UnitId};
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use vlad_language::names::{NameId, Names};

/// Returns the names of the subprograms.
pub fn unit_names(program: &Program, names: &mut Names) -> Vec<NameId> {
    let mut found: Vec<NameId> = vec![];
    for unit in program.unit_ids() {
        let about = program.unit(unit);
        let own = names.text(about.name.name).to_owned();
        let name = match about.parent.and_then(|parent| found.get(parent.0 as usize)) {
            Some(around) => names.intern(&format!("{}.{own}", names.text(*around))),
            None => about.name.name,
        };
        found.push(name);
    }
    found
}

/// Returns the names of the variables.
pub fn var_names(program: &Program, checked: &Checked, unit_names: &[NameId], names: &mut Names) -> Vec<NameId> {
    let vars = &checked.entities.vars;
    let top: HashSet<NameId> =
        program.units.iter().filter(|unit| unit.parent.is_none()).map(|unit| unit.name.name).collect();
    let mut owners: FxHashMap<(UnitId, NameId), VarId> = FxHashMap::default();
    let mut found = vec![];
    for (number, var) in vars.iter().enumerate() {
        let is_hidden = var.origin == Origin::Hidden && matches!(var.kind, VarKind::State | VarKind::Depth);
        let outermost = program.outermost(var.owner);
        let first = *owners.entry((outermost, var.name)).or_insert(VarId(number as u32));
        let is_plain = first == VarId(number as u32) && !top.contains(&var.name);
        found.push(match (is_hidden, is_plain, unit_names.get(var.owner.0 as usize)) {
            (true, ..) => var.name,
            (_, true, _) => var.name,
            (_, false, Some(unit)) => {
                let text = format!("{}.{}", names.text(*unit), names.text(var.name));
                // Names of lists that are local to a statement may be the same again.
                match owners.insert((outermost, names.intern(&text)), VarId(number as u32)) {
                    None => names.intern(&text),
                    Some(_) => names.hidden(&text),
                }
            }
            (_, false, None) => var.name,
        });
    }
    found
}
