//! `vlad conform` and `vlad table` for those who implement the language: parts of the report, an order, a run of a tool alone, its
//! steps and limits, the corpus to be read, and the table of primitives.

use super::{GOOD, conform, table};
use crate::{answer, folder};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use vlad_conformance::corpus::compare::reals_agree;
use vlad_conformance::operations::{Domain, domains};
use vlad_shared::table::operations::OPERATIONS;
use vlad_shared::table::primitives::PRIMITIVES;
use vlad_shared::table::{Evaluation, Operation, number};

fn files(told: &Value) -> Vec<&str> {
    told["files"].as_array().unwrap().iter().map(|file| file["file"].as_str().unwrap()).collect()
}

/// Programs are selected by the parts of the report that they need, and ordered from small to large.
#[test]
fn programs_are_selected_by_parts_and_ordered() {
    let programs = [
        ("a/checkpoint.vlad", "(checkpoint-*j sin 0 1)\n;; expect: (0 . 1)\n"),
        ("a/derivative.vlad", "(j* sin 0 1)\n;; expect: (0 . 1)\n"),
        ("a/vector.vlad", "(get #(7) 0)\n;; expect: 7\n"),
        ("b/sum.vlad", GOOD),
        ("b/long.vlad", "; a comment that makes the text longer than that of the others\n(* 1 2)\n;; expect: 2\n"),
        ("b/refused.vlad", "(j* missing)\n;; error: unbound 1:5-1:12 missing\n"),
        ("b/smooth.fs", "1.0 + 2.0\n// expect: 3\n"),
    ];
    let folder = folder("implementers_parts", &programs);
    let run = |options: &[&str]| table(&folder, 0, &[&["--engine", "interp", "."], options].concat());
    assert_eq!(files(&run(&["--parts", "..6"])), ["./b/long.vlad", "./b/sum.vlad"]);
    let told = run(&["--parts", "..9", "--order", "size"]);
    assert_eq!(files(&told), ["./b/sum.vlad", "./b/long.vlad", "./a/derivative.vlad", "./b/refused.vlad"]);
    assert_eq!(told["files"][2]["parts"], json!([6, 8, 9]));
    assert_eq!(files(&run(&["--parts", "6,18"])), ["./a/vector.vlad", "./b/long.vlad", "./b/sum.vlad"]);
    assert_eq!(files(&run(&["--order", "size"])).last(), Some(&"./b/smooth.fs"));
    assert_eq!(files(&run(&["--parts", "..9", "--order", "size", "--shard", "3/4"])), ["./a/derivative.vlad"]);
    let errors = conform(&folder, &["--parts", "1", "a"]).failed("", "error[file]");
    assert!(errors.contains("needs other parts of the report than 1"), "{errors}");
}

/// Part 9 is enough for most of the folders that are about it: what needs later parts is told by the programs themselves.
#[test]
fn parts_of_the_corpus_are_known() {
    let folder = folder("implementers_corpus", &[]);
    let told = |options: &[&str]| {
        let fixed = ["--bundled", "--no-engines", "--external", "false", "--filter", "corpus/language/*"];
        table(&folder, 1, &[&fixed, options].concat())
    };
    let (all, early) = (told(&[]), told(&["--parts", "..9"]));
    let (all, early) = (files(&all), files(&early));
    assert!(early.len() > all.len() / 2 && early.len() < all.len(), "{} of {}", early.len(), all.len());
    assert!(
        all.contains(&"corpus/language/fixed-states.vlad") && !early.contains(&"corpus/language/fixed-states.vlad")
    );
}

