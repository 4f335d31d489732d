//! Occurrences of the names of the language in programs, by the operators of differentiation around them.
//!
//! This counts occurrences, whereas [`super::coverage`] counts operations that are certainly executed: a name counts
//! for the operators in whose procedures it is written, independent of control flow.

use super::tree::{Form, Node, Tree};
use super::types::Type;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use vlad_shared::frontend::vlad::prelude;
use vlad_shared::table::primitives::PRIMITIVES;

/// The written forms of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// By `j*` of three operands.
    Forward,
    /// By `*j` of three operands.
    Reverse,
    /// By `checkpoint-*j`, with any checkpoint options.
    Checkpoint,
    /// By a transformed procedure.
    Reflective,
}

impl Style {
    /// All of them.
    pub const ALL: [Style; 4] = [Style::Forward, Style::Reverse, Style::Checkpoint, Style::Reflective];

    fn letter(self) -> char {
        match self {
            Style::Forward => 'F',
            Style::Reverse => 'R',
            Style::Checkpoint => 'C',
            Style::Reflective => 'T',
        }
    }
}

/// The nestings that the table distinguishes: none, and each style as the innermost of one, two, or three and more
/// operators.
fn columns() -> Vec<String> {
    let nested = (1..=MOST_DEPTH).flat_map(|depth| Style::ALL.map(|style| format!("{}{depth}", style.letter())));
    std::iter::once("-".to_owned()).chain(nested).collect()
}

/// The depth of nesting from which on depths share a column.
const MOST_DEPTH: usize = 3;

/// The number of occurrences of each name in each nesting.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NameOccurrences {
    counts: BTreeMap<String, BTreeMap<String, u64>>,
}

impl NameOccurrences {
    /// Adds the occurrences in a program.
    pub fn add(&mut self, tree: &Tree) {
        for item in &tree.items {
            self.walk(item.node(), &mut Vec::new());
        }
    }

    /// Adds the counts of another table.
    pub fn merge(&mut self, other: NameOccurrences) {
        for (name, cells) in other.counts {
            let own = self.counts.entry(name).or_default();
            for (cell, count) in cells {
                *own.entry(cell).or_default() += count;
            }
        }
    }

    /// The names of the language: primitives, then the prelude's procedures.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PRIMITIVES.iter().map(|row| row.name).chain(prelude_names())
    }

    /// The number of occurrences of a name in any nesting.
    pub fn count(&self, name: &str) -> u64 {
        self.counts.get(name).map_or(0, |cells| cells.values().sum())
    }

    /// The number of cells of the table, and the number of those that are not empty.
    pub fn cells(&self) -> (usize, usize) {
        let columns = columns();
        let all = Self::names().count() * columns.len();
        let filled = Self::names().filter_map(|name| self.counts.get(name)).map(BTreeMap::len).sum();
        (all, filled)
    }

    /// The counts by name and nesting.
    pub fn rows(&self) -> &BTreeMap<String, BTreeMap<String, u64>> {
        &self.counts
    }

    /// The counts, a line for each name.
    pub fn table(&self) -> String {
        let columns = columns();
        let mut text = format!("{:24}", "");
        for column in &columns {
            let _ = write!(text, "{column:>8}");
        }
        for name in Self::names() {
            let _ = write!(text, "\n{name:24}");
            for column in &columns {
                let count = self.counts.get(name).and_then(|cells| cells.get(column)).copied().unwrap_or(0);
                let _ = write!(text, "{count:8}");
            }
        }
        text
    }

    fn walk(&mut self, node: &Node, around: &mut Vec<Style>) {
        if let Form::Name(name) = &node.form {
            self.note(name, around);
        }
        let style = operator_style(node);
        for (number, child) in node.children.iter().enumerate() {
            // The procedure of an operator is its first operand.
            match style.filter(|_| number == 1) {
                Some(style) => {
                    around.push(style);
                    self.walk(child, around);
                    around.pop();
                }
                None => self.walk(child, around),
            }
        }
    }

    fn note(&mut self, name: &str, around: &[Style]) {
        let column = around
            .last()
            .map_or_else(|| "-".to_owned(), |style| format!("{}{}", style.letter(), around.len().min(MOST_DEPTH)));
        *self.counts.entry(name.to_owned()).or_default().entry(column).or_default() += 1;
    }
}

/// The names of the prelude's procedures.
pub fn prelude_names() -> impl Iterator<Item = &'static str> {
    let defined = prelude::TEXT.lines().filter_map(|line| line.strip_prefix("(define ("));
    defined.filter_map(|rest| rest.split([' ', ')']).next())
}

/// The style in which a call differentiates its first operand, if it does.
pub fn operator_style(node: &Node) -> Option<Style> {
    let (Form::Call, [operator, procedure, others @ ..]) = (&node.form, node.children.as_slice()) else { return None };
    let Form::Name(name) = &operator.form else { return None };
    match (name.as_str(), others.is_empty()) {
        ("j*", false) => Some(Style::Forward),
        ("*j", false) => Some(Style::Reverse),
        ("checkpoint-*j" | "checkpoint-*j-bisection" | "checkpoint-*j-binomial", false) => Some(Style::Checkpoint),
        ("j*" | "*j" | "perturb" | "sensitize", true) if matches!(procedure.gives, Type::Procedure(..)) => {
            Some(Style::Reflective)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::program::generate;
    use crate::random::{CaseKind, GeneratorOptions};

    #[test]
    fn the_prelude_has_names() {
        let names: Vec<&str> = prelude_names().collect();
        assert!(names.contains(&"map") && names.contains(&"k*v") && names.len() > 40, "{names:?}");
    }

    #[test]
    fn every_name_of_the_language_is_written() {
        let mut written = NameOccurrences::default();
        for seed in 0..6000 {
            if let Some(tree) = generate(seed, GeneratorOptions::default()).tree() {
                written.add(tree);
            }
        }
        // Random programs have no texts, and `error` ends a program.
        let left_out = ["write-text", "error-text", "error"];
        let missing: Vec<&str> =
            NameOccurrences::names().filter(|name| written.count(name) == 0 && !left_out.contains(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn names_count_inside_the_innermost_operator() {
        let texts = (0..300).map(|seed| {
            crate::random::generate(CaseKind::Good, seed, GeneratorOptions { depth: 1, ..GeneratorOptions::default() })
        });
        let mut written = NameOccurrences::default();
        texts.for_each(|case| case.tree().into_iter().for_each(|tree| written.add(tree)));
        let deep = written.counts.values().flat_map(BTreeMap::keys).find(|cell| cell.ends_with('3'));
        assert_eq!(deep, None, "no deeper than the dial says, but for operators in operands");
    }
}
