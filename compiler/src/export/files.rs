//! The files that `vlad emit` writes, among them the archive of mathematical functions. The crate contains its bytes.

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path in the folder.
    pub path: String,
    /// Its contents.
    pub contents: Contents,
}

/// The contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// A text.
    Text(String),
    /// The archive of the mathematical functions.
    Archive,
}

impl File {
    /// A file of text.
    pub fn text(path: impl Into<String>, text: String) -> File {
        File { path: path.into(), contents: Contents::Text(text) }
    }

    /// The bytes of the file; none for the archive in a build without it.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.contents {
            Contents::Text(text) => Some(text.as_bytes()),
            Contents::Archive => archive(),
        }
    }

    /// The file in a folder.
    pub fn within(self, folder: &str) -> File {
        File { path: format!("{folder}/{}", self.path), ..self }
    }
}

/// The bytes of the archive; none on architectures without it.
fn archive() -> Option<&'static [u8]> {
    let bytes = include_bytes!(env!("VLAD_MATHEMATICS_ARCHIVE"));
    (!bytes.is_empty()).then_some(bytes)
}
