//! The applications inside the primitives that call procedures: `if-procedure`, `j*` and `*j`. What is applied to what, and
//! what remains to be done with the value, is the same in every engine; how a procedure is applied is the engine's own.

use super::{Levels, Surroundings, forward, reverse};
use crate::apply::three;
use crate::run::Trouble;
use crate::table::{Control, Primitive};
use crate::value::{Level, Value};

/// What an engine has to apply.
#[derive(Debug)]
pub struct Application {
    /// The procedure.
    pub operator: Value,
    /// Its operand.
    pub operand: Value,
    /// What remains to be done with the value; if nothing, the application is in tail position.
    pub then: Option<Leaving>,
}

/// The end of an operator of differentiation, which an engine keeps in a frame meanwhile.
#[derive(Debug)]
pub enum Leaving {
    /// Of `(j* f x x')`: the split into primal and tangent.
    Forward {
        /// The level to end.
        level: Level,
    },
    /// Of `(*j f x y')`: the sweep.
    Reverse {
        /// The level to end.
        level: Level,
        /// x and y', as given.
        operands: Box<(Value, Value)>,
    },
}

/// Begins what a primitive that calls a procedure does with an argument.
///
/// # Errors
/// There are fewer than three operands; a tangent does not conform; there are too many levels; a limit is reached.
pub fn enter(
    control: Control,
    primitive: Primitive,
    argument: &Value,
    levels: &mut Levels,
    surroundings: &mut Surroundings<'_>,
) -> Result<Application, Trouble> {
    let (first, second, third) = three(primitive, argument, surroundings.program)?;
    Ok(match control {
        Control::IfProcedure => {
            let operator = if first.is_true() { second } else { third };
            Application { operator, operand: Value::Nil, then: None }
        }
        Control::Forward => {
            let (level, operand) = forward::enter(levels, &second, &third, surroundings)?;
            Application { operator: first, operand, then: Some(Leaving::Forward { level }) }
        }
        Control::Reverse => {
            let (level, operand) = reverse::enter(levels, &second, surroundings)?;
            let then = Leaving::Reverse { level, operands: Box::new((second, third)) };
            Application { operator: first, operand, then: Some(then) }
        }
    })
}

impl Leaving {
    /// Ends the operator with the value of its procedure.
    ///
    /// # Errors
    /// A cotangent does not conform; a limit is reached.
    pub fn leave(self, y: &Value, levels: &mut Levels, surroundings: &mut Surroundings<'_>) -> Result<Value, Trouble> {
        match self {
            Leaving::Forward { level } => forward::leave(levels, level, y, surroundings),
            Leaving::Reverse { level, operands } => {
                let (x, cotangent) = *operands;
                reverse::leave(levels, level, &x, y, &cotangent, surroundings)
            }
        }
    }
}
