//! The C texts of programs, the limits on their size, and the effort of the compiler that their size permits.

use super::settings::{Settings, SizePolicy};
use super::task::Task;
use crate::analysis::Weighing;
use crate::foreign::Counting;
use crate::procedures::Specialised;
use crate::reached::reached;
use crate::rules::{mathematics_header, operations_header};
use crate::specialised::Specialise;
use crate::tagged;
use crate::toolchain::{DEFAULT_TIME_LIMIT, Family, Header, Optimisation, ToolchainError};
use std::time::Duration;
use vlad_ad::traps::Traps;
use vlad_core::Program;
use vlad_first_order::passes::Passes;

/// The length of C text in bytes above which the compiler optimises little: full optimisation would take long.
const LONG_TEXT: usize = 1 << 20;

/// The length of C text in bytes above which the compiler does not optimise at all.
const HUGE_TEXT: usize = 4 << 20;

/// The lengths in bytes of a C function above which the compiler optimises little, and not at all: the time of
/// optimisation grows as the square of the length of a function that keeps many variables alive.
const LONG_FUNCTION: usize = 128 << 10;
const HUGE_FUNCTION: usize = 256 << 10;

/// The length of C text in bytes above which a program is not compiled. Without optimisation a megabyte takes compilers
/// that could optimise two seconds and up to two hundred megabytes of memory, and those that could not a tenth of that.
const MOST_TEXT: usize = 16 << 20;
const MOST_TEXT_FOR_TINY: usize = 8 * MOST_TEXT;

/// The least average length of the C text of a block, in bytes.
const TEXT_OF_A_BLOCK: usize = 128;

/// The length of C text for which the compiler is given another second; a slow machine takes so long without
/// optimisation.
const TEXT_OF_A_SECOND: usize = 100 << 10;

/// Returns the C text of a program (`vlad show c`). What can be is specialised, with these passes; without them nothing
/// is.
pub fn generate(program: &Program, counting: Counting, passes: Option<Passes>) -> String {
    let task = Task { program, counting, tagged_from: None, traps: Traps::Off };
    let specialised = passes.map_or_else(Specialised::default, |passes| specialised(task, Specialise::Auto, passes));
    let program = reached(program, &specialised.items);
    tagged::generate(&program, &vlad_cps::pipeline(&program), counting, &specialised, "vlad_")
}

/// Returns the first-order code of what is specialised.
fn specialised(task: Task<'_>, specialise: Specialise, passes: Passes) -> Specialised {
    match (specialise, task.tagged_from) {
        (Specialise::Never, _) | (_, Some(0)) => Specialised::default(),
        (Specialise::Auto | Specialise::Always, _) => {
            let weighing = if specialise == Specialise::Auto { Weighing::All } else { Weighing::None };
            Specialised::of(task.program, passes, weighing, task.tagged_from.unwrap_or(usize::MAX))
        }
    }
}

/// The headers that all generated texts include; some are made of the table.
#[derive(Debug)]
pub struct Headers {
    mathematics: String,
    operations: String,
}

impl Default for Headers {
    fn default() -> Headers {
        Headers { mathematics: mathematics_header(), operations: operations_header() }
    }
}

impl Headers {
    /// Returns all headers, in the order in which they include each other.
    pub fn all(&self) -> [Header<'_>; 8] {
        [
            Header { name: "value.h", text: include_str!("../../runtime/interface/value.h") },
            Header { name: "mathematics.h", text: &self.mathematics },
            Header { name: "rounding.h", text: include_str!("../../runtime/interface/rounding.h") },
            Header { name: "machine.h", text: include_str!("../../runtime/interface/machine.h") },
            Header { name: "first_order_paths.h", text: include_str!("../../runtime/interface/first_order_paths.h") },
            Header { name: "first_order.h", text: include_str!("../../runtime/interface/first_order.h") },
            Header { name: "program.h", text: include_str!("../../runtime/interface/program.h") },
            Header { name: "operations.h", text: &self.operations },
        ]
    }
}

