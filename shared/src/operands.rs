//! The operands of the primitives that call procedures: taken out of their argument, and checked.

use crate::capsule::Capsule;
use crate::checkpointing::Strategy;
use crate::core::Program;
use crate::diagnostic::Kind;
use crate::internal_bug;
use crate::print::summary;
use crate::run::Trouble;
use crate::table::{Control, Division, Form, Primitive};
use crate::value::Value;
use std::rc::Rc;

/// What a primitive that calls a procedure is asked for.
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

/// What an argument asks a primitive for.
///
/// # Errors
/// There are too few operands, or one is not what it has to be.
pub fn request(
    control: Control,
    primitive: Primitive,
    argument: &Value,
    program: &Program,
) -> Result<Request, Trouble> {
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
    division: Division,
    primitive: Primitive,
    argument: &Value,
    program: &Program,
) -> Result<Request, Trouble> {
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
        Division::OfRun => {
            let [f, x, cotangent] = operands(primitive, argument, program)?;
            Ok(Request::Checkpoint { f, x, cotangent, strategy: None })
        }
        Division::Bisection => {
            let [f, x, cotangent, d, n] = operands(primitive, argument, program)?;
            let strategy = Strategy::Bisection { depth: depth(&d)?, base_case: base_case(&n)? };
            Ok(Request::Checkpoint { f, x, cotangent, strategy: Some(strategy) })
        }
        Division::Binomial => {
            let [f, x, cotangent, d, t, n] = operands(primitive, argument, program)?;
            let strategy =
                Strategy::Binomial { snapshots: snapshots(&d)?, passes: passes(&t)?, base_case: base_case(&n)? };
            Ok(Request::Checkpoint { f, x, cotangent, strategy: Some(strategy) })
        }
    }
}

/// A real as a whole number from 0 to 2^53. Like all limits it is looked at under its levels.
pub fn whole(value: &Value) -> Option<u64> {
    let real = value.base()?;
    (real.fract() == 0.0 && (0.0..=GREATEST_WHOLE).contains(&real)).then_some(real as u64)
}

/// The operands of an argument, which is their tuple: the last is whatever is left.
fn operands<const COUNT: usize>(
    primitive: Primitive,
    argument: &Value,
    program: &Program,
) -> Result<[Value; COUNT], Trouble> {
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
fn too_few(primitive: Primitive, count: usize, argument: &Value, program: &Program) -> Trouble {
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
    Trouble::new(Kind::Type, format!("`{name}` expects {count} operands, found {found}")).with_hint(hint)
}

/// Numbers of operands in words, and names for them.
fn named(count: usize) -> (&'static str, &'static str) {
    match count {
        2 => ("two", "a b"),
        3 => ("three", "a b c"),
        5 => ("five", "a b c d e"),
        6 => ("six", "a b c d e f"),
        other => internal_bug!("no primitive that calls a procedure has {other} operands"),
    }
}

/// The operands that an operator of differentiation takes, for hints.
pub fn taken_by(operator: Primitive) -> String {
    let (count, names) = match operator.row().form {
        Form::Bundle => (2, "v v'"),
        Form::Control(Control::Forward) => (3, "f x x'"),
        Form::Control(Control::Checkpoint(Division::Bisection)) => (5, "f x y' d n"),
        Form::Control(Control::Checkpoint(Division::Binomial)) => (6, "f x y' d t n"),
        _ => (3, "f x y'"),
    };
    format!("{}: ({} {names})", named(count).0, operator.name())
}

#[cold]
fn unexpected(primitive: Primitive, what: &str, found: &Value, program: &Program) -> Trouble {
    let message = format!("`{}` expects {what}, found {}", primitive.name(), summary(program, found));
    Trouble::new(Kind::Type, message)
}
