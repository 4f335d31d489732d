//! Results of exported code have the bits of the engines.

use super::{FLAGS, compiled, emitted, is_there, output};
use crate::answer;
use std::fmt::Write;

enum Operand {
    Real(f64),
    Boolean(bool),
    Vector(Vec<f64>),
    Matrix(usize, Vec<f64>),
}

use Operand::{Boolean, Matrix, Real, Vector};

const PROGRAM: &str = "
(define (f x) (+ (sin x) (* x (exp (- x)))))
(define (all x y)
  (list (+ x y) (- x y) (* x y) (/ x y) (sqrt x) (exp x) (log y) (sin x) (cos y) (tan x) (asin x) (acos y) (atan x)
        (atan x y) (sinh x) (cosh y) (tanh x) (expt x y) (abs x) (max x y) (min x y) (floor x) (ceiling y) (round x)
        (truncate y) (modulo x y)))
(define (special x y)
  (list (erf x) (erfc x) (lgamma y) (polygamma 0 x) (polygamma 1 x) (polygamma 3 y) (polygamma x y) (log1p x) (expm1 y)))
(define (more x y)
  (list (asinh x) (acosh x) (atanh y) (hypot x y) (cbrt x) (exp2 y) (log2 x) (log10 y) (gamma x)))
(define (derivative g) (lambda (x) (cdr (j* g x 1))))
(define (gradient g) (lambda (v) (cdr (*j g v 1))))
(define (gradient-f g) (lambda (v) (build (length v) (lambda (i) (cdr (j* g v (build (length v) (lambda (k) (if (= i k) 1 0)))))))))
(define (jacobian-vector g) (lambda (v d) (cdr (j* g v d))))
(define (vector-jacobian g) (lambda (v d) (cdr (*j g v d))))
(define (sum n g) (ifold (lambda (s i) (+ s (g i))) 0 n))
(define (energy v) (sum (length v) (lambda (i) (* (exp (get v i)) (sqr (sin (get v i)))))))
(define (map g) (lambda (v) (build (length v) (lambda (i) (g (get v i))))))
(define (matrix-vector m v) ((map (lambda (row) (sum (length v) (lambda (i) (* (get row i) (get v i)))))) m))
(define weights (build 40 (lambda (i) (/ 1 (+ i 1)))))
(define (weighed v) (sum (length v) (lambda (i) (* (get weights i) (get v i)))))
(define (power x n) (if (< n 1) 1 (* x (power x (- n 1)))))
(define (newton x) (let loop ((y 1) (i 0)) (if (< i 12) (loop (/ (+ y (/ x y)) 2) (+ i 1)) y)))
(define (steer x) (let loop ((y x) (z 1)) (if (> (abs y) 0.1) (loop (/ y 2) (if (> y 1) (* z y) (+ z (* y y)))) (* z y))))
(define (down a x n) (if (zero? n) x (down a (/ (+ x (/ a x)) 2) (- n 1))))
(define (search a n) (ifold (lambda (x i) (/ (+ 1 (down x 1 n)) 2)) a n))
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
";

