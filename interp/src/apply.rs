//! 𝓐 k n l f x: application of procedures and primitives, and binding of patterns.

use crate::environment::Environment;
use crate::fault::{Stop, Stopped};
use crate::machine::{Machine, Transition};
use smallvec::SmallVec;
use std::mem;
use std::rc::Rc;
use vlad_core::{Binder, ExpressionId, LambdaId, Pattern, PatternId};
use vlad_runtime::computations::CallSite;
use vlad_runtime::diagnosis::mismatch::mismatch;
use vlad_runtime::primitives::apply::{self, not_applicable};
use vlad_table::{Form, Primitive, internal_bug};
use vlad_values::Value;
use vlad_values::equality::same_value;
use vlad_values::fault::RuntimeError;

impl Machine<'_> {
    /// Applies an operator to an operand.
    pub fn apply(
        &mut self,
        operator: Value,
        operand: Value,
        node: ExpressionId,
        site: ExpressionId,
    ) -> Result<Transition, Stopped> {
        let is_plain = |primitive: &Primitive| !matches!(primitive.row().form, Form::Control(_));
        if !matches!(&operator, Value::Primitive(primitive) if is_plain(primitive)) {
            self.nest().map_err(|fault| Box::new(Stop::Fault { fault: fault.into(), node, site }))?;
        }
        match operator {
            Value::Procedure { code, slots } => {
                // A call within library code keeps the call site at which that code was entered.
                let site = if self.program.is_shipped(node) { site } else { node };
                self.environment = Environment::of_procedure(code, slots, site);
                self.bind(code, operand, Binder::Procedure, node)?;
                Ok(Transition::Evaluate(self.program.lambda(code).body))
            }
            Value::Primitive(primitive) => {
                if let Form::Control(control) = primitive.row().form {
                    return self.control(control, primitive, &operand, CallSite { node, site });
                }
                // The contents of the environment are not needed any more; releasing them lets vectors that are not
                // shared be reused.
                if let Form::OnVector(_) = primitive.row().form {
                    self.environment = Environment::top(site);
                }
                self.levels.at(node, site);
                match apply::apply(primitive, operand, &mut self.context()) {
                    Ok(value) => Ok(Transition::Return(value)),
                    Err(fault) => Err(Box::new(Stop::Fault { fault, node, site })),
                }
            }
            Value::Tagged(ref tagged) => self.transformed(&operator, tagged, &operand, CallSite { node, site }),
            Value::Nil
            | Value::Boolean(_)
            | Value::Real(_)
            | Value::Lifted(_)
            | Value::Pair(_)
            | Value::Capsule(_)
            | Value::Vector(_) => {
                let trouble = not_applicable(self.program, &operator);
                Err(Box::new(Stop::Fault { fault: trouble.into(), node, site }))
            }
        }
    }

    /// Counts a call, unless it is in tail position, where the innermost frame has awaited the call around it before.
    #[inline]
    fn nest(&mut self) -> Result<(), RuntimeError> {
        if let Some(frame) = self.frames.last_mut()
            && !frame.awaits_call
        {
            self.steps.nest()?;
            frame.awaits_call = true;
        }
        Ok(())
    }

    /// σ[p ↦ x]: binds the pattern of a lambda in the current environment.
    pub fn bind(
        &mut self,
        lambda: LambdaId,
        argument: Value,
        binder: Binder,
        node: ExpressionId,
    ) -> Result<(), Stopped> {
        let pattern = self.program.lambda(lambda).pattern;
        if self.program.pattern(pattern) == Pattern::Variable {
            self.environment.locals.push_back(argument);
            return Ok(());
        }
        match self.match_pattern(pattern, argument.clone()) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.stop(mismatch(self.program, lambda, &argument, binder), node)),
            Err(trouble) => Err(self.stop(trouble, node)),
        }
    }

    /// Matches a value against a pattern, left to right, and binds its variables; returns false if the pattern does not
    /// match.
    fn match_pattern(&mut self, pattern: PatternId, value: Value) -> Result<bool, RuntimeError> {
        let mut pending: SmallVec<[(PatternId, Value); 4]> = SmallVec::new();
        let (mut pattern, mut value) = (pattern, value);
        loop {
            match self.program.pattern(pattern) {
                Pattern::Variable => self.environment.locals.push_back(value),
                Pattern::Constant(constant) => {
                    let Some(constant) = self.constants.get(constant.0 as usize) else {
                        internal_bug!("constant {} has a value", constant.0)
                    };
                    if !same_value(self.program, constant, &value, &mut self.watch)? {
                        return Ok(false);
                    }
                }
                Pattern::Pair(first_pattern, second_pattern) => {
                    let Value::Pair(pair) = value else {
                        return Ok(false);
                    };
                    let (first, second) = match Rc::try_unwrap(pair) {
                        Ok(mut pair) => (mem::take(&mut pair.first), mem::take(&mut pair.second)),
                        Err(pair) => (pair.first.clone(), pair.second.clone()),
                    };
                    pending.push((second_pattern, second));
                    (pattern, value) = (first_pattern, first);
                    continue;
                }
            }
            match pending.pop() {
                Some(next) => (pattern, value) = next,
                None => return Ok(true),
            }
        }
    }
}
