//! The `vlad` command as its users see it: arguments, files and streams in; output, errors and exit codes out.

// Clippy recognises tests by their attribute, and would reject the helpers here.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod bounds;
mod capsules;
mod conform;
mod derivatives;
mod emit;
mod engines;
mod help;
mod inspection;
mod process;
mod programs;
mod repl;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};
use std::{fs, thread};
use vlad_conformance::fast_build::fast_build_settings;

/// The result of a command.
#[derive(Debug)]
struct Answer {
    code: Option<i32>,
    output: String,
    errors: String,
}

impl From<Output> for Answer {
    fn from(output: Output) -> Answer {
        Answer {
            code: output.status.code(),
            output: String::from_utf8(output.stdout).unwrap(),
            errors: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Answer {
    /// Asserts success without errors, and returns the output.
    fn succeeded(self) -> String {
        assert_eq!((self.code, self.errors.as_str()), (Some(0), ""), "{}", self.output);
        self.output
    }

    /// Asserts failure with this output and errors that begin with this text, and returns the errors.
    fn failed(self, output: &str, errors: &str) -> String {
        assert_eq!((self.code, self.output.as_str()), (Some(1), output), "{}", self.errors);
        assert!(self.errors.starts_with(errors), "{}", self.errors);
        self.errors
    }
}

/// The command, independent of the settings of the environment.
fn vlad() -> Command {
    ignore_signals_by_handlers();
    let mut command = Command::new(env!("CARGO_BIN_EXE_vlad"));
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env_remove("NO_COLOR").env_remove("VLAD_CC").env("VLAD_CACHE", cache).stdin(Stdio::null());
    command
}

/// The same with a C compiler that compiles fast, if there is one, for programs that run for a moment.
fn quick() -> Command {
    let mut command = vlad();
    if let Some(compiler) = fast_build_settings().compiler {
        command.env("VLAD_CC", compiler);
    }
    command
}

/// Handles signals that are ignored. A process that is started by `nohup`, or by a shell in the background, ignores
/// signals, and so do its children. A handler that does nothing has the same effect here, and is not inherited by the
/// command.
fn ignore_signals_by_handlers() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
        let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap();
        for signal in [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored & (1 << (signal - 1)) != 0) {
            flag::register(signal, Arc::default()).unwrap();
        }
    });
}

/// Runs the command with some arguments.
fn answer(arguments: &[&str]) -> Answer {
    answer_of(vlad().args(arguments))
}

/// Runs a command.
fn answer_of(command: &mut Command) -> Answer {
    command.output().unwrap().into()
}

/// Runs the command with some arguments and an input.
fn answer_to(arguments: &[&str], input: &[u8]) -> Answer {
    answer_of_input(vlad().args(arguments), input)
}

/// Runs a command with an input.
fn answer_of_input(command: &mut Command, input: &[u8]) -> Answer {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // Writing fails if the program does not read all of its input.
    let writer = thread::spawn(move || stdin.write_all(&input));
    let answer = child.wait_with_output().unwrap().into();
    let _ = writer.join().unwrap();
    answer
}

/// Writes an executable file. Another process writes it, since a file cannot be run that any process has open for writing,
/// and processes that other tests start have for a moment what this one has open.
fn executable(path: &Path, text: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "printf %s \"$1\" > \"$0\" && chmod 755 \"$0\""]).arg(path).arg(text);
    assert!(shell.status().unwrap().success());
}

/// Waits until a condition holds that must hold eventually, also on a slow machine.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A command that a shell starts, after other commands of the shell.
fn in_shell(before: &str, command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{before} exec \"$0\" \"$@\"")]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.stdin(Stdio::null());
    shell
}

/// Makes a new folder with some files, which only the current test uses.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let test = thread::current().name().unwrap_or("main").replace(':', "_");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}
