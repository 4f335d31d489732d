//! Equivalence classes of procedures with equal code, for `equal?` and conformance, which compare procedures at run
//! time.
//!
//! The relation is that of [`super::same_code`]. Equal parts get equal numbers, from the leaves up, so
//! the time is that of walking the program once, however many procedures look alike.

use crate::{Constant, Expression, ExpressionId, GroupId, LambdaId, Pattern, PatternId, Program, Reference};
use std::collections::HashMap;
use vlad_table::internal_bug;

/// A node of core whose children are represented by their numbers: the key of hash-consing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum NodeKey {
    Nil,
    Boolean(bool),
    Real(u64),
    Pair(u32, u32),
    Vector(Vec<u32>),
    PatternVariable,
    Constant(u32),
    Variable(Reference),
    Lambda { captures: Vec<Reference>, code: u32 },
    Application(u32, u32),
    Let { code: u32, operand: u32 },
    Cons(u32, u32),
    If(u32, u32, u32),
    Letrec { captures: Vec<Reference>, group: u32, body: u32 },
    Code { pattern: u32, body: u32, captures: usize, depth: u32 },
    Group { members: Vec<u32>, captures: usize },
    Member { group: u32, place: u32 },
}

/// A part of a tree of pairs.
enum PairTree<T> {
    Leaf(NodeKey),
    Pair(T, T),
}

/// An entry of the worklist: parts are numbered before the expression that contains them.
enum Task {
    Look(ExpressionId),
    Number(ExpressionId),
}

struct Numbering<'program> {
    program: &'program Program,
    /// Numbers by shape. The map is only looked up, so its order has no effect.
    known: HashMap<NodeKey, u32>,
    constants: Vec<u32>,
    expressions: Vec<u32>,
    groups: Vec<Option<u32>>,
}

/// Returns for each lambda its class: the smallest number of a lambda whose procedures have equal code. A lambda that
/// is never made into a procedure has a class of its own.
pub fn code_classes(program: &Program) -> Vec<u32> {
    let mut numbering = Numbering {
        program,
        known: HashMap::new(),
        constants: Vec::new(),
        expressions: vec![u32::MAX; program.expressions.len()],
        groups: vec![None; program.groups.len()],
    };
    for constant in program.constants.iter() {
        let number = numbering.constant(constant);
        numbering.constants.push(number);
    }
    for (_, root) in program.roots() {
        numbering.expression(root);
    }
    let mut first_with = HashMap::new();
    let classes = (0..program.lambdas.len() as u32).map(|number| {
        let Some(code) = numbering.procedure(LambdaId(number)) else { return number };
        *first_with.entry(code).or_insert(number)
    });
    classes.collect()
}

