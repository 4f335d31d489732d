//! Named core to core.
//!
//! | pass | holds afterwards |
//! |---|---|
//! | [`scope::find`] | every variable is known to be one of a pattern, of a group, of the top level, or a primitive |
//! | [`several::rewrite`] | the same, and procedures of two lists are called with two |
//! | [`slots::number`] | [`crate::core::Program`]'s invariant |
//! | `parameters::check` | the same: it only warns, where that is asked for |
//!
//! Of the prelude the program gets what it uses, directly or through other procedures of the prelude.

mod foreign;
mod parameters;
pub mod scope;
pub mod several;
mod shape;
pub mod slots;
mod uses;

use crate::core::Program;
use crate::diagnostic::Diagnostic;
use crate::expand::named::{Named, NamedItem};
use crate::report::Report;
use crate::source::SourceMap;
use crate::syntax::names::Names;
use scope::{Completeness, Scopes};

/// What named core is of, and what it makes of the arenas.
#[derive(Clone, Copy)]
pub struct Texts<'loading> {
    /// The names.
    pub names: &'loading Names,
    /// The definitions of the prelude, all of lambdas.
    pub prelude: &'loading [NamedItem],
    /// What the program does.
    pub items: &'loading [NamedItem],
    /// The texts, which tell what of this libraries do.
    pub sources: &'loading SourceMap,
}

/// The same with the arenas.
#[derive(Clone, Copy)]
pub struct Unresolved<'loading> {
    /// The names.
    pub names: &'loading Names,
    /// The arenas.
    pub named: &'loading Named,
    /// The definitions of the prelude, all of lambdas.
    pub prelude: &'loading [NamedItem],
    /// What the program does.
    pub items: &'loading [NamedItem],
    /// The texts, which tell what of this libraries do.
    pub sources: &'loading SourceMap,
}

impl<'loading> Texts<'loading> {
    fn with(self, named: &'loading Named) -> Unresolved<'loading> {
        let Texts { names, prelude, items, sources } = self;
        Unresolved { names, named, prelude, items, sources }
    }
}

/// Finds what the names of a program mean, and rewrites applications for which that matters. What is wrong is reported.
pub fn meanings(texts: Texts<'_>, named: &mut Named, completeness: Completeness, report: &mut Report) -> Scopes {
    let mut scopes = scope::find(texts.with(named), completeness, report);
    several::rewrite(texts, named, &mut scopes);
    scopes
}

/// Resolves the names of a program; nothing comes of it if anything has been reported, now or before. The texts of the
/// program are still to be put into it.
pub fn resolve(
    texts: Texts<'_>,
    named: &mut Named,
    completeness: Completeness,
    report: &mut Report,
) -> Option<Program> {
    let scopes = scopes(texts, named, completeness, report)?;
    slots::number(texts.with(named), &scopes, report)
}

/// The same, with the warnings about a program that has no errors.
pub fn resolve_and_warn(
    texts: Texts<'_>,
    named: &mut Named,
    completeness: Completeness,
    report: &mut Report,
) -> Option<(Program, Vec<Diagnostic>)> {
    let scopes = scopes(texts, named, completeness, report)?;
    let unresolved = texts.with(named);
    let program = slots::number(unresolved, &scopes, report)?;
    Some((program, parameters::check(unresolved, &scopes)))
}

/// What the variables refer to; none if anything has been reported.
fn scopes(texts: Texts<'_>, named: &mut Named, completeness: Completeness, report: &mut Report) -> Option<Scopes> {
    let scopes = meanings(texts, named, completeness, report);
    report.is_empty().then_some(scopes)
}
