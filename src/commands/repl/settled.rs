//! The judgement if compiled code may evaluate an input.
//!
//! Compiled code relies on the program: a definition has the value that evaluating its text in this program gives. In a session
//! that can fail, since a definition keeps its value when others that it was computed by are replaced, and one behind an
//! error has no value. It also has places of its own where computations stand, by the definitions that it leaves out: values with
//! capsules do not pass between it and other code.

use std::ops::Range;
use vlad_shared::core::{Expression, ExpressionId, GlobalId, Item, Program, Reference};
use vlad_shared::table::{Control, Form};
use vlad_shared::values::Value;

/// The most rounds in which references are followed. One is enough where definitions refer to earlier ones.
const MOST_ROUNDS: usize = 32;

/// Returns true if every definition that some items can refer to, directly or through others, has the value that its text has in
/// this program: it refers to earlier definitions alone if it is computed. There are values of the definitions in `globals`. None is
/// settled in a program that may make capsules.
pub fn are_settled(program: &Program, globals: &[Option<Value>], items: Range<usize>) -> bool {
    if makes_capsules(program) {
        return false;
    }
    let references = references(program);
    let Some(latest) = latest(&references) else { return false };
    let mut is_reached = vec![false; program.items.len()];
    let mut pending: Vec<usize> = items.clone().collect();
    while let Some(place) = pending.pop() {
        match is_reached.get_mut(place) {
            Some(reached) if !*reached => *reached = true,
            Some(_) | None => continue,
        }
        if !items.contains(&place) && !is_settled(program, globals, place, &latest) {
            return false;
        }
        pending.extend(references.get(place).into_iter().flatten().copied());
    }
    true
}

fn makes_capsules(program: &Program) -> bool {
    program.expressions.iter().any(|expression| {
        matches!(expression, Expression::Variable(Reference::Primitive(primitive))
            if primitive.row().form == Form::Control(Control::Interrupt))
    })
}

fn is_settled(program: &Program, globals: &[Option<Value>], place: usize, latest: &[usize]) -> bool {
    let Some(Item::Define(GlobalId(global), node)) = program.items.get(place).copied() else { return true };
    let has_value = globals.get(global as usize).is_some_and(Option::is_some);
    let is_computed = program.procedure_at(node).is_none();
    has_value && (!is_computed || latest.get(place).is_some_and(|latest| *latest <= place))
}

/// One more than the number of the latest definition that each item leads to, 0 if it leads to none; none if many
/// procedures refer to later ones.
fn latest(references: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut latest = vec![0; references.len()];
    for _ in 0..MOST_ROUNDS {
        let mut is_changed = false;
        for (place, others) in references.iter().enumerate() {
            let reached = others.iter().map(|other| latest.get(*other).copied().unwrap_or(0).max(other + 1)).max();
            if let (Some(reached), Some(own)) = (reached, latest.get_mut(place))
                && reached > *own
            {
                *own = reached;
                is_changed = true;
            }
        }
        if !is_changed {
            return Some(latest);
        }
    }
    None
}

/// The items that define what each item refers to.
fn references(program: &Program) -> Vec<Vec<usize>> {
    let mut defining = vec![None; program.globals.len()];
    let mut tops: Vec<(ExpressionId, usize)> = Vec::new();
    for (place, item) in program.items.iter().enumerate() {
        tops.push((item.node(), place));
        if let Item::Define(GlobalId(global), _) = *item
            && let Some(definer) = defining.get_mut(global as usize)
        {
            *definer = Some(place);
        }
    }
    // The code of an item is a run of nodes that begins with its top.
    tops.sort_unstable();
    let mut references = vec![Vec::new(); program.items.len()];
    for (node, expression) in (0..).map(ExpressionId).zip(&program.expressions) {
        let Expression::Variable(Reference::Global(GlobalId(global))) = expression else { continue };
        let Some(definer) = defining.get(*global as usize).copied().flatten() else { continue };
        let around = tops.partition_point(|(top, _)| *top <= node).checked_sub(1).and_then(|place| tops.get(place));
        if let Some(others) = around.and_then(|(_, place)| references.get_mut(*place)) {
            others.push(definer);
        }
    }
    references
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_shared::frontend::languages::Languages;
    use vlad_shared::frontend::load::session::Session;
    use vlad_shared::frontend::load::{Input, Options};

    /// Returns the answer for the items behind the first `before`, whose definitions all have values but one.
    fn answer(text: &str, before: usize, without: Option<usize>) -> bool {
        let input = Input::Text { name: "input".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
        let session = Session::new(Options { languages: Languages::default(), ..Options::default() });
        let (mut session, first) = session.with_inputs(&[input]).ok().unwrap();
        let program = session.group(first).ok().unwrap().unwrap().program;
        let mut globals = vec![Some(Value::Nil); program.globals.len()];
        if let Some(Item::Define(global, _)) = without.and_then(|place| program.items.get(place)) {
            globals[global.0 as usize] = None;
        }
        are_settled(&program, &globals, before..program.items.len())
    }

    #[test]
    fn computed_definitions_refer_to_earlier_ones() {
        assert!(answer("(define (f x) (g x)) (define (g x) x) (define v (f 1)) v", 3, None));
        // The value of `v` may come from another `g`.
        assert!(!answer("(define (f x) (g x)) (define v (f 1)) (define (g x) x) v", 3, None));
        assert!(!answer("(define (f x) (g x)) (define v (f 1)) (define (g x) x) (define (h) v) (h)", 4, None));
        // That does not matter to what does not lead to it.
        assert!(answer("(define (f x) (g x)) (define v (f 1)) (define (g x) x) (f 2)", 3, None));
        assert!(!answer("(define v (+ v 1)) v", 1, None));
    }

    #[test]
    fn nothing_is_settled_beside_capsules() {
        assert!(!answer("(define z (interrupt (lambda (x) (* x x)) 3 4)) (+ 1 2)", 1, None));
        assert!(!answer("(define (f g) (g)) (f (lambda () interrupt))", 1, None));
    }

    #[test]
    fn definitions_without_a_value_are_not_settled() {
        let text = "(define v (car 1)) (define w 2) (+ v w)";
        assert!(!answer(text, 2, Some(0)));
        assert!(answer(text, 2, None));
        assert!(answer("(define v (car 1)) (define w 2) w", 2, Some(0)));
    }
}
