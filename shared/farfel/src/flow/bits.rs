//! Sets of variables as bits, by the numbers that a subprogram gives its variables.

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Adds a number.
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        if let Some(place) = self.words.get_mut(word) {
            *place |= 1 << (number % 64);
        }
    }

    /// Removes a number.
    pub fn remove(&mut self, number: usize) {
        if let Some(place) = self.words.get_mut(number / 64) {
            *place &= !(1 << (number % 64));
        }
    }

    /// Returns true if a number is in the set.
    pub fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Adds all numbers of another set; returns true if any is new.
    pub fn extend(&mut self, other: &Bits) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut changes = false;
        for (own, other) in self.words.iter_mut().zip(&other.words) {
            changes |= *other & !*own != 0;
            *own |= *other;
        }
        changes
    }

    /// Returns the numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    at * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn sets_hold_what_was_added() {
        let (mut first, mut second) = (Bits::default(), Bits::default());
        [3, 64, 200].into_iter().for_each(|number| first.insert(number));
        second.insert(5);
        assert!(second.extend(&first) && !second.extend(&first));
        second.remove(64);
        assert_eq!(second.iter().collect::<Vec<_>>(), [3, 5, 200]);
        assert!(second.contains(200) && !second.contains(64) && !second.contains(10_000));
    }
}
