//! Sines and cosines of one angle, which one call computes, reducing the angle once for both.
//!
//! Derivatives of either need the other one. The call has the bits of the two functions (`vlad_table::math`).

use std::collections::HashMap;
use vlad_first_order::{Block, Operand, Statement, Variable};
use vlad_table::Operation;

/// The sines and cosines that are computed together: for each the number of the variable that both are named after.
pub type Angles = HashMap<Variable, Variable>;

/// The sines and cosines of one angle, both in one sequence of statements.
pub fn angles(block: &Block) -> Angles {
    let mut angles = Angles::new();
    for block in block.all_blocks() {
        let mut alone: HashMap<Operand, (Operation, Variable)> = HashMap::new();
        for statement in &block.statements {
            let Statement::Operation { target, operation, first, .. } = statement else { continue };
            if !matches!(operation, Operation::Sine | Operation::Cosine) {
                continue;
            }
            match alone.get(first) {
                Some((other, earlier)) if other != operation => {
                    angles.extend([(*target, *earlier), (*earlier, *earlier)]);
                    alone.remove(first);
                }
                Some(_) | None => {
                    alone.insert(*first, (*operation, *target));
                }
            }
        }
    }
    angles
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_first_order::End;

    #[test]
    fn two_functions_of_one_angle_are_together() {
        let of = |target: u32, operation: Operation, angle: u32| Statement::Operation {
            target: Variable(target),
            operation,
            first: Variable(angle).into(),
            second: None,
        };
        let statements = vec![
            of(10, Operation::Sine, 0),
            of(11, Operation::Cosine, 1),
            of(12, Operation::Cosine, 0),
            of(13, Operation::Cosine, 0),
            of(14, Operation::Cosine, 1),
        ];
        let inner = Block { statements: vec![of(15, Operation::Sine, 1)], end: End::Yield(Vec::new()) };
        let bind = Statement::Bind { targets: Vec::new(), block: inner };
        let block = Block { statements: statements.into_iter().chain([bind]).collect(), end: End::Yield(Vec::new()) };
        let found = angles(&block);
        assert_eq!(found, [(Variable(10), Variable(10)), (Variable(12), Variable(10))].into());
    }
}
