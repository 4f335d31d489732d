//! The evaluator of core on reals of 96 digits: a loop over expression nodes with an explicit stack of continuation
//! frames.

use super::arithmetic::Reference;
use super::jumps::Jumps;
use super::refusal::{NotDifferentiable, Refusal, fault};
use super::rounding::RoundingErrors;
use super::value::{Compound, CompoundKind, Value};
use std::rc::Rc;
use std::time::{Duration, Instant};
use vlad_shared::core::{
    Constant, ConstantId, Constants, Expression, ExpressionId, GlobalId, GroupId, Item, LambdaId, Pattern, PatternId,
    Program, Reference as Variable,
};
use vlad_shared::table::internal_bug;

/// The number of nodes that are entered between two clock checks.
const BETWEEN_LOOKS: u32 = 1 << 10;

/// The number of nodes that take as long as a primitive. Some primitives take a hundredth of a second.
const PRIMITIVE: u32 = 1 << 7;

/// The range of some reals: that of finite doubles, or a larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// All of them are finite when rounded to doubles.
    Finite,
    /// One is too large for a double, infinite or no number.
    Exceeded,
}

/// An activation.
#[derive(Clone, Default)]
struct Environment {
    locals: Vec<Value>,
    /// The running procedure.
    procedure: Option<Rc<Compound>>,
}

/// A continuation frame: an expression that awaits a value.
enum Frame {
    Operator(ExpressionId, Environment),
    Operand(Value),
    Let(ExpressionId, Environment),
    First(ExpressionId, Environment),
    Second(Value),
    Test(ExpressionId, Environment),
}

/// The next action of the evaluator.
enum Next {
    Evaluate(ExpressionId),
    Return(Value),
    Apply(Value, Value),
}

/// The result of applying a primitive.
pub enum Applied {
    /// A value.
    Value(Value),
    /// A tail call in place of the primitive's call.
    Call(Value, Value),
}

/// The evaluator of a program.
pub struct Machine<'program> {
    /// The program.
    pub program: &'program Program,
    /// The operations.
    pub reference: Reference,
    /// The number of enclosing difference quotients.
    pub depth: usize,
    /// The greatest reason so far why a real is not known: an operation gives none, or a quotient is no derivative. None if all are
    /// known.
    pub rough: Option<NotDifferentiable>,
    /// True if there was a quotient since the innermost one that has not ended began.
    pub has_inside: bool,
    /// The whole numbers that reals were rounded to.
    pub jumps: Jumps,
    /// The range of the results of operations.
    pub range: Range,
    /// The rounding errors that operations get, if they get any.
    pub roundings: Option<RoundingErrors>,
    constants: Vec<Value>,
    globals: Vec<Option<Value>>,
    deadline: Option<Instant>,
    until_look: u32,
}

impl<'program> Machine<'program> {
    /// A machine whose program has not begun; none if there is no memory for the arithmetic.
    pub fn new(program: &'program Program, time: Duration) -> Option<Machine<'program>> {
        let mut machine = Machine {
            program,
            reference: Reference::new()?,
            depth: 0,
            rough: None,
            has_inside: false,
            jumps: Jumps::default(),
            range: Range::Finite,
            roundings: None,
            constants: constant_values(&program.constants),
            globals: vec![None; program.globals.len()],
            deadline: Instant::now().checked_add(time),
            until_look: BETWEEN_LOOKS,
        };
        for (global, lambda) in &program.prelude {
            machine.define(*global, Value::compound(CompoundKind::Procedure(*lambda), []));
        }
        Some(machine)
    }

    /// Runs the program and returns the values of its top-level expressions.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn run(&mut self) -> Result<Vec<Value>, Refusal> {
        let mut values = Vec::new();
        for item in &self.program.items {
            match *item {
                Item::Define(global, node) => {
                    let value = self.execute(Next::Evaluate(node))?;
                    self.define(global, value);
                }
                Item::Expression(node) => values.push(self.execute(Next::Evaluate(node))?),
            }
        }
        Ok(values)
    }

    /// Applies a procedure.
    ///
    /// # Errors
    /// See [`Refusal`].
    pub fn apply(&mut self, procedure: &Value, operand: Value) -> Result<Value, Refusal> {
        self.execute(Next::Apply(procedure.clone(), operand))
    }

    fn define(&mut self, global: GlobalId, value: Value) {
        if let Some(place) = self.globals.get_mut(global.0 as usize) {
            *place = Some(value);
        }
    }

