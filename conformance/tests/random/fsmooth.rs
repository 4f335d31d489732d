//! Random programs in F-smooth: well-typed ones have no errors, do the same on all engines, and their typed trees read
//! back; of others every error has a place.

use vlad_conformance::fast_build::fast_build_settings;
use vlad_conformance::observe::{Observation, RunConditions, observe};
use vlad_conformance::random::fsmooth::campaign::{self, FsCase, Sort};
use vlad_conformance::random::fsmooth::{changed, well_typed};
use vlad_derivatives::numbers::Numbers;
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::frontend::load::{self, Input, Options};
use vlad_shared::fsmooth::FSMOOTH;
use vlad_shared::language::{Language, Rewriting};

/// The number of random programs of each sort, unless `VLAD_RANDOM_PROGRAMS` names another one.
const PROGRAMS: u64 = 400;

/// The number of random programs of each sort.
fn programs() -> u64 {
    std::env::var("VLAD_RANDOM_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(PROGRAMS)
}

/// One program in so many is compiled.
const COMPILED_ONE_IN: u64 = 100;

fn input(text: &str) -> Input {
    Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None }
}

fn options() -> Options {
    Options { language: Some(&FSMOOTH), ..Options::default() }
}

fn conduct(engine: Engine, text: &str) -> Observation {
    conduct_in(&FSMOOTH, engine, text)
}

fn conduct_in(language: &'static dyn Language, engine: Engine, text: &str) -> Observation {
    let setting =
        RunConditions { compilation: fast_build_settings(), language: Some(language), ..RunConditions::default() };
    observe(engine, input(text), &setting)
}

/// Returns what engines have to agree on.
fn told(observation: &Observation) -> (Vec<String>, Option<u64>, Vec<(Kind, String)>) {
    let error = |diagnostic: &Diagnostic| (diagnostic.kind, format!("{:?} {}", diagnostic.span, diagnostic.message));
    (observation.output.clone(), observation.steps, observation.diagnostics.iter().map(error).collect())
}

#[test]
fn well_typed_programs_do_the_same_everywhere() {
    let mut finished = 0;
    for seed in 0..programs() {
        let text = well_typed(seed);
        if let Err(failure) = load::load(input(&text), &options()) {
            panic!("seed {seed} is refused: {:?}\n{text}", failure.diagnostics);
        }
        let first = conduct(Engine::Interp, &text);
        finished += u64::from(first.diagnostics.is_empty());
        assert_eq!(told(&conduct(Engine::Hybrid, &text)), told(&first), "seed {seed}:\n{text}");
        if seed % COMPILED_ONE_IN == 0 {
            assert_eq!(told(&conduct(Engine::Native, &text)), told(&first), "seed {seed}:\n{text}");
        }
    }
    assert!(finished * 4 > programs(), "of {} programs only {finished} have no error", programs());
}

/// The same as written, and rewritten by the rules that keep all results: the output, and whether there is an error.
/// Steps differ, and of several errors of an expression another one may come first.
#[test]
fn rewriting_changes_nothing() {
    let as_written = FSMOOTH.rewriting(Rewriting::Off).unwrap();
    let mut shorter = 0;
    for seed in 0..programs() {
        let text = well_typed(seed);
        let before = conduct_in(as_written, Engine::Hybrid, &text);
        let after = conduct_in(FSMOOTH.rewriting(Rewriting::On).unwrap(), Engine::Hybrid, &text);
        let [(output_before, steps_before, errors_before), (output, steps, errors)] = [told(&before), told(&after)];
        assert_eq!(output_before, output, "seed {seed}:\n{text}");
        assert_eq!(errors_before.len(), errors.len(), "seed {seed}: {errors_before:?}, {errors:?}\n{text}");
        shorter += u64::from(steps < steps_before);
    }
    assert!(shorter * 4 > programs(), "of {} programs only {shorter} take fewer steps", programs());
}

