//! The generator of procedures with a point, of which the derivatives are checked: at most points they have some.
//!
//! A program defines whatever it likes, then the procedure [`FUNCTION`] and the point [`POINT`], and calls the one on the other.
//! Point and value are data; inside, all that good programs have is there but for what difference quotients cannot follow,
//! and for tests of equality, which come out otherwise where reals are rounded otherwise. Most reals of the value are
//! made from reals of the point, since a random expression mostly has little to do with it.

use super::generate::{Binding, Generator, Reading, Reals};
use super::tree::{Definition, Form, Item, Node, Order, Parameters, Pattern, Tree};
use super::types::Type;
use super::vectors::vector_of;
use super::{Case, Dials, Limit, Source};
use crate::extended::machine::MOST_DIFFERENCES;
use crate::numbers::Numbers;
use vlad_shared::table::{Arity, Operation};

/// The name of the procedure.
pub const FUNCTION: &str = "checked";

/// The name of the point.
pub const POINT: &str = "point";

/// The most operators inside of the procedure: with the quotient around them they are as many as are followed.
const MOST_OPERATORS: usize = MOST_DIFFERENCES - 1;

/// After so many programs with something that is left out the next are smaller: large ones hardly do without it.
const TRIALS: u64 = 50;

/// What is not written.
const LEFT_OUT: [&str; 10] =
    ["primops", "interrupt", "resume", "read-real", "=", "equal?", "member?", "zero?", "even?", "odd?"];

/// A procedure and a point from a seed: the first program made from it that does without what is left out.
pub fn generate(seed: u64, dials: Dials) -> Case {
    let mut dials = Dials { depth: dials.depth.min(MOST_OPERATORS), ..dials };
    let mut place = 0;
    loop {
        let mut generator = Generator::new(Numbers::at(seed, place), dials, Reading::None);
        generator.reals = Reals::Tame;
        let tree = generator.checked();
        if !tree.items.iter().any(|item| LEFT_OUT.iter().any(|name| item.node().mentions(name))) {
            let source = Source::Tree(tree);
            return Case { seed, source, input: Vec::new(), limit: Limit::Whole, suspension: None };
        }
        place += 1;
        if place.is_multiple_of(TRIALS) {
            dials.size -= dials.size / 4;
        }
    }
}

impl Generator {
    fn checked(&mut self) -> Tree {
        let mut items = Vec::new();
        for _ in 0..self.numbers.below(3) {
            let size = (4 + self.numbers.below(12)) * self.dials.size / 100;
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
        let size = (12 + self.numbers.below(48)) * self.dials.size / 100;
        let body = self.within(bound, |inner| inner.dependent(&to, &sources, size.max(4)));
        items.push(define(FUNCTION, vec![vec![pattern]], body));
        let point = self.data(&from);
        items.push(define(POINT, Vec::new(), point));
        let called = [Node::name(POINT, from)];
        items.push(Item::Expression(Node::call(FUNCTION, to, called)));
        Tree::of(items)
    }

    /// An expression of a type of data that depends on some reals, mostly.
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
                    Type::Vector(_) => vector_of(element, elements),
                    _ => Node::new(Form::List, gives.clone(), elements),
                }
            }
            Type::Count | Type::Boolean | Type::Procedure(..) | Type::Capsule(_) | Type::Marked(..) => {
                self.expression(gives, size)
            }
        }
    }

    /// A real that depends on some reals: an operation on one of them, bare or inside of operators, or an expression that
    /// may use what was made of it, through a `let`, a list or a closure.
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
                // What the inner procedure captures is the real.
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

    /// A type of data with reals in it; a real alone more often by some hundredths.
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
                vector_of(element, elements)
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

/// Reals that are surely in data: of a list or vector the first.
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
