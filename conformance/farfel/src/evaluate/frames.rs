//! Activations: the bindings of names, calls, and references to variables.

use super::machine::{Binding, Callee, Evaluator, Flow, Frame, FrameId, Procedure, Reference};
use super::store::{CellId, OWNER, Route};
use super::units::Variable;
use super::value::{Halt, Value, broken, failed};
use crate::number::Number;
use crate::tree::{Expression, SubprogramKind, Type};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// The bounds of an array, and its size.
type Extents = (Rc<[(i64, i64)]>, usize);

impl<'program> Evaluator<'program> {
    /// Runs the main program.
    pub(super) fn run(&mut self) -> Result<(), Halt> {
        let main = self.units.iter().position(|unit| unit.tree.kind == SubprogramKind::Main);
        let Some(unit) = main else { return broken("there is no main program") };
        self.call(Procedure { unit, link: None }, Vec::new()).map(|_| ())
    }

    fn frame(&self, id: FrameId) -> Result<&Frame<'program>, Halt> {
        self.frames.get(id).ok_or_else(|| Halt::Broken("a frame is gone".to_owned()))
    }

    pub(super) fn top(&self) -> FrameId {
        self.frames.len().saturating_sub(1)
    }

    /// The binding of a name in the newest activation: its own, or that of an activation around it; a subprogram in scope;
    /// else a new variable of the outermost activation, whose type its name implies.
    pub(super) fn lookup(&mut self, name: &'program str) -> Result<Binding, Halt> {
        let mut id = self.top();
        loop {
            let frame = self.frame(id)?;
            if let Some(binding) = frame.bindings.get(name) {
                return Ok(binding.clone());
            }
            if let Some(procedure) = self.nested(id, name)? {
                return Ok(Binding::Procedure(procedure));
            }
            match frame.link {
                Some(link) => id = link,
                None => break,
            }
        }
        if let Some(procedure) = self.global(name) {
            return Ok(Binding::Procedure(procedure));
        }
        self.implied += 1;
        let cell = self.store.allocate(1, None);
        let reference = Reference { cells: cell..cell + 1, bounds: None, sort: Type::implied(name), route: OWNER };
        let binding = Binding::Variable(reference);
        if let Some(frame) = self.frames.get_mut(id) {
            frame.bindings.insert(name, binding.clone());
        }
        Ok(binding)
    }

    /// The subprogram of a name that is called in the newest activation.
    pub(super) fn callee(&self, name: &str) -> Result<Callee, Halt> {
        let mut id = self.top();
        loop {
            let frame = self.frame(id)?;
            match frame.bindings.get(name) {
                Some(Binding::Procedure(procedure)) => return Ok(Callee::Unit(*procedure)),
                Some(Binding::Intrinsic(intrinsic)) => return Ok(Callee::Intrinsic(*intrinsic)),
                Some(Binding::Variable(_) | Binding::Constant(_)) | None => {}
            }
            if let Some(procedure) = self.nested(id, name)? {
                return Ok(Callee::Unit(procedure));
            }
            match frame.link {
                Some(link) => id = link,
                None => break,
            }
        }
        self.global(name)
            .map(Callee::Unit)
            .ok_or_else(|| Halt::Broken(format!("{name} is called and is no subprogram")))
    }

    fn nested(&self, id: FrameId, name: &str) -> Result<Option<Procedure>, Halt> {
        let unit = self.units.get(self.frame(id)?.unit);
        Ok(unit.and_then(|unit| unit.nested.get(name)).map(|unit| Procedure { unit: *unit, link: Some(id) }))
    }

    fn global(&self, name: &str) -> Option<Procedure> {
        let unit = self.units.iter().position(|unit| unit.around.is_none() && unit.tree.name == name)?;
        Some(Procedure { unit, link: None })
    }

    /// The reference to a variable.
    pub(super) fn variable(&mut self, name: &'program str) -> Result<Reference, Halt> {
        match self.lookup(name)? {
            Binding::Variable(reference) => Ok(reference),
            Binding::Constant(_) | Binding::Procedure(_) | Binding::Intrinsic(_) => {
                broken(format!("{name} is no variable"))
            }
        }
    }

    /// Calls a subprogram; returns the value of a function.
    pub(super) fn call(&mut self, callee: Procedure, arguments: Vec<Binding>) -> Result<Option<Value>, Halt> {
        if self.depth_left == 0 {
            return Err(Halt::Unknown("calls are too deep"));
        }
        self.depth_left -= 1;
        let (length, implied) = (self.store.length(), self.implied);
        let tree = match self.units.get(callee.unit) {
            Some(unit) => unit.tree,
            None => return broken("a unit is missing"),
        };
        if tree.parameters.len() != arguments.len() {
            return broken(format!("{} has other parameters", tree.name));
        }
        self.frames.push(Frame { unit: callee.unit, link: callee.link, bindings: HashMap::new() });
        let routes = self.bind(arguments)?;
        match self.execute(&tree.body)? {
            Flow::Next | Flow::Return => {}
            Flow::Jump(label) => return broken(format!("there is no label {label}")),
        }
        let result = if self.units.get(callee.unit).is_some_and(|unit| unit.is_function()) {
            let reference = self.variable(&tree.name)?;
            Some(self.load(&reference, &tree.name)?)
        } else {
            None
        };
        for (cells, route) in routes {
            self.store.end_route(cells, route);
        }
        self.free_from(length, implied);
        self.frames.pop();
        self.depth_left += 1;
        Ok(result)
    }

    /// Frees cells, unless variables of older activations are among them: then there were fewer that names imply.
    pub(super) fn free_from(&mut self, length: usize, implied: u64) {
        if self.implied == implied {
            self.store.free_from(length);
        }
    }

    /// Binds the names of the newest activation; returns the routes of its parameters.
    fn bind(&mut self, arguments: Vec<Binding>) -> Result<Vec<(Range<CellId>, Route)>, Halt> {
        let id = self.top();
        let unit = self.frame(id)?.unit;
        let Some(unit) = self.units.get(unit) else { return broken("a unit is missing") };
        let (tree, variables, constants) = (unit.tree, unit.variables.clone(), unit.constants.clone());
        let of = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, variable)| *variable);
        let mut routes = Vec::new();
        // Scalars first: the bounds of arrays refer to them.
        let mut arrays = Vec::new();
        for (name, argument) in tree.parameters.iter().zip(arguments) {
            let (Some(variable), reference) = (of(name), argument) else { return broken("a parameter is missing") };
            match reference {
                Binding::Variable(reference) => {
                    let route = self.store.begin_route(reference.cells.clone(), reference.route);
                    routes.push((reference.cells.clone(), route));
                    let reference = Reference { route, ..reference };
                    if variable.bounds.is_empty() {
                        if reference.bounds.is_some() || reference.sort != variable.sort {
                            return broken(format!("{name} is of another kind"));
                        }
                        self.set(name, Binding::Variable(reference));
                    } else {
                        arrays.push((name, variable, reference));
                    }
                }
                other => self.set(name, other),
            }
        }
        for (name, sort, value) in constants {
            let value = self.value(value)?;
            let value = converted(value, sort)?;
            self.set(name, Binding::Constant(value));
        }
        for (name, variable, actual) in arrays {
            let (bounds, size) = self.bounds(&variable, Some(actual.cells.len()))?;
            if size > actual.cells.len() {
                return failed(format!("{name} is larger than the array that is given"));
            }
            let cells = actual.cells.start..actual.cells.start + size;
            let reference = Reference { cells, bounds: Some(bounds), sort: variable.sort, route: actual.route };
            self.set(name, Binding::Variable(reference));
        }
        for (name, variable) in variables {
            if tree.parameters.iter().any(|parameter| parameter == name) {
                continue;
            }
            let (bounds, count, value) = if variable.bounds.is_empty() {
                (None, 1, None)
            } else {
                let (bounds, size) = self.bounds(&variable, None)?;
                (Some(bounds), size, Some(zero(variable.sort)))
            };
            let first = self.store.allocate(count, value);
            let reference = Reference { cells: first..first + count, bounds, sort: variable.sort, route: OWNER };
            self.set(name, Binding::Variable(reference));
        }
        Ok(routes)
    }

    pub(super) fn set(&mut self, name: &'program str, binding: Binding) {
        if let Some(frame) = self.frames.last_mut() {
            frame.bindings.insert(name, binding);
        }
    }

    /// Binds a name for a while; returns the binding to restore.
    pub(super) fn hide(&mut self, name: &'program str, binding: Binding) -> Option<Binding> {
        self.frames.last_mut().and_then(|frame| frame.bindings.insert(name, binding))
    }

    /// Ends a binding of [`Evaluator::hide`].
    pub(super) fn restore(&mut self, name: &'program str, before: Option<Binding>) {
        if let Some(frame) = self.frames.last_mut() {
            match before {
                Some(binding) => frame.bindings.insert(name, binding),
                None => frame.bindings.remove(name),
            };
        }
    }

    /// The bounds of an array and its size, of which at most `most` are there for the last dimension.
    fn bounds(&mut self, variable: &Variable<'program>, most: Option<usize>) -> Result<Extents, Halt> {
        let mut bounds = Vec::new();
        let mut size: i64 = 1;
        for bound in variable.bounds {
            let lower = bound.lower.as_ref().map_or(Ok(1), |lower| self.integer(lower))?;
            let upper = match (&bound.upper, most) {
                (Some(upper), _) => self.integer(upper)?,
                (None, Some(most)) if size > 0 => lower + most as i64 / size - 1,
                (None, _) => return broken("an array of any size is no parameter"),
            };
            let extent = (upper - lower + 1).max(0);
            size = size.checked_mul(extent).filter(|size| *size <= 1 << 20).ok_or(Halt::Unknown("a huge array"))?;
            bounds.push((lower, upper));
        }
        Ok((bounds.into(), size as usize))
    }

    fn integer(&mut self, expression: &'program Expression) -> Result<i64, Halt> {
        match self.value(expression)? {
            Value::Integer(integer) => Ok(integer),
            Value::Real(_) | Value::Logical(_) => broken("an integer is expected"),
        }
    }

    /// The value of a scalar.
    pub(super) fn load(&mut self, reference: &Reference, name: &str) -> Result<Value, Halt> {
        match self.store.read(reference.cells.start, reference.route) {
            Some(value) => Ok(value),
            None => failed(format!("{name} has no value")),
        }
    }

    /// The cell of an element.
    pub(super) fn element(&mut self, array: &Reference, indices: &[Value], name: &str) -> Result<Reference, Halt> {
        let Some(bounds) = &array.bounds else { return broken(format!("{name} is no array")) };
        if bounds.len() != indices.len() {
            return broken(format!("{name} has other dimensions"));
        }
        let (mut offset, mut stride) = (0, 1);
        for (index, (lower, upper)) in indices.iter().zip(bounds.iter()) {
            let Value::Integer(index) = index else { return broken("an index is no integer") };
            if index < lower || index > upper {
                return failed(format!("the index {index} of {name} is not between {lower} and {upper}"));
            }
            offset += (index - lower) * stride;
            stride *= upper - lower + 1;
        }
        let cell = array.cells.start + offset as usize;
        if cell >= array.cells.end {
            return failed(format!("an element of {name} is beyond its end"));
        }
        Ok(Reference { cells: cell..cell + 1, bounds: None, sort: array.sort, route: array.route })
    }

    /// Assigns a value, converted to the type of the variable.
    pub(super) fn assign(&mut self, reference: &Reference, value: Value) -> Result<(), Halt> {
        let value = converted(value, reference.sort)?;
        self.store.write(reference.cells.start, reference.route, value);
        Ok(())
    }

    /// A variable for the value of an expression that is given to a subprogram.
    pub(super) fn temporary(&mut self, value: Value) -> Reference {
        let sort = match value {
            Value::Real(_) => Type::Real,
            Value::Integer(_) => Type::Integer,
            Value::Logical(_) => Type::Logical,
        };
        let cell = self.store.allocate(1, Some(value));
        Reference { cells: cell..cell + 1, bounds: None, sort, route: OWNER }
    }
}

