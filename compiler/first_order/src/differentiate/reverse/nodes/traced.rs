//! The trace of a block: its statements, with the nodes that they make and the identities of the values that they move.
//!
//! A trace has the structure of first-order code. Its [`Step`]s are statements with facts for the sweep; a step that makes no node
//! is the statement itself. [`super::super::trace`] makes it of code without levels, and inlines all calls but those of recursive
//! functions. The sweep ([`super::super::sweep`]) and the primal ([`super::super::lower`]) are emitted from it.
//!
//! A node is the static name of a tape node. A value that leaves a construct may have an *own* node, which stands for one made
//! inside, and *flags*, booleans that tell at run time which node it is ([`super::identity`]). The nodes made in a construct are
//! `inner` and all greater ones. [`super::frames`] explains frames and segments.

use super::frames::{Draft, FrameId, SegmentId};
use super::identity::Node;
use crate::{Division, Operand, Statement, Variable};
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
    /// A branch to a block that bails out, `out`, if the test has the value `bails_out`. The steps behind are the other block.
    Test { test: Operand, bails_out: bool, out: Traced },
    /// A `bind` with several paths, with the own nodes of its targets. In a recorded loop or `build` it may be recorded as well:
    /// then it is not executed again.
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
    /// An array of given elements, some of them active, with its shadow array.
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
    /// True in code with arrays: the sweep executes each iteration again, from its state on, as far as nothing is
    /// recorded of it.
    pub is_recomputed: bool,
    /// True if the first execution records what the sweep reads, so that there is no other one
    /// ([`super::super::recording::recorded`]).
    pub is_recorded: bool,
    /// The division of its iterations into intervals, if the first execution records nothing of them.
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

/// The role of a value that leaves an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Scalar,
    Array,
    /// The accumulators of an array.
    Shadow,
}

impl TracedLoop {
    /// True if a result has a shadow array, in which there are cotangents when the sweep over the loop begins.
    pub fn yields_shadow(&self) -> bool {
        self.roles.contains(&Role::Shadow)
    }

    /// True if arrays are in the state of the loop or its results. Their memory ends with an iteration, so no snapshot
    /// holds them.
    pub fn has_arrays(&self) -> bool {
        self.roles.iter().chain(&self.state_roles).any(|role| *role != Role::Scalar)
    }
}

/// A traced `build`.
#[derive(Clone, Debug)]
pub struct TracedBuild {
    pub frame: FrameId,
    /// True if the first execution records what the sweep reads, so that there is no other one.
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

    /// The operands that the statement itself reads.
    pub fn operands(&self) -> Vec<Operand> {
        match self {
            Step::Plain(statement) => statement.operands(),
            Step::Node { first, second, .. } => [Some(*first), *second].into_iter().flatten().collect(),
            Step::Test { test, .. } => vec![*test],
            Step::Loop(traced) => traced.initial.clone(),
            Step::Array { elements, .. } => elements.clone(),
            Step::Build(traced) => vec![traced.length],
            Step::Call(call) => call.arguments.clone(),
            Step::Bind { .. } | Step::Allocate { .. } => Vec::new(),
        }
    }

    /// The traced block nested in the statement, unless it bails out.
    pub fn block(&self) -> Option<&Traced> {
        match self {
            Step::Bind { block, .. } => Some(block),
            Step::Loop(traced) => Some(&traced.body),
            Step::Build(traced) => Some(&traced.body),
            Step::Plain(_)
            | Step::Node { .. }
            | Step::Test { .. }
            | Step::Allocate { .. }
            | Step::Array { .. }
            | Step::Call(_) => None,
        }
    }

    /// The operation that it is.
    pub fn operation(&self) -> Option<Operation> {
        let (Step::Plain(Statement::Operation { operation, .. }) | Step::Node { operation, .. }) = self else {
            return None;
        };
        Some(*operation)
    }

    /// Adds the variables that the statement reads, nested blocks included.
    pub fn add_reads(&self, read: &mut BTreeSet<Variable>) {
        match self {
            Step::Plain(statement) => read.extend(statement.variables_read()),
            other => read.extend(other.operands().into_iter().filter_map(Operand::variable)),
        }
        match self {
            Step::Test { out, .. } => out.add_reads(read),
            other => other.block().into_iter().for_each(|block| block.add_reads(read)),
        }
    }
}

