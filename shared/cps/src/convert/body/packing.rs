//! Packing: bounds the number of variables that a frame, or a block, takes over.
//!
//! A frame takes over the variables that are free in its block. In an expression such as `(list (f 1) ... (f 10000))`
//! every call would take over the values of all calls before it: the converted program, and its work, would grow with
//! the square of the expression. So the values that have waited longest are packed: `GROUP` variables become the leaves
//! of a balanced tree of pairs, which is one variable, and a use of one of them takes it out again by `car` and `cdr`.
//! A program cannot observe it: no step is counted. A frame of an activation with more than `MOST_UNPACKED` variables
//! may therefore keep some that the rest of the activation does not need.
//!
//! Packing on the path to one block has no effect on the path to another: each task undoes the packing done after it
//! was made. So inside a branch a variable may be both a leaf of a tree, for the rest of the branch, and itself, for
//! the code after the branch.

use crate::convert::body::Body;
use crate::convert::stacks::{Location, StackName, Stacks};
use crate::tree::{Atom, Instruction};
use vlad_core::ExpressionId;
use vlad_table::{Primitive, internal_bug};

/// The most variables that may wait unpacked.
const MOST_UNPACKED: usize = 32;

/// The number of variables that are packed into one.
const GROUP: usize = 16;

/// The number of newest variables of each stack that stay unpacked, since they are likely to be used next.
const NEWEST: usize = 8;

impl Body<'_, '_> {
    /// Packs the values that have waited longest if too many wait; called before a block ends whose successor takes
    /// over many.
    pub fn pack(&mut self) {
        let Stacks { locals, operands, trees, .. } = &self.stacks;
        if locals.waiting.len() + operands.waiting.len() + trees.waiting.len() <= MOST_UNPACKED {
            return;
        }
        for which in [StackName::Locals, StackName::Operands] {
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

    /// Packs trees of equal height into one of the next height, so that paths grow with the logarithm of the number of
    /// packed values. It packs the oldest [`GROUP`] of them, once: more wait only if many variables were bound since
    /// the last block ended, and the next calls then pack the rest, one group each.
    fn pack_trees(&mut self, height: u32) {
        let Stacks { trees, heights, .. } = &mut self.stacks;
        let is_of_height = |index: &usize| heights.get(*index) == Some(&height);
        let mut group: Vec<usize> = trees.waiting.iter().copied().filter(is_of_height).collect();
        if group.len() >= GROUP {
            group.truncate(GROUP);
            trees.waiting.retain(|index| !group.contains(index));
            self.pack_group(StackName::Trees, &group, height + 1);
        }
    }

    /// Makes the places of a group, whose size is a power of two, the leaves of a tree.
    fn pack_group(&mut self, which: StackName, group: &[usize], height: u32) {
        let tree = self.stacks.trees.len();
        let mut level = Vec::with_capacity(group.len());
        let turns = group.len().ilog2();
        for (leaf, index) in group.iter().enumerate() {
            let Some(place @ Location::Atom(atom)) = self.stacks.stack(which).get(*index) else {
                internal_bug!("what waits is at hand");
            };
            level.push(atom);
            let packed = Location::Packed { tree, way: way_to(leaf as u32, turns), turns, packed: atom };
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

    /// The atom at a place; a packed value is taken out of its tree first. The node is one of the current construct.
    pub fn atom_at(&mut self, place: Location, node: ExpressionId) -> Atom {
        let mut trees = Vec::new();
        let mut place = place;
        let mut atom = loop {
            match place {
                Location::Atom(atom) => break atom,
                Location::Packed { tree, .. } => {
                    trees.push(place);
                    place = match self.stacks.trees.get(tree) {
                        Some(place) => place,
                        None => internal_bug!("tree {tree} is there"),
                    };
                }
            }
        };
        while let Some(Location::Packed { way, turns, packed, .. }) = trees.pop() {
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

/// The path from the root to a leaf: the bits of its number, the highest first.
fn way_to(leaf: u32, turns: u32) -> u32 {
    (0..turns).fold(0, |way, turn| way | (leaf >> (turns - 1 - turn) & 1) << turn)
}
