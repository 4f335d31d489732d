//! The referent of the name in an `include`.

use std::path::PathBuf;
use vlad_language::library::Library;

/// The referent of the name in an `include`.
pub(super) enum IncludeTarget {
    /// A file: the path by which it was found, which diagnostics show, and its canonical path.
    File(PathBuf, PathBuf),
    /// A library.
    Library(&'static Library),
}
