//! Random programs for the specialising compiler: most of their items have first-order code.
//!
//! They read all their numbers, so nothing is computed at compile time, and keep to what is specialised: reals, booleans,
//! pairs, lists of [`LIST`] elements, lists and trees of any size, closures, values of several shapes, named loops and recursion down from a small count, conditions on data,
//! and `j*` and `*j`, nested in all orders. The [`Dials`] of a program make certain constructs frequent in it, so that
//! their combinations are.
//!
//! Such programs run without limits: code that can stop at nodes is not specialised.

mod dials;
mod expressions;
mod grown;
mod loops;
mod operators;
mod shapes;

use super::case::{Case, Limit, Source};
use super::expressions::generate::{Binding, Generator, InputUse};
use super::generator_options::GeneratorOptions;
use super::trees::tree::{Definition, Form, Item, Node, Order, Parameters, Pattern, Tree};
use super::trees::types::Type;
use dials::Dials;

/// The number of elements of each list.
const LIST: usize = 3;

/// The most turns of a loop, or calls of a recursion.
const TURNS: usize = 4;

/// Generates a program and its input from a seed.
pub fn generate(seed: u64, generator_options: GeneratorOptions) -> Case {
    let mut base = Generator::new(seed, generator_options, InputUse::Some);
    let dials = Dials::any(&mut base);
    let mut scalar = Scalar { base, dials, favourite: None, loops: 0, grown: Vec::new() };
    let tree = scalar.program();
    let input = (0..scalar.base.numbers.below(4) + 3 * tree.items.len()).map(|_| scalar.input()).collect();
    Case { seed, source: Source::Tree(tree), input, limit: Limit::Open, suspension: None }
}

/// The state of the generator during one program.
struct Scalar {
    base: Generator,
    dials: Dials,
    /// The variable that is used again where nodes are to have aliases.
    favourite: Option<Binding>,
    /// The number of enclosing loops.
    loops: usize,
    /// The definitions that are lists of any size.
    grown: Vec<String>,
}

impl Scalar {
    fn program(&mut self) -> Tree {
        let mut items = Vec::new();
        for _ in 0..self.base.numbers.below(4) {
            items.push(self.procedure());
        }
        for _ in 0..self.base.numbers.below(3) {
            let gives = self.data_type();
            let size = self.size(2, 8);
            let value = self.reading(&gives, |this| this.expression(&gives, size));
            let name = self.base.fresh(&gives);
            items.push(Item::Define(Definition { name: name.clone(), parameters: Vec::new() }, value));
            self.base.scope.push(Binding { name, gives });
        }
        if self.base.chance(5 * self.dials.grown) {
            let value = self.reading(&Type::reals(), |this| this.list(16));
            let name = self.base.fresh(&Type::reals());
            items.push(Item::Define(Definition { name: name.clone(), parameters: Vec::new() }, value));
            self.grown.push(name);
        }
        for _ in 0..1 + self.base.numbers.below(3) {
            let (gives, size) = (self.data_type(), self.size(16, 90));
            items.push(Item::Expression(if self.base.chance(3 * self.dials.grown) {
                self.reading(&Type::reals(), |this| this.grown_value(size))
            } else {
                self.reading(&gives, |this| this.expression(&gives, size))
            }));
        }
        Tree::of(items)
    }

    /// A size to aim at, by the parameter for size.
    fn size(&mut self, least: usize, span: usize) -> usize {
        ((least + self.base.numbers.below(span)) * self.base.generator_options.size / 100).max(2)
    }

    /// A number of the input.
    fn input(&mut self) -> f64 {
        match self.base.numbers.below(100) {
            percent if percent < self.dials.infinities => self.base.constant(),
            percent if percent % 4 == 0 => self.base.numbers.below(4) as f64 - 1.0,
            _ => self.base.numbers.real(),
        }
    }

