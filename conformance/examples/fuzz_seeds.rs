//! Writes what coverage-guided fuzzing begins with: `cargo run -p vlad-conformance --example fuzz_seeds FOLDER` makes a
//! folder of files for each reader.

use std::path::PathBuf;
use std::{env, fs, io};
use vlad_conformance::readers::READERS;

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("a folder is expected"))?;
    for reader in READERS {
        let folder = folder.join(reader.name);
        fs::create_dir_all(&folder)?;
        for (number, seed) in (reader.seeds)().map_err(io::Error::other)?.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
