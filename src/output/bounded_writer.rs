//! Output with a limit on its bytes.

use std::io::{self, Write};

/// A writer that passes on a limited number of bytes; writing more is an error that names the limit.
pub struct BoundedWriter<W> {
    inner: W,
    limit: Option<u64>,
    written: u64,
}

impl<W> BoundedWriter<W> {
    /// A writer with a limit, if there is one.
    pub fn new(inner: W, limit: Option<u64>) -> BoundedWriter<W> {
        BoundedWriter { inner, limit, written: 0 }
    }

    /// Returns the underlying writer.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> Write for BoundedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.limit.map_or(u64::MAX, |limit| limit - self.written);
        let allowed = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
        if allowed == 0
            && !bytes.is_empty()
            && let Some(limit) = self.limit
        {
            return Err(io::Error::other(format!("the limit of {limit} bytes is reached")));
        }
        let taken = self.inner.write(bytes.get(..allowed).unwrap_or(bytes))?;
        self.written += taken as u64;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_written() {
        let mut out = BoundedWriter::new(Vec::new(), Some(5));
        out.write_all(b"abc").unwrap();
        assert!(out.write_all(b"def").unwrap_err().to_string().contains("limit of 5 bytes"));
        assert!(out.write_all(b"g").is_err());
        out.write_all(b"").unwrap();
        assert_eq!(out.into_inner(), b"abcde");
        let mut out = BoundedWriter::new(Vec::new(), None);
        out.write_all(b"abc").unwrap();
        assert_eq!(out.into_inner(), b"abc");
    }
}
