//! The abstract evaluator: the paper's E, on core, with residual code.
//!
//! ```text
//! E c s            = c
//! E x s            = s x
//! E (lambda p e) s = the closure of s restricted to its free variables
//! E (e1 e2) s      = A (E e1 s) (E e2 s)
//! E (cons e1 e2) s = the pair of E e1 s and E e2 s
//! E (if e1 e2 e3) s = E e2 s or E e3 s if E e1 s is known; else their join
//! ```
//!
//! Values are abstract (`domain`); what is not known of them is computed by the residual code that evaluation appends
//! to the code of the instance. A path that fails ends in bailing out, so nothing here has to know errors.

use super::specialiser::code::merge_tail;
use super::specialiser::frame::Frame;
use super::specialiser::{Elements, Global, Specialiser};
use super::values::domain::{Abstract, AbstractId, Unions};
use super::values::reason::{Cause, Stop};
use super::values::value::Value;
use vlad_core::{Expression, ExpressionId, GlobalId, GroupId, LambdaId, Reference};
use vlad_first_order::{Block, End, Kind, Operand};
use vlad_table::internal_bug;

/// The depth of expressions within an instance at which the analysis gives up.
const MOST_NESTED: u32 = 250;

/// The knowledge about the condition of an `if`.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// It is known.
    Known(bool),
    /// The operand decides.
    Unknown(Operand),
}

