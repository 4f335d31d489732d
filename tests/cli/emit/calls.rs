//! Calls of exported code: lengths, memory, failures, recursion, threads, and other sets beside it.

use super::{FLAGS, emit, emitted, is_there, output, run};
use crate::folder;
use std::process::Command;

const PROGRAM: &str = "\
(define (sum n g) (ifold (lambda (s i) (+ s (g i))) 0 n))
(define (squares v) (sum (length v) (lambda (i) (sqr (get v i)))))
(define (gradient g) (lambda (v) (cdr (*j g v 1))))
(define (dot u v)
  (sum (length u) (lambda (i) (* (get u i) (get v i)))))
(define (double v) (build (length v) (lambda (i) (* 2 (get v i)))))
(define (deep n) (if (< n 1) 0 (sqrt (+ 1 (deep (- n 1))))))
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(define (triangle n) (build n (lambda (i) (build (+ i 1) (lambda (k) k)))))
(define (grow x n) (let loop ((v #(1)) (i 0)) (if (< i n) (loop (build (* 2 (length v)) (lambda (k) x)) (+ i 1)) (length v))))
";

const BEGIN: &str = "\
#include \"model.h\"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static inline void show(const char *name, int status) { printf(\"%s %d\\n\", name, status); }
";

fn all_exported(name: &str) -> std::path::PathBuf {
    emitted(
        name,
        PROGRAM,
        &[
            "gradient=(gradient squares):vector->vector",
            "dot:vector,vector->real",
            "double:vector->vector",
            "deep:real->real",
            "fib:real->real",
            "triangle:real->matrix",
            "both=(lambda (v) (cons (double v) (double (double v)))):vector->(vector . vector)",
            "list=(lambda ((list a b) (cons t v)) (cons (if t (+ a b) (length v)) v)):(real real),(boolean . vector)->\
             (real . vector)",
        ],
    )
}

#[test]
fn lengths_of_results() {
    let driver = format!(
        "{BEGIN}int main(void) {{
    struct model_context context;
    double v[] = {{1, 2, 3}}, r[8] = {{0}}, s[8], real;
    size_t n = 9, k = 9;
    model_begin(&context);
    show(\"exact\", model_double(&context, v, 3, r, 3, 0));
    printf(\"%g %g %g\\n\", r[0], r[1], r[2]);
    show(\"room\", model_double(&context, v, 3, r, 8, &n));
    printf(\"%zu\\n\", n);
    show(\"too small\", model_double(&context, v, 3, r, 2, &n));
    show(\"another length\", model_double(&context, v, 3, r, 8, 0));
    show(\"only the length\", model_double(&context, v, 3, 0, 0, &n));
    printf(\"%zu\\n\", n);
    show(\"empty\", model_double(&context, 0, 0, 0, 0, &n));
    printf(\"%zu\\n\", n);
    show(\"both\", model_both(&context, v, 3, r, 1, &n, s, 8, &k));
    printf(\"%zu %zu %g\\n\", n, k, s[2]);
    show(\"ragged\", model_triangle(&context, 3, r, 8, &n, &k));
    show(\"one row\", model_triangle(&context, 1, r, 8, &n, &k));
    printf(\"%zu %zu\\n\", n, k);
    show(\"no row\", model_triangle(&context, 0, 0, 0, &n, &k));
    printf(\"%zu %zu\\n\", n, k);
    show(\"parts\", model_list(&context, 3, 4, 1, v, 3, &real, r, 3, 0));
    printf(\"%g %g\\n\", real, r[2]);
    show(\"other parts\", model_list(&context, 3, 4, 0, v, 2, &real, r, 2, 0));
    printf(\"%g\\n\", real);
    model_end(&context);
    return 0;
}}
"
    );
    assert_eq!(
        run(&all_exported("lengths"), &driver),
        "exact 0\n2 4 6\nroom 0\n3\ntoo small 3\nanother length 2\nonly the length 3\n3\nempty 0\n0\nboth 3\n3 3 12\nragged 4\n\
         one row 0\n1 1\nno row 0\n0 0\nparts 0\n7 3\nother parts 0\n2\n"
    );
}

/// After a failure the context is usable. The product of vectors fails where the second one has no element.
#[test]
fn failures_and_recursion() {
    let driver = format!(
        "{BEGIN}int main(void) {{
    struct model_context context;
    double v[] = {{1, 2, 3}}, r;
    model_begin(&context);
    show(\"shorter\", model_dot(&context, v, 3, v, 2, &r));
    puts(context.place);
    show(\"as long\", model_dot(&context, v, 3, v, 3, &r));
    printf(\"%g\\n\", r);
    show(\"deep\", model_fib(&context, 1e9, &r));
    puts(model_status_text(MODEL_TOO_DEEP));
    context.stack_bytes = 1 << 20;
    show(\"less deep\", model_fib(&context, 10, &r));
    printf(\"%g\\n\", r);
    show(\"in a loop\", model_deep(&context, 1e6, &r));
    printf(\"%.12f\\n\", r);
    model_end(&context);
    return model_status_text(99) == 0;
}}
"
    );
    // The limit of sqrt(1 + sqrt(1 + ...)) is the golden ratio.
    assert_eq!(
        run(&all_exported("failures"), &driver),
        "shorter 1\nmodel.vlad:5:44\nas long 0\n14\ndeep 6\nrecursion is too deep for the host's stack\nless deep 0\n55\n\
         in a loop 0\n1.618033988750\n"
    );
}

/// An allocator that counts what it has given, and fails after some calls: whenever it does, the call reports it, and
/// nothing is lost. A block of the caller serves as well.
#[test]
fn memory_of_the_caller() {
    let driver = format!(
        "{BEGIN}
struct account {{ size_t given; int left; }};
static void *resize(void *user, void *block, size_t before, size_t bytes) {{
    struct account *account = user;
    if (bytes && account->left-- <= 0) return 0;
    account->given += bytes - before;
    if (bytes) return realloc(block, bytes);
    free(block);
    return 0;
}}
int main(void) {{
    struct model_context context;
    static double v[10000], r[10000];
    static char block[1000000];
    double real;
    int failed = 0, left = 0, status;
    for (int i = 0; i < 10000; i++) v[i] = i;
    do {{
        struct account account = {{0, left++}};
        model_begin_with(&context, resize, &account);
        status = model_gradient(&context, v, 10000, r, 10000, 0);
        failed += status == MODEL_OUT_OF_MEMORY;
        if (!status && model_deep(&context, 1e5, &real)) status = -1;
        model_end(&context);
        if (account.given) puts(\"a leak\");
    }} while (status && left < 100);
    printf(\"%d %d %g\\n\", status, failed > 0, r[9999]);
    model_begin_in(&context, block + 1, sizeof block - 1);
    show(\"enough\", model_gradient(&context, v, 10000, r, 10000, 0));
    show(\"records\", model_deep(&context, 1e4, &real));
    show(\"not enough\", model_deep(&context, 1e6, &real));
    model_end(&context);
    show(\"again\", model_gradient(&context, v, 10000, r, 10000, 0));
    model_begin_in(&context, block, 100);
    show(\"too little\", model_gradient(&context, v, 10000, r, 10000, 0));
    model_begin_in(&context, 0, 0);
    /* The result is made in r, and nothing else is. */
    show(\"nothing\", model_double(&context, v, 1, r, 1, 0));
    return 0;
}}
"
    );
    let printed = run(&all_exported("memory"), &driver);
    assert_eq!(printed, "0 1 19998\nenough 0\nrecords 0\nnot enough 5\nagain 0\ntoo little 5\nnothing 0\n");
}

/// The gradient of the sum of a million squares, and threads with contexts of their own.
#[test]
fn long_vectors_and_threads() {
    let driver = format!(
        "{BEGIN}
enum {{ N = 1000000 }};
static void *work(void *of) {{
    struct model_context context;
    double *v = malloc(N * sizeof *v), *r = malloc(N * sizeof *r), factor = *(double *)of;
    size_t right = 0;
    model_begin(&context);
    for (int round = 0; round < 3; round++) {{
        for (size_t i = 0; i < N; i++) v[i] = factor * (double)i;
        if (model_gradient(&context, v, N, r, N, 0)) break;
        for (size_t i = 0; i < N; i++) right += r[i] == 2 * v[i];
    }}
    model_end(&context);
    free(v);
    free(r);
    *(double *)of = (double)right;
    return 0;
}}
int main(void) {{
    pthread_t threads[4];
    double of[4];
    for (int t = 0; t < 4; t++) of[t] = t + 1;
    for (int t = 0; t < 4; t++) pthread_create(&threads[t], 0, work, &of[t]);
    for (int t = 0; t < 4; t++) pthread_join(threads[t], 0);
    printf(\"%g %g %g %g\\n\", of[0], of[1], of[2], of[3]);
    return 0;
}}
"
    );
    assert_eq!(run(&all_exported("threads"), &driver), "3e+06 3e+06 3e+06 3e+06\n");
}

/// Two sets in one program, one called from C++; the library has no data that can be written.
#[test]
fn sets_beside_each_other() {
    let folder = folder("beside", &[("a.vlad", "(define (f x) (* x x))"), ("b.vlad", "(define (f x) (+ x 1))")]);
    for name in ["a", "b"] {
        let (file, out) = (folder.join(format!("{name}.vlad")), folder.to_str().unwrap().to_owned());
        crate::answer(&["emit", "c", file.to_str().unwrap(), "--export", "f:real->real", "-o", &out]).succeeded();
        let mut compiler = Command::new("cc");
        compiler.args(FLAGS).arg("-c").arg(folder.join(format!("{name}.c"))).current_dir(&folder);
        assert!(compiler.status().unwrap().success());
    }
    let symbols = Command::new("nm").arg(folder.join("a.o")).output().unwrap();
    let symbols = String::from_utf8(symbols.stdout).unwrap();
    for line in symbols.lines() {
        assert!(
            !line.contains(" D ") && !line.contains(" B ") && !line.contains(" d ") && !line.contains(" b "),
            "{line}"
        );
        assert!(!line.contains(" T ") || line.contains(" T a_") || line.contains(" T _a_"), "{line}");
    }
    let driver = "#include \"a.h\"\n#include \"b.h\"\n#include <cstdio>\nint main() {\n    a_context a;\n    b_context b;\n    \
                  double x = 3, y;\n    a_begin(&a);\n    b_begin(&b);\n    int status = a_f(&a, x, &y) + b_f(&b, y, &x);\n    \
                  std::printf(\"%d %g\\n\", status, x);\n    a_end(&a);\n    b_end(&b);\n    return 0;\n}\n";
    std::fs::write(folder.join("driver.cc"), driver).unwrap();
    if !is_there("c++", "-v") {
        eprintln!("not run: there is no C++ compiler");
        return;
    }
    let mut compiler = Command::new("c++");
    compiler.args(["-Wall", "-Wextra", "-Werror", "driver.cc", "a.o", "b.o", "-o", "driver"]).current_dir(&folder);
    assert!(compiler.status().unwrap().success());
    assert_eq!(output(&folder.join("driver")), "0 10\n");
}

/// Relaxed code says so in all files, computes nearly the same, and keeps NaN.
#[test]
fn relaxed_arithmetic() {
    let options = ["--relaxed", "--export", "norm=squares:vector->real"];
    let (answer, out) = emit("c", "relaxed", PROGRAM, &options);
    answer.succeeded();
    for file in ["model.c", "model.h", "Makefile"] {
        let text = std::fs::read_to_string(out.join(file)).unwrap();
        assert!(text.contains("-fassociative-math") && text.contains("Relaxed"), "{file}");
    }
    let driver = "#include \"model.h\"\n#include <stdio.h>\nint main(void) {\n    struct model_context context;\n    \
                  static double v[1000];\n    double r;\n    model_begin(&context);\n    for (int i = 0; i < 1000; i++) \
                  v[i] = 1.0 / (i + 1);\n    model_norm(&context, v, 1000, &r);\n    printf(\"%.12f\\n\", r);\n    v[7] = 0.0 / \
                  v[999] * 0 + (v[8] - v[8]) / 0.0;\n    model_norm(&context, v, 1000, &r);\n    printf(\"%d\\n\", r != r);\n    \
                  model_end(&context);\n    return 0;\n}\n";
    std::fs::write(out.join("driver.c"), driver).unwrap();
    let makes = "make -s model.o && cc -Wno-div-by-zero driver.c model.o -o driver";
    assert!(Command::new("sh").args(["-c", makes]).current_dir(&out).status().unwrap().success());
    // The sum of 1/i^2 up to 1000 is pi^2/6 - 1/1000 + 1/(2 1000^2) - 1/(6 1000^3).
    let sum = std::f64::consts::PI.powi(2) / 6.0 - 1e-3 + 0.5e-6 - 1e-9 / 6.0;
    assert_eq!(output(&out.join("driver")), format!("{sum:.12}\n1\n"));
}

/// The example of part 19 of the report.
#[test]
fn the_example_of_the_report() {
    let report = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/report/19-exports.md")).unwrap();
    let between = |begin: &str, end: &str| report.split_once(begin).unwrap().1.split_once(end).unwrap().0.to_owned();
    let program = between("$ cat model.vlad\n", "$ ");
    let exports = ["energy:vector->real", "slope=(gradient energy):vector->vector"];
    assert!(exports.iter().all(|export| report.contains(&format!("--export '{export}'"))));
    let out = emitted("report", &program, &exports);
    let folder = out.parent().unwrap();
    std::fs::write(folder.join("main.c"), between("```c\n", "```")).unwrap();
    let (command, printed) = (between("\n$ make -C out", "\n"), between("./a.out\n", "```"));
    let made =
        Command::new("sh").args(["-c", &format!("make -s -C out{command}")]).current_dir(folder).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&made.stdout), printed, "{}", String::from_utf8_lossy(&made.stderr));
    let mut files: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "model.o")
        .collect();
    files.sort();
    assert_eq!(files, between("$ ls out\n", "```").split_whitespace().collect::<Vec<&str>>());
}

/// Procedures without operands, which compute a number, an array, and nothing at all.
#[test]
fn no_operands() {
    let program = "(define (number) 42) (define (array) (build 3 sqrt)) (define (nothing) '())";
    let out = emitted("no_operands", program, &["number:()->real", "array:()->vector", "nothing:()->()"]);
    let driver = format!(
        "{BEGIN}int main(void) {{
    struct model_context context;
    double real, r[3];
    model_begin(&context);
    show(\"number\", model_number(&context, &real));
    show(\"array\", model_array(&context, r, 3, 0));
    show(\"nothing\", model_nothing(&context));
    printf(\"%g %g\\n\", real, r[1]);
    model_end(&context);
    return 0;
}}
"
    );
    assert_eq!(run(&out, &driver), "number 0\narray 0\nnothing 0\n42 1\n");
}

/// Calls begin again some times where memory ends, and not once for each array: blocks are taken back each time.
#[test]
fn calls_near_the_end_of_memory() {
    let program = "(define (total n)
  (let ((m (build n (lambda (i) (build 20 (lambda (j) (* i j)))))))
    (ifold (lambda (s i) (+ s (* (get (get m i) 3) (get (get m (- (- n 1) i)) 4)))) 0 n)))";
    let out = emitted("end_of_memory", program, &["total:real->real"]);
    let driver = format!(
        "{BEGIN}
struct account {{ size_t left; int times; }};
static void *resize(void *user, void *block, size_t before, size_t bytes) {{
    struct account *account = user;
    if (bytes > before && bytes - before > account->left) return 0;
    account->left += before - bytes;
    account->times += !bytes;
    if (bytes) return realloc(block, bytes);
    free(block);
    return 0;
}}
int main(void) {{
    enum {{ BYTES = 1 << 20, MOST = 9000 }};
    double total;
    int most = 0, ends = 0, last = 0;
    for (int n = 1000; n <= MOST; n += 10) {{
        struct account account = {{BYTES, 0}};
        struct model_context context;
        model_begin_with(&context, resize, &account);
        int status = model_total(&context, n, &total);
        if (account.times > most) most = account.times;
        if (status != last) ends++, last = status;
        if (status && status != MODEL_OUT_OF_MEMORY) return 1;
        model_end(&context);
        if (account.left != BYTES) return 2;
    }}
    printf(\"%d %d %d\\n\", most < 16, ends, last == MODEL_OUT_OF_MEMORY);
    return 0;
}}
"
    );
    // It works up to some number of rows, and from there on it does not.
    assert_eq!(run(&out, &driver), "1 1 1\n");
}
