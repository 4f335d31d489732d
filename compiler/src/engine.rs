//! The passes of the engine in order, and what they are run with.

use crate::cache::{CacheNote, CachePolicy, Provenance};
use crate::emit;
use crate::foreign::{self, Code, Counting};
use crate::prepared::prepare;
use crate::reached::reached;
use crate::toolchain::{DEFAULT_TIME_LIMIT, Family, Header, Optimisation, ToolchainError};
use std::borrow::Cow;
use std::ffi::OsString;
use std::time::Duration;
use vlad_shared::core::{Expression, Program, Reference};
use vlad_shared::cps::{self, Converted};
use vlad_shared::internal_bug;
use vlad_shared::run::{Host, Limits, Report};
use vlad_shared::suspended::{Part, PartEnd, Scope};
use vlad_shared::table::{Control, Form, Primitive};

/// The C text over which the compiler is not asked to try hard, in bytes: it would take long.
const LONG_TEXT: usize = 1 << 20;

/// The C text over which the compiler is asked not to try at all.
const HUGE_TEXT: usize = 4 << 20;

/// The blocks over which the C text is longer than that: it need not be made to know.
const HUGE_PROGRAM: usize = 1 << 15;

/// A function of C over which the compiler is not asked to try hard, and one over which it is asked not to try at all, in
/// bytes: the time that optimising takes grows as the square of a function that keeps many variables.
const LONG_FUNCTION: usize = 128 << 10;
const HUGE_FUNCTION: usize = 256 << 10;

/// The C text of a program over which it is not compiled: without optimisation a megabyte takes compilers that could
/// optimise two seconds and up to two hundred megabytes of memory, and those that could not a tenth of that.
const MOST_TEXT: usize = 16 << 20;
const MOST_TEXT_FOR_TINY: usize = 8 * MOST_TEXT;

/// The bytes of C text that a block has at least, on average.
const TEXT_OF_A_BLOCK: usize = HUGE_TEXT / HUGE_PROGRAM;

/// The C text for which the compiler is given a second more; a slow machine takes so long without optimisation.
const TEXT_OF_A_SECOND: usize = 100 << 10;

/// How programs are compiled.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The C compiler that the user names; without one it is searched for.
    pub compiler: Option<OsString>,
    /// Whether compiled objects are kept and looked for.
    pub cache: CachePolicy,
    /// How hard the compiler tries; none to let the size of the program decide.
    pub optimisation: Option<Optimisation>,
    /// The time that the compiler has, all that it is asked included; none to let the size of the program decide.
    pub time_limit: Option<Duration>,
    /// The bytes of memory that each process of the compiler may take, and the most that a file may have which it writes;
    /// none for as many as the system gives.
    pub memory_limit: Option<u64>,
    /// Which programs are compiled.
    pub willingness: Willingness,
}

/// Which programs are compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Willingness {
    /// All of them, however long it takes.
    #[default]
    All,
    /// Those that the compiler can optimise in bearable time.
    NotHuge,
}

/// A program to be compiled, and how it is to count its steps.
#[derive(Clone, Copy, Debug)]
pub struct Task<'program> {
    /// The program.
    pub program: &'program Program,
    /// Whether it can stop at nodes: it must if it is going to be run with a limit of steps or in parts, or if it
    /// [`interrupts`] computations.
    pub counting: Counting,
}

