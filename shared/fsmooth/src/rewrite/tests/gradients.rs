//! Gradients by forward mode whose cost grows like that of the function: each states the term that comes out, and the cost
//! model measures both at two sizes.

use super::super::Verdict;
use super::{Run, run};
use crate::rewrite::cost::Guards;
use crate::rewrite::cost::estimate::{Sizes, estimate};
use crate::rewrite::rules::Class;
use crate::typed::{Expression, ExpressionId};
use rstest::rstest;

/// The nominal sizes between which growth is measured.
const SIZES: [f64; 2] = [1e4, 1e6];

/// The difference of exponents that counts as none.
const TOLERANCE: f64 = 0.05;

/// Returns the exponent with which the cost of a term grows with all sizes.
fn exponent(run: &Run, term: ExpressionId) -> f64 {
    let [small, large] = SIZES.map(|size| {
        // Reading a variable costs nothing.
        1.0 + estimate(&run.program, &Guards::default(), &Sizes::uniform(size), term).work
    });
    (large / small).ln() / (SIZES[1] / SIZES[0]).ln()
}

/// The exponent of a definition as it is rewritten.
fn exponent_of(run: &Run, name: &str) -> f64 {
    exponent(run, run.of(name).derivation.to)
}

const OF_MATRIX: &str = "let tangents m = matrixMap m (fun r -> vectorMap r (fun p -> snd p))\n";

/// The definitions of `primal`, a function of the size of its derivative `f`, with the term of `f`.
#[rstest]
#[case::dot("let primal v w = vectorDot v w\nlet f v w = vectorMap (deriv (vectorDot v w) v) (fun p -> snd p)", "w")]
#[case::largest(
    "let primal v = vectorMax v\nlet f v = vectorMap (grad vectorMax v) (fun p -> snd p)",
    "( let t = ifold (fun best i -> if v[best] < v[i] then i else best) 0 (length v) in \
     build (length v) (fun i_2 -> if i_2 == t then 1.0 else 0.0))"
)]
// A maximum that is written as its elements are seen is one of the kind.
#[case::largest_by_value(
    "let largest v = ifold (fun s i -> if v[i] > s then v[i] else s) v[0] (length v)\nlet primal v = largest v\n\
     let f v = vectorMap (grad primal v) (fun p -> snd p)",
    "( let t = ifold (fun best i -> if v[i] > v[best] then i else best) 0 (length v) in \
     build (length v) (fun i_2 -> if i_2 == t then 1.0 else 0.0))"
)]
#[case::scale(
    "let primal v s = vectorSMul v s\nlet f v s = vectorMap (deriv (vectorSMul v s) s) (fun p -> snd p)",
    "v"
)]
#[case::sum_of_exponentials(
    "let primal v = log (vectorSum (vectorMap v (fun x -> exp x)))\n\
     let f v = vectorMap (grad primal v) (fun p -> snd p)",
    "( let t = build (length v) (fun i -> exp v[i]) in \
     let t_2 = 1.0 / ifold (fun s' i_2 -> s' + t[i_2]) 0.0 (length v) in \
     build (length v) (fun i_3 -> guarded t_2 t[i_3]))"
)]
// The softmax, of exponentials that are computed once; only at the largest element the tangents of all others are summed.
#[case::sum_of_exponentials_below_the_largest(
    "let primal v =\n  let largest = vectorMax v\n  \
     largest + log (vectorSum (vectorMap v (fun x -> exp (x - largest))))\n\
     let f v = vectorMap (grad primal v) (fun p -> snd p)",
    "( let t = ifold (fun best i -> if v[best] < v[i] then i else best) 0 (length v) in \
     let t_2 = build (length v) (fun i_2 -> exp (v[i_2] - v[t])) in \
     let t_3 = 1.0 / ifold (fun s' i_3 -> s' + t_2[i_3]) 0.0 (length v) in \
     build (length v) (fun i_4 -> (if i_4 == t then 1.0 else 0.0) + guarded t_3 (if i_4 == t then \
     ifold (fun s'_2 i_5 -> if i_4 == i_5 then s'_2 else s'_2 + -t_2[i_5]) 0.0 (length v) else t_2[i_4])))"
)]
// Two products of the matrix and a vector: the residuals r = A x - b, then 2 A' r, row by row.
#[case::least_squares(
    "let primal a b x =\n  let r = build (length a) (fun k -> vectorDot a[k] x - b[k])\n  vectorDot r r\n\
     let f a b x = vectorMap (deriv (primal a b x) x) (fun p -> snd p)",
    "( let t = build (length a) (fun k -> ifold (fun s' i -> s' + a[k][i] * x[i]) 0.0 (length a[k]) - b[k]) in \
     ifold (fun s'_2 i_2 -> build (length x) (fun i_3 -> \
     s'_2[i_3] + (guarded t[i_2] a[i_2][i_3] + guarded t[i_2] a[i_2][i_3]))) \
     (build (length x) (fun i_4 -> 0.0)) (length a))"
)]
// The product of the Hessian A + A' and a vector.
#[case::quadratic_form(
    "let primal a x = vectorDot x (build (length a) (fun k -> vectorDot a[k] x))\n\
     let f a x v = vectorMap (grad (fun x -> vectorDot v (vectorMap (grad (fun y -> primal a y) x) (fun p -> snd p))) x) \
     (fun p -> snd p)",
    "build (length x) (fun i -> ifold (fun s' i_2 -> \
     s' + guarded v[i_2] (a[i_2][i] + a[i][i_2])) 0.0 (length v))"
)]
fn gradients_cost_what_functions_cost(#[case] text: &str, #[case] term: &str) {
    let mut run = run(text, Class::ZeroSigns);
    assert_eq!(run.term("f").as_str(), term);
    assert_eq!(run.of("f").verdict, Verdict::Taken);
    let (primal, gradient) = (exponent_of(&run, "primal"), exponent_of(&run, "f"));
    assert!(gradient - primal < TOLERANCE, "{primal}, {gradient}");
    run.check_stages("f", 1e-9);
}

