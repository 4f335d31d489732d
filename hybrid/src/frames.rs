//! Frames: the continuations of calls, reified. The values that they keep stand on a stack of their own.

use std::rc::Rc;
use vlad_shared::core::ExpressionId;
use vlad_shared::cps::BlockId;
use vlad_shared::differentiation::application::Leaving;
use vlad_shared::value::Slots;

/// What remains to be done with the value of a call.
#[derive(Debug)]
pub enum Frame {
    /// A continuation λ n l x. of the converted program. The values that are free in it stand on the stack of values.
    Continue {
        /// The block.
        block: BlockId,
        /// The site of the activation.
        site: ExpressionId,
        /// The slots of the activation, if the block needs them.
        slots: Option<Rc<Slots>>,
    },
    /// The application inside an operator of differentiation: then the end of the operator.
    Leave {
        /// The end.
        leaving: Leaving,
        /// The application of the operator.
        node: ExpressionId,
        /// Where faults of the prelude are shown.
        site: ExpressionId,
    },
}
