//! The primitives on vectors.
//!
//! Rule 5c: a real that becomes an element, or is read from a vector, is copied, by an operation of the table; other
//! values are moved, and so are the elements that a changed vector has from the old one. The reals of a list that becomes
//! a vector are copied in the order of their indices.

use super::context::{Context, Fault};
use std::mem;
use std::rc::Rc;
use vlad_ad::Levels;
use vlad_core::Program;
use vlad_core::diagnostic::Kind;
use vlad_table::{OnVector, Operation, Primitive, internal_bug};
use vlad_values::allocation::LARGE;
use vlad_values::fault::{Cause, RuntimeError, no_memory};
use vlad_values::print::summary;
use vlad_values::vector::MOST_ELEMENTS;
use vlad_values::watch::LimitCheck;
use vlad_values::{Elements, Number, Reals, Value, Vector};

/// The greatest number of iterations: above it not every whole number is a real.
const MOST_ITERATIONS: u64 = 1 << 53;

/// Applies a primitive to its argument. A vector that is not shared is reused for the new one.
///
/// # Errors
/// Returns an error if the argument is not of the expected form, or if a limit is reached.
pub(crate) fn apply(
    on: OnVector,
    primitive: Primitive,
    argument: Value,
    context: &mut Context<'_>,
) -> Result<Value, Fault> {
    let program = context.program;
    let value = match on {
        OnVector::Length => Value::Real(of_vector(primitive, &argument, program)?.len() as f64),
        OnVector::Element => {
            let [vector, index] = operands(primitive, argument, program)?;
            let index = index_into(primitive, of_vector(primitive, &vector, program)?, &index, program)?;
            copied(of_vector(primitive, &vector, program)?.get(index).unwrap_or_default(), context.levels)
        }
        OnVector::Replace => {
            let [vector, index, value] = operands(primitive, argument, program)?;
            let index = index_into(primitive, of_vector(primitive, &vector, program)?, &index, program)?;
            let value = copied(value, context.levels);
            let mut vector = owned(vector);
            vector.set(index, value);
            Value::vector(vector)
        }
        OnVector::Append => {
            let [vector, value] = operands(primitive, argument, program)?;
            if of_vector(primitive, &vector, program)?.len() as u64 >= MOST_ELEMENTS {
                return Err(RuntimeError::new(Kind::Limit, "a vector of more than 2^32 elements").into());
            }
            let value = copied(value, context.levels);
            let mut vector = owned(vector);
            make_room(&mut vector, context.watch)?;
            vector.push(value);
            Value::vector(vector)
        }
        OnVector::ToList => Value::list(of_vector(primitive, &argument, program)?.iter()),
        OnVector::FromList => from_list(primitive, &argument, context)?,
        OnVector::Size => number(&argument, MOST_ELEMENTS)
            .ok_or_else(|| refused("build", "a size, a whole number from 0 to 2^32", &argument, program))?,
        OnVector::Iterations => number(&argument, MOST_ITERATIONS).ok_or_else(|| {
            refused("ifold", "a number of iterations, a whole number from 0 to 2^53", &argument, program)
        })?,
        OnVector::OfLength => {
            let [vector, length] = operands(primitive, argument, program)?;
            of_length(primitive, &vector, &length, program)?;
            vector
        }
    };
    context.levels.check()?;
    Ok(value)
}

/// The result of `get`, if the operands are a vector and an index of one of its elements.
///
/// # Errors
/// Returns an error if a limit was passed.
#[inline]
pub(crate) fn element(vector: &Value, index: &Value, levels: &mut Levels) -> Result<Option<Value>, RuntimeError> {
    let (Value::Vector(vector), Some(index)) = (vector, index.base()) else { return Ok(None) };
    let Some(index) = index_below(vector.len(), index) else { return Ok(None) };
    if let Elements::Reals(Reals::Plain(plain)) = vector.elements() {
        return Ok(plain.get(index).copied().map(Value::Real));
    }
    let element = vector.get(index).map(|element| copied(element, levels));
    levels.check()?;
    Ok(element)
}

/// Makes a value an element: a real is copied.
fn copied(value: Value, levels: &mut Levels) -> Value {
    match value {
        Value::Lifted(lifted) => levels.unary(Operation::Copy, &Number::Lifted(lifted)).into(),
        _ => value,
    }
}

fn from_list(primitive: Primitive, list: &Value, context: &mut Context<'_>) -> Result<Value, RuntimeError> {
    let mut vector = Vector::default();
    let mut rest = list;
    loop {
        context.watch.work()?;
        rest = match rest {
            Value::Pair(pair) => {
                make_room(&mut vector, context.watch)?;
                vector.push(copied(pair.first.clone(), context.levels));
                &pair.second
            }
            Value::Nil => return Ok(Value::vector(vector)),
            _ => return Err(refused(primitive.name(), "a list", list, context.program)),
        };
    }
}

