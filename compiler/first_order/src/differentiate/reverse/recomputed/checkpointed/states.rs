//! Intervals of a loop whose state or results have cells, structures whose size is known at run time: their memory, and the
//! accumulators in it. The sweep over intervals ([`super`], which has its equation) asks for this part of its code.
//!
//! Cells refer to accumulators in memory ([`crate::differentiate::reverse::memory::references`]), and each execution of an
//! iteration makes others. So when the iterations of a base case have been executed again, the sums are handed over to the cells
//! that the last one of them has left. They come from the results of the loop if that iteration ends the loop, else from the same
//! state as the sweep over the later iterations has left it. When a base case has been swept over, it frees all memory behind the
//! mark of its snapshot: the state of the snapshot is before the mark.
//!
//! The record of an iteration may have any size, and so may a state. So the first base case is one iteration. The next one has
//! twice as many iterations as the last one if that has taken less than half the memory of a record ([`Division::words`]), and half
//! as many if it has taken more than twice that memory.

use super::driver::{CellStates, Driver, Leaving};
use crate::differentiate::emitter::{branching, choice, operands, yielding};
use crate::differentiate::reverse::nodes::TracedLoop;
use crate::differentiate::reverse::sweep::Sweep;
use crate::{AccumulatorAction, Action, Division, End, Kind, MemoryAction, Operand, Statement, Variable};
use vlad_table::{Comparison, Operation};

/// The greatest number of parts of a division, since each part has a state.
pub const MOST_PARTS: u32 = 4;

/// The bytes of a word of a record.
const WORD: f64 = 8.0;

impl Sweep<'_> {
    fn absent_cells(&mut self, count: usize, out: &mut Vec<Statement>) -> Vec<Operand> {
        let absent = |target| Statement::Cell { target, parts: Vec::new() };
        (0..count).map(|_| self.emit(out).assign(Kind::Cell, absent)).collect()
    }

    /// Appends an action without operands that returns a real.
    pub fn act(&mut self, action: impl Into<Action>, out: &mut Vec<Statement>) -> Operand {
        self.emit(out).assign(Kind::Real, |target| Statement::action(vec![target], action, Vec::new()))
    }

    /// A mark of the memory.
    pub fn marked(&mut self, out: &mut Vec<Statement>) -> Operand {
        self.act(MemoryAction::Mark, out)
    }

    /// The values of [`CellStates::changing`] with which the sweep over intervals begins: one iteration, and no cells.
    pub fn before_cells(&mut self, cells: &CellStates, out: &mut Vec<Statement>) -> Vec<Operand> {
        let absent = self.absent_cells(cells.ended.len(), out);
        [Operand::real(1.0)].into_iter().chain(absent).collect()
    }

    /// The cells that iterations leave if they end before the loop does: those of the next state, and absent ones for the results.
    pub fn left_before_the_end(
        &mut self,
        cells: &CellStates,
        next: &[Operand],
        out: &mut Vec<Statement>,
    ) -> Vec<Operand> {
        let mut left = cells.of_state(next);
        left.extend(self.absent_cells(cells.in_results.len(), out));
        left
    }

    /// The cells that iterations leave if they end with the loop: absent ones for the state, and those of the results.
    pub fn left_at_the_end(
        &mut self,
        cells: &CellStates,
        yielded: &[Operand],
        out: &mut Vec<Statement>,
    ) -> Vec<Operand> {
        let mut left = self.absent_cells(cells.in_state.len(), out);
        left.extend(cells.of_results(yielded));
        left
    }

    /// Frees all memory behind a mark, but for the cells among some variables; new variables take their place.
    pub fn keep_cells(&mut self, mark: Operand, state: &mut [Variable], out: &mut Vec<Statement>) {
        let (mut targets, mut kept) = (Vec::new(), vec![mark]);
        for variable in state {
            if self.draft.kind((*variable).into()) != Kind::Cell {
                continue;
            }
            kept.push(Operand::Variable(*variable));
            *variable = self.draft.fresh(Kind::Cell);
            targets.push(*variable);
        }
        if !targets.is_empty() {
            out.push(Statement::action(targets, MemoryAction::Keep, kept));
        }
    }

    /// A base case, given the sweep over it. Returns what [`CellStates::changing`] is afterwards.
    pub fn base_case_with_cells(
        &mut self,
        traced: &TracedLoop,
        (driver, cells, division): (&Driver, &CellStates, Division),
        mut swept: Vec<Statement>,
        out: &mut Vec<Statement>,
    ) -> Vec<Operand> {
        let before = self.act(MemoryAction::Size, out);
        let count_of_cells = cells.ended.len() + cells.in_results.len();
        let left: Vec<Variable> = (0..count_of_cells).map(|_| self.draft.fresh(Kind::Cell)).collect();
        out.push(self.recorded_iterations(traced, driver, left.clone(), Leaving::Cells(cells)));
        let after = self.act(MemoryAction::Size, out);
        self.hand_sums_over(traced, (driver, cells), &left, out);
        let used = self.emit(out).binary(Operation::Subtract, after, before);
        out.append(&mut swept);
        let next = self.next_base_case(cells, (used, division), out);
        out.push(Statement::action(Vec::new(), MemoryAction::Release, vec![cells.mark.into()]));
        let ended = cells.of_state(&driver.snapshot);
        [vec![next], operands(&ended)].concat()
    }

    /// Hands sums over to the cells that the iterations of a base case have left: from the results of the loop after the
    /// last iteration, else from the state with which the sweep has ended.
    fn hand_sums_over(
        &mut self,
        traced: &TracedLoop,
        (driver, cells): (&Driver, &CellStates),
        left: &[Variable],
        out: &mut Vec<Statement>,
    ) {
        let (states, results) = left.split_at(cells.ended.len().min(left.len()));
        let of_results = cells.of_results(&traced.targets);
        let of_results: Vec<Operand> =
            of_results.into_iter().map(|result| self.draft.read(Operand::Variable(result))).collect();
        let pairs = |from: Vec<Operand>, to: &[Variable]| {
            let mut block = yielding(Vec::new());
            block.statements.extend(from.into_iter().zip(to).map(|(from, to)| {
                Statement::action(Vec::new(), AccumulatorAction::HandOver, vec![from, (*to).into()])
            }));
            block
        };
        let (of_results, of_states) = (pairs(of_results, results), pairs(operands(&cells.ended), states));
        out.push(choice(Vec::new(), driver.last.into(), of_results, of_states));
    }

    /// The number of iterations of the next base case, given the memory that this one has used: twice as many if that is less than
    /// half the memory of a record, half as many if it is more than twice that.
    fn next_base_case(
        &mut self,
        cells: &CellStates,
        (used, division): (Operand, Division),
        out: &mut Vec<Statement>,
    ) -> Operand {
        let bytes = f64::from(division.words) * WORD;
        let last = Operand::Variable(cells.base_case);
        let mut code = self.emit(out);
        let is_small = code.compare(Comparison::Less, used, Operand::real(bytes / 2.0));
        let is_large = code.compare(Comparison::Less, Operand::real(2.0 * bytes), used);
        let can_be_less = code.compare(Comparison::Less, Operand::real(1.0), last);
        let mut multiplied = |factor: f64| {
            code.block(|code| End::Yield(vec![code.binary(Operation::Multiply, last, Operand::real(factor))]))
        };
        let (half, twice) = (multiplied(0.5), multiplied(2.0));
        let same = || yielding(vec![last]);
        let less = branching(can_be_less, half, same());
        let other = branching(is_large, less, same());
        code.assign(Kind::Real, |target| choice(vec![target], is_small, twice, other))
    }
}
