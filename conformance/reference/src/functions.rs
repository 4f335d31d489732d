//! The functions that the linker puts in the place of those of the archive.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::collections::HashMap;
use vlad_derivatives::extended::arithmetic::Reference;
use vlad_shared::table::{Operation, internal_bug};

/// The values that a thread has computed, by operation and bits of the operands.
struct Values {
    reference: Reference,
    known: HashMap<(Operation, [u64; 2]), f64>,
}

thread_local! {
    static VALUES: RefCell<Option<Values>> = RefCell::new(Reference::new().map(|reference| Values { reference, known: HashMap::new() }));
}

/// The number of different values that this thread has computed: a test that they are computed at all.
pub fn evaluations() -> usize {
    VALUES.with_borrow(|values| values.as_ref().map_or(0, |values| values.known.len()))
}

fn value(operation: Operation, operands: &[f64]) -> f64 {
    VALUES.with_borrow_mut(|values| {
        let Some(Values { reference, known }) = values else { internal_bug!("there is memory for constants") };
        let bits = |place: usize| operands.get(place).map_or(0, |operand| operand.to_bits());
        *known.entry((operation, [bits(0), bits(1)])).or_insert_with(|| match reference.rounded(operation, operands) {
            Some(value) => value,
            None => internal_bug!("{operation:?} is a function of part 10.2"),
        })
    })
}

/// Defines functions of reals, of one or of two, with the names that the linker looks for.
macro_rules! replacements {
    ($($name:ident($($operand:ident),*) = $operation:ident,)*) => {
        // SAFETY: no other code defines these names: the linker makes them of the option `--wrap`, for functions of these types.
        $(#[unsafe(no_mangle)]
        extern "C" fn $name($($operand: f64),*) -> f64 {
            value(Operation::$operation, &[$($operand),*])
        })*
    };
}

replacements! {
    __wrap_vlad_math_exp(x) = Exponential,
    __wrap_vlad_math_log(x) = Logarithm,
    __wrap_vlad_math_sin(x) = Sine,
    __wrap_vlad_math_cos(x) = Cosine,
    __wrap_vlad_math_tan(x) = Tangent,
    __wrap_vlad_math_asin(x) = ArcSine,
    __wrap_vlad_math_acos(x) = ArcCosine,
    __wrap_vlad_math_atan(x) = ArcTangent,
    __wrap_vlad_math_sinh(x) = HyperbolicSine,
    __wrap_vlad_math_cosh(x) = HyperbolicCosine,
    __wrap_vlad_math_tanh(x) = HyperbolicTangent,
    __wrap_vlad_math_asinh(x) = InverseHyperbolicSine,
    __wrap_vlad_math_acosh(x) = InverseHyperbolicCosine,
    __wrap_vlad_math_atanh(x) = InverseHyperbolicTangent,
    __wrap_vlad_math_cbrt(x) = CubeRoot,
    __wrap_vlad_math_exp2(x) = BinaryExponential,
    __wrap_vlad_math_log2(x) = BinaryLogarithm,
    __wrap_vlad_math_log10(x) = DecimalLogarithm,
    __wrap_vlad_math_log1p(x) = LogarithmOfOnePlus,
    __wrap_vlad_math_expm1(x) = ExponentialMinusOne,
    __wrap_vlad_math_erf(x) = ErrorFunction,
    __wrap_vlad_math_erfc(x) = ComplementaryErrorFunction,
    __wrap_vlad_math_lgamma(x) = LogGamma,
    __wrap_vlad_math_tgamma(x) = Gamma,
    __wrap_vlad_math_atan2(x, y) = ArcTangent2,
    __wrap_vlad_math_pow(x, y) = Power,
    __wrap_vlad_math_hypot(x, y) = Hypotenuse,
}

// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn __wrap_vlad_math_sincos(x: f64, sine: &mut f64, cosine: &mut f64) {
    *sine = value(Operation::Sine, &[x]);
    *cosine = value(Operation::Cosine, &[x]);
}
