//! Mutation testing of the project's sources, with all mutants in one build.
//!
//! ```text
//! cargo mutants --list --json --> list --sample--> mutants --place--> a copy with all of them --viable--> placed mutants
//!                                                                     that builds --run--> outcomes
//! ```
//!
//! The list of possible changes and their replacements comes from cargo-mutants. That tool builds each mutant by
//! itself, which takes most of its time; here all of them are in one copy of the sources, each behind a test of the
//! variable `VLAD_MUTANT`, which selects one. So a mutant costs the time of the tests alone. For its use see
//! docs/reliability/08-mutants.md.

mod list;
mod place;
mod rules;
mod run;
mod table;
mod viable;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

/// The result of a step of this tool; the error is a message for its user.
type Fallible<T> = Result<T, Box<dyn Error>>;

const USAGE: &str = "usage:
  vlad-mutants place LIST SOURCES COPY COUNT SEED [PREFIX...]
      LIST      what `cargo mutants --list --json` prints
      SOURCES   the project
      COPY      a folder that becomes a copy of it with the mutants in it; COPY/mutants.tsv lists them
      COUNT     how many mutants are drawn, of those in files whose paths begin with a PREFIX
  vlad-mutants run COPY STAGES OUTCOMES [PREFIX[:COUNT]...]
      STAGES    a file of commands, a line each: seconds allowed, prefix of the mutants' files that it is for (- for
                all), command; run in COPY, with VLAD_MUTANT set; one that fails kills the mutant
      OUTCOMES  a file of lines: mutant, outcome, stage; mutants that it has already are not run again
      PREFIX    as above; all mutants if there is none
      COUNT     how many of them, in the order in which they were drawn; all if there is none";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["place", list, sources, copy, count, seed, prefixes @ ..] => {
            place(Path::new(list), Path::new(sources), Path::new(copy), (count, seed), prefixes)
        }
        ["run", copy, stages, outcomes, prefixes @ ..] => {
            run::run(Path::new(copy), Path::new(stages), Path::new(outcomes), prefixes)
        }
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn place(list: &Path, sources: &Path, copy: &Path, draw: (&str, &str), prefixes: &[&str]) -> Fallible<()> {
    let all = list::read(list)?;
    let of_interest = all.into_iter().filter(|mutant| prefixes.iter().any(|prefix| mutant.file.starts_with(prefix)));
    let drawn = list::sample(of_interest.collect(), draw.0.parse()?, draw.1.parse()?);
    let (count, seed) = (drawn.len(), draw.1);
    let placed = viable::place(drawn, sources, copy)?;
    println!("{count} mutants drawn with seed {seed}, {} of them placed", placed.len());
    Ok(())
}
