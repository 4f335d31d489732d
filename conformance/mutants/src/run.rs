//! Execution of the tests for each mutant, stage by stage, until one of them fails.

use crate::Fallible;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A command that may kill mutants.
struct Stage {
    limit: Duration,
    prefix: String,
    command: String,
}

/// The result of a command.
#[derive(PartialEq)]
enum End {
    Succeeded,
    Failed,
    OutOfTime,
}

/// Runs the stages for every mutant of a copy, in files with one of the prefixes, that has no outcome yet. Before that
/// they run without a mutant: all must succeed.
pub fn run(copy: &Path, stages: &Path, outcomes: &Path, prefixes: &[&str]) -> Fallible<()> {
    let stages = read_stages(stages)?;
    for stage in &stages {
        let begun = Instant::now();
        if end_of(stage, copy, 0)? != End::Succeeded {
            return Err(format!("without a mutant this fails: {}", stage.command).into());
        }
        println!("{:.1} s without a mutant: {}", begun.elapsed().as_secs_f64(), stage.command);
    }
    let known = fs::read_to_string(outcomes).unwrap_or_default();
    let known: BTreeSet<&str> = known.lines().filter_map(|line| line.split('\t').next()).collect();
    let mut out = OpenOptions::new().create(true).append(true).open(outcomes)?;
    let mut wanted = prefixes.iter().map(|prefix| MutantSelection::read(prefix)).collect::<Fallible<Vec<MutantSelection>>>()?;
    for line in fs::read_to_string(copy.join("mutants.tsv"))?.lines() {
        let mut words = line.split('\t');
        let (Some(number), Some(file)) = (words.next(), words.next()) else { continue };
        let is_wanted = wanted.is_empty() || wanted.iter_mut().any(|wanted| wanted.takes(file));
        if known.contains(number) || !is_wanted {
            continue;
        }
        let (outcome, stage) = outcome(&stages, copy, number.parse()?, file)?;
        writeln!(out, "{number}\t{outcome}\t{stage}\t{line}")?;
    }
    Ok(())
}

/// A selection of mutants: those in files of a prefix, or the first of them.
struct MutantSelection {
    prefix: String,
    rest: usize,
}

impl MutantSelection {
    fn read(text: &str) -> Fallible<MutantSelection> {
        let (prefix, rest) = match text.split_once(':') {
            Some((prefix, count)) => (prefix, count.parse()?),
            None => (text, usize::MAX),
        };
        Ok(MutantSelection { prefix: prefix.to_owned(), rest })
    }

    /// Returns true if a mutant in that file is one of them, and counts it.
    fn takes(&mut self, file: &str) -> bool {
        let is_one = self.rest > 0 && file.starts_with(&self.prefix);
        self.rest -= usize::from(is_one);
        is_one
    }
}

/// The outcome of a mutant: the stage that kills it, or its survival of all stages that apply to it.
fn outcome(stages: &[Stage], copy: &Path, mutant: u32, file: &str) -> Fallible<(&'static str, String)> {
    for stage in stages.iter().filter(|stage| stage.prefix == "-" || file.starts_with(&stage.prefix)) {
        match end_of(stage, copy, mutant)? {
            End::Succeeded => {}
            End::Failed => return Ok(("killed", stage.command.clone())),
            End::OutOfTime => return Ok(("out of time", stage.command.clone())),
        }
    }
    Ok(("survived", "-".to_owned()))
}

fn read_stages(path: &Path) -> Fallible<Vec<Stage>> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let stage = |line: &str| -> Fallible<Stage> {
        let mut words = line.splitn(3, ' ');
        let (Some(limit), Some(prefix), Some(command)) = (words.next(), words.next(), words.next()) else {
            return Err(format!("no stage: {line}").into());
        };
        let limit = Duration::from_secs(limit.parse()?);
        Ok(Stage { limit, prefix: prefix.to_owned(), command: command.to_owned() })
    };
    lines.map(stage).collect()
}

/// Runs a command for a mutant; 0 is none. The command has a process group of its own, so that nothing survives its
/// time limit.
fn end_of(stage: &Stage, copy: &Path, mutant: u32) -> Fallible<End> {
    let mut child = Command::new("sh")
        .args(["-c", &stage.command])
        .current_dir(copy)
        .env("VLAD_MUTANT", mutant.to_string())
        .stdin(Stdio::null())
        .stdout(File::create(copy.join("last.out"))?)
        .stderr(File::create(copy.join("last.err"))?)
        .process_group(0)
        .spawn()?;
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if status.success() { End::Succeeded } else { End::Failed });
        }
        if begun.elapsed() > stage.limit {
            Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status()?;
            child.wait()?;
            return Ok(End::OutOfTime);
        }
        thread::sleep(Duration::from_millis(20));
    }
}
