//! The key of a compiled object: a strong hash of everything that determines the output of the compiler.
//!
//! Invariant: each part is hashed with its kind and its length, so two different lists of parts never give the same
//! bytes.

use crate::toolchain::{Header, Job, Source, Toolchain};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::time::UNIX_EPOCH;

/// The version of the format of entries; incremented with each change.
const FORMAT: &str = "1";

/// The version of this program, which is part of all keys.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the key of a job for a compiler: 64 hexadecimal digits.
pub(super) fn of(toolchain: &Toolchain, job: &Job<'_>) -> String {
    let mut hash = HashedParts::default();
    hash.part("format", FORMAT.as_bytes());
    hash.part("version", VERSION.as_bytes());
    hash.part("system", std::env::consts::OS.as_bytes());
    hash.part("architecture", std::env::consts::ARCH.as_bytes());
    let identity = toolchain.identity();
    // The behaviour of a compiler may depend on the name by which it is called.
    hash.part("program", toolchain.program().as_os_str().as_bytes());
    hash.part("compiler", identity.file.as_os_str().as_bytes());
    hash.part("size", &identity.bytes.to_le_bytes());
    let since = identity.modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    hash.part("modified", &since.as_nanos().to_le_bytes());
    hash.part("answer", identity.version.as_bytes());
    for flag in toolchain.flags(job.optimisation) {
        hash.part("flag", flag.as_bytes());
    }
    for Header { name, text } in job.headers {
        hash.part("header", name.as_bytes());
        hash.part("text", text.as_bytes());
    }
    for Source { name, text } in job.sources {
        hash.part("source", name.as_bytes());
        hash.part("text", text.as_bytes());
    }
    hash.hexadecimal()
}

/// A hash of parts.
#[derive(Default)]
pub(super) struct HashedParts(Sha256);

impl HashedParts {
    /// Adds a part of some kind.
    pub(super) fn part(&mut self, kind: &str, bytes: &[u8]) {
        for piece in [kind.as_bytes(), bytes] {
            self.0.update((piece.len() as u64).to_le_bytes());
            self.0.update(piece);
        }
    }

    /// Returns the hash of all parts: 64 hexadecimal digits.
    pub(super) fn hexadecimal(self) -> String {
        hexadecimal(&self.0.finalize())
    }
}

/// Returns the hash of the contents of an entry: 64 hexadecimal digits.
pub(super) fn of_contents(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