/// Index expressions of the same operands, so that a proof of one resembles a proof of another.
fn two_indices(numbers: &mut Numbers) -> [String; 2] {
    const OPERATIONS: [&str; 5] = ["(min A B)", "(max A B)", "(A + B)", "(A * B)", "(modulo A 3)"];
    let mut one_of = |words: &[&'static str]| words[numbers.below(words.len())];
    let (first, second) = (one_of(&["i", "k", "(i + 1)", "(modulo i 2)"]), one_of(&["k", "i", "0", "2"]));
    [(), ()].map(|()| one_of(&OPERATIONS).replace('A', first).replace('B', second))
}

/// Elements at indices in expressions that take long, which are read without tests where all indices are proven.
#[test]
fn proofs_of_indices_are_about_these_indices() {
    const COSTLY: &str =
        "let g y = sin (exp (sin y)) * cos (exp y) + sin (y * y * y) * cos (exp (y * y)) + exp (sin (y + 1.0))";
    let as_written = FSMOOTH.rewriting(Rewriting::Off).unwrap();
    let mut failed = 0;
    for seed in 0..programs() {
        let mut numbers = Numbers::new(seed);
        let [first, second] = two_indices(&mut numbers);
        let element = format!("g (g (x[{first}]) + g (g (x[{second}])))");
        let body = match numbers.below(3) {
            0 => format!("length (build n (fun i -> {element}))"),
            1 => format!("vectorSum (build n (fun i -> {element}))"),
            _ => format!("ifold (fun s i -> s + {element}) 0.0 n"),
        };
        let vector: Vec<&str> = ["0.5", "1.5", "2.5", "3.5", "4.5"][numbers.below(5)..].to_vec();
        let operands = format!("[| {} |] {} {}", vector.join("; "), numbers.below(6), numbers.below(7));
        let text = format!("{COSTLY}\nlet f x n k = {body}\nf {operands}\n");
        let [before, after] = [as_written, FSMOOTH.rewriting(Rewriting::On).unwrap()]
            .map(|language| conduct_in(language, Engine::Hybrid, &text));
        assert_eq!(before.output, after.output, "seed {seed}:\n{text}");
        assert_eq!(before.diagnostics.len(), after.diagnostics.len(), "seed {seed}:\n{text}");
        failed += u64::from(!before.diagnostics.is_empty());
    }
    assert!(failed * 5 > programs() && failed * 5 < 4 * programs(), "{failed} of {} programs fail", programs());
}

#[test]
fn typed_trees_read_back() {
    for seed in 0..programs() {
        let text = well_typed(seed);
        let typed = load::typed(input(&text), &options()).unwrap();
        let again = match load::typed(input(&typed), &options()) {
            Ok(again) => again,
            Err(failure) => panic!("seed {seed} does not read back: {:?}\n{text}\n{typed}", failure.diagnostics),
        };
        assert_eq!(typed, again, "seed {seed}:\n{text}");
        let (first, second) = (conduct(Engine::Hybrid, &text), conduct(Engine::Hybrid, &typed));
        assert_eq!(first.output, second.output, "seed {seed}:\n{text}\n{typed}");
    }
}

#[test]
fn errors_have_places() {
    let mut refused = 0;
    for seed in 0..4 * programs() {
        let text = changed(seed);
        if let Err(failure) = load::load(input(&text), &options()) {
            refused += 1;
            for diagnostic in &failure.diagnostics {
                let Some(span) = diagnostic.span else { panic!("seed {seed}: {}\n{text}", diagnostic.message) };
                assert!(span.file.0 == 0 && span.start <= span.end && span.end as usize <= text.len(), "{text}");
            }
        }
    }
    assert!(refused > 2 * programs(), "only {refused} programs are refused");
}

/// Programs of campaigns, with derivatives and damaged ones, on an engine.
fn no_difference_on(engine: Engine, count: u64) {
    let chosen: Vec<(u64, u64)> = (0..count).map(|number| (number, Numbers::at(2018, number))).collect();
    for chosen in chosen.chunks(50) {
        let found = campaign::check(chosen, engine, &fast_build_settings());
        if let Some((number, difference)) = found.first() {
            let (_, seed) = chosen.iter().find(|(other, _)| other == number).unwrap();
            panic!("program {number}: {difference}\n{}", FsCase::of(*seed).text);
        }
    }
}

#[test]
fn campaigns_find_nothing_on_the_interpreter() {
    no_difference_on(Engine::Interp, programs() / 3);
}

#[test]
fn campaigns_find_nothing_on_the_direct_evaluator() {
    no_difference_on(Engine::Hybrid, programs() / 3);
}

#[test]
fn campaigns_find_nothing_in_compiled_code() {
    no_difference_on(Engine::Native, programs() / 60);
}

/// Campaigns find each kind of difference that they look for.
#[test]
fn campaigns_find_differences() {
    let look = |text: &str, sort| {
        let case = FsCase { text: text.to_owned(), sort };
        let found = campaign::differences(&[case], Engine::Interp, &fast_build_settings()).pop().flatten();
        found.map(|difference| difference.lines().next().unwrap_or_default().to_owned())
    };
    let forms = Sort::Forms { pairs: 1 };
    let same = "diff (fun x -> x * x) 2.0\njvp (fun x -> x * x) 2.0 1.0\n";
    assert_eq!(look(same, forms), None);
    let other = "diff (fun x -> x * x) 2.0\njvp (fun x -> x * x) 2.0 1.5\n";
    assert_eq!(look(other, forms).as_deref(), Some("a derivative is not that of jvp"));
    assert_eq!(look("1 + true\n", Sort::Plain).as_deref(), Some("it is refused"));
    assert_eq!(look("1 + true\n", Sort::Damaged), None);
}
