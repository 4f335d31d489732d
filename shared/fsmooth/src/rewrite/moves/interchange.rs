//! Loop interchange: an array of iterations as an iteration over arrays. Of class X: each element is computed by the same steps.
//!
//! ```text
//! build n (fun j -> ifold (fun s i -> f[s]) z m)  ~>  ifold (fun w i -> build n (fun j -> f[w[j]])) (build n (fun j -> z)) m
//! ```
//!
//! The count m does not depend on j. Rows of a matrix are contiguous, so a loop whose innermost index counts columns is several times as
//! fast for large matrices; the cost model charges a stride. The whole term has to be total, since errors would come in another order.

use super::search::{self, Search};
use crate::rewrite::derivation::Step;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::rules::Class;
use crate::rewrite::terms;
use crate::typed::{Build, ExpressionId, Ifold, Program, Type};

/// Interchanges two loops, if there are two for which it pays.
pub fn interchanged(program: &mut Program, context: &mut Context, search: &mut Search) -> Option<Step> {
    search.visit(program, search::MOVABLE, |program, path, before| {
        let after = iteration(program, before)?;
        if !context.is_total(program, before) {
            return None;
        }
        Some(Step::at(path, ("interchange of loops", Class::Exact), before, after))
    })
}

/// Returns the iteration over arrays that makes what an array of iterations makes.
fn iteration(program: &mut Program, id: ExpressionId) -> Option<ExpressionId> {
    let Build { size, index: column, element } = program.as_build(id)?;
    let Ifold { state, index, turn, start, count } = program.as_ifold(element)?;
    let is_number = matches!(program.types.get(program.type_of(element)), Type::Double | Type::Index);
    if !is_number || terms::mentions(program, count, &[column]) {
        return None;
    }
    let described = program.local(state).clone();
    let states = program.add_local(described.name, program.type_of(id), described.span);
    let Build { size: own_size, index: own, element } = terms::tabulated(program, turn, column, size);
    let element = terms::replace(program, element, |program, id| {
        program.is_local(id, state).then(|| {
            let (array, index) = (terms::local(program, states, id), terms::local(program, own, id));
            program.like(id).get(array, index)
        })
    });
    let turn = program.like(id).build(Build { size: own_size, index: own, element });
    let starts = terms::tabulated(program, start, column, size);
    let start = program.like(id).build(starts);
    let count = program.copy(count);
    Some(program.like(id).ifold(Ifold { state: states, index, turn, start, count }))
}
