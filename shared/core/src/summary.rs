//! Short texts for messages: the beginning of a printed value.

use std::io::{self, Write};

/// Returns the text that is written, cut after some 60 characters.
pub fn summary_of(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut cut = LimitedWriter { text: Vec::new(), left: 60 };
    let whole = write(&mut cut).is_ok();
    let mut text = String::from_utf8_lossy(&cut.text).into_owned();
    if !whole {
        text.push_str(" ...");
    }
    text
}

/// A writer that fails after a number of bytes.
struct LimitedWriter {
    text: Vec<u8>,
    left: usize,
}

impl Write for LimitedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.text.len() + bytes.len() > self.left {
            return Err(io::Error::other("cut"));
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
