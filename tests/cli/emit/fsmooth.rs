//! Exports of F-smooth: their signatures are the types of the program, and results are made in the memory of the caller.

use super::{FLAGS, SANITISED, compiled, is_there, output, run};
use crate::{Answer, answer, answer_of, folder, in_shell, vlad};
use rstest::rstest;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Gradients whose values are known: w, softmax, the identity, and others.
const PROGRAM: &str = "\
let tangents v = vectorMap v (snd)
let dot v w = tangents (deriv (vectorDot v w) v)
let logSumExp v =
  let largest = vectorMax v
  largest + log (vectorSum (vectorMap v (fun x -> exp (x - largest))))
let softmax v = tangents (grad logSumExp v)
let identity v w = vectorMap (deriv (vectorAdd v w) v) tangents
let cubes v = vectorSum (vectorMap v (fun x -> x * x * x))
let both v = grad cubes v
let weighed pairs = vectorSum (vectorMap pairs (fun p -> fst p * snd p))
let swapped matrix = matrixMap matrix (fun row -> vectorMap row (fun p -> (snd p, fst p)))
let scaled b (n : Index) x = if b then (build n (fun i -> i * x), (n, !b)) else (build n (fun i -> x), (1, b))
let reversed v =
  let doubled = build (length v) (fun i -> v[i] * 2.0)
  if v[0] > 0.0 then doubled else build (length v) (fun i -> doubled[length v - 1 - i] + 1.0)
let triangle (n : Index) = build n (fun i -> build (i + 1) (fun j -> j))
let rounds v (n : Index) = ifold (fun s i -> build (length s) (fun j -> s[j] * 0.5 + s[length s - 1 - j])) v n
let counted v = build (if v[0] > 1.0 then 2 else 3) (fun i -> v[0])
";

/// Runs `vlad emit` for a program in the file `model.fs`, into the folder `out` beside it.
fn emit_as(target: &str, name: &str, program: &str, options: &[&str]) -> (Answer, PathBuf) {
    let folder = folder(name, &[("model.fs", program)]);
    let (file, out) = (folder.join("model.fs"), folder.join("out"));
    let mut arguments = vec!["emit", target, file.to_str().unwrap(), "-o", out.to_str().unwrap()];
    arguments.extend(options);
    (answer(&arguments), out)
}

/// The folder with the C of some exports, which must succeed.
fn emitted(name: &str, exports: &[&str], others: &[&str]) -> PathBuf {
    emitted_program(name, PROGRAM, exports, others)
}

/// The same for another program.
pub(super) fn emitted_program(name: &str, program: &str, exports: &[&str], others: &[&str]) -> PathBuf {
    let options = exports.iter().flat_map(|export| ["--export", *export]).chain(others.iter().copied());
    let (answer, out) = emit_as("c", name, program, &options.collect::<Vec<&str>>());
    assert_eq!(answer.succeeded(), "");
    out
}

/// Parameters have the names in the program, also of functions that are values of expressions.
#[test]
fn parameters_have_the_names_of_the_program() {
    let program = "\
let energy (v : Vector) (k : Double) = k * vectorSum v
let same = energy
let turned (p : Double * Double) (lambda : Double) = fst p + snd p * lambda
let table (rows : Array<Double * Double>) = fst (rows[0])
";
    let exports = ["energy", "same", "turned", "table", "slope = fun at -> energy at 2.0", "sine = sin"];
    let out = emitted_program("fsmooth_parameters", program, &exports, &[]);
    let header = std::fs::read_to_string(out.join("model.h")).unwrap();
    let context = "struct model_context *context";
    for function in [
        "energy({context}, const double *v, size_t v_length, double k, double *r1)",
        "same({context}, const double *v, size_t v_length, double k, double *r1)",
        "turned({context}, double p_1, double p_2, double lambda_, double *r1)",
        "slope({context}, const double *at, size_t at_length, double *r1)",
    ] {
        let function = function.replace("{context}", context);
        assert!(header.contains(&format!("int model_{function};")), "{function}: {header}");
    }
    for parameter in ["*rows_1,", "*rows_2,", "size_t rows_2_length"] {
        assert!(header.contains(parameter), "{parameter}: {header}");
    }
}

