//! Random smooth expressions over all operations: gradients by both modes against the reference, Hessians of all four
//! nestings against each other. The seed is fixed: every run checks the same expressions.

use crate::batch::{Batch, Expected};
use crate::expression::{Carrier, Expression, tuple};
use crate::reference::Reference;
use vlad_conformance::fast_build::observe_text;
use vlad_conformance::operations::{Domain, domains};
use vlad_derivatives::numbers::Numbers;
use vlad_engines::Engine;
use vlad_shared::table::operations::OPERATIONS;
use vlad_shared::table::{Arity, Operation, number};

fn apply<const N: usize>(operation: Operation, operands: [Expression; N]) -> Expression {
    Expression::Apply(operation, operands.to_vec())
}

/// An expression with a value between -1 and 1.
fn bounded(inner: Expression) -> Expression {
    apply(Operation::Sine, [inner])
}

/// An expression with a value between -0.75 and 0.75.
fn inside(inner: Expression) -> Expression {
    apply(Operation::Multiply, [Expression::Constant(0.75), bounded(inner)])
}

/// An expression with a value between 1 and 2.
fn positive(inner: Expression) -> Expression {
    let bounded = bounded(inner);
    let squared = apply(Operation::Multiply, [bounded.clone(), bounded]);
    apply(Operation::Add, [Expression::Constant(1.0), squared])
}

/// An expression with a value in a domain, away from its ends, where derivatives are large.
fn within(domain: Domain, inner: Expression) -> Expression {
    match domain {
        Domain::Reals => inner,
        Domain::NotZero | Domain::Positive => positive(inner),
        Domain::NoPole | Domain::Moderate => bounded(inner),
        Domain::Inside => inside(inner),
        Domain::AboveOne => apply(Operation::Add, [Expression::Constant(1.0), positive(inner)]),
        Domain::Whole => apply(Operation::Absolute, [apply(Operation::Round, [inner])]),
    }
}

/// A random expression of a given depth over some variables.
fn expression(numbers: &mut Numbers, variables: usize, depth: usize) -> Expression {
    if depth == 0 {
        return match numbers.below(4) {
            0 => Expression::Constant(numbers.real()),
            _ => Expression::Variable(numbers.below(variables)),
        };
    }
    if numbers.below(4) == 0 {
        let carrier = Carrier::ALL[numbers.below(Carrier::ALL.len())];
        let value = expression(numbers, variables, depth - 1);
        let body = expression(numbers, variables + 1, depth - 1);
        return Expression::Share(carrier, variables, Box::new(value), Box::new(body));
    }
    let operation = OPERATIONS[numbers.below(OPERATIONS.len())].operation;
    let first = expression(numbers, variables, depth - 1);
    let other_depth = numbers.below(depth);
    let mut second = || expression(numbers, variables, other_depth);
    match (operation.arity(), domains(operation)) {
        (Arity::One, [domain]) => apply(operation, [within(*domain, first)]),
        (Arity::Two, [Domain::Whole, domain]) => {
            let order = Expression::Constant(numbers.below(3) as f64);
            apply(operation, [order, within(*domain, first)])
        }
        (Arity::Two, [one, other]) => apply(operation, [within(*one, first), within(*other, second())]),
        (Arity::One | Arity::Two, domains) => panic!("{operation:?} has {} domains", domains.len()),
    }
}

/// Expressions with a point for each.
fn samples(seed: u64, count: usize) -> Vec<(Expression, Vec<f64>)> {
    let mut numbers = Numbers::new(seed);
    (0..count)
        .map(|number| {
            let variables = 1 + number % 3;
            let expression = expression(&mut numbers, variables, 2 + number % 4);
            (expression, (0..variables).map(|_| numbers.real()).collect())
        })
        .collect()
}

fn basis(variables: usize, coordinate: usize) -> Vec<f64> {
    (0..variables).map(|number| if number == coordinate { 1.0 } else { 0.0 }).collect()
}

/// The component of a tuple.
fn component(tuple: &str, variables: usize, number: usize) -> String {
    let rest = (0..number).fold(tuple.to_owned(), |inner, _| format!("(cdr {inner})"));
    if number + 1 == variables { rest } else { format!("(car {rest})") }
}

#[test]
fn gradients_of_random_expressions() {
    let mut reference = Reference::new().unwrap();
    let mut batch = Batch::new("");
    for (expression, point) in samples(1, 300) {
        let (procedure, argument) = (expression.procedure(point.len()), tuple(&point));
        for coordinate in 0..point.len() {
            let estimate = expression.derivative(&mut reference, &point, &[coordinate]);
            let forward = format!("(cdr (j* {procedure} {argument} {}))", tuple(&basis(point.len(), coordinate)));
            let reverse = component(&format!("(cdr (*j {procedure} {argument} 1))"), point.len(), coordinate);
            for text in [forward, reverse] {
                batch.expect("gradient", &text, Expected::Derivative(estimate.clone(), 1e-11));
            }
        }
    }
    batch.check();
}

/// The second derivative along two coordinates, in the four nestings of the two modes.
fn second_derivatives(procedure: &str, point: &[f64], first: usize, second: usize) -> [String; 4] {
    let variables = point.len();
    let at = tuple(point);
    let (along_first, along_second) = (tuple(&basis(variables, first)), tuple(&basis(variables, second)));
    let directional = format!("(lambda (p) (cdr (j* {procedure} p {along_first})))");
    let partial = component(&format!("(cdr (*j {procedure} p 1))"), variables, first);
    let partial = format!("(lambda (p) {partial})");
    [
        format!("(cdr (j* {directional} {at} {along_second}))"),
        format!("(cdr (j* {partial} {at} {along_second}))"),
        component(&format!("(cdr (*j {directional} {at} 1))"), variables, second),
        component(&format!("(cdr (*j {partial} {at} 1))"), variables, second),
    ]
}

#[test]
fn hessians_of_random_expressions() {
    let mut program = String::new();
    for (expression, point) in samples(2, 120) {
        let procedure = expression.procedure(point.len());
        for first in 0..point.len() {
            for second in 0..=first {
                for text in second_derivatives(&procedure, &point, first, second) {
                    program.push_str(&text);
                    program.push('\n');
                }
            }
        }
    }
    let expressions: Vec<&str> = program.lines().collect();
    for engine in Engine::ALL {
        let observation = observe_text(engine, &program);
        assert!(observation.diagnostics.is_empty(), "{engine}:\n{}", observation.rendered());
        assert_eq!(observation.output.len(), expressions.len());
        for (texts, printed) in expressions.chunks(4).zip(observation.output.chunks(4)) {
            let values: Vec<f64> = printed.iter().map(|text| number::parse(text).unwrap()).collect();
            let close = |value: &f64| (value - values[0]).abs() <= 1e-11 * values[0].abs().max(1e-3);
            assert!(values.iter().all(close), "{engine}: {values:?} for {texts:#?}");
        }
    }
}
