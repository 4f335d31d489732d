//! The bytes of a capsule file: numbers, texts, and the checksum over everything.

use crate::capsule_file::refusal::Refusal;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// The bytes of a checksum.
pub const CHECKSUM: usize = 32;

/// The seven bits of a number in one byte; the eighth bit is set if more bytes follow.
const DIGIT: u64 = 0x7F;
const MORE: u8 = 0x80;

/// A writer of bytes that appends their checksum at the end.
pub struct Sink<'out> {
    out: &'out mut dyn Write,
    hash: Sha256,
}

impl<'out> Sink<'out> {
    /// A sink to which nothing has been written.
    pub fn new(out: &'out mut dyn Write) -> Sink<'out> {
        Sink { out, hash: Sha256::new() }
    }

    /// Writes bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.out.write_all(bytes)
    }

    /// Writes one byte.
    pub fn byte(&mut self, byte: u8) -> io::Result<()> {
        self.bytes(&[byte])
    }

    /// Writes a number with seven bits in each byte, the lowest first.
    pub fn number(&mut self, number: u64) -> io::Result<()> {
        let (mut digits, mut count) = ([0_u8; 10], 0);
        let mut rest = number;
        for place in &mut digits {
            let digit = (rest & DIGIT) as u8;
            rest >>= 7;
            count += 1;
            *place = if rest == 0 { digit } else { digit | MORE };
            if rest == 0 {
                break;
            }
        }
        self.bytes(digits.get(..count).unwrap_or(&digits))
    }

    /// Writes a real by its bits.
    pub fn real(&mut self, real: f64) -> io::Result<()> {
        self.bytes(&real.to_bits().to_le_bytes())
    }

    /// Writes a text, preceded by its length.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.number(text.len() as u64)?;
        self.bytes(text.as_bytes())
    }

    /// Writes the checksum, which ends the file.
    pub fn finish(self) -> io::Result<()> {
        self.out.write_all(&self.hash.finalize())
    }
}

/// A reader of bytes that are all in memory.
#[derive(Clone, Copy, Debug)]
pub struct Source<'file> {
    rest: &'file [u8],
}

impl<'file> Source<'file> {
    /// A source over some bytes.
    pub fn new(bytes: &'file [u8]) -> Source<'file> {
        Source { rest: bytes }
    }

    /// Removes the checksum from the end, after checking that it is that of all bytes before it in the whole file.
    pub fn without_checksum(self, whole: &'file [u8]) -> Result<Source<'file>, Refusal> {
        let end = whole.len().checked_sub(CHECKSUM).ok_or(Refusal::damaged("it ends too early"))?;
        let (before, checksum) = whole.split_at(end);
        if Sha256::digest(before).as_slice() != checksum {
            return Err(Refusal::damaged("its checksum is wrong"));
        }
        let end = self.rest.len().checked_sub(CHECKSUM).ok_or(Refusal::damaged("it ends too early"))?;
        Ok(Source { rest: self.rest.split_at(end).0 })
    }

    /// Reads `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Result<&'file [u8], Refusal> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Refusal::damaged("it ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads an array of bytes.
    pub fn array<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], Refusal> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Refusal::damaged("it ends too early"))?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Reads a byte.
    pub fn byte(&mut self) -> Result<u8, Refusal> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    /// Reads a number, which must have its shortest form.
    pub fn number(&mut self) -> Result<u64, Refusal> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let digit = u64::from(byte) & DIGIT;
            if digit << shift >> shift != digit || (byte == 0 && shift > 0) {
                break;
            }
            number |= digit << shift;
            if byte & MORE == 0 {
                return Ok(number);
            }
        }
        Err(Refusal::damaged("a number in it is malformed"))
    }

    /// Reads a real. There is one NaN: its payload cannot be observed, and vectors use one payload as a marker, which a
    /// forged file must not bring in.
    pub fn real(&mut self) -> Result<f64, Refusal> {
        let real = f64::from_bits(u64::from_le_bytes(self.array()?));
        Ok(if real.is_nan() { f64::NAN } else { real })
    }

    /// Reads a text. Nothing is allocated for it before it is known to be present.
    pub fn text(&mut self) -> Result<&'file str, Refusal> {
        let length = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        std::str::from_utf8(self.bytes(length)?).map_err(|_| Refusal::damaged("a text in it is not text"))
    }

    /// Returns true if nothing is left.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)] // tests may
mod tests {
    use super::*;

    #[test]
    fn reals_are_read_by_their_bits_but_for_nan() {
        let reals = [1.5, -0.0, f64::NEG_INFINITY, 5e-324];
        let bits: Vec<u64> = reals.iter().map(|real| real.to_bits()).chain([0x7ff8_0000_766c_6164, u64::MAX]).collect();
        let bytes: Vec<u8> = bits.iter().flat_map(|bits| bits.to_le_bytes()).collect();
        let mut source = Source::new(&bytes);
        let read: Vec<u64> = bits.iter().map(|_| source.real().unwrap().to_bits()).collect();
        assert_eq!(read.split_at(4), (&bits[..4], &[f64::NAN.to_bits(); 2][..]));
    }
}
