//! The process that compiles in the background: a request from the standard input, an object to the standard output.
//!
//! It is this command, started with a name that no user needs. What decides how long it lives is its standard input, which
//! the process that started it keeps open: its end is the end of the compiler, however the other process has come to its own
//! end - unless a last byte says that the compiler may go on for the sake of the cache. Then it does so for a bounded time
//! and behind everybody else.

use super::request::Request;
use crate::signals::Signals;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;
use vlad_compiler::toolchain::{leave, step_back};

/// The subcommand's name.
pub const NAME: &str = "compile-in-background";

/// The byte that lets the compiler go on when nobody waits for it any more.
pub const GO_ON: u8 = b'g';

/// The time that it has then.
const PATIENCE: Duration = Duration::from_secs(30);

/// The time between two looks for signals.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The first byte of an answer that is an object, and of one that says why there is none.
const OBJECT: u8 = b'o';
const REFUSAL: u8 = b'r';

/// The bytes of the object in an answer.
///
/// # Errors
/// There is none; why.
pub fn object(answer: &[u8]) -> Result<&[u8], String> {
    match answer.split_first() {
        Some((&OBJECT, bytes)) => Ok(bytes),
        Some((&REFUSAL, reason)) => Err(String::from_utf8_lossy(reason).into_owned()),
        Some(_) | None => Err("the process that compiles has come to an end".to_owned()),
    }
}

/// Carries out the request that the standard input brings.
pub fn compile() -> ExitCode {
    let Ok(request) = Request::receive(&mut io::stdin().lock()) else { return ExitCode::FAILURE };
    let attended = thread::Builder::new().name("patience".to_owned()).spawn(wait_for_the_end);
    let signals = Signals::attend();
    let looked = thread::Builder::new().name("signals".to_owned()).spawn(move || {
        loop {
            signals.look(|| ());
            thread::sleep(BETWEEN_LOOKS);
        }
    });
    if attended.is_err() || looked.is_err() {
        return ExitCode::FAILURE;
    }
    let answer = match request.carry_out() {
        Ok(object) => [&[OBJECT], object.as_slice()].concat(),
        Err(reason) => [&[REFUSAL], reason.as_bytes()].concat(),
    };
    // Nobody may be waiting for it any more.
    let _ = io::stdout().lock().write_all(&answer);
    ExitCode::SUCCESS
}

/// Ends the process, and what it has started, when the other one does not want it any more.
fn wait_for_the_end() {
    let mut word = [0];
    if matches!(io::stdin().lock().read(&mut word), Ok(1)) && word == [GO_ON] {
        step_back();
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
