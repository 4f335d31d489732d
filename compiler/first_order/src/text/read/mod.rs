//! The reader of the text of units, as [`crate::text::print`] writes it without a program.
//!
//! It takes text that somebody may have written by hand, and gives a unit or the first line that is wrong. It establishes the
//! form of statements, and that each variable is of one kind; [`crate::check`] does the rest. Lines that are empty or
//! begin with `;` are left out. A function has the number of its place, and its name may lack that number.
//!
//! A unit that was printed and is read has the same text. It is the same but for what the text does not tell: the names of
//! functions in the program, kinds of variables that nothing mentions, the payloads of NaN, and [`Unit::nesting`].
//!
//! | module | |
//! |---|---|
//! | [`words`] | the words of a line |
//! | [`shapes`] | the shapes of inputs, lines that are written, and the result |
//! | [`operands`] | variables and operands |
//! | [`statements`] | the statements of first-order code |
//! | [`storage`] | the statements of storage code |

mod operands;
mod shapes;
mod statements;
mod storage;
#[cfg(test)]
mod tests;
mod words;

use crate::template::Line as Written;
use crate::{Block, End, Function, FunctionId, MOST_DEPTH, Number, Operand, Unit};
use operands::Code;
use std::collections::HashMap;
use std::fmt;
use vlad_core::{ExpressionId, GlobalId};
use vlad_values::print::Layout;
use words::Words;

/// The first line that is wrong, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The number of the line, from 1 on.
    pub line: usize,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.reason)
    }
}

/// Reads the text of a unit.
///
/// # Errors
/// Returns the first line that is wrong.
pub fn read(text: &str) -> Result<Unit, Unreadable> {
    let mut lines = Lines::of(text)?;
    let functions = lines.functions()?;
    let mut unit = Unit::default();
    while let Some(line) = lines.next() {
        let read = match (line.depth, line.text.split_once(": ")) {
            (0, Some((head, shape))) => head_line(&mut unit, head, shape),
            (0, None) => {
                let (function, is_entry) = lines.function(line, &functions)?;
                unit.entry = if is_entry { Some(FunctionId::at(unit.functions.len())) } else { unit.entry };
                unit.functions.push(function);
                Ok(())
            }
            _ => Err("the line is indented, but belongs to nothing".to_owned()),
        };
        read.map_err(|reason| line.is_wrong(reason))?;
    }
    Ok(unit)
}

/// Reads a line before the functions: what stands before its colon, and the shape behind it.
fn head_line(unit: &mut Unit, head: &str, shape: &str) -> Result<(), String> {
    let shape = shapes::template(shape)?;
    let mut words = Words::of(head);
    let layout = match words.next("a head")? {
        "input" => {
            unit.inputs.push((GlobalId(words.number("the number of a definition")?), shape));
            return words.end();
        }
        "result" => {
            unit.result = shape;
            return words.end();
        }
        "shape" => Layout::Datum,
        "row" => Layout::Row,
        "text" => Layout::Text,
        other => return Err(format!("`{other}` begins no line before the functions")),
    };
    if layout != Layout::Datum {
        words.expect("shape")?;
    }
    let number: usize = words.number("the number of a shape")?;
    if number != unit.written.len() {
        return Err(format!("the next shape has the number {}", unit.written.len()));
    }
    unit.written.push(Written { layout, template: shape });
    words.end()
}

/// A line of the text.
#[derive(Clone, Copy, Debug)]
struct Line<'text> {
    number: usize,
    /// The number of blocks around it, the function included.
    depth: usize,
    text: &'text str,
}

impl Line<'_> {
    fn is_wrong(&self, reason: impl Into<String>) -> Unreadable {
        Unreadable { line: self.number, reason: reason.into() }
    }
}

/// The lines that are still to be read.
struct Lines<'text> {
    lines: std::iter::Peekable<std::vec::IntoIter<Line<'text>>>,
    /// The last line of the text, for complaints about its end.
    last: Line<'text>,
}

impl<'text> Lines<'text> {
    fn of(text: &'text str) -> Result<Lines<'text>, Unreadable> {
        let mut lines = Vec::new();
        let mut last = Line { number: 1, depth: 0, text: "" };
        for (line, number) in text.lines().zip(1..) {
            let inner = line.trim_start_matches(' ');
            let spaces = line.len() - inner.len();
            last = Line { number, depth: spaces / 2, text: inner.trim_end() };
            if last.text.is_empty() || last.text.starts_with(';') {
                continue;
            }
            if spaces % 2 != 0 {
                return Err(last.is_wrong("blocks are indented by two spaces"));
            }
            lines.push(last);
        }
        Ok(Lines { lines: lines.into_iter().peekable(), last })
    }

    /// The numbers of the functions, by the names that they have in the text.
    fn functions(&self) -> Result<HashMap<&'text str, FunctionId>, Unreadable> {
        let mut functions = HashMap::new();
        for line in self.lines.clone() {
            let mut words = Words::of(line.text);
            words.accept("entry");
            if line.depth == 0 && words.accept("function") {
                let name = words.next("the name of a function").map_err(|reason| line.is_wrong(reason))?;
                if functions.insert(name, FunctionId::at(functions.len())).is_some() {
                    return Err(line.is_wrong(format!("there is another function `{name}`")));
                }
            }
        }
        Ok(functions)
    }

