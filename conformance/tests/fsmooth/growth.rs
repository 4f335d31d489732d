//! Growth of steps with sizes: a gradient by forward mode takes as long as the function, up to a factor, when it is rewritten,
//! and a power of the size more as it is written.

use vlad_conformance::observe::{Observation, RunConditions, observe};
use vlad_engines::Engine;
use vlad_shared::frontend::load::Input;
use vlad_shared::fsmooth::FSMOOTH;
use vlad_shared::language::{Language, Rewriting};

/// The difference of exponents that counts as none.
const TOLERANCE: f64 = 0.05;

/// A function and its derivative, as programs.
pub struct Growth<'text> {
    /// The definitions, in which `n` is a size.
    pub definitions: &'text str,
    /// The use of the function, a number.
    pub primal: &'static str,
    /// The use of its derivative, a number.
    pub derivative: &'static str,
    /// The sizes at which the function and the rewritten derivative are measured.
    pub sizes: [u32; 2],
    /// The smaller sizes for the derivative as it is written.
    pub written_sizes: [u32; 2],
    /// The powers of the size that rewriting saves.
    pub saved: f64,
}

/// Runs a program that is rewritten in a way.
pub fn observed(text: &str, rewriting: Rewriting) -> Observation {
    let input = Input::Text { name: "program".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
    let conditions = RunConditions { language: FSMOOTH.rewriting(rewriting), ..RunConditions::default() };
    observe(Engine::Hybrid, input, &conditions)
}

fn steps(growth: &Growth<'_>, last: &str, size: u32, rewriting: Rewriting) -> f64 {
    let text = format!("let n = {size}\n{}{last}\n", growth.definitions);
    let run = observed(&text, rewriting);
    assert!(run.diagnostics.is_empty(), "{text}\n{}", run.rendered());
    run.steps.unwrap() as f64
}

/// The exponent of the growth between two sizes, without what does not grow.
pub fn exponent(growth: &Growth<'_>, last: &str, sizes: [u32; 2], rewriting: Rewriting) -> f64 {
    let base = steps(growth, last, 1, rewriting);
    let [small, large] = sizes.map(|size| steps(growth, last, size, rewriting) - base);
    let ratio = f64::from(sizes[1]) / f64::from(sizes[0]);
    (large / small).ln() / ratio.ln()
}

fn check(growth: &Growth<'_>) {
    let primal = exponent(growth, growth.primal, growth.sizes, Rewriting::On);
    let rewritten = exponent(growth, growth.derivative, growth.sizes, Rewriting::On);
    let written = exponent(growth, growth.derivative, growth.written_sizes, Rewriting::Off);
    let texts = (primal, rewritten, written);
    assert!(rewritten - primal < TOLERANCE, "{}: {texts:?}", growth.derivative);
    assert!(written - primal > growth.saved - 4.0 * TOLERANCE, "{}: {texts:?}", growth.derivative);
}

const VECTORS: &str = "let v = build n (fun i -> 1.0 / (1.0 + i))\nlet w = build n (fun i -> 2.0 + i)\n\
                       let tangents d = vectorSum (vectorMap d (fun p -> snd p))\n";

fn of_vectors(primal: &'static str, derivative: &'static str) -> Growth<'static> {
    Growth { definitions: VECTORS, primal, derivative, sizes: [400, 1600], written_sizes: [40, 80], saved: 1.0 }
}

#[test]
fn the_gradient_of_a_dot_product() {
    check(&of_vectors("vectorDot v w", "let g v w = tangents (deriv (vectorDot v w) v)\ng v w"));
}

#[test]
fn the_gradient_of_the_maximum() {
    check(&of_vectors("vectorMax v", "let g v = tangents (grad vectorMax v)\ng v"));
}

/// The Jacobian has n n elements, each of which takes constant time: rewritten, as they are written, no power is saved but that
/// of the sums of unit vectors.
#[test]
fn the_jacobian_of_an_addition() {
    let definitions = "let v = build n (fun i -> 1.0 / (1.0 + i))\nlet w = build n (fun i -> 2.0 + i)\nlet tangents m = \
                       vectorSum (vectorMap m (fun r -> vectorSum (vectorMap r (fun p -> snd p))))\n";
    let derivative = "let g v w = tangents (deriv (vectorAdd v w) v)\ng v w";
    let outer = "let p v w = vectorSum (vectorMap v (fun a -> vectorSum (vectorMap w (fun b -> a * b))))\np v w";
    let growth =
        Growth { definitions, primal: outer, derivative, sizes: [40, 160], written_sizes: [40, 80], saved: 0.0 };
    check(&growth);
}

