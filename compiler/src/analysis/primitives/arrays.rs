//! Vectors whose length is not known, or large: one array for each leaf of their elements.
//!
//! `build` is a procedure of the prelude that appends element after element (report, part 18). Here its meaning is a
//! statement: the elements do not depend on one another, so one evaluation of the procedure at an index that is not
//! known says what all of them are. Known reals and booleans in an element are forgotten, so all elements of a vector,
//! and all vectors of such elements, have one abstract value.

use crate::analysis::specialiser::Specialiser;
use crate::analysis::specialiser::frame::Frame;
use crate::analysis::values::domain::{Abstract, AbstractId};
use crate::analysis::values::reason::{Cause, Stop};
use crate::analysis::values::value::{Rows, Value};
use vlad_core::{ExpressionId, LambdaId};
use vlad_first_order::{Block, End, Kind, Operand, Statement, Variable};

/// The greatest known length of a vector that is taken apart at first: each element is a value of its own.
const MOST_TAKEN_APART: f64 = 16.0;

/// The greatest known length of a vector that is taken apart where an array is not specialised.
const MOST_TAKEN_APART_AT_LAST: f64 = 512.0;

/// A vector that is an array: the abstract value of its elements.
pub struct ArrayValue {
    /// The abstract value of its elements.
    pub(in crate::analysis) element: AbstractId,
    /// An array for each leaf of the elements.
    pub(in crate::analysis) leaves: Vec<Operand>,
}

