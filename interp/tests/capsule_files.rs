//! Runs that are suspended, written to files, read back and continued; the result must be the same as without.

// Lints recognise tests by their attribute; the helpers here belong to tests as well.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use fastrand::Rng;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use vlad_core::Program;
use vlad_core::source::KeptSources;
use vlad_frontend::languages::Languages;
use vlad_frontend::load::{Input, Options, load, load_kept};
use vlad_interp::{run, run_part};
use vlad_runtime::run::{Limits, Outcome, Report, StreamHost};
use vlad_runtime::suspended::{PartEnd, PartRequest, Suspended};
use vlad_snapshot::capsule_file::{self, Refusal};
use vlad_table::number::Notation;

const INPUT: &str = "1 2.5 -3 4 5 6 7 8";

fn program(text: &str) -> Program {
    let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
    load(input, &Options::default()).unwrap()
}

fn host() -> StreamHost<Cursor<&'static str>, Vec<u8>> {
    StreamHost::new(Cursor::new(INPUT), Vec::new(), Notation::WithBits)
}

fn limits() -> Limits {
    Limits { steps: Some(30_000), ..Limits::default() }
}

/// The observable result of a run.
fn conduct(report: Report, output: Vec<u8>) -> (String, u64, String) {
    let outcome = match report.outcome {
        Outcome::Finished | Outcome::Stopped => String::new(),
        Outcome::OutputClosed => "closed".to_owned(),
        Outcome::Failed(diagnostic) => format!("{diagnostic:?}"),
    };
    (String::from_utf8(output).unwrap(), report.steps, outcome)
}

/// Loads the texts of a capsule file.
fn kept(sources: KeptSources) -> Option<Program> {
    load_kept(sources, Languages::default())
}

fn file_of(program: &Program, suspended: &Suspended) -> Vec<u8> {
    let mut file = Vec::new();
    capsule_file::write(program, suspended, &mut file).unwrap();
    file
}

/// Runs a program up to a step, and returns the file of the suspended run; none if the run ends before.
fn suspend(program: &Program, until: u64) -> Option<Vec<u8>> {
    match run_part(program, &mut host(), &limits(), PartRequest { until: Some(until), ..PartRequest::default() }) {
        PartEnd::Suspended(suspended) => Some(file_of(program, &suspended)),
        PartEnd::Ended(_) => None,
    }
}

/// Runs a program, writing and reading a file after every `every` steps.
fn run_in_pieces(program: &Program, every: u64) -> (String, u64, String) {
    let mut host = host();
    let mut part = PartRequest { until: Some(every), ..PartRequest::default() };
    let (mut own, mut last);
    let mut program = program;
    loop {
        match run_part(program, &mut host, &limits(), part) {
            PartEnd::Ended(report) => return conduct(report, host.into_output()),
            PartEnd::Suspended(suspended) => {
                let file = file_of(program, &suspended);
                let opened = capsule_file::open(&file).unwrap();
                own = opened.program(kept).unwrap();
                last = opened.suspended(&own).unwrap();
                assert_eq!(
                    (last.steps, &last.point_stack.points.len()),
                    (suspended.steps, &suspended.point_stack.points.len())
                );
                // Parts that only the engine shared are not shared any more; after this first round trip nothing
                // changes.
                let again = file_of(&own, &last);
                let third = capsule_file::open(&again).unwrap().suspended(&own).unwrap();
                assert!(
                    again.len() <= file.len() && file_of(&own, &third) == again,
                    "what is read is written as it was"
                );
                part = PartRequest { until: Some(last.steps + every), from: Some(last), ..PartRequest::default() };
                program = &own;
            }
        }
    }
}

/// The steps of a piece.
const PIECES: [u64; 8] = [1, 2, 3, 5, 17, 100, 1000, 7919];

/// Asserts that a program does the same in one piece and in at most `most_pieces` pieces of each of these sizes.
fn check(program: &Program, sizes: impl IntoIterator<Item = u64>, most_pieces: u64, what: &str) {
    let mut whole_host = host();
    let report = run(program, &mut whole_host, &limits());
    let steps = report.steps;
    let whole = conduct(report, whole_host.into_output());
    for every in sizes {
        if every <= steps && steps / every < most_pieces {
            assert_eq!(run_in_pieces(program, every), whole, "{what} every {every} steps");
        }
    }
}

