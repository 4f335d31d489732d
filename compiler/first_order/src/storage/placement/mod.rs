//! The memory in which the arrays of a unit are made, as its caller wants it.
//!
//! | module | |
//! |---|---|
//! | [`destinations`] | arrays of results that are made where the caller wants them |
//! | [`in_place`] | matrices of results that need no array of their rows |
//! | [`even_rows`] | matrices that are made where the caller wants them, with rows of one length |
//! | [`buffers`] | loops that replace an array of their state, in two buffers |
//! | [`known_length`] | the lengths that are known before a loop |

pub mod buffers;
pub mod destinations;
pub mod even_rows;
pub mod in_place;
pub mod known_length;

use crate::{FunctionId, Unit, Variable};
use buffers::Buffers;
use destinations::{Destination, Destinations};
use even_rows::{EvenRows, even_rows};
use std::collections::{BTreeSet, HashMap};

/// The way in which a unit is executed.
#[derive(Clone, Copy, Debug)]
pub enum Execution<'unit> {
    /// In a machine, which takes all that the results refer to.
    Machine,
    /// In a call of exported code, with arrays that are wanted in the memory of the caller.
    Exported(&'unit Destinations),
    /// On the fast path of an export ([`super::fast_path`]): the same, and the matrices all of whose rows are in that memory.
    FastPath(&'unit Destinations, &'unit BTreeSet<Variable>),
}

impl<'unit> Execution<'unit> {
    fn destinations(self) -> Option<&'unit Destinations> {
        match self {
            Execution::Machine => None,
            Execution::Exported(destinations) | Execution::FastPath(destinations, _) => Some(destinations),
        }
    }

    /// Returns true for a fast path.
    pub fn is_fast_path(self) -> bool {
        matches!(self, Execution::FastPath(..))
    }
}

/// The memory of the arrays of a function.
pub struct Placement<'unit> {
    execution: Execution<'unit>,
    id: FunctionId,
    /// On a fast path, the arrays that loops make in two buffers.
    pub buffers: Buffers,
    /// On a fast path, the matrices in the memory of the caller with rows of one length, by the indices of their rows.
    pub even_rows: HashMap<Variable, EvenRows>,
}

impl<'unit> Placement<'unit> {
    /// The memory of the arrays of a function of a unit.
    pub fn of(unit: &Unit, id: FunctionId, execution: Execution<'unit>) -> Placement<'unit> {
        let function = unit.function(id);
        match execution {
            Execution::Machine | Execution::Exported(_) => {
                Placement { execution, id, buffers: Buffers::default(), even_rows: HashMap::new() }
            }
            Execution::FastPath(destinations, in_place) => {
                let even_rows = even_rows(function, in_place, &|array| destinations.of(id, array));
                Placement { execution, id, buffers: Buffers::find(function), even_rows }
            }
        }
    }

    /// The destination of an array.
    pub fn destination(&self, array: Variable) -> Option<Destination> {
        self.execution.destinations().and_then(|destinations| destinations.of(self.id, array))
    }

    /// Returns true for a matrix without an array of its rows.
    pub fn has_no_rows(&self, matrix: Variable) -> bool {
        match self.execution {
            Execution::Machine | Execution::Exported(_) => false,
            Execution::FastPath(_, matrices) => matrices.contains(&matrix),
        }
    }

    /// Returns true for an array that allocates nothing in the memory of arrays: on a fast path arrays with a destination fit there.
    pub fn is_elsewhere(&self, array: Variable) -> bool {
        self.execution.is_fast_path() && self.destination(array).is_some()
    }

    /// Returns true on a fast path.
    pub fn is_fast_path(&self) -> bool {
        self.execution.is_fast_path()
    }
}
