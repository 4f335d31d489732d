//! What a run of a program needs of its surroundings, and what comes of it: input and output, limits, outcome.

use crate::checkpointing::Strategy;
use crate::core::{Item, LambdaId, Program};
use crate::diagnostic::{Diagnostic, Kind};
use crate::effects::Event;
use crate::mismatch::Binder;
use crate::number;
use crate::print::{self, Notation};
use crate::restart::{Abandonment, Done};
use crate::source::Span;
use crate::value::Value;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

/// Where a line of output comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The value of a top-level expression.
    Result,
    /// A `write` or `write-real` of the program.
    Written,
}

/// Why `read-real` has no number to give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputFault {
    /// The input has ended.
    End,
    /// The next word of the input is not a number.
    NotANumber(String),
    /// The input could not be read.
    Broken(String),
    /// An execution that is repeated reads more than was noted. No run does: a file says so that the run was gone on from.
    NotNoted,
}

/// The surroundings of a run.
pub trait Host {
    /// Reads the next number of the input.
    ///
    /// # Errors
    /// The input has ended, holds something else, or cannot be read.
    fn read_real(&mut self) -> Result<f64, InputFault>;

    /// Writes one value and a line end.
    ///
    /// # Errors
    /// The output cannot be written.
    fn write(&mut self, program: &Program, value: &Value, origin: Origin) -> io::Result<()>;

    /// The part of the run that another engine has done. An engine asks once, when it begins.
    fn done(&self) -> Done {
        Done::default()
    }

    /// Is told that an item begins, when the run has taken so many steps.
    fn begin_item(&mut self, _number: usize, _item: Item, _steps: u64) {}

    /// Whether it wants to be told what operators do: an engine may tell it nothing if it does not.
    fn observes(&self) -> bool {
        false
    }

    /// Is told what operators that call procedures do.
    fn observe(&mut self, _event: Event) {}
}

/// Bounds on a run, and how it divides what it executes again. Steps are exact and the same in every engine; memory and time are looked at every so often.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The number of steps after which the next step is an error.
    pub steps: Option<u64>,
    /// The bytes of the process's resident memory over which going on is an error.
    pub memory: Option<u64>,
    /// The time after which going on is an error.
    pub time: Option<Duration>,
    /// How `checkpoint-*j` divides what it executes, unless its operands say so.
    pub strategy: Strategy,
    /// When the time began; none if it begins with the run.
    pub begun: Option<Instant>,
    /// The word on which the run is given up, to be restarted on another engine.
    pub abandonment: Option<Abandonment>,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Everything was evaluated and printed.
    Finished,
    /// An error; what was printed before stays printed.
    Failed(Box<Diagnostic>),
    /// Whoever read the output has closed it: no error of the program's.
    OutputClosed,
}

/// What a run leaves behind.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// How many steps were taken, those inside operators included.
    pub steps: u64,
}

/// Looks at the clock and the memory on behalf of an engine.
#[derive(Clone, Debug)]
pub struct Watch {
    deadline: Option<(Instant, Duration)>,
    abandonment: Option<Abandonment>,
    memory: Option<u64>,
    /// When the memory was looked at; none if never.
    memory_seen: Option<Instant>,
    /// How much work was reported since the last look.
    work: u32,
}

/// The least time between two looks at the memory, which ask the system: little enough for a run to take no more than a
/// megabyte or so in between.
const BETWEEN_LOOKS_AT_MEMORY: Duration = Duration::from_micros(500);

/// How many units of work (steps, or positions of a datum walked) pass between two looks.
const WORK_BETWEEN_LOOKS: u32 = 1 << 13;

impl Watch {
    /// A watch over limits, whose time begins now unless they say when it began.
    pub fn new(limits: &Limits) -> Watch {
        let begun = limits.begun.unwrap_or_else(Instant::now);
        let deadline = limits.time.and_then(|time| Some((begun.checked_add(time)?, time)));
        Watch { deadline, abandonment: limits.abandonment, memory: limits.memory, memory_seen: None, work: 0 }
    }

    /// Notes a unit of work that is not a step (a position of a datum walked), and looks from time to time.
    ///
    /// # Errors
    /// A limit has been passed: its kind and message.
    #[inline]
    pub fn work(&mut self) -> Result<(), Trouble> {
        self.work += 1;
        if self.work < WORK_BETWEEN_LOOKS {
            return Ok(());
        }
        self.look()
    }

