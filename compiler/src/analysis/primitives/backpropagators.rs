//! Backpropagators on abstract values: `((*j f) (*j x))` and what it returns (report, 17.4).
//!
//! `(b y')` sweeps back over the execution of f that made b. Where nothing but moving values lies between the two, they
//! become one statement ([`Statement::Reverse`]). Anywhere else f is executed again, without its steps, and the sweep
//! follows: that has the same bits unless a reverse level around differentiates both, so it is not done there, nor if f
//! reads or writes. A backpropagator that leaves the item executes its procedure again, too. One that an operator takes apart
//! is left to the other engines.

use crate::analysis::specialiser::Specialiser;
use crate::analysis::specialiser::execution::{Executed, Execution, Sweep, Used};
use crate::analysis::specialiser::frame::Frame;
use crate::analysis::values::domain::{Abstract, AbstractId, Arrays, Head};
use crate::analysis::values::reason::{Cause, Reason, Stop};
use crate::analysis::values::value::Value;
use std::collections::BTreeMap;
use vlad_core::ExpressionId;
use vlad_first_order::call_graph::{CallGraph, Calls};
use vlad_first_order::{Function, FunctionId, FunctionTable, Kind, Operand, Recording, Statement, Unit, Variable};
use vlad_table::{Form, ValueTag, internal_bug};

