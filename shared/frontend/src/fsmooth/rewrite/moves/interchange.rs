//! Interchange of loops: an array of iterations as an iteration over arrays.
//!
//! ```text
//! build n (fun j -> ifold (fun s i -> f[s]) z m)  ~>  ifold (fun w i -> build n (fun j -> f[w[j]])) (build n (fun j -> z)) m
//! ```
//!
//! where m does not depend on j. Of class X: each element is computed by the same steps. The elements of one row of a
//! matrix lie side by side, so a loop whose innermost index counts columns is several times as fast as one that counts
//! rows, for large matrices. The rule is applied if the cost model says that it pays; all of the term has to be total, since
//! errors would come in another order.

use super::search::{Move, Search};
use crate::fsmooth::rewrite::cost::Costs;
use crate::fsmooth::rewrite::facts::totality::Context;
use crate::fsmooth::rewrite::rules::Class;
use crate::fsmooth::rewrite::terms;
use crate::fsmooth::typed::{Expression, ExpressionId, Program, Type, Types};
use rustc_hash::FxHashMap;

/// Interchanges two loops, if there are two for which it pays.
pub fn interchanged(program: &mut Program, context: &mut Context, costs: &Costs, search: &mut Search) -> Option<Move> {
    search.visit(program, |program, path, before| {
        let after = iteration(program, before)?;
        if costs.of(program, after) >= costs.of(program, before) || !context.is_total(program, before) {
            return None;
        }
        Some(Move::at(path, ("interchange of loops", Class::Exact), before, after))
    })
}

/// Returns the iteration over arrays that makes what an array of iterations makes.
fn iteration(program: &mut Program, id: ExpressionId) -> Option<ExpressionId> {
    let Expression::Build { size, function } = program.expression(id) else { return None };
    let Expression::Lambda { parameter: column, body } = program.expression(function) else { return None };
    let Expression::Ifold { function: step, start, count } = program.expression(body) else { return None };
    let Expression::Lambda { parameter: state, body: inner } = program.expression(step) else { return None };
    let Expression::Lambda { parameter: index, body: value } = program.expression(inner) else { return None };
    let element = program.type_of(body);
    let is_number = matches!(program.types.get(element), Type::Double | Type::Index);
    if !is_number || terms::mentions(program, count, &[column]) {
        return None;
    }
    let (array, span) = (program.type_of(id), program.span(id));
    let described = program.local(state).clone();
    let states = program.add_local(described.name, array, described.span);
    let turn = {
        let own = program.add_local_like(column);
        let used = terms::local(program, own, value);
        let value = program.copy(value, &FxHashMap::from_iter([(column, used)]));
        let value = terms::replace(program, value, |program, id| {
            if program.expression(id) != Expression::Local(state) {
                return None;
            }
            let (array, index) = (terms::local(program, states, id), terms::local(program, own, id));
            Some(program.add(Expression::Get { array, index }, element, program.span(id)))
        });
        let size = program.copy(size, &FxHashMap::default());
        terms::array(program, size, (own, value), id)
    };
    let starts = {
        let own = program.add_local_like(column);
        let used = terms::local(program, own, start);
        let start = program.copy(start, &FxHashMap::from_iter([(column, used)]));
        let size = program.copy(size, &FxHashMap::default());
        terms::array(program, size, (own, start), id)
    };
    let inner_type = program.types.function(Types::INDEX, array);
    let step_type = program.types.function(array, inner_type);
    let inner = program.add(Expression::Lambda { parameter: index, body: turn }, inner_type, span);
    let step = program.add(Expression::Lambda { parameter: states, body: inner }, step_type, span);
    let count = program.copy(count, &FxHashMap::default());
    Some(program.add(Expression::Ifold { function: step, start: starts, count }, array, span))
}
