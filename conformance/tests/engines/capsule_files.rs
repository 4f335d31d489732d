//! Tests of runs that move between engines through files: an engine resumes the run of another, with no observable
//! difference.

use rstest::rstest;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use vlad_conformance::fast_build::fast_build_settings;
use vlad_conformance::random::GeneratorOptions;
use vlad_conformance::random::program::generate;
use vlad_conformance::random::suspension::through_a_file;
use vlad_engines::{Engine, Ready, Task};
use vlad_shared::core::Program;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::run::{Limits, Outcome, Report, StreamHost};
use vlad_shared::runtime::suspended::{PartEnd, PartRequest, Scope, Suspended};
use vlad_shared::snapshot::capsule_file;
use vlad_shared::table::number::Notation;

/// The step limit of each program.
const MOST_STEPS: u64 = 30_000;

fn limits() -> Limits {
    Limits { steps: Some(MOST_STEPS), ..Limits::default() }
}

/// The engines that need no C compiler, for tests with many programs.
const EVALUATORS: [Engine; 2] = [Engine::Interp, Engine::Hybrid];

/// A program with engines that run parts of it.
struct Trial {
    program: Program,
    limits: Limits,
    engines: Vec<(Engine, Ready)>,
    input: String,
    what: String,
}

/// The observable behaviour of a run: output, steps, and error.
type Behaviour = (String, u64, String);

impl Trial {
    /// A program from a text.
    fn of_text(text: String, engines: &[Engine]) -> Trial {
        let input = Input::Text { name: "program".to_owned(), bytes: text.clone().into_bytes(), folder: None };
        let program = load(input, &Options::default()).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
        Trial::all(vec![(program, String::new(), text)], engines).remove(0)
    }

    /// Programs with their inputs and descriptions, made ready in one batch.
    fn all(programs: Vec<(Program, String, String)>, engines: &[Engine]) -> Vec<Trial> {
        let limits = limits();
        let tasks: Vec<Task<'_>> = programs.iter().map(|(program, ..)| Task { program, limits: &limits }).collect();
        let ready: Vec<(Engine, Vec<Ready>)> = engines
            .iter()
            .map(|engine| (*engine, engine.make_ready_for(Scope::Part, &tasks, &fast_build_settings()).unwrap()))
            .collect();
        let mut ready: Vec<_> = ready.into_iter().map(|(engine, ready)| (engine, ready.into_iter())).collect();
        let trial = |(program, input, what)| {
            let engines = ready.iter_mut().map(|(engine, ready)| (*engine, ready.next().unwrap())).collect();
            Trial { program, limits, engines, input, what }
        };
        programs.into_iter().map(trial).collect()
    }