const EXPORTS: [(&str, &str, &str); 27] = [
    ("f", "f", "real->real"),
    (
        "all",
        "all",
        "real,real->(real real real real real real real real real real real real real real real real real \
                    real real real real real real real real real)",
    ),
    ("special", "special", "real,real->(real real real real real real real real real)"),
    ("more", "more", "real,real->(real real real real real real real real real)"),
    ("d", "(derivative f)", "real->real"),
    ("ddd", "(derivative (derivative (derivative f)))", "real->real"),
    ("energy", "energy", "vector->real"),
    ("g", "(gradient energy)", "vector->vector"),
    ("gf", "(gradient-f energy)", "vector->vector"),
    ("both", "(lambda (v) (*j energy v 1))", "vector->(real . vector)"),
    ("hv", "(jacobian-vector (gradient energy))", "vector,vector->vector"),
    ("jv", "(jacobian-vector (map f))", "vector,vector->vector"),
    ("vj", "(vector-jacobian (map f))", "vector,vector->vector"),
    ("mv", "matrix-vector", "matrix,vector->vector"),
    ("transposed", "(lambda (m v d) (cdr (*j (lambda (v) (matrix-vector m v)) v d)))", "matrix,vector,vector->vector"),
    ("outer", "(lambda (u v) ((map (lambda (a) ((map (lambda (b) (* a b))) v))) u))", "vector,vector->matrix"),
    ("weighed", "(lambda (v) (*j weighed v 1))", "vector->(real . vector)"),
    ("power", "(lambda (x n) (*j (lambda (x) (power x n)) x 1))", "real,real->(real . real)"),
    (
        "newton",
        "(lambda (x) (list (newton x) ((derivative newton) x) (cdr (*j newton x 1))))",
        "real->(real real real)",
    ),
    ("down", "down", "real,real,real->real"),
    (
        "search",
        "(lambda (a n) (list (search a n) ((derivative (lambda (a) (search a n))) a)))",
        "real,real->(real real)",
    ),
    ("steer", "(lambda (x) (*j steer x 1))", "real->(real . real)"),
    ("less", "(lambda (a b c) (if c (< a b) (> a b)))", "real,real,boolean->boolean"),
    (
        "known",
        "(lambda (x) (list 1 #t (vector x 2 -0.) (vector #(1 2) (vector 3 x)) #()))",
        "real->(real boolean vector matrix vector)",
    ),
    ("fib", "fib", "real->real"),
    ("not-a-name?", "(lambda (x) (- x))", "real->real"),
    ("int", "(lambda (x) x)", "vector->vector"),
];

