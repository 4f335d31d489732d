//! `vlad profile`: the costs of operators, as a table, as JSON and as a picture.

use crate::{Answer, answer, answer_of, folder, vlad};
use roxmltree::Document;
use rstest::rstest;
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use vlad_engines::Engine;

/// A loop to be differentiated.
const LOOP: &str = "(define (go n x) (if (= n 0) x (go (- n 1) (sin (* 1.1 x)))))\n";

/// Returns the member `profile` of the JSON object of a program.
fn profile(engine: Engine, program: &str) -> Value {
    let told = answer(&["profile", "--json", "--engine", engine.name(), "-e", program]);
    let told: Value = serde_json::from_str(&told.output).unwrap();
    told["profile"].clone()
}

/// Returns the cells of the table that a profile printed, row by row, without its head and the explanation below it.
fn rows(answer: &Answer) -> Vec<Vec<String>> {
    let mut lines = answer.errors.lines();
    assert_eq!(lines.next(), Some("profile:"), "{}", answer.errors);
    assert!(lines.next().unwrap().starts_with("operator "), "{}", answer.errors);
    let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    lines.take_while(|line| !line.starts_with("Calls")).map(cells).collect()
}

#[test]
fn the_table_follows_the_output() {
    let program = "(write 7)\n(*j sin 0 1) (primops (lambda (x) (sin x)) 1)\n (checkpoint-*j (lambda (x) (sin x)) 0 1)";
    let answer = answer(&["profile", "--engine", "interp", "-e", program]);
    assert_eq!((answer.code, answer.output.as_str()), (Some(0), "7\n7\n(0 . 1)\n3\n(0 . 1)\n"));
    let rows = rows(&answer);
    let part = |row: usize, from: usize, to: usize| rows[row][from..to].join(" ");
    // The operator `sin` by itself takes no step; (sin x) takes three: the application, `sin` and x.
    assert_eq!(part(0, 0, 11), "*j <expression>:2:1 0 1 0 0 - - - - -");
    assert_eq!(part(1, 0, 11), "primops <expression>:2:14 0 1 0 3 - - - - -");
    assert_eq!(part(2, 0, 11), "checkpoint-*j <expression>:3:2 0 1 0 3 0 1 1 3 2.00");
    assert_eq!(rows.len(), 3);
}

