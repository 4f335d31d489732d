//! Derivations that nothing but the rules finds: those of the paper (Shaikhha et al. 2018, section 4), and gradients of
//! common functions. Each states the term that comes out and the test that guards it; all stages have the same values.

use super::super::Verdict;
use super::{read, run};
use crate::rewrite::rules::Class;
use crate::typed::{Item, print, select};

/// Rewrites the definition `f` of a program, and compares the term and the test of its assumptions.
fn derives(text: &str, class: Class, term: &str, test: &str) {
    let mut run = run(text, class);
    assert_eq!((run.term("f").as_str(), run.test("f").as_str()), (term, test));
    assert_eq!(run.of("f").verdict, Verdict::Taken);
    let error = if class == Class::Exact { 0.0 } else { 1e-12 };
    run.check_stages("f", error);
}

const OF_MATRIX: &str = "let tangents m = matrixMap m (fun r -> vectorMap r (fun p -> snd p))\n";

#[test]
fn the_gradient_of_a_dot_product_is_the_other_vector() {
    let text = "let f v w = vectorMap (deriv (vectorDot v w) v) (fun p -> snd p)";
    derives(text, Class::ZeroSigns, "w", "length w == length v");
    // Without the rules about signs of zeros, all bits stay.
    derives(text, Class::Exact, "build (length v) (fun i -> guarded w[i] 1.0)", "length w == length v");
}

#[test]
fn the_gradient_of_a_trace_is_the_identity() {
    let text = format!("{OF_MATRIX}let f m = tangents (deriv (matrixTrace m) m)");
    let term = "build (length m) (fun i -> build (length m[i]) (fun i_2 -> if i_2 == i then 1.0 else 0.0))";
    derives(&text, Class::ZeroSigns, term, "ifold (fun holds i -> holds && i < length m[i]) true (length m)");
}

#[test]
fn the_gradient_of_the_trace_of_a_product_is_the_transposed_factor() {
    let text = format!("{OF_MATRIX}let f m a = tangents (deriv (matrixTrace (matrixMul m a)) m)");
    let test = "0 < length a && (ifold (fun holds j -> holds && length a[j] == length a[0]) true (length a) && \
                (ifold (fun holds_2 i -> holds_2 && length a == length m[i]) true (length m) && \
                length m == length a[0]))";
    let term = "build (length m) (fun i -> build (length m[i]) (fun i_2 -> a[i_2][i]))";
    derives(&text, Class::ZeroSigns, term, test);
}

#[test]
fn the_gradient_of_a_bilinear_form_is_the_outer_product() {
    let text = format!(
        "{OF_MATRIX}let p u m v =\n  let um = vectorToMatrix u\n  let vt = matrixTranspose (vectorToMatrix v)\n  \
         let r = matrixMult um (matrixMult m vt)\n  r[0][0]\nlet f u m v = tangents (deriv (p u m v) m)"
    );
    let test = "0 < length v && (ifold (fun holds i -> holds && length v == length m[i]) true (length m) && \
                length m == length u)";
    let term = |product: &str| format!("build (length m) (fun i -> build (length m[i]) (fun i_2 -> {product}))");
    derives(&text, Class::ZeroSigns, &term("guarded u[i] v[i_2]"), test);
    derives(&text, Class::Algebra, &term("u[i] * v[i_2]"), test);
}

#[test]
fn scalar_derivatives_are_those_of_the_textbook() {
    derives("let f a = snd (deriv (cos a) a)", Class::ZeroSigns, "-sin a", "");
    derives("let f a b = snd (deriv (a * b) a)", Class::ZeroSigns, "b", "");
    derives("let f x y = snd (deriv (x * snd (deriv (x + y) y)) x)", Class::ZeroSigns, "1.0", "");
}

#[test]
fn the_gradient_of_a_sum_of_values_is_one_loop() {
    let text = "let f v = vectorMap (grad (fun v -> vectorSum (vectorMap v (fun x -> sin x))) v) (fun p -> snd p)";
    derives(text, Class::ZeroSigns, "build (length v) (fun i -> cos v[i])", "");
}

