//! Rules that are too general for the notation of the table: those about any operand, any operation, or the facts at a
//! place. All of class X.
//!
//! - *let out of an operand*: `op (let x = a in b)` becomes `let x = a in op b`, after operands that are total.
//! - *arithmetic*: an operation on numbers is a number.
//! - *known condition*: a condition of a branch around the place, or a comparison of sizes that is proved.
//! - *operation of if*: `op (if c then a else b)` becomes `if c then op a else op b`.
//! - *function of a loop*: `build n f` becomes `build n (fun i -> f i)`, and so for `ifold`, if f is a variable.
//! - *length of a known array*: the length without the array ([`sizes`]), if the array is total.
//! - *element of an array*: `[| a; b |][1]` is b, if the others are total.

use super::Named;
use crate::builtins::Builtin;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::facts::{linear, sizes};
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Head, Program, Type, Types};
use vlad_table::operations::{Evaluation, Operation};
use vlad_table::primitives::Comparison;

/// A rule: the term that replaces an expression, if it applies.
type Rule = fn(&mut Program, &mut Context, ExpressionId) -> Option<ExpressionId>;

/// The rules, in the order in which they are tried.
const RULES: [(&str, Rule); 7] = [
    ("arithmetic", arithmetic),
    ("known condition", known_condition),
    ("operation of if", distributed),
    ("function of a loop", expanded),
    ("length of a known array", length),
    ("element of an array", element),
    ("let out of an operand", floated),
];

/// Returns the name of the rule that applies, and the term that replaces an expression.
pub fn rewritten(program: &mut Program, context: &mut Context, id: ExpressionId) -> Option<Named> {
    RULES.iter().find_map(|(name, rule)| Some((*name, rule(program, context, id)?)))
}

fn number(program: &Program, id: ExpressionId) -> Option<f64> {
    if let Expression::Number(number) = program.expression(id) { Some(number) } else { None }
}

fn arithmetic(program: &mut Program, _: &mut Context, id: ExpressionId) -> Option<ExpressionId> {
    let type_id = program.type_of(id);
    let expression = program.expression(id);
    let value = if let Expression::Unary(operation, operand) = expression {
        let Evaluation::Unary(evaluate) = operation.row().evaluation else { return None };
        evaluate(number(program, operand)?)
    } else if let Expression::Binary(operation, first, second) = expression {
        let Evaluation::Binary(evaluate) = operation.row().evaluation else { return None };
        let value = evaluate(number(program, first)?, number(program, second)?);
        let is_whole_part = operation == Operation::Divide && type_id == Types::INDEX;
        if is_whole_part { value.floor() } else { value }
    } else if let Expression::Widen(operand) = expression
        && type_id == Types::DOUBLE
    {
        number(program, operand)?
    } else {
        let value = if let Expression::Not(operand) = expression {
            let Expression::Boolean(value) = program.expression(operand) else { return None };
            !value
        } else {
            let Expression::Compare(comparison, first, second) = expression else { return None };
            comparison.holds(number(program, first)?, number(program, second)?)
        };
        return Some(program.like(id).boolean(value));
    };
    // A NaN has no literal.
    (!value.is_nan()).then(|| program.like(id).add(Expression::Number(value), type_id))
}

fn known_condition(program: &mut Program, context: &mut Context, id: ExpressionId) -> Option<ExpressionId> {
    let expression = program.expression(id);
    if program.type_of(id) != Types::BOOLEAN || matches!(expression, Expression::Boolean(_)) {
        return None;
    }
    let around = context.facts.conditions.iter().find(|(condition, _)| terms::same(program, *condition, id));
    if let Some((_, outcome)) = around {
        // It has been evaluated before the branch, so it does not fail here.
        return Some(program.like(id).boolean(*outcome));
    }
    let Expression::Compare(comparison, first, second) = expression else { return None };
    if program.type_of(first) != Types::INDEX {
        return None;
    }
    let outcome = decided(program, context, comparison, first, second)?;
    // The sides are not evaluated any more.
    let is_total = context.is_total(program, first) && context.is_total(program, second);
    is_total.then(|| program.like(id).boolean(outcome))
}

/// Distributes an operation with one operand over a choice.
fn distributed(program: &mut Program, _: &mut Context, id: ExpressionId) -> Option<ExpressionId> {
    let expression = program.expression(id);
    let (Expression::Unary(_, choice) | Expression::Not(choice) | Expression::Widen(choice)) = expression else {
        return None;
    };
    let Expression::If { condition, consequent, alternative } = program.expression(choice) else { return None };
    let [consequent, alternative] = [consequent, alternative].map(|branch| terms::with_parts(program, id, &[branch]));
    Some(program.like(id).choice(condition, consequent, alternative))
}

