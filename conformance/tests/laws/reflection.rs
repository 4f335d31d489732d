//! Laws of the reflective basis: its results are, to the bit, those of the operators; tags and bundles can be removed
//! again.

use crate::runs::{RunBehaviour, loaded, see};
use crate::{check, check_all};
use vlad_conformance::fast_build::{fast_build_settings, observe_text_with};
use vlad_conformance::observe::RunConditions;
use vlad_conformance::operations::{Domain, domains};
use vlad_conformance::random::program::generate;
use vlad_conformance::random::trees::tree::{Item, Node};
use vlad_conformance::random::trees::types::Type;
use vlad_conformance::random::{Case, GeneratorOptions, Source};
use vlad_derivatives::numbers::Numbers;
use vlad_engines::Engine;
use vlad_shared::ad::checkpointing::Strategy;
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::Form;
use vlad_shared::table::number::Notation;
use vlad_shared::table::primitives::{PRIMITIVES, PrimitiveRow};

/// The operators, written with the basis in the styles of the two published families of programs.
const STYLES: [&str; 2] = [
    "(define (forward f x dx)
       (let ((y ((j* f) (bundle x dx)))) (cons (primal y) (tangent y))))
     (define (backward f x dy)
       (let (((cons y back) ((*j f) (*j x)))) (cons (*j-inverse y) (cdr (back dy)))))",
    "(define (forward f x dx)
       (let ((y ((j* f) (bundle x (perturb dx))))) (cons (primal y) (unperturb (tangent y)))))
     (define (backward f x dy)
       (let (((cons y back) ((*j f) (*j x)))) (cons (*j-inverse y) (cdr (unsensitize (back (sensitize dy)))))))",
];

/// The case with the operators replaced by procedures; none if it has no operators, or if it counts steps.
fn rewritten(case: &Case) -> Option<Case> {
    let tree = case.tree()?;
    let count = |name: &str| tree.items.iter().map(|item| item.node().count(name)).sum::<usize>();
    let counts_steps = count("primops") + count("interrupt") > 0;
    // A mutated program may have lost operands; with one operand left the names mean the transformations.
    let transforms = tree.items.iter().any(|item| item.node().transforms());
    if !case.limit.is_ample() || counts_steps || transforms || count("j*") + count("*j") == 0 {
        return None;
    }
    let mut tree = tree.clone();
    for (operator, procedure) in [("j*", "forward"), ("*j", "backward")] {
        let procedure = Node::name(procedure, Type::procedure([], Type::Real));
        tree.items.iter_mut().map(Item::node_mut).for_each(|node| node.substitute(operator, &procedure));
    }
    Some(Case { source: Source::Tree(tree), ..case.clone() })
}

/// A line with printed operators renamed to the procedures of this test.
fn named(line: &str) -> String {
    line.replace("#<procedure j*>", "#<procedure forward>").replace("#<procedure *j>", "#<procedure backward>")
}

fn limits() -> Limits {
    Limits { steps: Some(60_000), strategy: Strategy::default(), ..Limits::default() }
}

/// Checks that random programs give the same output to the bit, and the same errors, with the operators and in both
/// styles.
fn check_programs(first_seed: u64, count: usize) {
    let cases: Vec<(Case, Case)> = (first_seed..)
        .map(|seed| generate(seed, GeneratorOptions::default()))
        .filter_map(|case| rewritten(&case).map(|other| (case, other)))
        .take(count)
        .collect();
    let texts = cases.iter().flat_map(|(case, other)| {
        let styles = STYLES.map(|style| format!("{style}\n{}", other.text()));
        [case.text()].into_iter().chain(styles).map(|text| (text, case.input_text()))
    });
    let texts: Vec<(String, String)> = texts.collect();
    let programs: Vec<_> = texts.iter().map(|(text, input)| (loaded(text), input.as_str())).collect();
    let programs: Vec<_> = programs.iter().map(|(program, input)| (program, *input)).collect();
    let mut compared = 0;
    for engine in Engine::ALL {
        let seen = see(engine, &programs, &[limits()]).remove(0);
        for (seen, texts) in seen.chunks(1 + STYLES.len()).zip(texts.chunks(1 + STYLES.len())) {
            if seen.iter().any(|seen| seen.error == Some(Kind::Steps)) {
                continue;
            }
            compared += 1;
            for (other, (text, _)) in seen.iter().zip(texts).skip(1) {
                // A type error of a primitive corresponds to a failed match of a procedure's parameters.
                let kind = |kind| if kind == Kind::Pattern { Kind::Type } else { kind };
                let look = |seen: &RunBehaviour| {
                    (seen.output.iter().map(|line| named(line)).collect::<Vec<_>>(), seen.error.map(kind))
                };
                assert_eq!(look(other), look(&seen[0]), "{engine}, in:\n{text}\nfor:\n{}", texts[0].0);
            }
        }
    }
    assert!(compared > count, "{compared} of {count} programs end");
}