    fn next(&mut self) -> Option<Line<'text>> {
        self.lines.next()
    }

    /// Reads a function, given its first line, and returns true if it is the entry.
    fn function(
        &mut self,
        line: Line<'text>,
        functions: &HashMap<&'text str, FunctionId>,
    ) -> Result<(Function, bool), Unreadable> {
        let mut code = Code::new(functions);
        let mut words = Words::of(line.text);
        let is_entry = words.accept("entry");
        let head = |code: &mut Code<'_>, words: &mut Words<'text>| {
            words.expect("function")?;
            let name = words.next("the name of a function")?;
            words.expect("(")?;
            let parameters = code.variables(words)?;
            words.expect(")")?;
            let mut results = Vec::new();
            while let Some(word) = words.rest() {
                results.push(shapes::kind(word)?);
            }
            Ok((name, parameters, results))
        };
        let (name, parameters, results) =
            head(&mut code, &mut words).map_err(|reason: String| line.is_wrong(reason))?;
        let body = self.block(&mut code, 1)?;
        let number = functions.get(name).map_or(0, |id| id.0);
        let name = name.strip_suffix(&format!("_{number}")).unwrap_or(name).to_owned();
        Ok((Function { name, variables: code.kinds(), parameters, results, body }, is_entry))
    }

    /// The next line of a block.
    fn line_of_block(&mut self, depth: usize) -> Result<Line<'text>, Unreadable> {
        match self.lines.next_if(|line| line.depth == depth) {
            Some(line) => Ok(line),
            None => {
                let line = self.lines.peek().unwrap_or(&self.last);
                Err(line.is_wrong(format!("a block that is indented {} spaces has no end before this line", 2 * depth)))
            }
        }
    }

    /// Reads a block.
    fn block(&mut self, code: &mut Code<'_>, depth: usize) -> Result<Block, Unreadable> {
        let mut statements = Vec::new();
        loop {
            let line = self.line_of_block(depth)?;
            if depth > MOST_DEPTH {
                return Err(line.is_wrong(format!("blocks are nested more than {MOST_DEPTH} deep")));
            }
            if let Some(end) = end(code, line.text).map_err(|reason| line.is_wrong(reason))? {
                let end = match end {
                    Ending::Here(end) => end,
                    Ending::Branch(test) => self.branch(code, test, depth)?,
                };
                return Ok(Block { statements, end });
            }
            let mut statement = code.statement(line.text).map_err(|reason| line.is_wrong(reason))?;
            if let Some(block) = statement.block_mut() {
                *block = self.block(code, depth + 1)?;
            }
            statements.push(statement);
        }
    }

    /// Reads the blocks of a branch.
    fn branch(&mut self, code: &mut Code<'_>, test: Operand, depth: usize) -> Result<End, Unreadable> {
        let consequent = Box::new(self.block(code, depth + 1)?);
        let line = self.line_of_block(depth)?;
        if line.text != "else" {
            return Err(line.is_wrong("`else` is expected here"));
        }
        Ok(End::Branch { test, consequent, alternative: Box::new(self.block(code, depth + 1)?) })
    }
}

/// The end of a block, as its line tells it.
enum Ending {
    /// All of it.
    Here(End),
    /// A branch, whose blocks follow.
    Branch(Operand),
}

/// Reads the line of an end; none if it is that of a statement.
fn end(code: &mut Code<'_>, line: &str) -> Result<Option<Ending>, String> {
    let mut words = Words::of(line);
    let end = match words.rest() {
        Some("yield") => Ending::Here(End::Yield(code.operands(&mut words)?)),
        Some("repeat") => Ending::Here(End::Repeat(code.operands(&mut words)?)),
        Some("if") => Ending::Branch(code.operand(&mut words)?),
        Some("bail") => {
            words.expect("out")?;
            words.expect("at")?;
            Ending::Here(End::BailOut(ExpressionId(words.number("a node of the program")?)))
        }
        Some("else") => return Err("the block has no end before `else`".to_owned()),
        _ => return Ok(None),
    };
    words.end()?;
    Ok(Some(end))
}
