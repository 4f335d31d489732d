//! Printing nested lists, for people: on one line if they fit, else one part on a line.
//!
//! Invariant: constant host stack, and indentation is bounded, so that deep nesting costs no quadratic space.

/// How many columns a line should not exceed.
const WIDTH: usize = 110;

/// How far a line is indented at most.
const DEEPEST: usize = 40;

/// A piece of what is to be printed.
#[derive(Clone, Debug)]
enum Piece {
    /// The beginning of a list: its text and, once known, the width of the list on one line.
    Open(String, usize),
    Atom(String),
    Close,
}

/// Lists to be printed, one at top level after the other.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pieces: Vec<Piece>,
}

/// A list that is being printed.
struct Open {
    style: Style,
    /// The column of its parts on lines of their own.
    indent: usize,
    /// How many of its parts have been printed.
    printed: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    OneLine,
    ManyLines,
}

impl Layout {
    /// A piece of text without parts.
    pub fn atom(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Atom(text.into()));
    }

    /// The beginning of a list; the text ends with its parenthesis.
    pub fn open(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Open(text.into(), 0));
    }

    /// The end of a list.
    pub fn close(&mut self) {
        self.pieces.push(Piece::Close);
    }

    /// What has been put together, with a line end after each list or atom at top level.
    pub fn finish(mut self) -> String {
        self.measure();
        let mut out = String::new();
        let mut open: Vec<Open> = vec![];
        let mut line_start = 0;
        for piece in &self.pieces {
            if let Piece::Close = piece {
                out.push(')');
                open.pop();
            } else {
                let width = width(piece);
                if let Some(list) = open.last_mut() {
                    let column = out.len() - line_start;
                    // The first part stands behind the parenthesis, and the second beside the first if it fits.
                    let beside = list.style == Style::OneLine || list.printed == 1 && column + 1 + width < WIDTH;
                    if list.printed > 0 && beside {
                        out.push(' ');
                    } else if list.printed > 0 {
                        out.push('\n');
                        line_start = out.len();
                        out.extend(std::iter::repeat_n(' ', list.indent));
                    }
                    list.printed += 1;
                }
                let column = out.len() - line_start;
                match piece {
                    Piece::Atom(text) => out.push_str(text),
                    Piece::Open(text, _) => {
                        out.push_str(text);
                        let style = if column + width < WIDTH { Style::OneLine } else { Style::ManyLines };
                        let indent = (open.last().map_or(0, |list| list.indent) + 2).min(DEEPEST);
                        open.push(Open { style, indent, printed: 0 });
                    }
                    Piece::Close => {}
                }
            }
            if open.is_empty() {
                out.push('\n');
                line_start = out.len();
            }
        }
        out
    }

    /// Finds the width of each list on one line.
    fn measure(&mut self) {
        let extents = self.pieces.iter().map(|piece| match piece {
            Piece::Open(text, _) => Extent::Open(text.len()),
            Piece::Atom(text) => Extent::Atom(text.len()),
            Piece::Close => Extent::Close,
        });
        for (index, measured) in widths(extents) {
            if let Some(Piece::Open(_, width)) = self.pieces.get_mut(index) {
                *width = measured;
            }
        }
    }
}

/// What a piece of nested lists takes of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// The beginning of a list, of so many columns.
    Open(usize),
    /// Something without parts.
    Atom(usize),
    /// The end of a list, of one column.
    Close,
}

/// The width of each list on one line, with the index of the piece that it begins with.
pub(crate) fn widths(pieces: impl Iterator<Item = Extent>) -> Vec<(usize, usize)> {
    // Of each open list, where it began and the sum of the widths so far.
    let mut open: Vec<(usize, usize)> = vec![];
    let mut found: Vec<(usize, usize)> = vec![];
    for (index, piece) in pieces.enumerate() {
        let finished = match piece {
            Extent::Open(columns) => {
                open.push((index, columns));
                continue;
            }
            Extent::Atom(columns) => columns,
            Extent::Close => match open.pop() {
                Some((begin, width)) => {
                    found.push((begin, width + 1));
                    width + 1
                }
                None => continue,
            },
        };
        if let Some((_, width)) = open.last_mut() {
            *width += finished + 1;
        }
    }
    found
}

/// The width of a piece, for a list on one line.
fn width(piece: &Piece) -> usize {
    match piece {
        Piece::Open(_, width) => *width,
        Piece::Atom(text) => text.len(),
        Piece::Close => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_take_many_lines() {
        let mut layout = Layout::default();
        layout.open("(");
        layout.atom("define");
        layout.atom("x");
        layout.open("(");
        (0..30).for_each(|number| layout.atom(number.to_string()));
        layout.close();
        layout.open("(");
        (0..60).for_each(|_| layout.atom("ab"));
        layout.close();
        layout.close();
        let text = layout.finish();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.first(), Some(&"(define x"));
        assert!(lines[1].starts_with("  (0 1 2 3"), "{text}");
        assert_eq!(lines[2], "  (ab ab");
        assert_eq!(lines[3], "    ab");
        assert!(text.ends_with("ab))\n"));
    }

    #[test]
    fn depth_costs_neither_stack_nor_quadratic_space() {
        let mut layout = Layout::default();
        (0..100_000).for_each(|_| {
            layout.open("(");
            layout.atom("f");
        });
        (0..100_000).for_each(|_| layout.close());
        assert!(layout.finish().len() < 100_000 * 50);
    }
}
