//! The tree of converted programs: activations, blocks, instructions, and the operands that they refer to.

use vlad_core::{Awaiting, Binder, ConstantId, ExpressionId, GlobalId, GroupId, LambdaId};
use vlad_table::{Primitive, internal_bug};

/// The number of a block, in the whole program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// The number of an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActivationId(pub u32);

/// A variable, numbered within its activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// A program after CPS conversion.
#[derive(Clone, Debug, Default)]
pub struct Converted {
    /// The activations.
    pub activations: Vec<Activation>,
    /// The blocks. Those of one activation are contiguous, each before its successors.
    pub blocks: Vec<Block>,
    /// The activation of each item of the program.
    pub items: Vec<ActivationId>,
    /// The activation of each lambda of the program; none for the lambda of a `let`, which runs in the enclosing
    /// activation.
    pub procedures: Vec<Option<ActivationId>>,
}

/// The converted body of a procedure, or of an expression at top level.
#[derive(Clone, Debug)]
pub struct Activation {
    /// The procedure; none at top level.
    pub lambda: Option<LambdaId>,
    /// The first block. A procedure's entry has one parameter, the argument; at top level there is none.
    pub entry: BlockId,
    /// The first block of a call that passes the parts of the argument separately: if the procedure's pattern is a
    /// single variable, or `(cons* a b c)` with variables alone, a block with one parameter for each variable. (For a
    /// single variable it is the entry.)
    pub direct: Option<BlockId>,
    /// The number of variables; they are numbered from 0.
    pub variables: u32,
    /// The names of the variables, for printing; a name is empty if the program gives none.
    pub names: Vec<String>,
    /// True for library code. Such an activation has a *call site*: the application of the user's program through which
    /// library code was entered. It is called with its call site, and passes it on to its callees. Other procedures
    /// ignore theirs, and pass their own application.
    pub is_shipped: bool,
}

/// A λ whose uses are known: straight-line code and its end.
#[derive(Clone, Debug)]
pub struct Block {
    /// The activation that it belongs to.
    pub activation: ActivationId,
    /// The kind of the block.
    pub role: Role,
    /// The variables to which its predecessors pass values.
    pub parameters: Vec<Variable>,
    /// The variables of earlier blocks that it or its successors refer to, in ascending order: exactly those that are
    /// live at its beginning, beside the parameters. Empty for entries.
    pub free: Vec<Variable>,
    /// True if the block or one of its successors refers to the procedure's slots or siblings.
    pub needs_slots: bool,
    /// True if the call site matters: the block receives a value, or it or one of its successors can fail or call. Always false
    /// outside library code.
    pub needs_site: bool,
    /// The instructions, in order of execution.
    pub instructions: Vec<Instruction>,
    /// The end: a return, a jump, a branch or a call.
    pub end: End,
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The start of an activation, with the argument or its parts.
    Entry,
    /// One of the two targets of an [`End::Branch`].
    Branch,
    /// A known continuation: it receives the value of an `if`, or of a call. As the continuation of a call it is
    /// reified as a frame ([`CallContinuation::Continue`]).
    Continuation {
        /// The node whose value it awaits, and the outermost node of the activation that awaits that one, for the list
        /// of pending calls in error messages (`vlad_runtime::diagnosis::pending`).
        awaiting: Awaiting,
        /// The variable that holds the index of the iteration, if the node is the call that a loop procedure of the
        /// prelude makes in each iteration.
        iteration: Option<Variable>,
    },
}

/// An operand of an instruction or of the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A variable that is used again later: the value is shared.
    Variable(Variable),
    /// A variable at its last use on this path: the value moves.
    Moved(Variable),
    /// A constant.
    Constant(ConstantId),
    /// The value of a top-level definition that has run (an [`Instruction::Defined`] precedes). It never changes, so
    /// frames need not keep it.
    Global(GlobalId),
    /// A primitive.
    Primitive(Primitive),
    /// A captured slot of the running procedure.
    Slot(u32),
    /// A member of the running procedure's `letrec` group: the given code with the running procedure's slots.
    Sibling(LambdaId),
}

impl Atom {
    /// The variable that is at its last use.
    pub fn moved(self) -> Option<Variable> {
        match self {
            Atom::Moved(variable) => Some(variable),
            Atom::Variable(_)
            | Atom::Constant(_)
            | Atom::Global(_)
            | Atom::Primitive(_)
            | Atom::Slot(_)
            | Atom::Sibling(_) => None,
        }
    }
}

