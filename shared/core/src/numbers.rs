//! Numbers as types of their own, and tables by them: a function of a unit, a variable of a function, an expression of a tree.
//!
//! An entry is read by its own kind of number alone, and a missing one is a broken invariant. Published crates for such
//! tables panic there, and lend slices, which lints forbid to index.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use vlad_table::internal_bug;

/// A number of something, from 0 on.
pub trait Number: Copy {
    /// The number at a place of a list.
    fn at(place: usize) -> Self;

    /// Its place in a list.
    fn place(self) -> usize;
}

/// Declares types of numbers.
#[macro_export]
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $crate::numbers::Number for $name {
            fn at(place: usize) -> $name {
                $name(place as u32)
            }

            fn place(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

/// A table by such numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<N, T> {
    entries: Vec<T>,
    number: PhantomData<N>,
}

impl<N: Number, T> Table<N, T> {
    /// A table of equal entries.
    pub fn filled(length: usize, entry: T) -> Table<N, T>
    where
        T: Clone,
    {
        vec![entry; length].into_iter().collect()
    }

    /// The number of entries.
    #[expect(clippy::len_without_is_empty, reason = "nothing asks")]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds an entry, and returns its number.
    pub fn push(&mut self, entry: T) -> N {
        self.entries.push(entry);
        N::at(self.entries.len() - 1)
    }

    /// The entries, in the order of their numbers.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// The entries, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    /// The numbers.
    pub fn numbers(&self) -> impl Iterator<Item = N> + use<N, T> {
        (0..self.entries.len()).map(N::at)
    }

    /// The entries with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (N, &T)> {
        self.numbers().zip(&self.entries)
    }
}

impl<N> Table<N, bool> {
    /// The numbers whose entries are true.
    pub fn all_true(&self) -> impl Iterator<Item = N>
    where
        N: Number,
    {
        self.numbered().filter(|(_, entry)| **entry).map(|(number, _)| number)
    }
}

impl<N, T> Default for Table<N, T> {
    fn default() -> Table<N, T> {
        std::iter::empty().collect()
    }
}

impl<N: Number, T> Index<N> for Table<N, T> {
    type Output = T;

    fn index(&self, number: N) -> &T {
        match self.entries.get(number.place()) {
            Some(entry) => entry,
            None => internal_bug!("number {} is in a table of {}", number.place(), self.entries.len()),
        }
    }
}

impl<N: Number, T> IndexMut<N> for Table<N, T> {
    fn index_mut(&mut self, number: N) -> &mut T {
        let length = self.entries.len();
        match self.entries.get_mut(number.place()) {
            Some(entry) => entry,
            None => internal_bug!("number {} is in a table of {length}", number.place()),
        }
    }
}

impl<N, T> FromIterator<T> for Table<N, T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Table<N, T> {
        Table { entries: entries.into_iter().collect(), number: PhantomData }
    }
}

impl<N, T> IntoIterator for Table<N, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'table, N, T> IntoIterator for &'table Table<N, T> {
    type Item = &'table T;
    type IntoIter = std::slice::Iter<'table, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}
