//! The layout of tape records and cells in words of 64 bits, for the passes on records, the evaluator and the printer of C.
//!
//! A real or a cell takes one word. An array takes two, its address and its length. Booleans are bits: 64 of them share a word, and
//! these words come first. So a part that is appended to a cell moves no other part, unless it is a boolean that begins a word.
//!
//! The header of a cell says which of its words are cells, for code that moves it.

use crate::Kind;

/// The booleans in a word.
const FLAGS_IN_WORD: usize = 64;

/// The bit of a header for the first word of a cell, and the number of words that have one (`first_order_paths.h`).
const FIRST_WORD: u64 = 8;
const MOST_DESCRIBED: u64 = 55;

/// The greatest number of words that a header can say.
const MOST_WORDS: u64 = 127;

/// The place of a value in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The word of a real, or of an integer as a real.
    Real(u64),
    /// The word of a cell.
    Cell(u64),
    /// The first word of an array.
    Array(u64),
    /// The word and the bit of a boolean.
    Flag(u64, u64),
}

/// Returns the places of values of these kinds, and the number of words.
pub fn places(kinds: &[Kind]) -> (Vec<Place>, u64) {
    let words_of = |kind: &Kind| match kind {
        Kind::Real | Kind::Cell | Kind::Integer => 1,
        Kind::Array(_) => 2,
        Kind::Boolean => 0,
    };
    let words_of_flags = kinds.iter().filter(|kind| **kind == Kind::Boolean).count().div_ceil(FLAGS_IN_WORD);
    let (mut next_word, mut flags) = (words_of_flags as u64, 0);
    let places = kinds.iter().map(|kind| {
        let word = next_word;
        next_word += words_of(kind) as u64;
        match kind {
            Kind::Real | Kind::Integer => Place::Real(word),
            Kind::Cell => Place::Cell(word),
            Kind::Array(_) => Place::Array(word),
            Kind::Boolean => {
                flags += 1;
                let flag = flags - 1;
                Place::Flag((flag / FLAGS_IN_WORD) as u64, (flag % FLAGS_IN_WORD) as u64)
            }
        }
    });
    let places = places.collect();
    (places, next_word)
}

/// The header of a cell with parts of these kinds; none if there are arrays among them, or more words than it describes.
pub fn header(kinds: &[Kind]) -> Option<u64> {
    let (places, words) = places(kinds);
    if words > MOST_WORDS {
        return None;
    }
    let mut header = 1 | words << 1;
    for place in places {
        match place {
            Place::Real(_) | Place::Flag(..) => {}
            Place::Cell(word) if word < MOST_DESCRIBED => header |= 1 << (FIRST_WORD + word),
            Place::Cell(_) | Place::Array(_) => return None,
        }
    }
    Some(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn booleans_share_words() {
        let (of_few, words) = places(&[Kind::Boolean, Kind::Real, Kind::Boolean, Kind::Real]);
        assert_eq!((of_few, words), (vec![Place::Flag(0, 0), Place::Real(1), Place::Flag(0, 1), Place::Real(2)], 3));
        let (of_many, words) = places(&[Kind::Boolean; 129]);
        assert_eq!(
            (of_many[63], of_many[64], of_many[128], words),
            (Place::Flag(0, 63), Place::Flag(1, 0), Place::Flag(2, 0), 3)
        );
        assert_eq!(places(&[]), (vec![], 0));
        let of_array = places(&[Kind::Boolean, Kind::REALS, Kind::Real]);
        assert_eq!(of_array, (vec![Place::Flag(0, 0), Place::Array(1), Place::Real(3)], 4));
    }
}
