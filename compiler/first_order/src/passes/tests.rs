//! The passes for code without levels, on random code that is full of guarded products, zeros, infinities and NaN.

use super::Passes;
use super::bounds::lengths;
use super::guards::{proven, speculative, zero_signs};
use super::shape::inline;
use super::sharing::common;
use crate::build::{Building, Code};
use crate::check::check;
use crate::differentiate::remove_levels;
use crate::evaluate::{Limits, Script, evaluate};
use crate::random::{Dials, compare};
use crate::text::print::print;
use crate::{End, Kind::Real, Operand, Unit};
use fastrand::Rng;
use vlad_table::operations::OPERATIONS;
use vlad_table::{Arity, Comparison, Operation};

const SPECIAL: [f64; 10] = [0.0, -0.0, 1.0, -1.0, 2.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-310, -0.5];

fn operand(rng: &mut Rng, pool: &[Operand]) -> Operand {
    match rng.u8(0..8) {
        0 => Operand::real(SPECIAL[rng.usize(0..SPECIAL.len())]),
        1..4 => pool[rng.usize(0..pool.len())],
        _ => pool[rng.usize(pool.len() / 2..pool.len())],
    }
}

fn statements(rng: &mut Rng, code: &mut Code<'_>, pool: &mut Vec<Operand>, depth: u32) {
    for _ in 0..rng.usize(2..9) {
        let (first, second) = (operand(rng, pool), operand(rng, pool));
        let value = match rng.u8(0..20) {
            0..8 => code.binary(Operation::GuardedMultiply, first, second),
            8..10 => code.positive_zero(first),
            10..13 => code.binary([Operation::Add, Operation::Subtract][rng.usize(0..2)], first, second),
            13..18 => {
                let operation = OPERATIONS[rng.usize(0..OPERATIONS.len())].operation;
                match operation.arity() {
                    Arity::One => code.unary(operation, first),
                    Arity::Two => code.binary(operation, first, second),
                }
            }
            18 if depth > 0 => {
                let test = code.compare(Comparison::Less, first, second);
                let inner = |rng: &mut Rng, code: &mut Code<'_>| {
                    let mut pool = pool.clone();
                    statements(rng, code, &mut pool, depth - 1);
                    code.push(crate::Statement::Count { steps: 1 });
                    End::Yield(vec![operand(rng, &pool)])
                };
                let (mut left, mut right) = (rng.fork(), rng.fork());
                code.bind(&[Real], |code| {
                    let consequent = Box::new(code.block(|code| inner(&mut left, code)));
                    let alternative = Box::new(code.block(|code| inner(&mut right, code)));
                    End::Branch { test, consequent, alternative }
                })[0]
            }
            19 if depth > 0 => {
                // Two or three iterations; the state is a sum or whatever the body computes.
                let initial = [Operand::real(f64::from(rng.u8(1..3))), first, second];
                code.run_loop(&[Real], &initial, |code, state| {
                    let mut inner = pool.clone();
                    inner.extend(&state[1..]);
                    statements(rng, code, &mut inner, depth - 1);
                    let ends = code.compare(Comparison::Equal, state[0], Operand::real(0.0));
                    let results = [operand(rng, &inner), operand(rng, &inner), operand(rng, &inner)];
                    code.branch(
                        ends,
                        |_| End::Yield(vec![results[0]]),
                        |code| {
                            let rest = code.binary(Operation::Subtract, state[0], Operand::real(1.0));
                            End::Repeat(vec![rest, results[1], results[2]])
                        },
                    )
                })[0]
            }
            _ => code.binary(Operation::Multiply, first, second),
        };
        pool.push(value);
    }
}

