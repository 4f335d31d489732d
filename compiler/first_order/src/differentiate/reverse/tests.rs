//! Reverse mode on random units, against the evaluation that runs it, and against values derived by hand.

use super::super::remove_levels;
use crate::Kind::Real;
use crate::Leaf;
use crate::build::{Building, Code};
use crate::check::check_without_levels;
use crate::evaluate::{Limits, Script, call};
use crate::passes::Passes;
use crate::passes::shape::tidy::tidy;
use crate::random::{Dials, compare};
use crate::text::print::print;
use crate::{AccumulatorAction, Action, End, FunctionId, Operand, Statement, TapeAction, Unit};
use vlad_table::{Comparison, Operation};

/// Random units have the same bits without their levels.
fn agree(dials: Dials) {
    compare(dials, 0..80, |unit| remove_levels(unit).is_ok());
}

/// No forward levels, and no records but those of reverse mode.
const REVERSE: Dials = Dials {
    functions: 3,
    statements: 3,
    operations: 40,
    branches: 12,
    loops: 0,
    calls: 12,
    recursion: 0,
    forward: 0,
    reverse: 12,
    effects: 6,
    records: 0,
    bail_outs: 1,
    index_tests: 0,
    arrays: 0,
    replacements: 0,
    cells: 0,
    moves: 20,
    special: 30,
};

#[test]
fn straight_line_code_keeps_its_bits() {
    agree(Dials { branches: 0, reverse: 20, ..REVERSE });
}

#[test]
fn branches_keep_their_bits() {
    agree(Dials { branches: 25, reverse: 8, ..REVERSE });
}

#[test]
fn loops_keep_their_bits() {
    agree(Dials { loops: 20, branches: 20, ..REVERSE });
}

#[test]
fn recursion_keeps_its_bits() {
    agree(Dials { recursion: 60, calls: 20, reverse: 5, ..REVERSE });
}

#[test]
fn forward_and_reverse_levels_nest() {
    agree(Dials { forward: 12, ..REVERSE });
    agree(Dials { forward: 12, reverse: 8, loops: 8, recursion: 40, ..REVERSE });
}

/// The reverse sweep over a loop or a recursion is differentiated with a tape.
#[test]
fn code_with_records_keeps_its_bits() {
    agree(Dials { records: 12, ..REVERSE });
    agree(Dials { functions: 1, records: 12, loops: 10, branches: 15, recursion: 40, ..REVERSE });
}

/// The units of these dials whose reverse levels have accumulators of arrays, and no tape.
fn with_accumulators(dials: Dials, seeds: std::ops::Range<u64>) -> usize {
    let mut count = 0;
    compare(dials, seeds, |unit| {
        let is_removed = remove_levels(unit).is_ok();
        let (mut stores, mut tapes) = (0, 0);
        for statement in unit.all_statements() {
            match statement {
                Statement::Store { .. } => stores += 1,
                Statement::Act { .. } => tapes += 1,
                _ => {}
            }
        }
        count += usize::from(stores > 0 && tapes == 0);
        is_removed
    });
    count
}

#[test]
fn code_with_arrays_keeps_its_bits() {
    let arrays = Dials { functions: 2, arrays: 40, moves: 0, ..REVERSE };
    let count =
        with_accumulators(arrays, 0..400) + with_accumulators(Dials { loops: 10, forward: 8, ..arrays }, 0..400);
    assert!(count > 15, "{count}");
    with_accumulators(Dials { moves: 20, ..arrays }, 0..400);
}

/// The units of these dials whose reverse levels have accumulators in memory to which cells refer, and no tape.
fn with_references(dials: Dials, seeds: std::ops::Range<u64>, passes: Passes) -> usize {
    let mut count = 0;
    compare(dials, seeds, |unit| {
        passes.prepare(unit);
        let is_removed = remove_levels(unit).is_ok();
        let (mut sums, mut nodes) = (0, 0);
        for statement in unit.all_statements() {
            match statement {
                Statement::Act { action: Action::Accumulator(AccumulatorAction::Sum), .. } => sums += 1,
                Statement::Act { action: Action::Tape(TapeAction::Node), .. } => nodes += 1,
                _ => {}
            }
        }
        count += usize::from(sums > 0 && nodes == 0);
        if is_removed {
            passes.simplify_values(unit);
        }
        is_removed
    });
    count
}

