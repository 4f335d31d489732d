//! Environments: σ in the equations.
//!
//! An activation has the slots of the running procedure, which never change, and locals, a persistent vector: extending
//! it for one branch of an expression leaves it as it was for another, and a frame that saves it shares it.

use im::GenericVector;
use im::shared_ptr::RcK;
use std::rc::Rc;
use vlad_core::{ExpressionId, LambdaId};
use vlad_table::internal_bug;
use vlad_values::{Slots, Value};

/// The environment of an activation.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The locals, outermost first.
    pub locals: GenericVector<Value, RcK>,
    /// The captured slots of the running procedure.
    pub slots: Option<Rc<Slots>>,
    /// The running procedure's code; none at top level.
    pub code: Option<LambdaId>,
    /// The call site. In library code it is the application of the user's program through which that code was entered,
    /// at which its faults are reported; in the user's own procedures it is the node that called.
    pub site: ExpressionId,
}

impl Default for Environment {
    fn default() -> Environment {
        Environment::top(ExpressionId(0))
    }
}

impl Environment {
    /// The environment of an expression at top level.
    pub fn top(site: ExpressionId) -> Environment {
        Environment { locals: GenericVector::new(), slots: None, code: None, site }
    }

    /// The environment at the start of a procedure's body, before its pattern binds.
    pub fn of_procedure(code: LambdaId, slots: Option<Rc<Slots>>, site: ExpressionId) -> Environment {
        Environment { locals: GenericVector::new(), slots, code: Some(code), site }
    }

    /// The running procedure, for its slots and siblings.
    pub fn procedure(&self) -> Value {
        match self.code {
            Some(code) => Value::Procedure { code, slots: self.slots.clone() },
            None => internal_bug!("an expression at top level needs no slots"),
        }
    }

    /// Makes a procedure the running one.
    pub fn set_procedure(&mut self, procedure: Value) {
        let Value::Procedure { code, slots } = procedure else {
            internal_bug!("only procedures of the program run");
        };
        self.code = Some(code);
        self.slots = slots;
    }

    /// The value of a local.
    #[inline]
    pub fn local(&self, index: u32) -> &Value {
        match self.locals.get(index as usize) {
            Some(value) => value,
            None => internal_bug!("local {index} is bound"),
        }
    }

    /// The value of a slot. A computation that continues from a capsule without a procedure uses no slot, but may
    /// evaluate a reference to one whose value is not live.
    #[inline]
    pub fn slot(&self, index: u32) -> &Value {
        const UNUSED: &Value = &Value::Nil;
        match self.slots.as_ref().and_then(|slots| slots.values().get(index as usize)) {
            Some(value) => value,
            None if self.code.is_none() => UNUSED,
            None => internal_bug!("slot {index} is filled"),
        }
    }
}
