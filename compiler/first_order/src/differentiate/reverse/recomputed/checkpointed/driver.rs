//! The variables of the sweep over intervals ([`Driver`]), and the ends of the loops with which it executes iterations
//! again ([`Limit`]).

use crate::differentiate::emitter::operands;
use crate::differentiate::reverse::nodes::{Draft, Node, TracedLoop};
use crate::{Kind, Operand, Stack, Statement, Variable};
use std::collections::BTreeSet;

/// The variables of the sweep over intervals, one after another.
#[derive(Debug)]
pub struct Driver {
    /// The number of iterations that are not swept over.
    pub end: Variable,
    /// True if the last iteration is among them.
    pub last: Variable,
    /// The accumulators of the state's own nodes, and those of outer nodes.
    pub own: Vec<Variable>,
    pub outer: Vec<Variable>,
    /// The number of iterations before the topmost snapshot, and its state.
    pub begin: Variable,
    pub snapshot: Vec<Variable>,
    /// The number of reads before the topmost snapshot, if the loop reads or writes.
    pub reads: Option<Variable>,
    /// Present if the state or the results have cells.
    pub cells: Option<CellStates>,
}

impl Driver {
    pub fn new(traced: &TracedLoop, outer: &BTreeSet<Node>, draft: &mut Draft) -> Driver {
        let kinds: Vec<Kind> = traced.state.iter().map(|variable| draft.kind(Operand::Variable(*variable))).collect();
        let mut reals = |count: usize| (0..count).map(|_| draft.fresh(Kind::Real)).collect::<Vec<Variable>>();
        let (own, outer) = (reals(traced.state_own.iter().flatten().count()), reals(outer.len()));
        Driver {
            end: draft.fresh(Kind::Real),
            last: draft.fresh(Kind::Boolean),
            own,
            outer,
            begin: draft.fresh(Kind::Real),
            snapshot: kinds.into_iter().map(|kind| draft.fresh(kind)).collect(),
            reads: traced.reads.map(|_| draft.fresh(Kind::Real)),
            cells: CellStates::of(traced, draft),
        }
    }

    /// The variables that change from interval to interval.
    pub fn state(&self) -> Vec<Variable> {
        let of_cells = self.cells.iter().flat_map(CellStates::changing);
        let numbers = self.own.iter().chain(&self.outer).copied();
        [self.end, self.last].into_iter().chain(numbers).chain(of_cells).collect()
    }

    /// The variables of a snapshot.
    pub fn of_snapshot(&self) -> Vec<Variable> {
        let mark = self.cells.as_ref().map(|cells| cells.mark);
        [self.begin].into_iter().chain(self.reads).chain(mark).chain(self.snapshot.iter().copied()).collect()
    }

    /// The topmost snapshot, pushed again.
    pub fn push(&self) -> Statement {
        Statement::Push { stack: Stack::Sweeps, values: operands(&self.of_snapshot()) }
    }
}

/// The end of iterations that are executed again: after so many, none of which is the last one of the loop unless they
/// are recorded.
#[derive(Clone, Copy, Debug)]
pub struct Limit<'sweep> {
    pub count: Variable,
    pub until: Operand,
    pub left: Leaving<'sweep>,
}

/// The values that are left by iterations that are executed again.
#[derive(Clone, Copy, Debug)]
pub enum Leaving<'sweep> {
    Nothing,
    /// The next state; where the loop itself ends, its last one.
    State(&'sweep [Variable]),
    /// The cells of the next state, and those of the results, or absent ones in their place.
    Cells(&'sweep CellStates),
}

/// The variables of the sweep over intervals that states with cells need.
#[derive(Debug)]
pub struct CellStates {
    /// The mark of the topmost snapshot.
    pub mark: Variable,
    /// The number of iterations of the next base case.
    pub base_case: Variable,
    /// The cells of the state with which the sweep has ended.
    pub ended: Vec<Variable>,
    /// The places of the cells in the state, and in the results.
    pub in_state: Vec<usize>,
    pub in_results: Vec<usize>,
}

impl CellStates {
    /// None if a loop has no cells in its state and its results.
    pub fn of(traced: &TracedLoop, draft: &mut Draft) -> Option<CellStates> {
        let cells = |variables: &[Variable], draft: &Draft| -> Vec<usize> {
            let is_cell = |place: &usize| {
                variables.get(*place).is_some_and(|variable| draft.kind((*variable).into()) == Kind::Cell)
            };
            (0..variables.len()).filter(is_cell).collect()
        };
        let (in_state, in_results) = (cells(&traced.state, draft), cells(&traced.targets, draft));
        if in_state.is_empty() && in_results.is_empty() {
            return None;
        }
        let [mark, base_case] = [(); 2].map(|()| draft.fresh(Kind::Real));
        let ended = in_state.iter().map(|_| draft.fresh(Kind::Cell)).collect();
        Some(CellStates { mark, base_case, ended, in_state, in_results })
    }

    /// The variables that change from interval to interval.
    pub fn changing(&self) -> Vec<Variable> {
        [self.base_case].iter().chain(&self.ended).copied().collect()
    }

    /// The cells among the values of a state.
    pub fn of_state<Value: Copy>(&self, state: &[Value]) -> Vec<Value> {
        self.in_state.iter().filter_map(|place| state.get(*place).copied()).collect()
    }

    /// The cells among the results.
    pub fn of_results<Value: Copy>(&self, results: &[Value]) -> Vec<Value> {
        self.in_results.iter().filter_map(|place| results.get(*place).copied()).collect()
    }
}
