//! Shards: the parts of a set of programs that different machines run, `I/N`.
//!
//! Invariant: the shards of one number are disjoint and together everything, for sets of any size.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The part number `index` of `count` parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// Its number, from 1.
    pub index: u64,
    /// The number of all parts.
    pub count: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Shard { index, count }),
            Some(_) | None => Err("a shard is I/N, with I from 1 to N".to_owned()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.index, self.count)
    }
}

impl Shard {
    /// Returns true if it has the element at a position. Neighbours, which are often alike, go to different shards.
    pub fn takes(self, position: usize) -> bool {
        position as u64 % self.count == self.index - 1
    }

    /// Returns its part of a range: numbers that follow each other.
    pub fn part(self, range: Range<u64>) -> Range<u64> {
        let length = range.end.saturating_sub(range.start);
        // The product fits: both factors have 64 bits.
        let edge = |index: u64| {
            let part = u128::from(length) * u128::from(index) / u128::from(self.count);
            range.start.saturating_add(u64::try_from(part).unwrap_or(u64::MAX))
        };
        edge(self.index - 1)..edge(self.index)
    }
}

/// Checks that reports are those of all shards of one number, each once, or of none.
///
/// # Errors
/// A message on a shard that is missing or there twice, or on reports that do not belong together.
pub fn complete(shards: &[Option<Shard>]) -> Result<(), String> {
    let mut own: Vec<Shard> = shards.iter().flatten().copied().collect();
    let Some(first) = own.first().copied() else { return Ok(()) };
    if own.len() < shards.len() {
        return Err(format!("a report is no shard, and another one is {first}"));
    }
    if let Some(other) = own.iter().find(|shard| shard.count != first.count) {
        return Err(format!("a report is the shard {first}, and another one {other}"));
    }
    own.sort_unstable();
    if let Some(pair) = own.windows(2).find(|pair| pair.first() == pair.last()) {
        return Err(format!("the shard {} is there twice", pair.first().copied().unwrap_or(first)));
    }
    // They are in order and different, so the first that is not at its place is missing.
    let is_missing = |index: &u64| own.get((*index - 1) as usize).is_none_or(|shard| shard.index != *index);
    match (1..=first.count).find(is_missing) {
        Some(index) => Err(format!("the shard {} is missing", Shard { index, count: first.count })),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_out_everything() {
        for (size, count) in [(10_u64, 3), (2, 5), (0, 2), (7, 7), (1000, 1)] {
            let shards: Vec<Shard> = (1..=count).map(|index| Shard { index, count }).collect();
            for position in 0..size as usize {
                assert_eq!(shards.iter().filter(|shard| shard.takes(position)).count(), 1);
            }
            let numbers: Vec<u64> = shards.iter().flat_map(|shard| shard.part(5..5 + size)).collect();
            assert_eq!(numbers, (5..5 + size).collect::<Vec<u64>>());
        }
        let half = Shard { index: 2, count: 2 }.part(0..u64::MAX);
        assert_eq!((half.start, half.end), (u64::MAX / 2, u64::MAX));
    }

    #[test]
    fn shards_are_written_as_fractions() {
        assert_eq!("3/8".parse(), Ok(Shard { index: 3, count: 8 }));
        for wrong in ["", "3", "0/2", "3/2", "0/0", "1/x", "-1/2", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn reports_belong_together() {
        let check = |texts: &[&str]| {
            let shards: Vec<Option<Shard>> = texts.iter().map(|text| text.parse().ok()).collect();
            complete(&shards)
        };
        assert_eq!(check(&["2/3", "1/3", "3/3"]), Ok(()));
        assert_eq!(check(&["-", "-"]), Ok(()));
        for (texts, complaint) in [
            (&["2/3", "1/3"][..], "the shard 3/3 is missing"),
            (&["2/2"], "the shard 1/2 is missing"),
            (&["1/2", "2/2", "2/2"], "the shard 2/2 is there twice"),
            (&["1/2", "2/3"], "the shard 1/2, and another one 2/3"),
            (&["1/1", "-"], "is no shard"),
        ] {
            assert!(check(texts).unwrap_err().contains(complaint), "{texts:?}");
        }
    }
}
