//! The generator of procedures with a point, for checks of their derivatives, which exist at most points.
//!
//! A program has any definitions, then the procedure [`FUNCTION`] and the point [`POINT`], and an application of the
//! one to the other. Point and value are data. The procedure uses everything that good programs use, except for names
//! that difference quotients cannot follow, and tests of equality, whose results depend on rounding. Most reals of the
//! value are made from reals of the point, because a random expression mostly depends little on it.

use super::case::{Case, Limit, Source};
use super::expressions::generate::{Binding, Generator, InputUse, Reals};
use super::generator_options::GeneratorOptions;
use super::trees::tree::{Definition, Form, Item, Node, Order, Parameters, Pattern, Tree};
use super::trees::types::Type;
use vlad_derivatives::extended::refusal::MOST_DIFFERENCES;
use vlad_derivatives::numbers::Numbers;
use vlad_shared::table::{Arity, Operation};

/// The name of the procedure.
pub const FUNCTION: &str = "checked";

/// The name of the point.
pub const POINT: &str = "point";

/// The most nested operators in the procedure: with the quotient around them they are as many as [`vlad_derivatives::extended`]
/// evaluates.
const MOST_OPERATORS: usize = MOST_DIFFERENCES - 1;

/// The number of rejected programs after which the next ones are smaller, since large ones rarely avoid all excluded
/// names.
const TRIALS: u64 = 50;

/// The names that are excluded.
const LEFT_OUT: [&str; 10] =
    ["primops", "interrupt", "resume", "read-real", "=", "equal?", "member?", "zero?", "even?", "odd?"];

/// Generates a procedure and a point from a seed: the first program of its sequence without excluded names.
pub fn generate(seed: u64, generator_options: GeneratorOptions) -> Case {
    let mut generator_options =
        GeneratorOptions { depth: generator_options.depth.min(MOST_OPERATORS), ..generator_options };
    let mut place = 0;
    loop {
        let mut generator = Generator::new(Numbers::at(seed, place), generator_options, InputUse::None);
        generator.reals = Reals::Tame;
        let tree = generator.checked();
        if !tree.items.iter().any(|item| LEFT_OUT.iter().any(|name| item.node().mentions(name))) {
            let source = Source::Tree(tree);
            return Case { seed, source, input: Vec::new(), limit: Limit::Whole, suspension: None };
        }
        place += 1;
        if place.is_multiple_of(TRIALS) {
            generator_options.size -= generator_options.size / 4;
        }
    }
}

impl Generator {
    fn checked(&mut self) -> Tree {
        let mut items = Vec::new();
        for _ in 0..self.numbers.below(3) {
            let size = (4 + self.numbers.below(12)) * self.generator_options.size / 100;
            let (definition, right, binding) = self.definition(size.max(2));
            items.push(Item::Define(definition, right));
            self.scope.push(binding);
        }
        let (from, to) = (self.data_type(0), self.data_type(35));
        let (pattern, bound) = self.pattern(&from);
        let sources: Vec<Node> = bound
            .iter()
            .flat_map(|binding| reals_of(Node::name(&binding.name, binding.gives.clone()), &binding.gives))
            .collect();
        let size = (12 + self.numbers.below(48)) * self.generator_options.size / 100;
        let body = self.within(bound, |inner| inner.dependent(&to, &sources, size.max(4)));
        items.push(define(FUNCTION, vec![vec![pattern]], body));
        let point = self.data(&from);
        items.push(define(POINT, Vec::new(), point));
        let called = [Node::name(POINT, from)];
        items.push(Item::Expression(Node::call(FUNCTION, to, called)));
        Tree::of(items)
    }

    /// An expression of a type of data that mostly depends on some reals.
    fn dependent(&mut self, gives: &Type, sources: &[Node], size: usize) -> Node {
        if self.chance(15) {
            return self.expression(gives, size);
        }
        match gives {
            Type::Real => self.dependent_real(sources, size),
            Type::Pair(first, second) => {
                let first = self.dependent(first, sources, size / 2);
                Node::cons(first, self.dependent(second, sources, size / 2))
            }
            Type::List(element) | Type::Vector(element) => {
                let count = 1 + self.numbers.below(3);
                let elements: Vec<Node> = (0..count).map(|_| self.dependent(element, sources, size / count)).collect();
                match gives {
                    Type::Vector(_) => Node::vector(element, elements),
                    _ => Node::new(Form::List, gives.clone(), elements),
                }
            }
            Type::Count | Type::Boolean | Type::Procedure(..) | Type::Capsule(_) | Type::Marked(..) => {
                self.expression(gives, size)
            }
        }
    }

