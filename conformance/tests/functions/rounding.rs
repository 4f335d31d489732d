//! Functions against their values of 96 digits, rounded.

use crate::{LONG, check};
use vlad_conformance::functions::turn::{Turn, each_point};
use vlad_conformance::functions::{Function, compiled, is_same};
use vlad_derivatives::extended::arithmetic::Reference;
use vlad_shared::table::{Operation, math};

fn check_rounding(turn: Turn) {
    let functions = compiled();
    check(turn, &functions, |reference, (index, operation), point| {
        functions[index].1.rounded(reference, operation, point)
    });
}

#[test]
fn functions_are_rounded() {
    check_rounding(Turn::SHORT);
}

#[test]
#[ignore = "takes an hour in a release build"]
fn functions_are_rounded_at_many_points() {
    check_rounding(Turn::of(LONG));
}

/// Checks that the sine and the cosine of one call have the bits of the two functions.
#[test]
fn sine_and_cosine_have_the_bits_of_each() {
    let mut reference = Reference::new().unwrap();
    for (operation, function) in [
        (Operation::Sine, Function::Unary(math::sin)),
        (Operation::Cosine, Function::Unary(math::cos)),
        (Operation::Tangent, Function::Unary(math::tan)),
    ] {
        each_point(Turn::SHORT, &mut reference, (operation, function), |_, [x, _]| {
            let (mut sine, mut cosine) = (0.0, 0.0);
            math::sine_and_cosine(x, &mut sine, &mut cosine);
            let is_right = is_same(sine, math::sin(x)) && is_same(cosine, math::cos(x));
            assert!(is_right, "at {x:e} ({:016x}): {sine:e}, {cosine:e}", x.to_bits());
        });
    }
}
