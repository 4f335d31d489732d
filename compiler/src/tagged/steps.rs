//! Counting of the steps among the instructions of a block.

use vlad_core::ExpressionId;
use vlad_cps::Instruction;

/// Returns the number of steps among some instructions.
pub fn steps(instructions: &[Instruction]) -> u64 {
    instructions.iter().filter_map(step).count() as u64
}

/// Returns the expression node that is entered, if the instruction is a step.
pub fn step(instruction: &Instruction) -> Option<ExpressionId> {
    match instruction {
        Instruction::Step(node) => Some(*node),
        Instruction::Defined { .. }
        | Instruction::Pair { .. }
        | Instruction::Close { .. }
        | Instruction::Tie { .. }
        | Instruction::Apply { .. }
        | Instruction::Match { .. }
        | Instruction::Drop(_) => None,
    }
}
