//! Derivatives of every definition of the libraries: by each operator and by each pair of them, on every engine, against
//! difference quotients of the same programs with 96 digits ([`vlad_derivatives::extended`]).
//!
//! A definition is checked through a procedure f of a point x. With a tangent d of x and a cotangent w of f x, both without
//! zeros, the operators compute f' d and w f'; a pair of them computes f'' d d if both are `j*`, else w f'' d. So each
//! partial derivative is a part of a result, and few expressions are needed.

mod derivatives;
mod exported;
mod linear_algebra;
mod lists;
mod random;
mod row;
mod special;
mod specialised;
mod statistics;

use row::{Order, Row};
use rstest::rstest;
use std::time::Duration;
use vlad_conformance::fast_build::observe_text;
use vlad_derivatives::extended::arithmetic::to_double;
use vlad_derivatives::extended::machine::Machine;
use vlad_derivatives::extended::value::Value;
use vlad_engines::Engine;
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::frontend::vlad::libraries::{LIBRARIES, defined_names};
use vlad_shared::table::number;

/// The time that the quotients of a library may take.
const TIME: Duration = Duration::from_secs(240);

/// The relative errors allowed in first and second derivatives: the rounding of some hundred operations.
const TOLERANCES: [f64; 2] = [1e-11, 1e-9];

/// The part of the largest number of a result that errors are relative to at least.
const LEAST_PART: f64 = 1e-3;

/// The number of checks in a program of the engines.
const IN_A_PROGRAM: usize = 16;

