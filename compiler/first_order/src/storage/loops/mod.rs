//! Counted loops as loops over ranges, and whole numbers as integers.
//!
//! | module | |
//! |---|---|
//! | [`lowering`] | the state of the pass |
//! | [`integers`] | the integers of reals that are whole numbers, for indices, tests and lengths |
//! | [`chosen`] | states and results that are some counter or some constant |
//! | [`counted`] | loops that a counter ends: loops over the parts of a range |
//! | [`repeating`] | loops whose state recurs, without the turns between |
//!
//! The code computes the same reals: an integer stands beside a real of the same value, or the real is made of it, which is exact.
//! Iterations are executed in their order and as often as before, but for elementwise loops, whose order nothing observes, and for
//! turns that would compute what has been computed already ([`repeating`]). All other loops take a turn in each iteration
//! as a statement. Integers and reals that nobody reads are left out at the end.

mod chosen;
mod counted;
mod integers;
mod lowering;
mod repeating;

use crate::build::Code;
use crate::counted_loops::Counted;
use crate::passes::shape::tidy::remove_dead_code;
use crate::passes::{Pass, Passes};
use crate::{Block, End, Kind, Operand, Statement, Storage, Unit, Variable};
use lowering::{Given, Lowering, Tail};
use repeating::countdown;

/// Lowers the loops of a unit, whose builds have been lowered.
pub fn lower(unit: &mut Unit, passes: Passes) {
    let before = unit.clone();
    for (id, function) in before.ids().zip(&before.functions) {
        let mut lowering = Lowering::of(&before, function, passes, Code::of(&mut unit.functions, id));
        let body = lowering.block(&function.body, &Tail::default());
        lowering.code.set_body(body);
    }
    remove_dead_code(unit);
}

impl<'unit> Lowering<'_, 'unit> {
    fn block(&mut self, block: &'unit Block, tail: &Tail) -> Block {
        self.nested(|lowering| {
            lowering.statements(&block.statements);
            lowering.end(&block.end, tail)
        })
    }

    fn end(&mut self, end: &'unit End, tail: &Tail) -> End {
        match end {
            End::Yield(values) => End::Yield(self.given(values, &tail.results)),
            End::Repeat(values) if tail.yields_state => End::Yield(self.given(values, &tail.state)),
            End::Repeat(values) => End::Repeat(self.given(values, &tail.state)),
            End::Branch { test, consequent, alternative } => End::Branch {
                test: self.operand(*test),
                consequent: Box::new(self.block(consequent, tail)),
                alternative: Box::new(self.block(alternative, tail)),
            },
            End::BailOut(node) => End::BailOut(*node),
        }
    }

    fn given(&mut self, values: &[Operand], ways: &[Given]) -> Vec<Operand> {
        let ways = ways.iter().copied().chain(std::iter::repeat(Given::Same));
        let given = values.iter().zip(ways).filter_map(|(value, way)| match way {
            Given::Same => Some(self.operand(*value)),
            Given::Integer => Some(self.whole(*value)),
            Given::Nothing => None,
        });
        given.collect()
    }

    fn statements(&mut self, statements: &'unit [Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &'unit Statement) {
        match statement {
            Statement::Bind { targets, block } => {
                let (assigned, results) = self.results(targets);
                let block = self.block(block, &Tail { results, ..Tail::default() });
                self.code.push(Statement::Bind { targets: assigned.clone(), block });
                self.reals(targets, &assigned);
            }
            Statement::Loop { .. } => self.loop_(statement),
            Statement::Storage(Storage::For { targets, variables, initial, end, listed, order, body }) => {
                let body = self.block(body, &Tail::default());
                let (targets, variables, order) = (targets.clone(), variables.clone(), *order);
                let (initial, end) = (self.operands(initial), self.operand(*end));
                let listed = listed.as_ref().map(|(test, items)| (self.operand(*test), self.operands(items)));
                self.code.push(Storage::For { targets, variables, initial, end, listed, order, body }.into());
            }
            _ => self.with_integers(statement),
        }
    }

    /// Writes a statement as it is.
    fn same(&mut self, statement: &Statement) {
        let mut statement = statement.clone();
        statement.change_operands(|operand| *operand = self.operand(*operand));
        self.code.push(statement);
    }

    /// The variables that are assigned for targets, of which some become integers.
    fn results(&mut self, targets: &[Variable]) -> (Vec<Variable>, Vec<Given>) {
        let assigned = targets.iter().map(|target| match self.chosen.contains(target) {
            true => (self.code.fresh(Kind::Integer), Given::Integer),
            false => (*target, Given::Same),
        });
        assigned.unzip()
    }

    /// Makes the reals of variables for which others have been assigned.
    fn reals(&mut self, variables: &[Variable], assigned: &[Variable]) {
        for (variable, integer) in variables.iter().zip(assigned).filter(|(variable, integer)| variable != integer) {
            self.real(*variable, (*integer).into());
        }
    }

    fn loop_(&mut self, statement: &'unit Statement) {
        self.begin_bounds(statement);
        if let Some(counted) = Counted::of(statement, &self.counters).filter(|_| self.passes.contains(Pass::Ranges)) {
            return self.counted(&counted);
        }
        let Statement::Loop { targets, state, initial, body } = statement else { return };
        let (assigned, results) = self.results(targets);
        let is_integer: Vec<bool> =
            state.iter().map(|variable| self.counters.contains(variable) || self.chosen.contains(variable)).collect();
        let way = |is_integer: &bool| if *is_integer { Given::Integer } else { Given::Same };
        let ways: Vec<Given> = is_integer.iter().map(way).collect();
        let initial = self.given(initial, &ways);
        let own: Vec<Variable> = state
            .iter()
            .zip(&is_integer)
            .map(|(variable, is_integer)| match is_integer {
                true => self.code.fresh(Kind::Integer),
                false => *variable,
            })
            .collect();
        let tail = Tail { results, state: ways, yields_state: false };
        match countdown(self, statement) {
            Some(countdown) => self.count_down(&countdown, (assigned.clone(), own, initial), &tail),
            None => {
                let body = self.nested(|lowering| {
                    lowering.code.push(Storage::Turns { count: Operand::real(1.0) }.into());
                    lowering.reals(state, &own);
                    lowering.statements(&body.statements);
                    lowering.end(&body.end, &tail)
                });
                self.code.push(Statement::Loop { targets: assigned.clone(), state: own, initial, body });
            }
        }
        self.reals(targets, &assigned);
    }
}

#[cfg(test)]
mod tests;
