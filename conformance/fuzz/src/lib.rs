//! The common part of the fuzz targets: the properties are those of `vlad_conformance::readers`, and a violation ends
//! the process, which the fuzzer reports as a crash.

use vlad_conformance::readers::Reader;

/// Checks the property of a reader on bytes.
pub fn check(reader: &Reader, bytes: &[u8]) {
    if let Err(wrong) = (reader.property)(bytes) {
        panic!("{}: {wrong}", reader.name);
    }
}