impl Specialiser<'_> {
    /// `((*j f) (*j x))`: the value, and its backpropagator.
    pub fn reversed(&mut self, frame: &mut Frame, f: &Value, x: &Value, node: ExpressionId) -> Result<Value, Stop> {
        self.without_backpropagators(&[f.of, x.of], node)?;
        self.without_arrays(&[f.of, x.of], node)?;
        let any = self.domain.any_real();
        let lifted = self.domain.with_reals(x.of, any)?;
        let (id, result) = self.callee(frame, f.of, lifted, node)?;
        self.without_backpropagators(&[result], node)?;
        self.without_arrays(&[result], node)?;
        let arguments = self.arguments(frame, id, f, x)?;
        let kinds = self.kinds(result);
        let targets = self.targets(frame, &kinds);
        let place = frame.code.add_at(Statement::Reverse {
            targets: targets.clone(),
            function: FunctionId(id.0),
            active: vec![false; arguments.len()],
            arguments,
            cotangents: kinds.iter().filter(|kind| **kind == Kind::Real).map(|_| Operand::real(0.0)).collect(),
            recording: Recording::Everything,
        });
        let leaves: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        let value = Value { of: result, leaves: leaves.into() };
        let reversed = self.composed(Head::Tagged(ValueTag::Reverse), &[value])?;
        let backpropagator = self.composed(Head::Backpropagator, &[f.clone(), x.clone()])?;
        frame.executions.push(Execution { place, backpropagator: backpropagator.clone() });
        self.pair(reversed, backpropagator)
    }

    /// Gives up if values contain vectors of unknown length, or structures of any size.
    fn without_arrays(&self, values: &[AbstractId], node: ExpressionId) -> Result<(), Stop> {
        if values.iter().any(|value| self.domain.has_cells(*value)) {
            return self.give_up(Cause::GrownInOperator, node);
        }
        match values.iter().all(|value| self.domain.arrays(*value) == Arrays::None) {
            true => Ok(()),
            false => self.give_up(Cause::VectorLength, node),
        }
    }

    /// `(b y')`: the pair of the cotangents of procedure and operand.
    pub fn swept(
        &mut self,
        frame: &mut Frame,
        backpropagator: &Value,
        cotangent: &Value,
        used: Used,
        node: ExpressionId,
    ) -> Result<Value, Stop> {
        let Ok([f, x]) = <[Value; 2]>::try_from(self.decomposed(backpropagator).1) else {
            internal_bug!("a backpropagator has two parts")
        };
        self.without_backpropagators(&[cotangent.of], node)?;
        self.without_arrays(&[f.of, x.of], node)?;
        let any = self.domain.any_real();
        let lifted_x = self.domain.with_reals(x.of, any)?;
        // Marked values have reals that are not seen in the slots: then all take part.
        let used = if self.domain.has_marks(f.of) { Used::Both } else { used };
        let lifted_f = match used {
            Used::Both => self.domain.with_reals(f.of, any)?,
            Used::Operand => f.of,
        };
        let (id, result) = self.callee(frame, lifted_f, lifted_x, node)?;
        let mark = ValueTag::Sensitivity;
        let (cotangent, is_tagged) = self.without_tag(mark, cotangent, result);
        let arguments = self.arguments(frame, id, &f, &x)?;
        let (operator, argument) = self.application(id);
        let of_f = self.kinds(operator).into_iter().map(|kind| used == Used::Both && kind == Kind::Real);
        let of_x = self.kinds(argument).into_iter().map(|kind| kind == Kind::Real);
        let active: Vec<bool> = of_f.chain(of_x).collect();
        let cotangents = self.cotangents(result, &cotangent, node)?;
        let statement = Statement::Reverse {
            targets: Vec::new(),
            function: FunctionId(id.0),
            arguments,
            active,
            cotangents,
            recording: Recording::Everything,
        };
        let targets = self.sweep_targets(frame, backpropagator, statement, result);
        let operands: Vec<Operand> = targets.into_iter().map(Operand::Variable).collect();
        let (primals, gradient) = operands.split_at(self.kinds(result).len());
        let primal = Value { of: result, leaves: primals.to_vec().into() };
        // Booleans have to agree, too.
        self.together(frame, &primal, &cotangent, node, &mut |_, _, _, _| {})?;
        let mut gradient = gradient.iter().map(|operand| Value::leaf(any, *operand));
        let of_f = match used {
            Used::Both => self.rebuilt(&f, &mut gradient)?,
            Used::Operand => Value::known(self.domain.nil()),
        };
        let of_x = self.rebuilt(&x, &mut gradient)?;
        let pair = self.pair(of_f, of_x)?;
        if is_tagged { self.composed(Head::Tagged(mark), &[pair]) } else { Ok(pair) }
    }

    /// The targets of the statement of a sweep: one with the execution, or one of its own.
    fn sweep_targets(
        &self,
        frame: &mut Frame,
        backpropagator: &Value,
        mut statement: Statement,
        result: AbstractId,
    ) -> Vec<Variable> {
        let execution = frame.executions.iter().rev().find(|execution| {
            let of = &execution.backpropagator;
            of.of == backpropagator.of && of.leaves.as_slice() == backpropagator.leaves.as_slice()
        });
        let seeded = execution.and_then(|execution| frame.code.seed(execution.place, &statement));
        let (targets, execution) = match seeded {
            Some(targets) => (targets, Executed::Before),
            None => {
                let Statement::Reverse { targets, active, .. } = &mut statement else {
                    internal_bug!("a sweep is a call in reverse mode")
                };
                let mut kinds = self.kinds(result);
                kinds.extend(active.iter().filter(|active| **active).map(|_| Kind::Real));
                *targets = self.targets(frame, &kinds);
                let targets = targets.clone();
                // Without targets there is nothing to compute.
                if !targets.is_empty() {
                    frame.code.add(statement);
                }
                (targets, Executed::Again)
            }
        };
        frame.sweeps.extend(targets.first().map(|target| Sweep { target: *target, execution }));
        targets
    }

    /// Gives up if there is a backpropagator in one of the values.
    pub fn without_backpropagators(&self, values: &[AbstractId], node: ExpressionId) -> Result<(), Stop> {
        if values.iter().any(|of| self.domain.has_backpropagators(*of)) {
            return self.give_up(Cause::BackpropagatorApart, node);
        }
        Ok(())
    }

    /// The value under the tag of a tangent or cotangent of some other value, and whether it has that tag.
    pub fn without_tag(&self, mark: ValueTag, tangent: &Value, of: AbstractId) -> (Value, bool) {
        let is_tagged = self.tags(mark, tangent.of) > self.tags(mark, of);
        match self.unmarked(mark, tangent) {
            Some(content) if is_tagged => (content, true),
            Some(_) | None => (tangent.clone(), false),
        }
    }

    /// The parts that an application uses of the result of its operand, if the operand applies a backpropagator.
    pub fn used_of_operand(&self, operator: &Value, used: Used) -> Used {
        match self.domain.get(operator.of) {
            Abstract::Primitive(primitive) => match primitive.row().form {
                Form::Second => Used::Operand,
                Form::Unmark(ValueTag::Sensitivity) => used,
                _ => Used::Both,
            },
            _ => Used::Both,
        }
    }
}