    /// A real that depends on some reals: an operation on one of them, bare or inside operators, or an expression that
    /// may use such a real through a `let`, a list or a closure.
    fn dependent_real(&mut self, sources: &[Node], size: usize) -> Node {
        let source = self.pick(sources, Node::real(1.0));
        let source = if size > 24 && self.chance(60) { self.dependent_real(sources, size / 2) } else { source };
        let (operation, name) = (self.operation(), self.fresh(&Type::Real));
        let bound = vec![Binding { name: name.clone(), gives: Type::Real }];
        let variable = Node::name(&name, Type::Real);
        match self.numbers.below(8) {
            0 | 1 => {
                let depth = self.numbers.below(self.operators_left() + 1);
                self.probe_within(operation, depth, source, size / 2)
            }
            2 | 3 => {
                let mut operands = vec![source];
                if operation.arity() == Arity::Two {
                    operands.push(self.expression(&Type::Real, size / 2));
                    if self.chance(50) {
                        operands.reverse();
                    }
                }
                self.operate(operation, operands)
            }
            4 => {
                let list = Node::new(Form::List, Type::reals(), [source, self.expression(&Type::Real, size / 3)]);
                let step = self.iterated(&Type::procedure([Type::Real], Type::Real), size / 3);
                let name = self.word(&["sum", "product", "magnitude", "maximum", "car", "last"]);
                Node::call(name, Type::Real, [Node::call("map", Type::reals(), [step, list])])
            }
            5 => {
                // The inner procedure captures the real.
                let inner = self.within(bound, |within| {
                    let body = within.lambda(&[Type::Real], &Type::Real, size / 2);
                    Node {
                        children: body.children.into_iter().map(|body| sum(variable.clone(), body)).collect(),
                        ..body
                    }
                });
                let gives = inner.gives.clone();
                let parameters = Parameters::Each(vec![Pattern::Name(name)]);
                let maker = Node::new(Form::Lambda(parameters), Type::procedure([Type::Real], gives.clone()), [inner]);
                let made = Node::new(Form::Call, gives, [maker, source]);
                Node::new(Form::Call, Type::Real, [made, self.expression(&Type::Real, size / 3)])
            }
            _ => {
                let body = self.within(bound, |within| {
                    let body = within.expression(&Type::Real, size);
                    if within.chance(50) {
                        sum(body, variable)
                    } else {
                        within.operate(Operation::Multiply, vec![body, variable])
                    }
                });
                Node::new(Form::Let(Order::Together, vec![Pattern::Name(name)]), Type::Real, [source, body])
            }
        }
    }

    /// A type of data with reals in it; `real` raises the share of a single real, in hundredths.
    fn data_type(&mut self, real: usize) -> Type {
        if self.chance(real) {
            return Type::Real;
        }
        match self.numbers.below(20) {
            0..4 => Type::Real,
            4..8 => Type::pair(Type::Real, Type::Real),
            8..11 => Type::reals(),
            11..14 => Type::vector(Type::Real),
            14 => Type::pair(Type::Real, Type::pair(Type::Boolean, Type::Real)),
            15 => Type::pair(Type::reals(), Type::Real),
            16 => Type::pair(Type::vector(Type::Real), Type::pair(Type::Real, Type::Real)),
            17 => Type::list(Type::pair(Type::Real, Type::Real)),
            18 => Type::vector(Type::pair(Type::Real, Type::Real)),
            _ => Type::vector(Type::vector(Type::Real)),
        }
    }

    /// Data of a type, with at least one element in each list and vector.
    fn data(&mut self, gives: &Type) -> Node {
        match gives {
            Type::Real | Type::Count => Node::real(self.numbers.real()),
            Type::Boolean => {
                let truth = self.chance(50);
                Node::new(Form::Boolean(truth), Type::Boolean, [])
            }
            Type::List(element) => {
                let elements: Vec<Node> = (0..1 + self.numbers.below(3)).map(|_| self.data(element)).collect();
                Node::new(Form::List, gives.clone(), elements)
            }
            Type::Vector(element) => {
                let elements: Vec<Node> = (0..1 + self.numbers.below(3)).map(|_| self.data(element)).collect();
                Node::vector(element, elements)
            }
            Type::Pair(first, second) => {
                let first = self.data(first);
                Node::cons(first, self.data(second))
            }
            Type::Procedure(..) | Type::Capsule(_) | Type::Marked(..) => self.leaf(gives),
        }
    }
}

fn sum(first: Node, second: Node) -> Node {
    Node::call("+", Type::Real, [first, second])
}

/// Reals that are certainly in data: the first element of a list or vector.
fn reals_of(data: Node, gives: &Type) -> Vec<Node> {
    let part = |name: &str, gives: &Type| Node::call(name, gives.clone(), [data.clone()]);
    match gives {
        Type::Real => vec![data],
        Type::Pair(first, second) => {
            [reals_of(part("car", first), first), reals_of(part("cdr", second), second)].concat()
        }
        Type::List(element) => reals_of(part("car", element), element),
        Type::Vector(element) => {
            let index = Node::new(Form::Real(0.0), Type::Count, []);
            reals_of(Node::call("get", Type::clone(element), [data, index]), element)
        }
        Type::Count | Type::Boolean | Type::Procedure(..) | Type::Capsule(_) | Type::Marked(..) => Vec::new(),
    }
}

fn define(name: &str, parameters: Vec<Vec<Pattern>>, right: Node) -> Item {
    Item::Define(Definition { name: name.to_owned(), parameters }, right)
}
