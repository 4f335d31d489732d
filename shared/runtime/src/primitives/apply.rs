//! Application of primitives to their argument, except those of [`Form::Control`], which call procedures
//! ([`crate::operators`]).
//!
//! Several operands are passed as a tuple. One rule covers n-ary primitives: while the rest is a pair, its first half
//! is the next operand; a rest that is not a pair is the last operand.

use super::context::{Context, Fault};
use super::operands::request;
use super::vectors;
use crate::run::{Host, InputFault, Origin};
use crate::suspended::forged;
use std::{io, ptr};
use vlad_ad::reflection::{as_bundle, bundle, constant, marked, tangent_of, unmarked};
use vlad_ad::tangent_space::{plus, zero};
use vlad_ad::{Levels, TraversalContext};
use vlad_core::diagnostic::Kind;
use vlad_core::{GlobalId, Program};
use vlad_table::{Comparison, Form, Operation, Predicate, Primitive, Single, internal_bug};
use vlad_values::equality::same_value;
use vlad_values::fault::{Cause, RuntimeError};
use vlad_values::print::{Layout, summary};
use vlad_values::row::{self, Wrong};
use vlad_values::tagged::is_procedure;
use vlad_values::template;
use vlad_values::watch::LimitCheck;
use vlad_values::{Number, Value};

/// Applies a primitive to its argument.
///
/// # Errors
/// Returns an error if the argument is not of the expected form, if input or output fails, or if a limit is reached.
pub fn apply(primitive: Primitive, argument: Value, context: &mut Context<'_>) -> Result<Value, Fault> {
    if let Form::OnVector(on) = primitive.row().form {
        return vectors::apply(on, primitive, argument, context);
    }
    apply_to(primitive, &argument, context)
}

/// Applies a primitive that never works in place.
fn apply_to(primitive: Primitive, argument: &Value, context: &mut Context<'_>) -> Result<Value, Fault> {
    let name = primitive.name();
    match primitive.row().form {
        Form::Fold { operation, empty, single } => {
            let folded = fold(name, operation, empty, single, argument, context)?;
            finished(folded, context)
        }
        Form::Unary(operation) => {
            let operand = real(name, argument, argument, context.program)?;
            finished(context.levels.unary(operation, &operand), context)
        }
        Form::Binary(operation) => {
            let (first, second) = two_reals(name, argument, context.program)?;
            finished(context.levels.binary(operation, &first, &second), context)
        }
        Form::UnaryOrBinary(unary, binary) => match argument {
            Value::Pair(_) => {
                let (first, second) = two_reals(name, argument, context.program)?;
                finished(context.levels.binary(binary, &first, &second), context)
            }
            _ => {
                let operand = real(name, argument, argument, context.program)?;
                finished(context.levels.unary(unary, &operand), context)
            }
        },
        Form::Chain(comparison) => Ok(Value::Boolean(chain(name, comparison, argument, context)?)),
        Form::AgainstZero(comparison) => {
            let operand = real(name, argument, argument, context.program)?;
            Ok(Value::Boolean(comparison.holds(operand.base(), 0.0)))
        }
        Form::Ask(predicate) => Ok(Value::Boolean(ask(predicate, argument))),
        Form::First => match argument {
            Value::Pair(pair) => Ok(pair.first.clone()),
            _ => Err(no_pair(name, argument, context.program).into()),
        },
        Form::Second => match argument {
            Value::Pair(pair) => Ok(pair.second.clone()),
            _ => Err(no_pair(name, argument, context.program).into()),
        },
        Form::Pair => match argument {
            Value::Pair(_) => Ok(argument.clone()),
            _ => Err(expected(name, "two operands", argument, context.program).into()),
        },
        Form::SameValue => {
            let (first, second) = two(name, argument, context.program)?;
            Ok(Value::Boolean(same_value(context.program, first, second, context.watch)?))
        }
        Form::Real => Ok(real(name, argument, argument, context.program)?.into()),
        Form::Zero => {
            let mut traversal = TraversalContext { program: context.program, watch: context.watch };
            Ok(zero(argument, &mut traversal)?)
        }
        Form::Plus => {
            let (first, second) = two(name, argument, context.program)?;
            let mut traversal = TraversalContext { program: context.program, watch: context.watch };
            Ok(plus(context.levels, first, second, &mut traversal)?)
        }
        Form::TransformForward => Ok(constant(argument)),
        Form::Bundle => {
            let (primal, tangent) = two(name, argument, context.program)?;
            let mut traversal = TraversalContext { program: context.program, watch: context.watch };
            Ok(bundle(primal, tangent, &mut traversal)?)
        }
        Form::PrimalOf | Form::TangentOf => {
            let Some(bundle) = as_bundle(argument) else {
                return Err(expected(name, "a bundle", argument, context.program).into());
            };
            if let Form::PrimalOf = primitive.row().form {
                return Ok(bundle.primal.clone());
            }
            let mut traversal = TraversalContext { program: context.program, watch: context.watch };
            Ok(tangent_of(bundle, &mut traversal)?)
        }
        Form::Mark(mark) => Ok(marked(mark, argument.clone())),
        Form::Unmark(mark) => Ok(unmarked(mark, argument).unwrap_or(argument).clone()),
        Form::Invert(mark) => match unmarked(mark, argument) {
            Some(content) => Ok(content.clone()),
            None => Err(expected(name, "a reversed value", argument, context.program).into()),
        },
        Form::ReadReal => match argument {
            Value::Nil => Ok(Value::Real(read(context)?)),
            _ => Err(expected(name, "no operands", argument, context.program).into()),
        },
        Form::WriteReal => {
            real(name, argument, argument, context.program)?;
            write(argument, Layout::Datum, context)?;
            Ok(argument.clone())
        }
        Form::Write => {
            write(argument, Layout::Datum, context)?;
            Ok(argument.clone())
        }
        Form::WriteRow => {
            check_row(argument, context.program)?;
            write(argument, Layout::Row, context)?;
            Ok(argument.clone())
        }
        Form::EndOfInput => match argument {
            Value::Nil => Ok(Value::Boolean(is_input_over(context)?)),
            _ => Err(expected(name, "no operands", argument, context.program).into()),
        },
        Form::WriteText => {
            let tuple = check_text(primitive, argument, context.program)?;
            write(argument, Layout::Text, context)?;
            Ok(tuple.clone())
        }
        Form::Error => Err(RuntimeError::new(Kind::Raised, summary(context.program, argument)).into()),
        Form::ErrorText => {
            check_text(primitive, argument, context.program)?;
            Err(RuntimeError::new(Kind::Raised, template::message(context.program, argument)).into())
        }
        Form::OnVector(_) | Form::Control(_) => internal_bug!("`{name}` is applied elsewhere"),
    }
}

