//! `vlad derive`: derivatives as numbers, in every language and from JSON, and the questions that it refuses.

use crate::{answer, answer_to, folder};
use serde_json::{Value, json};

const PROGRAM: &str = "(define (f (list a b)) (* a (sin b)))\n(define (g a b) (list (* a b) a))\n(write 7)\n";

fn derived(program: &str, more: &[&str]) -> Value {
    let output = answer(&[&["derive", "-e", program, "--json"], more].concat()).succeeded();
    serde_json::from_str(&output).unwrap()
}

#[test]
fn numbers_have_the_shape_of_the_point() {
    let at = |function, at, more: &[&str]| derived(PROGRAM, &[&["--function", function, "--at", at], more].concat());
    let gradient = at("f", "(list 2 0)", &[]);
    let expected = json!({
        "function": "f", "point": [2.0, 0.0], "value": 0.0, "quantity": "gradient", "mode": "reverse",
        "engine": "hybrid", "gradient": [0.0, 2.0],
    });
    assert_eq!(gradient, expected);
    let jacobian = at("g", "(cons 3 5)", &["--mode", "checkpoint"]);
    assert_eq!(jacobian["jacobian"], json!([[5.0, 3.0], [1.0, 0.0]]));
    let hessian = at("f", "(list 2 0)", &["--hessian", "--engine", "interp"]);
    assert_eq!(
        (&hessian["hessian"], &hessian["mode"]),
        (&json!([[0.0, 1.0], [1.0, -0.0]]), &json!("forward over reverse"))
    );
    let taylor = at("exp", "0", &["--taylor", "3"]);
    assert_eq!(taylor["taylor"], json!([1.0, 1.0, 0.5, 1.0 / 6.0]));
    let along = at("f", "(list 2 0)", &["--taylor", "2", "--along", "(list 0 1)"]);
    assert_eq!(along["taylor"], json!([0.0, 2.0, 0.0]));
    let text = answer(&["derive", "-e", PROGRAM, "--function", "f", "--at", "(list 2 0)"]).succeeded();
    assert_eq!(text, "at (2 0): 0\ngradient, reverse: (0 2)\n");
}

/// A third has no short decimal, and what is not finite is a text.
#[test]
fn numbers_read_back() {
    let cube_root = derived("(define (f x) (expt x (/ 1 3)))", &["--function", "f", "--at", "1"]);
    assert_eq!(cube_root["gradient"].as_f64(), Some(1.0 / 3.0));
    let root = derived("", &["--function", "sqrt", "--at", "0"]);
    assert_eq!(root["gradient"], "+inf.0");
}

#[test]
fn points_may_be_json() {
    let folder = folder(
        "points",
        &[
            ("f.vlad", "(define (f (list a v) m) (+ (* a (get v 1)) (get (get m 1) 0)))"),
            ("point.json", "[[3, [0.1, 0.30000000000000004]], [[1], [2]]]"),
            ("broken.json", "[1,\n 2,,]"),
            ("infinite.json", "\u{feff}[[NaN, [0.1, Infinity]], [[1], [-1e400]]]"),
            ("words.json", "[[3, [0.1, \"x\"]], 4]"),
        ],
    );
    let file = folder.join("f.vlad");
    let derive = |at: &str, more: &[&str]| {
        let at = folder.join(at);
        let words = ["derive", file.to_str().unwrap(), "--function", "f", "--at", at.to_str().unwrap()];
        answer(&[&words, more].concat())
    };
    let output = derive("point.json", &["--json"]).succeeded();
    let found: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(found["point"], json!([[3.0, [0.1, 0.30000000000000004]], [[1.0], [2.0]]]));
    assert_eq!(found["gradient"], json!([[0.30000000000000004, [0.0, 3.0]], [[0.0], [1.0]]]));
    assert!(derive("broken.json", &[]).failed("", "error[read]: no JSON").contains("broken.json:2:4"));
    let infinite: Value = serde_json::from_str(&derive("infinite.json", &["--json"]).succeeded()).unwrap();
    assert_eq!(infinite["point"], json!([["+nan.0", [0.1, "+inf.0"]], [[1.0], ["-inf.0"]]]));
    assert_eq!(infinite["gradient"], json!([["+inf.0", [0.0, "+nan.0"]], [[0.0], [1.0]]]));
    assert!(derive("words.json", &[]).failed("", "error[type]: `--at` at [0][1][1]").contains("a text"));
    assert!(derive("missing.json", &[]).failed("", "error[file]").contains("missing.json cannot be read"));
    let lists = derived("(define (f l) (* (car l) (car l)))", &["--function", "f", "--at", "(list 3)"]);
    assert_eq!(lists["gradient"], json!([6.0]));
}

#[test]
fn other_languages_have_derivatives_too() {
    let fortran = "      FUNCTION F(X)\n      F = X**3\n      END\n";
    let folder = folder("languages", &[("f.f", fortran), ("g.fs", "let f v = v[0] * v[1] * v[1]\n")]);
    let derive = |file: &str, more: &[&str]| {
        let file = folder.join(file);
        let words = ["derive", file.to_str().unwrap(), "--json", "--function", "f"];
        let output = answer(&[&words, more].concat()).succeeded();
        serde_json::from_str::<Value>(&output).unwrap()
    };
    assert_eq!(derive("f.f", &["--at", "2", "--hessian"])["hessian"], 12.0);
    assert_eq!(derive("g.fs", &["--at", "[| 3; 5 |]"])["gradient"], json!([25.0, 30.0]));
}

