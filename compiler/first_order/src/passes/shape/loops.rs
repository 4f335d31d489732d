//! Tail recursion as loops.
//!
//! A call that a function makes of itself in tail position, and whose results it yields as they are, becomes the next
//! iteration of a loop around the function's body: the arguments are moved to the variables of the state as they would be
//! to parameters. Moving a value makes no tape node, so no bit changes at any level of differentiation. Parameters that every call
//! passes unchanged are taken out of the state ([`super::loop_state`]). The pass runs before and after levels are removed.
//!
//! Procedures that call each other last become one function by inlining ([`super::inline`]). It may call itself within a loop that
//! this pass has made before. If the whole function is that loop, such a call is an iteration, too ([`super::iteration`]); else it
//! is moved behind the loop ([`calls_in_loops`]), so that there is a loop around it.

mod calls_in_loops;

use super::iteration::{Iteration, ends_in_call};
use super::loop_state::reduce_state;
use super::tail::merge_binds;
use crate::{End, Function, FunctionId, MOST_DEPTH, Operand, Statement};
use calls_in_loops::move_calls_behind_loops;

/// Makes loops of tail recursion.
pub fn loops(unit: &mut crate::Unit) {
    for (id, function) in unit.numbered_mut() {
        merge_binds(&mut function.body);
        make_loop(id, function);
        function.body.change_statements(&mut |statement| reduce_state(statement));
    }
}

