//! The referent of the name in an `include`.

use crate::library::Library;
use std::path::PathBuf;

/// The referent of the name in an `include`.
pub(super) enum IncludeTarget {
    /// A file: the path by which it was found, which diagnostics show, and its canonical path.
    File(PathBuf, PathBuf),
    /// A library.
    Library(&'static Library),
}