    fn task(&self) -> Task<'_> {
        Task { program: &self.program, limits: &self.limits }
    }

    fn host(&self) -> StreamHost<Cursor<String>, Vec<u8>> {
        StreamHost::new(Cursor::new(self.input.clone()), Vec::new(), Notation::WithBits)
    }

    fn whole(&self) -> Behaviour {
        let mut host = self.host();
        let report = self.engines[0].1.run(self.task(), &mut host);
        conduct(report, host.into_output())
    }

    /// Runs the program on one engine after the other, through a file each time that so many steps have been taken.
    fn in_pieces(&self, every: u64) -> Behaviour {
        let mut host = self.host();
        let mut part = PartRequest { until: Some(every), ..PartRequest::default() };
        let mut turns = self.engines.iter().cycle().skip((every % 3) as usize);
        loop {
            let (engine, ready) = turns.next().unwrap();
            match ready.run_part(self.task(), &mut host, part) {
                PartEnd::Ended(report) => return conduct(report, host.into_output()),
                PartEnd::Suspended(suspended) => {
                    let again = self.through_a_file(&suspended, *engine);
                    part = PartRequest {
                        until: Some(suspended.steps + every),
                        from: Some(again),
                        ..PartRequest::default()
                    };
                }
            }
        }
    }

    /// Asserts that any engine resumes a run that any engine has begun, at each of the places.
    fn check_pairs(&self, places: &[u64]) {
        let whole = self.whole();
        for after in places.iter().filter(|after| **after < whole.1) {
            let mut steps = None;
            for (engine, begins) in &self.engines {
                for (other, goes_on) in &self.engines {
                    let mut host = self.host();
                    let part = PartRequest { until: Some(*after), ..PartRequest::default() };
                    let end = match begins.run_part(self.task(), &mut host, part) {
                        PartEnd::Suspended(suspended) => {
                            let steps = *steps.get_or_insert(suspended.steps);
                            assert_eq!(suspended.steps, steps, "{} on {engine} after {after}", self.what);
                            let from = self.through_a_file(&suspended, *engine);
                            goes_on.run_part(
                                self.task(),
                                &mut host,
                                PartRequest { from: Some(from), ..PartRequest::default() },
                            )
                        }
                        // The last step is inside an operator.
                        ended @ PartEnd::Ended(_) => ended,
                    };
                    let PartEnd::Ended(report) = end else { panic!("{}: no end is asked for", self.what) };
                    let what = format!("{} after {after} on {engine}, then {other}", self.what);
                    assert_eq!(conduct(report, host.into_output()), whole, "{what}");
                }
            }
        }
    }

    fn through_a_file(&self, suspended: &Suspended, engine: Engine) -> Suspended {
        let read = through_a_file(&self.program, suspended);
        read.unwrap_or_else(|refusal| panic!("{} on {engine}: {refusal}", self.what))
    }

    /// Asserts that a run in pieces on alternating engines equals the whole run.
    fn check(&self, pieces: u64, everies: &[u64]) {
        let whole = self.whole();
        for every in everies {
            if *every <= whole.1 && whole.1 / every < pieces {
                assert_eq!(self.in_pieces(*every), whole, "{} every {every} steps", self.what);
            }
        }
    }
}

fn conduct(report: Report, output: Vec<u8>) -> Behaviour {
    let outcome = match report.outcome {
        Outcome::Finished | Outcome::Stopped => String::new(),
        Outcome::OutputClosed => "closed".to_owned(),
        Outcome::Failed(diagnostic) => format!("{diagnostic:?}"),
    };
    (String::from_utf8(output).unwrap(), report.steps, outcome)
}

fn programs_in(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            programs_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "vlad") {
            found.push(path);
        }
    }
}

/// The programs of the corpus that end without limits of time and memory, with their input and path.
fn corpus() -> Vec<(Program, String, String)> {
    let mut found = Vec::new();
    programs_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"), &mut found);
    found.sort();
    let program = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_default();
        // Cases about limits of time and memory run forever without them.
        if text.contains(";; limit: time") && !text.contains(";; limit: time 100") || text.contains(";; limit: memory")
        {
            return None;
        }
        let program = load(Input::Path(path.clone()), &Options::default()).ok()?;
        Some((program, "1 2.5 -3 4 5 6 7 8".to_owned(), path.display().to_string()))
    };
    found.into_iter().filter_map(program).collect()
}

/// The share of programs that each of two tests has evaluators run, one in so many; `VLAD_CAPSULE_PLACE` takes others.
const EVALUATED: usize = 16;

#[rstest]
fn the_corpus_goes_from_engine_to_engine(#[values(0, EVALUATED / 2)] first: usize) {
    let place: usize = std::env::var("VLAD_CAPSULE_PLACE").ok().and_then(|place| place.parse().ok()).unwrap_or(0);
    let programs: Vec<_> = corpus().into_iter().skip(place + first).step_by(EVALUATED).collect();
    let trials = Trial::all(programs, &EVALUATORS);
    trials.iter().for_each(|trial| trial.check(60, &[1, 2, 3, 5, 17, 101, 1009, 7919]));
    assert!(trials.len() > 50, "{} programs", trials.len());
}

/// The share of programs that are compiled, one in so many: compiling all of them would take long.
const COMPILED: usize = 32;

