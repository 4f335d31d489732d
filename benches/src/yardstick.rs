//! The hand-written C programs of `benches/yardstick` as processes.

use crate::fault;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The report of a program in C that reads numbers and prints some.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    /// The numbers that it computed.
    pub numbers: Vec<f64>,
    /// The seconds of the work, as it measures itself.
    pub seconds: f64,
    /// Its peak memory in bytes.
    pub peak_memory: f64,
}

/// Runs a program in a mode and a version, which the header of its source lists.
///
/// # Errors
/// Returns an error if it cannot be run, or does not report its results.
pub fn run_yardstick(name: &str, mode: &str, version: &str, input: &str) -> io::Result<Reported> {
    let output = output_of(executable(name).args([mode, version]), input)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let reported = Reported {
        numbers: text.lines().map_while(|line| line.parse().ok()).collect(),
        seconds: figure(name, &text, "seconds:")?,
        peak_memory: figure(name, &text, "peak-memory:")?,
    };
    Ok(reported)
}

/// The seconds that a program in C takes for a unit of its work, as it measures itself.
///
/// # Errors
/// Returns an error if it cannot be run, or prints no time.
pub fn seconds_of_unit(name: &str, arguments: &[&str]) -> io::Result<f64> {
    let output = executable(name).args(arguments).output()?;
    figure(name, &String::from_utf8_lossy(&output.stdout), "seconds-per-unit:")
}

/// The output of a process that is given a short input.
pub(crate) fn output_of(command: &mut Command, input: &str) -> io::Result<Output> {
    let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut stream) = process.stdin.take() {
        stream.write_all(input.as_bytes())?;
    }
    process.wait_with_output()
}

fn executable(name: &str) -> Command {
    Command::new(Path::new(env!("VLAD_YARDSTICKS")).join(name))
}

fn figure(name: &str, text: &str, label: &str) -> io::Result<f64> {
    let figure = text.lines().find_map(|line| line.strip_prefix(label)?.trim().parse().ok());
    figure.ok_or_else(|| fault(format!("the yardstick {name} printed no {label}")))
}
