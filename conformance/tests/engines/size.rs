//! Tests of size: the code that is made of a program, and the time that this takes, grow as its text does; engines run
//! large programs or refuse them with an error; errors stay few and short.

use rustix::time::{ClockId, clock_gettime};
use std::thread;
use vlad_compiler::toolchain::ToolchainError;
use vlad_compiler::{Specialise, counting_for, generate};
use vlad_conformance::fast_build::observe_text;
use vlad_conformance::large::{BROKEN, ProgramFamily, SOUND};
use vlad_engines::{Engine, Ready, Settings, Task};
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::{Failure, Kind};
use vlad_shared::core::render::{Style, render};
use vlad_shared::cps;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::run::{Limits, Outcome, StreamHost};
use vlad_shared::table::number::Notation;

/// The smaller size, and the ratio of the larger size to it.
const SIZE: usize = 800;
const TIMES: usize = 4;

fn try_load(text: String) -> Result<Program, Failure> {
    let input = Input::Text { name: "program".to_owned(), bytes: text.into_bytes(), folder: None };
    load(input, &Options::default())
}

fn loaded(shape: ProgramFamily, size: usize) -> Program {
    try_load((shape.text)(size)).unwrap_or_else(|failure| panic!("{}: {:?}", shape.name, failure.diagnostics))
}

/// The amounts of all code that is made of a program.
fn work(program: &Program) -> Vec<(&'static str, usize)> {
    let captures = program.lambdas.iter().map(|lambda| lambda.captures.len());
    let captures = captures.chain(program.groups.iter().map(|group| group.captures.len()));
    let converted = cps::pipeline(program);
    let text = |limits| generate(program, counting_for(program, &limits), None).len();
    vec![
        ("expressions", program.expressions.len()),
        ("patterns", program.patterns.len()),
        ("slots", captures.sum()),
        ("blocks", converted.blocks.len()),
        ("converted code", cps::print::print(program, &converted).len()),
        ("C text", text(Limits::default())),
        ("C text that can stop", text(Limits { steps: Some(0), ..Limits::default() })),
    ]
}

/// The bound leaves room for a logarithmic factor in the code of packed values.
#[test]
fn what_is_made_of_a_program_grows_as_its_text() {
    for shape in SOUND {
        let small = work(&loaded(shape, SIZE));
        let large = work(&loaded(shape, SIZE * TIMES));
        for ((what, small), (_, large)) in small.into_iter().zip(large) {
            let most = small * TIMES * 3 / 2 + 100 * TIMES;
            assert!(large <= most, "{}: {what} grow from {small} to {large}", shape.name);
        }
    }
}

/// The seconds of processor time of this thread.
fn seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The seconds of processor time that a closure takes.
fn taken(work: impl FnOnce()) -> f64 {
    let begun = seconds();
    work();
    seconds() - begun
}

/// Checks that time grows as the text does: quadratic work would take sixteen times as long. Times below a threshold
/// are not measured. A machine under load may be slow once, but not three times.
fn grows_as_the_text(shape: ProgramFamily, size: usize, work: fn(String)) {
    let grows = || {
        let small = taken(|| work((shape.text)(size)));
        let large = taken(|| work((shape.text)(size * TIMES)));
        let most = small * TIMES as f64 * 2.5 + 0.02;
        if large <= most { Ok(()) } else { Err(format!("{small:.4} s become {large:.4} s")) }
    };
    let mut slow = Vec::new();
    while let Err(how) = grows() {
        slow.push(how);
        assert!(slow.len() < 3, "{}: {slow:?}", shape.name);
    }
}

#[test]
fn the_front_end_takes_time_as_its_text() {
    for shape in SOUND {
        grows_as_the_text(shape, 2 * SIZE, |text| drop(try_load(text).unwrap()));
    }
}

