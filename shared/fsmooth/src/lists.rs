//! Lists of the elements of trees, all in one vector.

/// A list of elements, a range of all elements.
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
