//! Mutation of bytes, so that a test without coverage guidance gets past the first checks of a reader.

use vlad_derivatives::numbers::Numbers;

/// Pieces that have a meaning to some reader.
const PIECES: [&[u8]; 24] = [
    b"(",
    b")",
    b"[",
    b"#(",
    b"'",
    b"#;",
    b"#|",
    b"|#",
    b"\"",
    b"\\",
    b" . ",
    b"(lambda (x) ",
    b"(define ",
    b"(let ((",
    b"1e",
    b"#x",
    b"+inf.0",
    b"\0",
    b"\xff",
    b"\xc3\xa9",
    b"\x80\x80\x01",
    b"\x0d\x00",
    b"\x0e\x00",
    b"\n",
];

/// Changes a seed in a few places, also by parts of another seed.
pub fn mutate(seed: &[u8], other: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(bytes.len() + 1);
        let end = (at + numbers.below(9)).min(bytes.len());
        match numbers.below(7) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.insert(at, numbers.below(256) as u8),
            2 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << numbers.below(8);
                }
            }
            3 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = byte.wrapping_add(1 + numbers.below(255) as u8);
                }
            }
            4 => {
                let piece = PIECES.get(numbers.below(PIECES.len())).copied().unwrap_or_default();
                bytes.splice(at..at, piece.iter().copied());
            }
            5 => {
                let from = numbers.below(other.len() + 1);
                let piece = other.get(from..(from + numbers.below(40)).min(other.len())).unwrap_or_default();
                bytes.splice(at..end, piece.iter().copied());
            }
            _ => {
                let piece = bytes.get(at..end).unwrap_or_default().to_vec();
                let piece = piece.repeat(1 + numbers.below(5));
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}
