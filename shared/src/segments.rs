//! A stack in segments of equal length: it grows without being copied and takes memory by need.
//!
//! Engines keep their continuations in such stacks, which are as deep as the memory allows.

use std::mem;

/// A stack in segments, innermost last.
#[derive(Debug)]
pub struct Segments<T> {
    /// The innermost items.
    top: Vec<T>,
    /// Full segments, outermost first.
    below: Vec<Vec<T>>,
    /// An empty segment kept for the next time that `top` is full.
    spare: Option<Vec<T>>,
}

/// The items in a segment.
const SEGMENT: usize = 1024;

impl<T> Default for Segments<T> {
    fn default() -> Self {
        Segments { top: Vec::new(), below: Vec::new(), spare: None }
    }
}

impl<T> Segments<T> {
    /// Adds the innermost item.
    #[inline]
    pub fn push(&mut self, item: T) {
        if self.top.len() == self.top.capacity() {
            self.extend();
        }
        self.top.push(item);
    }

    #[cold]
    fn extend(&mut self) {
        let segment = self.spare.take().unwrap_or_else(|| Vec::with_capacity(SEGMENT));
        let full = mem::replace(&mut self.top, segment);
        if !full.is_empty() {
            self.below.push(full);
        }
    }

    /// Takes the innermost item.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        match self.top.pop() {
            Some(item) => Some(item),
            None => self.pop_below(),
        }
    }

    #[cold]
    fn pop_below(&mut self) -> Option<T> {
        let segment = self.below.pop()?;
        self.spare = Some(mem::replace(&mut self.top, segment));
        self.top.pop()
    }

    /// The items, innermost first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.top.iter().rev().chain(self.below.iter().rev().flat_map(|segment| segment.iter().rev()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_back_in_reverse_across_segments() {
        let mut stack = Segments::default();
        let many = 3 * SEGMENT + 5;
        (0..many).for_each(|item| stack.push(item));
        assert!(stack.iter().copied().eq((0..many).rev()));
        for round in 0..3 {
            (0..SEGMENT).for_each(|item| stack.push(item + round));
            assert!((0..SEGMENT).rev().all(|item| stack.pop() == Some(item + round)));
        }
        assert!((0..many).rev().all(|item| stack.pop() == Some(item)));
        assert_eq!(stack.pop(), None);
    }
}