    /// Looks at once; at the memory only if the last look at it is some time ago.
    ///
    /// # Errors
    /// A limit has been passed: its kind and message.
    #[cold]
    pub fn look(&mut self) -> Result<(), Trouble> {
        self.work = 0;
        if self.abandonment.is_some_and(Abandonment::is_said) {
            return Err(Trouble::new(Kind::Abandoned, "the run goes on with another engine"));
        }
        if self.deadline.is_none() && self.memory.is_none() {
            return Ok(());
        }
        let now = Instant::now();
        if let Some((deadline, time)) = self.deadline
            && now >= deadline
        {
            return Err(Trouble::new(Kind::Time, format!("the time limit of {} s is reached", time.as_secs_f64())));
        }
        if let Some(limit) = self.memory
            && self.memory_seen.is_none_or(|seen| now.duration_since(seen) >= BETWEEN_LOOKS_AT_MEMORY)
        {
            self.memory_seen = Some(now);
            if memory_stats::memory_stats().is_some_and(|usage| usage.physical_mem as u64 > limit) {
                return Err(memory_limit_reached(limit));
            }
        }
        Ok(())
    }
}

/// An error in the making: what a primitive or an operator says is wrong, before an engine knows where.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// What sort of error.
    pub kind: Kind,
    /// What was expected and what was found.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The values of which the message says more where the application is known ([`crate::explain`]).
    pub cause: Option<Box<Cause>>,
}

/// Values that an application did not take.
#[derive(Clone, Debug)]
pub enum Cause {
    /// An operand of a primitive on reals is no real.
    NoReal {
        /// The primitive.
        name: String,
        /// What the primitive was applied to.
        argument: Value,
        /// How many operands stand before the one in question.
        place: usize,
        /// The operand.
        operand: Value,
    },
    /// `car` or `cdr` was applied to it, and it is no pair.
    NoPair(Value),
    /// The pattern of a lambda does not match it.
    Mismatch {
        /// The lambda.
        lambda: LambdaId,
        /// What the pattern belongs to.
        binder: Binder,
        /// The value.
        argument: Value,
    },
}

impl Trouble {
    /// Trouble without a hint.
    pub fn new(kind: Kind, message: impl Into<String>) -> Trouble {
        Trouble { kind, message: message.into(), hint: None, cause: None }
    }

    /// The same with a hint.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Trouble {
        self.hint = Some(hint.into());
        self
    }

    /// The same with the values that it is about.
    pub fn with_cause(mut self, cause: Cause) -> Trouble {
        self.cause = Some(Box::new(cause));
        self
    }

    /// The diagnostic of the trouble at a place.
    pub fn at(self, span: impl Into<Option<Span>>) -> Diagnostic {
        Diagnostic { hint: self.hint, ..Diagnostic::new(self.kind, span, self.message) }
    }
}

/// A host over any reader and writer: what the command and the tests use.
pub struct StreamHost<R, W> {
    input: R,
    output: W,
    notation: Notation,
}

impl<R: BufRead, W: Write> StreamHost<R, W> {
    /// A host that reads words from `input` and prints to `output`.
    pub fn new(input: R, output: W, notation: Notation) -> Self {
        StreamHost { input, output, notation }
    }

    /// The output, with all that was printed.
    pub fn into_output(self) -> W {
        self.output
    }

    /// The next word of the input: the bytes up to white space.
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
            let skipped = if word.is_empty() { buffer.iter().take_while(|byte| blank(byte)).count() } else { 0 };
            let taken: Vec<u8> = buffer.iter().skip(skipped).take_while(|byte| !blank(byte)).copied().collect();
            let used = skipped + taken.len();
            let ended = used < buffer.len();
            word.extend(taken);
            self.input.consume(used);
            if ended && !word.is_empty() {
                return Ok(word);
            }
        }
    }
}

impl<R: BufRead, W: Write> Host for StreamHost<R, W> {
    fn read_real(&mut self) -> Result<f64, InputFault> {
        // What was printed is a prompt to whoever types the number.
        let _ = self.output.flush();
        loop {
            let word = self.next_word().map_err(|error| InputFault::Broken(error.to_string()))?;
            if word.is_empty() {
                return Err(InputFault::End);
            }
            let text = String::from_utf8_lossy(&word);
            // A byte order mark counts as white space, too.
            let text = text.trim_matches('\u{FEFF}');
            if !text.is_empty() {
                return number::parse(text).ok_or_else(|| InputFault::NotANumber(text.chars().take(40).collect()));
            }
        }
    }

    fn write(&mut self, program: &Program, value: &Value, _origin: Origin) -> io::Result<()> {
        print::write_value(&mut self.output, program, value, self.notation)?;
        self.output.write_all(b"\n")
    }
}

impl<R, W> std::fmt::Debug for StreamHost<R, W> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("StreamHost").field("notation", &self.notation).finish_non_exhaustive()
    }
}

/// The trouble with more memory than a run may take.
pub fn memory_limit_reached(limit: u64) -> Trouble {
    Trouble::new(Kind::Memory, format!("the memory limit of {limit} bytes is reached"))
        .with_hint("`--max-memory SIZE` sets another limit")
}

/// The trouble with memory that the system does not give.
pub fn no_memory() -> Trouble {
    Trouble::new(Kind::Memory, "the system gives no more memory")
}
