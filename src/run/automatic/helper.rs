//! The process that compiles in the background: reads a request from the standard input, writes an object to the
//! standard output.
//!
//! It is the `vlad` command itself, started with a hidden subcommand. Its standard input bounds its life: the parent
//! process keeps it open, and the compiler ends when it is closed, in whatever way the parent ends. A last byte
//! [`GO_ON`] lets the compiler continue for the sake of the cache, for a bounded time and at a lower priority.

use super::request::Request;
use crate::process::signals::Signals;
use crate::process::threads;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;
use vlad_compiler::toolchain::{leave, lower_priority};
use vlad_shared::frontend::languages::Languages;

/// The subcommand's name.
pub const NAME: &str = "compile-in-background";

/// The byte that lets the compiler continue after the run has ended.
pub const GO_ON: u8 = b'g';

/// The time that it then has.
const PATIENCE: Duration = Duration::from_secs(30);

/// The time between two polls for signals.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The first byte of an answer: of an object, and of a reason why there is none.
const OBJECT: u8 = b'o';
const REFUSAL: u8 = b'r';

/// Returns the bytes of the object in an answer.
///
/// # Errors
/// The reason why there is no object.
pub fn object(answer: &[u8]) -> Result<&[u8], String> {
    match answer.split_first() {
        Some((&OBJECT, bytes)) => Ok(bytes),
        Some((&REFUSAL, reason)) => Err(String::from_utf8_lossy(reason).into_owned()),
        Some(_) | None => Err("the process that compiles has ended".to_owned()),
    }
}

/// Carries out the request on the standard input.
pub fn compile(languages: Languages) -> ExitCode {
    let Ok(request) = Request::receive(&mut io::stdin().lock()) else { return ExitCode::FAILURE };
    let attended = threads::named("patience").spawn(wait_for_the_end);
    let signals = Signals::attend();
    let looked = threads::named("signals").spawn(move || {
        loop {
            signals.look(|| ());
            thread::sleep(BETWEEN_LOOKS);
        }
    });
    if attended.is_err() || looked.is_err() {
        return ExitCode::FAILURE;
    }
    let answer = match request.carry_out(languages) {
        Ok(object) => [&[OBJECT], object.as_slice()].concat(),
        Err(reason) => [&[REFUSAL], reason.as_bytes()].concat(),
    };
    // The parent may have ended.
    let _ = io::stdout().lock().write_all(&answer);
    ExitCode::SUCCESS
}

/// Waits until the parent closes the standard input or lets the compiler continue; in the end, ends the process and
/// those that it has started.
fn wait_for_the_end() {
    let mut word = [0];
    if matches!(io::stdin().lock().read(&mut word), Ok(1)) && word == [GO_ON] {
        lower_priority();
        thread::sleep(PATIENCE);
    }
    leave();
    signal_hook::low_level::exit(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_objects_or_reasons() {
        assert_eq!(object(b"oabc"), Ok(&b"abc"[..]));
        assert_eq!(object(b"rno"), Err("no".to_owned()));
        assert!(object(b"").is_err() && object(b"x").is_err());
    }
}
