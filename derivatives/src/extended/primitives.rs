//! The primitives on reals of 96 digits, by the forms of the table; the operations themselves are those of
//! [`Reference`].

use super::arithmetic::{Reference, add, is_finite, to_double};
use super::machine::{Applied, Machine, Range};
use super::operations::is_unknown;
use super::refusal::{NotDifferentiable, Refusal, fault};
use super::value::{CompoundKind, Value};
use astro_float_num::BigFloat;
use vlad_shared::table::{
    CheckpointForm, Comparison, Control, Form, OnVector, Operation, Predicate, Primitive, Single, Tag, ValueTag,
};

/// The size of the largest vector that the evaluator accepts.
const MOST_ELEMENTS: f64 = 1e7;

impl Machine<'_> {
    /// Applies a primitive.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn primitive(&mut self, primitive: Primitive, operand: Value) -> Result<Applied, Refusal> {
        let value = match primitive.row().form {
            Form::Fold { operation, empty, single } => self.fold(operation, empty, single, &operand)?,
            Form::Unary(operation) => self.operate(operation, &[real(&operand)?]),
            Form::Binary(operation) => self.operate(operation, &two(&operand)?),
            Form::UnaryOrBinary(one, both) => match &operand {
                Value::Real(real) => self.operate(one, &[BigFloat::clone(real)]),
                _ => self.operate(both, &two(&operand)?),
            },
            Form::Chain(comparison) => chain(comparison, &operand)?,
            Form::AgainstZero(comparison) => {
                Value::Boolean(holds(comparison, &real(&operand)?, &Reference::number(0.0)))
            }
            Form::Ask(predicate) => Value::Boolean(answer(predicate, &operand)),
            Form::First => pair(&operand)?.0,
            Form::Second => pair(&operand)?.1,
            Form::Pair => {
                let (first, second) = pair(&operand)?;
                Value::pair(first, second)
            }
            Form::SameValue => {
                let (a, b) = pair(&operand)?;
                Value::Boolean(a.is_equal(&b, self.program))
            }
            Form::Real | Form::WriteReal => Value::real(real(&operand)?),
            Form::Write | Form::WriteRow => operand,
            Form::Zero => zero(&operand),
            Form::Plus => {
                let (a, b) = pair(&operand)?;
                let (first, second) = (a.reals(), b.reals());
                if first.len() != second.len() {
                    return fault("`plus` expects two tangents of one shape");
                }
                a.with_reals(first.iter().zip(&second).map(|(a, b)| add(a, b)))
            }
            Form::TransformForward => {
                let tangent = zero(&operand);
                Value::compound(CompoundKind::Bundle, [operand, tangent])
            }
            Form::Bundle => {
                let (primal, tangent) = pair(&operand)?;
                Value::compound(CompoundKind::Bundle, [primal, tangent])
            }
            Form::PrimalOf => bundle(&operand)?.0,
            Form::TangentOf => bundle(&operand)?.1,
            Form::Mark(mark) => Value::compound(sort_of(mark), [operand]),
            Form::Unmark(mark) => operand.marked(sort_of(mark)).cloned().unwrap_or(operand),
            Form::Invert(mark) => match operand.marked(sort_of(mark)) {
                Some(value) => value.clone(),
                None => return fault("a value has not the mark that is taken off"),
            },
            Form::OnVector(work) => on_vector(work, &operand)?,
            Form::ReadReal => return Err(Refusal::NotFollowed("read-real")),
            Form::EndOfInput => return Err(Refusal::NotFollowed("end-of-input?")),
            Form::WriteText => pair(&operand)?.1,
            Form::Error | Form::ErrorText => return fault("the program calls `error`"),
            Form::Control(control) => return self.control(control, &operand),
        };
        Ok(Applied::Value(value))
    }

    fn operate(&mut self, operation: Operation, operands: &[BigFloat]) -> Value {
        Value::real(self.value(operation, operands))
    }

    /// The value of an operation, with rounding errors if there are any. A value that is not known is 0, and recorded.
    fn value(&mut self, operation: Operation, operands: &[BigFloat]) -> BigFloat {
        let displaced = self.roundings.as_mut().map(|roundings| roundings.operands(operands));
        let operands = displaced.as_deref().unwrap_or(operands);
        let exact = match is_unknown(operation, operands) {
            true => {
                self.rough = self.rough.max(Some(NotDifferentiable::Imprecise));
                Reference::number(0.0)
            }
            false => self.reference.value(operation, operands),
        };
        self.jumps.note(operation, operands, &exact);
        if !is_finite(&exact) || exact.exponent().is_some_and(|exponent| exponent > f64::MAX_EXP) {
            self.range = Range::Exceeded;
        }
        match &mut self.roundings {
            Some(roundings) => roundings.result(operation, operands, exact),
            None => exact,
        }
    }

    fn fold(
        &mut self,
        operation: Operation,
        empty: Option<f64>,
        single: Single,
        operand: &Value,
    ) -> Result<Value, Refusal> {
        let operands = operands(operand)?;
        match (operands.split_first(), empty) {
            (None, Some(value)) => Ok(Value::real(Reference::number(value))),
            (None, None) => fault("an operand is missing"),
            (Some((only, [])), _) => Ok(match single {
                Single::Itself => Value::real(only.clone()),
                Single::Unary(operation) => self.operate(operation, std::slice::from_ref(only)),
                Single::From(constant) => self.operate(operation, &[Reference::number(constant), only.clone()]),
            }),
            (Some((first, others)), _) => {
                let folded =
                    others.iter().fold(first.clone(), |so_far, next| self.value(operation, &[so_far, next.clone()]));
                Ok(Value::real(folded))
            }
        }
    }

    fn control(&mut self, control: Control, operand: &Value) -> Result<Applied, Refusal> {
        match control {
            Control::IfProcedure => {
                let (condition, rest) = pair(operand)?;
                let (first, second) = pair(&rest)?;
                Ok(Applied::Call(if condition.is_true() { first } else { second }, Value::Nil))
            }
            Control::Forward => {
                let (procedure, point, direction) = three(operand)?;
                let direction: Vec<BigFloat> = direction.reals().iter().map(|real| BigFloat::clone(real)).collect();
                let slope = self.slope(&procedure, &point, &direction)?;
                let tangent = slope.value.with_reals(slope.tangent);
                Ok(Applied::Value(Value::pair(slope.value, tangent)))
            }
            Control::Reverse | Control::Checkpoint(_) => {
                let (procedure, point, cotangent) = match control {
                    // The checkpoint options come after the operands of the derivative.
                    Control::Checkpoint(division) if division != CheckpointForm::OfRun => {
                        let (procedure, rest) = pair(operand)?;
                        let (point, rest) = pair(&rest)?;
                        (procedure, point, pair(&rest)?.0)
                    }
                    _ => three(operand)?,
                };
                let cotangent: Vec<BigFloat> = cotangent.reals().iter().map(|real| BigFloat::clone(real)).collect();
                let (value, gradient) = self.gradient(&procedure, &point, &cotangent)?;
                Ok(Applied::Value(Value::pair(value, point.with_reals(gradient))))
            }
            Control::CountSteps => Err(Refusal::NotFollowed("primops")),
            Control::Interrupt => Err(Refusal::NotFollowed("interrupt")),
            Control::Resume => Err(Refusal::NotFollowed("resume")),
        }
    }
}

