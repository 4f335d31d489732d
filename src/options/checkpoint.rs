//! The checkpoint options of the command line: where `checkpoint-*j` splits an execution.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum, value_parser};
use vlad_shared::ad::checkpointing::Strategy;

/// The options as they are written.
#[derive(Debug, Args)]
struct WrittenOptions {
    /// Choose how `checkpoint-*j` splits an execution, unless its operands choose
    #[arg(long, value_name = "STRATEGY", default_value = "bisection")]
    checkpoint: Algorithm,
    /// Bisection: nest at most D splits (default: as many as the base case needs)
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    depth: Option<u64>,
    /// Binomial: keep at most D states at a time beside the first (default: as few as possible).
    ///
    /// The default depends on --passes and --base-case. If --passes is not given either, both numbers are equal.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    snapshots: Option<u64>,
    /// Binomial: advance over each step at most T times (default: as few as possible)
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    passes: Option<u64>,
    /// Do not split intervals of N steps or fewer (default: a tape of 2^16 nodes, but at least 1000 steps).
    ///
    /// With --depth the default is 1. With both --snapshots and --passes it is the least number that these two allow.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(u64).range(1..))]
    base_case: Option<u64>,
}

/// The choice of the point at which an interval is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Algorithm {
    /// Split each interval in the middle
    Bisection,
    /// Split where the allowed states and passes lead to the fewest steps (treeverse)
    Binomial,
}

/// The checkpoint options of a run, checked to be consistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckpointOptions(pub Strategy);

impl TryFrom<WrittenOptions> for CheckpointOptions {
    type Error = clap::Error;

    fn try_from(given: WrittenOptions) -> Result<CheckpointOptions, clap::Error> {
        let WrittenOptions { checkpoint, depth, snapshots, passes, base_case } = given;
        let refusal = |message: &str| Err(clap::Error::raw(ErrorKind::ValueValidation, message));
        match checkpoint {
            Algorithm::Bisection if snapshots.or(passes).is_some() => {
                refusal("--snapshots and --passes are for --checkpoint binomial")
            }
            Algorithm::Binomial if depth.is_some() => {
                refusal("--depth is for --checkpoint bisection: binomial takes --snapshots and --passes")
            }
            Algorithm::Bisection => Ok(CheckpointOptions(Strategy::Bisection { depth, base_case })),
            Algorithm::Binomial => Ok(CheckpointOptions(Strategy::Binomial { snapshots, passes, base_case })),
        }
    }
}

impl FromArgMatches for CheckpointOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<CheckpointOptions, clap::Error> {
        WrittenOptions::from_arg_matches(matches)?.try_into()
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = CheckpointOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for CheckpointOptions {
    fn augment_args(command: Command) -> Command {
        WrittenOptions::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        WrittenOptions::augment_args_for_update(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Strategy, clap::Error> {
        let command = CheckpointOptions::augment_args(Command::new("test").no_binary_name(true));
        CheckpointOptions::from_arg_matches(&command.try_get_matches_from(words)?)
            .map(|CheckpointOptions(strategy)| strategy)
    }

    #[test]
    fn what_is_not_given_is_left_open() {
        assert_eq!(read(&[]).unwrap(), Strategy::default());
        let words = ["--depth", "3", "--base-case", "7"];
        assert_eq!(read(&words).unwrap(), Strategy::Bisection { depth: Some(3), base_case: Some(7) });
        let binomial = Strategy::Binomial { snapshots: Some(0), passes: Some(2), base_case: Some(9) };
        let words = ["--checkpoint", "binomial", "--snapshots", "0", "--passes", "2", "--base-case", "9"];
        assert_eq!(read(&words).unwrap(), binomial);
        let open = Strategy::Binomial { snapshots: None, passes: None, base_case: None };
        assert_eq!(read(&["--checkpoint", "binomial"]).unwrap(), open);
    }

    #[test]
    fn options_of_the_other_algorithm_are_refused() {
        for words in [
            &["--snapshots", "1"][..],
            &["--passes", "1"],
            &["--checkpoint", "bisection", "--passes", "1"],
            &["--checkpoint", "binomial", "--depth", "1"],
            &["--base-case", "0"],
        ] {
            assert_eq!(read(words).unwrap_err().kind(), ErrorKind::ValueValidation, "{words:?}");
        }
    }
}