#[test]
fn programs_in_the_reflective_style_give_the_same_bits() {
    check_programs(1, 30);
}

#[test]
#[ignore = "takes minutes"]
fn many_programs_in_the_reflective_style_give_the_same_bits() {
    for round in 0..40 {
        check_programs(1_000_000 * (round + 1), 80);
    }
}

/// Random values of one shape with different reals: data, procedures that capture data, and results of the basis.
struct Values {
    numbers: Numbers,
}

impl Values {
    /// A random shape: text with `_` in place of each real.
    fn shape(&mut self, depth: usize) -> String {
        let below = if depth == 0 { 4 } else { 18 };
        let part = |values: &mut Values| values.shape(depth - 1);
        match self.numbers.below(below) {
            0 => "'()".to_owned(),
            1 => "#t".to_owned(),
            2 => "car".to_owned(),
            3 => "_".to_owned(),
            4..7 => format!("(cons {} {})", part(self), part(self)),
            7 => format!("(close {})", part(self)),
            8 => format!("(close-both {} {})", part(self), part(self)),
            9 => format!("(perturb {})", part(self)),
            10 => format!("(sensitize {})", part(self)),
            11 => format!("(*j {})", part(self)),
            12 => format!("(marked {})", part(self)),
            13 => format!("(way-back {} {})", part(self), part(self)),
            14 => format!("(suspended {})", part(self)),
            15 => format!("(vector {} {})", part(self), part(self)),
            // Reals alone, which are stored unboxed.
            16 => format!("(vector{})", " _".repeat(self.numbers.below(4))),
            _ => format!("(j* {})", part(self)),
        }
    }

    /// A value of a shape, with reals whose sums are rounded.
    fn fill(&mut self, shape: &str) -> String {
        let parts: Vec<&str> = shape.split('_').collect();
        let (last, others) = parts.split_last().unwrap();
        let real = |values: &mut Values| match values.numbers.below(8) {
            0 => "-0.".to_owned(),
            _ => format!("{}", values.numbers.whole() * 1.1 + 1e-9),
        };
        others.iter().map(|part| format!("{part}{}", real(self))).collect::<String>() + last
    }

    /// A value of a random shape.
    fn value(&mut self) -> String {
        let shape = self.shape(4);
        self.fill(&shape)
    }
}

const DEFINITIONS: &str = "
    (define (close a) (lambda (x) (cons a x)))
    (define (close-both a b) (letrec ((f (lambda (x) (if (null? x) a (g x)))) (g (lambda (x) (f (cons b x))))) g))
    (define (marked a) (bundle a (perturb a)))
    (define (way-back a b) (cdr ((*j (close a)) (*j b))))
    (define (suspended a) (interrupt (lambda (x) (cons x a)) 1 2))";

/// Checks pairs of expressions: both print the same with their bits, and their values are equal.
fn check_pairs(definitions: &str, pairs: &[(String, String)]) {
    let lines = pairs.iter().map(|(a, b)| format!("{a}\n{b}\n(equal? {a} {b})\n")).collect::<String>();
    let program = format!("{definitions}\n{lines}");
    for engine in Engine::ALL {
        let setting = RunConditions {
            notation: Notation::WithBits,
            compilation: fast_build_settings(),
            ..RunConditions::default()
        };
        let observation = observe_text_with(engine, &program, &setting);
        assert!(observation.diagnostics.is_empty(), "{engine}:\n{}", observation.rendered());
        assert_eq!(observation.output.len(), 3 * pairs.len(), "{engine} prints three lines for each pair");
        for (printed, (a, b)) in observation.output.chunks(3).zip(pairs) {
            assert_eq!(printed[0], printed[1], "{engine}: {a} and {b}");
            assert_eq!(printed[2], "#t", "{engine}: {a} and {b}");
        }
    }
}

