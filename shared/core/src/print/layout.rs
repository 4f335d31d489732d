//! Pretty printing of nested lists: on one line if they fit, else broken into lines by the shape of each list.
//!
//! Invariant: constant host stack, and bounded indentation, so that deep nesting takes no quadratic space.

/// The line breaking of a list that does not fit on a line. The first part always follows the parenthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineBreaks {
    /// The second part beside the first if it fits there, the others on lines of their own, two columns further in than
    /// the enclosing list.
    Plain,
    /// The first two parts on one line, the others below the second: a call.
    Call,
    /// The first two parts on one line, the others two columns to the right of the parenthesis: a form with a body.
    Body,
    /// All parts below the first.
    List,
}

/// The opening of a vector.
pub const VECTOR: &str = "#(";

impl LineBreaks {
    /// Returns the number of columns that a line should not exceed.
    fn most_columns(self) -> usize {
        if self == LineBreaks::Plain { 110 } else { 100 }
    }

    /// Returns the greatest indentation of a line.
    fn deepest(self) -> usize {
        if self == LineBreaks::Plain { 40 } else { 60 }
    }
}

/// An element of the text to be printed.
#[derive(Clone, Debug)]
enum Piece {
    /// The beginning of a list: its text and, after measuring, the width of the list on one line.
    Open(String, LineBreaks, usize),
    Atom(String),
    Close,
}

/// A sequence of lists to be printed at top level.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pieces: Vec<Piece>,
}

/// A list whose parts are being printed.
struct Open {
    shape: LineBreaks,
    is_on_one_line: bool,
    /// The column of its parts on lines of their own.
    indent: usize,
    /// The offset of the line on which it begins, and its own column.
    line: usize,
    column: usize,
    /// The number of its parts that have been printed.
    printed: usize,
}

impl Layout {
    /// Adds a piece of text without parts.
    pub fn atom(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Atom(text.into()));
    }

    /// Begins a plain list; the text ends with its parenthesis.
    pub fn open(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Open(text.into(), LineBreaks::Plain, 0));
    }

    /// Begins a list of a shape.
    pub fn open_as(&mut self, shape: LineBreaks) {
        self.pieces.push(Piece::Open("(".to_owned(), shape, 0));
    }

    /// Begins a vector, in code of any shape.
    pub fn open_vector(&mut self) {
        self.pieces.push(Piece::Open(VECTOR.to_owned(), LineBreaks::List, 0));
    }

    /// Ends a list.
    pub fn close(&mut self) {
        self.pieces.push(Piece::Close);
    }

    /// Adds a call of atoms.
    pub fn call<'text>(&mut self, atoms: impl IntoIterator<Item = &'text str>) {
        self.open_as(LineBreaks::Call);
        atoms.into_iter().for_each(|atom| self.atom(atom));
        self.close();
    }

    /// Returns true if it is empty.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Moves the pieces of another layout to the end of this one.
    pub fn append(&mut self, mut other: Layout) {
        self.pieces.append(&mut other.pieces);
    }

    /// Returns the text, with a line end after each list or atom at top level.
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
                if let Some(list) = open.last_mut() {
                    list.make_room(width(piece), &mut out, &mut line_start);
                }
                match piece {
                    Piece::Atom(text) => out.push_str(text),
                    Piece::Open(text, shape, width) => {
                        let list = Open::new(*shape, *width, open.last(), out.len() - line_start, line_start);
                        out.push_str(text);
                        open.push(list);
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

    /// Computes the width of each list on one line.
    fn measure(&mut self) {
        // For each open list, the index of its beginning and the sum of the widths so far.
        let mut open: Vec<(usize, usize)> = vec![];
        let mut found: Vec<(usize, usize)> = vec![];
        for (index, piece) in self.pieces.iter().enumerate() {
            let finished = match piece {
                Piece::Open(text, ..) => {
                    open.push((index, text.chars().count()));
                    continue;
                }
                Piece::Atom(_) => width(piece),
                Piece::Close => match open.pop() {
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
        for (index, measured) in found {
            if let Some(Piece::Open(_, _, width)) = self.pieces.get_mut(index) {
                *width = measured;
            }
        }
    }
}

impl Open {
    /// Makes the state of a list that begins at a column and has a width on one line, within an enclosing list.
    fn new(shape: LineBreaks, width: usize, around: Option<&Open>, column: usize, line: usize) -> Open {
        let fits = column + width < shape.most_columns();
        let is_on_one_line = fits || shape != LineBreaks::Plain && around.is_some_and(|around| around.is_on_one_line);
        let indent = match shape {
            LineBreaks::Plain => around.map_or(0, |around| around.indent) + 2,
            LineBreaks::Body => column + 2,
            LineBreaks::Call | LineBreaks::List => column + 1,
        };
        Open { shape, is_on_one_line, indent: indent.min(shape.deepest()), line, column, printed: 0 }
    }

    /// Prints a blank, or a line end and blanks, before its next part, which has a width on one line.
    fn make_room(&mut self, width: usize, out: &mut String, line_start: &mut usize) {
        let is_second = self.printed == 1;
        if self.shape == LineBreaks::Call && is_second && self.line != *line_start {
            // The first part took many lines.
            self.shape = LineBreaks::List;
            self.indent = (self.column + 1).min(self.shape.deepest());
        }
        let fits_beside = out.len() - *line_start + 1 + width < self.shape.most_columns();
        let is_beside = match self.shape {
            LineBreaks::Plain => is_second && fits_beside,
            LineBreaks::Call | LineBreaks::Body => is_second,
            LineBreaks::List => false,
        };
        if self.printed > 0 && (self.is_on_one_line || is_beside) {
            out.push(' ');
        } else if self.printed > 0 {
            out.push('\n');
            *line_start = out.len();
            out.extend(std::iter::repeat_n(' ', self.indent));
        }
        if is_second && self.shape == LineBreaks::Call {
            self.indent = (out.len() - *line_start).min(self.shape.deepest());
        }
        self.printed += 1;
    }
}

/// Returns the width of a piece, for a list on one line.
fn width(piece: &Piece) -> usize {
    match piece {
        Piece::Open(_, _, width) => *width,
        Piece::Atom(text) => text.chars().count(),
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
    fn parts_stand_where_people_put_them() {
        let mut text = Layout::default();
        text.open_as(LineBreaks::Body);
        text.atom("let");
        text.open_as(LineBreaks::List);
        for name in ["a", "b"] {
            text.open_as(LineBreaks::List);
            text.atom(name);
            text.atom("x".repeat(40));
            text.close();
        }
        text.close();
        text.open_as(LineBreaks::Call);
        text.atom("f");
        text.atom("x".repeat(60));
        text.atom("y".repeat(60));
        text.close();
        text.close();
        let (x, longer, y) = ("x".repeat(40), "x".repeat(60), "y".repeat(60));
        let expected = format!("(let ((a {x}) (b {x}))\n  (f {longer}\n     {y}))\n");
        assert_eq!(text.finish(), expected);
    }

    #[test]
    fn depth_costs_neither_stack_nor_quadratic_space() {
        for shape in [LineBreaks::Plain, LineBreaks::Call, LineBreaks::Body, LineBreaks::List] {
            let mut layout = Layout::default();
            (0..100_000).for_each(|_| {
                layout.open_as(shape);
                layout.atom("f");
            });
            (0..100_000).for_each(|_| layout.close());
            assert!(layout.finish().len() < 100_000 * 70);
        }
    }
}
