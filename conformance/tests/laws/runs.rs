//! Runs of many small programs on an engine, made ready in one batch: an engine that compiles makes one object of them.

use vlad_conformance::fast_build::fast_build_settings;
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::run::{Limits, Outcome, StreamHost};
use vlad_shared::table::number::Notation;

/// The observable behaviour of a run: the lines of its output, with the bits of reals; the kind of its error; its
/// steps.
#[derive(Clone, Debug, PartialEq)]
pub struct RunBehaviour {
    pub output: Vec<String>,
    pub error: Option<Kind>,
    pub steps: u64,
}

/// A program that loads.
pub fn loaded(text: &str) -> Program {
    let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
    load(input, &Options::default()).unwrap_or_else(|failure| panic!("{:?}\n{text}", failure.diagnostics))
}

/// Runs programs with their inputs on an engine under some limits, all of which bound the same quantities. The results
/// are by limit, then by program. Each program is made ready once.
pub fn see(engine: Engine, programs: &[(&Program, &str)], limits: &[Limits]) -> Vec<Vec<RunBehaviour>> {
    let Some(any) = limits.first() else { return Vec::new() };
    let tasks: Vec<Task<'_>> = programs.iter().map(|(program, _)| Task { program, limits: any }).collect();
    let ready = engine.make_ready(&tasks, &fast_build_settings()).unwrap();
    let under = |limits| {
        ready.iter().zip(programs).map(|(ready, (program, input))| run(ready, program, limits, input)).collect()
    };
    limits.iter().map(under).collect()
}

fn run(ready: &Ready, program: &Program, limits: &Limits, input: &str) -> RunBehaviour {
    let mut host = StreamHost::new(input.as_bytes(), Vec::new(), Notation::WithBits);
    let report = ready.run(Task { program, limits }, &mut host);
    let error = match report.outcome {
        Outcome::Finished | Outcome::Stopped => None,
        Outcome::Failed(diagnostic) => Some(diagnostic.kind),
        Outcome::OutputClosed => panic!("an output that is kept is never closed"),
    };
    let output = String::from_utf8(host.into_output()).unwrap().lines().map(str::to_owned).collect();
    RunBehaviour { output, error, steps: report.steps }
}

/// Runs one program under one limit.
pub fn see_one(engine: Engine, program: &Program, input: &str, limits: Limits) -> RunBehaviour {
    see(engine, &[(program, input)], &[limits]).remove(0).remove(0)
}
