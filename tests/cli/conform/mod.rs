//! `vlad conform`: programs, columns and reports, and the possible errors in each of them.

use crate::{Answer, folder, vlad};
use rstest::rstest;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use vlad_engines::Engine;

mod bundled;
mod fuzz;
mod implementers;
mod troubles;

const GOOD: &str = "(+ 1 2)\n;; expect: 3\n;; steps: 5\n";
const WRONG: &str = "(+ 1 2)\n;; expect: 4\n";
const FAILING: &str = "1\n(car 2)\n;; expect: 1\n;; error: type 2:1-2:8 expects a pair\n";
const PLAIN: &str = "; nothing is expected here\n(sqrt 2)\n;; note: about it\n";

/// Runs the matrix in a folder.
pub fn conform(folder: &Path, arguments: &[&str]) -> Answer {
    vlad().arg("conform").args(arguments).current_dir(folder).output().unwrap().into()
}

/// Returns the report as JSON, and checks that nothing else is printed.
pub fn table(folder: &Path, code: i32, arguments: &[&str]) -> Value {
    let answer = conform(folder, &[&["--format", "json"], arguments].concat());
    assert_eq!((answer.code, answer.errors.as_str()), (Some(code), ""), "{}", answer.output);
    serde_json::from_str(&answer.output).unwrap()
}

#[test]
fn expectations_that_are_met_are_counted() {
    let folder =
        folder("conform_good", &[("a.vlad", GOOD), ("b/c.vlad", FAILING), ("b/parts/d.vlad", "(("), ("x", "((")]);
    let report = conform(&folder, &["--engine", "interp", "."]).succeeded();
    assert!(
        report.starts_with("2 files in ") && report.contains("interp  2 passed") && report.ends_with("ok\n"),
        "{report}"
    );
    let report = conform(&folder, &["."]).succeeded();
    assert!(report.contains("hybrid  2 passed") && report.contains("the engines agree"), "{report}");
    let told = table(&folder, 0, &["b", "a.vlad", "a.vlad", "--jobs", "1"]);
    let files: Vec<&Value> = told["files"].as_array().unwrap().iter().map(|file| &file["file"]).collect();
    assert_eq!(files, ["b/c.vlad", "a.vlad"]);
    assert_eq!((&told["status"], &told["files"][1]["cells"][0]["steps"]), (&json!("ok"), &json!(5)));
}

#[test]
fn memory_is_limited() {
    let folder = folder(
        "conform_memory",
        &[(
            "deep.vlad",
            "(define (f x) (+ 1 (f x)))\n(f 1)\n;; limit: depth 1000000000\n;; error: memory - calls deep\n",
        )],
    );
    let report = conform(&folder, &["--engine", "hybrid", "--max-memory", "100M", "."]).succeeded();
    assert!(report.contains("hybrid  1 passed"), "{report}");
}

#[test]
fn output_is_limited() {
    let endless = "(define (f x) (begin (write x) (f (+ x 1))))\n(f 1)\n";
    let files = [("a.vlad", endless), ("b.vlad", endless), ("c.vlad", endless), ("d.vlad", GOOD)];
    let folder = folder("conform_output", &files);
    let answer = conform(&folder, &["--engine", "hybrid", "--max-memory", "500M", "--new", "."]);
    assert_eq!(answer.output.matches("it writes more than 33554432 bytes").count(), 3, "{answer:?}");
    assert!(answer.output.contains("hybrid  1 passed, 3 failed"), "{answer:?}");
    assert_eq!(fs::read_to_string(folder.join("a.vlad")).unwrap(), endless);
}

