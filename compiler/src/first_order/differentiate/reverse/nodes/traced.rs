//! Traces: code with the nodes that it makes and the identities of the values that it moves.

use super::code::read_by;
use super::frames::{Draft, FrameId, SegmentId};
use super::identity::Node;
use crate::first_order::{Division, Operand, Statement, Variable};
use std::collections::BTreeSet;
use vlad_core::ExpressionId;
use vlad_table::Operation;

/// A traced block.
#[derive(Clone, Debug)]
pub struct Traced {
    pub steps: Vec<Step>,
    pub end: TracedEnd,
}

/// A traced statement.
#[derive(Clone, Debug)]
pub enum Step {
    /// A statement that makes no node.
    Plain(Statement),
    /// An operation with an active operand.
    Node { node: Node, target: Variable, operation: Operation, first: Operand, second: Option<Operand> },
    /// A block that bails out if the test has a certain value.
    Test { test: Operand, bails_out: bool, out: Traced },
    /// A `bind` with several paths. It is kept if it is not executed again in a kept loop or `build`.
    Bind {
        frame: FrameId,
        targets: Vec<Variable>,
        own: Vec<Option<Node>>,
        inner: Node,
        block: Traced,
        is_recorded: bool,
    },
    /// A loop.
    Loop(Box<TracedLoop>),
    /// The accumulator in memory of a node that has just been made; the variable refers to it.
    Allocate { node: Node, reference: Variable },
    /// An array of given elements, some of them active.
    Array { target: Variable, elements: Vec<Operand>, shadow: Variable },
    /// A `build`.
    Build(Box<TracedBuild>),
    /// A call of a recursive function.
    Call(TracedCall),
}

/// A traced call of a recursive function.
#[derive(Clone, Debug)]
pub struct TracedCall {
    /// The instance of the callee.
    pub instance: usize,
    /// The results, then their flags.
    pub targets: Vec<Variable>,
    /// The arguments, then the flags of those that may be one node.
    pub arguments: Vec<Operand>,
    /// The own node of each result.
    pub own: Vec<Option<Node>>,
    /// The number of activations that it makes below the callee's, if that is of linear recursion.
    pub activations: Variable,
    /// The code before the call.
    pub before: SegmentId,
}

/// The end of a traced block.
#[derive(Clone, Debug)]
pub enum TracedEnd {
    Yield(Vec<Operand>),
    Repeat(Vec<Operand>),
    /// Neither block bails out on all its paths.
    Branch {
        test: Operand,
        consequent: Box<Traced>,
        alternative: Box<Traced>,
        /// The code before the branch.
        before: SegmentId,
    },
    BailOut(ExpressionId),
}

/// A traced loop. Results and state are followed by their flags, for which no own nodes are noted.
#[derive(Clone, Debug)]
pub struct TracedLoop {
    pub frame: FrameId,
    /// True if the sweep executes each iteration again, from its state on.
    pub is_recomputed: bool,
    /// True if the first execution records what the sweep reads, and is the only one ([`super::super::recording::recorded`]).
    pub is_recorded: bool,
    /// The division of its iterations, if the first execution records nothing of them.
    pub division: Option<Division>,
    pub targets: Vec<Variable>,
    pub own: Vec<Option<Node>>,
    pub state: Vec<Variable>,
    pub initial: Vec<Operand>,
    pub state_own: Vec<Option<Node>>,
    /// The first node made in the loop.
    pub inner: Node,
    pub body: Traced,
    /// The boolean of the state that is true in the first iteration alone.
    pub first: Variable,
    /// The number of the iteration; a variable of the state if the loop is swept over.
    pub count: Variable,
    /// The number of iterations; then a target.
    pub total: Variable,
    /// The number of reads before the loop, if it reads or writes and is executed again.
    pub reads: Option<Variable>,
    /// The roles of the targets.
    pub roles: Vec<Role>,
    /// The roles of the state, without its flags.
    pub state_roles: Vec<Role>,
    /// The first variable that an iteration makes.
    pub made_from: Variable,
}

/// The role of a value that a construct hands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Scalar,
    Array,
    Shadow,
}

impl TracedLoop {
    /// True if a result is an array with a shadow array, in which there are cotangents when the sweep over the loop begins.
    pub fn yields_shadow(&self) -> bool {
        self.roles.contains(&Role::Shadow)
    }
}

/// A traced `build`.
#[derive(Clone, Debug)]
pub struct TracedBuild {
    pub frame: FrameId,
    /// True if the first execution records what the sweep reads, and is the only one.
    pub is_recorded: bool,
    pub targets: Vec<Variable>,
    pub length: Operand,
    pub index: Variable,
    pub body: Traced,
    /// The first node made in the body.
    pub inner: Node,
    /// The shadow arrays of those targets that are arrays of active reals.
    pub shadows: Vec<Option<Variable>>,
    /// The roles of the targets.
    pub roles: Vec<Role>,
    /// True if a target has a shadow array.
    pub is_active: bool,
    /// The first variable that the body makes.
    pub made_from: Variable,
}

/// The way in which all paths of a block end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    Yield,
    Repeat,
}

