//! Executables with a program in them: a copy of the running executable, followed by a sealed payload.
//!
//! ```text
//! image, up to the last byte that the system loads | padding | payload | seal
//!   the slot in it: mark, state, place and length of the payload
//! ```
//!
//! The slot is a constant of the executable that is overwritten in the copy. So the image itself states that it has a
//! payload: an executable that was cut off behind its image is recognised, and bytes after an executable without
//! payload are ignored. The image is otherwise unchanged, without the symbols and lines for debuggers behind it.

use crate::process::own_executable;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Read, Seek, SeekFrom};
use vlad_compiler::compiled::cache::{seal, unseal};
use vlad_files::elf;
use vlad_shared::table::internal_bug;

/// The key of the seal of a payload.
const KEY: &str = "program";

/// The alignment of the slot, in memory and in the file.
const ALIGNMENT: usize = 64;

/// The states of a slot.
const PLAIN: [u8; 16] = *b"vlad: no payload";
const BUILT: [u8; 16] = *b"vlad: a payload\0";

/// The statement of an executable about its payload.
#[repr(C, align(64))]
struct Slot {
    /// Bytes that occur nowhere else in the executable, by which the slot is found in its file.
    mark: [u8; 32],
    state: [u8; 16],
    /// The place of the payload in the file, and its length with its seal, in bytes.
    place: [u8; 8],
    length: [u8; 8],
}

/// The slot of this executable. It is read through [`black_box`] only: its contents are not those of the source text.
#[used]
static SLOT: Slot = Slot {
    mark: [
        0x9d, 0x1f, 0x62, 0xe8, 0x0b, 0xc4, 0x75, 0xaa, 0x38, 0xd3, 0x56, 0x01, 0xfe, 0x89, 0x2c, 0xb7, 0x40, 0x6d,
        0xf1, 0x9a, 0x13, 0xce, 0x84, 0x5b, 0xe2, 0x27, 0x70, 0xbd, 0x0e, 0x97, 0x4a, 0xd5,
    ],
    state: PLAIN,
    place: [0; 8],
    length: [0; 8],
};

/// The reason why the payload of this executable cannot be used.
#[derive(Debug)]
pub enum Unusable {
    /// The file of the executable cannot be read.
    Unread(io::Error),
    /// It is not what was built, in this respect.
    Damaged(&'static str),
}

/// Returns the payload of this executable if it has one.
///
/// # Errors
/// The reason why it cannot be used.
pub fn own_payload() -> Result<Option<Vec<u8>>, Unusable> {
    let Slot { state, place, length, .. } = black_box(&SLOT);
    if *state == PLAIN {
        return Ok(None);
    }
    if *state != BUILT {
        return Err(Unusable::Damaged("it does not say what is in it"));
    }
    let (place, length) = (u64::from_le_bytes(*place), u64::from_le_bytes(*length));
    let mut sealed = Vec::new();
    let mut is_inside = true;
    let mut read = || {
        let mut file = File::open(own_executable::path()?)?;
        is_inside = place.checked_add(length).is_some_and(|end| end <= i64::MAX as u64);
        if !is_inside {
            return Ok(0);
        }
        file.seek(SeekFrom::Start(place))?;
        file.take(length).read_to_end(&mut sealed)
    };
    read().map_err(Unusable::Unread)?;
    if !is_inside || (sealed.len() as u64) < length {
        return Err(Unusable::Damaged("its end is missing"));
    }
    let payload = unseal(KEY, &sealed).map_err(|_| Unusable::Damaged("it is not what was built"))?.len();
    sealed.truncate(payload);
    Ok(Some(sealed))
}

/// Returns the bytes of an executable that is the running one with a payload.
///
/// # Errors
/// The running executable cannot be read, or is in a form in which it cannot carry a payload.
pub fn with_payload(payload: &[u8]) -> io::Result<Vec<u8>> {
    assemble(fs::read(own_executable::path()?)?, &black_box(&SLOT).mark, payload)
}

/// Adds a payload to an image, in which the slot with that mark has to be found once.
fn assemble(mut image: Vec<u8>, mark: &[u8; 32], payload: &[u8]) -> io::Result<Vec<u8>> {
    elf::drop_unloaded(&mut image);
    let mut found = image.chunks(ALIGNMENT).enumerate().filter(|(_, chunk)| chunk.starts_with(mark));
    let (Some((slot, _)), None) = (found.next(), found.next()) else {
        return Err(io::Error::other("this executable was changed, and cannot be copied"));
    };
    image.resize(image.len().next_multiple_of(ALIGNMENT), 0);
    let (place, seal) = (image.len(), seal(KEY, payload));
    let length = payload.len() + seal.len();
    let stated = [&BUILT[..], &(place as u64).to_le_bytes(), &(length as u64).to_le_bytes()].concat();
    let slot = slot * ALIGNMENT + mark.len();
    match image.get_mut(slot..slot + stated.len()) {
        Some(state) => state.copy_from_slice(&stated),
        None => internal_bug!("the slot is within the image"),
    }
    image.extend_from_slice(payload);
    image.extend_from_slice(seal.as_bytes());
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: [u8; 32] = *b"0123456789abcdef0123456789abcdef";

    #[test]
    fn a_slot_takes_one_line() {
        assert_eq!((size_of::<Slot>(), align_of::<Slot>()), (ALIGNMENT, ALIGNMENT));
        assert!(matches!(own_payload(), Ok(None)));
    }

    #[test]
    fn the_running_executable_has_one_slot() {
        let built = with_payload(b"payload").unwrap();
        assert!(built.ends_with(seal(KEY, b"payload").as_bytes()));
    }

    #[test]
    fn the_slot_states_place_and_length() {
        let image = [&[7; 64][..], &MARK, &[0; 32], &[1, 2, 3]].concat();
        let built = assemble(image.clone(), &MARK, b"payload").unwrap();
        let seal = seal(KEY, b"payload");
        let stated = [&BUILT[..], &192_u64.to_le_bytes(), &(7 + seal.len() as u64).to_le_bytes()].concat();
        let expected = [&[7; 64][..], &MARK, &stated, &[1, 2, 3], &[0; 61], b"payload", seal.as_bytes()].concat();
        assert_eq!(built, expected);
        for other in [[&image[..], &[0; 61], &MARK].concat(), image[1..].to_vec(), vec![]] {
            assert!(assemble(other, &MARK, b"payload").is_err());
        }
    }
}
