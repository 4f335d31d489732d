//! The messages for shapes that do not agree: both shapes, both places, and advice for the usual mistakes.

use super::shape_text::Letters;
use super::shapes::{Mismatch, Shape, ShapeId, Shapes};
use super::state::Rules;
use crate::builtins::{Builtin, DerivativeOperator};
use crate::scoped::{Scoped, ScopedId};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_table::operations::Operation;

/// The reason why a shape is expected.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expectation {
    /// The expression is a condition.
    Condition,
    /// The expression is a branch; with the first branch.
    Branch(ScopedId),
    /// The expression is an element of an array; with the first element.
    Element(ScopedId),
    /// The expression has a written type; with the span of both.
    Annotation(Span),
    /// The expression is differentiated.
    Differentiated,
    /// The expression is an operand of a function of the language, of this position from 0.
    Operand(ScopedId, usize),
    /// The expression is the argument of this application.
    Argument(ScopedId),
    /// The expression is applied, by this application.
    Callee(ScopedId),
}

/// Returns the diagnostic for an expression whose shape is not the expected one.
pub(super) fn mismatch(
    rules: &mut Rules<'_>,
    id: ScopedId,
    expected: ShapeId,
    expectation: Expectation,
    mismatch: Mismatch,
) -> Diagnostic {
    let place = rules.tree.span(id);
    let found = rules.shape(id);
    let mut letters = Letters::default();
    let shapes = &rules.shaped.shapes;
    let (wanted, had) = (shapes.text(expected, &mut letters), shapes.text(found, &mut letters));
    let message = match mismatch {
        Mismatch::Different => format!("expected `{wanted}`, found `{had}`"),
        Mismatch::FunctionAsData => match expectation {
            Expectation::Branch(_) => format!("a branch of `if` is no function, and this is one: `{had}`"),
            Expectation::Element(_) => format!("an element of an array is no function, and this is one: `{had}`"),
            Expectation::Condition
            | Expectation::Annotation(_)
            | Expectation::Differentiated
            | Expectation::Operand(..)
            | Expectation::Argument(_)
            | Expectation::Callee(_) => {
                format!("expected a value without functions, as `{wanted}`, found `{had}`")
            }
        },
        Mismatch::Infinite => format!("`{wanted}` and `{had}` are equal only for a type that contains itself"),
    };
    let message = match role(rules, expectation) {
        Some(role) => format!("{role}: {message}"),
        None => message,
    };
    let diagnostic = Diagnostic::new(Kind::Type, place, message);
    let diagnostic = match other_place(rules, expectation, &wanted) {
        Some((span, label)) => diagnostic.with_label(span, label),
        None => diagnostic,
    };
    match hint(rules, id, expected, expectation, mismatch) {
        Some(hint) => diagnostic.with_hint(hint),
        None => diagnostic,
    }
}

/// Returns the role of an expression, by which a message begins.
fn role(rules: &Rules<'_>, expectation: Expectation) -> Option<String> {
    Some(match expectation {
        Expectation::Condition => "the condition of `if`".to_owned(),
        Expectation::Branch(_) => "a branch of `if`".to_owned(),
        Expectation::Element(_) => "an element".to_owned(),
        Expectation::Annotation(_) => "its type is written".to_owned(),
        Expectation::Differentiated => "the expression of `deriv`".to_owned(),
        Expectation::Operand(call, _) if rules.tree.is_of_pattern(call) => "the pattern of a pair".to_owned(),
        Expectation::Operand(call, position) => {
            let Scoped::Call(builtin, ..) = rules.tree.get(call) else { return None };
            format!("{} of `{}`", ordinal(position), builtin.name())
        }
        Expectation::Argument(application) => {
            let (head, arguments) = spine(rules, application);
            format!("{} of {}", ordinal(arguments.len().saturating_sub(1)), subject(rules, head))
        }
        Expectation::Callee(_) => return None,
    })
}

fn ordinal(position: usize) -> String {
    format!("argument {}", position + 1)
}