#[test]
fn code_with_cells_keeps_its_bits() {
    // Seldom a level within one: of code with cells that is refused.
    let cells = Dials { cells: 40, reverse: 1, calls: 20, ..REVERSE };
    let count = with_references(cells, 0..200, Passes::NONE)
        + with_references(Dials { loops: 12, branches: 20, ..cells }, 400..600, Passes::NONE)
        + with_references(Dials { recursion: 60, ..cells }, 800..1000, Passes::NONE)
        + with_references(Dials { functions: 1, statements: 5, loops: 12, ..cells }, 1200..1400, Passes::ALL)
        + with_references(Dials { forward: 12, recursion: 40, loops: 8, ..cells }, 1600..2000, Passes::ALL);
    assert!(count > 75, "{count}");
}

/// The units of these dials whose reverse levels record arrays of loops' states.
fn with_recorded_arrays(dials: Dials, seeds: std::ops::Range<u64>, prepare: impl Fn(&mut Unit)) -> usize {
    let mut count = 0;
    compare(dials, seeds, |unit| {
        prepare(unit);
        let is_removed = remove_levels(unit).is_ok();
        let mut records = false;
        for function in &unit.functions {
            for statement in function.body.all_statements() {
                if let Statement::Push { values, .. } = statement {
                    records |= values.iter().any(|value| function.kind(*value).is_array());
                }
            }
        }
        count += usize::from(records);
        is_removed
    });
    count
}

#[test]
fn loops_that_hand_arrays_on_keep_their_bits() {
    let arrays =
        Dials { functions: 2, loops: 16, arrays: 40, reverse: 5, moves: 0, effects: 0, bail_outs: 0, ..REVERSE };
    let count = with_recorded_arrays(arrays, 0..500, |_| {})
        + with_recorded_arrays(Dials { branches: 20, ..arrays }, 500..900, |_| {})
        + with_recorded_arrays(Dials { functions: 1, statements: 4, ..arrays }, 3400..4300, |unit| {
            Passes::ALL.prepare(unit);
        });
    assert!(count > 10, "{count}");
}

