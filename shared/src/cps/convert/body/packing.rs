//! Packing: keeps the number of variables bounded that a frame, or a block, takes over.
//!
//! A frame takes over what is free in its block. In an expression such as `(list (f 1) ... (f 10000))` every call would
//! take over the values of all the calls before it: the converted program, and its work, would grow with the square of
//! the expression. So what has waited longest is packed: [`GROUP`] variables become the leaves of a balanced tree of pairs,
//! which is one variable, and a use of one of them takes it out again by `car` and `cdr`. Nothing of it can be seen by a
//! program: no step is counted. A frame of an activation with more than [`MOST_UNPACKED`] variables may so keep some that
//! the rest of it does not need.
//!
//! What is packed on the way to one block is not packed on the way to another: tasks undo what was packed after them.
//! So inside a branch a variable may be both a leaf of a tree, for the rest of the branch, and itself, for what comes
//! after the branch.

use super::Body;
use crate::core::ExpressionId;
use crate::cps::{Atom, Instruction};
use crate::internal_bug;
use crate::table::Primitive;

/// The variables that may wait unpacked.
const MOST_UNPACKED: usize = 32;

/// The variables that are packed into one.
const GROUP: usize = 16;

/// The newest variables of each stack, which are likely to be used next and stay unpacked.
const NEWEST: usize = 8;

/// Where the value of a local or an operand is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// It is at hand.
    Atom(Atom),
    /// It is a leaf of a tree.
    Packed {
        /// The place of the tree, as an index into [`Stacks::trees`].
        tree: usize,
        /// The way from the root, in the lowest bits, the first turn lowest: 0 for `car`, 1 for `cdr`.
        way: u32,
        /// How many turns the way has.
        turns: u32,
        /// The values that were at hand before, and are again when the packing is undone.
        packed: Atom,
    },
}

/// One of the stacks of places.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Which {
    Locals,
    Operands,
    Trees,
}

/// A stack of places.
#[derive(Debug, Default)]
pub struct Stack {
    places: Vec<Place>,
    /// The indices of the variables that wait unpacked, in ascending order.
    waiting: Vec<usize>,
}

impl Stack {
    /// How many places there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// A place.
    pub fn get(&self, index: usize) -> Option<Place> {
        self.places.get(index).copied()
    }

    /// Adds an atom.
    pub fn push(&mut self, atom: Atom) {
        if let Atom::Variable(_) = atom {
            self.waiting.push(self.places.len());
        }
        self.places.push(Place::Atom(atom));
    }

    /// Forgets all places from an index on.
    pub fn truncate(&mut self, length: usize) {
        self.places.truncate(length);
        while self.waiting.last().is_some_and(|index| *index >= length) {
            self.waiting.pop();
        }
    }

    /// Takes the places from an index on.
    pub fn split_off(&mut self, start: usize) -> Vec<Place> {
        let taken = self.places.split_off(start.min(self.places.len()));
        self.truncate(start);
        taken
    }

    fn set(&mut self, index: usize, place: Place) {
        if let Some(old) = self.places.get_mut(index) {
            *old = place;
        }
    }

    /// Puts a variable back that was packed.
    fn unpack(&mut self, index: usize, place: Place) {
        if index < self.places.len() {
            self.set(index, place);
            let position = self.waiting.partition_point(|waiting| *waiting < index);
            self.waiting.insert(position, index);
        }
    }
}

/// The places of all that is known by number, and what has to be undone for other tasks.
#[derive(Debug, Default)]
pub struct Stacks {
    /// The locals in scope.
    pub locals: Stack,
    /// The operands that wait for others.
    pub operands: Stack,
    /// The trees, and for each how many trees a way to its leaves goes through below it.
    trees: Stack,
    heights: Vec<u32>,
    undo: Vec<(Which, usize, Place)>,
}

/// How far packing had got when a task was made.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    undo: usize,
    trees: usize,
}

impl Stacks {
    /// How far packing has got.
    pub fn mark(&self) -> Mark {
        Mark { undo: self.undo.len(), trees: self.trees.len() }
    }

    /// Undoes what was packed after a mark.
    pub fn return_to(&mut self, mark: Mark) {
        while self.undo.len() > mark.undo
            && let Some((which, index, place)) = self.undo.pop()
        {
            self.stack(which).unpack(index, place);
        }
        self.trees.truncate(mark.trees);
        self.heights.truncate(mark.trees);
    }