    /// A definition of a procedure, which may call those before it.
    fn procedure(&mut self) -> Item {
        let result = self.data_type();
        let mut operands: Vec<Type> = (0..1 + self.base.numbers.below(3)).map(|_| self.data_type()).collect();
        if self.base.chance(25) {
            operands.push(Type::procedure([Type::Real], Type::Real));
        }
        let is_recursive = self.base.chance(40);
        if is_recursive {
            operands.insert(0, Type::Count);
        }
        let gives = Type::procedure(operands.clone(), result.clone());
        let name = self.base.fresh(&gives);
        let (patterns, bindings) = self.base.patterns(&operands);
        let size = self.size(8, 40);
        let body = self.body(bindings, |this| {
            if is_recursive { this.recursive_body(&name, &gives, size) } else { this.expression(&result, size) }
        });
        self.base.scope.push(Binding { name: name.clone(), gives });
        Item::Define(Definition { name, parameters: vec![patterns] }, body)
    }

    /// An expression that reads some numbers first.
    fn reading(&mut self, gives: &Type, make: impl FnOnce(&mut Self) -> Node) -> Node {
        let count = 1 + self.base.numbers.below(3);
        let bindings: Vec<Binding> =
            (0..count).map(|_| Binding { name: self.base.fresh(&Type::Real), gives: Type::Real }).collect();
        let patterns = bindings.iter().map(|binding| Pattern::Name(binding.name.clone())).collect();
        let mut children: Vec<Node> = (0..count).map(|_| read()).collect();
        children.push(self.body(bindings, make));
        Node::new(Form::Let(Order::InTurn, patterns), gives.clone(), children)
    }

    /// A type of data.
    fn data_type(&mut self) -> Type {
        match self.base.numbers.below(20) {
            0..11 => Type::Real,
            11..15 => Type::pair(Type::Real, Type::Real),
            15..17 => Type::reals(),
            17 => Type::pair(Type::Real, Type::Boolean),
            18 => Type::pair(Type::reals(), Type::pair(Type::Real, Type::Real)),
            _ => Type::Boolean,
        }
    }

    /// A type of data that consists of reals.
    fn type_of_reals(&mut self) -> Type {
        match self.base.numbers.below(12) {
            0..6 => Type::Real,
            6..9 => Type::pair(Type::Real, Type::Real),
            9..11 => Type::reals(),
            _ => Type::pair(Type::reals(), Type::Real),
        }
    }

    fn within<T>(&mut self, bindings: Vec<Binding>, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.base.scope.len();
        self.base.scope.extend(bindings);
        let made = make(self);
        self.base.scope.truncate(before);
        made
    }

    /// An expression with more names in scope, which mostly depends on one of them.
    fn body(&mut self, bindings: Vec<Binding>, make: impl FnOnce(&mut Self) -> Node) -> Node {
        self.within(bindings.clone(), |this| {
            let body = make(this);
            this.depending(body, &bindings)
        })
    }

    /// A lambda.
    fn lambda(&mut self, operands: &[Type], result: &Type, size: usize) -> Node {
        let (patterns, bindings) = self.base.patterns(operands);
        let body = self.body(bindings, |this| this.expression(result, size));
        Node::new(Form::Lambda(Parameters::Each(patterns)), Type::procedure(operands, result.clone()), [body])
    }

    /// Binds a value to a name, or its parts to names, in an expression.
    fn binding(&mut self, value: Node, make: impl FnOnce(&mut Self) -> Node) -> Node {
        let (pattern, bindings) = self.base.pattern(&value.gives);
        let body = self.body(bindings, make);
        Node::new(Form::Let(Order::Together, vec![pattern]), body.gives.clone(), [value, body])
    }

