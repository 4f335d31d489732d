//! Estimates of steps, against counts by hand (report, part 5.4), and what they decide.

use super::super::Verdict;
use super::{read, run};
use crate::rewrite::cost::Guards;
use crate::rewrite::cost::estimate::{Sizes, estimate};
use crate::rewrite::rules::Class;
use crate::typed::Item;
use rstest::rstest;

/// The steps of the last expression of a program, as it is written.
fn steps(text: &str) -> f64 {
    let program = read(text);
    let Some(Item::Expression(last)) = program.items.last() else { panic!("a program ends with an expression") };
    estimate(&program, &Guards::default(), &Sizes::uniform(1000.0), *last).steps
}

#[rstest]
// Application, operator, pair, and the operands.
#[case::sum("1.0 + 2.0", 5.0)]
#[case::guarded("guarded 1.0 2.0", 5.0)]
#[case::negation("let x = 2.0\n-x", 3.0)]
// Application and lambda, the value, then the body.
#[case::binding("(let x = 1.0 in x * x)", 8.0)]
#[case::branch("if true then 1.0 else 2.0 + 3.0", 3.0)]
// Application, `build`, pair, the size and the lambda; of each turn its application and its body.
#[case::array("build 3 (fun i -> i)", 11.0)]
#[case::iteration("ifold (fun s i -> s + i) 0.0 4", 31.0)]
// The call, its function and the pair of its operands, then the body.
#[case::call("let f x y = x * y\nf 2.0 3.0", 10.0)]
// A size that is computed, and one that is that of an array.
#[case::size("let f a b = build (b - a + 1) (fun i -> i)\nf 2 4", 24.0)]
#[case::length("let v = [| 1.0; 2.0 |]\nbuild (length v) (fun i -> v[i])", 19.0)]
#[case::quotient("quotient 7 2", 7.0)]
// One turn of three fulfils the condition: 4 steps of the comparison and the branch each, and 5 or 1 of the branches.
#[case::turn("build 3 (fun i -> if i == 1 then 1.0 + 2.0 else 0.0)", 8.0 + 3.0 * 6.0 + 5.0 + 2.0)]
fn steps_are_those_of_the_engines(#[case] text: &str, #[case] expected: f64) {
    assert!((steps(text) - expected).abs() < 1e-9, "{}", steps(text));
}

/// Short arrays that are known take no tables, and what never runs is not moved.
#[rstest]
#[case::empty("let v = ([||] : Vector)\nbuild (length v) (fun i -> build 3 (fun j -> exp 2.0))")]
#[case::no_turn("build (min 0 3) (fun i -> build 3 (fun j -> exp j))")]
fn no_program_takes_more_steps(#[case] text: &str) {
    let before = steps(text);
    let run = run(text, Class::ZeroSigns);
    let Some(Item::Expression(last)) = run.program.items.last() else { panic!("a program ends with an expression") };
    let after = estimate(&run.program, &Guards::default(), &Sizes::uniform(1000.0), *last).steps;
    assert!(after <= before, "{before}, {after}");
}

/// The rewriting of a definition is left out if its assumptions are known not to hold.
#[test]
fn what_is_known_to_be_ragged_stays() {
    let text = "let v = [| 1.0; 2.0 |]\nlet w = [| 1.0 |]\nvectorMap (deriv (vectorDot v w) v) (fun p -> snd p)";
    let run = run(text, Class::ZeroSigns);
    let last = run.rewritten.iter().rev().find(|rewritten| matches!(rewritten.item, Item::Expression(_)));
    assert!(last.is_some_and(|last| last.test.is_some() && last.verdict == Verdict::AsExpensive));
}