    fn execute(&mut self, start: Next) -> Result<Value, Refusal> {
        let (mut frames, mut environment) = (Vec::new(), Environment::default());
        let mut next = start;
        loop {
            next = match next {
                Next::Evaluate(node) => self.evaluate(node, &mut environment, &mut frames)?,
                Next::Apply(procedure, operand) => self.enter(&procedure, operand, &mut environment)?,
                Next::Return(value) => match frames.pop() {
                    Some(frame) => self.resume(frame, value, &mut environment, &mut frames)?,
                    None => return Ok(value),
                },
            }
        }
    }

    fn evaluate(
        &mut self,
        node: ExpressionId,
        environment: &mut Environment,
        frames: &mut Vec<Frame>,
    ) -> Result<Next, Refusal> {
        self.look(1)?;
        Ok(match self.program.expression(node) {
            Expression::Constant(constant) => Next::Return(self.constant(constant).clone()),
            Expression::Variable(variable) => Next::Return(self.variable(variable, environment)?),
            Expression::Lambda(lambda) => {
                let slots = self.capture(&self.program.lambda(lambda).captures, environment)?;
                Next::Return(Value::compound(CompoundKind::Procedure(lambda), slots))
            }
            Expression::Application { operator, .. } => {
                frames.push(Frame::Operator(node, environment.clone()));
                Next::Evaluate(operator)
            }
            Expression::Let { operand, .. } => {
                frames.push(Frame::Let(node, environment.clone()));
                Next::Evaluate(operand)
            }
            Expression::Cons { first, .. } => {
                frames.push(Frame::First(node, environment.clone()));
                Next::Evaluate(first)
            }
            Expression::If { test, .. } => {
                frames.push(Frame::Test(node, environment.clone()));
                Next::Evaluate(test)
            }
            Expression::Letrec { group, body } => {
                let slots = self.capture(&self.program.group(group).captures, environment)?;
                for code in &self.program.group(group).members {
                    environment.locals.push(Value::compound(CompoundKind::Procedure(*code), slots.clone()));
                }
                Next::Evaluate(body)
            }
        })
    }

    fn resume(
        &mut self,
        frame: Frame,
        value: Value,
        environment: &mut Environment,
        frames: &mut Vec<Frame>,
    ) -> Result<Next, Refusal> {
        let expression = |node| self.program.expression(node);
        Ok(match frame {
            Frame::Operator(node, saved) => {
                *environment = saved;
                let Expression::Application { operand, .. } = expression(node) else {
                    internal_bug!("node {} is an application", node.0);
                };
                frames.push(Frame::Operand(value));
                Next::Evaluate(operand)
            }
            Frame::Operand(procedure) => Next::Apply(procedure, value),
            Frame::Let(node, saved) => {
                *environment = saved;
                let Expression::Let { lambda, .. } = expression(node) else {
                    internal_bug!("node {} is a let", node.0);
                };
                Next::Evaluate(self.bind(lambda, value, environment)?)
            }
            Frame::First(node, saved) => {
                *environment = saved;
                let Expression::Cons { second, .. } = expression(node) else {
                    internal_bug!("node {} is a cons", node.0);
                };
                frames.push(Frame::Second(value));
                Next::Evaluate(second)
            }
            Frame::Second(first) => Next::Return(Value::pair(first, value)),
            Frame::Test(node, saved) => {
                *environment = saved;
                let Expression::If { consequent, alternative, .. } = expression(node) else {
                    internal_bug!("node {} is an if", node.0);
                };
                Next::Evaluate(if value.is_true() { consequent } else { alternative })
            }
        })
    }

    /// Begins the call of a procedure.
    fn enter(&mut self, procedure: &Value, operand: Value, environment: &mut Environment) -> Result<Next, Refusal> {
        self.look(if matches!(procedure, Value::Primitive(_)) { PRIMITIVE } else { 1 })?;
        match procedure {
            Value::Primitive(primitive) => Ok(match self.primitive(*primitive, operand)? {
                Applied::Value(value) => Next::Return(value),
                Applied::Call(procedure, operand) => Next::Apply(procedure, operand),
            }),
            Value::Compound(compound) => match compound.sort {
                CompoundKind::Procedure(lambda) => {
                    *environment = Environment { locals: Vec::new(), procedure: Some(Rc::clone(compound)) };
                    Ok(Next::Evaluate(self.bind(lambda, operand, environment)?))
                }
                CompoundKind::Bundle
                | CompoundKind::Perturbation
                | CompoundKind::Sensitivity
                | CompoundKind::Reverse
                | CompoundKind::Backpropagator => Ok(Next::Return(self.transformed(compound, &operand)?)),
                CompoundKind::Pair | CompoundKind::Vector => fault("what is applied is no procedure"),
            },
            Value::Nil | Value::Boolean(_) | Value::Real(_) => fault("what is applied is no procedure"),
        }
    }

