//! A set of bound names with the spans of their bindings.

use crate::names::NameId;
use vlad_core::source::Span;

/// A set of names that is emptied in constant time: a name belongs to it if its entry carries the present generation.
#[derive(Debug, Default)]
pub struct NameSet {
    present: u32,
    marks: Vec<Option<(u32, Span)>>,
}

impl NameSet {
    /// Empties the set.
    pub fn begin(&mut self) {
        self.present += 1;
    }

    /// Adds a name to the set; returns the span of its earlier occurrence, if there is one.
    pub fn note(&mut self, name: NameId, span: Span) -> Option<Span> {
        let index = name.0 as usize;
        if self.marks.len() <= index {
            self.marks.resize(index + 1, None);
        }
        let mark = self.marks.get_mut(index)?;
        match mark {
            Some((present, first)) if *present == self.present => Some(*first),
            _ => {
                *mark = Some((self.present, span));
                None
            }
        }
    }
}
