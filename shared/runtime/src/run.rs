//! The interface between a run and its context: the host for input and output, limits, outcome.

use crate::event::Event;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};
use vlad_ad::checkpointing::Strategy;
use vlad_ad::traps::Traps;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::{InputNotation, Item, Program};
use vlad_table::number::{self, Notation};
use vlad_values::Value;
use vlad_values::print::{self, Layout};
use vlad_values::watch::{Bounds, LimitCheck, RestartSignal};

/// The source of a line of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The value of a top-level expression.
    Result,
    /// A `write`, `write-real`, `write-row` or `write-text` of the program.
    Written(Layout),
}

impl Origin {
    /// The layout of the line.
    #[must_use]
    pub fn layout(self) -> Layout {
        match self {
            Origin::Result => Layout::Datum,
            Origin::Written(layout) => layout,
        }
    }
}

/// The reason for which `read-real` has no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputFault {
    /// The input has ended.
    End,
    /// The next word of the input is not a number.
    NotANumber(String),
    /// The input could not be read.
    Broken(String),
    /// A re-execution reads more than was recorded. That happens only in a run that is resumed from a forged file.
    NotNoted,
}

/// The part of a run that another engine has completed before this engine starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompletedPart {
    /// The item that was being evaluated. Expressions before it are not evaluated again.
    pub item: usize,
    /// The number of steps of those expressions.
    pub steps: u64,
}

impl CompletedPart {
    /// Returns true if an item need not be evaluated.
    #[must_use]
    pub fn covers(self, number: usize, item: Item) -> bool {
        number < self.item && matches!(item, Item::Expression(_))
    }
}

/// The context of a run: its input, output and observer.
pub trait Host {
    /// Reads the next number of the input.
    ///
    /// # Errors
    /// Returns the reason if the input has ended, holds something else, or cannot be read.
    fn read_real(&mut self) -> Result<f64, InputFault>;

    /// Tests whether the input has no more words. A host without input is at its end.
    ///
    /// # Errors
    /// Returns the reason if the input cannot be read.
    fn is_input_over(&mut self) -> Result<bool, InputFault> {
        Ok(true)
    }

    /// Writes one value, in the layout of its origin, and a line end. A value in the layout of a row is one
    /// ([`vlad_values::row::check`]), and so for texts ([`vlad_values::template::check`]).
    ///
    /// # Errors
    /// Returns the error of writing the output.
    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()>;

    /// The part of the run that another engine has completed. An engine asks once, at its start.
    fn done(&self) -> CompletedPart {
        CompletedPart::default()
    }

    /// Receives the report that a top-level item begins, after so many steps of the run.
    fn begin_item(&mut self, _number: usize, _item: Item, _steps: u64) {}

    /// Returns true if it wants events of operators: otherwise an engine may report none.
    fn observes(&self) -> bool {
        false
    }

    /// Receives an event of an operator that calls procedures.
    fn observe(&mut self, _event: Event) {}
}

/// Limits of a run, and its checkpoint options. Steps and depth are exact and the same in every engine; memory and time are
/// checked at intervals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The number of steps after which the next step is an error.
    pub steps: Option<u64>,
    /// The depth of nested calls beyond which a call is an error; none for the usual one.
    pub depth: Option<u64>,
    /// The bytes of the process's resident memory beyond which continuing is an error.
    pub memory: Option<u64>,
    /// The time after which continuing is an error.
    pub time: Option<Duration>,
    /// The checkpoint options of a `checkpoint-*j` whose operands give none.
    pub strategy: Strategy,
    /// The reaction to operations that make a NaN or an infinity.
    pub traps: Traps,
    /// The start of the time limit; none if it is the start of the run.
    pub begun: Option<Instant>,
    /// The signal on which the run is abandoned, to be restarted on another engine.
    pub abandonment: Option<RestartSignal>,
}

impl Limits {
    /// The clock and memory check of a run with these limits, whose time begins now unless they say when it began.
    pub fn watch(&self) -> LimitCheck {
        LimitCheck::new(&Bounds {
            memory: self.memory,
            time: self.time,
            begun: self.begun,
            abandonment: self.abandonment,
        })
    }
}

/// The outcome of a run.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Everything was evaluated and printed.
    Finished,
    /// An error; everything printed before it stays printed.
    Failed(Box<Diagnostic>),
    /// The reader of the output has closed it: no error of the program's.
    OutputClosed,
    /// The program has ended itself before its end.
    Stopped,
}

impl Outcome {
    /// Returns the outcome of a run that ends at a fault.
    pub fn at_fault(diagnostic: Diagnostic) -> Outcome {
        match diagnostic.kind {
            Kind::Stopped => Outcome::Stopped,
            _ => Outcome::Failed(Box::new(diagnostic)),
        }
    }
}