/// A driver with a context and a check for numbers.
fn driver(body: &str) -> String {
    format!(
        "#include \"model.h\"\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         static void equal(double found, double expected) {{\n    if (fabs(found - expected) > 1e-12) {{ \
         printf(\"%.17g is not %.17g\\n\", found, expected); exit(1); }}\n}}\n\
         static void status(int found, int expected) {{\n    if (found != expected) {{ printf(\"status %d\\n\", found); \
         exit(1); }}\n}}\n\
         int main(void) {{\n    static double block[1 << 16];\n    struct model_context context;\n    \
         model_begin_in(&context, block, sizeof block);\n{body}\n    model_end(&context);\n    return 0;\n}}\n"
    )
}

/// Calls of exports whose signatures are their types.
const CALLS: &str = "
    double v[] = {1, 2, 3}, w[] = {4, -5, 0.5}, r[16], s[16];
    size_t n, m, k;
    status(model_dot(&context, v, 3, w, 3, r, 3, 0), MODEL_OK);
    for (int i = 0; i < 3; i++) equal(r[i], w[i]);
    status(model_softmax(&context, v, 3, r, 3, 0), MODEL_OK);
    equal(r[0], 0.09003057317038046), equal(r[1], 0.24472847105479765), equal(r[2], 0.6652409557748219);
    status(model_identity(&context, v, 3, w, 3, r, 16, &n, &m), MODEL_OK);
    if (n != 3 || m != 3) return 1;
    for (int i = 0; i < 9; i++) equal(r[i], i % 4 == 0);
    status(model_both(&context, v, 3, r, 3, 0, s, 3, 0), MODEL_OK);
    for (int i = 0; i < 3; i++) equal(r[i], 36), equal(s[i], 3 * v[i] * v[i]);
    status(model_weighed(&context, v, 3, w, 3, r), MODEL_OK);
    equal(r[0], -4.5);
    status(model_weighed(&context, v, 3, w, 2, r), MODEL_FAILED);
    double a[] = {1, 2, 3, 4, 5, 6}, b[] = {7, 8, 9, 10, 11, 12};
    status(model_swapped(&context, a, 2, 3, b, 2, 3, r, 6, 0, 0, s, 6, 0, 0), MODEL_OK);
    for (int i = 0; i < 6; i++) equal(r[i], b[i]), equal(s[i], a[i]);
    double count;
    int flag;
    status(model_scaled(&context, 1, 3, 1.5, r, 16, &n, &count, &flag), MODEL_OK);
    if (n != 3 || count != 3 || flag) return 1;
    for (int i = 0; i < 3; i++) equal(r[i], 1.5 * i);
    status(model_scaled(&context, 0, 3, 1.5, r, 16, &n, &count, &flag), MODEL_OK);
    if (n != 3 || count != 1 || flag || r[2] != 1.5) return 1;
    status(model_scaled(&context, 1, 2.5, 1.5, r, 16, &n, &count, &flag), MODEL_FAILED);
    status(model_reversed(&context, v, 3, r, 3, 0), MODEL_OK);
    for (int i = 0; i < 3; i++) equal(r[i], 2 * v[i]);
    double negative[] = {-1, 2, 3};
    status(model_reversed(&context, negative, 3, r, 3, 0), MODEL_OK);
    equal(r[0], 7), equal(r[1], 5), equal(r[2], -1);
    status(model_triangle(&context, 3, r, 16, &n, &m), MODEL_RAGGED);
    status(model_triangle(&context, 1, r, 16, &n, &m), MODEL_OK);
    status(model_rounds(&context, v, 3, 2, r, 3, 0), MODEL_OK);
    equal(r[0], 0.5 * 3.5 + 2.5), equal(r[1], 4.5), equal(r[2], 0.5 * 2.5 + 3.5);
    status(model_dot(&context, v, 3, w, 2, r, 3, 0), MODEL_FAILED);
    status(model_dot(&context, v, 3, w, 3, r, 2, &n), MODEL_TOO_SMALL);
    if (n != 3) return 1;
    r[2] = 77;
    status(model_both(&context, v, 3, r, 2, &n, s, 3, &m), MODEL_TOO_SMALL);
    if (n != 3 || m != 3 || r[2] != 77) return 1;
    status(model_both(&context, v, 3, r, 4, 0, s, 3, 0), MODEL_LENGTH);
    status(model_dot_sizes(&context, v, 3, w, 3, &n), MODEL_OK);
    if (n != 3) return 1;
    status(model_identity_sizes(&context, v, 3, w, 3, &n, &m), MODEL_OK);
    if (n != 3 || m != 3) return 1;
    status(model_identity_sizes(&context, v, 0, w, 0, &n, &m), MODEL_OK);
    if (n || m) return 1;
    status(model_both_sizes(&context, v, 2, &n, &m), MODEL_OK);
    if (n != 2 || m != 2) return 1;
    status(model_swapped_sizes(&context, a, 2, 3, b, 2, 3, &n, &m, &k, &k), MODEL_OK);
    if (n != 2 || m != 3 || k != 3) return 1;
    status(model_counted_sizes(&context, v, 3, &n), MODEL_OK);
    if (n != 3) return 1;
    v[0] = 2;
    status(model_counted_sizes(&context, v, 3, &n), MODEL_OK);
    if (n != 2) return 1;
    status(model_rounds_sizes(&context, v, 3, 2, &n), MODEL_OK);
    if (n != 3) return 1;";