/// The zero of a type, which the elements of arrays have first.
fn zero(sort: Type) -> Value {
    match sort {
        Type::Real => Value::Real(Number::Plain(0.0)),
        Type::Integer => Value::Integer(0),
        Type::Logical => Value::Logical(false),
    }
}

/// A value as one of the type of the variable to which it is assigned.
pub(super) fn converted(value: Value, sort: Type) -> Result<Value, Halt> {
    match (sort, value) {
        (Type::Real, Value::Integer(integer)) => Ok(Value::Real(Number::Plain(integer as f64))),
        (Type::Integer, Value::Real(number)) => whole(number.base().trunc()).map(Value::Integer),
        (Type::Real, value @ Value::Real(_))
        | (Type::Integer, value @ Value::Integer(_))
        | (Type::Logical, value @ Value::Logical(_)) => Ok(value),
        (Type::Real | Type::Integer, Value::Logical(_)) | (Type::Logical, Value::Real(_) | Value::Integer(_)) => {
            broken("a logical value and a number are mixed")
        }
    }
}

/// An integer that a double represents.
pub(super) fn whole(real: f64) -> Result<i64, Halt> {
    if real.abs() <= MOST_INTEGER as f64 { Ok(real as i64) } else { Err(Halt::Unknown("a huge integer")) }
}

/// The greatest integer that is followed.
pub(super) const MOST_INTEGER: i64 = 1 << 53;