/// Reserves memory for one more element.
///
/// # Errors
/// Returns an error if the memory limit does not allow it, or if the system refuses it.
fn make_room(vector: &mut Vector, watch: &LimitCheck) -> Result<(), RuntimeError> {
    let moved = vector.moved_for_one_more();
    if moved >= LARGE {
        watch.room(moved as u64)?;
    }
    if vector.has_room() { Ok(()) } else { Err(no_memory()) }
}

/// The vector that a value is, in a form that may be mutated.
fn owned(value: Value) -> Vector {
    match value {
        Value::Vector(vector) => Rc::unwrap_or_clone(vector),
        _ => internal_bug!("it is known to be a vector"),
    }
}

fn of_vector<'value>(
    primitive: Primitive,
    value: &'value Value,
    program: &Program,
) -> Result<&'value Vector, RuntimeError> {
    match value {
        Value::Vector(vector) => Ok(vector),
        _ => Err(refused(primitive.name(), "a vector", value, program)),
    }
}

fn of_length(primitive: Primitive, vector: &Value, length: &Value, program: &Program) -> Result<(), RuntimeError> {
    let found = of_vector(primitive, vector, program)?.len();
    if length.base() == Some(found as f64) {
        return Ok(());
    }
    if number(length, MOST_ELEMENTS).is_none() {
        return Err(refused(primitive.name(), "a length", length, program));
    }
    let what = format!("a vector of length {}", summary(program, length));
    let found = format!("one of length {found}, {}", summary(program, vector));
    Err(RuntimeError::new(Kind::Type, format!("`{}` expects {what}, found {found}", primitive.name())))
}

/// A real as an index below a length. As for all indices, only the plain real under its levels counts.
fn index_below(length: usize, real: f64) -> Option<usize> {
    let index = real as usize;
    (index as f64 == real && index < length).then_some(index)
}

fn index_into(primitive: Primitive, vector: &Vector, index: &Value, program: &Program) -> Result<usize, RuntimeError> {
    let length = vector.len();
    let real = index.base();
    real.and_then(|real| index_below(length, real)).ok_or_else(|| {
        let what = format!("a whole number below {length}, the length of the vector, as index");
        let fault = refused(primitive.name(), &what, index, program);
        match real {
            Some(real) => fault.with_cause(Cause::Index(real)),
            None => fault,
        }
    })
}

/// A real as a whole number from 0 to `most`, with all levels stripped.
fn number(value: &Value, most: u64) -> Option<Value> {
    let real = value.base()?;
    (real.fract() == 0.0 && (0.0..=most as f64).contains(&real)).then_some(Value::Real(real.abs()))
}

/// The operands in an argument, which is their tuple: the last operand is the whole rest. Pairs that are not shared are
/// consumed.
fn operands<const COUNT: usize>(
    primitive: Primitive,
    argument: Value,
    program: &Program,
) -> Result<[Value; COUNT], RuntimeError> {
    let is_long_enough = {
        let mut rest = &argument;
        (1..COUNT).all(|_| match rest {
            Value::Pair(pair) => {
                rest = &pair.second;
                true
            }
            _ => false,
        })
    };
    if !is_long_enough {
        return Err(too_few(primitive, &argument, program));
    }
    let mut rest = argument;
    Ok(std::array::from_fn(|place| match mem::take(&mut rest) {
        Value::Pair(pair) if place + 1 < COUNT => match Rc::try_unwrap(pair) {
            Ok(mut pair) => {
                rest = mem::take(&mut pair.second);
                mem::take(&mut pair.first)
            }
            Err(pair) => {
                rest = pair.second.clone();
                pair.first.clone()
            }
        },
        last => last,
    }))
}

#[cold]
fn too_few(primitive: Primitive, argument: &Value, program: &Program) -> RuntimeError {
    let (count, written) = match primitive {
        Primitive::VectorSet => ("three", "v i x"),
        Primitive::VectorPush => ("two", "v x"),
        Primitive::OfLength => ("two", "v n"),
        Primitive::Get => ("two", "v i"),
        other => internal_bug!("{other:?} has one operand, or is none on vectors"),
    };
    let name = primitive.name();
    let trouble = match argument {
        Value::Nil => RuntimeError::new(Kind::Type, format!("`{name}` expects {count} operands, found none")),
        _ => refused(name, &format!("{count} operands"), argument, program),
    };
    trouble.with_hint(format!("write `({name} {written})`"))
}

#[cold]
fn refused(name: &str, what: &str, found: &Value, program: &Program) -> RuntimeError {
    RuntimeError::new(Kind::Type, format!("`{name}` expects {what}, found {}", summary(program, found)))
}
