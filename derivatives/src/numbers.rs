//! Pseudo-random numbers for generated programs: the same on every machine, in every run and in every version, since
//! the seeds of `vlad fuzz` name programs.

/// The increment of a generator's state.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator of numbers: splitmix64.
#[derive(Clone, Debug)]
pub struct Numbers {
    state: u64,
}

impl Numbers {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Numbers {
        Numbers { state: seed }
    }

    /// The number at a place of the sequence of a seed.
    pub fn at(seed: u64, place: u64) -> u64 {
        Numbers::new(seed.wrapping_add(place.wrapping_mul(GAMMA))).bits()
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A whole number from 0 up to, not including, `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % (bound as u64).max(1)) as usize
    }

    /// A real with few digits between -2 and 2, not zero.
    pub fn real(&mut self) -> f64 {
        let magnitude = (1 + self.below(1999)) as f64 / 1000.0;
        if self.below(2) == 0 { magnitude } else { -magnitude }
    }

    /// A small whole number as a real, not zero: sums and products of a few are exact.
    pub fn whole(&mut self) -> f64 {
        let magnitude = (1 + self.below(9)) as f64;
        if self.below(2) == 0 { magnitude } else { -magnitude }
    }
}
