//! Attempts: the effects of an item that one piece of code begins, and another may have to begin again.
//!
//! Specialised code may give an item up at any point; then the item is evaluated again from its start. The host sees
//! each effect once: what the first execution has read is supplied to the second, failures included, and as many lines
//! as it has written are suppressed. Effects beyond those reach the host.
//!
//! Invariant: both executions have the same effects, in the same order, as far as the first one went. The digest detects
//! a difference when the second execution goes beyond the first, or ends before it.

use crate::digest::Digest;
use crate::run::{Host, InputFault, Origin};
use std::io;
use vlad_core::Program;
use vlad_table::internal_bug;
use vlad_values::Value;

/// The effects of an attempt.
#[derive(Debug, Default)]
pub struct Attempt {
    reads: Vec<f64>,
    /// The number of lines written.
    written: u64,
    digest: Digest,
    /// The effect that failed; it is the last one.
    failure: Option<Failure>,
    /// The position of the second execution; none during the first.
    again: Option<Place>,
}

#[derive(Debug)]
enum Failure {
    Read(InputFault),
    Write(io::Error),
}

#[derive(Debug, Default)]
struct Place {
    reads: usize,
    written: u64,
    digest: Digest,
}

impl Attempt {
    /// Ends the first execution and begins the second.
    pub fn restart(&mut self) {
        self.again = Some(Place::default());
    }

    /// Checks that a second execution that has a value has repeated all effects.
    pub fn check_whole(&self) {
        if self.again.is_some() && !self.is_repeated() {
            internal_bug!("an item that is evaluated again has the effects that it had");
        }
    }

    /// Reads the next number, from the host if the first execution has not read it.
    ///
    /// # Errors
    /// The fault of the host, also if the first execution has met it.
    pub fn read(&mut self, host: &mut dyn Host) -> Result<f64, InputFault> {
        if let Some(place) = &mut self.again {
            if let Some(real) = self.reads.get(place.reads) {
                place.reads += 1;
                place.digest.read(*real);
                return Ok(*real);
            }
            return match &self.failure {
                Some(Failure::Read(fault)) => Err(fault.clone()),
                Some(Failure::Write(_)) => other_effects(),
                None => {
                    self.check_repeated();
                    host.read_real()
                }
            };
        }
        let read = host.read_real();
        match &read {
            Ok(real) => {
                self.reads.push(*real);
                self.digest.read(*real);
            }
            Err(fault) => self.failure = Some(Failure::Read(fault.clone())),
        }
        read
    }

    /// Writes a value, unless the first execution has written it.
    ///
    /// # Errors
    /// The error of the host, also if the first execution has met it.
    pub fn write(&mut self, host: &mut dyn Host, program: &Program, value: &Value, origin: Origin) -> io::Result<()> {
        if let Some(place) = &mut self.again {
            if place.written < self.written {
                place.written += 1;
                place.digest.written(program, value, origin);
                return Ok(());
            }
            return match self.failure.take() {
                Some(Failure::Write(error)) => Err(error),
                Some(Failure::Read(_)) => other_effects(),
                None => {
                    self.check_repeated();
                    host.write(program, value, origin)
                }
            };
        }
        if let Err(error) = host.write(program, value, origin) {
            let same = io::Error::from(error.kind());
            self.failure = Some(Failure::Write(error));
            return Err(same);
        }
        self.written += 1;
        self.digest.written(program, value, origin);
        Ok(())
    }

    /// Checks that the second execution has come to the end of the first, with the same effects.
    fn check_repeated(&self) {
        if !self.is_repeated() {
            other_effects()
        }
    }

    fn is_repeated(&self) -> bool {
        self.again.as_ref().is_some_and(|place| {
            let counts = (place.reads, place.written) == (self.reads.len(), self.written);
            counts && place.digest.value() == self.digest.value() && self.failure.is_none()
        })
    }
}

fn other_effects() -> ! {
    internal_bug!("an item that is evaluated again has no effect that it did not have")
}
