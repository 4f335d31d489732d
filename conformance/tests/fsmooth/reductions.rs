//! Gradients of reductions of a vector to a number: twenty, each written as loops, by functions of the library, and in another way. The steps of
//! each gradient grow with the length as those of the function, and the ways have the same gradient.
//!
//! The gradient is that of the closed form in the last column, element by element, in terms of the element x, its index i and the length n,
//! which `m` and other definitions of [`MEASURES`] serve: derived by hand.

use crate::growth::{Growth, exponent, observed};
use vlad_shared::language::Rewriting;

/// The difference of exponents that counts as none.
const TOLERANCE: f64 = 0.1;

/// The lengths between which growth is measured.
const LENGTHS: [u32; 2] = [600, 1200];

/// The lengths at which gradients are compared: below and above that from which reverse mode may be taken.
const SHORT_AND_LONG: [u32; 2] = [7, 45];

/// The largest relative difference of elements.
const CLOSE: f64 = 1e-9;

/// A vector whose greatest element and least element are single, and what sums of its elements are.
const MEASURES: &str = "
let v = build n (fun i -> 1.0 + 0.5 * sin (1.0 + 2.0 * i))
let moment k = ifold (fun s i -> s + v[i] ** k) 0.0 n
let m = moment 1.0 / n
let central k = ifold (fun s i -> s + (v[i] - m) ** k) 0.0 n / n
let exps = ifold (fun s i -> s + exp v[i]) 0.0 n
let weighted = ifold (fun s i -> s + v[i] * exp v[i]) 0.0 n
let logs = ifold (fun s i -> s + log v[i]) 0.0 n
let largest = ifold (fun b i -> if v[i] > v[b] then i else b) 0 n
let least = ifold (fun b i -> if v[i] < v[b] then i else b) 0 n
let entropy = log (moment 1.0) - ifold (fun s i -> s + v[i] * log v[i]) 0.0 n / moment 1.0
let signs = ifold (fun s i -> s + (if v[i] > m then 1.0 else (-1.0))) 0.0 n
let at i = if i < 0 then v[0] else if i >= n then v[n - 1] else v[i]
";

/// A reduction: its name, three ways to write it as the body of a function of v, and an element of its gradient.
type Reduction = (&'static str, [&'static str; 3], &'static str);

