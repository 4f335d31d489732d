//! `vlad fuzz`: its reports, and evidence that it finds faults.

use crate::{answer, folder, vlad};
use std::fs;
#[cfg(unix)]
use std::path::Path;

#[test]
fn a_small_campaign_finds_nothing() {
    let arguments = ["fuzz", "--seed", "4", "--cases", "60", "--engine", "interp", "--engine", "hybrid"];
    let output = answer(&arguments).succeeded();
    assert!(output.starts_with("60 cases, 30 good and 30 bad;"), "{output}");
    assert!(output.contains("runs: hybrid 60, interp 60\n") && output.contains("\n0 findings\n"), "{output}");
}

#[test]
fn first_order_code_and_code_without_it_are_compared() {
    let scalar = ["fuzz", "--kind", "scalar", "--engine"];
    let output = answer(&[&scalar[..], &["hybrid", "--engine", "first-order", "--cases", "40"]].concat()).succeeded();
    assert!(output.contains("runs: first-order 40, hybrid 40\n") && output.contains("\n0 findings\n"), "{output}");
    let both = ["native", "--engine", "native-tagged", "--cases", "4"];
    let output = answer(&[&scalar[..], &both].concat()).succeeded();
    assert!(output.contains("runs: native 4, native-tagged 4\n") && output.contains("\n0 findings\n"), "{output}");
    // They run no program by themselves.
    assert_eq!(answer(&["run", "--engine", "first-order", "-e", "1"]).code, Some(2));
}

#[test]
fn the_object_says_the_same_with_several_processes() {
    let object = |jobs: &str| {
        let arguments = ["fuzz", "--kind", "good", "--cases", "250", "--engine", "hybrid", "--json", "--jobs", jobs];
        let output = answer(&arguments).succeeded();
        let mut object: serde_json::Value = serde_json::from_str(&output).unwrap();
        object.as_object_mut().unwrap().remove("seconds");
        object
    };
    let one = object("1");
    assert_eq!(one["cases"], 250);
    assert_eq!(one["found"], 0);
    assert!(one["executed"]["sin"]["FR"].as_u64().unwrap() > 0);
    assert!(one["written"]["map"]["-"].as_u64().unwrap() > 0);
    assert_eq!(one, object("3"));
}

/// A compiler with a wrong square root is detected, and the findings are small cases that fail with it. Specialised code
/// computes the roots of known numbers without the compiler.
#[test]
#[cfg(unix)]
fn findings_are_small_cases_in_files() {
    let folder = folder("fuzz-findings", &[]);
    let compiler = folder.join("cc");
    crate::executable(&compiler, "#!/bin/sh\nexec cc '-D__builtin_sqrt(x)=((x)+1.0)' \"$@\"\n");
    let found = folder.join("found");
    let mut command = vlad();
    command
        .args(["fuzz", "--kind", "good", "--seed", "3", "--cases", "20", "--size", "30"])
        .args(["--engine", "interp", "--engine", "native"])
        .args(["--specialise", "never"]);
    let answer: crate::Answer = command.arg("--cc").arg(&compiler).arg("-o").arg(&found).output().unwrap().into();
    assert_eq!(answer.code, Some(3), "{}{}", answer.output, answer.errors);
    assert!(answer.output.contains("native differs in"), "{}", answer.output);
    let files: Vec<_> = fs::read_dir(&found).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let program: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
        assert!(program.join(" ").len() < 200, "{text}");
        let conform = |compiler: &str| {
            let arguments = ["conform", "--engine", "interp", "--engine", "native", "--cc", compiler, "--no-cache"];
            vlad().args(arguments).args(["--specialise", "never"]).arg(&file).output().unwrap().status.code()
        };
        assert_eq!(conform("cc"), Some(0), "{text}");
        assert_ne!(conform(compiler.to_str().unwrap()), Some(0), "{text}");
    }
}

/// A compiler whose square root crashes in code that can stop at each step.
#[cfg(unix)]
const BREAKING: &str = "#!/bin/sh
if [ -f program.c ] && grep -q VLAD_STOPPABLE program.c
then exec cc '-D__builtin_sqrt(x)=(__builtin_trap(), (x))' \"$@\"
fi
exec cc \"$@\"
";

/// Runs the case of a file again on `interp` and on `native` with this compiler.
#[cfg(unix)]
fn again(file: &Path, compiler: &Path) -> crate::Answer {
    let mut command = vlad();
    command.args(["fuzz", "--kind", "good", "--engine", "interp", "--engine", "native", "--cc"]).arg(compiler);
    command.arg("--case").arg(file).output().unwrap().into()
}

#[test]
#[cfg(unix)]
fn a_case_is_run_again_with_its_suspensions() {
    let case = |suspended: &str| {
        let around = format!("; input: 4\n; limit: open\n; suspended: {suspended}");
        format!("{around}\n; program:\n(define (f x) (sqrt (+ x 1)))\n(f (read-real))\n")
    };
    let files = [("whole.vlad", &*case("no")), ("parts.vlad", &case("by choice 3")), ("none.vlad", "1")];
    let folder = folder("fuzz-again", &files);
    let compiler = folder.join("cc");
    crate::executable(&compiler, BREAKING);
    // A whole run without a limit needs no code that can stop.
    assert_eq!(again(&folder.join("whole.vlad"), &compiler).succeeded(), "nothing is wrong\n");
    assert_eq!(again(&folder.join("parts.vlad"), Path::new("cc")).succeeded(), "nothing is wrong\n");
    // With this choice, the compiled part is the one with the square root.
    let answer = again(&folder.join("parts.vlad"), &compiler);
    assert_eq!(answer.code, Some(3), "{}", answer.errors);
    assert!(answer.output.starts_with("a process breaks down: "), "{}", answer.output);
    let answer = again(&folder.join("none.vlad"), &compiler);
    assert_eq!(answer.code, Some(1));
    assert!(answer.errors.contains("holds no case: there is no line `; program:`"), "{}", answer.errors);
}