/// Returns the result of operations on reals, or the error of a limit that was passed on the way.
fn finished(result: Number, context: &Context<'_>) -> Result<Value, Fault> {
    context.levels.check()?;
    Ok(result.into())
}

/// Left fold of a binary operation over the operands.
fn fold(
    name: &str,
    operation: Operation,
    empty: Option<f64>,
    single: Single,
    argument: &Value,
    context: &mut Context<'_>,
) -> Result<Number, RuntimeError> {
    let Value::Pair(pair) = argument else {
        if let (Value::Nil, Some(value)) = (argument, empty) {
            return Ok(Number::Real(value));
        }
        let operand = real(name, argument, argument, context.program)?;
        return Ok(match single {
            Single::Itself => operand,
            Single::Unary(operation) => context.levels.unary(operation, &operand),
            Single::From(constant) => context.levels.binary(operation, &Number::Real(constant), &operand),
        });
    };
    let mut folded = real(name, &pair.first, argument, context.program)?;
    let mut rest = &pair.second;
    while let Value::Pair(pair) = rest {
        context.watch.work()?;
        context.levels.check()?;
        let next = real(name, &pair.first, argument, context.program)?;
        folded = context.levels.binary(operation, &folded, &next);
        rest = &pair.second;
    }
    // The first error is reported: that of an operation comes before that of a later operand.
    context.levels.check()?;
    let last = real(name, rest, argument, context.program)?;
    Ok(context.levels.binary(operation, &folded, &last))
}

/// Returns true if a comparison holds between each operand and the next; all operands must be reals even if one
/// comparison fails.
fn chain(
    name: &str,
    comparison: Comparison,
    argument: &Value,
    context: &mut Context<'_>,
) -> Result<bool, RuntimeError> {
    let mut holds = true;
    let mut previous: Option<f64> = None;
    let mut rest = argument;
    loop {
        let (operand, next) = match rest {
            Value::Pair(pair) => (&pair.first, Some(&pair.second)),
            _ => (rest, None),
        };
        let current = real(name, operand, argument, context.program)?.base();
        holds &= previous.is_none_or(|previous| comparison.holds(previous, current));
        previous = Some(current);
        match next {
            Some(next) => rest = next,
            None => return Ok(holds),
        }
        context.watch.work()?;
    }
}