/// The operators, with tangents and cotangents that have no zeros.
const DEFINITIONS: &str = "
(define (forward f x d w) (cdr (j* f x d)))
(define (reverse f x d w) (cdr (*j f x w)))
(define (checkpoint f x d w) (cdr (checkpoint-*j f x w)))
(define (numbered x n)
  (cond ((real? x) (cons (* 0.25 (- (modulo (+ 5 (* 4 n)) 11) 4.5)) (+ n 1)))
        ((pair? x)
         (let* (((cons a n) (numbered (car x) n)) ((cons b n) (numbered (cdr x) n))) (cons (cons a b) n)))
        ((vector? x)
         (ifold (lambda ((cons v n) i) (let (((cons a n) (numbered (get x i) n))) (cons (vector-push v a) n)))
                (cons #() n)
                (vector-length x)))
        (else (cons x n))))";

/// The definitions for the checks of a library, and its rows.
fn rows(library: &str) -> (&'static str, &'static [Row]) {
    match library {
        "linear-algebra" => (linear_algebra::DEFINITIONS, linear_algebra::ROWS),
        "derivatives" => (derivatives::DEFINITIONS, derivatives::ROWS),
        "optimize" => (derivatives::OF_OPTIMIZE, derivatives::ROWS_OF_OPTIMIZE),
        "ode" => (derivatives::OF_ODE, derivatives::ROWS_OF_ODE),
        "lists" => ("", lists::ROWS),
        "statistics" => (statistics::DEFINITIONS, statistics::ROWS),
        "random" => (random::DEFINITIONS, random::ROWS),
        "special" => ("", special::ROWS),
        _ => panic!("the library `{library}` has rows"),
    }
}

/// A check: its description and its number among those of the library, its order, and its definitions.
struct Check {
    what: String,
    number: usize,
    order: Order,
    definitions: String,
}

/// An expression of a check, and the number of the quotient that it is compared with.
struct Derivative {
    expression: String,
    quotient: usize,
    order: Order,
}

impl Check {
    /// The checks of a library, in the order of its rows.
    fn all(rows: &[Row]) -> Vec<Check> {
        let checked = |(number, row): (usize, &Row)| match *row {
            Row::Checked { name, procedure, point, order } => Some(Check {
                what: format!("{name} at {point}"),
                number,
                order,
                definitions: format!(
                    "(define f{number} {procedure}) (define x{number} {point})
                     (define d{number} (car (numbered x{number} 0)))
                     (define w{number} (car (numbered (f{number} x{number}) 3)))\n"
                ),
            }),
            Row::Exempt { .. } => None,
        };
        rows.iter().enumerate().filter_map(checked).collect()
    }

    /// The expression of an operator, or of one within another one.
    fn expression(&self, operators: &[&str]) -> String {
        let n = self.number;
        match operators {
            [outer, inner] => {
                let cotangent = if *inner == "forward" { "w" } else { "d" };
                format!("({outer} (lambda (x) ({inner} f{n} x d{n} w{n})) x{n} d{n} {cotangent}{n})")
            }
            _ => format!("({} f{n} x{n} d{n} w{n})", operators.concat()),
        }
    }

    /// The expressions of which quotients are computed.
    fn quotients(&self) -> Vec<String> {
        let all: [&[&str]; 4] = [&["forward"], &["reverse"], &["forward", "forward"], &["forward", "reverse"]];
        let count = if self.order == Order::First { 2 } else { 4 };
        all[..count].iter().map(|operators| self.expression(operators)).collect()
    }

    /// The expressions that the engines evaluate.
    fn derivatives(&self) -> Vec<Derivative> {
        const OPERATORS: [&str; 3] = ["forward", "reverse", "checkpoint"];
        let mut derivatives = Vec::new();
        for outer in OPERATORS {
            let quotient = usize::from(outer != "forward");
            derivatives.push(Derivative { expression: self.expression(&[outer]), quotient, order: Order::First });
            for inner in OPERATORS.into_iter().filter(|_| self.order == Order::Second) {
                let quotient = if [outer, inner] == ["forward"; 2] { 2 } else { 3 };
                let expression = self.expression(&[outer, inner]);
                derivatives.push(Derivative { expression, quotient, order: Order::Second });
            }
        }
        derivatives
    }
}

/// The beginning of the programs of a library.
fn beginning(library: &str) -> String {
    format!("(include \"{library}\")\n{DEFINITIONS}\n{}\n", rows(library).0)
}

/// The reals of the quotients of checks, each of which is a procedure of one program.
fn quotients(beginning: &str, checks: &[Check]) -> Vec<Vec<Vec<f64>>> {
    let definitions: String = checks.iter().map(|check| check.definitions.as_str()).collect();
    let quotients = checks.iter().map(|check| format!("(lambda () (list {}))\n", check.quotients().join(" ")));
    let text = format!("{beginning}{definitions}{}", quotients.collect::<String>());
    let input = Input::Text { name: "program".to_owned(), bytes: text.into_bytes(), folder: None };
    let program = load(input, &Options::default()).unwrap();
    let mut machine = Machine::new(&program, TIME).unwrap();
    let procedures = machine.run().unwrap();
    let of_check = |(check, procedure): (&Check, &Value)| {
        machine.rough = None;
        let mut rest =
            machine.apply(procedure, Value::Nil).unwrap_or_else(|refusal| panic!("{}: {refusal}", check.what));
        assert_eq!(machine.rough, None, "{} is differentiable", check.what);
        let mut quotients = Vec::new();
        while let Some((quotient, others)) = rest.halves() {
            quotients.push(quotient.reals().iter().map(|real| to_double(real)).collect());
            rest = others.clone();
        }
        quotients
    };
    checks.iter().zip(&procedures).map(of_check).collect()
}

/// The reals of a printed value.
fn reals(printed: &str) -> Vec<f64> {
    let words = printed.split(|character: char| character.is_whitespace() || "()#".contains(character));
    words.filter_map(number::parse).collect()
}

/// Returns true if the reals of a derivative are those of a quotient within a tolerance.
fn agree(actual: &[f64], quotient: &[f64], order: Order) -> bool {
    let tolerance = TOLERANCES[order as usize];
    let largest = quotient.iter().map(|real| real.abs()).fold(0.0, f64::max);
    let is_close = |(actual, wanted): (&f64, &f64)| {
        (actual - wanted).abs() <= tolerance * wanted.abs().max(LEAST_PART * largest).max(LEAST_PART)
    };
    actual.len() == quotient.len() && actual.iter().zip(quotient).all(is_close)
}

#[test]
fn every_definition_of_every_library_has_a_row() {
    for library in &LIBRARIES {
        let rows = rows(library.name).1;
        let known: Vec<&str> = rows.iter().flat_map(Row::names).collect();
        for name in defined_names(library) {
            assert!(known.contains(&name), "`{name}` of `{}` has a check, or a reason to have none", library.name);
        }
        for row in rows {
            for name in row.names() {
                assert!(defined_names(library).any(|defined| defined == name), "`{name}` is in `{}`", library.name);
            }
            match row {
                Row::Checked { name, procedure, .. } => {
                    assert!(procedure.contains(name), "`{procedure}` calls `{name}`")
                }
                Row::Exempt { reason, .. } => assert!(!reason.is_empty()),
            }
        }
    }
}

#[rstest]
fn derivatives_of_libraries(
    #[values("linear-algebra", "derivatives", "optimize", "ode", "lists", "statistics", "random", "special")]
    library: &str,
) {
    let beginning = beginning(library);
    let checks = Check::all(rows(library).1);
    let quotients = quotients(&beginning, &checks);
    let mut wrong = Vec::new();
    for (checks, quotients) in checks.chunks(IN_A_PROGRAM).zip(quotients.chunks(IN_A_PROGRAM)) {
        let derivatives: Vec<Vec<Derivative>> = checks.iter().map(Check::derivatives).collect();
        let definitions = checks.iter().map(|check| check.definitions.as_str());
        let expressions = derivatives.iter().flatten().map(|derivative| format!("{}\n", derivative.expression));
        let text = format!("{beginning}{}{}", definitions.collect::<String>(), expressions.collect::<String>());
        for engine in Engine::ALL {
            let observation = observe_text(engine, &text);
            assert!(observation.diagnostics.is_empty(), "{engine}:\n{}", observation.rendered());
            let mut printed = observation.output.iter();
            for ((check, derivatives), quotients) in checks.iter().zip(&derivatives).zip(quotients) {
                for Derivative { expression, quotient, order } in derivatives {
                    let (actual, quotient) = (reals(printed.next().unwrap()), &quotients[*quotient]);
                    if !agree(&actual, quotient, *order) {
                        wrong.push(format!(
                            "{engine}, {}: {expression}\n  {actual:?}, expected {quotient:?}\n",
                            check.what
                        ));
                    }
                }
            }
            assert_eq!(printed.next(), None, "{engine} prints a line for each expression");
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.concat());
}