#[test]
fn calls_at_one_place_are_one_row() {
    let program = "(define (f n s) (if (= n 0) s (f (- n 1) (+ s (cdr (*j sin n 1)))))) (f 10000 0)";
    let profile = profile(Engine::Interp, program);
    let rows = profile["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["applications"], &rows[0]["again"]), (1, &json!(10_000), &json!(0)));
    assert_eq!((&rows[0]["operator"], &rows[0]["longest"]["actions"]), (&json!("*j"), &json!([])));
}

#[test]
fn depths_are_rows_of_their_own_up_to_a_number() {
    let program = "(define (f n) (if (= n 0) 0 (primops f (- n 1)))) (f 3000)";
    let profile = profile(Engine::Interp, program);
    let rows = profile["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &profile["left_out"]), (1000, &json!(2000)));
    assert!(rows.iter().enumerate().all(|(depth, row)| row["depth"] == depth && row["applications"] == 1));
    let table = answer(&["profile", "--engine", "interp", "-e", program]).errors;
    assert!(table.contains("... 940 more rows") && table.contains("... 2000 more calls"), "{table}");
}

/// An operator in the first half of an execution is executed by the first execution, by the advance, and by the second
/// reversal.
#[test]
fn operators_within_what_is_executed_again_are_told() {
    let program = format!("{LOOP}(checkpoint-*j-bisection (lambda (x) (go 50 (cdr (*j sin x 1)))) 0.5 1 1 #f)");
    for engine in [Engine::Interp, Engine::Hybrid] {
        let profile = profile(engine, &program);
        let rows = profile["rows"].as_array().unwrap();
        assert_eq!((&rows[0]["operator"], &rows[0]["depth"]), (&json!("checkpoint-*j-bisection"), &json!(0)));
        assert_eq!((&rows[1]["operator"], &rows[1]["depth"]), (&json!("*j"), &json!(1)));
        assert_eq!((&rows[1]["applications"], &rows[1]["again"]), (&json!(3), &json!(2)));
    }
}

#[test]
fn engines_take_the_same_steps() {
    let program = format!(
        "{LOOP}(checkpoint-*j (lambda (x) (go 200 x)) 0.5 1)
         (j* (lambda (x) (cdr (checkpoint-*j-binomial (lambda (y) (go 20 (* x y))) x 1 2 #f 50))) 0.7 1)
         (interrupt (lambda (x) (go 9 x)) 1 5) (primops (lambda (x) (*j (lambda (y) (go 3 y)) x 1)) 2)"
    );
    let measured = ["peak_bytes", "seconds"];
    let without_measures = |mut profile: Value| {
        profile["memory"] = Value::Null;
        for row in profile["rows"].as_array_mut().unwrap() {
            for name in measured {
                assert!(row[name].is_number() && row["longest"][name].is_number());
                row[name] = Value::Null;
                row["longest"][name] = Value::Null;
            }
        }
        profile
    };
    let expected = without_measures(profile(Engine::Interp, &program));
    assert_eq!(expected["rows"].as_array().unwrap().len(), 6, "{expected}");
    for engine in Engine::ALL {
        assert_eq!(without_measures(profile(engine, &program)), expected, "{engine}");
    }
}

/// The tape of `*j` grows with the steps, the memory of `checkpoint-*j` with their logarithm.
#[test]
fn the_memory_of_checkpoints_is_less_than_that_of_a_tape() {
    let program = format!(
        "{LOOP}(checkpoint-*j-bisection (lambda (x) (go 20000 x)) 0.5 1 #f 1000)
         (*j (lambda (x) (go 20000 x)) 0.5 1)"
    );
    for engine in [Engine::Interp, Engine::Hybrid] {
        let profile = profile(engine, &program);
        assert_eq!(profile["memory"], "allocated");
        let peak = |row: usize| profile["rows"][row]["peak_bytes"].as_u64().unwrap();
        assert!((1000..100_000).contains(&peak(0)) && peak(1) > 20 * peak(0), "{engine}: {} {}", peak(0), peak(1));
    }
}

#[test]
fn what_had_not_ended_is_told() {
    let program = format!("{LOOP}1 (checkpoint-*j (lambda (x) (go 100 (car x))) 0.5 1)");
    let told = answer(&["profile", "--engine", "interp", "-e", &program]);
    assert!(told.errors.starts_with("error[type]") && told.output == "1\n", "{}", told.errors);
    assert!(told.errors.contains("1 of the calls had not ended") && told.code == Some(1), "{}", told.errors);
    let told = answer(&["profile", "--json", "--max-steps", "50", "--engine", "interp", "-e", &program]);
    let told: Value = serde_json::from_str(&told.output).unwrap();
    assert_eq!((&told["profile"]["rows"][0]["unfinished"], &told["status"]), (&json!(1), &json!("error")));
}

#[test]
fn there_may_be_nothing_to_tell() {
    let told = answer(&["profile", "--engine", "interp", "-e", "1"]);
    assert_eq!(
        (told.output.as_str(), told.errors.as_str()),
        ("1\n", "profile: no operator that calls a procedure was applied\n")
    );
    let told: Value = serde_json::from_str(&answer(&["--json", "-e", "1"]).succeeded()).unwrap();
    assert_eq!(told.get("profile"), None);
    let told: Value = serde_json::from_str(&answer(&["profile", "--json", "-e", "(car"]).output).unwrap();
    assert_eq!((told.get("profile"), &told["status"]), (None, &json!("error")));
}

#[test]
fn one_engine_at_a_time() {
    let answer = answer(&["profile", "--engine", "all", "-e", "1"]);
    assert_eq!((answer.code, answer.output.as_str()), (Some(2), ""));
    assert!(answer.errors.contains("not --engine all") && answer.errors.contains("Usage"), "{}", answer.errors);
}

/// Returns the picture of a program, which is written to this file.
fn picture(folder: &Path, file: &str) -> String {
    let path = folder.join("picture.svg");
    let arguments = ["profile", "--engine", "hybrid", file, "--svg", "picture.svg"];
    let answer: Answer = vlad().args(arguments).current_dir(folder).output().unwrap().into();
    assert_eq!(answer.code, Some(0), "{}", answer.errors);
    fs::read_to_string(path).unwrap()
}

/// Returns the number of elements of a class.
fn count(document: &Document<'_>, name: &str, class: &str) -> usize {
    document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
        .filter(|node| node.attribute("class") == Some(class))
        .count()
}

#[test]
fn the_picture_shows_every_action() {
    let name = "<a & \"b\" 'c'>\u{1}.vlad";
    let program = format!("{LOOP}(checkpoint-*j-bisection (lambda (x) (go 50 x)) 0.5 1 3 #f)");
    let folder = folder("picture", &[(name, &program)]);
    let text = picture(&folder, name);
    let document = Document::parse(&text).unwrap();
    // Eight intervals; seven advances and the first execution; eight states; each with an entry in the legend.
    assert_eq!(count(&document, "rect", "record"), 8 + 1);
    assert_eq!(count(&document, "path", "run"), 7 + 1 + 1);
    assert_eq!(count(&document, "path", "state"), 8 + 1);
    assert!(document.descendants().all(|node| !node.has_tag_name("script")));
    let title = document.descendants().find(|node| node.attribute("class") == Some("title")).unwrap();
    assert!(title.text().unwrap().starts_with("checkpoint-*j-bisection at <a & \"b\" 'c'>"));
}

#[rstest]
#[case::nothing("(+ 1 2)", 0)]
#[case::one_interval("(checkpoint-*j sin 1 1)", 1)]
#[case::long("(checkpoint-*j-bisection (lambda (x) (go 4000 x)) 0.5 1 #f 2)", 2000)]
#[case::many_calls("(define (f n) (if (= n 0) 0 (begin (checkpoint-*j sin n 1) (f (- n 1))))) (f 1000)", 1)]
fn any_picture_is_of_bounded_size(#[case] program: &str, #[case] intervals: usize) {
    let folder =
        folder(&format!("picture of {intervals} {}", program.len()), &[("a.vlad", &format!("{LOOP}{program}"))]);
    let text = picture(&folder, "a.vlad");
    let document = Document::parse(&text).unwrap();
    let shown = count(&document, "rect", "record") - 1;
    if intervals < 1000 {
        assert_eq!(shown, intervals);
    } else {
        assert!((500..=4000).contains(&shown), "{shown}");
        assert!(text.contains("Shown are one in"));
    }
    assert!(text.len() < 1_500_000);
}

#[test]
fn a_picture_that_cannot_be_written_is_an_error() {
    let told = answer(&["profile", "--engine", "interp", "-e", "1", "--svg", "/nowhere/a.svg"]);
    assert_eq!((told.code, told.output.as_str()), (Some(1), "1\n"));
    assert!(
        told.errors.starts_with("error[output]: the picture cannot be written to /nowhere/a.svg"),
        "{}",
        told.errors
    );
}

#[test]
fn a_reader_may_leave_early() {
    let chatty = "(define (f n) (f (write (+ n 1)))) (f 0)";
    let mut command = vlad();
    command.args(["profile", "--engine", "interp", "-e", chatty]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "1");
    drop(lines);
    let answer: Answer = child.wait_with_output().unwrap().into();
    assert_eq!((answer.code, answer.errors.lines().count()), (Some(0), 1), "{}", answer.errors);
    // A full disk is an error, and the profile is reported nevertheless.
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let answer: Answer = vlad().args(["profile", "-e", "1"]).stdout(full).output().unwrap().into();
    assert!(answer.errors.starts_with("error[output]") && answer.errors.contains("profile:"), "{}", answer.errors);
    assert_eq!(answer.code, Some(1));
}

/// A note reports that a picture is empty.
#[test]
fn a_picture_of_nothing_is_told() {
    let folder = folder("profile_nothing", &[]);
    let picture = folder.join("p.svg");
    for (program, is_told) in [
        ("(j* sin 0 1)", true),
        ("1", true),
        ("(define (f x) (ifold (lambda (s i) (sin s)) x 3000)) (checkpoint-*j f 1 1)", false),
    ] {
        for json in [&[][..], &["--json"]] {
            let told = answer_of(
                vlad().args(["profile", "--engine", "hybrid", "-e", program, "--svg"]).arg(&picture).args(json),
            );
            assert_eq!(told.code, Some(0));
            let note =
                format!("note: no checkpoint-*j executed anything again, so {} shows nothing\n", picture.display());
            assert_eq!(told.errors.contains(&note), is_told, "{program}: {}", told.errors);
            assert!(fs::read_to_string(&picture).unwrap().contains("</svg>"));
        }
    }
}
