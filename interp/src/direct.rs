//! Direct expressions, which call no procedure of the program and are evaluated by recursion.
//!
//! Constants, variables, lambdas, and `cons`, `if` and applications of primitives over such expressions need no
//! continuation as data: nothing in them can run long, be interrupted between steps, or inspect the continuation. Their
//! steps are counted as everywhere, in the same order. If the machine might have to halt within one, it is evaluated
//! node by node instead. Their nesting is bounded ([`crate::direct_sizes`]), and with it the host stack.

use crate::fault::Stopped;
use crate::machine::Machine;
use vlad_core::{Expression, ExpressionId, Reference};
use vlad_runtime::primitives::apply;
use vlad_runtime::primitives::two_operands::apply_to_two;
use vlad_table::{Primitive, internal_bug};
use vlad_values::Value;

impl Machine<'_> {
    /// Returns true if a node is direct and the machine need not halt within it.
    #[inline]
    pub fn is_direct_now(&self, node: ExpressionId) -> bool {
        let size = self.direct_sizes.get(node);
        size != 0 && self.steps.ticks + u64::from(size) <= self.steps.next_halt
    }

    /// Counts the entry of a node of a direct expression. In loop procedures, whose direct expressions call nothing, no
    /// entry is a step.
    #[inline]
    fn tick(&mut self, node: ExpressionId) {
        self.steps.ticks += u64::from(node.0 >= self.program.machine_nodes);
    }

    /// Evaluates a direct expression: the equations of 𝓔 with the identity as continuation.
    pub fn direct(&mut self, node: ExpressionId) -> Result<Value, Stopped> {
        self.tick(node);
        match self.program.expression(node) {
            Expression::Constant(constant) => Ok(self.constant(constant).clone()),
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

    /// Applies a primitive to a direct operand. Two numbers are passed without a tuple.
    fn primitive(&mut self, primitive: Primitive, operand: ExpressionId, node: ExpressionId) -> Result<Value, Stopped> {
        let operand = if let Expression::Cons { first, second } = self.program.expression(operand) {
            self.tick(node);
            let first = self.direct(first)?;
            let second = self.direct(second)?;
            self.levels.at(node, self.environment.site);
            match apply_to_two(primitive, &first, &second, &mut self.levels) {
                Ok(Some(value)) => return Ok(value),
                Ok(None) => {}
                Err(trouble) => return Err(self.stop(trouble, node)),
            }
            Value::pair(first, second)
        } else {
            let operand = self.direct(operand)?;
            self.levels.at(node, self.environment.site);
            operand
        };
        apply::apply(primitive, operand, &mut self.context()).map_err(|fault| self.stop(fault, node))
    }
}
