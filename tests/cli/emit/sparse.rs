//! Exports of matrices whose rows are sparse, and of builds that read arrays at places that are affine in the index: each element is
//! compared with its formula, for many sizes, with room enough and too little.

use super::elements::compare;
use rstest::rstest;

const PROGRAM: &str = "\
let odd v (r : Index) (c : Index) =
  build r (fun i -> build c (fun j -> if i = 2 * j + 1 then v[j] else if i = j then 7.0 else 0.0))
let rows v (r : Index) (c : Index) (n : Index) = build r (fun i ->
  if i = 3 then build c (fun j -> v[0] * 2.0)
  else if i = 0 then build c (fun j -> exp v[j])
  else build c (fun j -> if j + i = n then v[1] else if 5 + j = i then v[2] + v[j] else 0.0))
let shifted v (r : Index) (c : Index) x = build r (fun i -> build c (fun j -> if i = x - j then v[j] else 0.0))
let read v (j : Index) = v[j]
let halves v (r : Index) (n : Index) = build r (fun i -> build (2 * n) (fun j ->
  if j < n then (if i = 1 + 2 * j then read v j else if i = 2 + 2 * j then 0.0 - read v j else 0.0)
  else if i = 1 + 2 * (j - n) then read v (j - n) * 2.0 else if i = 2 + 2 * (j - n) then read v (j - n) * 3.0 else 0.0))
let own v (r : Index) (c : Index) = build r (fun i -> build c (fun j ->
  if i = j + 1 then (if i > 3 then i * 0.25 + j else v[i]) else 0.0))
let over v (r : Index) (c : Index) = build r (fun i -> build c (fun j -> if i = j then 7.0 else if i = 2 * j then v[j] else 0.0))
let rest v (r : Index) (c : Index) (x : Index) =
  let y = modulo x 3
  build r (fun i ->
    let z = modulo x (length v)
    build c (fun j -> if i = x - j then (if y < z then 0.25 + z else 0.5 * y) else 0.0))
let triangle v (r : Index) = build r (fun i -> build i (fun j -> if i = j + 2 then v[0] else 0.0))
let same v (r : Index) (c : Index) (n : Index) = build r (fun i -> build c (fun j -> if i + n = j + n then v[j] else 0.0))
let strides v (n : Index) = build n (fun k -> v[1 + 3 * k] * v[k] + v[3 * k] * v[0])
let behind v (n : Index) (d : Index) = build n (fun k -> v[10 + k - d] * v[k] - v[k + d])
let backwards v (n : Index) = build n (fun k -> v[n - 1 - k] * v[2 * n - 2 * k - 1] + v[k])
";

const EXPORTS: [&str; 12] =
    ["odd", "rows", "shifted", "halves", "own", "over", "rest", "triangle", "same", "strides", "behind", "backwards"];

/// For each export its elements as formulas.
const FORMULAS: &str = "
static double odd(double i, double j, double n, double m) {
    return (void)n, (void)m, i == 2 * j + 1 ? at(j) : i == j ? 7 : 0;
}
static double rows(double i, double j, double n, double m) {
    return (void)m, i == 3 ? at(0) * 2 : i == 0 ? exp(at(j)) : j + i == n ? at(1) : 5 + j == i ? at(2) + at(j) : 0;
}
static double shifted(double i, double j, double x, double m) { return (void)m, i == x - j ? at(j) : 0; }
static double halves(double i, double j, double n, double m) {
    (void)m;
    if (j < n) return i == 1 + 2 * j ? at(j) : i == 2 + 2 * j ? 0.0 - at(j) : 0;
    j -= n;
    return i == 1 + 2 * j ? at(j) * 2 : i == 2 + 2 * j ? at(j) * 3 : 0;
}
static double own(double i, double j, double n, double m) {
    return (void)n, (void)m, i == j + 1 ? i > 3 ? i * 0.25 + j : at(i) : 0;
}
static double over(double i, double j, double n, double m) { return (void)n, (void)m, i == j ? 7 : i == 2 * j ? at(j) : 0; }
static double rest(double i, double j, double x, double m) {
    double y = x - 3 * floor(x / 3), z = m ? x - m * floor(x / m) : 0;
    return i == x - j ? y < z ? 0.25 + z : 0.5 * y : 0;
}
static double same(double i, double j, double n, double m) { return (void)m, i + n == j + n ? at(j) : 0; }
static double strides(double k, double j, double n, double m) {
    return (void)j, (void)n, (void)m, at(1 + 3 * k) * at(k) + at(3 * k) * at(0);
}
static double behind(double k, double j, double n, double d) {
    return (void)j, (void)n, at(10 + k - d) * at(k) - at(k + d);
}
static double backwards(double k, double j, double n, double m) {
    return (void)j, (void)m, at(n - 1 - k) * at(2 * n - 2 * k - 1) + at(k);
}
static void all(void) {
    const double distances[] = {0, 2, -1, 1.5, 1e15, 9007199254740992.0, 1e300, INFINITY, -INFINITY, NAN};
    for (int a = 0; a < 10; a++) {
        for (int b = 0; b < 8; b++) {
            MATRIX(odd, a, b, 0, 0, a, b);
            MATRIX(halves, a, 2 * b, b, 0, a, b);
            MATRIX(own, a, b, 0, 0, a, b);
            MATRIX(over, a, b, 0, 0, a, b);
            for (int d = 0; d < 10; d++) {
                if (length) MATRIX(rest, a, b, d, length, a, b, d);
                MATRIX(rows, a, b, d, 0, a, b, d);
                MATRIX(shifted, a, b, distances[d], 0, a, b, distances[d]);
                MATRIX(same, a, b, d * 0.5, 0, a, b, d * 0.5);
                VECTOR(behind, a, a, b + d - 2.0, a, b + d - 2.0);
                VECTOR(behind, a, a, distances[d], a, distances[d]);
            }
        }
        VECTOR(strides, a, a, 0, a);
        VECTOR(backwards, a, a, 0, a);
    }
    size_t i, j;
    int status = model_triangle(&context, v, (size_t)length, 3, r, 512, &i, &j);
    if (status != (length ? MODEL_RAGGED : MODEL_FAILED)) printf(\"triangle %d %zu %zu\\n\", status, i, j), wrong++;
}
";

#[rstest]
#[case::rewritten(&[])]
#[case::as_written(&["--rewrite", "off"])]
fn elements_are_those_of_their_formulas(#[case] options: &[&str]) {
    let parts = [("VLAD_ELEMENTWISE", "packed loops")];
    compare("sparse", PROGRAM, &EXPORTS, options, FORMULAS, &parts, "66020 calls, 0 wrong\n");
}
