//! The arguments of `vlad trace`.

use crate::options::checkpoint::CheckpointOptions;
use crate::options::limits::LimitArguments;
use crate::options::program::ProgramArguments;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The text behind the options in `vlad trace --help`.
pub const HELP: &str = "\
F and X are one expression each. They are evaluated once, after the program, and can use its definitions. The table has a line for each \
operation on reals that depend on X: its name, the operation with its operands, its value, its tangent (forward) or adjoint (reverse), and its \
place in the program. Numbers among the operands are constants of the computation. With `checkpoint` a line also has the number of executions \
of the operation, and the number of the reverse sweep that reached it. All numbers have the bits with which `j*`, `*j` and \
`checkpoint-*j` compute.

With --json one object is printed:
  {\"mode\": TEXT, \"point\": TEXT, \"value\": TEXT, \"direction\": TEXT, \"result\": TEXT,
   \"inputs\": [{\"name\": TEXT, \"value\": REAL, \"tangent\" or \"adjoint\": REAL}, ...],
   \"operations\": [{\"name\": TEXT, \"operation\": TEXT, \"operands\": [{\"name\": TEXT or null, \"value\": REAL,
     \"contribution\": REAL or null}, ...], \"value\": REAL, \"tangent\" or \"adjoint\": REAL or null,
     \"executions\": N, \"sweep\": N or null, \"place\": TEXT, \"output\": REAL or absent}, ...],
   \"all_operations\": N}
REAL is a number, or one of the texts \"+inf.0\", \"-inf.0\" and \"+nan.0\"; \"result\" is the tangent of the value or the cotangent of X.

With --step, commands are lines: an empty line or `n` goes forwards, `b` backwards, a number goes to that step, and `q` ends.";

/// The arguments of `vlad trace`.
#[derive(Debug, Args)]
pub struct TraceArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// The procedure F: a name or an expression; optional with --step
    #[arg(long, value_name = "F", allow_hyphen_values = true, required_unless_present = "step", requires = "at")]
    pub function: Option<String>,
    /// The operand X: an expression
    #[arg(long, value_name = "X", allow_hyphen_values = true, requires = "function")]
    pub at: Option<String>,
    /// Choose the mode of differentiation
    #[arg(long, value_name = "MODE", default_value = "reverse")]
    pub mode: TraceMode,
    /// Set the tangent of X in forward mode, or else the cotangent of the value: an expression.
    ///
    /// The default is 1 for the first real and 0 for all others.
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub direction: Option<String>,
    /// Print one JSON object instead of the table
    #[arg(long, conflicts_with = "step")]
    pub json: bool,
    /// Write the graph of the operations, with the flow of adjoints, to this file
    #[arg(long, value_name = "FILE", conflicts_with = "step")]
    pub svg: Option<PathBuf>,
    /// Show at most N operations: the first half of them from the beginning, the other from the end
    #[arg(long, value_name = "N", default_value_t = DEFAULT_ROWS, value_parser = clap::value_parser!(u64).range(1..))]
    pub rows: u64,
    /// Show all operations
    #[arg(long, conflicts_with = "rows")]
    pub all: bool,
    /// Walk through the steps of the evaluation: expression, environment and continuation
    #[arg(long, conflicts_with_all = ["mode", "direction"])]
    pub step: bool,
    /// The limits on memory, time and output.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// The checkpoint options.
    #[command(flatten)]
    pub checkpoint: CheckpointOptions,
}

/// The mode of differentiation of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceMode {
    /// `j*`: operations in order, with tangents
    Forward,
    /// `*j`: operations in order, with the adjoints of the reverse sweep
    Reverse,
    /// `checkpoint-*j`: as reverse, with the repeated executions
    Checkpoint,
}

/// The operations that are shown unless options say otherwise.
pub const DEFAULT_ROWS: u64 = 40;
