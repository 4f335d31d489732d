//! The state of name resolution.

use super::{DefinitionId, ScopedLocalId, ScopedTree};
use crate::builtins::Builtin;
use crate::typed::Types;
use rustc_hash::FxHashMap;
use vlad_core::diagnostic::Report;
use vlad_core::source::Span;
use vlad_language::names::{NameId, Names};
use vlad_language::suggest::SearchBudget;

/// The referent of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    Local(ScopedLocalId),
    Definition(DefinitionId),
    Builtin(Builtin),
}

/// The resolver of a program, text by text.
pub struct Resolver<'loading> {
    pub(super) tree: &'loading mut ScopedTree,
    pub(super) types: &'loading mut Types,
    pub(super) names: &'loading Names,
    pub(super) report: &'loading mut Report,
    /// The meanings of names, the innermost last; with none, a name is unbound.
    pub(super) meanings: FxHashMap<NameId, Vec<Meaning>>,
    pub(super) patience: SearchBudget,
    /// The names on the left sides of equations, with advice.
    pub(super) misread: FxHashMap<NameId, &'static str>,
    /// The names that the current text defines, with the first places of those that could be read.
    pub(super) defined: FxHashMap<NameId, Option<Span>>,
}

impl<'loading> Resolver<'loading> {
    /// A resolver that knows the functions of the language.
    pub fn new(
        tree: &'loading mut ScopedTree,
        types: &'loading mut Types,
        names: &'loading Names,
        report: &'loading mut Report,
    ) -> Resolver<'loading> {
        let mut meanings: FxHashMap<NameId, Vec<Meaning>> = FxHashMap::default();
        for name in Builtin::names() {
            if let (Some(id), Some(builtin)) = (names.find(name), Builtin::named(name)) {
                meanings.insert(id, vec![Meaning::Builtin(builtin)]);
            }
        }
        Resolver {
            tree,
            types,
            names,
            report,
            meanings,
            patience: SearchBudget::new(),
            misread: FxHashMap::default(),
            defined: FxHashMap::default(),
        }
    }
}
