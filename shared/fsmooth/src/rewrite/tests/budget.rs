//! Bounds of rewriting, by counts of steps and expressions: they do not depend on the machine.

use super::super::{LARGEST_RESULT, Verdict, rewrite};
use super::{PROJECTION, read, run};
use crate::rewrite::cost::allowance::most_expressions;
use crate::rewrite::rules::Class;
use crate::rewrite::terms;
use rstest::rstest;

/// The number of steps of a derivation of a program of the paper at most.
const MOST_STEPS: usize = 4_000;

/// The number of expressions that are made for it at most, but for the projection.
const MOST_MADE: usize = 100_000;

/// The number for the projection: two attempts, and what the last step of each makes beyond its bound.
const MOST_MADE_FOR_PROJECTION: usize = 400_000;

#[rstest]
#[case::dot("let f v w = vectorMap (deriv (vectorDot v w) v) (fun p -> snd p)")]
#[case::largest("let f v = vectorMap (grad vectorMax v) (fun p -> snd p)")]
#[case::addition("let f v w = vectorMap (deriv (vectorAdd v w) v) (fun r -> vectorMap r (fun p -> snd p))")]
#[case::scale("let f v s = vectorMap (deriv (vectorSMul v s) s) (fun p -> snd p)")]
#[case::factorisation(
    "let elementwise a b f = matrixMap2 a b (fun r s -> vectorMap2 r s f)\n\
     let cost a p = vectorSum (vectorMap (elementwise a p (fun x y -> log y + x / y)) vectorSum)\n\
     let f a w h = mgrad (fun h -> cost a (matrixMul w h)) h"
)]
#[case::factorisation_of_vectors(
    "let elementwise a b f = matrixMap2 a b (fun r s -> vectorMap2 r s f)\n\
     let cost a p = vectorSum (vectorMap (elementwise a p (fun x y -> log y + x / y)) vectorSum)\n\
     let f a u v = grad (fun v -> cost a (vectorOutProd u v)) v"
)]
#[case::sum_of_exponentials(
    "let lse v =\n  let largest = vectorMax v\n  largest + log (vectorSum (vectorMap v (fun x -> exp (x - largest))))\n\
     let f v = vectorMap (grad lse v) (fun p -> snd p)"
)]
#[case::projection(PROJECTION)]
fn programs_of_the_paper_are_rewritten_in_few_steps(
    #[case] text: &str,
    #[values(Class::ZeroSigns, Class::Algebra)] class: Class,
) {
    let before = read(text).count();
    let run = run(text, class);
    let steps = run.of("f").derivation.steps.len();
    assert!(steps < MOST_STEPS, "{steps} steps");
    let made = run.program.count() - before;
    let bound = if text == PROJECTION { MOST_MADE_FOR_PROJECTION } else { MOST_MADE };
    assert!(made < bound, "{made} expressions");
}

/// A program of many definitions is rewritten as far as a bound for all of them goes.
#[test]
fn a_long_program_is_rewritten_within_a_bound() {
    let text: String = (0..500)
        .map(|number| {
            format!(
                "let f{number} v = vectorMap (grad (fun v -> log (vectorSum (vectorMap v (fun x -> exp x)))) v) \
                 (fun p -> snd p)\n"
            )
        })
        .collect();
    let mut program = read(&text);
    let bound = program.count() + most_expressions(program.count());
    let rewritten = rewrite(&mut program, Class::ZeroSigns);
    assert!(rewritten.iter().filter(|rewritten| rewritten.verdict == Verdict::Taken).count() > 50);
    // The last definition may be begun just below the bound.
    assert!(program.count() < bound + MOST_MADE_FOR_PROJECTION, "{} of {bound}", program.count());
}

/// In a chain of functions each definition could have all before it inlined: the work must not grow as the square of their number.
#[test]
fn a_chain_of_functions_is_rewritten_within_a_bound() {
    let made = |count: usize| {
        let functions = (1..=count).map(|number| format!("let f{number} x = f{} x + 1\n", number - 1));
        let mut program = read(&functions.fold("let f0 x = x\n".to_owned(), |all, line| all + &line));
        let before = program.count();
        rewrite(&mut program, Class::ZeroSigns);
        program.count() - before
    };
    let (short, long) = (made(500), made(2000));
    assert!(long < 2 * short, "{short} expressions are made for a short chain, {long} for a long one");
}

/// A result that would take a C compiler long is not taken: of this Hessian all loops are written out, and each maximum
/// has two cases.
#[test]
fn results_that_are_too_large_are_not_taken() {
    let text = "let pool m i j =\n  max (max m[2 * i][2 * j] m[2 * i][2 * j + 1]) (max m[2 * i + 1][2 * j] m[2 * i + 1][2 * j + 1])\n\
                let f v =\n  let m = build 4 (fun i -> build 4 (fun j -> v[4 * i + j]))\n  \
                let p = build 2 (fun i -> build 2 (fun j -> pool m i j))\n  \
                ifold (fun s i -> s + vectorDot p[i] p[i] + tanh (m[i][0] * p[0][i])) 0.0 2\n\
                let h v = hessian f v\n";
    let mut program = read(text);
    let rewritten = rewrite(&mut program, Class::ZeroSigns);
    let taken: Vec<_> = rewritten.iter().filter(|rewritten| rewritten.verdict == Verdict::Taken).collect();
    assert!(!taken.is_empty());
    for taken in taken {
        assert!(terms::size(&program, taken.derivation.to, LARGEST_RESULT + 1) <= LARGEST_RESULT);
    }
}
