//! Coverage: the operations of the table that a program certainly executes, and the operators of differentiation around
//! them.
//!
//! The traversal follows only code that every error-free run executes: operands, bindings, conditions, and the bodies
//! of lambdas that are written as the operator of a call or as the procedure of an operator of differentiation. It
//! follows no branches and no procedures that are called elsewhere. An operation counts for its enclosing operators if,
//! for each of them, some operand varies with it. So the counts are lower bounds.

use super::tree::{Form, Item, Node, Order, Parameters, Pattern, Tree};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use vlad_shared::table::operations::OPERATIONS;
use vlad_shared::table::{Form as Does, Operation, Primitive, Single};

/// A mode of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mode {
    /// Forward: `j*`.
    Forward,
    /// Reverse: `*j`.
    Reverse,
}

impl Mode {
    /// The operator of the mode.
    pub fn operator(self) -> &'static str {
        match self {
            Mode::Forward => "j*",
            Mode::Reverse => "*j",
        }
    }

    /// The mode of an operator; that of checkpointing is reverse mode.
    fn named(name: &str) -> Option<Mode> {
        match name {
            "j*" => Some(Mode::Forward),
            "*j" | "checkpoint-*j" => Some(Mode::Reverse),
            _ => None,
        }
    }

    /// Its letter in tables.
    fn letter(self) -> char {
        match self {
            Mode::Forward => 'F',
            Mode::Reverse => 'R',
        }
    }
}

/// The enclosing operators of an operation, the outermost first.
pub type Stack = Vec<Mode>;

/// The stacks in which every operation should be reached: none, one, and two operators in all combinations.
pub fn stacks() -> Vec<Stack> {
    const BOTH: [Mode; 2] = [Mode::Forward, Mode::Reverse];
    let one = BOTH.iter().map(|mode| vec![*mode]);
    let two = BOTH.iter().flat_map(|outer| BOTH.iter().map(|inner| vec![*outer, *inner]));
    std::iter::once(Stack::new()).chain(one).chain(two).collect()
}

/// The number of times that each operation was reached in each stack.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Cell>", into = "Vec<Cell>")]
pub struct Coverage {
    counts: BTreeMap<(usize, Stack), u64>,
}

/// An operation, a stack, and the number of times that it was reached there.
type Cell = (usize, Stack, u64);

impl From<Vec<Cell>> for Coverage {
    fn from(cells: Vec<Cell>) -> Coverage {
        Coverage { counts: cells.into_iter().map(|(operation, stack, count)| ((operation, stack), count)).collect() }
    }
}

impl From<Coverage> for Vec<Cell> {
    fn from(coverage: Coverage) -> Vec<Cell> {
        coverage.counts.into_iter().map(|((operation, stack), count)| (operation, stack, count)).collect()
    }
}

impl Coverage {
    /// Adds the counts of another coverage.
    pub fn merge(&mut self, other: Coverage) {
        for (cell, count) in other.counts {
            *self.counts.entry(cell).or_default() += count;
        }
    }

    /// Adds the operations that an error-free run of a program certainly executes.
    pub fn add(&mut self, tree: &Tree) {
        let mut walk = Walk { coverage: self, stack: Vec::new(), varying: Vec::new() };
        for item in &tree.items {
            match item {
                Item::Define(definition, node) if definition.parameters.is_empty() => {
                    walk.node(node);
                }
                Item::Define(..) => {}
                Item::Expression(node) => {
                    walk.node(node);
                }
            }
        }
    }

    /// The number of times that an operation was reached in a stack.
    pub fn count(&self, operation: Operation, stack: &[Mode]) -> u64 {
        self.counts.get(&(operation as usize, stack.to_vec())).copied().unwrap_or(0)
    }

    /// The number of pairs of an operation and a stack that were reached.
    pub fn cells(&self) -> usize {
        self.counts.len()
    }

    /// The number of pairs of an operation and one of the [`stacks`] that were reached, and the number of all such
    /// pairs.
    pub fn share(&self) -> (usize, usize) {
        let all = OPERATIONS.len() * stacks().len();
        (all - self.below(1).len(), all)
    }

    /// The operations and stacks reached fewer times than `least`, with the number of times.
    pub fn below(&self, least: u64) -> Vec<(Operation, Stack, u64)> {
        let cells = OPERATIONS.iter().flat_map(|row| stacks().into_iter().map(|stack| (row.operation, stack)));
        let counted = cells.map(|(operation, stack)| {
            let count = self.count(operation, &stack);
            (operation, stack, count)
        });
        counted.filter(|(_, _, count)| *count < least).collect()
    }

