//! The process that compiles in the background: an order from the standard input, an object to the standard output.
//!
//! It is this command, started with a name that no user needs. What decides how long it lives is its standard input, which
//! the process that started it keeps open: its end is the end of the compiler, however the other process has come to its own
//! end - unless a last byte says that the compiler may go on for the sake of the cache. Then it does so for a bounded time
//! and behind everybody else.

use crate::signals::Signals;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;
use vlad_compiler::Order;
use vlad_compiler::cache::CachePolicy;
use vlad_compiler::toolchain::{Optimisation, leave, step_back};

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

/// The most bytes of an order that are read.
const MOST_ORDER: u64 = 1 << 30;

/// An order as it is written: its length as eight bytes, the least first, and so many of JSON.
#[derive(Serialize, Deserialize)]
struct Letter {
    /// A name need not be text.
    compiler: Option<Vec<u8>>,
    uses_cache: bool,
    optimisation: String,
    time_limit: Duration,
    memory_limit: Option<u64>,
    sources: Vec<(String, String)>,
}

/// Writes an order.
pub fn send(out: &mut impl Write, order: &Order) -> io::Result<()> {
    let letter = Letter {
        compiler: order.compiler.as_ref().map(|name| name.as_bytes().to_vec()),
        uses_cache: order.cache == CachePolicy::Use,
        optimisation: order.optimisation.name().to_owned(),
        time_limit: order.time_limit,
        memory_limit: order.memory_limit,
        sources: order.sources.clone(),
    };
    let text = serde_json::to_vec(&letter)?;
    out.write_all(&(text.len() as u64).to_le_bytes())?;
    out.write_all(&text)?;
    out.flush()
}

/// Reads an order.
fn receive(input: &mut impl Read) -> io::Result<Order> {
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let mut text = Vec::new();
    input.take(u64::from_le_bytes(length).min(MOST_ORDER)).read_to_end(&mut text)?;
    let letter: Letter = serde_json::from_slice(&text)?;
    let optimisation = Optimisation::named(&letter.optimisation);
    Ok(Order {
        compiler: letter.compiler.map(OsString::from_vec),
        cache: if letter.uses_cache { CachePolicy::Use } else { CachePolicy::Bypass },
        optimisation: optimisation.ok_or(io::ErrorKind::InvalidData)?,
        time_limit: letter.time_limit,
        memory_limit: letter.memory_limit,
        sources: letter.sources,
    })
}

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

/// Carries out the order that the standard input brings.
pub fn compile() -> ExitCode {
    let Ok(order) = receive(&mut io::stdin().lock()) else { return ExitCode::FAILURE };
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
    let answer = match order.carry_out() {
        Ok(object) => [&[OBJECT], object.as_slice()].concat(),
        Err(error) => [&[REFUSAL], error.to_string().as_bytes()].concat(),
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
    fn orders_arrive_as_they_were_sent() {
        let order = Order {
            compiler: Some(OsString::from_vec(vec![b'c', 0xFF])),
            cache: CachePolicy::Bypass,
            optimisation: Optimisation::Fast,
            time_limit: Duration::from_millis(1500),
            memory_limit: Some(1 << 40),
            sources: vec![("vlad_p0_".to_owned(), "int x = '\"';\n\u{2207}".to_owned())],
        };
        let mut sent = Vec::new();
        send(&mut sent, &order).unwrap();
        sent.push(GO_ON);
        let mut input = sent.as_slice();
        assert_eq!(receive(&mut input).unwrap(), order);
        assert_eq!(input, [GO_ON]);
        for damaged in [&sent[..4], &sent[..20]] {
            assert!(receive(&mut &*damaged).is_err());
        }
    }

    #[test]
    fn answers_are_objects_or_reasons() {
        assert_eq!(object(b"oabc"), Ok(&b"abc"[..]));
        assert_eq!(object(b"rno"), Err("no".to_owned()));
        assert!(object(b"").is_err() && object(b"x").is_err());
    }
}
