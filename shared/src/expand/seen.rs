//! Which names have been bound in one set of names, and where.

use crate::source::Span;
use crate::syntax::names::NameId;

/// A set of names that is emptied in constant time: a name belongs to it if it carries the present mark.
#[derive(Debug, Default)]
pub(super) struct Seen {
    present: u32,
    marks: Vec<Option<(u32, Span)>>,
}

impl Seen {
    /// Empties the set.
    pub(super) fn begin(&mut self) {
        self.present += 1;
    }

    /// Puts a name into the set; gives the place where it was put in before, if it was.
    pub(super) fn note(&mut self, name: NameId, span: Span) -> Option<Span> {
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
