//! `vlad resume`: continues a suspended run.

use super::suspend;
use crate::options::program::ReadingArguments;
use crate::options::run::RunOptions;
use crate::process::exit::Exit;
use crate::run::running::{self, Loaded, RunRequest};
use crate::run::suspension::Suspension;
use clap::Args;
use clap::error::ErrorKind;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::node_ranges::NodeRanges;
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::{Input, load, load_kept};
use vlad_shared::runtime::steps::MOST_DEPTH;
use vlad_shared::snapshot::capsule_file;

/// The arguments of `vlad resume`.
#[derive(Debug, Args)]
pub struct ResumeArguments {
    /// The file that `vlad suspend` wrote
    #[arg(value_name = "CAPSULE")]
    capsule: PathBuf,
    /// The program's file (default: the program in the capsule).
    ///
    /// It must be the program that was suspended, up to names and layout.
    #[arg(value_name = "FILE")]
    program: Option<PathBuf>,
    /// The options for reading it.
    #[command(flatten)]
    reading: ReadingArguments,
    /// The options of the run.
    #[command(flatten)]
    options: RunOptions,
    /// Suspend the run again after N steps, counted from the beginning of the program
    #[arg(long, value_name = "N", requires = "output", allow_negative_numbers = true)]
    after: Option<u64>,
    /// Write the suspended run to this file
    #[arg(short = 'o', long, value_name = "CAPSULE", requires = "after")]
    output: Option<PathBuf>,
}

/// Continues a suspended run.
pub fn resume(arguments: &ResumeArguments, languages: Languages) -> Exit {
    if let Some(refusal) = suspend::refuse(&arguments.options) {
        return refusal;
    }
    if arguments.program.is_none() && arguments.reading.names_language() {
        let message = "--language is for the program's file: the capsule has the languages of its texts\n";
        return Exit::of_usage(&clap::Error::raw(ErrorKind::ArgumentConflict, message));
    }
    if arguments.program.is_none() && arguments.reading.has_data() {
        let message = "--data is for the program's file: the capsule has the data of its program\n";
        return Exit::of_usage(&clap::Error::raw(ErrorKind::ArgumentConflict, message));
    }
    let suspension = arguments.after.zip(arguments.output.clone());
    let suspension = suspension.map(|(after, output)| Suspension { after, output });
    let load = || arguments.load(languages);
    let request = RunRequest::new(&arguments.options, &arguments.reading, &load);
    running::carry_out(&RunRequest { suspension: suspension.as_ref(), ..request })
}

impl ResumeArguments {
    /// Reads the capsule, and the program from its file or from the capsule.
    fn load(&self, languages: Languages) -> Result<Loaded, Failure> {
        let file = self.read().map_err(|error| self.refused(&format!("cannot be read: {error}")))?;
        let opened = capsule_file::open(&file).map_err(|refusal| self.refused(&refusal.to_string()))?;
        let program = match &self.program {
            Some(path) => load(Input::Path(path.clone()), &self.reading.options(languages))?,
            None => {
                if let Some(unknown) = opened.languages().find(|name| languages.named(name).is_none()) {
                    let why = format!("has a program in the language `{unknown}`, which is not known here");
                    return Err(self.refused(&why));
                }
                let program = opened.program(|texts| load_kept(texts, languages));
                program.map_err(|refusal| self.refused(&refusal.to_string()))?
            }
        };
        let suspended = opened.suspended(&program).map_err(|refusal| self.refused(&refusal.to_string()))?;
        if let Some(limit) = self.options.max_steps.filter(|limit| *limit < opened.steps()) {
            let steps = opened.steps();
            let message = format!("the limit of {limit} steps is reached: the run has taken {steps} when it goes on");
            return Err(failure(Kind::Steps, message));
        }
        let limit = self.options.depth.max_depth.unwrap_or(MOST_DEPTH);
        let calls = suspended.point_stack.calls(&program, &NodeRanges::of(&program));
        if limit < calls {
            let message = format!("the limit of {limit} nested calls is reached: {calls} wait when the run goes on");
            return Err(failure(Kind::Depth, message));
        }
        Ok(Loaded { program, from: Some(suspended) })
    }

    /// Returns the bytes of the file; of a file that is no capsule, and may be endless, only the head.
    fn read(&self) -> io::Result<Vec<u8>> {
        let mut file = File::open(&self.capsule)?;
        let mut bytes = Vec::new();
        Read::by_ref(&mut file).take(capsule_file::HEAD as u64).read_to_end(&mut bytes)?;
        if capsule_file::may_be_one(&bytes) {
            file.read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    fn refused(&self, why: &str) -> Failure {
        failure(Kind::File, format!("`{}` {why}", self.capsule.display()))
    }
}

fn failure(kind: Kind, message: String) -> Failure {
    Failure { diagnostics: vec![Diagnostic::new(kind, None, message)], sources: SourceMap::default() }
}
