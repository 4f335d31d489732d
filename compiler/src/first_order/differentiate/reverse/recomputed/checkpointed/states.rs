//! States with cells: their memory, and the accumulators in it.

use super::driver::{CellStates, Driver, Leaving, Limit, operands};
use crate::first_order::differentiate::emitter::yielding;
use crate::first_order::differentiate::reverse::nodes::traced::TracedLoop;
use crate::first_order::differentiate::reverse::sweep::blocks::Sweep;
use crate::first_order::{
    AccumulatorAction, Action, Block, Division, End, Kind, MemoryAction, Operand, Statement, Variable,
};
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

    /// Appends an action that returns a real.
    pub fn act(&mut self, action: impl Into<Action>, out: &mut Vec<Statement>) -> Operand {
        self.emit(out).assign(Kind::Real, |target| Statement::action(vec![target], action, Vec::new()))
    }

    /// A mark of the memory.
    pub fn marked(&mut self, out: &mut Vec<Statement>) -> Operand {
        self.act(MemoryAction::Mark, out)
    }

    /// The values of [`CellStates::changing`] before all intervals.
    pub fn before_cells(&mut self, cells: &CellStates, out: &mut Vec<Statement>) -> Vec<Operand> {
        let absent = self.absent_cells(cells.ended.len(), out);
        [Operand::real(1.0)].into_iter().chain(absent).collect()
    }

    /// The cells that are left where iterations end before the loop does.
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

    /// The cells that are left where the loop ends.
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

    /// Frees what has been allocated since a mark, but for the cells among some variables, which others take the place of.
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
        let mut lowering = self.lowering();
        let (state, body) = lowering.recording(traced);
        let count = self.draft.fresh(Kind::Real);
        let limit = Limit { count, until: Operand::Variable(driver.end), left: Leaving::Cells(cells) };
        out.push(self.limited((&state, body), driver, left.clone(), limit));
        let after = self.act(MemoryAction::Size, out);
        self.hand_sums_over(traced, (driver, cells), &left, out);
        let used = self.emit(out).binary(Operation::Subtract, after, before);
        out.append(&mut swept);
        let next = self.next_base_case(cells, (used, division), out);
        out.push(Statement::action(Vec::new(), MemoryAction::Release, vec![cells.mark.into()]));
        let ended = cells.of_state(&driver.snapshot);
        [next].into_iter().chain(operands(&ended)).collect()
    }

    /// Hands sums over to what the iterations of a base case have left: from the results of the loop after the last iteration, else
    /// from the state with which the sweep has ended.
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
                let operands = vec![from, Operand::Variable(*to)];
                Statement::action(Vec::new(), AccumulatorAction::HandOver, operands)
            }));
            Box::new(block)
        };
        let end = End::Branch {
            test: driver.last.into(),
            consequent: pairs(of_results, results),
            alternative: pairs(operands(&cells.ended).collect(), states),
        };
        out.push(Statement::Bind { targets: Vec::new(), block: Block { statements: Vec::new(), end } });
    }

    /// The number of iterations of the next base case, given the memory that this one has used: twice as many, if the memory of
    /// a record suffices for them; half as many, if it does not suffice for these.
    fn next_base_case(
        &mut self,
        cells: &CellStates,
        (used, division): (Operand, Division),
        out: &mut Vec<Statement>,
    ) -> Operand {
        let bytes = f64::from(division.words) * WORD;
        let last = Operand::Variable(cells.base_case);
        let is_small = self.compared(Comparison::Less, used, Operand::real(bytes / 2.0), out);
        let is_large = self.compared(Comparison::Less, Operand::real(2.0 * bytes), used, out);
        let can_be_less = self.compared(Comparison::Less, Operand::real(1.0), last, out);
        let changed = |this: &mut Self, factor| {
            let mut statements = Vec::new();
            let changed = this.emit(&mut statements).binary(Operation::Multiply, last, Operand::real(factor));
            Box::new(Block { statements, end: End::Yield(vec![changed]) })
        };
        let same = || Box::new(yielding(vec![last]));
        let less = End::Branch { test: can_be_less, consequent: changed(self, 0.5), alternative: same() };
        let less = Box::new(Block { statements: Vec::new(), end: less });
        let other = End::Branch { test: is_large, consequent: less, alternative: same() };
        let other = Box::new(Block { statements: Vec::new(), end: other });
        let end = End::Branch { test: is_small, consequent: changed(self, 2.0), alternative: other };
        let target = self.draft.fresh(Kind::Real);
        out.push(Statement::Bind { targets: vec![target], block: Block { statements: Vec::new(), end } });
        Operand::Variable(target)
    }
}
