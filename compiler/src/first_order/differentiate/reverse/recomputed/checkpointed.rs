//! The sweep over a loop of which the first execution has recorded nothing.
//!
//! The number of iterations and the state before the first one are known. An interval of iterations is swept over from a
//! *snapshot*, the state before its first one: if it is short enough, a base case, its iterations are executed again and
//! recorded, and then swept over; else the state some iterations later is found by executing these again, and becomes
//! another snapshot. Snapshots are on the record stack, the latest on top, and each interval goes from the snapshot on top to
//! where the last sweep has ended:
//!
//! ```text
//! push 0, the initial state; end := the number of iterations
//! loop: pop begin, state
//!       if end - begin > base case:  push begin, state; advance by a distance; push begin + distance, the state there
//!       else:                        execute again and record begin .. end; sweep back; end := begin, done if that is 0
//! ```
//!
//! The distance is the greatest that is less than the length, of those that are a base case times a power of the number of
//! parts. So each power costs one execution of the loop at most, and the snapshots of one division.
//!
//! A state may have cells. Then reals in it have accumulators in memory ([`super::super::memory::references`]), which the executions of the
//! iterations before a state make again: when these have been executed and recorded, the sums are handed over from the state as it was
//! to the one that has been found now. Memory is released as a stack is: a snapshot has a mark of the memory that ends with
//! its state, and a base case frees all that is behind it, but for the state with which the sweep has ended, which is the state of the
//! snapshot:
//!
//! ```text
//! loop: pop begin, mark, state
//!       if long: push begin, mark, state; advance; keep the state; push begin + distance, the mark now, the state
//!       else:    execute again and record; hand over from the results, or from ended; sweep back; release to the mark; ended := state
//! ```
//!
//! The record of an iteration may have any size, and so may a state. So a base case is one iteration at first, and twice as many
//! or half as many as the last one when that has taken much less than the memory of a record, or more.
//!
//! Operations that are executed again have the values that they had, and no level of reverse mode is around that would
//! tell their nodes apart. The sums of a sweep are passed on from interval to interval, so every sum has its order.

