//! The code of a program as files refer to it: nodes and procedures by their numbers in one walk, the program by its hash.
//!
//! The walk enters each node before its parts, the prelude's procedures before the items of the program. Neither numbers
//! nor hash depend on names, spans or layout: two texts with the same core have the same code.

use crate::core::{
    ConstantId, Expression, ExpressionId, GroupId, Item, LambdaId, Pattern, PatternId, Program, Reference,
};
use crate::internal_bug;
use crate::suspended::Awaited;
use crate::value::Value;
use crate::vector::Elements;
use sha2::{Digest, Sha256};

/// What the hash begins with. It changes when the same core comes to mean something else.
const MEANING: &str = "VLAD core, meaning 1";

/// The hash of a program.
pub type ProgramHash = [u8; 32];

/// Where a node stands.
#[derive(Clone, Copy, Debug)]
pub struct Standpoint {
    /// The procedure whose body it is part of; none at top level.
    pub procedure: Option<LambdaId>,
    /// How many locals are bound around it.
    pub depth: u32,
    /// What awaits its value in the same body, and the construct that does; nothing in tail position.
    pub awaiting: Option<(Awaited, ExpressionId)>,
    /// The item of the program that it stands in, its procedures included; none in the prelude.
    pub item: Option<usize>,
}

/// The code of a program.
#[derive(Debug)]
pub struct Code {
    /// The hash.
    pub hash: ProgramHash,
    /// The nodes by number. The lambda of a `let` has none: it is entered through the `let`.
    nodes: Vec<ExpressionId>,
    /// Number and standpoint of each node.
    node_places: Vec<Option<(u32, Standpoint)>>,
    /// The procedures by number; those of `let` are no values and have none.
    lambdas: Vec<LambdaId>,
    lambda_numbers: Vec<Option<u32>>,
}

impl Code {
    /// Walks a program.
    pub fn of(program: &Program) -> Code {
        let mut walk = Walk {
            program,
            hash: Sha256::new(),
            pending: Vec::new(),
            code: Code {
                hash: ProgramHash::default(),
                nodes: Vec::new(),
                node_places: vec![None; program.expressions.len()],
                lambdas: Vec::new(),
                lambda_numbers: vec![None; program.lambdas.len()],
            },
        };
        walk.text(MEANING);
        for (global, lambda) in &program.prelude {
            walk.numbers(0, &[global.0]);
            walk.procedure(*lambda, None);
            walk.go_through();
        }
        for (number, item) in program.items.iter().enumerate() {
            let top = match *item {
                Item::Define(global, top) => {
                    walk.numbers(1, &[global.0]);
                    top
                }
                Item::Expression(top) => {
                    walk.numbers(2, &[]);
                    top
                }
            };
            let standpoint = Standpoint { procedure: None, depth: 0, awaiting: None, item: Some(number) };
            walk.pending.push((top, standpoint));
            walk.go_through();
        }
        Code { hash: walk.hash.finalize().into(), ..walk.code }
    }

    /// The number of a node.
    pub fn number(&self, node: ExpressionId) -> u32 {
        self.place(node).0
    }

    /// Where a node stands.
    pub fn standpoint(&self, node: ExpressionId) -> Standpoint {
        self.place(node).1
    }

    fn place(&self, node: ExpressionId) -> (u32, Standpoint) {
        match self.node_places.get(node.0 as usize).copied().flatten() {
            Some(place) => place,
            None => internal_bug!("node {} is part of the program", node.0),
        }
    }

    /// The node of a number, if there is one.
    pub fn node(&self, number: u64) -> Option<ExpressionId> {
        self.nodes.get(usize::try_from(number).ok()?).copied()
    }

    /// The number of a procedure.
    pub fn lambda_number(&self, lambda: LambdaId) -> u32 {
        match self.lambda_numbers.get(lambda.0 as usize).copied().flatten() {
            Some(number) => number,
            None => internal_bug!("lambda {} is part of the program", lambda.0),
        }
    }

    /// The procedure of a number, if there is one.
    pub fn lambda(&self, number: u64) -> Option<LambdaId> {
        self.lambdas.get(usize::try_from(number).ok()?).copied()
    }
}