/// Returns the head of an application and its arguments.
fn spine(rules: &Rules<'_>, application: ScopedId) -> (ScopedId, Vec<ScopedId>) {
    let (mut head, mut arguments) = (application, vec![]);
    while let Scoped::Application(function, argument) = rules.tree.get(head) {
        arguments.push(argument);
        head = function;
    }
    arguments.reverse();
    (head, arguments)
}

/// Returns the name of an expression in messages.
fn subject(rules: &Rules<'_>, id: ScopedId) -> String {
    let variable = rules.tree.as_variable(id).map(|variable| rules.names.text(rules.tree.name(variable)));
    let name = variable.or_else(|| {
        let Scoped::Call(builtin, ..) = rules.tree.get(id) else { return None };
        Some(builtin.name())
    });
    name.map_or("this function".to_owned(), |name| format!("`{name}`"))
}

/// Returns the place that an expected shape is from.
fn other_place(rules: &mut Rules<'_>, expectation: Expectation, wanted: &str) -> Option<(Span, String)> {
    Some(match expectation {
        Expectation::Condition | Expectation::Differentiated => return None,
        Expectation::Branch(first) => (rules.tree.span(first), format!("the first branch is `{}`", text(rules, first))),
        Expectation::Element(first) => {
            (rules.tree.span(first), format!("the first element is `{}`", text(rules, first)))
        }
        Expectation::Annotation(span) => (span, format!("written as `{wanted}`")),
        Expectation::Operand(call, _) if rules.tree.is_of_pattern(call) => return taken_apart(rules, call),
        Expectation::Operand(call, _) => {
            let Scoped::Call(builtin, _, name) = rules.tree.get(call) else { return None };
            let span = if matches!(builtin, Builtin::Get | Builtin::Pair) { rules.tree.span(call) } else { name };
            (span, format!("`{}` takes `{wanted}` there", builtin.name()))
        }
        Expectation::Argument(application) | Expectation::Callee(application) => {
            let (head, _) = spine(rules, application);
            let whole = text(rules, head);
            let variable = rules.tree.as_variable(head);
            let span = variable.map_or(rules.tree.span(head), |variable| rules.tree.binding_span(variable));
            (span, format!("{} is `{whole}`", subject(rules, head)))
        }
    })
}

/// Returns the place of the value that a pattern takes apart.
fn taken_apart(rules: &Rules<'_>, call: ScopedId) -> Option<(Span, String)> {
    let Scoped::Call(_, operands, _) = rules.tree.get(call) else { return None };
    let whole = *rules.tree.operands(operands).first()?;
    let value = if let Scoped::Local(local) = rules.tree.get(whole) {
        rules.tree.local(local).value?
    } else if let Scoped::Definition(definition) = rules.tree.get(whole) {
        rules.tree.definition(definition).value?.root
    } else {
        return None;
    };
    Some((rules.tree.span(value), format!("this is `{}`", text(rules, whole))))
}

fn text(rules: &Rules<'_>, id: ScopedId) -> String {
    rules.shaped.shapes.text(rules.shape(id), &mut Letters::default())
}

/// Returns advice for the usual mistakes.
fn hint(
    rules: &mut Rules<'_>,
    id: ScopedId,
    expected: ShapeId,
    expectation: Expectation,
    mismatch: Mismatch,
) -> Option<String> {
    let found = rules.shape(id);
    if mismatch == Mismatch::Infinite {
        let is_step = matches!(expectation, Expectation::Operand(call, 0)
            if matches!(rules.tree.get(call), Scoped::Call(Builtin::Ifold, ..)));
        let hint = match is_step {
            true => "the state of `ifold` has the same type before and after each iteration",
            false => "a function is not applied to itself, and an array or a pair does not contain itself",
        };
        return Some(hint.to_owned());
    }
    let other = order_hint(rules, id, expectation);
    let is_minuend = is_minuend(rules, expectation);
    let missing = |rules: &mut Rules<'_>| {
        let hint = missing_arguments(rules, id, expected)?;
        Some(if is_minuend { format!("{hint}; a negative one stands in parentheses: f (-x)") } else { hint })
    };
    other.or_else(|| missing(rules)).or_else(|| {
        let is_number = rules.shaped.shapes.get(found) == Shape::Number;
        let is_condition = matches!(expectation, Expectation::Condition);
        if is_number && is_condition {
            return Some("a number is no condition: compare it, as in e <> 0".to_owned());
        }
        is_pair_for_number(&rules.shaped.shapes, expected, found).then(|| {
            "if a derivative is meant: each of its numbers is a pair, fst is the value and snd the tangent; vectorMap v (snd) \
             are the tangents of a vector"
                .to_owned()
        })
    })
}

