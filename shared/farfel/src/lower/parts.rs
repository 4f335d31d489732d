//! The data that several modules of lowering share.

use crate::check::entities::VarId;
use vlad_language::names::NameId;

/// The continuation of a block.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// The block is an expression that yields these variables.
    Values(Vec<VarId>),
    /// The subprogram returns.
    Return,
    /// A procedure is called with the next value of a counter, if it has one, and these variables.
    Next(NameId, Option<NameId>, Vec<VarId>),
}

/// The procedures that frames need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Helpers {
    /// The list of frames, how many are newer -> the frame.
    pub(super) frame: NameId,
    /// The list of frames, how many are newer, a frame -> the list with that frame.
    pub(super) replace: NameId,
}
