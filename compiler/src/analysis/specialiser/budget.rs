//! Budgets: what the analysis of an item, and of all items together, may cost. They end in giving up, never in
//! divergence. All are counts, so the same program is given up in the same place on every machine.

use crate::analysis::values::domain::Unions;
use crate::analysis::values::reason::{Cause, Reason};

/// The work that one item may take, in nodes evaluated.
const WORK_OF_ITEM: u64 = 400_000;

/// The work that all items together may take.
const WORK_OF_PROGRAM: u64 = 1_000_000;

/// The leaves of calls that take as much work as a node.
const LEAVES_OF_A_NODE: u64 = 16;

/// The number of instances of an item.
const MOST_INSTANCES: usize = 8_000;

/// The numbers of steps that are unrolled of loops with known control. Few make small code; where structures depend on
/// the control, as that of a list of its length does, all steps are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrolling {
    /// Few steps, and no loop has been widened for their number yet.
    Few,
    /// Few steps, and a loop has been widened for their number, or for that of the instances that they make.
    Exceeded,
    /// Many steps.
    Many,
}

/// The rest of the budgets.
#[derive(Debug)]
pub struct Budget {
    item: u64,
    program: u64,
    /// The rest for analyses with unions, which take nothing from the others.
    with_unions: u64,
    /// The rest that the present item takes from.
    unions: Unions,
}

impl Budget {
    /// The whole budget of a program.
    pub fn new() -> Budget {
        Budget { item: 0, program: WORK_OF_PROGRAM, with_unions: WORK_OF_PROGRAM, unions: Unions::Refused }
    }

    /// Begins an item.
    pub fn begin_item(&mut self, unions: Unions) {
        self.unions = unions;
        self.item = WORK_OF_ITEM.min(*self.rest());
    }

    fn rest(&mut self) -> &mut u64 {
        match self.unions {
            Unions::Refused => &mut self.program,
            Unions::Made | Unions::Folded => &mut self.with_unions,
        }
    }

    /// Takes the work of a node.
    pub fn node(&mut self) -> Result<(), Reason> {
        self.work(1)
    }

    /// Takes the work of so many leaves of a call.
    pub fn leaves(&mut self, count: usize) -> Result<(), Reason> {
        self.work(count as u64 / LEAVES_OF_A_NODE)
    }

    /// Takes work.
    pub fn work(&mut self, amount: u64) -> Result<(), Reason> {
        if self.item < amount {
            return Err(Reason::new(Cause::Work(WORK_OF_ITEM)));
        }
        self.item -= amount;
        let rest = self.rest();
        *rest -= amount.min(*rest);
        Ok(())
    }

    /// Checks the number of instances.
    pub fn instances(&self, count: usize) -> Result<(), Reason> {
        if count > MOST_INSTANCES {
            return Err(Reason::new(Cause::Instances(MOST_INSTANCES)));
        }
        Ok(())
    }
}