use super::super::lower::Lowering;
use super::super::nodes::code::read_outer;
use super::super::nodes::traced::{Role, TracedLoop};
use super::super::sweep::blocks::{Accumulators, Sweep, SweepStart};
use crate::first_order::differentiate::emitter::ZERO;
use crate::first_order::differentiate::emitter::yielding;
use crate::first_order::{Block, Division, End, JournalAction, Kind, Operand, Stack, Statement, Variable};
use driver::{Driver, Leaving, Limit, operands};
use std::collections::HashMap;
use vlad_table::{Comparison, Operation};

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
        let begun = SweepStart {
            remaining: Operand::Variable(driver.end),
            last: Operand::Variable(driver.last),
            own: operands(&driver.own).collect(),
            outer: operands(&driver.outer).collect(),
        };
        let mut swept = Vec::new();
        let until = Some(Operand::Variable(driver.begin));
        let Some(left) = self.iterations_swept(traced, (yielded, &outer), (begun, until), &mut swept) else { return };
        self.counted.insert(traced.count);
        let total = self.draft.read(Operand::Variable(traced.total));
        let mut initial = vec![total, Operand::Boolean(true)];
        initial.extend(driver.own.iter().map(|_| ZERO));
        initial.extend(outer.iter().map(|node| accumulators.get(node).copied().unwrap_or(ZERO)));
        if let Some(cells) = &driver.cells {
            initial.extend(self.before_cells(cells, out));
        }
        let words = self.words_of_record(traced);
        if words == 0 && (traced.is_recomputed || !traced.body.calls()) {
            // The sweep reads nothing of the iterations, so it is one interval.
            let mut values: HashMap<Variable, Operand> = driver.state().into_iter().zip(initial).collect();
            values.insert(driver.begin, ZERO);
            let mut swept = Block { statements: swept, end: End::Yield(Vec::new()) };
            swept.substitute(&values);
            out.extend(swept.statements);
            accumulators.extend(outer.into_iter().zip(left.outer));
            return;
        }
        let words = if traced.body.calls() && !traced.is_recomputed { division.words as usize } else { words };
        let parts = division.parts(1 + self.words(&traced.state));
        let (base_case, parts) = match &driver.cells {
            None => (Operand::real(f64::from(division.base_case(words))), parts),
            Some(cells) => (cells.base_case.into(), parts.min(states::MOST_PARTS)),
        };
        let parts = Operand::real(f64::from(parts));

        let mut base = Vec::new();
        self.read_again(&driver, &mut base);
        let mut next = vec![Operand::Variable(driver.begin), Operand::Boolean(false)];
        next.extend(left.own);
        next.extend(&left.outer);
        match &driver.cells {
            None => {
                base.push(self.recorded_iterations(traced, &driver));
                base.append(&mut swept);
            }
            Some(cells) => next.extend(self.base_case_with_cells(traced, (&driver, cells, division), swept, &mut base)),
        }
        let is_first = self.compared(Comparison::Equal, Operand::Variable(driver.begin), ZERO, &mut base);
        let base_end = End::Branch {
            test: is_first,
            consequent: Box::new(yielding(left.outer)),
            alternative: Box::new(Block { statements: Vec::new(), end: End::Repeat(next) }),
        };

        let mut body = vec![Statement::Pop { stack: Stack::Sweeps, targets: driver.of_snapshot() }];
        let (end, begin) = (Operand::Variable(driver.end), Operand::Variable(driver.begin));
        let length = self.emit(&mut body).binary(Operation::Subtract, end, begin);
        let is_long = self.compared(Comparison::Less, base_case, length, &mut body);
        let divided = self.divided(traced, &driver, (length, base_case, parts));
        let end = End::Branch {
            test: is_long,
            consequent: Box::new(divided),
            alternative: Box::new(Block { statements: base, end: base_end }),
        };
        let initial_state: Vec<Operand> = traced.initial.iter().map(|operand| self.draft.read(*operand)).collect();
        let mark = driver.cells.as_ref().map(|_| self.marked(out));
        let reads = traced.reads.map(|reads| self.draft.read(Operand::Variable(reads)));
        let values = [ZERO].into_iter().chain(reads).chain(mark).chain(initial_state).collect();
        out.push(Statement::Push { stack: Stack::Sweeps, values });
        let mut targets = Vec::new();
        for node in outer {
            let target = self.draft.fresh(Kind::Real);
            targets.push(target);
            accumulators.insert(node, Operand::Variable(target));
        }
        let body = Block { statements: body, end };
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
        let mut lowering = self.lowering();
        let (state, body) = lowering.advancing(traced);
        let mut targets: Vec<Variable> =
            traced.state.iter().map(|state| self.draft.fresh(self.draft.kind(Operand::Variable(*state)))).collect();
        let count = self.draft.fresh(Kind::Real);
        let limit = Limit { count, until: middle, left: Leaving::State(&state) };
        statements.push(self.limited((&state, body), driver, targets.clone(), limit));
        let mut values = vec![middle];
        values.extend(driver.reads.map(|_| self.act(JournalAction::Reads, &mut statements)));
        if let Some(before) = before {
            self.keep_cells(before, &mut targets, &mut statements);
            values.push(self.marked(&mut statements));
        }
        values.extend(operands(&targets));
        statements.push(Statement::Push { stack: Stack::Sweeps, values });
        Block { statements, end: End::Repeat(operands(&driver.state()).collect()) }
    }

    /// Makes what is executed from the topmost snapshot on read what it read before.
    fn read_again(&mut self, driver: &Driver, out: &mut Vec<Statement>) {
        let operands = driver.reads.iter().copied().map(Operand::Variable).collect();
        if driver.reads.is_some() {
            out.push(Statement::action(Vec::new(), JournalAction::ReadAgain, operands));
        }
    }

    /// The distance from a snapshot to the next one.
    fn distance(
        &mut self,
        length: Operand,
        (base_case, parts): (Operand, Operand),
        out: &mut Vec<Statement>,
    ) -> Operand {
        let distance = self.draft.fresh(Kind::Real);
        let mut statements = Vec::new();
        let longer = self.emit(&mut statements).binary(Operation::Multiply, Operand::Variable(distance), parts);
        let is_less = self.compared(Comparison::Less, longer, length, &mut statements);
        let end = End::Branch {
            test: is_less,
            consequent: Box::new(Block { statements: Vec::new(), end: End::Repeat(vec![longer]) }),
            alternative: Box::new(yielding(vec![Operand::Variable(distance)])),
        };
        let target = self.draft.fresh(Kind::Real);
        let body = Block { statements, end };
        out.push(Statement::Loop { targets: vec![target], state: vec![distance], initial: vec![base_case], body });
        Operand::Variable(target)
    }

    /// The iterations of a base case, executed again and recorded.
    fn recorded_iterations(&mut self, traced: &TracedLoop, driver: &Driver) -> Statement {
        let mut lowering = self.lowering();
        let (state, body) = lowering.recording(traced);
        let count = self.draft.fresh(Kind::Real);
        let (until, left) = (Operand::Variable(driver.end), Leaving::Nothing);
        self.limited((&state, body), driver, Vec::new(), Limit { count, until, left })
    }

    /// A loop from the topmost snapshot on, which ends after so many iterations.
    fn limited(
        &mut self,
        (state, body): (&[Variable], Block),
        driver: &Driver,
        targets: Vec<Variable>,
        limit: Limit<'_>,
    ) -> Statement {
        // The code of the trace reads variables of the code around it where the sweep finds them; that of the sweep does not.
        let inside = Statement::Loop { targets: Vec::new(), state: state.to_vec(), initial: Vec::new(), body };
        let mut code = [inside];
        read_outer(&mut code, self.draft);
        let [Statement::Loop { mut state, mut body, .. }] = code else {
            vlad_table::internal_bug!("a loop that reads other variables is a loop")
        };
        body.change_leaves(&mut |leaf| self.limit(leaf, limit));
        state.push(limit.count);
        let initial = operands(&driver.snapshot).chain([Operand::Variable(driver.begin)]).collect();
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
                let (count, one) = (Operand::Variable(limit.count), Operand::real(1.0));
                let more = self.emit(&mut leaf.statements).binary(Operation::Add, count, one);
                let goes_on = self.compared(Comparison::Less, more, limit.until, &mut leaf.statements);
                next.push(more);
                leaf.end = End::Branch {
                    test: goes_on,
                    consequent: Box::new(Block { statements: Vec::new(), end: End::Repeat(next) }),
                    alternative: Box::new(yielding(left)),
                };
            }
            End::Yield(yielded) => {
                *yielded = match limit.left {
                    Leaving::Nothing => Vec::new(),
                    Leaving::State(state) => operands(state).collect(),
                    Leaving::Cells(cells) => self.left_at_the_end(cells, yielded, &mut leaf.statements),
                };
            }
            End::Branch { .. } | End::BailOut(_) => {}
        }
    }

    fn lowering(&mut self) -> Lowering<'_> {
        let (draft, instances, counted) = (&mut *self.draft, self.instances, &self.counted);
        Lowering { draft, instances, counted, records: true, counts: false, leaves_recorded: false }
    }

    fn compared(
        &mut self,
        comparison: Comparison,
        first: Operand,
        second: Operand,
        out: &mut Vec<Statement>,
    ) -> Operand {
        self.emit(out).assign(Kind::Boolean, |target| Statement::Compare { target, comparison, first, second })
    }

    /// The words of the record of an iteration.
    fn words_of_record(&self, traced: &TracedLoop) -> usize {
        let recorded: Vec<Variable> = self.draft.exports(traced.frame).iter().map(|export| export.0).collect();
        self.words(&recorded)
    }

    fn words(&self, variables: &[Variable]) -> usize {
        let flags = variables.iter().filter(|variable| self.draft.kind(Operand::Variable(**variable)) == Kind::Boolean);
        let flags = flags.count();
        variables.len() - flags + flags.div_ceil(FLAGS_IN_WORD)
    }
}

impl TracedLoop {
    /// True if arrays are in the state of the loop or its results. Their memory ends with an iteration, so they are no
    /// snapshots.
    pub fn has_arrays(&self) -> bool {
        self.roles.iter().chain(&self.state_roles).any(|role| *role != Role::Scalar)
    }

    /// True if the sweep may read more of the iterations than their numbers, so that something is recorded of them.
    pub fn records_iterations(&self) -> bool {
        let counters = self.counters();
        let is_read = |variable: &Variable| *variable != self.first && !counters.contains_key(variable);
        !self.is_recomputed || self.state.iter().any(is_read)
    }
}

#[cfg(test)]
mod tests;
