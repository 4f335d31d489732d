//! What is written in programs: each name of the language, inside of which operators of differentiation.
//!
//! This counts occurrences, where [`super::coverage`] counts what is surely executed: a name counts for the operators
//! in whose procedures it is written, whether or not it is reached there.

use super::bad::prelude_names;
use super::tree::{Form, Node, Tree};
use super::types::Type;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use vlad_shared::table::primitives::PRIMITIVES;

/// The ways to differentiate, as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// By `j*` of three operands.
    Forward,
    /// By `*j` of three operands.
    Reverse,
    /// By `checkpoint-*j`, however it divides the execution.
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

/// The nestings that the table tells apart: none, and each style as the innermost of one, two, or three and more operators.
fn columns() -> Vec<String> {
    let nested = (1..=MOST_DEPTH).flat_map(|depth| Style::ALL.map(|style| format!("{}{depth}", style.letter())));
    std::iter::once("-".to_owned()).chain(nested).collect()
}

/// The depth of nesting from which on depths are counted together.
const MOST_DEPTH: usize = 3;

/// How many times each name was written in each nesting.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Written {
    counts: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Written {
    /// Adds what is written in a program.
    pub fn add(&mut self, tree: &Tree) {
        for item in &tree.items {
            self.walk(item.node(), &mut Vec::new());
        }
    }

    /// Adds what was counted elsewhere.
    pub fn merge(&mut self, other: Written) {
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

    /// How many times a name was written in any nesting.
    pub fn count(&self, name: &str) -> u64 {
        self.counts.get(name).map_or(0, |cells| cells.values().sum())
    }

    /// How many cells of the table there are, and how many of them are not empty.
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

/// How a call differentiates its first operand, if it does.
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
    use crate::random::{Dials, Sort};

    #[test]
    fn every_name_of_the_language_is_written() {
        let mut written = Written::default();
        for seed in 0..6000 {
            if let Some(tree) = generate(seed, Dials::default()).tree() {
                written.add(tree);
            }
        }
        let missing: Vec<&str> = Written::names().filter(|name| written.count(name) == 0).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn names_count_inside_the_innermost_operator() {
        let texts =
            (0..300).map(|seed| crate::random::generate(Sort::Good, seed, Dials { depth: 1, ..Dials::default() }));
        let mut written = Written::default();
        texts.for_each(|case| case.tree().into_iter().for_each(|tree| written.add(tree)));
        let deep = written.counts.values().flat_map(BTreeMap::keys).find(|cell| cell.ends_with('3'));
        assert_eq!(deep, None, "no deeper than the dial says, but for operators in operands");
    }
}
