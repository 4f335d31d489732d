//! Exports of builds that are tried with packed instructions, and of loops that are executed together with a build: each element is
//! compared with its formula, for many sizes, with places that are no indices.

use super::elements::compare;
use super::fsmooth::emitted_program;
use super::{emitted, run};
use rstest::rstest;
use std::path::Path;

const PROGRAM: &str = "\
let row v m (r : Index) (n : Index) = build n (fun j -> m[r][j] * v[j])
let strides v m (r : Index) (n : Index) = build n (fun j -> m[r][2 * j] * m[0][j] / v[n - 1 - j])
let column v m (r : Index) (n : Index) = build n (fun j -> m[j][r] * v[j])
let folded v m (n : Index) =
  ifold (fun s i -> build n (fun j -> s[j] * 0.5 + m[i][j] / v[j])) (build n (fun j -> v[j])) (length m)
let hot v (n : Index) (h : Index) =
  build n (fun j -> (if j = h then v[0] * 3.0 else 1.0) + 2.0 * (if j = h then v[h + 1] else v[j]))
let hotReal v (n : Index) x = build n (fun j -> (if j = x then 3.0 else 1.0 / v[j]) + (if x = j then v[7] else v[j]))
let twoHot v (n : Index) (h : Index) =
  build n (fun j -> (if j = h then 1.0 else v[j]) + (if j = h + 1 then v[3] else 2.0 * v[j]))
let hotBelow v (n : Index) (h : Index) =
  build n (fun j -> if j < length v then (if j = h then 2.0 * v[j] else v[j]) else 0.0 - j)
let hotInHalves v (n : Index) (h : Index) (m : Index) =
  build n (fun j -> if j < m then (if j = h then v[h + 4] else v[j]) else v[j - m] - (if j = h then 1.0 else 0.5))
let others v (n : Index) (h : Index) (i : Index) = build n (fun j -> v[j] + (if j = h then 1.0 else v[i]))
let softmax v (n : Index) =
  let t = build n (fun i -> exp (v[i] - v[0]))
  let s = ifold (fun s i -> s + t[i]) 0 n
  build n (fun k -> t[k] / s)
let weighted v (n : Index) =
  let t = build n (fun i -> sin v[i])
  let s = ifold (fun s i -> if t[i] > 0.25 then s + t[i] * v[i] else s - 1.0) 0.5 (length t)
  build n (fun k -> t[k] * s)
let fromEnd v (n : Index) =
  let t = build n (fun i -> exp v[i])
  let s = ifold (fun s i -> s * 0.5 + t[n - 1 - i]) 0 n
  build n (fun k -> t[k] * s)
let ahead v (n : Index) =
  let t = build n (fun i -> exp v[i])
  let s = ifold (fun s i -> s + v[i + 1] * t[i]) 0 n
  build n (fun k -> t[k] * s)
let logSumExp v =
  let largest = vectorMax v
  largest + log (vectorSum (vectorMap v (fun x -> exp (x - largest))))
let gradient v (n : Index) =
  let g = grad logSumExp v
  build n (fun j -> snd (g[j]))
";

const EXPORTS: [&str; 15] = [
    "row",
    "strides",
    "column",
    "folded",
    "hot",
    "hotReal",
    "twoHot",
    "hotBelow",
    "hotInHalves",
    "others",
    "softmax",
    "weighted",
    "fromEnd",
    "ahead",
    "gradient",
];