const REDUCTIONS: [Reduction; 20] = [
    (
        "the sum",
        ["ifold (fun s i -> s + v[i]) 0 (length v)", "vectorSum v", "vectorDot v (build (length v) (fun i -> 1.0))"],
        "1.0",
    ),
    (
        "the mean",
        [
            "ifold (fun s i -> s + v[i] / length v) 0 (length v)",
            "vectorSum v / length v",
            "vectorSum (build (length v) (fun i -> v[length v - 1 - i])) / length v",
        ],
        "1.0 / n",
    ),
    (
        "the product",
        [
            "ifold (fun p i -> p * v[i]) 1 (length v)",
            "exp (vectorSum (vectorMap v (log)))",
            "ifold (fun p i -> v[length v - 1 - i] * p) 1 (length v)",
        ],
        "exp logs / x",
    ),
    (
        "the maximum",
        [
            "ifold (fun s i -> if v[i] > s then v[i] else s) v[0] (length v)",
            "vectorMax v",
            "ifold (fun s i -> max s v[i]) (-1000.0) (length v)",
        ],
        "if i == largest then 1.0 else 0.0",
    ),
    (
        "the minimum",
        [
            "ifold (fun s i -> if v[i] >= s then s else v[i]) v[0] (length v)",
            "-(vectorMax (vectorMap v (fun a -> -a)))",
            "v[ifold (fun b i -> if v[i] < v[b] then i else b) 0 (length v)]",
        ],
        "if i == least then 1.0 else 0.0",
    ),
    (
        "the range",
        [
            "let s = ifold (fun s i -> (if v[i] > fst s then v[i] else fst s, if v[i] < snd s then v[i] else snd s)) \
             (v[0], v[0]) (length v)\n  fst s - snd s",
            "vectorMax v + vectorMax (vectorSMul v (-1.0))",
            "ifold (fun s i -> max s v[i]) v[0] (length v) - ifold (fun s i -> min s v[i]) v[0] (length v)",
        ],
        "(if i == largest then 1.0 else 0.0) - (if i == least then 1.0 else 0.0)",
    ),
    (
        "the sum of squares",
        [
            "ifold (fun s i -> s + v[i] * v[i]) 0 (length v)",
            "vectorDot v v",
            "matrixTrace (matrixMul (vectorToMatrix v) (matrixTranspose (vectorToMatrix v)))",
        ],
        "2.0 * x",
    ),
    (
        "the norm",
        [
            "sqrt (ifold (fun s i -> s + v[i] ** 2.0) 0 (length v))",
            "vectorNorm v",
            "ifold (fun s i -> hypot s v[i]) 0.0 (length v)",
        ],
        "x / sqrt (moment 2.0)",
    ),
    (
        "the variance",
        [
            "let m = ifold (fun s i -> s + v[i]) 0 (length v) / length v\n  \
             ifold (fun s i -> s + (v[i] - m) * (v[i] - m)) 0 (length v) / length v",
            "let m = vectorSum v / length v\n  let d = vectorMap v (fun a -> a - m)\n  vectorDot d d / length v",
            "let s = ifold (fun s i -> (fst s + v[i], snd s + v[i] * v[i])) (0.0, 0.0) (length v)\n  \
             snd s / length v - (fst s / length v) ** 2.0",
        ],
        "2.0 * (x - m) / n",
    ),
    (
        "the standard deviation",
        [
            "let m = ifold (fun s i -> s + v[i]) 0 (length v) / length v\n  \
             sqrt (ifold (fun s i -> s + (v[i] - m) ** 2.0) 0 (length v) / length v)",
            "let m = vectorSum v / length v\n  vectorNorm (vectorMap v (fun a -> a - m)) / sqrt (length v)",
            "let s = ifold (fun s i -> (fst s + (v[i] - fst s) / (i + 1.0), snd s + (v[i] - fst s) * (v[i] - fst s) * i / (i + 1.0))) \
             (0.0, 0.0) (length v)\n  sqrt (snd s / length v)",
        ],
        "(x - m) / (n * sqrt (central 2.0))",
    ),
    (
        "the third moment about the mean",
        [
            "let m = ifold (fun s i -> s + v[i]) 0 (length v) / length v\n  \
             ifold (fun s i -> s + (v[i] - m) * (v[i] - m) * (v[i] - m)) 0 (length v) / length v",
            "let m = vectorSum v / length v\n  vectorSum (vectorMap v (fun a -> (a - m) ** 3.0)) / length v",
            "let m k = vectorSum (build (length v) (fun i -> v[i] ** k)) / length v\n  \
             m 3.0 - 3.0 * m 1.0 * m 2.0 + 2.0 * m 1.0 ** 3.0",
        ],
        "3.0 * ((x - m) ** 2.0 - central 2.0) / n",
    ),
    (
        "the logarithm of the sum of exponentials",
        [
            "log (ifold (fun s i -> s + exp v[i]) 0 (length v))",
            "log (vectorSum (vectorMap v (exp)))",
            "ifold (fun s i -> s + log1p (exp (v[i + 1] - s))) v[0] (length v - 1)",
        ],
        "exp x / exps",
    ),
    (
        "the same, less the maximum",
        [
            "let m = ifold (fun s i -> if v[i] > s then v[i] else s) v[0] (length v)\n  \
             m + log (ifold (fun s i -> s + exp (v[i] - m)) 0 (length v))",
            "let m = vectorMax v\n  m + log (vectorSum (vectorMap v (fun a -> exp (a - m))))",
            "let m = ifold (fun s i -> max s v[i]) v[0] (length v)\n  \
             let e = build (length v) (fun i -> exp (v[i] - m))\n  log (vectorSum e) + m",
        ],
        "exp x / exps",
    ),
    (
        "the entropy",
        [
            "let t = ifold (fun s i -> s + v[i]) 0 (length v)\n  \
             ifold (fun s i -> s - v[i] / t * log (v[i] / t)) 0 (length v)",
            "let p = vectorSMul v (1.0 / vectorSum v)\n  -(vectorDot p (vectorMap p (log)))",
            "let t = vectorSum v\n  let p = build (length v) (fun i -> let q = v[i] / t in (q, log q))\n  \
             vectorSum (vectorMap p (fun q -> -(fst q) * snd q))",
        ],
        "-(log (x / moment 1.0) + entropy) / moment 1.0",
    ),
    (
        "the geometric mean",
        [
            "ifold (fun p i -> p * v[i]) 1 (length v) ** (1.0 / length v)",
            "exp (vectorSum (vectorMap v (log)) / length v)",
            "ifold (fun p i -> p * v[i] ** (1.0 / length v)) 1.0 (length v)",
        ],
        "exp (logs / n) / (n * x)",
    ),
    (
        "the harmonic mean",
        [
            "length v / ifold (fun s i -> s + 1.0 / v[i]) 0 (length v)",
            "length v / vectorSum (vectorMap v (fun a -> 1.0 / a))",
            "let r = build (length v) (fun i -> v[i] ** (-1.0))\n  1.0 / (vectorSum r / length v)",
        ],
        "n / (x * x * moment (-1.0) ** 2.0)",
    ),
    (
        "a polynomial with these coefficients",
        [
            "ifold (fun s i -> s * 0.9 + v[i]) 0.0 (length v)",
            "vectorSum (vectorMap2 v (build (length v) (fun i -> 0.9 ** (length v - 1.0 - i))) (*))",
            "fst (ifold (fun s i -> (fst s + v[length v - 1 - i] * snd s, snd s * 0.9)) (0.0, 1.0) (length v))",
        ],
        "0.9 ** (n - 1.0 - i)",
    ),
    (
        "the mean absolute deviation",
        [
            "let m = ifold (fun s i -> s + v[i]) 0 (length v) / length v\n  \
             ifold (fun s i -> s + (if v[i] > m then v[i] - m else m - v[i])) 0 (length v) / length v",
            "let m = vectorSum v / length v\n  vectorSum (vectorMap v (fun a -> abs (a - m))) / length v",
            "let m = vectorSum v / length v\n  let d = build (length v) (fun i -> max (v[i] - m) (m - v[i]))\n  \
             vectorSum d / length v",
        ],
        "((if x > m then 1.0 else (-1.0)) - signs / n) / n",
    ),
    (
        "the squares of differences of neighbours",
        [
            "ifold (fun s i -> s + (v[i + 1] - v[i]) * (v[i + 1] - v[i])) 0 (length v - 1)",
            "let d = vectorMap2 (vectorSlice v 1 (length v - 1)) (vectorSlice v 0 (length v - 2)) (-)\n  vectorDot d d",
            "snd (ifold (fun s i -> (v[i], snd s + (v[i] - fst s) ** 2.0)) (v[0], 0.0) (length v))",
        ],
        "2.0 * (2.0 * x - at (i - 1) - at (i + 1))",
    ),
    (
        "the mean with exponential weights",
        [
            "let t = ifold (fun s i -> s + exp v[i]) 0 (length v)\n  ifold (fun s i -> s + v[i] * exp v[i] / t) 0 (length v)",
            "let e = vectorMap v (exp)\n  vectorDot v e / vectorSum e",
            "let s = ifold (fun s i -> let e = exp v[i] in (fst s + v[i] * e, snd s + e)) (0.0, 0.0) (length v)\n  fst s / snd s",
        ],
        "exp x / exps * (1.0 + x - weighted / exps)",
    ),
];

