//! The call that is traced, and its run on `interp`.

use super::arguments::TraceMode;
use std::io;
use vlad_derivatives::appended::data::Datum;
use vlad_derivatives::appended::{Call, Evaluation};
use vlad_engines::{Ready, Task};
use vlad_shared::ad::log::OperationLog;
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::render;
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::vlad::appendix::Part;
use vlad_shared::runtime::run::{Host, InputFault, Origin, Outcome};
use vlad_shared::table::internal_bug;
use vlad_shared::values::Value;

/// The most operations of a trace.
pub const MOST_OPERATIONS: usize = 1_000_000;

/// The call of a procedure at a point, both of which are expressions, and the direction if it is one.
pub fn call(evaluation: Evaluation, [function, at]: [&str; 2], direction: &Direction) -> Call {
    let operands = match direction {
        Direction::FirstReal => vec![("--at", at)],
        Direction::Given(text) => vec![("--at", at), ("--direction", text.as_str())],
    };
    Call::of_expressions(evaluation, ("--function", function), &operands)
}

/// The tangent or cotangent that is given to the operator.
#[derive(Clone, Debug)]
pub enum Direction {
    /// 1 for the first real, 0 for all others.
    FirstReal,
    /// The text of an expression.
    Given(String),
}

/// A traced call.
pub struct Traced {
    /// The program, with the call at its end.
    pub program: Program,
    /// The mode.
    pub mode: TraceMode,
    /// The operand.
    pub point: Datum,
    /// The value.
    pub value: Datum,
    /// The tangent or cotangent that was given; none if it is an expression.
    pub direction: String,
    /// The tangent of the value, or the cotangent of the operand.
    pub result: Datum,
    /// The operations.
    pub log: OperationLog,
}

/// Traces a call.
///
/// # Errors
/// The errors of the program's text and of the run; a point or value that is no data; more operations than a trace has.
pub fn trace(call: &Call, mode: TraceMode, direction: &Direction) -> Result<Traced, Failure> {
    let values = values_of(call)?;
    let shape = |value: Option<&Value>, what: &str| {
        value.and_then(Datum::of).ok_or_else(|| {
            refused(format!("{what} is not made of reals, booleans, pairs and vectors, which a trace has to be given"))
        })
    };
    let point = shape(values.first(), "the operand")?;
    let value = values.get(1).and_then(Datum::of);
    let operator = match mode {
        TraceMode::Forward => "j*",
        TraceMode::Reverse => "*j",
        TraceMode::Checkpoint => "checkpoint-*j",
    };
    let (part, direction) = match direction {
        Direction::Given(text) => (call.operand(1), text.clone()),
        Direction::FirstReal => {
            let of = if mode == TraceMode::Forward { &point } else { &shape(values.get(1), "the value")? };
            let text = of.direction(0);
            (Part::Datum(text.clone()), text.trim_start_matches('\'').to_owned())
        }
    };
    let program = call.evaluation.program(vec![call.derivative(operator, [part])])?;
    let mut host = ResultHost::default();
    let (report, log) = vlad_engines::run_logged(&program, &mut host, &call.evaluation.limits, MOST_OPERATIONS);
    fail_with(&program, report.outcome)?;
    let Some(log) = log.map(|log| *log) else { internal_bug!("a run that ends has come to its last item") };
    if log.is_full {
        return Err(refused(format!(
            "the call executes more than {MOST_OPERATIONS} operations on reals that depend on X"
        )));
    }
    let Some(Value::Pair(pair)) = host.results.last() else { internal_bug!("an operator gives a pair") };
    let result = Datum::of(&pair.second);
    let not_data = || refused("the derivative is not made of reals, booleans, pairs and vectors".to_owned());
    let value = value.or_else(|| Datum::of(&pair.first)).ok_or_else(not_data)?;
    Ok(Traced { mode, point, value, direction, result: result.ok_or_else(not_data)?, log, program })
}

/// Returns the operand and the value of a call.
fn values_of(call: &Call) -> Result<Vec<Value>, Failure> {
    let program = call.evaluation.program(vec![call.point(), call.value()])?;
    let mut host = ResultHost::default();
    let report = Ready::Interp.run(Task { program: &program, limits: &call.evaluation.limits }, &mut host);
    fail_with(&program, report.outcome)?;
    Ok(host.results.split_off(host.results.len().saturating_sub(2)))
}

impl Traced {
    /// The place of an operation: the application, or if it is in library code the one through which that was entered.
    pub fn place(&self, operation: usize) -> String {
        let Some(operation) = self.log.operations.get(operation) else { return String::new() };
        let place = operation.place;
        let node = if self.program.is_shipped(place.node) { place.site } else { place.node };
        render::place(&self.program.sources, self.program.span(node))
    }

    /// The adjoints of the operand's reals, in reverse mode.
    pub fn adjoints_of_inputs(&self) -> Vec<f64> {
        match self.mode {
            TraceMode::Forward => Vec::new(),
            TraceMode::Reverse | TraceMode::Checkpoint => self.result.reals(),
        }
    }

    /// The name of an input or an operation by its number.
    pub fn name(&self, number: u64) -> String {
        let inputs = self.log.inputs.len() as u64;
        match number.checked_sub(inputs) {
            Some(operation) => format!("v{}", operation + 1),
            None => format!("x{}", number + 1),
        }
    }
}

/// Returns the numbers of some operations, without those in the middle if they are more than `most`: the first ones, and the
/// first of the last ones.
pub fn shown(operations: usize, most: usize) -> (usize, usize) {
    if operations <= most {
        return (operations, operations);
    }
    let first = most.div_ceil(2);
    (first, operations - (most - first))
}

fn fail_with(program: &Program, outcome: Outcome) -> Result<(), Failure> {
    match outcome {
        Outcome::Finished | Outcome::OutputClosed | Outcome::Stopped => Ok(()),
        Outcome::Failed(diagnostic) => {
            Err(Failure { diagnostics: vec![*diagnostic], sources: program.sources.clone() })
        }
    }
}

fn refused(message: String) -> Failure {
    Failure { diagnostics: vec![Diagnostic::new(Kind::Limit, None, message)], sources: SourceMap::default() }
}

/// A host that keeps the values of expressions; its input is empty, and what the program writes is dropped.
#[derive(Default)]
pub struct ResultHost {
    results: Vec<Value>,
}

impl Host for ResultHost {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        Err(InputFault::End)
    }

    fn write(&mut self, _: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        if origin == Origin::Result {
            // Only the last values are looked at.
            if self.results.len() > 2 {
                self.results.remove(0);
            }
            self.results.push(value.clone());
        }
        Ok(())
    }
}