/// The most parts of shapes that are compared for a hint.
const MOST_COMPARED: usize = 100;

/// Returns true if two shapes differ in that one has a pair of numbers where the other has a number.
fn is_pair_for_number(shapes: &Shapes, first: ShapeId, second: ShapeId) -> bool {
    let is_number = |shape| shapes.get(shape) == Shape::Number;
    let mut pending = vec![(first, second)];
    for _ in 0..MOST_COMPARED {
        let Some((first, second)) = pending.pop() else { return false };
        match (shapes.get(first), shapes.get(second)) {
            (Shape::Pair(value, tangent), Shape::Number) | (Shape::Number, Shape::Pair(value, tangent))
                if is_number(value) && is_number(tangent) =>
            {
                return true;
            }
            (first, second) => {
                let parts = first.parts().zip(second.parts()).and_then(|(first, second)| first.zip(second));
                pending.extend(parts.into_iter().flat_map(|parts| parts.into_iter().rev()));
            }
        }
    }
    false
}

/// Returns true for the first operand of a difference.
fn is_minuend(rules: &Rules<'_>, expectation: Expectation) -> bool {
    let Expectation::Operand(call, 0) = expectation else { return false };
    matches!(rules.tree.get(call), Scoped::Call(Builtin::Operation(Operation::Subtract), ..))
}

/// Returns advice about the operands beside an expression.
fn order_hint(rules: &mut Rules<'_>, id: ScopedId, expectation: Expectation) -> Option<String> {
    let found = rules.shape(id);
    match expectation {
        Expectation::Argument(application) => {
            let (_, arguments) = spine(rules, application);
            // The parameters of the operator before this application.
            let parameters = parameters_of(rules, application);
            let is_pair = matches!(rules.shaped.shapes.get(found), Shape::Pair(..));
            if is_pair && parameters.len() > arguments.len() {
                return Some("arguments stand side by side: f a b".to_owned());
            }
            let last = arguments.len().saturating_sub(1);
            swapped(rules, &arguments, &parameters, last).or_else(|| {
                let shapes = &rules.shaped.shapes;
                let takes_pair =
                    parameters.get(last).is_some_and(|shape| matches!(shapes.get(*shape), Shape::Pair(..)));
                (takes_pair && shapes.get(found) == Shape::Number)
                    .then(|| "the argument is a pair: f (a, b)".to_owned())
            })
        }
        Expectation::Operand(call, position) => {
            let Scoped::Call(builtin, operands, _) = rules.tree.get(call) else { return None };
            let operands = rules.tree.operands(operands).to_vec();
            if let (Builtin::Derivative(operator), 0) = (builtin, position)
                && let Some(hint) = operator_hint(&rules.shaped.shapes, operator, found)
            {
                return Some(hint.to_owned());
            }
            operand_hint(builtin, rules.shaped.shapes.get(found), position).map(str::to_owned).or_else(|| {
                let parameters = rules.parameters(builtin, call);
                swapped(rules, &operands, &parameters, position)
            })
        }
        Expectation::Condition
        | Expectation::Branch(_)
        | Expectation::Element(_)
        | Expectation::Annotation(_)
        | Expectation::Differentiated
        | Expectation::Callee(_) => None,
    }
}