    /// The counts by operation and stack.
    pub fn rows(&self) -> BTreeMap<&'static str, BTreeMap<String, u64>> {
        let row = |operation| stacks().into_iter().map(move |stack| (column(&stack), self.count(operation, &stack)));
        OPERATIONS.iter().map(|entry| (entry.name, row(entry.operation).collect())).collect()
    }

    /// The counts, a line for each operation.
    pub fn table(&self) -> String {
        let mut text = format!("{:20}", "");
        for stack in stacks() {
            let _ = write!(text, "{:>9}", column(&stack));
        }
        for row in &OPERATIONS {
            let _ = write!(text, "\n{:20}", row.name);
            for stack in stacks() {
                let _ = write!(text, "{:9}", self.count(row.operation, &stack));
            }
        }
        text
    }
}

/// The name of a stack in tables.
fn column(stack: &[Mode]) -> String {
    if stack.is_empty() { "primal".to_owned() } else { stack.iter().map(|mode| mode.letter()).collect() }
}

/// The operators that a value varies with, one bit each, by their index in the stack.
type Levels = u32;

struct Walk<'counts> {
    coverage: &'counts mut Coverage,
    stack: Stack,
    varying: Vec<(String, Levels)>,
}

impl Walk<'_> {
    /// Traverses the code that a node executes; returns the operators that its value varies with, if it is a real.
    fn node(&mut self, node: &Node) -> Levels {
        match &node.form {
            Form::Real(_) | Form::Boolean(_) | Form::Nil | Form::Quoted | Form::Lambda(_) | Form::Template(_) => 0,
            Form::Name(name) => {
                let bound = self.varying.iter().rev().find(|(bound, _)| bound == name);
                bound.map_or(0, |(_, levels)| *levels)
            }
            Form::Call => self.call(node),
            Form::Let(order, patterns) => {
                let before = self.varying.len();
                let mut bound = Vec::new();
                for (pattern, value) in patterns.iter().zip(&node.children) {
                    let levels = self.node(value);
                    let into = match order {
                        Order::Together => &mut bound,
                        Order::InTurn => &mut self.varying,
                    };
                    bind(pattern, levels, into);
                }
                self.varying.extend(bound);
                let levels = node.children.last().map_or(0, |body| self.node(body));
                self.varying.truncate(before);
                levels
            }
            // The initial values of a loop, and the body of a `letrec` or a block, but no code that is called again.
            Form::Loop(_, patterns) => {
                node.children.iter().take(patterns.len()).for_each(|value| {
                    self.node(value);
                });
                0
            }
            Form::Letrec(_) => node.children.last().map_or(0, |body| self.node(body)),
            Form::Block(definitions) => {
                for (definition, right) in definitions.iter().zip(&node.children) {
                    if definition.parameters.is_empty() {
                        self.node(right);
                    }
                }
                node.children.last().map_or(0, |body| self.node(body))
            }
            Form::If | Form::Cond | Form::And | Form::Or => {
                if let Some(test) = node.children.first() {
                    self.node(test);
                }
                0
            }
            Form::Begin | Form::Cons | Form::ConsStar | Form::List => {
                let all: Vec<Levels> = node.children.iter().map(|child| self.node(child)).collect();
                // The varying parts of compound data are not tracked.
                if node.form == Form::Begin { all.last().copied().unwrap_or(0) } else { 0 }
            }
        }
    }

    fn call(&mut self, node: &Node) -> Levels {
        let Some((operator, operands)) = node.children.split_first() else { return 0 };
        if let Form::Name(name) = &operator.form
            && let Some(mode) = Mode::named(name)
        {
            self.operator(mode, operands);
            return 0;
        }
        let levels: Vec<Levels> = operands.iter().map(|operand| self.node(operand)).collect();
        if let (Form::Name(name), [vector, _]) = (&operator.form, operands)
            && name == "get"
            && let Some(element) = only_element(vector)
        {
            // The element has already been counted as a part of the vector; here only its levels are needed.
            let mut apart = Coverage::default();
            let walk = Walk { coverage: &mut apart, stack: self.stack.clone(), varying: self.varying.clone() };
            let levels = { walk }.node(element);
            self.reach(Operation::Copy, levels);
            return levels;
        }
        let all = levels.iter().fold(0, |all, levels| all | levels);
        match &operator.form {
            Form::Name(name) => {
                let operation = Primitive::named(name).and_then(|primitive| operation(primitive, operands.len()));
                let Some(operation) = operation else { return 0 };
                self.reach(operation, all);
                all
            }
            Form::Lambda(Parameters::Each(patterns)) if patterns.len() == operands.len() => {
                let before = self.varying.len();
                for (pattern, levels) in patterns.iter().zip(levels) {
                    bind(pattern, levels, &mut self.varying);
                }
                let body = operator.children.first().map_or(0, |body| self.node(body));
                self.varying.truncate(before);
                body
            }
            _ => {
                self.node(operator);
                0
            }
        }
    }

    fn operator(&mut self, mode: Mode, operands: &[Node]) {
        let [procedure, point, weight, ..] = operands else {
            operands.iter().for_each(|operand| {
                self.node(operand);
            });
            return;
        };
        let levels = self.node(point);
        self.node(weight);
        match &procedure.form {
            Form::Lambda(Parameters::Each(patterns)) => {
                let before = self.varying.len();
                let own: Levels = 1 << self.stack.len().min(31);
                if let [pattern] = patterns.as_slice() {
                    bind(pattern, levels | own, &mut self.varying);
                } else {
                    patterns.iter().for_each(|pattern| bind(pattern, own, &mut self.varying));
                }
                self.stack.push(mode);
                if let Some(body) = procedure.children.first() {
                    self.node(body);
                }
                self.stack.pop();
                self.varying.truncate(before);
            }
            Form::Name(_) => {}
            _ => {
                self.node(procedure);
            }
        }
    }

    /// Counts an operation, some operand of which varies with the given operators, if these are all that enclose it.
    fn reach(&mut self, operation: Operation, levels: Levels) {
        let every = (1_u32 << self.stack.len().min(31)) - 1;
        if levels & every != every {
            return;
        }
        *self.coverage.counts.entry((operation as usize, self.stack.clone())).or_default() += 1;
    }
}

