//! Random programs as trees that are close to their printed text.
//!
//! Invariant: the children of a node are in the order of the text, and every form determines their number. No name is
//! bound again in its own scope, so cutting and moving subtrees captures nothing. Traversals that change nodes are
//! recursive: the generator bounds its trees to some thousand nodes, and shrinking hardly enlarges any.

use super::types::{ReflectiveTag, Type};
use std::iter;

/// A node: a form with its children and the type of its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its form.
    pub form: Form,
    /// The type of its value, unless it was mutated.
    pub gives: Type,
    /// The nodes in it.
    pub children: Vec<Node>,
}

/// The syntactic form of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A real.
    Real(f64),
    /// `#t` or `#f`.
    Boolean(bool),
    /// `'()`.
    Nil,
    /// A quoted list of the constants that are its children.
    Quoted,
    /// A variable: bound in the program, a primitive, or of the prelude.
    Name(String),
    /// The operator, then the operands.
    Call,
    /// A procedure; the body.
    Lambda(Parameters),
    /// `let` or `let*`: a value for each pattern, then the body.
    Let(Order, Vec<Pattern>),
    /// A named `let`: a value for each pattern, then the body.
    Loop(String, Vec<Pattern>),
    /// `letrec`: the body of each procedure, then the body.
    Letrec(Vec<Definition>),
    /// `(let () definition ... e)`: the right-hand side of each definition, then the body.
    Block(Vec<Definition>),
    /// Condition, consequent and alternative; or only the first two.
    If,
    /// Conditions and consequents in turn, then the `else`.
    Cond,
    /// Any number of conditions.
    And,
    /// Any number of conditions.
    Or,
    /// At least one expression.
    Begin,
    /// Two expressions.
    Cons,
    /// At least one expression.
    ConsStar,
    /// Any number of expressions.
    List,
    /// A text with holes `_`, and an expression for each ([`crate::random::expressions::templates`]).
    Template(&'static str),
}

/// The scope of the bindings of a `let`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `let`.
    Together,
    /// `let*`.
    InTurn,
}

/// The parameters of a lambda.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameters {
    /// A list of patterns.
    Each(Vec<Pattern>),
    /// One name for the whole argument.
    Whole(String),
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A name.
    Name(String),
    /// A real.
    Real(f64),
    /// `#t` or `#f`.
    Boolean(bool),
    /// `'()`.
    Nil,
    /// `(cons p p)`.
    Pair(Box<Pattern>, Box<Pattern>),
    /// `(list p ...)`.
    List(Vec<Pattern>),
    /// `(cons* p ...)`, of at least one.
    ConsStar(Vec<Pattern>),
}

/// The left side of a definition: a value, or a procedure with one or more lists of parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// The lists of parameters, the outermost procedure's first.
    pub parameters: Vec<Vec<Pattern>>,
}

/// A top-level item.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A definition and its right-hand side.
    Define(Definition, Node),
    /// An expression.
    Expression(Node),
}

/// A whole program.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Tree {
    /// The libraries that it includes, before everything else.
    pub includes: Vec<&'static str>,
    /// The top-level items in order.
    pub items: Vec<Item>,
}

impl Item {
    /// The expression in it.
    pub fn node(&self) -> &Node {
        match self {
            Item::Define(_, node) | Item::Expression(node) => node,
        }
    }

    /// The expression in it.
    pub fn node_mut(&mut self) -> &mut Node {
        match self {
            Item::Define(_, node) | Item::Expression(node) => node,
        }
    }
}

impl Pattern {
    /// Adds the names that it binds.
    pub fn names<'pattern>(&'pattern self, names: &mut Vec<&'pattern str>) {
        match self {
            Pattern::Name(name) => names.push(name),
            Pattern::Real(_) | Pattern::Boolean(_) | Pattern::Nil => {}
            Pattern::Pair(first, second) => {
                first.names(names);
                second.names(names);
            }
            Pattern::List(patterns) | Pattern::ConsStar(patterns) => {
                patterns.iter().for_each(|pattern| pattern.names(names));
            }
        }
    }

    /// Changes the names that it binds.
    fn rename(&mut self, change: &mut dyn FnMut(&mut String)) {
        match self {
            Pattern::Name(name) => change(name),
            Pattern::Real(_) | Pattern::Boolean(_) | Pattern::Nil => {}
            Pattern::Pair(first, second) => {
                first.rename(change);
                second.rename(change);
            }
            Pattern::List(patterns) | Pattern::ConsStar(patterns) => {
                patterns.iter_mut().for_each(|pattern| pattern.rename(change));
            }
        }
    }
}

