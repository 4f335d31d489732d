//! The definitions of the libraries in specialised code, each called at the point of its row with numbers and lengths that are not known.

use super::row::Row;
use super::rows;
use rstest::rstest;
use vlad_compiler::analysis::Weighing;
use vlad_compiler::{Passes, specialise};
use vlad_shared::frontend::load::{Input, Options, load};

/// A copy of a point of which the analysis knows the structure, but neither numbers nor lengths of vectors.
const UNKNOWN: &str = "
(define (unknown x)
  (cond ((real? x) (real x))
        ((pair? x) (cons (unknown (car x)) (unknown (cdr x))))
        ((vector? x) (build (real (vector-length x)) (lambda (i) (unknown (get x i)))))
        (else x)))";

const GONE_THROUGH_ONCE: &str = "a list is made and gone through once, which takes no less time specialised";

/// The definitions that are not specialised so, with the reasons.
const EXCEPTIONS: &[(&str, &[&str], &str)] = &[
    ("linear-algebra", &["vector-zip"], "its value is a vector of pairs"),
    ("derivatives", &["hessian"], "one point is a vector of pairs"),
    ("optimize", &["minimize-within-report", "newton-search"], "the value has vectors of several shapes"),
    (
        "optimize",
        &["lbfgs-direction", "lbfgs-product", "lbfgs-learn", "lbfgs-remember", "lbfgs-masked"],
        "the point has a memory of steps, a vector of unknown length of pairs of vectors",
    ),
    ("ode", &["rosenbrock-step"], "the value has vectors of several shapes"),
    ("lists", &["range", "unfold"], GONE_THROUGH_ONCE),
    ("statistics", &["sample->list"], GONE_THROUGH_ONCE),
];

/// Returns true if the value of a procedure at a point is specialised where neither numbers nor lengths are known.
fn is_specialised(library: &str, procedure: &str, point: &str) -> bool {
    let definitions = rows(library).0;
    let text = format!(
        "(include \"{library}\")\n{definitions}\n{UNKNOWN}\n(define f {procedure})\n(define p (unknown {point}))\n(f p)"
    );
    let input = Input::Text { name: "program".to_owned(), bytes: text.into_bytes(), folder: None };
    let program = load(input, &Options::default()).unwrap();
    specialise(&program, Passes::ALL, Weighing::All).pop().is_some_and(|last| last.is_ok())
}

#[rstest]
fn libraries_are_specialised(
    #[values("linear-algebra", "derivatives", "optimize", "ode", "lists", "statistics", "random", "special")]
    library: &str,
) {
    let excepted = |name: &str| EXCEPTIONS.iter().any(|(of, names, _)| *of == library && names.contains(&name));
    let (mut slow, mut needless): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut refused: Vec<&str> = Vec::new();
    for row in rows(library).1 {
        let Row::Checked { name, procedure, point, .. } = row else { continue };
        if !is_specialised(library, procedure, point) {
            refused.push(name);
            if !excepted(name) {
                slow.push(format!("{procedure} at {point}"));
            }
        }
    }
    for (_, names, _) in EXCEPTIONS.iter().filter(|(of, ..)| *of == library) {
        needless.extend(names.iter().filter(|name| !refused.contains(name)));
    }
    assert!(slow.is_empty(), "not specialised:\n{}", slow.join("\n"));
    assert!(needless.is_empty(), "specialised, so no exceptions: {needless:?}");
}
