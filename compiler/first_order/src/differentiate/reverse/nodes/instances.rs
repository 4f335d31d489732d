//! Instances of recursive functions: a function for each set of active parameters, and of parameters that may be one
//! node.
//!
//! The tracer asks for the instance of each call, and [`Instances`] numbers them. All that are found are traced in
//! turn, until no more are found and all that was assumed of the nodes of their results holds.

use super::identity::Origin;
use crate::call_graph::{CallGraph, Calls};
use crate::differentiate::forward::derivatives::{executes, reaches_stack};
use crate::differentiate::refusal::{Refusal, RefusalKind};
use crate::effects::Effect;
use crate::{Block, Division, End, Function, FunctionId, FunctionTable, Operand, Recording, Statement, Unit};
use std::collections::{HashMap, HashSet};
use vlad_table::internal_bug;

/// The greatest number of instances for one reverse level.
const MOST_INSTANCES: usize = 60;

/// The number of instances from which on no more are made for parameters that are moved.
const MOST_WITH_LAST_USES: usize = 20;

/// A parameter of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    Inactive,
    /// The same node as an earlier parameter.
    Same(usize),
    /// A node of its own, unless a flag says that it is that of an earlier one of these parameters.
    Own(Vec<usize>),
    /// A node of its own, with no accumulator yet: the caller does not read it after the call ([`super::last_uses`]).
    LastUse,
}

/// An instance of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    pub function: FunctionId,
    pub parameters: Vec<Parameter>,
}

/// The reverse function of an instance.
#[derive(Clone, Debug)]
pub struct ReverseInstance {
    pub instance: Instance,
    pub primal: PrimalFunctions,
    pub function: FunctionId,
    /// For each parameter of the instance's function true if the function passes it on in all calls of itself. The
    /// caller of the reverse function has its value and gives it, so no record of the recursion holds it.
    pub constant: Vec<bool>,
    /// True if its activations are counted ([`super::super::sweep::linear_recursion`]).
    pub is_linear: bool,
}

/// An execution of a primal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Execution {
    /// True if it records values for the sweep.
    pub records: bool,
    /// True if it is the first one.
    pub counts: bool,
}

impl Execution {
    /// The first one, if everything is recorded.
    pub const FIRST: Execution = Execution { records: true, counts: true };

    /// One for the sweep over an interval of a divided loop, or over an iteration.
    pub const AGAIN: Execution = Execution { records: true, counts: false };

    /// All executions; where everything is recorded, the first one is the only one.
    const ALL: [Execution; 4] = [
        Execution::FIRST,
        Execution { records: false, counts: true },
        Execution { records: false, counts: false },
        Execution::AGAIN,
    ];

    pub fn name(self) -> &'static str {
        match (self.records, self.counts) {
            (true, true) => "augmented",
            (false, true) => "primal",
            (false, false) => "again",
            (true, false) => "augmented again",
        }
    }
}

/// The functions that execute the primal of an instance: consecutive ones.
#[derive(Clone, Copy, Debug)]
pub struct PrimalFunctions {
    first: FunctionId,
    executions: &'static [Execution],
}

impl PrimalFunctions {
    /// The functions from a number on.
    pub fn from(first: FunctionId, is_divided: bool) -> PrimalFunctions {
        let executions = if is_divided { &Execution::ALL[..] } else { Execution::ALL.split_at(1).0 };
        PrimalFunctions { first, executions }
    }

    pub fn count(&self) -> u32 {
        self.executions.len() as u32
    }

    pub fn executions(&self) -> &'static [Execution] {
        self.executions
    }

    /// The function of an execution.
    pub fn of(&self, execution: Execution) -> FunctionId {
        match self.executions.iter().position(|known| *known == execution) {
            Some(place) => FunctionId(self.first.0 + place as u32),
            None => internal_bug!("code that is not divided is executed once"),
        }
    }
}

/// Returns for each parameter of a function whether all calls of the function by itself pass it on.
pub fn constant_parameters(unit: &Unit, function: FunctionId) -> Vec<bool> {
    let Function { parameters, body, .. } = unit.function(function);
    let mut constant = vec![true; parameters.len()];
    for statement in body.all_statements() {
        if let Statement::Call { function: callee, arguments, .. } = statement
            && *callee == function
        {
            for ((constant, parameter), argument) in constant.iter_mut().zip(parameters).zip(arguments) {
                *constant &= *argument == Operand::Variable(*parameter);
            }
        }
    }
    constant
}

/// The instances of recursive functions for one reverse level.
#[derive(Debug, Default)]
pub struct Instances {
    pub all: Vec<Instance>,
    /// The division of loops; none if everything is recorded.
    pub division: Option<Division>,
    /// True if loops that are executed again read or write.
    pub has_journal: bool,
    /// For each instance the nodes that its results may be; its own nodes from 0 on are those of the parameters.
    pub results: Vec<Vec<Origin>>,
    /// For each instance true if it is that of a linear recursion.
    pub linear: Vec<bool>,
    numbers: HashMap<Instance, usize>,
    /// The calls in the unit that was asked about last, and the functions from which calls lead to recursive ones.
    calls: Option<(CallGraph, FunctionTable<bool>)>,
    /// Functions that leave the record stack as they found it.
    balanced: HashSet<FunctionId>,
    /// For functions that have been asked for: true if they can leave another record stack than they found.
    stack: HashMap<FunctionId, bool>,
}

