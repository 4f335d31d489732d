//! Statements: the positions of a list, jumps within and out of lists, loops, input and output.

use super::behaviour::Printed;
use super::expressions::{operation, real};
use super::frames::converted;
use super::machine::{Binding, Evaluator, Flow, Reference};
use super::store::CellId;
use super::value::{Halt, Value, broken, failed};
use crate::number::Number;
use crate::tree::{Action, Expression, Item, Loop, Operator, Place, Statement, Type};

impl<'program> Evaluator<'program> {
    /// Executes a list of statements.
    pub(super) fn execute(&mut self, list: &'program [Statement]) -> Result<Flow, Halt> {
        let mut place = 0;
        while let Some(statement) = list.get(place) {
            match self.action(&statement.action)? {
                Flow::Next => place += 1,
                Flow::Return => return Ok(Flow::Return),
                Flow::Jump(label) => match list.iter().position(|statement| statement.label == Some(label)) {
                    Some(target) => place = target,
                    None => return Ok(Flow::Jump(label)),
                },
            }
        }
        Ok(Flow::Next)
    }

    fn spend(&mut self) -> Result<(), Halt> {
        match self.statements_left.checked_sub(1) {
            Some(left) => {
                self.statements_left = left;
                Ok(())
            }
            None => Err(Halt::Unknown("it takes too long")),
        }
    }

    fn action(&mut self, action: &'program Action) -> Result<Flow, Halt> {
        self.spend()?;
        match action {
            Action::Assign(place, value) => {
                let value = self.value(value)?;
                let target = self.place(place)?;
                self.assign(&target, value)?;
                Ok(Flow::Next)
            }
            Action::Call(name, arguments) => match self.invoke(name, arguments)? {
                None => Ok(Flow::Next),
                Some(_) => broken(format!("{name} is no subroutine")),
            },
            Action::Continue => Ok(Flow::Next),
            Action::Return => Ok(Flow::Return),
            Action::Stop => Err(Halt::Stopped),
            Action::Read(places) => {
                for place in places {
                    let Some(number) = self.input.next() else { return failed("the input has ended") };
                    let target = self.place(place)?;
                    if target.sort == Type::Integer && number.fract() != 0.0 {
                        return failed("an integer is read from a fraction");
                    }
                    self.assign(&target, Value::Real(Number::Plain(*number)))?;
                }
                Ok(Flow::Next)
            }
            Action::Print(items) => self.print(items),
            Action::If(condition, action) => {
                if self.truth(condition)? {
                    self.action(action)
                } else {
                    Ok(Flow::Next)
                }
            }
            Action::Branches(branches) => {
                for (condition, body) in branches {
                    let is_taken = match condition {
                        Some(condition) => self.truth(condition)?,
                        None => true,
                    };
                    if is_taken {
                        return self.execute(body);
                    }
                }
                Ok(Flow::Next)
            }
            Action::Sign(value, [negative, zero, positive]) => {
                let value = real(&self.value(value)?)?.base();
                if value.is_nan() {
                    return Err(Halt::Unknown("the sign of NaN"));
                }
                Ok(Flow::Jump(match value {
                    value if value < 0.0 => *negative,
                    value if value > 0.0 => *positive,
                    _ => *zero,
                }))
            }
            Action::Do(each) => self.repeat(each),
            Action::While(condition, body) => {
                while self.truth(condition)? {
                    self.spend()?;
                    match self.execute(body)? {
                        Flow::Next => {}
                        flow @ (Flow::Return | Flow::Jump(_)) => return Ok(flow),
                    }
                }
                Ok(Flow::Next)
            }
            Action::Goto(label) => Ok(Flow::Jump(*label)),
            Action::Computed(labels, index) => {
                let Value::Integer(index) = self.value(index)? else { return broken("an index is no integer") };
                let place = usize::try_from(index - 1).ok();
                Ok(place.and_then(|place| labels.get(place)).map_or(Flow::Next, |label| Flow::Jump(*label)))
            }
            Action::Differentiate(block) => {
                self.differentiate(block)?;
                Ok(Flow::Next)
            }
        }
    }

    fn repeat(&mut self, each: &'program Loop) -> Result<Flow, Halt> {
        let first = self.value(&each.first)?;
        let last = self.value(&each.last)?;
        let step = each.step.as_ref().map_or(Ok(Value::Integer(1)), |step| self.value(step))?;
        let index = self.variable(&each.index)?;
        let (first, last, step) =
            (converted(first, index.sort)?, converted(last, index.sort)?, converted(step, index.sort)?);
        let trips = trips(&first, &last, &step)?;
        self.assign(&index, first)?;
        for _ in 0..trips {
            self.spend()?;
            match self.execute(&each.body)? {
                Flow::Next => {}
                flow @ (Flow::Return | Flow::Jump(_)) => return Ok(flow),
            }
            let value = self.load(&index, &each.index)?;
            self.assign(&index, operation(Operator::Add, &value, &step)?)?;
        }
        Ok(Flow::Next)
    }

    fn print(&mut self, items: &'program [Item]) -> Result<Flow, Halt> {
        let mut line = Vec::new();
        for item in items {
            match item {
                Item::Text(text) => line.push(Printed::Text(text.clone())),
                Item::Value(Expression::Name(name)) => match self.lookup(name)? {
                    Binding::Variable(array) if array.bounds.is_some() => {
                        for cell in array.cells.clone() {
                            let element = Reference { cells: cell..cell + 1, bounds: None, ..array.clone() };
                            line.push(printed(self.load(&element, name)?));
                        }
                    }
                    Binding::Variable(scalar) => line.push(printed(self.load(&scalar, name)?)),
                    Binding::Constant(value) => line.push(printed(value)),
                    Binding::Procedure(_) => return broken(format!("{name} is printed")),
                },
                Item::Value(value) => line.push(printed(self.value(value)?)),
            }
        }
        self.lines.push(line);
        Ok(Flow::Next)
    }

    /// The variable, array or element of a place.
    pub(super) fn place(&mut self, place: &'program Place) -> Result<Reference, Halt> {
        if place.indices.is_empty() {
            return self.variable(&place.name);
        }
        let indices = self.indices(&place.indices)?;
        let array = self.variable(&place.name)?;
        self.element(&array, &indices, &place.name)
    }

    /// The cells of a variable with a name.
    pub(super) fn cells(&mut self, name: &'program str) -> Result<std::ops::Range<CellId>, Halt> {
        Ok(self.variable(name)?.cells)
    }
}

/// The number of turns of a loop.
pub(super) fn trips(first: &Value, last: &Value, step: &Value) -> Result<u64, Halt> {
    let (first, last, step) = (real(first)?.base(), real(last)?.base(), real(step)?.base());
    if step == 0.0 {
        return Err(Halt::Unknown("a loop with the step zero"));
    }
    let trips = ((last - first + step) / step).trunc();
    if trips.is_nan() || trips > 1e9 { Err(Halt::Unknown("a long loop")) } else { Ok(trips.max(0.0) as u64) }
}

fn printed(value: Value) -> Printed {
    match value {
        Value::Real(number) => Printed::Real(number.base()),
        Value::Integer(integer) => Printed::Integer(integer),
        Value::Logical(logical) => Printed::Logical(logical),
    }
}
