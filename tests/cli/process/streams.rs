//! Closed and failing streams, and the moments at which output is flushed.

use crate::{Answer, answer, folder, vlad};
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const CHATTY: &str = "(define (f n) (f (write (+ n 1)))) (f 0)";

#[test]
fn a_reader_may_leave_early() {
    for arguments in [&["-e", CHATTY][..], &["--max-steps", "10000000", "-e", CHATTY]] {
        let mut child = vlad().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "1");
        drop(lines);
        let answer: Answer = child.wait_with_output().unwrap().into();
        assert_eq!(answer.succeeded(), "");
    }
}

#[test]
fn a_reader_may_leave_before_the_only_line() {
    for arguments in [&["-e", "1"][..], &["--json", "-e", "1"], &["show", "core", "-e", "1"], &["--help"]] {
        let mut child =
            vlad().args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let answer: Answer = child.wait_with_output().unwrap().into();
        assert_eq!(answer.succeeded(), "");
    }
}

#[cfg(target_os = "linux")]
/// If the system limits the size of files, a write beyond the limit is an error, and the output before it stays.
#[test]
#[cfg(unix)]
fn a_file_that_may_not_grow_is_an_error() {
    let folder = folder("bounded", &[]);
    // With such a limit nothing can be compiled.
    let shell = "ulimit -f 2; exec \"$0\" --engine hybrid -e \"$1\" > out";
    let mut command = Command::new("sh");
    command.args(["-c", shell, env!("CARGO_BIN_EXE_vlad"), CHATTY]).current_dir(&folder).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error[output]"), "{output:?}");
    assert!(std::fs::read_to_string(folder.join("out")).unwrap().starts_with("1\n2\n3\n"));
}

#[test]
fn a_full_disk_is_an_error() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let long = "(+ 1 2)\n".repeat(50_000);
    let folder = folder("full", &[("long.vlad", &long)]);
    let file = folder.join("long.vlad");
    let file = file.to_str().unwrap();
    for arguments in [
        &["-e", "1"][..],
        &["-e", CHATTY],
        &["--json", "-e", "1"],
        &["show", "core", "-e", "1"],
        &["show", "tokens", file],
        &["show", "ast", file],
    ] {
        let answer: Answer = vlad().args(arguments).stdout(full()).output().unwrap().into();
        let errors = answer.failed("", "error[output]: the output cannot be written");
        assert_eq!(errors.matches("error[").count(), 1, "{arguments:?}: {errors}");
    }
    // The error cannot be printed, but the exit code reports it.
    let code = vlad().args(["-e", "(car 1)"]).stderr(full()).status().unwrap().code();
    assert_eq!(code, Some(1));
    let code = vlad().arg("--help").stdout(full()).stderr(Stdio::null()).status().unwrap().code();
    assert_eq!(code, Some(1));
}

#[test]
fn output_is_handed_on_before_numbers_are_read() {
    let mut child = vlad()
        .args(["-e", "1 (+ 1 (read-real))"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "1");
    child.stdin.take().unwrap().write_all(b"41\n").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "42");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn output_before_an_error_comes_first() {
    let answer = answer(&["-e", "(write 1) (write 2) (car 3)"]);
    assert_eq!(answer.code, Some(1));
    assert_eq!(answer.output, "1\n1\n2\n2\n");
}

#[cfg(target_os = "linux")]
#[test]
fn an_input_that_cannot_be_read_is_an_error() {
    let folder = || std::fs::File::open("/").unwrap();
    let answer: Answer = vlad().args(["-e", "(read-real)"]).stdin(folder()).output().unwrap().into();
    answer.failed("", "error[input]:");
    let answer: Answer = vlad().arg("-").stdin(folder()).output().unwrap().into();
    answer.failed("", "error[file]:");
}
