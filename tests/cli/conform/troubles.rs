//! `vlad conform` in want of memory, disk, compilers and names: a run that has begun has a report.

use super::{GOOD, conform, table};
use crate::{Answer, folder, vlad};
use rstest::rstest;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// Runs a command line of a shell in a folder, in which `$0` is the command.
fn in_shell(folder: &std::path::Path, script: &str) -> Answer {
    let mut shell = Command::new("sh");
    let built = vlad();
    shell.args(["-c", script]).arg(built.get_program()).current_dir(folder);
    for (name, value) in built.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.output().unwrap().into()
}

#[rstest]
#[case::tolerance(&["--tolerance", "dog=1e-3"], "--tolerance is for `dog`, and no --external has that name")]
#[case::units(&["--ulps", "dog=1"], "--ulps is for `dog`")]
#[case::steps(&["--steps-option", "dog=--max {}"], "--steps-option is for `dog`")]
#[case::depth(&["--depth-option", "dog=--max {}"], "--depth-option is for `dog`")]
#[case::folders(&["--folder-option", "dog=-I"], "--folder-option is for `dog`")]
#[case::two_columns(&["--external", "cat"], "two columns are called `cat`")]
#[case::name_of_an_engine(&["--external", "interp=cat"], "two columns are called `interp`")]
#[case::parts(&["--parts", "..23"], "parts are numbers from 1 to 22")]
#[case::no_engine(&["--no-engines", "--engine", "interp"], "cannot be used with")]
fn names_that_mean_nothing_are_no_command_line(#[case] options: &[&str], #[case] complaint: &str) {
    let name = format!("conform_names_{}", complaint.replace(|each: char| !each.is_alphanumeric(), "_"));
    let folder = folder(&name, &[("a.vlad", GOOD)]);
    let answer = conform(&folder, &[&["--external", "cat", "."], options].concat());
    assert_eq!((answer.code, answer.output.as_str()), (Some(2), ""), "{answer:?}");
    assert!(answer.errors.contains(complaint), "{}", answer.errors);
}

/// The output of a tool takes memory and time in proportion to what is expected of it, and the report has the other cells.
#[rstest]
#[case::lines("yes x | head -c 60000000", "line 2 of the output is not expected")]
#[case::one_line("head -c 60000000 /dev/zero | tr -c x x", "printed too much")]
#[case::errors("yes x | head -c 60000000 >&2", "it said: ... ")]
#[case::both("yes >&2 & yes", "printed too much")]
fn much_output_takes_little_memory(#[case] script: &str, #[case] complaint: &str) {
    let name = format!("conform_much_{}", complaint.replace(|each: char| !each.is_alphanumeric(), "_"));
    let folder = folder(&format!("{name}{}", script.len()), &[("a.vlad", GOOD)]);
    fs::write(folder.join("tool.sh"), script).unwrap();
    let begun = Instant::now();
    let limits = ["--engine", "interp", "--external", "sh tool.sh", "--max-memory", "150M"];
    let told = table(&folder, 1, &[&limits, &["."][..]].concat());
    let cells = &told["files"][0]["cells"];
    assert_eq!(cells[0]["verdict"], "passed");
    let reasons = cells[1]["reasons"].to_string();
    assert!(reasons.contains(complaint) && reasons.len() < 20_000, "{reasons}");
    assert!(begun.elapsed() < Duration::from_secs(60));
}

/// An engine's run that prints much is bounded alike.
#[test]
fn much_output_of_an_engine_is_a_short_report() {
    let folder =
        folder("conform_much_engine", &[("a.vlad", "(ifold (lambda (s i) (write i)) 0 200000)\n;; expect: 1\n")]);
    let told = table(&folder, 1, &["--engine", "hybrid", "."]);
    let reasons = told["files"][0]["cells"][0]["reasons"].as_array().unwrap();
    assert_eq!((reasons.len(), &reasons[12]), (13, &json!("... and 199989 more")), "{reasons:?}");
}

