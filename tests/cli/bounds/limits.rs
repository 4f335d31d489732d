//! Limits: the command ends, whatever the program does.

use crate::{Answer, answer, answer_to, executable, folder, vlad};
use rstest::rstest;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use vlad_engines::Engine;

const ENDLESS: &str = "(define (f x) (f x)) 1 (f 1)";
const DEEP: &str = "(define (f x) (+ 1 (f x))) 1 (f 1)";

#[test]
fn steps_are_limited_exactly() {
    // Five steps: application, `+`, tuple, two operands.
    assert_eq!(answer(&["--max-steps", "5", "-e", "(+ 1 2)"]).succeeded(), "3\n");
    answer(&["--max-steps", "4", "-e", "(+ 1 2)"]).failed("", "error[steps]:");
    answer(&["--max-steps", "0", "-e", "1"]).failed("", "error[steps]:");
    assert_eq!(answer(&["--max-steps", "0", "-e", ""]).succeeded(), "");
    answer(&["--max-steps", "100000", "-e", ENDLESS]).failed("1\n", "error[steps]:");
}

#[test]
fn memory_is_limited() {
    // The engine notices the limit before the watchdog does, and so the error has a place.
    let errors =
        answer(&["--max-memory", "100M", "--max-depth", "1000000000", "-e", DEEP]).failed("1\n", "error[memory]:");
    assert!(errors.contains("-->"), "{errors}");
    assert_eq!(answer(&["--max-memory", "1G", "-e", "1"]).succeeded(), "1\n");
}

/// A recursion without end is an error soon, and takes little memory, on every engine; a depth of a million is possible.
#[rstest]
fn nested_calls_are_limited(#[values("interp", "hybrid", "native", "auto")] engine: &str) {
    let limits = ["--engine", engine, "--timeout", "20", "--max-memory", "1400M"];
    for program in ["(define (f x) (+ 1 (f x))) 1 (f 1)", "(define (f x) (let ((y (f (+ x 1)))) y)) 1 (f 1)"] {
        let errors = answer(&[&limits[..], &["-e", program]].concat()).failed("1\n", "error[depth]:");
        assert!(errors.contains("the limit of 4000000 nested calls is reached"), "{errors}");
    }
    let deep = "(define (f n) (if (zero? n) 0 (+ 1 (f (- n 1))))) (f 1e6)";
    assert_eq!(answer(&[&limits[..], &["-e", deep]].concat()).succeeded(), "1000000\n");
    let errors = answer(&[&limits[..], &["--max-depth", "999999", "-e", deep]].concat()).failed("", "error[depth]:");
    assert!(errors.contains("`--max-depth N` sets another limit"), "{errors}");
}

/// The error reports how deep calls were nested and the innermost procedure, in the same form on every engine. The
/// depth is that of the frames that fit into the memory: from 8 to 4096 bytes each.
#[rstest]
#[case::recursion("(define (f x) (+ 1 (f x))) (f 1)", "in `f`", Nesting::Deep)]
#[case::nameless("((lambda (f) (f f)) (lambda (f) (+ 1 (f f))))", "in a procedure without a name", Nesting::Deep)]
// `iota` of the prelude is a loop of that name.
#[case::prelude("(iota 1e12)", "in `loop`", Nesting::Deep)]
#[case::mutual("(define (f x) (+ 1 (g x))) (define (g x) (f (- x 1))) (f 1)", "in `f`|in `g`", Nesting::Deep)]
#[case::data("(define (go l) (go (list l 1 2 3))) (+ 1 (go 1))", "in `go`", Nesting::Calls(1))]
#[case::outer(
    "(define (go l) (go (list l 1 2 3))) (define (outer x) (car (go x))) (outer 1)",
    "in `go`",
    Nesting::Calls(2)
)]
fn memory_that_ends_tells_the_calls(
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
    #[case] program: &str,
    #[case] innermost: &str,
    #[case] nesting: Nesting,
) {
    let limit: u64 = 200 << 20;
    let limits = ["--max-memory", "200M", "--max-depth", "1000000000"];
    let errors =
        answer(&[&["--engine", engine.name()], &limits[..], &["-e", program]].concat()).failed("", "error[memory]:");
    let (message, rest) = errors.split_once('\n').unwrap();
    let told = message.strip_prefix("error[memory]: the memory limit of 209715200 bytes is reached, ").unwrap();
    let (depth, place) = told.split_once(" deep, ").unwrap();
    assert!(innermost.split('|').any(|name| name == place), "{message}");
    match nesting {
        Nesting::Deep => {
            let depth: u64 = depth.strip_suffix(" calls").unwrap().parse().unwrap();
            assert!((limit / 4096..limit / 8).contains(&depth), "{message}");
        }
        Nesting::Calls(1) => assert_eq!(depth, "1 call"),
        Nesting::Calls(calls) => assert_eq!(depth, format!("{calls} calls")),
    }
    assert!(rest.contains("hint: `--max-memory SIZE` sets another limit"), "{errors}");
}

