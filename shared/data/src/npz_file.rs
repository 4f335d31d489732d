//! Archives of NumPy: files in the format ZIP, stored or deflated, each of which holds an array, as `numpy.savez` and
//! `numpy.savez_compressed` write them.

use crate::datum::{Data, DataError};
use crate::npy_file;
use std::io::{Cursor, Read};
use zip::ZipArchive;
use zip::result::ZipError;

/// The extension of an array in an archive, which NumPy adds to its name.
const EXTENSION: &str = ".npy";

/// The most bytes of an array, which are also the most of a file. The size that a member claims is not believed.
const MOST_BYTES: u64 = 64 << 20;

/// The number of arrays that a message names.
const SHOWN: usize = 12;

/// Reads the array with a name.
pub(crate) fn read(bytes: &[u8], parts: &[String]) -> Result<Data, DataError> {
    let none = |error: &ZipError| DataError::new(format!("this is no archive of NumPy: {error}"));
    let mut archive = ZipArchive::new(Cursor::new(bytes))
        .map_err(|error| none(&error).with_hint("such files are written by numpy.savez and numpy.savez_compressed"))?;
    let Some((member, inner)) = parts.split_first() else {
        let message = "an archive has several arrays: choose one as in FILE.npz:member";
        return Err(DataError::new(message).with_hint(members(&archive)));
    };
    let full = format!("{member}{EXTENSION}");
    let name = if archive.index_for_name(&full).is_some() { &full } else { member };
    let hint = members(&archive);
    let unreadable =
        |error: &dyn std::fmt::Display| DataError::new(format!("the array `{member}` cannot be read: {error}"));
    let file = match archive.by_name(name) {
        Ok(file) => file,
        Err(ZipError::FileNotFound) => {
            return Err(DataError::new(format!("the archive has no array `{member}`")).with_hint(hint));
        }
        Err(error) => return Err(unreadable(&error)),
    };
    let mut array = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut array).map_err(|error| unreadable(&error))?;
    if array.len() as u64 > MOST_BYTES {
        return Err(unreadable(&format!("it has more than {MOST_BYTES} bytes")));
    }
    npy_file::read(&array, inner)
}

/// The names of the arrays, as a hint.
fn members(archive: &ZipArchive<Cursor<&[u8]>>) -> String {
    let names = archive.file_names().map(|name| name.strip_suffix(EXTENSION).unwrap_or(name));
    let shown = names.take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let more = if archive.len() > SHOWN { " and others" } else { "" };
    if archive.is_empty() { "the archive is empty".to_owned() } else { format!("the arrays are {shown}{more}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    fn vector(elements: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({},), }}\n", elements.len());
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(elements);
        file
    }

    fn archive(members: &[(&str, &[u8], CompressionMethod)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content, method) in members {
            writer.start_file(*name, SimpleFileOptions::default().compression_method(*method)).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn of(bytes: &[u8], parts: &[&str]) -> Result<Data, DataError> {
        read(bytes, &parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>())
    }

    fn sample() -> Vec<u8> {
        let (stored, deflated) = (CompressionMethod::Stored, CompressionMethod::Deflated);
        archive(&[("w.npy", &vector(&[1, 2]), stored), ("b.npy", &vector(&[7; 500]), deflated), ("t", b"text", stored)])
    }

    #[test]
    fn members_are_read_stored_and_deflated() {
        assert_eq!(of(&sample(), &["w"]), Ok(Data::Reals(vec![1.0, 2.0])));
        assert_eq!(of(&sample(), &["w.npy"]), Ok(Data::Reals(vec![1.0, 2.0])));
        assert_eq!(of(&sample(), &["b"]), Ok(Data::Reals(vec![7.0; 500])));
    }

    #[test]
    fn others_are_refused() {
        let refused = |bytes: &[u8], parts: &[&str]| {
            let error = of(bytes, parts).unwrap_err();
            format!("{} {}", error.message, error.hint.unwrap_or_default())
        };
        let all = refused(&sample(), &[]);
        assert!(all.contains("FILE.npz:member") && all.contains("`w`, `b`, `t`"), "{all}");
        assert!(refused(&sample(), &["c"]).contains("no array `c`"));
        assert!(refused(&sample(), &["t"]).contains("no array of NumPy"));
        assert!(refused(&sample(), &["w", "0"]).contains("no part `0`"));
        assert!(refused(b"PK", &["w"]).contains("no archive of NumPy"));
        assert!(refused(&archive(&[]), &["w"]).contains("is empty"));
        let (whole, mut corrupt) = (sample(), sample());
        assert!(refused(&whole[..whole.len() / 2], &["w"]).contains("no archive of NumPy"));
        // The last byte of the elements of `w`, which are stored as they are.
        let place = whole.windows(3).position(|bytes| bytes == b"\n\x01\x02").unwrap() + 2;
        corrupt[place] = 3;
        assert!(refused(&corrupt, &["w"]).contains("cannot be read"), "{}", refused(&corrupt, &["w"]));
        // The general purpose flags say that it is encrypted: in the header of `w` and in the directory.
        let mut encrypted = sample();
        let places: Vec<usize> = encrypted
            .windows(4)
            .enumerate()
            .filter_map(|(at, bytes)| match bytes {
                b"PK\x03\x04" => Some(at + 6),
                b"PK\x01\x02" => Some(at + 8),
                _ => None,
            })
            .collect();
        places.into_iter().for_each(|at| encrypted[at] |= 1);
        assert!(refused(&encrypted, &["w"]).contains("cannot be read"));
    }

    #[test]
    fn a_small_archive_of_a_large_array_is_refused() {
        let zeros = vec![0; MOST_BYTES as usize + 1];
        let bomb = archive(&[("z.npy", &zeros, CompressionMethod::Deflated)]);
        assert!(bomb.len() < 1 << 18);
        assert!(of(&bomb, &["z"]).unwrap_err().message.contains("more than 67108864 bytes"));
    }
}
