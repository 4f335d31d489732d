//! The choice between records and recomputed operations, in iterations that record something anyway: a minimum cut.
//!
//! A value that the sweep reads is recorded, or it is computed again, and then its operands are read as well. In a
//! network, each step has a node for the value and one for the recomputed operation. The nodes on the sink's side of a
//! cut are what the sweep needs. A record cuts the edge between the two nodes of a step, a recomputed operation the edge
//! from the source to it:
//!
//! ```text
//!           cost             RECORD           endless, if the sweep reads it
//!   source ------> operation -------> value ------> sink
//!                     ^
//!                     | endless, from the value of each operand
//! ```
//!
//! Only active values are recorded: operations on lengths and indices are cheap, and passes have to see them to bound
//! loops. The sweep waits for what it computes again, so among cuts of the same cost the one with the most records is
//! taken.

use super::super::nodes::Step;
use super::recorded::{BodyRecord, EXPENSIVE, least_recorded};
use crate::{Statement, Variable};
use petgraph::Direction;
use petgraph::algo::ford_fulkerson;
use petgraph::graph::{DiGraph, EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::{BTreeMap, BTreeSet};
use vlad_table::Operation;

/// The cost of a record, which is stored and loaded, where that of an operation is 1.
const RECORD: u32 = 2;

/// A cost above all others.
const ENDLESS: u32 = u32::MAX / 4;

/// The most steps of an iteration for which a cut is looked for.
const MOST_STEPS: usize = 1000;

/// The targets of an iteration's steps that are recorded for a sweep, given the variables that it reads and those that it
/// knows without a record. The state of the iteration is not among them: it is recorded if it is read. Another sweep over
/// the same iteration may have decided before: the values that it reads from records are recorded, and those that it
/// computes again are not.
pub fn recorded_values(
    steps: &[Step],
    (read, known): (&BTreeSet<Variable>, &BTreeSet<Variable>),
    body_record: &BodyRecord,
) -> BTreeSet<Variable> {
    let least = least_recorded(steps);
    let is_executed = |step: &Step| step.targets().iter().any(|target| body_record.recomputed.contains(target));
    let is_recorded = |step: &Step| {
        step.is_expensive()
            || step.targets().iter().any(|target| body_record.results.contains(target))
            || step.is_worth_recording(least) && !is_executed(step)
    };
    let anyway = steps.iter().filter(|step| is_recorded(step)).flat_map(Step::targets);
    let mut recorded: BTreeSet<Variable> = anyway.copied().collect();
    if least == EXPENSIVE || steps.len() > MOST_STEPS {
        return recorded;
    }
    let mut network = DiGraph::new();
    let (source, sink) = (network.add_node(()), network.add_node(()));
    let mut values: BTreeMap<Variable, NodeIndex> = BTreeMap::new();
    for variable in &body_record.recordable_state {
        let value = network.add_node(());
        network.add_edge(source, value, RECORD);
        values.insert(*variable, value);
    }
    let mut choices = Vec::new();
    for step in steps {
        let value = network.add_node(());
        let targets = step.targets().iter().filter(|target| !known.contains(target));
        for target in targets.clone() {
            values.insert(*target, value);
        }
        if targets.clone().any(|target| read.contains(target)) {
            network.add_edge(value, sink, ENDLESS);
        }
        if is_recorded(step) {
            network.add_edge(source, value, RECORD);
            continue;
        }
        let recomputed = network.add_node(());
        network.add_edge(source, recomputed, cost(step));
        let is_recordable = matches!(step, Step::Node { .. }) && !is_executed(step);
        network.add_edge(recomputed, value, if is_recordable { RECORD } else { ENDLESS });
        let mut operands = BTreeSet::new();
        step.add_reads(&mut operands);
        for operand in operands.iter().filter_map(|operand| values.get(operand)) {
            network.add_edge(*operand, recomputed, ENDLESS);
        }
        if is_recordable {
            choices.extend(step.targets().first().map(|target| (*target, value, recomputed)));
        }
    }
    let needed = needed(&network, source, sink);
    let is_needed = |node: NodeIndex| needed.get(node.index()) == Some(&true);
    choices.retain(|(_, value, recomputed)| is_needed(*value) && !is_needed(*recomputed));
    recorded.extend(choices.into_iter().map(|(target, ..)| target));
    recorded
}

/// The cost of executing a step again.
fn cost(step: &Step) -> u32 {
    match step.operation() {
        Some(Operation::Copy) => 0,
        Some(_) => 1,
        None => u32::from(matches!(step, Step::Plain(Statement::Element { .. }))),
    }
}

/// For each node true if it is on the side of the sink in the minimum cut whose side of the sink is smallest: if the sink can be
/// reached from it by edges that are not used up by a maximum flow.
fn needed(network: &DiGraph<(), u32>, source: NodeIndex, sink: NodeIndex) -> Vec<bool> {
    let (_, flow) = ford_fulkerson(network, source, sink);
    let carried = |edge: EdgeReference<'_, u32>| flow.get(edge.id().index()).copied().unwrap_or(0);
    let mut needed = vec![false; network.node_count()];
    let mut waiting = vec![sink];
    while let Some(node) = waiting.pop() {
        let Some(place @ false) = needed.get_mut(node.index()) else { continue };
        *place = true;
        let incoming = network.edges_directed(node, Direction::Incoming);
        waiting.extend(incoming.filter(|edge| carried(*edge) < *edge.weight()).map(|edge| edge.source()));
        let outgoing = network.edges(node);
        waiting.extend(outgoing.filter(|edge| carried(*edge) > 0).map(|edge| edge.target()));
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Operand;
    use crate::differentiate::reverse::nodes::Node;

    /// A trace of operations on variables from 0 on, each given by its operation, target and operands.
    fn steps(operations: &[(Operation, u32, [u32; 2])]) -> Vec<Step> {
        let operand = |number: u32| Operand::Variable(Variable(number));
        let step = |(operation, target, [first, second]): &(Operation, u32, [u32; 2])| Step::Node {
            node: Node(*target),
            target: Variable(*target),
            operation: *operation,
            first: operand(*first),
            second: Some(operand(*second)),
        };
        operations.iter().map(step).collect()
    }

    /// The variables that are recorded beside `DEAR`, after a sweep that has recorded some and executed others again.
    fn recorded_after(
        (recorded, executed): (&[u32], &[u32]),
        operations: &[(Operation, u32, [u32; 2])],
        read: &[u32],
        state: &[u32],
    ) -> Vec<u32> {
        let variables = |numbers: &[u32]| numbers.iter().copied().map(Variable).collect::<BTreeSet<_>>();
        let state: Vec<Variable> = state.iter().copied().map(Variable).collect();
        let mut body_record = BodyRecord::of(true, &state, state.clone());
        (body_record.results, body_record.recomputed) = (variables(recorded), variables(executed));
        let found = recorded_values(&steps(operations), (&variables(read), &BTreeSet::new()), &body_record);
        found.into_iter().map(|variable| variable.0).filter(|number| *number != DEAR.1).collect()
    }

    fn recorded(operations: &[(Operation, u32, [u32; 2])], read: &[u32], state: &[u32]) -> Vec<u32> {
        recorded_after((&[], &[]), operations, read, state)
    }

    /// An operation that is recorded anyway, without which nothing else is.
    const DEAR: (Operation, u32, [u32; 2]) = (Operation::Power, 9, [0, 1]);

    #[test]
    fn a_chain_of_operations_is_recorded_at_its_end() {
        let chain = [
            DEAR,
            (Operation::Multiply, 10, [0, 1]),
            (Operation::Add, 11, [10, 1]),
            (Operation::Multiply, 12, [11, 0]),
        ];
        assert_eq!(recorded(&chain, &[12], &[]), [12]);
        assert_eq!(recorded(&chain[1..], &[12], &[]), [0; 0]);
        assert_eq!(recorded(&chain, &[10], &[]), [0; 0]);
    }

    #[test]
    fn what_is_read_on_the_way_is_executed_again_with_it() {
        let operations = [DEAR, (Operation::Multiply, 10, [0, 1]), (Operation::Add, 11, [10, 1])];
        assert_eq!(recorded(&operations, &[10, 11], &[]), [0; 0]);
    }

    #[test]
    fn two_sweeps_over_an_iteration_record_the_same() {
        let operations = [
            DEAR,
            (Operation::Divide, 10, [0, 1]),
            (Operation::Multiply, 11, [0, 1]),
            (Operation::Add, 12, [11, 1]),
            (Operation::Multiply, 13, [12, 0]),
        ];
        assert_eq!(recorded(&operations, &[10, 13], &[]), [10, 13]);
        assert_eq!(recorded_after((&[], &[10, 13]), &operations, &[10, 13], &[]), [12]);
        assert_eq!(recorded_after((&[], &[10, 11, 12, 13]), &operations, &[10, 13], &[]), [0; 0]);
        assert_eq!(recorded_after((&[11], &[]), &operations[2..], &[11], &[]), [11]);
    }

    #[test]
    fn operands_that_are_records_themselves_count() {
        let sum = [DEAR, (Operation::Add, 10, [0, 1])];
        assert_eq!(recorded(&sum, &[10], &[]), [0; 0]);
        assert_eq!(recorded(&sum, &[10], &[0, 1]), [10]);
    }
}
