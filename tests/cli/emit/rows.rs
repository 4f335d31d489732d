//! Exports whose results have rows of known lengths, which the analysis takes apart: vectors of any length of such rows are matrices,
//! and arrays of more dimensions. Each element is compared with its formula.

use super::elements::{compare, run_everywhere};
use super::{code_of_sizes, emit, emitted};
use rstest::rstest;

const OF_FSMOOTH: &str = "\
let scaled (v : Vector) x = build (length v) (fun i -> build 2 (fun j -> v[i] * j + x))
let slopes (v : Vector) = vectorMap (jacob (fun (x : Vector) -> [| x[0] * x[1]; x[2] |]) v) (fun r -> vectorMap r (snd))
let deep (v : Vector) (n : Index) =
  build (length v) (fun i -> [| build n (fun j -> v[i] * j); build n (fun j -> v[i] + j) |])
let blocks (v : Vector) = build (length v) (fun i -> [| [| v[i]; i; 7.0 |]; [| v[i] + i; v[i] * i; 1.0 |] |])
let outside (v : Vector) (n : Index) =
  [| build n (fun i -> build (length v) (fun j -> [| v[j]; i |])); build n (fun i -> vectorMap v (fun x -> [| i; x |])) |]
let parts (v : Vector) = build (length v) (fun i -> ([| v[i] > 2.0; v[i] < 1.0 |], [| i; 2 * i; 3 |]))
let uneven (v : Vector) (w : Vector) = build (length v) (fun i -> [| w; [| v[i]; 1.0 |] |])
let meets (v : Vector) (m : Matrix) x = if x > 0.0 then m else build (length v) (fun i -> [| v[i]; x; v[i] * x |])
let none (v : Vector) = build (length v) (fun i -> build 0 (fun j -> v[i]))
";

const EXPORTS: [&str; 9] = ["scaled", "slopes", "deep", "blocks", "outside", "parts", "uneven", "meets", "none"];

