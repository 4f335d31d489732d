//! Records of reverse sweeps, and cells, in C: a word for each real and each cell, and one for every 64 booleans, which are
//! its bits.

use crate::first_order::Kind;
use vlad_table::internal_bug;

/// The booleans in a word.
const FLAGS_IN_WORD: usize = 64;

/// The C type of words that are set.
pub const RECORD: &str = "union vlad_bits *";

/// The place of a value in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The word of a real.
    Real(u64),
    /// The word of a cell.
    Cell(u64),
    /// The word and the bit of a boolean.
    Flag(u64, u64),
}

/// Returns the places of values of these kinds, and the number of words.
pub fn places(kinds: &[Kind]) -> (Vec<Place>, u64) {
    let words = kinds.iter().filter(|kind| **kind != Kind::Boolean).count();
    let (mut next, mut flags) = (0, 0);
    let places = kinds.iter().map(|kind| match kind {
        Kind::Real => {
            next += 1;
            Place::Real(next - 1)
        }
        Kind::Cell => {
            next += 1;
            Place::Cell(next - 1)
        }
        Kind::Array(_) => internal_bug!("no record has an array"),
        Kind::Boolean => {
            flags += 1;
            let flag = flags - 1;
            Place::Flag((words + flag / FLAGS_IN_WORD) as u64, (flag % FLAGS_IN_WORD) as u64)
        }
    });
    let places = places.collect();
    (places, (words + flags.div_ceil(FLAGS_IN_WORD)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn booleans_share_words() {
        let (of_few, words) = places(&[Kind::Boolean, Kind::Real, Kind::Boolean, Kind::Real]);
        assert_eq!((of_few, words), (vec![Place::Flag(2, 0), Place::Real(0), Place::Flag(2, 1), Place::Real(1)], 3));
        let (of_many, words) = places(&[Kind::Boolean; 129]);
        assert_eq!(
            (of_many[63], of_many[64], of_many[128], words),
            (Place::Flag(0, 63), Place::Flag(1, 0), Place::Flag(2, 0), 3)
        );
        assert_eq!(places(&[]), (vec![], 0));
    }
}
