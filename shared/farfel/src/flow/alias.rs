//! Aliases: a variable that a call may assign through one name must not be known to the procedure by another.
//!
//! Errors are a variable given twice where a parameter for it may be assigned, and a variable that is given to a
//! procedure which also sees it from around, or through a procedure given beside it, where either is assigned.

use crate::check::Checked;
use crate::check::Site;
use crate::check::entities::{Callee, Meaning, VarId};
use crate::flow::effects::{Effects, arguments};
use crate::syntax::tree::{ExprId, Tree};
use std::collections::BTreeSet;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_language::names::Names;

/// Reports aliases at all calls.
pub fn check(tree: &Tree, checked: &Checked, effects: &[Effects], names: &Names, report: &mut Report) {
    for site in &checked.sites {
        check_site(tree, checked, effects, names, report, site);
    }
}

fn check_site(tree: &Tree, checked: &Checked, effects: &[Effects], names: &Names, report: &mut Report, site: &Site) {
    let entities = &checked.entities;
    let arguments = arguments(tree, site.call);
    // Each variable given, whole or by an element, and whether it may be assigned.
    let mut given: Vec<(ExprId, VarId, bool, bool)> = vec![];
    let (mut seen, mut may_write) = (BTreeSet::<VarId>::new(), BTreeSet::<VarId>::new());
    let targets = entities.targets(site.callee);
    for target in &targets {
        if let Some(effects) = effects.get(target.0 as usize) {
            seen.extend(&effects.reads);
            may_write.extend(&effects.may_write);
        }
    }
    for (place, argument) in arguments.iter().enumerate() {
        let is_assigned = targets.iter().any(|target| {
            let parameter = entities.scope(*target).parameters.get(place);
            let effects = effects.get(target.0 as usize);
            parameter.zip(effects).is_some_and(|(parameter, effects)| effects.parameters.contains(parameter))
        });
        match entities.meaning(*argument) {
            Meaning::Variable(var) => given.push((*argument, var, is_assigned, true)),
            Meaning::Element(var) => given.push((*argument, var, is_assigned, false)),
            Meaning::Procedure(Callee::Unit(passed)) => {
                if let Some(effects) = effects.get(passed.0 as usize) {
                    seen.extend(&effects.reads);
                    may_write.extend(&effects.may_write);
                }
            }
            Meaning::None | Meaning::Procedure(Callee::Parameter(_)) | Meaning::Call(_) | Meaning::Intrinsic(_) => {}
        }
    }
    for (place, (argument, var, is_assigned, is_whole)) in given.iter().enumerate() {
        let name = names.text(entities.var(*var).name);
        let other = given.iter().take(place).find(|(_, other, other_assigned, other_whole)| {
            other == var && (*is_assigned || *other_assigned) && (*is_whole || *other_whole)
        });
        if let Some((first, ..)) = other {
            let message = format!("{name} is given twice here, and the procedure assigns it: an alias");
            let diagnostic = Diagnostic::new(Kind::Type, tree.span(*argument), message);
            report.push(
                diagnostic
                    .with_label(tree.span(*first), "the first one")
                    .with_hint("put one of them in parentheses: that passes its value"),
            );
        } else if seen.contains(var) && (*is_assigned || may_write.contains(var)) {
            let message = format!(
                "{name} is given to a procedure that knows it by its own name, and is assigned there: an alias"
            );
            let diagnostic = Diagnostic::new(Kind::Type, tree.span(*argument), message);
            report.push(diagnostic.with_hint("put it in parentheses, which passes its value, or do not pass it"));
        }
    }
}
