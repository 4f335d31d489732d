//! `vlad gradcheck`: the table, the JSON object, and the questions that it refuses.

use crate::{answer, folder};

const PROGRAM: &str = "(define (f (list a b)) (* a (sin b)))\n(+ 1 2)\n";

fn check(function: &str, at: &str, more: &[&str]) -> crate::Answer {
    let file = folder("gradcheck", &[("f.vlad", PROGRAM)]).join("f.vlad");
    let arguments = [&["gradcheck", file.to_str().unwrap(), "--function", function, "--at", at], more].concat();
    answer(&arguments)
}

#[test]
fn derivatives_stand_in_a_table() {
    let output = check("f", "(list 2 0)", &[]).succeeded();
    let words: Vec<Vec<&str>> = output.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["at", "(2", "0):", "0"]);
    assert_eq!(words[1], ["of", "by", "forward", "reverse", "checkpointed", "differences", "error"]);
    assert_eq!(words[2], ["0", "0", "0", "0", "0", "0", "0.0e0"]);
    assert_eq!(words[3][..6], ["0", "1", "2", "2", "2", "2"]);
    assert!(output.contains("\n2 derivatives, worst relative error ") && output.ends_with(": all well\n"), "{output}");
}

/// Returns the line with the verdicts, and the exit code.
fn verdict(function: &str, at: &str, more: &[&str]) -> (String, Option<i32>) {
    let answer = check(function, at, more);
    assert_eq!(answer.errors, "");
    (answer.output.lines().last().unwrap_or_default().to_owned(), answer.code)
}

#[test]
fn all_is_well_if_all_was_compared_and_is_right() {
    let softplus = "(lambda (x) (log (+ 1 (exp x))))";
    let cancelling = "(lambda (x) (/ (- (exp x) 1) x))";
    let softmax =
        "(lambda ((list a b)) (let ((t (+ (exp a) (exp b)))) (list (/ (exp a) t) (/ (exp b) t) (max a 800) (* a b))))";
    for (function, at, expected, [code, strict]) in [
        (softplus, "8", ": all well", [0, 0]),
        (softplus, "800", "1 derivative, worst relative error 1.0e0: 1 WRONG", [1, 1]),
        (cancelling, "1e-9", ": 1 ill-conditioned", [0, 1]),
        ("abs", "0", "1 derivative: 1 not compared", [0, 1]),
        ("(lambda (x) (modulo x 5e-324))", "1e308", "1 derivative: 1 not compared", [0, 1]),
        // exp(800) is infinite, so its reciprocal and the derivatives of the quotients are 0, where 0.25 is right: an
        // error relative to a thousandth of the largest derivative, which is 800.
        (
            softmax,
            "(list 800 800)",
            "8 derivatives, worst relative error 3.1e-1: 4 WRONG, 1 not compared, 3 right",
            [1, 1],
        ),
        // The value is NaN; its derivative by the first input is 0, as if the value were 1.
        (
            "(lambda ((list a b)) (/ (exp a) (+ (exp a) (exp b))))",
            "(list 800 1)",
            "2 derivatives, worst relative error 0.0e0: 2 WRONG",
            [1, 1],
        ),
    ] {
        let (line, found) = verdict(function, at, &[]);
        assert!(line.ends_with(expected), "{line}");
        let (same, found_strict) = verdict(function, at, &["--strict"]);
        assert_eq!((same, [found, found_strict]), (line, [Some(code), Some(strict)]));
    }
    let table = check("abs", "0", &[]).succeeded();
    assert!(table.lines().nth(2).unwrap().ends_with("kink         not compared"), "{table}");
    let table = check(softplus, "800", &[]).output;
    assert!(table.lines().nth(2).unwrap().ends_with("1.0e0  WRONG, out of range"), "{table}");
}

