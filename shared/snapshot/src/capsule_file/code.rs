//! The code of a program as files refer to it: nodes and procedures by their numbers in one traversal, the program by
//! its hash.
//!
//! The traversal is in preorder: it enters each node before its parts, and the prelude's procedures before the items of
//! the program. Neither numbers nor hash depend on names, spans or layout: two texts with the same core have the same
//! code.

use sha2::{Digest, Sha256};
use vlad_core::{
    Constant, ConstantId, Expression, ExpressionId, GroupId, Item, LambdaId, Pattern, PatternId, Program, Reference,
};
use vlad_runtime::suspended::Awaited;
use vlad_table::internal_bug;

/// The prefix of the hash. It changes when the same core gets another meaning.
const MEANING: &str = "VLAD core, meaning 1";

/// The hash of a program.
pub type ProgramHash = [u8; 32];

/// The position of an expression node in the program.
#[derive(Clone, Copy, Debug)]
pub struct NodePosition {
    /// The procedure whose body contains it; none at top level.
    pub procedure: Option<LambdaId>,
    /// The number of locals in scope.
    pub depth: u32,
    /// The construct in the same body that awaits its value, with the awaited part; none in tail position.
    pub awaiting: Option<(Awaited, ExpressionId)>,
    /// The item of the program that contains it, its procedures included; none in the prelude.
    pub item: Option<usize>,
}

/// The code of a program.
#[derive(Debug)]
pub struct Code {
    /// The hash.
    pub hash: ProgramHash,
    /// The expression nodes by number. The lambda of a `let` has none: it is entered through the `let`.
    nodes: Vec<ExpressionId>,
    /// The number and position of each node.
    node_places: Vec<Option<(u32, NodePosition)>>,
    /// The procedures by number; those of `let` are never values and have none.
    lambdas: Vec<LambdaId>,
    lambda_numbers: Vec<Option<u32>>,
}

impl Code {
    /// Numbers and hashes a program.
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
            let standpoint = NodePosition { procedure: None, depth: 0, awaiting: None, item: Some(number) };
            walk.pending.push((top, standpoint));
            walk.go_through();
        }
        Code { hash: walk.hash.finalize().into(), ..walk.code }
    }

    /// The expression nodes, by number.
    pub fn nodes(&self) -> impl Iterator<Item = ExpressionId> {
        self.nodes.iter().copied()
    }

    /// The number of an expression node.
    pub fn number(&self, node: ExpressionId) -> u32 {
        self.place(node).0
    }

    /// The position of an expression node.
    pub fn standpoint(&self, node: ExpressionId) -> NodePosition {
        self.place(node).1
    }

    fn place(&self, node: ExpressionId) -> (u32, NodePosition) {
        match self.node_places.get(node.0 as usize).copied().flatten() {
            Some(place) => place,
            None => internal_bug!("node {} is part of the program", node.0),
        }
    }

    /// The expression node with a number, if there is one.
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

    /// The procedure with a number, if there is one.
    pub fn lambda(&self, number: u64) -> Option<LambdaId> {
        self.lambdas.get(usize::try_from(number).ok()?).copied()
    }
}

struct Walk<'program> {
    program: &'program Program,
    hash: Sha256,
    pending: Vec<(ExpressionId, NodePosition)>,
    code: Code,
}

/// The bytes of the constructs, patterns, references and constants in the hash.
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
    /// Traverses the pending nodes.
    fn go_through(&mut self) {
        while let Some((node, standpoint)) = self.pending.pop() {
            self.note(node, standpoint);
            self.enter(node, standpoint);
        }
    }

    fn note(&mut self, node: ExpressionId, standpoint: NodePosition) {
        let number = self.code.nodes.len() as u32;
        self.code.nodes.push(node);
        match self.code.node_places.get_mut(node.0 as usize) {
            Some(place) => *place = Some((number, standpoint)),
            None => internal_bug!("expression {} is in the arena", node.0),
        }
    }

    /// Hashes a node and adds its parts to the pending nodes, the first one on top.
    fn enter(&mut self, node: ExpressionId, at: NodePosition) {
        let program = self.program;
        let awaited = |part, awaited| (part, NodePosition { awaiting: Some((awaited, node)), ..at });
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
                self.pending.push((program.lambda(lambda).body, NodePosition { depth, ..at }));
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
                let inner = NodePosition { depth: at.depth + members, ..at };
                self.pending.push((body, inner));
            }
        }
    }

    /// Hashes the head of a procedure and adds its body to the pending nodes.
    fn procedure(&mut self, lambda: LambdaId, item: Option<usize>) {
        self.name(lambda);
        self.numbers(tag::PROCEDURE, &[]);
        let code = self.program.lambda(lambda);
        let depth = self.pattern(code.pattern);
        self.pending.push((code.body, NodePosition { procedure: Some(lambda), depth, awaiting: None, item }));
    }

    /// Assigns a procedure its number.
    fn name(&mut self, lambda: LambdaId) {
        let number = self.code.lambdas.len() as u32;
        self.code.lambdas.push(lambda);
        match self.code.lambda_numbers.get_mut(lambda.0 as usize) {
            Some(place) => *place = Some(number),
            None => internal_bug!("lambda {} is in the arena", lambda.0),
        }
    }

    /// Hashes the heads of the members of a group, and returns the number of members.
    fn group(&mut self, group: GroupId, item: Option<usize>) -> u32 {
        let group = self.program.group(group);
        let members = group.members.len() as u32;
        self.numbers(tag::LETREC, &[members]);
        self.references(&group.captures);
        group.members.iter().for_each(|member| self.procedure(*member, item));
        members
    }

    /// Hashes a pattern, and returns the number of locals that it binds.
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
        let program = self.program;
        let mut pending = vec![constant];
        while let Some(constant) = pending.pop() {
            match program.constant(constant) {
                Constant::Nil => self.numbers(tag::NIL, &[]),
                Constant::Boolean(boolean) => self.numbers(tag::BOOLEAN, &[u32::from(*boolean)]),
                Constant::Real(real) => {
                    self.numbers(tag::REAL, &[]);
                    self.real(*real);
                }
                Constant::Pair(first, second) => {
                    self.numbers(tag::PAIR, &[]);
                    pending.extend([*second, *first]);
                }
                Constant::Vector(elements) => {
                    self.numbers(tag::VECTOR, &[elements.len() as u32]);
                    let real = |element: &ConstantId| match program.constant(*element) {
                        Constant::Real(real) => Some(*real),
                        Constant::Nil | Constant::Boolean(_) | Constant::Pair(..) | Constant::Vector(_) => None,
                    };
                    match elements.iter().map(real).collect::<Option<Vec<f64>>>() {
                        Some(reals) => {
                            self.numbers(tag::REAL, &[]);
                            reals.into_iter().for_each(|real| self.real(real));
                        }
                        None => pending.extend(elements.iter().rev()),
                    }
                }
            }
        }
    }

    fn real(&mut self, real: f64) {
        self.hash.update(real.to_bits().to_le_bytes());
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
