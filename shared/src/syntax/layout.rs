//! Printing nested lists, for people: on one line if they fit, else as the shape of each list says.
//!
//! Invariant: constant host stack, and indentation is bounded, so that deep nesting costs no quadratic space.

/// How the parts of a list stand that does not fit on a line. The first always stands behind the parenthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The second part beside the first if it fits there, others on lines of their own, two columns further in than the
    /// list around.
    Plain,
    /// The first two parts on one line, the others below the second: a call.
    Call,
    /// The first two parts on one line, the others two columns to the right of the parenthesis: what has a body.
    Body,
    /// All parts below the first.
    List,
}

/// How a vector begins.
pub const VECTOR: &str = "#(";

impl Shape {
    /// How many columns a line should not exceed.
    fn most_columns(self) -> usize {
        if self == Shape::Plain { 110 } else { 100 }
    }

    /// How far a line is indented at most.
    fn deepest(self) -> usize {
        if self == Shape::Plain { 40 } else { 60 }
    }
}

/// A piece of what is to be printed.
#[derive(Clone, Debug)]
enum Piece {
    /// The beginning of a list: its text and, once known, the width of the list on one line.
    Open(String, Shape, usize),
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
    shape: Shape,
    is_on_one_line: bool,
    /// The column of its parts on lines of their own.
    indent: usize,
    /// Where its line begins, and its own column.
    line: usize,
    column: usize,
    /// How many of its parts have been printed.
    printed: usize,
}

impl Layout {
    /// A piece of text without parts.
    pub fn atom(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Atom(text.into()));
    }

    /// The beginning of a plain list; the text ends with its parenthesis.
    pub fn open(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Open(text.into(), Shape::Plain, 0));
    }

    /// The beginning of a list of a shape.
    pub fn open_as(&mut self, shape: Shape) {
        self.pieces.push(Piece::Open("(".to_owned(), shape, 0));
    }

    /// The beginning of a vector, in code of any shape.
    pub fn open_vector(&mut self) {
        self.pieces.push(Piece::Open(VECTOR.to_owned(), Shape::List, 0));
    }

    /// The end of a list.
    pub fn close(&mut self) {
        self.pieces.push(Piece::Close);
    }

    /// A call of atoms.
    pub fn call<'text>(&mut self, atoms: impl IntoIterator<Item = &'text str>) {
        self.open_as(Shape::Call);
        atoms.into_iter().for_each(|atom| self.atom(atom));
        self.close();
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Takes over what has been put together elsewhere.
    pub fn append(&mut self, mut other: Layout) {
        self.pieces.append(&mut other.pieces);
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

    /// Finds the width of each list on one line.
    fn measure(&mut self) {
        // Of each open list, where it began and the sum of the widths so far.
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
    /// A list of a width on one line that begins at a column, in a list around.
    fn new(shape: Shape, width: usize, around: Option<&Open>, column: usize, line: usize) -> Open {
        let fits = column + width < shape.most_columns();
        let is_on_one_line = fits || shape != Shape::Plain && around.is_some_and(|around| around.is_on_one_line);
        let indent = match shape {
            Shape::Plain => around.map_or(0, |around| around.indent) + 2,
            Shape::Body => column + 2,
            Shape::Call | Shape::List => column + 1,
        };
        Open { shape, is_on_one_line, indent: indent.min(shape.deepest()), line, column, printed: 0 }
    }

    /// Puts a blank, or a line end and blanks, before its next part, which has a width on one line.
    fn make_room(&mut self, width: usize, out: &mut String, line_start: &mut usize) {
        let is_second = self.printed == 1;
        if self.shape == Shape::Call && is_second && self.line != *line_start {
            // The first part took many lines.
            self.shape = Shape::List;
            self.indent = (self.column + 1).min(self.shape.deepest());
        }
        let fits_beside = out.len() - *line_start + 1 + width < self.shape.most_columns();
        let is_beside = match self.shape {
            Shape::Plain => is_second && fits_beside,
            Shape::Call | Shape::Body => is_second,
            Shape::List => false,
        };
        if self.printed > 0 && (self.is_on_one_line || is_beside) {
            out.push(' ');
        } else if self.printed > 0 {
            out.push('\n');
            *line_start = out.len();
            out.extend(std::iter::repeat_n(' ', self.indent));
        }
        if is_second && self.shape == Shape::Call {
            self.indent = (out.len() - *line_start).min(self.shape.deepest());
        }
        self.printed += 1;
    }
}

/// The width of a piece, for a list on one line.
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
        text.open_as(Shape::Body);
        text.atom("let");
        text.open_as(Shape::List);
        for name in ["a", "b"] {
            text.open_as(Shape::List);
            text.atom(name);
            text.atom("x".repeat(40));
            text.close();
        }
        text.close();
        text.open_as(Shape::Call);
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
        for shape in [Shape::Plain, Shape::Call, Shape::Body, Shape::List] {
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
