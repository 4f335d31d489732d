//! Adaptation of error messages to the application at which the error occurred.
//!
//! A primitive gets its argument, but not the written form of the application: `(* 2 (list 1 2))` passes the same
//! argument as `(* 2 1 2 ())`. Procedures of the prelude apply primitives that the program does not mention.

use super::mismatch::{described, operands, ordinal};
use vlad_core::{Binder, Constant, Expression, ExpressionId, Program, Reference};
use vlad_table::{Form, Primitive};
use vlad_values::Value;
use vlad_values::fault::{Cause, RuntimeError};
use vlad_values::print::summary;

/// Returns the run-time error at a node, reworded for the node. If the node belongs to library code, `procedure` is the
/// procedure of the prelude or of a library that the program called.
pub fn explained(
    program: &Program,
    trouble: RuntimeError,
    node: ExpressionId,
    procedure: Option<&str>,
) -> RuntimeError {
    let RuntimeError { kind, message, hint, cause } = trouble;
    if let Some(message) = cause.as_deref().and_then(|cause| noted(program, node, cause)) {
        return RuntimeError { kind, message, hint: None, cause };
    }
    // The primitive was applied by library code itself, not passed to it by the program.
    let own = procedure.filter(|_| applied_primitive(program, node));
    let (message, hint) = match (cause.as_deref(), own) {
        (Some(Cause::Mismatch { lambda, binder, argument }), _) => {
            let told = described(program, *lambda, argument, *binder, written_operands(program, node));
            match procedure.filter(|_| program.is_shipped(program.lambda(*lambda).body)) {
                Some(name) if *binder == Binder::Let && program.lambda(*lambda).name.is_none() => {
                    (format!("`{name}`: {}", told.message), told.hint)
                }
                Some(name) => (restated(name, &told.message), told.hint),
                None => (told.message, told.hint),
            }
        }
        (Some(Cause::NoProcedure), _) => match procedure {
            Some(name) => (format!("`{name}` expects a procedure: {message}"), hint),
            None => (message, hint),
        },
        (Some(Cause::Nonconforming(value)), Some(name)) => match one_of(program, node) {
            Some(Primitive::Forward) => (format!("`{name}` expects a real, found {}", summary(program, value)), None),
            Some(_) => {
                let found = summary(program, value);
                (format!("`{name}` expects a procedure whose result is a real, found the result {found}"), None)
            }
            None => (restated(name, &message), None),
        },
        (Some(Cause::NoPair(Value::Nil)), Some(name)) => {
            (format!("`{name}` expects a longer list, found its end, ()"), None)
        }
        (Some(Cause::NoPair(found)), Some(name)) => {
            (format!("`{name}` expects a list, found {} instead of a pair or ()", summary(program, found)), None)
        }
        (Some(Cause::NoReal { operand, .. }), Some(name)) => {
            let hint = hint.filter(|_| matches!(operand, Value::Pair(_)));
            (format!("`{name}` expects reals, found {}", summary(program, operand)), hint)
        }
        (Some(Cause::NoReal { name, argument: Value::Nil, .. }), None)
            if written_operands(program, node) == Some(1) =>
        {
            (format!("`{name}` expects reals, found ()"), hint)
        }
        (Some(Cause::NoReal { name, argument, place, operand }), None) => {
            match operand_in_question(program, node, argument, *place, operand) {
                Some((place, operand)) => {
                    let (found, which) = (summary(program, operand), ordinal(place));
                    let hint = if is_list(operand) { Some(for_a_list(name)) } else { hint };
                    (format!("`{name}` expects reals, found {found} as its {which}"), hint)
                }
                None => (message, hint),
            }
        }
        (None | Some(Cause::Index(_)), Some(name)) => (restated(name, &message), hint),
        (None | Some(Cause::NoPair(_) | Cause::Index(_) | Cause::Nonconforming(_)), None) => (message, hint),
    };
    RuntimeError { kind, message, hint, cause }
}

/// Returns a message of a primitive, or of a procedure of a library, as one of the procedure that the program called.
fn restated(name: &str, message: &str) -> String {
    let opened = message.strip_prefix('`').and_then(|rest| rest.split_once('`'));
    let Some((own, rest)) = opened.filter(|(own, _)| *own != name) else { return message.to_owned() };
    let of_a_loop = match own {
        "build" => " expects a size, ",
        "ifold" => " expects a number of iterations, ",
        _ => "",
    };
    match rest.strip_prefix(of_a_loop).filter(|_| !of_a_loop.is_empty()) {
        Some(size) => format!("`{name}` expects {size}"),
        None => format!("`{name}`{rest}"),
    }
}