impl Definition {
    /// Adds its name and the names of its parameters.
    pub fn names<'definition>(&'definition self, names: &mut Vec<&'definition str>) {
        names.push(&self.name);
        self.parameters.iter().flatten().for_each(|pattern| pattern.names(names));
    }

    /// Changes its name and the names of its parameters.
    pub fn rename(&mut self, change: &mut dyn FnMut(&mut String)) {
        change(&mut self.name);
        self.parameters.iter_mut().flatten().for_each(|pattern| pattern.rename(change));
    }
}

/// The parts of a form that bind names.
#[derive(Debug, Default)]
pub struct Bound<'form> {
    /// A name by itself: the name of a loop, or of all operands of a lambda together.
    pub name: Option<&'form String>,
    /// The patterns.
    pub patterns: &'form [Pattern],
    /// The definitions.
    pub definitions: &'form [Definition],
}

/// The same to be changed.
#[derive(Debug, Default)]
pub struct BoundMut<'form> {
    /// A name by itself.
    pub name: Option<&'form mut String>,
    /// The patterns.
    pub patterns: Option<&'form mut Vec<Pattern>>,
    /// The definitions.
    pub definitions: Option<&'form mut Vec<Definition>>,
}

impl Form {
    /// The parts that bind names.
    pub fn bound(&self) -> Bound<'_> {
        match self {
            Form::Lambda(Parameters::Whole(name)) => Bound { name: Some(name), ..Bound::default() },
            Form::Lambda(Parameters::Each(patterns)) | Form::Let(_, patterns) => Bound { patterns, ..Bound::default() },
            Form::Loop(name, patterns) => Bound { name: Some(name), patterns, ..Bound::default() },
            Form::Letrec(definitions) | Form::Block(definitions) => Bound { definitions, ..Bound::default() },
            Form::Real(_)
            | Form::Boolean(_)
            | Form::Nil
            | Form::Quoted
            | Form::Name(_)
            | Form::Call
            | Form::If
            | Form::Cond
            | Form::And
            | Form::Or
            | Form::Begin
            | Form::Cons
            | Form::ConsStar
            | Form::List
            | Form::Template(_) => Bound::default(),
        }
    }

    /// The parts that bind names, for changes.
    pub fn bound_mut(&mut self) -> BoundMut<'_> {
        match self {
            Form::Lambda(Parameters::Whole(name)) => BoundMut { name: Some(name), ..BoundMut::default() },
            Form::Lambda(Parameters::Each(patterns)) | Form::Let(_, patterns) => {
                BoundMut { patterns: Some(patterns), ..BoundMut::default() }
            }
            Form::Loop(name, patterns) => {
                BoundMut { name: Some(name), patterns: Some(patterns), ..BoundMut::default() }
            }
            Form::Letrec(definitions) | Form::Block(definitions) => {
                BoundMut { definitions: Some(definitions), ..BoundMut::default() }
            }
            Form::Real(_)
            | Form::Boolean(_)
            | Form::Nil
            | Form::Quoted
            | Form::Name(_)
            | Form::Call
            | Form::If
            | Form::Cond
            | Form::And
            | Form::Or
            | Form::Begin
            | Form::Cons
            | Form::ConsStar
            | Form::List
            | Form::Template(_) => BoundMut::default(),
        }
    }

    /// Adds the names that it binds.
    pub fn names<'form>(&'form self, names: &mut Vec<&'form str>) {
        let Bound { name, patterns, definitions } = self.bound();
        names.extend(name.map(String::as_str));
        patterns.iter().for_each(|pattern| pattern.names(names));
        definitions.iter().for_each(|definition| definition.names(names));
    }

    /// Changes the names that it binds, or the one that it mentions.
    pub fn rename(&mut self, change: &mut dyn FnMut(&mut String)) {
        if let Form::Name(name) = self {
            return change(name);
        }
        let BoundMut { name, patterns, definitions } = self.bound_mut();
        name.into_iter().for_each(&mut *change);
        patterns.into_iter().flatten().for_each(|pattern| pattern.rename(change));
        definitions.into_iter().flatten().for_each(|definition| definition.rename(change));
    }
}

impl Node {
    /// A node.
    pub fn new(form: Form, gives: Type, children: impl Into<Vec<Node>>) -> Node {
        Node { form, gives, children: children.into() }
    }

    /// A real.
    pub fn real(real: f64) -> Node {
        Node::new(Form::Real(real), Type::Real, [])
    }

    /// A variable.
    pub fn name(name: &str, gives: Type) -> Node {
        Node::new(Form::Name(name.to_owned()), gives, [])
    }

    /// A call of a procedure that has a name.
    pub fn call(name: &str, gives: Type, operands: impl IntoIterator<Item = Node>) -> Node {
        let types = Vec::new();
        let operator = Node::name(name, Type::procedure(types, gives.clone()));
        Node::new(Form::Call, gives, std::iter::once(operator).chain(operands).collect::<Vec<_>>())
    }

