//! The limit of difference quotients as their step goes to 0, from the quotients of a few steps, and the classification of
//! points that have none.
//!
//! With f at h = 0 and at the steps h and -h, let q(h) = (f(h) - f(0)) / h. The derivative is the limit of q(h) and of q(-h).
//!
//! - Where f is smooth, the mean of q(h) and q(-h) is off by f''' h^2 / 6, and q(sh) - q(h) - (s - 1)/2 (q(h) - q(-h)) is
//!   (s^2 - 1) f''' h^2 / 6. So three quotients give the derivative and a bound of its error ([`smooth`]). The bound is large wherever
//!   the quotients do not behave as those of a smooth function: for |h|^p it is of the order of the quotients unless p is 1 with the
//!   sign of h, or 2 without.
//! - Elsewhere each side is judged by itself, by four steps of which each is a fixed fraction of the one before ([`one_sided`]). The
//!   quotients of L + a h^r, with any r, are those of a geometric series, and Aitken's method gives L. If their differences shrink there
//!   is a limit, and the change of Aitken's limit with a further step bounds its error. If the quotients grow as 1/h, the values have
//!   a jump; if they grow as a lower power or a logarithm, the slope is infinite.
//! - Two limits are the derivative if they are the same ([`both_sided`]).

use super::arithmetic::{Reference, add, divide, is_finite, multiply, power_of_two, subtract};
use super::refusal::NotDifferentiable;
use astro_float_num::BigFloat;

/// The number of steps by which a side is judged.
pub const STEPS: usize = 4;

/// The ratio of a step to the next shorter one, as a power of two.
pub const RATIO: i32 = 6;

/// The relative error of a derivative that counts as known, as a power of two.
const KNOWN: i32 = -40;

/// The error of a derivative of a smooth function that is known whatever its size is, as a power of two.
const NOTHING: i32 = -130;

/// The size below which a quotient is 0 for a function that is not smooth, as a power of two.
const SMALL: i32 = -50;

/// The relative error of operations on quotients, as a power of two.
const ROUNDED: i32 = -300;

/// A derivative, and a bound of its error.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The derivative; 0 if it is not larger than the bound.
    pub derivative: BigFloat,
    /// The bound of its error.
    pub bound: BigFloat,
}

impl Estimate {
    fn new(derivative: BigFloat, bound: BigFloat) -> Estimate {
        let is_zero = derivative.abs() <= bound;
        Estimate { derivative: if is_zero { Reference::number(0.0) } else { derivative }, bound }
    }
}

/// The behaviour of the quotients on one side as their step goes to 0.
#[derive(Clone, Debug)]
pub enum OneSided {
    /// They have a limit.
    Limit(Estimate),
    /// They grow as the reciprocal of the step: the values jump.
    Jump,
    /// They grow, or are no finite numbers.
    Infinite,
    /// The steps do not tell.
    Unknown,
}

/// The derivative of a smooth function, by the quotients of the shortest step on both sides, and of the step before it on one. The noise is
/// a bound of the rounding error of the quotients of the shortest step. None if the bound of the error is not small: the function may
/// not be smooth.
pub fn smooth([ahead, behind, farther]: [&BigFloat; 3], noise: &BigFloat) -> Option<Estimate> {
    if ![ahead, behind, farther].into_iter().all(is_finite) {
        return None;
    }
    let curvature = subtract(ahead, behind);
    let derivative = mean(ahead, behind);
    let scale = Reference::number((f64::from(1 << RATIO) - 1.0) / 2.0);
    let remainder = subtract(&subtract(farther, ahead), &multiply(&scale, &curvature));
    // Eight times the truncation error, and the rounding errors of values and of displaced points.
    let truncation = multiply(&remainder.abs(), &power_of_two(3 - 2 * RATIO));
    let bound = add(&add(&truncation, noise), &multiply(&curvature.abs(), &power_of_two(ROUNDED)));
    let is_known = bound <= multiply(&derivative.abs(), &power_of_two(KNOWN)) || bound <= power_of_two(NOTHING);
    is_known.then(|| Estimate::new(derivative, bound))
}

