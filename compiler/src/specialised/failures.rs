//! The failures of exported code: their places in the program, and their words.
//!
//! The words are the texts of an application of `error`, without its values, or the requirement of the language that is not met.

use vlad_core::program::{Expression, Reference};
use vlad_core::render::place;
use vlad_core::{Constant, ConstantId, ExpressionId, Program};
use vlad_first_order::NOWHERE;
use vlad_table::Primitive;

/// The way in which exported code fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The place in the program; none for code that no expression stands for.
    pub place: Option<String>,
    /// The words of the program.
    pub words: Option<String>,
}

impl Failure {
    /// The failure because of a node of a program.
    pub fn of(program: &Program, node: ExpressionId) -> Failure {
        if node == NOWHERE {
            return Failure { place: None, words: None };
        }
        // The folders are those of the machine that exports.
        let place = place(&program.sources, program.span(node));
        let file = place.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        Failure { place: Some(file), words: words(program, node) }
    }
}

/// The sign in the place of a value.
const VALUE: &str = "...";

/// Returns the texts of a node that applies `error` to any, with `...` for each value, or a requirement; none for other nodes.
fn words(program: &Program, node: ExpressionId) -> Option<String> {
    let (operator, operand) = match program.expression(node) {
        Expression::Application { operator, operand } => (operator, operand),
        // With a name, the lambda of a `let` states what the language requires.
        Expression::Let { lambda, .. } => return program.lambda(lambda).name.clone(),
        _ => return None,
    };
    let Expression::Variable(Reference::Primitive(Primitive::ErrorText)) = program.expression(operator) else {
        return None;
    };
    let Expression::Cons { first, .. } = program.expression(operand) else { return None };
    let Expression::Constant(mut template) = program.expression(first) else { return None };
    let (mut text, mut follows_value) = (String::new(), false);
    while let Constant::Pair(item, rest) = program.constant(template) {
        match program.constant(*item) {
            Constant::Vector(codes) => text.extend(codes.iter().filter_map(|code| character(program, *code))),
            Constant::Nil | Constant::Boolean(_) | Constant::Real(_) | Constant::Pair(..) => {
                text.push_str(if follows_value { " " } else { "" });
                text.push_str(VALUE);
            }
        }
        follows_value = !matches!(program.constant(*item), Constant::Vector(_));
        template = *rest;
    }
    Some(text)
}

/// The character of a code in a text.
fn character(program: &Program, code: ConstantId) -> Option<char> {
    match program.constant(code) {
        Constant::Real(code) => char::from_u32(*code as u32),
        Constant::Nil | Constant::Boolean(_) | Constant::Pair(..) | Constant::Vector(_) => None,
    }
}
