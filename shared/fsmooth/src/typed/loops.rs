//! Views of constructs: loops with their functions taken apart, chains of `let`s, and parts of pairs.

use super::{Expression, ExpressionId, LocalId, Program};

/// `build size (fun index -> element)`.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// The number of elements.
    pub size: ExpressionId,
    /// The index.
    pub index: LocalId,
    /// The element at the index.
    pub element: ExpressionId,
}

/// `ifold (fun state -> fun index -> turn) start count`.
#[derive(Clone, Copy, Debug)]
pub struct Ifold {
    /// The state before a turn.
    pub state: LocalId,
    /// The index of the turn.
    pub index: LocalId,
    /// The state after the turn.
    pub turn: ExpressionId,
    /// The first state.
    pub start: ExpressionId,
    /// The number of turns.
    pub count: ExpressionId,
}

/// A side of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side of `fst`.
    First,
    /// The side of `snd`.
    Second,
}

impl Side {
    /// Both.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// Returns the one of two on the side.
    pub fn of<T>(self, (first, second): (T, T)) -> T {
        match self {
            Side::First => first,
            Side::Second => second,
        }
    }
}

impl Program {
    /// Returns the pair of which an expression reads a side.
    pub fn as_projection(&self, id: ExpressionId) -> Option<(Side, ExpressionId)> {
        if let Expression::First(pair) = self.expression(id) {
            return Some((Side::First, pair));
        }
        if let Expression::Second(pair) = self.expression(id) { Some((Side::Second, pair)) } else { None }
    }

    /// Returns the parts of a `build` whose function is written out.
    pub fn as_build(&self, id: ExpressionId) -> Option<Build> {
        let Expression::Build { size, function } = self.expression(id) else { return None };
        let Expression::Lambda { parameter: index, body: element } = self.expression(function) else { return None };
        Some(Build { size, index, element })
    }

    /// Returns the parts of an `ifold` whose function is written out.
    pub fn as_ifold(&self, id: ExpressionId) -> Option<Ifold> {
        let Expression::Ifold { function, start, count } = self.expression(id) else { return None };
        let Expression::Lambda { parameter: state, body } = self.expression(function) else { return None };
        let Expression::Lambda { parameter: index, body: turn } = self.expression(body) else { return None };
        Some(Ifold { state, index, turn, start, count })
    }

    /// Returns the index of a loop and its number of turns.
    pub fn as_loop(&self, id: ExpressionId) -> Option<(LocalId, ExpressionId)> {
        let of_build = self.as_build(id).map(|Build { size, index, .. }| (index, size));
        of_build.or_else(|| self.as_ifold(id).map(|Ifold { index, count, .. }| (index, count)))
    }

    /// Returns the function of a loop, which is evaluated for each turn.
    pub fn repeated(&self, id: ExpressionId) -> Option<ExpressionId> {
        let (head, parts) = self.apart(id);
        head.repeated().and_then(|place| parts.get(place).copied())
    }

    /// Returns the `let`s around a term, from the outermost, and the term within them.
    pub fn lets(&self, id: ExpressionId) -> (Vec<(LocalId, ExpressionId)>, ExpressionId) {
        let (mut lets, mut inner) = (vec![], id);
        while let Expression::Let { local, value, body } = self.expression(inner) {
            lets.push((local, value));
            inner = body;
        }
        (lets, inner)
    }

    /// Returns true if an expression is a use of a local.
    pub fn is_local(&self, id: ExpressionId, local: LocalId) -> bool {
        self.expression(id) == Expression::Local(local)
    }
}
