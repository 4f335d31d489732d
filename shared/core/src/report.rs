//! The errors of loading one program, collected by all passes. Loading succeeds only if there are none.

use crate::diagnostic::Diagnostic;
use crate::source::{SourceMap, Span};

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
