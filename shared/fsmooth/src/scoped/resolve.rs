//! Name resolution: the surface tree to the scoped tree.
//!
//! A name means its innermost binding; else the definition of it above the item; else the library's; else the function of
//! the language. Nothing sees itself: there is no recursion.

use super::names;
use super::resolver::{Meaning, Resolver};
use super::walk::{Root, Walk};
use super::{Body, Definition, DefinitionId, Output, ScopedItem};
use crate::syntax::reader::ReadItem;
use crate::syntax::tree::{SurfaceId, SurfaceItem, Target, Tree};
use crate::typed::Origin;
use rustc_hash::FxHashMap;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_language::names::NameId;

impl Resolver<'_> {
    /// Resolves the items of a text, which see those of the texts before.
    pub fn text(&mut self, surface: &Tree, items: &[ReadItem], origin: Origin) {
        self.defined.clear();
        let below = later_names(surface, items);
        self.misread = names::misread(surface, items);
        for item in items {
            match *item {
                ReadItem::Unreadable => {}
                ReadItem::Refused(name) => {
                    self.defined.entry(name).or_insert(None);
                    let definition = Definition {
                        name,
                        span: Span::new(vlad_core::source::FileId(0), 0, 0),
                        value: None,
                        origin,
                        output: Output::None,
                    };
                    let id = self.tree.definitions.push(definition);
                    self.bind(name, Meaning::Definition(id));
                }
                ReadItem::Read(SurfaceItem::Expression(expression)) => {
                    if let Some(symbol) = names::assignment(surface, expression) {
                        let hint = "a comparison is written v[i] == e; an array with another element is \
                                    build (length v) (fun j -> if j == i then e else v[j])";
                        let diagnostic = Diagnostic::new(Kind::Syntax, symbol, "no element is given a value by `=`");
                        self.report.push(diagnostic.with_hint(hint));
                        continue;
                    }
                    let expression = self.expression(surface, &below, Root::Expression(expression));
                    self.tree.items.push(ScopedItem::Expression(expression));
                }
                ReadItem::Read(SurfaceItem::Define(binding)) => {
                    let value = self.expression(surface, &below, Root::Binding(binding));
                    let binding = surface.bindings[binding];
                    match binding.target {
                        Target::Name(name) => {
                            self.define((name, binding.span), value, origin);
                        }
                        Target::Pair(..) => self.define_parts(surface, (binding.target, binding.span), value, origin),
                    }
                }
            }
        }
    }

    /// Adds a definition to the program. Its name means it from here on; one of the text that is defined twice is reported.
    pub(super) fn define(&mut self, (name, span): (NameId, Span), value: Body, origin: Origin) -> DefinitionId {
        if origin != Origin::Pattern && !self.is_wildcard(name) {
            if let Some(first) = self.defined.get(&name) {
                let message = format!("`{}` is defined twice", self.names.text(name));
                let diagnostic = Diagnostic::new(Kind::Duplicate, span, message);
                self.report.push(match first {
                    Some(first) => diagnostic.with_label(*first, "defined here first"),
                    None => diagnostic,
                });
            }
            self.defined.entry(name).or_insert(Some(span));
        }
        let output = self.tree.output(value);
        let id = self.tree.definitions.push(Definition { name, span, value: Some(value), origin, output });
        self.tree.items.push(ScopedItem::Define(id));
        if origin != Origin::Pattern {
            self.bind(name, Meaning::Definition(id));
        }
        id
    }

    /// Returns true for `_`, which names nothing.
    pub(super) fn is_wildcard(&self, name: NameId) -> bool {
        self.names.text(name) == "_"
    }

    /// Gives a name a meaning until it is unbound.
    pub(super) fn bind(&mut self, name: NameId, meaning: Meaning) {
        if !self.is_wildcard(name) {
            self.meanings.entry(name).or_default().push(meaning);
        }
    }

    /// Resolves an expression that is appended to the program: the definition of a name that nothing sees.
    pub fn appended(&mut self, surface: &Tree, expression: SurfaceId, name: NameId) {
        let span = surface.span(expression);
        let value = self.expression(surface, &FxHashMap::default(), Root::Expression(expression));
        let output = self.tree.output(value);
        let definition = Definition { name, span, value: Some(value), origin: Origin::Appended, output };
        let id = self.tree.definitions.push(definition);
        self.tree.items.push(ScopedItem::Define(id));
    }

    fn expression(&mut self, surface: &Tree, below: &FxHashMap<NameId, Span>, root: Root) -> Body {
        let (first, first_local) = (self.tree.count() as u32, self.tree.locals.len() as u32);
        let root = Walk::new(self, surface, below).run(root);
        Body { root, first, first_local, end_local: self.tree.locals.len() as u32 }
    }
}

/// The names that a text defines, with their places: a use above is reported with the place.
fn later_names(surface: &Tree, items: &[ReadItem]) -> FxHashMap<NameId, Span> {
    let mut names = FxHashMap::default();
    for item in items {
        if let ReadItem::Read(SurfaceItem::Define(binding)) = item {
            let binding = surface.bindings[*binding];
            for (name, span) in surface.named(binding.target, binding.span) {
                names.entry(name).or_insert(span);
            }
        }
    }
    names
}
