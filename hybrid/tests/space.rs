//! What is dead is freed while calls are pending. Alone in its file: the bound is on the memory of the process.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use vlad_shared::load::{self, Input, Options};
use vlad_shared::print::Notation;
use vlad_shared::run::{Limits, Outcome, StreamHost};

/// At each of 200 pending calls a list of 10^4 elements has been made and is not needed any more, be it a local, a
/// parameter or a slot: 2 * 10^6 elements, some 80 MB, if any of them were kept.
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

#[test]
fn a_pending_call_keeps_only_what_its_rest_needs() {
    let input = Input::Text { name: "space".into(), bytes: PROGRAM.into(), folder: None };
    let program = load::load(input, &Options { include_folders: vec![] }).unwrap();
    let mut host = StreamHost::new(&b""[..], Vec::new(), Notation::Shortest);
    let limits = Limits { memory: Some(48 << 20), ..Limits::default() };
    let report = vlad_hybrid::run(&program, &mut host, &limits);
    assert!(matches!(report.outcome, Outcome::Finished), "{:?}", report.outcome);
    assert_eq!(String::from_utf8(host.into_output()).unwrap(), "2000000\n2000000\n200\n");
}
