//! Derivations: the applications of rules that lead from one term to another.
//!
//! Terms are never changed, so a step keeps the terms before and after it. [`replay`] checks a derivation: at the place of each step it
//! finds the term before, puts in the term after, and so comes to the last term.

use super::rules::Class;
use super::terms;
use crate::typed::{ExpressionId, Program, print};
use std::fmt::Write;

/// One application of a rule.
#[derive(Clone, Debug)]
pub struct Step {
    /// The name of the rule.
    pub rule: &'static str,
    /// Its class.
    pub class: Class,
    /// The place: of each expression from the root on, the number of the part in which it is.
    pub place: Vec<u32>,
    /// The term that was there.
    pub before: ExpressionId,
    /// The term that the rule made of it.
    pub after: ExpressionId,
}

/// The applications of rules that lead from one term to another.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The first term.
    pub from: ExpressionId,
    /// The steps.
    pub steps: Vec<Step>,
    /// The last term.
    pub to: ExpressionId,
}

/// Applies a derivation step by step, and returns the term after each step.
///
/// # Errors
/// A message, if a step is not about the term that is at its place, or the last term is not that of the derivation.
pub fn replay(program: &mut Program, derivation: &Derivation) -> Result<Vec<ExpressionId>, String> {
    let (mut term, mut stages) = (derivation.from, vec![]);
    for (number, step) in derivation.steps.iter().enumerate() {
        let found = at(program, term, &step.place).ok_or_else(|| format!("step {number} has no place"))?;
        if !terms::same(program, found, step.before) {
            return Err(format!(
                "step {number}, {}: `{}` where `{}` is expected",
                step.rule,
                print::expression(program, found),
                print::expression(program, step.before)
            ));
        }
        if program.type_of(step.before) != program.type_of(step.after) {
            return Err(format!("step {number}, {}: the type changes", step.rule));
        }
        term = put(program, term, &step.place, step.after);
        stages.push(term);
    }
    if terms::same(program, term, derivation.to) { Ok(stages) } else { Err("the last term is another one".to_owned()) }
}

/// Returns the term at a place.
fn at(program: &Program, root: ExpressionId, place: &[u32]) -> Option<ExpressionId> {
    place.iter().try_fold(root, |id, number| program.parts(id).get(*number as usize).copied())
}

/// Puts a term at a place that exists.
pub fn put(program: &mut Program, root: ExpressionId, place: &[u32], new: ExpressionId) -> ExpressionId {
    let (mut id, mut around) = (root, vec![]);
    for number in place {
        let parts = program.parts(id);
        around.push((id, parts.clone(), *number as usize));
        let Some(part) = parts.get(*number as usize) else { return root };
        id = *part;
    }
    let mut made = new;
    for (id, mut parts, number) in around.into_iter().rev() {
        if let Some(part) = parts.get_mut(number) {
            *part = made;
        }
        made = terms::with_parts(program, id, &parts);
    }
    made
}

/// Returns the text of a derivation: of each step its number, class, rule and place, and the terms before and after.
pub fn text(program: &Program, derivation: &Derivation) -> String {
    let (mut out, mut terms) = (String::new(), print::Expressions::new(program));
    let mut add = |line: &str| {
        out.push_str(line);
        out.push('\n');
    };
    for (number, step) in derivation.steps.iter().enumerate() {
        let mut place = String::new();
        for part in &step.place {
            // Writing to a string cannot fail.
            let _ = write!(place, "{}{part}", if place.is_empty() { "" } else { "." });
        }
        add(&format!(
            "// {}. {} ({}) at {}",
            number + 1,
            step.rule,
            step.class.letter(),
            if place.is_empty() { "the root" } else { &place }
        ));
        add(&indented("//   ", &terms.text(step.before)));
        add("// ~>");
        add(&indented("//   ", &terms.text(step.after)));
    }
    out
}

fn indented(prefix: &str, text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("{prefix}{line}")).collect();
    lines.join("\n")
}
