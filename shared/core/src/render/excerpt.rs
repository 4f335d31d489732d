//! Excerpts: the line on which a span begins, cut to the available width, with the range to be underlined.

use crate::render::printable::{cost, shown};
use crate::source::{SourceFile, Span};

/// The greatest width of a line, in columns.
const LINE_WIDTH: usize = 110;

/// The greatest width before the place that is shown whole.
const BEFORE_WHOLE: usize = 76;

/// The width shown before the place if it cannot be shown whole.
const BEFORE_CUT: usize = 40;

/// The replacement for text that is left out.
const ELLIPSIS: &str = "...";

/// A part of a line with a place in it. Widths are columns of a terminal.
pub(super) struct Excerpt {
    /// The shown part of the line.
    pub text: String,
    /// The width of the text before the place.
    pub before: usize,
    /// The width of the place, at least 1.
    pub width: usize,
    /// The line on which the span ends, if that is another one.
    pub last_line: Option<u32>,
}

/// A line under construction.
#[derive(Default)]
struct Builder {
    text: String,
    column: usize,
}

impl Builder {
    fn push(&mut self, character: char) {
        let (text, width) = shown(character, self.column);
        self.text.push_str(&text);
        self.column += width;
    }

    fn push_ellipsis(&mut self) {
        self.text.push_str(ELLIPSIS);
        self.column += ELLIPSIS.len();
    }
}

/// Returns the excerpt for a span. Offsets outside the text or inside a character are rounded down to a boundary.
pub(super) fn excerpt(file: &SourceFile, span: Span) -> Excerpt {
    let text = file.text.as_str();
    let start = floor_boundary(text, span.start as usize);
    let end = floor_boundary(text, span.end as usize).max(start);
    let (head, tail) = text.split_at(start);
    let before = head.rsplit(['\n', '\r']).next().unwrap_or("");
    let rest_of_line = tail.split(['\n', '\r']).next().unwrap_or("");
    let line = file.position(start as u32).line;
    let last_line = file.position(end.saturating_sub(1).max(start) as u32).line;
    // A span over several lines is underlined up to the end of the text on the first.
    let covered = if last_line > line { rest_of_line.trim_end().len() } else { end - start };

    let mut builder = Builder::default();
    push_before(&mut builder, before);
    let begin = builder.column;
    let mut finish = begin;
    let mut room = LINE_WIDTH.saturating_sub(begin);
    for (offset, character) in rest_of_line.char_indices() {
        let Some(left) = room.checked_sub(cost(character)) else {
            builder.push_ellipsis();
            break;
        };
        room = left;
        builder.push(character);
        if offset < covered {
            finish = builder.column;
        }
    }
    Excerpt {
        text: builder.text,
        before: begin,
        width: (finish - begin).max(1),
        last_line: (last_line > line).then_some(last_line),
    }
}

/// Writes the text before the place: whole if it is short, else the last part of it.
fn push_before(builder: &mut Builder, before: &str) {
    let shown_from = |most: usize| {
        let mut room = most;
        for (offset, character) in before.char_indices().rev() {
            match room.checked_sub(cost(character)) {
                Some(left) => room = left,
                None => return offset + character.len_utf8(),
            }
        }
        0
    };
    let mut from = shown_from(BEFORE_WHOLE);
    if from > 0 {
        from = shown_from(BEFORE_CUT);
        builder.push_ellipsis();
    }
    before.get(from..).unwrap_or("").chars().for_each(|character| builder.push(character));
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
