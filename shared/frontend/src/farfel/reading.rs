//! The passes from a text to subprograms.

use crate::farfel::passed_intrinsics;
use crate::farfel::program::nesting;
use crate::farfel::program::units::Program;
use crate::farfel::syntax::parser;
use crate::farfel::syntax::tree::Tree;
use crate::language::{ReadingContext, Text};

/// Reads the subprograms of a text; none if there are errors.
pub(super) fn nested(text: Text, reading: &mut ReadingContext<'_>) -> Option<(Tree, Program)> {
    let mut tree = parser::parse(text.file, reading);
    reading.report.is_empty().then_some(())?;
    let mut program = nesting::nest(&mut tree, reading.names, reading.report);
    passed_intrinsics::add(&mut tree, &mut program, reading.names);
    reading.report.is_empty().then_some((tree, program))
}
