//! Procedures that are given to procedures in other languages: those return one value and nothing else, since the other
//! language knows of no variables that a call assigns.

use crate::check::Checked;
use crate::flow::conventions::Conventions;
use crate::program::units::Program;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_language::names::Names;

/// Reports procedures for parameters of interfaces that return something else than one value.
pub fn check(program: &Program, checked: &Checked, conventions: &Conventions, names: &Names, report: &mut Report) {
    let entities = &checked.entities;
    let interfaces = program.unit_ids().filter(|unit| program.unit(*unit).is_interface);
    for parameter in interfaces.flat_map(|unit| &entities.scope(unit).parameters) {
        for given in entities.flows.get(parameter).into_iter().flatten() {
            let convention = conventions.of_value(*given);
            let fault = if entities.scope(*given).result.is_none() {
                "is a subroutine"
            } else if convention.takes_state {
                "assigns a variable around it, or is given for a parameter with one that does"
            } else if convention.assigned.contains(&true) {
                "assigns a parameter, or is given for a parameter with one that does"
            } else {
                continue;
            };
            let name = |name| names.text(name);
            let (procedure, parameter) = (program.unit(*given).name, entities.var(*parameter));
            let message = format!(
                "{} {fault}, and {} is a parameter of an interface",
                name(procedure.name),
                name(parameter.name)
            );
            let diagnostic = Diagnostic::new(Kind::Type, procedure.span, message);
            report.push(
                diagnostic
                    .with_label(parameter.span, "the parameter")
                    .with_hint("a procedure in another language is given functions that assign only their value"),
            );
        }
    }
}
