//! The code for processors without a fused multiply-add against the code for the others, in every bit: they compute with the same
//! operations, some of which `shared/table/mathematics/operations.h` has in place of an instruction.
#![allow(unsafe_code)] // C is called that has no other interface

use crate::{LONG, check};
use std::io::{self, Write};
use vlad_conformance::functions::turn::{Turn, each_point};
use vlad_conformance::functions::{Function, by_operation, is_same};
use vlad_derivatives::extended::arithmetic::Reference;
use vlad_shared::table::{Operation, with_functions};

/// Declares the two variants of all functions of `vlad_table::math`.
macro_rules! variants {
    ({ $($unary:ident,)* } { $($binary:ident,)* }) => {
        variants! { plain "vlad_plain_" { $($unary,)* } { $($binary,)* } }
        variants! { fused "vlad_fused_" { $($unary,)* } { $($binary,)* } }
    };
    ($name:ident $prefix:literal { $($unary:ident,)* } { $($binary:ident,)* }) => {
        mod $name {
            use vlad_conformance::functions::Function;

            // SAFETY: the archive of `vlad-table` has the functions of these names and types; they take and return plain doubles, read no
            // memory and are safe for every argument, on processors with the instructions that they were compiled for.
            unsafe extern "C" {
                $(
                    #[link_name = concat!($prefix, stringify!($unary))]
                    pub safe fn $unary(x: f64) -> f64;
                )*
                $(
                    #[link_name = concat!($prefix, stringify!($binary))]
                    pub safe fn $binary(x: f64, y: f64) -> f64;
                )*
            }

            /// The functions by their names.
            pub const ALL: &[(&str, Function)] = &[
                $((stringify!($unary), Function::Unary($unary)),)*
                $((stringify!($binary), Function::Binary($binary)),)*
            ];
        }
    };
}

with_functions!(variants);

// SAFETY: as above; the two places are written.
unsafe extern "C" {
    #[link_name = "vlad_plain_sincos"]
    safe fn plain_sine_and_cosine(x: f64, sine: &mut f64, cosine: &mut f64);
}

/// Returns true if the processor has the instructions for which the fused variant is compiled (`shared/table/build.rs`).
fn has_fused() -> bool {
    is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

fn check_variants(turn: Turn) {
    if !has_fused() {
        // Tests have their output captured, except for what goes to the stream itself.
        io::stderr().write_all(b"skipped: this processor has no fused multiply-add\n").unwrap();
        return;
    }
    let (plain, fused) = (by_operation(plain::ALL), by_operation(fused::ALL));
    check(turn, &plain, |_, (index, _), point| fused[index].1.at(point));
}

#[test]
fn variants_have_the_same_bits() {
    check_variants(Turn::SHORT);
}

/// Checks the sine and the cosine of one call, of the code without fused multiply-adds.
#[test]
fn sine_and_cosine_have_the_bits_of_each() {
    let mut reference = Reference::new().unwrap();
    each_point(Turn::SHORT, &mut reference, (Operation::Sine, Function::Unary(plain::sin)), |_, [x, _]| {
        let (mut sine, mut cosine) = (0.0, 0.0);
        plain_sine_and_cosine(x, &mut sine, &mut cosine);
        let is_right = is_same(sine, plain::sin(x)) && is_same(cosine, plain::cos(x));
        assert!(is_right, "at {x:e} ({:016x}): {sine:e}, {cosine:e}", x.to_bits());
    });
}

#[test]
#[ignore = "a turn of many points"]
fn variants_have_the_same_bits_at_many_points() {
    check_variants(Turn::of(LONG));
}