    /// An expression, mostly with an operation on a part of a variable added if it is a real and uses none of these.
    fn depending(&mut self, body: Node, bindings: &[Binding]) -> Node {
        let is_used = bindings.iter().any(|binding| body.mentions(&binding.name));
        if is_used || self.base.chance(15) {
            return body;
        }
        match body.gives.clone() {
            Type::Real => {
                let place = self.base.numbers.below(bindings.len());
                let data = bindings.get(place).map(|binding| Node::name(&binding.name, binding.gives.clone()));
                match data.and_then(|data| self.part(data)) {
                    Some(part) => {
                        let name = self.base.word(&["+", "*", "-", "*", "/", "max", "atan"]);
                        let operands = if self.base.chance(50) { [body, part] } else { [part, body] };
                        Node::call(name, Type::Real, operands)
                    }
                    None => body,
                }
            }
            _ => body,
        }
    }
}

fn read() -> Node {
    Node::call("read-real", Type::Real, [])
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_compiler::analysis::Weighing;
    use vlad_compiler::{Passes, specialise};
    use vlad_shared::core::Program;
    use vlad_shared::frontend::load::{Input, Options, load};

    fn cases(count: u64) -> impl Iterator<Item = Case> {
        (0..count).map(|seed| generate(seed, GeneratorOptions::default()))
    }

    fn program(case: &Case) -> Program {
        let input = Input::Text { name: "program".to_owned(), bytes: case.bytes(), folder: None };
        load(input, &Options::default()).unwrap_or_else(|failure| panic!("{:?}\n{}", failure.diagnostics, case.text()))
    }

    /// Checks that at least half of the items that compute are specialised. All of these begin by reading numbers.
    #[test]
    fn most_items_are_specialised() {
        let (mut taken, mut all) = (0, 0);
        for case in cases(300) {
            let program = program(&case);
            for (item, unit) in program.items.iter().zip(specialise(&program, Passes::ALL, Weighing::All)) {
                if program.procedure_at(item.node()).is_none() {
                    all += 1;
                    taken += u32::from(unit.is_ok());
                }
            }
        }
        println!("{taken} of {all} items are specialised");
        assert!(all > 600 && taken * 2 > all, "{taken} of {all}");
    }

    /// Checks that structures of any size are at the borders of items: in definitions that they read, and in what they write
    /// or return.
    #[test]
    fn structures_of_any_size_cross_borders() {
        let (mut given, mut returned, mut written) = (0, 0, 0);
        for case in cases(300) {
            for unit in specialise(&program(&case), Passes::ALL, Weighing::None).into_iter().flatten() {
                given += u32::from(unit.inputs.iter().any(|(_, template)| !template.cells.is_empty()));
                returned += u32::from(!unit.result.cells.is_empty());
                written += u32::from(unit.written.iter().any(|line| !line.template.cells.is_empty()));
            }
        }
        println!("{given} are given structures, {returned} return some, {written} write some");
        assert!(given > 20 && returned > 20 && written > 5, "{given}, {returned}, {written}");
    }

    /// The operators around a node of a text, outermost first, in at least so many of 300 programs.
    #[test]
    fn operators_are_nested_in_all_orders() {
        fn nestings(node: &Node, around: &str, found: &mut std::collections::BTreeMap<String, u32>) {
            let name = node.children.first().map_or("", |operator| {
                if operator.is_named("j*") {
                    "F"
                } else if operator.is_named("*j") {
                    "R"
                } else {
                    ""
                }
            });
            let inside = format!("{around}{name}");
            if !name.is_empty() {
                *found.entry(inside.clone()).or_default() += 1;
            }
            node.children.iter().for_each(|child| nestings(child, &inside, found));
        }
        let mut found = std::collections::BTreeMap::new();
        for case in cases(600) {
            for item in &case.tree().unwrap().items {
                nestings(item.node(), "", &mut found);
            }
        }
        for nesting in ["F", "R", "FF", "FR", "RF", "RR", "FFR", "RFR", "RRF"] {
            assert!(found.get(nesting).is_some_and(|count| *count > 10), "{nesting}: {found:?}");
        }
    }
}
