//! Lists of vectors whose length is not known, and vectors of lists of any length.
//!
//! Each conversion is a loop in an instance of its own: from the last element of a vector, each before a list of those behind it, and
//! from the first element of a list, each in the place of a zero of an array.

use super::arrays::ArrayValue;
use crate::analysis::specialiser::Specialiser;
use crate::analysis::specialiser::frame::Frame;
use crate::analysis::specialiser::instance::Subject;
use crate::analysis::values::domain::{AbstractId, Unions};
use crate::analysis::values::reason::{Cause, Stop};
use crate::analysis::values::value::{Leaves, Value};
use vlad_core::ExpressionId;
use vlad_first_order::{Operand, Statement};
use vlad_table::{Comparison, Operation, internal_bug};

impl Specialiser<'_> {
    /// `(vector->list v)`, where v is an array.
    pub fn list_of_array(&mut self, frame: &mut Frame, array: &Value, node: ExpressionId) -> Result<Value, Stop> {
        let Some(ArrayValue { element, .. }) = self.array_of(array) else { internal_bug!("an array is expected") };
        if !self.makes_cells() {
            return self.give_up(Cause::VectorAsList, node);
        }
        let Some(list) = self.domain.list_of(element)? else { return self.give_up(Cause::VectorLength, node) };
        let array_value = ArrayValue { element, leaves: array.leaves.as_slice().to_vec() };
        let length = self.array_length(frame, &array_value);
        let nil = Value::known(self.domain.nil());
        let mut arguments = array_value.leaves;
        arguments.push(length.operand());
        arguments.extend(self.coerced(frame, &nil, list)?);
        self.call_of(frame, Subject::Listed(array.of, list), arguments, node)
    }

    /// From inside: the elements of an array before an index, before a list.
    pub fn listed(
        &mut self,
        frame: &mut Frame,
        (of, list): (AbstractId, AbstractId),
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let (array, rest) = Leaves::from(frame.code.parameters()).split(self.domain.leaves(of));
        let (index, leaves) = rest.split(1);
        let (array, rest) = (Value { of, leaves: array }, Value { of: list, leaves });
        let index = Value { of: self.domain.any_real(), leaves: index };
        let Some(elements) = self.array_of(&array) else { internal_bug!("an array is expected") };
        let is_left = frame.code.compare(Comparison::Less, Operand::real(0.0), index.operand());
        self.choice(
            frame,
            is_left,
            node,
            |this, frame| {
                let one = Value::known(this.domain.literal(1.0));
                let index = this.operation(frame, Operation::Subtract, &index, Some(&one));
                let targets = this.targets(frame, &this.kinds(elements.element));
                for (target, array) in targets.iter().zip(&elements.leaves) {
                    frame.code.add(Statement::Element { target: *target, array: *array, index: index.operand() });
                }
                let element = Value { of: elements.element, leaves: Operand::all(&targets).into() };
                let longer = this.pair(element, rest.clone())?;
                let mut arguments = elements.leaves.clone();
                arguments.push(index.operand());
                arguments.extend(this.coerced(frame, &longer, list)?);
                this.call_of(frame, Subject::Listed(of, list), arguments, node)
            },
            |_, _| Ok(rest.clone()),
        )
    }

    /// `(list->vector l)`, where l is a list of reals of any length; none for another value.
    pub fn array_of_list(
        &mut self,
        frame: &mut Frame,
        list: &Value,
        node: ExpressionId,
    ) -> Result<Option<Value>, Stop> {
        if !self.makes_cells() || !self.domain.has_cells(list.of) {
            return Ok(None);
        }
        let real = self.domain.any_real();
        let Some(of) = self.domain.list_of(real)? else { return Ok(None) };
        if self.domain.join(list.of, of, self.unions)?.ok() != Some(of) {
            return Ok(None);
        }
        let list = Value { of, leaves: self.coerced(frame, list, of)?.into() };
        let zero = Value::known(self.domain.literal(0.0));
        let length = self.counted(frame, &list, zero, node)?;
        let zeros = self.built_reals(frame, length.operand(), &mut |_, _| Operand::real(0.0));
        let arguments = vec![list.operand(), Operand::real(0.0), zeros];
        self.call_of(frame, Subject::Filled(of), arguments, node).map(Some)
    }

    /// From inside: an array with the elements of a list from an index on.
    pub fn filled(&mut self, frame: &mut Frame, of: AbstractId, node: ExpressionId) -> Result<Value, Stop> {
        let (list, rest) = Leaves::from(frame.code.parameters()).split(self.domain.leaves(of));
        let (index, array) = rest.split(1);
        let index = Value { of: self.domain.any_real(), leaves: index };
        let array = Value { of: self.array_of_reals()?, leaves: array };
        self.each(frame, &Value { of, leaves: list }, node, &|this, frame, list| {
            let Some((first, others)) = this.parts(&list) else { return Ok(array.clone()) };
            let Some(elements) = this.array_of(&array) else { internal_bug!("an array is expected") };
            let array = this.array_replaced(frame, &elements, &index, &first, node)?;
            let next = this.next(frame, &index);
            let arguments = vec![others.operand(), next.operand(), array.operand()];
            this.call_of(frame, Subject::Filled(of), arguments, node)
        })
    }

    fn makes_cells(&self) -> bool {
        self.unions == Unions::Folded
    }
}