/// The behaviour of the quotients of one side, which begin with that of the longest step.
pub fn one_sided(quotients: &[BigFloat; STEPS], noise: &BigFloat) -> OneSided {
    if !quotients.iter().all(is_finite) {
        return OneSided::Infinite;
    }
    let [first, second, third, last] = quotients;
    let earliest = subtract(second, first).abs();
    let earlier = subtract(third, second).abs();
    let latest = subtract(last, third).abs();
    let largest = quotients.iter().map(BigFloat::abs).fold(Reference::number(0.0), |a, b| if a < b { b } else { a });
    let rounding = add(&multiply(noise, &Reference::number(4.0)), &multiply(&largest, &power_of_two(ROUNDED)));
    let part = |of: &BigFloat, part: f64| multiply(of, &Reference::number(part));
    if latest <= rounding {
        let bound = add(&rounding, &latest);
        return OneSided::Limit(Estimate { derivative: last.clone(), bound });
    }
    if latest <= part(&earlier, SHRINKING) {
        let derivative = aitken([second, third, last]);
        let change = subtract(&derivative, &aitken([first, second, third])).abs();
        let bound = add(&part(&change, 2.0), &rounding);
        return OneSided::Limit(Estimate { derivative, bound });
    }
    let is_inverse = |longer: &BigFloat, shorter: &BigFloat| {
        is_about(&shorter.abs(), &multiply(&longer.abs(), &power_of_two(RATIO)))
    };
    if is_inverse(third, last) && is_inverse(second, third) {
        return OneSided::Jump;
    }
    let grows = second.abs() < third.abs() && third.abs() < last.abs();
    let is_regular = is_about(&multiply(&latest, &earliest), &multiply(&earlier, &earlier));
    if grows && is_regular && latest >= part(&earlier, GROWING) {
        return OneSided::Infinite;
    }
    let bound = if second.abs() < third.abs() { third.abs() } else { second.abs() };
    let bound = if bound < last.abs() { last.abs() } else { bound };
    match bound <= power_of_two(SMALL) {
        true => OneSided::Limit(Estimate { derivative: Reference::number(0.0), bound }),
        false => OneSided::Unknown,
    }
}

/// The largest ratio of two differences in a row from which there is a limit: an order of convergence of 0.07 and more.
const SHRINKING: f64 = 0.75;

/// The least ratio of two differences in a row from which there is none, but for rounding: the quotients of h log h have 1.
const GROWING: f64 = 1.0 - 1e-9;

/// The part by which the quotients of jumps and of infinite slopes may be off from a geometric series. Others are not known.
const IRREGULAR: f64 = 0.05;

/// Returns true if two sizes are about the same.
fn is_about(a: &BigFloat, b: &BigFloat) -> bool {
    subtract(a, b).abs() <= multiply(b, &Reference::number(IRREGULAR))
}

/// The limit of a geometric series with these three elements in a row.
fn aitken([first, second, third]: [&BigFloat; 3]) -> BigFloat {
    let (before, after) = (subtract(second, first), subtract(third, second));
    let curvature = subtract(&after, &before);
    if curvature.is_zero() {
        return third.clone();
    }
    subtract(third, &divide(&multiply(&after, &after), &curvature))
}

/// The derivative by the two sides.
///
/// # Errors
/// There is none, or the steps do not tell.
pub fn both_sided(sides: [OneSided; 2]) -> Result<Estimate, NotDifferentiable> {
    let [ahead, behind] = match sides {
        [OneSided::Limit(ahead), OneSided::Limit(behind)] => [ahead, behind],
        [OneSided::Jump, _] | [_, OneSided::Jump] => return Err(NotDifferentiable::Kink),
        [OneSided::Infinite, _] | [_, OneSided::Infinite] => return Err(NotDifferentiable::NotFinite),
        [OneSided::Unknown, _] | [_, OneSided::Unknown] => return Err(NotDifferentiable::Imprecise),
    };
    let gap = subtract(&ahead.derivative, &behind.derivative).abs();
    let size = add(&ahead.derivative.abs(), &behind.derivative.abs());
    let bound = add(&ahead.bound, &behind.bound);
    if gap > add(&bound, &multiply(&size, &power_of_two(KNOWN - 20))) {
        return Err(NotDifferentiable::Kink);
    }
    let derivative = mean(&ahead.derivative, &behind.derivative);
    let is_known = bound <= multiply(&derivative.abs(), &power_of_two(KNOWN)) || bound <= power_of_two(SMALL);
    if is_known { Ok(Estimate::new(derivative, bound)) } else { Err(NotDifferentiable::Imprecise) }
}

