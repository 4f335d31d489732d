//! `vlad show forward` and `vlad show reverse`: the transformed code, and a comparison of its results with the
//! operators.

use crate::{Answer, answer, answer_of_input, answer_to, quick};
use rstest::rstest;
use std::path::Path;
use std::{env, fs};

/// Procedures to be transformed.
const PROGRAM: &str = include_str!("program.vlad");
const VECTORS: &str = include_str!("vectors.vlad");

/// The procedures whose transformed code is kept in files.
const SHOWN: [&str; 10] =
    ["straight", "bound", "branches", "power", "swap", "alternating", "summed", "nested", "literal", "built"];
/// Those of them that use vectors.
const SHOWN_OF_VECTORS: [&str; 2] = ["literal", "built"];

/// Shows the transformed code of a procedure.
fn shown(program: &str, mode: &str, name: &str) -> Answer {
    answer_to(&["show", mode, "-", "--function", name], program.as_bytes())
}

/// To accept changes: `VLAD_BLESS=1 cargo test transformed_code_is_as_expected`.
#[rstest]
#[case::forward("forward")]
#[case::reverse("reverse")]
fn transformed_code_is_as_expected(#[case] mode: &str) {
    let texts = SHOWN.iter().enumerate().map(|(index, name)| {
        let program = if SHOWN_OF_VECTORS.contains(name) { VECTORS } else { PROGRAM };
        let text = shown(program, mode, name).succeeded();
        // The text before the definitions is kept for one procedure of first order, one of higher order and one with
        // vectors.
        let definitions = text.split_once("; Procedures.").unwrap().1;
        let text =
            if index == 0 || ["summed", "built"].contains(name) { text.as_str() } else { definitions.trim_start() };
        format!(";;; {name}\n\n{text}\n")
    });
    let text: String = texts.collect();
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/derivatives/transformation").join(format!("{mode}.txt"));
    if env::var_os("VLAD_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&path).unwrap());
}

/// Returns the reals of a line, without the digits of their bits.
fn reals(line: &str) -> Vec<f64> {
    let words = line.split(|character: char| "() ".contains(character));
    words.filter_map(|word| word.split('[').next().unwrap().parse().ok()).collect()
}

#[rstest]
#[case::straight("straight", "(cons 1.3 0.7)", "(cons 1 0.5)", "1.5")]
#[case::bound("bound", "1.3", "1", "1")]
#[case::one_branch("branches", "(cons 1.2 0.7)", "(cons 1 0.5)", "1")]
#[case::other_branch("branches", "(cons 2.2 0.7)", "(cons 1 0.5)", "1")]
#[case::recursion("power", "(cons 1.3 5)", "(cons 1 0)", "1")]
#[case::tuples("swap", "(cons 1 (cons 2 3))", "(cons 3 (cons 4 5))", "(cons (cons 1 2) 3)")]
#[case::letrec("alternating", "(cons 1.3 7)", "(cons 1 0)", "1")]
#[case::list("summed", "1.1", "1", "1")]
#[case::prelude("norm", "(list 1 2 3)", "(list 1 0.5 0.2)", "1")]
#[case::named_let("product-loop", "1.1", "1", "1")]
#[case::curried("curried", "1.3", "1", "1")]
#[case::church("church", "1.3", "1", "1")]
#[case::closures_in_data("closures", "1.3", "1", "1")]
#[case::procedure_chosen("chosen", "2.3", "1", "1")]
#[case::if_procedure("if-procedures", "1.3", "1", "1")]
#[case::globals("globals", "1.3", "1", "1")]
#[case::primitive_as_value("cons-value", "1.1", "1", "(list 1 2)")]
#[case::constant_pattern("matched", "(list 1 2)", "(list 1 3)", "1")]
#[case::unused("unused", "(cons 1 2)", "(cons 3 4)", "1")]
#[case::shadowed("shadowed", "2", "1", "1")]
#[case::effect_free_sequence("sequence", "2", "1", "1")]
#[case::nested_forward("nested", "1.3", "1", "1")]
#[case::nested_reverse("nested-reverse", "1.3", "1", "1")]
#[case::descent("descent", "1.1", "1", "1")]
#[case::derivative("confusing", "1.1", "1", "1")]
#[case::procedure_given("applied-twice", "(cons sin 1.1)", "(cons sin 1)", "1")]
fn transformed_code_runs(#[case] name: &str, #[case] x: &str, #[case] tangent: &str, #[case] cotangent: &str) {
    agree(PROGRAM, &["interp", "hybrid", "native"], name, x, tangent, cotangent);
}

#[rstest]
#[case::vector_set("set-and-got", "(vector 1.5 2 3)", "(vector 1 0.5 0.2)", "1")]
#[case::vector_literal("literal", "1.3", "1", "1")]
#[case::build("built", "1.3", "1", "1")]
#[case::ifold("folded", "1.3", "1", "1")]
#[case::build_of_vector("scaled", "(vector 1 2)", "(vector 1 0.5)", "(vector 1 0.3)")]
#[case::vector_of_data("of-parts", "(cons 2 3)", "(cons 1 0.5)", "1")]
#[case::vector_to_list("as-list", "(vector 1 2)", "(vector 1 0.5)", "1")]
#[case::list_to_vector("from-list", "(list 1 2)", "(list 1 0.5)", "(vector 1 0.3)")]
#[case::vector_push("pushed", "(cons (vector 1 2) 3)", "(cons (vector 1 0.5) 2)", "1")]
#[case::sizes("sizes", "(cons (vector 1 2) 3)", "(cons (vector 1 0.5) 2)", "1")]
#[case::no_vector("asked", "3", "2", "1")]
#[case::vector_asked_for("asked", "(vector 3)", "(vector 2)", "1")]
#[case::matrix("reversed-matrix", "#(#(1 2) #(3 4))", "#(#(1 2) #(3 4))", "#(#(5 6) #(7 8))")]
#[case::vector_of_procedures("vector-of-procedures", "1.3", "1", "1")]
#[case::procedures_built("built-procedures", "1.3", "1", "1")]
#[case::procedures_replaced("replaced-procedures", "1.3", "1", "1")]
#[case::procedures_gone("procedures-gone", "1.3", "1", "(vector 1 (list 2 3))")]
#[case::operators_on_vectors("descended", "(vector 1 2)", "(vector 1 0.5)", "(vector 1 0.3)")]
#[case::procedures_and_operators("operated", "1.3", "1", "1")]
#[case::library("mapped", "(vector 1 2)", "(vector 1 0.5)", "(vector 1 0.3)")]
fn transformed_code_with_vectors_runs(
    #[case] name: &str,
    #[case] x: &str,
    #[case] tangent: &str,
    #[case] cotangent: &str,
) {
    agree(VECTORS, &["interp", "hybrid", "native"], name, x, tangent, cotangent);
}

/// Asserts that the transformed code of a procedure computes the results of the operators.
fn agree(program: &str, engines: &[&str], name: &str, x: &str, tangent: &str, cotangent: &str) {
    for engine in engines {
        for mode in ["forward", "reverse"] {
            let text = shown(program, mode, name).succeeded();
            // A comment of the transformed code shows a call of it.
            let call = text.lines().find_map(|line| line.strip_prefix("; (")).unwrap();
            let call = call.trim_start_matches("cdr ((cdr (").split(' ').next().unwrap();
            let uses = if mode == "forward" {
                format!(
                    "(let ((b ({call} (bundle {x} {tangent})))) (cons (primal b) (tangent b)))
                     (j* {name} {x} {tangent})"
                )
            } else {
                format!(
                    "(let (((cons y b) ({call} (*j {x})))) (cons (*j-inverse y) (cdr (b {cotangent}))))
                     (*j {name} {x} {cotangent})"
                )
            };
            let program = format!("{program}\n{text}\n{uses}");
            let mut command = quick();
            command.args(["--engine", engine, "--bits", "-"]);
            let output = answer_of_input(&mut command, program.as_bytes()).succeeded();
            let lines: Vec<&str> = output.lines().collect();
            let [of_code, of_operator] = lines.as_slice() else { panic!("{output}") };
            if mode == "forward" {
                assert_eq!(of_code, of_operator, "{text}");
            } else {
                let (of_code, of_operator) = (reals(of_code), reals(of_operator));
                assert_eq!(of_code.len(), of_operator.len(), "{output}");
                let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b.abs();
                assert!(of_code.iter().zip(&of_operator).all(close), "{output}\n{text}");
            }
        }
    }
}

#[test]
fn names_that_are_marked_already_get_another_mark() {
    let program = "(define (x> x) (* x x)) (define (f x) (x> (+ x 1)))";
    let text = answer(&["show", "forward", "-e", program, "--function", "f"]).succeeded();
    let uses = "(f.> (bundle 2 1)) ((j* f) (bundle 2 1))";
    let output = answer(&["--engine", "interp", "-e", &format!("{program}\n{text}\n{uses}")]).succeeded();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[0], lines[1], "{text}");
    assert_eq!(lines.len(), 2);
}