/// The words of a tool about its failure are told behind all other reasons, its last ones too.
#[test]
fn standard_errors_are_told_whatever_else_fails() {
    let many = (0..50).map(|number| format!(";; expect: {number}\n")).collect::<String>();
    let folder = folder("conform_said", &[("a.vlad", &format!("1\n{many}"))]);
    let script = "echo first >&2\nfor i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo frame $i >&2; done\n\
                  echo the reason >&2\nexit 3\n";
    fs::write(folder.join("tool.sh"), script).unwrap();
    let options = ["--no-engines", "--external", "sh tool.sh", "."];
    let text = conform(&folder, &options).output;
    for line in ["line 1 of the output is missing", "and 39 more", "it said: first", "it said: the reason"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let reasons = table(&folder, 1, &options)["files"][0]["cells"][0]["reasons"].to_string();
    assert!(reasons.contains("it said: the reason"), "{reasons}");
}

/// A process without further memory reports what was finished, and the rest as failures.
#[test]
fn a_run_that_is_cut_off_has_a_report() {
    // Reading it takes more memory than there is; files with a limit of memory run before all others.
    let list = format!("(define l '({}))\n1\n;; expect: 1\n", "(1 2 3 4 5 6 7 8) ".repeat(600_000));
    let folder = folder("conform_cut_off", &[("a.vlad", &format!("{GOOD};; limit: memory 140M\n")), ("b.vlad", &list)]);
    let options = ["--engine", "interp", "--max-memory", "150M", "."];
    for form in [&["--format", "json"][..], &["--format", "json", "--output", "report"]] {
        let answer = conform(&folder, &[&options, form].concat());
        assert_eq!(answer.code, Some(1), "{}", answer.errors);
        let text = if form.len() == 2 { answer.output } else { fs::read_to_string(folder.join("report")).unwrap() };
        let told: Value = serde_json::from_str(&text).unwrap();
        let verdict = |file: usize| told["files"][file]["cells"][0]["verdict"].clone();
        assert_eq!((verdict(0), verdict(1)), (json!("passed"), json!("failed")), "{told}");
    }
}

/// The disk is full for the programs of the compiler, or no further process can be had: cells fail, or the engine is left out.
#[test]
fn want_of_disk_is_a_result() {
    let folder = folder("conform_disk", &[("a.vlad", GOOD)]);
    let answer = in_shell(&folder, "ulimit -f 1; \"$0\" conform --no-cache --external 'sh -c \"echo 3\"' .");
    assert!(answer.output.contains("interp  1 passed") && answer.output.contains("sh      1 passed"), "{answer:?}");
}

/// A compiler that is there and fails is no reason not to run the other engines, however it is named; one that is asked for has to
/// work.
#[test]
fn engines_run_as_far_as_they_work() {
    let folder = folder("conform_compilers", &[("a.vlad", GOOD)]);
    for (name, script) in
        [("fails", "exit 1"), ("silent", "exit 0"), ("killed", "kill -9 $$"), ("odd", "echo odd; exit 0")]
    {
        let compiler = folder.join(name);
        fs::write(&compiler, format!("#!/bin/sh\n{script}\n")).unwrap();
        assert!(Command::new("chmod").arg("755").arg(&compiler).status().unwrap().success());
        let compiler = compiler.to_str().unwrap();
        let answer = conform(&folder, &["--no-cache", "--cc", compiler, "a.vlad"]);
        assert!(answer.code == Some(0) && answer.output.contains("hybrid  1 passed"), "{name}: {answer:?}");
        assert!(answer.errors.starts_with("note: without `native`: "), "{name}: {answer:?}");
        assert!(!answer.output.contains("native"), "{name}: {answer:?}");
        let mut named = vlad();
        let answer: Answer = named
            .args(["conform", "--no-cache", "a.vlad"])
            .env("VLAD_CC", compiler)
            .current_dir(&folder)
            .output()
            .unwrap()
            .into();
        assert_eq!(answer.code, Some(0), "{name}: {answer:?}");
        let answer = conform(&folder, &["--no-cache", "--engine", "native", "--cc", compiler, "a.vlad"]);
        assert_eq!(answer.code, Some(4), "{name}: {answer:?}");
    }
    assert_eq!(conform(&folder, &["--cc", "/nowhere/at/all", "a.vlad"]).code, Some(4));
}

/// A line of a list that names no file, or no column, is told by every form of the report, and by every shard alike.
#[test]
fn lines_of_known_failures_that_mean_nothing_are_told() {
    let wrong = "(+ 1 2)\n;; expect: 4\n";
    let folder = folder("conform_list", &[("a.vlad", wrong), ("b.vlad", GOOD), ("c.vlad", GOOD)]);
    fs::write(folder.join("list"), "a.vlad\n# gone\ngone/*.vlad\nmine: a.vlad\nnative: a.vlad\n").unwrap();
    let options = ["--engine", "interp", "--known-failures", "list", "."];
    let warnings = json!([
        "line 3 of list: no file matches `gone/*.vlad`, which is compared with whole paths",
        "line 4 of list: there is no column `mine`"
    ]);
    assert_eq!(table(&folder, 0, &options)["warnings"], warnings);
    // Files that are not selected count as well.
    assert_eq!(table(&folder, 0, &[&options[..], &["--filter", "b.vlad"]].concat())["warnings"], warnings);
    let report = |form: &str| conform(&folder, &[&options[..], &["--format", form]].concat()).succeeded();
    assert!(
        report("text")
            .contains("warning: line 3 of list: no file matches `gone/*.vlad`, which is compared with whole paths\n")
    );
    assert!(report("junit").contains(
        "<system-err>line 3 of list: no file matches `gone/*.vlad`, which is compared with whole paths&#10;line 4"
    ));
    assert!(report("github").contains("::warning title=vlad conform::line 4 of list: there is no column `mine`\n"));
    for (number, shard) in ["1/2", "2/2"].iter().enumerate() {
        let output = format!("{number}.json");
        conform(&folder, &[&options[..], &["--shard", shard, "--format", "json", "--output", &output]].concat())
            .succeeded();
    }
    assert_eq!(table(&folder, 0, &["--merge", "0.json", "1.json"])["warnings"], warnings);
    let answer = conform(&folder, &[&options[..], &["--digest"]].concat());
    assert!(answer.output.starts_with("sha256 ") && answer.output.lines().count() == 1, "{answer:?}");
    assert!(answer.errors.starts_with("warning: line 3 of list"), "{answer:?}");
}
