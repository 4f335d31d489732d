//! Expressions evaluated in one go: those that call no procedure of the program.
//!
//! Constants, variables, lambdas, and `cons`, `if` and applications of primitives over such expressions need no
//! continuation as data: nothing in them can run long, be interrupted between steps, or look at the continuation. Their
//! steps are counted as everywhere, in the same order. If the machine might have to halt within one it is evaluated node
//! by node instead. Their nesting is bounded by [`DEEPEST`], and with it the host stack.

use crate::fault::Stopped;
use crate::machine::Machine;
use vlad_shared::apply;
use vlad_shared::core::{Expression, ExpressionId, Program, Reference};
use vlad_shared::internal_bug;
use vlad_shared::table::{Form, OnVector, Primitive};
use vlad_shared::value::Value;

/// How deep the nodes of a direct expression nest at most.
const DEEPEST: u32 = 12;

/// For each node the most steps that it takes if it is direct, else 0.
#[derive(Clone, Debug)]
pub struct Sizes {
    sizes: Vec<u32>,
}

impl Sizes {
    /// The sizes of the nodes of a program.
    pub fn of(program: &Program) -> Sizes {
        let nodes = program.expressions.len() as u32;
        Sizes { sizes: (0..nodes).map(|node| direct_size(program, ExpressionId(node), DEEPEST).unwrap_or(0)).collect() }
    }

    #[inline]
    fn get(&self, node: ExpressionId) -> u32 {
        self.sizes.get(node.0 as usize).copied().unwrap_or(0)
    }
}

/// The most steps that a node takes, if it is direct and nests no deeper than `depth`.
fn direct_size(program: &Program, node: ExpressionId, depth: u32) -> Option<u32> {
    let depth = depth.checked_sub(1)?;
    match program.expression(node) {
        Expression::Constant(_) | Expression::Variable(_) | Expression::Lambda(_) => Some(1),
        Expression::Application { operator, operand } => {
            plain_primitive(program, operator)?;
            Some(2 + direct_size(program, operand, depth)?)
        }
        Expression::Cons { first, second } => {
            Some(1 + direct_size(program, first, depth)? + direct_size(program, second, depth)?)
        }
        Expression::If { test, consequent, alternative } => {
            let test = direct_size(program, test, depth)?;
            let branches = direct_size(program, consequent, depth)?.max(direct_size(program, alternative, depth)?);
            Some(1 + test + branches)
        }
        Expression::Let { .. } | Expression::Letrec { .. } => None,
    }
}

/// The primitive that an operator names, unless it is the machine's to apply, or may work in place.
fn plain_primitive(program: &Program, operator: ExpressionId) -> Option<Primitive> {
    let Expression::Variable(Reference::Primitive(primitive)) = program.expression(operator) else {
        return None;
    };
    // A vector can be used up where nothing else has it: not here, where the environment does.
    let is_other =
        matches!(primitive.row().form, Form::Control(_) | Form::OnVector(OnVector::Replace | OnVector::Append));
    (!is_other).then_some(primitive)
}

impl Machine<'_> {
    /// Whether a node can be evaluated in one go from here without halting.
    #[inline]
    pub fn is_direct_now(&self, node: ExpressionId) -> bool {
        let size = self.sizes.get(node);
        size != 0 && self.steps.ticks + u64::from(size) <= self.steps.next_halt
    }

    /// Counts the entry of a node of a direct expression: in frame machines, whose direct expressions call nothing, none is
    /// a step.
    #[inline]
    fn tick(&mut self, node: ExpressionId) {
        self.steps.ticks += u64::from(node.0 >= self.program.machine_nodes);
    }

    /// Evaluates a direct expression: the equations of 𝓔 with the identity as continuation.
    pub fn direct(&mut self, node: ExpressionId) -> Result<Value, Stopped> {
        self.tick(node);
        match self.program.expression(node) {
            Expression::Constant(constant) => Ok(self.program.constant(constant).clone()),
            Expression::Variable(reference) => self.variable(reference, node),
            Expression::Lambda(lambda) => Ok(self.close(lambda)),
            Expression::Cons { first, second } => {
                let first = self.direct(first)?;
                let second = self.direct(second)?;
                Ok(Value::pair(first, second))
            }
            Expression::If { test, consequent, alternative } => {
                let test = self.direct(test)?;
                self.direct(if test.is_true() { consequent } else { alternative })
            }
            Expression::Application { operator, operand } => {
                self.tick(node);
                let Expression::Variable(Reference::Primitive(primitive)) = self.program.expression(operator) else {
                    internal_bug!("a direct application is one of a primitive");
                };
                self.primitive(primitive, operand, node)
            }
            Expression::Let { .. } | Expression::Letrec { .. } => {
                internal_bug!("node {} is not direct", node.0)
            }
        }
    }

    /// Applies a primitive to a direct operand. Two numbers need no tuple to travel in.
    fn primitive(&mut self, primitive: Primitive, operand: ExpressionId, node: ExpressionId) -> Result<Value, Stopped> {
        let operand = if let Expression::Cons { first, second } = self.program.expression(operand) {
            self.tick(node);
            let first = self.direct(first)?;
            let second = self.direct(second)?;
            match apply::apply_to_two(primitive, &first, &second, &mut self.levels) {
                Ok(Some(value)) => return Ok(value),
                Ok(None) => {}
                Err(trouble) => return Err(self.stop(trouble, node)),
            }
            Value::pair(first, second)
        } else {
            self.direct(operand)?
        };
        apply::apply(primitive, operand, &mut self.context()).map_err(|fault| self.stop(fault, node))
    }
}