struct Walk<'program> {
    program: &'program Program,
    hash: Sha256,
    pending: Vec<(ExpressionId, Standpoint)>,
    code: Code,
}

/// What stands in the hash for each construct, pattern, reference and constant.
mod tag {
    pub const CONSTANT: u8 = 10;
    pub const VARIABLE: u8 = 11;
    pub const LAMBDA: u8 = 12;
    pub const APPLICATION: u8 = 13;
    pub const LET: u8 = 14;
    pub const CONS: u8 = 15;
    pub const IF: u8 = 16;
    pub const LETREC: u8 = 17;
    pub const PROCEDURE: u8 = 18;
    pub const ANYTHING: u8 = 20;
    pub const EQUAL_TO: u8 = 21;
    pub const PAIR_OF: u8 = 22;
    pub const LOCAL: u8 = 30;
    pub const SLOT: u8 = 31;
    pub const SIBLING: u8 = 32;
    pub const GLOBAL: u8 = 33;
    pub const PRIMITIVE: u8 = 34;
    pub const NIL: u8 = 40;
    pub const BOOLEAN: u8 = 41;
    pub const REAL: u8 = 42;
    pub const PAIR: u8 = 43;
    pub const VECTOR: u8 = 44;
}

impl Walk<'_> {
    /// Walks what is pending.
    fn go_through(&mut self) {
        while let Some((node, standpoint)) = self.pending.pop() {
            self.note(node, standpoint);
            self.enter(node, standpoint);
        }
    }

    fn note(&mut self, node: ExpressionId, standpoint: Standpoint) {
        let number = self.code.nodes.len() as u32;
        self.code.nodes.push(node);
        match self.code.node_places.get_mut(node.0 as usize) {
            Some(place) => *place = Some((number, standpoint)),
            None => internal_bug!("expression {} is in the arena", node.0),
        }
    }

    /// Hashes a node and leaves its parts to be walked, the first one on top.
    fn enter(&mut self, node: ExpressionId, at: Standpoint) {
        let program = self.program;
        let awaited = |part, awaited| (part, Standpoint { awaiting: Some((awaited, node)), ..at });
        match program.expression(node) {
            Expression::Constant(constant) => {
                self.numbers(tag::CONSTANT, &[]);
                self.constant(constant);
            }
            Expression::Variable(reference) => {
                self.numbers(tag::VARIABLE, &[]);
                self.reference(reference);
            }
            Expression::Lambda(lambda) => {
                self.numbers(tag::LAMBDA, &[]);
                self.references(&program.lambda(lambda).captures);
                self.procedure(lambda, at.item);
            }
            Expression::Application { operator, operand } => {
                self.numbers(tag::APPLICATION, &[]);
                self.pending.extend([awaited(operand, Awaited::Operand), awaited(operator, Awaited::Operator)]);
            }
            Expression::Let { lambda, operand, .. } => {
                self.numbers(tag::LET, &[]);
                let depth = at.depth + self.pattern(program.lambda(lambda).pattern);
                self.pending.push((program.lambda(lambda).body, Standpoint { depth, ..at }));
                self.pending.push(awaited(operand, Awaited::Let));
            }
            Expression::Cons { first, second } => {
                self.numbers(tag::CONS, &[]);
                self.pending.extend([awaited(second, Awaited::Second), awaited(first, Awaited::First)]);
            }
            Expression::If { test, consequent, alternative } => {
                self.numbers(tag::IF, &[]);
                self.pending.extend([(alternative, at), (consequent, at), awaited(test, Awaited::Test)]);
            }
            Expression::Letrec { group, body } => {
                let members = self.group(group, at.item);
                let inner = Standpoint { depth: at.depth + members, ..at };
                self.pending.push((body, inner));
            }
        }
    }

    /// Hashes the head of a procedure and leaves its body to be walked.
    fn procedure(&mut self, lambda: LambdaId, item: Option<usize>) {
        self.name(lambda);
        self.numbers(tag::PROCEDURE, &[]);
        let code = self.program.lambda(lambda);
        let depth = self.pattern(code.pattern);
        self.pending.push((code.body, Standpoint { procedure: Some(lambda), depth, awaiting: None, item }));
    }

    /// Gives a procedure its number.
    fn name(&mut self, lambda: LambdaId) {
        let number = self.code.lambdas.len() as u32;
        self.code.lambdas.push(lambda);
        match self.code.lambda_numbers.get_mut(lambda.0 as usize) {
            Some(place) => *place = Some(number),
            None => internal_bug!("lambda {} is in the arena", lambda.0),
        }
    }

    /// Hashes the heads of the members of a group, and tells how many they are.
    fn group(&mut self, group: GroupId, item: Option<usize>) -> u32 {
        let group = self.program.group(group);
        let members = group.members.len() as u32;
        self.numbers(tag::LETREC, &[members]);
        self.references(&group.captures);
        group.members.iter().for_each(|member| self.procedure(*member, item));
        members
    }

    /// Hashes a pattern, and tells how many locals it binds.
    fn pattern(&mut self, pattern: PatternId) -> u32 {
        let mut variables = 0;
        for part in self.program.patterns_within(pattern) {
            match self.program.pattern(part) {
                Pattern::Variable => {
                    self.numbers(tag::ANYTHING, &[]);
                    variables += 1;
                }
                Pattern::Constant(constant) => {
                    self.numbers(tag::EQUAL_TO, &[]);
                    self.constant(constant);
                }
                Pattern::Pair(..) => self.numbers(tag::PAIR_OF, &[]),
            }
        }
        variables
    }

    fn references(&mut self, references: &[Reference]) {
        self.numbers(tag::VARIABLE, &[references.len() as u32]);
        references.iter().for_each(|reference| self.reference(*reference));
    }

    fn reference(&mut self, reference: Reference) {
        match reference {
            Reference::Local(local) => self.numbers(tag::LOCAL, &[local]),
            Reference::Slot(slot) => self.numbers(tag::SLOT, &[slot]),
            Reference::Sibling(place) => self.numbers(tag::SIBLING, &[place]),
            Reference::Global(global) => self.numbers(tag::GLOBAL, &[global.0]),
            Reference::Primitive(primitive) => {
                self.numbers(tag::PRIMITIVE, &[]);
                self.text(primitive.name());
            }
        }
    }

    fn constant(&mut self, constant: ConstantId) {
        let mut pending = vec![self.program.constant(constant)];
        while let Some(value) = pending.pop() {
            match value {
                Value::Nil => self.numbers(tag::NIL, &[]),
                Value::Boolean(boolean) => self.numbers(tag::BOOLEAN, &[u32::from(*boolean)]),
                Value::Real(real) => {
                    self.numbers(tag::REAL, &[]);
                    self.hash.update(real.to_bits().to_le_bytes());
                }
                Value::Pair(pair) => {
                    self.numbers(tag::PAIR, &[]);
                    pending.extend([&pair.second, &pair.first]);
                }
                Value::Vector(vector) => {
                    self.numbers(tag::VECTOR, &[vector.len() as u32]);
                    match vector.elements() {
                        Elements::Reals(_) => {
                            self.numbers(tag::REAL, &[]);
                            let reals = vector.iter().filter_map(|value| value.base());
                            reals.for_each(|real| self.hash.update(real.to_bits().to_le_bytes()));
                        }
                        Elements::Values(values) => pending.extend(values.iter().rev()),
                    }
                }
                Value::Lifted(_)
                | Value::Primitive(_)
                | Value::Procedure { .. }
                | Value::Capsule(_)
                | Value::Tagged(_) => {
                    internal_bug!("constant {} is a datum", constant.0)
                }
            }
        }
    }

    fn numbers(&mut self, tag: u8, numbers: &[u32]) {
        self.hash.update([tag]);
        numbers.iter().for_each(|number| self.hash.update(number.to_le_bytes()));
    }

    fn text(&mut self, text: &str) {
        self.numbers(0, &[text.len() as u32]);
        self.hash.update(text);
    }
}
