//! Statements.

use super::scope::Variable;
use super::units::plain;
use super::{Generator, binary, integer, intrinsic, name, scalar};
use crate::tree::{Action, Expression, Intrinsic, Item, Loop, Operator, Place, Statement, Target, Type};

impl Generator {
    /// A list of statements of some size.
    pub(super) fn statements(&mut self, size: usize) -> Vec<Statement> {
        let mut list = Vec::new();
        let mut left = size;
        while left > 0 {
            let part = 1 + self.below(left.min(5));
            left -= part;
            self.some(part, &mut list);
        }
        list
    }

    /// Adds a statement, or a few, of some size.
    fn some(&mut self, size: usize, list: &mut Vec<Statement>) {
        let may_repeat = self.stack.last().is_some_and(|unit| unit.loops < 3) && size > 1;
        match self.below(32) {
            0..=1 if may_repeat => self.repetition(size, list),
            2 if may_repeat => self.condition_loop(size, list),
            3 if may_repeat => self.backward_jump(size, list),
            4 if size > 2 => self.branches(size, list),
            5 if size > 2 => self.sign_jump(size, list),
            6 if size > 2 => self.computed_jump(size, list),
            7 if size > 1 => self.forward_jump(size, list),
            8..=12 if self.options.blocks && size > 1 => self.block(size, list),
            13..=15 => self.subroutine_call(list),
            16..=17 => self.function_call(list),
            18 => self.print(list),
            19 => self.logical_if(list),
            20 if size > 2 && may_repeat => self.over_array(list),
            21 => self.read(list),
            22 => self.leave(list),
            23 if may_repeat => self.real_repetition(size, list),
            24 => self.print_list(list),
            _ => self.assignment(list),
        }
    }

    fn assignment(&mut self, list: &mut Vec<Statement>) {
        let (place, variable) = match self.assigned_place() {
            Some(found) => found,
            None => return list.push(plain(Action::Continue)),
        };
        let depth = 1 + self.below(3) as u32;
        let value = match variable.sort {
            Type::Real if self.chance(40) => self.bounded(depth),
            Type::Real => self.real(depth),
            // A real is truncated.
            Type::Integer if self.chance(20) => {
                binary(Operator::Multiply, Expression::Real("4.0".to_owned()), self.bounded(depth))
            }
            Type::Integer => {
                let value = self.small_integer(depth);
                intrinsic(Intrinsic::Mod, [value, integer(11)])
            }
            Type::Logical => self.logical(depth.min(2)),
        };
        list.push(plain(Action::Assign(place, value)));
    }

    /// A variable or an element that is assigned.
    pub(super) fn assigned_place(&mut self) -> Option<(Place, Variable)> {
        let variable = self.target(|_| true)?;
        self.assigns(&variable);
        let place = match variable.bounds {
            Some(_) => match self.element_of(&variable) {
                Expression::Element(name, indices) => Place { name, indices },
                _ => return None,
            },
            None => scalar(&variable.name),
        };
        Some((place, variable))
    }

    fn subroutine_call(&mut self, list: &mut Vec<Statement>) {
        match self.call(|procedure| procedure.result.is_none()) {
            Some((procedure, arguments)) => list.push(plain(Action::Call(procedure.name, arguments))),
            None => self.assignment(list),
        }
    }

    /// An assignment with a function that may have effects.
    fn function_call(&mut self, list: &mut Vec<Statement>) {
        let sort = if self.chance(80) { Type::Real } else { Type::Integer };
        let Some(target) = self.target(|variable| variable.sort == sort && variable.bounds.is_none()) else { return };
        let Some((procedure, arguments)) = self.call(|procedure| procedure.result == Some(sort)) else {
            return self.assignment(list);
        };
        self.assigns(&target);
        let call = Expression::Call(procedure.name, arguments);
        // Ordinary compilers may read variables before or after calls.
        let value = match sort {
            Type::Real if !self.options.is_ordinary && self.chance(50) => {
                let other = self.real(1);
                if self.rng.bool() {
                    binary(Operator::Add, other, call)
                } else {
                    binary(Operator::Multiply, call, other)
                }
            }
            Type::Integer => intrinsic(Intrinsic::Mod, [call, integer(7)]),
            Type::Real | Type::Logical => call,
        };
        list.push(plain(Action::Assign(scalar(&target.name), value)));
    }

