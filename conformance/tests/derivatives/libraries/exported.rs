//! The definitions of the libraries as exports: each with the shapes of an operand and of its value there.

use super::row::Row;
use super::rows;
use rstest::rstest;
use std::iter::Peekable;
use std::path::Path;
use vlad_compiler::Passes;
use vlad_compiler::export::mathematics::Mathematics;
use vlad_compiler::export::{Arithmetic, ExportSet, Request};
use vlad_conformance::fast_build::observe_text;
use vlad_engines::Engine;
use vlad_shared::frontend::load::{Input, Options, load_with};
use vlad_shared::frontend::vlad::appendix::{Appendix, GivenExpression, Made, Part};
use vlad_shared::frontend::vlad::libraries::{LIBRARIES, defined_names};
use vlad_shared::language::Usage;

/// A definition, a procedure that calls it, and an operand.
type Applied = (&'static str, &'static str, &'static str);

/// Calls of the procedures whose derivatives are not checked.
const WITHOUT_DERIVATIVES: &[(&str, &[Applied])] = &[
    (
        "linear-algebra",
        &[
            ("vector-power-of-two", "vector-power-of-two", "u"),
            ("matrix-row-powers", "matrix-row-powers", "m"),
            ("real-constant", "real-constant", "0.75"),
            ("vector-sign", "vector-sign", "v"),
            ("jacobi-tangent", "jacobi-tangent", "(cons* 0.5 0.25 1 2)"),
            ("matrix-rotate", "matrix-rotate", "(cons* m 1 u)"),
            ("jacobi-step", "jacobi-step", "(cons* positive (matrix-eye 3) 1)"),
            ("matrix-jacobi", "matrix-jacobi", "positive"),
            ("matrix-off-diagonal", "matrix-off-diagonal", "positive"),
            ("jacobi-one-sided-step", "jacobi-one-sided-step", "(cons* m (matrix-eye 3) 1)"),
            ("matrix-jacobi-one-sided", "matrix-jacobi-one-sided", "m"),
            ("vector-order", "vector-order", "u"),
            ("vector-differ", "(lambda (v i j) ((vector-differ v) i j))", "(cons* u 0 1)"),
            ("vector-range", "vector-range", "4"),
            ("vector-hot", "vector-hot", "(cons 4 2)"),
            ("matrix-zeros", "matrix-zeros", "(cons 2 3)"),
            ("matrix-ones", "matrix-ones", "(cons 2 3)"),
            ("matrix-eye", "matrix-eye", "3"),
            ("matrix-hot", "matrix-hot", "(cons* 2 3 1 2)"),
            ("vector-argmax", "vector-argmax", "u"),
            ("vector-argmin", "vector-argmin", "u"),
            ("matrix-pivot-row", "matrix-pivot-row", "m"),
            ("matrix-rows", "matrix-rows", "b"),
            ("matrix-columns", "matrix-columns", "b"),
            ("vector-every", "(lambda (a v) (vector-every (lambda (x) (< x a)) v))", "(cons 2 u)"),
            ("vector-any", "(lambda (a v) (vector-any (lambda (x) (< x a)) v))", "(cons 2 u)"),
        ],
    ),
    (
        "derivatives",
        &[
            ("tree-transpose", "(lambda (m) (tree-transpose (list m m) (list 1 2) (list 3 4)))", "(list 1.5 2.5)"),
            ("jacobian", "(lambda (a v) (jacobian (lambda (v) (vector (* a (get v 1)) a)) v))", "(cons 0.75 #(1 2))"),
            (
                "jacobian-forward",
                "(lambda (a v) (jacobian-forward (lambda (v) (vector (* a (get v 1)) a)) v))",
                "(cons 0.75 #(1 2))",
            ),
            ("hessian", "(lambda (a v) (hessian (lambda (v) (* a (* (get v 0) (get v 1)))) v))", "(cons 0.75 #(1 2))"),
            ("tree-counterpart?", "tree-counterpart?", "(cons #t #f)"),
            ("tree-size", "tree-size", "(list 1 #(2 3))"),
        ],
    ),
    (
        "optimize",
        &[
            (
                "minimize-within-report",
                "(lambda (a v low high) (minimize-within-report (lambda (v) (vector-norm-squared (vector-scale a v))) v low high 0 9))",
                "(cons* 0.75 #(1 2) #(0 1) #(2 3))",
            ),
            ("tree-finite?", "tree-finite?", "(list 1 #(2 3))"),
            ("is-falling", "is-falling", "(cons* #(1 2) 5 0.5)"),
        ],
    ),
    (
        "ode",
        &[
            ("ode-finite?", "ode-finite?", "0.5"),
            ("ode-same-shape?", "ode-same-shape?", "(cons (list 1 #(2)) (list 2 #(3)))"),
            ("ode-list-of?", "(lambda (l) (ode-list-of? ode-finite? l))", "(list 1 2)"),
            ("ode-ordered?", "ode-ordered?", "(cons* #(1 2 3) 0 3)"),
        ],
    ),
    (
        "lists",
        &[
            ("list-length", "list-length", "(list 1 2 3)"),
            ("count", "(lambda (a l) (count (lambda (x) (< x a)) l))", "(list 2 1 2 3)"),
            ("list-index", "(lambda (a l) (list-index (lambda (x) (< x a)) l))", "(list 5 1 2 3)"),
            ("nan-element?", "nan-element?", "0.5"),
        ],
    ),
    (
        "statistics",
        &[
            ("sample-size", "sample-size", "#(1 2 3)"),
            ("histogram", "histogram", "(cons* #(1 2 3) 0 4 2)"),
            ("histogram-counts", "histogram-counts", "(cons* #(1 2 3) 0 4 2)"),
            ("sample-moderate?", "sample-moderate?", "2"),
        ],
    ),
    (
        "random",
        &[
            ("random-state", "random-state", "5"),
            ("scrambled-state", "scrambled-state", "5"),
            ("scrambled", "scrambled", "(cons 5 7)"),
            ("modulo-exact", "modulo-exact", "(cons 75 7)"),
            ("product-modulo", "product-modulo", "(cons* 75 8 7)"),
            ("modulo-signed", "modulo-signed", "(cons -75 7)"),
            ("random-skip", "random-skip", "(cons (random-state 5) 10)"),
            ("random-skip-power", "random-skip-power", "(cons (random-state 5) 10)"),
            ("random-jump", "random-jump", "(random-state 5)"),
            ("matrix3-skip", "matrix3-skip", "(cons* (list (list 1 2 3) (list 4 5 6) (list 7 8 9)) (list 1 2 3) 2 11)"),
            ("matrix3-squared", "matrix3-squared", "(cons* (list (list 1 2 3) (list 4 5 6) (list 7 8 9)) 2 11)"),
            ("product3", "product3", "(cons* (list 1 2 3) (list 4 5 6) 11)"),
            (
                "matrix3-times-vector",
                "matrix3-times-vector",
                "(cons* (list (list 1 2 3) (list 4 5 6) (list 7 8 9)) (list 1 2 3) 11)",
            ),
            (
                "matrix3-product",
                "(lambda (a n) (matrix3-product a a n))",
                "(cons (list (list 1 2 3) (list 4 5 6) (list 7 8 9)) 11)",
            ),
            ("random-real", "random-real", "(random-state 5)"),
            ("random-next", "random-next", "(random-state 5)"),
            ("random-normal", "random-normal", "(random-state 5)"),
            ("random-next-normal", "random-next-normal", "(random-state 5)"),
            ("random-reals", "random-reals", "(cons 3 (random-state 5))"),
            ("random-normals", "random-normals", "(cons 3 (random-state 5))"),
            ("random-integer", "random-integer", "(cons 10 (random-state 5))"),
            ("of-random-state", "of-random-state", "(random-state 5)"),
            ("random-event", "random-event", "(cons 0.5 (random-state 5))"),
            ("random-whole?", "random-whole?", "(cons* 5 0 10)"),
            ("random-state?", "random-state?", "(random-state 5)"),
            ("random-triple?", "random-triple?", "(list 1 2 3)"),
        ],
    ),
    (
        "special",
        &[
            ("whole-from-0?", "whole-from-0?", "5"),
            ("factorial", "factorial", "5"),
            ("binomial", "binomial", "(cons 5 2)"),
            ("binomial-below-half", "binomial-below-half", "(cons 5 2)"),
        ],
    ),
];

/// The definitions that cannot be exported, with the reasons.
const EXCEPTIONS: &[(&str, &[&str], &str)] = &[
    ("linear-algebra", &["vector-zip"], "its value is a vector of pairs"),
    ("optimize", &["newton-search"], "its value is `#f`, or vectors"),
    (
        "optimize",
        &["lbfgs-direction", "lbfgs-product", "lbfgs-learn", "lbfgs-remember", "lbfgs-masked"],
        "its operand has a vector of pairs",
    ),
    ("ode", &["ode-path"], "its value is a list whose length the numbers decide"),
    ("ode", &["rosenbrock-step"], "its value has vectors of several shapes"),
    (
        "lists",
        &["sort", "take-while", "drop-while", "remove", "partition", "delete-duplicates", "range", "unfold", "member"],
        "its value is a list whose length the numbers decide",
    ),
    ("lists", &["find", "list-index"], "its value is a number, or `#f`"),
    ("statistics", &["sample->list"], "its value is a list as long as the sample"),
];

/// Constants, and procedures that raise an error.
const NO_CALLS: &[&str] = &[
    "tree-shapes-error",
    "ended-flat",
    "ended-still",
    "ended-limit",
    "ended-unbounded",
    "ended-undefined",
    "ended-rootless",
    "search-nowhere",
    "search-found",
    "search-unbounded",
    "lbfgs-nothing",
    "ode-stuck",
    "pi",
    "euler-gamma",
    "golden-ratio",
    "stirling-coefficients",
];

/// The calls of a library's definitions.
fn applied(library: &str) -> Vec<Applied> {
    let checked = rows(library).1.iter().filter_map(|row| match *row {
        Row::Checked { name, procedure, point, .. } => Some((name, procedure, point)),
        Row::Exempt { .. } => None,
    });
    let others =
        WITHOUT_DERIVATIVES.iter().filter(|(of, _)| *of == library).flat_map(|(_, applied)| applied.iter().copied());
    checked.chain(others).collect()
}

/// The type of an export that a printed value has; none for data that no type describes.
fn type_of(printed: &str) -> Option<String> {
    let spaced = printed.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let found = next_type(&mut words)?;
    words.next().is_none().then_some(found)
}

fn next_type<'text>(words: &mut Peekable<impl Iterator<Item = &'text str>>) -> Option<String> {
    match words.next()? {
        "#t" | "#f" => Some("boolean".to_owned()),
        "#" => Some(format!("array{}", dimensions(words)?)),
        "(" => {
            let mut types = Vec::new();
            while *words.peek()? != ")" {
                types.push(if words.next_if_eq(&".").is_some() { ".".to_owned() } else { next_type(words)? });
            }
            words.next();
            Some(format!("({})", types.join(" ")))
        }
        word => word.parse::<f64>().is_ok().then(|| "real".to_owned()),
    }
}

