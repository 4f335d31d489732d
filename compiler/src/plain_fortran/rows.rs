//! The printing of rows: what `PRINT` prints, items with a blank between them.
//!
//! A shape is a postfix program; here it is a tree. A list whose length is known at run time is a cell, which a subroutine of
//! its own goes through in a loop.

use super::body::{Body, declare_runtime};
use super::operations::constant;
use super::unit::{Refusal, UnitPrinter};
use vlad_core::fixed_form::Lines;
use vlad_first_order::template::{Step, Template};
use vlad_first_order::{Elements, Operand, Scalar};
use vlad_values::print::Layout;

/// The most characters of a text in one statement.
const MOST_CHARACTERS: usize = 40;

/// The shape of a value.
enum Shape {
    Nil,
    /// A known real.
    Real(f64),
    /// A known boolean.
    Boolean(bool),
    /// A leaf, by its place among the leaves.
    RealLeaf(usize),
    BooleanLeaf(usize),
    ArrayLeaf,
    /// A structure: its leaf, and the number of its shape.
    Cell(usize, usize),
    Pair(Box<Shape>, Box<Shape>),
    Vector(Vec<Shape>),
    /// One of two, by a boolean.
    Either(Box<Shape>, Box<Shape>, Box<Shape>),
}

/// Returns the tree of a shape.
fn tree(steps: &[Step]) -> Result<Shape, Refusal> {
    let refuse = || Refusal::new("it prints something else than numbers, truth values and texts");
    let (mut stack, mut leaves): (Vec<Shape>, usize) = (Vec::new(), 0);
    for step in steps {
        let leaf = leaves;
        leaves += usize::from(step.is_leaf());
        let shape = match step {
            Step::Nil => Shape::Nil,
            Step::Boolean(truth) => Shape::Boolean(*truth),
            Step::Real(bits) => Shape::Real(bits.real()),
            Step::RealLeaf => Shape::RealLeaf(leaf),
            Step::BooleanLeaf => Shape::BooleanLeaf(leaf),
            Step::ArrayLeaf(Elements { scalar: Scalar::Real, rank: 1 }) => Shape::ArrayLeaf,
            Step::CellLeaf(number) => Shape::Cell(leaf, *number as usize),
            Step::Pair => match (stack.pop(), stack.pop()) {
                (Some(second), Some(first)) => Shape::Pair(Box::new(first), Box::new(second)),
                _ => return Err(refuse()),
            },
            Step::Vector(count) => {
                let from = stack.len().checked_sub(*count as usize).ok_or_else(refuse)?;
                Shape::Vector(stack.split_off(from))
            }
            Step::Either(_) => match (stack.pop(), stack.pop(), stack.pop()) {
                (Some(second), Some(first), Some(test)) => {
                    Shape::Either(Box::new(test), Box::new(first), Box::new(second))
                }
                _ => return Err(refuse()),
            },
            // The last one of the values that it can be.
            Step::Last => match (stack.pop(), stack.pop()) {
                (Some(last), Some(_)) => last,
                _ => return Err(refuse()),
            },
            Step::ArrayLeaf(_)
            | Step::Primitive(_)
            | Step::Procedure(..)
            | Step::Bundle(_)
            | Step::Tagged(_)
            | Step::Backpropagator => return Err(refuse()),
        };
        stack.push(shape);
    }
    stack.pop().ok_or_else(refuse)
}

/// The printer of a row whose leaves are expressions.
struct RowPrinter<'row> {
    leaves: &'row [String],
    /// Returns the name of the subroutine for the cells of a shape.
    subroutine: &'row mut dyn FnMut(usize) -> String,
    /// The number of the cells whose subroutine this is, with its variable and label: a rest of that number is a jump.
    own: Option<usize>,
    out: &'row mut Lines,
}

