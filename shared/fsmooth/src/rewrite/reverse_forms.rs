//! Gradients by reverse mode in the place of gradients by forward mode, beside which differentiation has noted them.
//!
//! ```text
//! build |x| (fun k -> D f (seed x k))  ~>  if |x| < 32 then build |x| (fun k -> D f (seed x k)) else ... vjp f x 1.0 ...
//! ```
//!
//! Of class R, since sums of derivatives are in another order; values keep their bits. It is the only rule of this class that is applied by
//! default, after all other rules, to a definition whose cost grows by a power more with forward mode.

use super::derivation::{self, Step};
use super::moves::search::{Looks, Search, Visited};
use super::rules::Class;
use crate::typed::{ExpressionId, Program};

/// The name of the rule.
pub const NAME: &str = "gradient by reverse mode";

/// Puts the noted forms in the places of all gradients of a term, outer ones first; none if it has no gradient with such a form.
pub fn put(program: &mut Program, root: ExpressionId) -> Option<(ExpressionId, Vec<Step>)> {
    let (mut term, mut steps) = (root, vec![]);
    while let Some(step) = next(program, term) {
        term = derivation::put(program, term, &step.place, step.after);
        steps.push(step);
    }
    (!steps.is_empty()).then_some((term, steps))
}

fn next(program: &mut Program, root: ExpressionId) -> Option<Step> {
    let with_form: Visited = (|program, id| program.reverse_forms.contains_key(&id), Looks::AtEach);
    Search::new(root).visit(program, with_form, |program, path, id| {
        let form = *program.reverse_forms.get(&id)?;
        Some(Step::at(path, (NAME, Class::Algebra), id, form))
    })
}
