//! Valid programs of every size.

use super::{ProgramFamily, each, nested};

/// The names of so many variables, separated by blanks.
fn variables(size: usize) -> String {
    each(size, |number| format!("x{number} "))
}

const fn shape(name: &'static str, text: fn(usize) -> String, prints: fn(usize) -> String) -> ProgramFamily {
    ProgramFamily { name, text, prints }
}

fn number(size: usize) -> String {
    size.to_string()
}

fn one(_size: usize) -> String {
    "1".to_owned()
}

/// All families of valid programs.
pub const SOUND: [ProgramFamily; 37] = [
    shape("procedures", |n| each(n, |i| format!("(define (f{i} x) (+ x {i}))\n")) + &format!("(f{} 1)", n - 1), number),
    shape(
        "procedures that call each other",
        |n| each(n, |i| format!("(define (f{i} x) (if (> x 0) (f{} (- x 1)) 1))\n", (i + 1) % n)) + "(f0 5)",
        one,
    ),
    shape(
        "definitions one after the other",
        |n| {
            "(define x0 1)\n".to_owned()
                + &each(n - 1, |i| format!("(define x{} (+ x{i} 1))\n", i + 1))
                + &format!("x{}", n - 1)
        },
        number,
    ),
    shape("expressions", |n| "(+ 1 2)\n".repeat(n) + "1", one),
    shape("expressions on one line", |n| "(+ 1 2) ".repeat(n) + "1", one),
    shape(
        "small procedures with comments",
        |n| {
            let procedure = |i| {
                format!(
                    "(define (norm-{i} v w)\n  ; the distance of two points\n  (let ((dx (- (car v) (car w))) (dy (- (cdr v) (cdr w))))\n    (if (< dx 0.5) (sqrt (+ (* dx dx) (* dy dy))) (list dx 1e-3 dy))))\n"
                )
            };
            each(n, procedure) + "(norm-0 '(0 . 0) '(0 . 1))"
        },
        one,
    ),
    shape("quoted list", |n| format!("(define x '({}))\n(car x)", "1 2.5 ".repeat(n)), one),
    shape("quoted vector", |n| format!("(define x #({}))\n(get x 0)", "1 2.5 ".repeat(n)), one),
    shape("list of constants", |n| format!("(define x (list {}))\n(car x)", "1 ".repeat(n)), one),
    shape("vector of constants", |n| format!("(define x (vector {}))\n(length x)", "1 ".repeat(n)), number),
    shape("list of calls", |n| format!("(define (f x) x)\n(car (list {}))", "(f 1) ".repeat(n)), one),
    shape("sum of constants", |n| format!("(+ {})", "1 ".repeat(n)), number),
    shape(
        "long name",
        |n| {
            let name = "x".repeat(n);
            format!("(define ({name} y{name}) (+ y{name} 0)) ({name} 1)")
        },
        one,
    ),
    shape("lambdas in lambdas", |n| "(".repeat(n) + &nested(n, "(lambda (x) ", "x", ")") + &" 1)".repeat(n), one),
    shape(
        "lambdas around a use from far outside",
        |n| {
            let far = format!("(lambda (far) {})", nested(n, "(lambda (x) ", "far", ")"));
            format!("{}{far} 1){}", "(".repeat(n + 1), " 2)".repeat(n))
        },
        one,
    ),
    shape("lambdas applied", |n| nested(n, "((lambda (x) x) ", "1", ")"), one),
    shape("conses in conses", |n| format!("(car {})", nested(n, "(cons 1 ", "1", ")")), one),
    shape("sums in sums", |n| nested(n, "(+ 1 ", "0", ")"), number),
    shape("calls in calls", |n| format!("(define (f x) x) {}", nested(n, "(f ", "1", ")")), one),
    shape("lets in lets", |n| each(n, |i| format!("(let ((x{i} 1)) ")) + "x0" + &")".repeat(n), one),
    shape(
        "lets of calls",
        |n| "(define (f x) x) ".to_owned() + &each(n, |i| format!("(let ((x{i} (f 1))) ")) + "x0" + &")".repeat(n),
        one,
    ),
    shape(
        "lets of calls that are all needed",
        |n| {
            "(define (f x) x) ".to_owned()
                + &each(n, |i| format!("(let ((x{i} (f 1))) "))
                + &format!("(+ {})", variables(n))
                + &")".repeat(n)
        },
        number,
    ),
    shape("let of many", |n| format!("(let ({}) x0)", each(n, |i| format!("(x{i} 1) "))), one),
    shape(
        "let of many calls",
        |n| format!("(define (f x) x) (let ({}) x0)", each(n, |i| format!("(x{i} (f 1)) "))),
        one,
    ),
    shape(
        "parameters",
        |n| format!("(define (f {}) (+ {}))\n(f{})", variables(n), variables(n), " 1".repeat(n)),
        number,
    ),
    shape(
        "operands of parameters",
        |n| {
            let products = each(n, |i| format!("(* x{i} 1) "));
            format!("(define (f {}) (list {products}))\n(car (f{}))", variables(n), " 1".repeat(n))
        },
        one,
    ),
    shape(
        "slots of one procedure",
        |n| format!("(define (g {}) (lambda () (+ {})))\n((g{}))", variables(n), variables(n), " 1".repeat(n)),
        number,
    ),
    shape(
        "procedures of one letrec",
        |n| {
            format!(
                "(letrec ({}) (f0 5))",
                each(n, |i| format!("(f{i} (lambda (x) (if (> x 0) (f{} (- x 1)) 1))) ", (i + 1) % n))
            )
        },
        one,
    ),
    shape(
        "definitions in a body",
        |n| format!("(define (g y) {}x0) (g 1)", each(n, |i| format!("(define x{i} (* y 1)) "))),
        one,
    ),
    shape(
        "clauses",
        |n| format!("(define (f x) (cond {})) (f {})", each(n, |i| format!("((= x {i}) {}) ", i + 1)), n - 1),
        number,
    ),
    shape("ifs in ifs", |n| format!("(define (f x) {}) (f 0)", nested(n, "(if (> x 0) 2 ", "1", ")")), one),
    shape("disjunction", |n| format!("(or {}1)", "#f ".repeat(n)), one),
    shape("loops in loops", |n| nested(n, "(let loop ((i 1)) (if (= i 0) 1 (begin (loop (- i 1)) ", "1", ")))"), one),
    shape(
        "derivatives of a long procedure",
        |n| {
            format!(
                "(define (f x) {})\n(list (j* f 1 1) (*j f 1 1))\n(car (checkpoint-*j f 0 1))",
                nested(n, "(* 1 ", "(+ x 1)", ")")
            )
        },
        one,
    ),
    shape("comments", |n| "; a comment that says nothing at all\n".repeat(n) + "1", one),
    shape("comments in comments", |n| nested(n, "#| ", "", " |#") + " 1", one),
    shape("data left out", |n| format!("{}{}1", "#;".repeat(n), "(2) ".repeat(n)), one),
];
