//! Expressions that use a library: its procedures are called, differentiated by operators, and transformed.
//!
//! Types do not state the length of a vector or the shape of a matrix, so a call is written together with all its
//! operands.

use super::generate::Generator;
use crate::random::trees::coverage::Mode;
use crate::random::trees::tree::{Form, Node, Order, Pattern};
use crate::random::trees::types::{ReflectiveTag, Type};

/// The name of the library.
pub const LIBRARY: &str = "linear-algebra";

/// The kind of an operand or a result of a procedure of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OperandKind {
    Real,
    Vector,
    Matrix,
}

/// The procedures, with the kinds of their operands and of their result.
const PROCEDURES: [(&str, &[OperandKind], OperandKind); 33] = [
    ("vector-add", &[OperandKind::Vector, OperandKind::Vector], OperandKind::Vector),
    ("vector-subtract", &[OperandKind::Vector, OperandKind::Vector], OperandKind::Vector),
    ("vector-multiply", &[OperandKind::Vector, OperandKind::Vector], OperandKind::Vector),
    ("vector-scale", &[OperandKind::Real, OperandKind::Vector], OperandKind::Vector),
    ("vector-append", &[OperandKind::Vector, OperandKind::Vector], OperandKind::Vector),
    ("vector-concatenate", &[OperandKind::Matrix], OperandKind::Vector),
    ("vector-reverse", &[OperandKind::Vector], OperandKind::Vector),
    ("vector-sum", &[OperandKind::Vector], OperandKind::Real),
    ("vector-product", &[OperandKind::Vector], OperandKind::Real),
    ("vector-dot", &[OperandKind::Vector, OperandKind::Vector], OperandKind::Real),
    ("vector-norm", &[OperandKind::Vector], OperandKind::Real),
    ("vector-norm-1", &[OperandKind::Vector], OperandKind::Real),
    ("vector-norm-infinity", &[OperandKind::Vector], OperandKind::Real),
    ("vector-maximum", &[OperandKind::Vector], OperandKind::Real),
    ("vector-minimum", &[OperandKind::Vector], OperandKind::Real),
    ("vector-logsumexp", &[OperandKind::Vector], OperandKind::Real),
    ("vector-softmax", &[OperandKind::Vector], OperandKind::Vector),
    ("vector-log-softmax", &[OperandKind::Vector], OperandKind::Vector),
    ("of-rectangle", &[OperandKind::Matrix], OperandKind::Matrix),
    ("of-square", &[OperandKind::Matrix], OperandKind::Matrix),
    ("vector->matrix", &[OperandKind::Vector], OperandKind::Matrix),
    ("vector-outer-product", &[OperandKind::Vector, OperandKind::Vector], OperandKind::Matrix),
    ("matrix-add", &[OperandKind::Matrix, OperandKind::Matrix], OperandKind::Matrix),
    ("matrix-subtract", &[OperandKind::Matrix, OperandKind::Matrix], OperandKind::Matrix),
    ("matrix-scale", &[OperandKind::Real, OperandKind::Matrix], OperandKind::Matrix),
    ("matrix-transpose", &[OperandKind::Matrix], OperandKind::Matrix),
    ("matrix-multiply", &[OperandKind::Matrix, OperandKind::Matrix], OperandKind::Matrix),
    ("matrix-vector-product", &[OperandKind::Matrix, OperandKind::Vector], OperandKind::Vector),
    ("vector-matrix-product", &[OperandKind::Vector, OperandKind::Matrix], OperandKind::Vector),
    ("matrix-diagonal", &[OperandKind::Matrix], OperandKind::Vector),
    ("matrix-trace", &[OperandKind::Matrix], OperandKind::Real),
    ("matrix-norm", &[OperandKind::Matrix], OperandKind::Real),
    ("matrix-solve", &[OperandKind::Matrix, OperandKind::Vector], OperandKind::Vector),
];