/// The depth of calls when memory is exhausted.
#[derive(Clone, Copy, Debug)]
enum Nesting {
    /// As deep as memory permits.
    Deep,
    /// This number of calls.
    Calls(u64),
}

/// A text that is no program, but takes much memory before that is detected.
#[test]
fn memory_for_loading_is_limited() {
    let folder = folder("memory_for_loading", &[("open.vlad", &"(".repeat(24 << 20))]);
    let file = folder.join("open.vlad");
    let file = file.to_str().unwrap();
    let begun = Instant::now();
    let errors = answer(&["--max-memory", "100M", file]).failed("", "error[memory]:");
    assert!(errors.starts_with("error[memory]: the memory limit of 104857600 bytes is reached\n"), "{errors}");
    assert!(errors.contains("hint: `--max-memory SIZE` sets another limit") && !errors.contains("-->"), "{errors}");
    let told = answer(&["--json", "--max-memory", "100M", file]);
    assert_eq!((told.code, told.errors.as_str()), (Some(1), ""));
    let told: Value = serde_json::from_str(&told.output).unwrap();
    assert_eq!((told["diagnostics"][0]["kind"].as_str(), &told["steps"]), (Some("memory"), &Value::Null));
    assert!(begun.elapsed() < Duration::from_secs(20));
    fs::remove_dir_all(folder).unwrap();
}

/// A value in which both halves of every pair are the same is small, but its text is not; kept for JSON, it takes
/// memory.
#[test]
fn memory_for_printing_is_limited() {
    let program = "1 (define (twice n x) (if (= n 0) x (twice (- n 1) (cons x x)))) (twice 60 1)";
    let told = answer(&["--json", "--max-memory", "100M", "-e", program]);
    assert_eq!(told.code, Some(1), "{}", told.errors);
    let told: Value = serde_json::from_str(&told.output).unwrap();
    assert_eq!((told["diagnostics"][0]["kind"].as_str(), &told["output"][0]["text"]), (Some("memory"), &"1".into()));
}

/// A program on the standard input is read only up to a bound.
#[test]
fn text_is_limited() {
    let mut child = start(&["-"]);
    let mut input = child.stdin.take().unwrap();
    let spaces = vec![b' '; 1 << 20];
    // The command stops reading, and after that writing fails.
    let written = (0..100).take_while(|_| input.write_all(&spaces).is_ok()).count();
    assert!((64..100).contains(&written), "{written}");
    let errors = end(child).failed("", "error[file]:");
    assert!(errors.contains("more than 64 MB"), "{errors}");
}

