//! The options of a run: its engine, its limits and the form of its output.

use super::checkpoint::CheckpointOptions;
use super::engine::EngineArguments;
use super::limits::{DepthArgument, LimitArguments};
use super::program::ProgramArguments;
use crate::output::console::DataNotation;
use clap::Args;
use vlad_shared::ad::traps::Traps;

/// The arguments of `vlad run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// The options of the run.
    #[command(flatten)]
    pub options: RunOptions,
}

/// The options of a run.
#[derive(Debug, Args)]
pub struct RunOptions {
    /// The engine.
    #[command(flatten)]
    pub engine: EngineArguments,
    /// The form of the output.
    #[command(flatten)]
    pub report: ReportOptions,
    /// Fail if the run takes more than N steps (default: no limit)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_steps: Option<u64>,
    /// The limit on nested calls.
    #[command(flatten)]
    pub depth: DepthArgument,
    /// The limits on memory, time and output.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Fail at the first operation that makes a NaN or an infinity.
    ///
    /// Operations of derivatives count. The run also fails at a product of 0 and a factor that is not finite where a derivative
    /// would take the product as 0.
    #[arg(long)]
    pub trap_nonfinite: bool,
    /// The checkpoint options: where `checkpoint-*j` splits an execution.
    #[command(flatten)]
    pub checkpoint: CheckpointOptions,
}

/// The options for what is printed.
#[derive(Debug, Args)]
pub struct ReportOptions {
    /// Print the 16 hexadecimal digits of each real behind it
    #[arg(long)]
    pub bits: bool,
    /// Choose the notation of printed values (default: vlad)
    #[arg(long, value_name = "NOTATION", value_enum, default_value = "vlad", hide_default_value = true)]
    pub notation: DataNotation,
    /// Print the steps, the peak memory, the time and the engine on standard error
    #[arg(long)]
    pub stats: bool,
    /// Print one JSON object with output and errors (see `vlad run --help`)
    #[arg(long)]
    pub json: bool,
}

impl RunOptions {
    /// The reaction to operations that make a NaN or an infinity.
    pub fn traps(&self) -> Traps {
        if self.trap_nonfinite { Traps::NonFinite } else { Traps::Off }
    }
}
