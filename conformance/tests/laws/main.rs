//! Laws of the language: metamorphic relations on data of random shapes, closures, nested operators, suspended
//! computations and very deep structures.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

#[path = "../allocator/mod.rs"]
mod allocator;
mod bounds;
mod capsules;
mod checkpoint;
mod church;
mod confusion;
mod linearity;
mod numbers;
mod procedures;
mod rearrangements;
mod reflection;
mod restarts;
mod rewrites;
mod runs;
mod schedules;

use vlad_conformance::fast_build::observe_text;
use vlad_engines::Engine;

/// Runs a program on every engine and expects these lines of output.
fn check(program: &str, expected: &[&str]) {
    Engine::ALL.into_iter().for_each(|engine| check_on(engine, program, expected));
}

/// The same on one engine.
fn check_on(engine: Engine, program: &str, expected: &[&str]) {
    let observation = observe_text(engine, program);
    assert!(observation.diagnostics.is_empty(), "{engine}:\n{}\n{program}", observation.rendered());
    assert_eq!(observation.output, expected, "{engine}:\n{program}");
}

/// Runs one program of some definitions and expressions, and expects the printed value of each expression.
fn check_all(definitions: &str, expectations: &[(String, String)]) {
    let lines = expectations.iter().map(|(expression, _)| format!("{expression}\n")).collect::<String>();
    let program = format!("{definitions}\n{lines}");
    for engine in Engine::ALL {
        let observation = observe_text(engine, &program);
        assert!(observation.diagnostics.is_empty(), "{engine}:\n{}", observation.rendered());
        assert_eq!(observation.output.len(), expectations.len(), "{engine} prints a line for each expression");
        for ((expression, expected), actual) in expectations.iter().zip(&observation.output) {
            assert_eq!(actual, expected, "{engine}: {expression}");
        }
    }
}
