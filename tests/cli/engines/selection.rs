//! Engine selection, the cache, and the C compiler of the native engine.

use crate::{Answer, answer, answer_to, executable, folder, vlad};
use rstest::rstest;
use serde_json::{Value, json};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};
use vlad_engines::Engine;

#[test]
fn every_engine_runs_programs() {
    let names = Engine::ALL.map(Engine::name);
    for name in names.iter().copied().chain(["auto", "all"]) {
        assert_eq!(
            answer_to(&["--engine", name, "-e", "(write (read-real)) (+ 1 (read-real))"], b"1 2").succeeded(),
            "1\n1\n3\n"
        );
        answer(&["--engine", name, "-e", "1 (car 2)"]).failed("1\n", "error[type]: `car` expects a pair, found 2");
        answer(&["--engine", name, "--max-steps", "3", "-e", "1 (+ 1 2)"]).failed("1\n", "error[steps]:");
    }
}

/// The first program is only huge as blocks: specialised, it is the number 3.
#[test]
fn auto_leaves_huge_programs_to_an_engine_that_does_not_compile() {
    let engine_of = |program: &str| {
        let answer = answer_to(&["--json", "--specialise", "never", "-"], program.as_bytes());
        let told: Value = serde_json::from_str(&answer.succeeded()).unwrap();
        (told["engine"].clone(), told["output"][0]["text"].clone())
    };
    let deep = 40_000;
    let huge = format!("{}3{}", "(if #t ".repeat(deep), " 4)".repeat(deep));
    assert_eq!(engine_of(&huge), (json!("hybrid"), json!("3")));
    let long = "(list (car '(1)) (sin 2) ((lambda (x) (* x x)) 3))\n".repeat(5_000);
    assert_eq!(engine_of(&long).0, json!("hybrid"));
}

#[test]
fn all_engines_are_named_in_json() {
    let told: Value = serde_json::from_str(&answer(&["--engine", "all", "--json", "-e", "1"]).succeeded()).unwrap();
    assert_eq!(told["engines"], json!(Engine::ALL.map(Engine::name)));
    assert_eq!((&told["engine"], &told["status"]), (&json!("interp"), &json!("ok")));
    assert_eq!((&told["disagreements"], &told["output"][0]["text"]), (&json!([]), &json!("1")));
}

#[test]
fn limits_hold_for_each_engine() {
    let endless = "(define (f x) (f x)) 1 (f 1)";
    answer(&["--engine", "all", "--timeout", "0.5", "-e", endless]).failed("1\n", "error[time]:");
    answer(&["--engine", "all", "--max-steps", "100000", "-e", endless]).failed("1\n", "error[steps]:");
    let deep = "(define (f x) (+ 1 (f x))) 1 (f 1)";
    answer(&["--engine", "all", "--max-memory", "200M", "--max-depth", "1000000000", "-e", deep])
        .failed("1\n", "error[memory]:");
}

#[test]
fn the_cache_is_where_the_variable_says() {
    let folder = folder("cache of a 'user'\n", &[]);
    let told: Answer = vlad().args(["cache", "path"]).env("VLAD_CACHE", &folder).output().unwrap().into();
    assert_eq!(told.succeeded(), format!("{}\n", folder.display()));
    let told: Answer = vlad().args(["cache", "clear"]).env("VLAD_CACHE", &folder).output().unwrap().into();
    assert!(told.succeeded().starts_with("0 objects, 0 bytes removed from "));
    let mut nowhere = vlad();
    nowhere.args(["cache", "path"]).env_remove("VLAD_CACHE").env_remove("XDG_CACHE_HOME").env_remove("HOME");
    Answer::from(nowhere.output().unwrap()).failed("", "error[file]: there is no cache");
    let file: Answer = vlad().args(["cache", "clear"]).env("VLAD_CACHE", "/dev/null").output().unwrap().into();
    file.failed("", "error[file]: the cache /dev/null cannot be emptied");
}

#[test]
fn the_doctor_tells_what_is_missing() {
    let folder = folder("doctor", &[]);
    let told = vlad().args(["doctor", "--cc", "no such compiler"]).env("VLAD_CACHE", &folder).output().unwrap();
    let told: Answer = told.into();
    assert_eq!((told.code, told.errors.as_str()), (Some(4), ""));
    for line in
        ["no such compiler (from --cc)", "--engine hybrid", "cache ", "native     does not work", "auto       hybrid\n"]
    {
        assert!(told.output.contains(line), "{line}: {}", told.output);
    }
    let told: Answer = vlad().args(["doctor", "--cc", "false"]).env("VLAD_CACHE", &folder).output().unwrap().into();
    assert_eq!(told.code, Some(4));
    assert!(told.output.contains("trial      the C compiler"), "{}", told.output);
}

/// A compiler that reports its version after some time and then hangs, together with a program that it starts; both
/// leave their process numbers beside the compiler.
fn hanging_compiler(folder: &Path, seconds_to_version: &str) -> PathBuf {
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then sleep {seconds_to_version}; echo 'fake 1.0'; exit 0; fi\n\
         sleep 1000 &\necho $$ $! > \"$0.part\"\nmv \"$0.part\" \"$0.numbers\"\nwait\n"
    );
    let path = folder.join("hanging cc");
    executable(&path, &script);
    path
}