#[test]
fn what_is_put_on_comes_off() {
    let mut values = Values { numbers: Numbers::new(31) };
    let mut pairs = Vec::new();
    for _ in 0..20 {
        let shape = values.shape(4);
        let (v, w) = (values.fill(&shape), values.fill(&shape));
        let bundled = format!("(bundle {v} {w})");
        pairs.extend([
            (format!("(primal {bundled})"), v.clone()),
            (format!("(tangent {bundled})"), w.clone()),
            (format!("(tangent (bundle {v} (perturb {w})))"), format!("(perturb {w})")),
            (format!("(unperturb (tangent (bundle {v} (perturb {w}))))"), w.clone()),
            (format!("(primal (j* {v}))"), v.clone()),
            (format!("(tangent (j* {v}))"), format!("(zero {v})")),
            (format!("(j* {v})"), format!("(bundle {v} (zero {v}))")),
            (format!("(*j-inverse (*j {v}))"), v.clone()),
            (format!("(unperturb (perturb {v}))"), v.clone()),
            (format!("(unsensitize (sensitize {v}))"), v.clone()),
            (format!("(plus {v} {w})"), format!("(plus {w} {v})")),
            // A sum with zero turns -0 into +0, and changes nothing else.
            (format!("(plus {v} (zero {v}))"), format!("(plus (zero {v}) {v})")),
            (format!("(plus (plus {v} (zero {v})) (zero {v}))"), format!("(plus {v} (zero {v}))")),
            (format!("(zero {bundled})"), format!("(bundle (zero {v}) (zero {w}))")),
            (format!("(plus {bundled} (bundle {w} {v}))"), format!("(bundle (plus {v} {w}) (plus {w} {v}))")),
            // A rearrangement commutes with bundling, for any data.
            (
                format!("((j* (lambda ((cons a b)) (cons b (cons a b)))) (bundle (cons (j* {v}) 1) (cons (j* (zero {v})) 2)))"),
                format!("(bundle (cons* 1 (j* {v}) 1) (cons* 2 (j* (zero {v})) 2))"),
            ),
        ]);
    }
    check_pairs(DEFINITIONS, &pairs);
    let unchanged: Vec<_> = (0..20)
        .map(|_| values.value())
        .flat_map(|v| [format!("(equal? (plus {v} (zero {v})) {v})"), format!("(equal? (plus (zero {v}) {v}) {v})")])
        .map(|law| (law, "#t".to_owned()))
        .collect();
    check_all(DEFINITIONS, &unchanged);
}

/// Tests that closures over equal data, made twice or by different but equal code, have equal transformations.
#[test]
fn transformations_of_equal_closures_are_equal() {
    let mut values = Values { numbers: Numbers::new(37) };
    let definitions = format!("{DEFINITIONS}\n(define (again b) (lambda (y) (cons b y)))");
    let mut pairs = Vec::new();
    for _ in 0..20 {
        let v = values.value();
        let (one, other) = (format!("(close {v})"), format!("(again {v})"));
        for made in ["(j* _)", "(*j _)", "(perturb _)", "(sensitize _)", "(j* (*j _))", "(cdr ((*j _) (*j 1)))"] {
            pairs.push((made.replace('_', &one), made.replace('_', &other)));
        }
        let call = |f: &str| format!("((j* {f}) (bundle 2 1))");
        pairs.push((call(&one), call(&other)));
    }
    check_pairs(&definitions, &pairs);
}

/// Tests that equal closures have equal transformations, and that these behave the same.
#[test]
fn transformed_closures_of_equal_closures_are_equal() {
    check(
        "(define (scale a) (lambda (x) (* a x)))
         (define (other b) (lambda (y) (* b y)))
         (equal? (j* (scale 2)) (j* (scale 2)))
         (equal? (j* (scale 2)) (j* (other 2)))
         (equal? (j* (scale 2)) (j* (scale 3)))
         (equal? (j* (scale 2)) (bundle (scale 2) (scale 0)))
         (equal? (j* (scale 2)) (bundle (scale 2) (scale 1)))
         (equal? (*j (scale 2)) (*j (other 2)))
         (equal? (*j (scale 2)) (scale 2))
         (equal? (j* (j* (scale 2))) (j* (bundle (scale 2) (scale 0))))
         (equal? (cdr ((*j (scale 2)) (*j 3))) (cdr ((*j (other 2)) (*j 3))))
         (equal? (cdr ((*j (scale 2)) (*j 3))) (cdr ((*j (other 2)) (*j 4))))
         (equal? (perturb (scale 2)) (sensitize (scale 2)))
         (tangent (plus (bundle 1 2) (bundle 3 (perturb 4))))
         (tangent (plus (bundle 3 (perturb 4)) (bundle 1 2)))
         (tangent (plus (j* 1) (bundle 3 (perturb 4))))",
        &[
            "#t",
            "#t",
            "#f",
            "#t",
            "#f",
            "#t",
            "#f",
            "#t",
            "#t",
            "#f",
            "#f",
            "(perturbation 6)",
            "(perturbation 6)",
            "(perturbation 4)",
        ],
    );
}