fn sort_of(mark: ValueTag) -> CompoundKind {
    match mark {
        ValueTag::Perturbation => CompoundKind::Perturbation,
        ValueTag::Sensitivity => CompoundKind::Sensitivity,
        ValueTag::Reverse => CompoundKind::Reverse,
    }
}

fn zero(value: &Value) -> Value {
    let count = value.reals().len();
    value.with_reals((0..count).map(|_| Reference::number(0.0)))
}

fn real(value: &Value) -> Result<BigFloat, Refusal> {
    match value {
        Value::Real(real) => Ok(BigFloat::clone(real)),
        Value::Nil | Value::Boolean(_) | Value::Primitive(_) | Value::Compound(_) => fault("a real is expected"),
    }
}

fn pair(value: &Value) -> Result<(Value, Value), Refusal> {
    match value.halves() {
        Some((first, second)) => Ok((first.clone(), second.clone())),
        None => fault("a pair is expected"),
    }
}

fn bundle(value: &Value) -> Result<(Value, Value), Refusal> {
    match value.parts(CompoundKind::Bundle) {
        Some([primal, tangent]) => Ok((primal.clone(), tangent.clone())),
        _ => fault("a bundle is expected"),
    }
}

fn two(value: &Value) -> Result<[BigFloat; 2], Refusal> {
    let (first, second) = pair(value)?;
    Ok([real(&first)?, real(&second)?])
}

fn three(value: &Value) -> Result<(Value, Value, Value), Refusal> {
    let (first, rest) = pair(value)?;
    let (second, third) = pair(&rest)?;
    Ok((first, second, third))
}

/// The operands of a fold: the firsts of the pairs, then the final non-pair, except for `()` alone, which has no
/// operands.
fn operands(value: &Value) -> Result<Vec<BigFloat>, Refusal> {
    let mut operands = Vec::new();
    let mut rest = value.clone();
    while let Some((first, second)) = rest.halves().map(|(first, second)| (first.clone(), second.clone())) {
        operands.push(real(&first)?);
        rest = second;
    }
    match (&rest, operands.is_empty()) {
        (Value::Nil, true) => {}
        _ => operands.push(real(&rest)?),
    }
    Ok(operands)
}

fn holds(comparison: Comparison, a: &BigFloat, b: &BigFloat) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::Less => a < b,
        Comparison::Greater => a > b,
        Comparison::NotGreater => a <= b,
        Comparison::NotLess => a >= b,
    }
}

