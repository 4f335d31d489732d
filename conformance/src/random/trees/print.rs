//! The printer of random programs.
//!
//! A form that fits into a line is printed on one; a longer one has its parts below one another. So errors have places
//! on many lines, and programs are readable.

use super::tree::{Definition, Form, Item, Node, Order, Parameters, Pattern, Tree};
use vlad_shared::table::number;

/// The greatest width of a line that can be broken.
const WIDTH: usize = 96;

/// A part of a text: a word, or parentheses around parts.
enum Part {
    Word(String),
    Group(&'static str, Vec<Part>),
}

/// The text of a program, one item after another.
pub fn text(tree: &Tree) -> String {
    let mut text = String::new();
    for library in &tree.includes {
        text.push_str(&format!("(include \"{library}\")\n"));
    }
    for item in &tree.items {
        lay_out(&item_part(item), 0, &mut text);
        text.push('\n');
    }
    text
}

fn item_part(item: &Item) -> Part {
    match item {
        Item::Define(definition, node) => definition_part(definition, node),
        Item::Expression(node) => part(node),
    }
}

fn word(word: impl Into<String>) -> Part {
    Part::Word(word.into())
}

fn group(parts: impl IntoIterator<Item = Part>) -> Part {
    Part::Group("", parts.into_iter().collect())
}

/// A form that begins with a keyword.
fn form(keyword: &str, parts: impl IntoIterator<Item = Part>) -> Part {
    group(std::iter::once(word(keyword)).chain(parts))
}

fn real(real: f64) -> String {
    number::format(real)
}

fn pattern_part(pattern: &Pattern) -> Part {
    match pattern {
        Pattern::Name(name) => word(name),
        Pattern::Real(constant) => word(real(*constant)),
        Pattern::Boolean(true) => word("#t"),
        Pattern::Boolean(false) => word("#f"),
        Pattern::Nil => word("'()"),
        Pattern::Pair(first, second) => form("cons", [pattern_part(first), pattern_part(second)]),
        Pattern::List(patterns) => form("list", patterns.iter().map(pattern_part)),
        Pattern::ConsStar(patterns) => form("cons*", patterns.iter().map(pattern_part)),
    }
}

fn definition_part(definition: &Definition, right: &Node) -> Part {
    let target = definition.parameters.iter().fold(word(&definition.name), |target, parameters| {
        group(std::iter::once(target).chain(parameters.iter().map(pattern_part)))
    });
    form("define", [target, part(right)])
}

fn bindings(patterns: &[Pattern], values: &[Node]) -> Part {
    let pair = |(pattern, value): (&Pattern, &Node)| group([pattern_part(pattern), part(value)]);
    group(patterns.iter().zip(values).map(pair))
}

/// The children except the last, and the printed last one.
fn body_last(node: &Node) -> (&[Node], Part) {
    match node.children.split_last() {
        Some((body, others)) => (others, part(body)),
        None => (&[], word("()")),
    }
}

fn part(node: &Node) -> Part {
    let parts = || node.children.iter().map(part);
    match &node.form {
        Form::Real(constant) => word(real(*constant)),
        Form::Boolean(true) => word("#t"),
        Form::Boolean(false) => word("#f"),
        Form::Nil => word("'()"),
        Form::Quoted => Part::Group("'", parts().collect()),
        Form::Name(name) => word(name),
        Form::Call => group(parts()),
        Form::Lambda(Parameters::Each(patterns)) => {
            form("lambda", [group(patterns.iter().map(pattern_part))].into_iter().chain(parts()))
        }
        Form::Lambda(Parameters::Whole(name)) => form("lambda", [word(name)].into_iter().chain(parts())),
        Form::Let(order, patterns) => {
            let keyword = match order {
                Order::Together => "let",
                Order::InTurn => "let*",
            };
            let (values, body) = body_last(node);
            form(keyword, [bindings(patterns, values), body])
        }
        Form::Loop(name, patterns) => {
            let (values, body) = body_last(node);
            form("let", [word(name), bindings(patterns, values), body])
        }
        Form::Letrec(definitions) => {
            let (bodies, body) = body_last(node);
            let member = |(definition, body): (&Definition, &Node)| {
                let parameters = definition.parameters.iter().flatten().map(pattern_part);
                group([word(&definition.name), form("lambda", [group(parameters), part(body)])])
            };
            form("letrec", [group(definitions.iter().zip(bodies).map(member)), body])
        }
        Form::Block(definitions) => {
            let (rights, body) = body_last(node);
            let definitions =
                definitions.iter().zip(rights).map(|(definition, right)| definition_part(definition, right));
            form("let", std::iter::once(group([])).chain(definitions).chain([body]))
        }
        Form::If => form("if", parts()),
        Form::Cond => {
            let clause = |clause: &[Node]| match clause {
                [only] => form("else", [part(only)]),
                _ => group(clause.iter().map(part)),
            };
            form("cond", node.children.chunks(2).map(clause))
        }
        Form::And => form("and", parts()),
        Form::Or => form("or", parts()),
        Form::Begin => form("begin", parts()),
        Form::Cons => form("cons", parts()),
        Form::ConsStar => form("cons*", parts()),
        Form::List => form("list", parts()),
        Form::Template(template) => word(filled(template, node)),
    }
}

/// The text of a template, on one line.
fn filled(template: &str, node: &Node) -> String {
    let mut pieces = template.split('_');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for (piece, child) in pieces.zip(&node.children) {
        one_line(&part(child), &mut text);
        text.push_str(piece);
    }
    text
}

/// The width of a part on one line.
fn width(part: &Part) -> usize {
    match part {
        Part::Word(word) => word.len(),
        Part::Group(prefix, parts) => {
            prefix.len() + 2 + parts.iter().map(width).sum::<usize>() + parts.len().saturating_sub(1)
        }
    }
}

fn one_line(part: &Part, text: &mut String) {
    match part {
        Part::Word(word) => text.push_str(word),
        Part::Group(prefix, parts) => {
            text.push_str(prefix);
            text.push('(');
            for (number, part) in parts.iter().enumerate() {
                if number > 0 {
                    text.push(' ');
                }
                one_line(part, text);
            }
            text.push(')');
        }
    }
}

/// Appends a part that begins at a column.
fn lay_out(part: &Part, column: usize, text: &mut String) {
    let Part::Group(prefix, parts) = part else { return one_line(part, text) };
    if column + width(part) <= WIDTH {
        return one_line(part, text);
    }
    text.push_str(prefix);
    text.push('(');
    // A group that begins with a group, as bindings do, has its parts below one another; others keep a short head.
    let inner = if matches!(parts.first(), Some(Part::Group(..))) { column + 1 } else { column + 2 };
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', inner));
        }
        lay_out(part, if number == 0 { column + 1 } else { inner }, text);
    }
    text.push(')');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::trees::types::Type;

    #[test]
    fn forms_are_printed_as_they_are_written() {
        let named = |name: &str| Pattern::Name(name.to_owned());
        let x = || Node::name("x", Type::Real);
        let lambda = Node::new(Form::Lambda(Parameters::Each(vec![named("x")])), Type::Real, [x()]);
        let letrec = Form::Letrec(vec![Definition { name: "f".to_owned(), parameters: vec![vec![named("n")]] }]);
        let cases = [
            (lambda, "(lambda (x) x)"),
            (
                Node::new(Form::Let(Order::InTurn, vec![named("x")]), Type::Real, [Node::real(1.0), x()]),
                "(let* ((x 1)) x)",
            ),
            (Node::new(Form::Loop("l".into(), vec![named("x")]), Type::Real, [x(), x()]), "(let l ((x x)) x)"),
            (Node::new(letrec, Type::Real, [x(), x()]), "(letrec ((f (lambda (n) x))) x)"),
            (Node::new(Form::Cond, Type::Real, [x(), x(), x()]), "(cond (x x) (else x))"),
            (Node::new(Form::Quoted, Type::reals(), [Node::real(-0.0)]), "'(-0)"),
        ];
        for (node, expected) in cases {
            assert_eq!(text(&Tree::of(vec![Item::Expression(node)])), format!("{expected}\n"));
        }
        let parameters = vec![vec![Pattern::List(vec![named("a")])], vec![named("b")]];
        let define = Item::Define(Definition { name: "f".to_owned(), parameters }, x());
        assert_eq!(text(&Tree::of(vec![define])), "(define ((f (list a)) b) x)\n");
    }
}
