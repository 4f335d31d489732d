//! A stack in segments: it grows without being copied, allocates memory as needed, and can be captured at little cost.
//!
//! Engines hold their continuations in such stacks, which are as deep as the memory allows. Capturing a stack
//! ([`Segments::keep`]) freezes its contents: frozen segments are shared, and popping from a segment that is still
//! shared copies one item at a time. So a capture takes constant time and space, whatever the depth.

use std::rc::Rc;

/// A stack in segments, innermost last.
#[derive(Debug)]
pub struct Segments<T> {
    /// The innermost items.
    top: Vec<T>,
    /// The items below: a part of a segment, and all items below that.
    below: Option<LowerItems<T>>,
    /// An empty segment, kept for the next time that `top` is full.
    spare: Option<Vec<T>>,
}

/// The first `length` items of a segment that may be shared.
#[derive(Debug)]
struct LowerItems<T> {
    segment: Rc<Segment<T>>,
    length: usize,
}

/// A frozen segment, which is not written to.
#[derive(Debug)]
struct Segment<T> {
    items: Vec<T>,
    below: Option<LowerItems<T>>,
}

/// The number of items in a segment.
const SEGMENT: usize = 1024;

/// The initial capacity of a segment: there may be many stacks with few items.
const SMALLEST: usize = 8;

impl<T> Default for Segments<T> {
    fn default() -> Self {
        Segments { top: Vec::new(), below: None, spare: None }
    }
}

impl<T> Clone for LowerItems<T> {
    fn clone(&self) -> Self {
        LowerItems { segment: Rc::clone(&self.segment), length: self.length }
    }
}

impl<T> Segments<T> {
    /// Pushes an item.
    #[inline]
    pub fn push(&mut self, item: T) {
        if self.top.len() == self.top.capacity() {
            self.extend();
        }
        self.top.push(item);
    }

    #[cold]
    fn extend(&mut self) {
        let room = self.top.capacity();
        if room < SEGMENT && self.spare.is_none() {
            self.top.reserve_exact(room.max(SMALLEST).min(SEGMENT - room));
            return;
        }
        let segment = self.spare.take().unwrap_or_else(|| Vec::with_capacity(SEGMENT));
        self.freeze(segment);
    }

    /// Freezes the top segment, and continues with an empty one.
    fn freeze(&mut self, empty: Vec<T>) {
        let items = std::mem::replace(&mut self.top, empty);
        if items.is_empty() {
            return;
        }
        let length = items.len();
        let below = self.below.take();
        self.below = Some(LowerItems { segment: Rc::new(Segment { items, below }), length });
    }

    /// Captures the present items.
    pub fn keep(mut self) -> Kept<T> {
        // Frozen segments get no further items, so their spare capacity is released.
        self.top.shrink_to_fit();
        self.freeze(Vec::new());
        Kept { items: self.below }
    }

    /// The items, innermost first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.top.iter().rev().chain(items_of(self.below.as_ref()))
    }
}

/// The items of a part of a segment and of everything below it, innermost first.
fn items_of<T>(below: Option<&LowerItems<T>>) -> impl Iterator<Item = &T> {
    let mut below = below;
    let segments = std::iter::from_fn(move || {
        let part = below?;
        below = part.segment.below.as_ref();
        part.segment.items.get(..part.length)
    });
    segments.flat_map(|segment| segment.iter().rev())
}

/// A captured stack: its items at the time of the capture.
#[derive(Debug)]
pub struct Kept<T> {
    items: Option<LowerItems<T>>,
}

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Kept { items: self.items.clone() }
    }
}

impl<T> Kept<T> {
    /// The items, innermost first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        items_of(self.items.as_ref())
    }
}

/// Makes a stack that begins with the captured items.
impl<T> From<Kept<T>> for Segments<T> {
    fn from(kept: Kept<T>) -> Segments<T> {
        Segments { top: Vec::new(), below: kept.items, spare: None }
    }
}

impl<T: Clone> Segments<T> {
    /// Pops the innermost item.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        match self.top.pop() {
            Some(item) => Some(item),
            None => self.pop_below(),
        }
    }

    /// The innermost item, which is not shared with kept stacks any more.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        if self.top.is_empty() {
            let item = self.pop_below()?;
            self.push(item);
        }
        self.top.last_mut()
    }

    #[cold]
    fn pop_below(&mut self) -> Option<T> {
        loop {
            let LowerItems { segment, length } = self.below.take()?;
            match Rc::try_unwrap(segment) {
                // The segment is not shared any more: it becomes the top again.
                Ok(mut segment) => {
                    segment.items.truncate(length);
                    self.below = segment.below.take();
                    let empty = std::mem::replace(&mut self.top, std::mem::take(&mut segment.items));
                    if empty.capacity() > 0 {
                        self.spare = Some(empty);
                    }
                    if let Some(item) = self.top.pop() {
                        return Some(item);
                    }
                }
                Err(segment) => {
                    let item = length.checked_sub(1).and_then(|last| segment.items.get(last).cloned());
                    if item.is_some() {
                        self.below = Some(LowerItems { segment, length: length - 1 });
                        return item;
                    }
                    self.below.clone_from(&segment.below);
                }
            }
        }
    }
}

/// Drops a chain of segments one after the other, so no depth of a stack needs host stack.
impl<T> Drop for Segment<T> {
    fn drop(&mut self) {
        let mut below = self.below.take();
        while let Some(LowerItems { segment, .. }) = below {
            below = Rc::into_inner(segment).and_then(|mut segment| segment.below.take());
        }
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

    /// Compared with stacks that are copied as a whole.
    #[test]
    fn stacks_that_are_kept_do_not_change() {
        let mut stack = Segments::default();
        let mut copy = Vec::new();
        let mut kept: Vec<(Kept<u32>, Vec<u32>)> = Vec::new();
        let mut random = 1_u32;
        for item in 0..20_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            match random >> 28 {
                0..8 => {
                    stack.push(item);
                    copy.push(item);
                }
                8..15 => assert_eq!(stack.pop(), copy.pop()),
                _ if random & 0x40_0000 == 0 => {
                    let now = std::mem::take(&mut stack).keep();
                    stack = now.clone().into();
                    kept.push((now, copy.clone()));
                }
                _ => {
                    if let Some((old, old_copy)) = kept.last() {
                        (stack, copy) = (old.clone().into(), old_copy.clone());
                    }
                }
            }
            assert_eq!(stack.iter().next(), copy.last());
        }
        for (old, mut old_copy) in kept {
            assert!(old.iter().eq(old_copy.iter().rev()));
            let mut stack = Segments::from(old);
            while let Some(item) = old_copy.pop() {
                assert_eq!(stack.pop(), Some(item));
            }
            assert_eq!(stack.pop(), None);
        }
    }

    #[test]
    fn a_long_chain_of_kept_stacks_is_freed_in_constant_stack() {
        let mut stack = Segments::default();
        for item in 0..1_000_000 {
            stack.push(item);
            stack = stack.keep().into();
        }
    }
}