#[test]
fn expectations_that_are_not_met_fail() {
    let folder =
        folder("conform_wrong", &[("a.vlad", GOOD), ("b.vlad", WRONG), ("c.vlad", ";; expect: 1\n;; oops: 2\n")]);
    let answer = conform(&folder, &["."]);
    assert_eq!((answer.code, answer.errors.as_str()), (Some(1), ""));
    for line in ["failed     ./b.vlad on interp", "expected `4`, got `3`", "`oops` is not known", "failed\n"] {
        assert!(answer.output.contains(line), "{line}: {}", answer.output);
    }
    let told = table(&folder, 1, &["."]);
    assert_eq!((&told["status"], &told["files"][2]["sort"]), (&json!("failed"), &json!("broken")));
    assert_eq!(
        told["columns"][0],
        json!({ "name": "interp", "kind": "engine", "passed": 1, "failed": 2, "known": 0, "skipped": 0 })
    );
}

#[test]
fn programs_without_expectations_are_compared() {
    let garbage: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let folder = folder("conform_plain", &[("a.vlad", PLAIN)]);
    fs::write(folder.join("garbage.vlad"), garbage).unwrap();
    let report = conform(&folder, &["."]).succeeded();
    assert!(report.contains("2 without expectations"), "{report}");
    // External implementations must print what the engines print.
    for (command, code) in [("echo 1.4142135623730950", 0), ("echo 2", 1)] {
        let external = format!("other=sh -c '{command}'");
        assert_eq!(conform(&folder, &["a.vlad", "--external", &external]).code, Some(code), "{command}");
    }
}

#[test]
fn odd_names_are_names() {
    let names = ["a b.vlad", "it's \"quoted\".vlad", "new\nline.vlad", "-x.vlad", "<&>\u{1b}[31m.vlad"];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, GOOD)).collect();
    let folder = folder("conform odd 'names'\n<", &files);
    let told = table(&folder, 0, &["."]);
    assert_eq!(told["files"].as_array().unwrap().len(), names.len());
    let report = conform(&folder, &["--external", "cat", "."]);
    assert_eq!(report.code, Some(1));
    assert!(report.output.contains("failed     ./new\\nline.vlad on cat"), "{}", report.output);
    let report = conform(&folder, &["--format", "junit", "--external", "echo", "."]).output;
    assert!(report.starts_with("<?xml") && report.trim_end().ends_with("</testsuites>"), "{report}");
    assert!(report.contains("&lt;&amp;&gt;\\u{1b}[31m.vlad") && !report.contains('\u{1b}'), "{report}");
    assert_eq!(report.matches("<testcase ").count(), (Engine::ALL.len() + 1) * names.len(), "{report}");
    assert_eq!(report.matches("<failure ").count(), names.len(), "{report}");
}

#[rstest]
#[case::no_folder(&["missing"], "missing cannot be read")]
#[case::rewritten_corpus_of_the_command(&["--update"], "there is no folder conformance/corpus here")]
#[case::no_report(&["--merge", "a.vlad"], "a.vlad is no report of `vlad conform --format json`")]
#[case::no_file_to_merge(&["--merge", "missing.json"], "missing.json cannot be read")]
#[case::filtered_corpus_of_the_command(&["--bundled", "--filter", "tmp"], "no file's path matches --filter tmp")]
#[case::empty_folder(&["empty"], "there is no .vlad, .fs, .f, .for, .f77 or .farfel file in empty")]
#[case::filter(&[".", "--filter", "nothing", "--filter", "b*"], "no file's path matches --filter nothing or b*")]
#[case::no_place(&[".", "--output", "missing/report"], "the report cannot be written to missing/report")]
#[case::program_in_its_place(&[".", "--output", "empty/../a.vlad"], "it is one of the programs")]
#[case::folder_in_its_place(&[".", "--output", "empty"], "the report cannot be written to empty")]
fn what_cannot_be_run_is_an_error(#[case] arguments: &[&str], #[case] complaint: &str) {
    // Cases run concurrently, each in a folder of its own.
    let name = format!("conform_none_{}", complaint.replace(|each: char| !each.is_alphanumeric(), "_"));
    let folder = folder(&name, &[("a.vlad", GOOD)]);
    fs::create_dir(folder.join("empty")).unwrap();
    let errors = conform(&folder, arguments).failed("", "error[");
    assert!(errors.contains(complaint), "{errors}");
}