/// A tool runs alone against the expectations in the files; what expects nothing is skipped, and the text says so.
#[test]
fn a_tool_runs_without_engines() {
    let folder =
        folder("implementers_alone", &[("a.vlad", GOOD), ("b.vlad", "(+ 1 2)\n"), ("c.vlad", "1\n;; expect: 1\n")]);
    let options = ["--no-engines", "--external", "mine=sh -c 'echo 3'", "."];
    let told = table(&folder, 1, &options);
    assert_eq!(told["columns"].as_array().unwrap().len(), 1);
    let verdicts: Vec<&Value> = (0..3).map(|file| &told["files"][file]["cells"][0]["verdict"]).collect();
    assert_eq!(verdicts, ["passed", "skipped", "failed"]);
    let text = conform(&folder, &options).output;
    assert!(text.contains("skipped    ./b.vlad on mine: nothing is known of what the program does\n"), "{text}");
    let answer = conform(&folder, &[&options[..], &["--progress"]].concat());
    let mut lines: Vec<&str> = answer.errors.lines().map(|line| line.split_once("of 3  ").unwrap().1).collect();
    lines.sort_unstable();
    assert_eq!(lines, ["failed   ./c.vlad", "passed   ./a.vlad", "skipped  ./b.vlad"]);
    assert_eq!(conform(&folder, &["--no-engines", "."]).code, Some(2));
}

/// Steps are compared if the tool prints them, and limits and folders are given to it by its own options.
#[test]
fn tools_have_steps_limits_and_folders() {
    let limited = "(define (f x) (f x)) (f 1)\n;; limit: steps 10\n;; error: steps 1:15-1:20 limit\n";
    let deep = "(define (f x) (+ 1 (f x))) (f 1)\n;; limit: depth 100\n;; error: depth 1:20-1:25 deep\n";
    let other = "(include \"own.vlad\")\nown\n;; folder: other\n;; expect: 7\n";
    let programs = [
        ("a.vlad", GOOD),
        ("b.vlad", limited),
        ("c.vlad", deep),
        ("d.vlad", other),
        ("other/own.vlad", "(define own 7)\n"),
    ];
    let folder = folder("implementers_limits", &programs);
    let own = format!("self='{}' run --engine interp --stats {{}}", env!("CARGO_BIN_EXE_vlad"));
    let paths = ["a.vlad", "b.vlad", "c.vlad", "d.vlad"];
    let options =
        ["--steps-option", "self=--max-steps={}", "--depth-option", "--max-depth", "--folder-option", "-I {}"];
    let told = table(&folder, 0, &[&["--no-engines", "--external", &own], &options[..], &paths].concat());
    assert_eq!(told["columns"][0]["passed"], 4, "{told}");
    assert_eq!(told["files"][0]["cells"][0]["steps"], 5);
    let told = table(&folder, 0, &[&["--no-engines", "--external", &own][..], &paths].concat());
    assert_eq!(told["columns"][0]["skipped"], 3, "{told}");
    for (line, code) in [
        ("echo steps 5 >&2; echo 3", 0),
        ("echo 3; echo steps 5", 0),
        ("echo steps 6 >&2; echo 3", 1),
        ("echo 3; echo steps 6", 1),
    ] {
        let tool = format!("sh -c '{line}'");
        let told = table(&folder, code, &["--no-engines", "--external", &tool, "a.vlad"]);
        assert_eq!(
            told["files"][0]["cells"][0]["reasons"].to_string().contains("5 steps are expected, 6 were taken"),
            code == 1
        );
    }
}

/// The corpus is written to a folder, where the command finds it.
#[test]
fn the_corpus_can_be_read() {
    let folder = folder("implementers_write", &[("full/a.vlad", GOOD)]);
    let told = conform(&folder, &["--write", "new/place"]).succeeded();
    assert!(told.ends_with("files written to new/place\n"), "{told}");
    let place = folder.join("new/place");
    let readme = fs::read(place.join("conformance/corpus/README.md")).unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/corpus/README.md");
    assert_eq!(readme, fs::read(own).unwrap());
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("shared/frontend/src/vlad/lists.vlad");
    assert_eq!(fs::read(place.join("libraries/lists.vlad")).unwrap(), fs::read(library).unwrap());
    // Programs of the corpus find the examples that they include.
    let report = conform(&place, &["--engine", "interp", "--filter", "examples/derivative.vlad"]).succeeded();
    assert!(report.ends_with("ok\n"), "{report}");
    let errors = conform(&folder, &["--write", "full"]).failed("", "error[output]");
    assert!(errors.contains("the folder is not empty"), "{errors}");
    conform(&folder, &["--write", "full/a.vlad"]).failed("", "error[output]");
    assert_eq!(conform(&folder, &["--write", "x", "full"]).code, Some(2));
}

