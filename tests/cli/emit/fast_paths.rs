//! Fast paths of exports: calls have the same outcome with and without them.

use super::fsmooth::emitted_program;
use super::{FLAGS, SANITISED, compiled, is_there, output};

const PROGRAM: &str = "\
let tangents v = vectorMap v (snd)
let dot v w = tangents (deriv (vectorDot v w) v)
let identity v w = vectorMap (deriv (vectorAdd v w) v) tangents
let largest v = tangents (deriv (vectorMax v) v)
let element v (i : Index) = v[i] * 2.0
let outer u v = build (length u) (fun i -> build (length v) (fun j -> u[i] * v[j]))
let sparse v (r : Index) (c : Index) =
  build r (fun i -> build c (fun j -> if i = 2 * j + 1 then v[j] else if i = j then 7.0 else 0.0))
let mixed v = build (length v) (fun i -> if i = 1 then v else vectorHot (length v) i)
let triangle (n : Index) = build n (fun i -> build (i + 1) (fun j -> if i = j then 1.0 else 0.0))
let normal v =
  let sum = vectorSum (vectorMap v (fun x -> x * x))
  let logs = vectorMap v (fun x -> log x)
  build (length v) (fun i -> logs[i] / sum + logs[length v - 1 - i])
let three x = [| x; x * x; 1.0 |]
let pair v = (vectorHot (length v) 0, (v[0] > 1.0, matrixEye (length v)))
let rows m = build (length m) (fun i -> m[i][i])
let halves v (n : Index) = ifold (fun s i -> build (length s) (fun j -> s[j] * 0.5 + s[length s - 1 - j])) v n
let turns v w (n : Index) =
  let step s i = if i = 2 then s else build (length w) (fun j -> (if j < length s then s[j] else 0.5) + w[length w - 1 - j])
  ifold step v n
let swapped x (n : Index) = ifold (fun s i -> [| s[1]; s[0] + x |]) [| x; 1.0 |] n
let sums m v = ifold (fun s i -> build (length v) (fun j -> s[j] + m[i][j] * v[j])) (vectorZeros (length v)) (length m)
let fibonacci v (n : Index) =
  fst (ifold (fun p i -> (build (length v) (fun j -> (fst p)[j] + (snd p)[j]), fst p)) (v, v) n)
let first u v = build (length v) (fun i -> if i = 0 then u else vectorHot (length u) i)
let products a b = build (length a) (fun i -> a[i][0] * b[i][0])
let crossed v w =
  let a = vectorAdd v w
  let b = vectorSMul v 3.0
  if v[0] > 0.6 then (a, b) else if w[0] > 3.0 then (b, a) else (w, a)
let late v = if v[0] > 0.0 then v else build (length v) (fun i -> vectorSum (build i (fun j -> v[j])))
";

/// The exports that have a fast path, and those that have none: a loop frees an array that is read for two turns.
const FAST: [&str; 19] = [
    "dot", "identity", "largest", "element", "outer", "sparse", "mixed", "triangle", "normal", "three", "pair", "rows",
    "halves", "swapped", "sums", "first", "products", "crossed", "late",
];
const SLOW: [&str; 2] = ["turns", "fibonacci"];