#[test]
fn filters_are_words_or_patterns() {
    let folder = folder("conform_filter", &[("a1.vlad", GOOD), ("a2.vlad", WRONG), ("b/a3.vlad", GOOD)]);
    for (filters, code, count) in
        [(&["a1"][..], 0, 1), (&["?3.vlad", "a1"], 0, 2), (&["b/*"], 0, 1), (&["a*.vlad"], 1, 3), (&[""], 1, 3)]
    {
        let options: Vec<&str> = filters.iter().flat_map(|filter| ["--filter", filter]).collect();
        let told = table(&folder, code, &[&["."], options.as_slice()].concat());
        assert_eq!(told["files"].as_array().unwrap().len(), count, "{filters:?}");
    }
}

#[rstest]
#[case::missing("/nowhere/at/all", "cannot be started")]
#[case::garbage("head -c 1000 /dev/urandom", "got")]
#[case::endless("yes", "printed too much")]
#[case::silent("true", "is missing: `3`")]
#[case::failing("sh -c 'echo 3; exit 2'", "exit code 2")]
#[case::killed("sh -c 'echo 3; kill -11 $$'", "signal 11")]
#[case::wrong_kind("sh -c 'echo 3; echo error[type]: x >&2; exit 1'", "it names: type")]
fn others_that_do_something_else_fail_by_themselves(#[case] command: &str, #[case] complaint: &str) {
    let name = format!("conform_other_{}", complaint.replace(|each: char| !each.is_alphanumeric(), "_"));
    // The command gets a long input that it does not read; `head` also gets the name of a file that does not exist.
    let case = format!("{GOOD};; input: {}\n", "1 ".repeat(100_000));
    let folder = folder(&name, &[("a.vlad", &case)]);
    let external = format!("other={command}{}", if command.starts_with("head") { " {}.missing" } else { "" });
    let told = table(&folder, 1, &["--external", &external, "."]);
    let cells = told["files"][0]["cells"].as_array().unwrap();
    let (other, engines) = cells.split_last().unwrap();
    assert!(engines.iter().all(|cell| cell["verdict"] == "passed"), "{told}");
    assert!(other["verdict"] == "failed" && other["reasons"].to_string().contains(complaint), "{other}");
}

#[test]
fn others_that_hang_are_ended() {
    let folder = folder("conform_hang", &[("a.vlad", GOOD), ("b.vlad", FAILING)]);
    let begun = Instant::now();
    let told = table(&folder, 1, &["--external", "sh -c 'sleep 100 & sleep 100'", "--timeout", "0.3", "."]);
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(told["files"][1]["cells"].to_string().contains("it was ended after 0.3 s"), "{told}");
}

#[test]
fn this_command_is_an_implementation_like_others() {
    let limited = "(define (f x) (f x)) (f 1)\n;; limit: steps 10\n;; error: steps 1:15-1:20 limit\n";
    let reading = "(+ (read-real) (read-real))\n;; input: 1\n;; input: 2\n;; expect: 3\n";
    let folder = folder("conform_self", &[("a.vlad", FAILING), ("b.vlad", limited), ("c.vlad", reading)]);
    let external = format!("self='{}' --engine interp {{}}", env!("CARGO_BIN_EXE_vlad"));
    let told = table(&folder, 0, &["--external", &external, "--engine", "interp", "a.vlad", "c.vlad"]);
    assert_eq!(
        told["columns"][1],
        json!({ "name": "self", "kind": "external", "passed": 2, "failed": 0, "known": 0, "skipped": 0 })
    );
    let told = table(&folder, 0, &["--external", &external, "--engine", "interp", "b.vlad"]);
    assert_eq!(told["columns"][1]["skipped"], 1);
}

