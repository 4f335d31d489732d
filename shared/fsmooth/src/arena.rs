//! Arenas: the elements of trees by numbers, which have a type of their own for each kind of elements.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use vlad_table::internal_bug;

/// The number of an element.
pub trait Number: Copy {
    /// The number of a place, from 0.
    fn of(place: usize) -> Self;

    /// Returns the place.
    fn place(self) -> usize;
}

/// Declares types of numbers.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $crate::arena::Number for $name {
            fn of(place: usize) -> $name {
                $name(place as u32)
            }

            fn place(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
pub(crate) use numbers;

/// Elements with numbers.
#[derive(Clone, Debug)]
pub struct Arena<N, T> {
    elements: Vec<T>,
    numbers: PhantomData<N>,
}

impl<N, T> Default for Arena<N, T> {
    fn default() -> Arena<N, T> {
        Arena { elements: vec![], numbers: PhantomData }
    }
}

impl<N: Number, T> Arena<N, T> {
    /// Adds an element.
    pub fn add(&mut self, element: T) -> N {
        self.elements.push(element);
        N::of(self.elements.len() - 1)
    }

    /// All elements, in the order of their numbers.
    pub fn all(&self) -> &[T] {
        &self.elements
    }

    /// Returns the number of elements.
    pub fn count(&self) -> usize {
        self.elements.len()
    }
}

impl<N, T: Clone> Arena<N, T> {
    /// So many elements, all equal.
    pub fn filled(count: usize, element: T) -> Arena<N, T> {
        Arena { elements: vec![element; count], numbers: PhantomData }
    }
}

impl<N: Number, T> Index<N> for Arena<N, T> {
    type Output = T;

    fn index(&self, number: N) -> &T {
        match self.elements.get(number.place()) {
            Some(element) => element,
            None => internal_bug!("number {} is in its arena", number.place()),
        }
    }
}

impl<N: Number, T> IndexMut<N> for Arena<N, T> {
    fn index_mut(&mut self, number: N) -> &mut T {
        match self.elements.get_mut(number.place()) {
            Some(element) => element,
            None => internal_bug!("number {} is in its arena", number.place()),
        }
    }
}

/// A list of elements, a range of their arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    from: u32,
    to: u32,
}

impl List {
    /// Returns true for a list without elements.
    pub fn is_empty(self) -> bool {
        self.from == self.to
    }
}

/// The elements of lists.
#[derive(Clone, Debug)]
pub struct Lists<T>(Vec<T>);

impl<T> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists(vec![])
    }
}

impl<T> Lists<T> {
    /// Adds a list.
    pub fn add(&mut self, elements: impl IntoIterator<Item = T>) -> List {
        let from = self.0.len() as u32;
        self.0.extend(elements);
        List { from, to: self.0.len() as u32 }
    }

    /// The elements of a list.
    pub fn get(&self, list: List) -> &[T] {
        self.0.get(list.from as usize..list.to as usize).unwrap_or(&[])
    }
}