/// Prints the outcome of calls: with room enough, too little, and none, in a context that has no memory, some, and more.
const DRIVER: &str = "
#include \"model.h\"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct model_context context;
static double memory[4098];
static double *block;
static size_t bytes_each;
static double v[16] = {0.5, 2, -0.0, INFINITY, 3, 1, NAN, 8}, w[16] = {4, 3, 2, 1, 0, -1, -2, -3}, r[64], s[64], many[200];
static void clear(void) { for (int i = 0; i < 64; i++) r[i] = s[i] = 99; }
static void print(const double *numbers, size_t count) {
    for (size_t i = 0; i < count && i < 64; i++) {
        unsigned long long bits;
        memcpy(&bits, numbers + i, sizeof bits);
        printf(isnan(numbers[i]) ? \" nan\" : \" %llx\", bits);
    }
}
static void show(const char *name, int status, size_t rows, size_t columns) {
    printf(\"%s %d\", name, status);
    if (status == MODEL_FAILED) printf(\" %s\", context.place);
    if (status == MODEL_OK) printf(\" %zu %zu\", rows, columns), print(r, rows * columns), print(s, 4);
    if (status == MODEL_TOO_SMALL) printf(\" %zu %zu\", rows, columns);
    puts(\"\");
    clear();
    if (bytes_each) model_begin_in(&context, block, bytes_each);
}
#define VECTOR(name, ...) do { size_t length = 0; int status; \\
    status = model_##name(&context, __VA_ARGS__, r, 64, &length); show(#name, status, length, 1); \\
    status = model_##name(&context, __VA_ARGS__, r, 2, &length); show(#name, status, length, 1); \\
    status = model_##name(&context, __VA_ARGS__, r, 2, 0); show(#name, status, 2, 1); \\
} while (0)
#define MATRIX(name, ...) do { size_t rows = 0, columns = 0; int status; \\
    status = model_##name(&context, __VA_ARGS__, r, 64, &rows, &columns); show(#name, status, rows, columns); \\
    status = model_##name(&context, __VA_ARGS__, r, 3, &rows, &columns); show(#name, status, rows, columns); \\
    status = model_##name(&context, __VA_ARGS__, r, 4, 0, 0); show(#name, status, 4, 1); \\
    status = model_##name(&context, __VA_ARGS__, r, 4, &rows, 0); show(#name, status, rows, 1); \\
} while (0)
static void crossed(const double *x, size_t n, const double *y) {
    size_t i = 0, j = 0;
    int status = model_crossed(&context, x, n, y, n, r, 64, &i, s, 64, &j);
    show(\"crossed\", status, i, 1);
}
static void all(void) {
    for (size_t n = 0; n <= 8; n++) {
        VECTOR(dot, v, n, w, n);
        VECTOR(dot, v, n, w, 3);
        MATRIX(identity, v, n, w, n);
        MATRIX(identity, v, n, w, 2);
        VECTOR(largest, v, n);
        VECTOR(normal, v, n);
        VECTOR(late, w + 4, n > 4 ? 4 : n);
        VECTOR(late, v, n);
        show(\"element\", model_element(&context, v, n, 3, r), 1, 1);
        show(\"element\", model_element(&context, v, n, -1, r), 1, 1);
        MATRIX(outer, v, n, w, n / 2);
        MATRIX(outer, v, n / 2, w, n);
        MATRIX(sparse, w, 8, (double)n, (double)(n / 2));
        MATRIX(sparse, w, 8, (double)(n / 3), (double)n);
        MATRIX(sparse, w, 1, 5, (double)n);
        MATRIX(mixed, w, n);
        MATRIX(triangle, (double)n);
        VECTOR(rows, v, n / 2, n / 2);
        VECTOR(rows, v, 2, n / 2);
        VECTOR(halves, v, n, (double)n);
        VECTOR(halves, w, 3, n / 3.0);
        VECTOR(turns, w, n, w, 8 - n, (double)(n % 5));
        VECTOR(turns, w, 3, w, n, 4);
        VECTOR(swapped, 1.5, (double)n);
        VECTOR(sums, v, n / 2, n / 2, w, n / 2);
        VECTOR(sums, v, n / 2, 2, w, n);
        VECTOR(fibonacci, w, 3, (double)n);
        MATRIX(first, v, n, w, n);
        MATRIX(first, v, n, w, n / 2);
        VECTOR(products, many, 25 * n, 1, many, 25 * n, 1);
        crossed(v, n, w), crossed(v + 4, n, w), crossed(v, n, w + 1);
        for (int room = 0; room < 3; room++) {
            int truth = 0;
            size_t k = 0, i = 0, j = 0;
            int status = model_pair(&context, v, n, s, room == 1 ? 1 : 64, &k, &truth, r, room == 2 ? 4 : 64, &i, &j);
            s[3] = truth;
            show(\"pair\", status, i, j);
        }
    }
    VECTOR(three, 1.5);
}
int main(void) {
    for (int i = 0; i < 200; i++) many[i] = i * 0.25;
    clear();
    model_begin(&context);
    all();
    all();
    model_end(&context);
    /* Not all compilers align alike. */
    block = memory + ((uintptr_t)memory % 16 != 0);
    model_begin_in(&context, block, 4096 * sizeof *block);
    all();
    all();
    puts(\"calls with little memory\");
    for (bytes_each = 1; bytes_each < 1024; bytes_each += 61) {
        model_begin_in(&context, block, bytes_each);
        all();
    }
    return 0;
}
";

#[test]
fn calls_have_the_same_outcome() {
    let exports: Vec<&str> = FAST.into_iter().chain(SLOW).collect();
    let out = emitted_program("fast-paths", PROGRAM, &exports, &[]);
    let text = std::fs::read_to_string(out.join("model.c")).unwrap();
    for name in &exports {
        assert_eq!(text.contains(&format!("int vlad_fast_leaves_{name}(")), FAST.contains(name), "{name}");
    }
    let without: Vec<&str> = FLAGS.into_iter().chain(["-DVLAD_WITHOUT_FAST_PATHS"]).collect();
    let expected = output(&compiled("cc", &without, &out, DRIVER));
    assert!(
        expected.contains("dot 0 2 1 4010000000000000 4008000000000000") && expected.contains("outer 3"),
        "{expected}"
    );
    let sanitised: Vec<&str> = FLAGS.into_iter().chain(SANITISED).collect();
    for (compiler, flags) in [("cc", &FLAGS[..]), ("cc", &sanitised), ("tcc", &[]), ("clang", &FLAGS)] {
        if is_there(compiler, "-v") {
            let found = output(&compiled(compiler, flags, &out, DRIVER));
            // A fast path needs no memory for the rows of a matrix, where the usual code may not have enough.
            let mut is_little = false;
            let is_other = |(found, expected): &(&str, &str)| {
                is_little |= *expected == "calls with little memory";
                found != expected && !(is_little && expected.split(' ').nth(1) == Some("5"))
            };
            let different = found.lines().zip(expected.lines()).find(is_other);
            assert_eq!(different, None, "{compiler} {flags:?}");
            assert_eq!(found.lines().count(), expected.lines().count(), "{compiler} {flags:?}");
        }
    }
}
