//! The parameters of functions that are read, by a fixed point over calls: what is passed only to one that is not read is
//! not read either.

use std::collections::HashSet;
use vlad_first_order::{Operand, Statement, Unit};

/// Returns for each function whether each of its parameters is read.
pub fn read(unit: &Unit) -> Vec<Vec<bool>> {
    let mut read: Vec<Vec<bool>> =
        unit.functions.iter().map(|function| vec![false; function.parameters.len()]).collect();
    let mut changes = true;
    while changes {
        changes = false;
        for (number, function) in unit.functions.iter().enumerate() {
            let mut mentioned: HashSet<Operand> = HashSet::new();
            for block in function.body.all_blocks() {
                mentioned.extend(block.end.operands());
                for statement in &block.statements {
                    match statement {
                        Statement::Call { function, arguments, .. } => {
                            let is_read = read.get(function.0 as usize);
                            let arguments = arguments.iter().zip(is_read.into_iter().flatten());
                            mentioned.extend(arguments.filter(|(_, is_read)| **is_read).map(|(argument, _)| *argument));
                        }
                        statement => mentioned.extend(statement.operands()),
                    }
                }
            }
            let own = function.parameters.iter().map(|parameter| mentioned.contains(&Operand::Variable(*parameter)));
            let own: Vec<bool> = own.collect();
            if let Some(place) = read.get_mut(number)
                && *place != own
            {
                *place = own;
                changes = true;
            }
        }
    }
    read
}
