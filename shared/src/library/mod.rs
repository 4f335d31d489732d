//! Libraries: texts in the language that a program can include without having them as files.
//!
//! A library is a text like any other: its definitions become the program's own, in place of the `include`. So a name of
//! it that the program defines again is defined twice, and what the program defines by a name of the language holds in
//! the library, too.

/// A library.
#[derive(Debug)]
pub struct Library {
    /// What programs include it by.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The definitions that go through the elements of an operand, by their index, or its rows and their elements: errors
    /// tell the indices.
    pub elementwise: &'static [&'static str],
}

/// All of them.
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

impl Library {
    /// The library of a name, which may end with `.vlad`.
    pub fn named(name: &str) -> Option<&'static Library> {
        let name = name.strip_suffix(".vlad").unwrap_or(name);
        LIBRARIES.iter().find(|library| library.name == name)
    }

    /// The names that it defines.
    pub fn defined_names(&self) -> impl Iterator<Item = &'static str> {
        let header = |line: &'static str| line.strip_prefix("(define ");
        let ends = |character: char| character.is_whitespace() || matches!(character, '(' | ')');
        self.text.lines().filter_map(header).filter_map(move |rest| rest.trim_start_matches('(').split(ends).next())
    }

    /// What diagnostics call it.
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
