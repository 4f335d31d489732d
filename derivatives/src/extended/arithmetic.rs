//! Operations on reals with 96 digits, written from the definitions of the functions and not from the table of
//! operations.

use astro_float_num::{BigFloat, Consts, RoundingMode, Sign};

/// The precision in bits.
pub const PRECISION: usize = 320;

/// Results are correct to a few units in the last place, which suffices for the oracle.
pub const ROUNDING: RoundingMode = RoundingMode::None;

/// An evaluator of operations with 96 digits.
pub struct Reference {
    constants: Consts,
    /// The precision in bits of logarithms, exponentials and their relatives; that of sums and products is always [`PRECISION`].
    precision: usize,
    /// The Bernoulli numbers, once they have been needed.
    bernoulli: Vec<BigFloat>,
}

/// a + b.
pub fn add(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.add(b, PRECISION, ROUNDING)
}

/// a - b.
pub fn subtract(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.sub(b, PRECISION, ROUNDING)
}

/// a * b.
pub fn multiply(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.mul(b, PRECISION, ROUNDING)
}

/// a / b.
pub fn divide(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.div(b, PRECISION, ROUNDING)
}

/// a * a.
pub fn square(a: &BigFloat) -> BigFloat {
    multiply(a, a)
}

/// The square root.
pub fn root(a: &BigFloat) -> BigFloat {
    a.sqrt(PRECISION, ROUNDING)
}

/// The cube root.
pub fn cube_root(a: &BigFloat) -> BigFloat {
    a.cbrt(PRECISION, ROUNDING)
}

/// The largest whole number that is not larger than a.
pub fn floor(a: &BigFloat) -> BigFloat {
    let fraction = a.fract();
    let whole = subtract(a, &fraction);
    if fraction.is_negative() && !fraction.is_zero() { subtract(&whole, &Reference::number(1.0)) } else { whole }
}

impl Reference {
    /// Returns a new evaluator; none if there is no memory for its constants.
    pub fn new() -> Option<Reference> {
        Consts::new().ok().map(|constants| Reference { constants, precision: PRECISION, bernoulli: Vec::new() })
    }

    /// The precision in bits of logarithms, exponentials and their relatives.
    pub fn precision(&self) -> usize {
        self.precision
    }

    /// Does something with another precision.
    pub fn with_precision<T>(&mut self, precision: usize, work: impl FnOnce(&mut Reference) -> T) -> T {
        let before = std::mem::replace(&mut self.precision, precision);
        let result = work(self);
        self.precision = before;
        result
    }

    /// A double, exactly.
    pub fn number(real: f64) -> BigFloat {
        if !real.is_subnormal() {
            return BigFloat::from_f64(real, PRECISION);
        }
        // `from_f64` gives half of a subnormal double.
        const SCALE: i32 = 64;
        let mut number = BigFloat::from_f64(real * 2f64.powi(SCALE), PRECISION);
        number.set_exponent(number.exponent().unwrap_or(0) - SCALE);
        number
    }

    /// The exponential function.
    pub fn exp(&mut self, x: &BigFloat) -> BigFloat {
        x.exp(self.precision, ROUNDING, &mut self.constants)
    }

    /// The natural logarithm.
    pub fn ln(&mut self, x: &BigFloat) -> BigFloat {
        x.ln(self.precision, ROUNDING, &mut self.constants)
    }

    /// The sine.
    pub fn sin(&mut self, x: &BigFloat) -> BigFloat {
        x.sin(self.precision, ROUNDING, &mut self.constants)
    }

    /// The cosine.
    pub fn cos(&mut self, x: &BigFloat) -> BigFloat {
        x.cos(self.precision, ROUNDING, &mut self.constants)
    }

    /// The tangent.
    pub fn tan(&mut self, x: &BigFloat) -> BigFloat {
        x.tan(self.precision, ROUNDING, &mut self.constants)
    }

    /// The arc sine.
    pub fn asin(&mut self, x: &BigFloat) -> BigFloat {
        x.asin(self.precision, ROUNDING, &mut self.constants)
    }

    /// The arc cosine.
    pub fn acos(&mut self, x: &BigFloat) -> BigFloat {
        x.acos(self.precision, ROUNDING, &mut self.constants)
    }

