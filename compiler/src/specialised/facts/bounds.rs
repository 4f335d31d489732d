//! Comparisons of counters with numbers that do not change in a loop, as comparisons of integers.

use std::collections::HashSet;
use vlad_first_order::{Function, Operand, Statement, Variable};
use vlad_table::Comparison;

/// A comparison of a loop's counter with a number that does not change in the loop: whether it is less. It is one of
/// integers: with the number of whole numbers from 0 below that number.
pub struct Bound {
    /// The result of the comparison.
    pub target: Variable,
    /// The number.
    pub most: Operand,
}

/// The bounds of a loop, given the variables that have integers.
pub fn bounds(statement: &Statement, integers: &HashSet<Variable>) -> Vec<Bound> {
    let Statement::Loop { state, body, .. } = statement else { return Vec::new() };
    let mut assigned: HashSet<Variable> = state.iter().copied().collect();
    body.each_statement(&mut |inner| {
        assigned.extend(inner.targets().iter().chain(inner.inner_variables()));
    });
    let mut found = Vec::new();
    body.each_statement(&mut |inner| {
        if let Statement::Compare { target, comparison: Comparison::Less, first: Operand::Variable(counter), second } =
            inner
            && integers.contains(counter)
            && state.contains(counter)
            && !matches!(second, Operand::Variable(second) if assigned.contains(second))
        {
            found.push(Bound { target: *target, most: *second });
        }
    });
    found
}

/// The results of the comparisons of a function that are comparisons of integers.
pub fn bounded(function: &Function, integers: &HashSet<Variable>) -> HashSet<Variable> {
    let mut found = HashSet::new();
    function.body.each_statement(&mut |statement| {
        found.extend(bounds(statement, integers).into_iter().map(|bound| bound.target));
    });
    found
}

/// The name of the bound of a comparison.
pub fn bound_name(target: Variable) -> String {
    format!("n{}", target.0)
}
