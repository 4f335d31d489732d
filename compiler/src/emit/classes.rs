//! Which procedures have equal code: `equal?` and conformance ask for it while programs run, so it is settled before.
//!
//! The relation is that of [`vlad_shared::core_equality::same_code`]. Equal parts get equal numbers, from the leaves up, so
//! the time is that of walking the program once, however many procedures look alike.

use super::regions::step;
use std::collections::HashMap;
use vlad_shared::core::{Expression, ExpressionId, GroupId, Item, LambdaId, Pattern, PatternId, Program, Reference};
use vlad_shared::cps::{ActivationId, BlockId, Converted};
use vlad_shared::internal_bug;
use vlad_shared::value::Value;

/// A piece of core whose parts are known by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Shape {
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

/// A part of a tree of pairs and vectors.
enum Part<T> {
    Leaf(Shape),
    Pair(T, T),
    Vector(Vec<T>),
}

/// What is still to be numbered: parts come before what they are parts of.
enum Task {
    Look(ExpressionId),
    Number(ExpressionId),
}

struct Numbering<'program> {
    program: &'program Program,
    /// Numbers by shape; only looked up, so that its order means nothing.
    known: HashMap<Shape, u32>,
    constants: Vec<u32>,
    expressions: Vec<u32>,
    groups: Vec<Option<u32>>,
}

/// For each lambda its class: the smallest number of a lambda whose code is equal as that of a procedure. Lambdas that are
/// never made into procedures have their own.
pub fn code_classes(program: &Program) -> Vec<u32> {
    let mut numbering = Numbering {
        program,
        known: HashMap::new(),
        constants: Vec::new(),
        expressions: vec![u32::MAX; program.expressions.len()],
        groups: vec![None; program.groups.len()],
    };
    numbering.constants = program.constants.iter().map(|constant| numbering.constant(constant)).collect();
    for (_, lambda) in &program.prelude {
        numbering.expression(program.lambda(*lambda).body);
    }
    for item in &program.items {
        let (Item::Define(_, node) | Item::Expression(node)) = *item;
        numbering.expression(node);
    }
    let mut first_with = HashMap::new();
    let classes = (0..program.lambdas.len() as u32).map(|number| {
        let Some(code) = numbering.procedure(LambdaId(number)) else { return number };
        *first_with.entry(code).or_insert(number)
    });
    classes.collect()
}

/// Which places in the blocks of a program stand for others: those at the same place of equal code, as capsules are compared
/// by them. Of the activations of procedures of equal code the first stands for all.
#[derive(Debug, Default)]
pub struct Places {
    /// For each activation its first block, and that of the activation that stands for it.
    firsts: Vec<(u32, u32)>,
}

impl Places {
    /// Finds them.
    pub fn of(program: &Program, converted: &Converted) -> Places {
        let mut firsts = vec![(u32::MAX, u32::MAX); converted.activations.len()];
        for (number, block) in converted.blocks.iter().enumerate().rev() {
            if let Some(first) = firsts.get_mut(block.activation.0 as usize) {
                *first = (number as u32, number as u32);
            }
        }
        let classes = code_classes(program);
        let mut of_class: HashMap<u32, u32> = HashMap::new();
        for (lambda, activation) in converted.procedures.iter().enumerate() {
            let (Some(ActivationId(activation)), Some(class)) = (activation, classes.get(lambda)) else { continue };
            if let Some(first) = firsts.get_mut(*activation as usize) {
                first.1 = *of_class.entry(*class).or_insert(first.0);
            }
        }
        Places { firsts }
    }

    /// The block that stands for a block.
    pub fn block(&self, converted: &Converted, id: BlockId) -> BlockId {
        match self.firsts.get(converted.block(id).activation.0 as usize) {
            Some((own, other)) => BlockId(id.0 - own + other),
            None => internal_bug!("block {} belongs to an activation", id.0),
        }
    }

    /// The node that stands for the node that an instruction of a block enters; none if equal code was not converted alike.
    pub fn node(&self, converted: &Converted, id: BlockId, instruction: usize) -> Option<ExpressionId> {
        let block = converted.blocks.get(self.block(converted, id).0 as usize)?;
        block.instructions.get(instruction).and_then(step)
    }

    /// Checks that equal code is converted alike: that there is a node for each that is entered.
    pub fn check(&self, converted: &Converted) -> Result<(), String> {
        for (number, block) in converted.blocks.iter().enumerate() {
            let id = BlockId(number as u32);
            for (place, instruction) in block.instructions.iter().enumerate() {
                if step(instruction).is_some() && self.node(converted, id, place).is_none() {
                    return Err(format!("block {number} is not converted as the code that it equals"));
                }
            }
        }
        Ok(())
    }
}

