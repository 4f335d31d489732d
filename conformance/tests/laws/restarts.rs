//! Tests that a run that is given up at some step and restarted on another engine behaves like an uninterrupted run:
//! each line is written once, each number read once, and output, errors and steps are the same.

use crate::runs::loaded;
use rstest::rstest;
use vlad_conformance::fast_build::fast_build_settings;
use vlad_conformance::random::program::generate;
use vlad_conformance::random::{Case, GeneratorOptions};
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::restart::Restartable;
use vlad_shared::runtime::run::{Host, Limits, Outcome, StreamHost};
use vlad_shared::table::number::Notation;

/// A program that reads and writes in definitions, in expressions, and in loops.
const EVERYWHERE: &str = "(define (say x) (write x) x)
    (define a (say (read-real)))
    (define (square x) (* x x))
    (say (cons a square))
    (define b (square (say (+ a (read-real)))))
    (list a b)
    (define (sum n s) (if (zero? n) s (sum (- n 1) (+ s (say (read-real))))))
    (sum 4 0)
    (write-real (read-real))
    (define last (sum 2 b))
    (list last (list #t '() #(1 2)))";

/// A program with effects inside operators, which execute some of them again.
const OPERATORS: &str = "(define (f x) (write x) (* x (read-real)))
    (j* f (read-real) 1)
    (define ((twice f) x) (f (f x)))
    (*j (twice f) 3 1)
    (define pair (checkpoint-*j (twice (twice f)) 2 1))
    pair
    (define back (cdr ((*j f) (*j 5))))
    (back 1)
    (write (interrupt f 4 2))
    (resume (interrupt f 3 2))
    (primops f 1)";

/// A program whose input ends after other effects.
const FAILING: &str = "(define a (read-real)) (write a) (define (f n) (write n) (+ (read-real) (f (+ n 1)))) a (f 1)";

/// A program with an error of its own.
const WRONG: &str = "(define a (read-real)) (write (list a '())) (car (cdr (list (write 1) (car a))))";

/// Runs a program that is given up on each of some engines after so many steps, and restarted on the next; the last
/// engine runs it to the end. Returns the output, the outcome, the steps, and the rest of the input.
fn restarted(program: &Program, input: &str, cuts: &[(&Ready, u64)], last: &Ready) -> (String, String, u64, String) {
    let mut rest = input.as_bytes();
    let mut host = StreamHost::new(&mut rest, Vec::new(), Notation::WithBits);
    let may_restart = || true;
    let mut run = Restartable::new(&mut host, &may_restart);
    let to = |ready: &Ready, steps, run: &mut Restartable<'_>| {
        ready.run(Task { program, limits: &Limits { steps, ..Limits::default() } }, run as &mut dyn Host)
    };
    let mut report = None;
    for (ready, steps) in cuts {
        let so_far = to(ready, Some(*steps), &mut run);
        match &so_far.outcome {
            Outcome::Failed(diagnostic) if diagnostic.kind == Kind::Steps => {
                run.restart();
            }
            Outcome::Finished | Outcome::Failed(_) | Outcome::OutputClosed | Outcome::Stopped => {
                report = Some(so_far);
                break;
            }
        }
    }
    let report = report.unwrap_or_else(|| to(last, None, &mut run));
    let outcome = match report.outcome {
        Outcome::Failed(diagnostic) => format!("{diagnostic:?}"),
        Outcome::Finished | Outcome::OutputClosed | Outcome::Stopped => "finished".to_owned(),
    };
    let output = String::from_utf8(host.into_output()).unwrap();
    (output, outcome, report.steps, String::from_utf8(rest.to_vec()).unwrap())
}

/// Programs that an engine makes ready in one batch.
fn ready(engine: Engine, programs: &[&Program]) -> Vec<Ready> {
    // The code for a step limit has a stop point at every step.
    let limits = Limits { steps: Some(0), ..Limits::default() };
    let tasks: Vec<Task<'_>> = programs.iter().map(|program| Task { program, limits: &limits }).collect();
    engine.make_ready(&tasks, &fast_build_settings()).unwrap()
}

#[rstest]
#[case::everywhere(EVERYWHERE)]
#[case::operators(OPERATORS)]
#[case::failing(FAILING)]
#[case::wrong(WRONG)]
fn runs_can_be_restarted_at_any_step(#[case] text: &str) {
    let program = loaded(text);
    let input = if text == FAILING { "1 2 3".to_owned() } else { (1..60).map(|n| format!("{n}.5\n")).collect() };
    let [interp, hybrid, native] = Engine::ALL.map(|engine| ready(engine, &[&program]).remove(0));
    let plain = restarted(&program, &input, &[], &interp);
    let steps = plain.2;
    assert!(steps > 10, "{plain:?}");
    for cut in 0..=steps {
        for (first, second) in [(&hybrid, &native), (&native, &interp), (&interp, &hybrid)] {
            assert_eq!(restarted(&program, &input, &[(first, cut)], second), plain, "given up at {cut}");
        }
        // Several restarts, also at steps before the ones where the run was given up earlier.
        let again = [cut / 2, cut, steps - cut, steps - cut / 2];
        let engines = [&hybrid, &interp, &native, &hybrid];
        let cuts: Vec<(&Ready, u64)> = engines.into_iter().zip(again).collect();
        assert_eq!(restarted(&program, &input, &cuts, &native), plain, "given up at {again:?}");
    }
}

/// Tests the same with random programs, each given up once, at a random step.
fn random_programs(first_seed: u64, count: usize, engines: [Engine; 2]) {
    let generated =
        (first_seed..).map(|seed| generate(seed, GeneratorOptions::default())).filter(|case| case.limit.is_ample());
    // The texts that are no programs are left out.
    let loads = |case: Case| {
        let input = Input::Text { name: "program".to_owned(), bytes: case.bytes(), folder: None };
        load(input, &Options::default()).ok().map(|program| (case, program))
    };
    let (cases, programs): (Vec<Case>, Vec<Program>) = generated.filter_map(loads).take(count).unzip();
    let references: Vec<&Program> = programs.iter().collect();
    let [first, second] = engines.map(|engine| ready(engine, &references));
    let mut restarts = 0;
    for (place, (((case, program), first), second)) in (1..).zip(cases.iter().zip(&programs).zip(&first).zip(&second)) {
        let input = case.input_text();
        // Long programs are left out.
        let most = Limits { steps: Some(60_000), ..Limits::default() };
        let mut host = StreamHost::new(input.as_bytes(), Vec::new(), Notation::WithBits);
        let report = Ready::Hybrid.run(Task { program, limits: &most }, &mut host);
        if matches!(&report.outcome, Outcome::Failed(diagnostic) if diagnostic.kind == Kind::Steps) {
            continue;
        }
        // Multiples of an odd number are spread over all remainders.
        let cut = place * 2_654_435_761 % (report.steps + 1);
        let plain = restarted(program, &input, &[], &Ready::Hybrid);
        assert_eq!(restarted(program, &input, &[(first, cut)], second), plain, "given up at {cut}:\n{}", case.text());
        restarts += 1;
    }
    assert!(restarts * 2 > count, "{restarts} of {count} programs end");
}

#[rstest]
#[case::as_auto_does(5000, 150, [Engine::Hybrid, Engine::Native])]
#[case::the_other_way(6000, 150, [Engine::Native, Engine::Interp])]
#[case::without_compiling(7000, 3000, [Engine::Interp, Engine::Hybrid])]
fn random_programs_can_be_restarted(#[case] seed: u64, #[case] count: usize, #[case] engines: [Engine; 2]) {
    random_programs(seed, count, engines);
}