const EXPORTS: [&str; 11] =
    ["dot", "softmax", "identity", "both", "weighed", "swapped", "scaled", "reversed", "triangle", "rounds", "counted"];

#[rstest]
#[case::rewritten(&[])]
#[case::as_written(&["--rewrite", "off"])]
#[case::by_algebra(&["--algebra"])]
fn types_tell_signatures(#[case] options: &[&str]) {
    let out = emitted(&format!("fsmooth-calls-{}", options.len() + options.concat().len()), &EXPORTS, options);
    let header = std::fs::read_to_string(out.join("model.h")).unwrap();
    assert!(header.contains("/* swapped: (matrix . matrix)->(matrix . matrix) */"), "{header}");
    assert_eq!(run(&out, &driver(CALLS)), "");
}

/// Expressions are in F-smooth, see what the program defines, and may have colons and several lines.
#[test]
fn expressions_are_in_the_language_of_the_program() {
    let exports = [
        "slope = fun (v : Vector) ->\n  let g = grad cubes v\n  tangents g",
        "scale=vectorSMul",
        "given=cubes:vector->real",
    ];
    let out = emitted("fsmooth-expressions", &exports, &[]);
    let calls = "
    double v[] = {1, 2}, r[2];
    status(model_slope(&context, v, 2, r, 2, 0), MODEL_OK);
    equal(r[0], 3), equal(r[1], 12);
    status(model_scale(&context, v, 2, 3, r, 2, 0), MODEL_OK);
    equal(r[0], 3), equal(r[1], 6);
    status(model_given(&context, v, 2, r), MODEL_OK);
    equal(r[0], 9);";
    assert_eq!(run(&out, &driver(calls)), "");
}

/// The derivative of a function that is an export before it; the same function is one behind it.
#[rstest]
#[case::rewritten(&[])]
#[case::as_written(&["--rewrite", "off"])]
#[case::by_algebra(&["--algebra"])]
fn derivatives_may_be_exported_behind_their_functions(#[case] options: &[&str]) {
    let exports = ["cubes", "slope = fun v -> tangents (grad cubes v)", "again = cubes", "curvature = hessian cubes"];
    let out = emitted(&format!("fsmooth-derivatives-behind-{}", options.concat()), &exports, options);
    let calls = "
    double v[] = {1, 2}, r[4];
    status(model_cubes(&context, v, 2, r), MODEL_OK);
    equal(r[0], 9);
    status(model_again(&context, v, 2, r), MODEL_OK);
    equal(r[0], 9);
    status(model_slope(&context, v, 2, r, 2, 0), MODEL_OK);
    equal(r[0], 3), equal(r[1], 12);
    status(model_curvature(&context, v, 2, r, 4, 0, 0), MODEL_OK);
    equal(r[0], 6), equal(r[1], 0), equal(r[2], 0), equal(r[3], 12);";
    assert_eq!(run(&out, &driver(calls)), "");
}

const INTRODUCTION: &str = include_str!("../../../docs/fsmooth/README.md");

/// Runs a command of the introduction as it is printed, in a folder, and returns what it prints.
fn printed(command: &str, folder: &Path) -> String {
    let words = command.strip_prefix("vlad ").unwrap();
    answer_of(in_shell(&format!("set -- {words};"), &vlad()).current_dir(folder)).succeeded()
}

