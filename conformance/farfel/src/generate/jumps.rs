//! Jumps: forwards over statements, backwards with a counter, and to one of several parts.

use super::units::plain;
use super::{Generator, binary, integer, name, scalar};
use crate::tree::{Action, Operator, Statement};

impl Generator {
    /// Statements that are repeated by a jump, a few times.
    pub(super) fn backward_jump(&mut self, size: usize, list: &mut Vec<Statement>) {
        let counter = self.counter();
        let label = self.label();
        let body = self.within_loop(&counter, None, size - 1);
        let turn = binary(Operator::Add, name(&counter), integer(1));
        list.push(plain(Action::Assign(scalar(&counter), integer(0))));
        list.push(Statement { label: Some(label), action: Action::Assign(scalar(&counter), turn) });
        list.extend(body);
        let again = binary(Operator::Less, name(&counter), integer(1 + self.below(3) as i64));
        let exit = self.label();
        if self.chance(40) {
            // From within a block of `IF`.
            let inner = vec![plain(Action::Goto(label))];
            list.push(plain(Action::Branches(vec![(Some(again), inner)])));
        } else {
            list.push(plain(Action::If(again, Box::new(Action::Goto(label)))));
        }
        if self.chance(30) {
            list.push(Statement { label: Some(exit), action: Action::Continue });
        }
    }

    /// Statements that may be jumped over, perhaps from within a loop.
    pub(super) fn forward_jump(&mut self, size: usize, list: &mut Vec<Statement>) {
        let label = self.label();
        let condition = self.logical(2);
        let jump = plain(Action::If(condition, Box::new(Action::Goto(label))));
        let mut body = self.statements(size - 1);
        if self.chance(50) && self.stack.last().is_some_and(|unit| unit.loops < 3) {
            let counter = self.counter();
            let place = self.below(body.len() + 1);
            body.insert(place, jump);
            let (first, last) = (integer(1), integer(self.below(4) as i64));
            let each = crate::tree::Loop { index: counter, first, last, step: None, end: None, body };
            list.push(plain(Action::Do(each)));
        } else {
            list.push(jump);
            list.extend(body);
        }
        list.push(Statement { label: Some(label), action: Action::Continue });
    }

    /// The arithmetic `IF`, to one of three parts.
    pub(super) fn sign_jump(&mut self, size: usize, list: &mut Vec<Statement>) {
        let value = if self.chance(50) { self.small_integer(2) } else { self.real(2) };
        let (first, second, third) = (self.label(), self.label(), self.label());
        let targets = match self.below(3) {
            0 => [first, second, third],
            1 => [first, second, second],
            _ => [first, first, third],
        };
        list.push(plain(Action::Sign(value, targets)));
        self.parts(size, &[first, second, third], list);
    }

    /// The computed `GOTO`, to one of some parts, or on.
    pub(super) fn computed_jump(&mut self, size: usize, list: &mut Vec<Statement>) {
        let index = self.small_integer(2);
        let labels: Vec<u32> = (0..1 + self.below(3)).map(|_| self.label()).collect();
        list.push(plain(Action::Computed(labels.clone(), index)));
        self.parts(size, &labels, list);
    }

    /// Parts with labels, each of which ends with a jump to the end, or goes on to the next.
    fn parts(&mut self, size: usize, labels: &[u32], list: &mut Vec<Statement>) {
        let end = self.label();
        if self.chance(50) {
            list.push(plain(Action::Goto(end)));
        }
        for label in labels {
            list.push(Statement { label: Some(*label), action: Action::Continue });
            let some = self.statements(size / 2);
            list.extend(some);
            if self.chance(70) {
                list.push(plain(Action::Goto(end)));
            }
        }
        list.push(Statement { label: Some(end), action: Action::Continue });
    }
}
