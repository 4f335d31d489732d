//! Tests of assumptions about indices.

use super::super::Verdict;
use super::{flat, read, run};
use crate::rewrite::facts::guard;
use crate::rewrite::facts::{Assumption, Relation};
use crate::rewrite::rules::Class;
use crate::typed::{Expression, ExpressionId, LocalId, Program, print};
use rstest::rstest;

/// A comparison for all indices is one for the index for which it holds last, unless it is not seen which one that is.
#[rstest]
#[case::increasing("3 * k", "if 0 < n then n == floor n && 3 * (n - 1) < length w else true")]
#[case::sum("2 + (k + k)", "if 0 < n then n == floor n && 2 + (n - 1 + (n - 1)) < length w else true")]
#[case::decreasing("n - 1 - k", "if 0 < n then n == floor n && n - 1 - 0 < length w else true")]
#[case::product("k * k", "ifold (fun holds_2 k_2 -> holds_2 && k_2 * k_2 < length w) true n")]
fn guards_test_one_index(#[case] place: &str, #[case] expected: &str) {
    let text = format!(
        "let f (n : Index) v w = vectorMap (jacob (fun v -> build n (fun k -> v[k] * w[{place}])) v) \
         (fun r -> vectorMap r (fun p -> snd p))"
    );
    let mut run = run(&text, Class::ZeroSigns);
    assert_eq!(run.of("f").verdict, Verdict::Taken);
    let test = run.test("f");
    assert!(test.contains(expected), "{test}");
    assert_eq!(test.contains("ifold"), expected.contains("ifold"), "{test}");
    run.check_stages("f", 1e-12);
}

/// The parameter of a function, and its body.
fn parts(program: &Program, function: ExpressionId) -> (LocalId, ExpressionId) {
    match program.expression(function) {
        Expression::Lambda { parameter, body } => (parameter, body),
        other => panic!("{other:?} is no function"),
    }
}

/// The test that a comparison holds for all indices of the arrays in which it stands.
#[rstest]
#[case::both_by_the_last(
    "build m (fun i -> 3 * k + i < length w)",
    "if 0 < n then n == floor n && (if 0 < m then m == floor m && 3 * (n - 1) + (m - 1) < length w else true) else true"
)]
#[case::one_by_the_first(
    "build m (fun i -> 3 * k - i < length w)",
    "if 0 < n then n == floor n && (if 0 < m then m == floor m && 3 * (n - 1) - 0 < length w else true) else true"
)]
#[case::both_sides(
    "build m (fun i -> k < 2 * i)",
    "if 0 < n then n == floor n && (if 0 < m then m == floor m && n - 1 < 2 * 0 else true) else true"
)]
#[case::count_of_the_other(
    "build k (fun i -> k + i < m)",
    "n == floor n && ifold (fun holds k -> holds && (if 0 < k then k == floor k && k + (k - 1) < m else true)) true n"
)]
#[case::not_seen(
    "build m (fun i -> k * i < m)",
    "n == floor n && ifold (fun holds k -> holds && (m == floor m && ifold (fun holds_2 i -> holds_2 && k * i < m) true m)) true n"
)]
#[case::against_each_other(
    "build m (fun i -> i - k < i + i)",
    "n == floor n && ifold (fun holds k -> holds && (m == floor m && ifold (fun holds_2 i -> holds_2 && i - k < i + i) true m)) true n"
)]
fn indices_are_tested_from_within(#[case] element: &str, #[case] expected: &str) {
    let mut program = read(&format!("let f (n : Index) (m : Index) w = build n (fun k -> {element})"));
    let mut body = program.globals().iter().find(|global| &*global.name == "f").unwrap().value;
    let mut indices = vec![];
    while let Expression::Lambda { body: inner, .. } = program.expression(body) {
        body = inner;
    }
    while let Expression::Build { size, function } = program.expression(body) {
        let (index, inner) = parts(&program, function);
        indices.push((index, size));
        body = inner;
    }
    let Expression::Compare(_, left, right) = program.expression(body) else { panic!("an element is a comparison") };
    let span = program.span(body);
    let assumption = Assumption { indices, relation: Relation::Less, left, right };
    let test = guard::test(&mut program, &[assumption], span).unwrap();
    assert_eq!(flat(&print::expression(&program, test)), expected);
}
