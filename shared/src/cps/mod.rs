//! The converted program: core after CPS conversion, with the count and the limit threaded (report, part 13).
//!
//! In the equations of the talk of 2018 (part II, "Threading step counts and limits") a converted procedure takes a
//! continuation k, a count n and a limit l beside its argument, and a continuation takes n and l beside its value. Here
//! that is a first-order program:
//!
//! - An [`Activation`] is the converted body of a procedure, or of an expression at top level. Its k is implicit: it is
//!   what [`End::Return`] gives its value to, and what a call in tail position passes on.
//! - A [`Block`] is a λ of the converted program whose uses are known: the entry of a procedure, a branch, a join after a
//!   branch, or the continuation λ n l x. of a call. Only the last kind is ever reified, as the frame of a call
//!   ([`Then::Continue`]), and the frame keeps exactly the variables that are free in it. Blocks of an activation form
//!   no cycle: a loop is a call.
//! - n and l are implicit, too: [`Instruction::Step`] is "if n = l then stop, else n+1", written where the equations
//!   count. A step belongs to the node that is entered.
//!
//! Invariants (checked by [`check::check`]): each variable is bound once, before its uses, and owned by one place at a
//! time - see [`Atom::Moved`]; blocks only go on to blocks of their own activation; [`Block::needs_slots`] and
//! [`Block::needs_site`] say no more and no less than they mean; each node of core is entered in exactly one place. That
//! each path takes the steps that core counts is not checked: it is what engines that count alike show.
//!
//! - [`convert`]: core to converted program, postcondition: the above but ownership and needs;
//! - [`liveness`]: which variables are free in a block, where each is used for the last time, and what a block needs;
//! - [`check`]: the invariants, after the passes, in tests;
//! - [`print`]: the printed form (`vlad show cps`).

pub mod check;
pub mod convert;
pub mod layout;
pub mod liveness;
pub mod print;
#[cfg(test)]
mod tests;

use crate::core::{ConstantId, ExpressionId, GlobalId, GroupId, LambdaId, Program};
use crate::internal_bug;
use crate::mismatch::Binder;
use crate::pending::Awaiting;
use crate::table::Primitive;

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
    /// The blocks. Those of one activation stand together, each before the blocks that it goes on to.
    pub blocks: Vec<Block>,
    /// For each item of the program its activation.
    pub items: Vec<ActivationId>,
    /// For each lambda of the program its activation; none for the lambda of a `let`, which runs in the one around it.
    pub procedures: Vec<Option<ActivationId>>,
}

/// The converted body of a procedure, or of an expression at top level.
#[derive(Clone, Debug)]
pub struct Activation {
    /// The procedure; none at top level.
    pub lambda: Option<LambdaId>,
    /// Where it begins. A procedure's entry has one parameter, the argument; at top level there is none.
    pub entry: BlockId,
    /// Where it begins when it is given the parts of its argument instead: if its pattern is a single variable, or
    /// variables in a row as in `(cons* a b c)`, a block with one parameter for each variable. (For a single variable it
    /// is the entry.)
    pub direct: Option<BlockId>,
    /// How many variables there are in it: they are numbered from 0.
    pub variables: u32,
    /// Names for variables, one each, for printing; empty if the program gives none.
    pub names: Vec<String>,
    /// Whether its code is shipped: then it has a *site*, the user's application through which shipped code was
    /// entered, that it is called with and passes on to what it calls. Other procedures ignore theirs, and pass their
    /// own application.
    pub is_shipped: bool,
}

/// A λ whose uses are known: straight code and what comes after it.
#[derive(Clone, Debug)]
pub struct Block {
    /// The activation that it belongs to.
    pub activation: ActivationId,
    /// What it is there for.
    pub role: Role,
    /// The variables that it is given values for.
    pub parameters: Vec<Variable>,
    /// The variables of earlier blocks that it or blocks after it refer to, in ascending order: exactly what is alive
    /// when it begins, beside the parameters. Empty for entries.
    pub free: Vec<Variable>,
    /// Whether it, or a block after it, refers to the procedure's slots or siblings.
    pub needs_slots: bool,
    /// Whether it, or a block after it, can fail or call, so that the site matters. Always false outside shipped code.
    pub needs_site: bool,
    /// What it does.
    pub instructions: Vec<Instruction>,
    /// How it ends.
    pub end: End,
}

