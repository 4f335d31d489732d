//! Step limits: a program that takes n steps finishes under the limit n and fails under every smaller one, having taken
//! just that many and printed a part of its output. So stopping is exact at every step, whatever an engine evaluates in
//! one go; and where it stops moves from node to node as the steps are counted.

use rstest::rstest;
use vlad_conformance::engine::Engine;
use vlad_conformance::observe::{Observation, Setting, observe};
use vlad_shared::diagnostic::Kind;
use vlad_shared::load::Input;
use vlad_shared::run::Limits;

fn observe_within(engine: Engine, program: &str, steps: Option<u64>) -> Observation {
    let limits = Limits { steps, ..Limits::default() };
    let program = Input::Text { name: "program".to_owned(), bytes: program.as_bytes().to_vec(), folder: None };
    observe(engine, program, &Setting { limits, ..Setting::default() })
}

#[rstest]
#[case::calls("(define (f n) (if (= n 0) 0 (+ n (f (- n 1))))) (f 5) (f 7)")]
#[case::loops("(let loop ((i 5) (l ())) (if (= i 0) l (loop (- i 1) (cons (* i i) l))))")]
#[case::binding("(let* ((x 1) (y (+ x 1)) ((cons a b) (cons y x))) (list a b (or (< a b) (and x y))))")]
#[case::data("(list (cons 1 2) (+ (* 1 2) (- 3 4)) '(1 2 3) (cond ((= 1 2) 3) (else (car (cons 4 5)))))")]
#[case::effects("(write (+ (write 1) (write-real 2))) (write (list (write 3)))")]
#[case::groups(
    "(letrec ((e? (lambda (n) (if (= n 0) #t (o? (- n 1))))) (o? (lambda (n) (if (= n 0) #f (e? (- n 1)))))) (e? 5))"
)]
#[case::prelude("(map (lambda (x) (* x x)) (iota 4)) (reduce + 0 (list 1 2 3))")]
#[case::forward("(j* (lambda (x) (write (* x (sin x)))) 2 1) (cdr (j* (lambda (x) (cdr (j* exp x 1))) 0 1))")]
#[case::reverse("(*j (lambda (x) (let ((y (* x x))) (write y))) 3 1) (*j (lambda (x) (cdr (j* exp x 1))) 0 1)")]
#[case::choices("(if-procedure (< 1 2) (lambda () (write 3)) (lambda () 4)) ((if #f car cdr) (cons 5 6))")]
fn limits_stop_at_every_step(#[case] program: &str) {
    for engine in Engine::ALL {
        let whole = observe_within(engine, program, None);
        assert!(whole.diagnostics.is_empty(), "{}", whole.rendered());
        let total = whole.steps.unwrap();
        let enough = observe_within(engine, program, Some(total));
        assert!(enough.diagnostics.is_empty(), "{engine}, {program}: {total} steps are enough\n{}", enough.rendered());
        assert_eq!((&enough.output, enough.steps), (&whole.output, Some(total)));
        for limit in 0..total {
            let part = observe_within(engine, program, Some(limit));
            let kinds: Vec<Kind> = part.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect();
            assert_eq!(kinds, [Kind::Steps], "{engine}, {program}: the limit {limit} of {total}");
            assert_eq!(part.steps, Some(limit), "{engine}, {program}");
            assert!(whole.output.starts_with(&part.output), "{engine}, {program}: the limit {limit}");
            assert!(part.diagnostics[0].span.is_some(), "{engine}, {program}: the limit {limit} stops at a node");
        }
    }
}
