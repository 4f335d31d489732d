//! The standard input of a session, from which programs read numbers and, unless it is a terminal, inputs come.

use crate::process::interruption::Interruption;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, BufReader, Read};
use std::sync::Arc;

/// The buffered standard input of a session.
pub type SessionInput = BufReader<InterruptibleInput>;

/// The time between two checks of the interrupt key while a number is typed, in nanoseconds.
const BETWEEN_LOOKS: i64 = 50_000_000;

/// The standard input; at a terminal the interrupt key ends waiting for it.
pub struct InterruptibleInput {
    interruption: Option<Arc<Interruption>>,
}

impl InterruptibleInput {
    /// The standard input, with the interrupt key of a terminal.
    pub fn buffered(interruption: Option<Arc<Interruption>>) -> SessionInput {
        BufReader::new(InterruptibleInput { interruption })
    }
}

impl Read for InterruptibleInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let stdin = rustix::stdio::stdin();
        if let Some(interruption) = &self.interruption {
            loop {
                if interruption.is_pressed() {
                    return Err(io::Error::other("interrupted"));
                }
                let pause = Timespec { tv_sec: 0, tv_nsec: BETWEEN_LOOKS };
                match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&pause)) {
                    Ok(0) | Err(rustix::io::Errno::INTR) => {}
                    Ok(_) | Err(_) => break,
                }
            }
        }
        loop {
            match rustix::io::read(stdin, &mut *buffer) {
                Err(rustix::io::Errno::INTR) => {}
                read => return Ok(read?),
            }
        }
    }
}
