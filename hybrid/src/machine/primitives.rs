//! Applications of primitives that call no procedure.
//!
//! Each form of primitive has a fast path for its usual operands: it inspects them in place, and evaluates the
//! operation of the table. All other operands become the argument of [`apply::apply`], which defines values and errors.

use crate::code::{Index, Location};
use crate::fault::{OperationResult, error};
use crate::machine::Machine;
use smallvec::SmallVec;
use vlad_runtime::primitives::apply;
use vlad_runtime::primitives::two_operands::apply_to_two;
use vlad_table::{Comparison, Predicate, Primitive, internal_bug};
use vlad_values::{Pair, Value};

impl Machine<'_> {
    /// A binary operation on two operands.
    #[inline]
    pub fn binary(
        &mut self,
        to: Index,
        primitive: Primitive,
        evaluate: fn(f64, f64) -> f64,
        first: Location,
        second: Location,
    ) -> OperationResult<()> {
        if let (Some(Value::Real(a)), Some(Value::Real(b))) = (self.store.peek(first), self.store.peek(second)) {
            // A register whose real has been read may keep it: it refers to no other value.
            let result = evaluate(*a, *b);
            self.store.set(to, Value::Real(result));
            return Ok(());
        }
        self.apply_to_two(to, primitive, first, second)
    }

    /// A unary operation.
    #[inline]
    pub fn unary(
        &mut self,
        to: Index,
        primitive: Primitive,
        evaluate: fn(f64) -> f64,
        operand: Location,
    ) -> OperationResult<()> {
        if let Some(Value::Real(real)) = self.store.peek(operand) {
            let result = evaluate(*real);
            self.store.set(to, Value::Real(result));
            return Ok(());
        }
        self.apply_to_one(to, primitive, operand)
    }

    /// A comparison of two operands: of the plain reals under all levels.
    #[inline]
    pub fn compare(
        &mut self,
        to: Index,
        primitive: Primitive,
        comparison: Comparison,
        first: Location,
        second: Location,
    ) -> OperationResult<()> {
        let base = |place| self.store.peek(place).and_then(Value::base);
        let (Some(a), Some(b)) = (base(first), base(second)) else {
            return self.apply_to_two(to, primitive, first, second);
        };
        self.store.release(first);
        self.store.release(second);
        self.store.set(to, Value::Boolean(comparison.holds(a, b)));
        Ok(())
    }

    /// A comparison of a real with zero.
    #[inline]
    pub fn against_zero(
        &mut self,
        to: Index,
        primitive: Primitive,
        comparison: Comparison,
        operand: Location,
    ) -> OperationResult<()> {
        let Some(base) = self.store.peek(operand).and_then(Value::base) else {
            return self.apply_to_one(to, primitive, operand);
        };
        self.store.release(operand);
        self.store.set(to, Value::Boolean(comparison.holds(base, 0.0)));
        Ok(())
    }

    /// A predicate on any value.
    #[inline]
    pub fn ask(&mut self, to: Index, predicate: Predicate, operand: Location) {
        let answer = match self.store.peek(operand) {
            Some(value) => apply::ask(predicate, value),
            None => apply::ask(predicate, &self.store.value(operand)),
        };
        self.store.release(operand);
        self.store.set(to, Value::Boolean(answer));
    }

    /// `car` or `cdr`.
    #[inline]
    pub fn half(
        &mut self,
        to: Index,
        primitive: Primitive,
        operand: Location,
        half: fn(&Pair) -> &Value,
    ) -> OperationResult<()> {
        let Some(Value::Pair(pair)) = self.store.peek(operand) else {
            return self.apply_to_one(to, primitive, operand);
        };
        let value = half(pair).clone();
        self.store.release(operand);
        self.store.set(to, value);
        Ok(())
    }

    /// Applies a primitive to two operands. For two numbers, or a vector and an index, no tuple is made.
    pub fn apply_to_two(
        &mut self,
        to: Index,
        primitive: Primitive,
        first: Location,
        second: Location,
    ) -> OperationResult<()> {
        if let (Some(a), Some(b)) = (self.store.peek(first), self.store.peek(second)) {
            match apply_to_two(primitive, a, b, &mut self.levels) {
                Ok(Some(value)) => {
                    self.store.release(first);
                    self.store.release(second);
                    self.store.set(to, value);
                    return Ok(());
                }
                Ok(None) => {}
                Err(trouble) => return error(trouble),
            }
        }
        let argument = self.tuple_of(&[first, second]);
        let value = self.apply_plain(primitive, argument)?;
        self.store.set(to, value);
        Ok(())
    }

    /// Applies a primitive to its whole argument.
    pub fn apply_to_one(&mut self, to: Index, primitive: Primitive, operand: Location) -> OperationResult<()> {
        let argument = self.store.value(operand);
        let value = self.apply_plain(primitive, argument)?;
        self.store.set(to, value);
        Ok(())
    }

    /// The value of a primitive that calls no procedure.
    pub fn apply_plain(&mut self, primitive: Primitive, argument: Value) -> OperationResult<Value> {
        apply::apply(primitive, argument, &mut self.context()).map_err(Box::new)
    }

    /// The tuple of some operands, or the only one.
    pub fn tuple_of(&mut self, operands: &[Location]) -> Value {
        let mut values: SmallVec<[Value; 8]> = operands.iter().map(|operand| self.store.value(*operand)).collect();
        let Some(last) = values.pop() else { internal_bug!("an application has an operand") };
        values.into_iter().rev().fold(last, |rest, value| Value::pair(value, rest))
    }
}
