//! Names of parameters: those of the definitions, in C, C++, Python and Fortran.

use super::{FLAGS, compile, emit, emitted, is_there, output, run};
use crate::{folder, vlad};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Each parameter has another weight, so that a call tells their order. Its names are keywords, macros, names in the interface, names with
/// other letters, and names that become others.
const ODD: &str = "\
(define (odd class x-1 int x_1 context r1 x X \u{3b8} len size_t status v_length v (list p (cons q _)) NULL)
  (list (+ class (* 2 x-1) (* 4 int) (* 8 x_1) (* 16 context) (* 32 r1) (* 64 x) (* 128 X) (* 256 \u{3b8}) (* 512 len)
           (* 1024 size_t) (* 2048 status) (* 4096 v_length) (* 8192 (get v 0)) (* 16384 p) (* 32768 q) (* 65536 NULL))
        v))
";
const EXPORT: &str = "odd:real,real,real,real,real,real,real,real,real,real,real,real,real,vector,(real (real . real)),real->(real vector)";

/// The parameters of a function in the header.
fn parameters(out: &Path, function: &str) -> Vec<String> {
    let header = fs::read_to_string(out.join("model.h")).unwrap();
    let (_, rest) = header.split_once(&format!("model_{function}(")).unwrap();
    let (inside, _) = rest.split_once(')').unwrap();
    inside.split(',').map(|parameter| parameter.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn headers_have_the_names_of_definitions() {
    let program = "
(define (energy v k) (* k (get v 0)))
(define ((scaled c) x y) (* c x y))
(define (parts (list a (cons b c)) p) (+ a b c (car p)))
(define whole (lambda all (car all)))
";
    let exports = [
        "energy:vector,real->real",
        "scaled=(scaled 2):real,real->real",
        "parts:(real (real . boolean)),(real matrix)->real",
        "whole:real,real->real",
        "e=exp:real->real",
        "slope=(lambda (at) (cdr (*j (lambda (inner) (* inner inner)) at 1))):real->real",
    ];
    let (answer, out) = emit(
        "c",
        "parameters",
        &program.replace("(+ a b c (car p))", "(+ a b (car p))"),
        &exports.map(|e| ["--export", e]).concat(),
    );
    answer.succeeded();
    let of = |function: &str| parameters(&out, function)[1..].join(", ");
    assert_eq!(of("energy"), "const double *v, size_t v_length, double k, double *r1");
    assert_eq!(of("scaled"), "double x, double y, double *r1");
    assert_eq!(
        of("parts"),
        "double a, double b, int c, double p_1, const double *p_2, size_t p_2_rows, size_t p_2_columns, double *r1"
    );
    assert_eq!(of("whole"), "double x1, double x2, double *r1");
    assert_eq!(of("e"), "double x1, double *r1");
    assert_eq!(of("slope"), "double at, double *r1");
}

#[test]
fn odd_names_are_names_of_c() {
    let out = emitted("odd_names", ODD, &[EXPORT]);
    let names =
        "class_ x_1_2 int_ x_1 context_ r1_2 x X theta len size_t_ status_ v_length v_2 v_2_length p q x17 NULL_";
    let found: Vec<String> = parameters(&out, "odd")
        .iter()
        .skip(1)
        .map(|parameter| parameter.rsplit([' ', '*']).next().unwrap().to_owned())
        .collect();
    assert_eq!(found.join(" "), format!("{names} r1 r2 r2_capacity r2_length"));
    // Sixteen weights of one, and that of the vector's element.
    let driver = "#include \"model.h\"\n#include <stdio.h>\nint main(void) {\n    struct model_context context;\n    double v[] = {1, \
                  5}, r, w[2];\n    model_begin(&context);\n    int status = model_odd(&context, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, v, \
                  2, 0, 1, 0, 0, &r, w, 2, NULL);\n    printf(\"%d %g %g\\n\", status, r, w[1]);\n    model_end(&context);\n    return 0;\n}\n";
    let sum: u32 = [0, 2, 4, 6, 8, 10, 12, 13, 15].map(|power| 1 << power).iter().sum();
    assert_eq!(run(&out, driver), format!("0 {sum} 5\n"));
    if is_there("c++", "--version") {
        fs::write(out.join("head.cpp"), "#include <cerrno>\n#include <complex>\n#include \"model.h\"\n").unwrap();
        compile("c++", &["-c"], |command| command.arg("head.cpp").current_dir(&out));
    }
}

#[test]
fn odd_names_are_names_of_python() {
    let (answer, out) = emit("python", "odd_python", ODD, &["--export", EXPORT]);
    answer.succeeded();
    let module = fs::read_to_string(out.join("model/__init__.py")).unwrap();
    let names = "class_, x_1_2, int_, x_1, context_, r1, x, X, theta, len, size_t_, status_, v_length, v, p15, NULL_";
    assert!(module.contains(&format!("\ndef odd({names}):\n")), "{module}");
    if !is_there("python3", "--version")
        || !Command::new("python3").args(["-c", "import numpy"]).output().unwrap().status.success()
    {
        eprintln!("not run: there is no python3 with numpy");
        return;
    }
    // The library beside the module, as the build of the package makes it.
    let package = out.join("model");
    compile("cc", &FLAGS, |command| {
        command.args(["-fPIC", "-shared", "model.c", "-o", "model.so"]).current_dir(&package)
    });
    let script = "import model\nnames = dict.fromkeys('class_ x_1_2 int_ x_1 context_ r1 x X theta len size_t_ status_ v_length \
                  NULL_'.split(), 0)\nfor k, name in enumerate('class_ x_1_2 int_ x_1 context_ r1 x X theta len size_t_ status_ \
                  v_length'.split()):\n    found = model.odd(**{**names, name: 1}, v=[0.0, 3.0], p15=(0, (0, 0)))\n    assert found[0] == 2 \
                  ** k and list(found[1]) == [0.0, 3.0], name\nassert model.odd(**names, v=[1], p15=(1, (1, 0)))[0] == 2 ** 13 + 2 ** 14 \
                  + 2 ** 15\ntry:\n    model.odd(**{**names, 'len': None}, v=[1], p15=(1, (1, 0)))\nexcept TypeError as error:\n    \
                  assert 'len is a real, and no NoneType' in str(error), error\nprint('all well')\n";
    let run = Command::new("python3").args(["-c", script]).current_dir(&out).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&run.stdout), "all well\n", "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn odd_names_are_names_of_fortran() {
    let (answer, out) = emit("fortran", "odd_fortran", ODD, &["--export", EXPORT]);
    answer.succeeded();
    let module = fs::read_to_string(out.join("model.f90")).unwrap();
    for name in [":: X_2\n", ":: x\n", ":: context_\n", ":: r1_2\n", ":: v_2_length\n"] {
        assert!(module.contains(name), "{name}: {module}");
    }
    if !is_there("gfortran", "--version") {
        eprintln!("not run: there is no gfortran");
        return;
    }
    let program = "program driver\n  use model\n  use, intrinsic :: iso_c_binding\n  type(model_context) :: context\n  real(c_double) :: \
                   r, w(1)\n  call model_begin(context)\n  if (model_odd(context, class_=0d0, x_1_2=0d0, int_=0d0, x_1=0d0, \
                   context_=0d0, r1_2=0d0, &\n    x=0d0, X_2=1d0, theta=0d0, len=0d0, size_t_=0d0, status_=0d0, v_length=0d0, &\n    \
                   v_2=[0d0], v_2_length=1_c_size_t, p=0d0, q=0d0, x17=0d0, NULL_=0d0, r1=r, r2=w, r2_capacity=1_c_size_t) /= &\n    \
                   model_ok) stop 1\n  if (nint(r) /= 128) stop 2\nend program\n";
    fs::write(out.join("driver.f90"), program).unwrap();
    // All that the Makefile makes: the object, the shared library and the module.
    let made = Command::new("make").arg("-s").current_dir(&out).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    for file in ["model.o", "libmodel.so", "model_module.o"] {
        assert!(out.join(file).exists(), "{file}");
    }
    compile("gfortran", &[], |command| {
        command.args(["driver.f90", "model_module.o", "model.o", "-o", "driver"]).current_dir(&out)
    });
    assert_eq!(output(&out.join("driver")), "");
}

/// Names of procedures are those of the program's language, which may know no lower case.
#[test]
fn exports_are_spelled_as_in_the_program() {
    let place = folder("emit_spelled", &[("cube.f", "      FUNCTION CUBE(X)\n      CUBE = X**3\n      END\n")]);
    let arguments = ["emit", "c", "cube.f", "--export", "cube:real->real", "-o", "out"];
    crate::answer_of(vlad().args(arguments).current_dir(&place)).succeeded();
    assert!(fs::read_to_string(place.join("out/cube.h")).unwrap().contains("int cube_cube("));
}