    /// The hyperbolic tangent.
    pub fn tanh(&mut self, x: &BigFloat) -> BigFloat {
        x.tanh(self.precision, ROUNDING, &mut self.constants)
    }

    /// The hyperbolic sine.
    pub fn sinh(&mut self, x: &BigFloat) -> BigFloat {
        x.sinh(self.precision, ROUNDING, &mut self.constants)
    }

    /// The hyperbolic cosine.
    pub fn cosh(&mut self, x: &BigFloat) -> BigFloat {
        x.cosh(self.precision, ROUNDING, &mut self.constants)
    }

    /// The arc tangent.
    pub fn atan(&mut self, x: &BigFloat) -> BigFloat {
        x.atan(self.precision, ROUNDING, &mut self.constants)
    }

    /// The inverse of the hyperbolic sine.
    pub fn asinh(&mut self, x: &BigFloat) -> BigFloat {
        x.asinh(self.precision, ROUNDING, &mut self.constants)
    }

    /// The inverse of the hyperbolic cosine.
    pub fn acosh(&mut self, x: &BigFloat) -> BigFloat {
        x.acosh(self.precision, ROUNDING, &mut self.constants)
    }

    /// The inverse of the hyperbolic tangent.
    pub fn atanh(&mut self, x: &BigFloat) -> BigFloat {
        x.atanh(self.precision, ROUNDING, &mut self.constants)
    }

    /// The logarithm of base 2.
    pub fn log2(&mut self, x: &BigFloat) -> BigFloat {
        x.log2(self.precision, ROUNDING, &mut self.constants)
    }

    /// The logarithm of base 10.
    pub fn log10(&mut self, x: &BigFloat) -> BigFloat {
        x.log10(self.precision, ROUNDING, &mut self.constants)
    }

    /// The logarithm of 1 + x; near zero, where the sum would lose digits of x, as 2 artanh(x / (2 + x)).
    pub fn log_of_one_plus(&mut self, x: &BigFloat) -> BigFloat {
        let (half, two) = (Reference::number(0.5), Reference::number(2.0));
        if x.abs() > half {
            return self.ln(&add(x, &Reference::number(1.0)));
        }
        let quotient = divide(x, &add(x, &two));
        multiply(&two, &self.atanh(&quotient))
    }

    /// e to the power x, minus 1; near zero, where the difference would lose digits, as 2 e^(x/2) sinh(x/2).
    pub fn exp_minus_one(&mut self, x: &BigFloat) -> BigFloat {
        if x.abs() > Reference::number(1.0) {
            return subtract(&self.exp(x), &Reference::number(1.0));
        }
        let half = multiply(x, &Reference::number(0.5));
        let product = multiply(&self.exp(&half), &self.sinh(&half));
        multiply(&Reference::number(2.0), &product)
    }

    /// The Bernoulli numbers of even indices that series use.
    pub fn bernoulli(&mut self) -> Vec<BigFloat> {
        if self.bernoulli.is_empty() {
            self.bernoulli = bernoulli();
        }
        self.bernoulli.clone()
    }

    /// The number pi, with so many bits.
    pub fn pi(&mut self, precision: usize) -> BigFloat {
        self.constants.pi(precision, ROUNDING)
    }

    /// The exponential function, with so many bits.
    pub fn precise_exp(&mut self, x: &BigFloat, precision: usize) -> BigFloat {
        x.exp(precision, ROUNDING, &mut self.constants)
    }

    /// The angle of the point (x, y); 0 for the origin, since zeros have no sign here.
    pub fn angle(&mut self, y: &BigFloat, x: &BigFloat) -> BigFloat {
        let pi = self.constants.pi(PRECISION, ROUNDING);
        let up = !y.is_negative();
        if x.is_zero() && y.is_zero() {
            return Reference::number(0.0);
        }
        if x.is_zero() {
            let quarter = divide(&pi, &Reference::number(2.0));
            return if up { quarter } else { quarter.neg() };
        }
        let angle = self.atan(&divide(y, x));
        match (x.is_negative(), up) {
            (false, _) => angle,
            (true, true) => add(&angle, &pi),
            (true, false) => subtract(&angle, &pi),
        }
    }