impl Numbering<'_> {
    fn number(&mut self, shape: Shape) -> u32 {
        let next = self.known.len() as u32;
        *self.known.entry(shape).or_insert(next)
    }

    /// Reals by bits, so that code with NaN in it is the same as itself.
    fn constant(&mut self, constant: &Value) -> u32 {
        self.tree(constant.clone(), |_, part| match &part {
            Value::Pair(pair) => Part::Pair(pair.first.clone(), pair.second.clone()),
            Value::Vector(vector) => Part::Vector(vector.iter().collect()),
            Value::Nil => Part::Leaf(Shape::Nil),
            Value::Boolean(truth) => Part::Leaf(Shape::Boolean(*truth)),
            Value::Real(real) => Part::Leaf(Shape::Real(real.to_bits())),
            Value::Lifted(_) | Value::Primitive(_) | Value::Procedure { .. } | Value::Capsule(_) | Value::Tagged(_) => {
                internal_bug!("constants are plain data")
            }
        })
    }

    fn pattern(&mut self, pattern: PatternId) -> u32 {
        self.tree(pattern, |numbering, part| match numbering.program.pattern(part) {
            Pattern::Pair(first, second) => Part::Pair(first, second),
            Pattern::Variable => Part::Leaf(Shape::PatternVariable),
            Pattern::Constant(constant) => Part::Leaf(Shape::Constant(numbering.of_constant(constant.0))),
        })
    }

    /// Numbers a tree of pairs and vectors; `look` says what a part of it is.
    fn tree<T>(&mut self, root: T, look: impl Fn(&Self, T) -> Part<T>) -> u32 {
        enum Task<T> {
            Look(T),
            Join,
            JoinAll(usize),
        }
        let mut tasks = vec![Task::Look(root)];
        let mut numbers: Vec<u32> = Vec::new();
        while let Some(task) = tasks.pop() {
            let shape = match task {
                Task::Look(part) => match look(self, part) {
                    Part::Leaf(shape) => shape,
                    Part::Pair(first, second) => {
                        tasks.extend([Task::Join, Task::Look(second), Task::Look(first)]);
                        continue;
                    }
                    Part::Vector(elements) => {
                        tasks.push(Task::JoinAll(elements.len()));
                        tasks.extend(elements.into_iter().rev().map(Task::Look));
                        continue;
                    }
                },
                Task::Join => match (numbers.pop(), numbers.pop()) {
                    (Some(second), Some(first)) => Shape::Pair(first, second),
                    (None, _) | (_, None) => internal_bug!("the halves of a pair are numbered before it"),
                },
                Task::JoinAll(count) => match numbers.len().checked_sub(count) {
                    Some(start) => Shape::Vector(numbers.split_off(start)),
                    None => internal_bug!("the elements of a vector are numbered before it"),
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

    /// The number of an expression; the greatest there is as long as it has none.
    fn of(&self, node: ExpressionId) -> u32 {
        self.expressions.get(node.0 as usize).copied().unwrap_or(u32::MAX)
    }

    /// Numbers an expression and all that is in it.
    fn expression(&mut self, node: ExpressionId) {
        let mut tasks = vec![Task::Look(node)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Look(node) => {
                    tasks.push(Task::Number(node));
                    tasks.extend(self.parts(node).into_iter().map(Task::Look));
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

    fn parts(&self, node: ExpressionId) -> Vec<ExpressionId> {
        let body = |lambda: LambdaId| self.program.lambda(lambda).body;
        match self.program.expression(node) {
            Expression::Constant(_) | Expression::Variable(_) => Vec::new(),
            Expression::Lambda(lambda) => vec![body(lambda)],
            Expression::Application { operator, operand } => vec![operator, operand],
            Expression::Let { lambda, operand, .. } => vec![body(lambda), operand],
            Expression::Cons { first, second } => vec![first, second],
            Expression::If { test, consequent, alternative } => vec![test, consequent, alternative],
            Expression::Letrec { group, body: inner } => {
                let members = &self.program.group(group).members;
                members.iter().map(|member| body(*member)).chain([inner]).collect()
            }
        }
    }

    fn shape(&mut self, node: ExpressionId) -> Shape {
        match self.program.expression(node) {
            Expression::Constant(constant) => Shape::Constant(self.of_constant(constant.0)),
            Expression::Variable(reference) => Shape::Variable(reference),
            Expression::Lambda(lambda) => {
                Shape::Lambda { captures: self.program.lambda(lambda).captures.clone(), code: self.code(lambda) }
            }
            Expression::Application { operator, operand } => Shape::Application(self.of(operator), self.of(operand)),
            Expression::Let { lambda, operand, .. } => {
                Shape::Let { code: self.code(lambda), operand: self.of(operand) }
            }
            Expression::Cons { first, second } => Shape::Cons(self.of(first), self.of(second)),
            Expression::If { test, consequent, alternative } => {
                Shape::If(self.of(test), self.of(consequent), self.of(alternative))
            }
            Expression::Letrec { group, body } => Shape::Letrec {
                captures: self.program.group(group).captures.clone(),
                group: self.group(group),
                body: self.of(body),
            },
        }
    }

    /// A lambda whose body has its number.
    fn code(&mut self, lambda: LambdaId) -> u32 {
        let code = self.program.lambda(lambda);
        let (body, captures, depth) = (self.of(code.body), code.captures.len(), code.depth);
        let pattern = self.pattern(code.pattern);
        self.number(Shape::Code { pattern, body, captures, depth })
    }

    fn group(&mut self, id: GroupId) -> u32 {
        if let Some(Some(number)) = self.groups.get(id.0 as usize) {
            return *number;
        }
        let group = self.program.group(id);
        let members = group.members.iter().map(|member| self.code(*member)).collect();
        let number = self.number(Shape::Group { members, captures: group.captures.len() });
        if let Some(place) = self.groups.get_mut(id.0 as usize) {
            *place = Some(number);
        }
        number
    }

    /// A lambda as a procedure: a member of a group stands for its place in the group.
    fn procedure(&mut self, lambda: LambdaId) -> Option<u32> {
        let code = self.program.lambda(lambda);
        if self.of(code.body) == u32::MAX {
            return None;
        }
        Some(match code.group {
            None => self.code(lambda),
            Some((group, place)) => {
                let group = self.group(group);
                self.number(Shape::Member { group, place })
            }
        })
    }
}