/// The elements apart from the diagonal are zeros; the others are computed once, where they stand.
#[test]
fn the_jacobian_of_a_map_is_a_diagonal() {
    let text = format!("{OF_MATRIX}let f v = tangents (jacob (fun v -> vectorMap v (fun x -> exp x)) v)");
    let term = "build (length v) (fun i -> build (length v) (fun i_2 -> if i == i_2 then exp v[i_2] else 0.0))";
    derives(&text, Class::ZeroSigns, term, "");
}

/// The data that a gradient names at top level need no copy with tangents, but in the branch for sizes that do not agree. What
/// is shown of a definition, with all that it names, reads back as the same program.
#[test]
fn what_is_left_is_a_program() {
    let text = "let a = [| 1.0; 2.0 |]\nlet f v = vectorMap (grad (fun v -> vectorDot v a) v) (fun p -> snd p)";
    let mut run = run(text, Class::ZeroSigns);
    assert_eq!(run.term("f"), "a");
    let Item::Define(global) = run.of("f").item else { panic!("a definition is rewritten") };
    select::keep_definitions(&mut run.program, vec![global]);
    let printed = print::program(&run.program);
    assert!(!printed.lines().any(|line| line.starts_with("let a' ")), "{printed}");
    assert_eq!(print::program(&read(&printed)), printed);
}

/// A product of matrices stays as it is written: going through the rows of both would take more steps.
#[test]
fn a_product_of_matrices_stays() {
    let text = "let f a b = build (length a) (fun i -> build (length b) (fun j -> \
                ifold (fun s k -> s + a[i][k] * b[k][j]) 0.0 (length b)))";
    let run = run(text, Class::Algebra);
    assert!(run.rewritten.iter().all(|rewritten| rewritten.verdict != Verdict::Taken));
}

/// The rules of figure 7 about choices and loops, on variables.
#[test]
fn choices_and_loops_of_variables_become_simpler() {
    let exact = |text: &str, term: &str| derives(text, Class::Exact, term, "");
    exact("let f (c : Bool) (a : Double) b = if c then (if c then a else b) else if c then b else a", "a");
    exact(
        "let f (c : Array<Bool>) (a : Double) b = if c[0] then (if c[0] then a else b) else b",
        "if c[0] then a else b",
    );
    exact("let f (c : Bool) = sqrt (if c then 4.0 else 9.0)", "if c then 2.0 else 3.0");
    exact("let f n (e : Double) = ifold (fun s i -> e * e) 1.0 (length n)", "if 0 < length n then e * e else 1.0");
    exact("let f n (e : Double) = ifold (fun s i -> e) 1.0 (length n)", "if 0 < length n then e else 1.0");
    exact(
        "let f a b v = build (length v) (fun i -> v[i] * (a * b))",
        "( let t = a * b in build (length v) (fun i -> v[i] * t))",
    );
}

/// A product needs the value of each step: for many numbers its gradient is by reverse mode, which stands once in what inlines it.
#[test]
fn a_gradient_that_takes_a_pass_for_each_number_is_by_reverse_mode() {
    let text = "let p v = ifold (fun s i -> s * v[i]) 1.0 (length v)\n\
                let g v = vectorMap (grad p v) (fun p -> snd p)\nlet f v = vectorSum (g v)";
    let mut run = run(text, Class::ZeroSigns);
    for name in ["g", "f"] {
        let term = run.term(name);
        assert!(term.contains(" < 32 then") && term.matches("vjp").count() == 1, "{term}");
        assert_eq!(run.of(name).verdict, Verdict::Taken);
        run.check_stages(name, 1e-12);
    }
}

/// An element that is chosen and not read must not fail, or the selection fails as it is written.
#[test]
fn a_selection_of_elements_that_may_fail_keeps_their_failures() {
    let text = "let f (a : Array<Index>) (w : Vector) (v : VectorD) =\n  \
                ifold (fun s i -> if w[i] > 0.0 then v[a[i]] else s) v[a[0]] (length w)";
    run(text, Class::ZeroSigns).check_stages("f", 0.0);
}