/// The command of the introduction that exports a function and its gradient.
#[test]
fn the_introduction_exports_a_gradient() {
    let commands: Vec<&str> = INTRODUCTION.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    let [command] = commands[..] else { panic!("one command is expected: {commands:?}") };
    let folder = folder("fsmooth-introduction", &[("model.fs", "let energy v = vectorDot v v\n")]);
    assert_eq!(printed(command, &folder), "");
    let calls = "
    double v[] = {1, 2, -3}, r[3];
    size_t n;
    status(model_energy(&context, v, 3, r), MODEL_OK);
    equal(r[0], 14);
    status(model_slope_sizes(&context, v, 3, &n), MODEL_OK);
    if (n != 3) return 1;
    status(model_slope(&context, v, 3, r, 3, 0), MODEL_OK);
    equal(r[0], 2), equal(r[1], 4), equal(r[2], -6);";
    assert_eq!(run(&folder.join("out"), &driver(calls)), "");
}

/// The commands at the end of the introduction, each with the word that its output has.
#[test]
fn the_introduction_lists_commands() {
    let commands: Vec<&str> = INTRODUCTION.lines().filter(|line| line.starts_with("vlad ")).collect();
    let words = ["9", "", "fst", "v[0]", "9", ""];
    assert_eq!(commands.len(), words.len(), "{commands:?}");
    let folder = folder("fsmooth-list", &[("FILE.fs", "let f v = v[0] * v[0]\nf [| 3.0 |]\n")]);
    for (line, word) in commands.into_iter().zip(words) {
        let (command, _) = line.split_once("  ").unwrap();
        let output = printed(command, &folder);
        assert!(output.contains(word), "{command}:\n{output}");
    }
    assert!(folder.join("DIR/FILE.c").exists());
}

/// Arrays of booleans are arrays of numbers for other languages.
#[rstest]
#[case::rewritten(&[])]
#[case::as_written(&["--rewrite", "off"])]
fn booleans_of_arrays_are_numbers(#[case] options: &[&str]) {
    let exports = [
        "above = fun v -> vectorMap v (fun x -> x > 1.0)",
        "count = fun (m : Array<Array<Bool>>) -> vectorMap m (fun r -> ifold (fun s i -> if r[i] then s + 1 else s) 0 (length r))",
        "marked = fun (v : Vector) (b : Array<Bool>) -> vectorMap2 v b (fun x p -> (if p then x else 0.0, !p))",
    ];
    let out = emitted(&format!("fsmooth-booleans-{}", options.len()), &exports, options);
    let calls = "
    double v[] = {1, 2, 3}, m[] = {0, 1, 0, -2, 1, 7}, r[3], s[3];
    status(model_above(&context, v, 3, r, 3, 0), MODEL_OK);
    equal(r[0], 0), equal(r[1], 1), equal(r[2], 1);
    status(model_count(&context, m, 2, 3, r, 2, 0), MODEL_OK);
    equal(r[0], 1), equal(r[1], 3);
    status(model_marked(&context, v, 3, m, 3, r, 3, 0, s, 3, 0), MODEL_OK);
    equal(r[0], 0), equal(r[1], 2), equal(r[2], 0), equal(s[0], 1), equal(s[1], 0), equal(s[2], 1);";
    assert_eq!(run(&out, &driver(calls)), "");
}

/// Results are made in the memory of the caller: calls need no other where nothing else is made, and none of them calls
/// an allocator.
#[test]
fn results_are_made_where_the_caller_wants_them() {
    let out = emitted(
        "fsmooth-destinations",
        &["dot", "both", "reversed", "identity", "twice = fun v -> vectorSMul v 2.0"],
        &[],
    );
    let text = std::fs::read_to_string(out.join("model.c")).unwrap();
    let (_, code) = text.split_once("/* The code of the exports. */").unwrap();
    assert!(code.contains("vlad_placed_reals") && code.contains("vlad_placed_row"), "{code}");
    for name in ["malloc", "calloc", "realloc", "free("] {
        assert!(!code.contains(name), "{name}");
    }
    let source = driver(
        "
    double v[] = {1, 2, 3}, r[9], s[3];
    struct model_context empty;
    model_begin_in(&empty, 0, 0);
    armed = 1;
    int fifth = model_both(&context, v, 3, r, 3, 0, s, 3, 0);
    int first = model_twice(&empty, v, 3, r, 3, 0), second = model_identity(&context, v, 3, v, 3, r, 9, 0, 0);
    int third = model_reversed(&context, v, 3, s, 3, 0), fourth = model_dot(&context, v, 3, v, 3, s, 3, 0);
    armed = 0;
    status(first, MODEL_OK), status(second, MODEL_OK), status(third, MODEL_OK), status(fourth, MODEL_OK), status(fifth, MODEL_OK);
    equal(r[4], 1), equal(s[1], 2);",
    );
    let wrapped = "\
#include <stddef.h>
static int armed;
void abort(void);
void *__real_malloc(size_t), *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t bytes) { if (armed) abort(); return __real_malloc(bytes); }
void *__wrap_realloc(void *block, size_t bytes) { if (armed) abort(); return __real_realloc(block, bytes); }
";
    let flags: Vec<&str> = FLAGS.into_iter().chain(["-Wl,--wrap=malloc", "-Wl,--wrap=realloc"]).collect();
    assert_eq!(output(&compiled("cc", &flags, &out, &format!("{wrapped}{source}"))), "");
}

