//! The table of rules, `table.txt`: one row each, in the notation of [`super::notation`].
//!
//! **Classes.** A rule of class X changes no bit of any result. One of class Z changes nothing but the sign of zeros, and
//! is applied to tangents only: to terms with a guarded product at their root, which differentiation alone makes. One of
//! class R rounds otherwise, and is applied with `--algebra` only.
//!
//! **Errors.** A rule keeps the evaluations of its pattern, or has a condition that those which it drops, moves or
//! repeats less often are total.
//!
//! A row is data, so one test instantiates every row with random terms, and compares both sides numerically.

use super::notation::{self, Names, Term};
use crate::typed::Head;
use vlad_table::internal_bug;

/// The bits that a rule keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// All bits.
    Exact,
    /// All but the signs of zeros, in tangents.
    ZeroSigns,
    /// Equal in exact arithmetic.
    Algebra,
}

impl Class {
    /// The letter of the class.
    pub fn letter(self) -> char {
        match self {
            Class::Exact => 'X',
            Class::ZeroSigns => 'Z',
            Class::Algebra => 'R',
        }
    }
}

/// A side condition, about metavariables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The term that the rule is applied to is total.
    Total,
    /// The instance of a metavariable is total.
    TotalPart(&'static str),
    /// The first one is an index below the second one.
    Below(&'static str, &'static str),
    /// The first one is the length of the second one.
    LengthOf(&'static str, &'static str),
    /// A Double that is not -0.
    NotNegativeZero(&'static str),
    /// A tangent.
    Tangent(&'static str),
    /// An instance so small that it may be repeated.
    Small(&'static str),
    /// One of the two is a number or a boolean.
    OneIsConstant(&'static str, &'static str),
    /// An instance that is not a choice by the index of the innermost loop, when the given condition is one.
    NotBothByIndex(&'static str, &'static str),
}

/// The name of the rule about iterations that make the same in every turn.
pub const CONSTANT_STEP: &str = "ifold of a constant step";

/// The text of the table.
const TEXT: &str = include_str!("table.txt");

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name.
    pub name: &'static str,
    /// The class.
    pub class: Class,
    /// The metavariables with their types, as in `n k : Index; f : Index => Double`. Rules hold at other types, too;
    /// these are the ones at which they are tested.
    pub variables: &'static str,
    /// The side conditions.
    pub conditions: Vec<Condition>,
}

/// A rule that is ready for use.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its row.
    pub row: Row,
    /// The pattern.
    pub pattern: Term,
    /// The template.
    pub template: Term,
    /// The names of its variables.
    pub names: Names,
}

impl Rule {
    /// Returns true if the pattern may match an expression with a head.
    pub fn may_match(&self, head: Head) -> bool {
        !matches!(&self.pattern, Term::Construct(own, _) if *own != head)
    }
}

/// Returns the rules of the table, in the order in which they are tried.
pub fn rules() -> Vec<Rule> {
    let mut lines = TEXT.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut rules = vec![];
    while let (Some(head), Some(terms)) = (lines.next(), lines.next()) {
        match rule(head, terms) {
            Ok(rule) => rules.push(rule),
            Err(message) => internal_bug!("the rule `{head}` is well formed: {message}"),
        }
    }
    rules
}

/// Reads a row, which has two lines.
fn rule(head: &'static str, terms: &str) -> Result<Rule, String> {
    let (name, rest) = head.split_once(" (").ok_or("it has no class")?;
    let (class, rest) = rest.split_once(") ").ok_or("it has no metavariables")?;
    let class =
        [Class::Exact, Class::ZeroSigns, Class::Algebra].into_iter().find(|known| class == known.letter().to_string());
    let (variables, conditions) = rest.split_once(" if ").unwrap_or((rest, ""));
    let conditions = conditions.split(", ").filter(|text| !text.is_empty()).map(condition);
    let conditions = conditions.collect::<Result<Vec<Condition>, String>>()?;
    let row = Row { name, class: class.ok_or("its class is unknown")?, variables, conditions };
    let (pattern, template) = terms.split_once("~>").ok_or("it has no template")?;
    let mut names = Names { metavariables: metavariables(variables), bound: vec![] };
    let pattern = notation::parse(pattern, &mut names)?;
    let template = notation::parse(template, &mut names)?;
    Ok(Rule { row, pattern, template, names })
}

/// Reads a side condition: a word, and the metavariables that it is about.
fn condition(text: &'static str) -> Result<Condition, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    Ok(match *words {
        ["total"] => Condition::Total,
        ["total", part] => Condition::TotalPart(part),
        ["below", index, size] => Condition::Below(index, size),
        ["length", size, array] => Condition::LengthOf(size, array),
        ["not-negative-zero", part] => Condition::NotNegativeZero(part),
        ["tangent", part] => Condition::Tangent(part),
        ["small", part] => Condition::Small(part),
        ["one-constant", one, other] => Condition::OneIsConstant(one, other),
        ["not-both-by-index", condition, other] => Condition::NotBothByIndex(condition, other),
        [..] => return Err(format!("`{text}` is no condition")),
    })
}

/// Returns the names in declarations such as `n k : Index; f : Index => Double`.
fn metavariables(variables: &str) -> Vec<String> {
    let groups = variables.split(';').filter_map(|group| group.split(':').next());
    groups.flat_map(|names| names.split_whitespace().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        assert_eq!(rules().len(), TEXT.matches("~>").count() - 1);
    }

    #[test]
    fn rows_that_are_not_well_formed_are_refused() {
        let head = "times one (X) e : Double";
        assert!(rule(head, "(* e 1.0) ~> e").is_ok());
        for (head, terms) in [
            (head, "(* e 1.0)"),
            (head, "(* e 1.0) ~> f"),
            ("times one e : Double", "(* e 1.0) ~> e"),
            ("times one (Y) e : Double", "(* e 1.0) ~> e"),
            ("times one (X) e : Double if large e", "(* e 1.0) ~> e"),
        ] {
            assert!(rule(head, terms).is_err(), "{head} {terms}");
        }
    }
}
