//! Structures of any size at the border of a level of differentiation: their reals as arrays.
//!
//! The reals of a point, in the order of positions, become an array, and so do those of its tangent, after it has been found
//! to conform. A procedure of its own makes the point again, with elements of the array in the places of its reals,
//! applies what is differentiated, and returns the value with the array of its reals. So the level has arrays alone as
//! active operands and results. The cells that go in and out beside them are skeletons, of which no real is read.
//!
//! The arrays are filled, and structures are made again, by recursive instances: one for each cell type.

use super::evaluate::Condition;
use super::specialiser::Specialiser;
use super::specialiser::frame::Frame;
use super::specialiser::instance::Subject;
use super::values::domain::{Abstract, AbstractId, Head};
use super::values::reason::{Cause, Stop};
use super::values::value::{Leaves, Value};
use vlad_core::ExpressionId;
use vlad_first_order::{End, FunctionId, Kind, Operand, Recording, Statement, Variable};
use vlad_table::{Operation, internal_bug};

impl Specialiser<'_> {
    /// `(j* f x x')`, where x or the value of f contains structures of any size.
    pub fn forward_flat(
        &mut self,
        frame: &mut Frame,
        (f, x, tangent): (&Value, &Value, &Value),
        node: ExpressionId,
    ) -> Result<(Value, Value), Stop> {
        let reals = self.flattened(frame, x, x, node)?;
        let tangents = self.flattened(frame, x, tangent, node)?;
        let (function, result, arguments) = self.flat_call(frame, f, x, &reals, node)?;
        let mut directions = vec![None; arguments.len()];
        if let Some(last) = directions.last_mut() {
            *last = Some(tangents.operand());
        }
        let kinds = self.kinds(result);
        let mut all_kinds = kinds.clone();
        all_kinds.extend(kinds.iter().filter(|kind| kind.is_differentiable()));
        let targets = self.targets(frame, &all_kinds);
        let (targets_of, last) = (targets.clone(), targets.last().copied());
        frame.code.add(Statement::Forward { targets: targets_of, function, arguments, tangents: directions });
        let (value, reals) = self.flat_result(result, targets.get(..kinds.len()).unwrap_or_default());
        let Some(last) = last else { internal_bug!("the reals of a value have tangents") };
        let tangents = Value::leaf(reals.of, Operand::Variable(last));
        let primal = self.made_again(frame, &value, &reals, node)?;
        let tangent = self.made_again(frame, &value, &tangents, node)?;
        Ok((primal, tangent))
    }

    /// `(*j f x y')`, where x or the value of f contains structures of any size.
    pub fn reverse_flat(
        &mut self,
        frame: &mut Frame,
        (f, x, cotangent): (&Value, &Value, &Value),
        recording: Recording,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let reals = self.flattened(frame, x, x, node)?;
        let of_result = self.flattened(frame, cotangent, cotangent, node)?;
        let (function, result, arguments) = self.flat_call(frame, f, x, &reals, node)?;
        let kinds = self.kinds(result);
        let mut cotangents = Vec::new();
        for kind in kinds.iter().take(kinds.len().saturating_sub(1)) {
            match kind {
                Kind::Real => cotangents.push(Operand::real(0.0)),
                Kind::Cell => {
                    let target = frame.code.fresh(Kind::Cell);
                    frame.code.add(Statement::Cell { target, parts: Vec::new() });
                    cotangents.push(Operand::Variable(target));
                }
                Kind::Boolean | Kind::Integer => {}
                Kind::Array(_) => return self.give_up(Cause::GrownInOperator, node),
            }
        }
        cotangents.push(of_result.operand());
        let mut active = vec![false; arguments.len()];
        if let Some(last) = active.last_mut() {
            *last = true;
        }
        let mut all_kinds = kinds.clone();
        all_kinds.push(Kind::REALS);
        let targets = self.targets(frame, &all_kinds);
        let (targets_of, last) = (targets.clone(), targets.last().copied());
        frame.code.add(Statement::Reverse { targets: targets_of, function, arguments, active, cotangents, recording });
        let (value, reals_of_value) = self.flat_result(result, targets.get(..kinds.len()).unwrap_or_default());
        let Some(last) = last else { internal_bug!("the reals of a point have cotangents") };
        let primal = self.made_again(frame, &value, &reals_of_value, node)?;
        // The cotangent has to conform to the value.
        self.flattened(frame, &primal, cotangent, node)?;
        let gradient = Value::leaf(reals.of, Operand::Variable(last));
        let gradient = self.made_again(frame, x, &gradient, node)?;
        self.pair(primal, gradient)
    }

    /// The instance that applies a procedure to a point that it makes again, its result, and its arguments, of which the
    /// array of the point's reals is the last one.
    fn flat_call(
        &mut self,
        frame: &mut Frame,
        f: &Value,
        x: &Value,
        reals: &Value,
        node: ExpressionId,
    ) -> Result<(FunctionId, AbstractId, Vec<Operand>), Stop> {
        let any = self.domain.any_real();
        let lifted = self.domain.with_reals(x.of, any)?;
        let (id, result) = self.called(frame, Subject::Flat(f.of, lifted), node)?;
        let mut arguments = f.leaves.as_slice().to_vec();
        arguments.extend(self.coerced(frame, x, lifted)?);
        arguments.push(reals.operand());
        Ok((FunctionId(id.0), result, arguments))
    }

    /// The value and the array of its reals that such an instance returns, in variables.
    fn flat_result(&self, result: AbstractId, targets: &[Variable]) -> (Value, Value) {
        let leaves = Operand::all(targets);
        match self.parts(&Value { of: result, leaves: leaves.into() }) {
            Some(parts) => parts,
            None => internal_bug!("a value is returned with its reals"),
        }
    }

    /// From inside: the application of a procedure to a point, whose reals are in an array.
    pub fn applied_flat(
        &mut self,
        frame: &mut Frame,
        (f, x): (AbstractId, AbstractId),
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let (leaves_of_f, rest) = Leaves::from(frame.code.parameters()).split(self.domain.leaves(f));
        let (leaves_of_x, reals) = rest.split(self.domain.leaves(x));
        let of_reals = self.array_of_reals()?;
        let (f, x) = (Value { of: f, leaves: leaves_of_f }, Value { of: x, leaves: leaves_of_x });
        let x = self.made_again(frame, &x, &Value { of: of_reals, leaves: reals }, node)?;
        let y = self.apply(frame, f, x, node)?;
        let reals = self.flattened(frame, &y, &y, node)?;
        self.pair(y, reals)
    }

    /// The abstract value of arrays of reals.
    pub fn array_of_reals(&mut self) -> Result<AbstractId, Stop> {
        let real = self.domain.any_real();
        match self.domain.array(real)? {
            Some(array) => Ok(array),
            None => internal_bug!("there are arrays of reals"),
        }
    }

    /// Calls an instance that is no application.
    pub fn call_of(
        &mut self,
        frame: &mut Frame,
        subject: Subject,
        arguments: Vec<Operand>,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let (id, result) = self.called(frame, subject, node)?;
        let targets = self.targets(frame, &self.kinds(result));
        frame.code.add(Statement::Call { targets: targets.clone(), function: FunctionId(id.0), arguments });
        let leaves: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        Ok(Value { of: result, leaves: leaves.into() })
    }

    /// An array of the reals of a companion that has to conform to a value.
    fn flattened(
        &mut self,
        frame: &mut Frame,
        value: &Value,
        companion: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        self.without_backpropagators(&[value.of, companion.of], node)?;
        let zero = Value::known(self.domain.literal(0.0));
        let length = self.counted(frame, value, zero.clone(), node)?;
        let length = self.real_operand(&length);
        let zeros = self.built_reals(frame, length, &mut |_, _| Operand::real(0.0));
        let places = frame.code.fresh(Kind::REALS);
        frame.code.add(Statement::Accumulators { target: places, like: zeros });
        self.stored(frame, (value, companion), (places.into(), zero), node)?;
        let of = self.array_of_reals()?;
        let array = self.built_reals(frame, length, &mut |frame, index| {
            let target = frame.code.fresh(Kind::Real);
            frame.code.add(Statement::Load { target, array: places.into(), index });
            Operand::Variable(target)
        });
        Ok(Value::leaf(of, array))
    }

    /// An array of a length, of elements that code makes of their indices.
    pub fn built_reals(
        &mut self,
        frame: &mut Frame,
        length: Operand,
        element: &mut dyn FnMut(&mut Frame, Operand) -> Operand,
    ) -> Operand {
        let (target, index) = (frame.code.fresh(Kind::REALS), frame.code.fresh(Kind::Real));
        frame.code.open();
        let element = element(frame, index.into());
        let body = frame.code.close(End::Yield(vec![element]));
        frame.code.add(Statement::Build { targets: vec![target], length, index, body });
        Operand::Variable(target)
    }

    /// The number after an index.
    pub fn next(&mut self, frame: &mut Frame, index: &Value) -> Value {
        let one = Value::known(self.domain.literal(1.0));
        self.operation(frame, Operation::Add, index, Some(&one))
    }

    /// A number and that of the reals of a value.
    pub fn counted(
        &mut self,
        frame: &mut Frame,
        value: &Value,
        mut count: Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let mut pending = vec![value.clone()];
        while let Some(value) = pending.pop() {
            self.budget.node().map_err(|reason| Stop::GiveUp(reason.at(node)))?;
            count = match self.domain.get(value.of) {
                Abstract::Real { .. } | Abstract::AnyReal => self.next(frame, &count),
                Abstract::Cell(_) => {
                    let mut arguments = value.leaves.as_slice().to_vec();
                    arguments.push(self.real_operand(&count));
                    self.call_of(frame, Subject::Counted(value.of), arguments, node)?
                }
                Abstract::Union(_) => {
                    self.each(frame, &value, node, &|this, frame, of| this.counted(frame, &of, count.clone(), node))?
                }
                Abstract::Array(_) => return self.give_up(Cause::GrownInOperator, node),
                _ => {
                    pending.extend(self.decomposed(&value).1.into_iter().rev());
                    count
                }
            };
        }
        Ok(count)
    }

    /// Stores the reals of a companion of a value, which has to conform to it, in an array from an index on. Returns the next
    /// index.
    pub fn stored(
        &mut self,
        frame: &mut Frame,
        (value, companion): (&Value, &Value),
        (array, mut index): (Operand, Value),
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let mut pending = vec![(value.clone(), companion.clone())];
        while let Some((a, b)) = pending.pop() {
            self.budget.node().map_err(|reason| Stop::GiveUp(reason.at(node)))?;
            let b = match self.domain.get(a.of) {
                Abstract::Cell(_) => {
                    let mut arguments = a.leaves.as_slice().to_vec();
                    arguments.extend(b.leaves.as_slice());
                    arguments.extend([array, self.real_operand(&index)]);
                    index = self.call_of(frame, Subject::Stored(a.of, b.of), arguments, node)?;
                    continue;
                }
                Abstract::Union(_) => {
                    index = self.each(frame, &a, node, &|this, frame, a| {
                        this.stored(frame, (&a, &b), (array, index.clone()), node)
                    })?;
                    continue;
                }
                of => {
                    let like = of.clone();
                    self.only(frame, &b, node, |of| like.is_alike(of))?
                }
            };
            match self.domain.get(a.of) {
                Abstract::Real { .. } | Abstract::AnyReal => {
                    let (value, place) = (self.real_operand(&b), self.real_operand(&index));
                    frame.code.add(Statement::Store { array, index: place, value });
                    index = self.next(frame, &index);
                }
                Abstract::Array(_) => return self.give_up(Cause::GrownInOperator, node),
                _ => match (self.decomposed(&a), self.decomposed(&b)) {
                    ((Head::Atom, _), _) => match self.equal(frame, &a, &b, node)? {
                        Condition::Known(true) => {}
                        Condition::Known(false) => return Err(Stop::Never(node)),
                        Condition::Unknown(test) => frame.code.require(test, node),
                    },
                    ((head, parts), (other, others)) => {
                        if !self.is_same_head(head, other) || parts.len() != others.len() {
                            return Err(Stop::Never(node));
                        }
                        pending.extend(parts.into_iter().zip(others).rev());
                    }
                },
            }
        }
        Ok(index)
    }

    /// A value with the elements of an array in the places of its reals.
    fn made_again(
        &mut self,
        frame: &mut Frame,
        value: &Value,
        reals: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let zero = Value::known(self.domain.literal(0.0));
        Ok(self.made_from(frame, value, (reals.operand(), zero), node)?.0)
    }

    /// The same, with the elements from an index on; and the next index. The depth of values bounds the recursion.
    pub fn made_from(
        &mut self,
        frame: &mut Frame,
        value: &Value,
        (array, mut index): (Operand, Value),
        node: ExpressionId,
    ) -> Result<(Value, Value), Stop> {
        let (mut firsts, mut rest) = (Vec::new(), value.clone());
        while let Some((first, second)) = self.parts(&rest) {
            let (first, next) = self.made_from(frame, &first, (array, index), node)?;
            firsts.push(first);
            (rest, index) = (second, next);
        }
        let rest = match self.domain.get(rest.of) {
            Abstract::Real { .. } | Abstract::AnyReal => {
                let (target, place) = (frame.code.fresh(Kind::Real), self.real_operand(&index));
                frame.code.add(Statement::Element { target, array, index: place });
                index = self.next(frame, &index);
                Value::leaf(self.domain.any_real(), target.into())
            }
            Abstract::Cell(_) => {
                let arguments = vec![rest.operand(), array, self.real_operand(&index)];
                let made = self.call_of(frame, Subject::MadeAgain(rest.of), arguments, node)?;
                let made = self.parts(&made);
                let Some((made, next)) = made else { internal_bug!("a cell is made with the next index") };
                index = next;
                made
            }
            Abstract::Union(_) => {
                let made = self.each(frame, &rest, node, &|this, frame, of| {
                    let (made, next) = this.made_from(frame, &of, (array, index.clone()), node)?;
                    this.pair(made, next)
                })?;
                let Some((made, next)) = self.parts(&made) else {
                    internal_bug!("a union is made with the next index")
                };
                index = next;
                made
            }
            Abstract::Array(_) => return self.give_up(Cause::GrownInOperator, node),
            _ => match self.decomposed(&rest) {
                (Head::Atom, _) => rest,
                (head, parts) => {
                    let mut made = Vec::with_capacity(parts.len());
                    for part in parts {
                        let (part, next) = self.made_from(frame, &part, (array, index), node)?;
                        made.push(part);
                        index = next;
                    }
                    self.composed(head, &made)?
                }
            },
        };
        Ok((self.tuple(firsts, rest)?, index))
    }

    /// The name of such an instance, and the kinds of its parameters.
    pub fn flat_parameters(&self, subject: Subject) -> (String, Vec<Kind>) {
        let (name, of, others) = match subject {
            Subject::Flat(f, x) => (self.name_of(f), vec![f, x], vec![Kind::REALS]),
            Subject::Counted(of) => ("count reals".to_owned(), vec![of], vec![Kind::Real]),
            Subject::Stored(a, b) => ("store reals".to_owned(), vec![a, b], vec![Kind::REALS, Kind::Real]),
            Subject::MadeAgain(of) => ("with reals".to_owned(), vec![of], vec![Kind::REALS, Kind::Real]),
            Subject::Listed(array, list) => {
                let others = std::iter::once(Kind::Real).chain(self.kinds(list)).collect();
                ("list of vector".to_owned(), vec![array], others)
            }
            Subject::Filled(of) => ("vector of list".to_owned(), vec![of], vec![Kind::Real, Kind::REALS]),
            Subject::Item(_) | Subject::Application(..) => internal_bug!("an instance on reals in arrays is expected"),
        };
        (name, of.into_iter().flat_map(|of| self.kinds(of)).chain(others).collect())
    }

    /// From inside: the instances of [`Specialiser::counted`], [`Specialiser::stored`] and [`Specialiser::made_from`] for cells.
    pub fn on_cells(&mut self, frame: &mut Frame, subject: Subject, node: ExpressionId) -> Result<Value, Stop> {
        let parameters = Leaves::from(frame.code.parameters());
        let any = self.domain.any_real();
        let real = |leaves: &Leaves| Value { of: any, leaves: leaves.clone() };
        match subject {
            Subject::Counted(of) => {
                let (leaves, count) = parameters.split(self.domain.leaves(of));
                let count = real(&count);
                self.each(frame, &Value { of, leaves }, node, &|this, frame, of| {
                    this.counted(frame, &of, count.clone(), node)
                })
            }
            Subject::Stored(of_a, of_b) => {
                let (a, rest) = parameters.split(self.domain.leaves(of_a));
                let (b, rest) = rest.split(self.domain.leaves(of_b));
                let (array, index) = rest.split(1);
                let (a, b) = (Value { of: of_a, leaves: a }, Value { of: of_b, leaves: b });
                let (array, index) = (Value { of: any, leaves: array }.operand(), real(&index));
                self.each(frame, &a, node, &|this, frame, a| this.stored(frame, (&a, &b), (array, index.clone()), node))
            }
            Subject::MadeAgain(of) => {
                let (cell, rest) = parameters.split(self.domain.leaves(of));
                let (array, index) = rest.split(1);
                let (array, index) = (Value { of: any, leaves: array }.operand(), real(&index));
                self.each(frame, &Value { of, leaves: cell }, node, &|this, frame, alternative| {
                    let (made, next) = this.made_from(frame, &alternative, (array, index.clone()), node)?;
                    let leaves = this.coerced(frame, &made, of)?;
                    let next = Value::leaf(any, this.real_operand(&next));
                    this.pair(Value { of, leaves: leaves.into() }, next)
                })
            }
            Subject::Listed(array, list) => self.listed(frame, (array, list), node),
            Subject::Filled(of) => self.filled(frame, of, node),
            Subject::Item(_) | Subject::Application(..) | Subject::Flat(..) => {
                internal_bug!("an instance on cells is expected")
            }
        }
    }
}

impl Abstract {
    /// Returns true if two values that are no unions may conform, their parts apart.
    fn is_alike(&self, other: &Abstract) -> bool {
        match (self, other) {
            (Abstract::Real { .. } | Abstract::AnyReal, Abstract::Real { .. } | Abstract::AnyReal)
            | (Abstract::Boolean(_) | Abstract::AnyBoolean, Abstract::Boolean(_) | Abstract::AnyBoolean) => true,
            (Abstract::Primitive(a), Abstract::Primitive(b)) => a == b,
            (Abstract::Closure(a, _), Abstract::Closure(b, _)) => a == b,
            (Abstract::Vector(a), Abstract::Vector(b)) => a.len() == b.len(),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}
