//! Every operation of the language under D and under `jvp`, at ordinary and special points.

use crate::running::check_pairs;
use vlad_shared::fsmooth::builtins::{OPERATIONS, OperationName};
use vlad_shared::table::operations::{Arity, Operation};

/// Points where coefficients are 0, infinite or NaN, where functions jump, and others.
const POINTS: [&str; 20] = [
    "0.0",
    "(-0.0)",
    "1.0",
    "(-1.0)",
    "0.5",
    "2.5",
    "(-2.0)",
    "3.0",
    "1e-310",
    "(-1e-310)",
    "1e-200",
    "(-1e-200)",
    "1e300",
    "(-1e300)",
    "1e154",
    "4503599627370496.5",
    "1e-9",
    "(1.0 / 0.0)",
    "(-1.0 / 0.0)",
    "(0.0 / 0.0)",
];

/// Applies an operation to texts.
fn applied(row: &OperationName, operands: &[&str]) -> String {
    let is_word = row.name.starts_with(char::is_alphabetic);
    match operands {
        [first, second] if !is_word => format!("({first} {} {second})", row.name),
        _ => format!("({} {})", row.name, operands.join(" ")),
    }
}

/// Adds the pair of D and `jvp` of a function at a point, and of its derivative.
fn add(text: &mut String, pairs: &mut usize, function: &str, point: &str) {
    *text += &format!("diff (fun x -> {function}) {point}\njvp (fun x -> {function}) {point} 1.0\n");
    let slope = format!("snd (diff (fun x -> {function}) y)");
    let slope_by_jvp = format!("snd (jvp (fun x -> {function}) y 1.0)");
    *text += &format!("diff (fun y -> {slope}) {point}\njvp (fun y -> {slope_by_jvp}) {point} 1.0\n");
    // An operator under another one that is applied by the engine.
    *text += &format!("jvp (fun y -> {slope}) {point} 1.0\njvp (fun y -> {slope_by_jvp}) {point} 1.0\n");
    *pairs += 3;
}

#[test]
fn operations_have_the_derivatives_of_the_table() {
    for row in &OPERATIONS {
        let (mut text, mut pairs) = (String::new(), 0);
        for point in POINTS {
            match row.operation.arity() {
                Arity::One => add(&mut text, &mut pairs, &applied(row, &["x"]), point),
                Arity::Two => {
                    add(&mut text, &mut pairs, &applied(row, &["x", "x"]), point);
                    add(&mut text, &mut pairs, &applied(row, &["x", "(2.0 * x)"]), point);
                    for other in POINTS {
                        add(&mut text, &mut pairs, &applied(row, &["x", other]), point);
                        add(&mut text, &mut pairs, &applied(row, &[other, "x"]), point);
                    }
                }
            }
        }
        check_pairs(&text, pairs);
    }
}

#[test]
fn the_language_names_every_operation_but_copies() {
    let named: Vec<Operation> = OPERATIONS.iter().map(|row| row.operation).collect();
    for row in vlad_shared::table::operations::OPERATIONS {
        assert_eq!(named.contains(&row.operation), row.operation != Operation::Copy, "{}", row.name);
    }
}