const FORMULAS: &str = "
static double s[512];
static size_t n[8];
static void require(int holds, int line) {
    calls++;
    if (!holds) wrong++, printf(\"line %d, length %d\\n\", line, length);
}
#define REQUIRE(holds) require(holds, __LINE__)
/* The sizes that are told, of which those behind one that is 0 are 0. */
static int told(size_t a, size_t b, size_t c, size_t d, const size_t *found) {
    const size_t expected[] = {a, a ? b : 0, a && b ? c : 0, a && b && c ? d : 0};
    int is_wrong = 0;
    for (int k = 0; k < 4; k++) is_wrong |= found[k] != 99 && found[k] != expected[k];
    return !is_wrong && found[0] != 99;
}
static void clear(void) {
    for (int k = 0; k < 8; k++) n[k] = 99;
    for (int k = 0; k < 512; k++) r[k] = s[k] = 99;
}
static int same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }
static double scaled(double i, double j, double x, double y) { return (void)y, at(i) * j + x; }
static double deep(size_t i, size_t k, size_t j) { return k ? v[i] + (double)j : v[i] * (double)j; }
static double block(size_t i, size_t j, size_t k) {
    double x = v[i], y = (double)i;
    const double all[2][3] = {{x, y, 7}, {x + y, x * y, 1}};
    return all[j][k];
}
static void three(size_t count, size_t m) {
    clear();
    REQUIRE(!model_deep(&context, v, count, (double)m, r, 2 * count * m, n, n + 1, n + 2) && told(count, 2, m, 99, n));
    for (size_t i = 0; i < 2 * count * m; i++) REQUIRE(same(r[i], deep(i / (2 * m), i / m % 2, i % m)));
    clear();
    REQUIRE(!model_deep_sizes(&context, v, count, (double)m, n, n + 1, n + 2) && told(count, 2, m, 99, n));
    clear();
    if (count * m > 0) {
        int status = model_deep(&context, v, count, (double)m, r, 2 * count * m - 1, n, n + 1, n + 2);
        REQUIRE(status == MODEL_TOO_SMALL && told(count, 2, m, 99, n) && r[0] == 99);
    }
    if (m > 2) return;
    clear();
    REQUIRE(!model_outside(&context, v, count, (double)m, r, 512, n, n + 1, n + 2, n + 3) && told(2, m, count, 2, n));
    for (size_t i = 0; i < 4 * count * m; i++) {
        double row = (double)(i / (2 * count) % (m ? m : 1)), x = v[i / 2 % count];
        REQUIRE(same(r[i], (i % 2 == 0) == (i < 2 * count * m) ? x : row));
    }
    clear();
    REQUIRE(!model_outside_sizes(&context, v, count, (double)m, n, n + 1, n + 2, n + 3) && told(2, m, count, 2, n));
}
static void all(void) {
    size_t count = (size_t)length;
    MATRIX(scaled, length, 2, 2.5, 0, 2.5);
    for (size_t m = 0; m < 4; m++) three(count, m);
    clear();
    if (length > 2) {
        REQUIRE(!model_slopes(&context, v, count, r, 2 * count, n, n + 1) && told(count, 2, 99, 99, n));
        for (size_t i = 0; i < count; i++) REQUIRE(r[2 * i] == (i == 0 ? v[1] : i == 1 ? v[0] : 0) && r[2 * i + 1] == (i == 2));
    }
    clear();
    REQUIRE(!model_blocks(&context, v, count, r, 512, n, n + 1, n + 2) && told(count, 2, 3, 99, n));
    for (size_t i = 0; i < 6 * count; i++) REQUIRE(same(r[i], block(i / 6, i / 3 % 2, i % 3)));
    clear();
    REQUIRE(!model_blocks_sizes(&context, v, count, n, n + 1, n + 2) && told(count, 2, 3, 99, n));
    clear();
    REQUIRE(!model_parts(&context, v, count, r, 2 * count, n, n + 1, s, 3 * count, n + 4, n + 5));
    REQUIRE(told(count, 2, 99, 99, n) && told(count, 3, 99, 99, n + 4));
    for (size_t i = 0; i < count; i++) {
        REQUIRE(r[2 * i] == (v[i] > 2) && r[2 * i + 1] == (v[i] < 1));
        REQUIRE(s[3 * i] == (double)i && s[3 * i + 1] == 2 * (double)i && s[3 * i + 2] == 3);
    }
    clear();
    int status = model_uneven(&context, v, count, v, 2, r, 4 * count, n, n + 1, n + 2);
    REQUIRE(status == MODEL_OK && told(count, 2, 2, 99, n));
    for (size_t i = 0; i < 4 * count; i++) REQUIRE(same(r[i], i % 4 < 2 ? v[i % 4] : i % 4 == 2 ? v[i / 4] : 1));
    status = model_uneven(&context, v, count, v, 3, r, 512, n, n + 1, n + 2);
    REQUIRE(status == (count ? MODEL_RAGGED : MODEL_OK));
    clear();
    REQUIRE(!model_meets(&context, v, count, v, 2, count / 2, 3, r, 512, n, n + 1) && told(2, count / 2, 99, 99, n));
    for (size_t i = 0; i < count / 2 * 2; i++) REQUIRE(same(r[i], v[i]));
    clear();
    REQUIRE(!model_meets(&context, v, count, v, 2, count / 2, -3, r, 3 * count, n, n + 1) && told(count, 3, 99, 99, n));
    for (size_t i = 0; i < count; i++) REQUIRE(same(r[3 * i], v[i]) && r[3 * i + 1] == -3 && same(r[3 * i + 2], v[i] * -3));
    clear();
    REQUIRE(!model_none(&context, v, count, 0, 0, n, n + 1) && told(count, 0, 99, 99, n));
}
";

#[rstest]
#[case::rewritten(&[])]
#[case::as_written(&["--rewrite", "off"])]
fn elements_are_those_of_their_formulas(#[case] options: &[&str]) {
    compare("rows", OF_FSMOOTH, &EXPORTS, options, FORMULAS, &[], "6591 calls, 0 wrong\n");
}

const PROGRAM: &str = "\
(define (pairs v) (build (length v) (lambda (i) (vector (get v i) i))))
(define (product m) (ifold (lambda (s i) (+ s (* (get (get m i) 0) (get (get m i) 1)))) 0 (length m)))
(define (back v) (cdr (*j product (pairs v) 1)))
(define (steps v n)
  (ifold (lambda (rows k) (build (length rows) (lambda (i) (vector (get (get rows i) 1) (+ k (get (get rows i) 0))))))
         (pairs v) n))
