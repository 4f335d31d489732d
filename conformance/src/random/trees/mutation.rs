//! Mutation of programs: makes a program wrong in one place, so that engines are compared on errors, too.

use super::tree::{Form, Node, Parameters, Pattern, Tree};
use super::types::Type;
use vlad_derivatives::numbers::Numbers;

/// An expression that is wrong in most contexts.
fn misfit_expression(numbers: &mut Numbers) -> Node {
    let named = |name: &str| Node::name(name, Type::procedure([], Type::Real));
    match numbers.below(11) {
        0 => Node::new(Form::Boolean(true), Type::Boolean, []),
        1 => Node::new(Form::Nil, Type::reals(), []),
        2 => Node::new(Form::List, Type::reals(), [Node::real(1.0), Node::real(-2.5)]),
        3 => named("car"),
        4 => named("read-real"),
        5 => Node::cons(Node::real(1.0), Node::new(Form::Boolean(false), Type::Boolean, [])),
        6 => named("j*"),
        7 => {
            let body = Node::call("car", Type::Real, [Node::name("y", Type::Real)]);
            let parameters = Parameters::Each(vec![Pattern::Name("y".to_owned())]);
            Node::new(Form::Lambda(parameters), Type::procedure([Type::Real], Type::Real), [body])
        }
        8 => named("resume"),
        9 => Node::call("zero", Type::Real, [named("map")]),
        _ => Node::real(f64::NAN),
    }
}

/// Mutates one place of a program.
pub fn mutate(tree: &mut Tree, numbers: &mut Numbers) {
    let count = tree.size();
    // Some mutations need a node of a certain form: try a few nodes.
    for _ in 0..30 {
        let stranger = misfit_expression(numbers);
        let way = numbers.below(5);
        let choice = numbers.bits() as usize;
        let Some(node) = tree.at_mut(numbers.below(count)) else { continue };
        if mutate_node(node, way, choice, stranger) {
            return;
        }
    }
}

/// Mutates a node in one of several ways; returns true if the mutation applies to it.
fn mutate_node(node: &mut Node, way: usize, choice: usize, stranger: Node) -> bool {
    match (way, &mut node.form) {
        (0 | 1, _) => {
            *node = Node { gives: node.gives.clone(), ..stranger };
            true
        }
        // One operand more, or one less.
        (2, Form::Call) => {
            if choice.is_multiple_of(2) || node.children.len() < 2 {
                node.children.push(stranger);
            } else {
                node.children.pop();
            }
            true
        }
        // A pattern that matches few values.
        (3, Form::Lambda(Parameters::Each(patterns)) | Form::Let(_, patterns) | Form::Loop(_, patterns)) => {
            let number = choice.checked_rem(patterns.len()).unwrap_or(0);
            let Some(pattern) = patterns.get_mut(number) else { return false };
            let own = std::mem::replace(pattern, Pattern::Nil);
            *pattern = match choice / 8 % 3 {
                0 => Pattern::List(vec![own]),
                1 => Pattern::Pair(Box::new(own), Box::new(Pattern::Nil)),
                _ => Pattern::Pair(Box::new(Pattern::Real(1.0)), Box::new(own)),
            };
            true
        }
        // The operands of a call in another order.
        (_, Form::Call) if node.children.len() > 2 => {
            if let Some(operands) = node.children.get_mut(1..) {
                operands.rotate_left(1);
            }
            true
        }
        _ => false,
    }
}
