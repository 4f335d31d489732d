//! Core: the desugared representation of a program, in seven constructs on which steps are counted, with names resolved
//! to locations.
//!
//! Core is the narrow waist of the system: every front end produces it and every engine consumes it. A program is a set
//! of arenas. Nodes refer to each other by number, so neither traversing nor dropping a program needs host stack.
//!
//! The grammar (report, part 3), e for expressions and p for patterns:
//!
//! ```text
//! e ::= c | x | (lambda p e) | (e e) | (cons e e) | (if e e e) | (letrec ((x (lambda p e)) ...) e)
//! p ::= c | x | (cons p p)
//! ```
//!
//! **Environments.** The body of a procedure runs in an *activation*: its captured *slots*, fixed when the closure is
//! made, and its *locals*, a sequence that patterns and `letrec` extend at the end. The number of a local is the number
//! of locals bound around it within the activation, so two branches of an expression may use one number for two names.
//!
//! **Let.** An application whose operator is written as a lambda, `((lambda p b) e)`, is a `let`. Its lambda never
//! escapes, so its body belongs to the enclosing activation: [`Expression::Let`]. It is still two nodes, application
//! and lambda, and counts as two steps; `operator` is the number of the lambda's node, an [`Expression::Lambda`].

use crate::constant::{Constant, ConstantId, Constants};
use crate::notes::Notes;
use crate::source::{SourceMap, Span};
use std::iter;
use vlad_table::{Primitive, internal_bug};

/// The greatest number of operands that converted code passes separately, without the pairs of a tuple.
pub const MOST_OPERANDS: usize = 32;

/// The number of an expression node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpressionId(pub u32);

/// The number of a lambda.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LambdaId(pub u32);

/// The number of a `letrec` group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

/// The number of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternId(pub u32);

/// The number of a top-level definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(pub u32);

/// An expression node. Its span is returned by [`Program::span`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A constant: a boolean, a real, the empty list, or quoted data made of them.
    Constant(ConstantId),
    /// A variable.
    Variable(Reference),
    /// `(lambda p e)`; never a member of a group (those are in [`Group::members`]).
    Lambda(LambdaId),
    /// `(e e)`.
    Application {
        /// The node of the operator.
        operator: ExpressionId,
        /// The node of the operand.
        operand: ExpressionId,
    },
    /// `((lambda p e) e)`: an application whose lambda runs in the enclosing activation.
    Let {
        /// The node of the lambda.
        operator: ExpressionId,
        /// The lambda of that node; it captures nothing.
        lambda: LambdaId,
        /// The node of the operand.
        operand: ExpressionId,
    },
    /// `(cons e e)`.
    Cons {
        /// The first operand.
        first: ExpressionId,
        /// The second operand.
        second: ExpressionId,
    },
    /// `(if e e e)`.
    If {
        /// The condition; only `#f` is false.
        test: ExpressionId,
        /// The branch taken unless the condition is `#f`.
        consequent: ExpressionId,
        /// The branch taken if the condition is `#f`.
        alternative: ExpressionId,
    },
    /// `(letrec ((x (lambda p e)) ...) e)`: the members become locals, in order, of the body.
    Letrec {
        /// The procedures.
        group: GroupId,
        /// The body.
        body: ExpressionId,
    },
}

/// The resolved location of a variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reference {
    /// A local of the activation.
    Local(u32),
    /// A captured slot of the running procedure.
    Slot(u32),
    /// A member, by its position, of the running procedure's own group: a procedure with the same slots and other code.
    Sibling(u32),
    /// A top-level definition.
    Global(GlobalId),
    /// A primitive.
    Primitive(Primitive),
}

/// The name of the lambda of a `let` that nothing matches and that ends the run without an error.
pub const STOP: &str = "STOP";