/// The C texts of programs.
pub struct Texts {
    /// The texts, in the order of the programs.
    pub texts: Vec<String>,
    /// True if elements of data are in one.
    pub depends_on_data: bool,
}

/// Generates the C texts of programs.
///
/// # Errors
/// [`ToolchainError::TooLarge`] or [`ToolchainError::FarTooLarge`] if a program exceeds the limits on its size.
pub fn texts(
    tasks: &[Task<'_>],
    prefixes: &[String],
    settings: &Settings,
    family: Family,
) -> Result<Texts, ToolchainError> {
    let (most_text, mut texts) = (most_text_for(family), Vec::with_capacity(tasks.len()));
    let mut depends_on_data = false;
    for (task, prefix) in tasks.iter().zip(prefixes) {
        let (most, too_large) = match settings.willingness {
            SizePolicy::All => (most_text, ToolchainError::FarTooLarge { most_text }),
            SizePolicy::NotHuge => (HUGE_TEXT - texts.iter().map(String::len).sum::<usize>(), ToolchainError::TooLarge),
        };
        let text = |specialised: &Specialised| {
            let program = reached(task.program, &specialised.items);
            let converted = vlad_cps::pipeline(&program);
            // The text of a program of so many blocks need not be generated to know that it is too long.
            let may_fit = converted.blocks.len() <= most / TEXT_OF_A_BLOCK;
            may_fit
                .then(|| {
                    tagged::generate_within(most, &program, &converted, task.counting, task.traps, specialised, prefix)
                })
                .flatten()
        };
        let specialised = specialised(*task, settings.specialise, settings.passes);
        depends_on_data |= specialised.depends_on_data;
        texts.push(text(&specialised).or_else(|| text(Specialised::NOTHING)).ok_or(too_large)?);
    }
    Ok(Texts { texts, depends_on_data })
}

/// The length of the C text of a program above which it is not compiled.
fn most_text_for(family: Family) -> usize {
    match family {
        Family::Gnu | Family::Clang | Family::Unknown => MOST_TEXT,
        Family::Tcc => MOST_TEXT_FOR_TINY,
    }
}

/// Chooses the degree of optimisation for some texts.
pub fn optimisation_for<'text>(texts: impl Iterator<Item = &'text str>) -> Optimisation {
    let (mut length, mut function) = (0, 0);
    for text in texts {
        length += text.len();
        function = function.max(longest_function(text));
    }
    if length <= LONG_TEXT && function <= LONG_FUNCTION {
        Optimisation::Full
    } else if length <= HUGE_TEXT && function <= HUGE_FUNCTION {
        Optimisation::Fast
    } else {
        Optimisation::Least
    }
}

/// Returns the length in bytes of the longest function of a printed text. It relies on the printer: the first and the
/// last line of a function are not indented.
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

/// Returns the time limit of the compiler for a text of so many bytes.
pub fn time_limit_for(length: usize) -> Duration {
    DEFAULT_TIME_LIMIT + Duration::from_secs((length / TEXT_OF_A_SECOND) as u64)
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
        let of = |texts: &[String]| optimisation_for(texts.iter().map(String::as_str));
        assert_eq!(of(&[function(LONG_FUNCTION - 100)]), Optimisation::Full);
        assert_eq!(of(&[function(LONG_FUNCTION + 100)]), Optimisation::Fast);
        assert_eq!(of(&[SHORT.to_owned(), function(HUGE_FUNCTION + 100)]), Optimisation::Least);
        assert_eq!(of(&[SHORT.repeat(LONG_TEXT / SHORT.len() + 1)]), Optimisation::Fast);
        assert_eq!(of(&[SHORT.repeat(HUGE_TEXT / SHORT.len() + 1)]), Optimisation::Least);
    }
}
