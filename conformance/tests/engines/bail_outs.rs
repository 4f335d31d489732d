//! Forced bail-outs: specialised code that gives an item up at any point leaves no trace of it.
//!
//! Each program of the corpus and of the random ones that reads or writes is compiled once, and run with a bail-out at
//! the N-th effect or turn, for some N. Output, outcome and steps are those of `hybrid`. It is run as a program that has a
//! compiler, and as one that was built into an executable.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use vlad_compiler::analysis::Weighing;
use vlad_compiler::{Loaded, Passes, Settings, Specialise, Task, compile, prepare, specialise};
use vlad_conformance::corpus::case;
use vlad_conformance::corpus::check::{language_of, read_text, setting};
use vlad_conformance::fast_build::fast_build_settings;
use vlad_conformance::matrix::find;
use vlad_conformance::random::generate;
use vlad_conformance::random::{CaseKind, GeneratorOptions};
use vlad_engines::agreement::{self, Behaviour, disagreements};
use vlad_engines::{Engine, Native, Ready};
use vlad_shared::core::Program;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::run::{Host, Limits, Report, StreamHost};
use vlad_shared::table::number::Notation;

/// The points at which specialised code gives up, one in each run; beyond those of a program it is undisturbed.
const POINTS: [u64; 12] = [0, 1, 2, 3, 4, 6, 9, 14, 22, 35, 60, 130];

/// The points of a program are those of the list with this distance.
const STRIDE: usize = 6;

/// A program that is specialised, with its input.
struct Subject {
    name: String,
    program: Program,
    input: String,
}

/// The subject of a program, if an item that computes is specialised.
fn subject(name: String, program: Program, input: String) -> Option<Subject> {
    let mut units = program.items.iter().zip(specialise(&program, Passes::ALL, Weighing::All));
    let is_taken = units.any(|(item, unit)| unit.is_ok() && program.procedure_at(item.node()).is_none());
    is_taken.then_some(Subject { name, program, input })
}

/// The programs of the corpus that read or write, without limits.
fn of_the_corpus() -> Vec<Subject> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let subject = |path: &PathBuf| {
        let text = read_text(path).unwrap();
        let has_effects = ["write", "read-real"].iter().any(|name| text.contains(name));
        let case = case::parse(&text, language_of(path).comment()).unwrap();
        if !has_effects || case.limits.are_any() {
            return None;
        }
        let setting = setting(&case, path.parent().unwrap());
        let options = Options { include_folders: setting.include_folders, ..Options::default() };
        subject(path.display().to_string(), load(Input::Path(path.clone()), &options).ok()?, setting.input)
    };
    find::find(&[folder], &[], Languages::default()).unwrap().iter().filter_map(subject).collect()
}

/// Random programs, all of which read.
fn random() -> Vec<Subject> {
    let subject = |seed| {
        let case = generate(CaseKind::Scalar, seed, GeneratorOptions::default());
        let name = format!("seed {seed}:\n{}", case.text());
        let input = Input::Text { name: "program".to_owned(), bytes: case.bytes(), folder: None };
        subject(name, load(input, &Options::default()).unwrap(), case.input_text())
    };
    (0..100).filter_map(subject).collect()
}

fn behaviour(engine: Engine, subject: &Subject, run: impl FnOnce(&mut dyn Host) -> Report) -> Behaviour {
    let mut host = StreamHost::new(subject.input.as_bytes(), Vec::new(), Notation::WithBits);
    let Report { outcome, steps } = run(&mut host);
    let output = String::from_utf8(host.into_output()).unwrap().lines().map(str::to_owned).collect();
    Behaviour { engine, output, outcome, steps }
}

/// Checks that a bail-out at each point changes nothing, with a part of the programs in each thread.
fn check(subjects: &[Subject]) {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    thread::scope(|scope| {
        for part in subjects.chunks(subjects.len().div_ceil(threads)) {
            scope.spawn(|| check_part(part));
        }
    });
}

/// Does it for one part.
fn check_part(subjects: &[Subject]) {
    let limits = Limits::default();
    let tasks: Vec<Task<'_>> = subjects.iter().map(|subject| Task::with_limits(&subject.program, &limits)).collect();
    let settings = fast_build_settings();
    let compiled: Vec<Loaded> = compile(&tasks, &settings).unwrap();
    for ((number, subject), loaded) in subjects.iter().enumerate().zip(compiled) {
        let task = vlad_engines::Task { program: &subject.program, limits: &limits };
        let expected =
            behaviour(Engine::Hybrid, subject, |host| Engine::Hybrid.run(task, &fast_build_settings(), host).unwrap());
        let compare = |native: Native, how: &str| {
            let ready = Ready::Native(Box::new(native));
            let found = behaviour(Engine::Native, subject, |host| ready.run(task, host));
            let found = disagreements(&[expected.clone(), found], &subject.program.sources);
            assert!(found.is_empty(), "{}: {how}\n{}", subject.name, agreement::report(&found));
        };
        let giving_up = |point| loaded.clone().giving_up_after(point);
        // A bail-out takes a run of the C compiler, so each program has a part of the points.
        for point in POINTS.into_iter().skip(number % STRIDE).step_by(STRIDE) {
            compare(Native::new(giving_up(point), &settings), &format!("a bail-out at {point}"));
        }
        let never = Settings { specialise: Specialise::Never, ..settings.clone() };
        let tagged = prepare(&[Task::with_limits(&subject.program, &limits)], &never).unwrap().bytes().unwrap();
        for (point, tagged) in POINTS.into_iter().map(|point| (point, Some(tagged.clone()))).chain([(1, None)]) {
            let how = format!("a bail-out at {point}, without a compiler");
            compare(Native::without_compiler(giving_up(point), tagged), &how);
        }
    }
}

#[test]
fn bail_outs_in_the_corpus_change_nothing() {
    let subjects = of_the_corpus();
    assert!(subjects.len() > 40, "{} programs", subjects.len());
    check(&subjects);
}

#[test]
fn bail_outs_in_random_programs_change_nothing() {
    let subjects = random();
    assert!(subjects.len() > 80, "{} programs", subjects.len());
    check(&subjects);
}
