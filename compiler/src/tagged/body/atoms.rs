//! Operands: atoms as C expressions, shared, moved or borrowed according to the converted program.

use super::{Body, Form};
use crate::c::{Expression as C, Statement};
use vlad_core::{Constant, ConstantId, GlobalId, LambdaId};
use vlad_cps::{Atom, Variable};
use vlad_table::Primitive;

impl Body<'_, '_> {
    /// An atom as an owned value: the place that uses it takes over the reference.
    pub fn owned(&mut self, atom: Atom) -> C {
        match atom {
            Atom::Moved(variable) => self.variable(variable),
            Atom::Primitive(_) => self.borrowed(atom),
            Atom::Constant(constant) if self.is_scalar(constant) => self.borrowed(atom),
            Atom::Global(global) if self.context.globals.procedure(global).is_some() => self.borrowed(atom),
            Atom::Variable(_) | Atom::Constant(_) | Atom::Global(_) | Atom::Slot(_) => {
                C::call("vlad_share", [self.borrowed(atom)])
            }
            Atom::Sibling(lambda) if self.context.unit.has_slots(lambda) => {
                let slots = C::call("vlad_share_slots", [C::name("slots")]);
                C::call("vlad_procedure", [C::Number(u64::from(lambda.0)), slots])
            }
            Atom::Sibling(_) => self.borrowed(atom),
        }
    }

    /// An atom as a borrowed value: its owner keeps the reference.
    pub fn borrowed(&mut self, atom: Atom) -> C {
        match atom {
            Atom::Variable(variable) | Atom::Moved(variable) => self.variable(variable),
            Atom::Constant(constant) => self.constant(constant),
            Atom::Global(global) => self.global(global),
            Atom::Primitive(primitive) => C::call("vlad_primitive", [C::Number(primitive as u64)]),
            Atom::Slot(slot) => C::name("slots").arrow("values").at(u64::from(slot)),
            Atom::Sibling(lambda) if self.context.unit.has_slots(lambda) => {
                C::call("vlad_procedure", [C::Number(u64::from(lambda.0)), C::name("slots")])
            }
            Atom::Sibling(lambda) => procedure_without_slots(lambda),
        }
    }

    /// A variable: a local variable declared at the beginning of the function, or in the stepwise form its storage
    /// location in the machine.
    pub fn variable(&mut self, variable: Variable) -> C {
        match self.form {
            Form::AtOnce => {
                self.declared.insert(variable);
                C::Name(self.context.variable_name(self.activation, variable))
            }
            Form::Stepwise => Body::storage_of(variable),
        }
    }

    /// The storage location of a variable in the machine.
    pub fn storage_of(variable: Variable) -> C {
        C::machine("places").at(u64::from(variable.0))
    }

    /// Assigns a value to a variable.
    pub fn assign(&mut self, variable: Variable, value: C) {
        let place = self.variable(variable);
        self.put(Statement::Assign(place, value));
    }

    /// Returns the variable to drop after an operand was borrowed, if this is the variable's last use.
    pub fn moved(&mut self, atom: Atom) -> Option<C> {
        atom.moved().map(|variable| self.variable(variable))
    }

    /// Releases a value.
    pub fn drop(&mut self, value: C) {
        self.put(Statement::Evaluate(C::call("vlad_drop", [C::name("m"), value])));
    }

    fn is_scalar(&self, constant: ConstantId) -> bool {
        !matches!(self.context.unit.program.constant(constant), Constant::Pair(..) | Constant::Vector(_))
    }

    fn constant(&self, constant: ConstantId) -> C {
        match self.context.unit.program.constant(constant) {
            Constant::Nil => C::call("vlad_nil", []),
            Constant::Boolean(truth) => C::call("vlad_boolean", [C::Number(u64::from(*truth))]),
            Constant::Real(real) => plain_real(*real),
            Constant::Pair(..) | Constant::Vector(_) => {
                let place = self.context.unit.program.constants.root(constant);
                C::machine("constants").at(place as u64)
            }
        }
    }

    fn global(&self, global: GlobalId) -> C {
        match self.context.globals.procedure(global) {
            Some(lambda) => procedure_without_slots(lambda),
            None => C::machine("globals").at(u64::from(global.0)),
        }
    }

    /// An operand as a double, and the test that it is a plain real; no test if that is known.
    pub fn real_operand(&mut self, atom: Atom) -> (C, Option<C>) {
        if let Atom::Constant(constant) = atom
            && let Constant::Real(real) = self.context.unit.program.constant(constant)
            && let Some(real) = C::finite(*real)
        {
            return (real, None);
        }
        let value = self.borrowed(atom);
        (C::call("vlad_double", [value.clone()]), Some(C::call("vlad_is_real", [value])))
    }
}

/// The number of a primitive, as the runtime knows it.
pub fn number_of(primitive: Primitive) -> C {
    C::Number(primitive as u64)
}

fn procedure_without_slots(lambda: LambdaId) -> C {
    C::call("vlad_procedure", [C::Number(u64::from(lambda.0)), C::Number(0)])
}

/// A plain real as a value.
fn plain_real(real: f64) -> C {
    match C::finite(real) {
        Some(real) => C::call("vlad_real", [real]),
        None => C::call("vlad_make", [C::name("VLAD_REAL"), C::Bits(real.to_bits())]),
    }
}
