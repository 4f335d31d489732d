//! Tables of the elements that rows of a sparse matrix have in few places. Of class X.
//!
//! ```text
//! build m (fun i -> build n (fun k -> if i = k then a[k] else if i = n + k then b[k] else 0))
//!   ~>  let t = build n (fun k -> a[k]) in let u = build n (fun k -> b[k]) in
//!       build m (fun i -> build n (fun k -> if i = k then t[k] else if i = n + k then u[k] else 0))
//! ```
//!
//! Here a and b are total, do not depend on i, and are long arithmetic. They are computed as often as before, by loops without branches.
//! The rows that remain are so cheap that they are fused with their uses.

use super::motion;
use super::search::{self, Search};
use crate::rewrite::cost::work;
use crate::rewrite::derivation::Step;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::terms;
use crate::typed::{Build, Expression, ExpressionId, LocalId, Program};

/// Makes tables of all long elements of an array, if they do not depend on the loop around the array.
pub fn tabulated(program: &mut Program, context: &mut Context, search: &mut Search) -> Option<Step> {
    search.visit(program, search::BUILDS, |program, path, array| {
        let Build { size, index, element } = program.as_build(array)?;
        let (outer, _) = path.iter().rev().find_map(|(around, _)| program.as_loop(*around))?;
        let elements = elements(program, outer, element);
        if elements.is_empty() {
            return None;
        }
        motion::tables_around(program, context, (path, &elements), (index, size))
    })
}

/// The long elements behind the branches of a term that use neither an outer index nor what the term binds.
fn elements(program: &Program, outer: LocalId, term: ExpressionId) -> Vec<ExpressionId> {
    let (mut elements, mut others, mut pending): (Vec<ExpressionId>, _, _) = (vec![], vec![outer], vec![term]);
    while let Some(id) = pending.pop() {
        let (lets, inner) = program.lets(id);
        others.extend(lets.into_iter().map(|(local, _)| local));
        let Expression::If { consequent, alternative, .. } = program.expression(inner) else { continue };
        for branch in [consequent, alternative] {
            if !work::is_long_arithmetic(program, branch) || terms::mentions(program, branch, &others) {
                pending.push(branch);
            } else if !elements.iter().any(|known| terms::same(program, *known, branch)) {
                elements.push(branch);
            }
        }
    }
    elements
}