    fn print(&mut self, list: &mut Vec<Statement>) {
        if let Some(unit) = self.stack.last_mut() {
            unit.has_effects = true;
        }
        let mut items = Vec::new();
        if self.chance(40) {
            let text = self.pick(&["X =", "it's", "", "a & b ! c", "+-*/", "two  blanks"]).unwrap_or_default();
            items.push(Item::Text(text.to_owned()));
        }
        for _ in 0..1 + self.below(3) {
            let arrays = self.variables(|variable| variable.bounds.is_some() && !variable.is_assumed);
            let item = match (self.below(8), self.pick(&arrays)) {
                (0, Some(array)) => {
                    self.uses(&array);
                    name(&array.name)
                }
                (1..=2, _) => self.logical(1),
                (3..=4, _) => self.small_integer(2),
                (_, _) => self.real(2),
            };
            items.push(Item::Value(item));
        }
        list.push(plain(Action::Print(items)));
    }

    fn logical_if(&mut self, list: &mut Vec<Statement>) {
        let mut inner = Vec::new();
        if self.chance(60) {
            self.assignment(&mut inner);
        } else {
            self.print(&mut inner);
        }
        let condition = self.logical(2);
        if let Some(Statement { action, .. }) = inner.pop() {
            list.push(plain(Action::If(condition, Box::new(action))));
        }
    }

    fn branches(&mut self, size: usize, list: &mut Vec<Statement>) {
        let mut branches = Vec::new();
        for _ in 0..1 + self.below(3) {
            let condition = self.logical(2);
            branches.push((Some(condition), self.statements(size / 2)));
        }
        if self.chance(60) {
            branches.push((None, self.statements(size / 2)));
        }
        list.push(plain(Action::Branches(branches)));
    }

    /// A counter, which nothing else assigns.
    pub(super) fn counter(&mut self) -> String {
        self.counter_of(Type::Integer)
    }

    /// A counter of a type.
    pub(super) fn counter_of(&mut self, sort: Type) -> String {
        let title = self.name(if sort == Type::Integer { "L" } else { "H" });
        // A counter that is not declared belongs to the outermost unit.
        let is_declared = self.options.is_ordinary || self.chance(50);
        if let Some(unit) = self.stack.last_mut() {
            unit.counters.push((title.clone(), is_declared));
        }
        title
    }

    /// The body of a loop, with a counter that is visible if its values are known.
    pub(super) fn within_loop(&mut self, counter: &str, range: Option<(i64, i64)>, size: usize) -> Vec<Statement> {
        let Some(unit) = self.stack.last_mut() else { return Vec::new() };
        unit.loops += 1;
        unit.variables.push(Variable {
            name: counter.to_owned(),
            unit: unit.number,
            sort: Type::implied(counter),
            bounds: None,
            is_assignable: false,
            is_assumed: false,
            range,
        });
        let body = self.statements(size);
        if let Some(unit) = self.stack.last_mut() {
            unit.loops -= 1;
            unit.variables.retain(|variable| variable.name != counter);
        }
        body
    }

    pub(super) fn repetition(&mut self, size: usize, list: &mut Vec<Statement>) {
        let counter = self.counter();
        let (first, trips) = (self.below(5) as i64 - 1, self.below(5) as i64);
        let step = self.pick(&[1, 1, 1, 2, -1, -2]).unwrap_or(1);
        let slack = if step > 1 { self.below(2) as i64 } else { 0 };
        let last = first + (trips - 1) * step + slack;
        let end = first + (trips - 1).max(0) * step;
        let range = (trips > 0).then_some((first.min(end), first.max(end)));
        // A number of turns that is known when the loop begins.
        let is_open = step == 1 && self.chance(25);
        let range = if is_open { Some((first, first.max(3))) } else { range };
        let open_last = is_open.then(|| {
            let value = intrinsic(Intrinsic::Abs, [self.small_integer(2)]);
            intrinsic(Intrinsic::Mod, [value, integer(4)])
        });
        let mut body = self.within_loop(&counter, range, size - 1);
        let last_value = match open_last {
            Some(last) => last,
            None if self.chance(20) => binary(Operator::Add, integer(last), integer(0)),
            None => integer(last),
        };
        let is_labelled = self.chance(50);
        let label = is_labelled.then(|| self.label());
        if let Some(label) = label {
            self.end_with(label, &mut body);
        }
        let written_step = (step != 1 || self.chance(20)).then(|| integer(step));
        let each = Loop {
            index: counter.clone(),
            first: integer(first),
            last: last_value,
            step: written_step,
            end: label,
            body,
        };
        let each = if self.chance(25) && label.is_some() { self.around(each) } else { each };
        list.push(plain(Action::Do(each)));
        if self.chance(20) {
            list.push(plain(Action::Print(vec![Item::Value(name(&counter))])));
            if let Some(unit) = self.stack.last_mut() {
                unit.has_effects = true;
            }
        }
    }

