//! The rows: the definitions of libraries, each with a check of its derivatives or a reason why it has none.

/// The order of the derivatives that are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// First derivatives.
    First,
    /// First and second derivatives.
    Second,
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub enum Row {
    /// A check of a definition.
    Checked {
        /// Its name.
        name: &'static str,
        /// A procedure that calls it, whose operand and value have reals.
        procedure: &'static str,
        /// A point.
        point: &'static str,
        /// The order.
        order: Order,
    },
    /// Definitions that have no derivatives.
    Exempt {
        /// Their names.
        names: &'static [&'static str],
        /// The sort of their results, or the reason otherwise.
        reason: &'static str,
    },
}

/// A check of first derivatives.
pub const fn once(name: &'static str, procedure: &'static str, point: &'static str) -> Row {
    Row::Checked { name, procedure, point, order: Order::First }
}

/// A check of first and second derivatives.
pub const fn twice(name: &'static str, procedure: &'static str, point: &'static str) -> Row {
    Row::Checked { name, procedure, point, order: Order::Second }
}

/// Definitions without derivatives.
pub const fn exempt(names: &'static [&'static str], reason: &'static str) -> Row {
    Row::Exempt { names, reason }
}

impl Row {
    /// The names of the definitions that it is about.
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            Row::Checked { name, .. } => vec![name],
            Row::Exempt { names, .. } => names.to_vec(),
        }
    }
}