impl Specialiser<'_> {
    /// Evaluates an expression in an activation.
    pub fn expression(&mut self, frame: &mut Frame, node: ExpressionId) -> Result<Value, Stop> {
        frame.nested += 1;
        let outcome = if frame.nested > MOST_NESTED {
            self.give_up(Cause::Expressions, node)
        } else {
            self.in_scope(frame, node)
        };
        frame.nested -= 1;
        outcome
    }

    /// Evaluates an expression, and drops the locals that it binds.
    fn in_scope(&mut self, frame: &mut Frame, mut node: ExpressionId) -> Result<Value, Stop> {
        let locals = frame.locals.len();
        // The bodies of `let` and `letrec` are evaluated in the same turn, however many there are.
        let outcome = loop {
            self.enter(frame, node)?;
            match self.program.expression(node) {
                Expression::Let { operator, lambda, operand } => {
                    self.count(frame, operator);
                    let value = self.expression(frame, operand)?;
                    let lambda = self.program.lambda(lambda);
                    self.matching(frame, lambda.pattern, value, node)?;
                    node = lambda.body;
                }
                Expression::Letrec { group, body } => {
                    self.bind_group(frame, group, node)?;
                    node = body;
                }
                Expression::If { test, consequent, alternative } => {
                    let test = self.expression(frame, test)?;
                    match self.condition(frame, &test)? {
                        Condition::Known(truth) => node = if truth { consequent } else { alternative },
                        Condition::Unknown(test) => {
                            break self.choice(
                                frame,
                                test,
                                node,
                                |this, frame| this.expression(frame, consequent),
                                |this, frame| this.expression(frame, alternative),
                            );
                        }
                    }
                }
                Expression::Constant(_)
                | Expression::Variable(_)
                | Expression::Lambda(_)
                | Expression::Application { .. }
                | Expression::Cons { .. } => break self.simple(frame, node),
            }
        };
        frame.locals.truncate(locals);
        outcome
    }

    /// Counts a step, and work of the analysis.
    fn enter(&mut self, frame: &mut Frame, node: ExpressionId) -> Result<(), Stop> {
        self.count(frame, node);
        self.budget.node().map_err(|reason| Stop::GiveUp(reason.at(node)))
    }

    fn count(&self, frame: &mut Frame, node: ExpressionId) {
        if self.program.counts(node) {
            frame.code.count_step();
        }
    }

    fn simple(&mut self, frame: &mut Frame, node: ExpressionId) -> Result<Value, Stop> {
        match self.program.expression(node) {
            Expression::Constant(constant) => match self.domain.constant(&self.program.constants, constant) {
                Some(known) => Ok(Value::known(known)),
                None => self.give_up(Cause::Constant, node),
            },
            Expression::Variable(reference) => self.variable(frame, reference, node),
            Expression::Lambda(lambda) => {
                let captures = self.program.lambda(lambda).captures.clone();
                self.closure(frame, lambda, &captures, node)
            }
            Expression::Application { operator, operand } => {
                let used = std::mem::take(&mut frame.used);
                let operator = self.expression(frame, operator)?;
                if matches!(self.program.expression(operand), Expression::Application { .. }) {
                    frame.used = self.used_of_operand(&operator, used);
                }
                let operand = self.expression(frame, operand)?;
                match self.domain.get(operator.of) {
                    Abstract::Backpropagator(..) => self.swept(frame, &operator, &operand, used, node),
                    _ => self.apply(frame, operator, operand, node),
                }
            }
            Expression::Cons { first, second } => self.cons(frame, first, second),
            Expression::Let { .. } | Expression::Letrec { .. } | Expression::If { .. } => {
                internal_bug!("their last expressions are evaluated in a loop")
            }
        }
    }

    /// Evaluates pairs nested in second parts, as in a list, without nesting.
    fn cons(&mut self, frame: &mut Frame, first: ExpressionId, second: ExpressionId) -> Result<Value, Stop> {
        let mut firsts = vec![self.expression(frame, first)?];
        let mut rest = second;
        let last = loop {
            match self.program.expression(rest) {
                Expression::Cons { first, second } => {
                    self.enter(frame, rest)?;
                    firsts.push(self.expression(frame, first)?);
                    rest = second;
                }
                _ => break self.expression(frame, rest)?,
            }
        };
        self.tuple(firsts, last)
    }

    /// The pairs of some first parts, and a last second part.
    pub fn tuple(&mut self, firsts: Vec<Value>, last: Value) -> Result<Value, Stop> {
        let leaves = firsts.iter().flat_map(|first| first.leaves.as_slice()).chain(last.leaves.as_slice());
        let leaves: Vec<Operand> = leaves.copied().collect();
        let mut of = last.of;
        for first in firsts.iter().rev() {
            of = self.domain.pair(first.of, of)?;
        }
        Ok(Value { of, leaves: leaves.into() })
    }

    /// The pair of two values.
    pub fn pair(&mut self, first: Value, second: Value) -> Result<Value, Stop> {
        self.tuple(vec![first], second)
    }

    fn variable(&mut self, frame: &mut Frame, reference: Reference, node: ExpressionId) -> Result<Value, Stop> {
        match reference {
            Reference::Local(local) => Ok(self.as_known(frame, taken(frame.locals.get(local as usize)))),
            Reference::Slot(slot) => Ok(self.as_known(frame, taken(frame.slots.get(slot as usize)))),
            Reference::Sibling(member) => {
                let Some(lambda) = frame.group.and_then(|group| self.member(group, member)) else {
                    internal_bug!("a sibling belongs to the group of the running procedure")
                };
                let slots = frame.slots.clone();
                self.closure_of(lambda, &slots)
            }
            Reference::Global(global) => self.global(frame, global, node),
            Reference::Primitive(primitive) => Ok(Value::known(self.domain.primitive(primitive))),
        }
    }

    fn member(&self, group: GroupId, member: u32) -> Option<LambdaId> {
        self.program.group(group).members.get(member as usize).copied()
    }

    fn global(&mut self, frame: &mut Frame, global: GlobalId, node: ExpressionId) -> Result<Value, Stop> {
        let Some(known) = self.globals.get(global.0 as usize) else {
            internal_bug!("global {} is one of the program's", global.0)
        };
        self.reads_data |= matches!(known, Global::Data { .. });
        let of = match (*known, self.elements) {
            (Global::Unbound, _) => return Err(Stop::Never(node)),
            (Global::Unknown, _) => {
                return self.give_up(Cause::Definition(self.program.global(global).name.clone()), node);
            }
            (Global::Known(of), _) | (Global::Data { shape: of, .. }, Elements::Unknown) => of,
            (Global::Data { constant, .. }, Elements::Known) => {
                match self.domain.constant(&self.program.constants, constant) {
                    Some(value) => value,
                    None => return self.give_up(Cause::Constant, node),
                }
            }
        };
        let of = match self.unions {
            Unions::Folded if self.elements == Elements::Known => of,
            Unions::Folded => {
                let of = self.domain.of_any_length(of)?.unwrap_or(of);
                self.domain.with_general_cells(of)?
            }
            Unions::Refused | Unions::Made if self.domain.has_cells(of) => {
                return self.give_up(Cause::GrownBefore, node);
            }
            Unions::Refused | Unions::Made => of,
        };
        let leaves = self.input(frame, global, of);
        Ok(Value { of, leaves })
    }

    /// The closure of a lambda whose free variables are captured here.
    fn closure(
        &mut self,
        frame: &mut Frame,
        lambda: LambdaId,
        captures: &[Reference],
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let mut slots = Vec::with_capacity(captures.len());
        for capture in captures {
            slots.push(self.variable(frame, *capture, node)?);
        }
        self.closure_of(lambda, &slots)
    }

    fn closure_of(&mut self, lambda: LambdaId, slots: &[Value]) -> Result<Value, Stop> {
        let of: Vec<AbstractId> = slots.iter().map(|slot| slot.of).collect();
        let leaves: Vec<Operand> = slots.iter().flat_map(|slot| slot.leaves.as_slice()).copied().collect();
        Ok(Value { of: self.domain.closure(lambda, &of)?, leaves: leaves.into() })
    }

    /// Binds the procedures of a `letrec` to the next locals.
    fn bind_group(&mut self, frame: &mut Frame, group: GroupId, node: ExpressionId) -> Result<(), Stop> {
        let group = self.program.group(group).clone();
        let mut slots = Vec::with_capacity(group.captures.len());
        for capture in &group.captures {
            slots.push(self.variable(frame, *capture, node)?);
        }
        for member in &group.members {
            let closure = self.closure_of(*member, &slots)?;
            frame.locals.push(closure);
        }
        Ok(())
    }

    /// The knowledge about a value as a condition: only `#f` is false.
    pub fn condition(&mut self, frame: &mut Frame, test: &Value) -> Result<Condition, Stop> {
        Ok(match self.domain.get(test.of) {
            Abstract::Boolean(truth) => Condition::Known(*truth),
            Abstract::AnyBoolean => Condition::Unknown(test.operand()),
            Abstract::Union(_) | Abstract::Cell(_) => {
                let test = &self.opened(frame, test)?;
                let alternatives = self.alternatives(test).unwrap_or_default();
                let each = alternatives.iter().map(|alternative| self.condition(frame, &alternative.value));
                let holds: Result<Vec<Condition>, Stop> = each.collect();
                self.holds_for(frame, &alternatives, &holds?)
            }
            _ => Condition::Known(true),
        })
    }

    /// Evaluates both branches of a condition that is not known; the value is their join.
    pub fn choice(
        &mut self,
        frame: &mut Frame,
        test: Operand,
        node: ExpressionId,
        consequent: impl FnOnce(&mut Self, &mut Frame) -> Result<Value, Stop>,
        alternative: impl FnOnce(&mut Self, &mut Frame) -> Result<Value, Stop>,
    ) -> Result<Value, Stop> {
        if let Operand::Boolean(truth) = test {
            return if truth { consequent(self, frame) } else { alternative(self, frame) };
        }
        let first = self.branch(frame, (test, true), consequent)?;
        let second = self.branch(frame, (test, false), alternative)?;
        // Where one of them does not return, the other one has been taken.
        let taken = match (&first, &second) {
            (Branch::Value(..), Branch::Never(_)) => Some(true),
            (Branch::Never(_), Branch::Value(..)) => Some(false),
            (Branch::Value(..), Branch::Value(..)) | (Branch::Never(_), Branch::Never(_)) => None,
        };
        let of = match (&first, &second) {
            (Branch::Value(a, _), Branch::Value(b, _)) => match self.domain.join(a.of, b.of, self.unions)? {
                Ok(joined) => joined,
                Err(misfit) => return self.give_up(Cause::without_join(misfit, Cause::Branches), node),
            },
            (Branch::Value(a, _), Branch::Never(_)) | (Branch::Never(_), Branch::Value(a, _)) => a.of,
            (Branch::Never(_), Branch::Never(_)) => return Err(Stop::Never(node)),
        };
        // The end of a block is set here, since only now the shape of the result is known.
        let [consequent, alternative] = [first, second].map(|branch| match branch {
            Branch::Value(value, block) => {
                frame.code.reopen(block);
                let operands = self.coerced(frame, &value, of);
                let mut block = frame.code.close_without_end();
                block.end = End::Yield(operands?);
                merge_tail(&mut block);
                Ok(block)
            }
            Branch::Never(block) => Ok(block),
        });
        let (consequent, alternative): (Result<Block, Stop>, Result<Block, Stop>) = (consequent, alternative);
        let (consequent, alternative) = (consequent?, alternative?);
        let kinds = self.kinds(of);
        let leaves = frame.code.choose(test, consequent, alternative, &kinds);
        if let Some(truth) = taken {
            self.learn(frame, test, truth);
        }
        Ok(Value { of, leaves: leaves.into() })
    }

    fn branch(
        &mut self,
        frame: &mut Frame,
        (test, truth): (Operand, bool),
        evaluate: impl FnOnce(&mut Self, &mut Frame) -> Result<Value, Stop>,
    ) -> Result<Branch, Stop> {
        let (locals, saved) = (frame.locals.len(), self.saved(frame));
        frame.code.open();
        frame.unknown_conditions += 1;
        self.learn(frame, test, truth);
        let outcome = evaluate(self, frame);
        frame.unknown_conditions -= 1;
        frame.locals.truncate(locals);
        self.restore(frame, saved);
        match outcome {
            Ok(value) => Ok(Branch::Value(value, frame.code.close_without_end())),
            Err(Stop::Never(node)) => Ok(Branch::Never(frame.code.close(End::BailOut(node)))),
            Err(stop) => Err(stop),
        }
    }

    /// The kinds of the leaves of an abstract value.
    pub fn kinds(&self, of: AbstractId) -> Vec<Kind> {
        self.domain.kinds(of)
    }
}

/// An evaluated branch, with its code.
enum Branch {
    /// It has a value; the end of its block is not set yet.
    Value(Value, Block),
    /// It does not return.
    Never(Block),
}

fn taken(value: Option<&Value>) -> Value {
    match value {
        Some(value) => value.clone(),
        None => internal_bug!("a variable is bound where it is used"),
    }
}
