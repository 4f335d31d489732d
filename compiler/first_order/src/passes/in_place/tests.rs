//! Tests of updates in place: random units, and programs in which versions can and cannot be told apart.

use super::*;
use crate::NOWHERE;
use crate::build::{Building, Code};
use crate::differentiate::remove_levels;
use crate::passes::Passes;
use crate::random::{Dials, compare};
use vlad_table::Operation;

#[test]
fn bits_stay_the_same_without_levels() {
    let dials = Dials { forward: 0, ..Dials::with_replacements() };
    compare(dials, 0..1200, |unit| {
        // Also where vectors are copied again and again.
        let _ = update_in_place(unit);
        true
    });
}

#[test]
fn bits_stay_the_same_after_forward_mode_and_all_passes() {
    let mut lowered = 0;
    compare(Dials { recursion: 0, ..Dials::with_replacements() }, 5000..5600, |unit| {
        Passes::ALL.prepare(unit);
        if remove_levels(unit).is_err() {
            return false;
        }
        Passes::ALL.prepare(unit);
        Passes::ALL.simplify_values(unit);
        let has_stores =
            |unit: &Unit| unit.all_statements().any(|statement| matches!(statement, Statement::Store { .. }));
        let is_done = update_in_place(unit).is_ok();
        lowered += usize::from(is_done && has_stores(unit));
        is_done
    });
    assert!(lowered > 35, "{lowered} units have updates in place");
}

/// A loop that sets each of three elements of an array, given the code of an iteration: of the array and the counter.
fn unit_of(iteration: impl FnOnce(&mut Code<'_>, Operand, Operand) -> Vec<Operand>) -> Unit {
    let mut building = Building::default();
    building.entry(&[Kind::Real], |code| {
        let start = code.build(&[Kind::REALS], Operand::real(3.0), |_, index| End::Yield(vec![index]))[0];
        let last = code.run_loop(&[Kind::REALS], &[start, Operand::real(0.0)], |code, state| {
            let goes_on = code.compare(Comparison::Less, state[1], Operand::real(3.0));
            let next = |code: &mut Code<'_>| {
                let mut next = iteration(code, state[0], state[1]);
                next.push(code.binary(Operation::Add, state[1], Operand::real(1.0)));
                End::Repeat(next)
            };
            code.branch(goes_on, next, |_| End::Yield(vec![state[0]]))
        })[0];
        End::Yield(vec![code.element(last, Operand::real(0.0))])
    });
    building.finish()
}

fn replace(code: &mut Code<'_>, array: Operand, index: Operand, value: Operand) -> Operand {
    let target = code.fresh(Kind::REALS);
    code.push(Statement::Replace { target, array, index, value, node: NOWHERE });
    target.into()
}

/// The numbers of stores and of builds after lowering; none if it is not possible.
fn lowered(mut unit: Unit) -> Option<(usize, usize)> {
    let is_done = update_in_place(&mut unit).is_ok();
    crate::check::check(&unit).unwrap();
    let (mut stores, mut builds) = (0, 0);
    for statement in unit.functions[0].body.all_statements() {
        stores += usize::from(matches!(statement, Statement::Store { .. }));
        builds += usize::from(matches!(statement, Statement::Build { .. }));
    }
    is_done.then_some((stores, builds))
}

#[test]
fn the_newest_version_is_updated_in_place_and_an_older_one_is_not() {
    let swaps = |code: &mut Code<'_>, array: Operand, index: Operand| {
        let zero = Operand::real(0.0);
        let (first, other) = (code.element(array, zero), code.element(array, index));
        let once = replace(code, array, zero, other);
        vec![replace(code, once, index, first)]
    };
    // The array that the loop begins with is its own: it is not copied.
    assert_eq!(lowered(unit_of(swaps)), Some((2, 1)));
    let reads_the_one_before = |code: &mut Code<'_>, array: Operand, index: Operand| {
        let once = replace(code, array, index, Operand::real(7.0));
        let old = code.element(array, index);
        vec![replace(code, once, Operand::real(0.0), old)]
    };
    assert_eq!(lowered(unit_of(reads_the_one_before)), Some((2, 1)));
    let reads_an_old_one = |code: &mut Code<'_>, array: Operand, index: Operand| {
        let once = replace(code, array, index, Operand::real(7.0));
        let twice = replace(code, once, Operand::real(1.0), index);
        let old = code.element(array, index);
        vec![replace(code, twice, Operand::real(0.0), old)]
    };
    assert_eq!(lowered(unit_of(reads_an_old_one)), None);
    let returns_the_old_one = |code: &mut Code<'_>, array: Operand, index: Operand| {
        let once = replace(code, array, index, Operand::real(7.0));
        code.element(once, index);
        vec![array]
    };
    assert_eq!(lowered(unit_of(returns_the_old_one)), None);
}

#[test]
fn an_array_that_is_used_after_the_loop_is_copied_before_it() {
    let mut building = Building::default();
    building.entry(&[Kind::Real; 2], |code| {
        let start = code.build(&[Kind::REALS], Operand::real(3.0), |_, index| End::Yield(vec![index]))[0];
        let last = code.run_loop(&[Kind::REALS], &[start, Operand::real(0.0)], |code, state| {
            let goes_on = code.compare(Comparison::Less, state[1], Operand::real(3.0));
            let next = |code: &mut Code<'_>| {
                let next = replace(code, state[0], state[1], Operand::real(9.0));
                End::Repeat(vec![next, code.binary(Operation::Add, state[1], Operand::real(1.0))])
            };
            code.branch(goes_on, next, |_| End::Yield(vec![state[0]]))
        })[0];
        let zero = Operand::real(0.0);
        End::Yield(vec![code.element(start, zero), code.element(last, zero)])
    });
    assert_eq!(lowered(building.finish()), Some((1, 2)));
}
