//! Gradients by reverse mode in the place of those by forward mode, beside which differentiation has noted them.
//!
//! ```text
//! build |x| (fun k -> D f (seed x k))  ~>  if |x| < 32 then build |x| (fun k -> D f (seed x k)) else ... vjp f x 1.0 ...
//! ```
//!
//! Of class R, since sums of derivatives are in another order; values keep their bits. It is the only rule of this class that is applied by
//! default: where a definition costs a power of the size more by forward mode, after all other rules.

use super::derivation::{self, Step};
use super::rules::Class;
use crate::fsmooth::typed::{ExpressionId, Program};

/// The name of the rule.
pub const NAME: &str = "gradient by reverse mode";

/// Puts the noted forms in the places of all gradients of a term, outer ones first; none if it has no gradient with such a form.
pub fn put(program: &mut Program, root: ExpressionId) -> Option<(ExpressionId, Vec<Step>)> {
    let (mut term, mut steps) = (root, vec![]);
    while let Some((place, before, after)) = next(program, term) {
        term = derivation::put(program, term, &place, after);
        steps.push(Step { rule: NAME, class: Class::Algebra, place, before, after });
    }
    (!steps.is_empty()).then_some((term, steps))
}

/// Returns the place of a gradient with a noted form, the gradient and the form.
fn next(program: &Program, root: ExpressionId) -> Option<(Vec<u32>, ExpressionId, ExpressionId)> {
    if program.reverse_forms.is_empty() {
        return None;
    }
    let (mut place, mut pending, mut parts) = (vec![], vec![(root, 0, 0)], vec![]);
    while let Some((id, depth, number)) = pending.pop() {
        place.truncate(depth);
        if let Some(last) = place.last_mut() {
            *last = number;
        }
        if let Some(form) = program.reverse_forms.get(&id) {
            return Some((place, id, *form));
        }
        place.push(0);
        program.parts(id, &mut parts);
        pending.extend(parts.drain(..).enumerate().rev().map(|(number, part)| (part, depth + 1, number as u32)));
    }
    None
}