impl Instances {
    /// No instances yet, given the functions that are known to leave the record stack as they found it.
    pub fn beside(balanced: &HashSet<FunctionId>, recording: Recording) -> Instances {
        let division = match recording {
            Recording::Everything => None,
            Recording::Checkpoints(division) => Some(division),
        };
        Instances { balanced: balanced.clone(), division, ..Instances::default() }
    }

    /// Returns true for a loop that would be executed again, and reads or writes. Then the operator has a journal.
    pub fn needs_journal(&mut self, unit: &Unit, body: &Block) -> bool {
        let is_of_world = |statement: &Statement| statement.effect() == Effect::World;
        let executes_one = |callee: FunctionId| executes(unit, callee, &HashSet::new(), is_of_world);
        let needs_journal = self.division.is_some()
            && body
                .all_statements()
                .any(|statement| is_of_world(statement) || statement.callee().is_some_and(executes_one));
        self.has_journal |= needs_journal;
        needs_journal
    }

    /// Refuses recursion whose record grows with the time that it takes, where that is to be bounded: of functions that
    /// call each other more than once on a path, in loops, or in tail position.
    fn can_be_recorded(&self, unit: &Unit, function: FunctionId) -> Result<(), Refusal> {
        if self.division.is_none() {
            return Ok(());
        }
        let graph = CallGraph::of(unit, Calls::All);
        let component = &graph.component_of(function).members;
        match component.iter().all(|member| calls_on_a_path(&unit.function(*member).body, component) <= 1) {
            true => Ok(()),
            false => Err(Refusal::new(RefusalKind::CheckpointRecursion)),
        }
    }

    /// Returns true if a call of the function can leave another record stack than it found.
    pub fn reaches_stack(&mut self, unit: &Unit, function: FunctionId) -> bool {
        let balanced = &self.balanced;
        *self.stack.entry(function).or_insert_with(|| reaches_stack(unit, function, balanced))
    }

    /// True if the function can be reached by calls from itself.
    pub fn is_recursive(&mut self, unit: &Unit, function: FunctionId) -> bool {
        self.calls(unit).0.is_recursive(function)
    }

    /// True if calls in a statement lead to a recursive function.
    pub fn lead_to_recursion(&mut self, unit: &Unit, statement: &Statement) -> bool {
        let mut called = statement.with_inner().filter_map(Statement::callee);
        called.any(|function| self.reaches_recursion(unit, function))
    }

    /// True if calls lead from the function to a recursive one, which it may be.
    pub fn reaches_recursion(&mut self, unit: &Unit, function: FunctionId) -> bool {
        self.calls(unit).1[function]
    }

    fn calls(&mut self, unit: &Unit) -> &(CallGraph, FunctionTable<bool>) {
        let is_known = |(_, reaching): &(CallGraph, FunctionTable<bool>)| reaching.len() == unit.functions.len();
        let known = self.calls.take().filter(is_known);
        self.calls.insert(known.unwrap_or_else(|| {
            let graph = CallGraph::of(unit, Calls::Plain);
            let reaching = graph.reaching(graph.numbers().filter(|id| graph.is_recursive(*id)));
            (graph, reaching)
        }))
    }

    /// The instance, where moved parameters are ordinary ones if there are many instances already.
    fn with_last_uses(&self, mut instance: Instance) -> Instance {
        if self.all.len() >= MOST_WITH_LAST_USES && !self.numbers.contains_key(&instance) {
            for parameter in &mut instance.parameters {
                if *parameter == Parameter::LastUse {
                    *parameter = Parameter::Own(Vec::new());
                }
            }
        }
        instance
    }

    pub fn number(&mut self, unit: &Unit, instance: Instance) -> Result<usize, Refusal> {
        let instance = self.with_last_uses(instance);
        if let Some(number) = self.numbers.get(&instance) {
            return Ok(*number);
        }
        self.can_be_recorded(unit, instance.function)?;
        let number = self.all.len();
        if number == MOST_INSTANCES {
            return Err(Refusal::new(RefusalKind::ReverseRecursion));
        }
        self.results.push(vec![Origin::default(); unit.function(instance.function).results.len()]);
        self.linear.push(false);
        self.numbers.insert(instance.clone(), number);
        self.all.push(instance);
        Ok(number)
    }
}

/// The greatest number of calls of some functions on a path through a block; more than one if one of them is in a loop,
/// or in tail position.
fn calls_on_a_path(block: &Block, of: &[FunctionId]) -> usize {
    const MANY: usize = 2;
    let mut calls = 0;
    for (place, statement) in block.statements.iter().enumerate() {
        let inside = statement.block().map_or(0, |block| calls_on_a_path(block, of));
        calls += if statement.repeats() && inside > 0 { MANY } else { inside };
        if statement.callee().is_some_and(|callee| of.contains(&callee)) {
            let mut results = statement.targets().iter().map(|target| Operand::Variable(*target));
            let is_last = place + 1 == block.statements.len();
            let is_tail = matches!(&block.end, End::Yield(end) if is_last && results.by_ref().eq(end.iter().copied()));
            calls += if is_tail { MANY } else { 1 };
        }
    }
    calls + block.end.blocks().into_iter().flatten().map(|block| calls_on_a_path(block, of)).max().unwrap_or(0)
}
