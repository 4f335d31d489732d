//! Named core to core.
//!
//! | pass | holds afterwards |
//! |---|---|
//! | [`scope::find`] | every variable is known to be one of a pattern, of a group, of the top level, or a primitive |
//! | [`slots::number`] | [`crate::core::Program`]'s invariant |
//!
//! Of the prelude the program gets what it uses, directly or through other procedures of the prelude.

pub mod scope;
pub mod slots;
mod suggest;

use crate::core::Program;
use crate::expand::named::{Named, NamedItem};
use crate::report::Report;
use crate::source::SourceMap;
use crate::syntax::names::Names;
use scope::Completeness;

/// Named core: the arenas, and what the prelude and the program make of them.
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

/// Resolves the names of a program; nothing comes of it if anything has been reported, now or before. The texts of the
/// program are still to be put into it.
pub fn resolve(unresolved: Unresolved<'_>, completeness: Completeness, report: &mut Report) -> Option<Program> {
    let scopes = scope::find(unresolved, completeness, report);
    if !report.is_empty() {
        return None;
    }
    slots::number(unresolved, &scopes, report)
}
