//! Runs with traps (report, 12.21): the corpus, the corpus with other numbers in its programs, and random programs, of
//! which all engines show the same; a program that no operation ends shows what it shows without traps.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use vlad_conformance::corpus::{case, check};
use vlad_conformance::fast_build::fast_build_settings;
use vlad_conformance::matrix::find;
use vlad_conformance::observe::{Observation, RunConditions, observe_all};
use vlad_conformance::random::GeneratorOptions;
use vlad_conformance::random::campaign::compare::compare_with;
use vlad_conformance::random::campaign::{Mixture, Plan};
use vlad_derivatives::numbers::Numbers;
use vlad_engines::Engine;
use vlad_shared::ad::traps::Traps;
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::Input;
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::number::Notation;

/// The number of programs that are compiled together.
const BATCH: usize = 40;

/// The observable behaviour, and the kinds of the errors.
#[derive(Debug, PartialEq)]
struct Behaviour {
    output: Vec<String>,
    errors: String,
    kinds: Vec<Kind>,
    steps: Option<u64>,
}

impl Behaviour {
    fn of(observation: &Observation) -> Behaviour {
        Behaviour {
            output: observation.output.clone(),
            errors: observation.rendered(),
            kinds: observation.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect(),
            steps: observation.steps,
        }
    }

    fn is_trapped(&self) -> bool {
        self.kinds.contains(&Kind::NonFinite)
    }

    /// Returns true if the run ended by a limit on which engines need not agree.
    fn met_a_bound(&self) -> bool {
        self.kinds.iter().any(|kind| matches!(kind, Kind::Memory | Kind::Time))
    }
}

/// A program with the conditions of its case.
type Subject = (Input, RunConditions);

/// The paths of the corpus.
fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    find::find(&[folder], &[], Languages::default()).unwrap()
}

/// The program of a file with the input and the limits of its case.
fn subject(path: &Path) -> Subject {
    let case = case::parse(&check::read_text(path).unwrap(), check::language_of(path).comment()).unwrap();
    let setting = check::setting(&case, path.parent().unwrap());
    let compilation = fast_build_settings();
    (Input::Path(path.to_path_buf()), RunConditions { notation: Notation::WithBits, compilation, ..setting })
}

fn see(engine: Engine, subjects: &[Subject], traps: Traps) -> Vec<Behaviour> {
    let with_traps = |(input, setting): &Subject| {
        let limits = Limits { traps, ..setting.limits };
        (input.clone(), RunConditions { limits, ..setting.clone() })
    };
    let subjects = subjects.iter().map(with_traps).collect();
    observe_all(engine, subjects, &fast_build_settings()).iter().map(Behaviour::of).collect()
}

/// Shares pieces of work among threads.
fn shared<T: Sync>(pieces: &[T], work: impl Fn(&T) + Sync) {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(piece);
                }
            });
        }
    });
}

/// The most steps of a program without a trap that the interpreter runs too; it takes most of the time for the few longer
/// ones, of which the other engines are compared.
const LONG: u64 = 200_000;

/// Compares all engines on programs with traps, and those that end with no trap with the same without traps. Returns the
/// numbers of programs that end with a trap, and with none.
fn check(subjects: &[Subject]) -> (usize, usize) {
    let (trapped, untouched) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let batches: Vec<&[Subject]> = subjects.chunks(BATCH).collect();
    shared(&batches, |batch| {
        let plain = see(Engine::Hybrid, batch, Traps::Off);
        let first = see(Engine::Hybrid, batch, Traps::NonFinite);
        let all: Vec<(&Subject, &Behaviour)> = batch.iter().zip(&first).collect();
        let is_short = |seen: &Behaviour| seen.is_trapped() || seen.steps.is_none_or(|steps| steps <= LONG);
        let short: Vec<_> = all.iter().copied().filter(|(_, first)| is_short(first)).collect();
        for (engine, compared) in [(Engine::Interp, short), (Engine::Native, all)] {
            let subjects: Vec<Subject> = compared.iter().map(|(subject, _)| (*subject).clone()).collect();
            for (((input, _), expected), seen) in compared.into_iter().zip(see(engine, &subjects, Traps::NonFinite)) {
                if !expected.met_a_bound() && !seen.met_a_bound() {
                    assert_eq!(*expected, seen, "{engine}: {}", shown(input));
                }
            }
        }
        for (((input, _), plain), first) in batch.iter().zip(&plain).zip(&first) {
            if plain.met_a_bound() || first.met_a_bound() {
                continue;
            }
            if first.is_trapped() {
                trapped.fetch_add(1, Ordering::Relaxed);
                assert!(plain.output.starts_with(&first.output), "{}", shown(input));
            } else {
                untouched.fetch_add(1, Ordering::Relaxed);
                assert_eq!(plain, first, "{}", shown(input));
            }
        }
    });
    (trapped.into_inner(), untouched.into_inner())
}

fn shown(input: &Input) -> String {
    match input {
        Input::Path(path) => path.display().to_string(),
        Input::Text { name, bytes, .. } => format!("{name}\n{}", String::from_utf8_lossy(bytes)),
        Input::Read { .. } | Input::Kept(_) => panic!("no program here is of that kind"),
    }
}

/// Every fifth program of the corpus.
#[test]
fn the_corpus_traps_alike_on_all_engines() {
    let subjects: Vec<Subject> = corpus().iter().step_by(5).map(|path| subject(path)).collect();
    let (trapped, untouched) = check(&subjects);
    assert!(trapped >= 6 && untouched >= 300, "{trapped} trapped, {untouched} not");
}

