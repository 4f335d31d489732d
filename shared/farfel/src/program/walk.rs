//! Walks over the statements of blocks, and over the expressions of statements.

use crate::program::units::{BlockId, Item, Node, Program};
use crate::syntax::tree::{Action, AdItem, ExprId, PrintItem, Row};

impl Program {
    /// Calls a function with each statement of a block and of the blocks in it, outer ones first.
    pub fn visit<'program>(&'program self, block: BlockId, visit: &mut impl FnMut(&'program Item)) {
        for item in self.block(block) {
            visit(item);
            for block in item.node.blocks() {
                self.visit(block, visit);
            }
        }
    }
}

impl Node {
    /// Calls a function with each expression of a statement, in the order of the text; the parts of an expression are
    /// not named.
    pub fn roots(&self, visit: &mut impl FnMut(ExprId)) {
        match self {
            Node::Action(action) => match action {
                Action::Assign(variable, value) => {
                    visit(*variable);
                    visit(*value);
                }
                Action::Call(call) => visit(*call),
                Action::Read(variables) => variables.iter().for_each(|variable| visit(*variable)),
                Action::Print(items) => printed_roots(items, visit),
                Action::Row(row, step) => {
                    visit(*row);
                    match step {
                        Row::Add(items) => printed_roots(items, visit),
                        Row::Begin | Row::Print => {}
                    }
                }
                Action::Foreign { operands, results } => operands.iter().chain(results).for_each(|root| visit(*root)),
                Action::ComputedGoto(_, value) | Action::ArithmeticIf(value, _) => visit(*value),
                Action::Continue | Action::Return | Action::Stop | Action::Goto(_) => {}
            },
            Node::If(branches, _) => branches.iter().for_each(|(test, _)| visit(*test)),
            Node::Do(index, range, _) => {
                visit(*index);
                range.iter().flatten().for_each(|bound| visit(*bound));
            }
            Node::While(test, _) => visit(*test),
            Node::Ad(_, opens, closes, _) => {
                ad_roots(opens, visit);
                ad_roots(closes, visit);
            }
        }
    }
}

fn printed_roots(items: &[PrintItem], visit: &mut impl FnMut(ExprId)) {
    for item in items {
        match item {
            PrintItem::Value(value) => visit(*value),
            PrintItem::Text(_) => {}
        }
    }
}

/// Calls a function with each expression of a list of a statement of differentiation.
pub fn ad_roots(items: &[AdItem], visit: &mut impl FnMut(ExprId)) {
    for item in items {
        match item {
            AdItem::Bare(variable) => visit(*variable),
            AdItem::Set { variable, other, .. } => {
                visit(*variable);
                visit(*other);
            }
            AdItem::Implied { items, index, range, .. } => {
                ad_roots(items, visit);
                visit(*index);
                range.iter().flatten().for_each(|bound| visit(*bound));
            }
        }
    }
}
