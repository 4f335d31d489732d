//! The files that `vlad emit` writes. The archive of the mathematical functions is among them; the crate contains its bytes.

/// A file that is written.
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

    /// The bytes of the file; none of an archive that this build does not have.
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

/// The bytes of the archive; none on architectures that have none.
fn archive() -> Option<&'static [u8]> {
    let bytes = include_bytes!(env!("VLAD_MATHEMATICS_ARCHIVE"));
    (!bytes.is_empty()).then_some(bytes)
}