/// Returns advice about an operand of a shape that does not fit.
fn operand_hint(builtin: Builtin, found: Shape, position: usize) -> Option<&'static str> {
    match builtin {
        Builtin::Compare(_) | Builtin::Unequal => {
            (found == Shape::Boolean).then_some("only numbers are compared; two conditions are joined by && and ||")
        }
        Builtin::Operation(_) => match found {
            Shape::Array(_) => Some("operations are on numbers; the library has vectorAdd, vectorSMul, matrixMul"),
            Shape::Pair(..) => {
                Some("fst and snd take a pair apart; of a derivative they are the value and the tangent")
            }
            Shape::Variable(_) | Shape::Number | Shape::Boolean | Shape::Function(..) => None,
        },
        Builtin::Not => (found == Shape::Number).then_some("`!` is negation; a sign is written -e"),
        Builtin::First | Builtin::Second => {
            matches!(found, Shape::Array(_)).then_some("an element of an array is written v[i]")
        }
        Builtin::Get if position == 0 => match found {
            Shape::Pair(..) => Some("the parts of a pair are fst p and snd p"),
            Shape::Number | Shape::Boolean => Some("this is an element already: v[i][j] is one of an array of arrays"),
            Shape::Variable(_) | Shape::Array(_) | Shape::Function(..) => None,
        },
        Builtin::Build
        | Builtin::Ifold
        | Builtin::Get
        | Builtin::Length
        | Builtin::OfLength
        | Builtin::Quotient
        | Builtin::Pair
        | Builtin::Write
        | Builtin::And
        | Builtin::Or
        | Builtin::Derivative(_)
        | Builtin::Forward
        | Builtin::Reverse(_) => None,
    }
}

/// Returns advice about the operator that a function has to have, by the shapes of its parameter and of its result.
fn operator_hint(shapes: &Shapes, operator: DerivativeOperator, function: ShapeId) -> Option<&'static str> {
    let Shape::Function(point, value) = shapes.get(function) else { return None };
    let may_be_number = |shape| matches!(shapes.get(shape), Shape::Number | Shape::Variable(_));
    let element = |shape| if let Shape::Array(element) = shapes.get(shape) { Some(element) } else { None };
    let is_vector = |shape| element(shape).is_some_and(may_be_number);
    let is_matrix = |shape| element(shape).and_then(element).is_some();
    let is_by_number =
        matches!(operator, DerivativeOperator::Diff | DerivativeOperator::VDiff | DerivativeOperator::MDiff);
    if matches!(shapes.get(value), Shape::Function(..)) {
        Some("other arguments are given before, as in grad (fun v -> f v a) v")
    } else if shapes.get(value) == Shape::Boolean {
        None
    } else if may_be_number(point) && !is_by_number {
        Some("the derivative of a function of one number is diff f x")
    } else if is_vector(point) && may_be_number(value) && operator != DerivativeOperator::Grad {
        Some("the gradient of a number by a vector is grad f v")
    } else if is_vector(point) && is_vector(value) && operator != DerivativeOperator::Jacob {
        Some("the Jacobian of a vector by a vector is jacob f v")
    } else if is_matrix(point) && may_be_number(value) && operator != DerivativeOperator::MGrad {
        Some("the gradient of a number by a matrix is mgrad f m")
    } else {
        None
    }
}

/// Returns advice if the expression is a function whose result would fit.
fn missing_arguments(rules: &mut Rules<'_>, id: ScopedId, expected: ShapeId) -> Option<String> {
    let mut missing = 0_usize;
    let mut shape = rules.shape(id);
    while let Shape::Function(_, result) = rules.shaped.shapes.get(shape) {
        missing += 1;
        shape = result;
        if !matches!(rules.shaped.shapes.get(expected), Shape::Function(..) | Shape::Variable(_))
            && rules.shaped.shapes.unifies(expected, shape)
        {
            let (head, _) = spine(rules, id);
            let arguments = if missing == 1 { "argument" } else { "arguments" };
            return Some(format!("{} takes {missing} more {arguments}", subject(rules, head)));
        }
        if missing > 32 {
            break;
        }
    }
    None
}

/// Returns the parameters of the head of an application.
fn parameters_of(rules: &Rules<'_>, application: ScopedId) -> Vec<ShapeId> {
    let (head, arguments) = spine(rules, application);
    let (mut shape, mut parameters) = (rules.shape(head), vec![]);
    // A few more than are given, for the case that all of them follow.
    while let Shape::Function(parameter, result) = rules.shaped.shapes.get(shape) {
        parameters.push(parameter);
        shape = result;
        if parameters.len() > arguments.len() + 8 {
            break;
        }
    }
    parameters
}

