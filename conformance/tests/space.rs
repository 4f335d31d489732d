//! Tests that dead values are freed while calls are pending. The test is alone in its file: the bound is on the memory
//! of the process.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use vlad_conformance::observe::{RunConditions, observe};
use vlad_engines::Engine;
use vlad_shared::frontend::load::Input;
use vlad_shared::runtime::run::Limits;

/// At each of 200 pending calls a list of 10^4 elements has been made and is dead, as a local, a parameter or a
/// captured slot: 2 * 10^6 elements, some 80 MB, if any of them were kept.
const PROGRAM: &str = "
(define (of-local n)
  (if (zero? n) 0 (let* ((long (iota 10000)) (k (length long)) (s (of-local (- n 1)))) (+ s k))))
(define (of-parameter long n)
  (if (zero? n) 0 (let ((k (length long))) (+ k (of-parameter (iota 10000) (- n 1))))))
(define (of-slot n)
  (if (zero? n) 0 (+ 1 ((let ((long (iota 10000))) (lambda () (let ((k (length long))) (- (of-slot (- n 1)) (- k k)))))))))
(of-local 200)
(of-parameter (iota 10000) 200)
(of-slot 200)
";

/// The engines run one after the other, since they would share the memory in parallel tests.
#[test]
fn a_pending_call_keeps_only_what_its_rest_needs() {
    for engine in Engine::ALL {
        let program = Input::Text { name: "space".to_owned(), bytes: PROGRAM.as_bytes().to_vec(), folder: None };
        let limits = Limits { memory: Some(48 << 20), ..Limits::default() };
        let observation = observe(engine, program, &RunConditions { limits, ..RunConditions::default() });
        assert!(observation.diagnostics.is_empty(), "{engine}:\n{}", observation.rendered());
        assert_eq!(observation.output, ["2000000", "2000000", "200"], "{engine}");
    }
}
