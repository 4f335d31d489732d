//! Packs the corpus, and the examples that its programs include, into one file, which is a part of the command
//! (`src/matrix/bundled.rs` has its form); and rebuilds the tests of F-smooth when the set of their files changes: they are
//! listed when they are compiled.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folders that are packed, and where they are from here. In the archive they lie beside each other as in the project, so that the
/// programs of one find those of the other.
const PACKED: [(&str, &str); 2] = [("conformance/corpus", "corpus"), ("examples", "../examples")];

fn main() -> io::Result<()> {
    let mut archive = Vec::new();
    for (name, folder) in PACKED {
        println!("cargo:rerun-if-changed={folder}");
        let mut files = Vec::new();
        below(Path::new(folder), &mut files)?;
        files.sort();
        for file in files {
            let path = Path::new(name).join(file.strip_prefix(folder).map_err(io::Error::other)?);
            for piece in [path.to_str().ok_or(io::ErrorKind::InvalidData)?.as_bytes(), &fs::read(&file)?] {
                let length = u32::try_from(piece.len()).map_err(io::Error::other)?;
                archive.extend(length.to_le_bytes());
                archive.extend(piece);
            }
        }
    }
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("corpus.bin"), archive)
}

/// Collects the files below a folder.
fn below(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => below(&entry.path(), files)?,
            false => files.push(entry.path()),
        }
    }
    Ok(())
}
