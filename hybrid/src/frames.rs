//! Frames: the continuations of calls, reified. The values that they keep stand on a stack of their own.

use std::rc::Rc;
use vlad_shared::core::ExpressionId;
use vlad_shared::cps::BlockId;
use vlad_shared::segments::{Kept, Segments};
use vlad_shared::value::{Slots, Value};

/// What remains to be done with the value of a call: a continuation λ n l x. of the converted program. The values that are
/// free in it stand on the stack of values.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The block.
    pub block: BlockId,
    /// The site of the activation.
    pub site: ExpressionId,
    /// The slots of the activation, if the block needs them.
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

/// A continuation as it was at some time.
#[derive(Clone, Debug)]
pub struct KeptContinuation {
    /// The frames.
    pub frames: Kept<Frame>,
    /// The values.
    pub saved: Kept<Value>,
}

impl Continuation {
    /// Keeps the continuation as it is now.
    pub fn keep(self) -> KeptContinuation {
        KeptContinuation { frames: self.frames.keep(), saved: self.saved.keep() }
    }
}

impl From<KeptContinuation> for Continuation {
    fn from(kept: KeptContinuation) -> Continuation {
        Continuation { frames: kept.frames.into(), saved: kept.saved.into() }
    }
}
