//! The variables that statements assign themselves, without their calls.

use crate::program::units::Node;
use crate::syntax::tree::{Action, AdItem, ExprId, Row};

/// Calls a function with each variable or element that a statement assigns itself; statements in it are left out.
pub fn assigned_targets(node: &Node, visit: &mut impl FnMut(ExprId)) {
    match node {
        Node::Action(Action::Assign(variable, _)) => visit(*variable),
        Node::Action(Action::Read(variables)) => variables.iter().for_each(|variable| visit(*variable)),
        Node::Action(Action::Foreign { results, .. }) => results.iter().for_each(|variable| visit(*variable)),
        Node::Action(Action::Row(row, Row::Begin | Row::Add(_))) => visit(*row),
        Node::Do(index, ..) => visit(*index),
        Node::Ad(_, _, closes, _) => closed_targets(closes, visit),
        Node::Action(_) | Node::If(..) | Node::While(..) => {}
    }
}

/// Calls a function with each variable or element that a list at the end of a block of differentiation assigns.
pub fn closed_targets(closes: &[AdItem], visit: &mut impl FnMut(ExprId)) {
    for item in closes {
        match item {
            AdItem::Bare(_) => {}
            AdItem::Set { other, .. } => visit(*other),
            AdItem::Implied { items, .. } => closed_targets(items, visit),
        }
    }
}

/// Calls a function with each variable in parentheses behind `TANGENT` or `COTANGENT`, or named alone.
pub fn differentiated(items: &[AdItem], visit: &mut impl FnMut(ExprId)) {
    for item in items {
        match item {
            AdItem::Bare(variable) | AdItem::Set { variable, .. } => visit(*variable),
            AdItem::Implied { items, .. } => differentiated(items, visit),
        }
    }
}