    fn constant(&self, constant: ConstantId) -> &Value {
        match self.constants.get(constant.0 as usize) {
            Some(value) => value,
            None => internal_bug!("constant {} has a value", constant.0),
        }
    }

    /// Binds what the pattern of a lambda names, and gives the body.
    fn bind(&self, lambda: LambdaId, value: Value, environment: &mut Environment) -> Result<ExpressionId, Refusal> {
        let lambda = self.program.lambda(lambda);
        environment.locals.truncate(lambda.depth as usize);
        let mut pending: Vec<(PatternId, Value)> = vec![(lambda.pattern, value)];
        while let Some((pattern, value)) = pending.pop() {
            match self.program.pattern(pattern) {
                Pattern::Variable => environment.locals.push(value),
                Pattern::Constant(constant) => {
                    if !self.constant(constant).is_equal(&value, self.program) {
                        return fault("a pattern does not match");
                    }
                }
                Pattern::Pair(first, second) => match value.halves() {
                    Some((a, b)) => pending.extend([(second, b.clone()), (first, a.clone())]),
                    None => return fault("a pattern does not match"),
                },
            }
        }
        Ok(lambda.body)
    }

    fn variable(&self, variable: Variable, environment: &Environment) -> Result<Value, Refusal> {
        match variable {
            Variable::Local(index) => match environment.locals.get(index as usize) {
                Some(value) => Ok(value.clone()),
                None => internal_bug!("local {index} is bound"),
            },
            Variable::Slot(index) => match slots(environment).get(index as usize) {
                Some(value) => Ok(value.clone()),
                None => internal_bug!("slot {index} is filled"),
            },
            Variable::Sibling(place) => {
                let Some(CompoundKind::Procedure(code)) =
                    environment.procedure.as_ref().map(|procedure| procedure.sort)
                else {
                    internal_bug!("only procedures refer to siblings");
                };
                let Some((group, _)) = self.program.lambda(code).group else {
                    internal_bug!("only members of a group refer to siblings");
                };
                Ok(Value::compound(CompoundKind::Procedure(self.member(group, place)), slots(environment)))
            }
            Variable::Primitive(primitive) => Ok(Value::Primitive(primitive)),
            Variable::Global(global) => match self.globals.get(global.0 as usize).and_then(Option::as_ref) {
                Some(value) => Ok(value.clone()),
                None => fault("a name is used before its definition has run"),
            },
        }
    }

    fn member(&self, group: GroupId, place: u32) -> LambdaId {
        match self.program.group(group).members.get(place as usize) {
            Some(code) => *code,
            None => internal_bug!("group {} has a member {place}", group.0),
        }
    }

    fn capture(&self, captures: &[Variable], environment: &Environment) -> Result<Vec<Value>, Refusal> {
        captures.iter().map(|variable| self.variable(*variable, environment)).collect()
    }

    /// Checks the clock after every [`BETWEEN_LOOKS`] nodes, or work that takes as long.
    fn look(&mut self, nodes: u32) -> Result<(), Refusal> {
        match self.until_look.checked_sub(nodes) {
            Some(rest) => {
                self.until_look = rest;
                Ok(())
            }
            None => self.look_at_clock(),
        }
    }

    /// Checks the clock.
    ///
    /// # Errors
    /// The time is over.
    pub fn look_at_clock(&mut self) -> Result<(), Refusal> {
        self.until_look = BETWEEN_LOOKS;
        let is_late = self.deadline.is_some_and(|deadline| deadline < Instant::now());
        if is_late { Err(Refusal::Time) } else { Ok(()) }
    }
}

fn slots(environment: &Environment) -> &[Value] {
    environment.procedure.as_ref().map_or(&[], |procedure| &procedure.parts)
}

/// The values of constants, by their numbers.
fn constant_values(constants: &Constants) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::with_capacity(constants.len());
    for (number, constant) in (0..).zip(constants.iter()) {
        let of_parts = || constants.parts(ConstantId(number)).filter_map(|part| values.get(part.0 as usize).cloned());
        let value = match constant {
            Constant::Nil => Value::Nil,
            Constant::Boolean(truth) => Value::Boolean(*truth),
            Constant::Real(real) => Value::real(Reference::number(*real)),
            Constant::Pair(..) => Value::compound(CompoundKind::Pair, of_parts().collect::<Vec<Value>>()),
            Constant::Vector(_) => Value::compound(CompoundKind::Vector, of_parts().collect::<Vec<Value>>()),
        };
        values.push(value);
    }
    values
}
