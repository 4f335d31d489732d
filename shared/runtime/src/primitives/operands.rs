//! The operands of the primitives that call procedures: extracted from their argument and checked.

use std::rc::Rc;
use vlad_ad::checkpointing::Strategy;
use vlad_core::Program;
use vlad_core::diagnostic::Kind;
use vlad_table::{CheckpointForm, Control, Primitive, internal_bug, named};
use vlad_values::fault::RuntimeError;
use vlad_values::print::summary;
use vlad_values::{Capsule, Value};

/// The request to a primitive that calls a procedure: its checked operands.
#[derive(Debug)]
#[allow(missing_docs)] // the operands, under the names that the report gives them
pub enum Request {
    IfProcedure { condition: Value, consequent: Value, alternative: Value },
    Forward { f: Value, x: Value, tangent: Value },
    Reverse { f: Value, x: Value, cotangent: Value },
    CountSteps { f: Value, x: Value },
    Interrupt { f: Value, x: Value, limit: u64 },
    Resume { capsule: Rc<Capsule> },
    Checkpoint { f: Value, x: Value, cotangent: Value, strategy: Option<Strategy> },
}

/// The greatest number up to which every whole number is a real: 2^53.
const GREATEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Extracts and checks the operands of a primitive that calls a procedure.
///
/// # Errors
/// Returns an error if there are too few operands, or if one is not of the expected form.
pub fn request(
    control: Control,
    primitive: Primitive,
    argument: &Value,
    program: &Program,
) -> Result<Request, RuntimeError> {
    Ok(match control {
        Control::IfProcedure => {
            let [condition, consequent, alternative] = operands(primitive, argument, program)?;
            Request::IfProcedure { condition, consequent, alternative }
        }
        Control::Forward => {
            let [f, x, tangent] = operands(primitive, argument, program)?;
            Request::Forward { f, x, tangent }
        }
        Control::Reverse => {
            let [f, x, cotangent] = operands(primitive, argument, program)?;
            Request::Reverse { f, x, cotangent }
        }
        Control::CountSteps => {
            let [f, x] = operands(primitive, argument, program)?;
            Request::CountSteps { f, x }
        }
        Control::Interrupt => {
            let [f, x, limit] = operands(primitive, argument, program)?;
            match whole(&limit) {
                Some(limit) => Request::Interrupt { f, x, limit },
                None => return Err(unexpected(primitive, "a whole number of steps from 0 to 2^53", &limit, program)),
            }
        }
        Control::Resume => match argument {
            Value::Capsule(capsule) => Request::Resume { capsule: Rc::clone(capsule) },
            _ => return Err(unexpected(primitive, "a capsule", argument, program)),
        },
        Control::Checkpoint(division) => checkpoint(division, primitive, argument, program)?,
    })
}

fn checkpoint(
    division: CheckpointForm,
    primitive: Primitive,
    argument: &Value,
    program: &Program,
) -> Result<Request, RuntimeError> {
    let number = |operand: &Value, what, least| match operand {
        Value::Boolean(false) => Ok(None),
        _ => match whole(operand) {
            Some(number) if number >= least => Ok(Some(number)),
            Some(_) | None => Err(unexpected(primitive, what, operand, program)),
        },
    };
    let snapshots = |operand: &Value| number(operand, "#f or a whole number of snapshots from 0 to 2^53", 0);
    let passes = |operand: &Value| number(operand, "#f or a whole number of passes from 0 to 2^53", 0);
    let depth = |operand: &Value| number(operand, "#f or a whole number as depth, from 0 to 2^53", 0);
    let base_case = |operand: &Value| number(operand, "#f or a whole number of steps as base case, from 1 to 2^53", 1);
    match division {
        CheckpointForm::OfRun => {
            let [f, x, cotangent] = operands(primitive, argument, program)?;
            Ok(Request::Checkpoint { f, x, cotangent, strategy: None })
        }
        CheckpointForm::Bisection => {
            let [f, x, cotangent, d, n] = operands(primitive, argument, program)?;
            let strategy = Strategy::Bisection { depth: depth(&d)?, base_case: base_case(&n)? };
            Ok(Request::Checkpoint { f, x, cotangent, strategy: Some(strategy) })
        }
        CheckpointForm::Binomial => {
            let [f, x, cotangent, d, t, n] = operands(primitive, argument, program)?;
            let strategy =
                Strategy::Binomial { snapshots: snapshots(&d)?, passes: passes(&t)?, base_case: base_case(&n)? };
            Ok(Request::Checkpoint { f, x, cotangent, strategy: Some(strategy) })
        }
    }
}

/// A real as a whole number from 0 to 2^53. As for all limits, only the plain real under its levels counts.
pub fn whole(value: &Value) -> Option<u64> {
    let real = value.base()?;
    (real.fract() == 0.0 && (0.0..=GREATEST_WHOLE).contains(&real)).then_some(real as u64)
}

/// The operands in an argument, which is their tuple: the last operand is the whole rest.
fn operands<const COUNT: usize>(
    primitive: Primitive,
    argument: &Value,
    program: &Program,
) -> Result<[Value; COUNT], RuntimeError> {
    let mut operands: [Value; COUNT] = std::array::from_fn(|_| Value::Nil);
    let mut rest = argument;
    let Some((last, before)) = operands.split_last_mut() else { internal_bug!("a primitive has an operand") };
    for place in before {
        let Value::Pair(pair) = rest else {
            return Err(too_few(primitive, COUNT, argument, program));
        };
        place.clone_from(&pair.first);
        rest = &pair.second;
    }
    last.clone_from(rest);
    Ok(operands)
}

#[cold]
fn too_few(primitive: Primitive, count: usize, argument: &Value, program: &Program) -> RuntimeError {
    let (count, names) = named(count);
    let found = match argument {
        Value::Nil => "none".to_owned(),
        _ => summary(program, argument),
    };
    let name = primitive.name();
    let hint = match primitive {
        Primitive::Forward | Primitive::Reverse => {
            format!(
                "write `({name} {names})`, or `({name} v)`, which transforms v and is `{name}-transform` as a value"
            )
        }
        _ => format!("write `({name} {names})`"),
    };
    RuntimeError::new(Kind::Type, format!("`{name}` expects {count} operands, found {found}")).with_hint(hint)
}

#[cold]
fn unexpected(primitive: Primitive, what: &str, found: &Value, program: &Program) -> RuntimeError {
    let message = format!("`{}` expects {what}, found {}", primitive.name(), summary(program, found));
    RuntimeError::new(Kind::Type, message)
}
