//! Unreached statements: those behind a jump that no label leads to.
//!
//! They are lowered if there is a label among them, and nothing in front of them binds their variables. So the subprogram
//! begins with binding these. The lifted form leaves them out.

use crate::check::Checked;
use crate::check::entities::{Meaning, VarId};
use crate::flow::Plan;
use crate::program::units::{BlockId, Item, ItemId, Node, Program};
use crate::syntax::tree::{Action, Label, Tree};
use std::collections::{BTreeSet, HashSet};

/// Returns the outermost statements of a subprogram that control never reaches.
pub fn statements<'program>(
    program: &'program Program,
    checked: &'program Checked,
    body: BlockId,
) -> Vec<&'program Item> {
    let mut walk = Walk { program, checked, labels: BTreeSet::new(), unreached: vec![] };
    loop {
        let known = walk.labels.len();
        walk.unreached.clear();
        walk.block(body, true);
        if walk.labels.len() == known {
            return walk.unreached;
        }
    }
}

/// Returns the variables in the statements of a subprogram that control never reaches.
pub fn variables((tree, program): (&Tree, &Program), checked: &Checked, plan: &Plan, body: BlockId) -> HashSet<VarId> {
    let mut vars = HashSet::new();
    for item in statements(program, checked, body) {
        let mut roots = vec![];
        item.node.roots(&mut |root| roots.push(root));
        for block in item.node.blocks() {
            program.visit(block, &mut |item| item.node.roots(&mut |root| roots.push(root)));
        }
        for id in roots.into_iter().flat_map(|root| tree.range(root)) {
            if let Meaning::Variable(var) | Meaning::Element(var) = checked.entities.meaning(id) {
                vars.insert(var);
            }
            vars.extend(plan.calls.get(&id).into_iter().flat_map(|facts| facts.uses.iter().copied()));
        }
    }
    vars
}

struct Walk<'program> {
    program: &'program Program,
    checked: &'program Checked,
    /// The labelled statements that a reached statement jumps to.
    labels: BTreeSet<ItemId>,
    /// The outermost statements that are not reached.
    unreached: Vec<&'program Item>,
}

impl<'program> Walk<'program> {
    /// Walks through a block; returns true if its end is reached.
    fn block(&mut self, block: BlockId, is_reached: bool) -> bool {
        let mut is_reached = is_reached;
        for item in self.program.block(block) {
            is_reached |= self.labels.contains(&item.id);
            if is_reached {
                is_reached = self.item(item);
            } else {
                self.unreached.push(item);
            }
        }
        is_reached
    }

    /// Walks through a statement that is reached; returns true if what follows is reached from it.
    fn item(&mut self, item: &'program Item) -> bool {
        match &item.node {
            Node::Action(action) => match action {
                Action::Goto(label) => {
                    self.jump(item, std::slice::from_ref(label));
                    false
                }
                Action::ArithmeticIf(_, labels) => {
                    self.jump(item, labels);
                    false
                }
                Action::ComputedGoto(labels, _) => {
                    self.jump(item, labels);
                    true
                }
                Action::Return | Action::Stop => false,
                Action::Assign(..)
                | Action::Call(_)
                | Action::Continue
                | Action::Read(_)
                | Action::Print(_)
                | Action::Row(..)
                | Action::Foreign { .. } => true,
            },
            Node::If(branches, otherwise) => {
                let mut is_reached = otherwise.is_none();
                for block in branches.iter().map(|(_, block)| *block).chain(*otherwise) {
                    is_reached |= self.block(block, true);
                }
                is_reached
            }
            Node::Do(_, _, body) | Node::While(_, body) | Node::Ad(_, _, _, body) => {
                self.block(*body, true);
                true
            }
        }
    }

    fn jump(&mut self, from: &Item, labels: &[Label]) {
        let targets = &self.checked.targets.of_jump;
        self.labels.extend(labels.iter().filter_map(|label| targets.get(&(from.id, label.number))));
    }
}