impl Specialiser<'_> {
    /// `(build n f)`, where it is the procedure of the prelude and makes an array; none elsewhere.
    pub fn built(
        &mut self,
        frame: &mut Frame,
        procedure: LambdaId,
        argument: &Value,
        node: ExpressionId,
    ) -> Result<Option<Value>, Stop> {
        if self.build != Some(procedure) {
            return Ok(None);
        }
        let Some((length, f)) = self.parts(argument) else { return Ok(None) };
        match self.domain.get(length.of) {
            Abstract::Real { bits, .. } => {
                let most = if self.takes_known_apart { MOST_TAKEN_APART_AT_LAST } else { MOST_TAKEN_APART };
                if bits.real() <= most || bits.real().is_nan() {
                    return Ok(None);
                }
                self.known_arrays += usize::from(bits.real() <= MOST_TAKEN_APART_AT_LAST);
            }
            Abstract::AnyReal => {}
            _ => return Ok(None),
        }
        let length = self.iterations(frame, &length, vlad_values::vector::MOST_ELEMENTS as f64, node)?;
        let length = self.real_operand(&length);
        let index = frame.code.fresh(Kind::Real);
        let (element, body) = self.element_of_build(frame, &f, index, node)?;
        let Some(of) = self.domain.array(element)? else { return self.give_up(Cause::VectorShape, node) };
        let targets = self.targets(frame, &self.kinds(of));
        frame.code.add(Statement::Build { targets: targets.clone(), length, index, body });
        let leaves: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        Ok(Some(Value { of, leaves: leaves.into() }))
    }

    /// The abstract value of the elements that a procedure makes of indices, and the block that yields their leaves.
    fn element_of_build(
        &mut self,
        frame: &mut Frame,
        f: &Value,
        index: Variable,
        node: ExpressionId,
    ) -> Result<(AbstractId, Block), Stop> {
        let (locals, saved) = (frame.locals.len(), self.saved(frame));
        frame.code.open();
        // There may be no element.
        frame.unknown_conditions += 1;
        // An iteration is a step (18.1).
        frame.code.count_step();
        let any = self.domain.any_real();
        let outcome = self.apply(frame, f.clone(), Value::leaf(any, Operand::Variable(index)), node);
        frame.unknown_conditions -= 1;
        frame.locals.truncate(locals);
        self.restore(frame, saved);
        let value = match outcome {
            Ok(value) => self.copied(frame, &value)?,
            Err(stop) => {
                frame.code.close_without_end();
                return Err(stop);
            }
        };
        let mut block = frame.code.close_without_end();
        let of = self.domain.without_knowledge(value.of)?;
        frame.code.reopen(block);
        let element = self.element_with_rows(frame, &value, of);
        block = frame.code.close_without_end();
        let element = element?;
        block.end = End::Yield(element.leaves.as_slice().to_vec());
        Ok((element.of, block))
    }

    /// An element of an array, seen as a more general abstract value.
    fn element_with_rows(&mut self, frame: &mut Frame, value: &Value, of: AbstractId) -> Result<Value, Stop> {
        let element = Value { of, leaves: self.coerced(frame, value, of)?.into() };
        match self.rows {
            Rows::All => self.rectangular(frame, element),
            Rows::OfValue => Ok(element),
        }
    }

    /// A value that is an array.
    pub fn array_of(&self, value: &Value) -> Option<ArrayValue> {
        match *self.domain.get(value.of) {
            Abstract::Array(element) => Some(ArrayValue { element, leaves: value.leaves.as_slice().to_vec() }),
            _ => None,
        }
    }

    /// The length of an array.
    pub fn array_length(&mut self, frame: &mut Frame, vector: &ArrayValue) -> Value {
        let any = self.domain.any_real();
        let target = frame.code.fresh(Kind::Real);
        // An element has a leaf at least.
        if let Some(array) = vector.leaves.first() {
            frame.code.add(Statement::Length { target, array: *array });
        }
        Value::leaf(any, Operand::Variable(target))
    }

    /// The operand of an index of an array; it fails where it is none.
    fn array_index(
        &mut self,
        frame: &mut Frame,
        vector: &ArrayValue,
        index: &Value,
        node: ExpressionId,
    ) -> Result<Operand, Stop> {
        let index = self.real(frame, index, node)?;
        let index = self.real_operand(&index);
        if let Some(array) = vector.leaves.first() {
            let test = frame.code.fresh(Kind::Boolean);
            frame.code.add(Statement::IsIndex { target: test, array: *array, index });
            frame.code.require(Operand::Variable(test), node);
        }
        Ok(index)
    }

    /// An array with another element at an index, which has to be a value like its elements, without arrays.
    pub fn array_replaced(
        &mut self,
        frame: &mut Frame,
        vector: &ArrayValue,
        index: &Value,
        value: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let index = self.array_index(frame, vector, index, node)?;
        let value = self.copied(frame, value)?;
        let known = self.domain.without_knowledge(value.of)?;
        let joined = self.domain.join(vector.element, known, self.unions)?;
        let kinds = self.kinds(vector.element);
        let is_of_scalars = !kinds.iter().any(|kind| kind.is_array() || *kind == Kind::Cell);
        if joined.ok() != Some(vector.element) || !is_of_scalars {
            return self.give_up(Cause::VectorShape, node);
        }
        let values = self.coerced(frame, &value, vector.element)?;
        let Some(of) = self.domain.array(vector.element)? else { return self.give_up(Cause::VectorShape, node) };
        let targets = self.targets(frame, &self.kinds(of));
        let node = self.place_in_the_program(node, frame.instance);
        for ((target, array), value) in targets.iter().zip(&vector.leaves).zip(values) {
            frame.code.add(Statement::Replace { target: *target, array: *array, index, value, node });
        }
        let leaves: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        Ok(Value { of, leaves: leaves.into() })
    }

    /// An element of an array.
    pub fn array_element(
        &mut self,
        frame: &mut Frame,
        vector: &ArrayValue,
        index: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let index = self.array_index(frame, vector, index, node)?;
        let targets = self.targets(frame, &self.kinds(vector.element));
        for (target, array) in targets.iter().zip(&vector.leaves) {
            frame.code.add(Statement::Element { target: *target, array: *array, index });
        }
        let leaves: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        let element = Value { of: vector.element, leaves: leaves.into() };
        self.copied(frame, &element)
    }
}
