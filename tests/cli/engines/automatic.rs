//! The engine `auto`: it starts at once and moves to compiled code, which only `--stats` and `--json` reveal.
#![cfg(target_os = "linux")]

use super::selection::{numbers, soon_gone};
use crate::{Answer, answer_of, executable, folder, vlad, wait_until};
use rstest::rstest;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

/// Prints the sum of 1 to n for each number n that is read, until one is negative.
const SUMS: &str = "(define (sum n s) (if (zero? n) s (sum (- n 1) (+ s n))))
    (define (sums k) (let ((n (read-real))) (if (< n 0) (list k n) (let ((s (write (sum n 0)))) (sums (+ k 1))))))
    (define first (write (sum (read-real) 0)))
    first
    (sums 0)
    (car first)";

/// A running command with open input and output.
struct Interaction {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Interaction {
    fn begin(command: &mut Command) -> Interaction {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Interaction { child, input, output }
    }

    fn say(&mut self, number: &str) {
        self.input.write_all(number.as_bytes()).unwrap();
        self.input.write_all(b"\n").unwrap();
        self.input.flush().unwrap();
    }

    fn say_all(&mut self, numbers: &[&str]) {
        numbers.iter().for_each(|number| self.say(number));
    }

    /// Returns the next line of the output; the command flushes its output before it waits for a number.
    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Waits until the compiler has ended, successfully or not, and the run has recorded that.
    fn wait_for_the_compiler(&self) {
        let tasks = format!("/proc/{}/task", self.child.id());
        let name = |task: fs::DirEntry| fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        wait_until("the compiler ends", || {
            fs::read_dir(&tasks).unwrap().flatten().all(|task| name(task) != "background\n")
        });
    }

    /// Waits for the end, and returns the rest of the output, the errors and the exit code.
    fn end(mut self) -> Answer {
        drop(self.input);
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut rest).unwrap();
        let mut answer: Answer = self.child.wait_with_output().unwrap().into();
        answer.output = rest;
        answer
    }
}

/// A command with an empty cache.
fn cold(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = vlad();
    command.args(arguments).env("VLAD_CACHE", folder.join("cache")).env("TMPDIR", folder);
    command
}

/// A compiler that waits for a file `go`, and leaves its process number beside itself.
pub fn waiting_compiler(folder: &Path, then: &str) -> PathBuf {
    let path = folder.join("waiting-cc");
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'fake 1.0'; exit 0; fi\n\
         echo $$ > \"$0.part\"\nmv \"$0.part\" \"$0.numbers\"\n\
         while [ ! -e \"${{0%waiting-cc}}go\" ]; do sleep 0.02; done\n{then}\n"
    );
    executable(&path, &script);
    path
}

fn entries(folder: &Path) -> usize {
    let listed = fs::read_dir(folder.join("cache")).into_iter().flatten().flatten();
    listed.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "object")).count()
}

#[test]
fn a_run_moves_and_nobody_sees_it() {
    let folder = folder("moves", &[]);
    let mut dialogue = Interaction::begin(&mut cold(&folder, &["--stats", "-e", SUMS]));
    dialogue.say("4");
    dialogue.say("20000");
    // The first number is answered in a definition, the second in an expression that is being evaluated when the run
    // moves.
    assert_eq!([dialogue.hear(), dialogue.hear()], ["10", "10"]);
    wait_until("it is compiled", || entries(&folder) == 1);
    dialogue.wait_for_the_compiler();
    for n in ["30000", "3", "20000", "-1"] {
        dialogue.say(n);
    }
    let answer = dialogue.end();
    assert_eq!((answer.code, answer.output.as_str()), (Some(1), "200010000\n450015000\n6\n200010000\n(4 -1)\n"));
    assert!(answer.errors.contains("error[type]: `car` expects a pair, found 10"), "{}", answer.errors);
    assert!(
        answer.errors.contains("engine: hybrid for ") && answer.errors.contains(" s, then native\n"),
        "{}",
        answer.errors
    );
    // Errors and steps equal those of a run on one engine.
    let mut one = Interaction::begin(&mut cold(&folder, &["--stats", "--engine", "interp", "-e", SUMS]));
    one.say_all(&["4", "20000", "30000", "3", "20000", "-1"]);
    let steps = |errors: &str| {
        let end = errors.find("\npeak memory").unwrap();
        errors[..end].to_owned()
    };
    assert_eq!(steps(&answer.errors), steps(&one.end().errors));
    // The next run finds the object in the cache.
    let told = answer_of(&mut cold(&folder, &["--stats", "-e", SUMS]));
    assert!(told.errors.ends_with("engine: native\n"), "{}", told.errors);
}