/// The executions of procedures that sweeps of a unit belong to, by the functions that are called in them.
struct Executions {
    /// Those of executions that sweeps follow at once.
    first: Vec<FunctionId>,
    /// Those of executions for a sweep alone.
    again: Vec<FunctionId>,
}

/// Checks that the execution that a backpropagator belongs to has read nothing: its parts are all that is known of it.
///
/// # Errors
/// Returns the reason if there may be such an execution.
pub fn reads_nothing(unit: &Unit) -> Result<(), Reason> {
    let mut statements = unit.all_statements();
    if statements.any(|statement| matches!(statement, Statement::Read { .. })) {
        Err(Reason::new(Cause::BackpropagatorKept))
    } else {
        Ok(())
    }
}

/// Replaces the procedures that sweeps execute again by copies that count no steps, given the sweeps of each function.
///
/// # Errors
/// Returns the reason if the effects of one of them matter, or if a sweep is differentiated in reverse mode itself.
pub fn execute_again(unit: &mut Unit, sweeps: &[Vec<Sweep>]) -> Result<(), Reason> {
    let graph = CallGraph::of(unit, Calls::All);
    let (executions, reversed) = executions(unit, sweeps);
    let is_reversed = graph.reached(reversed);
    let repeats = |sweeps: &Vec<Sweep>| sweeps.iter().any(|sweep| sweep.execution == Executed::Again);
    if sweeps.iter().zip(&is_reversed).any(|(sweeps, is_reversed)| *is_reversed && repeats(sweeps)) {
        return Err(Reason::new(Cause::BackpropagatorLate));
    }
    let (is_first, is_again) = (graph.reached(executions.first), graph.reached(executions.again));
    for ((function, is_first), is_again) in unit.functions.iter().zip(is_first).zip(&is_again) {
        // A backpropagator is known by its parts, not by what was read.
        let matters = |statement: &Statement| match statement {
            Statement::Read { .. } => is_first || *is_again,
            Statement::Write { .. } => *is_again,
            _ => false,
        };
        if function.body.all_statements().any(matters) {
            return Err(Reason::new(Cause::BackpropagatorEffects));
        }
    }
    copy_without_steps(unit, sweeps, &is_again);
    Ok(())
}

/// The executions for sweeps, and the functions that are called in reverse mode.
fn executions(unit: &Unit, sweeps: &[Vec<Sweep>]) -> (Executions, Vec<FunctionId>) {
    let mut executions = Executions { first: Vec::new(), again: Vec::new() };
    let mut reversed = Vec::new();
    for (function, sweeps) in unit.functions.iter().zip(sweeps) {
        for statement in function.body.all_statements() {
            let Statement::Reverse { function, .. } = statement else { continue };
            reversed.push(*function);
            match sweep_of(statement, sweeps) {
                Some(Executed::Before) => executions.first.push(*function),
                Some(Executed::Again) => executions.again.push(*function),
                None => {}
            }
        }
    }
    (executions, reversed)
}

fn sweep_of(statement: &Statement, sweeps: &[Sweep]) -> Option<Executed> {
    let first = statement.targets().first()?;
    sweeps.iter().find(|sweep| sweep.target == *first).map(|sweep| sweep.execution)
}

/// Copies functions, without their steps, for the sweeps that execute them again.
fn copy_without_steps(unit: &mut Unit, sweeps: &[Vec<Sweep>], is_again: &FunctionTable<bool>) {
    let originals = is_again.all_true();
    let next = (unit.functions.len() as u32..).map(FunctionId);
    let copies: BTreeMap<FunctionId, FunctionId> = originals.zip(next).collect();
    let call_copy = |statement: &mut Statement| {
        if let Some(callee) = statement.callee_mut()
            && let Some(copy) = copies.get(callee)
        {
            *callee = *copy;
        }
    };
    let mut copied: Vec<Function> = copies.keys().map(|original| unit.function(*original).clone()).collect();
    for function in &mut copied {
        function.body.change_statements(&mut |statement| match statement {
            Statement::Count { steps } => *steps = 0,
            _ => call_copy(statement),
        });
    }
    for (function, sweeps) in unit.functions.iter_mut().zip(sweeps) {
        function.body.change_statements(&mut |statement| {
            if sweep_of(statement, sweeps) == Some(Executed::Again) {
                call_copy(statement);
            }
        });
    }
    unit.functions.extend(copied);
}
