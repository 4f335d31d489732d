//! The syntax tree: expressions in an arena, and statements one after the other, before they are nested.
//!
//! Invariant: the parts of an expression have smaller numbers than the expression, and an expression with its parts is
//! a contiguous range of numbers, which begins at [`Tree::first`]. So passes over expressions are loops over numbers.

use vlad_core::source::Span;
use vlad_language::names::NameId;
use vlad_table::internal_bug;

/// The number of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

/// Adjacent entries of the table of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    start: u32,
    end: u32,
}

impl Parts {
    /// Returns the number of parts.
    pub fn count(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// An operation on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `( e )`.
    Group,
    /// `+ e`.
    Plus,
    /// `- e`.
    Minus,
    /// `.NOT. e`.
    Not,
}

/// An operation on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // their names are those of the operators
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
    Equivalent,
    NotEquivalent,
}

impl Binary {
    /// Returns the operator as written.
    pub fn text(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Power => "**",
            Binary::Equal => ".EQ.",
            Binary::NotEqual => ".NE.",
            Binary::Less => ".LT.",
            Binary::LessOrEqual => ".LE.",
            Binary::Greater => ".GT.",
            Binary::GreaterOrEqual => ".GE.",
            Binary::And => ".AND.",
            Binary::Or => ".OR.",
            Binary::Equivalent => ".EQV.",
            Binary::NotEquivalent => ".NEQV.",
        }
    }
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expr {
    /// A number without a point.
    Integer(f64),
    /// A number with a point or an exponent.
    Real(f64),
    /// `.TRUE.` or `.FALSE.`.
    Logical(bool),
    /// A name alone.
    Name(NameId),
    /// A name with a list behind it: an element or a call.
    Apply(NameId, Parts),
    /// An operation on one operand.
    Unary(Unary, ExprId),
    /// An operation on two operands.
    Binary(Binary, ExprId, ExprId),
}

/// A declared type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `REAL` or `DOUBLE PRECISION`.
    Real,
    /// `INTEGER`.
    Integer,
    /// `LOGICAL`.
    Logical,
}

impl Type {
    /// Returns the type as written.
    pub fn text(self) -> &'static str {
        match self {
            Type::Real => "REAL",
            Type::Integer => "INTEGER",
            Type::Logical => "LOGICAL",
        }
    }
}

/// A mode of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `ADF`, with `TANGENT`.
    Forward,
    /// `ADR`, with `COTANGENT`.
    Reverse,
}

impl Mode {
    /// Returns the word that begins a block.
    pub fn block(self) -> &'static str {
        match self {
            Mode::Forward => "ADF",
            Mode::Reverse => "ADR",
        }
    }

    /// Returns the word for derivatives.
    pub fn kind(self) -> &'static str {
        match self {
            Mode::Forward => "TANGENT",
            Mode::Reverse => "COTANGENT",
        }
    }
}

/// An occurrence of a name that is no expression of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The name.
    pub name: NameId,
    /// Its place.
    pub span: Span,
}

/// A label with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The number.
    pub number: u32,
    /// Its place.
    pub span: Span,
}

/// A bound of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `e`, or `e:e`.
    Range(Option<ExprId>, ExprId),
    /// `*`, or `e:*`.
    Assumed(Option<ExprId>),
}

/// A declared name, with its bounds if it is an array.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name.
    pub name: Occurrence,
    /// The bounds; none for a scalar.
    pub bounds: Vec<Bound>,
}

/// An item of the list of `PRINT`.
#[derive(Clone, Copy, Debug)]
pub enum PrintItem {
    /// An expression.
    Value(ExprId),
    /// Text, by its number.
    Text(u32),
}

/// An item of the list of `READ` or `PRINT` as written.
#[derive(Clone, Debug)]
pub enum ListItem<T> {
    /// One that is no list.
    Single(T),
    /// `( item,.. , x = e, e [, e] )`.
    Implied {
        /// The items.
        items: Vec<ListItem<T>>,
        /// The index.
        index: ExprId,
        /// The bounds and the step.
        range: [Option<ExprId>; 3],
    },
}

/// `READ` or `PRINT` with its list as written.
#[derive(Clone, Debug)]
pub enum Transfer {
    /// `READ *, item,..`.
    Read(Vec<ListItem<ExprId>>),
    /// `PRINT *, item,..`.
    Print(Vec<ListItem<PrintItem>>),
}

/// A step of a `PRINT` with loops in its list, whose items are collected in a variable.
#[derive(Clone, Debug)]
pub enum Row {
    /// Begins with no items.
    Begin,
    /// Adds items.
    Add(Vec<PrintItem>),
    /// Writes the items.
    Print,
}

/// An item of the list at the beginning or end of a block of differentiation.
#[derive(Clone, Debug)]
pub enum AdItem {
    /// A variable or an element alone, whose derivative is 1.
    Bare(ExprId),
    /// `KIND (var) = e` in opens, with the mode of the word; `var = KIND (var)` in closes.
    Set {
        /// The mode that the word belongs to.
        mode: Mode,
        /// The place of the word.
        word: Span,
        /// The variable in parentheses.
        variable: ExprId,
        /// The other side.
        other: ExprId,
    },
    /// `( item,.. , x = e, e [, e] )`.
    Implied {
        /// The items.
        items: Vec<AdItem>,
        /// The index.
        index: ExprId,
        /// The bounds and the step.
        range: [Option<ExprId>; 3],
        /// The place of the whole.
        span: Span,
    },
}

