//! The code for processors without a fused multiply-add against the code for the others, in every bit: they compute with the same
//! operations, some of which `shared/table/mathematics/operations.h` has in place of an instruction.
#![allow(unsafe_code)] // C is called that has no other interface

use crate::{LONG, check};
use std::io::{self, Write};
use vlad_conformance::functions::turn::{Turn, each_point};
use vlad_conformance::functions::{COUNT, Function, is_same};
use vlad_conformance::functions_of;
use vlad_derivatives::extended::arithmetic::Reference;
use vlad_shared::table::Operation;

/// Declares a variant of all functions of `vlad_table::math`.
macro_rules! variant {
    ($name:ident: $($function:ident($($operand:ident),+) = $link:literal;)+) => {
        mod $name {
            // SAFETY: the archive of `vlad-table` has the functions of these names and types; they take and return plain doubles, read no
            // memory and are safe for every argument, on processors with the instructions that they were compiled for.
            unsafe extern "C" {
                $(
                    #[link_name = $link]
                    pub safe fn $function($($operand: f64),+) -> f64;
                )+
            }
        }
    };
}

variant! {
    plain:
    exp(x) = "vlad_plain_exp";
    log(x) = "vlad_plain_log";
    sin(x) = "vlad_plain_sin";
    cos(x) = "vlad_plain_cos";
    tan(x) = "vlad_plain_tan";
    asin(x) = "vlad_plain_asin";
    acos(x) = "vlad_plain_acos";
    atan(x) = "vlad_plain_atan";
    atan2(y, x) = "vlad_plain_atan2";
    sinh(x) = "vlad_plain_sinh";
    cosh(x) = "vlad_plain_cosh";
    tanh(x) = "vlad_plain_tanh";
    asinh(x) = "vlad_plain_asinh";
    acosh(x) = "vlad_plain_acosh";
    atanh(x) = "vlad_plain_atanh";
    pow(x, y) = "vlad_plain_pow";
    hypot(x, y) = "vlad_plain_hypot";
    cbrt(x) = "vlad_plain_cbrt";
    exp2(x) = "vlad_plain_exp2";
    log2(x) = "vlad_plain_log2";
    log10(x) = "vlad_plain_log10";
    log1p(x) = "vlad_plain_log1p";
    expm1(x) = "vlad_plain_expm1";
    erf(x) = "vlad_plain_erf";
    erfc(x) = "vlad_plain_erfc";
    lgamma(x) = "vlad_plain_lgamma";
    tgamma(x) = "vlad_plain_tgamma";
}

variant! {
    fused:
    exp(x) = "vlad_fused_exp";
    log(x) = "vlad_fused_log";
    sin(x) = "vlad_fused_sin";
    cos(x) = "vlad_fused_cos";
    tan(x) = "vlad_fused_tan";
    asin(x) = "vlad_fused_asin";
    acos(x) = "vlad_fused_acos";
    atan(x) = "vlad_fused_atan";
    atan2(y, x) = "vlad_fused_atan2";
    sinh(x) = "vlad_fused_sinh";
    cosh(x) = "vlad_fused_cosh";
    tanh(x) = "vlad_fused_tanh";
    asinh(x) = "vlad_fused_asinh";
    acosh(x) = "vlad_fused_acosh";
    atanh(x) = "vlad_fused_atanh";
    pow(x, y) = "vlad_fused_pow";
    hypot(x, y) = "vlad_fused_hypot";
    cbrt(x) = "vlad_fused_cbrt";
    exp2(x) = "vlad_fused_exp2";
    log2(x) = "vlad_fused_log2";
    log10(x) = "vlad_fused_log10";
    log1p(x) = "vlad_fused_log1p";
    expm1(x) = "vlad_fused_expm1";
    erf(x) = "vlad_fused_erf";
    erfc(x) = "vlad_fused_erfc";
    lgamma(x) = "vlad_fused_lgamma";
    tgamma(x) = "vlad_fused_tgamma";
}

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
    let (plain, fused): ([Function; COUNT], [Function; COUNT]) = (functions_of!(plain), functions_of!(fused));
    check(turn, plain, |_, (index, _), point| fused[index].at(point));
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
