//! Points at which functions are compared: of all magnitudes, dense where methods change, exact and halfway cases, large angles, subnormal
//! results, and all pairs of special operands.

use super::thresholds::{regions, thresholds};
use std::f64::consts::{FRAC_PI_2, LN_2};
use vlad_derivatives::numbers::Numbers;
use vlad_shared::table::{Arity, Operation};

use Operation as O;

/// The least positive double.
const LEAST: f64 = f64::from_bits(1);

/// Doubles whose pairs are special cases of one function or another.
const SPECIAL: [f64; 26] = [
    0.0,
    LEAST,
    3.0 * LEAST,
    1e-310,
    f64::MIN_POSITIVE,
    1e-300,
    f64::EPSILON,
    0.25,
    0.5,
    1.0 - f64::EPSILON / 2.0,
    1.0,
    1.0 + f64::EPSILON,
    1.5,
    2.0,
    3.0,
    4.0,
    170.5,
    1023.0,
    1074.0,
    1075.0,
    9_007_199_254_740_991.0,
    9_007_199_254_740_994.0,
    1e300,
    f64::MAX,
    f64::INFINITY,
    f64::NAN,
];

/// The points whose coordinates are special doubles of either sign.
pub fn special_points(operation: Operation) -> Vec<[f64; 2]> {
    let signed: Vec<f64> = SPECIAL.iter().flat_map(|real| [*real, -*real]).collect();
    match operation.arity() {
        Arity::One => signed.iter().map(|x| [*x, *x]).collect(),
        Arity::Two => signed.iter().flat_map(|x| signed.iter().map(|y| [*x, *y])).collect(),
    }
}

/// The pseudo-random points of a function.
#[derive(Clone, Debug)]
pub struct Points {
    operation: Operation,
    numbers: Numbers,
    thresholds: Vec<f64>,
    regions: &'static [(f64, f64)],
}

impl Points {
    /// The points of a seed.
    pub fn new(operation: Operation, seed: u64) -> Points {
        let numbers = Numbers::new(Numbers::at(seed, operation as u64));
        Points { operation, numbers, thresholds: thresholds(operation), regions: regions(operation) }
    }

    /// The next point.
    pub fn point(&mut self) -> [f64; 2] {
        match self.operation {
            O::Power => self.power(),
            O::ArcTangent2 => self.angle(),
            O::Hypotenuse => self.hypotenuse(),
            _ => {
                let x = self.operand();
                [x, x]
            }
        }
    }

    /// An operand of a function of one operand.
    fn operand(&mut self) -> f64 {
        match self.numbers.below(10) {
            0 => f64::from_bits(self.numbers.bits()),
            1 => self.signed_of_exponents(-64, 12),
            2 => {
                let threshold = self.threshold();
                let near = self.near(threshold);
                self.signed(near)
            }
            3 => {
                let threshold = self.threshold();
                self.near(threshold)
            }
            4 => self.boundary(),
            5 => self.plain(),
            6 => self.aside(),
            _ => self.regional(),
        }
    }

