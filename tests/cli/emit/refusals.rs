//! Exports that are refused, and command lines that are not valid.

use super::emit;
use crate::{answer, folder};
use rstest::rstest;

const PROGRAM: &str = "\
(define n (read-real))
(define (f x) (* n x))
(define (g v) (vector-push v 1))
(define (h x) (if (< x 0) 1 (cons 1 2)))
(define (k x) (write x))
(define (tail x) x)
(define m (* 2 n))
(define (up-to x) (if (< x 1) '() (cons x (up-to (- x 1)))))
(define numbers (up-to (real 5)))
(define (sum v) (ifold (lambda (s i) (+ s (get v i))) 0 (length v)))
(define (after v i) (let ((w (vector-set v i 0))) (vector-set w 0 (+ (sum v) (sum w)))))
(define (copies v n) (sum (ifold after v n)))
";

#[rstest]
#[case::reads("f:real->real", "`f` cannot be exported: the definition of `n`, to which it refers, reads numbers")]
#[case::reads_itself("r=(lambda (x) (* x (read-real))):real->real", "`r` cannot be exported: it reads numbers")]
#[case::indirectly(
    "i=(lambda (x) (+ m x)):real->real",
    "`i` cannot be exported: the definition of `n`, to which it refers, reads"
)]
#[case::writes("k:real->real", "`k` cannot be exported: it writes")]
#[case::not_specialised("g:vector->vector", "`g` cannot be exported: the length of a vector is not known")]
#[case::branches(
    "h:real->real",
    "`h` cannot be exported: the result is a value of several shapes, and not real as its signature says"
)]
#[case::result(
    "tail:real->vector",
    "`tail` cannot be exported: the result is real, and not vector as its signature says"
)]
#[case::list(
    "t=(lambda (x v) (list x (cons #t v))):real,vector->real",
    "`t` cannot be exported: the result is (real (boolean . vector)), and not real"
)]
#[case::procedure(
    "c=(lambda (x) (lambda (y) x)):real->real",
    "`c` cannot be exported: the result is a procedure, and not"
)]
#[case::grows("up-to:real->real", "`up-to` cannot be exported: the result is a structure of any size, and not real")]
#[case::grown(
    "w=(lambda (x) (reduce + x numbers)):real->real",
    "`w` cannot be exported: the value of `numbers` grows in a loop or a recursion"
)]
#[case::no_procedure("p=3:real->real", "`p` cannot be exported: applied to such operands it does not return a value")]
#[case::too_few(
    "q=(lambda (x y) x):real->real",
    "`q` cannot be exported: applied to such operands it does not return a value"
)]
#[case::stops(
    "s=(lambda (x) (resume (interrupt tail x 0))):real->real",
    "`s` cannot be exported: `interrupt` is not specialised"
)]
#[case::undefined("missing:real->real", "`missing` is not defined")]
#[case::syntax("e=(lambda (x) x:real->real", "")]
#[case::two("e=1 2:real->real", "`--export e` expects one expression, found more")]
fn what_cannot_be_exported(#[case] export: &str, #[case] message: &str) {
    let (answer, out) = emit("c", "refused", PROGRAM, &["--export", export]);
    let errors = answer.failed("", "error[");
    assert!(errors.contains(message), "{errors}");
    assert!(!out.exists());
}

/// Of several exports each that is refused is reported, with a place in the program or in the option.
#[test]
fn several_refusals_with_places() {
    let exports = ["--export", "h:real->real", "--export", "tail:real->real", "--export", "g:vector->vector"];
    let (answer, _) = emit("c", "several", PROGRAM, &exports);
    let errors = answer.failed("", "error[specialise]: `h` cannot be exported");
    assert!(
        errors.contains("model.vlad:3:15") && errors.contains("error[specialise]: `g` cannot be exported"),
        "{errors}"
    );
    assert!(!errors.contains("`tail`"), "{errors}");
}

/// The place is that of the change, not of the operands that the command has made for the procedure.
#[test]
fn a_vector_that_would_be_copied_again_and_again() {
    let (answer, _) = emit("c", "copies", PROGRAM, &["--export", "copies:vector,real->real"]);
    let errors =
        answer.failed("", "error[specialise]: `copies` cannot be exported: a vector whose elements are replaced");
    assert!(errors.contains("model.vlad:11:30"), "{errors}");
}

#[rstest]
#[case::no_arrow("f:real", "a signature is `OPERANDS->RESULT`")]
#[case::no_operand(
    "f:->real",
    "expected real, boolean, vector, matrix, arrayN or a list of types, found nothing, which is written `()`"
)]
#[case::unknown_type("f:int->real", "found `int`")]
#[case::no_dimension("f:array0->real", "found `array0`")]
#[case::dimensions("f:real->array17", "an array has at most 16 dimensions, found 17")]
#[case::no_name("=(lambda (x) x):real->real", "is neither `NAME` nor `NAME=EXPRESSION`")]
#[case::no_expression("f=:real->real", "is neither `NAME` nor `NAME=EXPRESSION`")]
#[case::own_name("end:real->real", "`end` is a name of the interface")]
#[case::no_letters("+:real,real->real", "`+` cannot be a name in C")]
#[case::long(&format!("{}:real->real", "f".repeat(32)), "cannot be a name in C")]
fn exports_that_are_not_valid(#[case] export: &str, #[case] message: &str) {
    let (answer, _) = emit("c", "invalid", PROGRAM, &["--export", export]);
    assert_eq!((answer.code, answer.output.as_str()), (Some(2), ""));
    assert!(answer.errors.contains(message), "{}", answer.errors);
}

#[rstest]
#[case::twice(&["--export", "tail:real->real", "--export", "tail:vector->vector"], "`tail` is exported twice")]
#[case::alike(&["--export", "a-b=tail:real->real", "--export", "a_b=tail:real->real"], "have the same name in C")]
#[case::capitals(&["--export", "T=tail:real->real", "--export", "t=tail:real->real"], "have the same name in C or Fortran")]
#[case::none(&[], "--export")]
#[case::keyword(&["--export", "tail:real->real", "--name", "int"], "`int` cannot be the name of files and functions")]
#[case::prefix(&["--export", "tail:real->real", "--name", "vlad_x"], "names of the runtime begin with `vlad`")]
fn command_lines_that_are_not_valid(#[case] options: &[&str], #[case] message: &str) {
    let (answer, out) = emit("c", "usage", PROGRAM, options);
    assert_eq!((answer.code, answer.output.as_str()), (Some(2), ""));
    assert!(answer.errors.contains(message), "{}", answer.errors);
    assert!(!out.exists());
}

#[test]
fn folders_that_cannot_be_written() {
    let folder = folder("unwritable", &[("file", "text")]);
    let below = folder.join("file/out");
    let arguments = ["emit", "c", "-e", "1", "--export", "f=(lambda (x) x):real->real", "-o"];
    let failed = answer(&[&arguments[..], &[below.to_str().unwrap()]].concat()).failed("", "error[file]: ");
    assert!(failed.contains("cannot be written"), "{failed}");
    // A folder that stands where a file is to be written.
    std::fs::create_dir_all(folder.join("out/exports.c")).unwrap();
    let failed =
        answer(&[&arguments[..], &[folder.join("out").to_str().unwrap()]].concat()).failed("", "error[file]: ");
    assert!(failed.contains("exports.c cannot be written"), "{failed}");
}
