//! σ[p ↦ x]: destructuring of values by patterns.
//!
//! The value is matched first, so that it is still whole if an error message shows it; then it is taken apart, and a
//! pair without other references is moved from.

use crate::code::PatternStep;
use crate::fault::{OperationResult, error};
use crate::machine::Machine;
use crate::store::Store;
use smallvec::SmallVec;
use std::mem;
use std::rc::Rc;
use vlad_core::{Binder, LambdaId, Program};
use vlad_runtime::diagnosis::mismatch::mismatch;
use vlad_table::internal_bug;
use vlad_values::Value;
use vlad_values::equality::same_value;
use vlad_values::fault::RuntimeError;
use vlad_values::watch::LimitCheck;

impl Machine<'_> {
    /// Binds the variables of a pattern.
    pub fn match_pattern(
        &mut self,
        pattern: &[PatternStep],
        argument: Value,
        lambda: LambdaId,
        binder: Binder,
    ) -> OperationResult<()> {
        match fits(self.program, &self.store, &mut self.watch, pattern, &argument) {
            Ok(true) => {
                self.take_apart(pattern, argument);
                Ok(())
            }
            Ok(false) => error(mismatch(self.program, lambda, &argument, binder)),
            Err(trouble) => error(trouble),
        }
    }

    /// Moves the parts of a value that matches to the registers.
    fn take_apart(&mut self, pattern: &[PatternStep], argument: Value) {
        let mut pending: SmallVec<[Value; 4]> = SmallVec::new();
        let mut value = argument;
        for step in pattern {
            match step {
                PatternStep::Pair => {
                    let Value::Pair(pair) = value else { internal_bug!("a value that is taken apart fits") };
                    let (first, second) = match Rc::try_unwrap(pair) {
                        Ok(mut pair) => (mem::take(&mut pair.first), mem::take(&mut pair.second)),
                        Err(pair) => (pair.first.clone(), pair.second.clone()),
                    };
                    pending.push(second);
                    value = first;
                    continue;
                }
                PatternStep::Bind(register) => self.store.set(*register, value),
                PatternStep::Constant(_) => {}
            }
            value = pending.pop().unwrap_or_default();
        }
    }
}

/// Returns true if a pattern matches a value, which is traversed from left to right.
fn fits(
    program: &Program,
    store: &Store,
    watch: &mut LimitCheck,
    pattern: &[PatternStep],
    argument: &Value,
) -> Result<bool, RuntimeError> {
    let mut pending: SmallVec<[&Value; 8]> = SmallVec::new();
    let mut value = argument;
    for step in pattern {
        match step {
            PatternStep::Pair => {
                let Value::Pair(pair) = value else { return Ok(false) };
                pending.push(&pair.second);
                value = &pair.first;
                continue;
            }
            PatternStep::Bind(_) => {}
            PatternStep::Constant(constant) => {
                let is_same = match store.get(constant.0) {
                    Value::Nil => matches!(value, Value::Nil),
                    constant => same_value(program, constant, value, watch)?,
                };
                if !is_same {
                    return Ok(false);
                }
            }
        }
        match pending.pop() {
            Some(next) => value = next,
            None => break,
        }
    }
    Ok(true)
}
