//! The evaluator: one function from nodes to values, with its own stack of frames.

use super::arithmetic::Reference;
use super::difference::Rough;
use super::jumps::Jumps;
use super::rounding::Roundings;
use super::value::{Compound, Sort, Value};
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};
use vlad_shared::core::{Expression, ExpressionId, GroupId, Item, LambdaId, Pattern, PatternId, Program};
use vlad_shared::core::{GlobalId, Reference as Variable};
use vlad_shared::internal_bug;
use vlad_shared::value::Value as Constant;

/// The most difference quotients inside one another.
pub const MOST_DIFFERENCES: usize = 3;

/// How many nodes are entered between two looks at the clock.
const BETWEEN_LOOKS: u32 = 1 << 10;

/// The range of some reals: that of finite doubles, or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// All of them are finite doubles, rounded.
    Finite,
    /// One is too large for that, infinite or no number.
    Exceeded,
}

/// Why something has no value here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The program fails.
    Fault(String),
    /// It uses what no difference quotient can follow.
    NotFollowed(&'static str),
    /// Operators are nested deeper than [`MOST_DIFFERENCES`].
    TooDeep,
    /// It takes too long.
    Time,
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Fault(message) => write!(out, "the program fails: {message}"),
            Refusal::NotFollowed(name) => write!(out, "no difference quotient follows `{name}`"),
            Refusal::TooDeep => {
                write!(out, "operators are nested deeper than {MOST_DIFFERENCES} difference quotients are good for")
            }
            Refusal::Time => write!(out, "it takes too long with 96 digits"),
        }
    }
}

/// A fault of the program.
pub fn fault<T>(message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Fault(message.into()))
}

/// An activation.
#[derive(Clone, Default)]
struct Environment {
    locals: Vec<Value>,
    /// The running procedure.
    procedure: Option<Rc<Compound>>,
}

/// What waits for a value.
enum Frame {
    Operator(ExpressionId, Environment),
    Operand(Value),
    Let(ExpressionId, Environment),
    First(ExpressionId, Environment),
    Second(Value),
    Test(ExpressionId, Environment),
}

/// What comes next.
enum Next {
    Evaluate(ExpressionId),
    Return(Value),
    Apply(Value, Value),
}

/// What a primitive comes to.
pub enum Applied {
    /// A value.
    Value(Value),
    /// A call, in the place of the primitive's.
    Call(Value, Value),
}

/// Evaluates a program.
pub struct Machine<'program> {
    /// The program.
    pub program: &'program Program,
    /// The operations.
    pub reference: Reference,
    /// How many difference quotients are around.
    pub depth: usize,
    /// Why a quotient so far was no derivative, if one was none.
    pub rough: Option<Rough>,
    /// The whole numbers that reals were rounded to.
    pub jumps: Jumps,
    /// The range of the results of operations.
    pub range: Range,
    /// By what operations are off, if they are.
    pub roundings: Option<Roundings>,
    globals: Vec<Option<Value>>,
    deadline: Option<Instant>,
    entered: u32,
}

