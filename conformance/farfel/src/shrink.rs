//! Smaller programs that still fail: without a subprogram, a specification or a statement, with the body of a block in place of
//! the block, with a part of an expression in its place.
//!
//! Edits are numbered in the order in which a walk of the tree meets them, so that the search only needs a number.

use crate::tree::{Action, Expression, Item, Program, Specification, Statement, Subprogram, SubprogramKind};

/// Returns the smallest program found that fails, after at most so many trials. The given one fails.
pub fn shrink(mut tree: Program, mut trials: usize, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    loop {
        let mut is_smaller = false;
        let mut number = 0;
        while trials > 0 {
            let mut edited = tree.clone();
            let mut edit = Edit { left: number, is_done: false };
            edit.units(&mut edited.units);
            if !edit.is_done {
                break;
            }
            trials -= 1;
            if fails(&edited) {
                tree = edited;
                is_smaller = true;
            } else {
                number += 1;
            }
        }
        if !is_smaller || trials == 0 {
            return tree;
        }
    }
}

/// The edit of a number.
struct Edit {
    /// The number of edits before it that the walk has not met yet.
    left: usize,
    is_done: bool,
}

impl Edit {
    /// Returns true at the place of the edit.
    fn is_here(&mut self) -> bool {
        if self.is_done {
            return false;
        }
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                false
            }
            None => {
                self.is_done = true;
                true
            }
        }
    }

    fn units(&mut self, units: &mut Vec<Subprogram>) {
        let mut place = 0;
        while let Some(unit) = units.get(place) {
            if unit.kind != SubprogramKind::Main && self.is_here() {
                units.remove(place);
                return;
            }
            place += 1;
        }
        for unit in units {
            self.units(&mut unit.nested);
            self.list(&mut unit.body);
            let mut place = 0;
            while place < unit.specifications.len() {
                if self.is_here() {
                    unit.specifications.remove(place);
                    return;
                }
                place += 1;
            }
            for specification in &mut unit.specifications {
                if let Specification::Constant(_, value) = specification {
                    self.expression(value);
                }
            }
        }
    }

    fn list(&mut self, list: &mut Vec<Statement>) {
        let mut place = 0;
        while let Some(statement) = list.get(place) {
            if self.is_here() {
                list.remove(place);
                return;
            }
            let inner = match &statement.action {
                Action::Branches(branches) => branches.first().map(|(_, body)| body.clone()),
                Action::Do(each) => Some(each.body.clone()),
                Action::While(_, body) => Some(body.clone()),
                Action::Differentiate(block) => Some(block.body.clone()),
                Action::If(_, action) => Some(vec![Statement { label: None, action: (**action).clone() }]),
                _ => None,
            };
            if let Some(inner) = inner
                && self.is_here()
            {
                list.splice(place..=place, inner);
                return;
            }
            place += 1;
        }
        for statement in list {
            self.action(&mut statement.action);
        }
    }

    fn action(&mut self, action: &mut Action) {
        match action {
            Action::Assign(place, value) => {
                place.indices.iter_mut().for_each(|index| self.expression(index));
                self.expression(value);
            }
            Action::Call(_, arguments) => arguments.iter_mut().for_each(|argument| self.expression(argument)),
            Action::Print(items) => {
                let mut place = 0;
                while items.len() > 1 && place < items.len() {
                    if self.is_here() {
                        items.remove(place);
                        return;
                    }
                    place += 1;
                }
                for item in items {
                    if let Item::Value(value) = item {
                        self.expression(value);
                    }
                }
            }
            Action::If(condition, action) => {
                self.expression(condition);
                self.action(action);
            }
            Action::Branches(branches) => {
                let mut place = 0;
                while branches.len() > 1 && place < branches.len() {
                    if self.is_here() {
                        branches.remove(place);
                        return;
                    }
                    place += 1;
                }
                for (condition, body) in branches {
                    condition.iter_mut().for_each(|condition| self.expression(condition));
                    self.list(body);
                }
            }
            Action::Sign(value, _) | Action::Computed(_, value) => self.expression(value),
            Action::Do(each) => {
                self.list(&mut each.body);
                self.expression(&mut each.first);
                self.expression(&mut each.last);
            }
            Action::While(condition, body) => {
                self.expression(condition);
                self.list(body);
            }
            Action::Differentiate(block) => {
                if block.opens.len() > 1 && self.is_here() {
                    block.opens.pop();
                    return;
                }
                if !block.closes.is_empty() && self.is_here() {
                    block.closes.pop();
                    return;
                }
                self.list(&mut block.body);
            }
            Action::Continue | Action::Return | Action::Stop | Action::Read(_) | Action::Goto(_) => {}
        }
    }

    /// Puts a part of an expression in its place, then a number.
    fn expression(&mut self, expression: &mut Expression) {
        let parts: Vec<Expression> = match expression {
            Expression::Real(_)
            | Expression::Integer(_)
            | Expression::Logical(_)
            | Expression::Name(_)
            | Expression::Passed(_) => return,
            Expression::Element(..) => Vec::new(),
            Expression::Call(_, parts) | Expression::Intrinsic(_, parts) => parts.clone(),
            Expression::Minus(part) | Expression::Not(part) => vec![(**part).clone()],
            Expression::Binary(_, first, second) => vec![(**first).clone(), (**second).clone()],
        };
        for part in parts {
            if self.is_here() {
                *expression = part;
                return;
            }
        }
        match expression {
            Expression::Element(_, parts) | Expression::Call(_, parts) | Expression::Intrinsic(_, parts) => {
                parts.iter_mut().for_each(|part| self.expression(part));
            }
            Expression::Minus(part) | Expression::Not(part) => self.expression(part),
            Expression::Binary(_, first, second) => {
                self.expression(first);
                self.expression(second);
            }
            Expression::Real(_)
            | Expression::Integer(_)
            | Expression::Logical(_)
            | Expression::Name(_)
            | Expression::Passed(_) => {}
        }
    }
}
