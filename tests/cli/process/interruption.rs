//! Signals at any moment: the command ends by the signal or as if there had been none, and leaves no partial files.

use crate::{Answer, answer_of, folder, in_shell, quick, vlad};
use rstest::rstest;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Sends a signal to a child process.
fn send(signal: Signal, child: &Child) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Returns the names in a folder.
fn names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Starts a command, sends it a signal after some time, and waits for its end; returns the signal that ended it, if one
/// did.
fn interrupted(command: &mut Command, signal: Signal, after: Duration) -> (Option<i32>, Answer) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(after);
    send(signal, &child);
    let begun = Instant::now();
    let ended = child.wait().unwrap().signal();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    (ended, child.wait_with_output().unwrap().into())
}

const SIGNALS: [(Signal, i32); 3] = [(Signal::HUP, 1), (Signal::INT, 2), (Signal::TERM, 15)];

/// Signals while the compiler runs, while the object is stored and loaded, and while the program runs.
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
        // These times are spread over all phases of the run.
        let (ended, answer) = interrupted(&mut native(), signal, Duration::from_millis(turn * 37 % 400));
        match ended {
            Some(ended) => assert_eq!(ended, number),
            None => assert_eq!(answer.succeeded(), "9\n(9 . 6)\n"),
        }
        ends.push(ended);
        assert_eq!(names(&folder.join("tmp")), ["keep"], "{turn}");
        let is_whole = |name: &String| name.ends_with(".object") || name.ends_with(".mark");
        assert!(!cache.exists() || names(&cache).iter().all(is_whole), "{turn}: {:?}", names(&cache));
        if turn % 5 == 4 {
            // Every entry of the cache is sound; afterwards the program is compiled again.
            assert_eq!(answer_of(&mut native()).succeeded(), "9\n(9 . 6)\n");
            fs::remove_dir_all(&cache).unwrap();
        }
    }
    assert!(ends.iter().any(Option::is_some), "{ends:?}");
    fs::remove_dir_all(folder).unwrap();
}

/// Moments at which to send a signal to a command that takes `whole`: dense at its beginning, when the first files are
/// made, and spread over the rest and a little more.
fn moments(whole: Duration) -> impl Iterator<Item = (u32, Duration)> {
    let beginning = (0..60).map(|turn| Duration::from_micros(200) * turn);
    let rest = (0..36_u32).map(move |turn| whole * (turn * 7 % 36) / 30);
    (0..).zip(beginning.chain(rest))
}

/// A predicate: two outputs of a command are the same.
type Same = fn(&[u8], &[u8]) -> bool;

/// The same bytes.
const BYTES: Same = |one, other| one == other;

/// Sends signals to a command at many moments. The file that it writes is then the old one (possibly none) or the new
/// one, and there is no other file beside it.
fn a_file_is_old_or_new(folder: &Path, name: &str, old: Option<&str>, command: &mut Command, same: Same) {
    let file = folder.join(name);
    let set_up = || match old {
        Some(old) => fs::write(&file, old).unwrap(),
        None => drop(fs::remove_file(&file)),
    };
    let begun = Instant::now();
    set_up();
    let whole_answer = answer_of(command);
    let whole = begun.elapsed();
    let new = fs::read(&file).unwrap();
    let mut beside = names(folder);
    beside.sort();
    let mut ends = Vec::new();
    for (turn, moment) in moments(whole) {
        let (signal, number) = SIGNALS[turn as usize % 3];
        set_up();
        let (ended, answer) = interrupted(command, signal, moment);
        let found = fs::read(&file).ok();
        let is_new = found.as_deref().is_some_and(|found| same(found, &new));
        match ended {
            Some(ended) => {
                let is_old = found.as_deref() == old.map(str::as_bytes);
                assert!(ended == number && (is_new || is_old), "{turn}");
            }
            None => assert!(answer.code == whole_answer.code && is_new, "{turn}: {answer:?}"),
        }
        ends.push(ended);
        let mut found = names(folder);
        found.extend(if is_new || old.is_some() { None } else { Some(name.to_owned()) });
        found.sort();
        assert_eq!(found, beside, "{turn}");
    }
    assert!(ends.iter().any(Option::is_some), "{ends:?}");
}

/// A program with much live data between its 100th and its last step.
const LONG: &str = "(define (f n l) (if (= n 0) l (f (- n 1) (cons n l)))) (null? (f 3e5 '()))";

fn suspend(after: &str, capsule: &Path) -> Command {
    let mut command = vlad();
    command.args(["suspend", "--engine", "hybrid", "--after", after, "-e", LONG, "-o"]).arg(capsule);
    command
}

