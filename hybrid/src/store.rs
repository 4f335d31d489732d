//! The store: an array of the values that code refers to by index - constants, primitives, definitions, registers.

use crate::code::{Index, Layout, Location};
use std::mem;
use std::rc::Rc;
use vlad_core::{LambdaId, Program};
use vlad_table::internal_bug;
use vlad_table::primitives::PRIMITIVES;
use vlad_values::constants::constant_values;
use vlad_values::{Slots, Value};

/// The store, and the captured slots of the running procedure. An empty register holds the empty list, or a value that
/// refers to no other.
#[derive(Debug)]
pub struct Store {
    values: Vec<Value>,
    /// The captured slots of the running procedure.
    pub slots: Option<Rc<Slots>>,
}

impl Store {
    /// The store of a program that has not begun.
    pub fn new(program: &Program, layout: Layout) -> Store {
        let mut values = constant_values(&program.constants);
        values.extend(PRIMITIVES.iter().map(|row| Value::Primitive(row.primitive)));
        values.resize(layout.end as usize, Value::Nil);
        Store { values, slots: None }
    }

    /// The value at an index.
    #[inline(always)]
    pub fn get(&self, index: Index) -> &Value {
        match self.values.get(index as usize) {
            Some(value) => value,
            None => internal_bug!("the store has a place {index}"),
        }
    }

    #[inline(always)]
    fn get_mut(&mut self, index: Index) -> &mut Value {
        match self.values.get_mut(index as usize) {
            Some(value) => value,
            None => internal_bug!("the store has a place {index}"),
        }
    }

    /// Stores a value.
    #[inline(always)]
    pub fn set(&mut self, index: Index, value: Value) {
        match mem::replace(self.get_mut(index), value) {
            // Nearly always: registers are set when they are empty.
            Value::Nil | Value::Boolean(_) | Value::Real(_) | Value::Primitive(_) => {}
            old @ (Value::Lifted(_)
            | Value::Pair(_)
            | Value::Procedure { .. }
            | Value::Capsule(_)
            | Value::Tagged(_)
            | Value::Vector(_)) => drop(old),
        }
    }

    /// Moves a value out of a register.
    #[inline(always)]
    pub fn take(&mut self, register: Index) -> Value {
        mem::take(self.get_mut(register))
    }

    fn slot(&self, index: u32) -> &Value {
        match self.slots.as_ref().and_then(|slots| slots.values().get(index as usize)) {
            Some(value) => value,
            None => internal_bug!("slot {index} is filled"),
        }
    }

    /// Borrows an operand; none for a sibling, which is not stored.
    #[inline(always)]
    pub fn peek(&self, place: Location) -> Option<&Value> {
        match place {
            Location::Kept(index) | Location::Moved(index) => Some(self.get(index)),
            Location::Slot(index) => Some(self.slot(index)),
            Location::Sibling(_) => None,
        }
    }

    /// Drops an operand that was borrowed, if it is moved.
    #[inline]
    pub fn release(&mut self, place: Location) {
        if let Location::Moved(register) = place {
            self.set(register, Value::Nil);
        }
    }

    /// The value of an operand, moved or shared.
    #[inline]
    pub fn value(&mut self, place: Location) -> Value {
        match place {
            Location::Moved(register) => self.take(register),
            Location::Kept(index) => self.get(index).clone(),
            Location::Slot(index) => self.slot(index).clone(),
            Location::Sibling(code) => self.sibling(code),
        }
    }

    fn sibling(&self, code: LambdaId) -> Value {
        Value::Procedure { code, slots: self.slots.clone() }
    }

    /// The captured slots of the procedure that an operand is.
    pub fn slots_of(&mut self, place: Location) -> Option<Rc<Slots>> {
        match self.value(place) {
            Value::Procedure { slots, .. } => slots,
            Value::Nil
            | Value::Boolean(_)
            | Value::Real(_)
            | Value::Lifted(_)
            | Value::Primitive(_)
            | Value::Pair(_)
            | Value::Capsule(_)
            | Value::Tagged(_)
            | Value::Vector(_) => internal_bug!("an operator of known code is a procedure"),
        }
    }

    /// The captured slots of a new procedure.
    pub fn capture(&mut self, captures: &[Location]) -> Option<Rc<Slots>> {
        if captures.is_empty() {
            return None;
        }
        Some(Rc::new(Slots::new(captures.iter().map(|place| self.value(*place)))))
    }
}
