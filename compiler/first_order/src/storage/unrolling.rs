//! Unrolling of loops of few instructions.
//!
//! The test, the jump and the counting of such an iteration take as long as its operations, and a processor sees less of the next
//! iterations. The iterations are executed in their order, so no bit changes. C compilers do not unroll a loop at `-O2` unless they
//! are asked.

use crate::effects::Effect;
use crate::{Block, Order, Statement};
use vlad_table::Operation;

/// The most statements of an iteration.
const MOST: usize = 24;

/// The order of iterations that are a block, one after another.
pub fn order_of(iteration: &Block) -> Order {
    if is_short(iteration) { Order::Unrolled } else { Order::Sequential }
}

/// Returns true if other code is entered in a block that may need all registers, but for that of records.
pub fn is_left(block: &Block) -> bool {
    block.all_statements().any(|statement| {
        matches!(statement.effect(), Effect::Repeated | Effect::Call | Effect::Changing | Effect::World)
            || matches!(
                statement,
                Statement::Array { .. }
                    | Statement::Zeros { .. }
                    | Statement::CompareArrays { .. }
                    | Statement::Act { .. }
            )
    })
}

/// True for a block without loops and calls, of few statements.
fn is_short(iteration: &Block) -> bool {
    let mut operations = iteration.all_statements().filter_map(Statement::operation);
    iteration.all_statements().count() <= MOST && operations.all(Operation::is_instruction) && !is_left(iteration)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Building;
    use crate::{End, Kind};

    /// True if the body of a function that applies an operation so many times is short.
    fn is_short_after(operation: Operation, count: usize) -> bool {
        let mut building = Building::default();
        let function = building.declare("f", &[Kind::Real], &[Kind::Real]);
        building.define(function, |code, p| {
            let mut value = p[0];
            for _ in 0..count {
                value = code.binary(operation, value, p[0]);
            }
            End::Yield(vec![value])
        });
        is_short(&building.finish().functions[0].body)
    }

    #[test]
    fn few_operations_are_short() {
        assert!(is_short_after(Operation::Multiply, MOST));
        assert!(!is_short_after(Operation::Multiply, MOST + 1));
    }

    #[test]
    fn what_calls_a_function_is_not_short() {
        assert!(!is_short_after(Operation::Modulo, 1));
    }
}
