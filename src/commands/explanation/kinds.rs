//! Explanations of the kinds of errors and warnings: `vlad explain type`.
//!
//! Each has an example, which the tests of the command run: it ends with the message that is shown.

use serde_json::{Value, json};
use std::fmt::Write;
use vlad_shared::core::diagnostic::{Kind, Severity};

/// An explanation of a kind.
pub struct KindExplanation {
    /// The name of the kind.
    name: &'static str,
    /// The severity of its diagnostics.
    severity: Severity,
    /// A sentence on what is wrong, without a full stop.
    meaning: &'static str,
    /// The arguments of a command that ends with it.
    example: &'static [&'static str],
    /// The message of that command; that about memory goes on with a number of calls, which is not always the same.
    message: &'static str,
    /// The advice on it, in sentences.
    remedy: &'static str,
}

/// The most characters of a line of an explanation.
const WIDTH: usize = 100;

/// The kind of the failure to compile, which is no error of a program.
const COMPILER: &str = "compiler";

/// Returns the explanation of a word: the name of a kind, also as messages show it, `error[type]`.
pub fn explanation(word: &str) -> Option<KindExplanation> {
    let bare = |word: &'static str| move |text: &str| text.strip_prefix(word)?.strip_suffix(']').map(str::to_owned);
    let shown = [bare("error["), bare("warning[")].iter().find_map(|bare| bare(word));
    let name = shown.as_deref().unwrap_or(word);
    if name == COMPILER {
        return Some(of_compiler());
    }
    Kind::ALL.into_iter().find(|kind| kind.name() == name).and_then(of_kind)
}

/// The names of all kinds, with commas.
pub fn names() -> String {
    Kind::ALL.into_iter().map(Kind::name).chain([COMPILER]).collect::<Vec<&str>>().join(", ")
}

fn of_compiler() -> KindExplanation {
    KindExplanation {
        name: COMPILER,
        severity: Severity::Error,
        meaning: "the engine needs a C compiler, and there is none that works",
        example: &["--engine", "native", "--cc", "/no/such/cc", "-e", "1"],
        message: "no C compiler was found: /no/such/cc (from --cc): No such file or directory (os error 2)",
        remedy: "Install a C compiler, or name one by `--cc` or by the variable VLAD_CC; `vlad doctor` says what is found. \
                 The engines `interp` and `hybrid` need none.",
    }
}