#[test]
fn transformed_transformed_code_runs() {
    let program = "(define (f x) (* x (sin x)))";
    let text = answer(&["show", "forward", "-e", program, "--function", "f"]).succeeded();
    let program = format!("{program}\n{text}\n(define (f1 x) (tangent (f> (bundle x 1))))");
    let again = answer(&["show", "reverse", "-e", &program, "--function", "f1"]).succeeded();
    let uses = "(cdr ((cdr (f1< (*j 1.2))) 1)) (cdr (*j (lambda (x) (cdr (j* f x 1))) 1.2 1))";
    let output = answer(&["--engine", "interp", "-e", &format!("{program}\n{again}\n{uses}")]).succeeded();
    let lines: Vec<&str> = output.lines().collect();
    assert!((reals(lines[0])[0] - reals(lines[1])[0]).abs() < 1e-12, "{output}");
}

#[test]
fn what_cannot_run_says_so() {
    let program = "(define (f x) (let loop ((y x)) (cdr (j* loop y 1))))";
    for mode in ["forward", "reverse"] {
        let text = answer(&["show", mode, "-e", program, "--function", "f"]).succeeded();
        assert!(text.contains("; Not to be run: "), "{text}");
    }
    let program = "(define (zero x) x) (define (f x) (* x x))";
    let text = answer(&["show", "reverse", "-e", program, "--function", "f"]).succeeded();
    assert!(text.contains("; Not to be run ") && text.contains("`zero`"), "{text}");
}

