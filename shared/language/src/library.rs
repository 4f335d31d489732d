//! Libraries: texts that come with vlad, which a program can include by name.
//!
//! A library is a text like any other: its definitions become the program's own, in place of the `include`. So a
//! program that defines a name of the library again defines it twice, and a program's definition of a name of the
//! language applies in the library as well.

/// A library.
#[derive(Debug)]
pub struct Library {
    /// The name by which programs include it.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The definitions that visit the elements of an operand by their index, or its rows and their elements: errors in
    /// them report the indices.
    pub elementwise: &'static [&'static str],
}

impl Library {
    /// Returns its name in diagnostics.
    pub fn shown_name(&self) -> String {
        format!("<{}>", self.name)
    }
}
