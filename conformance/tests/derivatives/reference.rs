//! The reference: central differences with 96 digits. They are checked against the derivatives in textbook form of
//! [`vlad_conformance::operations`] (`rows`), so that neither is taken on trust.

use astro_float_num::BigFloat;
pub use vlad_derivatives::extended::arithmetic::Reference;
use vlad_derivatives::extended::arithmetic::{PRECISION, add, divide, multiply, power_of_two, subtract};

/// The step of central differences relative to the coordinate, as a power of two. Three nested differences lose 3 * 66
/// of the 320 bits; the truncation error is of the order of 2^-132.
const STEP: i32 = -66;

/// The result of a central difference.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The derivative.
    pub value: BigFloat,
    /// A bound on its rounding error.
    pub noise: BigFloat,
}

/// The derivative of a function at a point along some coordinates in turn, by nested central differences.
pub fn difference(point: &[f64], along: &[usize], function: &mut dyn FnMut(&[BigFloat]) -> BigFloat) -> Estimate {
    let mut corners = vec![(point.iter().map(|x| Reference::number(*x)).collect::<Vec<_>>(), false)];
    let mut divisor = Reference::number(1.0);
    for &coordinate in along {
        let scale = if point[coordinate] == 0.0 { 1.0 } else { point[coordinate].abs() };
        let step = multiply(&Reference::number(scale), &power_of_two(STEP));
        divisor = multiply(&divisor, &multiply(&step, &Reference::number(2.0)));
        let shifted = |(corner, negative): &(Vec<BigFloat>, bool), down: bool| {
            let mut corner = corner.clone();
            corner[coordinate] =
                if down { subtract(&corner[coordinate], &step) } else { add(&corner[coordinate], &step) };
            (corner, *negative != down)
        };
        corners = corners.iter().flat_map(|corner| [shifted(corner, false), shifted(corner, true)]).collect();
    }
    let mut sum = Reference::number(0.0);
    let mut magnitude = Reference::number(0.0);
    for (corner, negative) in &corners {
        let value = function(corner);
        magnitude = add(&magnitude, &value.abs());
        sum = if *negative { subtract(&sum, &value) } else { add(&sum, &value) };
    }
    let noise = multiply(&divide(&magnitude, &divisor), &power_of_two(16 - PRECISION as i32));
    Estimate { value: divide(&sum, &divisor), noise }
}

/// Returns true if a double agrees with an estimate within a relative tolerance.
pub fn agrees(actual: f64, estimate: &Estimate, tolerance: f64) -> bool {
    if !actual.is_finite() {
        return false;
    }
    let error = subtract(&Reference::number(actual), &estimate.value).abs();
    error <= add(&multiply(&estimate.value.abs(), &Reference::number(tolerance)), &estimate.noise)
}

/// Returns true if two numbers agree in that many bits.
pub fn is_close(a: &BigFloat, b: &BigFloat, bits: i32) -> bool {
    subtract(a, b).abs() <= multiply(&b.abs(), &power_of_two(-bits))
}