/// Compares random code before and after a pass.
fn check_pass(pass: impl Fn(&mut Unit)) {
    for seed in 0..4000 {
        let mut rng = Rng::with_seed(seed);
        let mut building = Building::default();
        building.entry(&[Real, Real], |code| {
            let mut pool = vec![code.read(), code.read(), code.read()];
            statements(&mut rng, code, &mut pool, 2);
            End::Yield(vec![operand(&mut rng, &pool), code.positive_zero(pool[pool.len() - 1])])
        });
        let before = building.finish();
        let mut after = before.clone();
        pass(&mut after);
        check(&after).unwrap_or_else(|message| panic!("seed {seed}: {message}\n{}", print(&after, None)));
        for _ in 0..12 {
            let input: Vec<f64> = (0..3).map(|_| SPECIAL[rng.usize(0..SPECIAL.len())]).collect();
            let run = |unit: &Unit| {
                let mut script = Script { input: input.clone(), output: Vec::new() };
                evaluate(unit, &[], &mut script, Limits { depth: 100, statements: 10_000 })
            };
            let (expected, found) = (run(&before), run(&after));
            let texts = || format!("{}\n{}", print(&before, None), print(&after, None));
            assert_eq!(expected, found, "seed {seed}, inputs {input:?}\n{}", texts());
        }
    }
}

#[test]
fn common_subexpressions_keep_bits() {
    check_pass(common::share_common);
}

#[test]
fn leaving_out_zero_signs_keeps_bits() {
    check_pass(zero_signs::leave_out_zero_signs);
}

#[test]
fn leaving_out_guards_keeps_bits() {
    check_pass(proven::leave_out_guards);
}

#[test]
fn guards_by_region_keep_bits() {
    check_pass(speculative::guard_by_region);
}

#[test]
fn all_passes_together_keep_bits() {
    check_pass(|unit| Passes::ALL.simplify_values(unit));
}

#[test]
fn all_passes_together_keep_the_bits_of_random_units() {
    let dials = Dials { reverse: 0, forward: 15, special: 40, ..Dials::default() };
    compare(dials, 0..250, |unit| {
        Passes::ALL.prepare(unit);
        let is_removed = remove_levels(unit).is_ok();
        if is_removed {
            inline::inline(unit);
            Passes::ALL.simplify_values(unit);
        }
        is_removed
    });
}

#[test]
fn random_units_with_arrays_keep_their_bits_through_all_passes() {
    compare(Dials::with_arrays(), 0..600, |unit| {
        Passes::ALL.prepare(unit);
        if remove_levels(unit).is_err() {
            return false;
        }
        Passes::ALL.prepare(unit);
        Passes::ALL.simplify_values(unit);
        true
    });
}

#[test]
fn deciding_tests_of_lengths_keeps_bits() {
    check_pass(lengths::decide_tests_of_lengths);
    let dials = Dials { forward: 0, reverse: 0, ..Dials::with_arrays() };
    compare(dials, 0..600, |unit| {
        lengths::decide_tests_of_lengths(unit);
        true
    });
}

#[test]
fn random_units_with_arrays_keep_their_bits_without_their_levels() {
    let dials = Dials { functions: 2, forward: 12, reverse: 3, recursion: 20, ..Dials::with_arrays() };
    compare(dials, 600..1400, |unit| remove_levels(unit).is_ok());
}

#[test]
fn random_units_with_cells_keep_their_bits_through_all_passes() {
    compare(Dials { reverse: 1, ..Dials::with_cells() }, 0..400, |unit| {
        Passes::ALL.prepare(unit);
        if remove_levels(unit).is_err() {
            return false;
        }
        Passes::ALL.prepare(unit);
        Passes::ALL.simplify_values(unit);
        true
    });
}

#[test]
fn random_units_with_cells_keep_their_bits_without_their_levels() {
    compare(Dials { forward: 20, reverse: 0, ..Dials::with_cells() }, 400..800, |unit| remove_levels(unit).is_ok());
}

#[test]
fn random_units_of_loops_in_loops_with_arrays_keep_their_bits() {
    let dials = Dials {
        functions: 2,
        statements: 6,
        loops: 30,
        branches: 6,
        recursion: 0,
        forward: 2,
        effects: 0,
        bail_outs: 0,
        special: 0,
        ..Dials::with_arrays()
    };
    compare(dials, 2000..2600, |unit| {
        Passes::ALL.prepare(unit);
        remove_levels(unit).is_ok()
    });
}