    /// A loop around a labelled one that ends at the same statement.
    fn around(&mut self, inner: Loop) -> Loop {
        let index = self.counter();
        let end = inner.end;
        let (first, last) = (integer(1), integer(1 + self.below(2) as i64));
        Loop { index, first, last, step: None, end, body: vec![plain(Action::Do(inner))] }
    }

    /// Puts a label on the last statement, or adds one that can have it.
    fn end_with(&mut self, label: u32, body: &mut Vec<Statement>) {
        match body.last_mut() {
            Some(
                last @ Statement { label: None, action: Action::Assign(..) | Action::Call(..) | Action::Print(_) },
            ) => {
                last.label = Some(label);
            }
            Some(_) | None => body.push(Statement { label: Some(label), action: Action::Continue }),
        }
    }

    fn condition_loop(&mut self, size: usize, list: &mut Vec<Statement>) {
        let counter = self.counter();
        let mut body = self.within_loop(&counter, None, size - 1);
        let turn = binary(Operator::Add, name(&counter), integer(1));
        body.insert(0, plain(Action::Assign(scalar(&counter), turn)));
        let least = binary(Operator::Less, name(&counter), integer(1 + self.below(3) as i64));
        let condition = if self.chance(50) { binary(Operator::And, least, self.logical(1)) } else { least };
        list.push(plain(Action::Assign(scalar(&counter), integer(0))));
        list.push(plain(Action::While(condition, body)));
    }

    /// A loop that fills an array.
    fn over_array(&mut self, list: &mut Vec<Statement>) {
        let Some(array) = self.target(|variable| {
            variable.sort == Type::Real && variable.bounds.as_ref().is_some_and(|bounds| bounds.len() == 1)
        }) else {
            return self.assignment(list);
        };
        self.assigns(&array);
        let Some((lower, upper)) = array.bounds.as_ref().and_then(|bounds| bounds.first()).copied() else { return };
        let counter = self.counter();
        let element = Place { name: array.name.clone(), indices: vec![name(&counter)] };
        let mut body = self.within_loop(&counter, Some((lower, upper)), 1);
        let value = binary(
            Operator::Add,
            self.bounded(1),
            binary(Operator::Multiply, Expression::Real("0.25".to_owned()), name(&counter)),
        );
        body.push(plain(Action::Assign(element, value)));
        let each = Loop { index: counter, first: integer(lower), last: integer(upper), step: None, end: None, body };
        list.push(plain(Action::Do(each)));
    }

    fn read(&mut self, list: &mut Vec<Statement>) {
        // The main program outside of loops and jumps alone knows what it reads.
        let is_first = self.stack.len() == 1 && self.stack.last().is_some_and(|unit| unit.is_main && unit.loops == 0);
        if !is_first {
            return self.assignment(list);
        }
        let mut places = Vec::new();
        for _ in 0..1 + self.below(2) {
            if let Some((place, variable)) = self.assigned_place()
                && variable.sort != Type::Logical
            {
                places.push(Target::Place(place));
                self.input.push(self.input.len() as f64 - 2.0);
            }
        }
        if self.chance(30)
            && let Some(target) = self.read_list()
        {
            places.push(target);
        }
        if places.is_empty() { self.assignment(list) } else { list.push(plain(Action::Read(places))) }
    }

    /// `RETURN` or `STOP`, on a condition.
    fn leave(&mut self, list: &mut Vec<Statement>) {
        let Some(is_main) = self.stack.last().filter(|unit| !unit.in_block).map(|unit| unit.is_main) else {
            return self.assignment(list);
        };
        if is_main && !self.chance(30) {
            return self.assignment(list);
        }
        let condition = self.logical(2);
        let action = if is_main { Action::Stop } else { Action::Return };
        list.push(plain(Action::If(condition, Box::new(action))));
    }
}