fn named(name: &str) -> Operation {
    OPERATIONS.iter().find(|row| row.name == name).unwrap().operation
}

/// The value of a term of the table: the terms alone, and the operations by name, say what it is.
fn value(term: &Value, a: f64, b: f64, r: f64) -> f64 {
    match term {
        Value::String(name) => match name.as_str() {
            "a" => a,
            "b" => b,
            "r" => r,
            other => number::parse(other).unwrap(),
        },
        Value::Array(parts) if parts[0] == "if" => {
            value(if holds(&parts[1], a, b, r) { &parts[2] } else { &parts[3] }, a, b, r)
        }
        Value::Array(parts) => match named(parts[0].as_str().unwrap()).row().evaluation {
            Evaluation::Unary(function) => function(value(&parts[1], a, b, r)),
            Evaluation::Binary(function) => function(value(&parts[1], a, b, r), value(&parts[2], a, b, r)),
        },
        other => other.as_f64().unwrap(),
    }
}

fn holds(test: &Value, a: f64, b: f64, r: f64) -> bool {
    let term = |number: usize| value(&test[number], a, b, r);
    match test[0].as_str().unwrap() {
        "zero?" => term(1) == 0.0,
        "<" => term(1) < term(2),
        "nearer" => term(1).abs() < term(2).abs(),
        "and" => holds(&test[1], a, b, r) && holds(&test[2], a, b, r),
        other => panic!("{other}"),
    }
}

/// The table has all primitives, and coefficients that are the slopes of the operations.
#[test]
fn the_table_tells_primitives_and_coefficients() {
    let told: Value = serde_json::from_str(&answer(&["table"]).succeeded()).unwrap();
    let primitives = told["primitives"].as_array().unwrap();
    assert_eq!(primitives.len(), PRIMITIVES.len());
    let row = |name: &str| primitives.iter().find(|row| row["name"] == name).unwrap();
    let minus = json!({
        "name": "-", "kind": "fold", "least": 1, "most": null, "result": "real", "part": 6,
        "operations": ["-", "negate"], "empty": null, "one": ["negate", "a"],
    });
    assert_eq!(row("-"), &minus);
    assert_eq!((&row("/")["one"], &row("+")["empty"]), (&json!(["/", 1.0, "a"]), &json!(0.0)));
    assert_eq!((&row("atan")["operations"], &row("atan")["most"]), (&json!(["atan", "atan2"]), &json!(2)));
    for (name, part, least) in
        [("j*", 8, 3), ("interrupt", 15, 3), ("bundle", 17, 2), ("get", 18, 2), ("read-real", 6, 0)]
    {
        assert_eq!((&row(name)["part"], &row(name)["least"]), (&json!(part), &json!(least)), "{name}");
    }
    let operations = told["operations"].as_array().unwrap();
    assert_eq!(operations.len(), OPERATIONS.len());
    for (row, own) in operations.iter().zip(&OPERATIONS) {
        let coefficients = row["coefficients"].as_array().unwrap();
        let operands = row["operands"].as_u64().unwrap() as usize;
        assert!(row["name"] == own.name && coefficients.len() == operands, "{row}");
        // The operations are smooth at the point, and `floor` and the like are flat there.
        let a = match domains(own.operation) {
            [Domain::AboveOne] => 1.7,
            [Domain::Whole, _] => 1.0,
            _ => 0.7,
        };
        let (b, step) = (0.4, 1e-5);
        let at = |a: f64, b: f64| match own.evaluation {
            Evaluation::Unary(function) => function(a),
            Evaluation::Binary(function) => function(a, b),
        };
        let slopes =
            [(at(a + step, b) - at(a - step, b)) / (2.0 * step), (at(a, b + step) - at(a, b - step)) / (2.0 * step)];
        for (operand, (coefficient, slope)) in coefficients.iter().zip(slopes).enumerate() {
            if !own.operation.varies_with(operand) {
                assert_eq!(coefficient, "+nan.0", "{row}");
                continue;
            }
            let found = value(coefficient, a, b, at(a, b));
            assert!(reals_agree(slope, found, 1e-7) || (slope - found).abs() < 1e-8, "{row}: {slope} {found}");
        }
    }
}

