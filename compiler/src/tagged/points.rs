//! Stop points of a stoppable program: the steps at which the stepwise forms of its functions stop and resume. `tables` writes
//! their descriptors for the functions, and `definitions` for definitions; the code in `body` that stops refers to them.
//!
//! A function of a stoppable program has two forms: one takes the fuel for all of its steps at once, the stepwise form at each row
//! of steps (see `rows`). If the fuel does not suffice for a row, the stepwise form returns to the driver with the stop point of
//! the first step without fuel. The runtime makes a frame of the live values: the variables in ascending order, from their storage
//! in the machine; the captured variables of the procedure, its slots, as a procedure, if they are live; and in library code the
//! call site. To resume, the runtime restores these values, and the function jumps to the row. The row takes fuel for all of its
//! steps, so the runtime adds the fuel of the steps before the stop point.
//!
//! A frame keeps exactly the values that the rest of the activation needs, since capsules consist of such frames.

use super::context::Context;
use crate::c::{Expression as C, Item};
use vlad_core::ExpressionId;
use vlad_cps::BlockId;

/// The description of a stop point.
#[derive(Clone, Debug)]
pub struct Point {
    /// The node that is entered next.
    pub node: ExpressionId,
    /// The name of the descriptor of its C function ([`entry_object`]).
    pub entry: String,
    /// The block that contains it.
    pub block: BlockId,
    /// The index of its step in the block.
    pub instruction: usize,
    /// The number of values in its frame.
    pub values: u64,
    /// The number of its row.
    pub label: u64,
    /// The number of steps of its row that come before it.
    pub offset: u64,
    /// True if the last of the values is the call site.
    pub has_site: bool,
    /// True if the last of the other values is a procedure with the captured slots.
    pub has_slots: bool,
}

/// The address of the stop point of a node, which may be computed when the program runs.
pub fn point_at(context: &Context<'_>, node: C) -> C {
    C::Index(Box::new(C::Name(context.points_name())), Box::new(node)).prefix("&")
}

/// The descriptor of the two forms of a function, to which its stop points refer, with the given contents.
pub fn entry_object(name: String, contents: Vec<C>) -> Item {
    Item::Object { storage: "static ", ctype: "const struct vlad_entry", name, contents }
}
