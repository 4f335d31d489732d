//! Tidying: copies, constant branches, constant operations and dead code disappear, and what is left is numbered anew.

use super::dead::remove_dead_code;
use super::simplify::simplify;
use crate::first_order::call_graph::{Calls, callees, reached};
use crate::first_order::{Function, FunctionId, Operand, Unit, Variable};

/// The most times that simplification and the removal of dead code are repeated while they shrink the unit.
const MOST_ROUNDS: usize = 6;

/// Tidies a unit.
pub fn tidy(unit: &mut Unit) {
    let mut size = usize::MAX;
    for _ in 0..MOST_ROUNDS {
        unit.functions.iter_mut().for_each(simplify);
        remove_unreachable_functions(unit);
        remove_dead_code(unit);
        let now = unit.functions.iter().map(|function| function.body.size()).sum();
        if now >= size {
            break;
        }
        size = now;
    }
    unit.functions.iter_mut().for_each(number_variables);
}

/// Removes the functions that the entry does not reach, if the unit has an entry.
fn remove_unreachable_functions(unit: &mut Unit) {
    let Some(entry) = unit.entry else { return };
    let is_reached = reached(&callees(unit, Calls::All), [entry]);
    let mut next = 0;
    let numbers: Vec<FunctionId> = is_reached
        .iter()
        .map(|reached| {
            next += u32::from(*reached);
            FunctionId(next.saturating_sub(1))
        })
        .collect();
    let renumber = |function: &mut FunctionId| {
        if let Some(number) = numbers.get(function.0 as usize) {
            *function = *number;
        }
    };
    super::loops::retain(&mut unit.functions, |place| is_reached.get(place) == Some(&true));
    unit.entry.iter_mut().for_each(renumber);
    for function in &mut unit.functions {
        function.body.change_statements(&mut |statement| statement.callee_mut().into_iter().for_each(renumber));
    }
}

/// Numbers the variables of a function in the order of their text, and forgets unused ones.
fn number_variables(function: &mut Function) {
    const UNUSED: Variable = Variable(u32::MAX);
    let mut numbers = vec![UNUSED; function.variables.len()];
    let mut kinds = Vec::new();
    let variables = &function.variables;
    let mut assign = |target: &mut Variable| {
        if let (Some(number), Some(kind)) = (numbers.get_mut(target.0 as usize), variables.get(target.0 as usize)) {
            *number = Variable(kinds.len() as u32);
            kinds.push(*kind);
            *target = *number;
        }
    };
    function.parameters.iter_mut().for_each(&mut assign);
    function.body.rename(&mut |_| {}, &mut assign);
    // Targets have their new numbers, operands not yet.
    let mut renumber = |operand: &mut Operand| {
        if let Operand::Variable(variable) = operand
            && let Some(number) = numbers.get(variable.0 as usize)
        {
            *variable = *number;
        }
    };
    function.body.rename(&mut renumber, &mut |_| {});
    function.variables = kinds;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_order::passes::prepare;
    use crate::first_order::random::{Dials, compare};

    #[test]
    fn evaluated_bits_stay_the_same() {
        compare(Dials::default(), 0..2000, |unit| {
            tidy(unit);
            true
        });
    }

    #[test]
    fn evaluated_bits_stay_the_same_after_all_passes() {
        for (dials, seeds) in [(Dials::default(), 2000..4000), (Dials::straight(), 4000..5000)] {
            compare(dials, seeds, |unit| {
                prepare(unit);
                true
            });
        }
    }
}