#[test]
fn the_derivative_of_a_scaled_vector() {
    let growth = Growth {
        saved: 0.0,
        ..of_vectors("vectorSum (vectorSMul v 3.0)", "let g v s = tangents (deriv (vectorSMul v s) s)\ng v 3.0")
    };
    check(&growth);
}

const FACTORS: &str = "let a = build n (fun i -> build n (fun j -> 1.0 + i + j))\nlet tangents m = \
    vectorSum (vectorMap m (fun r -> vectorSum (vectorMap r (fun p -> snd p))))\n\
    let elementwise a b f = matrixMap2 a b (fun r s -> vectorMap2 r s f)\n\
    let cost a p = vectorSum (vectorMap (elementwise a p (fun x y -> log y + x / y)) vectorSum)\n";

#[test]
fn the_gradient_of_a_factorisation() {
    let growth = Growth {
        definitions: FACTORS,
        primal: "cost a (matrixMul a a)",
        derivative: "let g a w h = tangents (deriv (cost a (matrixMul w h)) h)\ng a a a",
        sizes: [80, 160],
        written_sizes: [5, 10],
        saved: 1.5,
    };
    check(&growth);
}

#[test]
fn the_gradient_of_the_logarithm_of_a_sum_of_exponentials() {
    let definitions = "let v = build n (fun i -> 1.0 / (1.0 + i))\n\
                       let tangents d = vectorSum (vectorMap d (fun p -> snd p))\n\
                       let lse v = log (vectorSum (vectorMap v (fun x -> exp x)))\n";
    let growth = of_vectors("lse v", "let g v = tangents (grad lse v)\ng v");
    check(&Growth { definitions, ..growth });
}

#[test]
fn the_gradient_of_least_squares() {
    let definitions = "let a = build n (fun i -> build n (fun j -> 1.0 + i + j))\n\
                       let v = build n (fun i -> 1.0 / (1.0 + i))\n\
                       let tangents d = vectorSum (vectorMap d (fun p -> snd p))\n\
                       let loss a b x =\n  let r = build (length a) (fun k -> vectorDot a[k] x - b[k])\n  vectorDot r r\n";
    let growth = Growth {
        definitions,
        primal: "loss a v v",
        derivative: "let g a b x = tangents (deriv (loss a b x) x)\ng a v v",
        sizes: [40, 160],
        written_sizes: [12, 24],
        saved: 1.0,
    };
    check(&growth);
}

/// The Jacobian of n points by one camera: its 11 rows take a factor, as it is written and as it is rewritten.
#[test]
fn the_jacobian_of_a_projection() {
    let rewritten = Growth {
        definitions: &projection(),
        primal: "vectorSum (vectorMap (vectorMap points (fun x -> project camera x)) vectorSum)",
        derivative: "let g camera points = vectorSum (vectorMap points (fun x -> \
                     tangents (jacob (fun camera -> project camera x) camera)))\ng camera points",
        sizes: [8, 32],
        written_sizes: [8, 16],
        saved: 0.0,
    };
    check(&rewritten);
    let [on, off] = [Rewriting::On, Rewriting::Off].map(|way| steps(&rewritten, rewritten.derivative, 8, way));
    assert!(on <= off, "{on} steps, and {off} as it is written");
}

/// The definitions of the program of the corpus, and a camera and points.
fn projection() -> String {
    let program = include_str!("../../corpus/fsmooth/programs/camera.fs");
    let (definitions, _) = program.split_once("\nlet camera ").unwrap();
    format!(
        "{definitions}
let tangents m = vectorSum (vectorMap m (fun r -> vectorSum (vectorMap r (fun p -> snd p))))
let camera = [| 0.1; 0.2; 0.3; 0.0; 0.0; 0.0; 2.0; 1.0; 1.0; 0.1; 0.01 |]
let points = build n (fun i -> [| 1.0 + i; 2.0; 4.0 |])
"
    )
}
