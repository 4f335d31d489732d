//! Statements: procedures as sequences of bindings, the form in which reverse mode transforms them.

use crate::resolve::scope::Variable;
use vlad_core::ConstantId;
use vlad_language::named::NodeId;
use vlad_language::names::NameId;

/// The number of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Local(pub u32);

/// The number of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OperandId(pub u32);

/// The number of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockId(pub u32);

/// The number of a group: procedures that use the same variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group(pub u32);

/// An operand of a statement.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A local.
    Local(Local),
    /// A constant.
    Constant(ConstantId),
    /// A definition at top level or a primitive, and its name.
    Top(Variable, NameId),
    /// A procedure in its source form, as a value.
    Code(NodeId),
    /// A pair of two operands.
    Pair(OperandId, OperandId),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Binds a local to an operand.
    Bind(Local, OperandId),
    /// The value of a call.
    Call {
        /// The local that is bound to the result.
        into: Local,
        /// The procedure, which is no pair.
        operator: OperandId,
        /// Its argument.
        operand: OperandId,
    },
    /// Binds two locals to the parts of a pair, which is the third.
    Split(Local, Local, Local),
    /// A local must be a constant.
    Check(ConstantId, Local),
    /// The value of one of two blocks.
    If {
        /// The local that is bound to the result.
        into: Local,
        /// The condition.
        test: OperandId,
        /// The block taken unless the condition is `#f`.
        consequent: BlockId,
        /// The block taken if the condition is `#f`.
        alternative: BlockId,
    },
    /// A procedure.
    Lambda(Group),
    /// Mutually recursive procedures.
    Letrec(Group),
}

/// A sequence of statements, and an operand, which is no pair, for its value.
#[derive(Clone, Debug)]
pub struct Block {
    /// The parameter, if the block is the body of a procedure.
    pub parameter: Option<Local>,
    /// The statements.
    pub statements: Vec<Statement>,
    /// The value.
    pub result: OperandId,
}

/// The description of a local.
#[derive(Clone, Debug)]
pub struct LocalDescription {
    /// Its name without a suffix.
    pub name: String,
    /// The group of which it is a procedure.
    pub group: Option<Group>,
}