/// Evaluates a predicate on a value.
pub fn ask(predicate: Predicate, argument: &Value) -> bool {
    match predicate {
        Predicate::Null => matches!(argument, Value::Nil),
        Predicate::Boolean => matches!(argument, Value::Boolean(_)),
        Predicate::Real => matches!(argument, Value::Real(_) | Value::Lifted(_)),
        Predicate::Pair => matches!(argument, Value::Pair(_)),
        Predicate::Procedure => is_procedure(argument),
        Predicate::Capsule => matches!(argument, Value::Capsule(_)),
        Predicate::False => matches!(argument, Value::Boolean(false)),
        Predicate::Vector => matches!(argument, Value::Vector(_)),
        Predicate::Tagged(tag) => matches!(argument, Value::Tagged(tagged) if tagged.tag() == tag),
    }
}

/// Checks that an operand of an argument is a real.
fn real(name: &str, operand: &Value, argument: &Value, program: &Program) -> Result<Number, RuntimeError> {
    match operand.number() {
        Some(number) => Ok(number),
        None => Err(not_a_real(name, operand, argument, program)),
    }
}

#[cold]
fn not_a_real(name: &str, operand: &Value, argument: &Value, program: &Program) -> RuntimeError {
    let found = if matches!(argument, Value::Nil) { "no operands".to_owned() } else { summary(program, operand) };
    let trouble =
        RuntimeError::new(Kind::Type, format!("`{name}` expects reals, found {found}")).with_cause(Cause::NoReal {
            name: name.to_owned(),
            argument: argument.clone(),
            place: place(operand, argument),
            operand: operand.clone(),
        });
    match operand {
        tuple if is_tuple(tuple) => trouble.with_hint(OF_A_TUPLE),
        Value::Nil if matches!(argument, Value::Pair(_)) => {
            trouble.with_hint(format!("to combine the elements of a list use `(reduce {name} ...)`"))
        }
        _ => trouble,
    }
}

/// The hint for a tuple in place of a real or an operator.
const OF_A_TUPLE: &str = "this is a tuple: several operands are passed as one, so `(f a b c)` gives a parameter list of two \
                          names the tuple of b and c";

/// Returns true if a value is the tuple of two operands.
fn is_tuple(value: &Value) -> bool {
    matches!(value, Value::Pair(pair) if !matches!(pair.second, Value::Pair(_) | Value::Nil))
}

/// The number of operands of an argument before the given one.
fn place(operand: &Value, argument: &Value) -> usize {
    let mut place = 0;
    let mut rest = argument;
    while let Value::Pair(pair) = rest
        && !ptr::eq(rest, operand)
        && !ptr::eq(&raw const pair.first, operand)
    {
        place += 1;
        rest = &pair.second;
    }
    place
}

/// The two operands of an argument.
fn two<'value>(
    name: &str,
    argument: &'value Value,
    program: &Program,
) -> Result<(&'value Value, &'value Value), RuntimeError> {
    match argument {
        Value::Pair(pair) => Ok((&pair.first, &pair.second)),
        _ => Err(expected(name, "two operands", argument, program)),
    }
}

/// The two operands of an argument, which must be reals.
fn two_reals(name: &str, argument: &Value, program: &Program) -> Result<(Number, Number), RuntimeError> {
    let (first, second) = match argument {
        Value::Pair(pair) => (&pair.first, &pair.second),
        _ => return Err(expected(name, "two reals", argument, program)),
    };
    Ok((real(name, first, argument, program)?, real(name, second, argument, program)?))
}

#[cold]
fn no_pair(name: &str, found: &Value, program: &Program) -> RuntimeError {
    expected(name, "a pair", found, program).with_cause(Cause::NoPair(found.clone()))
}

#[cold]
fn expected(name: &str, what: &str, found: &Value, program: &Program) -> RuntimeError {
    let found = match (what, found) {
        ("a pair", Value::Nil) | (_, Value::Pair(_) | Value::Procedure { .. }) => summary(program, found),
        (_, Value::Nil) => "none".to_owned(),
        _ => summary(program, found),
    };
    let trouble = RuntimeError::new(Kind::Type, format!("`{name}` expects {what}, found {found}"));
    match what {
        "two operands" | "two reals" => trouble.with_hint(format!("write `({name} a b)`")),
        _ => trouble,
    }
}

