//! The sweep over a loop of which the first execution has recorded nothing: with checkpoints (`checkpoint-*j`).
//!
//! The number of iterations and the state before the first one are known. An interval of iterations is swept over from a
//! *snapshot*, the state before its first one. If it is short enough, a base case, its iterations are executed again and
//! recorded, and then swept over. Otherwise the state some iterations later is found by executing these again, and
//! becomes another snapshot. Snapshots are on the record stack, the latest on top. Each interval goes from the snapshot
//! on top to where the last sweep has ended:
//!
//! ```text
//! push 0, the initial state; end := the number of iterations
//! loop: pop begin, state
//!       if end - begin > base case:  push begin, state; advance by a distance; push begin + distance, the state there
//!       else:                        execute again and record begin .. end; sweep back; end := begin, done if that is 0
//! ```
//!
//! The distance is the greatest that is less than the length, of those that are a base case times a power of the number
//! of parts. So each power costs one execution of the loop at most, and the snapshots of one division.
//!
//! A state with cells has accumulators in memory, and needs more ([`states`]): memory is released as a stack is, by a
//! mark in each snapshot, and the sums of one execution are handed over to the next.
//!
//! ```text
//! loop: pop begin, mark, state
//!       if long: push begin, mark, state; advance; keep the state; push begin + distance, the mark now, the state
//!       else:    execute again and record; hand over from the results, or from ended; sweep back; release to the mark; ended := state
//! ```
//!
//! No bit changes: operations that are executed again have the values that they had, and no level of reverse mode is
//! around that could tell their nodes apart. The sums of a sweep are passed on from interval to interval, so every sum
//! has its order.

use super::super::lower::Lowering;
use super::super::nodes::{Execution, TracedLoop, read_outer};
use super::super::sweep::{Accumulators, Sweep, SweepStart, of_nodes};
use crate::differentiate::emitter::{ZERO, branch, operands, yielding};
use crate::{Block, Division, End, JournalAction, Kind, Operand, Stack, Statement, Variable};
use driver::{Driver, Leaving, Limit};
use std::collections::HashMap;
use vlad_table::{Comparison, Operation, internal_bug};

mod driver;
mod states;

/// The booleans in a word of a record.
const FLAGS_IN_WORD: usize = 64;