#[rstest]
#[case("100", None)]
#[case("2000000", None)]
#[case("2000000", Some(""))]
fn a_capsule_is_old_or_new(#[case] after: &str, #[case] old: Option<&str>) {
    let folder = folder(&format!("interruption_capsule_{after}_{}", old.is_some()), &[]);
    let capsule = folder.join("c.capsule");
    a_file_is_old_or_new(&folder, "c.capsule", old, &mut suspend(after, &capsule), BYTES);
    answer_of(&mut suspend(after, &capsule)).succeeded();
    assert_eq!(answer_of(vlad().arg("resume").arg(&capsule)).succeeded(), "#f\n");
    fs::remove_dir_all(folder).unwrap();
}

#[rstest]
#[case(None)]
#[case(Some("old"))]
fn a_report_is_old_or_new(#[case] old: Option<&str>) {
    let folder = folder(
        &format!("interruption_report_{}", old.is_some()),
        &[("a.vlad", "1\n;; expect: 1\n"), ("b.vlad", "2\n")],
    );
    let mut command = vlad();
    // The first line contains the time.
    let same: Same = |one, other| {
        let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        one.starts_with(b"2 files") && lines(one) == lines(other)
    };
    command.args(["conform", "--engine", "interp", "--format", "text", "--output"]).arg(folder.join("report"));
    a_file_is_old_or_new(&folder, "report", old, command.arg(&folder), same);
    fs::remove_dir_all(folder).unwrap();
}