impl Step {
    /// The variables that the statement assigns in its block.
    pub fn targets(&self) -> &[Variable] {
        match self {
            Step::Plain(statement) => statement.targets(),
            Step::Node { target, .. } | Step::Array { target, .. } | Step::Allocate { reference: target, .. } => {
                std::slice::from_ref(target)
            }
            Step::Test { .. } => &[],
            Step::Bind { targets, .. } => targets,
            Step::Loop(traced) => &traced.targets,
            Step::Build(traced) => &traced.targets,
            Step::Call(call) => &call.targets,
        }
    }

    /// Adds the variables that the statement reads, nested blocks included.
    pub fn add_reads(&self, read: &mut BTreeSet<Variable>) {
        let mut add = |operands: &[Operand]| read.extend(operands.iter().copied().filter_map(Operand::variable));
        match self {
            Step::Allocate { .. } => {}
            Step::Plain(statement) => read_by(statement, read),
            Step::Node { first, second, .. } => add(&[*first, second.unwrap_or(*first)]),
            Step::Test { test, out, .. } => {
                add(&[*test]);
                out.add_reads(read);
            }
            Step::Bind { block, .. } => block.add_reads(read),
            Step::Loop(traced) => {
                add(&traced.initial);
                traced.body.add_reads(read);
            }
            Step::Array { elements, .. } => add(elements),
            Step::Build(traced) => {
                add(&[traced.length]);
                traced.body.add_reads(read);
            }
            Step::Call(call) => add(&call.arguments),
        }
    }
}

impl Traced {
    fn add_reads(&self, read: &mut BTreeSet<Variable>) {
        self.steps.iter().for_each(|step| step.add_reads(read));
        match &self.end {
            TracedEnd::Yield(operands) | TracedEnd::Repeat(operands) => {
                read.extend(operands.iter().copied().filter_map(Operand::variable));
            }
            TracedEnd::Branch { test, consequent, alternative, .. } => {
                read.extend(test.variable());
                consequent.add_reads(read);
                alternative.add_reads(read);
            }
            TracedEnd::BailOut(_) => {}
        }
    }

    /// The statement of the block itself that assigns a variable.
    pub fn definition(&self, variable: Variable) -> Option<&Step> {
        self.steps.iter().find(|step| step.targets().contains(&variable))
    }

    pub fn ends(&self) -> Option<Ends> {
        match &self.end {
            TracedEnd::Yield(_) => Some(Ends::Yield),
            TracedEnd::Repeat(_) => Some(Ends::Repeat),
            TracedEnd::Branch { consequent, alternative, .. } => {
                consequent.ends().filter(|ends| alternative.ends() == Some(*ends))
            }
            TracedEnd::BailOut(_) => None,
        }
    }

    /// True if an augmented function is called on a path of the frame itself.
    pub fn calls_on_a_path(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Call(_)))
            || match &self.end {
                TracedEnd::Branch { consequent, alternative, .. } => {
                    consequent.calls_on_a_path() || alternative.calls_on_a_path()
                }
                TracedEnd::Yield(_) | TracedEnd::Repeat(_) | TracedEnd::BailOut(_) => false,
            }
    }

    /// True if the block is swept over whatever it yields: an augmented function is called, and what it pushes is to be
    /// popped, or an accumulator in memory is made, and what it has is to be handed over.
    pub fn calls(&self) -> bool {
        let called = self.steps.iter().any(|step| match step {
            Step::Plain(_) | Step::Test { .. } | Step::Node { .. } => false,
            Step::Bind { block, .. } => block.calls(),
            Step::Loop(traced) => traced.body.calls(),
            Step::Build(build) => build.is_active,
            Step::Call(_) | Step::Array { .. } | Step::Allocate { .. } => true,
        });
        match &self.end {
            TracedEnd::Branch { consequent, alternative, .. } => called || consequent.calls() || alternative.calls(),
            TracedEnd::Yield(_) | TracedEnd::Repeat(_) | TracedEnd::BailOut(_) => called,
        }
    }

    /// Visits the nodes to which the sweep over the block may contribute.
    pub fn contributed(&self, visit: &mut impl FnMut(BTreeSet<Node>), draft: &Draft) {
        for step in &self.steps {
            match step {
                Step::Plain(_) | Step::Test { .. } | Step::Allocate { .. } => {}
                Step::Array { elements, .. } => {
                    elements.iter().for_each(|element| visit(draft.identity(*element).nodes()));
                }
                Step::Build(build) => build.body.contributed(visit, draft),
                Step::Node { first, second, .. } => {
                    visit(draft.identity(*first).nodes());
                    second.iter().for_each(|second| visit(draft.identity(*second).nodes()));
                }
                Step::Bind { block, .. } => block.contributed(visit, draft),
                Step::Loop(inner) => inner.body.contributed(visit, draft),
                Step::Call(call) => {
                    call.arguments.iter().for_each(|argument| visit(draft.identity(*argument).nodes()));
                }
            }
        }
        if let TracedEnd::Branch { consequent, alternative, .. } = &self.end {
            consequent.contributed(visit, draft);
            alternative.contributed(visit, draft);
        }
    }
}