const DERIVATIVE: &str = "let g v = vectorMap (grad f v) (fun p -> snd p)\n";

#[test]
fn gradients_of_reductions_grow_as_reductions_do() {
    let mut failures = vec![];
    for (name, ways, _) in REDUCTIONS {
        for way in ways {
            let definitions =
                format!("let v = build n (fun i -> 1.0 + 0.5 * sin (1.0 + 2.0 * i))\nlet f v =\n  {way}\n{DERIVATIVE}");
            let growth = Growth {
                definitions: &definitions,
                primal: "f v",
                derivative: "vectorSum (g v)",
                sizes: LENGTHS,
                written_sizes: LENGTHS,
                saved: 0.0,
            };
            let [primal, gradient] =
                [growth.primal, growth.derivative].map(|last| exponent(&growth, last, LENGTHS, Rewriting::On));
            if (gradient - primal).abs() > TOLERANCE {
                failures.push(format!("{name}: {way}: {primal}, {gradient}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn gradients_of_reductions_are_those_of_closed_forms() {
    for (name, ways, element) in REDUCTIONS {
        for length in SHORT_AND_LONG {
            for way in ways {
                let text = format!(
                    "let n = {length}{MEASURES}let f v =\n  {way}\n{DERIVATIVE}let expected i (x : Double) = {element}\n\
                     let difference (a : Double) (b : Double) = abs (a - b) / (abs a + abs b + 1e-6)\n\
                     let e = g v\nvectorMax (build n (fun i -> difference e[i] (expected i v[i])))\n"
                );
                let run = observed(&text, Rewriting::On);
                assert!(run.diagnostics.is_empty(), "{text}\n{}", run.rendered());
                let difference: f64 = run.output[0].parse().unwrap();
                assert!(difference < CLOSE, "{name}, {length}: {way}: {difference}");
            }
        }
    }
}