#[test]
fn a_distance_is_enough() {
    // The derivative is 0.25 to 300 digits. e^800 is infinite, so that of the engine is -0.75.
    let function = "(lambda (x) (- (log (+ 1 (exp x))) (* 0.75 x)))";
    assert_eq!(check(function, "800", &[]).code, Some(1));
    assert_eq!(check(function, "800", &["--absolute-tolerance", "0.99"]).code, Some(1));
    let near = check(function, "800", &["--absolute-tolerance", "1.01"]);
    assert!(near.succeeded().ends_with("1 derivative, worst relative error 4.0e0: all well\n"));
}

#[test]
fn points_without_smoothness_have_the_verdicts_of_calculus() {
    let function = "(lambda (x) (list (let ((y (max x 0))) (* y y)) (* x (sqrt (abs x))) (expt (abs x) 1.5)
        (if (< x 0) -1 (if (> x 0) 1 0)) (if (= x 0) 0 (/ x (abs x))) (atan x 0) (abs x) (cbrt x)))";
    let (found, code) = object(function, "0", &["--strict"]);
    let shown = |entry: &serde_json::Value| format!("{} {}", entry["verdict"], entry["reason"]).replace('"', "");
    let entries: Vec<String> = found["entries"].as_array().unwrap().iter().map(shown).collect();
    let (right, kink) = ("right null", "not compared kink");
    assert_eq!(entries, [right, right, right, kink, kink, kink, kink, "not compared not finite"], "{found}");
    assert_eq!((code, &found["right"], &found["not_compared"]), (Some(1), &3.into(), &5.into()));
}

/// The argument of a sine has a million bits, of which none is behind the point.
#[test]
fn time_is_limited_whatever_the_operation() {
    let begun = std::time::Instant::now();
    for (function, at) in [
        ("(lambda (x) (sin (exp x)))", "1e6"),
        ("(lambda (x) (cos (exp x)))", "1e6"),
        ("(lambda (x) (tan (exp (exp x))))", "20"),
        ("(lambda (x) (* x (sin (exp (exp (exp x))))))", "3"),
    ] {
        let answer = check(function, at, &["--timeout", "2"]);
        let line = answer.output.lines().last().unwrap_or_default();
        assert!(line.ends_with("1 derivative: 1 not compared") && answer.output.contains("imprecise"), "{answer:?}");
    }
    assert!(begun.elapsed().as_secs() < 30);
    // A loop of heavy operations is ended, and not only after a thousand of them.
    let heavy = "(lambda (x) (letrec ((f (lambda (n y) (if (< n 1) y (f (- n 1) (+ y (* 1e-300 (polygamma 150 (+ x 1))))))))) (f 1e5 x)))";
    let answer = check(heavy, "1", &["--timeout", "2"]);
    assert_eq!(answer.code, Some(1));
    assert!(begun.elapsed().as_secs() < 60, "{answer:?}");
}

#[test]
fn the_worst_stand_in_the_table() {
    // Only the last of the 25 inputs has a kink.
    let function = "(lambda (v) (list (get v 0) (abs (get v 4))))";
    let table = check(function, "(build 13 (lambda (i) (- i 4)))", &[]).succeeded();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 24, "{table}");
    assert!(lines[2].contains("kink"), "{table}");
    assert_eq!(
        &lines[22..],
        ["and 6 that are no worse", "26 derivatives, worst relative error 0.0e0: 1 not compared, 25 right"]
    );
    let all = check(function, "(build 13 (lambda (i) (- i 4)))", &["--all"]).succeeded();
    assert_eq!(all.lines().count(), 29, "{all}");
}

fn object(function: &str, at: &str, more: &[&str]) -> (serde_json::Value, Option<i32>) {
    let answer = check(function, at, &[&["--json"], more].concat());
    (serde_json::from_str(&answer.output).unwrap(), answer.code)
}