/// Checks that a case need not be UTF-8, and that the process that runs a case reports that it cannot be read.
#[test]
fn cases_that_are_run_again_are_read_as_bytes() {
    let around = "; input:\n; limit: none\n; suspended: no\n; program:\n";
    let folder = folder("fuzz-bytes", &[("less.vlad", &around.replace("; limit: none\n", ""))]);
    let file = folder.join("-bytes.vlad");
    fs::write(&file, [around.as_bytes(), b"(car \xff)\n"].concat()).unwrap();
    let run = |words: &[&str]| -> crate::Answer {
        let mut command = vlad();
        command.current_dir(&folder).args(["fuzz", "--engine", "interp", "--engine", "hybrid"]).args(words);
        command.output().unwrap().into()
    };
    assert_eq!(run(&["--case=-bytes.vlad"]).succeeded(), "nothing is wrong\n");
    let answer = run(&["--case", "less.vlad"]);
    assert_eq!(answer.code, Some(1));
    assert!(answer.errors.contains("less.vlad holds no case: there is no line `; limit:`"), "{}", answer.errors);
    // The process that runs the case reports the error to the one that started it.
    let answer = run(&["--worker", "--case", "missing.vlad"]);
    assert_eq!(answer.code, Some(1));
    assert!(answer.output.starts_with("missing.vlad cannot be read: "), "{}", answer.output);
}

#[test]
#[cfg(unix)]
fn what_a_process_breaks_down_over_is_a_small_case_in_a_file() {
    let folder = folder("fuzz-broken", &[]);
    let compiler = folder.join("cc");
    crate::executable(&compiler, BREAKING);
    let mut command = vlad();
    // A program with a square root. It depends on the generator which case has one.
    command.args(["fuzz", "--kind", "good", "--from", "9", "--cases", "1", "--size", "30", "--shape", "100"]);
    command.args(["--interruption", "100"]);
    command
        .args(["--engine", "interp", "--engine", "native", "--cc"])
        .arg(&compiler)
        .arg("-o")
        .arg(folder.join("found"));
    let answer: crate::Answer = command.output().unwrap().into();
    assert_eq!(answer.code, Some(3), "{}{}", answer.output, answer.errors);
    assert!(answer.output.contains("\n1 cases, 1 good and 0 bad;"), "{}", answer.output);
    let file = folder.join("found/seed-1-case-9.vlad");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("; Case 9 of seed 1: a process breaks down: "), "{text}");
    assert!(
        text.contains("\n; vlad fuzz --case FILE --kind good --optimise least --engine interp --engine native"),
        "{text}"
    );
    let (_, program) = text.split_once("; program:\n").unwrap();
    // `magnitude` and `distance` of the prelude take a square root.
    let has_root = ["sqrt", "magnitude", "distance"].iter().any(|name| program.contains(name));
    assert!(has_root && program.len() < 200, "{text}");
    assert_eq!(again(&file, &compiler).code, Some(3), "{text}");
    assert_eq!(again(&file, Path::new("cc")).code, Some(0), "{text}");
}

#[test]
fn derivatives_of_random_procedures_are_checked() {
    let arguments = ["fuzz", "--kind", "gradients", "--cases", "20", "--engine", "hybrid"];
    let output = answer(&arguments).succeeded();
    assert!(output.starts_with("20 procedures, "), "{output}");
    assert!(output.contains("runs: hybrid 20\n") && output.contains("\n0 findings\n"), "{output}");
    let output = answer(&[&arguments[..], &["--json"]].concat()).succeeded();
    let object: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(
        (&object["cases"], &object["bad"], &object["gradients"]["procedures"]),
        (&20.into(), &0.into(), &20.into())
    );
    assert!(object["gradients"]["compared"].as_u64().unwrap() > 0, "{output}");
}

/// Shards that were run apart are merged into the report of the whole campaign.
#[test]
fn shards_make_the_report_of_the_whole() {
    let folder = folder("fuzz-shards", &[]);
    let options = ["fuzz", "--kind", "good", "--cases", "50", "--engine", "hybrid", "--json"];
    let object = |more: &[&str]| {
        let mut object: serde_json::Value = serde_json::from_str(&answer(more).succeeded()).unwrap();
        object.as_object_mut().unwrap().remove("seconds");
        object
    };
    let files: Vec<String> = ["1/3", "2/3", "3/3"]
        .into_iter()
        .map(|shard| {
            let file = folder.join(shard.replace('/', "-"));
            fs::write(&file, answer(&[&options[..], &["--shard", shard]].concat()).succeeded()).unwrap();
            file.to_str().unwrap().to_owned()
        })
        .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let merged = object(&[&["fuzz", "--json", "--merge"], &files[..]].concat());
    assert_eq!(merged["cases"], 50);
    assert_eq!(merged, object(&options));
    let text = answer(&[&["fuzz", "--merge"], &files[..]].concat()).succeeded();
    assert!(text.starts_with("50 cases, 50 good and 0 bad") && text.contains("\nseed 1; "), "{text}");
    let error = answer(&["fuzz", "--merge", files[0], files[2]]).failed("", "error[file]");
    assert!(error.contains("the shard 2/3 is missing"), "{error}");
    answer(&["fuzz", "--merge", file!()]).failed("", "error[");
}
