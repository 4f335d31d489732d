//! The primitives on vectors. Those whose length is not known are in [`super::arrays`].
//!
//! Rule 5c (report, 18.2): a real that becomes an element of a new vector, or is read from one, is copied by an operation
//! of the table; other values are moved. The reals of a new vector are copied in the order of their indices. An index
//! that is not known is found by comparisons, before the copy: so there is one node, as if the index were known.

use crate::analysis::evaluate::Condition;
use crate::analysis::specialiser::Specialiser;
use crate::analysis::specialiser::frame::Frame;
use crate::analysis::values::domain::{Abstract, Head};
use crate::analysis::values::reason::{Cause, Stop};
use crate::analysis::values::value::Value;
use vlad_core::ExpressionId;
use vlad_first_order::Operand;
use vlad_table::{Comparison, OnVector, Operation};

/// The greatest length of a vector whose elements are chosen by comparisons, where the index is not known.
const MOST_COMPARED: usize = 64;

/// The greatest number of iterations of `ifold`: above it not every whole number is a real.
const MOST_ITERATIONS: f64 = (1_u64 << 53) as f64;

impl Specialiser<'_> {
    /// Applies a primitive on vectors.
    pub fn on_vector(
        &mut self,
        frame: &mut Frame,
        on: OnVector,
        argument: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        match on {
            OnVector::Length => self.each(frame, argument, node, &|this, frame, vector| {
                if let Some(array) = this.array_of(&vector) {
                    return Ok(this.array_length(frame, &array));
                }
                let length = this.elements(&vector, node)?.len();
                Ok(Value::known(this.domain.computed(length as f64)))
            }),
            OnVector::Element => {
                let [vector, index] = self.operands(frame, argument, node)?;
                self.each(frame, &vector, node, &|this, frame, vector| this.element(frame, &vector, &index, node))
            }
            OnVector::Replace => {
                let [vector, index, value] = self.operands(frame, argument, node)?;
                self.each(frame, &vector, node, &|this, frame, vector| {
                    if let Some(array) = this.array_of(&vector) {
                        return this.array_replaced(frame, &array, &index, &value, node);
                    }
                    let (elements, index) = (this.elements(&vector, node)?, this.index(frame, &index, node)?);
                    let copy = this.copied(frame, &value)?;
                    let replaced = this.replaced(frame, elements, &index, &copy, node)?;
                    this.composed(Head::Vector, &replaced)
                })
            }
            OnVector::Append => {
                let [vector, value] = self.operands(frame, argument, node)?;
                self.each(frame, &vector, node, &|this, frame, vector| {
                    let mut elements = this.elements(&vector, node)?;
                    elements.push(this.copied(frame, &value)?);
                    this.composed(Head::Vector, &elements)
                })
            }
            OnVector::ToList => self.each(frame, argument, node, &|this, frame, vector| {
                if this.array_of(&vector).is_some() {
                    return this.list_of_array(frame, &vector, node);
                }
                let elements = this.elements(&vector, node)?;
                let nil = Value::known(this.domain.nil());
                this.tuple(elements, nil)
            }),
            OnVector::FromList => match self.array_of_list(frame, argument, node)? {
                Some(array) => Ok(array),
                None => self.each_end(frame, argument, node, &|this, frame, list| {
                    let (mut elements, mut rest) = (Vec::new(), list);
                    while let Some((first, others)) = this.parts(&rest) {
                        elements.push(first);
                        rest = others;
                    }
                    match this.domain.get(rest.of) {
                        Abstract::Nil => this.vector(frame, elements),
                        _ => Err(Stop::Never(node)),
                    }
                }),
            },
            OnVector::Size => {
                let size = self.real(frame, argument, node)?;
                match self.known(&size) {
                    Some(_) => self.iterations(frame, &size, vlad_values::vector::MOST_ELEMENTS as f64, node),
                    None => self.give_up(Cause::VectorLength, node),
                }
            }
            OnVector::Iterations => self.iterations(frame, argument, MOST_ITERATIONS, node),
            OnVector::OfLength => {
                let [vector, length] = self.operands(frame, argument, node)?;
                self.each(frame, &vector, node, &|this, frame, vector| this.of_length(frame, vector, &length, node))
            }
        }
    }

    /// An element of a vector.
    fn element(&mut self, frame: &mut Frame, vector: &Value, index: &Value, node: ExpressionId) -> Result<Value, Stop> {
        if let Some(array) = self.array_of(vector) {
            return self.array_element(frame, &array, index, node);
        }
        let (elements, index) = (self.elements(vector, node)?, self.index(frame, index, node)?);
        let element = self.chosen(frame, &elements, &index, node)?;
        self.copied(frame, &element)
    }

    /// A vector, which must have a length.
    fn of_length(
        &mut self,
        frame: &mut Frame,
        vector: Value,
        length: &Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let found = match self.array_of(&vector) {
            Some(array) => self.array_length(frame, &array),
            None => {
                let found = self.elements(&vector, node)?.len();
                Value::known(self.domain.literal(found as f64))
            }
        };
        let length = self.real(frame, length, node)?;
        self.required(frame, Comparison::Equal, &length, &found, node)?;
        Ok(vector)
    }

    /// The elements of a vector.
    fn elements(&self, vector: &Value, node: ExpressionId) -> Result<Vec<Value>, Stop> {
        match self.decomposed(vector) {
            (Head::Vector, elements) => Ok(elements),
            _ if matches!(self.domain.get(vector.of), Abstract::Array(_)) => self.give_up(Cause::VectorLength, node),
            _ => Err(Stop::Never(node)),
        }
    }

    /// A value as an element: a real is copied.
    pub(in crate::analysis) fn copied(&mut self, frame: &mut Frame, value: &Value) -> Result<Value, Stop> {
        match self.domain.get(value.of) {
            Abstract::AnyReal => Ok(self.operation(frame, Operation::Copy, value, None)),
            Abstract::Union(_) => {
                // The real is the constant 0 where it is not the alternative: a copy of that is no node.
                let (head, mut parts) = self.decomposed(value);
                for part in &mut parts {
                    *part = self.copied(frame, part)?;
                }
                self.composed(head, &parts)
            }
            // A real that is known is constant at every level.
            _ => Ok(value.clone()),
        }
    }

    /// A new vector.
    fn vector(&mut self, frame: &mut Frame, elements: Vec<Value>) -> Result<Value, Stop> {
        let copied: Result<Vec<Value>, Stop> = elements.iter().map(|element| self.copied(frame, element)).collect();
        self.composed(Head::Vector, &copied?)
    }

    /// An index, which must be a real.
    fn index(&mut self, frame: &mut Frame, index: &Value, node: ExpressionId) -> Result<Index, Stop> {
        let index = self.real(frame, index, node)?;
        Ok(match self.known(&index) {
            Some(known) => Index::Known(known),
            None => Index::Unknown(index.operand()),
        })
    }

    /// The element at an index.
    fn chosen(
        &mut self,
        frame: &mut Frame,
        elements: &[Value],
        index: &Index,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        match *index {
            Index::Known(known) => {
                let place = known as usize;
                let element = elements.get(place).filter(|_| place as f64 == known);
                element.cloned().ok_or(Stop::Never(node))
            }
            Index::Unknown(operand) if elements.len() <= MOST_COMPARED => {
                self.searched(frame, elements, 0, operand, node)
            }
            Index::Unknown(_) => self.index_not_known(node),
        }
    }

    fn index_not_known<T>(&self, node: ExpressionId) -> Result<T, Stop> {
        self.give_up(Cause::VectorIndex(MOST_COMPARED), node)
    }

    /// The element at an index that is not known, of elements that begin at a place: by halving.
    fn searched(
        &mut self,
        frame: &mut Frame,
        elements: &[Value],
        place: usize,
        index: Operand,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        match elements {
            [] => Err(Stop::Never(node)),
            [only] => {
                let test = frame.code.compare(Comparison::Equal, index, Operand::real(place as f64));
                frame.code.require(test, node);
                Ok(only.clone())
            }
            _ => {
                let (low, high) = elements.split_at(elements.len() / 2);
                let middle = place + low.len();
                let test = frame.code.compare(Comparison::Less, index, Operand::real(middle as f64));
                self.choice(
                    frame,
                    test,
                    node,
                    |this, frame| this.searched(frame, low, place, index, node),
                    |this, frame| this.searched(frame, high, middle, index, node),
                )
            }
        }
    }

    /// The elements with another one at an index, not copied yet.
    fn replaced(
        &mut self,
        frame: &mut Frame,
        mut elements: Vec<Value>,
        index: &Index,
        value: &Value,
        node: ExpressionId,
    ) -> Result<Vec<Value>, Stop> {
        match *index {
            Index::Known(known) => {
                let place = known as usize;
                let element = elements.get_mut(place).filter(|_| place as f64 == known).ok_or(Stop::Never(node))?;
                *element = value.clone();
            }
            Index::Unknown(operand) if elements.len() <= MOST_COMPARED => {
                let mut is_valid = Operand::Boolean(false);
                for (element, place) in elements.iter_mut().zip(0_u32..) {
                    let test = frame.code.compare(Comparison::Equal, operand, Operand::real(place.into()));
                    is_valid = frame.code.choose_boolean(test, Operand::Boolean(true), is_valid);
                    let (old, new) = (element.clone(), value.clone());
                    *element = self.choice(frame, test, node, |_, _| Ok(new), |_, _| Ok(old))?;
                }
                frame.code.require(is_valid, node);
            }
            Index::Unknown(_) => return self.index_not_known(node),
        }
        Ok(elements)
    }

    /// A whole number up to a bound, as a plain real: no level reaches the result.
    pub(in crate::analysis) fn iterations(
        &mut self,
        frame: &mut Frame,
        number: &Value,
        most: f64,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let number = self.real(frame, number, node)?;
        let (zero, most) = (Value::known(self.domain.literal(0.0)), Value::known(self.domain.literal(most)));
        // The coefficient of a rounding is the constant 0; the sum makes a zero positive.
        let whole = self.operation(frame, Operation::Floor, &number, None);
        self.required(frame, Comparison::Equal, &whole, &number, node)?;
        self.required(frame, Comparison::NotLess, &whole, &zero, node)?;
        self.required(frame, Comparison::NotGreater, &whole, &most, node)?;
        Ok(self.operation(frame, Operation::Add, &whole, Some(&zero)))
    }

    /// Adds the test that a comparison holds.
    fn required(
        &mut self,
        frame: &mut Frame,
        comparison: Comparison,
        a: &Value,
        b: &Value,
        node: ExpressionId,
    ) -> Result<(), Stop> {
        match self.compare(frame, comparison, a, b) {
            Condition::Known(true) => Ok(()),
            Condition::Known(false) => Err(Stop::Never(node)),
            Condition::Unknown(test) => {
                frame.code.require(test, node);
                Ok(())
            }
        }
    }
}

/// An index of a vector.
enum Index {
    Known(f64),
    Unknown(Operand),
}