    /// The place of a tree.
    pub fn tree(&self, tree: usize) -> Option<Place> {
        self.trees.get(tree)
    }

    fn stack(&mut self, which: Which) -> &mut Stack {
        match which {
            Which::Locals => &mut self.locals,
            Which::Operands => &mut self.operands,
            Which::Trees => &mut self.trees,
        }
    }
}

impl Body<'_, '_> {
    /// Packs what has waited longest if too much waits; before a block ends that takes much over to the next.
    pub fn pack(&mut self) {
        let Stacks { locals, operands, trees, .. } = &self.stacks;
        if locals.waiting.len() + operands.waiting.len() + trees.waiting.len() <= MOST_UNPACKED {
            return;
        }
        for which in [Which::Locals, Which::Operands] {
            let stack = self.stacks.stack(which);
            let old = stack.waiting.len().saturating_sub(NEWEST) / GROUP * GROUP;
            let indices: Vec<usize> = stack.waiting.drain(..old).collect();
            indices.chunks_exact(GROUP).for_each(|group| self.pack_group(which, group, 0));
        }
        let mut height = 0;
        while self.stacks.heights.iter().any(|other| *other >= height) {
            self.pack_trees(height);
            height += 1;
        }
    }

    /// Packs trees of equal height into one of the next, so that ways grow with the logarithm of what is packed. It packs
    /// the oldest [`GROUP`] of them, once: more only wait if many variables were bound since the last block ended, and then
    /// the next calls pack the rest, a group each.
    fn pack_trees(&mut self, height: u32) {
        let Stacks { trees, heights, .. } = &mut self.stacks;
        let is_of_height = |index: &usize| heights.get(*index) == Some(&height);
        let mut group: Vec<usize> = trees.waiting.iter().copied().filter(is_of_height).collect();
        if group.len() >= GROUP {
            group.truncate(GROUP);
            trees.waiting.retain(|index| !group.contains(index));
            self.pack_group(Which::Trees, &group, height + 1);
        }
    }

    /// Makes the places of a group, of which there is a power of two, the leaves of a tree.
    fn pack_group(&mut self, which: Which, group: &[usize], height: u32) {
        let tree = self.stacks.trees.len();
        let mut level = Vec::with_capacity(group.len());
        let turns = group.len().ilog2();
        for (leaf, index) in group.iter().enumerate() {
            let Some(place @ Place::Atom(atom)) = self.stacks.stack(which).get(*index) else {
                internal_bug!("what waits is at hand");
            };
            level.push(atom);
            let packed = Place::Packed { tree, way: way_to(leaf as u32, turns), turns, packed: atom };
            self.stacks.stack(which).set(*index, packed);
            self.stacks.undo.push((which, *index, place));
        }
        while level.len() > 1 {
            level = level.chunks(2).map(|two| self.pair_of(two)).collect();
        }
        if let Some(root) = level.first() {
            self.stacks.trees.push(*root);
            self.stacks.heights.push(height);
        }
    }

    fn pair_of(&mut self, two: &[Atom]) -> Atom {
        match two {
            [first, second] => self.pair(*first, *second),
            _ => internal_bug!("a group has a power of two of members"),
        }
    }

    /// The atom at a place; it is taken out of its tree if it is packed. The node is one of the construct at hand.
    pub fn atom_at(&mut self, place: Place, node: ExpressionId) -> Atom {
        let mut trees = Vec::new();
        let mut place = place;
        let mut atom = loop {
            match place {
                Place::Atom(atom) => break atom,
                Place::Packed { tree, .. } => {
                    trees.push(place);
                    place = match self.stacks.trees.get(tree) {
                        Some(place) => place,
                        None => internal_bug!("tree {tree} is there"),
                    };
                }
            }
        };
        while let Some(Place::Packed { way, turns, packed, .. }) = trees.pop() {
            for turn in 0..turns {
                let primitive = if way >> turn & 1 == 0 { Primitive::First } else { Primitive::Second };
                let variable = self.new_variable("");
                self.instructions.push(Instruction::Apply { variable, primitive, operands: vec![atom], node });
                atom = Atom::Variable(variable);
                if turn + 1 == turns {
                    self.set_code(variable, self.code(packed));
                }
            }
        }
        atom
    }
}

/// The way from the root to a leaf: the bits of its number, the highest first.
fn way_to(leaf: u32, turns: u32) -> u32 {
    (0..turns).fold(0, |way, turn| way | (leaf >> (turns - 1 - turn) & 1) << turn)
}