impl<'program> Machine<'program> {
    /// A machine whose program has not begun; none if there is no memory for the arithmetic.
    pub fn new(program: &'program Program, time: Duration) -> Option<Machine<'program>> {
        let mut machine = Machine {
            program,
            reference: Reference::new()?,
            depth: 0,
            rough: None,
            jumps: Jumps::default(),
            range: Range::Finite,
            roundings: None,
            globals: vec![None; program.globals.len()],
            deadline: Instant::now().checked_add(time),
            entered: 0,
        };
        for (global, lambda) in &program.prelude {
            machine.define(*global, Value::compound(Sort::Procedure(*lambda), []));
        }
        Some(machine)
    }

    /// Runs the program and gives the values of its top-level expressions.
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
        self.look()?;
        Ok(match self.program.expression(node) {
            Expression::Constant(constant) => Next::Return(constant_value(self.program.constant(constant))),
            Expression::Variable(variable) => Next::Return(self.variable(variable, environment)?),
            Expression::Lambda(lambda) => {
                let slots = self.capture(&self.program.lambda(lambda).captures, environment)?;
                Next::Return(Value::compound(Sort::Procedure(lambda), slots))
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
                    environment.locals.push(Value::compound(Sort::Procedure(*code), slots.clone()));
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
        self.look()?;
        match procedure {
            Value::Primitive(primitive) => Ok(match self.primitive(*primitive, operand)? {
                Applied::Value(value) => Next::Return(value),
                Applied::Call(procedure, operand) => Next::Apply(procedure, operand),
            }),
            Value::Compound(compound) => match compound.sort {
                Sort::Procedure(lambda) => {
                    *environment = Environment { locals: Vec::new(), procedure: Some(Rc::clone(compound)) };
                    Ok(Next::Evaluate(self.bind(lambda, operand, environment)?))
                }
                Sort::Bundle | Sort::Perturbation | Sort::Sensitivity | Sort::Reverse | Sort::Backpropagator => {
                    Ok(Next::Return(self.transformed(compound, &operand)?))
                }
                Sort::Pair | Sort::Vector => fault("what is applied is no procedure"),
            },
            Value::Nil | Value::Boolean(_) | Value::Real(_) => fault("what is applied is no procedure"),
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
                    if !constant_value(self.program.constant(constant)).is_equal(&value, self.program) {
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
                let Some(Sort::Procedure(code)) = environment.procedure.as_ref().map(|procedure| procedure.sort) else {
                    internal_bug!("only procedures refer to siblings");
                };
                let Some((group, _)) = self.program.lambda(code).group else {
                    internal_bug!("only members of a group refer to siblings");
                };
                Ok(Value::compound(Sort::Procedure(self.member(group, place)), slots(environment)))
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

    /// Looks at the clock now and then.
    fn look(&mut self) -> Result<(), Refusal> {
        self.entered = self.entered.wrapping_add(1);
        let due = self.entered.is_multiple_of(BETWEEN_LOOKS);
        let late = due && self.deadline.is_some_and(|deadline| deadline < Instant::now());
        if late { Err(Refusal::Time) } else { Ok(()) }
    }
}

fn slots(environment: &Environment) -> &[Value] {
    environment.procedure.as_ref().map_or(&[], |procedure| &procedure.parts)
}

/// A constant of a program.
fn constant_value(constant: &Constant) -> Value {
    enum Task {
        Visit(Constant),
        Make(Sort, usize),
    }
    let (mut tasks, mut made) = (vec![Task::Visit(constant.clone())], Vec::new());
    while let Some(task) = tasks.pop() {
        match task {
            Task::Visit(Constant::Nil) => made.push(Value::Nil),
            Task::Visit(Constant::Boolean(truth)) => made.push(Value::Boolean(truth)),
            Task::Visit(Constant::Real(real)) => made.push(Value::real(Reference::number(real))),
            Task::Visit(Constant::Pair(pair)) => {
                tasks.extend([
                    Task::Make(Sort::Pair, 2),
                    Task::Visit(pair.second.clone()),
                    Task::Visit(pair.first.clone()),
                ]);
            }
            Task::Visit(Constant::Vector(vector)) => {
                tasks.push(Task::Make(Sort::Vector, vector.len()));
                tasks.extend(vector.iter().rev().map(Task::Visit));
            }
            Task::Visit(
                Constant::Lifted(_)
                | Constant::Primitive(_)
                | Constant::Procedure { .. }
                | Constant::Capsule(_)
                | Constant::Tagged(_),
            ) => internal_bug!("constants are data without procedures"),
            Task::Make(sort, count) => {
                let parts = made.split_off(made.len().saturating_sub(count));
                made.push(Value::compound(sort, parts));
            }
        }
    }
    made.pop().unwrap_or_default()
}
