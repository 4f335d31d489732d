//! Signals at any moment: the command ends by the signal or as if there had been none, and leaves nothing half done.

use crate::{Answer, answer_of, folder, in_shell, vlad};
use rstest::rstest;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Sends a signal to a process that is a child, so that its number is its own.
fn send(signal: &str, child: &Child) {
    let mut kill = Command::new("kill");
    assert!(kill.args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap().success());
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Starts a command, sends it a signal after some time, and waits for its end; gives the signal that ended it, if one did.
fn interrupted(command: &mut Command, signal: &str, after: Duration) -> (Option<i32>, Answer) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(after);
    send(signal, &child);
    let begun = Instant::now();
    let ended = child.wait().unwrap().signal();
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    (ended, child.wait_with_output().unwrap().into())
}

const SIGNALS: [(&str, i32); 3] = [("HUP", 1), ("INT", 2), ("TERM", 15)];

/// While the compiler runs, while the object is stored and loaded, while the program runs.
#[test]
fn nothing_is_left_of_a_compilation() {
    let folder = folder("interruption_native", &[("tmp/keep", "")]);
    let cache = folder.join("cache");
    let native = || {
        let mut command = vlad();
        command.args(["--engine", "native", "-e", "(define (f x) (* x x)) (f 3) (*j f 3 1)"]);
        command.env("VLAD_CACHE", &cache).env("TMPDIR", folder.join("tmp"));
        command
    };
    let mut ends = Vec::new();
    for turn in 0..24_u64 {
        let (signal, number) = SIGNALS[turn as usize % 3];
        // Steps that are no multiple of one another reach moments of all kinds.
        let (ended, answer) = interrupted(&mut native(), signal, Duration::from_millis(turn * 37 % 400));
        match ended {
            Some(ended) => assert_eq!(ended, number),
            None => assert_eq!(answer.succeeded(), "9\n(9 . 6)\n"),
        }
        ends.push(ended);
        assert_eq!(names(&folder.join("tmp")), ["keep"], "{turn}");
        if turn % 5 == 4 {
            // Whatever is in the cache by now is good; and the next runs compile again.
            assert_eq!(answer_of(&mut native()).succeeded(), "9\n(9 . 6)\n");
            fs::remove_dir_all(&cache).unwrap();
        }
    }
    assert!(ends.iter().any(Option::is_some), "{ends:?}");
    fs::remove_dir_all(folder).unwrap();
}

/// A capsule is the old one or the new one, and nothing stands beside it.
#[test]
fn a_capsule_is_old_or_new() {
    let folder = folder("interruption_capsule", &[]);
    let capsule = folder.join("c.capsule");
    let program = "(define (f n l) (if (= n 0) l (f (- n 1) (cons n l)))) (null? (f 3e5 '()))";
    let suspend = |after: &str| {
        let mut command = vlad();
        command.args(["suspend", "--engine", "hybrid", "--after", after, "-e", program, "-o"]).arg(&capsule);
        command
    };
    answer_of(&mut suspend("100")).succeeded();
    let old = fs::read(&capsule).unwrap();
    let mut command = suspend("2000000");
    let begun = Instant::now();
    answer_of(&mut command).succeeded();
    let whole = begun.elapsed();
    let new = fs::read(&capsule).unwrap();
    assert!(new.len() > old.len());
    let mut ends = Vec::new();
    for turn in 0..24_u32 {
        let (signal, number) = SIGNALS[turn as usize % 3];
        fs::write(&capsule, &old).unwrap();
        let (ended, answer) = interrupted(&mut command, signal, whole * (turn * 7 % 24) / 20);
        let found = fs::read(&capsule).unwrap();
        match ended {
            Some(ended) => assert!(ended == number && (found == old || found == new)),
            None => assert!(answer.succeeded().is_empty() && found == new),
        }
        ends.push(ended);
        assert_eq!(names(&folder), ["c.capsule"], "{turn}");
    }
    assert!(ends.iter().any(Option::is_some), "{ends:?}");
    assert_eq!(answer_of(vlad().arg("resume").arg(&capsule)).succeeded(), "#f\n");
    fs::remove_dir_all(folder).unwrap();
}

