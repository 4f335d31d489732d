//! The reasons for which an item is not specialised, each with what the user can change.

use std::borrow::Cow;
use vlad_core::ExpressionId;
use vlad_first_order::differentiate::Refusal;
use vlad_table::Primitive;

/// The greatest number of alternatives of a union.
pub const MOST_ALTERNATIVES: usize = 8;

/// The obstacle to a value above two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// They differ in more than their reals and booleans, and there is no union or no cell of them.
    Shapes,
    /// They have more than 8 alternatives.
    Alternatives,
    /// One of several alternatives contains a vector whose length is not known.
    Array,
    /// One of several alternatives contains a bundle, a value with a tag or a backpropagator.
    Mark,
}

/// A reason, for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The cause.
    pub cause: Cause,
    /// The expression that it is about, if one is known.
    pub node: Option<ExpressionId>,
}

/// The causes for which an item is not specialised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It defines a procedure: there is nothing to compute.
    Procedure,
    /// It defines data: there is nothing to compute.
    Data,
    /// As far as is known it never returns.
    NoValue,
    /// A vector whose length is not known.
    VectorLength,
    /// A vector whose length is not known becomes a list.
    VectorAsList,
    /// An index that is not known into a vector with more elements than the given number.
    VectorIndex(usize),
    /// Vectors of which one has a length that is not known, and which differ in more.
    VectorShape,
    /// A vector of unknown length, with elements of several parts, where only vectors of reals or booleans can be.
    VectorOfParts,
    /// A vector whose length is not known, which would be copied each time that one of its elements is replaced.
    VectorCopied,
    /// A constant that is too large.
    Constant,
    /// An operator takes a backpropagator apart.
    BackpropagatorApart,
    /// A backpropagator is kept or compared in an item that reads numbers.
    BackpropagatorKept,
    /// A backpropagator that is called late is differentiated in reverse mode.
    BackpropagatorLate,
    /// A backpropagator that is called late belongs to a procedure with effects.
    BackpropagatorEffects,
    /// A primitive without a meaning for the analysis.
    Primitive(Primitive),
    /// A definition whose item is not specialised.
    Definition(String),
    /// Two branches without a join.
    Branches,
    /// The results of a procedure without a join.
    Results,
    /// Alternatives are more than 8.
    UnionOfMany,
    /// A vector whose length is not known is one of several alternatives, or a part of one.
    UnionOfVectors,
    /// A bundle, a value with a tag or a backpropagator is one of several alternatives, or a part of one.
    UnionOfMarks,
    /// A definition is a structure of any size, and the item is analysed without such ones.
    GrownBefore,
    /// A structure of any size is in a bundle or an operand of `zero` or `plus`, or beside a vector of unknown length where
    /// something is differentiated.
    GrownInOperator,
    /// Structures of any size are compared that have several parts of any size in one.
    GrownCompared,
    /// Structures of any size that grow in different ways are the same value.
    GrownMixed,
    /// The last operand of a primitive may be a structure of any size, or its operands are one.
    GrownOperands,
    /// A structure of any size is read, written or kept by an item that goes through it once.
    GrownOnce,
    /// An expression is nested too deep.
    Expressions,
    /// The analysis takes more evaluations than the given number.
    Work(u64),
    /// There are more instances than the given number.
    Instances(usize),
    /// A chain of more calls than the given number is unrolled.
    Unrolled(u32),
    /// A value has more unknown reals and booleans than the given number.
    Leaves(u32),
    /// A value has more parts than the given number.
    Parts(u32),
    /// A value is nested deeper than the given number.
    Depth(u32),
    /// A derivative is refused.
    Derivative(Refusal),
    /// The code has more statements than the given number.
    Size(usize),
    /// More statements than the given number are executed once at most.
    Once(usize),
    /// The statements have more operands and results than the given number.
    Operands(usize),
    /// An option of `checkpoint-*j` is not known, or may not permit a division.
    CheckpointOptions,
}

/// The advice for backpropagators.
const KEEP_NO_BACKPROPAGATOR: &str =
    "call `*j` with procedure, point and cotangent, `(*j f x 1)`, instead of keeping what `(*j f)` returns";