    /// x to the power y: of a negative x only for whole numbers y, else not a number.
    pub fn power(&mut self, x: &BigFloat, y: &BigFloat) -> BigFloat {
        if y.is_zero() {
            return Reference::number(1.0);
        }
        if x.is_zero() {
            return if y.is_negative() { Reference::number(f64::INFINITY) } else { Reference::number(0.0) };
        }
        if let Some(power) = whole_power(x, y) {
            return power;
        }
        let logarithm = self.ln(&x.abs());
        let magnitude = self.exp(&multiply(y, &logarithm));
        if !x.is_negative() {
            return magnitude;
        }
        if !y.fract().is_zero() {
            return Reference::number(f64::NAN);
        }
        let half = divide(y, &Reference::number(2.0));
        if half.fract().is_zero() { magnitude } else { magnitude.neg() }
    }
}

/// A power with a whole exponent that is not large, by products: exact where the digits suffice, so that a whole number to
/// a whole power can be truncated. None for other exponents.
fn whole_power(x: &BigFloat, y: &BigFloat) -> Option<BigFloat> {
    const MOST: f64 = 65536.0;
    if !y.fract().is_zero() || y.abs() > Reference::number(MOST) {
        return None;
    }
    let mut exponent = to_double(&y.abs()) as u32;
    let (mut power, mut factor) = (Reference::number(1.0), x.clone());
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = multiply(&power, &factor);
        }
        factor = square(&factor);
        exponent /= 2;
    }
    Some(if y.is_negative() { divide(&Reference::number(1.0), &power) } else { power })
}

/// The nearest whole number; of two equally near ones the even one.
pub fn round(x: &BigFloat) -> BigFloat {
    let (half, two) = (Reference::number(0.5), Reference::number(2.0));
    let below = floor(x);
    let fraction = subtract(x, &below);
    let is_even = divide(&below, &two).fract().is_zero();
    if fraction > half || (fraction == half && !is_even) { add(&below, &Reference::number(1.0)) } else { below }
}

/// The number of Bernoulli numbers in Stirling's series.
const TERMS: usize = 50;

/// The Bernoulli numbers of the even indices from 2, by the recurrence of their definition, with more bits than results
/// have since it cancels.
fn bernoulli() -> Vec<BigFloat> {
    const BITS: usize = 2 * PRECISION + 256;
    let number = |real: f64| BigFloat::from_f64(real, BITS);
    let mut all: Vec<BigFloat> = vec![number(1.0)];
    for m in 1..=2 * TERMS {
        // The sum of binomial(m + 1, k) B_k for k < m, divided by -(m + 1).
        let (mut sum, mut binomial) = (number(0.0), number(1.0));
        for (k, before) in all.iter().enumerate() {
            sum = sum.add(&binomial.mul(before, BITS, ROUNDING), BITS, ROUNDING);
            let (up, down) = (number((m + 1 - k) as f64), number((k + 1) as f64));
            binomial = binomial.mul(&up, BITS, ROUNDING).div(&down, BITS, ROUNDING);
        }
        all.push(sum.div(&number((m + 1) as f64), BITS, ROUNDING).neg());
    }
    all.into_iter().skip(2).step_by(2).collect()
}

/// Two to a power, exactly.
pub fn power_of_two(exponent: i32) -> BigFloat {
    let mut power = Reference::number(1.0);
    power.set_exponent(exponent + 1);
    power
}

/// The nearest double, of two equally near ones the one whose last bit is 0. Beyond the greatest double by half a unit in its last place
/// it is an infinity.
pub fn to_double(x: &BigFloat) -> f64 {
    let Some((words, _, sign, exponent, _)) = x.as_raw_parts() else {
        return match (x.is_inf_pos(), x.is_inf_neg()) {
            (true, _) => f64::INFINITY,
            (_, true) => f64::NEG_INFINITY,
            _ => f64::NAN,
        };
    };
    // The mantissa is a fraction whose first bit, the last of the last word, is one.
    let (&first, lower) = words.split_last().unwrap_or((&0, &[]));
    // Below the normal numbers a double has fewer bits than 53; half of the least one has none.
    let kept = (i64::from(exponent) + 1074).min(53);
    let magnitude = if first == 0 || kept < 0 {
        0.0
    } else if exponent > 1024 {
        f64::INFINITY
    } else {
        let shift = kept as u32;
        let (whole, rest) = (first.checked_shr(64 - shift).unwrap_or(0), first << shift);
        let is_more = lower.iter().any(|word| *word != 0);
        let is_up = rest > 1 << 63 || (rest == 1 << 63 && (is_more || whole % 2 == 1));
        // The bits of doubles are in the order of their magnitudes, so that a carry goes on into the exponent.
        let place = (i64::from(exponent) + 1021).max(0) as u64;
        f64::from_bits((place << 52) + whole + u64::from(is_up))
    };
    if sign == Sign::Neg { -magnitude } else { magnitude }
}

