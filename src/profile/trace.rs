//! What one application of `checkpoint-*j` did, action by action: enough for a picture, and bounded however long it is.

use vlad_shared::checkpointing::Action;

/// The most actions that are kept, and the most states.
pub const MOST_KEPT: usize = 4000;

/// An action, in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// How many actions came before it.
    pub number: u64,
    /// What it is.
    pub action: Action,
    /// How many states were kept when it began, the one it runs from included.
    pub snapshots: usize,
}

/// A state that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// Where in the execution it stands, in steps from the beginning.
    pub position: u64,
    /// The number of the action that reached it; none for the state at the beginning.
    pub born: Option<u64>,
    /// The number of the action that took it away; none if there was none any more.
    pub died: Option<u64>,
}

/// A sequence of which, once it is long, only one element in so many is kept, and the largest ones.
#[derive(Clone, Debug)]
pub struct Thinned<T> {
    kept: Vec<Kept<T>>,
    every: u64,
    /// The least size of elements that are kept in any case.
    large: u64,
    seen: u64,
}

/// An element with its number and its size.
#[derive(Clone, Copy, Debug)]
struct Kept<T> {
    number: u64,
    size: u64,
    element: T,
}

impl<T> Default for Thinned<T> {
    fn default() -> Thinned<T> {
        Thinned { kept: Vec::new(), every: 1, large: 0, seen: 0 }
    }
}

impl<T> Thinned<T> {
    /// Adds an element of a size to the sequence.
    fn push(&mut self, size: u64, element: T) {
        let number = self.seen;
        self.seen += 1;
        if number.is_multiple_of(self.every) || size >= self.large {
            self.kept.push(Kept { number, size, element });
        }
        while self.kept.len() > MOST_KEPT {
            self.thin();
        }
    }

    /// Keeps half as many, and the largest quarter.
    fn thin(&mut self) {
        let mut sizes: Vec<u64> = self.kept.iter().map(|kept| kept.size).collect();
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        let largest_of_rest = sizes.get(MOST_KEPT / 4).copied().unwrap_or(0);
        let (every, large) = (self.every.saturating_mul(2), largest_of_rest.saturating_add(1).max(self.large));
        self.kept.retain(|kept| kept.number.is_multiple_of(every) || kept.size >= large);
        (self.every, self.large) = (every, large);
    }

    /// What is kept, in order.
    pub fn kept(&self) -> impl Iterator<Item = &T> {
        self.kept.iter().map(|kept| &kept.element)
    }

    /// One in how many that is, but for the largest.
    pub fn every(&self) -> u64 {
        self.every
    }

    /// How many there were.
    pub fn seen(&self) -> u64 {
        self.seen
    }
}

/// All that is known of the actions of one application.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The actions.
    pub actions: Thinned<Step>,
    /// The states that were taken away.
    pub past: Thinned<Life>,
    /// Those that are kept now.
    stack: Vec<Life>,
}

impl Default for Trace {
    fn default() -> Trace {
        let first = Life { position: 0, born: None, died: None };
        Trace { actions: Thinned::default(), past: Thinned::default(), stack: vec![first] }
    }
}

impl Trace {
    /// An action begins.
    pub fn note(&mut self, action: Action, snapshots: usize) {
        let number = self.actions.seen();
        let (Action::Advance { steps, .. } | Action::Reverse { steps, .. }) = action;
        self.actions.push(steps, Step { number, action, snapshots });
        match action {
            Action::Advance { from, steps } => {
                self.stack.push(Life { position: from + steps, born: Some(number), died: None });
            }
            Action::Reverse { .. } => {
                if let Some(top) = self.stack.pop() {
                    let life = Life { died: Some(number), ..top };
                    self.past.push(number - top.born.unwrap_or(0), life);
                }
            }
        }
    }

    /// The states: those that were taken away as far as they are kept here, then the others.
    pub fn lives(&self) -> impl Iterator<Item = Life> {
        self.past.kept().chain(self.stack.iter().take(MOST_KEPT)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_shared::checkpointing::{Schedule, Strategy};

    #[test]
    fn a_long_sequence_is_thinned_evenly() {
        let mut thinned = Thinned::default();
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
        let mut thinned = Thinned::default();
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
        for action in Schedule::new(strategy, 8).unwrap() {
            trace.note(action, 1);
        }
        let lives: Vec<Life> = trace.lives().collect();
        let later = Life { position: 4, born: Some(0), died: Some(1) };
        assert_eq!(lives, [later, Life { position: 0, born: None, died: Some(2) }]);
    }
}