/// Returns the operator of an application of `j*` or `*j` whose tangent or cotangent is written as 1, as for the derivative
/// by a real, or of one.
fn one_of(program: &Program, node: ExpressionId) -> Option<Primitive> {
    let Expression::Application { operator, operand } = program.expression(node) else { return None };
    let Expression::Variable(Reference::Primitive(primitive)) = program.expression(operator) else { return None };
    let mut last = operand;
    while let Expression::Cons { second, .. } = program.expression(last) {
        last = second;
    }
    let Expression::Constant(constant) = program.expression(last) else { return None };
    matches!(program.constant(constant), Constant::Real(real) if *real == 1.0).then_some(primitive)
}

/// Returns the message for a fault at a node about which the front end has made a note.
fn noted(program: &Program, node: ExpressionId, cause: &Cause) -> Option<String> {
    match cause {
        Cause::Index(place) => program.notes.outside(program.span(node), *place),
        Cause::NoReal { place, operand: Value::Nil, .. } => {
            let Expression::Application { operand, .. } = program.expression(node) else { return None };
            let mut rest = operand;
            for _ in 0..*place {
                let Expression::Cons { second, .. } = program.expression(rest) else { break };
                rest = second;
            }
            let operand = match program.expression(rest) {
                Expression::Cons { first, .. } => first,
                _ => rest,
            };
            let Expression::Variable(Reference::Local(_) | Reference::Slot(_)) = program.expression(operand) else {
                return None;
            };
            let span = program.span(operand);
            let file = program.sources.get(span.file).filter(|_| program.notes.has_unassigned(span.file))?;
            let name = file.text.get(span.start as usize..span.end as usize)?;
            Some(format!("{} has no value here", name.to_uppercase()))
        }
        Cause::NoReal { .. }
        | Cause::NoPair(_)
        | Cause::NoProcedure
        | Cause::Nonconforming(_)
        | Cause::Mismatch { .. } => None,
    }
}

/// Returns the operand that is no real, as the application is written, and the number of operands before it; none if
/// only one is written.
fn operand_in_question<'value>(
    program: &Program,
    node: ExpressionId,
    argument: &'value Value,
    place: usize,
    operand: &'value Value,
) -> Option<(usize, &'value Value)> {
    let written = written_operands(program, node).filter(|written| *written > 1)?;
    let operands = operands(argument, Some(written));
    let last = *operands.last()?;
    // A tuple passed in the last place is several operands, but a list is one.
    if place + 1 < written || (matches!(last, Value::Pair(_)) && !is_list(last)) {
        return Some((place, operand));
    }
    (operands.len() == written).then_some((written - 1, last))
}

/// Returns true if a value is a list of at least one element.
fn is_list(value: &Value) -> bool {
    let mut rest = value;
    while let Value::Pair(pair) = rest {
        rest = &pair.second;
    }
    matches!((value, rest), (Value::Pair(_), Value::Nil))
}

fn for_a_list(name: &str) -> String {
    format!("for each element of a list use `(map ...)`, to combine its elements `(reduce {name} ...)`")
}

/// Returns true if a node applies a primitive by its name.
pub(crate) fn applied_primitive(program: &Program, node: ExpressionId) -> bool {
    let Expression::Application { operator, .. } = program.expression(node) else { return false };
    matches!(program.expression(operator), Expression::Variable(Reference::Primitive(_)))
}

/// Returns the number of operands that an application is written with; none if the node is no application, or is one
/// that makes an operator call the procedure in question. An operand such as `(list a b)` or `(cons a b)` counts as
/// one: the pairs of a tuple begin where their first halves do.
pub(crate) fn written_operands(program: &Program, node: ExpressionId) -> Option<usize> {
    let Expression::Application { operator, operand } = program.expression(node) else { return None };
    if let Expression::Variable(Reference::Primitive(primitive)) = program.expression(operator)
        && matches!(primitive.row().form, Form::Control(_))
    {
        return None;
    }
    let mut count = 1;
    let mut rest = operand;
    while let Expression::Cons { first, second } = program.expression(rest)
        && program.span(rest).start == program.span(first).start
    {
        count += 1;
        rest = second;
    }
    let is_none = matches!(program.expression(operand), Expression::Constant(constant)
        if matches!(program.constant(constant), Constant::Nil) && program.span(operand) == program.span(node));
    Some(if is_none { 0 } else { count })
}