/// Tests checkpoints in reflective code: saved states contain bundles and backpropagators, on both sides of a split.
#[test]
fn reflective_code_is_divided() {
    let definitions = "
        (define (wave n x) (if (= n 0) (sin x) (wave (- n 1) (* 1.1 (cos x)))))
        (define (both x)
          (let* (((cons y back) ((*j (lambda (x) (wave 5 x))) (*j x))) (b ((j* (lambda (x) (wave 4 (* x x)))) (bundle x 1))))
            (+ (* (*j-inverse y) (cdr (back x))) (* (tangent b) (wave 3 (cdr (back (primal b))))))))";
    let mut expectations = Vec::new();
    for division in ["#f 1", "#f 3", "#f 20", "1 #f", "2 #f 1", "#f 2 2", "1 #f 9"] {
        for differentiated in
            ["both", "(lambda (x) (cdr (*j both x 1)))", "(lambda (x) (tangent ((j* both) (bundle x 1))))"]
        {
            let whole = format!("(*j {differentiated} 0.7 1)");
            let divided = format!("(checkpoint-*j {differentiated} 0.7 1 {division})");
            expectations.push((format!("(equal? {whole} {divided})"), "#t".to_owned()));
        }
    }
    check_all(definitions, &expectations);
}

/// An argument of a primitive, a tangent of it, and a cotangent of the value.
fn sample(row: &PrimitiveRow) -> [&'static str; 3] {
    match row.form {
        Form::Unary(operation) => match domains(operation) {
            [Domain::AboveOne] => return ["1.375", "3", "7"],
            _ => return ["0.375", "3", "7"],
        },
        // Nothing is propagated to an operand by which the operation has no derivative.
        Form::Binary(operation) if !operation.varies_with(0) => return ["(cons 1 2.5)", "(cons 0 3)", "0"],
        Form::Binary(_) | Form::Fold { .. } | Form::UnaryOrBinary(..) => {
            return ["(cons 2.5 0.75)", "(cons 3 -2)", "7"];
        }
        _ => {}
    }
    match row.name {
        "real" => ["0.375", "3", "7"],
        "=" | "<" | "<=" => ["(cons 2.5 0.75)", "(cons 3 -2)", "#f"],
        ">" | ">=" => ["(cons 2.5 0.75)", "(cons 3 -2)", "#t"],
        "zero?" | "negative?" => ["0.375", "3", "#f"],
        "positive?" | "real?" => ["0.375", "3", "#t"],
        "null?" | "boolean?" | "pair?" | "procedure?" | "not" | "capsule?" | "perturbation?" | "forward?"
        | "sensitivity?" | "reverse?" => ["0.375", "3", "#f"],
        "car" => ["(cons 2.5 0.75)", "(cons 3 -2)", "7"],
        "cdr" => ["(cons 2.5 (list 0.75))", "(cons 3 (list -2))", "(list 7)"],
        "cons" => ["(cons 2.5 0.75)", "(cons 3 -2)", "(cons 7 8)"],
        "equal?" => ["(cons 2.5 0.75)", "(cons 3 -2)", "#f"],
        "zero" => ["(list 2.5 0.75)", "(list 3 -2)", "(list 7 8)"],
        "plus" => ["(cons (list 2.5 0.75) (list 1 2))", "(cons (list 3 -2) (list 1 1))", "(list 7 8)"],
        "read-real" => ["'()", "'()", "7"],
        "write-real" | "write" => ["0.375", "3", "7"],
        "write-row" => ["(list 0.375 #f)", "(list 3 #f)", "(list 7 #f)"],
        "if-procedure" => ["(cons* #t (scale 2) (scale 3))", "(cons* #t (scale 5) (scale 7))", "11"],
        "j*" => ["(cons* square 3 5)", "(cons* square 1 2)", "(cons 7 8)"],
        "*j" | "checkpoint-*j" => ["(cons* square 3 5)", "(cons* square 1 2)", "(cons 7 8)"],
        "checkpoint-*j-bisection" => ["(cons* square 3 5 #f 1)", "(cons* square 1 2 #f 1)", "(cons 7 8)"],
        "checkpoint-*j-binomial" => ["(cons* square 3 5 2 #f 1)", "(cons* square 1 2 1 #f 1)", "(cons 7 8)"],
        "primops" => ["(cons square 3)", "(cons square 1)", "7"],
        "interrupt" => ["(cons* square 3 2)", "(cons* square 1 5)", "(interrupt square 4 2)"],
        "resume" => ["(interrupt square 3 2)", "(interrupt square 1 2)", "7"],
        "j*-transform" => ["(list 2.5)", "(list 3)", "(bundle (list 7) (list 8))"],
        "*j-transform" => ["(list 2.5)", "(list 3)", "(*j (list 7))"],
        "bundle" => ["(cons 2.5 0.75)", "(cons 3 -2)", "(bundle 7 8)"],
        "primal" | "tangent" => ["(bundle 2.5 0.75)", "(bundle 3 -2)", "7"],
        "perturb" => ["(list 2.5)", "(list 3)", "(perturb (list 7))"],
        "unperturb" => ["(perturb (list 2.5))", "(perturb (list 3))", "(list 7)"],
        "sensitize" => ["(list 2.5)", "(list 3)", "(sensitize (list 7))"],
        "unsensitize" => ["(sensitize (list 2.5))", "(sensitize (list 3))", "(list 7)"],
        "vector?" => ["0.375", "3", "#f"],
        "vector-length" => ["(vector 2.5 0.75)", "(vector 3 -2)", "7"],
        "get" => ["(cons (vector 2.5 0.75) 1)", "(cons (vector 3 -2) 8)", "7"],
        "vector-set" => ["(cons* (vector 2.5 0.75) 1 4)", "(cons* (vector 3 -2) 8 9)", "(vector 7 8)"],
        "vector-push" => ["(cons (vector 2.5) 0.75)", "(cons (vector 3) -2)", "(vector 7 8)"],
        "vector->list" => ["(vector 2.5 0.75)", "(vector 3 -2)", "(list 7 8)"],
        "list->vector" => ["(list 2.5 0.75)", "(list 3 -2)", "(vector 7 8)"],
        "build-size" | "ifold-size" => ["3", "5", "7"],
        "of-length" => ["(cons (vector 2.5 0.75) 2)", "(cons (vector 3 -2) 8)", "(vector 7 8)"],
        "end-of-input?" => ["'()", "'()", "#f"],
        "write-text" => ["(cons (list #(120 32) #t) 2.5)", "(cons (list #(0 0) #t) 3)", "7"],
        "*j-inverse" => ["(*j (list 2.5))", "(*j (list 3))", "(list 7)"],
        other => panic!("`{other}` has no sample here"),
    }
}