impl Numbering<'_> {
    fn number(&mut self, shape: NodeKey) -> u32 {
        let next = self.known.len() as u32;
        *self.known.entry(shape).or_insert(next)
    }

    /// Reals by bits, so that code with NaN in it is the same as itself.
    fn constant(&mut self, constant: &Constant) -> u32 {
        let shape = match constant {
            Constant::Nil => NodeKey::Nil,
            Constant::Boolean(truth) => NodeKey::Boolean(*truth),
            Constant::Real(real) => NodeKey::Real(real.to_bits()),
            Constant::Pair(first, second) => NodeKey::Pair(self.of_constant(first.0), self.of_constant(second.0)),
            Constant::Vector(elements) => {
                NodeKey::Vector(elements.iter().map(|element| self.of_constant(element.0)).collect())
            }
        };
        self.number(shape)
    }

    fn pattern(&mut self, pattern: PatternId) -> u32 {
        self.tree(pattern, |numbering, part| match numbering.program.pattern(part) {
            Pattern::Pair(first, second) => PairTree::Pair(first, second),
            Pattern::Variable => PairTree::Leaf(NodeKey::PatternVariable),
            Pattern::Constant(constant) => PairTree::Leaf(NodeKey::Constant(numbering.of_constant(constant.0))),
        })
    }

    /// Numbers a tree of pairs; `look` says what a part of it is.
    fn tree<T>(&mut self, root: T, look: impl Fn(&Self, T) -> PairTree<T>) -> u32 {
        enum Task<T> {
            Look(T),
            Join,
        }
        let mut tasks = vec![Task::Look(root)];
        let mut numbers: Vec<u32> = Vec::new();
        while let Some(task) = tasks.pop() {
            let shape = match task {
                Task::Look(part) => match look(self, part) {
                    PairTree::Leaf(shape) => shape,
                    PairTree::Pair(first, second) => {
                        tasks.extend([Task::Join, Task::Look(second), Task::Look(first)]);
                        continue;
                    }
                },
                Task::Join => match (numbers.pop(), numbers.pop()) {
                    (Some(second), Some(first)) => NodeKey::Pair(first, second),
                    (None, _) | (_, None) => internal_bug!("the halves of a pair are numbered before it"),
                },
            };
            let number = self.number(shape);
            numbers.push(number);
        }
        match numbers.pop() {
            Some(number) => number,
            None => internal_bug!("a tree has a number"),
        }
    }

    fn of_constant(&self, constant: u32) -> u32 {
        match self.constants.get(constant as usize) {
            Some(number) => *number,
            None => internal_bug!("constant {constant} is numbered"),
        }
    }

    /// The number of an expression; `u32::MAX` if it has none yet.
    fn of(&self, node: ExpressionId) -> u32 {
        self.expressions.get(node.0 as usize).copied().unwrap_or(u32::MAX)
    }

    /// Numbers an expression and all its parts.
    fn expression(&mut self, node: ExpressionId) {
        let mut tasks = vec![Task::Look(node)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Look(node) => {
                    tasks.push(Task::Number(node));
                    tasks.extend(self.program.parts_and_bodies(node).map(Task::Look));
                }
                Task::Number(node) => {
                    let shape = self.shape(node);
                    let number = self.number(shape);
                    if let Some(place) = self.expressions.get_mut(node.0 as usize) {
                        *place = number;
                    }
                }
            }
        }
    }

    fn shape(&mut self, node: ExpressionId) -> NodeKey {
        match self.program.expression(node) {
            Expression::Constant(constant) => NodeKey::Constant(self.of_constant(constant.0)),
            Expression::Variable(reference) => NodeKey::Variable(reference),
            Expression::Lambda(lambda) => {
                NodeKey::Lambda { captures: self.program.lambda(lambda).captures.clone(), code: self.code(lambda) }
            }
            Expression::Application { operator, operand } => NodeKey::Application(self.of(operator), self.of(operand)),
            Expression::Let { lambda, operand, .. } => {
                NodeKey::Let { code: self.code(lambda), operand: self.of(operand) }
            }
            Expression::Cons { first, second } => NodeKey::Cons(self.of(first), self.of(second)),
            Expression::If { test, consequent, alternative } => {
                NodeKey::If(self.of(test), self.of(consequent), self.of(alternative))
            }
            Expression::Letrec { group, body } => NodeKey::Letrec {
                captures: self.program.group(group).captures.clone(),
                group: self.group(group),
                body: self.of(body),
            },
        }
    }

    /// Numbers the code of a lambda whose body is numbered.
    fn code(&mut self, lambda: LambdaId) -> u32 {
        let code = self.program.lambda(lambda);
        let (body, captures, depth) = (self.of(code.body), code.captures.len(), code.depth);
        let pattern = self.pattern(code.pattern);
        self.number(NodeKey::Code { pattern, body, captures, depth })
    }

    fn group(&mut self, id: GroupId) -> u32 {
        if let Some(Some(number)) = self.groups.get(id.0 as usize) {
            return *number;
        }
        let group = self.program.group(id);
        let members = group.members.iter().map(|member| self.code(*member)).collect();
        let number = self.number(NodeKey::Group { members, captures: group.captures.len() });
        if let Some(place) = self.groups.get_mut(id.0 as usize) {
            *place = Some(number);
        }
        number
    }

    /// Numbers a lambda as a procedure; a member of a recursive group is identified by its place in the group.
    fn procedure(&mut self, lambda: LambdaId) -> Option<u32> {
        let code = self.program.lambda(lambda);
        if self.of(code.body) == u32::MAX {
            return None;
        }
        Some(match code.group {
            None => self.code(lambda),
            Some((group, place)) => {
                let group = self.group(group);
                self.number(NodeKey::Member { group, place })
            }
        })
    }
}
