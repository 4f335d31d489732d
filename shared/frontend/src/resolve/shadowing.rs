//! Warnings about definitions whose names libraries of the program define as well.

use super::unresolved::Unresolved;
use rustc_hash::FxHashMap;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_language::named::NamedItem;

/// Returns the warnings.
pub fn check(unresolved: Unresolved<'_>) -> Vec<Diagnostic> {
    let definitions = |of_libraries: bool| {
        unresolved.items.iter().filter_map(move |item| match *item {
            NamedItem::Define(name, span, _) if unresolved.sources.is_library(span.file) == of_libraries => {
                Some((name, span))
            }
            NamedItem::Define(..) | NamedItem::Expression(_) => None,
        })
    };
    let libraries: FxHashMap<_, _> = definitions(true).collect();
    let warning = |(name, span)| {
        let of_library = libraries.get(&name)?;
        let text = unresolved.names.text(name);
        let message = format!("`{text}` means this definition in the program, and in the library its own");
        Some(Diagnostic::new(Kind::Shadowing, span, message).with_label(*of_library, "the library defines it here"))
    };
    definitions(false).filter_map(warning).collect()
}