/// What was printed into a pipe before the signal came is handed on.
#[rstest]
fn output_is_not_lost(
    #[values(("HUP", 1), ("INT", 2), ("TERM", 15))] signal: (&str, i32),
    #[values("interp", "hybrid", "native")] engine: &str,
) {
    let program = "(write 1) (+ 1 2) (define (f x) (f x)) (f 1)";
    // The number that is read tells that the program runs.
    let program = format!("(read-real) (write 1) (+ 1 2) {}", &program[program.find("(define").unwrap()..]);
    let mut command = vlad();
    command.args(["--engine", engine, "-e", &program]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"7\n").unwrap();
    thread::sleep(Duration::from_millis(700));
    send(signal.0, &child);
    let status = child.wait().unwrap();
    let answer: Answer = child.wait_with_output().unwrap().into();
    assert_eq!(status.signal(), Some(signal.1), "{answer:?}");
    // Where the engine was not ready in time nothing has been printed.
    assert!(answer.output == "7\n1\n1\n3\n" || (answer.output.is_empty() && engine == "native"), "{answer:?}");
}

/// Nobody who does not read holds up a signal.
#[test]
fn an_output_that_nobody_reads_holds_up_no_signal() {
    let mut command = vlad();
    command.args(["--engine", "hybrid", "-e", "(define (f x) (f (write x))) (f 123456)"]);
    let (ended, answer) = interrupted(&mut command, "TERM", Duration::from_millis(700));
    assert_eq!(ended, Some(15));
    assert!(answer.output.starts_with("123456\n") && answer.errors.is_empty());
}

/// What `nohup` starts goes on; the shell says when the signal is ignored.
#[rstest]
#[cfg(target_os = "linux")]
fn a_signal_that_was_ignored_before_stays_ignored(
    #[values("HUP", "INT", "TERM")] signal: &str,
    #[values("interp", "hybrid", "native")] engine: &str,
) {
    let mut command = vlad();
    command.args(["--engine", engine, "-e", "(+ 1 (read-real))"]);
    let mut command = in_shell(&format!("trap '' {signal}; echo ready;"), &command);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut ready = String::new();
    output.read_line(&mut ready).unwrap();
    thread::sleep(Duration::from_millis(300));
    send(signal, &child);
    thread::sleep(Duration::from_millis(100));
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"41\n").unwrap();
    let mut value = String::new();
    output.read_line(&mut value).unwrap();
    assert_eq!((ready.as_str(), value.as_str()), ("ready\n", "42\n"));
    assert_eq!(Answer::from(child.wait_with_output().unwrap()).succeeded(), "");
}

/// A pipe that breaks is an end of the output and no more; the signal that tells it is nothing to this command.
#[test]
fn the_signal_of_a_broken_pipe_is_ignored() {
    let mut command = vlad();
    command.args(["-e", "(+ 1 (read-real))"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    thread::sleep(Duration::from_millis(200));
    send("PIPE", &child);
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"41\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!((line.as_str(), child.wait().unwrap().code()), ("42\n", Some(0)));
}

/// A time limit that ends a run while a capsule is written leaves nothing either.
#[test]
fn a_limit_leaves_no_half_capsule() {
    let folder = folder("interruption_limit", &[]);
    let capsule: PathBuf = folder.join("c.capsule");
    let program = "(define (f n l) (if (= n 0) l (f (- n 1) (cons n l)))) (null? (f 3e5 '()))";
    for milliseconds in (100..1000).step_by(90) {
        let timeout = format!("0.{milliseconds:03}");
        let mut command = vlad();
        command.args(["suspend", "--after", "2000000", "--timeout", &timeout, "-e", program, "-o"]).arg(&capsule);
        let answer = answer_of(&mut command);
        match answer.code {
            Some(0) => {
                assert_eq!(answer_of(vlad().arg("resume").arg(&capsule)).succeeded(), "#f\n");
                fs::remove_file(&capsule).unwrap();
            }
            _ => drop(answer.failed("", "error[time]:")),
        }
        assert_eq!(names(&folder).len(), 0);
    }
    fs::remove_dir_all(folder).unwrap();
}