impl TracedEnd {
    /// The operands of the end itself.
    pub fn operands(&self) -> &[Operand] {
        match self {
            TracedEnd::Yield(operands) | TracedEnd::Repeat(operands) => operands,
            TracedEnd::Branch { test, .. } => std::slice::from_ref(test),
            TracedEnd::BailOut(_) => &[],
        }
    }

    /// The two blocks of a branch.
    pub fn blocks(&self) -> Option<[&Traced; 2]> {
        match self {
            TracedEnd::Branch { consequent, alternative, .. } => Some([consequent, alternative]),
            TracedEnd::Yield(_) | TracedEnd::Repeat(_) | TracedEnd::BailOut(_) => None,
        }
    }

    /// The same blocks, to be changed.
    pub fn blocks_mut(&mut self) -> Option<[&mut Traced; 2]> {
        match self {
            TracedEnd::Branch { consequent, alternative, .. } => Some([consequent, alternative]),
            TracedEnd::Yield(_) | TracedEnd::Repeat(_) | TracedEnd::BailOut(_) => None,
        }
    }
}

impl Traced {
    /// The blocks with which the block goes on.
    pub fn branches(&self) -> impl Iterator<Item = &Traced> {
        self.end.blocks().into_iter().flatten()
    }

    /// Visits the blocks in which the paths through the block end.
    pub fn each_leaf<'traced>(&'traced self, visit: &mut impl FnMut(&'traced Traced)) {
        match self.end.blocks() {
            Some(blocks) => blocks.into_iter().for_each(|block| block.each_leaf(visit)),
            None => visit(self),
        }
    }

    /// Changes the blocks in which the paths through the block end.
    pub fn change_leaves(&mut self, change: &mut impl FnMut(&mut Traced)) {
        if let TracedEnd::Branch { consequent, alternative, .. } = &mut self.end {
            consequent.change_leaves(change);
            alternative.change_leaves(change);
        } else {
            change(self);
        }
    }

    /// Visits what each path yields.
    pub fn each_yield(&self, visit: &mut impl FnMut(&[Operand])) {
        self.each_leaf(&mut |leaf| {
            if let TracedEnd::Yield(operands) = &leaf.end {
                visit(operands);
            }
        });
    }

    fn add_reads(&self, read: &mut BTreeSet<Variable>) {
        self.steps.iter().for_each(|step| step.add_reads(read));
        read.extend(self.end.operands().iter().copied().filter_map(Operand::variable));
        self.branches().for_each(|block| block.add_reads(read));
    }

    /// The statement of the block itself that assigns a variable.
    pub fn definition(&self, variable: Variable) -> Option<&Step> {
        self.steps.iter().find(|step| step.targets().contains(&variable))
    }

    /// The way in which all paths end; none if they end in different ways, or one bails out.
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

    /// True if a recursive function is called by a step of the block or its branches, outside of nested constructs.
    pub fn calls_on_a_path(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Call(_))) || self.branches().any(Traced::calls_on_a_path)
    }

    /// True if the block is swept over even if nothing that it yields is active: a recursive function is called, whose record has
    /// to be popped, or an accumulator in memory is made, whose sum has to be read.
    pub fn calls(&self) -> bool {
        let called = |step: &Step| match step {
            Step::Plain(_) | Step::Test { .. } | Step::Node { .. } => false,
            Step::Bind { .. } | Step::Loop(_) => step.block().is_some_and(Traced::calls),
            Step::Build(build) => build.is_active,
            Step::Call(_) | Step::Array { .. } | Step::Allocate { .. } => true,
        };
        self.steps.iter().any(called) || self.branches().any(Traced::calls)
    }

    /// The nodes to whose accumulators the sweep over the block may contribute.
    pub fn contributed(&self, draft: &Draft) -> BTreeSet<Node> {
        let mut nodes = BTreeSet::new();
        for step in &self.steps {
            match step {
                Step::Node { .. } | Step::Array { .. } | Step::Call(_) => {
                    nodes.extend(step.operands().into_iter().flat_map(|operand| draft.identity(operand).nodes()));
                }
                Step::Bind { .. } | Step::Loop(_) | Step::Build(_) => {
                    nodes.extend(step.block().into_iter().flat_map(|block| block.contributed(draft)));
                }
                Step::Plain(_) | Step::Test { .. } | Step::Allocate { .. } => {}
            }
        }
        self.branches().for_each(|block| nodes.extend(block.contributed(draft)));
        nodes
    }
}