/// Depth is bounded by memory alone: a million levels take less than two gigabytes.
#[rstest]
#[case::calls("(define (f n a b c d e) (if (= n 0) 0 (+ 1 (f (- n 1) a b c d e)))) (f 1000000 1 2 3 4 5)")]
#[case::list(
    "(define (numbers n l) (if (= n 0) l (numbers (- n 1) (cons n l))))
     (define (size l) (let go ((l l) (n 0)) (if (null? l) n (go (cdr l) (+ n 1)))))
     (size (numbers 1000000 '()))"
)]
#[case::closures("(define (wrap n f) (if (= n 0) f (wrap (- n 1) (lambda (x) (+ 1 (f x)))))) ((wrap 1000000 -) 0)")]
fn a_million_deep_fits_into_two_gigabytes(#[case] program: &str) {
    let begun = Instant::now();
    assert_eq!(answer(&["--max-memory", "2G", "-e", program]).succeeded(), "1000000\n");
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn time_is_limited() {
    let begun = Instant::now();
    let errors = answer(&["--timeout", "0.3", "-e", ENDLESS]).failed("1\n", "error[time]:");
    assert!(errors.contains("0.3 s") && errors.contains("-->"), "{errors}");
    let time = begun.elapsed();
    assert!(time >= Duration::from_millis(300) && time < Duration::from_secs(20), "{time:?}");
    assert_eq!(answer(&["--timeout", "1e15", "-e", "1"]).succeeded(), "1\n");
}

/// Every engine counts and limits steps in the same way, in every construct.
#[rstest]
#[case::loops("(define (f n) (if (= n 0) 0 (f (- n 1)))) (f 50)")]
#[case::operators("(define (f x) (* x (sin x))) (j* f 1 1) (*j f 1 1) (primops f 2) ((cdr ((*j f) (*j 2))) 1)")]
#[case::checkpoints("(define (f n x) (if (= n 0) x (f (- n 1) (sin x)))) (checkpoint-*j (lambda (x) (f 9 x)) 1 1)")]
#[case::capsules("(define (f x) (+ x (* x x))) (resume (interrupt f 2 5)) (map f '(1 2 3))")]
#[case::vectors("(ifold (lambda (s i) (+ s (get (build 3 sqrt) i))) 0 3)")]
fn every_engine_takes_the_same_steps(#[case] program: &str) {
    let steps = |engine: Engine| -> u64 {
        let told = answer(&["--stats", "--engine", engine.name(), "-e", program]).errors;
        told.lines().find_map(|line| line.strip_prefix("steps: ")).unwrap().parse().unwrap()
    };
    let all = steps(Engine::Interp);
    for limit in [0, 1, all / 3, all / 2, all - 1, all] {
        let limited = Engine::ALL.map(|engine| {
            let limit = limit.to_string();
            let Answer { code, output, errors } =
                answer(&["--max-steps", &limit, "--engine", engine.name(), "-e", program]);
            assert_eq!(code, Some(i32::from(limit != all.to_string())), "{engine}: {errors}");
            (output, errors)
        });
        assert!(limited.iter().all(|answer| *answer == limited[0]), "{limit}: {limited:?}");
    }
    assert!(Engine::ALL.into_iter().all(|engine| steps(engine) == all));
}

/// Asserts that a command takes as long as its limit and not much longer, in one of a few trials: on a busy machine it
/// may be late now and then.
fn is_on_time(limit: Duration, late: Duration, trial: impl Fn()) {
    let time = |_| {
        let begun = Instant::now();
        trial();
        begun.elapsed()
    };
    let times: Vec<Duration> = (0..25)
        .map(time)
        .scan(false, |done, time| {
            let goes_on = !*done;
            *done = time < limit + late;
            goes_on.then_some(time)
        })
        .collect();
    assert!(times.iter().all(|time| *time >= limit) && times.iter().any(|time| *time < limit + late), "{times:?}");
}

/// The time by which a time limit may be exceeded when the command has ended; this includes the start of the process.
const LATE: Duration = Duration::from_millis(200);

/// Data in which both halves of every pair are the same are small, but take for ever to traverse.
const TWICE: &str = "(define (twice n x) (if (= n 0) x (twice (- n 1) (cons x x))))";

#[rstest]
#[case::steps("(f 1)")]
#[case::printing("(twice 60 1)")]
#[case::lifting("(j* (lambda (x) x) (twice 60 1) (twice 60 1))")]
#[case::data("(car (go 1e9 '()))")]
#[case::recursion("(deep 1e9)")]
fn time_is_passed_by_little(
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
    #[case] expression: &str,
) {
    let definitions = "(define (f x) (f x)) (define (go n l) (if (= n 0) l (go (- n 1) (cons n l))))
        (define (deep n) (if (= n 0) 0 (+ 1 (deep (- n 1)))))";
    let program = format!("{definitions} {TWICE} (if (= (read-real) 0) #t {expression})");
    // After this run the program is in the cache.
    assert_eq!(answer_to(&["--engine", engine.name(), "-e", &program], b"0\n").succeeded(), "#t\n");
    let limit = Duration::from_millis(400);
    is_on_time(limit, LATE, || {
        let arguments = [
            "--engine",
            engine.name(),
            "--max-memory",
            "3G",
            "--max-depth",
            "1000000000",
            "--timeout",
            "0.4",
            "-e",
            &program,
        ];
        let mut command = vlad();
        let mut child =
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"1\n").unwrap();
        Answer::from(child.wait_with_output().unwrap()).failed("", "error[time]: the time limit of 0.4 s");
    });
}

