//! The count and the limit: a program that takes N steps fails at every limit below N, exactly there, and prints on the
//! way what it prints without a limit. Blocks near the limit go node by node; this shows that they count alike.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use vlad_shared::core::Program;
use vlad_shared::diagnostic::Kind;
use vlad_shared::load::{self, Input, Options};
use vlad_shared::print::Notation;
use vlad_shared::run::{Limits, Outcome, Report, StreamHost};

const PROGRAM: &str = "
(define (square x) (* x x))
(define (fold f x l) (if (null? l) x (fold f (f x (car l)) (cdr l))))
(define constants '(1 2 (3 . #t)))
(write (+ 1 (if (< 1 2) (* 2 (square 3)) 4)))
(let* ((a (list 1 2 3)) (b (cons 0 a)) ((cons c d) b))
  (letrec ((even? (lambda (n) (if (zero? n) #t (odd? (- n 1)))))
           (odd? (lambda (n) (if (zero? n) #f (even? (- n 1))))))
    (list (even? 4) (odd? c) (fold + 0 d) (map square b))))
(j* (lambda (x) (* x (cdr (*j (lambda (y) (+ x (square (exp y)))) x 1)))) 0.5 1)
(*j (lambda ((list x f)) (f (* x x))) (list 3 (let ((k 2)) (lambda (y) (* k y)))) 1)
(if-procedure #f square (lambda () (or #f (and 1 (write-real 7)))))
";

fn run(program: &Program, steps: Option<u64>) -> (Report, String) {
    let mut host = StreamHost::new(&b""[..], Vec::new(), Notation::WithBits);
    let report = vlad_hybrid::run(program, &mut host, &Limits { steps, ..Limits::default() });
    (report, String::from_utf8(host.into_output()).unwrap())
}

#[test]
fn every_limit_below_the_count_stops_exactly_there() {
    let input = Input::Text { name: "limits".into(), bytes: PROGRAM.into(), folder: None };
    let program = load::load(input, &Options { include_folders: vec![] }).unwrap();
    let (whole, output) = run(&program, None);
    assert!(matches!(whole.outcome, Outcome::Finished), "{:?}", whole.outcome);
    assert!(whole.steps > 300);
    for limit in 0..whole.steps {
        let (cut, printed) = run(&program, Some(limit));
        assert_eq!(cut.steps, limit);
        assert!(output.starts_with(&printed));
        let mut specified = StreamHost::new(&b""[..], Vec::new(), Notation::WithBits);
        let specification =
            vlad_interp::run(&program, &mut specified, &Limits { steps: Some(limit), ..Limits::default() });
        match (cut.outcome, specification.outcome) {
            (Outcome::Failed(diagnostic), Outcome::Failed(expected)) => {
                assert_eq!(diagnostic.kind, Kind::Steps);
                assert_eq!(format!("{diagnostic:?}"), format!("{expected:?}"), "at the limit {limit}");
            }
            outcomes => panic!("at the limit {limit} of {}: {outcomes:?}", whole.steps),
        }
    }
    let (enough, printed) = run(&program, Some(whole.steps));
    assert!(matches!(enough.outcome, Outcome::Finished));
    assert_eq!((enough.steps, printed), (whole.steps, output));
}
