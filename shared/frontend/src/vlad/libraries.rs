//! The libraries in VLAD.

use vlad_language::library::Library;

/// All libraries. Those that include others come after them.
pub const LIBRARIES: [Library; 8] = [
    Library {
        name: "linear-algebra",
        text: include_str!("linear-algebra.vlad"),
        elementwise: &[
            "vector-map",
            "vector-map2",
            "vector-add",
            "vector-subtract",
            "vector-multiply",
            "vector-scale",
            "vector-reduce",
            "vector-sum",
            "vector-product",
            "vector-dot",
            "vector-norm",
            "vector-norm-squared",
            "vector-norm-1",
            "vector-norm-infinity",
            "vector-maximum",
            "vector-minimum",
            "vector-argmax",
            "vector-argmin",
            "vector-logsumexp",
            "vector-softmax",
            "vector-log-softmax",
            "vector-outer-product",
            "matrix-map",
            "matrix-map2",
            "matrix-add",
            "matrix-subtract",
            "matrix-scale",
            "matrix-vector-product",
            "matrix-norm",
        ],
    },
    library("derivatives", include_str!("derivatives.vlad")),
    library("optimize", include_str!("optimize.vlad")),
    library("ode", include_str!("ode.vlad")),
    library("lists", include_str!("lists.vlad")),
    library("statistics", include_str!("statistics.vlad")),
    library("random", include_str!("random.vlad")),
    library("special", include_str!("special.vlad")),
];

/// A library whose procedures report no indices of elements.
const fn library(name: &'static str, text: &'static str) -> Library {
    Library { name, text, elementwise: &[] }
}

/// Returns the names that a library of VLAD defines.
pub fn defined_names(library: &Library) -> impl Iterator<Item = &'static str> {
    let header = |line: &'static str| line.strip_prefix("(define ");
    let ends = |character: char| character.is_whitespace() || matches!(character, '(' | ')');
    library.text.lines().filter_map(header).filter_map(move |rest| rest.trim_start_matches('(').split(ends).next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Expanded, Input, Options, expanded};
    use vlad_language::named::NamedItem;

    #[test]
    fn defined_names_are_those_that_a_program_gets() {
        for library in &LIBRARIES {
            let bytes = format!("(include \"{}\")", library.name).into_bytes();
            let input = Input::Text { name: "test".to_owned(), bytes, folder: None };
            let Expanded { names, items, .. } = expanded(input, &Options::default()).unwrap();
            let defined: Vec<&str> = items
                .iter()
                .map(|item| match item {
                    NamedItem::Define(name, _, _) => names.text(*name),
                    NamedItem::Expression(_) => "",
                })
                .collect();
            let included =
                library.text.lines().filter_map(|line| line.strip_prefix("(include \"")?.strip_suffix("\")"));
            let included = included.filter_map(|name| LIBRARIES.iter().find(|library| library.name == name));
            let known: Vec<&str> = included.flat_map(defined_names).chain(defined_names(library)).collect();
            assert_eq!(known, defined, "{}", library.name);
        }
    }
}