/// For each export its elements as formulas. The derivative of the logarithm by the largest element is 1 and the sum of all that
/// the others contribute, in their order.
const FORMULAS: &str = "
static int height, width;
static double in(double i, double j) {
    if (i >= 0 && i < height && j >= 0 && j < width) return v[(int)i * width + (int)j];
    failed = 1;
    return 0;
}
static double row(double j, double z, double r, double n) { return (void)z, (void)n, in(r, j) * at(j); }
static double strides(double j, double z, double r, double n) { return (void)z, in(r, 2 * j) * in(0, j) / at(n - 1 - j); }
static double column(double j, double z, double r, double n) { return (void)z, (void)n, in(j, r) * at(j); }
static double folded(double j, double z, double n, double m) {
    double s = at(j);
    for (int i = 0; i < height; i++) s = s * 0.5 + in(i, j) / at(j);
    return (void)z, (void)n, (void)m, s;
}
static double hot(double j, double z, double n, double h) {
    return (void)z, (void)n, (j == h ? at(0) * 3 : 1) + 2 * (j == h ? at(h + 1) : at(j));
}
static double hotReal(double j, double z, double n, double x) {
    return (void)z, (void)n, (j == x ? 3 : 1 / at(j)) + (j == x ? at(7) : at(j));
}
static double twoHot(double j, double z, double n, double h) {
    return (void)z, (void)n, (j == h ? 1 : at(j)) + (j == h + 1 ? at(3) : 2 * at(j));
}
static double hotBelow(double j, double z, double n, double h) {
    return (void)z, (void)n, j < length ? j == h ? 2 * at(j) : at(j) : 0 - j;
}
static double hotInHalves(double j, double z, double h, double m) {
    return (void)z, j < m ? j == h ? at(h + 4) : at(j) : at(j - m) - (j == h ? 1 : 0.5);
}
static double others(double j, double z, double h, double i) { return (void)z, at(j) + (j == h ? 1 : at(i)); }
static double softmax(double k, double z, double n, double m) {
    double s = 0;
    for (int i = 0; i < n; i++) s += exp(at(i) - at(0));
    return (void)z, (void)m, exp(at(k) - at(0)) / s;
}
static double weighted(double k, double z, double n, double m) {
    double s = 0.5;
    for (int i = 0; i < n; i++) s = sin(at(i)) > 0.25 ? s + sin(at(i)) * at(i) : s - 1;
    return (void)z, (void)m, sin(at(k)) * s;
}
static double fromEnd(double k, double z, double n, double m) {
    double s = 0;
    for (int i = 0; i < n; i++) s = s * 0.5 + exp(at(n - 1 - i));
    return (void)z, (void)m, exp(at(k)) * s;
}
static double ahead(double k, double z, double n, double m) {
    double s = 0;
    for (int i = 0; i < n; i++) s += at(i + 1) * exp(at(i));
    return (void)z, (void)m, exp(at(k)) * s;
}
static double gradient(double j, double z, double n, double m) {
    int largest = 0;
    for (int i = 1; i < length; i++) largest = v[largest] < v[i] ? i : largest;
    double s = 0, others = 0;
    for (int i = 0; i < length; i++) {
        double e = exp(v[i] - v[largest]);
        s += e;
        others -= i == largest ? 0 : e;
    }
    return (void)z, (void)n, (void)m, j == largest ? 1 + 1 / s * others : 1 / s * exp(at(j) - v[largest]);
}
static void all(void) {
    const double places[] = {0, 1, 2, 7, -1, 1.5, 4294967296.0, 1e300, INFINITY, NAN};
    for (int n = 0; n <= 9; n++) {
        for (height = 0; height < 5; height++)
            for (width = 0; width < 8 && height * width <= length; width++) {
                for (int i = -1; i < 5; i++) {
                    VECTOR(row, n, i, n, v, (size_t)height, (size_t)width, i, n);
                    VECTOR(strides, n, i, n, v, (size_t)height, (size_t)width, i, n);
                    VECTOR(column, n, i, n, v, (size_t)height, (size_t)width, i, n);
                }
                VECTOR(folded, n, n, 0, v, (size_t)height, (size_t)width, n);
            }
        for (int h = -1; h < 10; h++) {
            VECTOR(hot, n, n, h, n, h);
            VECTOR(twoHot, n, n, h, n, h);
            VECTOR(hotBelow, n, n, h, n, h);
            for (int m = 0; m < 10; m += 3) {
                VECTOR(hotInHalves, n, h, m, n, h, m);
                VECTOR(others, n, h, m, n, h, m);
            }
        }
        for (int p = 0; p < 10; p++) VECTOR(hotReal, n, n, places[p], n, places[p]);
        VECTOR(softmax, n, n, 0, n);
        VECTOR(weighted, n, n, 0, n);
        VECTOR(fromEnd, n, n, 0, n);
        VECTOR(ahead, n, n, 0, n);
    }
    int is_finite = length > 0 && (length <= 5 || v[5] == 2);
    if (is_finite) VECTOR(gradient, length, length, 0, length);
}
";

#[rstest]
#[case::rewritten(&[])]
#[case::as_written(&["--rewrite", "off"])]
fn elements_are_those_of_their_formulas(#[case] options: &[&str]) {
    let parts = [("VLAD_ELEMENTWISE", "packed loops")];
    compare("packed", PROGRAM, &EXPORTS, options, FORMULAS, &parts, "78547 calls, 0 wrong\n");
}