#[test]
fn compiled_programs_of_the_corpus_go_from_engine_to_engine() {
    let place = std::env::var("VLAD_CAPSULE_PLACE").ok().and_then(|place| place.parse().ok()).unwrap_or(0);
    let programs: Vec<_> = corpus().into_iter().skip(place).step_by(COMPILED).collect();
    for trial in Trial::all(programs, &Engine::ALL) {
        trial.check(60, &[1, 2, 3, 5, 17, 101, 1009, 7919]);
        trial.check_pairs(&[0, 1, 2, 3, 4, 7, 11, 20, 33, 50, 77, 100, 150, 210, 400, 999, 2500, 9000]);
    }
}

fn random_programs(seeds: impl Iterator<Item = u64>) -> Vec<(Program, String, String)> {
    let program = |seed| {
        let case = generate(seed, GeneratorOptions::default());
        let input = Input::Text { name: "program".to_owned(), bytes: case.text().into_bytes(), folder: None };
        let program = load(input, &Options::default()).ok()?;
        Some((program, case.input_text(), format!("seed {seed}: {}", case.text())))
    };
    seeds.filter_map(program).collect()
}

#[test]
fn random_programs_go_from_engine_to_engine() {
    let cases = std::env::var("VLAD_CAPSULE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(100);
    for trial in Trial::all(random_programs(0..cases), &EVALUATORS) {
        trial.check(300, &[1, 2, 7, 31, 313]);
    }
    for trial in Trial::all(random_programs(0..cases / 10), &Engine::ALL) {
        trial.check(300, &[1, 2, 7, 31, 313]);
        trial.check_pairs(&[0, 1, 5, 18, 40, 90, 200, 500]);
    }
}

/// Loops of the prelude, when resumed, know by which call of the program they were entered, also for their faults.
#[test]
fn loops_of_the_prelude_go_from_engine_to_engine() {
    for text in
        ["(list (length '(1 2 3)) (length '(1 2)))", "(cons 1 (length '(1 2 . 3)))", "(cons 1 (list-ref '(5 6) 4))"]
    {
        let trial = Trial::of_text(text.to_owned(), &Engine::ALL);
        trial.check(300, &[1, 2, 3, 5, 7]);
        trial.check_pairs(&[0, 3, 7, 11, 13, 17, 19, 23]);
    }
}

/// Tests expressions with many pending values at once, among them procedures with known code.
#[test]
fn what_is_packed_goes_from_engine_to_engine() {
    let calls: String = (0..120).map(|number| format!("(f {number}) ")).collect();
    let bindings: String =
        (0..60).map(|number| format!("(a{number} (f {number})) (g{number} (lambda (x) (+ x {number}))) ")).collect();
    let sums: String = (0..60).map(|number| format!("(g{number} (f a{number})) ")).collect();
    for text in [
        format!("(define (f x) (if (> x 50) (+ x 1) (* x 2))) (list {calls})"),
        format!("(define (f x) (if (> x 50) (+ x 1) (* x 2))) (let* ({bindings}) (list {sums}))"),
        format!("(define (f x) (if (> x 50) (+ x 1) (* x 2))) (define (h s y) (let* ({bindings}) (+ (s y) (f y) (apply-all s y (list {sums})))))
                 (define (apply-all s y l) (if (null? l) (s y) (+ (s (car l)) (apply-all s y (cdr l))))) (h (lambda (x) (* x x)) 2)"),
    ] {
        Trial::of_text(text.clone(), &EVALUATORS).check(3000, &[1, 7, 101]);
        Trial::of_text(text, &Engine::ALL).check(300, &[7, 101]);
    }
}

/// Tests that unused operands, locals and captures are left out of packed trees of which other leaves are used.
#[test]
fn what_is_packed_and_not_used_goes_from_engine_to_engine() {
    let bindings: String = (0..40).map(|number| format!("(a{number} (+ x {number})) ")).collect();
    for body in [
        "(let ((c ((lambda (unused) b) a0))) (+ c a1))",
        "(let* ((c (lambda (y) (let ((unused a0)) (+ y b)))) (unused a2)) (+ (c a1) (car (cdr (list a3 1)))))",
        "(if (< b 0) (h a0) (let (((cons one unused) (cons (h a1) a2))) (* one b)))",
    ] {
        let text = format!("(define (h x) (* 2 x)) (define (f x) (let* ({bindings}) (let ((b (h x))) {body}))) (f 1)");
        Trial::of_text(text.clone(), &EVALUATORS).check(3000, &[1, 7, 101]);
        Trial::of_text(text, &Engine::ALL).check(100, &[7, 101]);
    }
}

/// Tests values that are packed inside a branch and used after it, where they are not packed: locals, operands,
/// procedures with known code, and trees that are packed into others.
#[test]
fn what_is_packed_in_branches_goes_from_engine_to_engine() {
    let sums = |count: u32| (0..count).map(|number| format!("(a{number} (+ x {number})) ")).collect::<String>();
    let products =
        |name, count: u32| (0..count).map(|number| format!("({name}{number} (* x {number})) ")).collect::<String>();
    let adders: String = (0..30).map(|number| format!("(a{number} (lambda (y) (+ y {number}))) ")).collect();
    let calls: String = (1..27).map(|number| format!("(h {number}) ")).collect();
    // 2 + 4
    let branch = |count| format!("(if (< x 100) (let* ({}) (+ (h b1) (h b2))) 0)", products("b", count));
    // 2 + (2 + 4) + 2
    let nested = format!("(if (< x 50) (let* ({}) (+ (h c1) (h c2))) 0)", products("c", 30));
    let nested = format!("(if (< x 100) (let* ({}) (+ (h b1) (+ {nested} b2))) 0)", products("b", 10));
    for (body, expected) in [
        (format!("(let* ({}) (+ {} a0))", sums(30), branch(10)), "7[401c000000000000]\n"),
        (format!("(let* ({}) (+ {} a0))", sums(250), branch(30)), "7[401c000000000000]\n"),
        (format!("(let* ({}) (+ {nested} a0))", sums(30)), "11[4026000000000000]\n"),
        (format!("(let* ({adders}) (+ {} (a3 x)))", branch(10)), "10[4024000000000000]\n"),
        (format!("(car (list {calls} {}))", branch(10)), "2[4000000000000000]\n"),
    ] {
        let text = format!("(define (h x) (* 2 x)) (define (f x) {body}) (f 1)");
        let trial = Trial::of_text(text.clone(), &EVALUATORS);
        assert_eq!((trial.whole().0, trial.whole().2), (expected.to_owned(), String::new()), "{text}");
        trial.check(3000, &[1, 7, 101]);
        Trial::of_text(text, &Engine::ALL).check(100, &[7, 101]);
    }
}

/// Tests capsules in definitions, and capsules that pass through operators, groups, the prelude, and reading.
#[test]
fn what_definitions_hold_goes_from_engine_to_engine() {
    let text = "(define (sum n) (if (< n 1) (sin n) (+ (* n n) (sum (- n 1)))))
        (define start (read-real))
        (define z (interrupt (lambda (x) (map (lambda (y) (sum (* x y))) '(1 2 3))) start 60))
        (define both (cons z (list z (lambda (l) (map (lambda (x) (list x (resume z))) l)))))
        (define inner (interrupt (lambda (w) (cons (resume w) w)) z 30))
        (letrec ((even (lambda (n) (if (= n 0) #t (odd (- n 1))))) (odd (lambda (n) (if (= n 0) #f (even (- n 1))))))
          (list (even (* 4 (read-real))) (map odd '(1 2 3))))
        (resume z)
        (equal? (car both) (cadr both))
        ((caddr both) (list 1 (read-real)))
        (equal? z (interrupt (lambda (x) (map (lambda (y) (sum (* x y))) '(1 2 3))) start 60))
        (car (resume inner))
        (j* resume z z)
        (*j resume z '(1 2 3))
        (list (primops resume inner) (read-real))";
    let input = Input::Text { name: "program".to_owned(), bytes: text.into(), folder: None };
    let program = load(input, &Options::default()).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    let programs = vec![(program, "2 3 4.5 6".to_owned(), text.to_owned())];
    for trial in Trial::all(programs, &Engine::ALL) {
        assert_eq!(trial.whole().2, "");
        trial.check(400, &[7, 11, 100]);
        let places: Vec<u64> = (0..120).chain((120..3000).step_by(37)).collect();
        trial.check_pairs(&places);
    }
}

/// Tests a deep recursion, whose continuation has many frames.
#[test]
fn deep_recursion_goes_from_engine_to_engine() {
    let text = "(define (build n) (if (= n 0) '() (cons n (build (- n 1)))))
        (define (count l) (if (null? l) 0 (+ 1 (count (cdr l))))) (count (build 100000))";
    let input = Input::Text { name: "program".to_owned(), bytes: text.into(), folder: None };
    let program = load(input, &Options::default()).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    let limits = Limits::default();
    for trial in Trial::all(vec![(program, String::new(), text.to_owned())], &Engine::ALL) {
        let trial = Trial { limits, ..trial };
        assert_eq!(trial.whole().0, "100000[40f86a0000000000]\n");
        trial.check_pairs(&[900_000, 2_000_000]);
    }
}

/// Tests that files with structural damage and the right checksum are refused or resumed, and crash no engine.
#[test]
fn what_is_forged_does_no_harm_to_any_engine() {
    let texts = [
        ("(define (f s l) (if (null? l) (s 1) (+ (s (car l)) (f s (cdr l))))) (f (lambda (x) (* x x)) (list 1 2 3))", 70),
        ("(letrec ((even (lambda (n) (if (= n 0) #t (odd (- n 1))))) (odd (lambda (n) (if (= n 0) #f (even (- n 1))))))
           (let* ((g (lambda (x) (even x))) (h (lambda (y) (cons (g (+ y 1)) even)))) (list (g 4) (h 5) (odd 3))))", 60),
        ("(define ((f a) x) (let ((s (lambda (y) (+ a (* y x))))) (if (> x 50) (s x) (+ (s 1) ((f (s 2)) (+ x 7))))))
           (define z (interrupt (f 2) 3 60)) (resume z) (cons z (resume z))", 130),
    ];
    let mut accepted = 0;
    for (text, until) in texts {
        let trial = Trial::of_text(text.to_owned(), &Engine::ALL);
        for (_, ready) in &trial.engines {
            let end = ready.run_part(
                trial.task(),
                &mut trial.host(),
                PartRequest { until: Some(until), ..PartRequest::default() },
            );
            let PartEnd::Suspended(suspended) = end else { panic!("{text} is short") };
            let mut file = Vec::new();
            capsule_file::write(&trial.program, &suspended, &mut file).unwrap();
            file.truncate(file.len() - 32);
            // The part before is the hash, the program's text and the like.
            let from = 9 + 32 + 13 * 8 + 1 + 1 + "program".len() + 2 + text.len();
            for at in from..file.len() {
                for byte in
                    [0, 1, 2, 3, 6, 7, 8, 9, 13, 14, file[at] ^ 1, file[at].wrapping_add(1), file[at].wrapping_sub(1)]
                {
                    let mut forged = file.clone();
                    forged[at] = byte;
                    accepted += usize::from(trial.use_forged(&forged));
                }
            }
        }
    }
    assert!(accepted > 50, "{accepted}");
}

impl Trial {
    /// Resumes a file without its checksum on all engines, for some steps; returns true if the file was not refused.
    fn use_forged(&self, forged: &[u8]) -> bool {
        let mut file = forged.to_vec();
        file.extend_from_slice(&Sha256::digest(forged));
        let Ok(suspended) = capsule_file::open(&file).and_then(|opened| opened.suspended(&self.program)) else {
            return false;
        };
        let limits = Limits { steps: Some(suspended.steps.saturating_add(500)), ..Limits::default() };
        for (_, ready) in &self.engines {
            let task = Task { program: &self.program, limits: &limits };
            let part = PartRequest { from: Some(suspended.clone()), ..PartRequest::default() };
            assert!(matches!(ready.run_part(task, &mut self.host(), part), PartEnd::Ended(_)));
        }
        true
    }
}
