//! Executables in the format ELF, as far as they are copied.
//!
//! ```text
//! header | program headers | what the system loads | symbols, lines for debuggers, section headers
//! ```
//!
//! The system loads what the program headers name. Section headers and what they alone name serve debuggers and linkers.

/// The first bytes of a file for 64 bits, least significant byte first.
const MAGIC: [u8; 6] = [0x7F, b'E', b'L', b'F', 2, 1];

/// The offset and the length of the field of the header for the kind of file, and the kind of a program at a fixed address.
const KIND_OF_FILE: (usize, usize) = (16, 2);
const AT_FIXED_ADDRESS: usize = 2;

/// The offsets and lengths of fields of the header: place, size and number of the program headers.
const PROGRAM_HEADERS: (usize, usize) = (32, 8);
const SIZE_OF_PROGRAM_HEADER: (usize, usize) = (54, 2);
const NUMBER_OF_PROGRAM_HEADERS: (usize, usize) = (56, 2);

/// The fields that say where section headers are, how many there are, and which of them has their names.
const OF_SECTIONS: [(usize, usize); 3] = [(40, 8), (60, 2), (62, 2)];

/// The field of a program header for its kind, and the kind that names the loader of a program.
const KIND: (usize, usize) = (0, 4);
const NAME_OF_LOADER: usize = 3;

/// The fields of a program header: place and length of its bytes in the file.
const PLACE: (usize, usize) = (8, 8);
const LENGTH: (usize, usize) = (32, 8);

/// Removes from an executable what is behind everything that the system loads. It stays as it is if it has another
/// format, or is not whole.
pub fn drop_unloaded(image: &mut Vec<u8>) {
    let Some(end) = loaded_end(image) else { return };
    image.truncate(end);
    for (at, length) in OF_SECTIONS {
        if let Some(field) = image.get_mut(at..at + length) {
            field.fill(0);
        }
    }
}

/// Returns true if a file with that beginning is a program: it has a fixed address, or names the loader that starts it.
/// Object files and libraries have neither.
pub fn is_program(head: &[u8]) -> bool {
    let has_loader = |header: &usize| number(head, *header, KIND) == Some(NAME_OF_LOADER);
    let headers = program_headers(head).unwrap_or_default();
    head.starts_with(&MAGIC)
        && (number(head, 0, KIND_OF_FILE) == Some(AT_FIXED_ADDRESS) || headers.iter().any(has_loader))
}

/// The places of the program headers.
fn program_headers(image: &[u8]) -> Option<Vec<usize>> {
    let (first, size) = (number(image, 0, PROGRAM_HEADERS)?, number(image, 0, SIZE_OF_PROGRAM_HEADER)?);
    let count = number(image, 0, NUMBER_OF_PROGRAM_HEADERS)?;
    (0..count).map(|header| first.checked_add(size.checked_mul(header)?)).collect()
}

/// The end of what the program headers name, and of themselves.
fn loaded_end(image: &[u8]) -> Option<usize> {
    if !image.starts_with(&MAGIC) {
        return None;
    }
    let headers = program_headers(image)?;
    let ends = headers.iter().map(|at| number(image, *at, PLACE)?.checked_add(number(image, *at, LENGTH)?));
    let of_headers = headers.last()?.checked_add(number(image, 0, SIZE_OF_PROGRAM_HEADER)?);
    let end = ends.chain([of_headers]).try_fold(0, |end, next| Some(end.max(next?)))?;
    (end <= image.len()).then_some(end)
}

/// The number in a field of a header that begins at some place.
fn number(image: &[u8], header: usize, (at, length): (usize, usize)) -> Option<usize> {
    let begin = header.checked_add(at)?;
    let bytes = image.get(begin..begin.checked_add(length)?)?;
    let number = bytes.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    usize::try_from(number).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests may
mod tests {
    use super::*;

    /// An image with program headers for some stretches of the file, of a hundred bytes and section headers.
    fn image(stretches: &[(u64, u64)]) -> Vec<u8> {
        let mut image = vec![0; 64 + 56 * stretches.len()];
        let mut set = |at: usize, bytes: &[u8]| image.get_mut(at..at + bytes.len()).unwrap().copy_from_slice(bytes);
        set(0, &MAGIC);
        set(32, &64_u64.to_le_bytes());
        set(40, &500_u64.to_le_bytes());
        set(54, &56_u16.to_le_bytes());
        set(56, &(stretches.len() as u16).to_le_bytes());
        set(60, &9_u16.to_le_bytes());
        set(62, &8_u16.to_le_bytes());
        for (header, (place, length)) in stretches.iter().enumerate() {
            set(64 + 56 * header + 8, &place.to_le_bytes());
            set(64 + 56 * header + 32, &length.to_le_bytes());
        }
        image.resize(1000, 5);
        image
    }

    #[test]
    fn what_is_loaded_stays() {
        let mut dropped = image(&[(0, 300), (320, 80), (310, 5)]);
        let whole = dropped.clone();
        drop_unloaded(&mut dropped);
        assert_eq!(dropped.len(), 400);
        for (at, (left, was)) in dropped.iter().zip(&whole).enumerate() {
            let is_of_sections = OF_SECTIONS.iter().any(|(from, length)| (*from..from + length).contains(&at));
            assert_eq!(*left, if is_of_sections { 0 } else { *was }, "{at}");
        }
        drop_unloaded(&mut dropped);
        assert_eq!(dropped.len(), 400);
    }

    #[test]
    fn other_files_stay_as_they_are() {
        let cut = image(&[(0, 300)]).get(..250).unwrap().to_vec();
        let mut narrow = image(&[(0, 300)]);
        *narrow.get_mut(4).unwrap() = 1;
        let images = [image(&[(0, 1001)]), image(&[(u64::MAX, 1)]), image(&[(u64::MAX, 0)]), image(&[]), cut, narrow];
        for whole in images.into_iter().chain([vec![], MAGIC.to_vec(), b"text".to_vec()]) {
            let mut dropped = whole.clone();
            drop_unloaded(&mut dropped);
            assert_eq!(dropped, whole);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_real_executable_gets_shorter() {
        let mut own = std::fs::read("/proc/self/exe").unwrap();
        let whole = own.len();
        drop_unloaded(&mut own);
        assert!((1000..whole).contains(&own.len()));
        assert!(is_program(&own));
    }

    #[test]
    fn programs_have_a_loader_or_an_address() {
        assert!(!is_program(&image(&[(0, 300)])) && !is_program(b"#!/bin/sh") && !is_program(&[]));
        let (mut with_loader, mut with_address) = (image(&[(0, 300), (0, 9)]), image(&[]));
        *with_loader.get_mut(64 + 56).unwrap() = 3;
        *with_address.get_mut(16).unwrap() = 2;
        assert!(is_program(&with_loader) && is_program(&with_address));
        assert!(!is_program(with_loader.get(..100).unwrap()));
    }
}
