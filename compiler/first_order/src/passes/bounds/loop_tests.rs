//! Tests of loops: a loop that a length or a constant ends goes on while its counter is less.
//!
//! ```text
//! loop i := 0, s := 0                      n = length v
//!   n = length v                           loop i := 0, s := 0
//!   t = i = n                         =>     t = i < n
//!   if t: after  else: iteration             if t: iteration  else: after
//! ```
//!
//! A counter has the whole numbers from its first one on ([`crate::counted_loops`]), and a length is one of those from 0 on. So the counter
//! is the bound where it is not less for the first time, and the two tests end the loop at the same iteration. Other passes look for
//! the second one. The length of an array that the loop does not make is the same in each iteration.

use crate::counted_loops::{Counted, Last, Range, counters, natural};
use crate::variables::{assigned, is_constant};
use crate::{Block, End, Function, Operand, Statement, Unit, Variable};
use std::collections::HashSet;
use vlad_table::Comparison;

/// Changes the tests of loops, in every function.
pub fn test_for_less(unit: &mut Unit) {
    for function in &mut unit.functions {
        take_lengths_out(&mut function.body);
        let facts = Facts::of(function);
        function.body.change_statements(&mut |statement| facts.change(statement));
    }
}

/// Takes lengths that a loop computes before its test out of it.
fn take_lengths_out(block: &mut Block) {
    for mut statement in std::mem::take(&mut block.statements) {
        if let Some(inner) = statement.block_mut() {
            take_lengths_out(inner);
        }
        if let Statement::Loop { state, body, .. } = &mut statement {
            let inside = assigned(body, state);
            let is_outer =
                |inner: &Statement| matches!(inner, Statement::Length { array, .. } if is_constant(*array, &inside));
            let (outer, inner): (Vec<_>, Vec<_>) = std::mem::take(&mut body.statements).into_iter().partition(is_outer);
            block.statements.extend(outer);
            body.statements = inner;
        }
        block.statements.push(statement);
    }
    block.end.blocks_mut().into_iter().flatten().for_each(take_lengths_out);
}

/// The counters of a function, and the variables that are lengths.
struct Facts {
    counters: HashSet<Variable>,
    lengths: HashSet<Operand>,
}

impl Facts {
    fn of(function: &Function) -> Facts {
        let length = |statement: &Statement| match statement {
            Statement::Length { target, .. } => Some(Operand::Variable(*target)),
            _ => None,
        };
        Facts { counters: counters(function), lengths: function.body.all_statements().filter_map(length).collect() }
    }

    fn change(&self, statement: &mut Statement) {
        let Some(Counted { state, initial, counter, most, test, range, .. }) = Counted::of(statement, &self.counters)
        else {
            return;
        };
        let begin = state.iter().zip(initial).find(|(variable, _)| **variable == counter);
        let Some(from) = begin.and_then(|(_, initial)| natural(*initial)) else { return };
        let Some(bound) = self.bound(range, from, most) else { return };
        let Statement::Loop { body, .. } = statement else { return };
        for inner in &mut body.statements {
            if let Statement::Compare { target, comparison, first, second } = inner
                && *target == test
            {
                (*comparison, *first, *second) = (Comparison::Less, counter.into(), bound);
            }
        }
        if let (End::Branch { consequent, alternative, .. }, false) = (&mut body.end, range.holds) {
            std::mem::swap(consequent, alternative);
        }
    }

    /// The bound below which the numbers of a range are, if it is known to be a number.
    fn bound(&self, range: Range, from: f64, most: Operand) -> Option<Operand> {
        if let Some(most) = most.number() {
            return range.end(from, most).map(Operand::real);
        }
        let is_bound = match range.last {
            Last::Below => true,
            Last::Through => false,
            Last::Before => from == 0.0,
        };
        (is_bound && self.lengths.contains(&most)).then_some(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use crate::build::Building;
    use crate::random::{Dials, compare};
    use crate::text::print::print;
    use vlad_table::Operation;

    #[test]
    fn random_units_compute_the_same() {
        compare(Dials::with_arrays(), 0..2000, |unit| {
            test_for_less(unit);
            true
        });
    }

    /// The test of a loop that the comparison of a counter from 0 on with a bound ends: the length of an array, or a constant.
    fn test_of(comparison: Comparison, constant: Option<f64>) -> String {
        let mut building = Building::default();
        let function = building.declare("f", &[Kind::REALS], &[Kind::Real]);
        building.define(function, move |code, p| {
            let (zero, one) = (Operand::real(0.0), Operand::real(1.0));
            let found = code.run_loop(&[Kind::Real], &[zero], |code, state| {
                let length = code.length(p[0]);
                let ends = code.compare(comparison, state[0], constant.map_or(length, Operand::real));
                code.branch(
                    ends,
                    |_| End::Yield(vec![state[0]]),
                    |code| End::Repeat(vec![code.binary(Operation::Add, state[0], one)]),
                )
            });
            End::Yield(found)
        });
        let mut unit = building.finish();
        test_for_less(&mut unit);
        let text = print(&unit, None);
        text.lines().find(|line| line.trim().starts_with("b3 = ")).unwrap_or(&text).trim().to_owned()
    }

    #[test]
    fn loops_that_a_length_or_a_constant_ends_go_on_below_it() {
        assert_eq!(test_of(Comparison::Equal, None), "b3 = r1 < r2");
        assert_eq!(test_of(Comparison::NotLess, None), "b3 = r1 < r2");
        assert_eq!(test_of(Comparison::Greater, Some(2.5)), "b3 = r1 < 3");
        assert_eq!(test_of(Comparison::Equal, Some(7.0)), "b3 = r1 < 7");
        // A counter never is a fraction, nor less than its first number.
        assert_eq!(test_of(Comparison::Equal, Some(2.5)), "b3 = r1 = 2.5");
        assert_eq!(test_of(Comparison::Equal, Some(-1.0)), "b3 = r1 = -1");
        assert_eq!(test_of(Comparison::NotLess, Some(f64::NAN)), "b3 = r1 >= +nan.0");
    }
}