/// Types tell pairs from arrays, and a pair is an array of its parts, so numbers have the shape of the JSON that the point is.
#[test]
fn pairs_of_f_smooth_are_arrays() {
    let program = "let f p = fst p * exp (snd p)\n\
                   let g p = (fst p * fst (snd p), [| snd (snd p) |])\n\
                   let dots ps = ifold (fun s i -> s + fst ps[i] * snd ps[i]) 0 (length ps)\n\
                   let h a b c = a * b + c\n";
    let files = [
        ("p.fs", program),
        ("pair.json", "[2, 0]"),
        ("nested.json", "[2, [3, 4]]"),
        ("flat.json", "[2, 3, 4]"),
        ("pairs.json", "[[1, 2], [3, 4]]"),
        ("bad.json", "[2, [3]]"),
        ("claims.json", "{\"point\": [2, [3, 4]], \"jacobian\": [[3, [2, 0]], [[0, [0, 1]]]]}"),
    ];
    let folder = folder("pairs", &files);
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let derive = |function: &str, at: &str, more: &[&str]| {
        let (program, at) = (path("p.fs"), if at.ends_with("json") { path(at) } else { at.to_owned() });
        answer(&[&["derive", &program, "--json", "--function", function, "--at", &at], more].concat())
    };
    let derived = |function: &str, at: &str, more: &[&str]| -> Value {
        serde_json::from_str(&derive(function, at, more).succeeded()).unwrap()
    };
    for (at, more) in [("pair.json", &[][..]), ("pair.json", &["--rewrite", "off"]), ("(2, 0)", &[])] {
        let found = derived("f", at, more);
        assert_eq!((&found["point"], &found["gradient"]), (&json!([2.0, 0.0]), &json!([1.0, 2.0])), "{at} {more:?}");
    }
    let hessian = derived("fun p -> f p", "pair.json", &["--hessian"]);
    assert_eq!(hessian["hessian"], json!([[0.0, 1.0], [1.0, 2.0]]));
    for at in ["nested.json", "flat.json", "(2, (3, 4))"] {
        let found = derived("g", at, &[]);
        assert_eq!((&found["point"], &found["value"]), (&json!([2.0, [3.0, 4.0]]), &json!([6.0, [4.0]])), "{at}");
        assert_eq!(found["jacobian"], json!([[3.0, [2.0, 0.0]], [[0.0, [0.0, 1.0]]]]), "{at}");
        assert_eq!(derived("h", at, &[])["gradient"], json!([3.0, [2.0, 1.0]]), "{at}");
    }
    assert_eq!(derived("dots", "pairs.json", &[])["gradient"], json!([[2.0, 1.0], [4.0, 3.0]]));
    let taylor = derived("g", "nested.json", &["--taylor", "1", "--along", &path("nested.json")]);
    assert_eq!(taylor["taylor"], json!([[6.0, [4.0]], [12.0, [4.0]]]));
    let bad = derive("g", "bad.json", &[]);
    assert!(bad.errors.contains("[1]: an array of the parts of a pair is expected, found one of 1"), "{}", bad.errors);
    let check = ["gradcheck", &path("p.fs"), "--function", "g", "--at", &path("nested.json")];
    let text = answer(&[&check[..], &["--against", &path("claims.json"), "--all"]].concat()).succeeded();
    assert!(text.contains("jacobian[0][1][0]") && text.contains("jacobian[1][0][1][1]"), "{text}");
}

#[test]
fn programs_read_their_numbers_once() {
    let program = "(define a (read-real)) (define (f x) (* a x x))";
    let words = ["derive", "-e", program, "--function", "f", "--at", "(read-real)", "--hessian", "--json"];
    let found: Value = serde_json::from_str(&answer_to(&words, b"3 5").succeeded()).unwrap();
    assert_eq!((&found["point"], &found["hessian"]), (&json!(5.0), &json!(6.0)));
}

#[test]
fn what_has_no_derivative_is_refused() {
    let failed = |more: &[&str]| answer(&[&["derive", "-e", PROGRAM], more].concat());
    let refused = |more: &[&str]| failed(more).failed("", "error[limit]");
    assert!(refused(&["--function", "g", "--at", "(cons 1 2)", "--gradient"]).contains("--jacobian"));
    assert!(refused(&["--function", "f", "--at", "(list 1 2)", "--taylor", "2"]).contains("--along"));
    assert!(refused(&["--function", "(lambda (x) 1)", "--at", "'()"]).contains("no real in the point"));
    let error = failed(&["--function", "f", "--at", "(list 1 #t)"]).failed("", "error[type]");
    assert!(error.contains("`sin` expects reals"), "{error}");
    let error = failed(&["--function", "f", "--at", "(list (car 5) 0)"]).failed("", "error[type]");
    assert!(error.contains("--> --at:1:7"), "{error}");
    failed(&["--function", "(lambda (x) sin)", "--at", "1"]).failed("", "error[type]: operands and values");
    let endless = "(lambda (x) (letrec ((f (lambda (x) (f x)))) (f x)))";
    failed(&["--function", endless, "--at", "1", "--timeout", "0.2"]).failed("", "error[time]");
    for (words, complaint) in [
        (&["--function", "f", "--at", "1", "--gradient", "--hessian"][..], "cannot be used with"),
        (&["--function", "f", "--at", "1", "--taylor", "31"], "31"),
        (&["--function", "f", "--at", "1", "--along", "1"], "--taylor"),
        (&["--function", "f"], "--at"),
    ] {
        let refused = failed(words);
        assert_eq!(refused.code, Some(2), "{words:?}");
        assert!(refused.errors.contains(complaint), "{}", refused.errors);
    }
}
