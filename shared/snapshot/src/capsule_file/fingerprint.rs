//! The fingerprint of mathematical functions in files of version 6: for each, a hash of its results at some arguments.
//!
//! These files were written when the functions were those of a C library, which differ in the last bits. Now each function has one
//! result for each argument, so later files have no fingerprint. A run from such a file goes on if each function that its program
//! may apply had the results of today, so its output is the same.

use super::code::Code;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use vlad_core::{Expression, Program, Reference};
use vlad_table::operations::InC;
use vlad_table::{Evaluation, Operation, Term, Test};

/// The functions, in the order of the file.
const FUNCTIONS: [Operation; 18] = [
    Operation::Exponential,
    Operation::Logarithm,
    Operation::Sine,
    Operation::Cosine,
    Operation::Tangent,
    Operation::ArcSine,
    Operation::ArcCosine,
    Operation::ArcTangent,
    Operation::ArcTangent2,
    Operation::HyperbolicSine,
    Operation::HyperbolicCosine,
    Operation::HyperbolicTangent,
    Operation::Power,
    Operation::ErrorFunction,
    Operation::ComplementaryErrorFunction,
    Operation::LogarithmOfOnePlus,
    Operation::ExponentialMinusOne,
    Operation::LogGamma,
];

/// The hashes of a file, 8 bytes for each function.
pub type Fingerprint = [[u8; 8]; FUNCTIONS.len()];

/// The arguments: within the domains of all functions or of some, near hard cases of rounding, and of extreme
/// magnitude.
const ARGUMENTS: [f64; 32] = [
    0.1,
    0.2,
    0.3,
    0.5,
    0.7,
    0.9,
    0.99999,
    1.0,
    1.1,
    1.5,
    2.0,
    2.5,
    3.0,
    3.7,
    5.3,
    7.9,
    11.3,
    17.1,
    29.6,
    47.2,
    83.4,
    123.4,
    311.7,
    708.3,
    1234.5,
    98765.4,
    1e6,
    1e10,
    1e22,
    6.2e-5,
    1e-8,
    0.785_398_163_397_448_2,
];

/// The names of the functions that a program may apply, in values or derivatives, and whose results here differ from the
/// fingerprint.
pub fn differing(fingerprint: &Fingerprint, code: &Code, program: &Program) -> Vec<&'static str> {
    let applied = applied(code, program);
    let pairs = FUNCTIONS.iter().zip(fingerprint).filter(|(function, _)| applied.contains(*function));
    pairs.filter(|(function, there)| hash(**function) != **there).map(|(function, _)| function.row().name).collect()
}

/// The hash of a function's results here.
fn hash(function: Operation) -> [u8; 8] {
    let mut hash = Sha256::new();
    let mut note = |result: f64| {
        // All representations of NaN count as one.
        let bits = if result.is_nan() { f64::NAN.to_bits() } else { result.to_bits() };
        hash.update(bits.to_le_bytes());
    };
    let mut before = -0.3;
    for argument in ARGUMENTS {
        match function.row().evaluation {
            Evaluation::Unary(function) => {
                note(function(argument));
                note(function(-argument));
            }
            Evaluation::Binary(function) => {
                note(function(argument, before));
                note(function(before, argument));
            }
        }
        before = argument;
    }
    hash.finalize().first_chunk().copied().unwrap_or_default()
}

/// The operations that a program may apply: those of its primitives, and those of their coefficients.
fn applied(code: &Code, program: &Program) -> BTreeSet<Operation> {
    let mut pending: Vec<Operation> = Vec::new();
    for node in code.nodes() {
        if let Expression::Variable(Reference::Primitive(primitive)) = program.expression(node) {
            pending.extend(primitive.row().form.operations());
        }
    }
    let mut applied = BTreeSet::new();
    while let Some(operation) = pending.pop() {
        if applied.insert(operation) {
            operation.row().coefficients.iter().for_each(|term| operations(term, &mut pending));
            if let InC::Defined(definition) = operation.row().in_c {
                pending.extend(definition.calls);
            }
        }
    }
    applied
}

/// Adds the operations of a term.
fn operations(term: &Term, found: &mut Vec<Operation>) {
    match term {
        Term::First | Term::Second | Term::Result | Term::Constant(_) => {}
        Term::Unary(operation, operand) => {
            found.push(*operation);
            operations(operand, found);
        }
        Term::Binary(operation, first, second) => {
            found.push(*operation);
            [first, second].into_iter().for_each(|operand| operations(operand, found));
        }
        Term::Select(test, first, second) => {
            operations_of_test(test, found);
            [first, second].into_iter().for_each(|choice| operations(choice, found));
        }
    }
}

fn operations_of_test(test: &Test, found: &mut Vec<Operation>) {
    match test {
        Test::Zero(term) => operations(term, found),
        Test::Less(first, second) | Test::Nearer(first, second) => {
            [first, second].into_iter().for_each(|term| operations(term, found));
        }
        Test::Both(first, second) => [first, second].into_iter().for_each(|test| operations_of_test(test, found)),
    }
}
