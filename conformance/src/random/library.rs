//! Expressions that use a library: its procedures are called, differentiated by operators, and transformed.
//!
//! Types do not state the length of a vector or the shape of a matrix, so a call is written together with all its
//! operands.

use super::coverage::Mode;
use super::generate::Generator;
use super::tree::{Form, Node, Order, Pattern};
use super::types::{Mark, Type};

/// The name of the library.
pub const LIBRARY: &str = "linear-algebra";

/// The kind of an operand or a result of a procedure of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Real,
    Vector,
    Matrix,
}

/// The procedures, with the kinds of their operands and of their result.
const PROCEDURES: [(&str, &[Thing], Thing); 32] = [
    ("vector-add", &[Thing::Vector, Thing::Vector], Thing::Vector),
    ("vector-subtract", &[Thing::Vector, Thing::Vector], Thing::Vector),
    ("vector-multiply", &[Thing::Vector, Thing::Vector], Thing::Vector),
    ("vector-scale", &[Thing::Real, Thing::Vector], Thing::Vector),
    ("vector-append", &[Thing::Vector, Thing::Vector], Thing::Vector),
    ("vector-concatenate", &[Thing::Matrix], Thing::Vector),
    ("vector-reverse", &[Thing::Vector], Thing::Vector),
    ("vector-sum", &[Thing::Vector], Thing::Real),
    ("vector-product", &[Thing::Vector], Thing::Real),
    ("vector-dot", &[Thing::Vector, Thing::Vector], Thing::Real),
    ("vector-norm", &[Thing::Vector], Thing::Real),
    ("vector-norm-1", &[Thing::Vector], Thing::Real),
    ("vector-norm-infinity", &[Thing::Vector], Thing::Real),
    ("vector-maximum", &[Thing::Vector], Thing::Real),
    ("vector-minimum", &[Thing::Vector], Thing::Real),
    ("vector-logsumexp", &[Thing::Vector], Thing::Real),
    ("vector-softmax", &[Thing::Vector], Thing::Vector),
    ("of-rectangle", &[Thing::Matrix], Thing::Matrix),
    ("of-square", &[Thing::Matrix], Thing::Matrix),
    ("vector->matrix", &[Thing::Vector], Thing::Matrix),
    ("vector-outer-product", &[Thing::Vector, Thing::Vector], Thing::Matrix),
    ("matrix-add", &[Thing::Matrix, Thing::Matrix], Thing::Matrix),
    ("matrix-subtract", &[Thing::Matrix, Thing::Matrix], Thing::Matrix),
    ("matrix-scale", &[Thing::Real, Thing::Matrix], Thing::Matrix),
    ("matrix-transpose", &[Thing::Matrix], Thing::Matrix),
    ("matrix-multiply", &[Thing::Matrix, Thing::Matrix], Thing::Matrix),
    ("matrix-vector-product", &[Thing::Matrix, Thing::Vector], Thing::Vector),
    ("vector-matrix-product", &[Thing::Vector, Thing::Matrix], Thing::Vector),
    ("matrix-diagonal", &[Thing::Matrix], Thing::Vector),
    ("matrix-trace", &[Thing::Matrix], Thing::Real),
    ("matrix-norm", &[Thing::Matrix], Thing::Real),
    ("matrix-solve", &[Thing::Matrix, Thing::Vector], Thing::Vector),
];

/// Returns true if a name is one of the library's procedures that are written.
pub fn is_procedure(name: &str) -> bool {
    PROCEDURES.iter().any(|(own, ..)| *own == name)
}

impl Thing {
    fn gives(self) -> Type {
        match self {
            Thing::Real => Type::Real,
            Thing::Vector => Type::vector(Type::Real),
            Thing::Matrix => Type::vector(Type::vector(Type::Real)),
        }
    }
}

