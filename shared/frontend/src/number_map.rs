//! Hash maps whose keys are numbers that a front end gives itself. Nobody chooses these keys, so a hash of a few
//! instructions does, and nothing may depend on the order of such a map.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map from numbers.
pub type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// A set of numbers.
pub type NumberSet<K> = HashSet<K, BuildHasherDefault<NumberHasher>>;

/// An odd number whose bits are spread, by which hashes are multiplied.
const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;

/// A hash of numbers: a sum and a product for each.
#[derive(Clone, Copy, Debug, Default)]
pub struct NumberHasher(u64);

impl NumberHasher {
    fn add(&mut self, number: u64) {
        self.0 = self.0.wrapping_add(number).wrapping_mul(FACTOR);
    }
}

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        // The low bits of a product depend on few bits of its factors.
        self.0.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.add(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.add(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.add(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::hash::{BuildHasher, Hash};

    fn hash(value: impl Hash) -> u64 {
        BuildHasherDefault::<NumberHasher>::default().hash_one(value)
    }

    #[test]
    fn numbers_in_a_row_have_places_of_their_own() {
        let low: HashSet<u64> = (0..4096_u32).map(|number| hash(number) & 0xffff).collect();
        assert!(low.len() > 3500, "{}", low.len());
        let pairs: HashSet<u64> =
            (0..64_u32).flat_map(|one| (0..64_u32).map(move |other| hash((one, other)))).collect();
        assert_eq!(pairs.len(), 64 * 64);
    }
}
