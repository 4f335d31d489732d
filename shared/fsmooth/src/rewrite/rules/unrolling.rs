//! Unrolling of short loops, and scalar replacement of short arrays. All rules keep every bit (class X, [`super::Class::Exact`]):
//! the same is evaluated in the same order.
//!
//! ```text
//! build 2 (fun i -> f[i])                ~>  [| f[0]; f[1] |]
//! ifold (fun s i -> f[s, i]) z 2         ~>  let s = z in let s = f[s, 0] in f[s, 1]
//! let x = [| a; b |] in c[x[0], x[1]]    ~>  let x = a in let x' = b in c[x, x']
//! ```
//!
//! So the coordinates of a point become variables, and rules for numbers apply to each of them.
//!
//! The normal form ([`crate::rewrite::normal`]) calls [`rewritten`] at each expression. Its parts are in normal form, and the
//! context has the facts that hold there.

use super::Named;
use crate::rewrite::facts::linear::{self, Linear};
use crate::rewrite::facts::totality::Context;
use crate::rewrite::terms;
use crate::typed::{Elements, Expression, ExpressionId, LocalId, Program};

/// The most turns of a loop that is written out, and the most elements of an array that is taken apart.
const MOST_TURNS: usize = 4;

/// The size of the largest loop that is written out, in all of its turns.
const LARGEST: usize = 600;

/// Returns the name of the rule and the term that replaces an expression, if one applies.
pub fn rewritten(program: &mut Program, context: &mut Context, id: ExpressionId) -> Option<Named> {
    let expression = program.expression(id);
    if let Expression::Build { size, function } = expression {
        let turns = turns(program, context, size, function)?;
        let elements = elements(program, function, turns)?;
        let elements = program.add_elements(elements);
        let type_id = program.type_of(id);
        return Some(("array of few elements", program.like(id).add(Expression::Array(elements), type_id)));
    }
    if let Expression::Ifold { function, start, count } = expression {
        let turns = turns(program, context, count, function)?;
        return Some(("iteration of few turns", steps(program, (function, start), turns)));
    }
    let Expression::Let { local, value, body } = expression else { return None };
    let Expression::Array(elements) = program.expression(value) else { return None };
    let apart = apart(program, id, (local, elements), body)?;
    Some(("array of known places", apart))
}

/// Returns the number of turns of a loop, if there are few, and the turns are small enough to be written out.
fn turns(program: &mut Program, context: &mut Context, count: ExpressionId, function: ExpressionId) -> Option<usize> {
    let Linear { constant, terms } = Linear::of(program, &context.facts, count)?;
    let turns = usize::try_from(constant).ok().filter(|turns| terms.is_empty() && (1..=MOST_TURNS).contains(turns))?;
    let is_small = terms::size(program, function, LARGEST) * turns < LARGEST;
    (is_small && context.is_total(program, count)).then_some(turns)
}

fn elements(program: &mut Program, function: ExpressionId, turns: usize) -> Option<Vec<ExpressionId>> {
    let Expression::Lambda { parameter, body } = program.expression(function) else { return None };
    let element = |turn| {
        let index = program.like(body).index(turn as f64);
        program.copy_replacing(body, parameter, index)
    };
    Some((0..turns).map(element).collect())
}

fn steps(program: &mut Program, (function, start): (ExpressionId, ExpressionId), turns: usize) -> ExpressionId {
    (0..turns).fold(start, |state, turn| {
        let step = program.copy(function);
        let mut build = program.like(start);
        let (step, index) = (build.apply(step, state), build.index(turn as f64));
        build.apply(step, index)
    })
}

/// Binds each element of an array to a variable, if the array is used for nothing but its length and elements at known places.
fn apart(
    program: &mut Program,
    id: ExpressionId,
    (local, elements): (LocalId, Elements),
    body: ExpressionId,
) -> Option<ExpressionId> {
    let values = program.elements(elements).to_vec();
    if values.len() > MOST_TURNS {
        return None;
    }
    let place = |program: &Program, id: ExpressionId| {
        let Expression::Get { array, index } = program.expression(id) else { return None };
        let place = usize::try_from(linear::whole(program.expression(index))?).ok()?;
        (program.is_local(array, local) && place < values.len()).then_some(place)
    };
    let mut is_apart = true;
    program.walk(body, |found, _| {
        let is_measured =
            matches!(program.expression(found), Expression::Length(array) if program.is_local(array, local));
        is_apart &= !program.is_local(found, local);
        is_apart && !is_measured && place(program, found).is_none()
    });
    if !is_apart || terms::uses(program, body, local).count == 0 {
        return None;
    }
    let name = program.local(local).name.clone();
    let locals: Vec<LocalId> = values.iter().map(|value| terms::fresh(program, &name, *value)).collect();
    let made = terms::replace(program, body, |program, found| {
        if let Expression::Length(array) = program.expression(found)
            && program.is_local(array, local)
        {
            return Some(program.like(found).index(values.len() as f64));
        }
        let place = place(program, found)?;
        locals.get(place).map(|local| terms::local(program, *local, found))
    });
    Some(program.like(id).bind(locals.into_iter().zip(values), made))
}
