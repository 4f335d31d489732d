//! Copies of code: blocks that compute the same in variables of their own.

use crate::first_order::{Block, Function, Operand, Variable};
use std::collections::HashMap;

/// Gives new variables to all that a block assigns, and returns them.
pub fn with_new_variables(function: &mut Function, block: &mut Block) -> HashMap<Variable, Variable> {
    let mut new = HashMap::new();
    block.each_statement(&mut |statement| {
        for variable in statement.targets().iter().chain(statement.inner_variables()) {
            let kind = function.kind(Operand::Variable(*variable));
            new.insert(*variable, function.fresh(kind));
        }
    });
    let renamed = |variable: &mut Variable| {
        if let Some(new) = new.get(variable) {
            *variable = *new;
        }
    };
    block.rename(
        &mut |operand| {
            if let Operand::Variable(variable) = operand {
                renamed(variable);
            }
        },
        &mut |target| renamed(target),
    );
    new
}
