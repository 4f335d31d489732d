//! Every operation of the table: value, first derivatives, all nestings of the two modes to depth 2, and depth 3 at two
//! points.

use crate::batch::{Batch, Expected};
use crate::expression::{Expression, tuple};
use crate::modes::{Mode, definitions};
use crate::reference::{Reference, agrees, is_close};
use rstest::rstest;
use vlad_conformance::operations::{partial, points};
use vlad_derivatives::extended::arithmetic::to_double;
use vlad_shared::table::operations::{InC, OPERATIONS};
use vlad_shared::table::{Arity, Operation};

/// The relative errors allowed in derivatives of first, second, third order: some units in the last place for each
/// operation in the formula.
pub const TOLERANCES: [f64; 3] = [1e-14, 4e-14, 2e-13];

/// The number of points that are also checked at depth 3.
const DEEP_POINTS: usize = 2;

/// All sequences of `length` items.
pub fn sequences<T: Clone>(items: &[T], length: usize) -> Vec<Vec<T>> {
    (0..length).fold(vec![Vec::new()], |shorter, _| {
        let extend = |sequence: &Vec<T>| {
            let longer = |item: &T| sequence.iter().cloned().chain([item.clone()]).collect::<Vec<T>>();
            items.iter().map(longer).collect::<Vec<_>>()
        };
        shorter.iter().flat_map(extend).collect()
    })
}

/// Adds the derivatives of a procedure at a point in all nestings of the two operators to a depth of `order`.
fn expect_nestings(batch: &mut Batch, reference: &mut Reference, expression: &Expression, point: &[f64], order: usize) {
    let nestings = sequences(&Mode::OPERATORS, order);
    expect_derivatives(batch, reference, expression, point, &nestings);
}

/// Adds the derivatives of a procedure at a point, in nestings of one depth.
pub fn expect_derivatives(
    batch: &mut Batch,
    reference: &mut Reference,
    expression: &Expression,
    point: &[f64],
    nestings: &[Vec<Mode>],
) {
    let Some(order) = nestings.first().map(Vec::len) else { return };
    let arity = point.len();
    let coordinates: Vec<usize> = (0..arity).collect();
    let procedure = expression.procedure(arity);
    for along in sequences(&coordinates, order) {
        let estimate = expression.derivative(reference, point, &along);
        for modes in nestings {
            let text = modes.iter().zip(&along).fold(procedure.clone(), |inner, (mode, coordinate)| match arity {
                1 => format!("({} {inner})", mode.name()),
                _ => format!("({}{} {inner})", mode.name(), coordinate + 1),
            });
            let text = format!("({text} {})", tuple(point));
            batch.expect("derivative", &text, Expected::Derivative(estimate.clone(), TOLERANCES[order - 1]));
        }
    }
}

pub fn variables(operation: Operation) -> Vec<Expression> {
    match operation.arity() {
        Arity::One => vec![Expression::Variable(0)],
        Arity::Two => vec![Expression::Variable(0), Expression::Variable(1)],
    }
}

/// Applications of an operation, and a point for each. An operand by which it has no derivative is a constant in them.
pub fn applications(operation: Operation) -> Vec<(Expression, Vec<f64>)> {
    let application = |point: &&[f64]| {
        let mut varied = Vec::new();
        let operand = |(place, x): (usize, &f64)| match operation.varies_with(place) {
            true => {
                varied.push(*x);
                Expression::Variable(varied.len() - 1)
            }
            false => Expression::Constant(*x),
        };
        let operands = point.iter().enumerate().map(operand).collect();
        (Expression::Apply(operation, operands), varied)
    };
    points(operation).iter().map(application).collect()
}

#[test]
fn every_row_has_points() {
    for row in &OPERATIONS {
        let points = points(row.operation);
        assert!(points.len() >= 5, "{} has points", row.name);
        assert!(points.iter().all(|point| point.len() == row.coefficients.len()), "points of {}", row.name);
    }
}

#[test]
fn the_references_agree_with_each_other() {
    let mut reference = Reference::new().unwrap();
    for row in &OPERATIONS {
        let expression = Expression::Apply(row.operation, variables(row.operation));
        for point in points(row.operation) {
            let operands: Vec<_> = point.iter().map(|x| Reference::number(*x)).collect();
            for operand in (0..point.len()).filter(|operand| row.operation.varies_with(*operand)) {
                let difference = expression.derivative(&mut reference, point, &[operand]);
                let textbook = partial(&mut reference, row.operation, operand, &operands);
                assert!(is_close(&difference.value, &textbook, 70), "{} at {point:?} by {operand}", row.name);
            }
        }
    }
}

