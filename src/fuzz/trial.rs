//! A case at which the process breaks down, made smaller: each trial is a process of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;
use vlad_conformance::engine::Engine;
use vlad_conformance::random::shrink::shrink;
use vlad_conformance::random::{Case, MOST_STEPS};
use vlad_files::private::PrivateFolder;

/// The time that making a case smaller may take.
const MOST_TIME: Duration = Duration::from_secs(5 * 60);

/// The text of the smallest case found over which `vlad run` breaks down on one of the engines; the case's own, if it does
/// not there.
pub fn shrunk(engines: &[Engine], case: Case) -> String {
    // Without a folder to try in, the case stays as it is.
    let smallest = match PrivateFolder::make(&std::env::temp_dir()) {
        Ok(folder) => {
            let breaks = |case: &Case| breaks_down(folder.path(), engines, case);
            if breaks(&case) { shrink(case, MOST_TIME, breaks) } else { case }
        }
        Err(_) => case,
    };
    let input = smallest.input_text();
    let input = if input.is_empty() { String::new() } else { format!(";; input: {input}\n") };
    format!("{}\n{input}", smallest.text())
}

fn breaks_down(folder: &Path, engines: &[Engine], case: &Case) -> bool {
    let file = folder.join("case.vlad");
    let ends_badly = |engine: &Engine| run(&file, *engine, &case.input_text()).is_some_and(|status| !is_proper(status));
    fs::write(&file, case.bytes()).is_ok() && engines.iter().any(ends_badly)
}

/// Whether a command ended by itself, well or not.
fn is_proper(status: ExitStatus) -> bool {
    matches!(status.code(), Some(0..=4))
}

fn run(file: &Path, engine: Engine, input: &str) -> Option<ExitStatus> {
    let numbers = file.with_extension("input");
    fs::write(&numbers, input).ok()?;
    let stdin = fs::File::open(&numbers).ok()?;
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.args(["run", "--no-cache", "--engine", engine.name(), "--timeout", "20"]);
    command.arg("--max-steps").arg(MOST_STEPS.to_string()).arg(file);
    command.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()
}
