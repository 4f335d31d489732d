//! The surface tree: a text as it is written, in arenas.

use crate::builtins::Builtin;
use crate::lists::{List, Lists};
use vlad_core::numbers::Table;
use vlad_core::source::Span;
use vlad_language::names::NameId;

vlad_core::numbers! {
    /// The number of an expression.
    SurfaceId;
    /// The number of a written type.
    WrittenTypeId;
    /// The number of a binding.
    BindingId;
    /// The number of a pattern.
    PatternId;
}

/// The notation of a number, which decides its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Digits alone: a number of either kind.
    Whole,
    /// With a point or an exponent: a Double.
    Fraction,
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    /// A number.
    Number(f64, Notation),
    /// `true` or `false`.
    Boolean(bool),
    /// A name.
    Name(NameId),
    /// An operator in parentheses.
    Section(Builtin),
    /// `fun x ... -> e`.
    Lambda(List, SurfaceId),
    /// `f e`.
    Application(SurfaceId, SurfaceId),
    /// `let x ... = e in e`.
    Let(BindingId, SurfaceId),
    /// `if e then e else e`.
    If(SurfaceId, SurfaceId, SurfaceId),
    /// An operator with two operands, and the span of its symbol.
    Infix(Builtin, SurfaceId, SurfaceId, Span),
    /// `-e`.
    Negate(SurfaceId),
    /// `!e`.
    Not(SurfaceId),
    /// `e[e]`.
    Index(SurfaceId, SurfaceId),
    /// `(e, e)`.
    Pair(SurfaceId, SurfaceId),
    /// `[| e ; ... |]`.
    Array(List),
    /// `(e : T)`.
    Annotated(SurfaceId, WrittenTypeId),
    /// `deriv e x`, and the span of x.
    Deriv(SurfaceId, NameId, Span),
}

/// `x p ... : T = e` or `(p, p) : T = e`, behind `let`.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The name, or the pattern.
    pub target: Target,
    /// Its span.
    pub span: Span,
    /// The parameters.
    pub parameters: List,
    /// The type of the value behind the parameters, if it is written.
    pub annotation: Option<WrittenTypeId>,
    /// The value.
    pub value: SurfaceId,
}

/// The part of a pattern that values are bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A name; `_` binds nothing.
    Name(NameId),
    /// `(p, p)`, which takes a pair apart.
    Pair(PatternId, PatternId),
}

/// A pattern: a parameter, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// The name, or the parts.
    pub target: Target,
    /// The span of these.
    pub span: Span,
    /// The type, if it is written.
    pub annotation: Option<WrittenTypeId>,
}

/// A written type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenType {
    /// A name, as in `Double`.
    Name(NameId),
    /// A name with a type, as in `Array<Double>`.
    Of(NameId, WrittenTypeId),
    /// `T * U`.
    Pair(WrittenTypeId, WrittenTypeId),
    /// `T => U`.
    Function(WrittenTypeId, WrittenTypeId),
}

/// A top-level item.
#[derive(Clone, Copy, Debug)]
pub enum SurfaceItem {
    /// A definition.
    Define(BindingId),
    /// An expression.
    Expression(SurfaceId),
}

/// The arenas of the surface tree.
#[derive(Debug, Default)]
pub struct Tree {
    /// The expressions, with their spans.
    pub expressions: Table<SurfaceId, (Surface, Span)>,
    /// The elements of arrays.
    pub elements: Lists<SurfaceId>,
    /// The parameters of functions.
    pub parameters: Lists<Pattern>,
    /// The parts of patterns.
    pub patterns: Table<PatternId, Pattern>,
    /// The bindings, in the order in which they were read.
    pub bindings: Table<BindingId, Binding>,
    /// The written types, with their spans.
    pub types: Table<WrittenTypeId, (WrittenType, Span)>,
}

impl Tree {
    /// An expression.
    pub fn get(&self, id: SurfaceId) -> Surface {
        self.expressions[id].0
    }

    /// Returns the span of an expression.
    pub fn span(&self, id: SurfaceId) -> Span {
        self.expressions[id].1
    }

    /// The names in a target with their spans, from left to right.
    pub fn named(&self, target: Target, span: Span) -> Vec<(NameId, Span)> {
        let (mut named, mut pending) = (vec![], vec![(target, span)]);
        while let Some((target, span)) = pending.pop() {
            match target {
                Target::Name(name) => named.push((name, span)),
                Target::Pair(first, second) => {
                    pending.extend([second, first].map(|part| (self.patterns[part].target, self.patterns[part].span)));
                }
            }
        }
        named
    }
}
