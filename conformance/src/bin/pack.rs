//! Packs the programs of a folder for machines without files: one JSON object a line (`vlad_portable::packed`).
//!
//! Left out are programs without a digest (`vlad_portable::digest`).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, io};
use vlad_conformance::corpus::case;
use vlad_conformance::corpus::check;
use vlad_conformance::matrix::find;
use vlad_portable::digest::depends_on_the_machine;
use vlad_portable::packed::PackedProgram;
use vlad_shared::core::diagnostic::{Failure, Kind};
use vlad_shared::core::source::KeptSources;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::{self, Input, Options};

fn main() -> Result<(), String> {
    let folder = env::args_os().nth(1).ok_or("usage: pack FOLDER")?;
    let languages = Languages::default();
    let files = find::find(&[PathBuf::from(folder)], &[], languages);
    let mut out = io::stdout().lock();
    for path in files.map_err(|missing| format!("{missing:?}"))? {
        if let Some(packed) = packed(&path, languages)? {
            let line = serde_json::to_string(&packed).map_err(|error| error.to_string())?;
            writeln!(out, "{line}").map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

fn packed(path: &Path, languages: Languages) -> Result<Option<PackedProgram>, String> {
    let text = check::read_text(path)?;
    let language = languages.of_file(path).ok_or_else(|| format!("{} is in no known language", path.display()))?;
    let case = case::parse_any(&text, language.comment())?;
    let is_about_a_limit = case.errors.iter().any(|error| matches!(error.kind, Kind::Time | Kind::Memory));
    if is_about_a_limit || text.contains(char::REPLACEMENT_CHARACTER) {
        return Ok(None);
    }
    let setting = check::setting(&case, path.parent().unwrap_or(Path::new(".")));
    let options = Options { include_folders: setting.include_folders, languages, ..Options::default() };
    let sources = match load::load(Input::Path(path.to_path_buf()), &options) {
        Ok(program) => KeptSources::of(&program.sources),
        Err(Failure { diagnostics, .. }) if diagnostics.iter().any(depends_on_the_machine) => return Ok(None),
        Err(Failure { sources, .. }) => KeptSources::of(&sources),
    };
    Ok(Some(PackedProgram::new(path.display().to_string(), &sources, case.input, setting.limits.steps)))
}