/// The mean of two numbers.
pub fn mean(a: &BigFloat, b: &BigFloat) -> BigFloat {
    multiply(&add(a, b), &Reference::number(0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extended::arithmetic::to_double;

    /// The longest step.
    const LONGEST: i32 = -48;

    /// Judges a function of the step that is 0 at 0, by steps as those of procedures.
    fn judge(function: impl Fn(&mut Reference, &BigFloat) -> BigFloat) -> Result<f64, NotDifferentiable> {
        let mut reference = Reference::new().unwrap();
        let mut side = |sign: f64| {
            std::array::from_fn::<BigFloat, STEPS, _>(|at| {
                let step = multiply(&power_of_two(LONGEST - RATIO * at as i32), &Reference::number(sign));
                divide(&function(&mut reference, &step), &step)
            })
        };
        let (ahead, behind) = (side(1.0), side(-1.0));
        let noise = Reference::number(0.0);
        if let Some(found) = smooth([&ahead[3], &behind[3], &ahead[2]], &noise) {
            return Ok(to_double(&found.derivative));
        }
        both_sided([one_sided(&ahead, &noise), one_sided(&behind, &noise)]).map(|found| to_double(&found.derivative))
    }

    /// |h|^p, and the same with the sign of h.
    fn power(p: f64) -> [Result<f64, NotDifferentiable>; 2] {
        let power = |reference: &mut Reference, h: &BigFloat| reference.power(&h.abs(), &Reference::number(p));
        let odd = |reference: &mut Reference, h: &BigFloat| {
            let power = power(reference, h);
            if h.is_negative() { power.neg() } else { power }
        };
        [judge(power), judge(odd)]
    }

    #[test]
    fn powers_have_the_derivatives_of_calculus() {
        let (kink, infinite) = (Err(NotDifferentiable::Kink), Err(NotDifferentiable::NotFinite));
        for p in [1.1, 1.25, 4.0 / 3.0, 1.5, 1.9, 2.0, 2.5, 3.0, 4.0, 7.5] {
            assert_eq!(power(p), [Ok(0.0), Ok(0.0)], "{p}");
        }
        assert_eq!(power(1.0), [kink, Ok(1.0)]);
        for p in [0.9, 2.0 / 3.0, 0.5, 1.0 / 3.0, 0.1] {
            assert_eq!(power(p), [infinite, infinite], "{p}");
        }
        assert_eq!(power(0.0), [kink, kink]);
    }

    #[test]
    fn steps_tell_limits_from_other_behaviour() {
        let number = Reference::number;
        let tilted = |p: f64| {
            judge(move |reference, h| {
                let bend = reference.power(&h.abs(), &Reference::number(p));
                add(&multiply(h, &Reference::number(3.0)), &bend)
            })
        };
        assert_eq!(tilted(1.5), Ok(3.0));
        assert_eq!(tilted(1.0), Err(NotDifferentiable::Kink));
        // A kink of 10^-9 of the slope.
        assert_eq!(judge(|_, h| add(h, &multiply(&h.abs(), &number(1e-9)))), Err(NotDifferentiable::Kink));
        // h log|h|: the slope grows without bound, though slowly; h / log|h| goes to 0 too slowly to be told.
        assert_eq!(judge(|r, h| multiply(h, &r.ln(&h.abs()))), Err(NotDifferentiable::NotFinite));
        assert_eq!(judge(|r, h| divide(h, &r.ln(&h.abs()))), Err(NotDifferentiable::Imprecise));
        // h^2 sin(1/h) has the derivative 0, and h sin(1/|h|) has none.
        assert_eq!(judge(|r, h| multiply(&multiply(h, h), &r.sin(&divide(&number(1.0), h)))), Ok(0.0));
        let bounded = judge(|r, h| multiply(h, &r.sin(&divide(&number(1.0), &h.abs()))));
        assert!(bounded.is_err(), "{bounded:?}");
        // Two fractional powers.
        let both =
            judge(|r, h| add(&r.power(&h.abs(), &number(1.5)), &multiply(&r.power(&h.abs(), &number(2.0)), &h.abs())));
        assert_eq!(both, Ok(0.0));
        // One side is level.
        let hinge = |p: f64| {
            judge(move |r, h| if h.is_negative() { Reference::number(0.0) } else { r.power(h, &Reference::number(p)) })
        };
        assert_eq!([hinge(2.0), hinge(1.1), hinge(1.0)], [Ok(0.0), Ok(0.0), Err(NotDifferentiable::Kink)]);
        assert_eq!([hinge(0.5), hinge(0.0)], [Err(NotDifferentiable::NotFinite), Err(NotDifferentiable::Kink)]);
        // A value at the point alone: the same quotients from both sides, with different signs.
        assert_eq!(judge(|_, h| add(h, &number(5.0))), Err(NotDifferentiable::Kink));
    }
}
