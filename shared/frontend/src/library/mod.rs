//! Libraries: texts in the language that come with vlad, which a program can include by name.
//!
//! A library is a text like any other: its definitions become the program's own, in place of the `include`. So a program
//! that defines a name of the library again defines it twice, and a program's definition of a name of the language applies
//! in the library as well.

use crate::prelude;
use vlad_core::Elementwise;

/// A library.
#[derive(Debug)]
pub struct Library {
    /// The name by which programs include it.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The definitions that visit the elements of an operand by their index, or its rows and their elements: errors in them
    /// report the indices.
    pub elementwise: &'static [&'static str],
}

/// All libraries.
pub const LIBRARIES: [Library; 1] = [Library {
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
        "vector-norm-1",
        "vector-norm-infinity",
        "vector-maximum",
        "vector-minimum",
        "vector-argmax",
        "vector-argmin",
        "vector-logsumexp",
        "vector-softmax",
        "vector-outer-product",
        "matrix-map",
        "matrix-map2",
        "matrix-add",
        "matrix-subtract",
        "matrix-scale",
        "matrix-vector-product",
        "matrix-norm",
    ],
}];

/// The procedures of the prelude and of the libraries that go through elements.
pub fn elementwise() -> Elementwise {
    Elementwise {
        loops: &prelude::LOOP_PROCEDURES,
        recursive: &prelude::RECURSIVE,
        others: LIBRARIES.iter().flat_map(|library| library.elementwise).copied().collect(),
    }
}

impl Library {
    /// Returns the library of a name, which may end with `.vlad`.
    pub fn named(name: &str) -> Option<&'static Library> {
        let name = name.strip_suffix(".vlad").unwrap_or(name);
        LIBRARIES.iter().find(|library| library.name == name)
    }

    /// Returns the names that it defines.
    pub fn defined_names(&self) -> impl Iterator<Item = &'static str> {
        let header = |line: &'static str| line.strip_prefix("(define ");
        let ends = |character: char| character.is_whitespace() || matches!(character, '(' | ')');
        self.text.lines().filter_map(header).filter_map(move |rest| rest.trim_start_matches('(').split(ends).next())
    }

    /// Returns its name in diagnostics.
    pub fn shown_name(&self) -> String {
        format!("<{}>", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expand::named::NamedItem;
    use crate::load::{Expanded, Input, Options, expanded};

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
            assert_eq!(library.defined_names().collect::<Vec<&str>>(), defined, "{}", library.name);
        }
    }
}