/// Tests that the two transformations of every row give the results of the operators, and those of the transformation
/// transformed.
#[test]
fn every_primitive_is_transformed() {
    let mut program = "(define (square x) (* x x)) (define (scale a) (lambda () (* a a)))\n".to_owned();
    // The primitives that always fail have no values to compare.
    let rows = PRIMITIVES.iter().filter(|row| !matches!(row.form, Form::Error | Form::ErrorText));
    let rows: Vec<_> = rows.collect();
    for row in &rows {
        let (name, [x, tangent, cotangent]) = (row.name, sample(row));
        let lines = format!(
            "(let* ((x {x}) (dx {tangent}) (y ((j* {name}) (bundle x dx))) ((cons z dz) (j* {name} x dx)))
               (list (equal? y (bundle z dz)) (equal? (primal y) z) (equal? (tangent y) dz)))
             (let* ((x {x}) ((cons y back) ((*j {name}) (*j x))) ((cons z dx) (*j {name} x {cotangent})))
               (list (equal? y (*j z)) (equal? (back {cotangent}) (cons {name} dx)) (reverse? y)))
             (let* ((x {x}) (dx {tangent}) (b (bundle x dx)) (y ((j* (j* {name})) (bundle b (zero b)))))
               (list (equal? (primal y) ((j* {name}) b)) (equal? (tangent y) (zero (primal y))) #t))\n"
        );
        // As operands, `j*` and the others are values: the operators, or by their own names the transformations.
        program.push_str(&lines);
    }
    for engine in Engine::ALL {
        // The numbers of the input are equal, since each must be the same in every evaluation.
        let setting =
            RunConditions { input: "5 ".repeat(20), compilation: fast_build_settings(), ..RunConditions::default() };
        let observation = observe_text_with(engine, &program, &setting);
        assert!(observation.diagnostics.is_empty(), "{engine}:\n{}", observation.rendered());
        let written = |line: &&String| line.starts_with('(');
        let lines: Vec<&String> = observation.output.iter().filter(written).collect();
        assert_eq!(lines.len(), 3 * rows.len(), "{engine}");
        for (number, line) in lines.into_iter().enumerate() {
            assert_eq!(line, "(#t #t #t)", "{engine}: `{}`, line {}", rows[number / 3].name, number % 3);
        }
    }
}
