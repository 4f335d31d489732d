//! Exports of arrays of three dimensions and more, whole, as operands and as results: values by formulas, sizes with a zero at each place,
//! parts that are not alike, and capacities.

use super::elements::{run_checked, run_everywhere};
use super::fsmooth::emitted_program;
use super::{code_of_sizes, emit, emitted};
use rstest::rstest;

const PROGRAM: &str = "\
(define (sum n g) (ifold (lambda (s i) (+ s (g i))) 0 n))
(define (total t g)
  (sum (length t) (lambda (i) (sum (length (get t i)) (lambda (j) (sum (length (get (get t i) j)) (lambda (k)
    (* (g i j k) (get (get (get t i) j) k)))))))))
(define (weighed t) (total t (lambda (i j k) (+ (* 100 i) (* 10 j) k))))
(define (gradient g) (lambda (x) (cdr (*j g x 1))))
(define (map g v) (build (length v) (lambda (i) (g (get v i)))))
(define (flip m)
  (build (if (< 0 (length m)) (length (get m 0)) 0) (lambda (k) (build (length m) (lambda (j) (get (get m j) k))))))
(define (outer u v) (build (length u) (lambda (i) (build (length v) (lambda (j) (* (get u i) (get v j)))))))
(define (outer3 u v w)
  (build (length u) (lambda (i) (build (length v) (lambda (j) (build (length w) (lambda (k)
    (* (* (get u i) (get v j)) (get w k)))))))))
(define (blocks f) (map (lambda (t) (map flip t)) f))
(define (by-length n) (build n (lambda (i) (build n (lambda (j) (build (+ i 1) (lambda (k) k)))))))
(define (by-count n) (build n (lambda (i) (build (+ i 1) (lambda (j) (build n (lambda (k) k)))))))
(define (within n) (build 2 (lambda (i) (build n (lambda (j) (build (+ j 1) (lambda (k) k)))))))
(define (corner t) (get (get (get t 1) 1) 1))
";

const EXPORTS: [&str; 14] = [
    "weighed:array3->real",
    "slope=(gradient weighed):array3->array3",
    "same=(lambda (t) t):array3->array3",
    "flipped=(lambda (t) (map flip t)):array3->array3",
    "outer3:vector,vector,vector->array3",
    "outer4=(lambda (a b) (map (lambda (row) (map (lambda (x) (map (lambda (r) (map (lambda (y) (* x y)) r)) b)) row)) a)):\
     matrix,matrix->array4",
    "blocks:array4->array4",
    "both=(lambda ((cons x t) f) (list f x t)):(real . array3),array4->(array4 real array3)",
    "stacked=(lambda (m n) (vector m n)):matrix,matrix->array3",
    "known=(lambda (x) (list #(#(#(1 2)) #(#(3 4)) #(#(5 6))) (vector (vector (vector x)) (vector #(7))) #() (vector #() #()))):\
     real->(array3 array3 array4 array3)",
    "by-length:real->array3",
    "by-count:real->array3",
    "within:real->array3",
    "corner:array3->real",
];

