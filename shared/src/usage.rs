//! Which nodes have a value that is used.
//!
//! A value is not used if it is bound to a variable that is not used, as the first expression of a `begin` is; and what a
//! variable stands for is used where a reference to it has a value that is used. Anything that is done with a value uses it:
//! a pair, a call, a closure, a pattern that takes it apart. Converted programs give up what is not used
//! ([`crate::cps::liveness`]); this says the same of core, so that what a capsule keeps does not depend on the engine.

use crate::core::{Expression, ExpressionId, Item, LambdaId, Pattern, Program, Reference};
use crate::cps::convert::variables_in_a_row;
use std::collections::BTreeSet;

/// For each node whether its value is used.
#[derive(Debug)]
pub struct Usage {
    is_used: Vec<bool>,
}

/// What is still to be done in the body of a procedure.
enum Task {
    /// Look at a node, whose value is used or not, with so many locals around.
    Look(ExpressionId, bool, u32),
    /// Look at the operand of a `let`, whose body has been looked at.
    LookAtOperand(LambdaId, ExpressionId, u32),
    /// The locals from that number on are out of scope.
    Leave(u32),
}

impl Usage {
    /// Looks at the whole program.
    pub fn of(program: &Program) -> Usage {
        let mut usage = Usage { is_used: vec![true; program.expressions.len()] };
        for (_, lambda) in &program.prelude {
            usage.body(program, program.lambda(*lambda).body, variables(program, *lambda));
        }
        for item in &program.items {
            let (Item::Define(_, node) | Item::Expression(node)) = *item;
            usage.body(program, node, 0);
        }
        usage
    }

    /// Whether the value of a node is used.
    pub fn is_used(&self, node: ExpressionId) -> bool {
        self.is_used.get(node.0 as usize).copied().unwrap_or(true)
    }

    /// Looks at a body, and at those of the procedures that are made in it.
    fn body(&mut self, program: &Program, body: ExpressionId, locals: u32) {
        let mut bodies = vec![(body, locals)];
        while let Some((body, locals)) = bodies.pop() {
            let mut looking = Looking { usage: self, program, locals: BTreeSet::new(), tasks: Vec::new() };
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

/// The look at one body. The last task comes first: the body of a `let` is done with before its operand.
struct Looking<'all> {
    usage: &'all mut Usage,
    program: &'all Program,
    /// The locals that are used by what has been looked at within their scope.
    locals: BTreeSet<u32>,
    tasks: Vec<Task>,
}

impl Looking<'_> {
    fn look(&mut self, node: ExpressionId, is_used: bool, depth: u32, bodies: &mut Vec<(ExpressionId, u32)>) {
        if let Some(place) = self.usage.is_used.get_mut(node.0 as usize) {
            *place = is_used;
        }
        let program = self.program;
        let procedure = |lambda: &LambdaId| (program.lambda(*lambda).body, variables(program, *lambda));
        match program.expression(node) {
            Expression::Constant(_) => {}
            Expression::Variable(reference) => {
                if is_used {
                    self.note(reference);
                }
            }
            Expression::Lambda(lambda) => {
                program.lambda(lambda).captures.iter().for_each(|capture| self.note(*capture));
                bodies.push(procedure(&lambda));
            }
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
                group.captures.iter().for_each(|capture| self.note(*capture));
                bodies.extend(group.members.iter().map(procedure));
                self.tasks.push(Task::Leave(depth));
                self.tasks.push(Task::Look(body, is_used, depth + group.members.len() as u32));
            }
        }
    }

    /// The variables of a `let` are in a row with operands that are written as one, or else its pattern uses the operand.
    fn look_at_operand(&mut self, lambda: LambdaId, operand: ExpressionId, depth: u32) {
        let row = variables_in_a_row(self.program, self.program.lambda(lambda).pattern);
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

/// How many locals the pattern of a lambda binds.
fn variables(program: &Program, lambda: LambdaId) -> u32 {
    let within = program.patterns_within(program.lambda(lambda).pattern);
    within.filter(|pattern| program.pattern(*pattern) == Pattern::Variable).count() as u32
}

/// What a tuple is written of, at most so many; the last is whatever is left.
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
