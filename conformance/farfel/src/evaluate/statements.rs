//! Statements: the positions of a list, jumps within and out of lists, loops, input and output.

use super::behaviour::{Line, Printed};
use super::expressions::{operation, real};
use super::frames::converted;
use super::machine::{Binding, Evaluator, Flow, Reference};
use super::store::CellId;
use super::value::{Halt, Value, broken, failed};
use crate::number::Number;
use crate::tree::{Action, Counter, Expression, Item, Loop, Operator, Place, Statement, Target, Type};

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
                self.read(places)?;
                Ok(Flow::Next)
            }
            Action::Print(items) => {
                let mut line = Vec::new();
                self.print(items, &mut line)?;
                self.lines.push(line);
                Ok(Flow::Next)
            }
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
        self.turns(&each.index, &each.first, &each.last, each.step.as_ref(), &mut |evaluator| {
            evaluator.execute(&each.body)
        })
    }

    /// The turns of a loop with an index, until one of them leaves it.
    fn turns(
        &mut self,
        name: &'program str,
        first: &'program Expression,
        last: &'program Expression,
        step: Option<&'program Expression>,
        turn: &mut dyn FnMut(&mut Self) -> Result<Flow, Halt>,
    ) -> Result<Flow, Halt> {
        let first = self.value(first)?;
        let last = self.value(last)?;
        let step = step.map_or(Ok(Value::Integer(1)), |step| self.value(step))?;
        let index = self.variable(name)?;
        let (first, last, step) =
            (converted(first, index.sort)?, converted(last, index.sort)?, converted(step, index.sort)?);
        let trips = trips(&first, &last, &step)?;
        self.assign(&index, first)?;
        for _ in 0..trips {
            self.spend()?;
            match turn(self)? {
                Flow::Next => {}
                flow @ (Flow::Return | Flow::Jump(_)) => return Ok(flow),
            }
            let value = self.load(&index, name)?;
            self.assign(&index, operation(Operator::Add, &value, &step)?)?;
        }
        Ok(Flow::Next)
    }

    fn read(&mut self, targets: &'program [Target]) -> Result<(), Halt> {
        for target in targets {
            let place = match target {
                Target::Place(place) => place,
                Target::Repeated(targets, counter) => {
                    self.list(counter, &mut |evaluator| evaluator.read(targets))?;
                    continue;
                }
            };
            let Some(number) = self.input.next() else { return failed("the input has ended") };
            let target = self.place(place)?;
            if target.sort == Type::Integer && number.fract() != 0.0 {
                return failed("an integer is read from a fraction");
            }
            self.assign(&target, Value::Real(Number::Plain(*number)))?;
        }
        Ok(())
    }

    /// The turns of a list of `READ` or `PRINT`.
    fn list(
        &mut self,
        counter: &'program Counter,
        turn: &mut dyn FnMut(&mut Self) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        self.turns(&counter.name, &counter.first, &counter.last, counter.step.as_ref(), &mut |evaluator| {
            turn(evaluator).map(|()| Flow::Next)
        })
        .map(|_| ())
    }

    fn print(&mut self, items: &'program [Item], line: &mut Line) -> Result<(), Halt> {
        for item in items {
            match item {
                Item::Text(text) => line.push(Printed::Text(text.clone())),
                Item::Repeated(items, counter) => {
                    self.list(counter, &mut |evaluator| evaluator.print(items, line))?;
                }
                Item::Value(Expression::Name(name)) => match self.lookup(name)? {
                    Binding::Variable(array) if array.bounds.is_some() => {
                        for cell in array.cells.clone() {
                            let element = Reference { cells: cell..cell + 1, bounds: None, ..array.clone() };
                            line.push(printed(self.load(&element, name)?));
                        }
                    }
                    Binding::Variable(scalar) => line.push(printed(self.load(&scalar, name)?)),
                    Binding::Constant(value) => line.push(printed(value)),
                    Binding::Procedure(_) | Binding::Intrinsic(_) => return broken(format!("{name} is printed")),
                },
                Item::Value(value) => line.push(printed(self.value(value)?)),
            }
        }
        Ok(())
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
