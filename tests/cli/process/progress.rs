//! The progress line of a long run: shown on terminals only.
#![cfg(unix)]

use crate::engines::waiting_compiler;
use crate::{answer, folder, vlad};
use rstest::rstest;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

const ENDLESS: &str = "(define (f x) (f x)) 1 (f 1)";

/// The characters that erase the line.
const TAKE_AWAY: &str = "\r\u{1b}[K";

/// A pseudo-terminal: the first file reads what is written to the second.
fn terminal() -> (File, File) {
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let name = OsString::from_vec(ptsname(&screen, Vec::new()).unwrap().into_bytes());
    let inner = OpenOptions::new().read(true).write(true).open(name).unwrap();
    (File::from(screen), inner)
}

/// Reads a terminal until its last writer closes it, which the system reports as an error.
fn read(mut screen: File) -> String {
    let mut bytes = Vec::new();
    let _ = screen.read_to_end(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

/// Runs a command whose standard error is a terminal; returns its contents, and the standard output.
fn on_terminal(arguments: &[&str]) -> (String, String) {
    engine_on_terminal("interp", arguments)
}

/// The same on an engine.
fn engine_on_terminal(engine: &str, arguments: &[&str]) -> (String, String) {
    let (screen, inner) = terminal();
    let mut command = vlad();
    command.args(["--engine", engine, "--color", "never"]).args(arguments).env("TERM", "xterm");
    let child = command.stdout(Stdio::piped()).stderr(inner).spawn().unwrap();
    // `Command` holds the terminal open until it is dropped.
    drop(command);
    let shown = read(screen);
    let output = child.wait_with_output().unwrap();
    (shown, String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_long_run_tells_its_time_until_it_ends() {
    let (shown, output) = on_terminal(&["--timeout", "1.6", "-e", ENDLESS]);
    assert_eq!(output, "1\n");
    assert!(shown.starts_with(&format!("{TAKE_AWAY}running: 1 s")), "{shown:?}");
    assert!(shown.contains(&format!("{TAKE_AWAY}error[time]")), "{shown:?}");
}

#[test]
fn checkpoints_tell_the_share_that_is_reversed() {
    let program =
        "(define (go n x) (if (= n 0) x (go (- n 1) (sin x)))) (checkpoint-*j (lambda (x) (go 4000000 x)) 1 1)";
    let (shown, _) = on_terminal(&["--timeout", "30", "-e", program]);
    assert!(shown.contains(" % reversed: "), "{shown:?}");
}

#[test]
fn it_stays_out_of_everything_else() {
    let (shown, _) = on_terminal(&["--json", "--timeout", "1.5", "-e", ENDLESS]);
    assert_eq!(shown, "");
    let (shown, _) = on_terminal(&["-e", "1"]);
    assert_eq!(shown, "");
    let told = answer(&["--timeout", "1.5", "-e", ENDLESS]);
    assert!(told.errors.starts_with("error[time]"), "{}", told.errors);
}

/// Output and progress line share the terminal: each line of output begins where the progress line was erased.
#[test]
fn it_does_not_mix_with_output() {
    let (screen, inner) = terminal();
    let program = "(define (g n) (if (= n 0) 0 (g (- n 1)))) (define (f x) (g 30000) (f (write 0))) (f 0)";
    let program = program.replace("(g 30000) (f (write 0))", "(f (write (g 30000)))");
    let mut command = vlad();
    command.args(["--engine", "interp", "--timeout", "2.5", "-e", &program]).env("TERM", "xterm");
    let mut child = command.stdout(inner.try_clone().unwrap()).stderr(inner).spawn().unwrap();
    drop(command);
    let shown = read(screen);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(shown.contains("running: 1 s"), "{shown:?}");
    let seen = |line: &str| line.rsplit(TAKE_AWAY).next().unwrap().trim_end_matches('\r').to_owned();
    let lines: Vec<String> = shown.split('\n').map(seen).collect();
    let error = lines.iter().position(|line| line.contains("error")).unwrap();
    assert!(error > 1 && lines[..error].iter().all(|line| line == "0"), "{lines:?}");
}

#[test]
fn an_interrupt_ends_the_run_and_takes_it_away() {
    let interrupted = |subcommand: &str, after: Duration| {
        let (screen, inner) = terminal();
        let mut command = vlad();
        command.args([subcommand, "--engine", "interp", "-e", ENDLESS]).env("TERM", "xterm");
        let mut child = command.stdout(Stdio::null()).stderr(inner).spawn().unwrap();
        drop(command);
        thread::sleep(after);
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(15));
        read(screen)
    };
    for subcommand in ["run", "profile"] {
        // A busy machine may need more time to show the line.
        let is_shown = [1500, 4000, 15_000].into_iter().any(|milliseconds| {
            let shown = interrupted(subcommand, Duration::from_millis(milliseconds));
            assert!(shown.is_empty() || shown.ends_with(TAKE_AWAY), "{shown:?}");
            shown.contains("running: ")
        });
        assert!(is_shown, "{subcommand}");
    }
}

#[rstest]
#[case::of_auto("auto", "running on hybrid, compiling for native: 1 s")]
#[case::of_native("native", "compiling: 1 s")]
fn a_long_run_of_the_compiler_is_told(#[case] engine: &str, #[case] line: &str) {
    let folder = folder("compiling", &[]);
    let compiler = waiting_compiler(&folder, "exit 1");
    let compiler = compiler.to_str().unwrap();
    let arguments = ["--no-cache", "--cc", compiler, "--timeout", "2.5", "-e", ENDLESS];
    let (shown, _) = engine_on_terminal(engine, &arguments);
    assert!(shown.contains(&format!("{TAKE_AWAY}{line}")), "{shown:?}");
}
