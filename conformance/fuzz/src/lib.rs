//! What the fuzz targets have in common: the properties are those of `vlad_conformance::readers`, and what breaks one ends
//! the process, which the fuzzer takes for a crash.

use vlad_conformance::readers::Reader;

/// Checks what a reader makes of bytes.
pub fn check(reader: &Reader, bytes: &[u8]) {
    if let Err(wrong) = (reader.property)(bytes) {
        panic!("{}: {wrong}", reader.name);
    }
}