/// The code of a procedure.
#[derive(Clone, Debug, Hash)]
pub struct Lambda {
    /// The name given by `define`, `let` or `letrec`, for diagnostics and for printing core.
    pub name: Option<String>,
    /// The pattern that destructures its argument.
    pub pattern: PatternId,
    /// Its body.
    pub body: ExpressionId,
    /// The variables copied into its slots when the closure is made, in order of first free occurrence: each a
    /// [`Reference::Local`], [`Reference::Slot`] or [`Reference::Sibling`] of the enclosing activation. Empty for
    /// members of a group, whose captures are those of the group, and for the lambda of an [`Expression::Let`].
    pub captures: Vec<Reference>,
    /// The group that it belongs to, and its position there.
    pub group: Option<(GroupId, u32)>,
    /// The number of locals bound around it: those of the activation for the lambda of an [`Expression::Let`], else 0.
    pub depth: u32,
    /// The node that makes the closure; for a member of a group the node of the `letrec`.
    pub node: ExpressionId,
    /// The span of the whole lambda.
    pub span: Span,
}

/// The procedures of one `letrec`.
#[derive(Clone, Debug, Hash)]
pub struct Group {
    /// The members, in the order written.
    pub members: Vec<LambdaId>,
    /// The variables copied into the slots, which all members share: the group's free variables without its own names,
    /// in order of first free occurrence across the members in order.
    pub captures: Vec<Reference>,
}

/// A pattern. Its variables bind locals in their order from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Matches anything; the value becomes the next local.
    Variable,
    /// Matches a value that is `equal?` to the constant.
    Constant(ConstantId),
    /// Matches a pair whose parts match.
    Pair(PatternId, PatternId),
}

/// The owner of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binder {
    /// A called procedure: the pattern is its parameter list.
    Procedure,
    /// A `let` or another form that destructures a value.
    Let,
}

/// The call that a frame of a continuation awaits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Awaiting {
    /// The node whose evaluation goes on in the frame.
    pub node: ExpressionId,
    /// The node whose value it awaits: a part of `node`, or `node` itself where an operator calls a procedure.
    pub awaited: ExpressionId,
}

/// A top-level definition.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// The span of the name in its definition.
    pub span: Span,
}

/// A top-level item of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// Evaluates the expression and binds the global to its value.
    Define(GlobalId, ExpressionId),
    /// Evaluates the expression and prints its value.
    Expression(ExpressionId),
}

impl Item {
    /// The node of its expression.
    pub fn node(self) -> ExpressionId {
        let (Item::Define(_, node) | Item::Expression(node)) = self;
        node
    }
}

/// The notation of numbers in the input, which the language of a program decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputNotation {
    /// Numbers as in programs, with white space between them, that `read-real` reads.
    #[default]
    Words,
    /// Numbers that `READ *` reads in Fortran: a comma may stand between two, and D begins an exponent.
    Fortran,
}

impl InputNotation {
    /// Returns what reads a number, for diagnostics.
    pub fn reader(self) -> &'static str {
        match self {
            InputNotation::Words => "`read-real`",
            InputNotation::Fortran => "READ",
        }
    }
}

/// The notation of data that a language has as its own, for output that is asked for in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputNotation {
    /// The notation of all output: Scheme's, and rows.
    #[default]
    Common,
    /// The notation of literals of F-smooth.
    Arrays,
}

/// The names of library procedures that traverse the elements of an operand: errors inside them report indices.
#[derive(Clone, Debug, Default)]
pub struct Elementwise {
    /// Loop procedures: the number of the iteration is the index.
    pub loops: &'static [&'static str],
    /// Procedures that await a call of themselves for the remaining elements.
    pub recursive: &'static [&'static str],
    /// Procedures that are defined by means of those.
    pub others: Vec<&'static str>,
}

impl Elementwise {
    /// Returns true for the name of such a procedure.
    pub fn contains(&self, name: &str) -> bool {
        self.loops.iter().chain(self.recursive).chain(&self.others).any(|known| *known == name)
    }
}

