//! The store: cells with values, and the observation of aliases.
//!
//! A parameter that is bound to a cell is a *route* to it. During the life of a route an access to the cell counts for the
//! route if it goes through it, or through a route that was made from it; else it counts against it. A cell is aliased if one
//! side has assigned it while the other one has it: then calls by reference and calls that copy values in and out differ.

use super::value::Value;
use crate::number::Number;

/// The number of a cell.
pub type CellId = usize;

/// A route to cells: a parameter of an activation. The owner of a cell has [`OWNER`].
pub type Route = u32;

/// The route of a variable's own name.
pub const OWNER: Route = 0;

/// A kind of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The value is read.
    Reads,
    /// The value is replaced.
    Writes,
}

/// A live route to a cell.
#[derive(Debug)]
struct Live {
    route: Route,
    /// The route from which it was made.
    from: Route,
    is_written: bool,
    is_read_beside: bool,
    is_written_beside: bool,
}

#[derive(Debug, Default)]
struct Cell {
    value: Option<Value>,
    live: Vec<Live>,
}

/// The cells of an evaluation. Activations allocate at the end, and free in the opposite order.
#[derive(Debug, Default)]
pub struct Store {
    cells: Vec<Cell>,
    routes: Route,
    /// True once a cell was aliased.
    pub is_aliased: bool,
}

impl Store {
    /// The number of cells.
    pub fn length(&self) -> usize {
        self.cells.len()
    }

    /// Allocates cells with a value; returns the first.
    pub(super) fn allocate(&mut self, count: usize, value: Option<Value>) -> CellId {
        let first = self.cells.len();
        self.cells.extend((0..count).map(|_| Cell { value: value.clone(), live: Vec::new() }));
        first
    }

    /// Frees the cells from a number on.
    pub fn free_from(&mut self, length: usize) {
        self.cells.truncate(length);
    }

    /// A new route to some cells, made from another one.
    pub fn begin_route(&mut self, cells: std::ops::Range<CellId>, from: Route) -> Route {
        self.routes += 1;
        let route = self.routes;
        for cell in self.cells.iter_mut().take(cells.end).skip(cells.start) {
            cell.live.push(Live { route, from, is_written: false, is_read_beside: false, is_written_beside: false });
        }
        route
    }

    /// Ends a route, and records whether its cells were aliased.
    pub fn end_route(&mut self, cells: std::ops::Range<CellId>, route: Route) {
        for cell in self.cells.iter_mut().take(cells.end).skip(cells.start) {
            let Some(place) = cell.live.iter().rposition(|live| live.route == route) else { continue };
            let live = cell.live.remove(place);
            self.is_aliased |= live.is_written_beside || (live.is_written && live.is_read_beside);
        }
    }

    fn access(cell: &mut Cell, route: Route, access: Access) {
        if cell.live.is_empty() {
            return;
        }
        // The routes through which the access goes.
        let mut through = vec![route];
        let mut last = route;
        while let Some(live) = cell.live.iter().find(|live| live.route == last) {
            through.push(live.from);
            last = live.from;
        }
        for live in &mut cell.live {
            let is_write = access == Access::Writes;
            if through.contains(&live.route) {
                live.is_written |= is_write;
            } else {
                live.is_written_beside |= is_write;
                live.is_read_beside |= !is_write;
            }
        }
    }

    /// The value of a cell, if it has one.
    pub(super) fn read(&mut self, id: CellId, route: Route) -> Option<Value> {
        let cell = self.cells.get_mut(id)?;
        Store::access(cell, route, Access::Reads);
        cell.value.clone()
    }

    /// Replaces the value of a cell.
    pub(super) fn write(&mut self, id: CellId, route: Route, value: Value) {
        if let Some(cell) = self.cells.get_mut(id) {
            Store::access(cell, route, Access::Writes);
            cell.value = Some(value);
        }
    }

    /// The real in a cell, without an access.
    pub(super) fn real(&self, id: CellId) -> Option<&Number> {
        match self.cells.get(id)?.value.as_ref()? {
            Value::Real(number) => Some(number),
            Value::Integer(_) | Value::Logical(_) => None,
        }
    }

    /// Replaces all reals, each by a function of its cell and its value.
    pub(super) fn replace_reals(&mut self, mut replace: impl FnMut(CellId, &Number) -> Number) {
        for (id, cell) in self.cells.iter_mut().enumerate() {
            if let Some(Value::Real(number)) = &mut cell.value {
                *number = replace(id, number);
            }
        }
    }
}