#[test]
fn expectations_are_rewritten_on_demand() {
    let folder = folder(
        "conform_update",
        &[("a.vlad", WRONG), ("b.vlad", PLAIN), ("c.vlad", ";; steps: 6\n(+ 1 2)\n;; expect: 4\n")],
    );
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let answer = conform(&folder, &["--update", "a.vlad", "b.vlad"]);
    assert!(answer.succeeded().contains("rewritten  a.vlad"));
    assert_eq!((text("a.vlad").as_str(), text("b.vlad").as_str()), ("(+ 1 2)\n;; expect: 3\n", PLAIN));
    // Step counts are not rewritten, so this case still fails.
    assert_eq!(conform(&folder, &["--update", "c.vlad"]).code, Some(1));
    assert!(text("c.vlad").contains(";; expect: 3") && text("c.vlad").contains(";; steps: 6"));
    conform(&folder, &["a.vlad"]).succeeded();
}

#[test]
fn programs_become_cases_on_demand() {
    let files = [
        ("plain.vlad", "(write 1) ; a comment\n(+ 1 2)"),
        ("fails.vlad", "; it fails\n(+ 1 2)\n(define (f x) (car x))\n(+ 1 (f 3))\n"),
        ("refused.vlad", "(sin missing)\n(cos lost)\n"),
        ("empty.vlad", "; nothing\n"),
        ("case.vlad", WRONG),
        ("input.vlad", ";; input: 7\n(+ 1 (read-real))\n"),
        ("slow.vlad", ";; limit: time 0.1\n(define (f x) (f x)) (f 1)\n"),
    ];
    let folder = folder("conform_new", &files);
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let answer = conform(&folder, &["--new", "--engine", "interp", "--engine", "hybrid", "."]);
    // The file that was a case before stays wrong, and a time limit cannot be an expectation.
    assert_eq!(answer.code, Some(1), "{}", answer.output);
    assert!(
        answer.output.contains("rewritten  ") && answer.output.contains("a limit of time was reached"),
        "{}",
        answer.output
    );
    assert_eq!(text("plain.vlad"), "(write 1) ; a comment\n(+ 1 2)\n;; expect: 1\n;; expect: 1\n;; expect: 3\n");
    let failure = ";; expect: 3\n;; error: type 3:15-3:22 `car` expects a pair, found 3\n";
    assert_eq!(text("fails.vlad"), format!("{}{failure}", files[1].1));
    let errors =
        ";; error: unbound 1:6-1:13 `missing` is not defined\n;; error: unbound 2:6-2:10 `lost` is not defined\n";
    assert_eq!(text("refused.vlad"), format!("{}{errors}", files[2].1));
    assert_eq!(text("input.vlad"), format!("{};; expect: 8\n", files[5].1));
    for unchanged in [3, 4, 6] {
        assert_eq!(text(files[unchanged].0), files[unchanged].1);
    }
    conform(&folder, &["--engine", "interp", "plain.vlad", "fails.vlad", "refused.vlad", "empty.vlad", "input.vlad"])
        .succeeded();
    // Both options together.
    fs::write(folder.join("plain.vlad"), files[0].1).unwrap();
    conform(&folder, &["--new", "--update", "--engine", "interp", "plain.vlad", "case.vlad"]).succeeded();
    assert!(text("case.vlad").contains("expect: 3") && text("plain.vlad").contains("expect: 3"));
}

#[test]
fn expectations_are_not_rewritten_where_engines_disagree() {
    let folder = folder("conform_update_disagreement", &[("a.vlad", "(+ 7 1)\n;; expect: 4\n"), ("b.vlad", WRONG)]);
    // A compiler that replaces some numbers by others.
    let script =
        "#!/bin/sh\n[ -f program.c ] && sed 's/\\b7\\.0/8.0/g' program.c > p && mv p program.c\nexec cc \"$@\"\n";
    let mut shell = Command::new("sh");
    shell.args(["-c", "printf %s \"$1\" > wrong-cc && chmod 755 wrong-cc"]).args(["", script]).current_dir(&folder);
    assert!(shell.status().unwrap().success());
    // Specialised code does not add known numbers.
    let arguments = ["--update", "--cc", "./wrong-cc", "--specialise", "never", "a.vlad", "b.vlad"];
    let answer = conform(&folder, &arguments);
    assert_eq!(answer.code, Some(3), "{}", answer.output);
    assert!(answer.output.contains("native: 9[4022000000000000]"), "{}", answer.output);
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(text("a.vlad").contains("expect: 4") && text("b.vlad").contains("expect: 3"));
}

