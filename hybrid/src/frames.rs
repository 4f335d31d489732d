//! Frames: the reified continuations of calls. The values that they keep are on a separate stack.

use std::rc::Rc;
use vlad_core::ExpressionId;
use vlad_cps::BlockId;
use vlad_runtime::segments::{Kept, Segments};
use vlad_values::{Slots, Value};

/// A continuation λ n l x. of the converted program, for the value of a call. The values of its free variables are on
/// the stack of values.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The block.
    pub block: BlockId,
    /// The call site of the activation.
    pub site: ExpressionId,
    /// The captured slots of the activation, if the block needs them.
    pub slots: Option<Rc<Slots>>,
}

/// k: the frames of a computation, and the values that they keep.
#[derive(Debug, Default)]
pub struct Continuation {
    /// The frames.
    pub frames: Segments<Frame>,
    /// The values, those of each frame in the order of its block's free variables.
    pub saved: Segments<Value>,
}

/// A snapshot of a continuation.
#[derive(Clone, Debug)]
pub struct ContinuationSnapshot {
    /// The frames.
    pub frames: Kept<Frame>,
    /// The values.
    pub saved: Kept<Value>,
}

impl Continuation {
    /// Makes a snapshot of the continuation.
    pub fn keep(self) -> ContinuationSnapshot {
        ContinuationSnapshot { frames: self.frames.keep(), saved: self.saved.keep() }
    }
}

impl From<ContinuationSnapshot> for Continuation {
    fn from(kept: ContinuationSnapshot) -> Continuation {
        Continuation { frames: kept.frames.into(), saved: kept.saved.into() }
    }
}
