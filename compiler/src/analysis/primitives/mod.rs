//! Primitives on abstract values, by their forms. What their operands do not permit fails at run time, so it bails out.

mod equality;

mod arrays;
mod lists;
mod rows;
mod vectors;

pub(super) mod backpropagators;
mod operators;
mod reflection;

pub(super) mod computations;

use super::evaluate::Condition;
use super::specialiser::Specialiser;
use super::specialiser::frame::Frame;
use super::values::domain::{Abstract, AbstractId, Head};
use super::values::reason::{Cause, Stop};
use super::values::value::Value;
use vlad_core::ExpressionId;
use vlad_first_order::template::Line;
use vlad_first_order::{Division, Kind, Operand, Recording, Statement};
use vlad_table::{
    Comparison, Control, Evaluation, Form, Operation, Predicate, Primitive, Single, Tag, ValueTag, internal_bug,
};
use vlad_values::print::Layout;

impl Specialiser<'_> {
    /// Applies a primitive.
    pub fn primitive(
        &mut self,
        frame: &mut Frame,
        primitive: Primitive,
        argument: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        match primitive.row().form {
            Form::Fold { operation, empty, single } => {
                self.each_end(frame, argument, node, &|this, frame, argument| {
                    this.fold(frame, (operation, empty, single), &argument, node)
                })
            }
            Form::Unary(operation) => {
                let operand = self.real(frame, argument, node)?;
                Ok(self.operation(frame, operation, &operand, None))
            }
            Form::Binary(operation) => self.binary(frame, operation, argument, node),
            Form::UnaryOrBinary(unary, binary) => {
                self.each(frame, argument, node, &|this, frame, argument| match this.domain.get(argument.of) {
                    Abstract::Pair(..) => this.binary(frame, binary, &argument, node),
                    _ => {
                        let operand = this.real(frame, &argument, node)?;
                        Ok(this.operation(frame, unary, &operand, None))
                    }
                })
            }
            Form::Chain(comparison) => self.each_end(frame, argument, node, &|this, frame, argument| {
                this.chain(frame, comparison, &argument, node)
            }),
            Form::AgainstZero(comparison) => {
                let operand = self.real(frame, argument, node)?;
                let zero = Value::known(self.domain.literal(0.0));
                let test = self.compare(frame, comparison, &operand, &zero);
                Ok(self.truth(test))
            }
            Form::Ask(predicate) => {
                let argument = self.opened(frame, argument)?;
                self.ask(frame, predicate, &argument)
            }
            Form::First => self.parts_of_pair(frame, argument, node).map(|(first, _)| first),
            Form::Second => self.parts_of_pair(frame, argument, node).map(|(_, second)| second),
            Form::Pair => self.only(frame, argument, node, |of| matches!(of, Abstract::Pair(..))),
            Form::SameValue => {
                let (first, second) = self.parts_of_pair(frame, argument, node)?;
                let test = self.equal(frame, &first, &second, node)?;
                Ok(self.truth(test))
            }
            Form::Real => {
                let operand = self.real(frame, argument, node)?;
                let any = self.domain.any_real();
                Ok(Value::leaf(any, self.real_operand(&operand)))
            }
            Form::Zero => self.zero(frame, argument, node),
            Form::Plus => {
                let (first, second) = self.parts_of_pair(frame, argument, node)?;
                self.plus(frame, &first, &second, node)
            }
            Form::ReadReal => {
                self.only(frame, argument, node, |of| matches!(of, Abstract::Nil))?;
                let target = frame.code.fresh(Kind::Real);
                frame.code.add(Statement::Read { target });
                let any = self.domain.any_real();
                Ok(Value::leaf(any, Operand::Variable(target)))
            }
            Form::WriteReal => {
                let real = self.real(frame, argument, node)?;
                Ok(self.write(frame, &real, Layout::Datum))
            }
            Form::Write => {
                self.leaves_item(argument.of, node)?;
                Ok(self.write(frame, argument, Layout::Datum))
            }
            // The value is checked when it is written; code that cannot write it gives the item up.
            Form::WriteRow => {
                self.leaves_item(argument.of, node)?;
                Ok(self.write(frame, argument, Layout::Row))
            }
            Form::WriteText => {
                self.leaves_item(argument.of, node)?;
                let (_, tuple) = self.parts_of_pair(frame, argument, node)?;
                self.write(frame, argument, Layout::Text);
                Ok(tuple)
            }
            Form::Error | Form::ErrorText => Err(Stop::Never(node)),
            Form::EndOfInput => self.give_up(Cause::Primitive(primitive), node),
            Form::OnVector(on) => self.on_vector(frame, on, argument, node),
            Form::TransformForward => {
                let zero = self.zero(frame, argument, node)?;
                self.composed(Head::Bundle(false), &[argument.clone(), zero])
            }
            Form::Bundle => {
                let (primal, tangent) = self.parts_of_pair(frame, argument, node)?;
                self.bundle(frame, primal, tangent, node)
            }
            Form::PrimalOf | Form::TangentOf => self.part_of_bundle(primitive, argument, node),
            Form::Mark(mark) => self.composed(Head::Tagged(mark), std::slice::from_ref(argument)),
            Form::Unmark(mark) => Ok(self.unmarked(mark, argument).unwrap_or_else(|| argument.clone())),
            Form::Invert(mark) => self.unmarked(mark, argument).ok_or(Stop::Never(node)),
            Form::Control(control) => self.control(frame, control, primitive, argument, node),
        }
    }

    fn control(
        &mut self,
        frame: &mut Frame,
        control: Control,
        primitive: Primitive,
        argument: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        match control {
            Control::IfProcedure => {
                let [condition, consequent, alternative] = self.operands(frame, argument, node)?;
                let nil = Value::known(self.domain.nil());
                match self.condition(frame, &condition)? {
                    Condition::Known(truth) => {
                        let chosen = if truth { consequent } else { alternative };
                        self.apply(frame, chosen, nil, node)
                    }
                    Condition::Unknown(test) => {
                        let other_nil = nil.clone();
                        self.choice(
                            frame,
                            test,
                            node,
                            |this, frame| this.apply(frame, consequent, nil, node),
                            |this, frame| this.apply(frame, alternative, other_nil, node),
                        )
                    }
                }
            }
            Control::Forward => {
                let [f, x, tangent] = self.operands(frame, argument, node)?;
                let (primal, tangent) = self.forward(frame, &f, &x, &tangent, node)?;
                self.pair(primal, tangent)
            }
            Control::Reverse => {
                let [f, x, cotangent] = self.operands(frame, argument, node)?;
                self.reverse(frame, (&f, &x, &cotangent), Recording::Everything, node)
            }
            Control::Checkpoint(form) => {
                let [f, x, cotangent] = self.checkpointed(frame, form, argument, node)?;
                let recording = Recording::Checkpoints(Division::default());
                self.reverse(frame, (&f, &x, &cotangent), recording, node)
            }
            Control::CountSteps => {
                let [f, x] = self.operands(frame, argument, node)?;
                self.count_steps(frame, &f, &x, node)
            }
            Control::Interrupt | Control::Resume => self.give_up(Cause::Primitive(primitive), node),
        }
    }

    /// A fixed number of operands; the last one is the rest.
    pub fn operands<const COUNT: usize>(
        &mut self,
        frame: &mut Frame,
        argument: &Value,
        node: ExpressionId,
    ) -> Result<[Value; COUNT], Stop> {
        let mut operands = Vec::with_capacity(COUNT);
        let mut rest = argument.clone();
        while operands.len() + 1 < COUNT {
            let (first, others) = self.parts_of_pair(frame, &rest, node)?;
            operands.push(first);
            rest = others;
        }
        operands.push(rest);
        match operands.try_into() {
            Ok(operands) => Ok(operands),
            Err(_) => internal_bug!("as many operands as were asked for"),
        }
    }

    /// The operands of a primitive that takes any number of reals.
    fn reals(&mut self, frame: &mut Frame, argument: &Value, node: ExpressionId) -> Result<Vec<Value>, Stop> {
        let mut reals = Vec::new();
        let mut rest = argument.clone();
        if matches!(self.domain.get(rest.of), Abstract::Nil) {
            return Ok(reals);
        }
        while let Some((first, others)) = self.parts(&rest) {
            reals.push(self.real(frame, &first, node)?);
            rest = others;
        }
        reals.push(self.real(frame, &rest, node)?);
        Ok(reals)
    }

    /// The value itself, which must be a real.
    pub fn real(&mut self, frame: &mut Frame, value: &Value, node: ExpressionId) -> Result<Value, Stop> {
        self.only(frame, value, node, |of| matches!(of, Abstract::Real { .. } | Abstract::AnyReal))
    }

    /// The known number of a real.
    pub fn known(&self, value: &Value) -> Option<f64> {
        match self.domain.get(value.of) {
            Abstract::Real { bits, .. } => Some(bits.real()),
            _ => None,
        }
    }

    /// Executes an operation: now if its operands are known, since they are constant at every level then.
    pub fn operation(&mut self, frame: &mut Frame, operation: Operation, a: &Value, b: Option<&Value>) -> Value {
        let known = match (operation.row().evaluation, self.known(a), b.map(|b| self.known(b))) {
            (Evaluation::Unary(evaluate), Some(a), None) => Some(evaluate(a)),
            (Evaluation::Binary(evaluate), Some(a), Some(Some(b))) => Some(evaluate(a, b)),
            _ => None,
        };
        if let Some(known) = known {
            return Value::known(self.domain.computed(known));
        }
        let second = b.map(|b| self.real_operand(b));
        let result = frame.code.operation(operation, self.real_operand(a), second);
        let any = self.domain.any_real();
        Value::leaf(any, result)
    }

    fn binary(
        &mut self,
        frame: &mut Frame,
        operation: Operation,
        argument: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let (first, second) = self.parts_of_pair(frame, argument, node)?;
        let (first, second) = (self.real(frame, &first, node)?, self.real(frame, &second, node)?);
        Ok(self.operation(frame, operation, &first, Some(&second)))
    }

    fn fold(
        &mut self,
        frame: &mut Frame,
        (operation, empty, single): (Operation, Option<f64>, Single),
        argument: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let reals = self.reals(frame, argument, node)?;
        match reals.as_slice() {
            [] => match empty {
                Some(empty) => Ok(Value::known(self.domain.literal(empty))),
                None => Err(Stop::Never(node)),
            },
            [only] => Ok(match single {
                Single::Itself => only.clone(),
                Single::Unary(unary) => self.operation(frame, unary, only, None),
                Single::From(constant) => {
                    let constant = Value::known(self.domain.literal(constant));
                    self.operation(frame, operation, &constant, Some(only))
                }
            }),
            [first, others @ ..] => {
                let mut result = first.clone();
                for other in others {
                    result = self.operation(frame, operation, &result, Some(other));
                }
                Ok(result)
            }
        }
    }

    /// Compares two reals.
    pub fn compare(&mut self, frame: &mut Frame, comparison: Comparison, a: &Value, b: &Value) -> Condition {
        match (self.known(a), self.known(b)) {
            (Some(a), Some(b)) => Condition::Known(comparison.holds(a, b)),
            _ => {
                let (a, b) = (self.real_operand(a), self.real_operand(b));
                Condition::Unknown(frame.code.compare(comparison, a, b))
            }
        }
    }

    fn chain(
        &mut self,
        frame: &mut Frame,
        comparison: Comparison,
        argument: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let reals = self.reals(frame, argument, node)?;
        if reals.is_empty() {
            return Err(Stop::Never(node));
        }
        let mut all = Condition::Known(true);
        for pair in reals.windows(2) {
            let [first, second] = pair else { internal_bug!("windows of two have two elements") };
            all = match (all, self.compare(frame, comparison, first, second)) {
                (Condition::Known(false), _) | (_, Condition::Known(false)) => Condition::Known(false),
                (Condition::Known(true), test) | (test, Condition::Known(true)) => test,
                (Condition::Unknown(all), Condition::Unknown(test)) => Condition::Unknown(frame.code.and(all, test)),
            };
        }
        Ok(self.truth(all))
    }

    /// The boolean of a condition.
    pub fn truth(&mut self, condition: Condition) -> Value {
        match condition {
            Condition::Unknown(Operand::Boolean(truth)) => Value::known(self.domain.boolean(truth)),
            Condition::Known(truth) => Value::known(self.domain.boolean(truth)),
            Condition::Unknown(operand) => {
                let any = self.domain.any_boolean();
                Value::leaf(any, operand)
            }
        }
    }

    fn ask(&mut self, frame: &mut Frame, predicate: Predicate, value: &Value) -> Result<Value, Stop> {
        let condition = match predicate {
            Predicate::False => match self.condition(frame, value)? {
                Condition::Known(truth) => Condition::Known(!truth),
                Condition::Unknown(test) => Condition::Unknown(frame.code.not(test)),
            },
            _ => match self.alternatives(value) {
                Some(alternatives) => {
                    let answers = alternatives.iter().map(|of| Condition::Known(self.answer(predicate, of.value.of)));
                    let answers: Vec<Condition> = answers.collect();
                    self.holds_for(frame, &alternatives, &answers)
                }
                None => Condition::Known(self.answer(predicate, value.of)),
            },
        };
        Ok(self.truth(condition))
    }

    /// The answer to a predicate about a value that is no union.
    fn answer(&self, predicate: Predicate, id: AbstractId) -> bool {
        let of = self.domain.get(id);
        match predicate {
            Predicate::Null => matches!(of, Abstract::Nil),
            Predicate::Boolean => matches!(of, Abstract::Boolean(_) | Abstract::AnyBoolean),
            Predicate::Real => matches!(of, Abstract::Real { .. } | Abstract::AnyReal),
            Predicate::Pair => matches!(of, Abstract::Pair(..)),
            Predicate::Procedure => self.is_procedure(id),
            Predicate::Capsule => false,
            Predicate::Vector => matches!(of, Abstract::Vector(_) | Abstract::Array(_)),
            Predicate::Tagged(tag) => match of {
                Abstract::Bundle { .. } => tag == Tag::Bundle,
                Abstract::Tagged(ValueTag::Perturbation, _) => tag == Tag::Perturbation,
                Abstract::Tagged(ValueTag::Sensitivity, _) => tag == Tag::Sensitivity,
                Abstract::Tagged(ValueTag::Reverse, _) => tag == Tag::Reverse,
                _ => false,
            },
            Predicate::False => matches!(of, Abstract::Boolean(false)),
        }
    }

    fn write(&mut self, frame: &mut Frame, value: &Value, layout: Layout) -> Value {
        let template = match self.written_places.get(&(value.of, layout)) {
            Some(place) => *place,
            None => {
                let place = self.written.len() as u32;
                self.written.push(Line { layout, template: self.domain.template(value.of) });
                self.written_places.insert((value.of, layout), place);
                place
            }
        };
        frame.code.add(Statement::Write { template, leaves: value.leaves.as_slice().to_vec() });
        value.clone()
    }

    /// The zero of the tangent space of a value.
    fn zero(&mut self, frame: &mut Frame, value: &Value, node: ExpressionId) -> Result<Value, Stop> {
        self.without_backpropagators(&[value.of], node)?;
        self.crosses(value.of, node)?;
        let mut zeros = Vec::new();
        self.together(frame, value, value, node, &mut |this, frame, part, _| {
            zeros.push(match this.domain.get(part.of) {
                Abstract::Array(_) => {
                    let like = part.operand();
                    let target = frame.code.fresh(frame.code.kind(like));
                    frame.code.add(Statement::Zeros { target, like });
                    Value::leaf(part.of, Operand::Variable(target))
                }
                _ => Value::known(this.domain.literal(0.0)),
            });
        })?;
        self.rebuilt(value, &mut zeros.into_iter())
    }

    /// The sum of two tangents, position by position.
    fn plus(&mut self, frame: &mut Frame, a: &Value, b: &Value, node: ExpressionId) -> Result<Value, Stop> {
        let mut sums = Vec::new();
        self.together(frame, a, b, node, &mut |this, frame, a, b| {
            sums.push(match this.domain.get(a.of) {
                Abstract::Array(_) => Value::leaf(a.of, frame.code.sum_of_arrays(a.operand(), b.operand())),
                _ => this.operation(frame, Operation::Add, a, Some(b)),
            });
        })?;
        self.rebuilt_with(a, b, &mut sums.into_iter())
    }
}
