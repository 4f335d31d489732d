//! The passes from a text to subprograms.

use crate::passed_intrinsics;
use crate::program::nesting;
use crate::program::units::Program;
use crate::syntax::parser;
use crate::syntax::tree::Tree;
use vlad_language::{ReadingContext, Text};

/// Reads the subprograms of a text; none if there are errors.
pub(super) fn nested(text: Text, reading: &mut ReadingContext<'_>) -> Option<(Tree, Program)> {
    let mut tree = parser::parse(text.file, reading);
    reading.report.is_empty().then_some(())?;
    let mut program = nesting::nest(&mut tree, reading.names, reading.report);
    passed_intrinsics::add(&mut tree, &mut program, reading.names);
    reading.report.is_empty().then_some((tree, program))
}