/// A function of some reals at a point: its value and its gradient, in the unit as it is and without levels.
fn check_gradient(
    point: &[f64],
    expected: &[f64],
    define: impl FnOnce(&mut Building, FunctionId) -> Box<dyn FnOnce(&mut Code<'_>, &[Operand]) -> End>,
) {
    let mut building = Building::default();
    let kinds = vec![Real; point.len()];
    let function = building.declare("f", &kinds, &[Real]);
    let write = define(&mut building, function);
    building.define(function, write);
    let gradient = building.declare("gradient", &kinds, &vec![Real; point.len() + 1]);
    building
        .define(gradient, |code, x| End::Yield(code.reverse(function, x, &vec![true; x.len()], &[Operand::real(1.0)])));
    let unit = building.finish();
    let mut removed = unit.clone();
    remove_levels(&mut removed).unwrap();
    assert_eq!(check_without_levels(&removed), Ok(()));
    let point: Vec<Leaf> = point.iter().copied().map(Leaf::Real).collect();
    let expected: Vec<Leaf> = expected.iter().copied().map(Leaf::Real).collect();
    for unit in [&unit, &removed] {
        let limits = Limits { depth: 100, statements: 1000 };
        let found = call(unit, gradient, &point, &[], &mut Script::default(), limits).unwrap();
        assert_eq!(found.results, expected);
    }
}

/// `(+ (+ (* 1e16 x) x) x)`: 1, then 2, then 2 + 1e16 (report, 9.2).
#[test]
fn contributions_are_added_in_reverse_order() {
    check_gradient(&[1.0], &[1e16, 1e16 + 2.0], |_, _| {
        Box::new(|code, x| {
            let large = code.binary(Operation::Multiply, Operand::real(1e16), x[0]);
            let sum = code.binary(Operation::Add, large, x[0]);
            End::Yield(vec![code.binary(Operation::Add, sum, x[0])])
        })
    });
}

/// (x + x) + 1e16 x, where an iteration computes x + x from its state: 1e16 first, which two additions of 1 leave as it
/// is. If the state were a node of its own, their sum 2 would be added at once.
#[test]
fn state_that_begins_as_an_outer_variable_shares_its_accumulator() {
    check_gradient(&[1.0], &[1e16 + 2.0, 1e16], |_, _| {
        Box::new(|code, x| {
            let doubled = code.run_loop(&[Real], &[Operand::real(1.0), x[0]], |code, state| {
                let ends = code.compare(Comparison::Equal, state[0], Operand::real(0.0));
                code.branch(
                    ends,
                    |_| End::Yield(vec![state[1]]),
                    |code| {
                        let rest = code.binary(Operation::Subtract, state[0], Operand::real(1.0));
                        End::Repeat(vec![rest, code.binary(Operation::Add, state[1], state[1])])
                    },
                )
            });
            let large = code.binary(Operation::Multiply, Operand::real(1e16), x[0]);
            End::Yield(vec![code.binary(Operation::Add, doubled[0], large)])
        })
    });
}

/// f(n, a, b) = f(n - 1, b, a b) and f(0, a, b) = a + b: f(2, x, x) = x^2 + x^3 has the derivative 2 x + 3 x^2.
#[test]
fn an_argument_given_twice_is_one_node() {
    check_gradient(&[3.0], &[36.0, 33.0], |building, _| {
        let swap = building.declare("swap", &[Real, Real, Real], &[Real]);
        building.define(swap, |code, x| {
            let ends = code.compare(Comparison::Equal, x[0], Operand::real(0.0));
            code.branch(
                ends,
                |code| End::Yield(vec![code.binary(Operation::Add, x[1], x[2])]),
                |code| {
                    let rest = code.binary(Operation::Subtract, x[0], Operand::real(1.0));
                    let product = code.binary(Operation::Multiply, x[1], x[2]);
                    let result = code.call(swap, &[rest, x[2], product])[0];
                    End::Yield(vec![code.binary(Operation::Multiply, Operand::real(1.0), result)])
                },
            )
        });
        Box::new(move |code, x| End::Yield(code.call(swap, &[Operand::real(2.0), x[0], x[0]])))
    });
}

/// t(0, x, h) = x^2; t(n, x, h) = a b + x^2 with a = t(n - 1, h x^2, h) and b = t(n - 1, h a, h).
fn tree(building: &mut Building) -> FunctionId {
    let tree = building.declare("tree", &[Real, Real, Real], &[Real]);
    building.define(tree, |code, x| {
        let square = code.binary(Operation::Multiply, x[1], x[1]);
        let ends = code.compare(Comparison::Equal, x[0], Operand::real(0.0));
        code.branch(
            ends,
            |_| End::Yield(vec![square]),
            |code| {
                let rest = code.binary(Operation::Subtract, x[0], Operand::real(1.0));
                let scaled = code.binary(Operation::Multiply, x[2], square);
                let first = code.call(tree, &[rest, scaled, x[2]])[0];
                let scaled = code.binary(Operation::Multiply, x[2], first);
                let second = code.call(tree, &[rest, scaled, x[2]])[0];
                let product = code.binary(Operation::Multiply, first, second);
                End::Yield(vec![code.binary(Operation::Add, product, square)])
            },
        )
    });
    tree
}

/// t(1, x, 2) = 4 x^4 64 x^8 + x^2, whose derivative is 3072 x^11 + 2 x.
#[test]
fn each_call_on_a_path_has_its_records() {
    check_gradient(&[1.0], &[257.0, 3074.0], |building, _| {
        let tree = tree(building);
        Box::new(move |code, x| End::Yield(code.call(tree, &[Operand::real(1.0), x[0], Operand::real(2.0)])))
    });
}

/// Of the code before the branch the sweep reads x alone, which is pushed before the calls; h is a parameter of the
/// sweep, so it reads nothing of the code between the calls.
#[test]
fn records_are_pushed_before_calls_and_without_constants_of_the_recursion() {
    let mut building = Building::default();
    let tree = tree(&mut building);
    building.entry(&[Real, Real], |code| {
        let (x, h) = (code.read(), code.read());
        let function_of_x = [Operand::real(3.0), x, h];
        End::Yield(code.reverse(tree, &function_of_x, &[false, true, false], &[Operand::real(1.0)]))
    });
    let mut unit = building.finish();
    remove_levels(&mut unit).unwrap();
    tidy(&mut unit);
    let text = print(&unit, None);
    let order = |function: &str| -> Vec<String> {
        let function = text.split("function ").find(|text| text.starts_with(function)).unwrap();
        let lines = function.lines().map(|line| line.trim().to_owned());
        lines.filter(|line| ["push", "pop", "call", "if"].iter().any(|word| line.contains(word))).collect()
    };
    let words = |lines: Vec<String>| -> Vec<String> {
        lines
            .iter()
            .map(|line| line.split(' ').find(|word| ["push", "pop", "call", "if"].contains(word)).unwrap().to_owned())
            .collect()
    };
    assert_eq!(words(order("augmented")), ["push", "if", "push", "call", "call", "push"], "{text}");
    assert_eq!(words(order("sweep")), ["pop", "if", "call", "call", "pop"], "{text}");
}