/// The report of a finished run.
#[derive(Clone, Debug)]
pub struct Report {
    /// The outcome.
    pub outcome: Outcome,
    /// The number of steps taken, including those inside operators.
    pub steps: u64,
}

impl Report {
    /// Returns true if the engine has abandoned the run, which is to be restarted on another one.
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        self.abandonment().is_some()
    }

    /// The place and the reason of a run that the engine has abandoned, to be restarted on another one.
    #[must_use]
    pub fn abandonment(&self) -> Option<&Diagnostic> {
        match &self.outcome {
            Outcome::Failed(diagnostic) if diagnostic.kind == Kind::Abandoned => Some(diagnostic),
            Outcome::Failed(_) | Outcome::Finished | Outcome::OutputClosed | Outcome::Stopped => None,
        }
    }
}

/// A host over any reader and writer, used by the command and the tests.
pub struct StreamHost<R, W> {
    input: R,
    output: W,
    notation: Notation,
    /// The next word of the input, if it has been looked at.
    ahead: Option<String>,
    /// The notation of the input.
    reading: InputNotation,
    /// True if the last number has no comma behind it yet.
    may_separate: bool,
}

impl<R: BufRead, W: Write> StreamHost<R, W> {
    /// A host that reads words from `input` and prints to `output`.
    pub fn new(input: R, output: W, notation: Notation) -> Self {
        StreamHost { input, output, notation, reading: InputNotation::Words, may_separate: false, ahead: None }
    }

    /// Reads numbers in a notation.
    #[must_use]
    pub fn reading(self, reading: InputNotation) -> Self {
        StreamHost { reading, ..self }
    }

    /// Returns the output, with everything printed so far.
    pub fn into_output(self) -> W {
        self.output
    }

    /// Returns the next word of the input, which stays the next one; none if the input has ended.
    fn word_ahead(&mut self) -> Result<Option<String>, InputFault> {
        // Earlier output may prompt a user to type the number.
        let _ = self.output.flush();
        while self.ahead.is_none() {
            let word = self.next_word().map_err(|error| InputFault::Broken(error.to_string()))?;
            if word.is_empty() {
                return Ok(None);
            }
            let text = String::from_utf8_lossy(&word);
            // A byte order mark counts as white space, too.
            let text = text.trim_matches('\u{FEFF}');
            self.ahead = (!text.is_empty()).then(|| text.to_owned());
        }
        Ok(self.ahead.clone())
    }

    /// Reads the next word of the input: the bytes up to white space, or up to a comma where one may stand between
    /// numbers. A comma that separates nothing is a word.
    fn next_word(&mut self) -> io::Result<Vec<u8>> {
        let mut word = Vec::new();
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(word);
            }
            // The white space of programs: ASCII's, with the vertical tab.
            let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
            let comma = |byte: &u8| self.reading == InputNotation::Fortran && *byte == b',';
            let skipped = if word.is_empty() { buffer.iter().take_while(|byte| blank(byte)).count() } else { 0 };
            let rest = buffer.iter().skip(skipped);
            if word.is_empty() && rest.clone().next().is_some_and(comma) {
                let separates = std::mem::take(&mut self.may_separate);
                self.input.consume(skipped + 1);
                if separates {
                    continue;
                }
                return Ok(vec![b',']);
            }
            let taken: Vec<u8> = rest.take_while(|byte| !blank(byte) && !comma(byte)).copied().collect();
            let used = skipped + taken.len();
            let ended = used < buffer.len();
            self.may_separate &= taken.is_empty();
            word.extend(taken);
            self.input.consume(used);
            if ended && !word.is_empty() {
                self.may_separate = true;
                return Ok(word);
            }
        }
    }
}

impl<R, W> StreamHost<R, W> {
    /// Reads a number whose exponent begins with D.
    fn parse_double(&self, text: &str) -> Option<f64> {
        match self.reading {
            InputNotation::Words => None,
            InputNotation::Fortran => number::parse(&text.replace(['d', 'D'], "e")),
        }
    }
}

impl<R: BufRead, W: Write> Host for StreamHost<R, W> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        let word = self.word_ahead()?.ok_or(InputFault::End)?;
        self.ahead = None;
        let read = number::parse(&word).or_else(|| self.parse_double(&word));
        read.ok_or_else(|| InputFault::NotANumber(word.chars().take(40).collect()))
    }

    fn is_input_over(&mut self) -> Result<bool, InputFault> {
        Ok(self.word_ahead()?.is_none())
    }

    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        print::write_line(&mut self.output, program, value, origin.layout(), self.notation)?;
        self.output.write_all(b"\n")
    }
}

impl<R, W> std::fmt::Debug for StreamHost<R, W> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("StreamHost").field("notation", &self.notation).finish_non_exhaustive()
    }
}
