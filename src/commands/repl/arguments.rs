//! The arguments of `vlad repl`.

use crate::options::checkpoint::CheckpointOptions;
use crate::options::engine::EngineArguments;
use crate::options::limits::{DepthArgument, LimitArguments};
use crate::options::program::ReadingArguments;
use crate::output::console::DataNotation;
use clap::Args;
use std::path::PathBuf;
use vlad_engines::Engine;

/// The text behind the options in `vlad repl --help`.
pub const HELP: &str = "\
An input is one or more expressions and definitions. It continues over lines while a parenthesis is open. A definition is evaluated once. \
A later definition of the same name replaces it for all procedures that use the name. `:help` lists the commands of a session.

At a terminal, Ctrl-C ends an evaluation and keeps the session, and Ctrl-D ends the session. The history is kept in the file that \
VLAD_HISTORY names, by default vlad/history in the folder XDG_STATE_HOME or ~/.local/state. With --sandbox there is no history.

--timeout and --max-steps limit each input, and --max-output limits the session. Without a terminal there is no prompt, and the exit code is 1 \
if an input has failed.";

/// The engines that can be chosen. The code of `native` relies on definitions having the values that their texts have now; where
/// they do not, `hybrid` evaluates in its place.
pub const ENGINES: [Engine; 3] = [Engine::Interp, Engine::Hybrid, Engine::Native];

/// The arguments of `vlad repl`.
#[derive(Debug, Args)]
pub struct ReplArguments {
    /// Evaluate these files first
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The options for reading inputs.
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// The engine.
    #[command(flatten)]
    pub engine: EngineArguments,
    /// Print the 16 hexadecimal digits of each real behind it
    #[arg(long)]
    pub bits: bool,
    /// Choose the notation of printed values (default: vlad)
    #[arg(long, value_name = "NOTATION", value_enum, default_value = "vlad", hide_default_value = true)]
    pub notation: DataNotation,
    /// Fail if an input takes more than N steps (default: no limit)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_steps: Option<u64>,
    /// The limit on nested calls.
    #[command(flatten)]
    pub depth: DepthArgument,
    /// The limits on memory, time and output: the time of each input, the output of the session.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// The checkpoint options.
    #[command(flatten)]
    pub checkpoint: CheckpointOptions,
}