#[test]
fn all_engines_that_ran_are_named_in_json() {
    let folder = folder("json", &[]);
    let mut dialogue = Interaction::begin(&mut cold(&folder, &["--json", "-e", SUMS]));
    dialogue.say("1");
    wait_until("it is compiled", || entries(&folder) == 1);
    dialogue.wait_for_the_compiler();
    dialogue.say_all(&["30000", "-1"]);
    let told: Value = serde_json::from_str(&dialogue.end().output).unwrap();
    assert_eq!((&told["engine"], &told["engines"]), (&json!("native"), &json!(["native", "hybrid"])));
    assert_eq!(told["output"][2]["text"], json!("450015000"));
}

/// Makes lists of each number of elements that is read, whose cells take more than a quarter of the memory limit if they are many.
const LISTS: &str = "(define (up-to n l) (if (= n 0) l (up-to (- n 1) (cons n l))))
    (define (sum l s) (if (null? l) s (sum (cdr l) (+ s (car l)))))
    (define (sums k s) (if (= k 0) s (sums (- k 1) (+ s (sum (up-to (read-real) '()) 0)))))
    (sums 1 0)
    (sums 1 0)
    (sums 1 0)";
const MEMORY_FOR_LISTS: [&str; 2] = ["--max-memory", "192M"];

#[test]
fn a_run_moves_again_where_specialised_code_gives_up() {
    let folder = folder("moves again", &[]);
    let arguments = [&MEMORY_FOR_LISTS[..], &["--stats", "-e", LISTS]].concat();
    let mut dialogue = Interaction::begin(&mut cold(&folder, &arguments));
    dialogue.say("10");
    assert_eq!(dialogue.hear(), "55");
    for (number, n) in ["1700000", "30000"].into_iter().enumerate() {
        wait_until("it is compiled", || entries(&folder) == number + 1);
        dialogue.wait_for_the_compiler();
        dialogue.say(n);
        dialogue.hear();
    }
    let errors = dialogue.end().errors;
    let moves = ["engine: hybrid for ", " s, then native, and after ", " s hybrid, and after ", " s native\n"];
    let told =
        "given up at <expression>:5:5: the cells or the tape of its specialised code take more memory than they may\n";
    assert!(moves.iter().chain([&told]).all(|text| errors.contains(text)), "{errors}");
}

#[test]
fn what_is_given_up_is_told() {
    let folder = folder("given up", &[]);
    let run = |numbers: &str| {
        let mut command = cold(&folder, &["--engine", "native", "--json", "-e", LISTS]);
        let mut child = command.args(MEMORY_FOR_LISTS).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(numbers.as_bytes()).unwrap();
        let told: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
        assert_eq!((&told["status"], &told["engine"]), (&json!("ok"), &json!("native")));
        told["given_up"].clone()
    };
    assert_eq!(run("10 20 30"), json!([]));
    let told = run("10 1700000 30");
    assert_eq!((&told[0]["place"]["line"], told.as_array().map(Vec::len)), (&json!(5), Some(1)));
    assert!(
        told[0]["reason"].as_str().is_some_and(|reason| reason.ends_with("take more memory than they may")),
        "{told}"
    );
    let deep = "(define (f n) (if (= n 0) 0 (+ 1 (* 1 (f (- n 1)))))) (ifold (lambda (s i) (+ s (f 1000))) 0 3)";
    let mut command = cold(&folder, &["--engine", "native", "--json", "--max-depth", "500", "-e", deep]);
    let told: Value = serde_json::from_str(&answer_of(&mut command).output).unwrap();
    assert_eq!(told["given_up"][0]["reason"], json!("its specialised code may nest calls more deeply than the limit"));
}

#[rstest]
#[case::a_compiler_that_fails("echo no; exit 1", "the C compiler")]
#[case::an_object_of_something_else(
    "echo 'int x;' > other.c && cc -shared -o program.so other.c",
    "left no usable object"
)]
fn a_run_goes_on_where_compiling_fails(#[case] then: &str, #[case] reason: &str) {
    let folder = folder("fails", &[("go", "")]);
    let compiler = waiting_compiler(&folder, then);
    let mut command = cold(&folder, &["--stats", "-e", SUMS, "--cc"]);
    let mut dialogue = Interaction::begin(command.arg(&compiler));
    numbers(&compiler);
    dialogue.wait_for_the_compiler();
    dialogue.say_all(&["1", "30000", "2", "-1"]);
    let answer = dialogue.end();
    assert_eq!(answer.output, "1\n1\n450015000\n3\n(2 -1)\n");
    let told = "engine: hybrid; the program could not be compiled: ";
    assert!(answer.errors.contains(told) && answer.errors.contains(reason), "{}", answer.errors);
    assert_eq!(entries(&folder), 0);
}

#[test]
fn the_compiler_goes_on_for_the_next_run() {
    let folder = folder("goes on", &[]);
    let compiler = waiting_compiler(&folder, "exec cc \"$@\"");
    let command = || {
        let mut command = cold(&folder, &["--stats", "-e", "(read-real)", "--cc"]);
        command.arg(&compiler);
        command
    };
    let mut dialogue = Interaction::begin(&mut command());
    numbers(&compiler);
    thread::sleep(Duration::from_millis(250));
    dialogue.say("7");
    let answer = dialogue.end();
    assert_eq!((answer.code, answer.output.as_str()), (Some(0), "7\n"));
    assert!(answer.errors.ends_with("engine: hybrid; the compiler goes on for the next run\n"), "{}", answer.errors);
    assert_eq!(entries(&folder), 0);
    fs::write(folder.join("go"), "").unwrap();
    wait_until("it is compiled after the run", || entries(&folder) == 1);
    let mut dialogue = Interaction::begin(&mut command());
    dialogue.say("8");
    let answer = dialogue.end();
    assert_eq!(answer.output, "8\n");
    assert!(answer.errors.ends_with("engine: native\n"), "{}", answer.errors);
}

/// The process that generates C and runs the compiler has the memory limit of the compiler.
#[test]
fn the_limit_of_memory_is_that_of_all_who_compile() {
    let folder = folder("limited", &[]);
    let compiler = waiting_compiler(&folder, "exit 1");
    let mut command = cold(&folder, &["--max-memory", "300M", "-e", "(read-real)", "--cc"]);
    let mut dialogue = Interaction::begin(command.arg(&compiler));
    numbers(&compiler);
    let tasks = fs::read_dir(format!("/proc/{}/task", dialogue.child.id())).unwrap().flatten();
    let children: String = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok()).collect();
    let limits = fs::read_to_string(format!("/proc/{}/limits", children.trim())).unwrap();
    let space = limits.lines().find(|line| line.starts_with("Max address space")).unwrap();
    assert_eq!(space.split_ascii_whitespace().nth(3), Some((300 << 20).to_string().as_str()), "{limits}");
    dialogue.say("7");
    assert_eq!(dialogue.end().output, "7\n");
}

/// The process that compiles ends soon after a run whose objects are not kept, after a run in a sandbox, and after a
/// run that is killed.
#[rstest]
#[case::nothing_is_kept(&["--no-cache"], false)]
#[case::in_a_sandbox(&["--sandbox"], false)]
#[case::killed(&[], true)]
fn the_compiler_ends_with_the_run(#[case] arguments: &[&str], #[case] is_killed: bool) {
    let folder = folder("ends", &[("tmp/keep", "")]);
    let compiler = waiting_compiler(&folder, "exit 1");
    let mut command = cold(&folder, &["--stats", "-e", "(read-real)", "--cc"]);
    command.arg(&compiler).args(arguments).env("TMPDIR", folder.join("tmp"));
    let mut dialogue = Interaction::begin(&mut command);
    let numbers = numbers(&compiler);
    if is_killed {
        dialogue.child.kill().unwrap();
        dialogue.child.wait().unwrap();
    } else {
        // After this time the compiler would continue for the next run.
        thread::sleep(Duration::from_millis(250));
        dialogue.say("7");
        let answer = dialogue.end();
        assert_eq!(answer.output, "7\n");
        assert!(answer.errors.ends_with("engine: hybrid; the compiler was ended with it\n"), "{}", answer.errors);
    }
    soon_gone(&numbers);
    wait_until("temporary files are gone", || fs::read_dir(folder.join("tmp")).unwrap().count() == 1);
}

/// A run does not use the compiler before it begins, and prepares nothing for it: a program with an object in the cache
/// runs on `native` at once, and any other at once on `hybrid`.
#[rstest]
#[case::found(&[])]
#[case::named(&["--cc", "cc"])]
fn nothing_is_waited_for(#[case] arguments: &[&str]) {
    let folder = folder("nothing_waited_for", &[]);
    // This compiler never answers when it is asked for its version.
    fs::create_dir(folder.join("bin")).unwrap();
    executable(&folder.join("bin/cc"), "#!/bin/sh\nexec /bin/sleep 1000\n");
    let mut command = cold(&folder, &["--stats", "--no-cache", "-e", "(read-real) 7"]);
    command.args(arguments).env("PATH", folder.join("bin")).env_remove("CC");
    let mut dialogue = Interaction::begin(&mut command);
    dialogue.say("6");
    assert_eq!([dialogue.hear(), dialogue.hear()], ["6", "7"]);
    let answer = dialogue.end();
    assert!(answer.errors.contains("engine: hybrid"), "{}", answer.errors);
}

/// A mark in the cache says that a program's object was there. If the object is gone, the program runs nevertheless.
#[test]
fn objects_that_are_gone_are_not_missed() {
    let folder = folder("gone", &[]);
    let run = |engine: &str| answer_of(&mut cold(&folder, &["--stats", "--engine", engine, "-e", "(+ 1 2)"]));
    let told = |engine: &str| run(engine).errors.lines().next_back().unwrap_or_default().to_owned();
    assert!(told("auto").starts_with("engine: hybrid"));
    assert_eq!((told("native"), told("auto")), ("engine: native".to_owned(), "engine: native".to_owned()));
    for entry in fs::read_dir(folder.join("cache")).unwrap().flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "object") {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    let answer = run("auto");
    assert_eq!((answer.code, answer.output.as_str()), (Some(0), "3\n"));
    assert!(answer.errors.contains("engine: hybrid"), "{}", answer.errors);
    // The mark is removed after the first search in vain.
    let endings = fs::read_dir(folder.join("cache")).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(endings.filter(|path| path.extension().is_some_and(|ending| ending == "mark")).count(), 0);
}

#[test]
fn programs_that_end_at_once_are_not_compiled() {
    let folder = folder("at once", &[]);
    let compiler = waiting_compiler(&folder, "exit 1");
    let told = answer_of(cold(&folder, &["--stats", "-e", "1", "--cc"]).arg(&compiler));
    assert_eq!((told.code, told.output.as_str()), (Some(0), "1\n"));
    // On a slow machine the compiler may be started nevertheless.
    let ended = "engine: hybrid; the compiler was ended with it\n";
    let words = "engine: hybrid, to the end before anything was compiled\n";
    assert!(told.errors.ends_with(words) || told.errors.ends_with(ended), "{}", told.errors);
}
