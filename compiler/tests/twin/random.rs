//! Random choices, the same in every run.

use fastrand::Rng;

/// A pseudo-random generator.
#[derive(Clone, Debug)]
pub struct Random(Rng);

/// Special reals: those at which operations and their derivatives have corners.
pub const SPECIAL: [f64; 22] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    3.0,
    -2.5,
    1e-300,
    -1e-310,
    5e-324,
    1e300,
    -1e308,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    std::f64::consts::PI,
    -std::f64::consts::FRAC_PI_2,
    0.1,
    -7.25,
    1e16,
];

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Rng::with_seed(seed))
    }

    /// A random number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.usize(..bound)
    }

    pub fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    /// A random real, often a special one.
    pub fn real(&mut self) -> f64 {
        if self.one_in(3) { SPECIAL[self.below(SPECIAL.len())] } else { self.below(1 << 20) as f64 / 1e5 - 5.0 }
    }
}