impl<'program> Task<'program> {
    /// A program that is going to be run with limits.
    pub fn with_limits(program: &'program Program, limits: &Limits) -> Task<'program> {
        Task { program, counting: counting_for(program, limits) }
    }

    /// A program of which so much is going to be run, with limits.
    pub fn with_scope(scope: Scope, program: &'program Program, limits: &Limits) -> Task<'program> {
        match scope {
            Scope::Whole => Task::with_limits(program, limits),
            Scope::Part => Task { program, counting: Counting::Stoppable },
        }
    }
}

/// A compiled program that is loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    code: Code,
    provenance: Provenance,
    notes: Vec<CacheNote>,
}

/// How a program has to count under limits.
pub fn counting_for(program: &Program, limits: &Limits) -> Counting {
    if limits.steps.is_some() || interrupts(program) { Counting::Stoppable } else { Counting::ByBlock }
}

/// Whether a program refers to a primitive that stops computations at nodes.
pub fn interrupts(program: &Program) -> bool {
    let is_such = |primitive: Primitive| match primitive.row().form {
        Form::Control(Control::Interrupt | Control::Checkpoint(_)) => true,
        Form::Control(
            Control::IfProcedure | Control::Forward | Control::Reverse | Control::CountSteps | Control::Resume,
        )
        | Form::Fold { .. }
        | Form::Unary(_)
        | Form::Binary(_)
        | Form::UnaryOrBinary(..)
        | Form::Chain(_)
        | Form::AgainstZero(_)
        | Form::Ask(_)
        | Form::First
        | Form::Second
        | Form::Pair
        | Form::SameValue
        | Form::Real
        | Form::Zero
        | Form::Plus
        | Form::TransformForward
        | Form::Bundle
        | Form::PrimalOf
        | Form::TangentOf
        | Form::Mark(_)
        | Form::Unmark(_)
        | Form::Invert(_)
        | Form::OnVector(_)
        | Form::ReadReal
        | Form::WriteReal
        | Form::Write => false,
    };
    program.expressions.iter().any(|expression| match expression {
        Expression::Variable(Reference::Primitive(primitive)) => is_such(*primitive),
        Expression::Variable(_)
        | Expression::Constant(_)
        | Expression::Lambda(_)
        | Expression::Application { .. }
        | Expression::Let { .. }
        | Expression::Cons { .. }
        | Expression::If { .. }
        | Expression::Letrec { .. } => false,
    })
}

/// The C text of a program (`vlad show c`).
pub fn generate(program: &Program, counting: Counting) -> String {
    let program = reached(program);
    emit::generate(&program, &cps::pipeline(&program), counting, "vlad_")
}

/// What all generated texts include.
pub struct Headers {
    /// The header of the operations, which is generated.
    pub operations: String,
}

impl Headers {
    /// All of them, in the order in which they include each other.
    pub fn all(&self) -> [Header<'_>; 4] {
        [
            Header { name: "value.h", text: include_str!("../runtime/value.h") },
            Header { name: "machine.h", text: include_str!("../runtime/machine.h") },
            Header { name: "program.h", text: include_str!("../runtime/program.h") },
            Header { name: "operations.h", text: &self.operations },
        ]
    }
}

/// The C texts of programs.
pub fn texts(
    tasks: &[Task<'_>],
    prefixes: &[String],
    willingness: Willingness,
    family: Family,
) -> Result<Vec<String>, ToolchainError> {
    let programs: Vec<Cow<'_, Program>> = tasks.iter().map(|task| reached(task.program)).collect();
    let converted: Vec<Converted> = programs.iter().map(|program| cps::pipeline(program)).collect();
    let blocks: usize = converted.iter().map(|converted| converted.blocks.len()).sum();
    if willingness == Willingness::NotHuge && blocks > HUGE_PROGRAM {
        return Err(ToolchainError::TooLarge);
    }
    let most_text = most_text_for(family);
    if converted.iter().any(|converted| converted.blocks.len() > most_text / TEXT_OF_A_BLOCK) {
        return Err(ToolchainError::FarTooLarge { most_text });
    }
    let mut texts = Vec::with_capacity(tasks.len());
    for (((task, program), converted), prefix) in tasks.iter().zip(&programs).zip(&converted).zip(prefixes) {
        let (most, too_large) = match willingness {
            Willingness::All => (most_text, ToolchainError::FarTooLarge { most_text }),
            Willingness::NotHuge => (HUGE_TEXT - total_length(&texts), ToolchainError::TooLarge),
        };
        texts.push(emit::generate_within(most, program, converted, task.counting, prefix).ok_or(too_large)?);
    }
    Ok(texts)
}

/// The C text of a program over which a compiler is not asked at all.
fn most_text_for(family: Family) -> usize {
    match family {
        Family::Gnu | Family::Clang | Family::Unknown => MOST_TEXT,
        Family::Tcc => MOST_TEXT_FOR_TINY,
    }
}

pub fn total_length(texts: &[String]) -> usize {
    texts.iter().map(String::len).sum()
}

/// How hard the compiler tries for some texts.
pub fn optimisation_for(texts: &[String]) -> Optimisation {
    let length = total_length(texts);
    let function = texts.iter().map(|text| longest_function(text)).max().unwrap_or(0);
    if length <= LONG_TEXT && function <= LONG_FUNCTION {
        Optimisation::Full
    } else if length <= HUGE_TEXT && function <= HUGE_FUNCTION {
        Optimisation::Fast
    } else {
        Optimisation::Least
    }
}

/// The bytes of the longest function of a text as the printer prints it: a function begins and ends on lines that are not
/// indented.
fn longest_function(text: &str) -> usize {
    let (mut longest, mut begin, mut here) = (0, 0, 0);
    for line in text.split_inclusive('\n') {
        if line.ends_with(") {\n") && !line.starts_with(' ') {
            begin = here;
        }
        here += line.len();
        if line == "}\n" {
            longest = longest.max(here - begin);
        }
    }
    longest
}

/// The time that the compiler has for a text of so many bytes.
pub fn time_limit_for(length: usize) -> Duration {
    DEFAULT_TIME_LIMIT + Duration::from_secs((length / TEXT_OF_A_SECOND) as u64)
}

/// Compiles programs in one run of the C compiler, and loads them; in their order.
///
/// # Errors
/// There is no C compiler, it fails, or what it leaves cannot be loaded.
pub fn compile(tasks: &[Task<'_>], settings: &Settings) -> Result<Vec<Loaded>, ToolchainError> {
    if tasks.is_empty() {
        return Ok(Vec::new());
    }
    prepare(tasks, settings)?.compile(tasks)
}

/// Compiles a program and runs it.
///
/// # Errors
/// As for [`compile`]; what goes wrong in the run is part of the report.
pub fn run(
    program: &Program,
    host: &mut dyn Host,
    limits: &Limits,
    settings: &Settings,
) -> Result<Report, ToolchainError> {
    let loaded = compile(&[Task::with_limits(program, limits)], settings)?;
    match loaded.first() {
        Some(loaded) => Ok(loaded.run(program, host, limits)),
        None => internal_bug!("each program is compiled"),
    }
}

impl Loaded {
    /// Code that comes from somewhere.
    pub(crate) fn new(code: Code, provenance: Provenance, notes: Vec<CacheNote>) -> Loaded {
        Loaded { code, provenance, notes }
    }

    /// Runs the program, which must be the one that was compiled; with a limit of steps only if it is stoppable.
    pub fn run(&self, program: &Program, host: &mut dyn Host, limits: &Limits) -> Report {
        foreign::run(&self.code, program, host, limits)
    }

    /// Runs a part of the program, which must be stoppable.
    pub fn run_part(&self, program: &Program, host: &mut dyn Host, limits: &Limits, part: Part) -> PartEnd {
        foreign::run_part(&self.code, program, host, limits, part)
    }

    /// Where the object comes from.
    #[must_use]
    pub fn provenance(&self) -> Provenance {
        self.provenance
    }

    /// What was wrong with the cache on the way.
    #[must_use]
    pub fn notes(&self) -> &[CacheNote] {
        &self.notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: &str = "static int a(int x) {\n    if (x) {\n        x = 1;\n    }\n    return x;\n}\n";

    #[test]
    fn functions_are_measured() {
        let declared = "static int a(int x);\nstatic int table[] = {\n    1,\n};\n";
        assert_eq!(longest_function(declared), 0);
        assert_eq!(longest_function(&format!("{declared}{SHORT}{declared}{SHORT}")), SHORT.len());
        let long = format!("int b(void) {{\n{}}}\n", "    f(1);\n".repeat(10));
        assert_eq!(longest_function(&format!("{SHORT}{long}{SHORT}")), long.len());
    }

    #[test]
    fn large_texts_and_large_functions_are_optimised_less() {
        let function = |length: usize| format!("int b(void) {{\n{}}}\n", "    f(1);\n".repeat(length / 10));
        let of = |texts: &[String]| optimisation_for(texts);
        assert_eq!(of(&[function(LONG_FUNCTION - 100)]), Optimisation::Full);
        assert_eq!(of(&[function(LONG_FUNCTION + 100)]), Optimisation::Fast);
        assert_eq!(of(&[SHORT.to_owned(), function(HUGE_FUNCTION + 100)]), Optimisation::Least);
        assert_eq!(of(&[SHORT.repeat(LONG_TEXT / SHORT.len() + 1)]), Optimisation::Fast);
        assert_eq!(of(&[SHORT.repeat(HUGE_TEXT / SHORT.len() + 1)]), Optimisation::Least);
    }
}