/// The place at which an element fails is the one where the first of them does, also if code that is the same for all elements stands
/// behind an element that is made otherwise.
#[rstest]
#[case::other_element_fails_first("v[j] + (if j = h then v[h + 100] else 0.5) + v[i]", 0, "v[h + 100]")]
#[case::same_for_all_fails_first("v[j] + (if j = h then v[h + 100] else 0.5) + v[i]", 1, "v[i]")]
#[case::others_alone("v[j] + (if j = h then 1.0 else v[i])", 0, "v[i]")]
fn the_first_failure_is_told(#[case] element: &str, #[case] hot: i32, #[case] fails: &str) {
    let program = format!("let f v (h : Index) (i : Index) = build 3 (fun j -> {element})");
    let column = program.find(fails).unwrap() + 1;
    let out = emitted_program(&format!("first-failure-{hot}-{column}"), &program, &["f"], &[]);
    let call = format!("model_f(&context, v, 3, {hot}, 77, r, 3, 0)");
    assert_eq!(failure(&out, &call), format!("1 model.fs:1:{column}"));
}

/// A loop that may fail waits for all elements of the build before it.
#[test]
fn builds_fail_before_the_loops_behind_them() {
    let program = "(define (f v)
  (let ((t (build (length v) (lambda (i) (exp (if (< 2 (get v i)) (error 2) (get v i)))))))
    (ifold (lambda (s i) (if (< (get t i) 5) (error 1) (+ s (get t i)))) 0 (length v))))";
    let out = emitted("fused-failure", program, &["f:vector->real"]);
    assert_eq!(failure(&out, "model_f(&context, v, 3, r)"), "1 model.vlad:2:67");
}

/// The status and the place of failure of a call with `v`, whose elements are 1, 2 and 3.
fn failure(out: &Path, call: &str) -> String {
    let driver = format!(
        "#include \"model.h\"\n#include <stdio.h>\nint main(void) {{\n    static struct model_context context;\n    \
         double v[] = {{1, 2, 3}}, r[3];\n    model_begin(&context);\n    int status = {call};\n    \
         printf(\"%d %s\", status, context.place);\n    model_end(&context);\n    return 0;\n}}\n"
    );
    run(out, &driver)
}

/// The numbers of packed and of unrolled loops in the C of the fast path of a function of a vector and a number.
fn loops(name: &str, text: &str) -> [usize; 2] {
    let program = format!("let f v (h : Index) =\n  let n = length v\n  {text}");
    let out = emitted_program(&format!("loops-{name}"), &program, &["f"], &["--rewrite", "off"]);
    let code = std::fs::read_to_string(out.join("model.c")).unwrap();
    let (_, fast) = code.split_once("vlad_fast_f0_0_item(struct vlad_machine *m) {").unwrap();
    let (fast, _) = fast.split_once("\n}\n").unwrap();
    ["VLAD_ELEMENTWISE", "VLAD_UNROLLED"].map(|what| fast.matches(what).count())
}

/// A build one of whose elements is made otherwise is packed; one with two of them is not.
#[test]
fn one_element_may_be_made_otherwise() {
    let hot = "build n (fun j -> 1.0 / (if j = h then v[0] + h else v[j]) + (if j = h then 1.0 else 0.0))";
    let two = "build n (fun j -> 1.0 / (if j = h then v[0] + h else v[j]) + (if j = h + 1 then 1.0 else 0.0))";
    assert_eq!([loops("hot", hot)[0], loops("two-hot", two)[0]], [1, 0]);
}

/// A loop that takes the elements of a build is executed with it, if it cannot fail and reads nothing else that is made there.
#[rstest]
#[case::sum("s + t[i]", true)]
#[case::branch("if t[i] > h then s + t[i] * 2.0 else s", true)]
#[case::other_element("s + t[n - 1 - i]", false)]
#[case::may_fail("s + t[i] * v[i + 1]", false)]
fn loops_are_executed_with_a_build(#[case] state: &str, #[case] is_so: bool) {
    let name = state.replace(|c: char| !c.is_ascii_alphanumeric(), "");
    let of = |element: &str| {
        let text = format!("let t = build n (fun i -> {element})\n  ifold (fun s i -> {state}) 0.0 n");
        loops(&format!("{name}-{}", element.len()), &text)[1]
    };
    // Elements without calls of functions are made with packed instructions, and taken by a loop of its own.
    assert_eq!((of("exp (v[i] - 2.0)"), of("v[i] - 2.0")), (usize::from(!is_so), 1));
}