/// Returns true if a name is one of the library's procedures that are written.
pub fn is_procedure(name: &str) -> bool {
    PROCEDURES.iter().any(|(own, ..)| *own == name)
}

impl OperandKind {
    fn gives(self) -> Type {
        match self {
            OperandKind::Real => Type::Real,
            OperandKind::Vector => Type::vector(Type::Real),
            OperandKind::Matrix => Type::vector(Type::vector(Type::Real)),
        }
    }
}

impl Generator {
    /// A real by a procedure of the library: from its value, or from its derivative by an operator or by its transform.
    pub fn of_library(&mut self) -> Node {
        let (name, things, result) = self.pick(&PROCEDURES, ("vector-sum", &[OperandKind::Vector], OperandKind::Real));
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

    fn thing(&mut self, thing: OperandKind, order: usize) -> Node {
        match thing {
            OperandKind::Real => self.expression(&Type::Real, 4),
            OperandKind::Vector => {
                let reals = (0..order).map(|_| self.expression(&Type::Real, 3)).collect();
                Node::vector(&Type::Real, reals)
            }
            OperandKind::Matrix => {
                let rows = (0..order).map(|_| self.thing(OperandKind::Vector, order)).collect();
                Node::vector(&OperandKind::Vector.gives(), rows)
            }
        }
    }
}

/// A real from the value of a procedure of the library.
fn real_from(node: Node, thing: OperandKind) -> Node {
    match thing {
        OperandKind::Real => node,
        OperandKind::Vector => Node::call("vector-sum", Type::Real, [node]),
        OperandKind::Matrix => Node::call("matrix-norm", Type::Real, [node]),
    }
}

/// The expression `(cdr (j* f x x'))`.
fn plain_forward(procedure: Node, point: Node, tangent: Node, result: Type) -> Node {
    let both = Type::pair(result.clone(), result.clone());
    Node::call("cdr", result, [Node::call("j*", both, [procedure, point, tangent])])
}

/// The expression `(unperturb (tangent ((j* f) (bundle x x'))))`.
fn transformed_forward(procedure: Node, point: Node, tangent: Node, result: Type) -> Node {
    let bundle = Node::call("bundle", Type::marked(ReflectiveTag::Bundle, point.gives.clone()), [point, tangent]);
    let gives = Type::marked(ReflectiveTag::Bundle, result.clone());
    let called = Node::new(Form::Call, gives, [Node::marked(ReflectiveTag::Bundle, procedure), bundle]);
    let tangent = Node::call("tangent", Type::marked(ReflectiveTag::Perturbation, result.clone()), [called]);
    Node::call("unperturb", result, [tangent])
}

/// The expression `(cdr (unsensitize ((cdr ((*j f) (*j x))) (sensitize y'))))`.
fn transformed_reverse(procedure: Node, point: Node, weight: Node, from: Type, result: Type) -> Node {
    let both = Type::pair(procedure.gives.clone(), from.clone());
    let back = Type::procedure([result.clone()], both.clone());
    let call = [Node::marked(ReflectiveTag::Reversed, procedure), Node::marked(ReflectiveTag::Reversed, point)];
    let called = Node::new(Form::Call, Type::pair(Type::marked(ReflectiveTag::Reversed, result), back.clone()), call);
    let back = Node::call("cdr", back, [called]);
    let cotangents = Node::new(Form::Call, both.clone(), [back, Node::marked(ReflectiveTag::Sensitivity, weight)]);
    Node::call("cdr", from, [Node::call("unsensitize", both, [cotangents])])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::campaign::compare::compare;
    use crate::random::expressions::generate::InputUse;
    use crate::random::trees::tree::{Item, Tree};
    use crate::random::{Case, GeneratorOptions, Limit, Source};
    use vlad_engines::{Engine, Settings};

    #[test]
    fn each_procedure_is_there_and_takes_what_it_is_given() {
        for (name, things, result) in PROCEDURES {
            let mut generator = Generator::new(7, GeneratorOptions::default(), InputUse::None);
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