#[test]
fn the_helpers_of_vectors_are_of_the_language() {
    let program = "(define (get v i) i) (define (f v) (vector-set v 0 (get v sin)))";
    let text = answer(&["show", "forward", "-e", program, "--function", "f"]).succeeded();
    assert!(text.contains("; Not to be run ") && text.contains("`get`"), "{text}");
    // The names for `vector` and for the program's own `list->vector` are different.
    let program = "(define (list->vector x) (* 2 x)) (define (f x) (get (vector (list->vector x)) 0))";
    let text = answer(&["show", "reverse", "-e", program, "--function", "f"]).succeeded();
    assert!(text.contains("(list->vector<") && text.contains("(list->vector.2<"), "{text}");
    assert!(text.contains("; Not to be run "), "{text}");
}

#[test]
fn names_that_are_no_procedures_are_refused() {
    let program = "(define (square x) (* x x)) (define k 3) (define g square)";
    let error = |name: &str| answer(&["show", "forward", "-e", program, "--function", name]);
    assert!(error("squar").failed("", "error[unbound]: `squar` is").contains("did you mean `square`?"));
    assert!(error("k").failed("", "error[type]: `k` is not defined as a procedure").contains(":1:37"));
    error("g").failed("", "error[type]: `g` is not defined as a procedure");
    assert!(error("sin").failed("", "error[type]: `sin` is a primitive").contains("(j* sin)"));
    error("").failed("", "error[unbound]: `` is");
    answer(&["show", "reverse", "-e", "(f", "--function", "f"]).failed("", "error[read]:");
    answer(&["show", "reverse", "-e", "(define (f x) y)", "--function", "f"]).failed("", "error[unbound]: `y`");
    let text = answer(&["show", "forward", "-e", "", "--function", "map"]).succeeded();
    assert!(text.contains("(define (map> arg>)"), "{text}");
}

#[test]
fn the_option_belongs_to_its_stages() {
    for arguments in [&["show", "forward", "-e", "1"][..], &["show", "core", "-e", "1", "--function", "f"]] {
        let answer = answer(arguments);
        assert_eq!((answer.code, answer.output.as_str()), (Some(2), ""), "{}", answer.errors);
        assert!(answer.errors.contains("--function"), "{}", answer.errors);
    }
}

#[rstest]
#[case::calls("(sin ", "x", ")")]
#[case::branches("(if (< x 1) x ", "x", ")")]
#[case::lambdas("(lambda (y) ", "x", ")")]
#[case::lets("(let ((x (+ x 1))) ", "x", ")")]
#[case::letrecs("(letrec ((g (lambda (y) x))) (g ", "x", "))")]
#[case::pairs("(cons x ", "x", ")")]
#[case::vectors("(vector x ", "x", ")")]
#[case::literals("(get #(#(1) 2) ", "x", ")")]
#[case::operators("(j* (lambda (y) ", "x", ") x 1)")]
fn depth_costs_no_stack(#[case] before: &str, #[case] inside: &str, #[case] after: &str) {
    let depth = 40_000;
    let program = format!("(define (f x) {}{inside}{})", before.repeat(depth), after.repeat(depth));
    for mode in ["forward", "reverse"] {
        let text = answer_to(&["show", mode, "-", "--function", "f"], program.as_bytes()).succeeded();
        assert!(text.len() > depth, "{mode}");
    }
}