/// The fault of an argument that a primitive does not accept, for engines whose own code only detects that.
pub fn complaint(primitive: Primitive, argument: &Value, program: &Program) -> RuntimeError {
    let refused = if let Form::Control(control) = primitive.row().form {
        request(control, primitive, argument, program).map(|_| Value::Nil).map_err(Fault::RuntimeError)
    } else {
        let mut watch = LimitCheck::default();
        let mut levels = Levels::new(watch.clone());
        let mut context = Context { program, levels: &mut levels, watch: &mut watch, host: &mut NoHost };
        apply(primitive, argument.clone(), &mut context)
    };
    match refused {
        Err(Fault::RuntimeError(trouble)) => trouble,
        Err(Fault::OutputClosed) | Ok(_) => internal_bug!("`{}` does not take the argument", primitive.name()),
    }
}

/// A host without input and output; operands are checked before either is used.
struct NoHost;

impl Host for NoHost {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        Err(InputFault::End)
    }

    fn write(&mut self, _: &Program, _: &Value, _: Origin) -> io::Result<()> {
        Ok(())
    }
}

/// The fault of an operator that is not a procedure.
pub fn not_applicable(program: &Program, operator: &Value) -> RuntimeError {
    let trouble =
        RuntimeError::new(Kind::Type, format!("only procedures can be applied, found {}", summary(program, operator)))
            .with_cause(Cause::NoProcedure);
    if is_tuple(operator) { trouble.with_hint(OF_A_TUPLE) } else { trouble }
}

/// The fault of a reference to a definition that has not run yet.
pub fn unbound(program: &Program, global: GlobalId) -> RuntimeError {
    let name = &program.global(global).name;
    RuntimeError::new(Kind::Unbound, format!("`{name}` is used before its definition has run"))
}

fn read(context: &mut Context<'_>) -> Result<f64, RuntimeError> {
    context.host.read_real().map_err(|fault| input_fault(&fault, context.program))
}

fn is_input_over(context: &mut Context<'_>) -> Result<bool, RuntimeError> {
    context.host.is_input_over().map_err(|fault| input_fault(&fault, context.program))
}

/// The fault of a failed read.
pub fn input_fault(fault: &InputFault, program: &Program) -> RuntimeError {
    let reader = program.input.reader();
    let message = match fault {
        InputFault::End => format!("{reader} expects a number, found the end of the input"),
        InputFault::NotANumber(word) => format!("{reader} expects a number, found \"{}\"", word.escape_debug()),
        InputFault::Broken(reason) => format!("{reader} cannot read the input: {reason}"),
        InputFault::NotNoted => return forged(),
    };
    RuntimeError::new(Kind::Input, message)
}

/// Checks that a value can be printed as a row.
///
/// # Errors
/// Returns the fault of `write-row` with the part of the value that is no row or no item of one.
pub fn check_row(value: &Value, program: &Program) -> Result<(), RuntimeError> {
    row::check(value).map_err(|wrong| {
        let (expected, found) = match wrong {
            Wrong::List(found) => ("a list", found),
            Wrong::Item(found) => ("reals, booleans and vectors of character codes as items", found),
        };
        let (name, found) = (Primitive::WriteRow.name(), summary(program, found));
        RuntimeError::new(Kind::Type, format!("`{name}` expects {expected}, found {found}"))
    })
}

/// Returns the tuple of the values of a line of texts and values.
///
/// # Errors
/// Returns the fault of the primitive if the value is no such line.
pub fn check_text<'line>(
    primitive: Primitive,
    line: &'line Value,
    program: &Program,
) -> Result<&'line Value, RuntimeError> {
    template::check(line)
        .ok_or_else(|| expected(primitive.name(), "a template of texts and the tuple of its values", line, program))
}

fn write(value: &Value, layout: Layout, context: &mut Context<'_>) -> Result<(), Fault> {
    let written = context.host.write(context.program, value, Origin::Written(layout));
    written.map_err(|error| output_fault(&error))
}

/// The fault of a failed write.
pub fn output_fault(error: &io::Error) -> Fault {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Fault::OutputClosed
    } else {
        Fault::RuntimeError(RuntimeError::new(Kind::Output, format!("the output cannot be written: {error}")))
    }
}