    /// A value with a tag.
    pub fn marked(mark: ReflectiveTag, value: Node) -> Node {
        let name = match mark {
            ReflectiveTag::Bundle => "j*",
            ReflectiveTag::Perturbation => "perturb",
            ReflectiveTag::Sensitivity => "sensitize",
            ReflectiveTag::Reversed => "*j",
        };
        let gives = Type::marked(mark, value.gives.clone());
        Node::call(name, gives, [value])
    }

    /// The bundle of a value and its tangent.
    pub fn bundle(value: Node, tangent: Node) -> Node {
        let gives = Type::marked(ReflectiveTag::Bundle, value.gives.clone());
        Node::call("bundle", gives, [value, tangent])
    }

    /// A vector of the given elements.
    pub fn vector(element: &Type, elements: Vec<Node>) -> Node {
        let list = Node::new(Form::List, Type::list(element.clone()), elements);
        Node::call("list->vector", Type::vector(element.clone()), [list])
    }

    /// A pair.
    pub fn cons(first: Node, second: Node) -> Node {
        let gives = Type::pair(first.gives.clone(), second.gives.clone());
        Node::new(Form::Cons, gives, [first, second])
    }

    /// The node and its descendants, in preorder.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        let mut left = vec![self];
        iter::from_fn(move || {
            let node = left.pop()?;
            left.extend(node.children.iter().rev());
            Some(node)
        })
    }

    /// Changes the node and then the descendants that it has by then.
    pub fn change_all(&mut self, change: &mut dyn FnMut(&mut Node)) {
        change(self);
        self.children.iter_mut().for_each(|child| child.change_all(change));
    }

    /// The number of nodes in it, itself included.
    pub fn size(&self) -> usize {
        self.nodes().count()
    }

    /// The node after so many others in preorder, for changes; subtracts the nodes that it passes from `left`.
    fn after_mut(&mut self, left: &mut usize) -> Option<&mut Node> {
        match left.checked_sub(1) {
            None => Some(self),
            Some(others) => {
                *left = others;
                self.children.iter_mut().find_map(|child| child.after_mut(left))
            }
        }
    }

    /// Returns true if the node is a variable of this name.
    pub fn is_named(&self, name: &str) -> bool {
        matches!(&self.form, Form::Name(own) if own == name)
    }

    /// Returns true if a name occurs in it.
    pub fn mentions(&self, name: &str) -> bool {
        self.nodes().any(|node| node.is_named(name))
    }

    /// The number of occurrences of a name in it.
    pub fn count(&self, name: &str) -> usize {
        self.nodes().filter(|node| node.is_named(name)).count()
    }

    /// Returns true if `j*` or `*j` is applied to one operand somewhere, which makes it a transformation.
    pub fn transforms(&self) -> bool {
        let names = |operator: &Node| operator.is_named("j*") || operator.is_named("*j");
        self.nodes().any(
            |node| matches!((&node.form, node.children.as_slice()), (Form::Call, [operator, _]) if names(operator)),
        )
    }

    /// Replaces every variable of a name by a copy of a value.
    pub fn substitute(&mut self, name: &str, value: &Node) {
        if self.is_named(name) {
            *self = value.clone();
        } else {
            self.children.iter_mut().for_each(|child| child.substitute(name, value));
        }
    }
}

impl Tree {
    /// A program that includes nothing.
    pub fn of(items: Vec<Item>) -> Tree {
        Tree { includes: Vec::new(), items }
    }

    /// All nodes in preorder; their numbers count from 0.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.items.iter().flat_map(|item| item.node().nodes())
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        self.nodes().count()
    }

    /// The node of a number.
    pub fn at(&self, number: usize) -> Option<&Node> {
        self.nodes().nth(number)
    }

    /// The node of a number, for changes.
    pub fn at_mut(&mut self, number: usize) -> Option<&mut Node> {
        let mut left = number;
        self.items.iter_mut().find_map(|item| item.node_mut().after_mut(&mut left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_numbered_through_all_items() {
        let sum = Node::call("+", Type::Real, [Node::real(1.0), Node::call("sin", Type::Real, [Node::real(2.0)])]);
        let mut tree = Tree::of(vec![Item::Expression(sum), Item::Expression(Node::real(3.0))]);
        assert_eq!(tree.size(), 7);
        let reals: Vec<usize> =
            (0..8).filter(|number| matches!(tree.at(*number), Some(Node { form: Form::Real(_), .. }))).collect();
        assert_eq!(reals, [2, 5, 6]);
        *tree.at_mut(5).unwrap() = Node::real(4.0);
        assert_eq!(tree.at(5), Some(&Node::real(4.0)));
        assert_eq!(tree.at(7), None);
    }
}