#[test]
fn errors_take_time_as_their_text() {
    let fail = |text| {
        let failure = try_load(text).unwrap_err();
        let shown = render(&failure.diagnostics, &failure.sources, Style::Plain);
        assert!(failure.diagnostics.len() <= 200 && shown.len() < 200 * 4_000, "{} bytes", shown.len());
    };
    for shape in BROKEN {
        grows_as_the_text(shape, 4 * SIZE, fail);
    }
}

/// Nested procedures, the innermost of which uses the variables of all.
fn slots_of_slots(depth: usize) -> Result<Program, Failure> {
    let lambdas: String = (0..depth).map(|i| format!("(lambda (x{i}) ")).collect();
    let variables: String = (0..depth).map(|i| format!("x{i} ")).collect();
    try_load(format!("{lambdas}(list {variables}){}", ")".repeat(depth)))
}

#[test]
fn slots_have_a_bound() {
    let failure = slots_of_slots(6_000).unwrap_err();
    assert_eq!(failure.diagnostics.len(), 1);
    assert_eq!(failure.diagnostics[0].kind, Kind::Limit);
    // Half of the allowed number is no error.
    let depth = 2_000;
    let program = slots_of_slots(depth).unwrap();
    assert_eq!(program.lambdas.iter().map(|lambda| lambda.captures.len()).sum::<usize>(), depth * (depth - 1) / 2);
}

/// Checks that both evaluators run every shape, on a small stack.
#[test]
fn large_programs_run() {
    let run = || {
        for shape in SOUND {
            for engine in [Engine::Interp, Engine::Hybrid] {
                let observation = observe_text(engine, &(shape.text)(5 * SIZE));
                assert!(observation.diagnostics.is_empty(), "{} on {engine}: {}", shape.name, observation.rendered());
                assert_eq!(observation.output.last(), Some(&(shape.prints)(5 * SIZE)), "{} on {engine}", shape.name);
            }
        }
    };
    thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

/// Checks all shapes in one run of the compiler, with a size that takes seconds.
#[test]
fn shapes_run_compiled() {
    let size = 60;
    let limits = Limits::default();
    let programs: Vec<Program> = SOUND.iter().map(|shape| loaded(*shape, size)).collect();
    let tasks: Vec<Task<'_>> = programs.iter().map(|program| Task { program, limits: &limits }).collect();
    let compiled = Engine::Native.make_ready(&tasks, &Settings::default()).unwrap();
    for ((shape, task), ready) in SOUND.iter().zip(tasks).zip(compiled) {
        let mut host = StreamHost::new("".as_bytes(), Vec::new(), Notation::Shortest);
        let report = ready.run(task, &mut host);
        assert!(matches!(report.outcome, Outcome::Finished), "{}: {:?}", shape.name, report.outcome);
        let output = String::from_utf8(host.into_output()).unwrap();
        assert_eq!(output.lines().last(), Some((shape.prints)(size).as_str()), "{}", shape.name);
    }
}

/// Checks that programs that would take a C compiler minutes and gigabytes are refused before it is started.
#[test]
fn what_is_too_large_to_be_compiled_is_refused() {
    let refused = |name: &str, size: usize| {
        let shape = SOUND.iter().find(|shape| shape.name == name).unwrap();
        let (program, limits) = (loaded(*shape, size), Limits::default());
        let task = Task { program: &program, limits: &limits };
        let settings = Settings { specialise: Specialise::Never, ..Settings::default() };
        let outcome: Result<Vec<Ready>, ToolchainError> = Engine::Native.make_ready(&[task], &settings);
        let Err(error) = outcome else { panic!("{name} of {size} is compiled") };
        assert!(matches!(error, ToolchainError::FarTooLarge { .. }), "{error}");
        assert!(error.to_string().contains("--engine hybrid"), "{error}");
    };
    // The first is refused for its blocks, the second for its text.
    refused("procedures that call each other", 50_000);
    refused("lets of calls that are all needed", 4_500);
}
