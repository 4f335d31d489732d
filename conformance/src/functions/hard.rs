//! Points that are hard to round: their values are near the middle between two doubles. And angles that are near a multiple of a
//! quarter of a turn.

use super::Function;
use astro_float_num::{BigFloat, RoundingMode};
use vlad_derivatives::extended::arithmetic::{Reference, multiply, power_of_two, to_double};
use vlad_shared::table::Operation;

/// Returns the point whose value is nearest to a middle, among `count` points from the given one: the first operand goes from double
/// to double. None if the function is not smooth enough from there on, or leaves the normal numbers.
///
/// The values are extrapolated by second differences modulo one unit in the last place (Lefevre, An algorithm that computes a
/// lower bound on the distance between a segment and Z^2, 2000, has the linear case). A third difference is below 2^-150 of the value,
/// so that up to 2^24 points the error is below 2^-20 units.
pub fn hard_point(
    reference: &mut Reference,
    (operation, function): (Operation, Function),
    point: [f64; 2],
    count: u64,
) -> Option<[f64; 2]> {
    let [x, y] = point;
    let half = (count / 2).max(1);
    let at = |step: u64| [f64::from_bits(x.to_bits().wrapping_add(step)), y];
    if !x.is_normal() || !at(2 * half)[0].is_normal() {
        return None;
    }
    let mut units = None;
    let mut place = |step: u64| {
        let operands: Vec<BigFloat> =
            function.operands(&at(step)).iter().map(|operand| Reference::number(*operand)).collect();
        let value = reference.value(operation, &operands);
        let exponent = value.exponent().filter(|exponent| (-1000..1000).contains(exponent))?;
        let units = *units.get_or_insert(exponent);
        fraction(&multiply(&value, &power_of_two(53 - units)))
    };
    // The place of step s is first + a s + b s (s - 1) / 2, modulo one unit. The bend b is that of steps of half the range.
    let (first, next, second, third) = (place(0)?, place(1)?, place(half)?, place(2 * half)?);
    let bend = third.wrapping_sub(second).wrapping_sub(second.wrapping_sub(first)) as i128;
    let bend = bend / i128::from(half) / i128::from(half);
    let (mut value, mut difference) = (first, next.wrapping_sub(first));
    let (mut best, mut least) = (0, u128::MAX);
    for step in 0..count {
        let distance = value.wrapping_sub(1 << 127) as i128;
        if distance.unsigned_abs() < least {
            (best, least) = (step, distance.unsigned_abs());
        }
        value = value.wrapping_add(difference);
        difference = difference.wrapping_add(bend as u128);
    }
    Some(at(best))
}

/// The fraction of a number above the whole number below it, in units of 2^-128; of a negative number that of its magnitude.
fn fraction(x: &BigFloat) -> Option<u128> {
    let (words, _, _, exponent, _) = x.as_raw_parts()?;
    let bit = |place: i64| {
        // Bit 1 is the first one of the mantissa.
        let index = place - 1;
        let word = words.len() as i64 - 1 - index.div_euclid(64);
        let word = usize::try_from(word).ok().and_then(|word| words.get(word)).copied().unwrap_or(0);
        index >= 0 && word >> (63 - index.rem_euclid(64)) & 1 == 1
    };
    let bits = (1..=128).map(|place| bit(i64::from(exponent) + place));
    Some(bits.fold(0, |fraction, bit| fraction << 1 | u128::from(bit)))
}

/// The double of an exponent that is nearest to a multiple of a quarter of a turn, relatively: m 2^exponent with a whole number m of 53
/// bits or less, found as the convergents of the continued fraction of 2^exponent 2 / pi (Kahan, Minimizing q m - n, 1983).
pub fn near_quarter(reference: &mut Reference, exponent: i32) -> f64 {
    const BITS: usize = 1408;
    let mut turns = Reference::number(2.0).div(&reference.pi(BITS), BITS, RoundingMode::ToEven);
    turns.set_exponent(turns.exponent().unwrap_or(0).saturating_add(exponent));
    // In units of 2^-127.
    let (mut above, mut below) = (1_u128 << 127, fraction(&turns).unwrap_or(0) >> 1);
    let (mut before, mut last) = (0_u128, 1_u128);
    while let Some(whole) = above.checked_div(below) {
        let next = whole.saturating_mul(last).saturating_add(before);
        if next >= 1 << 53 {
            break;
        }
        (before, last) = (last, next);
        (above, below) = (below, above % below);
    }
    to_double(&multiply(&Reference::number(last as f64), &power_of_two(exponent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::compiled;
    use crate::operations::{Domain, domains};

    #[test]
    fn hard_points_are_near_middles() {
        let mut reference = Reference::new().unwrap();
        for (operation, function) in compiled() {
            // A hypotenuse has values of few bits, and nothing is to be found near them.
            if operation == Operation::Hypotenuse {
                continue;
            }
            let x = if domains(operation) == [Domain::AboveOne] { 1.573_2 } else { 0.573_2 };
            let point = hard_point(&mut reference, (operation, function), [x, 0.812_3], 1 << 12);
            let Some(point) = point else { panic!("{operation:?}") };
            let operands = function.operands(&point).iter().map(|real| Reference::number(*real)).collect::<Vec<_>>();
            let value = reference.value(operation, &operands);
            let exponent = value.exponent().unwrap();
            let middle = fraction(&multiply(&value, &power_of_two(53 - exponent))).unwrap().abs_diff(1 << 127);
            // Where the slope is near a fraction of few digits, the points leave gaps.
            assert!(middle < 1 << 121, "{operation:?} {point:?}: {:e}", middle as f64 / 2f64.powi(128));
        }
    }

    #[test]
    fn doubles_near_quarters_of_turns_are_those_of_the_literature() {
        let mut reference = Reference::new().unwrap();
        // The worst one of all doubles (Muller, Elementary Functions, 11.3.2).
        assert_eq!(near_quarter(&mut reference, 797), 6_381_956_970_095_103.0 * 2f64.powi(797));
        for exponent in [-40, 0, 100, 500, 970] {
            let near = Reference::number(near_quarter(&mut reference, exponent));
            let product = multiply(&reference.sin(&near), &reference.cos(&near));
            assert!(to_double(&product).abs() < 1e-12, "{exponent}");
        }
    }
}
