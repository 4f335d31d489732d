//! Escapes: the statements that control may leave other than at their ends, by a jump or a return.
//!
//! Such a statement is lowered in tail position, with what follows as a continuation; all others are expressions that
//! yield the variables assigned in them.

use crate::check::Checked;
use crate::program::units::{BlockId, ItemId, Node, Program};
use crate::syntax::tree::Action;
use std::collections::{BTreeSet, HashSet};

/// The ways out of some statements.
#[derive(Default)]
struct Exits {
    /// The statements jumped to.
    targets: BTreeSet<ItemId>,
    /// True if the subprogram may return.
    returns: bool,
}

/// Finds the statements of a subprogram, those with statements in them, that control may leave.
pub(super) fn escapes(program: &Program, checked: &Checked, body: BlockId) -> HashSet<ItemId> {
    let mut found = HashSet::new();
    exits(program, checked, body, &mut found);
    found
}

fn exits(program: &Program, checked: &Checked, block: BlockId, found: &mut HashSet<ItemId>) -> Exits {
    let mut all = Exits::default();
    for item in program.block(block) {
        let targets =
            |label: &crate::syntax::tree::Label| checked.targets.of_jump.get(&(item.id, label.number)).copied();
        match &item.node {
            Node::Action(Action::Goto(label)) => all.targets.extend(targets(label)),
            Node::Action(Action::ComputedGoto(labels, _)) => all.targets.extend(labels.iter().filter_map(targets)),
            Node::Action(Action::ArithmeticIf(_, labels)) => all.targets.extend(labels.iter().filter_map(targets)),
            Node::Action(Action::Stop) if checked.targets.stops.contains(&item.id) => {}
            Node::Action(Action::Return | Action::Stop) => all.returns = true,
            Node::Action(_) => {}
            Node::If(..) | Node::Do(..) | Node::While(..) | Node::Ad(..) => {
                let mut own = Exits::default();
                for block in item.node.blocks() {
                    let inner = exits(program, checked, block, found);
                    own.targets.extend(inner.targets);
                    own.returns |= inner.returns;
                }
                if own.returns || !own.targets.is_empty() {
                    found.insert(item.id);
                }
                all.targets.extend(own.targets);
                all.returns |= own.returns;
            }
        }
    }
    for item in program.block(block) {
        all.targets.remove(&item.id);
    }
    all
}
