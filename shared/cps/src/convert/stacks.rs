//! The stacks of the conversion: the locations of locals and of waiting operands, some of them packed into trees.

use crate::tree::Atom;

/// The location of the value of a local or an operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Location {
    /// An atom: the value itself.
    Atom(Atom),
    /// A leaf of a tree.
    Packed {
        /// The index of the tree in [`Stacks::trees`].
        tree: usize,
        /// The path from the root, one bit for each turn, the first turn lowest: 0 for `car`, 1 for `cdr`.
        way: u32,
        /// The length of the path.
        turns: u32,
        /// The atom that was packed, which is at the place again when the packing is undone.
        packed: Atom,
    },
}

/// The name of one of the stacks of places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StackName {
    Locals,
    Operands,
    Trees,
}

/// A stack of places.
#[derive(Debug, Default)]
pub struct Stack {
    pub(super) places: Vec<Location>,
    /// The indices of the variables that wait unpacked, in ascending order.
    pub(super) waiting: Vec<usize>,
}

impl Stack {
    /// The number of places.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The place at an index.
    pub fn get(&self, index: usize) -> Option<Location> {
        self.places.get(index).copied()
    }

    /// Pushes an atom.
    pub fn push(&mut self, atom: Atom) {
        if let Atom::Variable(_) = atom {
            self.waiting.push(self.places.len());
        }
        self.places.push(Location::Atom(atom));
    }

    /// Removes all places from an index on.
    pub fn truncate(&mut self, length: usize) {
        self.places.truncate(length);
        while self.waiting.last().is_some_and(|index| *index >= length) {
            self.waiting.pop();
        }
    }

    /// Removes the places from an index on, and returns them.
    pub fn split_off(&mut self, start: usize) -> Vec<Location> {
        let taken = self.places.split_off(start.min(self.places.len()));
        self.truncate(start);
        taken
    }

    pub(super) fn set(&mut self, index: usize, place: Location) {
        if let Some(old) = self.places.get_mut(index) {
            *old = place;
        }
    }

    /// Restores a variable that was packed.
    fn unpack(&mut self, index: usize, place: Location) {
        if index < self.places.len() {
            self.set(index, place);
            let position = self.waiting.partition_point(|waiting| *waiting < index);
            self.waiting.insert(position, index);
        }
    }
}

/// The places of all locals and waiting operands, and the log of packings to undo before another task.
#[derive(Debug, Default)]
pub struct Stacks {
    /// The locals in scope.
    pub locals: Stack,
    /// The operands that wait for the next ones.
    pub operands: Stack,
    /// The trees, and the height of each: the number of trees below it on a path to its leaves.
    pub(super) trees: Stack,
    pub(super) heights: Vec<u32>,
    pub(super) undo: Vec<(StackName, usize, Location)>,
}

/// The state of packing when a task was made.
#[derive(Clone, Copy, Debug)]
pub struct PackingState {
    undo: usize,
    trees: usize,
}

impl Stacks {
    /// The current state of packing.
    pub fn mark(&self) -> PackingState {
        PackingState { undo: self.undo.len(), trees: self.trees.len() }
    }

    /// Undoes the packing done after a mark.
    pub fn return_to(&mut self, mark: PackingState) {
        while self.undo.len() > mark.undo
            && let Some((which, index, place)) = self.undo.pop()
        {
            self.stack(which).unpack(index, place);
        }
        self.trees.truncate(mark.trees);
        self.heights.truncate(mark.trees);
    }

    /// The place of a tree.
    pub fn tree(&self, tree: usize) -> Option<Location> {
        self.trees.get(tree)
    }

    pub(super) fn stack(&mut self, which: StackName) -> &mut Stack {
        match which {
            StackName::Locals => &mut self.locals,
            StackName::Operands => &mut self.operands,
            StackName::Trees => &mut self.trees,
        }
    }
}