/// A statement that is executed and has no parts that are statements.
#[derive(Clone, Debug)]
pub enum Action {
    /// `var = e`.
    Assign(ExprId, ExprId),
    /// `CALL x (args)`.
    Call(ExprId),
    /// `CONTINUE`.
    Continue,
    /// `RETURN`.
    Return,
    /// `STOP`.
    Stop,
    /// `READ *, var,..`.
    Read(Vec<ExprId>),
    /// `PRINT *, item,..`.
    Print(Vec<PrintItem>),
    /// A step of a `PRINT`, with the variable of its items.
    Row(ExprId, Row),
    /// `GOTO l`.
    Goto(Label),
    /// `GOTO (l,..), e`.
    ComputedGoto(Vec<Label>, ExprId),
    /// `IF (e) l, l, l`.
    ArithmeticIf(ExprId, [Label; 3]),
    /// The call of a procedure in another language, for which an interface stands: the parameters that it is given, and
    /// the variables of what it returns.
    Foreign {
        /// The operands.
        operands: Vec<ExprId>,
        /// The results.
        results: Vec<ExprId>,
    },
}

/// A type, and the ranges of letters whose names have it.
pub type LetterTypes = (Type, Vec<(Occurrence, Occurrence)>);

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// One without statements in it.
    Action(Action),
    /// `IF (e) statement`.
    LogicalIf(ExprId, Action),
    /// `READ` or `PRINT`.
    Transfer(Transfer),
    /// `IF (e)` before one of them.
    LogicalTransfer(ExprId, Transfer),
    /// `IF (e) THEN`.
    If(ExprId),
    /// `ELSE IF (e) THEN`.
    ElseIf(ExprId),
    /// `ELSE`.
    Else,
    /// `END IF`.
    EndIf,
    /// `DO [l] x = e, e [, e]`.
    Do(Option<Label>, ExprId, [Option<ExprId>; 3]),
    /// `DO WHILE (e)`.
    While(ExprId),
    /// `END DO`.
    EndDo,
    /// `ADF (..)` or `ADR (..)`.
    Ad(Mode, Vec<AdItem>),
    /// `END ADF` or `END ADR`.
    EndAd(Mode, Vec<AdItem>),
    /// `PROGRAM x`.
    Program(Occurrence),
    /// `[type] FUNCTION x (x,..)`.
    Function(Option<Type>, Occurrence, Vec<Occurrence>),
    /// `SUBROUTINE x (x,..)`.
    Subroutine(Occurrence, Vec<Occurrence>),
    /// `END`.
    End,
    /// `type decl,..`, or `DIMENSION decl,..` without a type.
    Declare(Option<Type>, Vec<Declarator>),
    /// `PARAMETER (x = e,..)`.
    Parameter(Vec<(Occurrence, ExprId)>),
    /// `EXTERNAL x,..`.
    External(Vec<Occurrence>),
    /// `INTRINSIC x,..`.
    Intrinsic(Vec<Occurrence>),
    /// `INTERFACE`.
    Interface,
    /// `END INTERFACE`.
    EndInterface,
    /// `INTENT (word [word]) x,..`.
    Intent([Option<Occurrence>; 2], Vec<Occurrence>),
    /// `IMPLICIT NONE`, or the types of ranges of letters.
    Implicit(Option<Vec<LetterTypes>>),
}

/// A statement with its label and place.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The label.
    pub label: Option<Label>,
    /// The statement.
    pub statement: Statement,
    /// Its place, without the label.
    pub span: Span,
}

/// The arena of the expressions of a text, and its statements.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    expressions: Vec<Expr>,
    spans: Vec<Span>,
    first: Vec<ExprId>,
    parts: Vec<ExprId>,
    /// The texts of `PRINT`.
    pub texts: Vec<String>,
    /// The statements in order, with those of included texts.
    pub statements: Vec<Placed>,
    /// The names of texts in other languages that are included, with their places.
    pub others: Vec<(String, Span)>,
}

impl Tree {
    /// Adds an expression.
    pub fn add(&mut self, expression: Expr, span: Span) -> ExprId {
        let id = ExprId(self.expressions.len() as u32);
        let first = match expression {
            Expr::Integer(_) | Expr::Real(_) | Expr::Logical(_) | Expr::Name(_) => id,
            Expr::Apply(_, parts) => self.parts(parts).first().map_or(id, |part| self.first(*part)),
            Expr::Unary(_, part) | Expr::Binary(_, part, _) => self.first(part),
        };
        self.expressions.push(expression);
        self.spans.push(span);
        self.first.push(first);
        id
    }

    /// Stores expressions as the parts of one list.
    pub fn add_parts(&mut self, parts: &[ExprId]) -> Parts {
        let start = self.parts.len() as u32;
        self.parts.extend(parts);
        Parts { start, end: self.parts.len() as u32 }
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> Expr {
        match self.expressions.get(id.0 as usize) {
            Some(expression) => *expression,
            None => internal_bug!("expression {} is in the tree", id.0),
        }
    }

    /// Returns the place of an expression.
    pub fn span(&self, id: ExprId) -> Span {
        match self.spans.get(id.0 as usize) {
            Some(span) => *span,
            None => internal_bug!("expression {} has a span", id.0),
        }
    }

    /// Returns the first number of the range of an expression.
    pub fn first(&self, id: ExprId) -> ExprId {
        self.first.get(id.0 as usize).copied().unwrap_or(id)
    }

    /// Returns the numbers of an expression and its parts, parts first.
    pub fn range(&self, id: ExprId) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        (self.first(id).0..=id.0).map(ExprId)
    }

    /// Returns the expressions of a list.
    pub fn parts(&self, parts: Parts) -> &[ExprId] {
        self.parts.get(parts.start as usize..parts.end as usize).unwrap_or(&[])
    }

    /// Returns the number of expressions.
    pub fn count(&self) -> usize {
        self.expressions.len()
    }
}