/// Returns the outcome of a comparison of indices, if it is proved.
fn decided(
    program: &Program,
    context: &Context,
    comparison: Comparison,
    first: ExpressionId,
    second: ExpressionId,
) -> Option<bool> {
    let facts = &context.facts;
    let (first, second) = (linear::Linear::of(program, facts, first)?, linear::Linear::of(program, facts, second)?);
    let one = linear::Linear::constant(1);
    let difference = second.plus(program, &first, -1)?;
    let reverse = first.plus(program, &second, -1)?;
    let at_least = |sum: &linear::Linear| sum.is_not_negative(program, facts);
    let above = |sum: &linear::Linear| sum.plus(program, &one, -1).is_some_and(|sum| at_least(&sum));
    let is_number = difference.terms.iter().all(|(atom, _)| linear::is_number(program, facts, *atom));
    if !is_number {
        return None;
    }
    match comparison {
        Comparison::Equal if at_least(&difference) && at_least(&reverse) => Some(true),
        Comparison::Equal if above(&difference) || above(&reverse) => Some(false),
        Comparison::Less | Comparison::NotLess if above(&difference) => Some(comparison == Comparison::Less),
        Comparison::Less | Comparison::NotLess if at_least(&reverse) => Some(comparison == Comparison::NotLess),
        Comparison::Greater | Comparison::NotGreater if above(&reverse) => Some(comparison == Comparison::Greater),
        Comparison::Greater | Comparison::NotGreater if at_least(&difference) => {
            Some(comparison == Comparison::NotGreater)
        }
        Comparison::Equal | Comparison::Less | Comparison::Greater | Comparison::NotGreater | Comparison::NotLess => {
            None
        }
    }
}

fn length(program: &mut Program, context: &mut Context, id: ExpressionId) -> Option<ExpressionId> {
    let Expression::Length(array) = program.expression(id) else { return None };
    let length = sizes::length_of(program, &context.facts, array);
    if terms::same(program, length, id) || !context.is_total(program, array) {
        return None;
    }
    Some(program.copy(length))
}

fn expanded(program: &mut Program, _: &mut Context, id: ExpressionId) -> Option<ExpressionId> {
    let expression = program.expression(id);
    let (Expression::Build { function, .. } | Expression::Ifold { function, .. }) = expression else { return None };
    let role = if matches!(expression, Expression::Ifold { .. }) { Role::States } else { Role::Elements };
    let new = expanded_function(program, function, role)?;
    Some(terms::with_part(program, id, function, new))
}

/// The role of a function in a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It makes the elements of an array.
    Elements,
    /// It makes the step of an iteration from its state.
    States,
    /// It is that step, which is evaluated for each state anyway.
    Step,
}

/// Returns a function that is a variable, or whose result is one, as a function with its parameters.
fn expanded_function(program: &mut Program, function: ExpressionId, role: Role) -> Option<ExpressionId> {
    if let Expression::Lambda { parameter, body } = program.expression(function) {
        if role != Role::States {
            return None;
        }
        let body = expanded_function(program, body, Role::Step)?;
        return Some(program.like(function).lambda(parameter, body));
    }
    let is_variable = matches!(program.expression(function), Expression::Local(_) | Expression::Global(_));
    let is_call = matches!(program.expression(function), Expression::Application { .. });
    let Type::Function(from, _) = program.types.get(program.type_of(function)) else { return None };
    if !(is_variable || is_call && role == Role::Step) {
        return None;
    }
    let name = if role == Role::States { "s" } else { "i" };
    let mut build = program.like(function);
    let parameter = build.fresh(name, from);
    let argument = build.local(parameter);
    let mut body = build.apply(function, argument);
    if role == Role::States
        && let Some(expanded) = expanded_function(program, body, Role::Step)
    {
        body = expanded;
    }
    Some(program.like(function).lambda(parameter, body))
}

fn element(program: &mut Program, context: &mut Context, id: ExpressionId) -> Option<ExpressionId> {
    let Expression::Get { array, index } = program.expression(id) else { return None };
    let Expression::Array(elements) = program.expression(array) else { return None };
    let elements = program.elements(elements).to_vec();
    let place = usize::try_from(linear::whole(program.expression(index))?).ok()?;
    let found = elements.get(place).copied()?;
    let mut others = elements.into_iter().enumerate().filter(|(other, _)| *other != place);
    others.all(|(_, other)| context.is_total(program, other)).then_some(found)
}

/// Moves a `let` out of an operand that is always evaluated.
fn floated(program: &mut Program, context: &mut Context, id: ExpressionId) -> Option<ExpressionId> {
    let (head, mut parts) = program.apart(id);
    let evaluates_operands = match head {
        Head::Call(Builtin::Length | Builtin::First | Builtin::Second | Builtin::Write) => false,
        Head::Call(Builtin::Derivative(_) | Builtin::Forward | Builtin::Reverse(_)) => false,
        head => matches!(head, Head::Widen | Head::Call(_)),
    };
    if !evaluates_operands {
        return None;
    }
    let place = parts.iter().position(|part| matches!(program.expression(*part), Expression::Let { .. }))?;
    let earlier = parts.get(..place)?.to_vec();
    if !earlier.into_iter().all(|part| context.is_total(program, part)) {
        return None;
    }
    let moved = parts.get_mut(place)?;
    let Expression::Let { local, value, body } = program.expression(*moved) else { return None };
    *moved = body;
    let inner = terms::with_parts(program, id, &parts);
    Some(program.like(id).let_in(local, value, inner))
}
