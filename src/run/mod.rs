//! Runs of programs, for the subcommands that run one. [`running`] is the whole of it, from loading to the report.

pub mod engines;
pub mod refusals;

pub mod automatic;
pub mod built_code;
pub mod serialised_sources;

pub mod host;
pub mod profile;
pub mod suspension;
pub mod watchdog;

pub mod running;
