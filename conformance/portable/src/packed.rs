//! Programs as bytes: their texts and input, as a machine without files gets them.

use crate::digest::{self, ProgramDigest, Results};
use serde::{Deserialize, Serialize};
use vlad_core::source::{Inclusion, KeptFile, KeptSources, SourceMap};
use vlad_core::{Program, diagnostic::Diagnostic};
use vlad_frontend::languages::Languages;
use vlad_frontend::load::{self, Input, Options};
use vlad_runtime::run::{Limits, Outcome, Report, StreamHost};
use vlad_table::number::Notation;

/// A program with all texts that it includes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedProgram {
    /// Its path, for messages.
    pub path: String,
    /// Name, language and text of each file, in the order in which they were first read.
    pub files: Vec<(String, String, String)>,
    /// For each inclusion, the number that capsule files have for it.
    pub inclusions: Vec<u8>,
    /// The input.
    pub input: String,
    /// The limit of steps, if it has one.
    pub steps: Option<u64>,
}

/// The kinds of inclusions, by number.
const INCLUSIONS: [Inclusion; 4] = [Inclusion::First, Inclusion::Again, Inclusion::Library, Inclusion::Data];

/// The evaluators that need no system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluator {
    /// The interpreter.
    Interp,
    /// The evaluator of converted programs.
    Hybrid,
}

impl Evaluator {
    /// All of them.
    pub const ALL: [Evaluator; 2] = [Evaluator::Interp, Evaluator::Hybrid];

    fn run(self, program: &Program, host: &mut StreamHost<&[u8], Vec<u8>>, limits: &Limits) -> Report {
        match self {
            Evaluator::Interp => vlad_interp::run(program, host, limits),
            Evaluator::Hybrid => vlad_hybrid::run(program, host, limits),
        }
    }
}

impl PackedProgram {
    /// Packs the texts of a program, which may have errors.
    pub fn new(path: String, sources: &KeptSources, input: String, steps: Option<u64>) -> PackedProgram {
        let files = sources
            .files
            .iter()
            .map(|KeptFile { name, language, text }| (name.clone(), language.clone(), text.clone()));
        let number =
            |inclusion: &Inclusion| INCLUSIONS.iter().position(|kind| kind == inclusion).unwrap_or_default() as u8;
        let inclusions = sources.inclusions.iter().map(number).collect();
        PackedProgram { path, files: files.collect(), inclusions, input, steps }
    }

    /// Runs the program, and returns the digest of its results.
    pub fn digest(&self, languages: Languages, evaluator: Evaluator) -> Option<ProgramDigest> {
        let files =
            self.files.iter().cloned().map(|(name, language, text)| KeptFile { name, language, text }).collect();
        let inclusions =
            self.inclusions.iter().filter_map(|number| INCLUSIONS.get(usize::from(*number)).copied()).collect();
        let options = Options { languages, ..Options::default() };
        let (output, errors, sources, steps) =
            match load::load(Input::Kept(KeptSources { files, inclusions }), &options) {
                Err(failure) => (Vec::new(), failure.diagnostics, failure.sources, None),
                Ok(program) => {
                    let (output, errors, steps) = self.run(&program, evaluator);
                    (output, errors, program.sources, Some(steps))
                }
            };
        self.digest_of(&output, &errors, &sources, steps)
    }

    fn run(&self, program: &Program, evaluator: Evaluator) -> (Vec<String>, Vec<Diagnostic>, u64) {
        let input = self.input.as_bytes();
        let mut host = StreamHost::new(input, Vec::new(), Notation::WithBits).reading(program.input);
        let limits = Limits { steps: self.steps, ..Limits::default() };
        let report = evaluator.run(program, &mut host, &limits);
        let errors = match report.outcome {
            Outcome::Finished | Outcome::OutputClosed | Outcome::Stopped => Vec::new(),
            Outcome::Failed(error) => vec![*error],
        };
        let output = String::from_utf8_lossy(&host.into_output()).lines().map(str::to_owned).collect();
        (output, errors, report.steps)
    }

    fn digest_of(
        &self,
        output: &[String],
        errors: &[Diagnostic],
        sources: &SourceMap,
        steps: Option<u64>,
    ) -> Option<ProgramDigest> {
        let text = self.files.first().map_or("", |(_, _, text)| text.as_str());
        digest::of_program(&Results { text, output, errors, sources, steps })
    }
}
