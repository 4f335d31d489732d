//! Exports for Python and Fortran, where these are installed.

use super::{archive, emit, is_there, output};
use rstest::rstest;
use std::process::Command;

const PROGRAM: &str = "\
(define (f x) (* x (exp x)))
(define (sum n g) (ifold (lambda (s i) (+ s (g i))) 0 n))
(define (squares v) (sum (length v) (lambda (i) (sqr (get v i)))))
(define (gradient g) (lambda (v) (cdr (*j g v 1))))
(define (dot u v) (sum (length u) (lambda (i) (* (get u i) (get v i)))))
(define (product m v) (build (length m) (lambda (i) (dot (get m i) v))))
(define (twice v) (build (* 2 (length v)) (lambda (i) i)))
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(define (root x) (if (< x 0) (error \"no \\\"real\\\" root \u{2014} of \" x \" %s\\\\\") (if (< x 1) (error x) (sqrt x))))
";

const EXPORTS: [&str; 15] = [
    "sine=sin:real->real",
    "whole=(lambda (p) (- (car p) (car (cdr p)))):(real real)->real",
    "f:real->real",
    "gradient=(gradient squares):vector->vector",
    "dot:vector,vector->real",
    "product:matrix,vector->vector",
    "twice:vector->vector",
    "outer=(lambda (u v) (build (length u) (lambda (i) (build (length v) (lambda (k) (* (get u i) (get v k))))))):\
     vector,vector->matrix",
    "lambda=(lambda ((list a b) (cons c v)) (list (+ a b c) (> a b) (cons v c))):\
     (real real),(real . vector)->(real boolean (vector . real))",
    "fib:real->real",
    "root:real->real",
    "slope=(lambda (x) (cdr (j* root x 1))):real->real",
    "choose=(lambda (b x) (if b x (- x))):boolean,real->real",
    "turned=(lambda (t) (build (length (get t 0)) (lambda (j) (build (length t) (lambda (i) (get (get t i) j)))))):array3->array3",
    "powers=(lambda (t m v) (build (length t) (lambda (n) (build (length m) (lambda (i) (build (length v) (lambda (j) \
     (build (length m) (lambda (k) (* (get (get m i) 0) (* n (get v j)))))))))))):array3,matrix,vector->array4",
];

fn options() -> Vec<&'static str> {
    EXPORTS.iter().flat_map(|export| ["--export", *export]).collect()
}

const SCRIPT: &str = r#"
import math, threading
import numpy as np
import model

assert model.f(1.0) == math.exp(1.0)
assert model.f(np.float32(0)) == 0.0 and model.f(2) == 2 * math.exp(2.0)
assert list(model.gradient(np.array([1.0, 2.0, 3.0]))) == [2.0, 4.0, 6.0]
assert list(model.gradient([1, 2])) == [2.0, 4.0] and model.gradient([]).shape == (0,)
assert model.dot(np.arange(6.0)[::2], np.arange(3, dtype=np.int32)) == 10.0
assert list(model.product(np.arange(6.0).reshape(3, 2).T, [1, 1, 1])) == [6.0, 9.0]
for size in [3, 50, 1]:
    assert list(model.twice(np.zeros(size))) == list(range(2 * size))
assert model.outer([1, 2], [3, 4, 5]).tolist() == [[3.0, 4.0, 5.0], [6.0, 8.0, 10.0]]
assert model.outer([1, 2], []).shape == (2, 0)
value = model.lambda_((1, 2), [3, [4, 5]])
assert value[:2] == (6.0, False) and value[2][0].tolist() == [4.0, 5.0] and value[2][1] == 3.0
assert "product: matrix,vector->vector" in model.product.__doc__
for shape in [(2, 3, 4), (1, 1, 1), (3, 2, 5), (2, 1, 0)]:
    array = np.arange(float(np.prod(shape))).reshape(shape)
    for given in [array, array.tolist() if array.size else array, np.asfortranarray(array), array.astype(np.int16)]:
        assert np.array_equal(model.turned(given), array.swapaxes(0, 1)), shape
    assert model.turned(array).shape == (shape[1], shape[0], shape[2])
assert model.turned(np.zeros((2, 3, 4))[:, ::2]).shape == (2, 2, 4)
assert model.turned(np.zeros((1, 0, 4))).shape == (0, 0, 0)
found = model.powers(np.zeros((2, 1, 0)), [[2], [3]], [4, 5, 6])
assert np.array_equal(found, np.einsum("n,i,j,k->nijk", [0, 1], [2, 3], [4, 5, 6], [1, 1]))
assert model.powers(np.zeros((1, 1, 1)), [[2]], []).shape == (1, 1, 0, 0)


def fails(kind, text, call):
    try:
        call()
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"no {kind}")


fails(model.Error, "model.vlad:5:", lambda: model.dot([1, 2], [1]))
for call in [lambda: model.root(-1), lambda: model.slope(-1), lambda: model.root(-2)]:
    fails(model.Error, 'no "real" root \u2014 of ... %s\\, at model.vlad:9:30', call)
fails(model.Error, "fails for these operands, at model.vlad:9:", lambda: model.root(0.5))
assert model.root(4) == 2.0
fails(RecursionError, "too deep", lambda: model.fib(1e9))
fails(ValueError, "v is a vector", lambda: model.gradient(1.0))
fails(ValueError, "v is a vector", lambda: model.gradient(np.eye(2)))
fails(ValueError, "v has rows of different lengths", lambda: model.gradient([[1], [2, 3]]))
fails(ValueError, "m is a matrix", lambda: model.product([1, 2], [1]))
fails(ValueError, "t is an array of 3 dimensions, and no array of 2", lambda: model.turned(np.eye(2)))
fails(ValueError, "p1 is a tuple or list of 2, and has 1", lambda: model.lambda_((1,), (3, [4])))
fails(TypeError, "p2 is a tuple or list of 2, and no dict", lambda: model.lambda_((1, 2), {}))
fails(TypeError, "p1[1] is a real, and no str", lambda: model.lambda_((1, "2"), (3, [4])))
fails(ValueError, "p2[1] is a vector", lambda: model.lambda_((1, 2), (3, 4)))
fails(ValueError, "x is a real, and no array of 1 dim", lambda: model.f(np.array([1.0])))
fails(OverflowError, "x is too large", lambda: model.f(10 ** 400))
# Operands are given by the names in the definitions.
assert model.dot(v=[1, 2], u=[3, 4]) == 11.0 and model.f(x=1) == math.exp(1.0) and model.sine(x1=0) == 0
assert list(model.product(v=[1, 1], m=[[1, 2], [3, 4]])) == [3.0, 7.0] and model.lambda_(p2=(3, [4]), p1=(1, 2))[0] == 6.0
assert model.f(math.inf) == math.inf and math.isnan(model.f(np.nan)) and model.f(True) == math.exp(1.0)
assert math.isnan(model.dot([math.nan], [1])) and model.dot([math.inf], [1]) == math.inf
assert model.whole((1, 2)) == -1.0 and model.whole(p=[2, 1]) == 1.0
fails((TypeError, ValueError), "", lambda: model.gradient(["a"]))
hole = np.ma.masked_array([1.0, 2.0], [False, True])
for other in [np.array([1j, 2]), [1j, 2], [np.complex128(1), 2.0], hole, [np.ma.masked, 1.0], np.array(["1"]), ["1", 2],
              np.array(["2020-01-01"], "M8[D]"), [None], np.array([None, 1.0]), np.array([1j], dtype=object)]:
    fails(TypeError, "v ", lambda: model.gradient(other))
    fails(TypeError, "t ", lambda: model.turned([[other]]) if not isinstance(other, np.ndarray) else model.turned(other[None, None]))
import datetime
day = datetime.date(2020, 1, 1)
for other in [np.complex128(1 + 2j), 1j, np.ma.masked, np.array(1j), hole[:1], None, "1", b"1", day, datetime.timedelta(1), [1.0],
              np.datetime64("2020-01-01"), np.timedelta64(3, "s"), np.str_("1"), np.array("1"), np.array(None), np.void(b"12345678"),
              {}, object()]:
    fails(TypeError, "x is a real, and no ", lambda: model.f(other))
for other in [None, "12", b"12", ["1", "2"], [day], [1.0, None], [datetime.datetime(2020, 1, 1)],
              np.array([(1.0, 2)], dtype=[("a", "f8"), ("b", "i4")]), {}, {1.0}, (x for x in [1.0]), [b"1"],
              np.array([1], "m8[s]"), np.array(["1", None], dtype=object)]:
    fails(TypeError, "v ", lambda: model.gradient(other))
fails(TypeError, "v has reals, and is no NoneType", lambda: model.gradient(None))
fails(TypeError, "an element of v is a real, and no NoneType", lambda: model.gradient([1.0, None]))
from fractions import Fraction
assert list(model.gradient([Fraction(1, 2), 1])) == [1.0, 2.0] and list(model.gradient(hole.filled(3.0))) == [2.0, 6.0]
assert list(model.gradient([True, np.float32(2)])) == [2.0, 4.0] and list(model.gradient(np.array([1.0], ">f8"))) == [2.0]
fails(TypeError, "'x'", lambda: model.f())
assert model.choose(True, 2) == 2.0 and model.choose(np.bool_(False), 2) == -2.0
for other in ["x", 1, 0.0, None, []]:
    fails(TypeError, "b is a bool", lambda: model.choose(other, 2))
model.use_stack(1 << 20)
assert model.fib(15) == 610.0

right = []
def work(factor):
    for _ in range(200):
        right.append(model.gradient(np.full(100, factor)).sum() == 200 * factor)
threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert all(right) and len(right) == 800
print("all well")
"#;

/// The package is installed by pip, without a network.
#[rstest]
#[case::with_an_archive("python", &[])]
#[case::with_the_c_library("python-system", &["--math", "system"])]
fn a_package_for_python(#[case] name: &str, #[case] others: &[&str]) {
    if !is_there("python3", "--version")
        || !Command::new("python3").args(["-c", "import numpy, pip"]).output().unwrap().status.success()
    {
        eprintln!("not run: there is no python3 with numpy and pip");
        return;
    }
    let (answer, out) = emit("python", name, PROGRAM, &[&options(), others].concat());
    assert_eq!(answer.succeeded(), "");
    assert_eq!(archive(&out.join("model"), "model").is_some(), others.is_empty());
    let site = out.join("site");
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", "--target"]);
    let installed = pip.arg(&site).arg(&out).output().unwrap();
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    let script = site.join("script.py");
    std::fs::write(&script, SCRIPT).unwrap();
    let run = Command::new("python3").arg(&script).env("PYTHONPATH", &site).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&run.stdout), "all well\n", "{}", String::from_utf8_lossy(&run.stderr));
}