fn chain(comparison: Comparison, operand: &Value) -> Result<Value, Refusal> {
    let operands = operands(operand)?;
    if operands.is_empty() {
        return fault("an operand is missing");
    }
    let all = operands.iter().zip(operands.iter().skip(1)).all(|(a, b)| holds(comparison, a, b));
    Ok(Value::Boolean(all))
}

fn answer(predicate: Predicate, value: &Value) -> bool {
    let sort = match value {
        Value::Compound(compound) => Some(compound.sort),
        Value::Nil | Value::Boolean(_) | Value::Real(_) | Value::Primitive(_) => None,
    };
    match predicate {
        Predicate::Null => matches!(value, Value::Nil),
        Predicate::Boolean => matches!(value, Value::Boolean(_)),
        Predicate::Real => matches!(value, Value::Real(_)),
        Predicate::Pair => sort == Some(CompoundKind::Pair),
        Predicate::Vector => sort == Some(CompoundKind::Vector),
        Predicate::False => !value.is_true(),
        // There are no suspended computations here.
        Predicate::Capsule => false,
        Predicate::Tagged(tag) => match tag {
            Tag::Perturbation => sort == Some(CompoundKind::Perturbation),
            Tag::Sensitivity => sort == Some(CompoundKind::Sensitivity),
            Tag::Reverse => sort == Some(CompoundKind::Reverse),
            Tag::Bundle => sort == Some(CompoundKind::Bundle),
            Tag::Backpropagator => sort == Some(CompoundKind::Backpropagator),
        },
        Predicate::Procedure => is_procedure(value),
    }
}

/// Returns true if it is a procedure, tagged or not.
fn is_procedure(value: &Value) -> bool {
    let mut value = value.clone();
    loop {
        let inside = match &value {
            Value::Primitive(_) => return true,
            Value::Compound(compound) => match compound.sort {
                CompoundKind::Procedure(_) | CompoundKind::Backpropagator => return true,
                CompoundKind::Bundle
                | CompoundKind::Perturbation
                | CompoundKind::Sensitivity
                | CompoundKind::Reverse => compound.parts.first().cloned(),
                CompoundKind::Pair | CompoundKind::Vector => return false,
            },
            Value::Nil | Value::Boolean(_) | Value::Real(_) => return false,
        };
        match inside {
            Some(inside) => value = inside,
            None => return false,
        }
    }
}

fn elements(value: &Value) -> Result<Vec<Value>, Refusal> {
    match value.parts(CompoundKind::Vector) {
        Some(elements) => Ok(elements.to_vec()),
        None => fault("a vector is expected"),
    }
}

fn size(value: &Value) -> Result<usize, Refusal> {
    let size = to_double(&real(value)?);
    if size >= 0.0 && size.fract() == 0.0 && size <= MOST_ELEMENTS {
        Ok(size as usize)
    } else {
        fault("a size or an index is expected")
    }
}

fn on_vector(work: OnVector, operand: &Value) -> Result<Value, Refusal> {
    let number = |count: usize| Value::real(Reference::number(count as f64));
    Ok(match work {
        OnVector::Length => number(elements(operand)?.len()),
        OnVector::Element => {
            let (vector, index) = pair(operand)?;
            match elements(&vector)?.get(size(&index)?) {
                Some(element) => element.clone(),
                None => return fault("an index is too large"),
            }
        }
        OnVector::Replace => {
            let (vector, index, value) = three(operand)?;
            let mut elements = elements(&vector)?;
            match elements.get_mut(size(&index)?) {
                Some(place) => *place = value,
                None => return fault("an index is too large"),
            }
            Value::compound(CompoundKind::Vector, elements)
        }
        // The vector that `build` makes is copied once per element: the oracle is not meant for large ones.
        OnVector::Append => {
            let (vector, value) = pair(operand)?;
            let mut elements = elements(&vector)?;
            elements.push(value);
            Value::compound(CompoundKind::Vector, elements)
        }
        OnVector::ToList => {
            elements(operand)?.into_iter().rev().fold(Value::Nil, |rest, element| Value::pair(element, rest))
        }
        OnVector::FromList => {
            let (mut elements, mut rest) = (Vec::new(), operand.clone());
            while let Some((first, second)) = rest.halves().map(|(first, second)| (first.clone(), second.clone())) {
                elements.push(first);
                rest = second;
            }
            if !matches!(rest, Value::Nil) {
                return fault("a list is expected");
            }
            Value::compound(CompoundKind::Vector, elements)
        }
        OnVector::Size | OnVector::Iterations => number(size(operand)?),
        OnVector::OfLength => {
            let (vector, length) = pair(operand)?;
            if elements(&vector)?.len() != size(&length)? {
                return fault("a vector has another length");
            }
            vector
        }
    })
}
