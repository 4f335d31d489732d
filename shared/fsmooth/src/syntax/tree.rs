//! The surface tree: a text as it is written, in arenas.

use crate::builtins::Builtin;
use vlad_core::source::Span;
use vlad_language::names::NameId;
use vlad_table::internal_bug;

/// The number of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceId(pub u32);

/// The number of a written type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenTypeId(pub u32);

/// A range of an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    from: u32,
    to: u32,
}

impl Range {
    /// Returns the number of members.
    pub fn count(self) -> usize {
        (self.to - self.from) as usize
    }
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
    Lambda(Range, SurfaceId),
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
    Array(Range),
    /// `(e : T)`.
    Annotated(SurfaceId, WrittenTypeId),
    /// `deriv e x`, and the span of x.
    Deriv(SurfaceId, NameId, Span),
}

/// The number of a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BindingId(pub u32);

/// `x p ... : T = e` or `(p, p) : T = e`, behind `let`.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The name, or the pattern.
    pub target: Target,
    /// Its span.
    pub span: Span,
    /// The parameters.
    pub parameters: Range,
    /// The type of the value behind the parameters, if it is written.
    pub annotation: Option<WrittenTypeId>,
    /// The value.
    pub value: SurfaceId,
}

/// The number of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternId(pub u32);

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
    expressions: Vec<Surface>,
    spans: Vec<Span>,
    elements: Vec<SurfaceId>,
    parameters: Vec<Pattern>,
    patterns: Vec<Pattern>,
    bindings: Vec<Binding>,
    types: Vec<WrittenType>,
    type_spans: Vec<Span>,
}

impl Tree {
    /// Adds an expression.
    pub fn add(&mut self, expression: Surface, span: Span) -> SurfaceId {
        self.expressions.push(expression);
        self.spans.push(span);
        SurfaceId(self.expressions.len() as u32 - 1)
    }

    /// Adds the elements of an array.
    pub fn add_elements(&mut self, elements: &[SurfaceId]) -> Range {
        let from = self.elements.len() as u32;
        self.elements.extend_from_slice(elements);
        Range { from, to: self.elements.len() as u32 }
    }

    /// Adds parameters.
    pub fn add_parameters(&mut self, parameters: &[Pattern]) -> Range {
        let from = self.parameters.len() as u32;
        self.parameters.extend_from_slice(parameters);
        Range { from, to: self.parameters.len() as u32 }
    }

    /// Adds a part of a pattern.
    pub fn add_pattern(&mut self, pattern: Pattern) -> PatternId {
        self.patterns.push(pattern);
        PatternId(self.patterns.len() as u32 - 1)
    }

    /// Adds a binding.
    pub fn add_binding(&mut self, binding: Binding) -> BindingId {
        self.bindings.push(binding);
        BindingId(self.bindings.len() as u32 - 1)
    }

    /// Adds a written type.
    pub fn add_type(&mut self, written: WrittenType, span: Span) -> WrittenTypeId {
        self.types.push(written);
        self.type_spans.push(span);
        WrittenTypeId(self.types.len() as u32 - 1)
    }

    /// All expressions.
    pub fn expressions(&self) -> &[Surface] {
        &self.expressions
    }

    /// An expression.
    pub fn get(&self, id: SurfaceId) -> Surface {
        let Some(expression) = self.expressions.get(id.0 as usize) else {
            internal_bug!("surface expression {} is in the arena", id.0)
        };
        *expression
    }

    /// Returns the span of an expression.
    pub fn span(&self, id: SurfaceId) -> Span {
        let Some(span) = self.spans.get(id.0 as usize) else { internal_bug!("surface expression {} has a span", id.0) };
        *span
    }

    /// Sets the span of an expression.
    pub fn set_span(&mut self, id: SurfaceId, span: Span) {
        if let Some(place) = self.spans.get_mut(id.0 as usize) {
            *place = span;
        }
    }

    /// The elements of an array.
    pub fn elements(&self, range: Range) -> &[SurfaceId] {
        self.elements.get(range.from as usize..range.to as usize).unwrap_or(&[])
    }

    /// The parameters of a function.
    pub fn parameters(&self, range: Range) -> &[Pattern] {
        self.parameters.get(range.from as usize..range.to as usize).unwrap_or(&[])
    }

    /// A part of a pattern.
    pub fn pattern(&self, id: PatternId) -> Pattern {
        let Some(pattern) = self.patterns.get(id.0 as usize) else { internal_bug!("pattern {} is in the arena", id.0) };
        *pattern
    }

    /// The names in a target with their spans, from left to right.
    pub fn named(&self, target: Target, span: Span) -> Vec<(NameId, Span)> {
        let (mut named, mut pending) = (vec![], vec![(target, span)]);
        while let Some((target, span)) = pending.pop() {
            match target {
                Target::Name(name) => named.push((name, span)),
                Target::Pair(first, second) => {
                    pending.extend([second, first].map(|part| (self.pattern(part).target, self.pattern(part).span)));
                }
            }
        }
        named
    }

    /// All bindings, in the order in which they were read.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// A binding.
    pub fn binding(&self, id: BindingId) -> Binding {
        let Some(binding) = self.bindings.get(id.0 as usize) else { internal_bug!("binding {} is in the arena", id.0) };
        *binding
    }

    /// A written type.
    pub fn written_type(&self, id: WrittenTypeId) -> WrittenType {
        let Some(written) = self.types.get(id.0 as usize) else {
            internal_bug!("written type {} is in the arena", id.0)
        };
        *written
    }

    /// Returns the span of a written type.
    pub fn type_span(&self, id: WrittenTypeId) -> Span {
        let Some(span) = self.type_spans.get(id.0 as usize) else { internal_bug!("written type {} has a span", id.0) };
        *span
    }
}