#[test]
#[ignore = "takes a minute; every fifth program is always compared"]
fn the_whole_corpus_traps_alike_on_all_engines() {
    let subjects: Vec<Subject> = corpus().iter().map(|path| subject(path)).collect();
    let (trapped, untouched) = check(&subjects);
    assert!(trapped >= 40 && untouched >= 1500, "{trapped} trapped, {untouched} not");
}

/// The numbers that replace those of a program: near the bounds of what is finite, and zeros.
const EXTREME: [&str; 8] = ["0", "-0.", "1e308", "-1e308", "1e-320", "1e160", "-1e-170", "709"];

/// A program with about a quarter of its numbers replaced; comments and strings stay.
fn with_extreme_numbers(text: &str, numbers: &mut Numbers) -> String {
    let mut changed = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let is_end = |letter: char| letter.is_whitespace() || "()\"';".contains(letter);
        let length = match next {
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ if is_end(next) => next.len_utf8(),
            _ => rest.find(is_end).unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(length);
        let is_number = word.parse::<f64>().is_ok() && word.contains(|letter: char| letter.is_ascii_digit());
        let word = if is_number && numbers.below(4) == 0 { EXTREME[numbers.below(EXTREME.len())] } else { word };
        write!(changed, "{word}").unwrap();
        rest = after;
    }
    changed
}

/// One in so many of the programs of the corpus in VLAD, with other numbers.
fn extreme(seed: u64, one_in: usize) -> Vec<Subject> {
    let mut numbers = Numbers::new(seed);
    let mut subjects = Vec::new();
    let is_vlad = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "vlad");
    for path in corpus().iter().filter(is_vlad).step_by(one_in) {
        let Ok(text) = String::from_utf8(std::fs::read(path).unwrap()) else { continue };
        let bytes = with_extreme_numbers(&text, &mut numbers).into_bytes();
        let folder = path.parent().map(Path::to_path_buf);
        let (_, setting) = subject(path);
        let limits = Limits { steps: Some(50_000), time: Some(Duration::from_secs(2)), ..setting.limits };
        let name = path.display().to_string();
        subjects.push((Input::Text { name, bytes, folder }, RunConditions { limits, ..setting }));
    }
    // Most of what ends within the limit is run without it, on code that counts by blocks; what takes long is left out.
    let seen = see(Engine::Hybrid, &subjects, Traps::NonFinite);
    let mut kept = Vec::new();
    for ((input, setting), seen) in subjects.into_iter().zip(seen).filter(|(_, seen)| !seen.met_a_bound()) {
        let is_limited = seen.kinds.contains(&Kind::Steps) || kept.len() % 4 == 0;
        let steps = setting.limits.steps.filter(|_| is_limited);
        kept.push((input, RunConditions { limits: Limits { steps, ..setting.limits }, ..setting }));
    }
    kept
}

#[test]
fn programs_with_extreme_numbers_trap_alike_on_all_engines() {
    let (trapped, untouched) = check(&extreme(1, 5));
    println!("{trapped} trapped, {untouched} not");
    assert!(trapped >= 24 && untouched >= 200, "{trapped} trapped, {untouched} not");
}

#[test]
#[ignore = "takes a minute; a part of the programs is always compared"]
fn all_programs_with_extreme_numbers_trap_alike() {
    for seed in 1..3 {
        let (trapped, untouched) = check(&extreme(seed, 1));
        assert!(trapped >= 130 && untouched >= 1000, "{seed}: {trapped} trapped, {untouched} not");
    }
}

#[test]
fn numbers_are_replaced_outside_of_comments_and_strings() {
    let text = "(f 1 \"2\" '(3 x4)) ; 5\n";
    let seen: Vec<String> = (0..64).map(|seed| with_extreme_numbers(text, &mut Numbers::new(seed))).collect();
    assert!(seen.iter().any(|seen| seen == text) && seen.iter().any(|seen| seen.starts_with("(f 1e308 ")));
    assert!(seen.iter().all(|seen| seen.contains(" \"2\" '(") && seen.ends_with(" x4)) ; 5\n")));
}

/// Runs the first cases of a mixture; returns the number of those that end with a trap.
fn random(mixture: Mixture, cases: u64) -> usize {
    let (engines, settings) = (vec![Engine::Hybrid, Engine::Native], fast_build_settings());
    let generator_options = GeneratorOptions::default();
    let plan = Plan { engines, settings, compiled_one_in: 1, seed: 3, mixture, generator_options };
    let numbers: Vec<u64> = (0..cases).collect();
    let batches: Vec<&[u64]> = numbers.chunks(BATCH).collect();
    let trapped = AtomicUsize::new(0);
    shared(&batches, |batch| {
        let cases: Vec<_> = batch.iter().map(|number| plan.case(*number).1).collect();
        let compared = compare_with(&plan.engines, &plan.settings, Traps::NonFinite, &cases);
        assert_eq!(compared.len(), cases.len());
        for (case, compared) in cases.iter().zip(compared) {
            if let Some(disagreement) = &compared.disagreement {
                panic!("{}\n{:?}\n{:#?}\n{:#?}", case.text(), case.input, compared.first, disagreement);
            }
            if compared.first.errors.iter().any(|error| error.kind == Kind::NonFinite) {
                trapped.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    trapped.into_inner()
}

#[test]
fn random_programs_trap_alike() {
    for (mixture, cases, least) in [(Mixture::Good, 400, 60), (Mixture::Bad, 200, 12), (Mixture::Scalar, 200, 50)] {
        let trapped = random(mixture, cases);
        println!("{mixture:?}: {trapped} of {cases} trapped");
        assert!(trapped >= least, "{mixture:?}: {trapped} of {cases} trapped");
    }
}