impl Generator {
    /// A real by a procedure of the library: from its value, or from its derivative by an operator or by its transform.
    pub fn of_library(&mut self) -> Node {
        let (name, things, result) = self.pick(&PROCEDURES, ("vector-sum", &[Thing::Vector], Thing::Real));
        let types: Vec<Type> = things.iter().map(|thing| thing.gives()).collect();
        let from = Type::tuple(&types);
        let procedure = Node::name(name, Type::procedure(types, result.gives()));
        let order = 1 + self.numbers.below(4);
        let values: Vec<Node> = things.iter().map(|thing| self.thing(*thing, order)).collect();
        if !self.may_differentiate() || self.chance(15) {
            return real_from(Node::call(name, result.gives(), values), result);
        }
        let point = values.into_iter().rev().reduce(|rest, value| Node::cons(value, rest));
        let point = point.unwrap_or(Node::new(Form::Nil, Type::reals(), []));
        let [x, y] = [&from, &result.gives()].map(|gives| self.fresh(gives));
        let (x_node, y_node) = (Node::name(&x, from.clone()), Node::name(&y, result.gives()));
        let called = Node::new(Form::Call, result.gives(), [procedure.clone(), x_node.clone()]);
        let is_transformed = self.chance(60);
        let real = match self.mode() {
            Mode::Forward => {
                let tangent = self.conforming_to(&x_node);
                let forward = if is_transformed { transformed_forward } else { plain_forward };
                real_from(forward(procedure, x_node, tangent, result.gives()), result)
            }
            Mode::Reverse => {
                let weight = self.conforming_to(&y_node);
                let cotangent = if is_transformed {
                    transformed_reverse(procedure, x_node, weight, from.clone(), result.gives())
                } else {
                    let both = self.reversed(Type::pair(result.gives(), from), [procedure, x_node, weight]);
                    Node::call("cdr", Type::reals(), [both])
                };
                match things {
                    [only] => real_from(cotangent, *only),
                    [first, ..] => real_from(Node::call("car", first.gives(), [cotangent]), *first),
                    [] => Node::real(0.0),
                }
            }
        };
        let patterns = vec![Pattern::Name(x), Pattern::Name(y)];
        Node::new(Form::Let(Order::InTurn, patterns), Type::Real, [point, called, real])
    }

    fn thing(&mut self, thing: Thing, order: usize) -> Node {
        match thing {
            Thing::Real => self.expression(&Type::Real, 4),
            Thing::Vector => {
                let reals = (0..order).map(|_| self.expression(&Type::Real, 3)).collect();
                Node::vector(&Type::Real, reals)
            }
            Thing::Matrix => {
                let rows = (0..order).map(|_| self.thing(Thing::Vector, order)).collect();
                Node::vector(&Thing::Vector.gives(), rows)
            }
        }
    }
}

/// A real from the value of a procedure of the library.
fn real_from(node: Node, thing: Thing) -> Node {
    match thing {
        Thing::Real => node,
        Thing::Vector => Node::call("vector-sum", Type::Real, [node]),
        Thing::Matrix => Node::call("matrix-norm", Type::Real, [node]),
    }
}

/// The expression `(cdr (j* f x x'))`.
fn plain_forward(procedure: Node, point: Node, tangent: Node, result: Type) -> Node {
    let both = Type::pair(result.clone(), result.clone());
    Node::call("cdr", result, [Node::call("j*", both, [procedure, point, tangent])])
}

/// The expression `(unperturb (tangent ((j* f) (bundle x x'))))`.
fn transformed_forward(procedure: Node, point: Node, tangent: Node, result: Type) -> Node {
    let bundle = Node::call("bundle", Type::marked(Mark::Bundle, point.gives.clone()), [point, tangent]);
    let gives = Type::marked(Mark::Bundle, result.clone());
    let called = Node::new(Form::Call, gives, [Node::marked(Mark::Bundle, procedure), bundle]);
    let tangent = Node::call("tangent", Type::marked(Mark::Perturbation, result.clone()), [called]);
    Node::call("unperturb", result, [tangent])
}

/// The expression `(cdr (unsensitize ((cdr ((*j f) (*j x))) (sensitize y'))))`.
fn transformed_reverse(procedure: Node, point: Node, weight: Node, from: Type, result: Type) -> Node {
    let both = Type::pair(procedure.gives.clone(), from.clone());
    let back = Type::procedure([result.clone()], both.clone());
    let call = [Node::marked(Mark::Reversed, procedure), Node::marked(Mark::Reversed, point)];
    let called = Node::new(Form::Call, Type::pair(Type::marked(Mark::Reversed, result), back.clone()), call);
    let back = Node::call("cdr", back, [called]);
    let cotangents = Node::new(Form::Call, both.clone(), [back, Node::marked(Mark::Sensitivity, weight)]);
    Node::call("cdr", from, [Node::call("unsensitize", both, [cotangents])])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::compare::compare;
    use crate::random::generate::Reading;
    use crate::random::tree::{Item, Tree};
    use crate::random::{Case, GeneratorOptions, Limit, Source};
    use vlad_engines::{Engine, Settings};

    #[test]
    fn each_procedure_is_there_and_takes_what_it_is_given() {
        for (name, things, result) in PROCEDURES {
            let mut generator = Generator::new(7, GeneratorOptions::default(), Reading::None);
            let values: Vec<Node> = things.iter().map(|thing| generator.thing(*thing, 2)).collect();
            let called = real_from(Node::call(name, result.gives(), values), result);
            let tree = Tree { includes: vec![LIBRARY], items: vec![Item::Expression(called)] };
            let source = Source::Tree(tree);
            let case = Case { seed: 0, source, input: Vec::new(), limit: Limit::Whole, suspension: None };
            let compared = compare(&[Engine::Interp], &Settings::default(), &[case]).remove(0);
            assert!(compared.first.errors.is_empty(), "{name}: {}", compared.first.rendered);
        }
    }
}