/// Returns true if it is a finite number.
pub fn is_finite(x: &BigFloat) -> bool {
    !x.is_nan() && !x.is_inf()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Numbers;

    #[test]
    fn doubles_come_back() {
        for real in [0.0, 1.0, -2.5, 0.1, 1e300, -1e-300, f64::MAX, f64::MIN_POSITIVE, 4503599627370497.5] {
            assert_eq!(to_double(&Reference::number(real)), real);
        }
        assert_eq!(to_double(&power_of_two(-66)), 2f64.powi(-66));
        assert!(to_double(&Reference::number(f64::NAN)).is_nan());
        let mut numbers = Numbers::new(1);
        for _ in 0..1000 {
            let real = f64::from_bits(numbers.bits());
            assert!(real.is_nan() || to_double(&Reference::number(real)).to_bits() == real.to_bits(), "{real:e}");
        }
    }

    #[test]
    fn ties_go_to_even_doubles() {
        let scaled = |real: f64, exponent: i32| multiply(&Reference::number(real), &power_of_two(exponent));
        let least = f64::from_bits(1);
        for (real, exponent, expected) in [
            // Below the normal numbers the last place is 2^-1074.
            (1.0, -1075, 0.0),
            (1.25, -1075, least),
            (0.75, -1075, 0.0),
            (1.0, -1076, 0.0),
            (3.0, -1075, 2.0 * least),
            (5.0, -1075, 2.0 * least),
            (7.0, -1075, 4.0 * least),
            (-5.0, -1075, -2.0 * least),
            // The last tie below the normal numbers.
            (9007199254740991.0, -1075, f64::MIN_POSITIVE),
            (9007199254740989.0, -1075, f64::from_bits((1 << 52) - 2)),
            // The greatest double is (2^53 - 1) 2^971.
            (9007199254740991.0, 971, f64::MAX),
            (1.0, 1024, f64::INFINITY),
            (-1.0, 5000, f64::NEG_INFINITY),
            (1.0, -5000, 0.0),
        ] {
            assert_eq!(to_double(&scaled(real, exponent)), expected, "{real} 2^{exponent}");
        }
        for (whole, half, expected) in [
            (9007199254740990.0, 0.5, 9007199254740990.0),
            (9007199254740991.0, 0.5, 9007199254740992.0),
            (9007199254740991.0, 0.5 - 2f64.powi(-40), 9007199254740991.0),
            (9007199254740990.0, 0.5 + 2f64.powi(-40), 9007199254740991.0),
            (f64::MAX, 2f64.powi(970), f64::INFINITY),
            (f64::MAX, 1.999 * 2f64.powi(969), f64::MAX),
        ] {
            assert_eq!(
                to_double(&add(&Reference::number(whole), &Reference::number(half))),
                expected,
                "{whole} {half}"
            );
        }
    }

    #[test]
    fn whole_powers_of_whole_numbers_are_exact() {
        let mut reference = Reference::new().unwrap();
        for (x, y, expected) in [(-7.0, 2.0, 49.0), (3.0, 5.0, 243.0), (-2.0, -3.0, -0.125), (5.0, 1.0, 5.0)] {
            let power = reference.power(&Reference::number(x), &Reference::number(y));
            assert_eq!(power, Reference::number(expected), "{x} to the power {y}");
        }
        let root = to_double(&reference.power(&Reference::number(2.0), &Reference::number(0.5)));
        assert!((root - 2f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn halves_are_rounded_to_even_numbers() {
        for (real, expected) in
            [(0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, 0.0), (-1.5, -2.0), (2.4, 2.0), (-2.6, -3.0)]
        {
            assert_eq!(to_double(&round(&Reference::number(real))), expected, "{real}");
        }
    }
}
