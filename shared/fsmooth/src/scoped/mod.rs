//! The scoped tree: a program whose names are resolved, and whose notations are few.
//!
//! Functions have one parameter, operators are functions of the language with their operands ([`Scoped::Call`], which
//! may have fewer than all of them), and each variable refers to the place that binds it. [`resolve`] makes it.

pub mod annotation;
mod names;
mod patterns;
mod resolve;
pub mod resolver;
mod walk;

use crate::builtins::Builtin;
use crate::lists::{List, Lists};
use crate::syntax::tree::Notation;
use crate::typed::{Origin, TypeId};
use vlad_core::numbers::Table;
use vlad_core::source::Span;
use vlad_language::names::NameId;

vlad_core::numbers! {
    /// The number of an expression.
    ScopedId;
    /// The number of a local.
    ScopedLocalId;
    /// The number of a definition.
    DefinitionId;
}

/// The variable of a `deriv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopedVariable {
    /// A local.
    Local(ScopedLocalId),
    /// A definition.
    Definition(DefinitionId),
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scoped {
    /// A number.
    Number(f64, Notation),
    /// A boolean.
    Boolean(bool),
    /// A local.
    Local(ScopedLocalId),
    /// A definition.
    Definition(DefinitionId),
    /// `fun x -> e`.
    Lambda(ScopedLocalId, ScopedId),
    /// `f e`.
    Application(ScopedId, ScopedId),
    /// `let x = e in e`.
    Let(ScopedLocalId, ScopedId, ScopedId),
    /// `if e then e else e`.
    If(ScopedId, ScopedId, ScopedId),
    /// `[| e ; ... |]`.
    Array(List),
    /// `(e : T)`.
    Annotated(ScopedId, TypeId),
    /// `deriv e x`, with the span of x.
    Deriv(ScopedId, ScopedVariable, Span),
    /// A function of the language with its first operands, and the span of its name.
    Call(Builtin, List, Span),
    /// An expression that has been reported, of any type.
    Unknown,
}

/// A local.
#[derive(Clone, Copy, Debug)]
pub struct ScopedLocal {
    /// Its name.
    pub name: NameId,
    /// The span of the name.
    pub span: Span,
    /// Its type, if it is written.
    pub annotation: Option<TypeId>,
    /// Its value, if a `let` binds it.
    pub value: Option<ScopedId>,
}

/// The expressions and locals of an item, which are contiguous. Parts come before the whole, and a value before the
/// uses of its variable: so passes go through an item in the order of the numbers.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// The whole expression, which is the last one.
    pub root: ScopedId,
    /// The number of the first expression.
    pub first: u32,
    /// The number of the first local.
    pub first_local: u32,
    /// The number behind that of the last local.
    pub end_local: u32,
}

impl Body {
    /// All expressions, in order.
    pub fn expressions(self) -> impl Iterator<Item = ScopedId> {
        (self.first..=self.root.0).map(ScopedId)
    }

    /// All locals.
    pub fn locals(self) -> impl Iterator<Item = ScopedLocalId> {
        (self.first_local..self.end_local).map(ScopedLocalId)
    }
}

/// A definition.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The name.
    pub name: NameId,
    /// The span of the name.
    pub span: Span,
    /// The value; none if it has been refused.
    pub value: Option<Body>,
    /// The text that it is from.
    pub origin: Origin,
    /// The output of its evaluation.
    pub output: Output,
}

/// The output of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Nothing in it writes.
    None,
    /// It is a function in which something writes.
    WhenCalled,
    /// Its evaluation may write, so it has one instance. The first use decides its type, as far as the definition leaves it
    /// open.
    WhenEvaluated,
}

/// A top-level item.
#[derive(Clone, Copy, Debug)]
pub enum ScopedItem {
    /// A definition.
    Define(DefinitionId),
    /// An expression.
    Expression(Body),
}

/// The arenas of the scoped tree.
#[derive(Debug, Default)]
pub struct ScopedTree {
    /// The items, in order.
    pub items: Vec<ScopedItem>,
    expressions: Table<ScopedId, (Scoped, Span)>,
    operands: Lists<ScopedId>,
    /// The locals.
    pub locals: Table<ScopedLocalId, ScopedLocal>,
    /// The definitions.
    pub definitions: Table<DefinitionId, Definition>,
}

impl ScopedTree {
    /// Adds an expression.
    pub fn add(&mut self, expression: Scoped, span: Span) -> ScopedId {
        self.expressions.push((expression, span))
    }

    /// Adds operands.
    pub fn add_operands(&mut self, operands: impl IntoIterator<Item = ScopedId>) -> List {
        self.operands.add(operands)
    }

    /// An expression.
    pub fn get(&self, id: ScopedId) -> Scoped {
        self.expressions[id].0
    }

    /// Returns the span of an expression.
    pub fn span(&self, id: ScopedId) -> Span {
        self.expressions[id].1
    }

    /// The operands of a call, or the elements of an array.
    pub fn operands(&self, operands: List) -> &[ScopedId] {
        self.operands.get(operands)
    }

    /// A local.
    pub fn local(&self, id: ScopedLocalId) -> ScopedLocal {
        self.locals[id]
    }

    /// A definition.
    pub fn definition(&self, id: DefinitionId) -> Definition {
        self.definitions[id]
    }

    /// Returns the number of expressions.
    pub fn count(&self) -> usize {
        self.expressions.len()
    }

    /// Returns the output of a value.
    pub fn output(&self, value: Body) -> Output {
        let writes = value.expressions().map(|id| self.get(id)).any(|part| {
            matches!(part, Scoped::Call(Builtin::Write, ..))
                || matches!(part, Scoped::Definition(definition) if self.definition(definition).output != Output::None)
        });
        match (writes, self.get(value.root)) {
            (false, _) => Output::None,
            (true, Scoped::Lambda(..)) => Output::WhenCalled,
            (true, _) => Output::WhenEvaluated,
        }
    }

    /// Returns true if a call is the projection of a pattern, which stands where its operand does.
    pub fn is_of_pattern(&self, call: ScopedId) -> bool {
        let Scoped::Call(Builtin::First | Builtin::Second, operands, name) = self.get(call) else { return false };
        self.operands(operands).first().is_some_and(|operand| self.span(*operand) == name)
    }

    /// Returns an expression as a variable, if it is one.
    pub fn as_variable(&self, id: ScopedId) -> Option<ScopedVariable> {
        if let Scoped::Local(local) = self.get(id) {
            return Some(ScopedVariable::Local(local));
        }
        if let Scoped::Definition(definition) = self.get(id) {
            Some(ScopedVariable::Definition(definition))
        } else {
            None
        }
    }

    /// Returns the name of a variable.
    pub fn name(&self, variable: ScopedVariable) -> NameId {
        match variable {
            ScopedVariable::Local(local) => self.local(local).name,
            ScopedVariable::Definition(definition) => self.definition(definition).name,
        }
    }

    /// Returns the span of a variable's binding.
    pub fn binding_span(&self, variable: ScopedVariable) -> Span {
        match variable {
            ScopedVariable::Local(local) => self.local(local).span,
            ScopedVariable::Definition(definition) => self.definition(definition).span,
        }
    }
}
