//! `vlad trace`: the table, the JSON object and the picture of a call, and the steps of an evaluation.

use crate::{Answer, answer, answer_to, folder};
use roxmltree::Document;
use serde_json::Value;
use std::fs;

const PROGRAM: &str = "(define (f (list a b)) (* a (exp b)))\n(write 1)\n";

fn trace(function: &str, at: &str, more: &[&str]) -> Answer {
    answer(&[&["trace", "-e", PROGRAM, "--function", function, "--at", at], more].concat())
}

/// The words of a table.
fn words(table: &str) -> Vec<Vec<&str>> {
    table.lines().map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn reverse_mode_has_adjoints() {
    let table = trace("f", "(list 2 0)", &[]).succeeded();
    let words = words(&table);
    assert_eq!(words[0].join(" "), "at (2 0): 2, with the cotangent 1");
    assert_eq!(words[1], ["name", "operation", "value", "adjoint", "place"]);
    // f = a e^b: the adjoint of e^b is a = 2, that of a is e^b = 1, that of b is a e^b = 2.
    assert_eq!(words[2], ["x1", "2", "1"]);
    assert_eq!(words[3], ["x2", "0", "2"]);
    assert_eq!(words[4], ["v1", "exp", "x2", "1", "2", "<expression>:1:29"]);
    assert_eq!(words[5], ["v2", "*", "x1", "v1", "2", "1", "<expression>:1:24"]);
    assert_eq!(words[6].join(" "), "seeds: v2 gets 1");
    assert_eq!(words[7].join(" "), "2 operations; cotangent of the operand: (1 2)");
}

#[test]
fn forward_mode_has_tangents() {
    let table = trace("f", "(list 2 0)", &["--mode", "forward", "--direction", "(list 3 5)"]).succeeded();
    let words = words(&table);
    assert_eq!(words[2], ["x1", "2", "3"]);
    assert_eq!(words[3], ["x2", "0", "5"]);
    // e^b has the tangent 5 e^0 = 5, a e^b has 3 e^0 + 2 * 5 = 13.
    assert_eq!(words[4][..5], ["v1", "exp", "x2", "1", "5"]);
    assert_eq!(words[5][..6], ["v2", "*", "x1", "v1", "2", "13"]);
    assert!(table.ends_with("2 operations; tangent of the value: 13\n"), "{table}");
    // Without a direction it is along the first real.
    let table = trace("f", "(list 2 0)", &["--mode", "forward"]).succeeded();
    assert!(table.ends_with("tangent of the value: 1\n"), "{table}");
}

#[test]
fn checkpoints_tell_what_is_executed_again() {
    let function = "(lambda (x) (let loop ((i 0) (x x)) (if (= i 6) x (loop (+ i 1) (* 2 x)))))";
    let reverse = trace(function, "3", &["--json"]).succeeded();
    let checkpoint = trace(function, "3", &["--json", "--mode", "checkpoint", "--depth", "2"]).succeeded();
    let [reverse, checkpoint]: [Value; 2] = [reverse, checkpoint].map(|text| serde_json::from_str(&text).unwrap());
    let all = |object: &Value| object["operations"].as_array().unwrap().clone();
    assert_eq!((all(&reverse).len(), all(&checkpoint).len()), (6, 6));
    for (place, (one, other)) in all(&reverse).iter().zip(&all(&checkpoint)).enumerate() {
        // After the k-th doubling the value is 3 * 2^k, and the adjoint 2^(6 - k).
        let k = place as i32 + 1;
        assert_eq!(one["value"], 3.0 * 2.0_f64.powi(k));
        assert_eq!(one["adjoint"], 2.0_f64.powi(6 - k));
        assert_eq!((&one["value"], &one["adjoint"]), (&other["value"], &other["adjoint"]));
        assert_eq!((one["executions"].as_u64(), one["sweep"].as_u64()), (Some(1), Some(1)));
        // The first execution counts, and one records; between them states are restored.
        assert!(other["executions"].as_u64().unwrap() >= 2, "{other}");
    }
    // The intervals are swept from the last to the first.
    let sweeps: Vec<u64> = all(&checkpoint).iter().map(|each| each["sweep"].as_u64().unwrap()).collect();
    assert!(sweeps.is_sorted_by(|one, other| one >= other) && sweeps[0] > sweeps[5], "{sweeps:?}");
    assert_eq!((&reverse["result"], &checkpoint["result"]), (&Value::from("64"), &Value::from("64")));
}

#[test]
fn the_object_has_contributions_and_places() {
    let object: Value = serde_json::from_str(&trace("f", "(list 2 0)", &["--json"]).succeeded()).unwrap();
    let last = &object["operations"][1];
    assert_eq!((&last["name"], &last["operation"], &last["output"]), (&"v2".into(), &"*".into(), &1.0.into()));
    assert_eq!(last["operands"][0], serde_json::json!({"name": "x1", "value": 2.0, "contribution": 1.0}));
    assert_eq!(last["operands"][1], serde_json::json!({"name": "v1", "value": 1.0, "contribution": 2.0}));
    assert_eq!((&object["inputs"][1]["adjoint"], &object["all_operations"]), (&2.0.into(), &2.into()));
    // A constant has no name, and infinities are texts.
    let object: Value = serde_json::from_str(&trace("(lambda (x) (/ 1 x))", "0", &["--json"]).succeeded()).unwrap();
    let first = &object["operations"][0];
    assert_eq!((&first["operands"][0]["name"], &first["value"]), (&Value::Null, &"+inf.0".into()));
}

/// A derivative inside is made of operations at the outermost level.
#[test]
fn derivatives_inside_are_operations() {
    let table = trace("(lambda (x) (cdr (j* (lambda (y) (* y y)) x 1)))", "3", &[]).succeeded();
    assert!(table.ends_with("cotangent of the operand: 2\n"), "{table}");
    let table = trace("(lambda (x) (cdr (*j (lambda (y) (* y y y)) x 1)))", "3", &["--mode", "forward"]).succeeded();
    assert!(table.ends_with("tangent of the value: 18\n"), "{table}");
}

#[test]
fn the_picture_shows_the_way_back() {
    let file = folder("picture", &[]).join("graph.svg");
    trace("f", "(list 2 0)", &["--svg", file.to_str().unwrap()]).succeeded();
    let text = fs::read_to_string(&file).unwrap();
    let document = Document::parse(&text).unwrap();
    let count = |class: &str| {
        document.descendants().filter(|node| node.attribute("class").is_some_and(|is| is.starts_with(class))).count()
    };
    // Two inputs and two operations; exp reads one node, * reads two, and each has a way back.
    assert_eq!((count("node"), count("edge"), count("back")), (4, 3, 3));
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    assert!(texts.contains(&"v1 = exp x2") && texts.contains(&"v2 = * x1 v1"), "{texts:?}");
    let forward = folder("forward", &[]).join("graph.svg");
    trace("f", "(list 2 0)", &["--mode", "forward", "--svg", forward.to_str().unwrap()]).succeeded();
    assert!(!fs::read_to_string(forward).unwrap().contains("class=\"back\""));
}

#[test]
fn long_traces_are_cut_in_the_middle() {
    let function = "(lambda (x) (let loop ((i 0) (x x)) (if (= i 20000) x (loop (+ i 1) (+ x 1)))))";
    let file = folder("long", &[]).join("graph.svg");
    let table = trace(function, "0", &["--svg", file.to_str().unwrap()]).succeeded();
    assert_eq!(table.lines().count(), 2 + 1 + 41 + 2, "{table}");
    assert!(table.contains("\n...     19960 operations\n"), "{table}");
    assert!(table.contains("\nv20     + v19 1 ") && table.contains("\nv19981  + v19980 1 "), "{table}");
    assert!(fs::read_to_string(&file).unwrap().contains("19960 of 20000 operations are not shown"));
    let table = trace(function, "0", &["--rows", "1"]).succeeded();
    assert!(table.contains("\nv1 ") && !table.contains("\nv20000 "), "{table}");
    let table = trace(function, "0", &["--all"]).succeeded();
    assert_eq!(table.lines().count(), 20_000 + 5);
}

#[test]
fn odd_questions_are_answered_or_refused() {
    let table = trace("(lambda (x) 5)", "1", &[]).succeeded();
    assert!(table.ends_with("0 operations; cotangent of the operand: 0\n"), "{table}");
    let table = trace("(lambda (x) 5)", "'()", &[]).succeeded();
    assert!(table.contains("0 operations; cotangent of the operand: ()"), "{table}");
    trace("car", "(lambda (x) x)", &[]).failed("", "error");
    trace("(lambda (x) (lambda (y) x))", "1", &[]).failed("", "error[limit]: the value is not made of reals");
    trace("f", "(list 2 0)", &["--direction", "(list 1 2)"]).failed("", "error[conformance]");
    trace("nowhere", "1", &[]).failed("", "error[unbound]");
    trace("(lambda (x) (+ x (read-real)))", "1", &[]).failed("", "error[input]");
    trace("f", "(list 2 0", &[]).failed("", "error[read]");
    let endless = "(define (g x) (g (+ x 1)))";
    answer(&["trace", "-e", endless, "--function", "g", "--at", "1", "--timeout", "0.3"]).failed("", "error[time]");
    for arguments in [
        &["trace", "-e", "1"][..],
        &["trace", "-e", "1", "--function", "f"],
        &["trace", "-e", "1", "--step", "--json"],
        &["trace", "-", "--step"],
        &["trace", "-e", "1", "--function", "f", "--at", "1", "--rows", "0"],
    ] {
        assert_eq!(answer(arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn fsmooth_is_traced_as_well() {
    let program = "let f v = v[0] * exp v[1]";
    let arguments = ["trace", "--language", "fsmooth", "-e", program, "--function", "f", "--at", "[| 2.0; 0.0 |]"];
    let table = answer(&arguments).succeeded();
    assert!(table.ends_with("; cotangent of the operand: #(1 2)\n"), "{table}");
}

/// Walks through the evaluation of a program.
fn steps(arguments: &[&str], keys: &str) -> Answer {
    answer_to(&[&["trace", "--step"], arguments].concat(), keys.as_bytes())
}

#[test]
fn steps_are_walked_forwards_and_backwards() {
    let program = "(define (f x) (let ((y (* x x))) (+ y x)))\n(f 3)";
    let seen = steps(&["-e", program, "--function", "f", "--at", "4"], "\nn\nb\n5\nq\n").succeeded();
    let heads: Vec<&str> = seen.lines().filter(|line| line.starts_with("step ")).collect();
    let numbers: Vec<&str> = heads.iter().map(|head| head.split(' ').nth(1).unwrap()).collect();
    assert_eq!(numbers, ["0", "1", "2", "1", "5"]);
    let walked = steps(&["-e", program, "--function", "f", "--at", "4"], &"\n".repeat(40)).succeeded();
    // The body is entered with x, and (+ y x) with y as well.
    assert!(walked.contains("  expression    (+ y x)\n  environment   y = 16\n                x = 4\n"), "{walked}");
    assert!(walked.contains("(* x x) in (let ((y (* x x))) (+ y x))"), "{walked}");
    assert!(walked.trim_end().ends_with("the evaluation has ended"), "{walked}");
}

#[test]
fn walks_may_be_long_and_may_fail() {
    let endless = "(define (g x) (g (+ x 1))) (g 0)";
    let seen = steps(&["-e", endless], "100000\nb\n").succeeded();
    assert!(seen.contains("step 100000 at ") && seen.contains("step 99999 at "), "{seen}");
    let seen = steps(&["-e", "(car 5)"], "99\n").succeeded();
    assert!(seen.contains("the evaluation ends with an error\nerror[type]: `car` expects a pair"), "{seen}");
    let seen = steps(&["-e", "(j* (lambda (x) (* x x)) 3 1)"], &"\n".repeat(20)).succeeded();
    assert!(seen.contains(", inside 1 operator\n"), "{seen}");
}
