//! Builds and the loops behind them as one loop.

use super::{Element, Lowering};
use crate::counted_loops::Counted;
use crate::storage::counts::{Counts, count_for_all};
use crate::storage::patterns::fused::Fused;
use crate::{Block, End, IntegerOperation, Kind, Operand, Order, Statement, Storage, Variable};
use std::collections::HashMap;
use vlad_table::internal_bug;

impl<'unit> Lowering<'_, 'unit> {
    /// The loop of a build and of what takes its elements.
    pub(super) fn fused_loops(&mut self, fused: &Fused<'unit>) {
        let Fused { array, length, index, body, counted } = fused;
        let Counted { counter, test, iteration, after, targets, state, initial, .. } = *counted;
        let count = self.begin_build(array, *length, *index);
        let counts = count_for_all(&mut self.code, 0, body, count);
        self.code.push(Storage::Turns { count }.into());
        let of_following = count_for_all(&mut self.code, 0, iteration, count);

        let others: Vec<(Variable, Operand)> =
            state.iter().copied().zip(initial.iter().copied()).filter(|(variable, _)| *variable != counter).collect();
        let kinds: Vec<(Kind, Operand)> =
            others.iter().map(|(variable, initial)| (self.facts.function.kind((*variable).into()), *initial)).collect();
        let mut values: HashMap<Variable, Operand> = HashMap::new();
        let last = self.each((Operand::real(0.0), count), Order::Sequential, &kinds, |lowering, number, now| {
            let element = Element { shared: &[], block: body, counts };
            lowering.element((array, *index), number, element, &End::Yield(Vec::new()));
            let real = lowering.code.integer(IntegerOperation::Real, [number]);
            values = others.iter().map(|(variable, _)| *variable).zip(now.iter().copied()).collect();
            values.extend([(counter, real), (test, Operand::Boolean(true))]);
            let mut iteration = lowering.iteration(iteration, of_following, (counter, state));
            iteration.substitute(&values);
            iteration.statements.into_iter().for_each(|statement| lowering.code.push(statement));
            iteration.end
        });
        let real = self.code.integer(IntegerOperation::Real, [count]);
        let mut after_last: HashMap<Variable, Operand> =
            others.iter().map(|(variable, _)| *variable).zip(last).collect();
        after_last.extend([(counter, real), (test, Operand::Boolean(false))]);
        let mut block = self.block(after);
        block.substitute(&after_last);
        self.code.push(Statement::Bind { targets: targets.to_vec(), block });
    }

    /// An iteration of a counted loop, which repeats with the state without the counter.
    fn iteration(
        &mut self,
        iteration: &'unit Block,
        counts: Counts,
        (counter, state): (Variable, &[Variable]),
    ) -> Block {
        self.nested(|lowering| {
            let is_left_out =
                |statement: &&Statement| counts == Counts::AtOnce && matches!(statement, Statement::Count { .. });
            let statements = iteration.statements.iter().filter(|statement| !is_left_out(statement));
            statements.for_each(|statement| lowering.statement(statement));
            lowering.next_state(&iteration.end, (counter, state))
        })
    }

    fn next_state(&mut self, end: &'unit End, (counter, state): (Variable, &[Variable])) -> End {
        match end {
            End::Repeat(values) => {
                let others = state.iter().zip(values).filter(|(variable, _)| **variable != counter);
                End::Repeat(others.map(|(_, value)| *value).collect())
            }
            End::Branch { test, consequent, alternative } => {
                let [consequent, alternative] = [consequent, alternative]
                    .map(|block| Box::new(self.iteration(block, Counts::Each, (counter, state))));
                End::Branch { test: *test, consequent, alternative }
            }
            End::BailOut(node) => End::BailOut(*node),
            End::Yield(_) => internal_bug!("an iteration of a counted loop goes on"),
        }
    }
}
