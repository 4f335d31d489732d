//! Rows of known lengths in results: arrays for their parts become one array with a dimension more.
//!
//! Vectors of a known length are taken apart, so a vector of any length of such vectors is an array for each part ([`super::arrays`]).
//! Outside of its item nobody can read that. Where the parts are alike it has the elements of a matrix, or of an array of more
//! dimensions. So the code of an item with such a value ends with a loop that makes the rows from the parts; where that is not
//! enough, as for rows that meet those of a matrix, the rows are arrays from the loop on that computes them.

use super::arrays::ArrayValue;
use crate::analysis::Analysis;
use crate::analysis::specialiser::Specialiser;
use crate::analysis::specialiser::frame::Frame;
use crate::analysis::values::domain::{Abstract, AbstractId, Arrays};
use crate::analysis::values::reason::{Cause, Reason, Stop};
use crate::analysis::values::value::{Rows, Value};
use vlad_core::{ExpressionId, Item};
use vlad_first_order::{End, Kind, Operand, Statement, Unit};
use vlad_table::internal_bug;

impl Analysis<'_> {
    /// Analyses an item. In its value, and where else it cannot be specialised, vectors of any length of vectors of known lengths
    /// are arrays of arrays if they are rectangular as far as is known.
    pub(in crate::analysis) fn with_rows<T>(
        &mut self,
        item: Item,
        compile: &mut impl FnMut(&Self, Unit) -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        self.specialiser.rows = Rows::OfValue;
        let mut outcome = self.attempted(item, compile);
        if let Err(Reason { cause: Cause::VectorOfParts | Cause::VectorShape | Cause::UnionOfVectors, .. }) = outcome {
            self.specialiser.rows = Rows::All;
            // What is in the way of rows that are arrays may be something else, and then tells less.
            outcome = self.attempted(item, compile).or(outcome);
        }
        outcome
    }
}

impl Specialiser<'_> {
    /// The value of an item. Data have the shape by which later items know them.
    pub(in crate::analysis) fn value_of_item(&mut self, frame: &mut Frame, node: ExpressionId) -> Result<Value, Stop> {
        let value = self.expression(frame, node)?;
        match self.shape {
            Some(of) => Ok(Value { of, leaves: self.coerced(frame, &value, of)?.into() }),
            None => self.with_rows(frame, value),
        }
    }

    /// A value whose arrays of rows are arrays of arrays. Its depth is bounded.
    fn with_rows(&mut self, frame: &mut Frame, value: Value) -> Result<Value, Stop> {
        if self.domain.arrays(value.of) != Arrays::OfParts {
            return Ok(value);
        }
        let (mut firsts, mut rest) = (Vec::new(), value);
        while let Some((first, second)) = self.parts(&rest) {
            firsts.push(self.with_rows(frame, first)?);
            rest = second;
        }
        let last = match self.domain.get(rest.of) {
            Abstract::Array(_) => self.rectangular(frame, rest)?,
            Abstract::Vector(_) => {
                let (head, mut parts) = self.decomposed(&rest);
                for part in &mut parts {
                    *part = self.with_rows(frame, part.clone())?;
                }
                self.composed(head, &parts)?
            }
            // Nothing else is a result that is read from outside.
            _ => rest,
        };
        self.tuple(firsts, last)
    }

    /// A vector of known length, or an array of such, as an array or an array of arrays, if it has the shape of one.
    pub(in crate::analysis) fn rectangular(&mut self, frame: &mut Frame, value: Value) -> Result<Value, Stop> {
        match self.domain.rectangular(value.of, value.of)? {
            Some(of) => Ok(Value::leaf(of, self.packed(frame, &value, of))),
            None => Ok(value),
        }
    }

    /// The operand of a value that is seen as an array, or as a scalar, of as many dimensions. These bound the depth.
    pub(in crate::analysis) fn packed(&mut self, frame: &mut Frame, value: &Value, to: AbstractId) -> Operand {
        match self.domain.get(value.of) {
            Abstract::Real { bits, .. } => return Operand::Real(*bits),
            Abstract::Boolean(truth) => return Operand::Boolean(*truth),
            _ if value.of == to => return value.operand(),
            _ => {}
        }
        let (Abstract::Array(element), Some(kind)) = (self.domain.get(to).clone(), self.kinds(to).first().copied())
        else {
            internal_bug!("what is packed is an array of scalars")
        };
        match self.array_of(value) {
            Some(rows) => {
                let length = self.array_length(frame, &rows);
                let length = self.real_operand(&length);
                let index = frame.code.fresh(Kind::Real);
                frame.code.open();
                let row = self.row_at(frame, &rows, Operand::Variable(index));
                let row = self.packed(frame, &row, element);
                let mut body = frame.code.close_without_end();
                body.end = End::Yield(vec![row]);
                let target = frame.code.fresh(kind);
                frame.code.add(Statement::Build { targets: vec![target], length, index, body });
                Operand::Variable(target)
            }
            None => {
                let parts = self.decomposed(value).1;
                let elements = parts.iter().map(|part| self.packed(frame, part, element)).collect();
                let target = frame.code.fresh(kind);
                frame.code.add(Statement::Array { target, elements });
                Operand::Variable(target)
            }
        }
    }

    /// The element of an array at an index that it has.
    fn row_at(&mut self, frame: &mut Frame, rows: &ArrayValue, index: Operand) -> Value {
        let targets = self.targets(frame, &self.kinds(rows.element));
        for (target, array) in targets.iter().zip(&rows.leaves) {
            frame.code.add(Statement::Element { target: *target, array: *array, index });
        }
        let leaves: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        Value { of: rows.element, leaves: leaves.into() }
    }
}
