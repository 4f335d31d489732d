//! 𝓔 k n l σ e: evaluation, with one function for each construct, and the application of frames to the values they
//! await.

use crate::continuation::{Frame, Part};
use crate::entry::Entry;
use crate::environment::Environment;
use crate::fault::Stopped;
use crate::machine::{Machine, Transition};
use std::rc::Rc;
use vlad_core::{Binder, ConstantId, Expression, ExpressionId, GroupId, LambdaId, Reference};
use vlad_runtime::primitives::apply::unbound;
use vlad_table::internal_bug;
use vlad_values::{Slots, Value};

impl Machine<'_> {
    /// Enters the node of an expression.
    #[inline]
    pub fn evaluate(&mut self, node: ExpressionId) -> Result<Transition, Stopped> {
        if self.is_direct_now(node) {
            return Ok(Transition::Return(self.direct(node)?));
        }
        self.step(Entry::Node(node))?;
        match self.program.expression(node) {
            // 𝓔 k n l σ c = k (n+1) l c
            Expression::Constant(constant) => Ok(Transition::Return(self.constant(constant).clone())),
            // 𝓔 k n l σ x = k (n+1) l (σ x)
            Expression::Variable(reference) => Ok(Transition::Return(self.variable(reference, node)?)),
            // 𝓔 k n l σ (λp.e) = k (n+1) l ⟨σ, λp.e⟩
            Expression::Lambda(lambda) => Ok(Transition::Return(self.close(lambda))),
            Expression::Application { operator, operand } => self.application(node, operator, operand),
            Expression::Let { .. } => self.operator_of_let(node),
            Expression::Cons { first, second } => self.cons(node, first, second),
            Expression::If { test, consequent, alternative } => self.conditional(node, test, consequent, alternative),
            Expression::Letrec { group, body } => self.recursion(group, body),
        }
    }

    /// The value of a constant.
    #[inline]
    pub fn constant(&self, constant: ConstantId) -> &Value {
        match self.constants.get(constant.0 as usize) {
            Some(value) => value,
            None => internal_bug!("constant {} has a value", constant.0),
        }
    }

    /// σ x.
    #[inline]
    pub fn variable(&self, reference: Reference, node: ExpressionId) -> Result<Value, Stopped> {
        match reference {
            Reference::Local(index) => Ok(self.environment.local(index).clone()),
            Reference::Slot(index) => Ok(self.environment.slot(index).clone()),
            Reference::Sibling(place) => Ok(self.sibling(place)),
            Reference::Primitive(primitive) => Ok(Value::Primitive(primitive)),
            Reference::Global(global) => match self.globals.get(global.0 as usize).and_then(Option::as_ref) {
                Some(value) => Ok(value.clone()),
                None => Err(self.stop(unbound(self.program, global), node)),
            },
        }
    }

    /// Another member of the running procedure's group: its code with the same slots.
    fn sibling(&self, place: u32) -> Value {
        let group = self.environment.code.and_then(|code| self.program.lambda(code).group);
        let Some((group, _)) = group else {
            internal_bug!("only members of a group refer to siblings");
        };
        Value::Procedure { code: self.member(group, place), slots: self.environment.slots.clone() }
    }

    fn member(&self, group: GroupId, place: u32) -> LambdaId {
        match self.program.group(group).members.get(place as usize) {
            Some(code) => *code,
            None => internal_bug!("group {} has a member {place}", group.0),
        }
    }

    /// ⟨σ, λp.e⟩: the code and the values of its free variables.
    pub fn close(&self, lambda: LambdaId) -> Value {
        let slots = self.capture(&self.program.lambda(lambda).captures);
        Value::Procedure { code: lambda, slots }
    }

    fn capture(&self, captures: &[Reference]) -> Option<Rc<Slots>> {
        if captures.is_empty() {
            return None;
        }
        Some(Rc::new(Slots::new(captures.iter().map(|reference| match reference {
            Reference::Local(index) => self.environment.local(*index).clone(),
            Reference::Slot(index) => self.environment.slot(*index).clone(),
            Reference::Sibling(place) => self.sibling(*place),
            Reference::Global(_) | Reference::Primitive(_) => internal_bug!("top-level names are never captured"),
        }))))
    }

    /// 𝓔 k n l σ (e₁ e₂) = 𝓔 (λ n l x₁. 𝓔 (λ n l x₂. 𝓐 k n l x₁ x₂) n l σ e₂) (n+1) l σ e₁
    fn application(
        &mut self,
        node: ExpressionId,
        operator: ExpressionId,
        operand: ExpressionId,
    ) -> Result<Transition, Stopped> {
        if self.is_direct_now(operator) {
            let operator = self.direct(operator)?;
            return self.application_of(operator, node, operand);
        }
        let environment = self.saved_environment(node);
        self.frames.push(Frame::of(node, Part::Operator(environment)));
        Ok(Transition::Evaluate(operator))
    }

    /// The inner continuation of the equation of application, applied to the operator's value.
    fn application_of(
        &mut self,
        operator: Value,
        node: ExpressionId,
        operand: ExpressionId,
    ) -> Result<Transition, Stopped> {
        let site = self.environment.site;
        if self.is_direct_now(operand) {
            let operand = self.direct(operand)?;
            return Ok(Transition::Apply { operator, operand, node, site });
        }
        self.frames.push(Frame::of(node, Part::Operand { operator, site }));
        Ok(Transition::Evaluate(operand))
    }

    /// Application of a lambda that is written as the operator: the lambda's node is entered, and its body runs in the
    /// enclosing activation.
    pub fn operator_of_let(&mut self, node: ExpressionId) -> Result<Transition, Stopped> {
        let Expression::Let { operand, .. } = self.program.expression(node) else {
            internal_bug!("node {} is a let", node.0);
        };
        self.step(Entry::OperatorOfLet(node))?;
        if self.is_direct_now(operand) {
            let operand = self.direct(operand)?;
            return self.bind_let(node, operand);
        }
        let environment = self.saved_environment(node);
        self.frames.push(Frame::of(node, Part::Let(environment)));
        Ok(Transition::Evaluate(operand))
    }

    /// Binds the pattern of a `let` to the operand's value, and evaluates the body.
    fn bind_let(&mut self, node: ExpressionId, operand: Value) -> Result<Transition, Stopped> {
        let Expression::Let { lambda, .. } = self.program.expression(node) else {
            internal_bug!("node {} is a let", node.0);
        };
        self.bind(lambda, operand, Binder::Let, node)?;
        Ok(Transition::Evaluate(self.program.lambda(lambda).body))
    }

    /// 𝓔 k n l σ (cons e₁ e₂) = 𝓔 (λ n l x₁. 𝓔 (λ n l x₂. k n l (x₁, x₂)) n l σ e₂) (n+1) l σ e₁
    fn cons(&mut self, node: ExpressionId, first: ExpressionId, second: ExpressionId) -> Result<Transition, Stopped> {
        if self.is_direct_now(first) {
            let first = self.direct(first)?;
            return self.cons_with(first, node, second);
        }
        let environment = self.saved_environment(node);
        self.frames.push(Frame::of(node, Part::First(environment)));
        Ok(Transition::Evaluate(first))
    }

    /// The inner continuation of the equation of `cons`, applied to the value of the first half.
    fn cons_with(&mut self, first: Value, node: ExpressionId, second: ExpressionId) -> Result<Transition, Stopped> {
        if self.is_direct_now(second) {
            let second = self.direct(second)?;
            return Ok(Transition::Return(Value::pair(first, second)));
        }
        let site = self.environment.site;
        self.frames.push(Frame::of(node, Part::Second { first, site }));
        Ok(Transition::Evaluate(second))
    }

    /// 𝓔 k n l σ (if e₁ e₂ e₃) = 𝓔 (λ n l x. if x then 𝓔 k n l σ e₂ else 𝓔 k n l σ e₃) (n+1) l σ e₁
    fn conditional(
        &mut self,
        node: ExpressionId,
        test: ExpressionId,
        consequent: ExpressionId,
        alternative: ExpressionId,
    ) -> Result<Transition, Stopped> {
        if self.is_direct_now(test) {
            let test = self.direct(test)?;
            return Ok(Transition::Evaluate(if test.is_true() { consequent } else { alternative }));
        }
        let environment = self.saved_environment(node);
        self.frames.push(Frame::of(node, Part::Test(environment)));
        Ok(Transition::Evaluate(test))
    }

    /// 𝓔 k n l σ (letrec ((f (λp.e)) ...) e₀) = 𝓔 k (n+1) l σ[f ↦ ⟨σ, f⟩, ...] e₀, without a knot: the members share
    /// their slots, and a member makes its siblings when it needs them.
    fn recursion(&mut self, group: GroupId, body: ExpressionId) -> Result<Transition, Stopped> {
        let slots = self.capture(&self.program.group(group).captures);
        for code in &self.program.group(group).members {
            self.environment.locals.push_back(Value::Procedure { code: *code, slots: slots.clone() });
        }
        Ok(Transition::Evaluate(body))
    }

    /// The environment that the frame of a node keeps: without large values that the node's continuation does not need.
    fn saved_environment(&mut self, node: ExpressionId) -> Rc<Environment> {
        let mut environment = self.environment.clone();
        let rest = self.continuation_needs.get(self.program, node, environment.locals.len());
        for dead in &rest.dead {
            if environment.local(*dead).may_be_large() {
                environment.locals.set(*dead as usize, Value::Nil);
            }
        }
        if !rest.slots {
            environment.slots = None;
        }
        Rc::new(environment)
    }

    /// k n l v: applies a frame to the value that it awaits.
    pub fn resume(&mut self, frame: Frame, value: Value) -> Result<Transition, Stopped> {
        let Frame { node, awaits_call, awaited } = frame;
        if awaits_call {
            self.steps.unnest();
        }
        match awaited {
            Part::Operator(environment) => {
                self.environment = Rc::unwrap_or_clone(environment);
                let Expression::Application { operand, .. } = self.program.expression(node) else {
                    internal_bug!("node {} is an application", node.0);
                };
                self.application_of(value, node, operand)
            }
            Part::Operand { operator, site } => Ok(Transition::Apply { operator, operand: value, node, site }),
            Part::Let(environment) => {
                self.environment = Rc::unwrap_or_clone(environment);
                self.bind_let(node, value)
            }
            Part::First(environment) => {
                self.environment = Rc::unwrap_or_clone(environment);
                let Expression::Cons { second, .. } = self.program.expression(node) else {
                    internal_bug!("node {} is a cons", node.0);
                };
                self.cons_with(value, node, second)
            }
            Part::Second { first, .. } => Ok(Transition::Return(Value::pair(first, value))),
            Part::Test(environment) => {
                self.environment = Rc::unwrap_or_clone(environment);
                let Expression::If { consequent, alternative, .. } = self.program.expression(node) else {
                    internal_bug!("node {} is an if", node.0);
                };
                Ok(Transition::Evaluate(if value.is_true() { consequent } else { alternative }))
            }
        }
    }
}
