//! Operands that rarely executed blocks compute again.
//!
//! The guarded products of a region (`first_order::passes::guards::speculative`) are plain ones in the usual case, and a branch on NaN
//! leads to a block that computes all of them again, with guards. That block reads most of what the region reads. A C
//! compiler keeps all of it until the branch: in memory, since there are more reals than registers, so that each iteration
//! stores what only the block needs. So the block loads these operands again, from the record of the iteration and from
//! arrays, and executes the operations on them again: rematerialisation (Briggs, Cooper and Torczon 1992), at the one
//! place where it costs nothing. The addresses it loads from are such that C compilers do not know that they are the same.
//!
//! Names of C are those of the variables, in the scope of the block, so its code is the same as without.

use crate::c::{Expression as C, Statement as S};
use crate::specialised::function::Body;
use crate::specialised::scope::{RECORD, variable_name};
use std::collections::{BTreeSet, HashSet};
use vlad_first_order::variables::free_variables;
use vlad_first_order::{Block, End, Kind, Operand, Statement, Storage, Variable};
use vlad_table::Comparison;

/// The least number of reals that are computed again: fewer stay in registers.
const LEAST: usize = 6;

impl<'unit> Body<'unit> {
    /// The beginning of the alternative of a branch, if it is rarely executed: the operands that it computes again.
    pub fn computed_again(&self, test: Operand, consequent: &Block, alternative: &'unit Block) -> Vec<S> {
        let definitions = &self.definitions;
        let Operand::Variable(test) = test else { return Vec::new() };
        let Some(place) = definitions.places.get(&test).copied() else { return Vec::new() };
        let is_usual = consequent.statements.is_empty() && matches!(consequent.end, End::Yield(_));
        // A new state of the loop would be assigned to the names of the block.
        let repeats = alternative.repeats().next().is_some();
        if repeats || !is_usual || !definitions.statements.get(place).is_some_and(|statement| tests_for_nan(statement))
        {
            return Vec::new();
        }
        let read = free_variables(alternative);
        let again = self.again(&read, place);
        if read.iter().filter(|variable| again.contains(*variable)).count() < LEAST {
            return Vec::new();
        }
        self.computation(&self.needed(read, &again))
    }

    /// Those of some variables, and of what they are computed from in the same iteration, that can be computed again where a
    /// place is reached.
    fn again(&self, read: &[Variable], place: usize) -> HashSet<Variable> {
        let definitions = &self.definitions;
        let iteration = definitions.iteration(place);
        let is_here = |variable: &Variable| definitions.places.get(variable) > iteration.as_ref();
        let mut considered: BTreeSet<(usize, Variable)> = BTreeSet::new();
        let mut pending = read.to_vec();
        while let Some(variable) = pending.pop() {
            if let Some(of) = definitions.places.get(&variable)
                && is_here(&variable)
                && considered.insert((*of, variable))
                && let Some(Statement::Operation { first, second, .. }) = definitions.statements.get(*of)
            {
                pending.extend([Some(*first), *second].into_iter().flatten().filter_map(Operand::variable));
            }
        }
        let mut again = HashSet::new();
        for (of, variable) in considered {
            let is_there =
                |operand: Operand| operand.variable().is_none_or(|read| !is_here(&read) || again.contains(&read));
            let can_be = match definitions.statements.get(of) {
                Some(Statement::Operation { operation, first, second, .. }) => {
                    operation.is_instruction() && is_there(*first) && second.is_none_or(is_there)
                }
                Some(Statement::Element { .. }) => self.kind(variable) == Kind::Real && definitions.stay(of, place),
                Some(Statement::Storage(Storage::PopInRow { .. })) => definitions.words.contains_key(&variable),
                Some(_) | None => false,
            };
            if can_be {
                again.insert(variable);
            }
        }
        again
    }

    /// The variables that are read, and those that they are computed from, of those that can be computed again; in the
    /// order of the text.
    fn needed(&self, read: Vec<Variable>, again: &HashSet<Variable>) -> BTreeSet<(usize, Variable)> {
        let mut needed = BTreeSet::new();
        let mut pending = read;
        while let Some(variable) = pending.pop() {
            if again.contains(&variable)
                && let Some(of) = self.definitions.places.get(&variable)
                && needed.insert((*of, variable))
                && let Some(Statement::Operation { first, second, .. }) = self.definitions.statements.get(*of)
            {
                pending.extend([Some(*first), *second].into_iter().flatten().filter_map(Operand::variable));
            }
        }
        needed
    }

    /// The code that computes variables, from addresses of their own.
    fn computation(&self, needed: &BTreeSet<(usize, Variable)>) -> Vec<S> {
        let (mut addresses, mut code, mut apart) = (Vec::new(), Vec::new(), HashSet::new());
        let mut address = |name: String, ctype: &'static str, function: &'static str| {
            if apart.insert(name.clone()) {
                let same = format!("same_{name}");
                addresses.push(S::Define { ctype: ctype.into(), name: same.clone(), value: C::name(&name) });
                addresses.push(S::Define { ctype: ctype.into(), name, value: C::call(function, [C::Name(same)]) });
            }
        };
        for (of, variable) in needed {
            let Some(statement) = self.definitions.statements.get(*of) else { continue };
            match (statement, self.definitions.words.get(variable)) {
                (Statement::Storage(Storage::PopInRow { .. }), Some((record, place))) => {
                    address(record.clone(), RECORD, "vlad_record_apart");
                    self.load(record, &[*variable], &[*place], &mut code);
                }
                (Statement::Element { array: Operand::Variable(array), .. }, _) => {
                    address(variable_name(*array), "struct vlad_array", "vlad_array_apart");
                    self.statement(statement, &mut code);
                }
                _ => self.statement(statement, &mut code),
            }
        }
        addresses.extend(code);
        addresses
    }
}

/// Returns true for a test that is false for NaN alone.
fn tests_for_nan(statement: &Statement) -> bool {
    matches!(statement, Statement::Compare { comparison: Comparison::Equal, first, second, .. } if first == second)
}
