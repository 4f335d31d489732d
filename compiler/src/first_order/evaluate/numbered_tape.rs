//! The tape of a reverse level whose nodes have numbers at run time, in the evaluator. Specialised code has the same in C
//! (`compiler/runtime/numbered_tape.c`).

use crate::first_order::Tape;
use vlad_ad::plain::evaluate_binary;
use vlad_table::Operation;

/// A node: the numbers and the coefficients of its operands, and its accumulator.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    operands: [(usize, f64); 2],
    accumulator: f64,
}

/// A tape. Node 0 is that of all values that are no nodes.
#[derive(Clone, Debug, Default)]
pub struct NumberedTape {
    nodes: Vec<Node>,
}

impl NumberedTape {
    /// Executes an action.
    pub fn act(&mut self, action: Tape, operands: &[f64]) -> Option<f64> {
        match (action, operands) {
            (Tape::Begin, _) => {
                self.nodes = vec![Node::default()];
                None
            }
            (Tape::Independent, _) => Some(self.add(Node::default())),
            (Tape::Node, operands) => {
                let mut node = Node::default();
                for (place, operand) in node.operands.iter_mut().zip(operands.chunks(2)) {
                    if let [number, coefficient] = operand {
                        *place = (*number as usize, *coefficient);
                    }
                }
                let is_active = node.operands.iter().any(|operand| operand.0 > 0);
                Some(if is_active { self.add(node) } else { 0.0 })
            }
            (Tape::Seed, [number, cotangent]) => {
                self.contribute(*number as usize, *cotangent);
                None
            }
            (Tape::Sweep, _) => {
                for number in (1..self.nodes.len()).rev() {
                    let Some(node) = self.nodes.get(number).copied() else { break };
                    for (operand, coefficient) in node.operands.into_iter().filter(|operand| operand.0 > 0) {
                        let product = evaluate_binary(Operation::GuardedMultiply, coefficient, node.accumulator);
                        self.contribute(operand, product);
                    }
                }
                None
            }
            (Tape::Accumulator, [number]) => self.nodes.get(*number as usize).map(|node| node.accumulator),
            (
                Tape::Allocate
                | Tape::Refer
                | Tape::Add
                | Tape::Sum
                | Tape::HandOver
                | Tape::Mark
                | Tape::Release
                | Tape::Keep
                | Tape::BeginReads
                | Tape::Reads
                | Tape::ReadAgain
                | Tape::EndReads
                | Tape::Size,
                _,
            ) => {
                vlad_table::internal_bug!("accumulators in memory are not on the tape")
            }
            (Tape::Seed | Tape::Accumulator, _) => vlad_table::internal_bug!("actions have their operands"),
        }
    }

    fn add(&mut self, node: Node) -> f64 {
        self.nodes.push(node);
        (self.nodes.len() - 1) as f64
    }

    fn contribute(&mut self, number: usize, contribution: f64) {
        if number > 0
            && let Some(node) = self.nodes.get_mut(number)
        {
            node.accumulator += contribution;
        }
    }
}
