//! A procedure with specialised code for calls from code that is not specialised.

use crate::analysis::Assumed;
use vlad_core::LambdaId;
use vlad_first_order::Unit;

/// In the place of the global of an input: the operand of that number.
pub const OPERAND: u32 = 1 << 31;

/// A call that has specialised code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// The application of the procedure.
    Plain,
    /// `j*` of the procedure. The operands are the point and its tangent.
    Forward,
    /// `*j` of the procedure. The operands are the point and the cotangent of the value.
    Reverse,
}

/// A procedure with specialised code.
#[derive(Debug)]
pub struct Procedure {
    /// The lambda, which captures nothing.
    pub lambda: LambdaId,
    /// The call.
    pub call: Call,
    /// The shapes of the operands that the call takes separately: of one if those of a procedure are one value.
    pub operands: Vec<Assumed>,
    /// The code of the call. Its inputs are definitions and, from [`OPERAND`] on, operands.
    pub unit: Unit,
    /// The number of steps that the code counts, but that the body of the procedure has not: those of the call itself.
    pub call_steps: u64,
    /// True if it may begin computations, whose steps are not its own (report, part 5). The code counts them together.
    pub nests: bool,
}
