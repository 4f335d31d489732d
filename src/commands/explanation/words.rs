//! The words for a call in text and JSON, and the choice to show times.

use vlad_compiler::explain::Call;

/// The treatment of the times of phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// They are shown.
    Shown,
    /// They are left out, so that the output is the same each time.
    LeftOut,
}

/// The word for a call that has specialised code.
pub fn call_word(call: Call) -> &'static str {
    match call {
        Call::Plain => "application",
        Call::Forward => "j*",
        Call::Reverse => "*j",
    }
}