/// Binds the names of a pattern.
fn bind(pattern: &Pattern, levels: Levels, varying: &mut Vec<(String, Levels)>) {
    let mut names = Vec::new();
    pattern.names(&mut names);
    varying.extend(names.into_iter().map(|name| (name.to_owned(), levels)));
}

/// The element of a vector that is written as the conversion of a list of one element.
fn only_element(vector: &Node) -> Option<&Node> {
    match (&vector.form, vector.children.as_slice()) {
        (Form::Call, [operator, list]) if operator.form == Form::Name("list->vector".to_owned()) => {
            match (&list.form, list.children.as_slice()) {
                (Form::List, [element]) => Some(element),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The operation that a primitive executes for this number of operands, if it executes one.
fn operation(primitive: Primitive, operands: usize) -> Option<Operation> {
    match (primitive.row().form, operands) {
        (Does::Fold { operation, .. }, 2..) => Some(operation),
        (Does::Fold { single: Single::Unary(operation), .. }, 1) => Some(operation),
        (Does::Fold { single: Single::From(_), operation, .. }, 1) => Some(operation),
        (Does::Unary(operation) | Does::UnaryOrBinary(operation, _), 1) => Some(operation),
        (Does::Binary(operation) | Does::UnaryOrBinary(_, operation), 2) => Some(operation),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::trees::types::Type;

    fn derivative(mode: Mode, variable: &str, body: Node, point: Node) -> Node {
        let parameters = Parameters::Each(vec![Pattern::Name(variable.to_owned())]);
        let lambda = Node::new(Form::Lambda(parameters), Type::procedure([Type::Real], Type::Real), [body]);
        Node::call(mode.operator(), Type::pair(Type::Real, Type::Real), [lambda, point, Node::real(1.0)])
    }

    #[test]
    fn operations_count_where_their_operands_vary() {
        let real = |name: &str| Node::name(name, Type::Real);
        let sine = Node::call("sin", Type::Real, [real("y")]);
        // y varies with both operators, since its point is x.
        let product = Node::call("*", Type::Real, [real("y"), sine]);
        let inner = derivative(Mode::Reverse, "y", product, real("x"));
        let outer = derivative(Mode::Forward, "x", inner, Node::real(2.0));
        let mut coverage = Coverage::default();
        coverage.add(&Tree::of(vec![Item::Expression(outer)]));
        let nested = [Mode::Forward, Mode::Reverse];
        assert_eq!(coverage.count(Operation::Sine, &nested), 1);
        assert_eq!(coverage.count(Operation::Multiply, &nested), 1);
        assert_eq!(coverage.count(Operation::Sine, &[]), 0);
        assert_eq!(coverage.below(1).len(), OPERATIONS.len() * 7 - 2);
        let constant =
            derivative(Mode::Forward, "x", Node::call("sin", Type::Real, [Node::real(1.0)]), Node::real(1.0));
        coverage.add(&Tree::of(vec![Item::Expression(constant)]));
        assert_eq!(coverage.count(Operation::Sine, &[Mode::Forward]), 0);
    }
}
