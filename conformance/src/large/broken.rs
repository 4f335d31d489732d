//! Invalid programs of every size: each ends in errors, whose number is bounded.

use super::{ProgramFamily, each, nested};

const fn shape(name: &'static str, text: fn(usize) -> String) -> ProgramFamily {
    ProgramFamily { name, text, prints: |_| String::new() }
}

/// All families of invalid programs.
pub const BROKEN: [ProgramFamily; 21] = [
    shape("never closed", |n| "(lambda (x) ".repeat(n)),
    shape("never opened", |n| ")".repeat(n)),
    shape("closed by the wrong kind", |n| "(] ".repeat(n)),
    shape("characters of no meaning", |n| "{} ".repeat(n)),
    shape("names that nobody defines", |n| "(undefined 1 2) ".repeat(n)),
    shape("misspelt names among many", |n| {
        each(n, |i| format!("(define (procedure{i} x) x)\n")) + &each(n, |i| format!("(prozedure{i} 1)\n"))
    }),
    shape("a long misspelt name", |n| {
        let name = "x".repeat(n);
        format!("(define ({name} y) 1) ({name}y 1)")
    }),
    shape("definitions of one name", |n| "(define x 1)\n".repeat(n)),
    shape("parameters of one name", |n| format!("(lambda ({}) 1)", "x ".repeat(n))),
    shape("almost numbers", |n| "1x ".repeat(n)),
    shape("a long almost number", |n| "1".repeat(n) + "x"),
    shape("strings where none may be", |n| "\"a\" ".repeat(n)),
    shape("a string without end", |n| "\"".to_owned() + &"a".repeat(n)),
    shape("comments without end", |n| "#| ".repeat(n)),
    shape("quotes of quotes", |n| "'".repeat(n) + "1"),
    shape("symbols", |n| format!("'({})", "a ".repeat(n))),
    shape("patterns in patterns that are none", |n| format!("(lambda ({}) 1)", nested(n, "(", "a", ")"))),
    shape("bindings in bindings that are none", |n| nested(n, "(let ((", "x", ")) 1)")),
    shape("definitions in definitions", |n| nested(n, "(define (f) ", "1", ")")),
    shape("keywords as names", |n| "(lambda (if) if) ".repeat(n)),
    shape("dots", |n| "(1 . 2) ".repeat(n)),
];
