//! Liveness of expression nodes: the nodes whose value is used.
//!
//! A value is not used if it is bound to a variable that is not used, as is the first expression of a `begin`. A
//! binding is live if and only if a live reference reads it. Every operation on a value uses it: a pair, a call, a
//! closure, a pattern that takes it apart. Converted programs release unused values: `vlad_cps::liveness` is the
//! analysis of that other IR. This module is its counterpart for core, so that the values kept in a capsule do not
//! depend on the engine.

use crate::{Expression, ExpressionId, LambdaId, Pattern, Program, Reference};
use std::collections::BTreeSet;

/// The result of the analysis: for each node, true if its value is used.
#[derive(Debug)]
pub struct NodeLiveness {
    is_used: Vec<bool>,
}

/// A pending step of the backward traversal of a body.
enum Task {
    /// Visit a node, whose value is used or not, with so many locals bound around it.
    Look(ExpressionId, bool, u32),
    /// Visit the operand of a `let`, whose body has been visited.
    LookAtOperand(LambdaId, ExpressionId, u32),
    /// End the scope of the locals from that number on.
    Leave(u32),
}

impl NodeLiveness {
    /// Analyses the whole program.
    pub fn of(program: &Program) -> NodeLiveness {
        let mut usage = NodeLiveness { is_used: vec![true; program.expressions.len()] };
        for (procedure, body) in program.roots() {
            usage.body(program, body, procedure.map_or(0, |lambda| variables(program, lambda)));
        }
        usage
    }

    /// Returns true if the value of a node is used.
    pub fn is_used(&self, node: ExpressionId) -> bool {
        self.is_used.get(node.0 as usize).copied().unwrap_or(true)
    }

    /// Analyses a body, and those of the procedures made in it.
    fn body(&mut self, program: &Program, body: ExpressionId, locals: u32) {
        let mut bodies = vec![(body, locals)];
        while let Some((body, locals)) = bodies.pop() {
            let mut looking = BodyAnalysis { usage: self, program, locals: BTreeSet::new(), tasks: Vec::new() };
            looking.tasks.push(Task::Look(body, true, locals));
            while let Some(task) = looking.tasks.pop() {
                match task {
                    Task::Look(node, is_used, depth) => looking.look(node, is_used, depth, &mut bodies),
                    Task::LookAtOperand(lambda, operand, depth) => looking.look_at_operand(lambda, operand, depth),
                    Task::Leave(depth) => {
                        looking.locals.split_off(&depth);
                    }
                }
            }
        }
    }
}

/// The analysis of one body. The worklist is a stack: the body of a `let` is visited before its operand.
struct BodyAnalysis<'all> {
    usage: &'all mut NodeLiveness,
    program: &'all Program,
    /// The live locals: those that the nodes visited within their scope use.
    locals: BTreeSet<u32>,
    tasks: Vec<Task>,
}

impl BodyAnalysis<'_> {
    fn look(&mut self, node: ExpressionId, is_used: bool, depth: u32, bodies: &mut Vec<(ExpressionId, u32)>) {
        if let Some(place) = self.usage.is_used.get_mut(node.0 as usize) {
            *place = is_used;
        }
        let program = self.program;
        let is_unused_variable = !is_used && matches!(program.expression(node), Expression::Variable(_));
        program.references(node).filter(|_| !is_unused_variable).for_each(|reference| self.note(reference));
        let procedure = |lambda: &LambdaId| (program.lambda(*lambda).body, variables(program, *lambda));
        match program.expression(node) {
            Expression::Constant(_) | Expression::Variable(_) => {}
            Expression::Lambda(lambda) => bodies.push(procedure(&lambda)),
            Expression::Application { operator: first, operand: second } | Expression::Cons { first, second } => {
                self.tasks.extend([Task::Look(first, true, depth), Task::Look(second, true, depth)]);
            }
            Expression::Let { lambda, operand, .. } => {
                self.tasks.push(Task::LookAtOperand(lambda, operand, depth));
                let around = depth + variables(program, lambda);
                self.tasks.push(Task::Look(program.lambda(lambda).body, is_used, around));
            }
            Expression::If { test, consequent, alternative } => {
                let branches = [consequent, alternative].map(|branch| Task::Look(branch, is_used, depth));
                self.tasks.push(Task::Look(test, true, depth));
                self.tasks.extend(branches);
            }
            Expression::Letrec { group, body } => {
                let group = program.group(group);
                bodies.extend(group.members.iter().map(procedure));
                self.tasks.push(Task::Leave(depth));
                self.tasks.push(Task::Look(body, is_used, depth + group.members.len() as u32));
            }
        }
    }

    /// Visits the components of a `let`'s operand. If its pattern is a row of variables, and the operand is written as
    /// that many components, each variable decides for its own component; otherwise the pattern uses the operand.
    fn look_at_operand(&mut self, lambda: LambdaId, operand: ExpressionId, depth: u32) {
        let row = self.program.variables_in_a_row(self.program.lambda(lambda).pattern);
        let components = components(self.program, operand, row.unwrap_or(1));
        let is_row = row == Some(components.len());
        let of_let = self.locals.split_off(&depth);
        for (component, local) in components.into_iter().zip(depth..) {
            self.tasks.push(Task::Look(component, !is_row || of_let.contains(&local), depth));
        }
    }

    fn note(&mut self, reference: Reference) {
        match reference {
            Reference::Local(local) => {
                self.locals.insert(local);
            }
            Reference::Slot(_) | Reference::Sibling(_) | Reference::Global(_) | Reference::Primitive(_) => {}
        }
    }
}

/// Returns the number of locals that the pattern of a lambda binds.
fn variables(program: &Program, lambda: LambdaId) -> u32 {
    let within = program.patterns_within(program.lambda(lambda).pattern);
    within.filter(|pattern| program.pattern(*pattern) == Pattern::Variable).count() as u32
}

/// Returns the components that a tuple is written with, at most so many; the last is the rest.
fn components(program: &Program, operand: ExpressionId, most: usize) -> Vec<ExpressionId> {
    let (mut components, mut rest) = (Vec::new(), operand);
    while components.len() + 1 < most
        && let Expression::Cons { first, second } = program.expression(rest)
    {
        components.push(first);
        rest = second;
    }
    components.push(rest);
    components
}
