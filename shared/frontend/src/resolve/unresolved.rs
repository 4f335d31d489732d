//! The input of name resolution: a program in named core, with its texts.

use vlad_core::source::SourceMap;
use vlad_language::named::{Named, NamedItem};
use vlad_language::names::Names;

/// The parts of an unresolved program, without the arenas, which a pass rewrites.
#[derive(Clone, Copy)]
pub struct Texts<'loading> {
    /// The names.
    pub names: &'loading Names,
    /// The definitions of the prelude, all of lambdas.
    pub prelude: &'loading [NamedItem],
    /// The program's top-level items.
    pub items: &'loading [NamedItem],
    /// The texts, which determine the items that come from libraries.
    pub sources: &'loading SourceMap,
}

/// The parts of an unresolved program, with its arenas.
#[derive(Clone, Copy)]
pub struct Unresolved<'loading> {
    /// The names.
    pub names: &'loading Names,
    /// The arenas.
    pub named: &'loading Named,
    /// The definitions of the prelude, all of lambdas.
    pub prelude: &'loading [NamedItem],
    /// The program's top-level items.
    pub items: &'loading [NamedItem],
    /// The texts, which determine the items that come from libraries.
    pub sources: &'loading SourceMap,
}

impl<'loading> Texts<'loading> {
    /// The same with its arenas.
    pub fn with(self, named: &'loading Named) -> Unresolved<'loading> {
        let Texts { names, prelude, items, sources } = self;
        Unresolved { names, named, prelude, items, sources }
    }
}