/// The number of dimensions of the vector whose elements follow.
fn dimensions<'text>(words: &mut Peekable<impl Iterator<Item = &'text str>>) -> Option<usize> {
    words.next_if_eq(&"(")?;
    let mut most = 1;
    loop {
        match words.next()? {
            ")" => return Some(most),
            "#" => most = most.max(1 + dimensions(words)?),
            word => drop(word.parse::<f64>().ok()?),
        }
    }
}

/// The exports of calls, with their names; none for those of data that no type describes.
fn requests(library: &str, applied: &[Applied]) -> Vec<Option<Request>> {
    let expressions = applied.iter().map(|(_, procedure, point)| format!("{point}\n({procedure} {point})\n"));
    let observation =
        observe_text(Engine::Hybrid, &format!("{}{}", beginning(library), expressions.collect::<String>()));
    assert!(observation.diagnostics.is_empty(), "{}", observation.rendered());
    let request = |(number, ((_, procedure, _), values)): (usize, (&Applied, &[String]))| {
        let [operand, result] = values else { panic!("each call has an operand and a value") };
        Request::parse(&format!("f{number}={procedure}:{}->{}", type_of(operand)?, type_of(result)?)).ok()
    };
    applied.iter().zip(observation.output.chunks(2)).enumerate().map(request).collect()
}

