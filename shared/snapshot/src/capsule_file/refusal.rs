//! The reasons for which a file is refused.

use std::fmt;

/// The version of the format. It changes with every change of the format.
pub const VERSION: u64 = 7;

/// The reason for which a file is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not a capsule file.
    Foreign,
    /// It has a version that is not supported.
    OtherVersion(u64),
    /// It is damaged.
    Damaged(&'static str),
    /// The program in it has no core, or other core, in this version of vlad.
    OtherMeaning,
    /// These functions, which its program may apply, had other results where it was written.
    OtherFunctions(Vec<&'static str>),
    /// It is to be continued with another program than the one that was suspended.
    OtherProgram,
}

impl Refusal {
    /// The refusal of a procedure whose lambda cannot have been evaluated yet.
    pub(crate) const NOT_MADE: Refusal = Refusal::damaged("a procedure in it has not been made yet");

    pub(crate) const fn damaged(how: &'static str) -> Refusal {
        Refusal::Damaged(how)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Foreign => out.write_str("is no capsule file"),
            Refusal::OtherVersion(version) => {
                let whose = if *version > VERSION { "a newer" } else { "an older" };
                write!(
                    out,
                    "is a capsule file of version {version}, written by {whose} vlad; this one reads version {VERSION}"
                )
            }
            Refusal::Damaged(how) => write!(out, "is a damaged capsule file: {how}"),
            Refusal::OtherMeaning => {
                out.write_str("was written by another version of vlad, in which its program is another one")
            }
            Refusal::OtherFunctions(names) => {
                let names = names.join(", ");
                write!(
                    out,
                    "was written by an older vlad, with other results of {names}: its output would not be that of one run"
                )
            }
            Refusal::OtherProgram => out.write_str("is a capsule of another program"),
        }
    }
}
