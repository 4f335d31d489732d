//! Tests of the release of memory.

use super::super::lower;
use super::*;
use crate::build::Building;
use crate::check::check_without_levels;
use crate::differentiate::remove_levels;
use crate::evaluate::{Evaluated, Limits, Script, call};
use crate::passes::Passes;
use crate::random::{Dials, compare};
use crate::{Leaf, Stack};
use vlad_table::{Comparison, Operation};

/// Lowers a unit to storage code, in which released arrays cannot be read.
fn make(unit: &mut Unit) {
    *unit = lower(unit, Execution::Machine, Passes::ALL);
    assert_eq!(check_without_levels(unit), Ok(()));
}

#[test]
fn random_units_with_arrays_read_nothing_that_is_released() {
    let dials = Dials { loops: 20, forward: 0, reverse: 0, ..Dials::with_arrays() };
    compare(dials, 6000..9000, |unit| {
        make(unit);
        true
    });
}

#[test]
fn random_units_with_records_of_arrays_read_nothing_that_is_released() {
    let dials = Dials { functions: 2, loops: 20, reverse: 12, recursion: 0, ..Dials::with_arrays() };
    compare(dials, 0..900, |unit| {
        Passes::ALL.prepare(unit);
        let can = remove_levels(unit).is_ok();
        if can {
            make(unit);
        }
        can
    });
}

#[test]
fn random_units_with_cells_read_nothing_that_is_released() {
    let dials = Dials { loops: 20, forward: 0, reverse: 0, ..Dials::with_cells() };
    compare(dials, 0..1500, |unit| {
        make(unit);
        true
    });
}

/// A function that makes an array, and with it begins a loop, whose iterations make another one; the second one may record it.
fn with_loop(records: bool) -> Unit {
    let mut building = Building::default();
    let function = building.declare("f", &[Kind::Real], &[Kind::Real, Kind::Real]);
    building.define(function, move |code, p| {
        let (zero, one) = (Operand::real(0.0), Operand::real(1.0));
        let first = code.build(&[Kind::REALS], Operand::real(2.0), |_, index| End::Yield(vec![index]));
        let last = code.run_loop(&[Kind::REALS], &[first[0], zero], move |code, state| {
            let goes_on = code.compare(Comparison::Less, state[1], p[0]);
            code.branch(
                goes_on,
                |code| {
                    let next = code.build(&[Kind::REALS], Operand::real(2.0), |code, index| {
                        let element = code.element(state[0], index);
                        End::Yield(vec![code.binary(Operation::Add, element, one)])
                    });
                    let is_second = code.compare(Comparison::Equal, state[1], one);
                    let seen = code.bind(&[Kind::Real], |code| {
                        code.branch(
                            is_second,
                            |code| {
                                if records {
                                    code.push(Statement::Push { stack: Stack::Sweeps, values: vec![next[0]] });
                                }
                                End::Yield(vec![one])
                            },
                            |_| End::Yield(vec![zero]),
                        )
                    });
                    code.unary(Operation::Negate, seen[0]);
                    let more = code.binary(Operation::Add, state[1], one);
                    End::Repeat(vec![next[0], more])
                },
                |_| End::Yield(vec![state[0]]),
            )
        });
        let recorded = if records { code.pop(&[Kind::REALS])[0] } else { last[0] };
        let results = [last[0], recorded].map(|array| code.element(array, one));
        End::Yield(results.to_vec())
    });
    building.finish()
}

fn results(unit: &Unit) -> Vec<Leaf> {
    let (mut script, limits) =
        (Script { input: Vec::new(), output: Vec::new() }, Limits { depth: 100, statements: 10_000 });
    let evaluated = call(unit, FunctionId(0), &[Leaf::Real(4.0)], &[], &mut script, limits);
    let Ok(Evaluated { results, .. }) = evaluated else { unreachable!("{evaluated:?}") };
    results
}

/// The state of the loop of a function, the number of marks before its first allocation, and that of results of its bind.
fn shape(unit: &Unit) -> (usize, usize, usize) {
    let body = &unit.functions[0].body;
    let is_mark = |statement: &&Statement| matches!(statement, Statement::Storage(Storage::Mark { .. }));
    let is_allocation = |statement: &&Statement| matches!(statement, Statement::Storage(Storage::Allocate { .. }));
    let marks = body.statements.iter().take_while(|statement| !is_allocation(statement)).filter(is_mark).count();
    let (mut state, mut results) = (0, 0);
    for statement in body.all_statements() {
        match statement {
            Statement::Loop { state: found, .. } => state = found.len(),
            Statement::Bind { targets, .. } => results = targets.len(),
            _ => {}
        }
    }
    (state, marks, results)
}

#[test]
fn a_loop_releases_the_array_with_which_it_begins() {
    let mut unit = with_loop(false);
    make(&mut unit);
    // The marks of the function and of the loop; the state has a limit. Nobody reads the result of the bind.
    assert_eq!(shape(&unit), (3, 2, 0));
    assert_eq!(results(&unit), [Leaf::Real(5.0), Leaf::Real(5.0)]);
}

#[test]
fn arrays_that_an_iteration_records_stay() {
    let mut unit = with_loop(true);
    make(&mut unit);
    // The state has a limit and a mark, which moves in the bind.
    assert_eq!(shape(&unit), (4, 1, 1));
    assert_eq!(results(&unit), [Leaf::Real(5.0), Leaf::Real(3.0)]);
}