    /// A number between 0 and 1.
    fn unit(&mut self) -> f64 {
        (self.numbers.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn signed(&mut self, real: f64) -> f64 {
        if self.numbers.below(2) == 0 { real } else { -real }
    }

    /// A number of random digits whose exponent is between two, of either sign.
    fn signed_of_exponents(&mut self, least: i32, most: i32) -> f64 {
        let exponent = least + self.numbers.below((most - least).max(1) as usize) as i32;
        let magnitude = scaled(1.0 + self.unit(), exponent);
        self.signed(magnitude)
    }

    fn threshold(&mut self) -> f64 {
        let at = self.numbers.below(self.thresholds.len());
        self.thresholds.get(at).copied().unwrap_or(1.0)
    }

    fn regional(&mut self) -> f64 {
        let at = self.numbers.below(self.regions.len());
        let (from, to) = self.regions.get(at).copied().unwrap_or((-1.0, 1.0));
        from + (to - from) * self.unit()
    }

    /// A number that differs from another one in some of its last bits.
    fn near(&mut self, real: f64) -> f64 {
        let changed = self.numbers.below(48) as u32;
        let distance = self.numbers.bits() & ((1 << changed) - 1);
        let word = real.to_bits();
        let moved = if self.numbers.below(2) == 0 { word.wrapping_add(distance) } else { word.wrapping_sub(distance) };
        f64::from_bits(moved)
    }

    /// A number near a multiple of a part of one, of the logarithm of two or of a quarter of a turn: boundaries of tables. Quarters of
    /// turns themselves are among them, to the last bit.
    fn boundary(&mut self) -> f64 {
        let part = f64::from(1_u32 << self.numbers.below(14));
        let multiple = self.numbers.below(1 << 20) as f64 / 2.0;
        let multiple = if self.numbers.below(2) == 0 { multiple % 40.0 } else { multiple };
        let exact = match self.numbers.below(4) {
            0 => multiple / part,
            1 => multiple * LN_2 / part,
            2 => multiple * FRAC_PI_2 / part,
            _ => multiple.mul_add(FRAC_PI_2, multiple * 6.123_233_995_736_766e-17),
        };
        let near = match self.numbers.below(2) {
            0 => f64::from_bits(exact.to_bits().wrapping_add(self.numbers.bits() % 5).wrapping_sub(2)),
            _ => self.near(exact),
        };
        self.signed(near)
    }

    /// A number with few bits: exact and halfway cases.
    fn plain(&mut self) -> f64 {
        let whole = self.numbers.bits() >> (40 + self.numbers.below(24));
        let exponent = self.numbers.below(30) as i32 - 20;
        let plain = match self.numbers.below(4) {
            // Cubes of whole numbers, and powers of ten and of two.
            0 => ((whole & 0x1_ffff) as f64).powi(3),
            1 => scaled(1.0, (whole % 2098) as i32 - 1074),
            2 => 10f64.powi((whole % 23) as i32),
            _ => scaled(whole as f64, exponent),
        };
        self.signed(plain)
    }

    /// A number beside a small whole number or beside a half.
    fn aside(&mut self) -> f64 {
        let whole = self.numbers.below(360) as f64 / 2.0 - 90.0;
        let whole = if self.numbers.below(2) == 0 { whole % 4.0 } else { whole };
        whole + self.signed_of_exponents(-60, -1)
    }

    /// A power: of any operands, with a result of any exponent, of bases near one, exact and halfway ones, and with the exponents that
    /// have short ways.
    fn power(&mut self) -> [f64; 2] {
        match self.numbers.below(8) {
            0 => [f64::from_bits(self.numbers.bits()), f64::from_bits(self.numbers.bits())],
            1 => {
                const EXPONENTS: [f64; 14] =
                    [2.0, 3.0, -1.0, 0.5, -0.5, -2.0, 1.5, 4.0, 5.0, 1.0 / 3.0, 0.25, -3.0, 2.5, 1.0];
                let y = EXPONENTS.get(self.numbers.below(14)).copied().unwrap_or(2.0);
                let base = match self.numbers.below(3) {
                    0 => f64::from_bits(self.numbers.bits()),
                    1 => self.plain(),
                    _ => self.signed_of_exponents(-360, 360),
                };
                [base, y]
            }
            2 => {
                // A whole number of few bits: its powers are exact, or are halfway between doubles, or nearly so.
                let y = self.numbers.below(36) as f64;
                let bits = 2 + self.numbers.below(30);
                let base = scaled((self.numbers.bits() >> (64 - bits)) as f64, self.numbers.below(8) as i32 - 4);
                let (base, y) = (self.signed(base), self.signed(y));
                [base, y]
            }
            3 => {
                // A power of a power of two of a number of few bits, which has exact roots.
                let root = (self.numbers.bits() >> (64 - 2 - self.numbers.below(24))) as f64;
                let halvings = 1 + self.numbers.below(3) as u32;
                let y = (1 + 2 * self.numbers.below(6)) as f64 / f64::from(1_u32 << halvings);
                [root.powi(1 << halvings), self.signed(y)]
            }
            4 => {
                let near_one = 1.0 + self.signed_of_exponents(-52, -1);
                self.towards(near_one)
            }
            5 => {
                let base = self.signed_of_exponents(-12, 12).abs();
                self.towards(base)
            }
            6 => [2.0, self.plain()],
            _ => {
                let base = self.signed_of_exponents(-1000, 1000).abs();
                self.towards(base)
            }
        }
    }

    /// A base with an exponent that makes the result a double of any exponent.
    fn towards(&mut self, base: f64) -> [f64; 2] {
        let logarithm = match self.numbers.below(4) {
            0 => -1022.0 - 54.0 * self.unit(),
            1 => 1020.0 + 5.0 * self.unit(),
            _ => 2100.0 * self.unit() - 1076.0,
        };
        [base, logarithm / base.log2()]
    }

    /// An angle: of any operands, of a quotient of any exponent, of few bits, of a quotient that is subnormal.
    fn angle(&mut self) -> [f64; 2] {
        match self.numbers.below(6) {
            0 => [f64::from_bits(self.numbers.bits()), f64::from_bits(self.numbers.bits())],
            1 => [self.signed_of_exponents(-60, 60), self.signed_of_exponents(-4, 4)],
            2 => [self.plain(), self.plain()],
            3 => {
                let x = self.signed_of_exponents(0, 1020);
                let quotient = scaled(1.0 + self.unit(), -1076 + self.numbers.below(60) as i32);
                [x * quotient, x]
            }
            4 => {
                // Quotients of one bit more than a subnormal number has.
                let twice = (1 + 2 * (self.numbers.bits() >> (12 + self.numbers.below(51)))) as f64;
                let halvings = self.numbers.below(60) as i32 + 1;
                [self.signed(scaled(twice, -1074)), scaled(1.0, halvings)]
            }
            _ => [self.signed_of_exponents(-1022, 1023), self.signed_of_exponents(-1022, 1023)],
        }
    }

    /// A hypotenuse: of any operands, of sides whose exponents are near, of triples, and halfway between doubles.
    fn hypotenuse(&mut self) -> [f64; 2] {
        let scale = self.numbers.below(2040) as i32 - 1070;
        match self.numbers.below(6) {
            0 => [f64::from_bits(self.numbers.bits()), f64::from_bits(self.numbers.bits())],
            1 => [self.signed_of_exponents(-60, 60), self.signed_of_exponents(-60, 60)],
            2 => {
                let (p, q) = (self.numbers.bits() >> (38 + self.numbers.below(24)), self.numbers.bits() >> 38);
                self.triple(p, q, scale)
            }
            3 => {
                // The hypotenuse p^2 + q^2 has 54 bits and is odd if one of p and q is.
                let p = (1 << 26) + (self.numbers.bits() >> 39);
                let q = (1 << 26) + (self.numbers.bits() >> 39);
                self.triple(p, q - (1 + q + p) % 2, scale)
            }
            4 => {
                let whole = |word: u64, bits: usize| (word >> (63 - bits)) as f64;
                let (x, y) = (self.numbers.bits(), self.numbers.bits());
                let (x, y) = (whole(x, self.numbers.below(54)), whole(y, self.numbers.below(54)));
                [scaled(x, -1074), scaled(y, -1074)]
            }
            _ => {
                let x = self.signed_of_exponents(-1022, 1024);
                [x, self.signed_of_exponents(-60, 60) * x]
            }
        }
    }

    /// The short sides of the triangle that Euclid's formula makes of two numbers, scaled.
    fn triple(&mut self, p: u64, q: u64, scale: i32) -> [f64; 2] {
        let (p, q) = (u128::from(p), u128::from(q));
        let (x, y) = ((p * p).abs_diff(q * q) as f64, (2 * p * q) as f64);
        let sides = [scaled(x, scale - 53), scaled(y, scale - 53)];
        let [x, y] = sides;
        if self.numbers.below(2) == 0 { sides } else { [y, -x] }
    }
}

/// x times 2 to a power, in two steps, since the power alone may be no double.
fn scaled(x: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    x * 2f64.powi(half) * 2f64.powi(exponent - half)
}