/// An instruction of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Instruction {
    /// Enters an expression node: if n = l the run stops here, else n becomes n + 1.
    Step(ExpressionId),
    /// Fails (kind `unbound`, at the node) unless a top-level definition has run.
    Defined {
        /// The definition.
        global: GlobalId,
        /// The node that refers to it.
        node: ExpressionId,
    },
    /// Binds a variable to a new pair.
    Pair {
        /// The variable that is bound.
        variable: Variable,
        /// Its first half.
        first: Atom,
        /// Its second half.
        second: Atom,
    },
    /// Binds a variable to a new procedure.
    Close {
        /// The variable that is bound.
        variable: Variable,
        /// Its code.
        lambda: LambdaId,
        /// The values of its slots.
        captures: Vec<Atom>,
    },
    /// Binds variables to the members of a `letrec` group, which share their slots.
    Tie {
        /// The variables that are bound, one a member.
        variables: Vec<Variable>,
        /// The group.
        group: GroupId,
        /// The values of the slots.
        captures: Vec<Atom>,
    },
    /// Binds a variable to the result of a primitive that calls no procedure; a fault is reported at the node.
    Apply {
        /// The variable that is bound.
        variable: Variable,
        /// The primitive; never one of the form [`vlad_table::Form::Control`].
        primitive: Primitive,
        /// Its argument: the one operand, or the tuple `(cons* a b ...)` of several.
        operands: Vec<Atom>,
        /// The application.
        node: ExpressionId,
    },
    /// Matches a value against the pattern of a lambda, and binds one variable to the part that each variable of the
    /// pattern matches, in order; fails (kind `pattern`, see `vlad_runtime::diagnosis::mismatch`) at the node.
    Match {
        /// The variables that are bound, in the order of the pattern's.
        variables: Vec<Variable>,
        /// The lambda.
        lambda: LambdaId,
        /// The construct to which the pattern belongs: a procedure's parameter list or a `let`.
        binder: Binder,
        /// The value.
        argument: Atom,
        /// The expression node to report: the application or `let`. The parameter list of a procedure has none: the
        /// caller reports the application that called.
        node: Option<ExpressionId>,
    },
    /// Releases a variable that is not used again, or is never used.
    Drop(Variable),
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// k n l x: returns the value of the activation to its continuation.
    Return(Atom),
    /// Jumps to a block, with values for its parameters.
    Jump {
        /// The block.
        block: BlockId,
        /// The values.
        arguments: Vec<Atom>,
    },
    /// Continues with one of two blocks, which have no parameters.
    Branch {
        /// The condition; only `#f` is false.
        test: Atom,
        /// Taken unless the condition is `#f`.
        consequent: BlockId,
        /// Taken if the condition is `#f`.
        alternative: BlockId,
    },
    /// x₁ k n l x₂: applies an operator of any kind.
    Call {
        /// The operator. A primitive here is one of the form [`vlad_table::Form::Control`].
        operator: Atom,
        /// The operand: one value, or the tuple `(cons* a b ...)` of several.
        operands: Vec<Atom>,
        /// The continuation k.
        then: CallContinuation,
        /// The application.
        node: ExpressionId,
    },
    /// The same if the operator is known to be a procedure of the given code, which has an [`Activation::direct`]
    /// block: continues there.
    Enter {
        /// The operator, for its slots.
        operator: Atom,
        /// Its code.
        lambda: LambdaId,
        /// A value for each parameter of the direct block.
        arguments: Vec<Atom>,
        /// The continuation k.
        then: CallContinuation,
        /// The application.
        node: ExpressionId,
    },
}

/// The continuation of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallContinuation {
    /// The activation's own: a call in tail position.
    Return,
    /// A block with one parameter, reified as a frame that takes ownership of (moves) the variables free in the block.
    Continue(BlockId),
}

impl Converted {
    /// The block with a number.
    #[inline]
    pub fn block(&self, id: BlockId) -> &Block {
        match self.blocks.get(id.0 as usize) {
            Some(block) => block,
            None => internal_bug!("block {} is in the arena", id.0),
        }
    }

    /// The activation with a number.
    #[inline]
    pub fn activation(&self, id: ActivationId) -> &Activation {
        match self.activations.get(id.0 as usize) {
            Some(activation) => activation,
            None => internal_bug!("activation {} is in the arena", id.0),
        }
    }

    /// The activation of a procedure's code; the lambda must not be that of a `let`.
    #[inline]
    pub fn procedure(&self, lambda: LambdaId) -> ActivationId {
        match self.procedures.get(lambda.0 as usize) {
            Some(Some(activation)) => *activation,
            Some(None) | None => internal_bug!("lambda {} has an activation of its own", lambda.0),
        }
    }
}
