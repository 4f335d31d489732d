//! The fingerprint of the C library's mathematical functions: for each, a hash of its results at some arguments.
//!
//! Everything else that programs compute is fixed by IEEE 754. So if the fingerprints of two machines are equal, a run
//! that moves from one to the other can be expected to give the same bits as on one machine.

use sha2::{Digest, Sha256};
use vlad_table::math;

/// A mathematical function with one or two operands.
enum Function {
    Of(fn(f64) -> f64),
    OfTwo(fn(f64, f64) -> f64),
}

/// The functions of [`math`], by their names there.
const FUNCTIONS: [(&str, Function); 18] = [
    ("exp", Function::Of(|x| math::exp(x))),
    ("log", Function::Of(|x| math::log(x))),
    ("sin", Function::Of(|x| math::sin(x))),
    ("cos", Function::Of(|x| math::cos(x))),
    ("tan", Function::Of(|x| math::tan(x))),
    ("asin", Function::Of(|x| math::asin(x))),
    ("acos", Function::Of(|x| math::acos(x))),
    ("atan", Function::Of(|x| math::atan(x))),
    ("atan2", Function::OfTwo(|y, x| math::atan2(y, x))),
    ("sinh", Function::Of(|x| math::sinh(x))),
    ("cosh", Function::Of(|x| math::cosh(x))),
    ("tanh", Function::Of(|x| math::tanh(x))),
    ("pow", Function::OfTwo(|x, y| math::pow(x, y))),
    ("erf", Function::Of(|x| math::erf(x))),
    ("erfc", Function::Of(|x| math::erfc(x))),
    ("log1p", Function::Of(|x| math::log1p(x))),
    ("expm1", Function::Of(|x| math::expm1(x))),
    ("lgamma", Function::Of(|x| math::log_gamma(x))),
];

/// The number of functions.
pub const COUNT: usize = FUNCTIONS.len();

/// The arguments: within the domains of all functions or of some, near hard cases of rounding, and of extreme
/// magnitude.
const ARGUMENTS: [f64; 32] = [
    0.1,
    0.2,
    0.3,
    0.5,
    0.7,
    0.9,
    0.99999,
    1.0,
    1.1,
    1.5,
    2.0,
    2.5,
    3.0,
    3.7,
    5.3,
    7.9,
    11.3,
    17.1,
    29.6,
    47.2,
    83.4,
    123.4,
    311.7,
    708.3,
    1234.5,
    98765.4,
    1e6,
    1e10,
    1e22,
    6.2e-5,
    1e-8,
    0.785_398_163_397_448_2,
];

/// The fingerprint of the functions on this machine, with 8 bytes for each.
pub fn fingerprint() -> [[u8; 8]; COUNT] {
    let mut fingerprint = [[0; 8]; COUNT];
    for (place, (_, function)) in fingerprint.iter_mut().zip(&FUNCTIONS) {
        let mut hash = Sha256::new();
        let mut note = |result: f64| {
            // All representations of NaN count as one.
            let bits = if result.is_nan() { f64::NAN.to_bits() } else { result.to_bits() };
            hash.update(bits.to_le_bytes());
        };
        let mut before = -0.3;
        for argument in ARGUMENTS {
            match function {
                Function::Of(function) => {
                    note(function(argument));
                    note(function(-argument));
                }
                Function::OfTwo(function) => {
                    note(function(argument, before));
                    note(function(before, argument));
                }
            }
            before = argument;
        }
        *place = hash.finalize().first_chunk().copied().unwrap_or_default();
    }
    fingerprint
}

/// The names of the functions whose results differ from a fingerprint.
pub fn differing(fingerprint: &[[u8; 8]; COUNT]) -> Vec<&'static str> {
    let here = self::fingerprint();
    let pairs = FUNCTIONS.iter().zip(here.iter().zip(fingerprint));
    pairs.filter(|(_, (here, there))| here != there).map(|((name, _), _)| *name).collect()
}