/// What a block is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An activation begins here, with the argument or its parts.
    Entry,
    /// One of the two ends of a [`End::Branch`].
    Branch,
    /// It is given the value of an `if`, or of a call: a known continuation. At the end of calls it is reified as a
    /// frame ([`Then::Continue`]).
    Continuation {
        /// The node whose value it awaits, and the outermost node of the activation whose value awaits that one: what
        /// [`crate::pending`] wants to know of the frame.
        awaiting: Awaiting,
        /// The variable that has the number of the iteration, if the node is the call that a frame machine makes in each.
        iteration: Option<Variable>,
    },
}

/// What an instruction or an end works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A variable that is used again later: the value is shared.
    Variable(Variable),
    /// A variable that is used for the last time on this path: the value moves.
    Moved(Variable),
    /// A constant.
    Constant(ConstantId),
    /// The value of a top-level definition that has run ([`Instruction::Defined`] came before). It never changes, so it
    /// need not be kept in frames.
    Global(GlobalId),
    /// A primitive.
    Primitive(Primitive),
    /// A slot of the running procedure.
    Slot(u32),
    /// A member of the running procedure's group: that code with the running procedure's slots.
    Sibling(LambdaId),
}

/// One thing that a block does.
#[derive(Clone, Debug, PartialEq)]
pub enum Instruction {
    /// A node is entered: if n = l the run stops here, else n becomes n + 1.
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
    /// Binds a variable to the result of a primitive that calls no procedure; fails at the node.
    Apply {
        /// The variable that is bound.
        variable: Variable,
        /// The primitive; never one of the form [`crate::table::Form::Control`].
        primitive: Primitive,
        /// Its argument: the one operand, or the tuple `(cons* a b ...)` of several.
        operands: Vec<Atom>,
        /// The application.
        node: ExpressionId,
    },
    /// Takes a value apart by the pattern of a lambda, and binds variables to what the pattern's variables stand for, one
    /// each, in order; fails (kind `pattern`, see [`crate::mismatch`]) at the node.
    Match {
        /// The variables that are bound; those at the same places in the pattern.
        variables: Vec<Variable>,
        /// The lambda.
        lambda: LambdaId,
        /// Whether it is a procedure's parameter list or a `let`.
        binder: Binder,
        /// The value.
        argument: Atom,
        /// The node to show: the application or `let`. For the parameter list of a procedure there is none: it is the
        /// application that called, which the caller tells.
        node: Option<ExpressionId>,
    },
    /// Gives a variable up that is not used any more, or never.
    Drop(Variable),
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// k n l x: gives the value of the activation to whoever awaits it.
    Return(Atom),
    /// Goes on to a block with values for its parameters.
    Jump {
        /// The block.
        block: BlockId,
        /// The values.
        arguments: Vec<Atom>,
    },
    /// Goes on to one of two blocks, which have no parameters.
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
        /// The operator. A primitive here is one of the form [`crate::table::Form::Control`].
        operator: Atom,
        /// The operand: one value, or the tuple `(cons* a b ...)` of several.
        operands: Vec<Atom>,
        /// k.
        then: Then,
        /// The application.
        node: ExpressionId,
    },
    /// The same where the operator is known to be a procedure of that code, whose pattern is variables in a row: goes to
    /// the [`Activation::direct`] block of the code.
    Enter {
        /// The operator, for its slots.
        operator: Atom,
        /// Its code.
        lambda: LambdaId,
        /// A value for each parameter of the direct block.
        arguments: Vec<Atom>,
        /// k.
        then: Then,
        /// The application.
        node: ExpressionId,
    },
}

/// The continuation of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The activation's own: a call in tail position.
    Return,
    /// A block with one parameter, reified as a frame that takes over (moves) the variables free in the block.
    Continue(BlockId),
}

impl Converted {
    /// A block.
    #[inline]
    pub fn block(&self, id: BlockId) -> &Block {
        match self.blocks.get(id.0 as usize) {
            Some(block) => block,
            None => internal_bug!("block {} is in the arena", id.0),
        }
    }

    /// An activation.
    #[inline]
    pub fn activation(&self, id: ActivationId) -> &Activation {
        match self.activations.get(id.0 as usize) {
            Some(activation) => activation,
            None => internal_bug!("activation {} is in the arena", id.0),
        }
    }

    /// The activation of a procedure's code; its lambda must not be a `let`'s.
    #[inline]
    pub fn procedure(&self, lambda: LambdaId) -> ActivationId {
        match self.procedures.get(lambda.0 as usize) {
            Some(Some(activation)) => *activation,
            Some(None) | None => internal_bug!("lambda {} has an activation of its own", lambda.0),
        }
    }
}

/// The passes: core to the converted program that engines run.
pub fn pipeline(program: &Program) -> Converted {
    let mut converted = convert::convert(program);
    liveness::settle(&mut converted);
    converted
}