const ODD: [f64; 12] =
    [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.75, 1e300, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

fn calls(name: &str) -> Vec<Vec<Operand>> {
    let vectors = [vec![], vec![1.5], vec![0.1, -0.2, 0.3, 1e-8, -7.0], (0..40).map(|i| f64::from(i) / 7.0).collect()];
    let with_odd = vectors.iter().cloned().chain([ODD.to_vec()]);
    match name {
        "f" | "d" | "ddd" | "known" | "not-a-name?" => ODD.map(|x| vec![Real(x)]).into(),
        "all" | "special" | "more" => ODD.iter().flat_map(|x| ODD.map(|y| vec![Real(*x), Real(y)])).collect(),
        "newton" => [2.0, 1e-3, 7e5].map(|x| vec![Real(x)]).into(),
        // The states of these repeat before their loops end.
        "down" => [(4.0, 0.0), (4.0, 5.0), (2.0, 301.0)].map(|(a, n)| vec![Real(a), Real(1.0), Real(n)]).into(),
        "search" => [(4.0, 0.0), (4.0, 3.0), (2.0, 40.0)].map(|(a, n)| vec![Real(a), Real(n)]).into(),
        "steer" => [2.0, 1.0, -3.5, 1e9, 0.0].map(|x| vec![Real(x)]).into(),
        "power" => [(2.0, 10.0), (1.1, 0.0), (-0.7, 33.0)].map(|(x, n)| vec![Real(x), Real(n)]).into(),
        "fib" => vec![vec![Real(15.0)]],
        "less" => [true, false].map(|c| vec![Real(1.0), Real(2.0), Boolean(c)]).into(),
        "hv" | "jv" | "vj" | "outer" => {
            let reversed = |v: &Vec<f64>| v.iter().rev().copied().collect::<Vec<f64>>();
            with_odd.map(|v| vec![Vector(reversed(&v)), Vector(v)]).collect()
        }
        "mv" => vec![
            vec![Matrix(2, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), Vector(vec![0.5, -1.0, 1e-9])],
            vec![Matrix(3, vec![1.0, 2.0, 3.0]), Vector(vec![7.0])],
            vec![Matrix(2, vec![]), Vector(vec![])],
        ],
        "transposed" => vec![vec![
            Matrix(2, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            Vector(vec![0.5, -1.0, 1e-9]),
            Vector(vec![2.0, 3.0]),
        ]],
        _ => with_odd.map(|v| vec![Vector(v)]).collect(),
    }
}

fn real_text(real: f64) -> String {
    match real {
        f64::INFINITY => "+inf.0".to_owned(),
        f64::NEG_INFINITY => "-inf.0".to_owned(),
        real if real.is_nan() => "+nan.0".to_owned(),
        real => format!("{real:e}"),
    }
}

fn text(operand: &Operand) -> String {
    let vector = |reals: &[f64]| format!("#({})", reals.iter().copied().map(real_text).collect::<Vec<_>>().join(" "));
    match operand {
        Real(real) => real_text(*real),
        Boolean(truth) => if *truth { "#t" } else { "#f" }.to_owned(),
        Vector(reals) => vector(reals),
        Matrix(rows, reals) => {
            let columns = reals.len() / rows;
            let rows: Vec<String> = (0..*rows).map(|row| vector(&reals[row * columns..][..columns])).collect();
            format!("#({})", rows.join(" "))
        }
    }
}

/// The numbers and booleans of a line, in order.
fn tokens(line: &str) -> Vec<String> {
    let all = line.split(|c: char| "[]() ".contains(c));
    let has_bits = |word: &str| word.len() == 16 && word.chars().all(|c| c.is_ascii_hexdigit());
    all.filter(|word| has_bits(word) || ["#t", "#f"].contains(word)).map(str::to_owned).collect()
}

/// The driver: a line for each call.
fn driver() -> String {
    let mut text = "#include \"model.h\"\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n\
         static double b(uint64_t bits) { double real; memcpy(&real, &bits, 8); return real; }\n\
         static void put(double real) { uint64_t bits; memcpy(&bits, &real, 8); if (real != real) bits = 0x7ff8000000000000; \
         printf(\"%016llx \", (unsigned long long)bits); }\n\
         static void put_all(const double *reals, size_t n) { for (size_t i = 0; i < n; i++) put(reals[i]); }\n\
         static struct model_context context;\nstatic double memory[8][4096], real[32];\nstatic int truth[32];\n\
         static size_t n[32], k[32];\n"
        .to_owned();
    // Compilers take long for one long function.
    let mut calls_of_all = String::new();
    let mut numbers = 0_u32..;
    let bits =
        |reals: &[f64]| reals.iter().map(|real| format!("b(0x{:x})", real.to_bits())).collect::<Vec<_>>().join(", ");
    for (name, _, signature) in EXPORTS {
        let c_name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let results: Vec<&str> =
            signature.split_once("->").unwrap().1.split(['(', ')', ' ', '.']).filter(|w| !w.is_empty()).collect();
        for operands in calls(name) {
            let (mut before, mut given) = (String::new(), String::new());
            for (place, operand) in operands.iter().enumerate() {
                let array = |reals: &[f64]| {
                    format!("        double v{place}[] = {{{}, 0}};\n", bits(reals).trim_start())
                        .replace("{, 0}", "{0}")
                };
                match operand {
                    Real(real) => write!(given, ", {}", bits(&[*real])).unwrap(),
                    Boolean(truth) => write!(given, ", {}", u8::from(*truth)).unwrap(),
                    Vector(reals) => {
                        before += &array(reals);
                        write!(given, ", v{place}, {}", reals.len()).unwrap();
                    }
                    Matrix(rows, reals) => {
                        before += &array(reals);
                        write!(given, ", v{place}, {rows}, {}", reals.len() / rows).unwrap();
                    }
                }
            }
            let mut after = String::new();
            let mut arrays = 0..;
            for (place, leaf) in results.iter().enumerate() {
                match *leaf {
                    "real" => {
                        write!(given, ", &real[{place}]").unwrap();
                        after += &format!("        put(real[{place}]);\n");
                    }
                    "boolean" => {
                        write!(given, ", &truth[{place}]").unwrap();
                        after += &format!("        fputs(truth[{place}] ? \"#t \" : \"#f \", stdout);\n");
                    }
                    "vector" => {
                        let array = arrays.next().unwrap();
                        write!(given, ", memory[{array}], 4096, &n[{place}]").unwrap();
                        after += &format!("        put_all(memory[{array}], n[{place}]);\n");
                    }
                    "matrix" => {
                        let array = arrays.next().unwrap();
                        write!(given, ", memory[{array}], 4096, &n[{place}], &k[{place}]").unwrap();
                        after += &format!("        put_all(memory[{array}], n[{place}] * k[{place}]);\n");
                    }
                    other => panic!("{other}"),
                }
            }
            let number = numbers.next().unwrap();
            writeln!(
                text,
                "static void call_{number}(void) {{\n{before}        int status = model_{c_name}(&context{given});\n        if \
                 (status) printf(\"%s \", model_status_text(status));\n{after}        puts(\"\");\n}}"
            )
            .unwrap();
            writeln!(calls_of_all, "    call_{number}();").unwrap();
        }
    }
    text + &format!(
        "int main(void) {{\n    model_begin(&context);\n{calls_of_all}    model_end(&context);\n    return 0;\n}}\n"
    )
}

fn exports() -> Vec<String> {
    EXPORTS.map(|(name, expression, signature)| format!("{name}={expression}:{signature}")).into()
}

/// The lines that `vlad` prints for the same calls.
fn expected() -> Vec<Vec<String>> {
    let mut program = PROGRAM.to_owned();
    for (name, expression, _) in EXPORTS {
        for operands in calls(name) {
            let operands: Vec<String> = operands.iter().map(text).collect();
            writeln!(program, "({expression} {})", operands.join(" ")).unwrap();
        }
    }
    let printed = answer(&["run", "--engine", "interp", "--bits", "-e", &program]).succeeded();
    printed.lines().map(tokens).collect()
}

/// Any optimisation, and without the flags that the headers name: bits do not depend on them.
const OTHER_FLAGS: [&[&str]; 2] = [&["-O0", "-std=c11"], &["-O3", "-std=c17", "-ffp-contract=off"]];

#[test]
fn results_have_the_bits_of_the_interpreter() {
    let exports = exports();
    let out = emitted("bits", PROGRAM, &exports.iter().map(String::as_str).collect::<Vec<_>>());
    let (expected, driver) = (expected(), driver());
    for compiler in ["cc", "tcc", "clang"] {
        if !is_there(compiler, "-v") {
            eprintln!("not run: there is no {compiler}");
            continue;
        }
        // The tiny compiler optimises nothing; clang has the most optimisation besides the flags of the headers.
        let others = match compiler {
            "cc" => &OTHER_FLAGS[..],
            "clang" => &OTHER_FLAGS[1..],
            _ => &[],
        };
        for flags in [&FLAGS[..]].iter().chain(others) {
            let printed = output(&compiled(compiler, flags, &out, &driver));
            let found: Vec<Vec<String>> = printed.lines().map(tokens).collect();
            assert_eq!(found.len(), expected.len());
            let all =
                EXPORTS.iter().flat_map(|(name, ..)| calls(name).into_iter().map(move |operands| (name, operands)));
            for (((name, operands), found), expected) in all.zip(&found).zip(&expected) {
                let operands: Vec<String> = operands.iter().map(text).collect();
                assert_eq!(found, expected, "{compiler} {flags:?}: ({name} {})", operands.join(" "));
            }
        }
    }
}

/// The same calls with the checks of memory and of undefined behaviour, where the compiler has them.
#[test]
fn sanitisers_find_nothing() {
    let exports = exports();
    let out = emitted("sanitised", PROGRAM, &exports.iter().map(String::as_str).collect::<Vec<_>>());
    let flags = ["-std=c17", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    std::fs::write(out.join("empty.c"), "int main(void) { return 0; }\n").unwrap();
    let mut trial = std::process::Command::new("cc");
    trial.args(flags).arg(out.join("empty.c")).arg("-o").arg(out.join("empty"));
    if !trial.output().unwrap().status.success() {
        eprintln!("not run: this C compiler has no sanitisers");
        return;
    }
    let printed = output(&compiled("cc", &flags, &out, &driver()));
    assert_eq!(printed.lines().count(), expected().len());
}
