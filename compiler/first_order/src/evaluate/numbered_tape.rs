//! The tape of a reverse level whose nodes have numbers at run time, in the evaluator. Specialised code has the same in C
//! (`compiler/runtime/typed/numbered_tape.c`).

use crate::TapeAction;
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
    pub fn act(&mut self, action: TapeAction, operands: &[f64]) -> Option<f64> {
        match (action, operands) {
            (TapeAction::Begin, _) => {
                self.nodes = vec![Node::default()];
                None
            }
            (TapeAction::Independent, _) => Some(self.add(Node::default())),
            (TapeAction::Node, operands) => {
                let mut node = Node::default();
                for (place, operand) in node.operands.iter_mut().zip(operands.chunks(2)) {
                    if let [number, coefficient] = operand {
                        *place = (*number as usize, *coefficient);
                    }
                }
                let is_active = node.operands.iter().any(|operand| operand.0 > 0);
                Some(if is_active { self.add(node) } else { 0.0 })
            }
            (TapeAction::Seed, [number, cotangent]) => {
                self.contribute(*number as usize, *cotangent);
                None
            }
            (TapeAction::Sweep, _) => {
                for number in (1..self.nodes.len()).rev() {
                    let Some(node) = self.nodes.get(number).copied() else { break };
                    for (operand, coefficient) in node.operands.into_iter().filter(|operand| operand.0 > 0) {
                        let product = evaluate_binary(Operation::GuardedMultiply, coefficient, node.accumulator);
                        self.contribute(operand, product);
                    }
                }
                None
            }
            (TapeAction::Accumulator, [number]) => self.nodes.get(*number as usize).map(|node| node.accumulator),
            (TapeAction::Seed | TapeAction::Accumulator, _) => vlad_table::internal_bug!("actions have their operands"),
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