impl RowPrinter<'_> {
    fn leaf(&self, leaf: usize) -> Result<&str, Refusal> {
        self.leaves.get(leaf).map(String::as_str).ok_or_else(|| Refusal::new("it prints more than it has"))
    }

    /// Prints the items of a list.
    fn list(&mut self, shape: &Shape, depth: usize) -> Result<(), Refusal> {
        let mut shape = shape;
        while let Shape::Pair(first, rest) = shape {
            self.item(first, depth)?;
            shape = rest;
        }
        match shape {
            Shape::Nil => Ok(()),
            Shape::Cell(leaf, number) if self.own == Some(*number) => {
                let next = format!("KNEXT = {}", self.leaf(*leaf)?);
                self.out.statement(None, depth, &next);
                self.out.statement(None, depth, "GO TO 10");
                Ok(())
            }
            Shape::Cell(leaf, number) => {
                let call = format!("CALL {}({})", (self.subroutine)(*number), self.leaf(*leaf)?);
                self.out.statement(None, depth, &call);
                Ok(())
            }
            Shape::Either(test, first, second) => self.choice(
                test,
                depth,
                |printer| printer.list(first, depth + 1),
                |printer| printer.list(second, depth + 1),
            ),
            Shape::Pair(..)
            | Shape::Real(_)
            | Shape::Boolean(_)
            | Shape::RealLeaf(_)
            | Shape::BooleanLeaf(_)
            | Shape::ArrayLeaf
            | Shape::Vector(_) => Err(Refusal::new("it prints what is no list")),
        }
    }

    fn choice(
        &mut self,
        test: &Shape,
        depth: usize,
        first: impl FnOnce(&mut Self) -> Result<(), Refusal>,
        second: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let leaf = match test {
            Shape::Boolean(true) => return first(self),
            Shape::Boolean(false) => return second(self),
            Shape::BooleanLeaf(leaf) => *leaf,
            Shape::Nil
            | Shape::Real(_)
            | Shape::RealLeaf(_)
            | Shape::ArrayLeaf
            | Shape::Cell(..)
            | Shape::Pair(..)
            | Shape::Vector(_)
            | Shape::Either(..) => return Err(Refusal::new("it prints a choice by what is no truth value")),
        };
        let test = format!("IF ({}) THEN", self.leaf(leaf)?);
        self.out.statement(None, depth, &test);
        first(self)?;
        self.out.statement(None, depth, "ELSE");
        second(self)?;
        self.out.statement(None, depth, "END IF");
        Ok(())
    }

    fn item(&mut self, shape: &Shape, depth: usize) -> Result<(), Refusal> {
        self.out.statement(None, depth, "CALL VLITEM");
        self.content(shape, depth)
    }

    fn content(&mut self, shape: &Shape, depth: usize) -> Result<(), Refusal> {
        match shape {
            Shape::Real(real) => {
                self.out.statement(None, depth, &format!("CALL VLNUMB({})", constant(*real)));
                Ok(())
            }
            Shape::RealLeaf(leaf) => {
                let call = format!("CALL VLNUMB({})", self.leaf(*leaf)?);
                self.out.statement(None, depth, &call);
                Ok(())
            }
            Shape::Vector(codes) => self.text(codes, depth),
            Shape::Either(test, first, second) => self.choice(
                test,
                depth,
                |printer| printer.content(first, depth + 1),
                |printer| printer.content(second, depth + 1),
            ),
            Shape::ArrayLeaf => Err(Refusal::new("it prints texts whose length is not known")),
            Shape::Boolean(_) | Shape::BooleanLeaf(_) | Shape::Nil | Shape::Cell(..) | Shape::Pair(..) => {
                Err(Refusal::new("it prints something else than numbers, truth values and texts"))
            }
        }
    }

    fn text(&mut self, codes: &[Shape], depth: usize) -> Result<(), Refusal> {
        let mut known = String::new();
        for code in codes {
            match code {
                Shape::Real(code) => known.extend(char::from_u32(*code as u32)),
                Shape::RealLeaf(leaf) => {
                    let code = self.leaf(*leaf)?.to_owned();
                    self.known_text(&known, depth)?;
                    known.clear();
                    self.out.statement(None, depth, &format!("CALL VLCODE({code})"));
                }
                Shape::Nil
                | Shape::Boolean(_)
                | Shape::BooleanLeaf(_)
                | Shape::ArrayLeaf
                | Shape::Cell(..)
                | Shape::Pair(..)
                | Shape::Vector(_)
                | Shape::Either(..) => {
                    return Err(Refusal::new("it prints a text of something else than characters"));
                }
            }
        }
        self.known_text(&known, depth)
    }

    fn known_text(&mut self, text: &str, depth: usize) -> Result<(), Refusal> {
        let characters: Vec<char> = text.chars().collect();
        for part in characters.chunks(MOST_CHARACTERS / 4) {
            let part: String = part.iter().collect();
            self.out.statement(None, depth, &format!("CALL VLTEXT('{}')", part.replace('\'', "''")));
        }
        Ok(())
    }
}

