//! Code as text, laid out as people write it: on one line if it fits; else the operands of a call stand below one
//! another, and bodies two columns to the right.
//!
//! Invariant: constant host stack, and indentation is bounded, so that deep nesting costs no quadratic space.

use crate::syntax::layout::{Extent, widths};

/// How many columns a line should not exceed.
const WIDTH: usize = 100;

/// How far a line is indented at most.
const DEEPEST: usize = 60;

/// How the parts of a list stand that does not fit on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The first two parts on one line, the others below the second.
    Call,
    /// The first two parts on one line, the others two columns to the right of the parenthesis.
    Body,
    /// All parts below the first.
    List,
}

/// A piece of what is to be printed.
#[derive(Clone, Debug)]
enum Piece {
    /// The beginning of a list, and once known, its width on one line.
    Open(Shape, usize),
    Atom(String),
    Close,
}

/// Code that is being put together.
#[derive(Clone, Debug, Default)]
pub struct Text {
    pieces: Vec<Piece>,
}

/// A list that is being printed on many lines or on one.
struct Open {
    /// The column of the next part on a line of its own; none on one line.
    indent: Option<usize>,
    shape: Shape,
    /// Where its line begins, and its own column.
    line: usize,
    column: usize,
    printed: usize,
}

impl Text {
    /// The beginning of a list.
    pub fn open(&mut self, shape: Shape) {
        self.pieces.push(Piece::Open(shape, 0));
    }

    /// Something without parts.
    pub fn atom(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Atom(text.into()));
    }

    /// The end of a list.
    pub fn close(&mut self) {
        self.pieces.push(Piece::Close);
    }

    /// A list of atoms.
    pub fn list<'text>(&mut self, atoms: impl IntoIterator<Item = &'text str>) {
        self.open(Shape::Call);
        atoms.into_iter().for_each(|atom| self.atom(atom));
        self.close();
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Takes over other code.
    pub fn append(&mut self, mut other: Text) {
        self.pieces.append(&mut other.pieces);
    }

    /// The text, with a line end after each datum.
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
                    if list.shape == Shape::Call && list.printed == 1 && list.line != line_start {
                        // The first part took many lines.
                        list.shape = Shape::List;
                        list.indent = list.indent.map(|_| (list.column + 1).min(DEEPEST));
                    }
                    let beside = match list.shape {
                        Shape::Call | Shape::Body => list.printed == 1,
                        Shape::List => false,
                    };
                    match list.indent {
                        _ if list.printed == 0 => {}
                        Some(indent) if !beside => {
                            out.push('\n');
                            line_start = out.len();
                            out.extend(std::iter::repeat_n(' ', indent));
                        }
                        Some(_) | None => out.push(' '),
                    }
                    if beside && list.indent.is_some() && list.shape == Shape::Call {
                        list.indent = Some((out.len() - line_start).min(DEEPEST));
                    }
                    list.printed += 1;
                }
                let column = out.len() - line_start;
                match piece {
                    Piece::Atom(text) => out.push_str(text),
                    Piece::Open(shape, width) => {
                        out.push('(');
                        let right = if *shape == Shape::Body { 2 } else { 1 };
                        let whole = open.last().is_some_and(|list| list.indent.is_none()) || column + width < WIDTH;
                        let indent = (!whole).then_some((column + right).min(DEEPEST));
                        open.push(Open { indent, shape: *shape, line: line_start, column, printed: 0 });
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
            Piece::Open(..) => Extent::Open(1),
            Piece::Atom(text) => Extent::Atom(text.chars().count()),
            Piece::Close => Extent::Close,
        });
        for (index, measured) in widths(extents) {
            if let Some(Piece::Open(_, width)) = self.pieces.get_mut(index) {
                *width = measured;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_where_people_put_them() {
        let mut text = Text::default();
        text.open(Shape::Body);
        text.atom("let");
        text.open(Shape::List);
        for name in ["a", "b"] {
            text.open(Shape::List);
            text.atom(name);
            text.atom("x".repeat(40));
            text.close();
        }
        text.close();
        text.open(Shape::Call);
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
        let mut text = Text::default();
        (0..100_000).for_each(|_| {
            text.open(Shape::Call);
            text.atom("f");
        });
        (0..100_000).for_each(|_| text.close());
        assert!(text.finish().len() < 100_000 * 70);
    }
}
