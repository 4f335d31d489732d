//! Tests of code for several elements at once.

use super::*;
use crate::build::{Building, Code};
use crate::{Elements, NOWHERE, Scalar, Unit};
use vlad_table::Operation;

/// The numbers of statements that are executed once and for each element, of tests, and of ranges in arrays from outside and others.
type Counted = (usize, usize, usize, (usize, usize));

/// The parts of a build of a function of a vector, a number and a matrix.
fn found(body: impl FnOnce(&mut Code<'_>, [Operand; 3], Operand) -> End) -> Option<Counted> {
    let mut building = Building::default();
    let matrix = Kind::Array(Elements { scalar: Scalar::Real, rank: 2 });
    let function = building.declare("f", &[Kind::REALS, Kind::Real, matrix], &[Kind::REALS]);
    building.define(function, |code, p| {
        let length = code.length(p[0]);
        End::Yield(code.build(&[Kind::Real], length, |code, index| body(code, [p[0], p[1], p[2]], index)))
    });
    let unit: Unit = building.finish();
    let function = &unit.functions[0];
    let mut found = None;
    for statement in function.body.all_statements() {
        if let Statement::Build { index, body, .. } = statement {
            let statements: Vec<&Statement> = body.statements.iter().collect();
            found = Packable::of(function, *index, &statements, &body.end, Counts::Each);
        }
    }
    found.map(|found| {
        let ranges = (found.ranges.len(), found.later_ranges.len());
        (found.once.len(), found.each.len(), found.tested.len(), ranges)
    })
}

/// Leaves the code unless a number is an index, and reads the element there.
fn guarded(code: &mut Code<'_>, array: Operand, index: Operand) -> Operand {
    let target = code.fresh(Kind::Boolean);
    code.push(Statement::IsIndex { target, array, index });
    leave_unless(code, target.into());
    code.element(array, index)
}

fn leave_unless(code: &mut Code<'_>, test: Operand) {
    code.bind(&[], |code| code.branch(test, |_| End::Yield(Vec::new()), |_| End::BailOut(NOWHERE)));
}

/// A number unless it is NaN, and else 0; or leaves the code.
fn unless_nan(code: &mut Code<'_>, value: Operand, other: End) -> End {
    let test = code.compare(Comparison::Equal, value, value);
    code.branch(test, |_| End::Yield(vec![value]), |_| other)
}

#[test]
fn tests_and_reads_that_stay_are_executed_once() {
    let found = found(|code, [v, ..], index| {
        let (first, second) = (code.element(v, index), guarded(code, v, Operand::real(3.0)));
        End::Yield(vec![code.binary(Operation::Multiply, first, second)])
    });
    // The test, the guard and the read; a read and a product.
    assert_eq!(found, Some((3, 2, 0, (0, 0))));
}

#[test]
fn places_at_a_distance_are_ranges() {
    for (operation, first) in [(Operation::Add, false), (Operation::Add, true), (Operation::Subtract, true)] {
        let found = found(|code, [v, number, _], index| {
            let (a, b) = if first { (index, number) } else { (Operand::real(10.0), index) };
            let place = code.binary(operation, a, b);
            End::Yield(vec![guarded(code, v, place)])
        });
        assert_eq!(found, Some((0, 1, 0, (1, 0))), "{operation:?}");
    }
}

#[test]
fn places_are_multiples_of_the_index() {
    // Of k: 1 + 3 k, n - 1 - k, and 10 + k - n; each is tested once.
    let places: [fn(&mut Code<'_>, Operand, Operand) -> Operand; 3] = [
        |code, _, k| {
            let scaled = code.binary(Operation::Multiply, Operand::real(3.0), k);
            code.binary(Operation::Add, Operand::real(1.0), scaled)
        },
        |code, n, k| {
            let last = code.binary(Operation::Subtract, n, Operand::real(1.0));
            code.binary(Operation::Subtract, last, k)
        },
        |code, n, k| {
            let sum = code.binary(Operation::Add, Operand::real(10.0), k);
            code.binary(Operation::Subtract, sum, n)
        },
    ];
    for (place, expected) in places.into_iter().zip([(0, 3, 0, (1, 0)), (2, 3, 0, (1, 0)), (0, 3, 0, (1, 0))]) {
        let found = found(|code, [v, n, _], index| {
            let (one, other) = (place(code, n, index), place(code, n, index));
            let (one, other) = (guarded(code, v, one), guarded(code, v, other));
            End::Yield(vec![code.binary(Operation::Multiply, one, other)])
        });
        assert_eq!(found, Some(expected));
    }
}

#[test]
fn a_row_of_a_matrix_is_read_once() {
    let of = |leaves_after: bool| {
        found(|code, [v, number, m], index| {
            let row = guarded(code, m, number);
            let first = guarded(code, row, index);
            let second = if leaves_after { guarded(code, v, Operand::real(2.0)) } else { number };
            End::Yield(vec![code.binary(Operation::Multiply, first, second)])
        })
    };
    // The test, the guard and the read of the row; the read of an element and a product; the range of the row.
    assert_eq!(of(false), Some((3, 2, 0, (0, 1))));
    // What may fail after the test of a place in the row is not reached for certain.
    assert_eq!(of(true), None);
}

#[test]
fn one_element_is_made_otherwise() {
    let of = |places: [Option<f64>; 2]| {
        found(|code, [v, number, _], index| {
            let read = code.element(v, index);
            let values = places.map(|place| {
                let place = place.map_or(number, Operand::real);
                let test = code.compare(Comparison::Equal, place, index);
                let made =
                    |code: &mut Code<'_>| code.branch(test, |_| End::BailOut(NOWHERE), |_| End::Yield(vec![read]));
                code.bind(&[Kind::Real], made)[0]
            });
            End::Yield(vec![code.binary(Operation::Add, values[0], values[1])])
        })
    };
    // A read, two values that branches yield, and a sum.
    assert_eq!(of([None, None]), Some((0, 4, 0, (0, 0))));
    assert_eq!(of([None, Some(3.0)]), None);
}

#[test]
fn a_place_is_no_number() {
    let of = |factor: f64| {
        found(|code, [v, ..], index| {
            let place = code.binary(Operation::Add, index, Operand::real(factor));
            let element = code.element(v, place);
            End::Yield(vec![code.binary(Operation::Multiply, element, place)])
        })
    };
    assert_eq!(of(1.0), None);
    // And what may be no index is no place.
    assert_eq!(of(0.5), None);
}

#[test]
fn of_a_test_for_nan_the_usual_side_is_taken() {
    let zero = || End::Yield(vec![Operand::real(0.0)]);
    let of = |other: End| {
        found(|code, [v, number, _], index| {
            let element = code.element(v, index);
            let product = code.binary(Operation::Multiply, element, number);
            let result = code.bind(&[Kind::Real], |code| unless_nan(code, product, other));
            let last = guarded(code, v, Operand::real(1.0));
            let sum = code.binary(Operation::Add, result[0], last);
            unless_nan(code, sum, zero())
        })
    };
    assert_eq!(of(zero()), Some((3, 4, 2, (0, 0))));
    // The guard behind the test may not be reached.
    assert_eq!(of(End::BailOut(NOWHERE)), None);
}

#[test]
fn a_test_of_something_else_is_none_for_nan() {
    let found = found(|code, [v, number, _], index| {
        let element = code.element(v, index);
        let test = code.compare(Comparison::Less, element, number);
        code.branch(test, |_| End::Yield(vec![element]), |_| End::Yield(vec![number]))
    });
    assert_eq!(found, None);
}