/// The module of the package is one of Python, whatever the names are, also where there is no numpy.
#[test]
fn names_in_python() {
    let (answer, out) =
        emit("python", "names", "(define (f x) x)", &["--export", "def=f:real->real", "--export", "x?=f:real->real"]);
    answer.succeeded();
    let module = std::fs::read_to_string(out.join("model/__init__.py")).unwrap();
    assert!(module.contains("\ndef def_(x):\n") && module.contains("\ndef x_(x):\n"), "{module}");
    for file in ["pyproject.toml", "build_backend.py", "model/model.c", "model/model.h"] {
        let text = std::fs::read_to_string(out.join(file)).unwrap();
        assert!(!text.contains("exports_") && !text.contains('@'), "{file}");
    }
}

const FORTRAN: &str = "\
program driver
  use model
  use, intrinsic :: iso_c_binding
  implicit none
  type(model_context) :: context
  real(c_double) :: value, gradient(3), matrix(3, 2), product(2), cube(4, 3, 2), turned(4, 2, 3)
  real(c_double) :: powers(2, 3, 2, 2)
  integer(c_size_t) :: length, sizes(3)
  integer(c_int) :: truth
  integer :: i, j, k
  call model_begin(context)
  if (model_f(context, 0d0, value) /= model_ok .or. value /= 0d0) stop 1
  if (model_gradient(context, [1d0, 2d0, 3d0], 3_c_size_t, gradient, 3_c_size_t) /= model_ok) stop 2
  if (any(gradient /= [2d0, 4d0, 6d0])) stop 3
  if (model_gradient(context, [1d0, 2d0, 3d0], 3_c_size_t, gradient, 2_c_size_t, length) /= model_too_small) stop 4
  if (length /= 3) stop 5
  matrix = reshape([1d0, 2d0, 3d0, 4d0, 5d0, 6d0], [3, 2])
  if (model_product(context, matrix, 2_c_size_t, 3_c_size_t, [1d0, 1d0, 1d0], 3_c_size_t, product, 2_c_size_t) /= model_ok) &
    stop 6
  if (any(product /= [6d0, 15d0])) stop 7
  if (model_dot(context, gradient, 3_c_size_t, gradient, 2_c_size_t, value) /= model_failed) stop 8
  if (model_lambda(context, 1d0, 2d0, 3d0, gradient, 3_c_size_t, value, truth, gradient, 3_c_size_t, r4=matrix(1, 1)) &
    /= model_ok) stop 9
  if (truth /= 0 .or. value /= 6d0 .or. matrix(1, 1) /= 3d0) stop 10
  do i = 1, 2; do j = 1, 3; do k = 1, 4; cube(k, j, i) = 100d0 * i + 10d0 * j + k; end do; end do; end do
  if (model_turned(context, cube, 2_c_size_t, 3_c_size_t, 4_c_size_t, turned, 24_c_size_t) /= model_ok) stop 11
  do i = 1, 2
    if (any(turned(:, i, :) /= cube(:, :, i))) stop 12
  end do
  if (model_turned(context, cube, 2_c_size_t, 3_c_size_t, 4_c_size_t, turned, 23_c_size_t, sizes(1), sizes(2), sizes(3)) &
    /= model_too_small) stop 13
  if (any(sizes /= [3, 2, 4])) stop 14
  if (model_powers(context, cube, 2_c_size_t, 3_c_size_t, 4_c_size_t, [2d0, 3d0], 2_c_size_t, 1_c_size_t, [4d0, 5d0, 6d0], &
    3_c_size_t, powers, 24_c_size_t) /= model_ok) stop 15
  if (any(powers(:, :, :, 1) /= 0) .or. any(powers(:, 2, 2, 2) /= 15) .or. any(powers(1, :, 1, 2) /= [8, 10, 12])) stop 16
  if (model_message(context) /= '') stop 17
  if (model_root(context, -1d0, value) /= model_failed) stop 18
  if (index(model_message(context), 'no \"real\" root ') /= 1) stop 19
  if (index(model_message(context), ' of ... %s\\') == 0) stop 21
  if (model_root(context, 5d-1, value) /= model_failed) stop 20
  if (len(model_message(context)) /= 0) stop 22
  call model_end(context)
  print '(a)', 'all well'
end program
";

#[test]
fn a_module_for_fortran() {
    if !is_there("gfortran", "--version") {
        eprintln!("not run: there is no gfortran");
        return;
    }
    let (answer, out) = emit("fortran", "fortran", PROGRAM, &options());
    assert_eq!(answer.succeeded(), "");
    std::fs::write(out.join("driver.f90"), FORTRAN).unwrap();
    // As standard a compiler as the module's own rules ask for, and one that knows all of Fortran 2018.
    let script = "make -s model.o model_module.o FFLAGS='-Wall -Werror -pedantic' && grep -q -e '-std=f2008 ' Makefile && \
                  gfortran -std=f2018 -fsyntax-only -Wall -Werror model.f90 && \
                  gfortran -std=f2008 -Wall driver.f90 model.o model_module.o libmodel_math.a -o driver";
    let made = Command::new("sh").args(["-c", script]).current_dir(&out).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    assert_eq!(output(&out.join("driver")), "all well\n");
}
