//! Generated C as text: it depends on the program alone, compiles without warnings, and has the right classes of equal
//! code.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // tests may

use std::fs;
use std::process::Command;
use vlad_compiler::compiled::Headers;
use vlad_compiler::foreign::Counting;
use vlad_compiler::generate;
use vlad_core::equality::{code_classes, same_code};
use vlad_core::{LambdaId, Program};
use vlad_frontend::load::{Input, Options, load};

fn program(name: &str, text: &str) -> Program {
    let input = Input::Text { name: name.to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
    load(input, &Options::default()).unwrap()
}

const PROGRAM: &str = "
(define (f x y) (if (< x 3) (cons (f (+ x 1) y) (cdr (j* sin x y))) (map (lambda (z) (* z x -0. +nan.0)) (list x y))))
(define (weird-*/name! (cons #t 3) '(1 2)) (let loop ((i 0)) (if (= i 10) (lambda () i) (loop (+ i 1)))))
(define (main x) (let (((list a b) (f x x))) (+ a b 1 (max a b) (- a) (/ b) (read-real))))
(+ 1 (main 2) ((weird-*/name! '(#t . 3) '(1 2))))
";

#[test]
fn the_text_depends_on_the_program_alone() {
    let text = generate(&program("one", PROGRAM), Counting::ByBlock, None);
    assert_eq!(text, generate(&program("two", PROGRAM), Counting::ByBlock, None));
    assert_ne!(text, generate(&program("one", PROGRAM), Counting::Stoppable, None));
}

#[test]
fn compilers_have_nothing_to_say() {
    let folder = tempfile::tempdir().unwrap();
    for header in Headers::default().all() {
        fs::write(folder.path().join(header.name), header.text).unwrap();
    }
    for counting in [Counting::ByBlock, Counting::Stoppable] {
        fs::write(folder.path().join("program.c"), generate(&program("program", PROGRAM), counting, None)).unwrap();
        let mut compiler = Command::new("cc");
        compiler.args([
            "-std=c11",
            "-O2",
            "-fPIC",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-c",
            "-o",
            "/dev/null",
        ]);
        compiler.args(["-Wno-unused-parameter", "-Wno-unused-function", "-Wno-maybe-uninitialized"]);
        compiler.args(["-Wno-unused-but-set-variable", "-I"]).arg(folder.path());
        let ended = compiler.arg(folder.path().join("program.c")).output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
}

#[test]
fn classes_are_those_of_equal_code() {
    let text = "
(define (f x) (lambda (y) (+ x y))) (define (g z) (lambda (y) (+ z y))) (define (h z) (lambda (y) (+ y z)))
(define (a (cons x 1)) x) (define (b (cons y 1)) y) (define (c (cons y 2)) y) (define (d (cons y 1)) (+ y))
(define (e n) (letrec ((p (lambda (x) (q x n))) (q (lambda (x y) (p y)))) p))
(define (i m) (letrec ((r (lambda (x) (s x m))) (s (lambda (x y) (r y)))) s))
(define (k m) (let loop ((i 0)) (if (= i m) '(1 2) (loop (+ i 1)))))
(define (l m) (let loop ((j 0)) (if (= j m) (list 1 2) (loop (+ j 1)))))
(define (m n) (let ((o 1)) (if o '(1 2) n))) (define (p n) (let ((q 1)) (if q '(1 2) n)))
(list f g h a b c d e i k l m p map)";
    let program = program("program", text);
    let classes = code_classes(&program);
    let lambdas: Vec<u32> = (0..classes.len() as u32)
        // The lambda of a `let` is never a procedure, and has a class of its own.
        .filter(|lambda| program.lambda(LambdaId(*lambda)).depth == 0)
        .collect();
    let mut equal = 0;
    for first in &lambdas {
        for second in &lambdas {
            let same = same_code(&program, LambdaId(*first), LambdaId(*second));
            assert_eq!(classes[*first as usize] == classes[*second as usize], same, "{first} and {second}");
            equal += usize::from(same && first < second);
        }
    }
    assert!(equal >= 5, "{equal} pairs of equal procedures");
}

#[test]
fn what_nothing_refers_to_is_left_out() {
    let definitions = "(define (f x) (g x)) (define (g x) (if (> x 9) x (f (+ x 1)))) (define (h x) (map k (list x x)))
                       (define (k x) (if (< x 0) (k (* x x)) (sin (cos (exp (+ x 1))))))";
    let length = |uses: &str| {
        let text = generate(&program("program", &format!("{definitions} {uses}")), Counting::ByBlock, None);
        text.len()
    };
    // The code that a use reaches is kept, through a definition, from a constant of the program, or from the prelude.
    let (none, f, k, h) = (length("1"), length("(f 1)"), length("(k 1)"), length("(define y (h 1)) y"));
    assert!(none + 500 < f && none + 500 < k && k + 500 < h, "{none} {f} {k} {h}");
    assert_eq!(length("(list g)"), length("(list f)"));
}

/// A stop keeps all live variables; the text of all stops grows linearly with the program, even if everything is alive
/// at all of them.
#[test]
fn the_text_of_stoppable_programs_grows_as_they_do() {
    let each = |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<Vec<_>>().join(" ");
    type Shape<'a> = &'a dyn Fn(usize) -> String;
    let parameters = |n: usize| each(n, &|i| format!("p{i}"));
    let shapes: [(&str, Shape<'_>); 6] = [
        ("operands", &|n| format!("(define (f {}) (list {})) f", parameters(n), each(n, &|i| format!("(sin p{i})")))),
        ("lets", &|n| format!("{}a{}", "(let ((a (sin 1))) ".repeat(n), ")".repeat(n))),
        ("lets that are all needed", &|n| {
            let bindings = each(n, &|i| format!("(a{i} (sin x))"));
            format!("(lambda (x) (let* ({bindings}) (list {})))", each(n, &|i| format!("a{i}")))
        }),
        ("captures", &|n| {
            let uses = each(n, &|i| format!("(* y p{i})"));
            format!("(define (g {}) (lambda (y) (+ {uses}))) g", parameters(n))
        }),
        ("branches", &|n| {
            let uses = each(n, &|i| format!("(if (< p{i} 1) (sin p{i}) p{}) ", n - 1));
            format!("(define (f {}) (list {uses})) f", parameters(n))
        }),
        ("calls", &|n| {
            format!("(define (g x) x) (define (f {}) (list {})) f", parameters(n), each(n, &|i| format!("(g p{i})")))
        }),
    ];
    for (what, text) in shapes {
        let length = |n: usize| generate(&program("program", &text(n)), Counting::Stoppable, None).len();
        let (small, large) = (length(200), length(400));
        assert!(large * 10 < small * 26, "{what}: {small} bytes grow to {large}");
    }
}

/// Every write above the top of the stack is preceded by a check for as much space.
#[test]
fn room_is_made_before_it_is_used() {
    let row = |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<Vec<_>>().join(" ");
    let text = format!(
        "(define (f x y) (list {})) (define (g x) (lambda (y) (+ {}))) (f 1 2) ((g 1) 2) (map f '(1) '(2)) (list {})",
        row(120, &|n| format!("(+ x (* y {n}))")),
        row(60, &|n| format!("(if (< x {n}) x y)")),
        row(120, &|n| format!("(f {n} {n})")),
    );
    for counting in [Counting::ByBlock, Counting::Stoppable] {
        let c = generate(&program("program", &text), counting, None);
        let number = |line: &str, before: &str, after: &str| -> Option<u64> {
            line.trim().strip_prefix(before)?.split_once(after)?.0.parse().ok()
        };
        let (mut room, mut writes) = (0, 0);
        for (at, line) in c.lines().enumerate() {
            if line.starts_with("static ") || line.trim().starts_with("goto ") {
                room = 0;
            }
            if let Some(more) = number(line, "top = m->services->more_stack(m, top, ", ")") {
                room = more;
            }
            if let Some(place) = number(line, "top[", "] = ") {
                assert!(place < room, "no room for `{line}`, line {at} of\n{c}");
                writes += 1;
            }
        }
        assert!(writes > 100, "{writes}");
    }
}
