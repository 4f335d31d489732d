//! The generator of expressions: names in scope, leaves, and the choice among the forms of a type.
//!
//! Invariant: [`Generator::expression`] returns an expression of the given type, in which every name is bound and which
//! terminates. The budget (`size`) is a number of nodes to aim at; halving it from parent to child bounds the depth of
//! trees. The forms are in modules by the type that they make: [`super::general`], [`super::reals`], [`super::data`],
//! [`super::procedures`], [`super::operators`], [`super::capsules`], [`super::vectors`], [`super::tagged`],
//! [`super::long`], [`super::library`].

use crate::random::generator_options::{GeneratorOptions, ProgramShape};
use crate::random::trees::tree::{Form, Node, Parameters, Pattern};
use crate::random::trees::types::{ReflectiveTag, Type};
use vlad_derivatives::numbers::Numbers;

/// A name that can be used, and its type.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// Its type.
    pub gives: Type,
}

/// The use of `read-real` in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputUse {
    /// It may read its input.
    Some,
    /// It does not read its input.
    None,
}

/// The constants that are written, and the distance of operands from the edges of the domains of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reals {
    /// Any constants, among them the edges of the doubles.
    Any,
    /// Constants of moderate size, which make programs smooth at most points.
    Tame,
}

/// The state of the generator during one program.
#[derive(Clone, Debug)]
pub struct Generator {
    /// The source of random choices.
    pub numbers: Numbers,
    /// The parameters of size and nesting.
    pub generator_options: GeneratorOptions,
    /// The probability, in thousandths, that an expression of a wrong type is written.
    pub waywardness: usize,
    /// The use of `read-real`.
    pub reading: InputUse,
    /// The kind of constants.
    pub reals: Reals,
    /// The large shape that a part of the program has, if there is one.
    pub shape: Option<ProgramShape>,
    /// The names in scope, the innermost last.
    pub scope: Vec<Binding>,
    /// The number of enclosing operators of differentiation.
    pub operators: usize,
    /// The number of enclosing iterations.
    pub iterations: usize,
    /// The number of fresh names so far.
    names: usize,
}

impl Generator {
    /// A generator with nothing in scope.
    pub fn new(seed: u64, generator_options: GeneratorOptions, reading: InputUse) -> Generator {
        let numbers = Numbers::new(seed);
        Generator {
            numbers,
            generator_options,
            waywardness: 0,
            reading,
            reals: Reals::Any,
            shape: None,
            scope: Vec::new(),
            operators: 0,
            iterations: 0,
            names: 0,
        }
    }

    /// The number of operators that may still be nested inside the enclosing ones.
    pub fn operators_left(&self) -> usize {
        self.generator_options.depth.saturating_sub(self.operators)
    }

    /// Returns true if one more operator may be written.
    pub fn may_differentiate(&self) -> bool {
        self.operators_left() > 0
    }

