//! Summaries of trees, by which questions about two trees, or about a tree and a local, are answered without visiting
//! them.
//!
//! Each is made when it is asked for, from those of the parts, and kept until an expression is replaced in place
//! ([`Program::set`]), which no pass does that asks.

use super::{ExpressionId, Head, LocalId, Program, Summary};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use vlad_table::internal_bug;

impl Summary {
    /// Returns true if a local may occur in the tree; if false, it does not.
    pub fn may_mention(self, local: LocalId) -> bool {
        self.locals & bit(local) != 0
    }

    /// The summary of an expression with parts.
    fn of(root: u64, local: Option<LocalId>, parts: impl Iterator<Item = Summary>) -> Summary {
        let mut whole = Summary { size: 1, shape: mixed(EMPTY_HASH, root), locals: local.map_or(0, bit) };
        for part in parts {
            whole.size = whole.size.saturating_add(part.size);
            whole.shape = mixed(whole.shape, part.shape);
            whole.locals |= part.locals;
        }
        whole
    }
}

fn bit(local: LocalId) -> u64 {
    1 << (local.0 % 64)
}

/// The hash of no values.
pub const EMPTY_HASH: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds a value to a hash.
pub fn mixed(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
}

/// A hash of a head.
pub fn code(head: Head) -> u64 {
    let mut hasher = FxHasher::default();
    head.hash(&mut hasher);
    hasher.finish()
}

impl Program {
    /// Returns the summary of a tree.
    pub fn summary(&self, id: ExpressionId) -> Summary {
        let of = |known: &[Option<Summary>], id: ExpressionId| known.get(id.0 as usize).copied().flatten();
        let mut known = self.summaries.borrow_mut();
        if let Some(summary) = of(&known, id) {
            return summary;
        }
        known.resize(self.count(), None);
        let mut pending = vec![id];
        while let Some(next) = pending.last().copied() {
            if of(&known, next).is_some() {
                pending.pop();
                continue;
            }
            let (head, parts) = self.apart(next);
            let before = pending.len();
            pending.extend(parts.iter().copied().filter(|part| of(&known, *part).is_none()));
            if pending.len() > before {
                continue;
            }
            pending.pop();
            let root = mixed(u64::from(self.type_of(next).0), code(head.with_local(|_| LocalId(0))));
            let parts = parts.iter().filter_map(|part| of(&known, *part));
            let summary = Summary::of(root, head.local(), parts);
            if let Some(place) = known.get_mut(next.0 as usize) {
                *place = Some(summary);
            }
        }
        let Some(summary) = of(&known, id) else { internal_bug!("expression {} has been summarised", id.0) };
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::{Expression, Types};
    use vlad_core::source::{FileId, Span};
    use vlad_table::operations::Operation;

    const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

    /// The function of a number that adds another local or constant, with its parameter.
    fn addition(program: &mut Program, second: Expression) -> (ExpressionId, LocalId) {
        let double = Types::DOUBLE;
        let parameter = program.add_local("x", double, NOWHERE);
        let first = program.add(Expression::Local(parameter), double, NOWHERE);
        let second = program.add(second, double, NOWHERE);
        let body = program.add(Expression::Binary(Operation::Add, first, second), double, NOWHERE);
        (program.add(Expression::Lambda { parameter, body }, double, NOWHERE), parameter)
    }

    #[test]
    fn shapes_are_equal_up_to_locals() {
        let mut program = Program::new();
        let [y, z] = ["y", "z"].map(|name| program.add_local(name, Types::DOUBLE, NOWHERE));
        let (of_y, parameter) = addition(&mut program, Expression::Local(y));
        let (of_z, _) = addition(&mut program, Expression::Local(z));
        let (of_one, _) = addition(&mut program, Expression::Number(1.0));
        let (of_two, _) = addition(&mut program, Expression::Number(2.0));
        let copy = program.copy(of_y);
        let [of_y, of_z, of_one, of_two, copy] =
            [of_y, of_z, of_one, of_two, copy].map(|function| program.summary(function));
        assert!(of_y.shape == of_z.shape && of_y.shape == copy.shape && of_one.shape != of_two.shape);
        assert!(of_y.shape != of_one.shape && [of_y, of_one].iter().all(|summary| summary.size == 4));
        assert!(of_y.may_mention(y) && of_y.may_mention(parameter) && !of_y.may_mention(z));
        assert!(!copy.may_mention(parameter));
    }

    #[test]
    fn what_is_replaced_in_place_is_summarised_anew() {
        let mut program = Program::new();
        let (function, parameter) = addition(&mut program, Expression::Number(1.0));
        let before = program.summary(function);
        let Expression::Lambda { body, .. } = program.expression(function) else { panic!("a function") };
        program.set(body, Expression::Number(1.0));
        let after = program.summary(function);
        assert_eq!((before.size, after.size), (4, 2));
        assert!(
            after.shape != before.shape
                && after.may_mention(parameter)
                && !program.summary(body).may_mention(parameter)
        );
    }
}
