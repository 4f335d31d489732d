//! The instructions of elementwise loops: packed ones, in the object that a C compiler makes of a program. Looked for by their
//! bytes where these are known: those of x86-64, of gcc, which is the compiler that vectorises nothing else at `-O2`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // tests may

use std::io::Write;
use vlad_compiler::compiled::cache::CachePolicy;
use vlad_compiler::toolchain::{DEFAULT_TIME_LIMIT, Family, Search, Toolchain};
use vlad_compiler::{Settings, Specialise, Task, prepare};
use vlad_frontend::load::{Input, Options, load};
use vlad_runtime::run::Limits;

/// The object of a program whose only division is that of an element.
fn object(element: &str) -> Vec<u8> {
    let text = format!(
        "(define (f v a) (build (length v) (lambda (i) {element})))
         (let* ((n (read-real)) (v (build n (lambda (i) (read-real)))) (w (f v (read-real)))) (get w (- n 1)))"
    );
    let input = Input::Text { name: "program".to_owned(), bytes: text.into_bytes(), folder: None };
    let program = load(input, &Options::default()).unwrap();
    let settings = Settings { cache: CachePolicy::Bypass, specialise: Specialise::Always, ..Settings::default() };
    prepare(&[Task::with_limits(&program, &Limits::default())], &settings).unwrap().bytes().unwrap()
}

/// True if the bytes of `divpd` are in an object: two quotients at once.
fn divides_pairs(object: &[u8]) -> bool {
    object.windows(4).any(|bytes| {
        let rest = if bytes[1] & 0xf0 == 0x40 { &bytes[2..] } else { &bytes[1..] };
        bytes[0] == 0x66 && rest.starts_with(&[0x0f, 0x5e])
    })
}

#[test]
fn elementwise_loops_have_packed_instructions() {
    let search = Search { path: std::env::var_os("PATH"), ..Search::default() };
    let family = Toolchain::find(&search, DEFAULT_TIME_LIMIT).unwrap().family();
    if !cfg!(target_arch = "x86_64") || family != Family::Gnu {
        writeln!(std::io::stderr(), "skipped: the instructions of {} are not looked for", family.name()).unwrap();
        return;
    }
    assert!(divides_pairs(&object("(/ (get v i) a)")));
    assert!(divides_pairs(&object("(max a (/ (get v i) (sqrt (* (get v i) a))))")));
    // Elements from the end, and every second one.
    assert!(divides_pairs(&object("(/ a (get v (- (- (length v) i) 1)))")));
    assert!(divides_pairs(&object("(/ a (get v (* 2 i)))")));
    // Of what is no element at a place that is affine in the index, or not an operation of packed instructions, there is one at a time.
    assert!(!divides_pairs(&object("(/ a (exp (get v i)))")));
    assert!(!divides_pairs(&object("(/ a (get v (* i i)))")));
}