/// A whole program in core.
///
/// Invariant (checked by [`crate::check::check`]): every number in it is in range, every local that is referred to is
/// bound at that place, and captures refer to the enclosing activation only. The nodes below `prelude_nodes` are
/// exactly those of the prelude, and the nodes from there to `shipped_nodes` those of libraries.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The expression nodes.
    pub expressions: Vec<Expression>,
    /// The spans of the nodes, one per node.
    pub spans: Vec<Span>,
    /// The lambdas.
    pub lambdas: Vec<Lambda>,
    /// The groups.
    pub groups: Vec<Group>,
    /// The patterns.
    pub patterns: Vec<Pattern>,
    /// The spans of the patterns, one per pattern.
    pub pattern_spans: Vec<Span>,
    /// The names of [`Pattern::Variable`]s, empty for other patterns: for printing only.
    pub pattern_names: Vec<String>,
    /// The constants.
    pub constants: Constants,
    /// The definitions: those of the prelude first, then the program's.
    pub globals: Vec<Global>,
    /// The procedures of the prelude that the program uses, directly or through others. They capture nothing and are
    /// bound before the program starts, without a step.
    pub prelude: Vec<(GlobalId, LambdaId)>,
    /// The top-level items, in order of evaluation.
    pub items: Vec<Item>,
    /// The number of expression nodes, from number 0 on, that belong to the prelude.
    pub prelude_nodes: u32,
    /// The number of expression nodes, from number 0 on, that belong to *library code*: the prelude and the libraries
    /// that come with vlad. A fault in library code is shown at the *call site*, the program's own application through
    /// which it was entered.
    pub shipped_nodes: u32,
    /// The number of nodes, from number 0 on, that belong to the loop procedures of the prelude
    /// ([`Elementwise::loops`]). Among these nodes only the call made once per iteration counts as a step.
    pub machine_nodes: u32,
    /// The library procedures that traverse elements.
    pub elementwise: Elementwise,
    /// The notation of its input.
    pub input: InputNotation,
    /// The notation of data of its own language.
    pub output: OutputNotation,
    /// The notes of its front ends.
    pub notes: Notes,
    /// The texts that the spans refer to.
    pub sources: SourceMap,
}

impl Program {
    /// The expression of a node.
    #[inline]
    pub fn expression(&self, id: ExpressionId) -> Expression {
        match self.expressions.get(id.0 as usize) {
            Some(expression) => *expression,
            None => internal_bug!("expression {} is in the arena", id.0),
        }
    }

    /// Returns the span of a node.
    #[inline]
    pub fn span(&self, id: ExpressionId) -> Span {
        match self.spans.get(id.0 as usize) {
            Some(span) => *span,
            None => internal_bug!("expression {} has a span", id.0),
        }
    }

    /// Returns the code of a procedure.
    #[inline]
    pub fn lambda(&self, id: LambdaId) -> &Lambda {
        match self.lambdas.get(id.0 as usize) {
            Some(lambda) => lambda,
            None => internal_bug!("lambda {} is in the arena", id.0),
        }
    }

    /// The procedures of a `letrec`.
    #[inline]
    pub fn group(&self, id: GroupId) -> &Group {
        match self.groups.get(id.0 as usize) {
            Some(group) => group,
            None => internal_bug!("group {} is in the arena", id.0),
        }
    }

    /// A pattern.
    #[inline]
    pub fn pattern(&self, id: PatternId) -> Pattern {
        match self.patterns.get(id.0 as usize) {
            Some(pattern) => *pattern,
            None => internal_bug!("pattern {} is in the arena", id.0),
        }
    }

    /// The span of a pattern.
    #[inline]
    pub fn pattern_span(&self, id: PatternId) -> Span {
        match self.pattern_spans.get(id.0 as usize) {
            Some(span) => *span,
            None => internal_bug!("every pattern has a span"),
        }
    }

    /// The name of a [`Pattern::Variable`].
    pub fn pattern_name(&self, id: PatternId) -> &str {
        match self.pattern_names.get(id.0 as usize) {
            Some(name) => name,
            None => internal_bug!("pattern {} is in the arena", id.0),
        }
    }

    /// A pattern and the patterns within it, from the outside in and from left to right.
    pub fn patterns_within(&self, pattern: PatternId) -> impl Iterator<Item = PatternId> {
        let mut pending = vec![pattern];
        iter::from_fn(move || {
            let next = pending.pop()?;
            match self.pattern(next) {
                Pattern::Variable | Pattern::Constant(_) => {}
                Pattern::Pair(first, second) => pending.extend([second, first]),
            }
            Some(next)
        })
    }

    /// The variables of a pattern, in order.
    pub fn pattern_variables(&self, pattern: PatternId) -> Vec<PatternId> {
        self.patterns_within(pattern).filter(|within| self.pattern(*within) == Pattern::Variable).collect()
    }