const PROGRAMS: [&str; 16] = [
    "(+ 1 (* 2 3)) (define x (sqrt 2)) (cons x x)",
    "(define (f n) (if (= n 0) '() (cons n (f (- n 1))))) (f 10) (equal? (f 3) (list 3 2 1))",
    "(define (f n) (if (= n 0) 0 (+ (* n n) (f (- n 1))))) (define y (f 12)) (write y) (f y)",
    "(let loop ((n 20) (l '())) (if (= n 0) l (loop (- n 1) (cons (lambda (x) (+ x n)) l))))",
    "(letrec ((even (lambda (n) (if (= n 0) #t (odd (- n 1))))) (odd (lambda (n) (if (= n 0) #f (even (- n 1))))))
       (cons (even 11) (cons (odd 11) even)))",
    "(map (lambda (x) (let ((y (* x x))) (+ y (read-real)))) (list 1 2 3)) (map car (list (cons 1 2) 5))",
    "(define (twice f) (lambda (x) (f (f x)))) (((twice twice) (lambda (x) (+ 1 (* 3 x)))) 2) (cons twice sin)",
    "(define (f x) (let* ((a (sin x)) (b (exp a)) ((cons c d) (cons b (+ a b)))) (* c (- d (sqrt x)))))
     (j* f 2 1) (*j f 2 1) (j* (lambda (x) (*j f x 1)) 3 1) (+ 1 (cdr (*j f (f 1) 1)))",
    "(define (f x) (if (> x 100) x (f (* x 1.5)))) (define z (interrupt f 1 30)) (write z) (resume z) (resume z)
     (define y (cons z z)) (equal? (car y) (cdr y)) (j* (lambda (z) (resume z)) z (zero z)) (define q (interrupt resume z 10))
     (resume q) (equal? (resume z) (resume (interrupt (lambda (z) (resume z)) z 7)))",
    "(define (f x) (if (> x 100) x (f (* x 1.5)))) (checkpoint-*j f 1 1) (primops f 1) (car 5)",
    "(define (go l) (if (null? l) 0 (+ (car l) (go (cdr l))))) (define l (list 1 2 3 4 5 #f)) (go l)",
    "(define (f l) (reduce + 0 l)) (f (list 1 2 3)) (define (g (cons a b)) (if (> a b) (g (cons b a)) (list a b))) (g 2 1)",
    "(define (f x) (* x (sin (+ x (read-real))))) (define b (bundle 2 (perturb 1))) (define p ((*j f) (*j 2)))
     (tangent ((j* sin) b)) ((cdr p) 1) (define q (list (j* sin) (perturb p) (sensitize b) (cdr p) (cdr p) b (*j b)))
     (map forward? q) ((cdr p) 10) (unsensitize ((cdr p) (sensitize 2))) (equal? (cdr p) (car (cdr (cdr (cdr q))))) q
     (tangent ((j* (lambda (k) (cdr ((cdr ((*j f) (*j k))) 1)))) b)) (+ 1 (cdr ((cdr p) 3)))",
    "(define (g x) (let ((p ((*j sin) (*j x))) (b ((j* exp) (bundle x 1))))
                     (* (*j-inverse (car p)) (+ (tangent b) (cdr ((cdr p) x))))))
     (define z (interrupt g 2 19)) (resume z) (*j g 2 1) (*j (lambda (x) (resume (interrupt g x 19))) 2 1) (j* z z z)",
    "(define v (build 4 (lambda (i) (* i 1.5)))) (define m (build 2 (lambda (i) (build 2 (lambda (j) (cons v i))))))
     (define (f x) (ifold (lambda (s i) (vector-set (vector-push s (* x i)) i (get v i))) (list->vector (list x #t)) 3))
     (f 2) (define z (interrupt f 2 25)) (resume z) (equal? m (list->vector (vector->list m))) (f (get v 3)) (get m 5)",
    "(define (f x) (get (build 3 (lambda (i) (ifold (lambda (s j) (* s (+ x j))) x i))) 2)) (define z (interrupt f 2 30))
     (define y (list->vector (list z z (list->vector (list z #f))))) (resume (get y 1)) (*j f 2 1) (j* resume z (zero z))
     (equal? (get y 0) (get (get y 2) 0)) (define q (interrupt resume z 3)) (resume q) (checkpoint-*j f 2 1)",
];

#[test]
fn pieces_are_the_whole() {
    for text in PROGRAMS {
        let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
        match load(input, &Options::default()) {
            Ok(program) => check(&program, PIECES, 500, text),
            Err(failure) => panic!("{text}: {:?}", failure.diagnostics),
        }
    }
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

#[test]
fn the_corpus_runs_in_pieces() {
    let mut found = Vec::new();
    programs_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/corpus"), &mut found);
    found.sort();
    let (next, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let run = |place: usize, path: &Path| {
        // Cases about limits of time and memory would run forever without these limits.
        let text = fs::read_to_string(path).unwrap_or_default();
        if text.contains(";; limit: time") && !text.contains(";; limit: time 100") || text.contains(";; limit: memory")
        {
            return;
        }
        if let Ok(program) = load(Input::Path(path.to_owned()), &Options::default()) {
            // Each program has every other size.
            check(&program, PIECES.into_iter().skip(place % 2).step_by(2), 40, &path.display().to_string());
            ran.fetch_add(1, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((place, path)) = found.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
                    run(place, path);
                }
            });
        }
    });
    let ran = ran.into_inner();
    assert!(ran > 100, "{ran} programs");
}

/// Reads a file and continues the run for a while, unless the file is refused.
fn use_file(file: &[u8]) -> Result<(), Refusal> {
    let opened = capsule_file::open(file)?;
    let program = opened.program(kept)?;
    let suspended = opened.suspended(&program)?;
    let limits = Limits { steps: Some(suspended.steps.saturating_add(2000)), ..Limits::default() };
    let again = file_of(&program, &suspended);
    assert!(capsule_file::open(&again).unwrap().suspended(&program).is_ok());
    let end = run_part(&program, &mut host(), &limits, PartRequest { from: Some(suspended), ..PartRequest::default() });
    assert!(matches!(end, PartEnd::Ended(_)));
    Ok(())
}

fn with_checksum(bytes: &[u8]) -> Vec<u8> {
    let mut file = bytes.to_vec();
    file.extend_from_slice(&Sha256::digest(bytes));
    file
}

/// Files of several kinds of states.
fn files() -> Vec<Vec<u8>> {
    let texts = [
        (PROGRAMS[1], 60),
        (PROGRAMS[4], 40),
        (PROGRAMS[5], 70),
        (PROGRAMS[8], 400),
        (
            "(define z (interrupt (lambda (x) (cons (sin x) (+ x 1))) 2 4)) (define y (list z (cdr (list 1 z #t)) z)) (map resume y) (map resume y) 1 2",
            60,
        ),
    ];
    texts
        .iter()
        .map(|(text, until)| suspend(&program(text), *until).unwrap_or_else(|| panic!("{text} is short")))
        .collect()
}

#[test]
fn damage_is_refused() {
    for file in files() {
        assert_eq!(use_file(&file), Ok(()));
        for at in 0..file.len() {
            for change in [0x01, 0x80, 0xFF] {
                let mut damaged = file.clone();
                damaged[at] ^= change;
                assert!(use_file(&damaged).is_err(), "byte {at}");
            }
            assert!(use_file(&file[..at]).is_err(), "the first {at} bytes");
        }
        assert!(use_file(&[file.as_slice(), b"\0"].concat()).is_err());
        let contents = &file[..file.len() - 32];
        assert_eq!(use_file(&with_checksum(contents)), Ok(()));
        assert!(use_file(&with_checksum(&[contents, b"\0"].concat())).is_err(), "what comes behind the end");
        assert!(use_file(&file[1..]).is_err());
    }
}

/// With a correct checksum the structure itself must be refused, or the run must continue without harm.
#[test]
fn what_is_forged_does_no_harm() {
    let mut random = Rng::with_seed(1);
    let mut accepted = 0;
    for file in files() {
        let body = &file[..file.len() - 32];
        // The part before is the same in all files, except for the program's text.
        let from = body.len() - body.len().min(400);
        for at in from..body.len() {
            for byte in
                [0, 1, 2, 5, 7, 8, 9, 10, 11, 12, 13, 14, 0x7F, 0x80, 0xFF, body[at] ^ 1, body[at].wrapping_add(1)]
            {
                let mut forged = body.to_vec();
                forged[at] = byte;
                accepted += usize::from(use_file(&with_checksum(&forged)).is_ok());
            }
            assert!(use_file(&with_checksum(&body[..at])).is_err());
        }
        for _ in 0..2000 {
            let mut forged = body.to_vec();
            for _ in 0..=random.usize(..3) {
                let at = from + random.usize(..body.len() - from);
                match random.usize(..3) {
                    0 => forged[at.min(body.len() - 1)] = random.u8(..),
                    1 => forged.insert(at.min(forged.len()), random.usize(..16) as u8),
                    _ => {
                        let (start, length) = (at.min(forged.len() - 1), 1 + random.usize(..8));
                        let piece: Vec<u8> = forged[start..].iter().take(length).copied().collect();
                        let place = from + random.usize(..forged.len() - from);
                        forged.splice(place..place, piece);
                    }
                }
            }
            accepted += usize::from(use_file(&with_checksum(&forged)).is_ok());
        }
    }
    // Some changes only replace one real by another.
    assert!(accepted > 100, "{accepted}");
}

#[test]
fn noise_is_refused() {
    let mut random = Rng::with_seed(2);
    let head = &files()[0][..9 + 32 + 13 * 8];
    for _ in 0..20_000 {
        let noise: Vec<u8> = (0..random.usize(..300)).map(|_| random.u8(..)).collect();
        assert!(use_file(&noise).is_err());
        assert!(use_file(&with_checksum(&[head, &noise].concat())).is_err());
    }
}

#[test]
fn versions_and_programs_are_told_apart() {
    let text = PROGRAMS[1];
    let file = suspend(&program(text), 60).unwrap();
    let mut newer = file.clone();
    newer[8] = capsule_file::VERSION as u8 + 1;
    let other = Refusal::OtherVersion(capsule_file::VERSION + 1);
    assert_eq!(capsule_file::open(&newer).unwrap_err(), other);
    assert_eq!(capsule_file::open(b"(+ 1 2)").unwrap_err(), Refusal::Foreign);
    assert_eq!(capsule_file::open(b"").unwrap_err(), Refusal::Foreign);
    let opened = capsule_file::open(&file).unwrap();
    // The same core with other names and another layout, then another core.
    let renamed = text.replace("(f ", "(factors ").replace(") (", ")\n;; again\n (");
    assert!(opened.suspended(&program(&renamed)).is_ok());
    // Changes a constant, or the meaning of a name.
    for (old, new) in [("(- n 1)", "(- n 2)"), ("(- n 1)", "(+ n 1)"), ("(f 10)", "(- 10)")] {
        let other = text.replace(old, new);
        assert_eq!(opened.suspended(&program(&other)).unwrap_err(), Refusal::OtherProgram, "{other}");
    }
    let mut foreign = file[..file.len() - 32].to_vec();
    foreign[9] ^= 1;
    let foreign = with_checksum(&foreign);
    assert_eq!(capsule_file::open(&foreign).unwrap().program(kept).unwrap_err(), Refusal::OtherMeaning);
}

/// A deep computation and deep values: writing, reading and freeing take constant host stack.
#[test]
fn depth_takes_no_stack() {
    let text = "(define (numbers n l) (if (= n 0) l (numbers (- n 1) (cons l n))))
                (define (wrap n f) (if (= n 0) f (wrap (- n 1) (lambda (x) (+ 1 (f x))))))
                (define l (numbers 200000 '())) (define f (wrap 100000 -))
                (define (sum n) (if (= n 0) (length (list l f)) (+ 1 (sum (- n 1))))) (sum 200000)";
    let program = program(text);
    let whole = Limits::default();
    let Report { steps, .. } = run(&program, &mut host(), &whole);
    let PartEnd::Suspended(suspended) = run_part(
        &program,
        &mut host(),
        &whole,
        PartRequest { until: Some(steps / 2 + steps / 5), ..PartRequest::default() },
    ) else {
        panic!("suspended")
    };
    let file = file_of(&program, &suspended);
    drop(suspended);
    let suspended = capsule_file::open(&file).unwrap().suspended(&program).unwrap();
    assert!(suspended.point_stack.points.len() > 1000);
    let mut host = host();
    let PartEnd::Ended(report) =
        run_part(&program, &mut host, &whole, PartRequest { from: Some(suspended), ..PartRequest::default() })
    else {
        panic!("ended")
    };
    assert_eq!(report.steps, steps);
    assert_eq!(host.into_output(), b"200002[41086a1000000000]\n");
}
