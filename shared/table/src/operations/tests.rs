//! Tests of the rows: facts at samples, order, and the values that coefficients read.

use super::*;
use std::collections::BTreeSet;

/// The facts of each row, where its operands are zeros, NaN, and some other numbers.
#[test]
fn facts_hold_at_samples() {
    const SAMPLES: [f64; 11] = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 40.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for OperationRow { name, facts, evaluation, .. } in OPERATIONS {
        let (places, evaluate): (usize, &dyn Fn(f64, f64) -> f64) = match &evaluation {
            Evaluation::Unary(function) => (1, &move |x, _| function(x)),
            Evaluation::Binary(function) => (2, function),
        };
        assert_eq!(facts.zeros.len(), places, "{name}");
        for (place, zero) in facts.zeros.iter().enumerate() {
            for other in SAMPLES {
                let at = |x| if place == 0 { evaluate(x, other) } else { evaluate(other, x) };
                let (positive, negative) = (at(0.0), at(-0.0));
                let is_same = positive.to_bits() == negative.to_bits() || positive.is_nan() && negative.is_nan();
                let is_alike = is_same || positive == 0.0 && negative == 0.0;
                let holds = match zero {
                    Zero::Same => is_same,
                    Zero::Alike => is_alike,
                    Zero::Added => is_alike && (is_same || other == 0.0),
                    Zero::Distinct => true,
                };
                assert!(holds, "{name} of {other} and zeros in place {place}: {positive}, {negative}");
                assert!(!facts.keeps_nan || at(f64::NAN).is_nan(), "{name} of {other} and NaN in place {place}");
                let is_finite = |x: &f64| !x.is_finite() || !other.is_finite() || at(*x).is_finite();
                let samples = [f64::MAX, f64::MIN_POSITIVE].iter().chain(&SAMPLES);
                assert!(!facts.keeps_finite || samples.clone().all(is_finite), "{name} of {other}");
            }
        }
    }
}

#[test]
fn rows_stand_at_the_number_of_their_operation() {
    for (number, row) in OPERATIONS.iter().enumerate() {
        assert_eq!(row.operation as usize, number, "row of {}", row.name);
        let arity = match row.evaluation {
            Evaluation::Unary(_) => 1,
            Evaluation::Binary(_) => 2,
        };
        assert_eq!(row.coefficients.len(), arity, "coefficients of {}", row.name);
    }
}

#[test]
fn linear_operations_read_nothing() {
    for operation in [Operation::Add, Operation::Subtract, Operation::Negate, Operation::Floor, Operation::Copy] {
        assert_eq!(operation.reads(true, true), Reads::NOTHING);
    }
    assert_eq!(Operation::Exponential.reads(true, false), Reads { result: true, ..Reads::NOTHING });
    assert_eq!(Operation::Multiply.reads(true, false), Reads { second: true, ..Reads::NOTHING });
}

#[test]
fn each_function_of_c_is_an_operation() {
    let listed: BTreeSet<&str> = NAMES_IN_FORTRAN.iter().map(|(name, _)| *name).collect();
    let applied: BTreeSet<&str> = OPERATIONS.iter().filter_map(|row| row.operation.function_in_c()).collect();
    assert_eq!(listed, applied, "the lists of mathematics/functions.h, and the functions in operations/rows.rs");
}
