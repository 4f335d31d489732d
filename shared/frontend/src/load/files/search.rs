//! The search for the files and libraries that texts include.

use super::super::bytes::{canonical_folder, show_folder};
use super::super::input::IncludableFiles;
use super::target::IncludeTarget;
use super::{Files, Origin};
use std::iter;
use std::path::{Path, PathBuf};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_language::library::Library;

impl Files<'_> {
    /// Reports that an open file is included again, by a name. Each file is shown under the name by which it was first included.
    pub(super) fn cycle(&mut self, from: usize, name: &str, span: Span) {
        let mut chain: Vec<&str> = self.open.iter().skip(from).map(|open| open.name.as_str()).collect();
        let first = chain.first().copied().unwrap_or_default();
        chain.push(first);
        let message = format!("`{first}` includes itself: {}", chain.join(" -> "));
        let diagnostic = Diagnostic::new(Kind::File, span, message);
        let diagnostic = match self.library(name) {
            Some(library) => diagnostic.with_hint(format!(
                "this file hides the library `{}`: with another name of the file the library is included",
                library.name
            )),
            None => diagnostic,
        };
        self.missing(diagnostic);
    }

    /// Returns the folders that are searched for included files, in order. A library includes libraries only.
    fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        let open = self.open.last();
        let is_library = open.is_some_and(|open| matches!(open.origin, Some(Origin::Library(..))));
        let given = if is_library { &[][..] } else { &self.options.include_folders };
        open.and_then(|open| open.folder.as_ref()).into_iter().chain(given)
    }

    /// Returns true if a file may be read. A file that may not be read is treated as missing, without a message of its
    /// own.
    pub(in super::super) fn is_within_reach(&self, canonical: &Path) -> bool {
        match self.options.reach {
            IncludableFiles::Anywhere => true,
            IncludableFiles::Beneath => {
                let given = self.options.include_folders.iter().filter_map(|folder| canonical_folder(folder));
                given.chain(self.own_folder.clone()).any(|folder| canonical.starts_with(folder))
            }
        }
    }

    /// Finds the file of a name, or else a library. A folder of that name hides neither; a folder, or anything else
    /// that is no ordinary file, is found only if there is nothing else. So is the file that has the `include`, by its name without the
    /// extension: a file that has the name of a library includes the library by it.
    pub(super) fn find(&self, name: &str) -> Option<IncludeTarget> {
        let longer = self.with_extensions(name);
        let names = || iter::once(name).chain(longer.iter().map(String::as_str));
        let paths = self.folders().flat_map(|folder| names().map(|name| folder.join(name)));
        let own = self.open.last().and_then(|open| open.origin.as_ref()).filter(|_| !longer.is_empty());
        let (mut itself, mut other) = (None, None);
        for path in paths {
            let Ok(canonical) = path.canonicalize() else { continue };
            if !self.is_within_reach(&canonical) {
                continue;
            }
            if own == Some(&Origin::File(canonical.clone())) {
                itself.get_or_insert(IncludeTarget::File(path, canonical));
                continue;
            }
            if canonical.is_file() {
                return Some(IncludeTarget::File(path, canonical));
            }
            other.get_or_insert(IncludeTarget::File(path, canonical));
        }
        self.library(name).map(IncludeTarget::Library).or(itself).or(other)
    }

    /// Returns the library of a name, which may end with an extension.
    fn library(&self, name: &str) -> Option<&'static Library> {
        let language = self.language();
        let is_extension = |extension: &str| language.extensions().contains(&extension);
        let name = name.rsplit_once('.').filter(|(_, end)| is_extension(end)).map_or(name, |(name, _)| name);
        language.libraries().iter().find(|library| library.name == name)
    }

    /// Returns a name with each extension that it may have left out: none if it has one, or is not the name of a file.
    fn with_extensions(&self, name: &str) -> Vec<String> {
        match name.rsplit('/').next() {
            None | Some("" | "." | "..") => vec![],
            Some(last) if self.options.languages.of_file(Path::new(&format!("_{last}"))).is_some() => vec![],
            Some(_) => self.language().extensions().iter().map(|extension| format!("{name}.{extension}")).collect(),
        }
    }

    pub(in super::super) fn not_found(&mut self, name: &str, span: Span) {
        let searched: Vec<String> = self.folders().map(|folder| format!("`{}`", show_folder(folder))).collect();
        let searched = searched.join(", ");
        let longer: Vec<String> = self.with_extensions(name).iter().map(|longer| format!("`{longer}`")).collect();
        let hint = match longer.as_slice() {
            _ if searched.is_empty() => {
                "a text that is no file has no folder: name one to search for included files".to_string()
            }
            [] => format!("it was looked for in {searched}"),
            [longer] => format!("it was looked for in {searched}, and so was {longer}"),
            several => format!("it was looked for in {searched}, and so were {}", several.join(", ")),
        };
        let hint = match self.options.reach {
            IncludableFiles::Anywhere => hint,
            IncludableFiles::Beneath => {
                format!(
                    "{hint}; in a sandbox only files below the program's own folder and those given can be included"
                )
            }
        };
        let libraries = self.language().libraries().iter();
        let libraries: Vec<String> = libraries.map(|library| format!("`{}`", library.name)).collect();
        let hint = match libraries.as_slice() {
            [] => hint,
            libraries => format!("{hint}; the libraries that come with vlad are {}", libraries.join(", ")),
        };
        self.missing(Diagnostic::new(Kind::File, span, format!("there is no file `{name}`")).with_hint(hint));
    }
}
