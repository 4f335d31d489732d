//! The forms of differentiation, and every operation of the table by each of them.
//!
//! Part 8 of the report defines the operators, part 15 checkpointing, part 17 the reflective basis; all give the same
//! bits. A row is checked here by each form alone and by all pairs of forms, one inside the other, against the
//! reference.

use crate::batch::Batch;
use crate::reference::Reference;
use crate::rows::{applications, expect_derivatives, sequences};
use rstest::rstest;
use vlad_shared::table::operations::OPERATIONS;

/// A form of the derivative of a procedure of one real, or of a partial derivative of one of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `j*`.
    Forward,
    /// `*j`.
    Reverse,
    /// `checkpoint-*j`, split down to single steps.
    Checkpointed,
    /// The transformation `j*` and bundles.
    Bundled,
    /// The transformation `*j` and backpropagators.
    Pulled,
}

impl Mode {
    /// The operators.
    pub const OPERATORS: [Mode; 2] = [Mode::Forward, Mode::Reverse];

    /// All of them.
    pub const ALL: [Mode; 5] = [Mode::Forward, Mode::Reverse, Mode::Checkpointed, Mode::Bundled, Mode::Pulled];

    /// The name of the operator on procedures of one real; the names of those on procedures of two have a number
    /// appended.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Forward => "forward",
            Mode::Reverse => "reverse",
            Mode::Checkpointed => "checkpointed",
            Mode::Bundled => "bundled",
            Mode::Pulled => "pulled",
        }
    }

    /// The derivative of `f` at `x` along a tangent, or the cotangent of `x` for a cotangent 1.
    fn text(self, tangent: &str) -> String {
        match self {
            Mode::Forward => format!("(cdr (j* f x {tangent}))"),
            Mode::Reverse => "(cdr (*j f x 1))".to_owned(),
            Mode::Checkpointed => "(cdr (checkpoint-*j f x 1 #f 1))".to_owned(),
            Mode::Bundled => format!("(tangent ((j* f) (bundle x {tangent})))"),
            Mode::Pulled => "(cdr (unsensitize ((cdr ((*j f) (*j x))) (sensitize 1))))".to_owned(),
        }
    }

    /// The procedures that select each partial derivative from the value of the text.
    fn parts(self) -> [&'static str; 2] {
        match self {
            Mode::Forward | Mode::Bundled => ["begin", "begin"],
            Mode::Reverse | Mode::Checkpointed | Mode::Pulled => ["car", "cdr"],
        }
    }
}

/// Definitions of operators on procedures for some modes.
pub fn definitions(modes: &[Mode]) -> String {
    let mut text = String::new();
    for mode in modes {
        let name = mode.name();
        text.push_str(&format!("(define (({name} f) x) {})\n", mode.text("1")));
        for (number, (part, tangent)) in (1..).zip(mode.parts().into_iter().zip(["(cons 1 0)", "(cons 0 1)"])) {
            text.push_str(&format!("(define (({name}{number} f) x) ({part} {}))\n", mode.text(tangent)));
        }
    }
    text
}

/// The primitives by which `j*` and `*j` on a procedure and its operands can be written.
#[derive(Clone, Copy, Debug)]
pub enum Basis {
    /// Themselves.
    Operators,
    /// For `*j`, `checkpoint-*j`.
    Checkpointed,
    /// The transformations.
    Reflective,
    /// The same, with tagged tangents and cotangents.
    Marked,
}

impl Basis {
    /// The text with the operators replaced by the procedures of this basis.
    pub fn on(self, text: &str) -> String {
        text.replace("(j* ", "(push ").replace("(*j ", "(pull ")
    }

    /// The definitions of these procedures.
    pub fn definitions(self) -> &'static str {
        match self {
            Basis::Operators => "(define (push f x dx) (j* f x dx))\n(define (pull f x dy) (*j f x dy))",
            Basis::Checkpointed => {
                "(define (push f x dx) (j* f x dx))\n(define (pull f x dy) (checkpoint-*j f x dy #f 1))"
            }
            Basis::Reflective => {
                "(define (push f x dx) (let ((y ((j* f) (bundle x dx)))) (cons (primal y) (tangent y))))
                 (define (pull f x dy)
                   (let (((cons y back) ((*j f) (*j x)))) (cons (*j-inverse y) (cdr (back dy)))))"
            }
            Basis::Marked => {
                "(define (push f x dx)
                   (let ((y ((j* f) (bundle x (perturb dx))))) (cons (primal y) (unperturb (tangent y)))))
                 (define (pull f x dy)
                   (let (((cons y back) ((*j f) (*j x))))
                     (cons (*j-inverse y) (cdr (unsensitize (back (sensitize dy)))))))"
            }
        }
    }
}

/// Checks each form at all points of all rows.
#[rstest]
fn every_row(#[values(Mode::Forward, Mode::Reverse, Mode::Checkpointed, Mode::Bundled, Mode::Pulled)] mode: Mode) {
    let mut reference = Reference::new().unwrap();
    let mut batch = Batch::new(&definitions(&[mode]));
    for row in &OPERATIONS {
        for (expression, point) in applications(row.operation) {
            let before = batch.len();
            expect_derivatives(&mut batch, &mut reference, &expression, &point, &[vec![mode]]);
            assert_eq!(batch.len() - before, point.len(), "each coefficient of {} is checked", row.name);
        }
    }
    batch.check();
}

/// Checks pairs of forms at a point of each row, without the pairs of the two operators, which [`crate::rows`] covers.
#[rstest]
fn every_row_in_pairs(
    #[values(Mode::Forward, Mode::Reverse, Mode::Checkpointed, Mode::Bundled, Mode::Pulled)] inner: Mode,
) {
    let as_operator_fault = sequences(&Mode::OPERATORS, 2);
    let pairs = Mode::ALL.map(|outer| vec![inner, outer]).into_iter().filter(|pair| !as_operator_fault.contains(pair));
    let pairs: Vec<Vec<Mode>> = pairs.collect();
    let mut reference = Reference::new().unwrap();
    let mut batch = Batch::new(&definitions(&Mode::ALL));
    for row in &OPERATIONS {
        let (expression, point) = &applications(row.operation)[0];
        expect_derivatives(&mut batch, &mut reference, expression, point, &pairs);
    }
    batch.check();
}