#[test]
fn what_is_no_plain_file_is_not_read() {
    let folder = folder("conform_devices", &[("a.vlad", GOOD)]);
    assert!(Command::new("mkfifo").arg(folder.join("pipe.vlad")).status().unwrap().success());
    fs::File::create(folder.join("large.vlad")).unwrap().set_len(1 << 40).unwrap();
    let told = table(&folder, 1, &["--engine", "interp", "a.vlad", "pipe.vlad", "large.vlad", "/dev/zero"]);
    let sorts: Vec<&Value> = told["files"].as_array().unwrap().iter().map(|file| &file["sort"]).collect();
    assert_eq!(sorts, ["case", "broken", "broken", "broken"], "{told}");
    assert!(told["files"][1].to_string().contains("is not a plain file"), "{told}");
}

#[test]
fn reports_go_where_they_are_wanted() {
    let folder = folder("conform_output", &[("a.vlad", GOOD), ("b.vlad", WRONG)]);
    let answer = conform(&folder, &["--format", "json", "--output", "my report", "."]);
    assert_eq!(answer.code, Some(1));
    assert!(answer.output.ends_with("failed\n"), "{}", answer.output);
    let told: Value = serde_json::from_str(&fs::read_to_string(folder.join("my report")).unwrap()).unwrap();
    assert_eq!(told["status"], "failed");
    let answer = conform(&folder, &["--output", "text", "a.vlad"]);
    assert_eq!(answer.succeeded(), "");
    assert!(fs::read_to_string(folder.join("text")).unwrap().ends_with("ok\n"));
    // A report for which its file has no room is printed.
    let answer = conform(&folder, &["--format", "json", "--output", "/dev/full", "a.vlad"]);
    assert!(answer.errors.starts_with("error[output]: the report cannot be written to /dev/full"), "{}", answer.errors);
    let told: Value = serde_json::from_str(&answer.output).unwrap();
    assert_eq!((answer.code, &told["status"]), (Some(1), &json!("ok")));
}

#[test]
fn limits_of_a_case_hold() {
    let endless = "(define (f x) (f x)) 1 (f 1)\n;; expect: 1\n";
    let deep = "(define (f x) (+ 1 (f x))) 1 (f 1)\n;; expect: 1\n;; limit: memory 100M\n;; limit: depth 1000000000\n;; limit: time 60\n;; error: memory - limit\n";
    let time = format!("{endless};; limit: time 0.2\n;; error: time - limit\n");
    let folder = folder("conform_limits", &[("deep.vlad", deep), ("time.vlad", &time), ("loop.vlad", endless)]);
    let told = table(&folder, 1, &["--timeout", "0.3", "."]);
    let verdicts: Vec<&Value> =
        told["files"].as_array().unwrap().iter().map(|file| &file["cells"][0]["verdict"]).collect();
    assert_eq!(verdicts, ["passed", "failed", "passed"], "{told}");
}