/// Numbers of external implementations may be off by a tolerance, near 0 too, and nothing else may.
#[test]
fn external_columns_have_tolerances() {
    let folder = folder("tolerances", &[("a.vlad", "(list 1 0)\n;; expect: (1 0)\n"), ("b.vlad", "2\n;; exact: 2\n")]);
    fs::write(folder.join("mine.sh"), "case $1 in *a.vlad) echo '(1.0001 1e-5)';; *) echo 2.0001;; esac\n").unwrap();
    let run = |tolerance: &[&str]| {
        let words = ["--engine", "interp", "--external", "mine=sh mine.sh", "."];
        conform(&folder, &[&words, tolerance].concat())
    };
    assert!(run(&[]).output.contains("mine    0 passed, 2 failed"), "{:?}", run(&[]));
    assert_eq!(run(&["--tolerance", "1e-3"]).code, Some(0));
    assert_eq!(run(&["--tolerance", "mine=1e-3"]).code, Some(0));
    assert!(run(&["--tolerance", "1e-3", "--tolerance", "mine=1e-6"]).output.contains("2 failed"));
    assert_eq!(run(&["--tolerance", "mine=2"]).code, Some(2));
}

/// Numbers of external implementations may be asked to have the engines' bits, or to be some units in the last place off: counted from
/// what engines print, where a case has fewer digits.
#[test]
fn external_columns_are_compared_in_units() {
    let folder =
        folder("units", &[("a.vlad", "(exp 1)\n;; expect: 2.71828182845905\n"), ("b.vlad", "(- 0)\n;; exact: -0\n")]);
    let printing = |e: &str, zero: &str| format!("mine=sh -c 'case $0 in *a.vlad) echo {e};; *) echo {zero};; esac'");
    let run = |command: &str, closeness: &[&str]| {
        let words = ["--engine", "interp", "--external", command, "."];
        conform(&folder, &[&words, closeness].concat())
    };
    // The double nearest to e is 2.718281828459045; the next one ends in 0455.
    let (right, next) = (printing("2.718281828459045", "-0"), printing("2.7182818284590455", "0"));
    assert_eq!(run(&right, &["--bits"]).code, Some(0));
    assert_eq!(run(&right, &["--ulps", "mine=0"]).code, Some(0));
    assert_eq!(run(&next, &[]).code, Some(0), "12 digits, if nothing is said");
    assert!(run(&next, &["--bits"]).output.contains("2 failed"));
    assert!(run(&next, &["--ulps", "0"]).output.contains("2 failed"));
    assert_eq!(run(&next, &["--ulps", "1"]).code, Some(0));
    assert_eq!(run(&next, &["--ulps", "mine=1"]).code, Some(0));
    assert!(run(&next, &["--ulps", "1", "--bits"]).output.contains("2 failed"), "the closest counts");
    assert_eq!(run(&next, &["--ulps", "1.5"]).code, Some(2));
    assert!(run(&next, &["--ulps", "other=1"]).errors.contains("--ulps is for `other`"));
}