    /// Returns true with a probability in hundredths.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.numbers.below(100) < percent
    }

    /// A random element of `things`, which is not empty; `otherwise` if there is none.
    pub fn pick<T: Clone>(&mut self, things: &[T], otherwise: T) -> T {
        let number = self.numbers.below(things.len());
        things.get(number).cloned().unwrap_or(otherwise)
    }

    /// A random element of `words`.
    pub fn word(&mut self, words: &[&'static str]) -> &'static str {
        self.pick(words, "identity")
    }

    /// A name not used so far, whose letter shows its type.
    pub fn fresh(&mut self, gives: &Type) -> String {
        self.names += 1;
        let letter = match gives {
            Type::Real => 'x',
            Type::Count => 'n',
            Type::Boolean => 'b',
            Type::List(_) => 'l',
            Type::Pair(..) => 'p',
            Type::Procedure(..) => 'f',
            Type::Capsule(_) => 'z',
            Type::Vector(_) => 'v',
            Type::Marked(..) => 'm',
        };
        format!("{letter}{}", self.names)
    }

    /// A pattern for a type, and its bindings.
    pub fn pattern(&mut self, gives: &Type) -> (Pattern, Vec<Binding>) {
        match gives {
            Type::Pair(first, second) if self.chance(50) => {
                let (first, mut bindings) = self.pattern(first);
                let (second, others) = self.pattern(second);
                bindings.extend(others);
                (Pattern::Pair(Box::new(first), Box::new(second)), bindings)
            }
            _ => {
                let name = self.fresh(gives);
                (Pattern::Name(name.clone()), vec![Binding { name, gives: gives.clone() }])
            }
        }
    }

    /// Patterns for some types, and their bindings.
    pub fn patterns(&mut self, types: &[Type]) -> (Vec<Pattern>, Vec<Binding>) {
        let mut all = Vec::new();
        let patterns = types
            .iter()
            .map(|gives| {
                let (pattern, bindings) = self.pattern(gives);
                all.extend(bindings);
                pattern
            })
            .collect();
        (patterns, all)
    }

    /// Runs a closure with more names in scope.
    pub fn within<T>(&mut self, bindings: Vec<Binding>, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.scope.len();
        self.scope.extend(bindings);
        let made = make(self);
        self.scope.truncate(before);
        made
    }

    /// A variable of a type, an inner one more often; none if there is none in scope.
    pub fn variable(&mut self, wanted: &Type) -> Option<Node> {
        let fits = |(_, binding): &(usize, &Binding)| binding.gives.is_subtype_of(wanted);
        let fitting: Vec<usize> = self.scope.iter().enumerate().filter(fits).map(|(place, _)| place).collect();
        let number = if self.chance(50) {
            fitting.len().saturating_sub(1 + self.numbers.below(fitting.len().min(3)))
        } else {
            self.numbers.below(fitting.len())
        };
        let binding = self.scope.get(*fitting.get(number)?)?;
        Some(Node::name(&binding.name, binding.gives.clone()))
    }

    /// A type for a value that a program names or passes on.
    pub fn some_type(&mut self) -> Type {
        let step = || Type::procedure([Type::Real], Type::Real);
        match self.numbers.below(100) {
            0..44 => Type::Real,
            44..47 => Type::vector(Type::Real),
            47 => Type::vector(Type::vector(Type::Real)),
            48..58 => Type::reals(),
            58..66 => Type::pair(Type::Real, Type::Real),
            66..70 => Type::Boolean,
            70..82 => step(),
            82..86 => Type::procedure([Type::Real, Type::Real], Type::Real),
            86..89 => Type::procedure([Type::reals()], Type::Real),
            89..91 => Type::list(Type::pair(Type::Real, Type::Real)),
            91..93 => Type::list(step()),
            93..96 => Type::procedure([Type::Real], step()),
            96 => Type::pair(Type::Real, Type::reals()),
            97 => match self.numbers.below(4) {
                0 => Type::marked(ReflectiveTag::Bundle, Type::Real),
                1 => Type::marked(ReflectiveTag::Reversed, Type::Real),
                _ => Type::capsule(Type::Real),
            },
            98 => Type::procedure([], Type::Real),
            _ => Type::Count,
        }
    }

    /// A type for the point of a derivative: data with reals in it.
    pub fn point_type(&mut self) -> Type {
        match self.numbers.below(25) {
            23 => Type::marked(ReflectiveTag::Bundle, Type::Real),
            24 => Type::vector(Type::vector(Type::Real)),
            20 | 21 => Type::vector(Type::Real),
            22 => Type::vector(Type::pair(Type::Real, Type::Real)),
            0..9 => Type::Real,
            9..12 => Type::pair(Type::Real, Type::Real),
            12..15 => Type::reals(),
            15 => Type::pair(Type::Real, Type::pair(Type::Boolean, Type::Real)),
            16 => Type::pair(Type::reals(), Type::Real),
            17 => Type::list(Type::pair(Type::Real, Type::Real)),
            18 => Type::capsule(Type::Real),
            _ => Type::procedure([Type::Real], Type::Real),
        }
    }

    /// An expression of a type, of about `size` nodes.
    pub fn expression(&mut self, wanted: &Type, size: usize) -> Node {
        if self.waywardness > 0 && self.numbers.below(1000) < self.waywardness {
            let other = if self.chance(50) { self.some_type() } else { self.point_type() };
            return Node { gives: wanted.clone(), ..self.typed_expression(&other, size) };
        }
        self.typed_expression(wanted, size)
    }

    fn typed_expression(&mut self, wanted: &Type, size: usize) -> Node {
        if size <= 1 {
            return self.leaf(wanted);
        }
        match self.numbers.below(100) {
            0..12 => self.leaf(wanted),
            12..45 => self.general(wanted, size),
            _ => match wanted {
                Type::Real => self.real_expression(size),
                Type::Count => self.leaf(wanted),
                Type::Boolean => self.boolean_expression(size),
                Type::List(element) => self.list_expression(element, size),
                Type::Pair(first, second) => self.pair_expression(first, second, size),
                Type::Procedure(operands, result) => self.procedure_expression(operands, result, size),
                Type::Capsule(result) => self.capsule_expression(result, size),
                Type::Vector(element) => self.vector_expression(element, size),
                Type::Marked(mark, inside) => self.marked_expression(*mark, inside, size),
            },
        }
    }

    /// The smallest expression of a type.
    pub fn leaf(&mut self, wanted: &Type) -> Node {
        if self.chance(88)
            && let Some(variable) = self.variable(wanted)
        {
            return variable;
        }
        match wanted {
            Type::Real => Node::real(self.constant()),
            Type::Count => self.count(),
            Type::Boolean => {
                let truth = self.chance(50);
                Node::new(Form::Boolean(truth), Type::Boolean, [])
            }
            Type::List(element) => match self.numbers.below(4) {
                0 => Node::new(Form::Nil, wanted.clone(), []),
                1 if **element == Type::Real => self.quoted(),
                length => {
                    let elements: Vec<Node> = (0..length.max(1)).map(|_| self.leaf(element)).collect();
                    Node::new(Form::List, wanted.clone(), elements)
                }
            },
            Type::Pair(first, second) => {
                let (first, second) = (self.leaf(first), self.leaf(second));
                Node::new(Form::Cons, wanted.clone(), [first, second])
            }
            Type::Procedure(operands, result) => match self.known_procedure(operands, result) {
                Some(name) => Node::name(name, wanted.clone()),
                None => self.lambda(operands, result, 1),
            },
            Type::Capsule(result) => self.smallest_capsule(result),
            Type::Vector(element) => self.vector_of_leaves(element, 0),
            Type::Marked(mark, inside) => {
                let inside = self.leaf(inside);
                Node::marked(*mark, inside)
            }
        }
    }

    /// A lambda of a type.
    pub fn lambda(&mut self, operands: &[Type], result: &Type, size: usize) -> Node {
        let gives = Type::procedure(operands, result.clone());
        let (parameters, bindings) = if operands.len() > 1 && self.chance(6) {
            let all = Type::tuple(operands);
            let name = self.fresh(&all);
            (Parameters::Whole(name.clone()), vec![Binding { name, gives: all }])
        } else {
            let (patterns, bindings) = self.patterns(operands);
            (Parameters::Each(patterns), bindings)
        };
        let body = self.within(bindings, |inner| inner.expression(result, size.saturating_sub(1)));
        Node::new(Form::Lambda(parameters), gives, [body])
    }

    /// The start of a countdown.
    pub fn count(&mut self) -> Node {
        let most = if self.iterations == 0 { 7 } else { 4 };
        let count = self.numbers.below(most);
        Node::new(Form::Real(count as f64), Type::Count, [])
    }

    /// A quoted list of reals.
    fn quoted(&mut self) -> Node {
        let length = 1 + self.numbers.below(3);
        let constants: Vec<Node> = (0..length).map(|_| Node::real(self.constant())).collect();
        Node::new(Form::Quoted, Type::reals(), constants)
    }

    /// A constant real: mostly harmless ones, sometimes an edge of the doubles.
    pub fn constant(&mut self) -> f64 {
        const EDGES: [f64; 16] = [
            0.0,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            5e-324,
            -2.5e-310,
            f64::MIN_POSITIVE,
            f64::MAX,
            1e-8,
            1e21,
            0.1,
            -0.5,
            1.5,
            2.5,
            9_007_199_254_740_993.0,
        ];
        let kinds = match self.reals {
            Reals::Any => 20,
            Reals::Tame => 12,
        };
        match self.numbers.below(kinds) {
            0..9 => self.numbers.real(),
            9..14 => self.numbers.whole(),
            14..16 => self.numbers.below(3) as f64,
            16 | 17 => self.pick(&EDGES, 1.0),
            18 => f64::from(self.numbers.bits() as u32) / 1e9,
            // Any finite number of any size.
            _ => {
                let any = f64::from_bits(self.numbers.bits());
                if any.is_finite() { any } else { -0.0 }
            }
        }
    }
}