#[test]
fn known_failures_do_not_count_until_they_pass() {
    let lists = [
        ("all.txt", "# for now\nwrong.vlad   # by one\n"),
        ("column.txt", "interp: b/wrong.vlad\nhybrid: */wrong.vlad\n"),
        ("other.txt", "native: wrong.vlad\n"),
        ("passes.txt", "\nwrong.vlad\ngood.vlad\n"),
        ("malformed.txt", "wrong.vlad\nnative wrong.vlad\n"),
    ];
    let folder = folder("conform_known", &[[("good.vlad", GOOD), ("b/wrong.vlad", WRONG)].as_slice(), &lists].concat());
    let known = |list: &str| {
        table(
            &folder,
            i32::from(list == "other.txt" || list == "passes.txt"),
            &["--engine", "interp", "--engine", "hybrid", "--known-failures", list, "."],
        )
    };
    for list in ["all.txt", "column.txt"] {
        let report = known(list);
        assert_eq!(report["columns"][0]["known"], json!(1), "{report}");
        let cell = &report["files"][0]["cells"][1];
        assert_eq!((&cell["verdict"], &cell["line"]), (&json!("known"), &json!(2)), "{report}");
    }
    assert_eq!(known("other.txt")["columns"][0]["failed"], json!(1));
    let passing = known("passes.txt");
    let cell = &passing["files"][1]["cells"][0];
    assert_eq!(
        cell["reasons"],
        json!(["it passes, but line 3 of passes.txt says that it is known to fail"]),
        "{passing}"
    );
    for (list, complaint) in [("malformed.txt", "line 2 of malformed.txt"), ("none.txt", "cannot be read")] {
        let answer = conform(&folder, &["--known-failures", list, "."]);
        assert_eq!(answer.code, Some(1));
        assert!(answer.errors.contains(complaint), "{}", answer.errors);
    }
    let junit = conform(&folder, &["--engine", "interp", "--known-failures", "all.txt", "--format", "junit", "."]);
    let junit = junit.succeeded();
    assert!(junit.contains("failures=\"0\"") && junit.contains("skipped message=\"known to fail: "), "{junit}");
}

#[test]
fn annotations_stand_beside_what_they_are_about() {
    let late = "1\n(car 2)\n;; expect: 1\n";
    let folder = folder("conform_github", &[("a,b/wrong.vlad", WRONG), ("good.vlad", GOOD), ("late.vlad", late)]);
    let answer = conform(&folder, &["--engine", "interp", "--format", "github", "."]);
    assert_eq!(answer.code, Some(1));
    let lines: Vec<&str> = answer.output.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(lines.len(), 2, "{}", answer.output);
    let wrong = "::error file=./a%2Cb/wrong.vlad,line=2,title=interp::line 1 of the output";
    assert!(lines[0].starts_with(wrong), "{}", lines[0]);
    let late = "::error file=./late.vlad,line=2,title=interp::there is an error of kind type that is not expected%0A";
    assert!(lines[1].starts_with(late), "{}", lines[1]);
    assert!(answer.output.ends_with("failed\n"), "{}", answer.output);
}

/// Shards that were run apart are merged into the report of the whole.
#[test]
fn shards_make_the_report_of_the_whole() {
    let names: Vec<String> = (0..7).map(|number| format!("{number}.vlad")).collect();
    let files: Vec<(&str, &str)> =
        names.iter().enumerate().map(|(number, name)| (name.as_str(), [GOOD, WRONG, PLAIN][number % 3])).collect();
    let folder = folder("shards", &files);
    fs::write(folder.join("known"), "interp: 4.vlad\n").unwrap();
    let options = ["--engine", "interp", "--external", "sh=sh -c 'echo 3'", "--known-failures", "known", "."];
    let run = |more: &[&str]| conform(&folder, &[&options, more].concat());
    let (one, two) = (["--shard", "1/2", "--output", "1.json"], ["--shard", "2/2", "--output", "2.json"]);
    for shard in [one, two] {
        assert_eq!(run(&[&shard[..], &["--format", "json"]].concat()).code, Some(1));
    }
    let without_times = |mut table: Value| {
        let object = table.as_object_mut().unwrap();
        object.remove("seconds");
        for file in object["files"].as_array_mut().unwrap() {
            file["cells"]
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .for_each(|cell| drop(cell.as_object_mut().unwrap().remove("seconds")));
        }
        table
    };
    let whole = without_times(table(&folder, 1, &options));
    assert_eq!(whole["files"].as_array().unwrap().len(), 7);
    assert_eq!(without_times(table(&folder, 1, &["--merge", "2.json", "1.json"])), whole);
    let junit = conform(&folder, &["--format", "junit", "--merge", "1.json", "2.json"]);
    assert_eq!((junit.code, junit.output.matches("<testcase ").count()), (Some(1), 14));
    let error = conform(&folder, &["--merge", "1.json"]).failed("", "error[file]");
    assert!(error.contains("the shard 2/2 is missing"), "{error}");
    let error = conform(&folder, &["--merge", "1.json", "2.json", "--output", "1.json"]).failed("", "error[output]");
    assert!(error.contains("it is one of the reports"), "{error}");
    // There are more shards than files, so one has none.
    conform(&folder, &["--engine", "interp", "--shard", "9/9", "."]).succeeded();
}

