//! σ[p ↦ x]: taking values apart by patterns.
//!
//! First the value is looked at, so that it is still whole if an error has to show it; then it is taken apart, and a pair
//! that nobody else refers to hands over its halves.

use crate::code::PatternStep;
use crate::fault::{Failed, failed};
use crate::machine::Machine;
use smallvec::SmallVec;
use std::mem;
use std::rc::Rc;
use vlad_shared::core::{LambdaId, Program};
use vlad_shared::equality::same_value;
use vlad_shared::internal_bug;
use vlad_shared::mismatch::{Binder, mismatch};
use vlad_shared::run::{Trouble, Watch};
use vlad_shared::value::Value;

impl Machine<'_> {
    /// Binds what the variables of a pattern stand for.
    pub fn match_pattern(
        &mut self,
        pattern: &[PatternStep],
        argument: Value,
        lambda: LambdaId,
        binder: Binder,
    ) -> Result<(), Failed> {
        match fits(self.program, &mut self.watch, pattern, &argument) {
            Ok(true) => {
                self.take_apart(pattern, argument);
                Ok(())
            }
            Ok(false) => failed(mismatch(self.program, lambda, &argument, binder)),
            Err(trouble) => failed(trouble),
        }
    }

    /// Hands the parts of a value that fits to the registers.
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

/// Whether a pattern matches a value. Looks at it from left to right.
fn fits(program: &Program, watch: &mut Watch, pattern: &[PatternStep], argument: &Value) -> Result<bool, Trouble> {
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
                let is_same = match program.constant(*constant) {
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
