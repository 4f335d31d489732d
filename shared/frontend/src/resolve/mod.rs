//! Name resolution: named core to core.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`scope::find`] | every variable is resolved to a pattern's, a group's, a top-level definition or a primitive |
//! | [`variadic::rewrite`] | the same, and procedures of two lists are called with two |
//! | [`slots::number`] | [`vlad_core::Program`]'s invariant |
//! | `shadowing::check`, `parameters::check` | the same: they only warn, on request |
//!
//! Of the prelude, the program gets the procedures that it uses, directly or through other procedures of the prelude.

mod foreign;
mod parameters;
pub mod scope;
mod shadowing;
mod shape;
pub mod slots;
mod unresolved;
mod uses;
pub mod variadic;

pub use unresolved::{Texts, Unresolved};

use scope::Scopes;
use vlad_core::Program;
use vlad_core::diagnostic::{Diagnostic, Report};
use vlad_language::Completeness;
use vlad_language::named::Named;

/// Resolves the names of a program and rewrites applications whose meaning depends on that. Errors are reported.
pub fn meanings(texts: Texts<'_>, named: &mut Named, completeness: Completeness, report: &mut Report) -> Scopes {
    let mut scopes = scope::find(texts.with(named), completeness, report);
    variadic::rewrite(texts, named, &mut scopes);
    scopes
}

/// Resolves the names of a program to core; none if anything has been reported, now or before. The caller still has to
/// put the texts of the program into the result.
pub fn resolve(
    texts: Texts<'_>,
    named: &mut Named,
    completeness: Completeness,
    report: &mut Report,
) -> Option<Program> {
    let scopes = scopes(texts, named, completeness, report)?;
    slots::number(texts.with(named), &scopes, report)
}

/// Does the same as [`resolve`] and returns the warnings about a program without errors as well.
pub fn resolve_and_warn(
    texts: Texts<'_>,
    named: &mut Named,
    completeness: Completeness,
    report: &mut Report,
) -> Option<(Program, Vec<Diagnostic>)> {
    let scopes = scopes(texts, named, completeness, report)?;
    let unresolved = texts.with(named);
    let program = slots::number(unresolved, &scopes, report)?;
    let mut warnings = shadowing::check(unresolved);
    warnings.extend(parameters::check(unresolved, &scopes));
    warnings.sort_by_key(|warning| warning.span.map(|span| (span.file, span.start, span.end)));
    Some((program, warnings))
}

/// Returns the meanings of the variables; none if anything has been reported.
fn scopes(texts: Texts<'_>, named: &mut Named, completeness: Completeness, report: &mut Report) -> Option<Scopes> {
    let scopes = meanings(texts, named, completeness, report);
    report.is_empty().then_some(scopes)
}
