//! Drivers that compare each element of exported arrays with its formula.

use super::fsmooth::emitted_program;
use super::{FLAGS, SANITISED, compiled, is_there, output};
use std::path::Path;

/// The begin of a driver: the operand `v`, and the memory `r` of results. Formulas have the functions of the exports.
const BEGIN: &str = "
#include \"model.h\"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double vlad_math_exp(double), vlad_math_sin(double);
#define exp vlad_math_exp
#define sin vlad_math_sin
static struct model_context context;
static double v[64], r[512];
static int length, failed, calls, wrong;
static double at(double place) {
    if (place >= 0 && place < length && place == floor(place)) return v[(int)place];
    failed = 1;
    return 0;
}
typedef double element(double, double, double, double);
static void check(const char *name, int status, size_t found, size_t expected, element *of, int columns, double n, double m) {
    failed = 0;
    int count = (int)expected, is_wrong = 0;
    for (int k = 0; k < count; k++) {
        double value = columns ? of(k / columns, k % columns, n, m) : of(k, 0, n, m);
        /* The one sign of 0 that a program sees as well. */
        is_wrong |= !failed && status == MODEL_OK && !(r[k] == value || (isnan(r[k]) && isnan(value)));
    }
    calls++;
    if (failed ? status != MODEL_FAILED : status == MODEL_TOO_SMALL ? expected <= 512 : status != MODEL_OK || found != expected || is_wrong) {
        printf(\"%s %d: %d %zu %zu, n %g %g, length %d\\n\", name, failed, status, found, expected, n, m, length);
        wrong++;
    }
    for (int k = 0; k < 512; k++) r[k] = 99;
}
#define MATRIX(name, rows, columns, n, m, ...) do { \\
    size_t found_rows = 0, found_columns = 0, width = (rows) ? (size_t)(columns) : 0; \\
    int status = model_##name(&context, v, (size_t)length, __VA_ARGS__, r, 512, &found_rows, &found_columns); \\
    check(#name, status, found_columns == width ? found_rows * found_columns : 9999, (size_t)((rows) * (columns)), name, columns, n, m); \\
} while (0)
#define VECTOR(name, count, n, m, ...) do { \\
    size_t found = 0; \\
    int status = model_##name(&context, v, (size_t)length, __VA_ARGS__, r, 512, &found); \\
    check(#name, status, found, (size_t)(count), name, 0, n, m); \\
} while (0)
";

/// The end of a driver, which calls `all` with many lengths of `v`, and with infinities and NaN in it.
const END: &str = "
int main(void) {
    static double block[1 << 16];
    for (int k = 0; k < 64; k++) v[k] = 0.25 + k * (k % 3 ? 0.5 : -0.75);
    int turn = 0;
    model_begin(&context);
    for (length = 0; length <= 64; length = length < 8 ? length + 1 : length * 2) {
        v[5] = turn % 3 == 1 ? INFINITY : turn % 3 ? NAN : 2;
        turn++;
        all();
    }
    length = 12;
    model_end(&context);
    model_begin_in(&context, block, sizeof block);
    all();
    printf(\"%d calls, %d wrong\\n\", calls, wrong);
    return 0;
}
";

/// Compiles and runs the exports of a program, with the formulas of elements, which note places that are no indices, and `all`, which
/// compares results for a length of `v`. The C has to contain some texts; each has to have its purpose. With options, which change the
/// program and not the kinds of C, one compiler is enough.
pub fn compare(
    name: &str,
    program: &str,
    exports: &[&str],
    options: &[&str],
    formulas: &str,
    parts: &[(&str, &str)],
    expected: &str,
) {
    let out = emitted_program(&format!("{name}-{}", options.len()), program, exports, options);
    let text = std::fs::read_to_string(out.join("model.c")).unwrap();
    for (part, what) in parts {
        assert!(text.contains(part), "{what}");
    }
    let driver = format!("{BEGIN}{formulas}{END}");
    if options.is_empty() { run_everywhere(&out, &driver, expected) } else { run_checked(&out, &driver, expected) }
}

/// Runs a driver as the C compilers that are there translate it: with fast paths, without them and with packed loops, and with all checks.
pub fn run_everywhere(out: &Path, driver: &str, expected: &str) {
    let slow = ["-DVLAD_WITHOUT_FAST_PATHS", "-DVLAD_PACKED_LOOPS", "-fopenmp-simd"];
    run_checked(out, driver, expected);
    for (compiler, others) in [("cc", &slow[..]), ("tcc", &[]), ("clang", &slow)] {
        run_as(compiler, others, out, driver, expected);
    }
}

/// Runs a driver as the C compiler of the system translates it: with fast paths, and without them and with all checks.
pub fn run_checked(out: &Path, driver: &str, expected: &str) {
    let sanitised: Vec<&str> = ["-DVLAD_WITHOUT_FAST_PATHS"].into_iter().chain(SANITISED).collect();
    run_as("cc", &[], out, driver, expected);
    run_as("cc", &sanitised, out, driver, expected);
}

/// Runs a driver as a C compiler with some more flags translates it, if the compiler is there.
fn run_as(compiler: &str, others: &[&str], out: &Path, driver: &str, expected: &str) {
    if is_there(compiler, "-v") {
        let flags: Vec<&str> = FLAGS.iter().chain(others).copied().collect();
        assert_eq!(output(&compiled(compiler, &flags, out, driver)), expected, "{compiler} {flags:?}");
    }
}
