//! The execution of the operations of a block.

use crate::code::Operation;
use crate::fault::{OperationResult, error};
use crate::machine::Machine;
use vlad_core::GlobalId;
use vlad_runtime::primitives::apply::unbound;
use vlad_table::Primitive;
use vlad_values::Value;

impl Machine<'_> {
    /// Executes one operation.
    #[inline]
    pub fn execute(&mut self, operation: &Operation) -> OperationResult<()> {
        match operation {
            Operation::Defined { global } => self.check_defined(GlobalId(*global)),
            Operation::Pair { to, first, second } => {
                let first = self.store.value(*first);
                let second = self.store.value(*second);
                self.store.set(*to, Value::pair(first, second));
                Ok(())
            }
            Operation::Close { to, lambda, captures } => {
                let slots = self.store.capture(captures);
                self.store.set(*to, Value::Procedure { code: *lambda, slots });
                Ok(())
            }
            Operation::Tie { members, captures } => {
                let slots = self.store.capture(captures);
                for (to, code) in members {
                    self.store.set(*to, Value::Procedure { code: *code, slots: slots.clone() });
                }
                Ok(())
            }
            Operation::Binary { to, primitive, evaluate, first, second } => {
                self.binary(*to, *primitive, *evaluate, *first, *second)
            }
            Operation::Element { to, primitive, first, second } => self.apply_to_two(*to, *primitive, *first, *second),
            Operation::Unary { to, primitive, evaluate, operand } => self.unary(*to, *primitive, *evaluate, *operand),
            Operation::Compare { to, primitive, comparison, first, second } => {
                self.compare(*to, *primitive, *comparison, *first, *second)
            }
            Operation::AgainstZero { to, primitive, comparison, operand } => {
                self.against_zero(*to, *primitive, *comparison, *operand)
            }
            Operation::Ask { to, predicate, operand } => {
                self.ask(*to, *predicate, *operand);
                Ok(())
            }
            Operation::First { to, operand } => self.half(*to, Primitive::First, *operand, |pair| &pair.first),
            Operation::Second { to, operand } => self.half(*to, Primitive::Second, *operand, |pair| &pair.second),
            Operation::Apply { to, primitive, operand } => self.apply_to_one(*to, *primitive, *operand),
            Operation::ApplyTuple { to, primitive, operands } => {
                let argument = self.tuple_of(operands);
                let value = self.apply_plain(*primitive, argument)?;
                self.store.set(*to, value);
                Ok(())
            }
            Operation::Match { pattern, lambda, binder, argument } => {
                let argument = self.store.value(*argument);
                self.match_pattern(pattern, argument, *lambda, *binder)
            }
            Operation::Drop { register } => {
                self.store.set(*register, Value::Nil);
                Ok(())
            }
        }
    }

    #[inline]
    fn check_defined(&self, global: GlobalId) -> OperationResult<()> {
        if self.defined.get(global.0 as usize).is_some_and(|is_defined| *is_defined) {
            return Ok(());
        }
        error(unbound(self.program, global))
    }
}