/// Limits that are reached at any moment: while operators are nested, states are kept and traversed, output is written,
/// an engine begins or ends. The command succeeds or fails with the error of the limit, and in no other way.
#[rstest]
fn limits_are_safe_at_any_moment(#[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine) {
    let program = "(define (go n x) (if (= n 0) x (go (- n 1) (sin (* 1.1 x)))))
        (define (f x) (checkpoint-*j (lambda (y) (go 100 (* x y))) x 1 #f 40))
        (define (g v) (ifold (lambda (s i) (+ s (exp (get v i)))) 0 (length v)))
        (define (keep n l) (if (= n 0) (length (list->vector l))
          (begin (write n) (keep (- n 1) (cons (interrupt (lambda (x) (go 50 x)) n 100)
            (cons (f 0.5) (cons (*j g (build 3000 (lambda (i) (/ i 300))) 1)
              (cons (j* (lambda (x) (car (f x))) 0.7 1) (cons ((cdr ((*j cdr) (*j (cons n 1)))) 1) l)))))))))
        (keep 1000000 '())";
    // After this run the program is in the cache.
    let options = ["--engine", engine.name(), "--max-output", "1G", "-e", program];
    answer(&[&["--timeout", "20", "--max-memory", "20M"], &options[..]].concat());
    for turn in 0..16_u64 {
        let (limit, kind) = match turn % 2 {
            0 => (["--timeout".to_owned(), format!("0.{:03}", 20 + turn * 13 % 400)], "error[time]:"),
            _ => (["--max-memory".to_owned(), format!("{}K", 7_000 + turn * 977 % 7_000)], "error[memory]:"),
        };
        let limited = [&[limit[0].as_str(), &limit[1]], &options[..]].concat();
        let Answer { code, output, errors } = answer(&limited);
        assert!(code == Some(1) && errors.starts_with(kind), "{limit:?}: {code:?} {errors}");
        assert!(output.is_empty() || output.starts_with("1000000\n") && output.ends_with('\n'), "{limit:?}");
    }
}

/// The same for loading; a compiler that hangs takes no more time either.
#[test]
fn time_for_loading_is_passed_by_little() {
    let folder = folder(
        "time_for_loading",
        &[("open.vlad", &"(".repeat(24 << 20)), ("list.vlad", &"(list 1) ".repeat(4 << 20))],
    );
    let compiler = folder.join("slow-cc");
    executable(&compiler, "#!/bin/sh\n[ \"$1\" = --version ] && { echo slow; exit; }\nsleep 100\n");
    let [open, list, compiler] =
        ["open.vlad", "list.vlad", "slow-cc"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let limit = Duration::from_millis(400);
    for arguments in [
        &["run", &open][..],
        &["run", &list],
        &["check", &list],
        &["show", "core", &list],
        &["run", "--engine", "native", "--no-cache", "--cc", &compiler, "-e", "1"],
    ] {
        let limited = [arguments, &["--timeout", "0.4", "--max-memory", "3G"]].concat();
        // The system reclaims the memory of a process before the process is reported to have ended.
        is_on_time(limit, LATE * 2, || drop(answer(&limited).failed("", "error[time]: the time limit of 0.4 s")));
    }
    fs::remove_dir_all(folder).unwrap();
}

/// Starts a command whose input stays open and whose output is not read until it ends.
fn start(arguments: &[&str]) -> Child {
    vlad().args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for the end without closing the input.
fn end(mut child: Child) -> Answer {
    let input = child.stdin.take();
    let answer = child.wait_with_output().unwrap().into();
    drop(input);
    answer
}

#[test]
fn waiting_for_input_is_limited() {
    let errors = end(start(&["--timeout", "0.3", "-e", "1 (read-real)"])).failed("1\n", "error[time]:");
    assert!(errors.contains("0.3 s"), "{errors}");
    end(start(&["--timeout", "0.3", "-"])).failed("", "error[time]:");
    let answer = end(start(&["--timeout", "0.3", "--json", "-e", "1 (read-real)"]));
    let told: Value = serde_json::from_str(&answer.output).unwrap();
    assert_eq!((answer.code, told["output"][0]["text"].as_str()), (Some(1), Some("1")));
    assert_eq!((told["diagnostics"][0]["kind"].as_str(), &told["steps"]), (Some("time"), &Value::Null));
}

#[test]
fn waiting_for_a_reader_is_limited() {
    let mut child = start(&["--timeout", "0.3", "-e", "(define (f x) (f (write x))) (f 1)"]);
    let code = child.wait().unwrap().code();
    let answer: Answer = child.wait_with_output().unwrap().into();
    assert_eq!(code, Some(1));
    assert!(answer.errors.starts_with("error[time]:") && answer.output.starts_with("1\n1\n"), "{}", answer.errors);
}

/// A re-execution counts no steps and writes nothing, but takes time and memory. The output of the first execution
/// shows that the limit is reached in a re-execution.
#[rstest]
#[case::time(&["--timeout", "3"], "1000000", "#f 1", "error[time]:")]
#[case::memory(&["--max-memory", "60M"], "4000000", "0 #f", "error[memory]:")]
fn what_is_executed_again_is_limited(
    #[values(Engine::Interp, Engine::Hybrid, Engine::Native)] engine: Engine,
    #[case] limit: &[&str],
    #[case] rounds: &str,
    #[case] division: &str,
    #[case] error: &str,
) {
    // The first execution must end in time, also on a busy machine.
    let rounds = if engine == Engine::Interp && rounds == "1000000" { "300000" } else { rounds };
    let program = format!(
        "(define (go n x) (if (= n 0) x (go (- n 1) (sin (* 1.1 x)))))
         (checkpoint-*j (lambda (x) (let ((y (go {rounds} x))) (begin (write 7) y))) 0.5 1 {division})"
    );
    // Specialised code executes neither every step again nor everything at once.
    let arguments = ["--engine", engine.name(), "--specialise", "never", "-e", &program];
    let errors = answer(&[limit, &arguments].concat()).failed("7\n", error);
    // The watchdog, which knows no place, reports the error if the engine has not checked for long: memory may run out
    // between two checks, and a busy machine may not let the engine run.
    let is_of_watchdog = !errors.contains("-->");
    assert!(errors.contains("(checkpoint-*j") || is_of_watchdog, "{errors}");
}