#[rstest]
fn derivatives_of_a_row(#[values(1, 2, 3)] order: usize) {
    let mut reference = Reference::new().unwrap();
    let mut batch = Batch::new(&definitions(&Mode::OPERATORS));
    for row in &OPERATIONS {
        let applications = applications(row.operation);
        let taken = if order == 3 { DEEP_POINTS } else { applications.len() };
        for (expression, point) in applications.iter().take(taken) {
            expect_nestings(&mut batch, &mut reference, expression, point, order);
        }
    }
    batch.check();
}

/// Checks operations with one constant operand, which take other paths through the engines than those with two active
/// operands, and operations whose operands are one number.
#[rstest]
fn derivatives_with_constant_and_equal_operands(#[values(1, 2)] order: usize) {
    let mut reference = Reference::new().unwrap();
    let mut batch = Batch::new(&definitions(&Mode::OPERATORS));
    for row in &OPERATIONS {
        if row.operation.arity() == Arity::One || !row.operation.varies_with(0) {
            continue;
        }
        for point in points(row.operation) {
            let variable = Expression::Variable(0);
            let (first, second) = (Expression::Constant(point[0]), Expression::Constant(point[1]));
            let by_first = Expression::Apply(row.operation, vec![variable.clone(), second]);
            expect_nestings(&mut batch, &mut reference, &by_first, &point[..1], order);
            let by_second = Expression::Apply(row.operation, vec![first, variable.clone()]);
            expect_nestings(&mut batch, &mut reference, &by_second, &point[1..], order);
        }
        // The hypotenuse of equal sides is linear: its second derivative is 0 as a difference of equal terms.
        let is_cancelled = row.operation == Operation::Hypotenuse && order > 1;
        if row.operation != Operation::Modulo && !is_cancelled {
            let equal = Expression::Apply(row.operation, vec![Expression::Variable(0), Expression::Variable(0)]);
            expect_nestings(&mut batch, &mut reference, &equal, &[0.75], order);
        }
    }
    batch.check();
}

/// A power of a negative number is smooth in its base if the exponent is a whole number.
#[rstest]
fn derivatives_of_powers_of_negative_numbers(#[values(1, 2)] order: usize) {
    let mut reference = Reference::new().unwrap();
    let mut batch = Batch::new(&definitions(&Mode::OPERATORS));
    for (base, exponent) in [(-2.0, 3.0), (-1.5, 4.0), (-0.75, -2.0), (-3.25, 5.0), (-2.5, -3.0)] {
        let power = Expression::Apply(Operation::Power, vec![Expression::Variable(0), Expression::Constant(exponent)]);
        expect_nestings(&mut batch, &mut reference, &power, &[base], order);
    }
    batch.check();
}

/// Checks that the first half of the results of `j*` and `*j` is the value itself, to the bit, and that the value is the real one,
/// rounded. Functions that are defined by their operations are not rounded.
#[test]
fn primals_are_values() {
    let mut reference = Reference::new().unwrap();
    let mut batch = Batch::new("(define (same a b) (if (= a b) a (cons a b)))");
    for row in &OPERATIONS {
        for (expression, point) in applications(row.operation) {
            let procedure = expression.procedure(point.len());
            let (argument, estimate) = (tuple(&point), expression.derivative(&mut reference, &point, &[]));
            let tangent = tuple(&vec![1.0; point.len()]);
            for derivative in
                [format!("(j* {procedure} {argument} {tangent})"), format!("(*j {procedure} {argument} 1)")]
            {
                let text = format!("(same ({procedure} {argument}) (car {derivative}))");
                let expected = match row.in_c {
                    InC::Defined(_) => Expected::Value(estimate.clone(), 1e-14),
                    InC::Formula(_) | InC::Function(_) => Expected::Rounded(to_double(&estimate.value)),
                };
                batch.expect("value", &text, expected);
            }
        }
    }
    batch.check();
}

#[test]
fn the_reference_tells_numbers_apart() {
    let mut reference = Reference::new().unwrap();
    let sine = Expression::Apply(Operation::Sine, vec![Expression::Variable(0)]);
    let estimate = sine.derivative(&mut reference, &[0.7], &[0]);
    // cos 0.7, from a table, and a number that differs in the 13th place.
    assert!(agrees(0.764_842_187_284_488_5, &estimate, 1e-15));
    assert!(!agrees(0.764_842_187_284_588_5, &estimate, 1e-14));
}
