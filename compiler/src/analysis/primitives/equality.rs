//! `equal?` on abstract values: the tests that two values are equal.
//!
//! Cells are compared by a recursive instance, the application of `equal?` to two cells. It tests what is no cell first, and a
//! cell only if all else is equal, the last one by a call in tail position.

use crate::analysis::evaluate::Condition;
use crate::analysis::specialiser::Specialiser;
use crate::analysis::specialiser::frame::Frame;
use crate::analysis::values::domain::{Abstract, Head};
use crate::analysis::values::reason::{Cause, Stop};
use crate::analysis::values::value::Value;
use vlad_core::ExpressionId;
use vlad_first_order::{Operand, Relation};
use vlad_table::{Comparison, Primitive};

impl Specialiser<'_> {
    /// Compares two values with `equal?`.
    pub fn equal(
        &mut self,
        frame: &mut Frame,
        first: &Value,
        second: &Value,
        node: ExpressionId,
    ) -> Result<Condition, Stop> {
        let mut tests: Vec<Operand> = Vec::new();
        let mut pending = vec![(first.clone(), second.clone())];
        while let Some((a, b)) = pending.pop() {
            self.budget.node().map_err(|reason| Stop::GiveUp(reason.at(node)))?;
            let is_same = match (self.domain.get(a.of).clone(), self.domain.get(b.of).clone()) {
                (Abstract::Cell(_), Abstract::Cell(_)) => match self.equal_cells(frame, &a, &b, node)? {
                    Condition::Known(is_same) => is_same,
                    Condition::Unknown(test) => {
                        tests.push(test);
                        true
                    }
                },
                (Abstract::Cell(_), _) => {
                    pending.push((self.opened(frame, &a)?, b));
                    true
                }
                (_, Abstract::Cell(_)) => {
                    pending.push((a, self.opened(frame, &b)?));
                    true
                }
                (Abstract::Union(_), _) | (_, Abstract::Union(_)) => match self.equal_unions(frame, &a, &b, node)? {
                    Condition::Known(is_same) => is_same,
                    Condition::Unknown(test) => {
                        tests.push(test);
                        true
                    }
                },
                (Abstract::Nil, Abstract::Nil) => true,
                (Abstract::Boolean(a), Abstract::Boolean(b)) => a == b,
                (Abstract::AnyBoolean, Abstract::AnyBoolean) if a.operand() == b.operand() => true,
                (Abstract::AnyBoolean, Abstract::AnyBoolean) => {
                    let negated = frame.code.not(b.operand());
                    tests.push(frame.code.choose_boolean(a.operand(), b.operand(), negated));
                    true
                }
                (Abstract::AnyBoolean, Abstract::Boolean(known)) => self.is_boolean(frame, &mut tests, &a, known),
                (Abstract::Boolean(known), Abstract::AnyBoolean) => self.is_boolean(frame, &mut tests, &b, known),
                (Abstract::Real { bits, .. }, Abstract::Real { bits: other, .. }) => bits.real() == other.real(),
                (Abstract::Real { .. } | Abstract::AnyReal, Abstract::Real { .. } | Abstract::AnyReal) => {
                    let (a, b) = (self.real_operand(&a), self.real_operand(&b));
                    tests.push(frame.code.compare(Comparison::Equal, a, b));
                    true
                }
                (Abstract::Primitive(a), Abstract::Primitive(b)) => a == b,
                (Abstract::Array(_), Abstract::Array(_)) if a.of == b.of => {
                    for (first, second) in a.leaves.as_slice().iter().zip(b.leaves.as_slice()) {
                        tests.push(frame.code.compare_arrays(Relation::SameElements, *first, *second));
                    }
                    true
                }
                (Abstract::Array(_), Abstract::Array(_) | Abstract::Vector(_))
                | (Abstract::Vector(_), Abstract::Array(_)) => return self.give_up(Cause::VectorShape, node),
                _ => {
                    let ((head, parts), (other, others)) = (self.decomposed(&a), self.decomposed(&b));
                    let is_same = self.is_same_head(head, other) && parts.len() == others.len();
                    self.compares_backpropagators |= head == Head::Backpropagator;
                    if is_same {
                        pending.extend(parts.into_iter().zip(others).rev());
                    }
                    is_same
                }
            };
            if !is_same {
                return Ok(Condition::Known(false));
            }
        }
        let Some((first, others)) = tests.split_first() else { return Ok(Condition::Known(true)) };
        let all = others.iter().fold(*first, |all, test| frame.code.and(all, *test));
        Ok(Condition::Unknown(all))
    }

    /// Compares two values of which one is a union at least.
    fn equal_unions(&mut self, frame: &mut Frame, a: &Value, b: &Value, node: ExpressionId) -> Result<Condition, Stop> {
        let (alternatives, other) = match self.alternatives(a) {
            Some(alternatives) => (alternatives, b),
            None => (self.alternatives(b).unwrap_or_default(), a),
        };
        let mut holds = Vec::with_capacity(alternatives.len());
        for alternative in &alternatives {
            holds.push(self.equal(frame, &alternative.value, other, node)?);
        }
        Ok(self.holds_for(frame, &alternatives, &holds))
    }

    /// Adds the test that a boolean is the known one.
    fn is_boolean(&mut self, frame: &mut Frame, tests: &mut Vec<Operand>, value: &Value, known: bool) -> bool {
        let operand = value.operand();
        tests.push(if known { operand } else { frame.code.not(operand) });
        true
    }

    /// Compares two cells, by an instance of their own.
    fn equal_cells(&mut self, frame: &mut Frame, a: &Value, b: &Value, node: ExpressionId) -> Result<Condition, Stop> {
        if !self.domain.is_linear(a.of) || !self.domain.is_linear(b.of) {
            return self.give_up(Cause::GrownCompared, node);
        }
        let operator = Value::known(self.domain.primitive(Primitive::SameValue));
        let argument = self.pair(a.clone(), b.clone())?;
        let result = self.call(frame, &operator, &argument, node)?;
        self.condition(frame, &result)
    }

    /// The comparison of two cells, from inside of its instance. It may be called for cells of an alternative that a value is
    /// not: an absent cell has itself as its parts, so the comparison goes on only from a cell that is one of its alternatives.
    pub fn equal_opened(&mut self, frame: &mut Frame, a: &Value, b: &Value, node: ExpressionId) -> Result<Value, Stop> {
        let opened = self.opened(frame, a)?;
        let tests = self.alternatives(&opened).unwrap_or_default().into_iter().map(|alternative| alternative.test);
        let exists = tests.reduce(|any, test| frame.code.choose_boolean(any, Operand::Boolean(true), test));
        let exists = exists.unwrap_or(Operand::Boolean(true));
        self.each(frame, a, node, &|this, frame, a| {
            this.each(frame, b, node, &|this, frame, b| this.equal_alternatives(frame, exists, (&a, &b), node))
        })
    }

    fn equal_alternatives(
        &mut self,
        frame: &mut Frame,
        exists: Operand,
        (a, b): (&Value, &Value),
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let ((head, parts), (other, others)) = (self.decomposed(a), self.decomposed(b));
        if !self.is_same_head(head, other) || parts.len() != others.len() {
            let test = self.equal(frame, a, b, node)?;
            return Ok(self.truth(test));
        }
        let (cells, plain): (Vec<_>, Vec<_>) = parts
            .into_iter()
            .zip(others)
            .partition(|(a, b)| self.domain.has_cells(a.of) && self.domain.has_cells(b.of));
        let mut tests = Vec::new();
        for (a, b) in plain {
            match self.equal(frame, &a, &b, node)? {
                Condition::Known(true) => {}
                Condition::Known(false) => return Ok(Value::known(self.domain.boolean(false))),
                Condition::Unknown(test) => tests.push(test),
            }
        }
        let all = tests.into_iter().fold(exists, |all, test| frame.code.and(all, test));
        self.equal_in_turn(frame, all, &cells, node)
    }

    /// Compares pairs of values in turn, as long as all are equal.
    fn equal_in_turn(
        &mut self,
        frame: &mut Frame,
        test: Operand,
        pairs: &[(Value, Value)],
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let Some(((a, b), others)) = pairs.split_first() else {
            return Ok(self.truth(Condition::Unknown(test)));
        };
        self.choice(
            frame,
            test,
            node,
            |this, frame| match this.equal(frame, a, b, node)? {
                Condition::Known(true) => this.equal_in_turn(frame, Operand::Boolean(true), others, node),
                Condition::Known(false) => Ok(Value::known(this.domain.boolean(false))),
                Condition::Unknown(test) => this.equal_in_turn(frame, test, others, node),
            },
            |this, _| Ok(Value::known(this.domain.boolean(false))),
        )
    }
}
