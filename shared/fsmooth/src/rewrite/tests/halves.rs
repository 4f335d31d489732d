//! Arrays of two halves that share work, as pictures of points are, and their Jacobians: tables of pairs.

use super::super::Verdict;
use super::{Run, run};
use crate::rewrite::rules::Class;
use crate::typed::print;
use rstest::rstest;

/// The `let`s of an element, of x.
const LETS: &str = "let y = sin (x + v[0]) * x in let z = cos (y * x) + exp (y - x) in let w = exp (sin z) * z in";

/// The two numbers of n points, and their derivatives by two numbers that all share and by one of each point.
const PICTURES: &str = "\
let pictures n all =
  let picture k = (let x = all[2 + k] - all[0] in let r = sin x * all[1] + exp x in let q = r * r + x in \
                   let p = exp (q * all[1]) * r in (p * r + q, p * q * r))
  build (2 * n) (fun k -> if k < n then fst (picture k) else snd (picture (k - n)))
let f n all = vectorMap (jacob (pictures n) all) (fun r -> vectorMap r (fun p -> snd p))
";

fn has_step(run: &Run, rule: &str) -> bool {
    run.of("f").derivation.steps.iter().any(|step| step.rule == rule)
}

#[rstest]
#[case::below("2 * n", "if k < n then (L1 w * y) else (L2 w - v[1])")]
#[case::above("2 * n", "if n > k then (L1 w * y) else (L2 w - v[1])")]
#[case::other_half_first("n + n", "if k >= n then (L2 w - v[1]) else (L1 w * y)")]
#[case::own_lets("n * 2", "if k < n then (L1 w * y) else (L2 let u = cos w * y in u * u)")]
fn halves_share_their_lets(#[case] size: &str, #[case] element: &str) {
    let element = element
        .replace("L1", &format!("let x = exp v[k] in {LETS}"))
        .replace("L2", &format!("let x = exp v[k - n] in {LETS}"));
    let mut run = run(&format!("let f n v = build ({size}) (fun k -> {element})"), Class::Exact);
    let term = run.term("f");
    assert!(has_step(&run, "halves in one loop"), "{term}");
    assert_eq!(run.of("f").verdict, Verdict::Taken);
    assert_eq!(term.matches("exp v[").count(), 1, "{term}");
    run.check_stages("f", 0.0);
}

#[rstest]
#[case::no_half("3 * n", "k - n")]
#[case::not_by_the_distance("2 * n", "k - 1")]
#[case::another_place("2 * n", "k - n + 1")]
fn what_is_no_half_or_shares_nothing_stays(#[case] size: &str, #[case] place: &str) {
    let text = format!(
        "let f n v = build ({size}) (fun k -> if k < n then (let x = exp v[k] in {LETS} w * y) \
         else (let x = exp v[{place}] in {LETS} w - v[1]))"
    );
    let run = run(&text, Class::Exact);
    assert!(!has_step(&run, "halves in one loop"));
}

#[test]
fn jacobians_of_pictures_compute_each_derivative_once() {
    let mut run = run(PICTURES, Class::ZeroSigns);
    let term = run.term("f");
    for rule in ["halves in one loop", "separation of loops", "cases of an index"] {
        assert!(has_step(&run, rule), "{rule}: {term}");
    }
    assert_eq!(run.of("f").verdict, Verdict::Taken);
    run.check_stages("f", 1e-12);
}

/// Of a table for all indices the places of one branch only could be computed.
#[test]
fn assumptions_hold_for_arrays_that_are_not_empty() {
    let text = "let f n m v w = build m (fun i -> build (2 * n) (fun k -> \
                if k < n then exp (sin (exp v[k])) * w[i] else w[i] - v[k - n]))";
    let run = run(text, Class::Exact);
    let tests = run.rewritten.iter().filter_map(|rewritten| rewritten.test);
    for test in tests {
        let test = print::expression(&run.program, test);
        assert!(!test.contains("2 * n"), "{test}");
    }
}
