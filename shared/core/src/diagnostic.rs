//! Diagnostics, the errors and warnings for the user: kind, message, place, hint, pending calls; and the report of those
//! that loading a program finds.
//!
//! A diagnostic is data; nothing here prints (the binary does, through [`crate::render`]). Engines agree on kind,
//! message and span. Internal bugs are not diagnostics: see [`vlad_table::internal_bug`].

use crate::source::{SourceMap, Span};
use std::fmt;

/// The kinds of errors, and of warnings. Their names are part of the language: the corpus and `--json` show them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The text is not made of tokens, or parentheses do not balance.
    Read,
    /// A form does not have the shape that its keyword asks for.
    Syntax,
    /// A name that the program never defines, or one used before its definition ran.
    Unbound,
    /// A name defined or bound twice.
    Duplicate,
    /// A keyword used as a name.
    Reserved,
    /// A file could not be read or included.
    File,
    /// An operand or operator of the wrong type, or outside the domain of an operation.
    Type,
    /// An argument that the pattern of a procedure does not match.
    Pattern,
    /// A tangent or cotangent that does not conform to its primal.
    Conformance,
    /// `read-real` found the end of the input, or something that is no number.
    Input,
    /// The program has called `error`.
    Raised,
    /// An operation has made a NaN or an infinity, and `--trap-nonfinite` asks for an error.
    NonFinite,
    /// The output could not be written.
    Output,
    /// `--max-steps` was reached.
    Steps,
    /// `--max-depth` was reached, or the depth of nested calls that runs may have without it.
    Depth,
    /// `--max-memory` was reached.
    Memory,
    /// `--timeout` was reached.
    Time,
    /// Derivatives nested too deep, or another fixed bound of the implementation.
    Limit,
    /// An item cannot be specialised, and `--specialise always` asks for it.
    Specialise,
    /// The run is given up, to be restarted on another engine; never shown to a user (`vlad_runtime::restart`).
    Abandoned,
    /// The program has ended itself ([`crate::program::STOP`]); never shown to a user.
    Stopped,
    /// A call with operands that the parameters of its procedure cannot take or do not destructure: a warning.
    Operands,
    /// An expression whose derivatives are probably not what is meant: a warning.
    Derivative,
    /// A definition of a name that a library of the program defines, too: a warning.
    Shadowing,
}

/// The severity of a diagnostic, which determines if the program can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program cannot run, or cannot continue.
    Error,
    /// The program can run, but is hardly what was meant.
    Warning,
}

impl Kind {
    /// All kinds that users see, in the order of the report.
    pub const ALL: [Kind; 22] = [
        Kind::Read,
        Kind::Syntax,
        Kind::Unbound,
        Kind::Duplicate,
        Kind::Reserved,
        Kind::File,
        Kind::Type,
        Kind::Pattern,
        Kind::Conformance,
        Kind::Input,
        Kind::Raised,
        Kind::NonFinite,
        Kind::Output,
        Kind::Steps,
        Kind::Depth,
        Kind::Memory,
        Kind::Time,
        Kind::Limit,
        Kind::Specialise,
        Kind::Operands,
        Kind::Derivative,
        Kind::Shadowing,
    ];

    /// Returns the severity of the diagnostics of a kind.
    pub fn severity(self) -> Severity {
        match self {
            Kind::Operands | Kind::Derivative | Kind::Shadowing => Severity::Warning,
            Kind::Read
            | Kind::Syntax
            | Kind::Unbound
            | Kind::Duplicate
            | Kind::Reserved
            | Kind::File
            | Kind::Type
            | Kind::Pattern
            | Kind::Conformance
            | Kind::Input
            | Kind::Raised
            | Kind::NonFinite
            | Kind::Output
            | Kind::Steps
            | Kind::Depth
            | Kind::Memory
            | Kind::Time
            | Kind::Limit
            | Kind::Specialise
            | Kind::Abandoned
            | Kind::Stopped => Severity::Error,
        }
    }

    /// Returns the word that names the kind in messages, in the corpus and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Read => "read",
            Kind::Syntax => "syntax",
            Kind::Unbound => "unbound",
            Kind::Duplicate => "duplicate",
            Kind::Reserved => "reserved",
            Kind::File => "file",
            Kind::Type => "type",
            Kind::Pattern => "pattern",
            Kind::Conformance => "conformance",
            Kind::Input => "input",
            Kind::Raised => "raised",
            Kind::NonFinite => "nonfinite",
            Kind::Output => "output",
            Kind::Steps => "steps",
            Kind::Depth => "depth",
            Kind::Memory => "memory",
            Kind::Time => "time",
            Kind::Limit => "limit",
            Kind::Specialise => "specialise",
            Kind::Abandoned => "abandoned",
            Kind::Stopped => "stopped",
            Kind::Operands => "operands",
            Kind::Derivative => "derivative",
            Kind::Shadowing => "shadowing",
        }
    }
}

impl Severity {
    /// Returns the word that messages begin with.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A second place that explains the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The second place.
    pub span: Span,
    /// The explanation shown there.
    pub message: String,
}

/// A call that had not returned when a run-time error arose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingCall {
    /// The expression whose value was awaited.
    pub span: Span,
    /// The procedure that contains it; none at top level or in an anonymous procedure.
    pub procedure: Option<String>,
}

/// One error or warning, as presented to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of the error or warning.
    pub kind: Kind,
    /// One sentence without a full stop: what was expected, what was found.
    pub message: String,
    /// The place; none for errors without a place in a text (a missing file named on the command line).
    pub span: Option<Span>,
    /// Further places.
    pub labels: Vec<Label>,
    /// Advice on how to fix it.
    pub hint: Option<String>,
    /// For run-time errors, the pending calls, innermost first; of a long chain only both ends.
    pub chain: Vec<PendingCall>,
    /// The number of calls left out in the middle of `chain`, whose halves are then of equal length.
    pub elided_calls: u64,
}

impl Diagnostic {
    /// Makes a diagnostic of a kind at a place.
    pub fn new(kind: Kind, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        Diagnostic {
            kind,
            message: message.into(),
            span: span.into(),
            labels: vec![],
            hint: None,
            chain: vec![],
            elided_calls: 0,
        }
    }

    /// Returns the diagnostic with a hint.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Returns the diagnostic with one more place.
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }
}

/// The number of errors that are kept. Beyond that many, only the first ones are of use, and a megabyte of garbage must
/// not become a gigabyte of diagnostics.
const KEPT: usize = 200;

/// The errors found so far.
#[derive(Debug, Default)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
}

/// The reason why a text is not a program.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The errors in order of place, those without a place first; at least one, at most two hundred.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that their spans refer to.
    pub sources: SourceMap,
}

impl Report {
    /// Adds an error, unless there are too many to be of use.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.is_full() {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Returns true if further errors would be dropped.
    pub fn is_full(&self) -> bool {
        self.diagnostics.len() >= KEPT
    }

    /// Returns true if no error has been found so far.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// Returns the failure that consists of the errors.
    pub fn into_failure(mut self, sources: SourceMap) -> Failure {
        let place = |diagnostic: &Diagnostic| diagnostic.span.map(|Span { file, start, end }| (file, start, end));
        self.diagnostics.sort_by_key(place);
        Failure { diagnostics: self.diagnostics, sources }
    }
}
