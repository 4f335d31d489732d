//! The digest of programs and their results (report, part 12.6): one number that is the same wherever the language is.
//!
//! The digest of a program is the SHA-256 of four lines: `program`, `output` and `errors`, each with a SHA-256 of its own, and
//! `steps` with their number. So it can be computed by other tools from what `vlad --bits --stats` prints. The digest of a set of
//! programs is the SHA-256 of the digests of all, in ascending order, each as a line of hexadecimal digits: it depends neither on
//! the paths of the programs nor on the order in which they run.
//!
//! Left out are programs whose results depend on a machine or on files: what a limit of time or memory ends, what includes files
//! that cannot be read, and texts that are not in UTF-8 or have its replacement character.

use sha2::{Digest, Sha256};
use std::fmt::Write;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::{SourceMap, Span};

/// The digest of a program and its results, as 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProgramDigest(String);

impl ProgramDigest {
    /// Reads one from a report.
    ///
    /// # Errors
    /// The text is something else.
    pub fn parse(text: &str) -> Result<ProgramDigest, String> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        match text.len() == 64 && text.bytes().all(is_digit) {
            true => Ok(ProgramDigest(text.to_owned())),
            false => Err(format!("`{text}` is no digest: it has 64 digits from 0 to f")),
        }
    }

    /// Returns the digits.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

/// The results of a program.
#[derive(Clone, Copy, Debug)]
pub struct Results<'run> {
    /// The text of the program's own file.
    pub text: &'run str,
    /// The lines of its output, with the bits of reals.
    pub output: &'run [String],
    /// The errors that end it, or that were found before it began.
    pub errors: &'run [Diagnostic],
    /// The texts that the places of errors refer to.
    pub sources: &'run SourceMap,
    /// The steps taken; none if it did not begin.
    pub steps: Option<u64>,
}

/// Returns true of errors with which a program has no digest.
pub fn depends_on_the_machine(error: &Diagnostic) -> bool {
    matches!(error.kind, Kind::Memory | Kind::Time | Kind::File)
}

/// The digest of a program with its results; none if they depend on the machine or on files.
pub fn of_program(results: &Results<'_>) -> Option<ProgramDigest> {
    let is_text = !results.text.contains(char::REPLACEMENT_CHARACTER);
    if !is_text || results.errors.iter().any(depends_on_the_machine) {
        return None;
    }
    let output: String = results.output.iter().flat_map(|line| [line, "\n"]).collect();
    let errors: String = results.errors.iter().map(|error| error_lines(error, results.sources)).collect();
    let steps = results.steps.map_or_else(|| "none".to_owned(), |steps| steps.to_string());
    let lines = format!(
        "program {}\noutput {}\nerrors {}\nsteps {steps}\n",
        hexadecimal(results.text),
        hexadecimal(&output),
        hexadecimal(&errors)
    );
    Some(ProgramDigest(hexadecimal(&lines)))
}

/// The line that tells the digest of a set of programs, and their number.
pub fn line(mut programs: Vec<ProgramDigest>) -> String {
    programs.sort();
    let lines: String = programs.iter().flat_map(|program| [program.digits(), "\n"]).collect();
    format!("sha256 {} of {} programs\n", hexadecimal(&lines), programs.len())
}

/// An error, and a line for each call that was pending.
fn error_lines(error: &Diagnostic, sources: &SourceMap) -> String {
    let mut lines = format!("{} {} {}\n", error.kind, place(error.span, sources), error.message);
    for call in &error.chain {
        // Writing to a string does not fail.
        let _ =
            writeln!(lines, "call {} {}", place(Some(call.span), sources), call.procedure.as_deref().unwrap_or("-"));
    }
    lines
}

/// A place as the name of its file without folders, and the line and column of its start.
fn place(span: Option<Span>, sources: &SourceMap) -> String {
    let Some((span, file)) = span.and_then(|span| Some((span, sources.get(span.file)?))) else { return "-".to_owned() };
    let start = file.position(span.start);
    let name = file.name.rsplit(['/', '\\']).next().unwrap_or_default();
    format!("{name}:{}:{}", start.line, start.column)
}

fn hexadecimal(text: &str) -> String {
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(text) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_core::source::FileId;

    fn results<'run>(output: &'run [String], errors: &'run [Diagnostic], sources: &'run SourceMap) -> Results<'run> {
        Results { text: "1\n", output, errors, sources, steps: Some(1) }
    }

    /// The digests are those that `sha256sum` gives for the lines that the module's comment tells.
    #[test]
    fn a_digest_can_be_computed_by_other_tools() {
        let sources = SourceMap::default();
        let output = ["1[3ff0000000000000]".to_owned()];
        let digest = of_program(&results(&output, &[], &sources)).unwrap();
        assert_eq!(digest.digits(), "d087c4d2c3a30c141f3c57246960b9240cb85079d3fcee1503d70e1628aac0d5");
        let whole = "b1e7598c8d2445e03ca4822d13297f1dd37801aac17aa2b9ed99f13b53a2d04e";
        assert_eq!(line(vec![digest]), format!("sha256 {whole} of 1 programs\n"));
    }

    #[test]
    fn what_no_machine_promises_is_left_out() {
        let sources = SourceMap::default();
        let error = |kind, message: &str| [Diagnostic::new(kind, None, message)];
        assert_eq!(of_program(&results(&[], &error(Kind::Time, "late"), &sources)), None);
        assert_eq!(of_program(&results(&[], &error(Kind::Memory, "full"), &sources)), None);
        assert_eq!(of_program(&results(&[], &error(Kind::File, "os error 2"), &sources)), None);
        assert_eq!(of_program(&Results { text: "\u{fffd}", ..results(&[], &[], &sources) }), None);
        let of = |kind, message: &str| of_program(&results(&[], &error(kind, message), &sources));
        assert_ne!(of(Kind::Type, "one"), of(Kind::Type, "other"));
        assert_ne!(of(Kind::Type, "one"), of(Kind::Input, "one"));
    }

    #[test]
    fn each_result_counts_and_the_order_of_programs_does_not() {
        let sources = SourceMap::default();
        let output = ["1".to_owned()];
        let one = results(&output, &[], &sources);
        let placed = [Diagnostic::new(Kind::Type, Some(Span { file: FileId(0), start: 0, end: 1 }), "message")];
        let mut all = vec![
            of_program(&one),
            of_program(&Results { text: "2\n", ..one }),
            of_program(&Results { output: &[], ..one }),
            of_program(&Results { errors: &placed, ..one }),
            of_program(&Results { steps: Some(2), ..one }),
            of_program(&Results { steps: None, ..one }),
        ];
        let all: Vec<ProgramDigest> = all.drain(..).flatten().collect();
        let reversed: Vec<ProgramDigest> = all.iter().rev().cloned().collect();
        assert_eq!(line(all.clone()), line(reversed));
        let mut different = all.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), 6);
        assert_ne!(line(all.clone()), line(all.into_iter().skip(1).collect()));
        assert!(ProgramDigest::parse(different[0].digits()).is_ok() && ProgramDigest::parse("12").is_err());
    }
}