/// Returns the explanation of a kind; none for the kind that no user sees.
fn of_kind(kind: Kind) -> Option<KindExplanation> {
    let (meaning, example, message, remedy): (_, &'static [&'static str], _, _) = match kind {
        Kind::Read => (
            "the text does not consist of tokens, or parentheses do not pair up",
            &["-e", "(+ 1 (* 2 3)"],
            "this `(` is never closed",
            "The place is that of the parenthesis without a partner, which may be far from where the other one is missing. \
             An editor that shows pairs finds it.",
        ),
        Kind::Syntax => (
            "a form does not have the shape that its keyword requires",
            &["-e", "(if 1 2 3 4)"],
            "expected (if test consequent alternative) or (if test consequent), found `if` with 4 operands",
            "The message gives the shape of the form; part 3 of the report has all of them.",
        ),
        Kind::Unbound => (
            "a name is bound nowhere, or a top-level name is used before its definition has been evaluated",
            &["-e", "(define (square x) (* x x)) (sqare 3)"],
            "`sqare` is not defined",
            "The hint names what is spelled similarly, the library that defines the name, or its equivalent in this language. \
             Definitions are evaluated in their order.",
        ),
        Kind::Duplicate => (
            "a name is bound twice by one pattern, `let`, `letrec` or body, or defined twice",
            &["-e", "(define (f x x) x)"],
            "`x` is bound twice",
            "Rename one of the two. There is no assignment: a changed value has a name of its own, or is passed to a procedure.",
        ),
        Kind::Reserved => (
            "a keyword is bound or defined",
            &["-e", "(define (if x) x)"],
            "`if` is a keyword and cannot be a name",
            "Choose another name; part 2 of the report lists the keywords.",
        ),
        Kind::File => (
            "a file cannot be read or included, or the texts of a program are too large together",
            &["-e", "(include \"no-such-library\")"],
            "there is no file `no-such-library`",
            "Included files are looked for in the folder of the file that includes them, then in the folders of `-I`, then \
             among the libraries that come with vlad. In a sandbox, files outside of these folders do not exist.",
        ),
        Kind::Type => (
            "a primitive gets an operand of the wrong sort, or too few; or a value that is not a procedure is applied",
            &["-e", "(car 5)"],
            "`car` expects a pair, found 5",
            "The message says what was expected and what was found. If that is a pair where a real is expected, a procedure was \
             probably called with too many operands, of which the last parameter is the tuple; `vlad check` warns of such calls.",
        ),
        Kind::Pattern => (
            "an argument does not match the pattern of a procedure, or a value that of a `let`",
            &["-e", "(define (f a b) (+ a b)) (f 2)"],
            "`f` expects 2 operands (a b), found 1 operand: 2",
            "Several operands are one argument, a tuple: `(f a b)` is a procedure of a pair, and `(f (list a b))` one of a list.",
        ),
        Kind::Conformance => (
            "a tangent, cotangent or summand does not have the shape of what it belongs to",
            &["-e", "(j* car (list 1 2) (list 1))"],
            "`j*` expects a tangent of the shape of its primal; where that has (2), the tangent has ()",
            "A tangent of x has a real where x has one, and the same booleans, empty lists and primitives elsewhere; so has a \
             cotangent of the value of `*j`. Under `gradcheck --against`, numbers of the file have the shape of the derivative.",
        ),
        Kind::Input => (
            "`read-real` finds the end of the input, or a word that is not a number",
            &["-e", "(read-real)"],
            "`read-real` expects a number, found the end of the input",
            "The numbers of a program come from the standard input, separated by white space. A program that is itself read \
             from there (`-`) has none left.",
        ),
        Kind::Raised => (
            "the program has called `error`",
            &["-e", "(define (f x) (if (< x 0) (error \"no root of \" x) (sqrt x))) (f -1)"],
            "no root of -1",
            "The message is the program's own: its texts and values as `write` shows them. The place is that of the call of `error`.",
        ),
        Kind::NonFinite => (
            "an operation has made a NaN or an infinity, and `--trap-nonfinite` asks for an error",
            &["--trap-nonfinite", "-e", "(log 0)"],
            "`log` of 0 is -inf.0",
            "The message has the operation, its operands and its result. Without the option the run goes on with that number, by \
             the rules of IEEE 754.",
        ),
        Kind::Output => (
            "the output cannot be written, or has more bytes than its limit allows",
            &["--max-output", "4", "-e", "(list 1 2 3)"],
            "the output cannot be written: the limit of 4 bytes is reached",
            "`--max-output` sets another limit. If a file cannot be written, its folder may be missing or full.",
        ),
        Kind::Steps => (
            "the run takes more steps than `--max-steps` allows",
            &["--max-steps", "1000", "-e", "(define (forever) (forever)) (forever)"],
            "the limit of 1000 steps is reached",
            "The place is the node at which the next step would have been taken; every engine stops at the same one.",
        ),
        Kind::Depth => (
            "calls are nested deeper than `--max-depth` allows, or than 4000000 if it is not given",
            &["--max-depth", "100", "-e", "(define (f x) (+ 1 (f x))) (f 1)"],
            "the limit of 100 nested calls is reached",
            "Mostly a recursion without end. The place is the call that would be nested too deep, in every engine the same one.",
        ),
        Kind::Memory => (
            "a limit of memory was reached, or the system provides no more memory",
            &[
                "--engine",
                "hybrid",
                "--max-memory",
                "100M",
                "--max-depth",
                "1000000000",
                "-e",
                "(define (f x) (+ 1 (f x))) (f 1)",
            ],
            "the memory limit of 104857600 bytes is reached",
            "The message says how deep calls were nested and which was the innermost: an infinite recursion shows there. \
             `--max-memory` sets another limit; `checkpoint-*j` takes less memory than `*j`.",
        ),
        Kind::Time => (
            "a limit of time was reached",
            &["--timeout", "0.2", "-e", "(define (forever) (forever)) (forever)"],
            "the time limit of 0.2 s is reached",
            "`--timeout` sets another limit. `vlad profile` tells which operators take the time.",
        ),
        Kind::Limit => (
            "a fixed bound of the implementation was reached",
            &["-e", "(define (nest n x) (if (zero? n) x (cdr (j* (lambda (y) (nest (- n 1) y)) x 1)))) (nest 513 2)"],
            "derivatives are nested more than 512 deep",
            "Part 11 of the report lists the bounds. A recursion through an operator of differentiation is often not meant.",
        ),
        Kind::Specialise => (
            "an item cannot be specialised, and `--specialise always` asks for it",
            &["run", "--specialise", "always", "-e", "(define z (interrupt sqrt 4 0)) z"],
            "the definition of `z` cannot be specialised: `interrupt` is not specialised",
            "`vlad explain FILE` says of each item whether it is specialised, why not, and what can be changed.",
        ),
        Kind::Operands => (
            "a call has operands that the parameters of its procedure cannot take, or do not destructure",
            &["check", "-e", "(define (f x y) (+ x y)) (f 1 2 3)"],
            "`f` takes 2 operands, found 3",
            "The call is no error of the language, since the last parameter takes the tuple of the operands that are left. An \
             operand that is written as a tuple, `(f 1 (cons 2 3))`, is taken as intended.",
        ),
        Kind::Derivative => (
            "the square of a norm, whose second derivatives are 0 where the norm is 0",
            &["check", "-e", "(define (f v) (sqr (magnitude v))) (f '(3 4))"],
            "second derivatives of the square of `magnitude` are 0 where the norm is 0",
            "A norm is a square root. The sum of the squares is the same number, and has all derivatives. Elsewhere, and of the \
             first order, those of both are right.",
        ),
        Kind::Shadowing => (
            "a definition of a name that a library of the program defines, too",
            &["check", "-e", "(include \"lists\") (define (take n l) n) (take 1 '())"],
            "`take` means this definition in the program, and in the library its own",
            "The program runs, and what the library does stays as it is. If the library's procedure is meant elsewhere in the program, \
             give the definition another name.",
        ),
        Kind::Abandoned | Kind::Stopped => return None,
    };
    Some(KindExplanation { name: kind.name(), severity: kind.severity(), meaning, example, message, remedy })
}

impl KindExplanation {
    /// The explanation as text.
    pub fn text(&self) -> String {
        let head = format!("{}[{}]", self.severity.name(), self.name);
        let mut text = format!("{head}: {}\n\n    $ vlad", self.meaning);
        for word in self.example {
            let is_plain = word.chars().all(|character| character.is_ascii_alphanumeric() || "-./".contains(character));
            // Writing to a string cannot fail.
            let _ = if is_plain { write!(text, " {word}") } else { write!(text, " '{word}'") };
        }
        let _ = write!(text, "\n    {head}: {}\n\n{}\n", self.message, wrapped(self.remedy));
        text
    }

    /// The explanation as an object.
    pub fn object(&self) -> Value {
        json!({
            "kind": self.name,
            "severity": self.severity.name(),
            "meaning": self.meaning,
            "example": self.example,
            "message": self.message,
            "remedy": self.remedy,
        })
    }
}

/// Breaks a text into lines.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        match width {
            0 => {}
            _ if width + 1 + length > WIDTH => {
                lines.push('\n');
                width = 0;
            }
            _ => {
                lines.push(' ');
                width += 1;
            }
        }
        lines.push_str(word);
        width += length;
    }
    lines
}