/// Waits until the compiler runs, and returns the two process numbers.
pub fn numbers(compiler: &Path) -> Vec<String> {
    let mut path = compiler.as_os_str().to_owned();
    path.push(".numbers");
    let begun = Instant::now();
    loop {
        match fs::read_to_string(&path) {
            Ok(text) => return text.split_whitespace().map(str::to_owned).collect(),
            Err(_) => assert!(begun.elapsed() < Duration::from_secs(20), "the compiler was not run"),
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Asserts that processes end soon, if they have not ended yet. A zombie process counts as ended.
pub fn soon_gone(numbers: &[String]) {
    let gone =
        |number: &String| fs::read_to_string(format!("/proc/{number}/stat")).map_or(true, |stat| stat.contains(") Z "));
    let begun = Instant::now();
    while !numbers.iter().all(gone) {
        assert!(begun.elapsed() < Duration::from_secs(10), "{numbers:?}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A command that uses this compiler.
fn compiling_with(compiler: &Path, arguments: &[&str]) -> Command {
    let mut command = vlad();
    command.args(["--no-cache", "--cc"]).arg(compiler).args(arguments);
    command
}

#[rstest]
#[case::hanging_at_once("native", "0")]
#[case::slow_to_tell_its_version("native", "0.7")]
#[case::never_telling_its_version("all", "1000")]
fn a_time_limit_ends_the_compiler(#[case] engine: &str, #[case] seconds_to_version: &str) {
    let folder = folder(&format!("time of a compiler {engine} {seconds_to_version}"), &[]);
    let temporary = folder.join("temporary");
    fs::create_dir(&temporary).unwrap();
    let compiler = hanging_compiler(&folder, seconds_to_version);
    let begun = Instant::now();
    let mut command = compiling_with(&compiler, &["--timeout", "1.5", "--engine", engine, "-e", "1"]);
    let answer: Answer = command.env("TMPDIR", &temporary).output().unwrap().into();
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(answer.failed("", "error[time]:"), "error[time]: the time limit of 1.5 s is reached\n");
    if seconds_to_version != "1000" {
        soon_gone(&numbers(&compiler));
    }
    if seconds_to_version == "0" {
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    }
}

#[test]
fn that_there_is_no_compiler_takes_no_time() {
    let told =
        vlad().args(["--timeout", "0.000001", "-e", "1"]).env("PATH", "/nowhere").env_remove("CC").output().unwrap();
    assert_eq!(Answer::from(told).succeeded(), "1\n");
}

/// The compiler has the time limit of the program, in each of its phases.
#[rstest]
#[case::slow_to_tell_its_version("1000")]
#[case::compiling("0")]
fn a_time_limit_ends_the_compiler_of_auto(#[case] seconds_to_version: &str) {
    let folder = folder(&format!("time of a compiler {seconds_to_version}"), &[]);
    let compiler = hanging_compiler(&folder, seconds_to_version);
    let mut command = compiling_with(&compiler, &["--timeout", "1.5", "-e", "(define (f x) (f x)) (f 1)"]);
    let answer: Answer = command.env("TMPDIR", &folder).output().unwrap().into();
    let errors = answer.failed("", "error[time]:");
    assert!(errors.contains("the time limit of 1.5 s is reached"), "{errors}");
    if seconds_to_version == "0" {
        soon_gone(&numbers(&compiler));
    }
}

#[rstest]
#[case::terminated("TERM", 15)]
#[case::interrupted("INT", 2)]
#[case::hung_up("HUP", 1)]
fn a_signal_ends_the_compiler_too(#[case] name: &str, #[case] number: i32, #[values("native", "auto")] engine: &str) {
    let folder = folder(&format!("signal {name}"), &[]);
    let compiler = hanging_compiler(&folder, "0");
    let mut command = compiling_with(&compiler, &["--engine", engine, "-e", "(read-real)"]);
    let mut child = command.stdin(Stdio::piped()).env("TMPDIR", &folder).spawn().unwrap();
    // `wait` closes the input of a child, which would end the program.
    let _input = child.stdin.take();
    let numbers = numbers(&compiler);
    let send = |name: &str, number: &str| Command::new("kill").args([&format!("-{name}"), number]).status().unwrap();
    assert!(send(name, &child.id().to_string()).success());
    assert_eq!(child.wait().unwrap().signal(), Some(number));
    soon_gone(&numbers);
}

#[test]
fn an_object_of_something_else_is_an_error_and_is_not_kept() {
    let folder = folder("other object", &[("other.c", "int other(void) { return 1; }\n")]);
    let compiler = folder.join("cc");
    let script = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'fake 1.0'; exit 0; fi\n\
                  exec cc -shared -fPIC -o program.so \"${0%cc}other.c\"\n";
    let mut shell = Command::new("sh");
    shell.args(["-c", "printf %s \"$1\" > \"$0\" && chmod 755 \"$0\""]).arg(&compiler).arg(script);
    assert!(shell.status().unwrap().success());
    for engine in ["native", "all"] {
        let mut command = vlad();
        command.args(["--engine", engine, "-e", "1", "--cc"]).arg(&compiler);
        let answer: Answer = command.env("VLAD_CACHE", folder.join("cache")).output().unwrap().into();
        assert_eq!((answer.code, answer.output.as_str()), (Some(4), ""));
        assert!(answer.errors.contains("it does not hold what was to be compiled"), "{}", answer.errors);
    }
    assert_eq!(fs::read_dir(folder.join("cache")).unwrap().count(), 0);
}