/// Returns advice if an argument and one before it would fit in the place of each other.
fn swapped(rules: &mut Rules<'_>, arguments: &[ScopedId], parameters: &[ShapeId], position: usize) -> Option<String> {
    let found = rules.shape(*arguments.get(position)?);
    let expected = *parameters.get(position)?;
    for (other, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
        let there = rules.shape(*argument);
        let differs = !rules.shaped.shapes.unifies(*parameter, expected);
        if other != position
            && differs
            && rules.shaped.shapes.unifies(*parameter, found)
            && rules.shaped.shapes.unifies(expected, there)
        {
            return Some(format!("the arguments {} and {} seem to be swapped", other + 1, position + 1));
        }
    }
    // The argument fits the next parameter, whose argument is not known yet.
    let next = *parameters.get(position + 1)?;
    let fits = !rules.shaped.shapes.unifies(next, expected) && rules.shaped.shapes.unifies(next, found);
    fits.then(|| format!("it would fit as argument {}: are the arguments swapped?", position + 2))
}

/// Returns the diagnostic for an application of something that is no function.
pub(super) fn no_function(rules: &mut Rules<'_>, function: ScopedId, argument: ScopedId) -> Diagnostic {
    let (head, arguments) = spine(rules, function);
    let shape = text(rules, function);
    let span = rules.tree.span(function);
    if arguments.is_empty() && !matches!(rules.tree.get(head), Scoped::Call(..)) {
        let message = format!("expected a function, found `{shape}`");
        let diagnostic =
            Diagnostic::new(Kind::Type, span, message).with_label(rules.tree.span(argument), "it is applied to this");
        return match rules.shaped.shapes.get(rules.shape(function)) {
            Shape::Array(_) => diagnostic.with_hint("an element is written v[i]"),
            Shape::Number => diagnostic.with_hint("a product is written a * b"),
            Shape::Variable(_) | Shape::Boolean | Shape::Pair(..) | Shape::Function(..) => diagnostic,
        };
    }
    let mut given = 0;
    if let Scoped::Call(_, operands, _) = rules.tree.get(head) {
        given = rules.tree.operands(operands).len();
    }
    let count = arguments.len() + given;
    let plural = if count == 1 { "argument" } else { "arguments" };
    let message = format!(
        "expected a function, found `{shape}`: {} takes {count} {plural}, and this is one more",
        subject(rules, head)
    );
    Diagnostic::new(Kind::Type, rules.tree.span(argument), message).with_label(span, format!("this is `{shape}`"))
}

/// Returns the diagnostic for a derivative that is used as something else.
pub(super) fn derivative(
    rules: &mut Rules<'_>,
    span: Span,
    made: ShapeId,
    used: ShapeId,
    mismatch: Mismatch,
) -> Diagnostic {
    let mut letters = Letters::default();
    let shapes = &rules.shaped.shapes;
    let (made, used) = (shapes.text(made, &mut letters), shapes.text(used, &mut letters));
    let message = match mismatch {
        Mismatch::Different | Mismatch::FunctionAsData => {
            format!("this derivative is `{made}`, and it is used as `{used}`")
        }
        Mismatch::Infinite => format!("`{made}` and `{used}` are equal only for a type that contains itself"),
    };
    Diagnostic::new(Kind::Type, span, message)
        .with_hint("every number of a derivative is a pair: fst is the value, snd the tangent")
}

/// Returns the diagnostic for a `deriv` by something that does not vary.
pub(super) fn invariable(rules: &mut Rules<'_>, span: Span, variable: ShapeId) -> Diagnostic {
    let shape = rules.shaped.shapes.text(variable, &mut Letters::default());
    Diagnostic::new(Kind::Type, span, format!("expected a variable of numbers behind `deriv`, found `{shape}`"))
        .with_hint("a derivative is by a Double, or by an array or a pair of them")
}
