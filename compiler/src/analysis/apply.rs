//! Application, the paper's A: the choice by the sort of the operator. The application of a closure becomes a call of an instance.
//! `Specialiser::body` evaluates the instance.
//!
//! The module also matches arguments with patterns, and takes pairs and other values apart.

use super::evaluate::Condition;
use super::specialiser::Specialiser;
use super::specialiser::execution::Used;
use super::specialiser::frame::Frame;
use super::values::domain::{Abstract, AbstractId, Head};
use super::values::reason::{Cause, Reason, Stop};
use super::values::value::Value;
use vlad_core::{ExpressionId, LambdaId, Pattern, PatternId};
use vlad_first_order::Operand;
use vlad_table::internal_bug;

impl Specialiser<'_> {
    /// Applies a value to an argument.
    pub fn apply(
        &mut self,
        frame: &mut Frame,
        operator: Value,
        argument: Value,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        match *self.domain.get(operator.of) {
            Abstract::Closure(lambda, _) => match self.built(frame, lambda, &argument, node)? {
                Some(vector) => Ok(vector),
                None => self.call(frame, &operator, &argument, node),
            },
            Abstract::Primitive(primitive) => self.primitive(frame, primitive, &argument, node),
            Abstract::Bundle { .. } | Abstract::Tagged(..) => self.transformed(frame, &operator, &argument, node),
            Abstract::Backpropagator(..) => self.swept(frame, &operator, &argument, Used::Both, node),
            Abstract::Union(_) | Abstract::Cell(_) => self.each(frame, &operator, node, &|this, frame, operator| {
                this.apply(frame, operator, argument.clone(), node)
            }),
            Abstract::Nil
            | Abstract::Boolean(_)
            | Abstract::AnyBoolean
            | Abstract::Real { .. }
            | Abstract::AnyReal
            | Abstract::Pair(..)
            | Abstract::Vector(_)
            | Abstract::Back
            | Abstract::Array(_) => Err(Stop::Never(node)),
        }
    }

    /// The parts of a pair; none if the value is no pair.
    pub fn parts(&self, value: &Value) -> Option<(Value, Value)> {
        let Abstract::Pair(first, second) = *self.domain.get(value.of) else { return None };
        let (of_first, of_second) = value.leaves.split(self.domain.leaves(first));
        Some((Value { of: first, leaves: of_first }, Value { of: second, leaves: of_second }))
    }

    /// The parts of a value that has to be a pair.
    pub fn parts_of_pair(
        &mut self,
        frame: &mut Frame,
        value: &Value,
        node: ExpressionId,
    ) -> Result<(Value, Value), Stop> {
        let pair = self.only(frame, value, node, |of| matches!(of, Abstract::Pair(..)))?;
        self.parts(&pair).ok_or(Stop::Never(node))
    }

    /// The parts of any value, from left to right, and what it is apart from them.
    pub fn decomposed(&self, value: &Value) -> (Head, Vec<Value>) {
        let (head, parts) = self.domain.decompose(value.of);
        let mut leaves = value.leaves.clone();
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            let (of_part, others) = leaves.split(self.domain.leaves(part));
            values.push(Value { of: part, leaves: of_part });
            leaves = others;
        }
        (head, values)
    }

    /// The value of some parts.
    pub fn composed(&mut self, head: Head, parts: &[Value]) -> Result<Value, Stop> {
        let of: Vec<AbstractId> = parts.iter().map(|part| part.of).collect();
        let leaves: Vec<Operand> = parts.iter().flat_map(|part| part.leaves.as_slice()).copied().collect();
        Ok(Value { of: self.domain.compose(head, &of)?, leaves: leaves.into() })
    }

    /// Returns true if two values that are no atoms have the same sort, and the same code or mark. Tags of bundles are not compared.
    pub fn is_same_head(&self, a: Head, b: Head) -> bool {
        match (a, b) {
            (Head::Closure(a), Head::Closure(b)) => self.class(a) == self.class(b),
            (Head::Pair, Head::Pair) | (Head::Vector, Head::Vector) | (Head::Bundle(_), Head::Bundle(_)) => true,
            (Head::Tagged(a), Head::Tagged(b)) => a == b,
            (Head::Backpropagator, Head::Backpropagator) => true,
            _ => false,
        }
    }

    /// Matches a value with a pattern, whose variables become the next locals.
    pub fn matching(
        &mut self,
        frame: &mut Frame,
        pattern: PatternId,
        value: Value,
        node: ExpressionId,
    ) -> Result<(), Stop> {
        let mut pending = vec![(pattern, value)];
        while let Some((pattern, value)) = pending.pop() {
            match self.program.pattern(pattern) {
                Pattern::Variable => frame.locals.push(value),
                Pattern::Constant(constant) => {
                    let Some(constant) = self.domain.constant(&self.program.constants, constant) else {
                        internal_bug!("a pattern contains no vector")
                    };
                    match self.equal(frame, &Value::known(constant), &value, node)? {
                        Condition::Known(true) => {}
                        Condition::Known(false) => return Err(Stop::Never(node)),
                        Condition::Unknown(test) => frame.code.require(test, node),
                    }
                }
                Pattern::Pair(first, second) => {
                    let (first_value, second_value) = self.parts_of_pair(frame, &value, node)?;
                    pending.extend([(second, second_value), (first, first_value)]);
                }
            }
        }
        Ok(())
    }

    /// The class of equal code of a lambda.
    fn class(&self, lambda: LambdaId) -> u32 {
        match self.classes.get(lambda.0 as usize) {
            Some(class) => *class,
            None => internal_bug!("every lambda has a class"),
        }
    }

    /// The operand of a real, known or not.
    pub fn real_operand(&self, value: &Value) -> Operand {
        match self.domain.get(value.of) {
            Abstract::Real { bits, .. } => Operand::Real(*bits),
            _ => value.operand(),
        }
    }

    /// Gives up at a node.
    pub fn give_up<T>(&self, cause: Cause, node: ExpressionId) -> Result<T, Stop> {
        Err(Stop::GiveUp(Reason::new(cause).at(node)))
    }
}
