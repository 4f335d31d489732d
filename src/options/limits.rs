//! The limits of a command: the options, and the defaults where they are not given.

use crate::process::memory;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The limits on memory, time and output in a sandbox, unless options say otherwise.
const SANDBOXED: Bounds =
    Bounds { memory: Some(512 << 20), time: Some(Duration::from_secs(10)), output: Some(16 << 20) };

/// The least memory limit of the C compiler, if memory is limited: with less it does not start.
const LEAST_FOR_COMPILERS: u64 = 256 << 20;

/// The trust in a program: a trusted one may do all that the user may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trust {
    /// Trusted: without options only memory is limited.
    Trusted,
    /// Not trusted: `--sandbox`.
    Sandboxed,
}

/// The options that limit a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args, Serialize, Deserialize)]
pub struct LimitArguments {
    /// Fail when the process uses more memory: bytes, or a number with K, M or G.
    ///
    /// All memory of the process counts, from its start on. The default is a quarter of the machine's memory, or 1G if that
    /// is more, as far as it is available; with --sandbox it is 512M.
    #[arg(long, value_name = "SIZE", value_parser = bytes, allow_negative_numbers = true)]
    pub max_memory: Option<u64>,
    /// Fail after so many seconds, which may be a fraction (default: no limit; 10 with --sandbox).
    ///
    /// Loading and running a program have this limit each.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: Option<Duration>,
    /// Fail when the output, or a capsule file, exceeds so many bytes (default: no limit; 16M with --sandbox)
    #[arg(long, value_name = "SIZE", value_parser = bytes, allow_negative_numbers = true)]
    pub max_output: Option<u64>,
}

/// The option that limits nested calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
pub struct DepthArgument {
    /// Fail at a call nested more than N deep (default: 4000000)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_depth: Option<u64>,
}

impl DepthArgument {
    /// This limit, or if it is not given another one.
    pub fn or(self, other: DepthArgument) -> DepthArgument {
        DepthArgument { max_depth: self.max_depth.or(other.max_depth) }
    }
}

/// The limits of a command; none means unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most resident memory, in bytes.
    pub memory: Option<u64>,
    /// The most time, once for loading and once for running.
    pub time: Option<Duration>,
    /// The most bytes of output, and of a capsule file.
    pub output: Option<u64>,
}

impl LimitArguments {
    /// No options.
    #[cfg(test)]
    pub const NONE: LimitArguments = LimitArguments { max_memory: None, timeout: None, max_output: None };

    /// Returns the limits. They depend on the memory that is available, so this is called before the program uses any.
    pub fn bounds(&self, trust: Trust) -> Bounds {
        let machine = memory::default_limit();
        let own = match trust {
            Trust::Trusted => Bounds { memory: machine, time: None, output: None },
            Trust::Sandboxed => Bounds { memory: SANDBOXED.memory.min(machine.or(SANDBOXED.memory)), ..SANDBOXED },
        };
        Bounds {
            memory: self.max_memory.or(own.memory),
            time: self.timeout.or(own.time),
            output: self.max_output.or(own.output),
        }
    }

    /// Returns these limits, and for those that are not given the ones of `others`.
    pub fn or(&self, others: &LimitArguments) -> LimitArguments {
        LimitArguments {
            max_memory: self.max_memory.or(others.max_memory),
            timeout: self.timeout.or(others.timeout),
            max_output: self.max_output.or(others.max_output),
        }
    }

    /// Returns the memory limit of each process of the C compiler: that of the program, if it is given or sandboxed,
    /// but at least [`LEAST_FOR_COMPILERS`].
    pub fn of_compilers(&self, trust: Trust) -> Option<u64> {
        let limited = match trust {
            Trust::Trusted => self.max_memory,
            Trust::Sandboxed => self.bounds(trust).memory,
        };
        limited.map(|limit| limit.max(LEAST_FOR_COMPILERS))
    }
}

/// Parses a size: a number of bytes, or of units of 2^10, 2^20 or 2^30 bytes.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (text.get(..at), 1 << 10),
        Some((at, 'm' | 'M')) => (text.get(..at), 1 << 20),
        Some((at, 'g' | 'G')) => (text.get(..at), 1 << 30),
        Some(_) | None => (Some(text), 1_u64),
    };
    let number: Option<u64> = digits.and_then(|digits| digits.parse().ok());
    match number.and_then(|number| number.checked_mul(unit)) {
        Some(0) | None => Err("a size is a whole number of bytes, at least 1, or of K, M or G".to_owned()),
        Some(bytes) => Ok(bytes),
    }
}

/// Parses a time in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    match number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
        Some(time) if !time.is_zero() => Ok(time),
        Some(_) | None => Err("a time is a positive number of seconds".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let units = [("1", 1), ("64K", 65536), ("3m", 3 << 20), ("2G", 2 << 30), ("+5", 5)];
        for (text, size) in units {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for text in
            ["", "K", "0", "0G", "-1", "1.5G", "1T", "1 K", "é", "18446744073709551615K", "99999999999999999999"]
        {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_positive_and_finite() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("3"), Ok(Duration::from_secs(3)));
        for text in ["", "0", "-0", "-1", "nan", "inf", "1e300", "1e-30", "x", "1s"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_sandbox_has_limits_that_options_replace() {
        let none = LimitArguments::NONE;
        let bounds = none.bounds(Trust::Sandboxed);
        assert!(bounds.memory <= SANDBOXED.memory && bounds.memory.is_some());
        assert_eq!((bounds.time, bounds.output), (SANDBOXED.time, SANDBOXED.output));
        assert_eq!(none.bounds(Trust::Trusted), Bounds { memory: memory::default_limit(), time: None, output: None });
        assert_eq!(none.of_compilers(Trust::Trusted), None);
        let some = LimitArguments { max_memory: Some(1 << 34), timeout: Some(Duration::MAX), max_output: Some(7) };
        let given = Bounds { memory: Some(1 << 34), time: Some(Duration::MAX), output: Some(7) };
        for trust in [Trust::Trusted, Trust::Sandboxed] {
            assert_eq!((some.bounds(trust), some.of_compilers(trust)), (given, given.memory));
        }
        let own = LimitArguments { max_output: Some(9), ..none };
        assert_eq!(own.or(&some), LimitArguments { max_output: Some(9), ..some });
    }
}