impl Sweep<'_> {
    /// Sweeps over a loop interval by interval.
    pub fn sweep_checkpointed(
        &mut self,
        (traced, division): (&TracedLoop, Division),
        yielded: &[Option<Operand>],
        accumulators: &mut Accumulators,
        out: &mut Vec<Statement>,
    ) {
        let outer = self.outer_nodes(&traced.body, traced.inner);
        let driver = Driver::new(traced, &outer, self.draft);
        let start = SweepStart {
            remaining: driver.end.into(),
            last: driver.last.into(),
            own: operands(&driver.own),
            outer: operands(&driver.outer),
        };
        let mut swept = Vec::new();
        let until = Some(driver.begin.into());
        let Some(result) = self.iterations_swept(traced, (yielded, &outer), (start, until), &mut swept) else { return };
        self.counted.insert(traced.count);
        let total = self.draft.read(Operand::Variable(traced.total));
        let mut initial = vec![total, Operand::Boolean(true)];
        initial.extend(driver.own.iter().map(|_| ZERO).chain(of_nodes(accumulators, &outer)));
        if let Some(cells) = &driver.cells {
            initial.extend(self.before_cells(cells, out));
        }
        let words = self.words(self.draft.exports(traced.frame).iter().map(|export| &export.0));
        let has_unknown_record = traced.body.calls() && !traced.is_recomputed;
        if words == 0 && !has_unknown_record {
            // The sweep reads nothing of the iterations, so it is one interval.
            let mut values: HashMap<Variable, Operand> = driver.state().into_iter().zip(initial).collect();
            values.insert(driver.begin, ZERO);
            let mut swept = Block { statements: swept, end: End::Yield(Vec::new()) };
            swept.substitute(&values);
            out.extend(swept.statements);
            accumulators.extend(outer.into_iter().zip(result.outer));
            return;
        }
        let words = if has_unknown_record { division.words as usize } else { words };
        let parts = division.parts(1 + self.words(&traced.state));
        let (base_case, parts) = match &driver.cells {
            None => (Operand::real(f64::from(division.base_case(words))), parts),
            Some(cells) => (cells.base_case.into(), parts.min(states::MOST_PARTS)),
        };

        let mut base = Vec::new();
        self.read_again(&driver, &mut base);
        let mut next = vec![Operand::Variable(driver.begin), Operand::Boolean(false)];
        next.extend(result.own.into_iter().chain(result.outer.iter().copied()));
        match &driver.cells {
            None => {
                base.push(self.recorded_iterations(traced, &driver, Vec::new(), Leaving::Nothing));
                base.append(&mut swept);
            }
            Some(cells) => next.extend(self.base_case_with_cells(traced, (&driver, cells, division), swept, &mut base)),
        }
        let is_first = self.emit(&mut base).compare(Comparison::Equal, driver.begin.into(), ZERO);
        let again = Block { statements: Vec::new(), end: End::Repeat(next) };
        let base = Block { statements: base, end: branch(is_first, yielding(result.outer), again) };

        let mut body = vec![Statement::Pop { stack: Stack::Sweeps, targets: driver.of_snapshot() }];
        let length = self.emit(&mut body).binary(Operation::Subtract, driver.end.into(), driver.begin.into());
        let is_long = self.emit(&mut body).compare(Comparison::Less, base_case, length);
        let divided = self.divided(traced, &driver, (length, base_case, Operand::real(f64::from(parts))));
        let body = Block { statements: body, end: branch(is_long, divided, base) };
        let initial_state: Vec<Operand> = traced.initial.iter().map(|operand| self.draft.read(*operand)).collect();
        let mark = driver.cells.as_ref().map(|_| self.marked(out));
        let reads = traced.reads.map(|reads| self.draft.read(Operand::Variable(reads)));
        let values = [ZERO].into_iter().chain(reads).chain(mark).chain(initial_state).collect();
        out.push(Statement::Push { stack: Stack::Sweeps, values });
        let mut targets = Vec::new();
        accumulators.extend(self.fresh_accumulators(&outer, &mut targets));
        out.push(Statement::Loop { targets, state: driver.state(), initial, body });
    }

    /// The division of an interval: another snapshot is pushed.
    fn divided(
        &mut self,
        traced: &TracedLoop,
        driver: &Driver,
        (length, base_case, parts): (Operand, Operand, Operand),
    ) -> Block {
        let begin = Operand::Variable(driver.begin);
        let mut statements = Vec::new();
        let distance = self.distance(length, (base_case, parts), &mut statements);
        let middle = self.emit(&mut statements).binary(Operation::Add, begin, distance);
        statements.push(driver.push());
        self.read_again(driver, &mut statements);
        let before = driver.cells.as_ref().map(|_| self.marked(&mut statements));
        let (state, body) = self.lowering().advancing(traced);
        let mut targets: Vec<Variable> = traced.state.iter().map(|state| self.draft.like(*state)).collect();
        let count = self.draft.fresh(Kind::Real);
        let limit = Limit { count, until: middle, left: Leaving::State(&state) };
        statements.push(self.limited((state.clone(), body), driver, targets.clone(), limit));
        let mut values = vec![middle];
        values.extend(driver.reads.map(|_| self.act(JournalAction::Reads, &mut statements)));
        if let Some(before) = before {
            self.keep_cells(before, &mut targets, &mut statements);
            values.push(self.marked(&mut statements));
        }
        values.extend(operands(&targets));
        statements.push(Statement::Push { stack: Stack::Sweeps, values });
        Block { statements, end: End::Repeat(operands(&driver.state())) }
    }

    /// Makes the code that is executed from the topmost snapshot on read the same numbers as before.
    fn read_again(&mut self, driver: &Driver, out: &mut Vec<Statement>) {
        let read_again = |reads: Variable| Statement::action(Vec::new(), JournalAction::ReadAgain, vec![reads.into()]);
        out.extend(driver.reads.map(read_again));
    }

    /// The distance from a snapshot to the next one: the base case, multiplied by the number of parts as long as that is
    /// less than the length.
    fn distance(
        &mut self,
        length: Operand,
        (base_case, parts): (Operand, Operand),
        out: &mut Vec<Statement>,
    ) -> Operand {
        let distance = self.draft.fresh(Kind::Real);
        let mut statements = Vec::new();
        let longer = self.emit(&mut statements).binary(Operation::Multiply, distance.into(), parts);
        let is_less = self.emit(&mut statements).compare(Comparison::Less, longer, length);
        let again = Block { statements: Vec::new(), end: End::Repeat(vec![longer]) };
        let body = Block { statements, end: branch(is_less, again, yielding(vec![distance.into()])) };
        let (state, initial) = (vec![distance], vec![base_case]);
        self.emit(out).assign(Kind::Real, |target| Statement::Loop { targets: vec![target], state, initial, body })
    }

    /// The iterations of a base case, executed again and recorded.
    fn recorded_iterations(
        &mut self,
        traced: &TracedLoop,
        driver: &Driver,
        targets: Vec<Variable>,
        left: Leaving<'_>,
    ) -> Statement {
        let code = self.lowering().recording(traced);
        let limit = Limit { count: self.draft.fresh(Kind::Real), until: driver.end.into(), left };
        self.limited(code, driver, targets, limit)
    }

    /// A loop from the topmost snapshot on, which ends after so many iterations.
    fn limited(
        &mut self,
        (state, body): (Vec<Variable>, Block),
        driver: &Driver,
        targets: Vec<Variable>,
        limit: Limit<'_>,
    ) -> Statement {
        // The code of the trace reads variables of the code around it where the sweep finds them; that of the sweep does not.
        let inside = Statement::Loop { targets: Vec::new(), state, initial: Vec::new(), body };
        let mut code = Block { statements: vec![inside], ..Block::default() };
        read_outer(&mut code, self.draft);
        let Some(Statement::Loop { mut state, mut body, .. }) = code.statements.pop() else {
            internal_bug!("a loop that reads other variables is a loop")
        };
        body.change_leaves(&mut |leaf| self.limit(leaf, limit));
        state.push(limit.count);
        let initial = [operands(&driver.snapshot), vec![driver.begin.into()]].concat();
        Statement::Loop { targets, state, initial, body }
    }

    /// Makes the end of an iteration that of so many of them.
    fn limit(&mut self, leaf: &mut Block, limit: Limit<'_>) {
        match &mut leaf.end {
            End::Repeat(next) => {
                let mut next = std::mem::take(next);
                let left = match limit.left {
                    Leaving::Nothing => Vec::new(),
                    Leaving::State(_) => next.clone(),
                    Leaving::Cells(cells) => self.left_before_the_end(cells, &next, &mut leaf.statements),
                };
                let mut code = self.emit(&mut leaf.statements);
                let more = code.binary(Operation::Add, limit.count.into(), Operand::real(1.0));
                let goes_on = code.compare(Comparison::Less, more, limit.until);
                next.push(more);
                let again = Block { statements: Vec::new(), end: End::Repeat(next) };
                leaf.end = branch(goes_on, again, yielding(left));
            }
            End::Yield(yielded) => {
                *yielded = match limit.left {
                    Leaving::Nothing => Vec::new(),
                    Leaving::State(state) => operands(state),
                    Leaving::Cells(cells) => self.left_at_the_end(cells, yielded, &mut leaf.statements),
                };
            }
            End::Branch { .. } | End::BailOut(_) => {}
        }
    }

    fn lowering(&mut self) -> Lowering<'_> {
        Lowering::new(self.draft, self.instances, &self.counted, Execution::AGAIN)
    }

    /// The words of a record of some variables.
    fn words<'variable>(&self, variables: impl IntoIterator<Item = &'variable Variable>) -> usize {
        let is_flag = |variable: &&Variable| self.draft.kind((**variable).into()) == Kind::Boolean;
        let (flags, others): (Vec<&Variable>, Vec<&Variable>) = variables.into_iter().partition(is_flag);
        others.len() + flags.len().div_ceil(FLAGS_IN_WORD)
    }
}

#[cfg(test)]
mod tests;