#[test]
fn the_object_has_numbers_and_counts() {
    // No double is exact enough for a tolerance of 1e-30.
    let (exp, code) = object("exp", "1", &["--tolerance", "1e-30"]);
    assert_eq!((code, &exp["wrong"], &exp["right"]), (Some(1), &1.into(), &0.into()));
    assert_eq!((&exp["entries"][0]["verdict"], &exp["derivatives"]), (&"wrong".into(), &1.into()));
    assert_eq!(exp["entries"][0]["forward"], std::f64::consts::E);
    assert_eq!(exp["entries"][0]["difference"], std::f64::consts::E);
    assert!(exp["worst"].as_f64().is_some_and(|worst| 0.0 < worst && worst < 1e-15), "{exp}");
    let (kink, code) = object("abs", "0", &[]);
    let entry = &kink["entries"][0];
    assert_eq!((code, &kink["worst"], &kink["not_compared"]), (Some(0), &serde_json::Value::Null, &1.into()));
    assert_eq!((&entry["difference"], &entry["error"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert_eq!((&entry["verdict"], &entry["reason"]), (&"not compared".into(), &"kink".into()));
    let (softmax, code) = object("(lambda ((list a b)) (/ (exp a) (+ (exp a) (exp b))))", "(list 800 800)", &[]);
    let entry = &softmax["entries"][1];
    assert_eq!((code, &softmax["wrong"], &softmax["worst"]), (Some(1), &2.into(), &1.0.into()));
    assert_eq!((&entry["reverse"], &entry["error"]), (&0.0.into(), &1.0.into()));
    let (infinite, _) = object("(lambda (x) (* x (/ 1 0)))", "1", &[]);
    assert_eq!(infinite["entries"][0]["reverse"], "+inf.0");
    assert_eq!((&entry["verdict"], &entry["reason"]), (&"wrong".into(), &"out of range".into()));
    assert_eq!(entry["difference"], -0.25);
    let (cancelling, _) = object("(lambda (x) (/ (- (exp x) 1) x))", "1e-9", &[]);
    assert_eq!((&cancelling["ill_conditioned"], &cancelling["wrong"]), (&1.into(), &0.into()));
}

#[test]
fn options_are_one_expression_each() {
    let failed = |function: &str, at: &str| check(function, at, &[]).failed("", "error[");
    assert!(failed("f", "(list 2 0)) (write 2").contains(" --> --at:1:11\n"));
    assert!(failed("f) (write (f", "(list 2 0)").contains(" --> --function:1:2\n"));
    assert!(failed("f", "").contains("`--at` expects one expression, found nothing"));
    assert!(failed("f", "(list 2 0) (list 3 0)").contains("`--at` expects one expression, found more"));
    assert!(failed("f", "(include \"f.vlad\")").contains("`include` stands only at top level"));
    assert!(failed("f", "(list (car 5) 0)").contains(" --> --at:1:7\n"));
    let output = check("f ; the procedure", "(list 2 0) ; the point", &[]).succeeded();
    assert!(output.ends_with(": all well\n"), "{output}");
}

#[test]
fn memory_is_limited() {
    let answer = check("(lambda (x) (letrec ((f (lambda (l) (f (cons x l))))) (f 1)))", "1", &["--max-memory", "100M"]);
    assert!(answer.failed("", "error[memory]").contains("104857600 bytes"));
}

#[test]
fn what_has_no_answer_is_refused() {
    let refused = |function: &str, at: &str| check(function, at, &[]).failed("", "error[");
    assert!(refused("(lambda (x) (lambda () x))", "1").contains("nothing else"));
    assert!(refused("(lambda (x) (* x (primops sin x)))", "1").contains("no difference quotient follows `primops`"));
    assert!(refused("g", "1").contains("`g`"));
    assert!(refused("f", "(list 1 #t)").contains("expects reals"));
}

/// Runs the check against the numbers of a file.
fn against(function: &str, at: &str, numbers: &str, more: &[&str]) -> crate::Answer {
    let folder = folder("against", &[("f.vlad", PROGRAM), ("mine.json", numbers)]);
    let (file, mine) = (folder.join("f.vlad"), folder.join("mine.json"));
    let words = ["gradcheck", file.to_str().unwrap(), "--function", function, "--at", at];
    answer(&[&words[..], &["--against", mine.to_str().unwrap()], more].concat())
}

#[test]
fn the_numbers_of_another_tool_are_judged_one_by_one() {
    let right = against("f", "(list 2 0)", "[0, 2]", &[]).succeeded();
    let words: Vec<Vec<&str>> = right.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[1], ["number", "claimed", "vlad", "differences", "error"]);
    assert_eq!(words[3][..4], ["gradient[1]", "2", "2", "2"]);
    assert!(right.contains("\n2 numbers, worst relative error ") && right.ends_with(": all well\n"), "{right}");
    let wrong = against("f", "(list 2 0)", "{\"value\": 0, \"gradient\": [0, 2.5]}", &[]);
    assert_eq!((wrong.code, wrong.errors.as_str()), (Some(1), ""));
    assert!(wrong.output.ends_with("3 numbers, worst relative error 2.5e-1: 1 WRONG, 2 right\n"), "{}", wrong.output);
    for loose in [["--tolerance", "0.3"], ["--absolute-tolerance", "0.6"]] {
        assert_eq!(against("f", "(list 2 0)", "[0, 2.5]", &loose).code, Some(0), "{loose:?}");
    }
    // A claim that is wrong altogether is not excused by the rounding of a value near 1.
    for (function, at) in [("erf", "6"), ("tanh", "19"), ("(lambda (x) (/ 1 (+ 1 (exp (- x)))))", "40")] {
        let wrong = against(function, at, "0", &[]);
        assert_eq!(wrong.code, Some(1), "{wrong:?}");
        assert!(wrong.output.ends_with("1 number, worst relative error 1.0e0: 1 WRONG\n"), "{}", wrong.output);
    }
    // There is no derivative of the absolute value at 0.
    assert_eq!(against("abs", "0", "1", &[]).code, Some(0));
    assert_eq!(against("abs", "0", "1", &["--strict"]).code, Some(1));
    let object: serde_json::Value =
        serde_json::from_str(&against("f", "(list 2 0)", "[\"NaN\", 2]", &["--json"]).output).unwrap();
    let entry = &object["entries"][0];
    assert_eq!(
        (&entry["path"], &entry["claimed"], &entry["verdict"]),
        (&"[0]".into(), &"+nan.0".into(), &"wrong".into())
    );
    assert_eq!((&object["right"], &object["wrong"]), (&1.into(), &1.into()));
}

/// The output of `vlad derive` is what `--against` reads.
#[test]
fn derivatives_of_the_command_are_right() {
    for (function, at, more) in [
        ("f", "(list 2 0.3)", &["--hessian"][..]),
        ("f", "(list 2 0.3)", &[]),
        ("(lambda (v) (list (get v 0) (cons #t (exp (get v 1)))))", "#(1 2)", &[]),
    ] {
        let words = ["derive", "-e", PROGRAM, "--json", "--function", function, "--at", at];
        let derived = answer(&[&words, more].concat()).succeeded();
        let told = against(function, at, &derived, &["--strict"]).succeeded();
        assert!(told.ends_with(": all well\n"), "{told}");
    }
}

#[test]
fn numbers_in_another_shape_are_refused() {
    let failed = |numbers: &str, error: &str| against("f", "(list 2 0)", numbers, &[]).failed("", error);
    assert!(failed("[0]", "error[conformance]").contains("gradient[1] is missing"));
    assert!(failed("{\"grad\": [0, 2]}", "error[conformance]").contains("\"grad\""));
    assert!(failed("[0, 2", "error[read]: no JSON").contains("mine.json:1:"));
    let missing = check("f", "(list 2 0)", &["--against", "no-such.json"]).failed("", "error[file]");
    assert!(missing.contains("no-such.json cannot be read"));
    let negative = check("f", "(list 2 0)", &["--absolute-tolerance", "-1"]);
    assert_eq!(negative.code, Some(2), "{negative:?}");
}
