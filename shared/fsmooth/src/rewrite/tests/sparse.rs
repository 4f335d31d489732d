//! Jacobians of which most places are 0, whose rows are computed by cases of the input, and the rules on the way to them.

use super::super::Verdict;
use super::run;
use crate::rewrite::rules::Class;
use rstest::rstest;

/// Two halves of outputs; each output depends on two inputs that all share, and on one of its own.
const HALVES: &str = "\
let halves n v = build (2 * n) (fun k -> if k < n then v[0] * v[2 + k] else v[1] + v[2 + (k - n)])
let f n v = vectorMap (jacob (halves n) v) (fun r -> vectorMap r (fun p -> snd p))
";

#[test]
fn the_rows_of_a_sparse_jacobian_are_cases() {
    let mut run = run(HALVES, Class::ZeroSigns);
    assert_eq!(run.of("f").verdict, Verdict::Taken);
    let is_made = run.of("f").derivation.steps.iter().any(|step| step.rule == "cases of an index");
    assert!(is_made, "{}", run.term("f"));
    assert_eq!(
        run.term("f"),
        "build (length v) (fun i -> \
         if i == 0 then build (2 * n) (fun i_2 -> if i_2 < n then v[2 + i_2] else 0.0) else \
         if i == 1 then build (2 * n) (fun i_3 -> if i_3 < n then 0.0 else 1.0) else \
         build (2 * n) (fun i_4 -> \
         if i == 2 + i_4 then if i_4 < n then v[0] else if 2 + i_4 == 2 + (i_4 - n) then 1.0 else 0.0 else \
         if i == 2 + (i_4 - n) then if i_4 < n then 0.0 else 1.0 else 0.0))"
    );
    run.check_stages("f", 1e-12);
}

/// The indices of one branch are those that its condition leaves, so the test holds for arguments that do not fail.
#[test]
fn assumptions_are_those_of_the_branch() {
    let test = run(HALVES, Class::ZeroSigns).test("f");
    assert!(!test.contains("0 <= 2 + (k"), "{test}");
    // A count is natural before what is tested of its last index.
    let (natural, last) = (test.find("0 <= n"), test.find("2 + (n - 1) < length v"));
    assert!(natural.is_some() && natural < last, "{test}");
}

#[test]
fn what_does_not_depend_on_the_input_is_computed_once_for_each_output() {
    let text = "\
let terms v w = build (length w) (fun k -> let x = exp (w[k] * w[k]) in v[0] * x + v[1] * (x * x))
let f v w = vectorMap (jacob (fun v -> terms v w) v) (fun r -> vectorMap r (fun p -> snd p))
";
    let mut run = run(text, Class::ZeroSigns);
    assert_eq!(run.of("f").verdict, Verdict::Taken);
    let term = run.term("f");
    assert_eq!(term.matches("exp").count(), 1, "{term}");
    run.check_stages("f", 1e-12);
}

/// The condition of a branch, and a pair that is no column, use what is a column then.
#[rstest]
#[case::condition(
    "if x < 3.0 && 0.5 < x then v[0] * sin (cos (y + 1.0)) * v[1] else v[1] * v[1] * cos (sin (y * 2.0))"
)]
#[case::pair("let p = if k == 0 then (x, y) else (y, x) in v[0] * fst p + snd p * v[1] + sin (x * y) * v[0] * v[1]")]
#[case::pair_of_the_row(
    "let p = if v[0] > 1.0 then (v[1], v[0]) else (v[0], 0.0) in sin (fst p) * snd p * x + x * v[1]"
)]
fn separated_loops_keep_what_they_use(#[case] element: &str) {
    let text = format!(
        "let terms v w = build (length w) (fun k ->\n  let y = w[k] * w[k] + 1.0 - w[k]\n  let x = exp y * y\n  {element})\n\
         let f v w = vectorMap (jacob (fun v -> terms v w) v) (fun r -> vectorMap r (fun p -> snd p))"
    );
    let mut run = run(&text, Class::ZeroSigns);
    let is_separated = run.of("f").derivation.steps.iter().any(|step| step.rule == "separation of loops");
    assert!(is_separated, "{}", run.term("f"));
    run.check_stages("f", 1e-12);
}

#[test]
fn loops_of_few_turns_are_written_out() {
    let text = "\
let f v =
  let w = build 3 (fun i -> v[i] * 2.0)
  ifold (fun s i -> s - w[i]) 1.0 3
";
    let mut run = run(text, Class::Exact);
    assert_eq!(run.term("f"), "1.0 - v[0] * 2.0 - v[1] * 2.0 - v[2] * 2.0");
    assert_eq!(run.test("f"), "2 < length v");
    run.check_stages("f", 0.0);
}

#[test]
fn the_length_of_a_slice_is_known() {
    let text = "let f v i = vectorSum (vectorSlice v (3 * i) (1 + 3 * i))";
    let mut run = run(text, Class::Exact);
    assert!(!run.term("f").contains("build"), "{}", run.term("f"));
    run.check_stages("f", 0.0);
}

#[test]
fn an_array_that_is_read_at_other_places_stays() {
    let text = "let f v k = let w = [| v[0] * 2.0; v[1] * 3.0 |] in (w[k] + w[0]) * 1.0";
    let mut run = run(text, Class::Exact);
    assert!(run.term("f").contains("[|"), "{}", run.term("f"));
    run.check_stages("f", 0.0);
}

/// An assumption about the indices of one branch says nothing of those of the other one.
#[test]
fn ranges_are_those_of_the_branch() {
    let text = "let f n v = build (2 * n) (fun k -> \
                if k < n then fst (1.0, v[2 * k]) else if k < n + 1 then 10.0 else 20.0)";
    let mut run = run(text, Class::Exact);
    assert_eq!(run.term("f"), "build (2 * n) (fun k -> if k < n then 1.0 else if k < n + 1 then 10.0 else 20.0)");
    run.check_stages("f", 0.0);
}