/// The corpus is a part of the command, which needs no folder for it.
#[test]
fn the_corpus_is_in_the_command() {
    let folder = folder("bundled", &[]);
    let filter = ["--engine", "interp", "--filter", "corpus/steps/*"];
    let told = table(&folder, 0, &filter);
    let path = told["files"][0]["file"].as_str().unwrap();
    assert!(path.starts_with("corpus/steps/"), "{path}");
    let bundled = conform(Path::new(env!("CARGO_MANIFEST_DIR")), &[&["--bundled"], &filter[..]].concat()).succeeded();
    assert!(bundled.starts_with(&format!("{} files in ", told["files"].as_array().unwrap().len())), "{bundled}");
}

/// The rewriting of F-smooth can be chosen: as they are written programs take more steps, and by algebra `x - x` is 0.
#[test]
fn programs_are_rewritten_as_the_options_say() {
    let program = "let difference x = x - x\ndifference (1.0 / 0.0)\n// expect: +nan.0\n\
                   grad (fun v -> vectorSum (vectorMap v (fun x -> x * 2.0))) [| 1.0; 2.0 |]\n\
                   // expect: #((6 . 2) (6 . 2))\n";
    let folder = folder("conform_rewriting", &[("a.fs", program)]);
    let cell = |code: i32, options: &[&str]| {
        let mut told = table(&folder, code, &[&["--engine", "interp", "."], options].concat());
        told["files"][0]["cells"][0].take()
    };
    let [written, rewritten, by_default] =
        [&["--rewrite", "off"][..], &["--rewrite", "on"], &[]].map(|options| cell(0, options)["steps"].as_u64());
    assert!(by_default == rewritten && rewritten < written, "{written:?} {rewritten:?} {by_default:?}");
    let by_algebra = cell(1, &["--algebra"]);
    let reason = "line 1 of the output (line 3 of the case): expected `+nan.0`, got `0`";
    assert_eq!(by_algebra["reasons"], json!([reason]));
    assert_eq!(conform(&folder, &["--algebra", "--rewrite", "off", "."]).code, Some(2));
}

/// The digest depends neither on engines nor on paths, and is that of the merged shards; where something fails there is none.
#[test]
fn a_digest_is_one_line() {
    let programs =
        [("a.vlad", "(exp 1)\n;; expect: 2.718281828459045\n"), ("b.vlad", "(car 1)\n"), ("c/d.vlad", "(write 2)")];
    let own = folder("digest", &programs);
    let line = conform(&own, &["--digest", "--engine", "interp", "."]).succeeded();
    assert!(line.starts_with("sha256 ") && line.ends_with(" of 3 programs\n") && line.lines().count() == 1, "{line}");
    assert_eq!(conform(&own, &["--digest", "--engine", "hybrid", "--engine", "native", "."]).succeeded(), line);
    let report = |number: usize| own.join(format!("{number}.json"));
    for number in [1, 2] {
        let (shard, path) = (format!("{number}/2"), report(number));
        let words =
            ["--shard", &shard, "--format", "json", "--output", path.to_str().unwrap(), "--engine", "interp", "."];
        conform(&own, &words).succeeded();
    }
    let reports = [report(1), report(2)];
    let merge = ["--digest", "--merge", reports[0].to_str().unwrap(), reports[1].to_str().unwrap()];
    assert_eq!(conform(&own, &merge).succeeded(), line);
    let other = folder("digest-other", &[("x.vlad", "(exp 1)\n;; expect: 2.7\n")]);
    let failed = conform(&other, &["--digest", "--engine", "interp", "."]);
    assert!(failed.code == Some(1) && failed.output.contains("1 failed") && !failed.output.contains("sha256"));
}