impl Cause {
    /// The cause for values without a join: that of the obstacle, or of the place where they meet.
    pub fn without_join(misfit: Misfit, place: Cause) -> Cause {
        match misfit {
            Misfit::Shapes => place,
            Misfit::Alternatives => Cause::UnionOfMany,
            Misfit::Array => Cause::UnionOfVectors,
            Misfit::Mark => Cause::UnionOfMarks,
        }
    }

    /// The cause in words, and what the user can change: one row for each.
    fn row(&self) -> (Cow<'static, str>, &'static str) {
        let (text, hint): (Cow<'static, str>, _) = match self {
            Cause::Procedure => ("it defines a procedure".into(), "what calls it is specialised, with the procedure"),
            Cause::Data => ("it defines data".into(), "what reads them is specialised for their shape"),
            Cause::NoValue => (
                "it does not return a value".into(),
                "it fails, or its recursion does not end: run the program with `--engine interp` to see the error",
            ),
            Cause::VectorLength => (
                "the length of a vector is not known to the analysis".into(),
                "write the length in the program, or compute numbers by `ifold` in place of the vector: its number of \
                 iterations need not be known",
            ),
            Cause::VectorAsList => (
                "a vector whose length is not known becomes a list".into(),
                "go through the vector by `ifold` and `get`",
            ),
            Cause::VectorIndex(most) => (
                format!("a vector of more than {most} elements has an index that is not known").into(),
                "use shorter vectors, a vector of short vectors, or `ifold` and `build` with indices that are known",
            ),
            Cause::VectorCopied => (
                "a vector whose elements are replaced in a loop or a recursion is used otherwise, too".into(),
                "give the vector from turn to turn of a loop, and read it only before `vector-set` has made the next one of it",
            ),
            Cause::VectorShape => (
                "a vector whose length is not known meets one of another shape".into(),
                "make both with `build`, of elements of one sort",
            ),
            Cause::VectorOfParts => (
                "a vector whose length is not known, of pairs, procedures or vectors of known lengths, is an operand or the result".into(),
                "use a vector of reals for each part where it is differentiated, defined or returned",
            ),
            Cause::Constant => ("a constant is too large".into(), "read long data by `read-real`, in a loop"),
            Cause::BackpropagatorApart => ("an operator takes a backpropagator apart".into(), KEEP_NO_BACKPROPAGATOR),
            Cause::BackpropagatorKept => {
                ("a backpropagator is kept or compared where numbers are read".into(), KEEP_NO_BACKPROPAGATOR)
            }
            Cause::BackpropagatorLate => (
                "a backpropagator that is called late is differentiated in reverse mode".into(),
                KEEP_NO_BACKPROPAGATOR,
            ),
            Cause::BackpropagatorEffects => {
                ("a backpropagator belongs to a procedure that reads or writes".into(), KEEP_NO_BACKPROPAGATOR)
            }
            Cause::Primitive(primitive) => (
                format!("`{}` is not specialised", primitive.name()).into(),
                "keep it in a top-level expression of its own, and what is to be fast in definitions before it",
            ),
            Cause::Definition(name) => (
                format!("the value of `{name}` is not known to the analysis").into(),
                "it is defined by an item that is not specialised: change that one first",
            ),
            Cause::Branches => (
                "the branches have values of different shapes".into(),
                "let both branches return the same structure, with numbers in the same places",
            ),
            Cause::Results => (
                "a procedure returns values of different shapes".into(),
                "let all calls return the same structure: a list whose length depends on data has none, but a sum or \
                 another number computed in its place does",
            ),
            Cause::UnionOfMany => (
                format!("a value has one of more than {MOST_ALTERNATIVES} shapes").into(),
                "let a number say which of the cases it is, and keep the same structure for all",
            ),
            Cause::UnionOfVectors => (
                "a vector whose length is not known is one of several shapes of a value".into(),
                "let all cases return a vector that `build` makes, perhaps an empty one, and a number or a boolean that \
                 says which case it is",
            ),
            Cause::UnionOfMarks => (
                "a bundle, a value with a tag or a backpropagator is one of several shapes of a value".into(),
                "decide outside of the procedure that is differentiated, and take primal and tangent out of bundles before",
            ),
            Cause::GrownBefore => (
                "a definition whose value grows in a loop or a recursion is read".into(),
                "compute in its definition what is needed of it",
            ),
            Cause::GrownInOperator => (
                "a structure that grows in a loop or a recursion is in a bundle, an operand of `zero`, `plus` or `(*j f)`, or \
                 beside a vector of unknown length at an operator of differentiation"
                    .into(),
                "use `j*` and `*j` with procedure, point and tangent or cotangent, and lists without such vectors",
            ),
            Cause::GrownCompared => (
                "structures that grow in several directions, such as trees, are compared with one another".into(),
                "compare them by a procedure of the program",
            ),
            Cause::GrownMixed => (
                "structures that grow in different ways are values of the same name or procedure".into(),
                "build each by a procedure of its own, with elements of one sort",
            ),
            Cause::GrownOnce => (
                "a structure that grows in a loop or a recursion is read, written, kept or differentiated, and gone through once".into(),
                "leave it as it is: such an expression is faster as it is compiled now, and those that repeat may read its \
                 value",
            ),
            Cause::GrownOperands => (
                "the last operand of a primitive may be a structure of any size, as far as is known".into(),
                "go through structures of different kinds, such as lists and lists of lists, by procedures of their own; if the \
                 operands are such a structure, use `reduce` with the primitive",
            ),
            Cause::Expressions => (
                "expressions are nested too deeply".into(),
                "bind inner expressions by `let` or `define`, which may follow each other without end",
            ),
            Cause::Work(most) => (
                format!("the analysis takes more than {most} evaluations").into(),
                "make a bound of a loop unknown, in VLAD by `(real n)` or `(read-real)`, so that it is not unrolled",
            ),
            Cause::Instances(most) => (
                format!("there are more than {most} instances of procedures").into(),
                "make what differs between the calls unknown by `real`, or pass it as a number instead of a structure",
            ),
            Cause::Unrolled(most) => (
                format!("more than {most} calls are unrolled").into(),
                "a structure grows in a loop or a recursion: compute numbers in place of a list that is built there, \
                 and let a number that is not known, `(real n)`, end it",
            ),
            Cause::Leaves(most) => (format!("a value has more than {most} reals").into(), "use shorter lists"),
            Cause::Parts(most) => (
                format!("a value has more than {most} parts").into(),
                "use shorter lists; a procedure has those of the procedures that it captures as well",
            ),
            Cause::Depth(most) => (
                format!("a value is nested more than {most} deep").into(),
                "nest lists in their tails, not in their first elements; a closure that captures the one before is \
                 nested as well",
            ),
            Cause::Derivative(refusal) => (refusal.text().into(), refusal.hint()),
            Cause::Size(most) => (
                format!("its code has more than {most} statements").into(),
                "make a bound of a loop unknown, in VLAD by `(real n)` or `(read-real)`, so that it is not unrolled",
            ),
            Cause::Once(most) => (
                format!("more than {most} statements of its code are executed once").into(),
                "leave it as it is: compiling them would take longer than they do; or make a bound of a loop unknown, in VLAD by \
                 `(real n)` or `(read-real)`, so that it is not unrolled",
            ),
            Cause::Operands(most) => (
                format!("its statements have more than {most} operands and results").into(),
                "make the length of a long vector unknown, `(real n)` or `(read-real)`, so that it is passed as a whole",
            ),
            Cause::CheckpointOptions => (
                "an option of `checkpoint-*j` is not known, or may not suffice for the steps that are taken".into(),
                "write the options as numbers; give two of the three options of binomial checkpointing, none of them 0",
            ),
        };
        (text, hint)
    }
}

impl Reason {
    /// A reason whose place is not known yet.
    pub fn new(cause: Cause) -> Reason {
        Reason { cause, node: None }
    }

    /// The reason with a place, unless it has one.
    #[must_use]
    pub fn at(mut self, node: ExpressionId) -> Reason {
        self.node.get_or_insert(node);
        self
    }

    /// A clause: "a value has more than 2048 reals".
    pub fn text(&self) -> Cow<'static, str> {
        self.cause.row().0
    }

    /// The advice to the user.
    pub fn hint(&self) -> &'static str {
        self.cause.row().1
    }
}

/// The reason why an abstract evaluation does not return a value.
#[derive(Clone, Debug)]
pub enum Stop {
    /// Evaluation does not return: it fails at the node, or calls a procedure that does not return as far as is known.
    /// (The paper's bottom.)
    Never(ExpressionId),
    /// The item is not specialised.
    GiveUp(Reason),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::GiveUp(reason)
    }
}