    /// The number of variables of a pattern `(cons* x y ...)`, which is 1 for a single variable; none if another
    /// pattern is among them, or if they are more than [`MOST_OPERANDS`]. Converted code passes their values
    /// separately.
    pub fn variables_in_a_row(&self, pattern: PatternId) -> Option<usize> {
        let (mut row, mut tail) = (1, pattern);
        while let Pattern::Pair(first, rest) = self.pattern(tail) {
            if self.pattern(first) != Pattern::Variable || row == MOST_OPERANDS {
                return None;
            }
            (row, tail) = (row + 1, rest);
        }
        (self.pattern(tail) == Pattern::Variable).then_some(row)
    }

    /// A constant.
    #[inline]
    pub fn constant(&self, id: ConstantId) -> &Constant {
        self.constants.get(id)
    }

    /// A top-level definition.
    #[inline]
    pub fn global(&self, id: GlobalId) -> &Global {
        match self.globals.get(id.0 as usize) {
            Some(global) => global,
            None => internal_bug!("global {} is in the arena", id.0),
        }
    }

    /// Returns the code of an expression that is written as a procedure.
    pub fn procedure_at(&self, node: ExpressionId) -> Option<LambdaId> {
        match self.expression(node) {
            Expression::Lambda(lambda) => Some(lambda),
            Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::Application { .. }
            | Expression::Let { .. }
            | Expression::Cons { .. }
            | Expression::If { .. }
            | Expression::Letrec { .. } => None,
        }
    }

    /// Returns for each top-level definition, by its number, the code of its value, if the definition belongs to the
    /// prelude or is written as a procedure. The value of such a definition, once it is bound, is a closure of that
    /// code without slots, in every run. The entry is none for a definition that takes a computation, and for a
    /// definition of the prelude that is not used.
    pub fn known_definitions(&self) -> Vec<Option<LambdaId>> {
        let of_prelude = self.prelude.iter().copied();
        let of_items = self.items.iter().filter_map(|item| match *item {
            Item::Define(global, node) => Some((global, self.procedure_at(node)?)),
            Item::Expression(_) => None,
        });
        self.by_definition(of_prelude.chain(of_items))
    }

    /// A table by the numbers of definitions.
    pub(crate) fn by_definition<T: Clone>(&self, entries: impl Iterator<Item = (GlobalId, T)>) -> Vec<Option<T>> {
        let mut table = vec![None; self.globals.len()];
        for (global, entry) in entries {
            match table.get_mut(global.0 as usize) {
                Some(place) => *place = Some(entry),
                None => internal_bug!("global {} is in the arena", global.0),
            }
        }
        table
    }

    /// Returns true if entering a node is a step. In the loop procedures of the prelude only the calls of the procedure
    /// argument are steps, one per iteration; elsewhere every node is.
    #[inline]
    pub fn counts(&self, id: ExpressionId) -> bool {
        id.0 >= self.machine_nodes || self.is_iteration(id)
    }

    fn is_iteration(&self, id: ExpressionId) -> bool {
        let Expression::Application { operator, .. } = self.expression(id) else { return false };
        matches!(self.expression(operator), Expression::Variable(Reference::Local(_) | Reference::Slot(_)))
    }

    /// Returns the local that holds the iteration number, if a node is the call made once per iteration of a loop
    /// procedure.
    pub fn iteration_local(&self, id: ExpressionId) -> Option<u32> {
        let Expression::Application { operand, .. } = self.expression(id) else { return None };
        if id.0 >= self.machine_nodes || !self.is_iteration(id) {
            return None;
        }
        let mut last = operand;
        while let Expression::Cons { second, .. } = self.expression(last) {
            last = second;
        }
        let Expression::Variable(Reference::Local(local)) = self.expression(last) else {
            internal_bug!("the last operand of an iteration is its number")
        };
        Some(local)
    }

    /// Returns true if a node belongs to the prelude.
    pub fn is_prelude(&self, id: ExpressionId) -> bool {
        id.0 < self.prelude_nodes
    }

    /// Returns true if a node belongs to library code: the prelude or a library that comes with vlad.
    #[inline]
    pub fn is_shipped(&self, id: ExpressionId) -> bool {
        id.0 < self.shipped_nodes
    }
}