/// Makes a loop of a function that calls itself in tail position.
fn make_loop(id: FunctionId, function: &mut Function) {
    if std::ptr::eq(Iteration::body_of(function), &function.body) {
        let mut body = std::mem::take(&mut function.body);
        move_calls_behind_loops(id, function, &mut body);
        function.body = body;
    }
    let body = Iteration::body_of(function);
    if !body.leaves().any(|leaf| ends_in_call(leaf, id)) || body.depth() >= MOST_DEPTH {
        return;
    }
    let mut iteration = Iteration::take(function);
    let mut body = std::mem::take(&mut iteration.body);
    body.change_leaves(&mut |leaf| {
        if ends_in_call(leaf, id)
            && let Some(Statement::Call { arguments, .. }) = leaf.statements.pop()
        {
            leaf.end = End::Repeat(iteration.next(&arguments));
        }
    });
    let initial = iteration.begin(function);
    let targets = function.fresh_all(&function.results.clone());
    function.body.end = End::Yield(Operand::all(&targets));
    function.body.statements.push(Statement::Loop { targets, state: iteration.state, initial, body });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use crate::build::Building;
    use crate::evaluate::{Limits, Script, call};
    use crate::random::{Dials, compare};
    use crate::text::print::print;
    use vlad_table::{Comparison, Operation};

    #[test]
    fn evaluated_bits_stay_the_same() {
        compare(Dials { recursion: 90, ..Dials::default() }, 0..400, |unit| {
            loops(unit);
            true
        });
    }

    /// Powers by an accumulator: the base is a parameter that every call passes on.
    #[test]
    fn a_tail_call_repeats_and_constant_parameters_stay_outside() {
        let mut building = Building::default();
        let power = building.declare("power", &[Kind::Real; 3], &[Kind::Real]);
        building.define(power, |code, x| {
            let ends = code.compare(Comparison::Less, x[2], Operand::real(1.0));
            let result = code.bind(&[Kind::Real], |code| {
                code.branch(
                    ends,
                    |_| End::Yield(vec![x[1]]),
                    |code| {
                        let product = code.binary(Operation::Multiply, x[0], x[1]);
                        let less = code.binary(Operation::Subtract, x[2], Operand::real(1.0));
                        End::Yield(code.call(power, &[x[0], product, less]))
                    },
                )
            });
            End::Yield(result)
        });
        let mut unit = building.finish();
        loops(&mut unit);
        let expected = "\
function power_0 (r8 r9 r10) real
  r11 = loop r1 := r9, r2 := r10
    b3 = r2 < 1
    if b3
      yield r1
    else
      r4 = * r8 r1
      r5 = - r2 1
      repeat r4 r5
  yield r11
";
        assert_eq!(print(&unit, None), expected);
    }

    /// x is doubled n times. Then, as long as m is at least 1, m is halved, and x is doubled m times, rounded down.
    #[test]
    fn a_call_in_a_loop_that_is_the_function_begins_the_state_anew() {
        let mut building = Building::default();
        let twice = building.declare("twice", &[Kind::Real; 3], &[Kind::Real]);
        building.define(twice, |code, x| {
            let results = code.run_loop(&[Kind::Real], &[x[0], x[1]], |code, state| {
                let ends = code.compare(Comparison::Less, state[1], Operand::real(1.0));
                code.branch(
                    ends,
                    |code| {
                        let ends = code.compare(Comparison::Less, x[2], Operand::real(1.0));
                        code.branch(
                            ends,
                            |_| End::Yield(vec![state[0]]),
                            |code| {
                                let half = code.binary(Operation::Divide, x[2], Operand::real(2.0));
                                End::Yield(code.call(twice, &[state[0], half, half]))
                            },
                        )
                    },
                    |code| {
                        let double = code.binary(Operation::Add, state[0], state[0]);
                        let less = code.binary(Operation::Subtract, state[1], Operand::real(1.0));
                        End::Repeat(vec![double, less])
                    },
                )
            });
            End::Yield(results)
        });
        let mut unit = building.finish();
        loops(&mut unit);
        let text = print(&unit, None);
        assert!(!text.contains("call") && text.matches("repeat").count() == 2, "{text}");
        crate::check::check(&unit).unwrap();
        // 3 + 2 + 1 doublings: for n = 3, m = 2 and m = 1; none for m = 0.5.
        let point = [1.0, 3.0, 4.0].map(crate::Leaf::Real);
        let limits = Limits { depth: 10, statements: 1000 };
        let found = call(&unit, twice, &point, &[], &mut Script::default(), limits).unwrap();
        assert_eq!(found.results, [crate::Leaf::Real(64.0)]);
    }

    /// x is doubled n times; then the same is done with n halved, as long as it is more than 1.
    #[test]
    fn a_call_in_a_loop_that_is_last_becomes_an_iteration_of_a_loop_around_it() {
        let mut building = Building::default();
        let again = building.declare("again", &[Kind::Real; 2], &[Kind::Real]);
        building.define(again, |code, x| {
            let half = code.binary(Operation::Divide, x[1], Operand::real(2.0));
            let results = code.run_loop(&[Kind::Real], &[x[0], x[1]], |code, state| {
                let ends = code.compare(Comparison::Less, state[1], Operand::real(1.0));
                code.branch(
                    ends,
                    |code| {
                        let ends = code.compare(Comparison::Less, x[1], Operand::real(2.0));
                        code.branch(
                            ends,
                            |_| End::Yield(vec![state[0]]),
                            |code| End::Yield(code.call(again, &[state[0], half])),
                        )
                    },
                    |code| {
                        let double = code.binary(Operation::Add, state[0], state[0]);
                        let less = code.binary(Operation::Subtract, state[1], Operand::real(1.0));
                        End::Repeat(vec![double, less])
                    },
                )
            });
            End::Yield(results)
        });
        let mut unit = building.finish();
        loops(&mut unit);
        let text = print(&unit, None);
        assert!(!text.contains("call") && text.matches("= loop").count() == 2, "{text}");
        crate::check::check(&unit).unwrap();
        // 4 + 2 + 1 doublings.
        let point = [1.0, 4.0].map(crate::Leaf::Real);
        let limits = Limits { depth: 10, statements: 1000 };
        let found = call(&unit, again, &point, &[], &mut Script::default(), limits).unwrap();
        assert_eq!(found.results, [crate::Leaf::Real(128.0)]);
    }
}