fn beginning(library: &str) -> String {
    format!("(include \"{library}\")\n{}\n", rows(library).0)
}

/// The refusals of exports: the name of each, and why.
fn refusals(library: &str, requests: &[Request]) -> Vec<(String, String)> {
    let (mut given, mut made): (Vec<GivenExpression>, Vec<Made>) = (Vec::new(), Vec::new());
    for request in requests {
        let first = given.len();
        let appended = request.appended().into_iter();
        given.extend(appended.map(|appended| GivenExpression {
            name: appended.name,
            text: appended.text,
            usage: Usage::Value,
        }));
        made.push((first..given.len()).map(Part::Given).collect());
    }
    let input = Input::Text { name: "program".to_owned(), bytes: beginning(library).into_bytes(), folder: None };
    let program = load_with(input, &Options::default(), &Appendix { given, made, shown: None }).unwrap();
    match ExportSet::new("library", &program, requests, Passes::ALL, Arithmetic::Strict, Mathematics::Vlad) {
        Ok(_) => Vec::new(),
        Err(refusals) => refusals.into_iter().map(|refusal| (refusal.export, refusal.message)).collect(),
    }
}

#[rstest]
fn libraries_are_exported(
    #[values("linear-algebra", "derivatives", "optimize", "ode", "lists", "statistics", "random", "special")]
    library: &str,
) {
    let applied = applied(library);
    let all = requests(library, &applied);
    let refusals = refusals(library, &all.iter().flatten().cloned().collect::<Vec<_>>());
    let excepted = |name: &str| EXCEPTIONS.iter().any(|(of, names, _)| *of == library && names.contains(&name));
    // A definition is exported if one of its calls is.
    let (mut refused, mut exported) = (Vec::new(), Vec::new());
    for ((name, procedure, point), request) in applied.iter().zip(&all) {
        let why = match request {
            None => Some("no type describes its operand or its value"),
            Some(Request { name, .. }) => {
                refusals.iter().find(|(export, _)| export == name).map(|(_, message)| message.as_str())
            }
        };
        match why {
            Some(why) => refused.push((*name, format!("{procedure} at {point}: {why}"))),
            None => exported.push(*name),
        }
    }
    refused.retain(|(name, _)| !exported.contains(name));
    let mut unexpected = refused.iter().filter(|(name, _)| !excepted(name)).map(|(_, text)| text.as_str());
    let exceptions = EXCEPTIONS.iter().filter(|(of, ..)| *of == library).flat_map(|(_, names, _)| *names);
    let needless: Vec<&&str> = exceptions.filter(|name| exported.contains(name)).collect();
    assert_eq!(unexpected.next(), None, "all are exported but for the exceptions");
    assert!(needless.is_empty(), "exported, so no exceptions: {needless:?}");
}

#[test]
fn the_report_tells_what_is_not_exported() {
    let part = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/report").join(name);
        std::fs::read_to_string(path).unwrap()
    };
    let (libraries, exports) = (part("07-prelude.md") + &part("18-vectors.md"), part("19-exports.md"));
    for name in EXCEPTIONS.iter().flat_map(|(_, names, _)| *names) {
        let is_documented = [format!("`({name} "), format!("`{name}`")].iter().any(|text| libraries.contains(text));
        assert_eq!(exports.contains(&format!("`{name}`")), is_documented, "`{name}` is no export");
    }
}

#[test]
fn every_procedure_of_every_library_is_called() {
    for library in &LIBRARIES {
        let applied = applied(library.name);
        for name in defined_names(library) {
            let is_called = applied.iter().any(|(called, ..)| *called == name);
            assert!(
                is_called || NO_CALLS.contains(&name),
                "`{name}` of `{}` has a call, or none is possible",
                library.name
            );
        }
    }
}