/// W' (1/P - A/P^2), elementwise, with P = W H: the product first, then sums for each row of H. Both go through rows.
#[test]
fn the_gradient_of_a_factorisation_is_a_product() {
    let text = format!(
        "{OF_MATRIX}let primal a w h =\n  let p = matrixMul w h\n  ifold (fun s i -> ifold (fun t j -> \
         t + (log p[i][j] + a[i][j] / p[i][j])) s (length p[i])) 0 (length p)\n\
         let f a w h = tangents (deriv (primal a w h) h)"
    );
    let mut run = run(&text, Class::ZeroSigns);
    let product = "ifold (fun s' i_2 -> build (length h[0]) (fun j -> s'[j] + w[i][i_2] * h[i_2][j])) \
                   (build (length h[0]) (fun j_2 -> 0.0)) (length w[i])";
    let term = format!(
        "( let t = build (length w) (fun i -> {product}) in \
         build (length h) (fun i_3 -> ifold (fun s'_2 i_4 -> build (length h[i_3]) (fun i_5 -> \
         let t_2 = 1.0 / t[i_4][i_5] in s'_2[i_5] + (guarded t_2 w[i_4][i_3] + \
         guarded (-guarded (a[i_4][i_5] / t[i_4][i_5]) t_2) w[i_4][i_3]))) \
         (build (length h[i_3]) (fun i_6 -> 0.0)) (length w)))"
    );
    assert_eq!(run.term("f"), term);
    let (primal, gradient) = (exponent_of(&run, "primal"), exponent_of(&run, "f"));
    assert!(gradient - primal < TOLERANCE, "{primal}, {gradient}");
    run.check_stages("f", 1e-9);
}

/// The Jacobian of an addition is the identity, which has n n elements.
#[test]
fn the_jacobian_of_an_addition_is_the_identity() {
    let text = format!("{OF_MATRIX}let f v w = tangents (deriv (vectorAdd v w) v)");
    let mut run = run(&text, Class::ZeroSigns);
    let term = "build (length v) (fun i -> build (length v) (fun i_2 -> if i == i_2 then 1.0 else 0.0))";
    assert_eq!((run.term("f").as_str(), run.test("f").as_str()), (term, "length w == length v"));
    assert!((exponent_of(&run, "f") - 2.0).abs() < TOLERANCE);
    run.check_stages("f", 0.0);
}

/// As they are written, gradients by forward mode cost a power of the size more: the cost model tells the difference.
#[test]
fn gradients_as_they_are_written_cost_a_power_more() {
    let text = "let primal v w = ifold (fun s i -> s + v[i] * w[i]) 0 (length v)\n\
                let f v w = build (length v) (fun i -> ifold (fun s j -> s + v[j] * w[i]) 0 (length v))";
    let run = run(text, Class::ZeroSigns);
    let body = |name: &str| {
        let is_it = |global: &&crate::typed::Global| &*global.name == name;
        let mut value = run.program.globals().iter().find(is_it).unwrap().value;
        while let Expression::Lambda { body, .. } = run.program.expression(value) {
            value = body;
        }
        value
    };
    let (one, more) = (exponent(&run, body("primal")), exponent(&run, body("f")));
    assert!((more - one - 1.0).abs() < TOLERANCE, "{one}, {more}");
}