/// Calls with all sizes up to 3 of three dimensions and of four, and others. Elements are numbered, so that each has its place as
/// its value.
const DRIVER: &str = "
#include \"model.h\"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct model_context context;
static double x[256], y[256], r[256], s[256];
static size_t n[8];
static int calls;
static void require(int holds, int line) {
    calls++;
    if (!holds) printf(\"line %d\\n\", line), exit(1);
}
#define REQUIRE(holds) require(holds, __LINE__)
static void clear(void) { for (int i = 0; i < 256; i++) r[i] = s[i] = -1; for (int i = 0; i < 8; i++) n[i] = 99; }
/* The sizes that are told, of which those behind one that is 0 are 0; of three dimensions with 99 as the last one. */
static int told(size_t a, size_t b, size_t c, size_t d, const size_t *found) {
    int is_of_three = d == 99;
    if (!a) b = 0;
    if (!b) c = 0;
    if (!c) d = 0;
    return found[0] == a && found[1] == b && found[2] == c && (is_of_three || found[3] == d);
}
static void three(size_t a, size_t b, size_t c) {
    size_t all = a * b * c;
    double weighed, expected = 0;
    for (size_t i = 0; i < all; i++) {
        size_t weight = 100 * (i / (b * c)) + 10 * (i / c % b) + i % c;
        expected += x[i] * (double)weight;
    }
    REQUIRE(model_weighed(&context, x, a, b, c, &weighed) == MODEL_OK && weighed == expected);
    clear();
    REQUIRE(model_slope(&context, x, a, b, c, r, all, n, n + 1, n + 2) == MODEL_OK && told(a, b, c, 99, n) && r[all] == -1);
    for (size_t i = 0; i < all; i++) REQUIRE(r[i] == (double)(100 * (i / (b * c)) + 10 * (i / c % b) + i % c));
    clear();
    REQUIRE(model_same(&context, x, a, b, c, r, 256, n, n + 1, n + 2) == MODEL_OK && told(a, b, c, 99, n));
    REQUIRE(!memcmp(r, x, all * sizeof *r) && r[all] == -1);
    clear();
    REQUIRE(model_same_sizes(&context, x, a, b, c, n, n + 1, n + 2) == MODEL_OK && told(a, b, c, 99, n));
    clear();
    REQUIRE(model_same(&context, x, a, b, c, r, all, 0, 0, 0) == MODEL_OK && !memcmp(r, x, all * sizeof *r));
    REQUIRE(model_same(&context, x, a, b, c, r, all + 1, 0, 0, 0) == MODEL_LENGTH);
    REQUIRE(model_same(&context, x, a, b, c, r, all + 1, n, 0, n + 2) == MODEL_LENGTH && n[0] == a && n[1] == 99);
    if (all) {
        clear();
        REQUIRE(model_same(&context, x, a, b, c, r, all - 1, n, n + 1, n + 2) == MODEL_TOO_SMALL && told(a, b, c, 99, n));
        REQUIRE(r[0] == -1 && model_same(&context, x, a, b, c, 0, 0, n, n + 1, n + 2) == MODEL_TOO_SMALL);
        REQUIRE(model_same(&context, x, a, b, c, r, all - 1, n, n + 1, 0) == MODEL_LENGTH && r[0] == -1);
    }
    clear();
    size_t width = b ? c : 0;
    REQUIRE(model_flipped(&context, x, a, b, c, r, all, n, n + 1, n + 2) == MODEL_OK && told(a, width, b, 99, n));
    for (size_t i = 0; i < all; i++) REQUIRE(r[i / (b * c) * b * c + i % c * b + i / c % b] == x[i]);
    clear();
    REQUIRE(model_outer3(&context, x + 2, a, x + 3, b, x + 5, c, r, all, n, n + 1, n + 2) == MODEL_OK && told(a, b, c, 99, n));
    for (size_t i = 0; i < all; i++) REQUIRE(r[i] == x[2 + i / (b * c)] * x[3 + i / c % b] * x[5 + i % c]);
    clear();
    REQUIRE(model_outer3_sizes(&context, x, a, x, b, x, c, n, n + 1, n + 2) == MODEL_OK && told(a, b, c, 99, n));
    clear();
    /* Two matrices of one size, or of two. */
    int status = model_stacked(&context, x, a, b, y, a, c, r, 256, n, n + 1, n + 2);
    if (a && b != c) {
        REQUIRE(status == MODEL_RAGGED && n[0] == 99);
    } else {
        REQUIRE(status == MODEL_OK && told(2, a, b, 99, n));
        for (size_t i = 0; i < a * b; i++) REQUIRE(r[i] == x[i] && r[a * b + i] == y[i]);
    }
    if (a != b) REQUIRE(model_stacked(&context, x, a, c, y, b, c, r, 256, n, n + 1, n + 2) == MODEL_RAGGED);
    double corner;
    status = model_corner(&context, x, a, b, c, &corner);
    REQUIRE(a > 1 && b > 1 && c > 1 ? !status && corner == x[b * c + c + 1] : status == MODEL_FAILED && context.place);
}
static void four(size_t a, size_t b, size_t c, size_t d) {
    size_t all = a * b * c * d;
    clear();
    REQUIRE(model_blocks(&context, x, a, b, c, d, r, all, n, n + 1, n + 2, n + 3) == MODEL_OK && told(a, b, c ? d : 0, c, n));
    for (size_t i = 0; i < all; i++) REQUIRE(r[i / (c * d) * c * d + i % d * c + i / d % c] == x[i]);
    clear();
    REQUIRE(model_blocks_sizes(&context, x, a, b, c, d, n, n + 1, n + 2, n + 3) == MODEL_OK && told(a, b, c ? d : 0, c, n));
    clear();
    REQUIRE(model_outer4(&context, x, a, b, y, c, d, r, all, n, n + 1, n + 2, n + 3) == MODEL_OK && told(a, b, c, d, n));
    for (size_t i = 0; i < all; i++) REQUIRE(r[i] == x[i / (c * d)] * y[i % (c * d)]);
    clear();
    REQUIRE(model_outer4_sizes(&context, x, a, b, y, c, d, n, n + 1, n + 2, n + 3) == MODEL_OK && told(a, b, c, d, n));
    if (all) REQUIRE(model_outer4(&context, x, a, b, y, c, d, r, all - 1, n, n + 1, n + 2, n + 3) == MODEL_TOO_SMALL);
    clear();
    double real;
    REQUIRE(model_both(&context, 2.5, y, b, c, d, x, a, b, c, d, r, 256, n, n + 1, n + 2, n + 3, &real, s, 256, n + 4, n + 5, n + 6)
            == MODEL_OK);
    REQUIRE(told(a, b, c, d, n) && told(b, c, d, 99, n + 4) && real == 2.5);
    REQUIRE(!memcmp(r, x, all * sizeof *r) && !memcmp(s, y, b * c * d * sizeof *s));
}
static void others(void) {
    const double ones[] = {1, 2, 3, 4, 5, 6};
    size_t k[4] = {9, 9, 9, 9}, l[3] = {9, 9, 9};
    double t[2];
    clear();
    REQUIRE(model_known(&context, 8.5, r, 6, n, n + 1, n + 2, t, 2, n + 3, n + 4, n + 5, 0, 0, k, k + 1, k + 2, k + 3, 0, 0, l, l + 1,
                        l + 2) == MODEL_OK);
    REQUIRE(told(3, 1, 2, 99, n) && told(2, 1, 1, 99, n + 3) && told(0, 0, 0, 0, k) && told(2, 0, 0, 99, l));
    REQUIRE(!memcmp(r, ones, sizeof ones) && t[0] == 8.5 && t[1] == 7);
    clear(), memset(k, 9, sizeof k), memset(l, 9, sizeof l);
    REQUIRE(model_known_sizes(&context, 8.5, n, n + 1, n + 2, n + 3, n + 4, n + 5, k, k + 1, k + 2, k + 3, l, l + 1, l + 2) == MODEL_OK);
    REQUIRE(told(3, 1, 2, 99, n) && told(2, 1, 1, 99, n + 3) && told(0, 0, 0, 0, k) && told(2, 0, 0, 99, l));
    clear();
    int (*const uneven[])(struct model_context *, double, double *, size_t, size_t *, size_t *, size_t *) = {
        model_by_length, model_by_count, model_within};
    for (int f = 0; f < 3; f++) {
        clear();
        REQUIRE(uneven[f](&context, 3, r, 256, n, n + 1, n + 2) == MODEL_RAGGED && r[0] == -1 && n[0] == 99);
        REQUIRE(uneven[f](&context, 3, 0, 0, 0, 0, 0) == MODEL_RAGGED);
        REQUIRE(uneven[f](&context, 1, r, 256, n, n + 1, n + 2) == MODEL_OK);
        REQUIRE(told(f == 2 ? 2 : 1, 1, 1, 99, n));
        REQUIRE(uneven[f](&context, 0, r, 256, n, n + 1, n + 2) == MODEL_OK && told(f == 2 ? 2 : 0, 0, 0, 99, n));
    }
}
static void all(void) {
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            for (size_t c = 0; c < 4; c++) {
                three(a, b, c);
                for (size_t d = 0; d < 4; d++) four(a, b, c, d);
            }
    others();
}
/* Sizes of which there cannot be as many parts, and memory of all sizes: a call has its result, or there is too little. */
static void memory(void) {
    static char block[8192];
    size_t most = ~(size_t)0;
    double real;
    REQUIRE(model_weighed(&context, 0, most, 0, 0, &real) == MODEL_OUT_OF_MEMORY);
    REQUIRE(model_weighed(&context, 0, 2, most, 0, &real) == MODEL_OUT_OF_MEMORY);
    REQUIRE(model_weighed(&context, 0, 0, most, most, &real) == MODEL_OK && real == 0);
    REQUIRE(model_weighed(&context, 0, 2, 0, most, &real) == MODEL_OK && real == 0);
    struct model_context small;
    int last = MODEL_OUT_OF_MEMORY, changes = 0;
    for (size_t bytes = 0; bytes <= sizeof block; bytes += 64) {
        model_begin_in(&small, block, bytes);
        clear();
        int status = model_blocks(&small, x, 3, 3, 3, 3, r, 81, 0, 0, 0, 0);
        REQUIRE(status == MODEL_OUT_OF_MEMORY || (status == MODEL_OK && r[1] == x[3]));
        changes += status != last;
        last = status;
        status = model_weighed(&small, x, 3, 3, 3, &real);
        REQUIRE(status == MODEL_OUT_OF_MEMORY || (status == MODEL_OK && real == 55719));
    }
    REQUIRE(changes == 1 && last == MODEL_OK);
}
int main(void) {
    for (int i = 0; i < 256; i++) x[i] = i, y[i] = 1000 + i;
    model_begin(&context);
    all();
    all();
    memory();
    model_end(&context);
    printf(\"%d\\n\", calls > 10000);
    return 0;
}
";

#[test]
fn elements_and_sizes_are_those_of_formulas() {
    let out = emitted("ranks", PROGRAM, &EXPORTS);
    run_everywhere(&out, DRIVER, "1\n");
}

/// The sizes that are told without the call are found from those of the operands: nothing is computed for them.
#[test]
fn sizes_follow_from_those_of_operands() {
    let out = emitted("ranks-sizes", PROGRAM, &["outer3:vector,vector,vector->array3"]);
    let of_sizes = code_of_sizes(&out, "outer3");
    assert!(!of_sizes.contains("vlad_new_") && !of_sizes.contains("for ("), "{of_sizes}");
}

const OF_FSMOOTH: &str = "\
let tangents v = vectorMap v (snd)
let product (a : Matrix) (b : Matrix) =
  vectorMap (deriv (matrixMul a b) a) (fun rows -> vectorMap rows (fun d -> matrixMap d tangents))
let bends (v : Vector) = build (length v) (fun i -> hessian (fun x -> x[i] * x[i] * x[0]) v)
let cube (a : Index) (b : Index) (c : Index) = build a (fun i -> build b (fun j -> build c (fun k -> 100 * i + 10 * j + k)))
let marked (t : Array<Array<Array<Bool>>>) =
  build (length t) (fun i -> build (length t[i]) (fun j -> build (length t[i][j]) (fun k -> (!t[i][j][k], t[i][j][k]))))
let five (x : Double) (n : Index) (o : Index) =
  build n (fun i -> build o (fun j -> build n (fun k -> build n (fun l -> build o (fun m -> x * i + k + 0.5 * l)))))
";

/// With A of a x b and B of b x c, the derivative of (AB)[i][j] by A[k][l] is B[l][j] if i = k, else 0. The Hessian of x[i]^2 x[0]
/// is 6 x[0] at (0, 0) for i = 0; else 2 x[0] at (i, i), and 2 x[i] at (0, i) and (i, 0).
const OF_FSMOOTH_DRIVER: &str = "
#include \"model.h\"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct model_context context;
static double x[64], r[1024], s[64];
static size_t n[8];
static void require(int holds, int line) { if (!holds) printf(\"line %d\\n\", line), exit(1); }
#define REQUIRE(holds) require(holds, __LINE__)
int main(void) {
    for (int i = 0; i < 64; i++) x[i] = 1 + i * i % 7;
    model_begin(&context);
    for (size_t a = 1; a < 4; a++)
        for (size_t b = 1; b < 4; b++)
            for (size_t c = 1; c < 4; c++) {
                REQUIRE(!model_product(&context, x + 9, a, b, x, b, c, r, 1024, n, n + 1, n + 2, n + 3));
                REQUIRE(n[0] == a && n[1] == b && n[2] == a && n[3] == c);
                REQUIRE(!model_product_sizes(&context, x + 9, a, b, x, b, c, n, n + 1, n + 2, n + 3));
                REQUIRE(n[0] == a && n[1] == b && n[2] == a && n[3] == c);
                for (size_t k = 0; k < a; k++)
                    for (size_t l = 0; l < b; l++)
                        for (size_t i = 0; i < a; i++)
                            for (size_t j = 0; j < c; j++)
                                REQUIRE(r[((k * b + l) * a + i) * c + j] == (i == k ? x[l * c + j] : 0));
            }
    for (size_t length = 0; length < 6; length++) {
        REQUIRE(!model_bends(&context, x, length, r, length * length * length, n, n + 1, n + 2));
        REQUIRE(n[0] == length && n[1] == length && n[2] == length);
        for (size_t i = 0; i < length; i++)
            for (size_t j = 0; j < length; j++)
                for (size_t k = 0; k < length; k++) {
                    double expected = 0;
                    if (!i) expected = j || k ? 0 : 6 * x[0];
                    else if (j == i && k == i) expected = 2 * x[0];
                    else if ((!j && k == i) || (j == i && !k)) expected = 2 * x[i];
                    REQUIRE(r[(i * length + j) * length + k] == expected);
                }
    }
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < 3; b++)
            for (size_t c = 0; c < 3; c++) {
                size_t widths[] = {a, a ? b : 0, a && b ? c : 0};
                REQUIRE(!model_cube(&context, (double)a, (double)b, (double)c, r, a * b * c, n, n + 1, n + 2));
                REQUIRE(!memcmp(n, widths, sizeof widths));
                REQUIRE(!model_cube_sizes(&context, (double)a, (double)b, (double)c, n, n + 1, n + 2));
                REQUIRE(!memcmp(n, widths, sizeof widths));
                for (size_t i = 0; i < a * b * c; i++) {
                    size_t expected = 100 * (i / (b * c)) + 10 * (i / c % b) + i % c;
                    REQUIRE(r[i] == (double)expected);
                }
                for (size_t i = 0; i < a * b * c; i++) x[i] = i % 3 ? (double)i : 0;
                REQUIRE(!model_marked(&context, x, a, b, c, r, 8, n, n + 1, n + 2, s, 8, n + 3, n + 4, n + 5));
                REQUIRE(!memcmp(n, widths, sizeof widths) && !memcmp(n + 3, widths, sizeof widths));
                for (size_t i = 0; i < a * b * c; i++) REQUIRE(r[i] == !(i % 3) && s[i] == !!(i % 3));
            }
    REQUIRE(model_cube(&context, 1, 1.5, 1, r, 8, n, n + 1, n + 2) == MODEL_FAILED && !strncmp(context.place, \"model.fs:5:\", 11));
    REQUIRE(model_five(&context, 3, 2, 1, r, 7, n, n + 1, n + 2, n + 3, n + 4) == MODEL_TOO_SMALL);
    REQUIRE(!model_five(&context, 3, 2, 1, r, 8, 0, 0, 0, 0, 0));
    REQUIRE(n[0] == 2 && n[1] == 1 && n[2] == 2 && n[3] == 2 && n[4] == 1 && r[0] == 0 && r[1] == 0.5 && r[2] == 1 && r[7] == 4.5);
    model_end(&context);
    return 0;
}
";

#[rstest]
#[case::rewritten(&[])]
#[case::as_written(&["--rewrite", "off"])]
fn derivatives_in_fsmooth(#[case] options: &[&str]) {
    let exports = ["product", "bends", "cube", "marked", "five"];
    let out = emitted_program(&format!("ranks-fsmooth-{}", options.len()), OF_FSMOOTH, &exports, options);
    let header = std::fs::read_to_string(out.join("model.h")).unwrap();
    assert!(header.contains("/* product: matrix,matrix->array4 */"), "{header}");
    assert!(header.contains("/* marked: array3->(array3 . array3) */"), "{header}");
    match options {
        [] => run_everywhere(&out, OF_FSMOOTH_DRIVER, ""),
        _ => run_checked(&out, OF_FSMOOTH_DRIVER, ""),
    }
}

#[rstest]
#[case::more("f=(lambda (m) (vector m)):matrix->matrix", "the result is array3, and not matrix as its signature says")]
#[case::less("f=(lambda (t) (get t 0)):array3->array3", "the result is matrix, and not array3 as its signature says")]
#[case::mixed("f=(lambda (t) (vector t #(#(1)))):array3->array4", "the result is #(array3 matrix), and not array4")]
#[case::pairs(
    "f=(lambda (x) (vector (vector (vector (cons x x))))):real->array3",
    "the result is #(#(#((real . real))))"
)]
fn results_of_other_ranks(#[case] export: &str, #[case] message: &str) {
    let (answer, _) = emit("c", "ranks-refused", PROGRAM, &["--export", export]);
    let errors = answer.failed("", "error[specialise]: `f` cannot be exported");
    assert!(errors.contains(message), "{errors}");
}
