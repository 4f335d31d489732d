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
An input is an expression or a definition, or several of them, over as many lines as its parentheses take. Definitions are evaluated \
once; one that replaces another is seen by all procedures that refer to the name. `:help` lists the commands of a session. At a \
terminal the interrupt key (Ctrl-C) ends an evaluation and keeps the session, and the end of the input (Ctrl-D) ends it. The history is \
kept in the file that VLAD_HISTORY names, or in vlad/history in the folder of XDG_STATE_HOME, unless with --sandbox.

Without a terminal there is no prompt; then the exit code is 1 if an input has failed.";

/// The engines that can be chosen. The code of `native` relies on definitions having the values that their texts have now; where
/// they do not, `hybrid` evaluates in its place.
pub const ENGINES: [Engine; 3] = [Engine::Interp, Engine::Hybrid, Engine::Native];

/// The arguments of `vlad repl`.
#[derive(Debug, Args)]
pub struct ReplArguments {
    /// Files that are evaluated first
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The options for reading inputs.
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// The engine.
    #[command(flatten)]
    pub engine: EngineArguments,
    /// Add its 16 hexadecimal digits to each real that is printed
    #[arg(long)]
    pub bits: bool,
    /// The notation of what is printed
    #[arg(long, value_name = "NOTATION", value_enum, default_value = "vlad", hide_default_value = true)]
    pub notation: DataNotation,
    /// End the evaluation of an input with an error if it takes more than N steps
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
