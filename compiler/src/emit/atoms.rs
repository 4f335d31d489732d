//! Values in C: atoms as expressions, shared, moved or borrowed as the converted program says.

use super::function::{Body, Form};
use crate::c::Expression as C;
use vlad_shared::core::{ConstantId, GlobalId, LambdaId};
use vlad_shared::cps::{Atom, Variable};
use vlad_shared::table::Primitive;
use vlad_shared::value::Value;

impl Body<'_, '_> {
    /// An atom whose value its place takes.
    pub fn owned(&mut self, atom: Atom) -> C {
        match atom {
            Atom::Moved(variable) => self.variable(variable),
            Atom::Primitive(_) => self.borrowed(atom),
            Atom::Constant(constant) if self.is_scalar(constant) => self.borrowed(atom),
            Atom::Global(global) if self.context.procedure(global).is_some() => self.borrowed(atom),
            Atom::Variable(_) | Atom::Constant(_) | Atom::Global(_) | Atom::Slot(_) => {
                C::call("vlad_share", [self.borrowed(atom)])
            }
            Atom::Sibling(lambda) if self.context.has_slots(lambda) => {
                let slots = C::call("vlad_share_slots", [C::name("slots")]);
                C::call("vlad_procedure", [C::Number(u64::from(lambda.0)), slots])
            }
            Atom::Sibling(_) => self.borrowed(atom),
        }
    }

    /// An atom whose value stays with whoever has it.
    pub fn borrowed(&mut self, atom: Atom) -> C {
        match atom {
            Atom::Variable(variable) | Atom::Moved(variable) => self.variable(variable),
            Atom::Constant(constant) => self.constant(constant),
            Atom::Global(global) => self.global(global),
            Atom::Primitive(primitive) => C::call("vlad_primitive", [C::Number(primitive as u64)]),
            Atom::Slot(slot) => C::name("slots").arrow("values").at(u64::from(slot)),
            Atom::Sibling(lambda) if self.context.has_slots(lambda) => {
                C::call("vlad_procedure", [C::Number(u64::from(lambda.0)), C::name("slots")])
            }
            Atom::Sibling(lambda) => procedure_without_slots(lambda),
        }
    }

    /// A variable: declared at the beginning of the function, or step by step in its place of the machine.
    pub fn variable(&mut self, variable: Variable) -> C {
        match self.form {
            Form::AtOnce => {
                self.declared.insert(variable);
                C::Name(self.context.variable_name(self.activation, variable))
            }
            Form::Stepwise => Body::place_of(variable),
        }
    }

    /// What has to be dropped of an operand that was borrowed and is used for the last time: nothing, or a variable.
    pub fn moved(&mut self, atom: Atom) -> Option<C> {
        match atom {
            Atom::Moved(variable) => Some(self.variable(variable)),
            Atom::Variable(_)
            | Atom::Constant(_)
            | Atom::Global(_)
            | Atom::Primitive(_)
            | Atom::Slot(_)
            | Atom::Sibling(_) => None,
        }
    }

    fn is_scalar(&self, constant: ConstantId) -> bool {
        !matches!(self.context.program.constant(constant), Value::Pair(_) | Value::Vector(_))
    }

    fn constant(&self, constant: ConstantId) -> C {
        match self.context.program.constant(constant) {
            Value::Nil => C::call("vlad_nil", []),
            Value::Boolean(truth) => C::call("vlad_boolean", [C::Number(u64::from(*truth))]),
            Value::Real(real) => plain_real(*real),
            Value::Primitive(primitive) => C::call("vlad_primitive", [C::Number(*primitive as u64)]),
            Value::Pair(_)
            | Value::Lifted(_)
            | Value::Procedure { .. }
            | Value::Capsule(_)
            | Value::Tagged(_)
            | Value::Vector(_) => C::machine("constants").at(u64::from(constant.0)),
        }
    }

    fn global(&self, global: GlobalId) -> C {
        match self.context.procedure(global) {
            Some(lambda) => procedure_without_slots(lambda),
            None => C::machine("globals").at(u64::from(global.0)),
        }
    }

    /// An operand as a double, and the test that it is one; none if that is known.
    pub fn real_operand(&mut self, atom: Atom) -> (C, Option<C>) {
        if let Atom::Constant(constant) = atom
            && let Value::Real(real) = self.context.program.constant(constant)
            && let Some(real) = double(*real)
        {
            return (real, None);
        }
        let value = self.borrowed(atom);
        (C::call("vlad_double", [value.clone()]), Some(C::call("vlad_is_real", [value])))
    }
}

/// A primitive's number.
pub fn number_of(primitive: Primitive) -> C {
    C::Number(primitive as u64)
}

fn procedure_without_slots(lambda: LambdaId) -> C {
    C::call("vlad_procedure", [C::Number(u64::from(lambda.0)), C::Number(0)])
}

/// A real as a value.
fn plain_real(real: f64) -> C {
    match double(real) {
        Some(real) => C::call("vlad_real", [real]),
        None => C::call("vlad_make", [C::name("VLAD_REAL"), C::Bits(real.to_bits())]),
    }
}

/// A real as a double, if C can write its very bits.
pub fn double(real: f64) -> Option<C> {
    if !real.is_finite() {
        return None;
    }
    let size = C::Real(real.abs());
    Some(if real.is_sign_negative() { size.prefix("-") } else { size })
}