(define (known n) (build n (lambda (i) #(#(1 2) #(3 4)))))
(define (consed v) (build (length v) (lambda (i) (cons i i))))
(define (mixed v) (build (length v) (lambda (i) (vector 1 (vector 2)))))
(define (truths v) (build (length v) (lambda (i) (vector (< i 1) #t))))
";

const EXPORTS_OF_LISTS: [&str; 5] = [
    "pairs:vector->matrix",
    "boxes=(lambda (v) (list (pairs v) (length v) (vector (pairs v) (build (length v) (lambda (i) #(1 2)))))):\
     vector->(matrix real array3)",
    "back:vector->matrix",
    "steps:vector,real->matrix",
    "known:real->array3",
];

/// With the rows (x i), the derivatives of the sum of all x i are (i x). A step makes (b a + k) of a row (a b).
const DRIVER: &str = "
#include \"model.h\"
#include <stdio.h>
#include <stdlib.h>
static struct model_context context;
static double v[8], r[64], s[64];
static size_t n[8];
static void require(int holds, int line) { if (!holds) printf(\"line %d\\n\", line), exit(1); }
#define REQUIRE(holds) require(holds, __LINE__)
int main(void) {
    model_begin(&context);
    for (size_t i = 0; i < 8; i++) v[i] = 0.5 + (double)(i * i);
    for (size_t count = 0; count < 9; count++) {
        size_t width = count ? 2 : 0;
        double real;
        REQUIRE(!model_pairs(&context, v, count, r, 2 * count, n, n + 1) && n[0] == count && n[1] == width);
        for (size_t i = 0; i < count; i++) REQUIRE(r[2 * i] == v[i] && r[2 * i + 1] == (double)i);
        REQUIRE(!model_boxes(&context, v, count, r, 2 * count, n, n + 1, &real, s, 4 * count, n + 2, n + 3, n + 4));
        REQUIRE(n[0] == count && n[1] == width && n[2] == 2 && n[3] == count && n[4] == width && real == (double)count);
        for (size_t i = 0; i < count; i++) {
            REQUIRE(r[2 * i] == v[i] && r[2 * i + 1] == (double)i && s[2 * i] == v[i] && s[2 * i + 1] == (double)i);
            REQUIRE(s[2 * (count + i)] == 1 && s[2 * (count + i) + 1] == 2);
        }
        REQUIRE(!model_back(&context, v, count, r, 2 * count, n, n + 1) && n[0] == count && n[1] == width);
        for (size_t i = 0; i < count; i++) REQUIRE(r[2 * i] == (double)i && r[2 * i + 1] == v[i]);
        REQUIRE(!model_steps(&context, v, count, 3, r, 2 * count, n, n + 1) && n[0] == count && n[1] == width);
        for (size_t i = 0; i < count; i++) REQUIRE(r[2 * i] == (double)i + 1 && r[2 * i + 1] == v[i] + 2);
        REQUIRE(!model_known(&context, (double)count, s, 64, n, n + 1, n + 2) && n[0] == count && n[1] == width && n[2] == width);
        for (size_t i = 0; i < 4 * count; i++) REQUIRE(s[i] == (double)(i % 4 + 1));
        if (count) REQUIRE(model_pairs(&context, v, count, r, 2 * count - 1, n, n + 1) == MODEL_TOO_SMALL && n[0] == count && n[1] == 2);
    }
    model_end(&context);
    return 0;
}
";

#[test]
fn rows_in_vlad() {
    let out = emitted("rows-vlad", PROGRAM, &EXPORTS_OF_LISTS);
    run_everywhere(&out, DRIVER, "");
}

/// The sizes that are told without the call are found from those of the operands: nothing is computed for them.
#[rstest]
#[case::rows("f=pairs:vector->matrix")]
#[case::rows_of_vectors(
    "f=(lambda (v w) (build (length v) (lambda (i) (vector (build (length w) (lambda (j) (* i (get w j)))) (build (length w) sqrt))))):\
     vector,vector->array3"
)]
#[case::rows_of_rows("f=known:real->array3")]
fn sizes_follow_from_those_of_operands(#[case] export: &str) {
    let out = emitted(&format!("rows-sizes-{}", export.len()), PROGRAM, &[export]);
    let of_sizes = code_of_sizes(&out, "f");
    assert!(!of_sizes.contains("vlad_new_") && !of_sizes.contains("for ("), "{of_sizes}");
}

const OF_PARTS: &str =
    "a vector whose length is not known, of pairs, procedures or vectors of known lengths, is an operand or the result";

#[rstest]
#[case::pairs("f=consed:vector->matrix", OF_PARTS)]
#[case::not_alike("f=mixed:vector->matrix", OF_PARTS)]
#[case::less("f=pairs:vector->vector", "the result is matrix, and not vector as its signature says")]
#[case::more("f=pairs:vector->array3", "the result is matrix, and not array3 as its signature says")]
#[case::booleans("f=truths:vector->matrix", "the result is vectors of vectors of booleans, and not matrix")]
fn rows_that_are_no_matrix(#[case] export: &str, #[case] message: &str) {
    let (answer, _) = emit("c", "rows-refused", PROGRAM, &["--export", export]);
    let errors = answer.failed("", "error[specialise]: `f` cannot be exported");
    assert!(errors.contains(message), "{errors}");
}
