//! Instances of recursive functions: a function for each set of active parameters and of parameters that may be one node.

use super::super::derivatives::reaches_stack;
use super::super::refusal::{Refusal, RefusalKind};
use super::identity::Origin;
use crate::first_order::call_graph::{Calls, callees, reached};
use crate::first_order::{Function, FunctionId, Operand, Statement, Unit};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The greatest number of instances for one reverse level.
const MOST_INSTANCES: usize = 60;

/// A parameter of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Parameter {
    Inactive,
    /// The same node as an earlier parameter.
    Same(usize),
    /// A node of its own, unless a flag says that it is that of an earlier one of these parameters.
    Own(Vec<usize>),
}

/// An instance of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Instance {
    pub function: FunctionId,
    pub parameters: Vec<Parameter>,
}

/// The reverse function of an instance.
#[derive(Clone, Debug)]
pub(super) struct ReverseInstance {
    pub instance: Instance,
    pub function: FunctionId,
    /// For each parameter of the instance's function true if the function passes it on in all calls of itself. The
    /// caller of the reverse function has its value and gives it, so no record of the recursion holds it.
    pub constant: Vec<bool>,
}

/// Returns for each parameter of a function whether all calls of the function by itself pass it on.
pub(super) fn constant_parameters(unit: &Unit, function: FunctionId) -> Vec<bool> {
    let Function { parameters, body, .. } = unit.function(function);
    let mut constant = vec![true; parameters.len()];
    body.each_statement(&mut |statement| match statement {
        Statement::Call { function: callee, arguments, .. } if *callee == function => {
            for ((constant, parameter), argument) in constant.iter_mut().zip(parameters).zip(arguments) {
                *constant &= *argument == Operand::Variable(*parameter);
            }
        }
        _ => {}
    });
    constant
}

/// The instances of recursive functions for one reverse level.
#[derive(Debug, Default)]
pub(super) struct Instances {
    pub all: Vec<Instance>,
    /// For each instance the nodes that its results may be; its own nodes from 0 on are those of the parameters.
    pub results: Vec<Vec<Origin>>,
    numbers: HashMap<Instance, usize>,
    recursive: BTreeMap<FunctionId, bool>,
    /// Functions that leave the record stack as they found it.
    balanced: HashSet<FunctionId>,
    /// For functions that have been asked for: true if they can leave another record stack than they found.
    stack: HashMap<FunctionId, bool>,
}

impl Instances {
    /// No instances yet, given the functions that are known to leave the record stack as they found it.
    pub fn beside(balanced: &HashSet<FunctionId>) -> Instances {
        Instances { balanced: balanced.clone(), ..Instances::default() }
    }

    /// Returns true if a call of the function can leave another record stack than it found.
    pub fn reaches_stack(&mut self, unit: &Unit, function: FunctionId) -> bool {
        let balanced = &self.balanced;
        *self.stack.entry(function).or_insert_with(|| reaches_stack(unit, function, balanced))
    }

    /// True if the function can be reached by calls from itself.
    pub fn is_recursive(&mut self, unit: &Unit, function: FunctionId) -> bool {
        *self.recursive.entry(function).or_insert_with(|| {
            let graph = callees(unit, Calls::Plain);
            let called = graph.get(function.0 as usize).into_iter().flatten();
            let reached = reached(&graph, called.map(|callee| FunctionId(*callee as u32)));
            reached.get(function.0 as usize) == Some(&true)
        })
    }

    pub fn number(&mut self, unit: &Unit, instance: Instance) -> Result<usize, Refusal> {
        if let Some(number) = self.numbers.get(&instance) {
            return Ok(*number);
        }
        let number = self.all.len();
        if number == MOST_INSTANCES {
            return Err(Refusal::new(RefusalKind::ReverseRecursion));
        }
        self.results.push(vec![Origin::default(); unit.function(instance.function).results.len()]);
        self.numbers.insert(instance.clone(), number);
        self.all.push(instance);
        Ok(number)
    }
}
