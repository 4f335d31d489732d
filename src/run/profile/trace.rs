//! The trace of one application of `checkpoint-*j`, action by action: enough for a picture, and of bounded size.

use vlad_shared::ad::checkpointing::Action;

/// The most actions that are kept, and the most states.
pub const MOST_KEPT: usize = 4000;

/// An action with its number in the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of actions before it.
    pub number: u64,
    /// The action.
    pub action: Action,
    /// The number of states that were kept at its beginning, including the one it runs from.
    pub snapshots: usize,
}

/// The lifetime of a state that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// The position of the state in the execution, in steps from the beginning.
    pub position: u64,
    /// The number of the action that reached the state; none for the state at the beginning.
    pub born: Option<u64>,
    /// The number of the action that removed the state; none if it was not removed.
    pub died: Option<u64>,
}

/// A sample of a long sequence: one element in `every` is kept, and the largest ones.
#[derive(Clone, Debug)]
pub struct Subsampled<T> {
    kept: Vec<Sample<T>>,
    every: u64,
    /// The size from which elements are always kept.
    large: u64,
    seen: u64,
}

/// An element with its number and its size.
#[derive(Clone, Copy, Debug)]
struct Sample<T> {
    number: u64,
    size: u64,
    element: T,
}

impl<T> Default for Subsampled<T> {
    fn default() -> Subsampled<T> {
        Subsampled { kept: Vec::new(), every: 1, large: 0, seen: 0 }
    }
}

impl<T> Subsampled<T> {
    /// Appends an element with its size.
    fn push(&mut self, size: u64, element: T) {
        let number = self.seen;
        self.seen += 1;
        if number.is_multiple_of(self.every) || size >= self.large {
            self.kept.push(Sample { number, size, element });
        }
        while self.kept.len() > MOST_KEPT {
            self.thin();
        }
    }

    /// Halves the density of the elements that are kept, except for the largest quarter.
    fn thin(&mut self) {
        let mut sizes: Vec<u64> = self.kept.iter().map(|kept| kept.size).collect();
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        let largest_of_rest = sizes.get(MOST_KEPT / 4).copied().unwrap_or(0);
        let (every, large) = (self.every.saturating_mul(2), largest_of_rest.saturating_add(1).max(self.large));
        self.kept.retain(|kept| kept.number.is_multiple_of(every) || kept.size >= large);
        (self.every, self.large) = (every, large);
    }

    /// Returns the elements that are kept, in order.
    pub fn kept(&self) -> impl Iterator<Item = &T> {
        self.kept.iter().map(|kept| &kept.element)
    }

    /// Returns the number k such that one element in k is kept, apart from the largest ones.
    pub fn every(&self) -> u64 {
        self.every
    }

    /// Returns the number of elements that were appended.
    pub fn seen(&self) -> u64 {
        self.seen
    }
}

/// The actions of one application, and the lifetimes of its states.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The actions.
    pub actions: Subsampled<Step>,
    /// The states that have been removed.
    pub past: Subsampled<Lifetime>,
    /// The states that are kept now, a stack.
    stack: Vec<Lifetime>,
}

impl Default for Trace {
    fn default() -> Trace {
        let first = Lifetime { position: 0, born: None, died: None };
        Trace { actions: Subsampled::default(), past: Subsampled::default(), stack: vec![first] }
    }
}

impl Trace {
    /// Records the beginning of an action.
    pub fn note(&mut self, action: Action, snapshots: usize) {
        let number = self.actions.seen();
        let (Action::Advance { steps, .. } | Action::Reverse { steps, .. }) = action;
        self.actions.push(steps, Step { number, action, snapshots });
        match action {
            Action::Advance { from, steps } => {
                self.stack.push(Lifetime { position: from + steps, born: Some(number), died: None });
            }
            Action::Reverse { .. } => {
                if let Some(top) = self.stack.pop() {
                    let life = Lifetime { died: Some(number), ..top };
                    self.past.push(number - top.born.unwrap_or(0), life);
                }
            }
        }
    }

    /// Returns the states: the removed ones, as far as they are kept here, then those on the stack.
    pub fn lives(&self) -> impl Iterator<Item = Lifetime> {
        self.past.kept().chain(self.stack.iter().take(MOST_KEPT)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_shared::ad::checkpointing::{Extent, Schedule, Strategy};

    #[test]
    fn a_long_sequence_is_thinned_evenly() {
        let mut thinned = Subsampled::default();
        for number in 0..100_000_u64 {
            let size = if number % 10_000 == 7 { 100 } else { 1 };
            thinned.push(size, number);
        }
        assert_eq!(thinned.seen(), 100_000);
        assert!(thinned.kept.len() <= MOST_KEPT && thinned.every() <= 64);
        let is_kept = |number: &u64| number.is_multiple_of(thinned.every()) || number % 10_000 == 7;
        assert!(thinned.kept().copied().eq((0..100_000).filter(is_kept)));
    }

    #[test]
    fn elements_of_growing_sizes_are_thinned_all_the_same() {
        let mut thinned = Subsampled::default();
        for number in 0..100_000_u64 {
            thinned.push(number, number);
            assert!(thinned.kept.len() <= MOST_KEPT);
        }
        thinned.push(u64::MAX, 0);
        assert!(thinned.kept.len() >= MOST_KEPT / 4);
    }

    #[test]
    fn states_live_from_one_action_to_another() {
        // 8 steps to a base case of 4: an advance of 4, and two reversals.
        let strategy = Strategy::Bisection { depth: None, base_case: Some(4) };
        let mut trace = Trace::default();
        let mut schedule = Schedule::new(strategy, &Extent { steps: 8, nodes: 0..8 }).unwrap();
        while let Some(action) = schedule.next(0) {
            trace.note(action, 1);
        }
        let lives: Vec<Lifetime> = trace.lives().collect();
        let later = Lifetime { position: 4, born: Some(0), died: Some(1) };
        assert_eq!(lives, [later, Lifetime { position: 0, born: None, died: Some(2) }]);
    }
}
