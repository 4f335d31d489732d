//! The files of a run, from paths or from the built-in corpus, and their selection.

use super::arguments::{ConformArguments, DEFAULT_FOLDER, Order};
use super::refusal::{NothingToRun, obstacle};
use std::fs;
use std::path::{Path, PathBuf};
use vlad_conformance::matrix::find::{self, Missing};
use vlad_conformance::matrix::{Plan, bundled, work};
use vlad_files::private::PrivateFolder;
use vlad_shared::core::diagnostic::Kind;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::vlad::libraries::LIBRARIES;

/// The files to run.
pub(super) struct Found {
    /// The files that are selected by their paths.
    pub(super) files: Vec<PathBuf>,
    /// The paths of all files, as reports show them.
    pub(super) all: Vec<String>,
    /// The folder that they are in, if they are those of the corpus that is a part of the command.
    pub(super) unpacked: Option<PrivateFolder>,
}

/// Finds the files that paths and filters name.
pub(super) fn find(arguments: &ConformArguments, languages: Languages) -> Result<Found, NothingToRun> {
    let default = Path::new(DEFAULT_FOLDER);
    let (paths, unpacked) = match arguments.paths.as_slice() {
        [] if !arguments.bundled && default.is_dir() => (vec![default.to_path_buf()], None),
        [] => unpacked(arguments).map(|folder| (vec![folder.path().join(bundled::FOLDER)], Some(folder)))?,
        paths => (paths.to_vec(), None),
    };
    let found = find::find(&paths, &[], languages);
    let mut files = found.map_err(|missing| not_found(arguments, missing, languages))?;
    let shown = |path: &Path| unpacked.as_ref().map_or(path.to_path_buf(), |folder| shown(path, folder.path()));
    let all = files.iter().map(|path| shown(path).to_string_lossy().into_owned()).collect();
    files.retain(|path| find::is_selected(&shown(path), &arguments.filter));
    match files.is_empty() {
        true => Err(not_found(arguments, Missing::Filtered, languages)),
        false => Ok(Found { files, all, unpacked }),
    }
}

/// Returns the path of an unpacked file as reports show it: below the folder that has the corpus.
pub(super) fn shown(path: &Path, folder: &Path) -> PathBuf {
    let corpus = folder.join(bundled::FOLDER);
    path.strip_prefix(corpus.parent().unwrap_or(&corpus)).unwrap_or(path).to_path_buf()
}

/// Unpacks the corpus that is a part of the command.
fn unpacked(arguments: &ConformArguments) -> Result<PrivateFolder, NothingToRun> {
    if arguments.update || arguments.new {
        let message =
            format!("there is no folder {DEFAULT_FOLDER} here, and the corpus of the command cannot be rewritten");
        return Err(obstacle(Kind::File, message));
    }
    let failed = |error| obstacle(Kind::File, format!("the corpus of the command cannot be unpacked: {error}"));
    let folder = PrivateFolder::make(&std::env::temp_dir()).map_err(failed)?;
    bundled::unpack(folder.path()).map_err(failed)?;
    Ok(folder)
}

/// Takes only the files of a plan whose programs need the parts of the report that are wanted, in the order that is wanted.
pub(super) fn select(arguments: &ConformArguments, plan: &mut Plan) -> Result<(), NothingToRun> {
    if arguments.parts.is_none() && arguments.order == Order::Path {
        return Ok(());
    }
    let mut files: Vec<_> = work::needs(plan).into_iter().zip(std::mem::take(&mut plan.files)).collect();
    if let Some(parts) = arguments.parts {
        files.retain(|((needed, _), _)| parts.contain(*needed));
        if files.is_empty() {
            return Err(obstacle(Kind::File, format!("each program needs other parts of the report than {parts}")));
        }
    }
    match arguments.order {
        Order::Path => {}
        Order::Size => files.sort_by_key(|((needed, length), _)| (needed.last(), *length)),
    }
    plan.files = files.into_iter().map(|(_, path)| path).collect();
    Ok(())
}

/// Writes the corpus that is a part of the command, and the libraries that its programs include, to a folder that is new or
/// empty, and returns a line about it.
pub(super) fn write(folder: &Path) -> Result<String, NothingToRun> {
    let failed =
        |error| obstacle(Kind::Output, format!("the corpus cannot be written to {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    if fs::read_dir(folder).map_err(failed)?.next().is_some() {
        let message = format!("the corpus cannot be written to {}: the folder is not empty", folder.display());
        return Err(obstacle(Kind::Output, message));
    }
    bundled::unpack(folder).map_err(failed)?;
    let libraries = folder.join("libraries");
    fs::create_dir(&libraries).map_err(failed)?;
    for library in &LIBRARIES {
        fs::write(libraries.join(library.name).with_extension("vlad"), library.text).map_err(failed)?;
    }
    let count = bundled::files().count() + LIBRARIES.len();
    Ok(format!("{count} files written to {}\n", folder.display()))
}

fn not_found(arguments: &ConformArguments, missing: Missing, languages: Languages) -> NothingToRun {
    let message = match missing {
        Missing::Unreadable(path, error) => format!("{} cannot be read: {error}", path.display()),
        Missing::Empty(path) => {
            let extensions = languages.all().flat_map(|language| language.extensions());
            let extensions: Vec<String> = extensions.map(|extension| format!(".{extension}")).collect();
            let known = match extensions.split_last() {
                Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
                Some(_) | None => extensions.concat(),
            };
            format!("there is no {known} file in {}", path.display())
        }
        Missing::Filtered => format!("no file's path matches --filter {}", arguments.filter.join(" or ")),
    };
    obstacle(Kind::File, message)
}
