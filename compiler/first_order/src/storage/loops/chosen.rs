//! Indices that are chosen: states of loops, and results of loops and of branches, that are some counter or some constant.
//!
//! ```text
//! loop best = 0, i = 0:  let next = if v[best] < v[i] then i else best  in  repeat (next, i + 1)
//! ```
//!
//! Like counters they are integers ([`super::integers`]), and their reals are made where they are read. So an index needs no test for a
//! fraction, and no conversion between two iterations. Variables that neither index an array nor are recorded, and of which no such
//! variable is made, stay reals.

use crate::counted_loops::natural;
use crate::{Function, Kind, Operand, Statement, Variable};
use crate::{IntegerOperation, Storage};
use std::collections::{HashMap, HashSet};

/// The chosen indices of a function, given its counters.
pub fn chosen(function: &Function, counters: &HashSet<Variable>) -> HashSet<Variable> {
    let sources = sources(function, counters);
    let mut found: HashSet<Variable> = sources.keys().copied().collect();
    loop {
        let is_index = |operand: &Operand| match operand {
            Operand::Variable(variable) => counters.contains(variable) || found.contains(variable),
            Operand::Real(_) | Operand::Boolean(_) => natural(*operand).is_some(),
        };
        let refuted: Vec<Variable> = found
            .iter()
            .filter(|variable| !sources.get(variable).is_some_and(|made| made.iter().all(is_index)))
            .copied()
            .collect();
        if refuted.is_empty() {
            break;
        }
        refuted.iter().for_each(|variable| {
            found.remove(variable);
        });
    }
    let mut wanted = HashSet::new();
    let mut pending = indexing(function);
    while let Some(variable) = pending.pop() {
        if !found.contains(&variable) || !wanted.insert(variable) {
            continue;
        }
        let made = sources.get(&variable).into_iter().flatten();
        pending.extend(made.filter_map(|operand| match operand {
            Operand::Variable(variable) => Some(*variable),
            Operand::Real(_) | Operand::Boolean(_) => None,
        }));
    }
    wanted
}

/// The reals that are made of integers.
pub fn indices(function: &Function) -> HashSet<Variable> {
    let mut found = HashSet::new();
    for statement in function.body.all_statements() {
        if let Statement::Storage(Storage::Integer { target, operation: IntegerOperation::Real, .. }) = statement {
            found.insert(*target);
        }
    }
    found
}

/// The operands of which the states of loops, and the results of loops and branches, are made, if they are reals.
fn sources(function: &Function, counters: &HashSet<Variable>) -> HashMap<Variable, Vec<Operand>> {
    let mut sources: HashMap<Variable, Vec<Operand>> = HashMap::new();
    let mut add = |variables: &[Variable], values: &[Operand]| {
        for (variable, value) in variables.iter().zip(values) {
            let is_real = function.kind(Operand::Variable(*variable)) == Kind::Real;
            if is_real && !counters.contains(variable) {
                sources.entry(*variable).or_default().push(*value);
            }
        }
    };
    for statement in function.body.all_statements() {
        match statement {
            Statement::Bind { targets, block } => block.yields().for_each(|values| add(targets, values)),
            Statement::Loop { targets, state, initial, body } => {
                add(state, initial);
                body.yields().for_each(|values| add(targets, values));
                body.repeats().for_each(|values| add(state, values));
            }
            _ => {}
        }
    }
    sources
}

/// The variables that index arrays or are recorded.
fn indexing(function: &Function) -> Vec<Variable> {
    let mut found = vec![];
    let mut add = |operand: &Operand| {
        if let Operand::Variable(variable) = operand {
            found.push(*variable);
        }
    };
    for statement in function.body.all_statements() {
        match statement {
            Statement::Element { index, .. } | Statement::Load { index, .. } | Statement::IsIndex { index, .. } => {
                add(index)
            }
            Statement::Push { values, .. } => values.iter().for_each(&mut add),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::End;
    use crate::build::Building;
    use crate::counted_loops::counters;
    use vlad_table::Operation;
    use vlad_table::primitives::Comparison;

    /// A loop that goes through an array, whose other state is chosen on each turn between itself and something else.
    fn of_loop(other: impl Fn(Operand, Operand) -> Operand + 'static) -> usize {
        let mut building = Building::default();
        let function = building.declare("f", &[Kind::REALS], &[Kind::Real]);
        building.define(function, move |code, p| {
            let length = code.length(p[0]);
            let (zero, one) = (Operand::real(0.0), Operand::real(1.0));
            let found = code.run_loop(&[Kind::Real], &[zero, zero], |code, state| {
                let (best, index) = (state[0], state[1]);
                let goes_on = code.compare(Comparison::Less, index, length);
                code.branch(
                    goes_on,
                    |code| {
                        let (first, second) = (code.element(p[0], best), code.element(p[0], index));
                        let is_larger = code.compare(Comparison::Less, first, second);
                        let next = code.bind(&[Kind::Real], |code| {
                            code.branch(is_larger, |_| End::Yield(vec![other(index, best)]), |_| End::Yield(vec![best]))
                        });
                        let more = code.binary(Operation::Add, index, one);
                        End::Repeat(vec![next[0], more])
                    },
                    |_| End::Yield(vec![best]),
                )
            });
            End::Yield(found)
        });
        let unit = building.finish();
        let function = &unit.functions[0];
        chosen(function, &counters(function)).len()
    }

    #[test]
    fn an_index_that_is_found_is_chosen() {
        // The state and the result of the branch; nothing is indexed by the result of the loop.
        assert_eq!(of_loop(|index, _| index), 2);
        assert_eq!(of_loop(|_, _| Operand::real(3.0)), 2);
        assert_eq!(of_loop(|_, _| Operand::real(0.5)), 0);
        assert_eq!(of_loop(|_, _| Operand::real(-0.0)), 0);
    }
}
