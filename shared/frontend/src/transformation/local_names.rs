//! The names of a procedure's locals in transformed code, and the owners of its blocks.

use crate::transformation::captures::Body;
use crate::transformation::helper_names::Preamble;
use crate::transformation::spelling::Spelling;
use crate::transformation::statements::{Group, Local};
use std::rc::Rc;

/// The owner of a block, which determines the result of its backpropagator.
#[derive(Clone, Debug)]
pub enum Owner {
    /// A procedure at top level.
    Top,
    /// A procedure of a group.
    Member(Group),
    /// One of the branches of an `if`, and the locals that they use.
    Branch(Rc<Vec<Local>>),
}

/// The names in the transformed code of one procedure.
pub struct LocalNames<'code> {
    /// The names of the program, and the endings of those that are made.
    pub spelling: &'code Spelling,
    /// The helpers that transformed code uses.
    pub preamble: &'code Preamble,
    /// The statements of the procedure.
    pub body: &'code Body,
}

impl LocalNames<'_> {
    /// Returns the name of a local's value.
    pub fn value(&self, local: Local) -> String {
        format!("{}{}", self.body.local(local).name, self.spelling.value)
    }

    /// Returns the name of a local's backpropagator.
    pub fn backpropagator(&self, local: Local) -> String {
        format!("{}{}", self.body.local(local).name, self.spelling.backpropagator)
    }

    /// Returns the name of a local's sensitivity.
    pub fn sensitivity(&self, local: Local) -> String {
        format!("{}{}", self.body.local(local).name, self.spelling.sensitivity)
    }
}