/// Other compilers and the checks of one for undefined behaviour accept the C.
#[test]
fn other_compilers_agree() {
    let out = emitted("fsmooth-compilers", &EXPORTS, &[]);
    let checked: Vec<&str> = FLAGS.into_iter().chain(SANITISED).collect();
    assert_eq!(output(&compiled("cc", &checked, &out, &driver(CALLS))), "");
    for compiler in ["clang", "tcc"] {
        if is_there(compiler, "-v") {
            let flags: &[&str] = if compiler == "tcc" { &[] } else { &FLAGS };
            assert_eq!(output(&compiled(compiler, flags, &out, &driver(CALLS))), "", "{compiler}");
        }
    }
}

#[rstest]
#[case::unknown("missing", "`missing` is not defined")]
#[case::value("v = [| 1.0 |]", "is of type `Vector`: only functions can be exported")]
#[case::function("vectorMap", "operand 2 has functions in it")]
#[case::returned("f = fun x -> (x, fun y -> x)", "expected a value without functions")]
#[case::deep(&format!("f = fun (n : Index) -> {}n{}", "build n (fun i -> ".repeat(17), ")".repeat(17)), "`f` cannot be exported: an array has at most 16 dimensions")]
#[case::wrong("f = fun x -> x + true", "expected")]
#[case::two("f = dot both", "")]
#[case::nothing("f = (", "")]
fn what_cannot_be_exported(#[case] export: &str, #[case] message: &str) {
    let (answer, out) = emit_as("c", "fsmooth-refused", PROGRAM, &["--export", export]);
    let errors = answer.failed("", "error[");
    assert!(errors.contains(message), "{errors}");
    assert!(!out.exists());
}

/// A program in a language without types says that signatures are missing; names of functions for sizes are taken.
#[test]
fn signatures_and_names() {
    let folder = folder("fsmooth-signatures", &[("model.vlad", "(define (f x) x)")]);
    let (file, out) = (folder.join("model.vlad"), folder.join("out"));
    let arguments = ["emit", "c", file.to_str().unwrap(), "-o", out.to_str().unwrap(), "--export", "f"];
    let errors = answer(&arguments).failed("", "error[");
    assert!(errors.contains("a program in `vlad` does not tell the types of what is exported"), "{errors}");
    let taken = ["--export", "dot", "--export", "dot_sizes=both"];
    let (answer, _) = emit_as("c", "fsmooth-names", PROGRAM, &taken);
    assert!(answer.errors.contains("is also the function for the sizes"), "{}", answer.errors);
}

const SCRIPT: &str = "
import model
assert list(model.dot([1, 2, 3], [4, 5, 6])) == [4.0, 5.0, 6.0]
values, slopes = model.both([1.0, 2.0])
assert list(values) == [9.0, 9.0] and list(slopes) == [3.0, 12.0]
assert model.identity([1, 2], [3, 4]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
assert model.weighed(([1, 2], [3, 4])) == 11.0
";

/// The package for Python takes pairs of arrays for arrays of pairs.
#[test]
fn from_python() {
    if !numpy_is_there() {
        eprintln!("not run: there is no python3 with numpy and pip");
        return;
    }
    let options: Vec<&str> =
        ["dot", "both", "identity", "weighed"].iter().flat_map(|name| ["--export", *name]).collect();
    let (answer, out) = emit_as("python", "fsmooth-python", PROGRAM, &options);
    assert_eq!(answer.succeeded(), "");
    let site = out.join("site");
    installed(&out, &site);
    let script = site.join("script.py");
    std::fs::write(&script, SCRIPT).unwrap();
    let output = Command::new("python3").arg(&script).env("PYTHONPATH", &site).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn numpy_is_there() -> bool {
    Command::new("python3").args(["-c", "import numpy, pip"]).output().is_ok_and(|output| output.status.success())
}

fn installed(package: &Path, site: &Path) {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", "--target"]);
    let output = pip.arg(site).arg(package).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