#[rstest]
#[case(None)]
#[case(Some("old"))]
fn a_picture_is_old_or_new(#[case] old: Option<&str>) {
    let folder = folder(&format!("interruption_picture_{}", old.is_some()), &[]);
    let mut command = vlad();
    let program = "(define (f x) (ifold (lambda (s i) (sin s)) x 3000)) (checkpoint-*j f 1 1)";
    command.args(["profile", "--engine", "hybrid", "-e", program, "--svg"]).arg(folder.join("p.svg"));
    a_file_is_old_or_new(&folder, "p.svg", old, &mut command, BYTES);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_rewritten_program_is_old_or_new() {
    let old = format!("(+ 1 2)\n;; expect: 4\n{}", "; a long comment\n".repeat(1000));
    let folder = folder("interruption_update", &[]);
    let mut command = vlad();
    command.args(["conform", "--engine", "interp", "--update"]).arg(folder.join("a.vlad"));
    a_file_is_old_or_new(&folder, "a.vlad", Some(&old), &mut command, BYTES);
    fs::remove_dir_all(folder).unwrap();
}

/// SIGKILL, which cannot be handled, leaves no partial file either, on systems with nameless files.
#[test]
#[cfg(target_os = "linux")]
fn a_kill_leaves_no_half_capsule() {
    let folder = folder("interruption_kill", &[]);
    let flags = rustix::fs::OFlags::TMPFILE | rustix::fs::OFlags::WRONLY;
    if rustix::fs::open(&folder, flags, rustix::fs::Mode::RUSR).is_err() {
        return;
    }
    let capsule = folder.join("c.capsule");
    let mut command = suspend("2000000", &capsule);
    let begun = Instant::now();
    answer_of(&mut command).succeeded();
    let whole = begun.elapsed();
    let new = fs::read(&capsule).unwrap();
    for (turn, moment) in moments(whole) {
        let _ = fs::remove_file(&capsule);
        interrupted(&mut command, Signal::KILL, moment);
        match names(&folder).as_slice() {
            [] => {}
            [one] => assert!(one == "c.capsule" && fs::read(&capsule).unwrap() == new, "{turn}: {one}"),
            several => panic!("{turn}: {several:?}"),
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

/// The processes of a campaign end with it, in whatever way it ends, and leave no folder of the compiler.
#[rstest]
#[cfg(target_os = "linux")]
fn nothing_is_left_of_a_campaign(#[values(Signal::INT, Signal::TERM, Signal::KILL)] signal: Signal) {
    let folder = folder(&format!("interruption_fuzz_{signal:?}"), &[("tmp/keep", ""), ("found/keep", "")]);
    let mut killed = Vec::new();
    for milliseconds in [5, 30, 300, 900] {
        let mut command = quick();
        command.args(["fuzz", "--jobs", "2", "--cases", "100000", "--engine", "interp", "--engine", "native", "-o"]);
        command.arg(folder.join("found")).env("TMPDIR", folder.join("tmp"));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        send(signal, &child);
        assert_eq!(child.wait().unwrap().signal(), Some(signal.as_raw()));
        // A killed process leaves the folder in which it tried its compiler; its workers remove theirs.
        if signal == Signal::KILL {
            killed.push(format!("vlad-{}-", child.id()));
        }
        let is_left = |name: &String| name != "keep" && !killed.iter().any(|own| name.starts_with(own));
        let left = || names(&folder.join("tmp")).into_iter().filter(is_left).collect::<Vec<String>>();
        let begun = Instant::now();
        // The workers notice the end of their supervisor soon.
        while !left().is_empty() && begun.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(left(), [""; 0], "{milliseconds}");
        assert_eq!(names(&folder.join("found")), ["keep"], "{milliseconds}");
    }
    fs::remove_dir_all(folder).unwrap();
}

/// The trial of `vlad doctor` is a compilation like others.
#[test]
fn nothing_is_left_of_a_trial() {
    let folder = folder("interruption_doctor", &[("tmp/keep", "")]);
    for turn in 0..24_u32 {
        let (signal, _) = SIGNALS[turn as usize % 3];
        let mut command = vlad();
        command.arg("doctor").env("TMPDIR", folder.join("tmp")).env("VLAD_CACHE", folder.join("cache"));
        interrupted(&mut command, signal, Duration::from_millis(u64::from(turn) * 7 % 150));
        assert_eq!(names(&folder.join("tmp")), ["keep"], "{turn}");
    }
    fs::remove_dir_all(folder).unwrap();
}

/// Output that was printed into a pipe before the signal is flushed.
#[rstest]
fn output_is_not_lost(
    #[values((Signal::HUP, 1), (Signal::INT, 2), (Signal::TERM, 15))] signal: (Signal, i32),
    #[values("interp", "hybrid", "native")] engine: &str,
) {
    let program = "(read-real) (write 1) (+ 1 2) (define (f x) (f x)) (f 1)";
    // The test cannot see when the program has printed everything, so it tries again with more time.
    for milliseconds in [300, 1000, 5000, 30_000] {
        let mut command = vlad();
        command.args(["--engine", engine, "-e", program]).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut input, b"7\n").unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        send(signal.0, &child);
        let status = child.wait().unwrap();
        let answer: Answer = child.wait_with_output().unwrap().into();
        assert_eq!(status.signal(), Some(signal.1), "{answer:?}");
        assert!("7\n1\n1\n3\n".starts_with(&answer.output), "{answer:?}");
        if answer.output.len() == 8 {
            return;
        }
    }
    panic!("it never printed all");
}

/// A reader that does not read cannot delay a signal.
#[test]
fn an_output_that_nobody_reads_holds_up_no_signal() {
    let mut command = vlad();
    command.args(["--engine", "hybrid", "-e", "(define (f x) (f (write x))) (f 123456)"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = child.stdout.take().unwrap();
    let mut beginning = [0; 7];
    std::io::Read::read_exact(&mut output, &mut beginning).unwrap();
    // By now the command waits for a reader, or will soon: in either case the signal ends it.
    thread::sleep(Duration::from_millis(300));
    send(Signal::TERM, &child);
    let begun = Instant::now();
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let answer: Answer = child.wait_with_output().unwrap().into();
    assert!(&beginning == b"123456\n" && answer.errors.is_empty());
}

/// Signals that were ignored when the command started, as under `nohup`, stay ignored; the shell prints a line once the
/// signal is ignored.
#[rstest]
#[cfg(target_os = "linux")]
fn a_signal_that_was_ignored_before_stays_ignored(
    #[values(("HUP", Signal::HUP), ("INT", Signal::INT), ("TERM", Signal::TERM))] signal: (&str, Signal),
    #[values("interp", "hybrid", "native")] engine: &str,
) {
    let mut command = vlad();
    command.args(["--engine", engine, "-e", "(+ 1 (read-real))"]);
    let (name, signal) = signal;
    let mut command = in_shell(&format!("trap '' {name}; echo ready;"), &command);
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

/// A broken pipe is only an end of the output; the command ignores SIGPIPE.
#[test]
fn the_signal_of_a_broken_pipe_is_ignored() {
    let mut command = vlad();
    command.args(["-e", "7 (+ 1 (read-real))"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // Output is flushed before a number is read, so this line shows that the command is running.
    assert_eq!(lines.next().unwrap().unwrap(), "7");
    send(Signal::PIPE, &child);
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"41\n").unwrap();
    assert_eq!((lines.next().unwrap().unwrap().as_str(), child.wait().unwrap().code()), ("42", Some(0)));
}

/// A time limit that ends a run while a capsule is written leaves no partial file either. One that ends it right behind
/// that leaves the capsule.
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
        let is_written = answer.code == Some(0);
        if !is_written {
            answer.failed("", "error[time]:");
        }
        if is_written || capsule.exists() {
            assert_eq!(answer_of(vlad().arg("resume").arg(&capsule)).succeeded(), "#f\n");
            fs::remove_file(&capsule).unwrap();
        }
        assert_eq!(names(&folder).len(), 0);
    }
    fs::remove_dir_all(folder).unwrap();
}
