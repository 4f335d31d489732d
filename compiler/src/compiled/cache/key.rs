//! The key of a compiled object: a strong hash of everything that determines the output of the compiler.
//!
//! Invariant: each part is hashed with its kind and its length, so two different lists of parts never give the same
//! bytes.

use crate::toolchain::{Header, Job, Optimisation, Source, Toolchain};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::hash::{Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::time::{SystemTime, UNIX_EPOCH};

/// The version of the format of entries; incremented with each change.
const FORMAT: &str = "1";

/// The version of this program, which is part of all keys.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the key of a job for a compiler: 64 hexadecimal digits.
#[must_use]
pub fn of(toolchain: &Toolchain, job: &Job<'_>) -> String {
    let mut hash = HashedParts::default();
    hash.toolchain(toolchain);
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

/// A hash of what makes an object of source texts, which are no part of it: this program, and a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Makers(pub(super) String);

impl Makers {
    /// The makers of objects with some degree of optimisation, if one is asked for. None if this program's file has been replaced.
    #[must_use]
    pub fn of(toolchain: &Toolchain, optimisation: Option<Optimisation>) -> Option<Makers> {
        let own = std::env::current_exe().and_then(std::fs::metadata).ok()?;
        let mut hash = HashedParts::default();
        hash.toolchain(toolchain);
        hash.file(own.len(), own.modified().ok());
        for flag in optimisation.iter().flat_map(|optimisation| toolchain.flags(*optimisation)) {
            hash.part("flag", flag.as_bytes());
        }
        Some(Makers(hash.hexadecimal()))
    }
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

    fn toolchain(&mut self, toolchain: &Toolchain) {
        self.part("format", FORMAT.as_bytes());
        self.part("version", VERSION.as_bytes());
        self.part("system", std::env::consts::OS.as_bytes());
        self.part("architecture", std::env::consts::ARCH.as_bytes());
        let identity = toolchain.identity();
        // The behaviour of a compiler may depend on the name by which it is called.
        self.part("program", toolchain.program().as_os_str().as_bytes());
        self.part("compiler", identity.file.as_os_str().as_bytes());
        self.file(identity.bytes, identity.modified);
        self.part("answer", identity.version.as_bytes());
    }

    fn file(&mut self, bytes: u64, modified: Option<SystemTime>) {
        self.part("size", &bytes.to_le_bytes());
        let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        self.part("modified", &since.as_nanos().to_le_bytes());
    }

    /// Adds a part that consists of a value.
    pub(super) fn value(&mut self, kind: &str, value: impl Hash) {
        self.part(kind, &[]);
        value.hash(&mut Digested(&mut self.0));
    }

    /// Returns the hash of all parts: 64 hexadecimal digits.
    pub(super) fn hexadecimal(self) -> String {
        hexadecimal(&self.0.finalize())
    }
}

/// The bytes of values that are hashed.
struct Digested<'hash>(&'hash mut Sha256);

impl Hasher for Digested<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash is that of the parts.
    fn finish(&self) -> u64 {
        0
    }
}

/// Returns the hash of the contents of an entry: 64 hexadecimal digits.
pub(super) fn of_contents(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Returns true for a text that may be a key.
pub(super) fn is_key(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