impl Body<'_, '_> {
    /// Prints a row.
    pub(super) fn write(&mut self, number: usize, leaves: &[Operand], depth: usize) -> Result<(), Refusal> {
        let unit = self.printer.unit;
        let Some(line) = unit.written.get(number) else { return Err(Refusal::new("it prints nothing")) };
        match line.layout {
            Layout::Row => {}
            Layout::Datum | Layout::Text => return Err(Refusal::new("it prints by `write`, in the notation of VLAD")),
        }
        let shape = tree(&line.template.steps)?;
        let leaves: Vec<String> = leaves.iter().map(|leaf| self.operand(*leaf)).collect();
        let printer = &mut *self.printer;
        let mut subroutine = |cell: usize| printer.row_subroutine(number, cell);
        let mut row = RowPrinter { leaves: &leaves, subroutine: &mut subroutine, own: None, out: &mut self.lines };
        row.list(&shape, depth)?;
        self.statement(depth, "CALL VLROW")
    }
}

impl UnitPrinter<'_> {
    /// Returns the name of the subroutine that prints the rest of a row, a structure.
    fn row_subroutine(&mut self, line: usize, cell: usize) -> String {
        let known = self.rows.iter().position(|known| *known == (line, cell));
        let place = known.unwrap_or_else(|| {
            self.rows.push((line, cell));
            self.rows.len() - 1
        });
        format!("W{}", self.first + place)
    }

    /// Prints the subroutines for structures in rows.
    pub(super) fn rows_of_cells(&mut self) -> Result<(), Refusal> {
        let mut done = 0;
        while let Some((line, cell)) = self.rows.get(done).copied() {
            done += 1;
            let unit = self.unit;
            let Some(Template { cells, .. }) = unit.written.get(line).map(|line| &line.template) else { continue };
            let Some(steps) = cells.get(cell) else { continue };
            let shape = tree(steps)?;
            let mut leaves = Vec::new();
            for step in steps.iter().filter(|step| step.is_leaf()) {
                let word = format!("VLPART(KNEXT, {})", leaves.len() + 1);
                leaves.push(if *step == Step::RealLeaf {
                    word
                } else if *step == Step::BooleanLeaf {
                    format!("{word} .NE. 0D0")
                } else {
                    format!("INT({word})")
                });
            }
            let name = self.row_subroutine(line, cell);
            let mut body = Lines::default();
            body.statement(None, 0, "KNEXT = KCELL");
            body.statement(Some(10), 0, "CONTINUE");
            let mut subroutine = |cell: usize| self.row_subroutine(line, cell);
            let mut row = RowPrinter { leaves: &leaves, subroutine: &mut subroutine, own: Some(cell), out: &mut body };
            // What is absent is the empty list.
            row.out.statement(None, 0, "IF (KNEXT .EQ. 0) RETURN");
            row.list(&shape, 0)?;
            self.out.comment("the rest of a line");
            self.out.statement(None, 0, &format!("SUBROUTINE {name}(KCELL)"));
            self.out.statement(None, 0, "INTEGER KCELL, KNEXT");
            declare_runtime(body.text(), self.out);
            self.out.append(body);
            self.out.statement(None, 0, "END");
        }
        Ok(())
    }
}
